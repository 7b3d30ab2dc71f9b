//! The pages are opened in Chromium, which measures what a reader would see: on a screen and on a phone, light
//! and dark.

use std::process::Command;

use likewise::method::Summary;
use likewise::method::Tried;
use likewise::probability::Probability;
#[cfg(feature = "papers")]
use likewise_papers::{Cell, Extent, PAPERS};
use likewise_report::find::{Found, Row};
#[cfg(feature = "papers")]
use likewise_report::reproduce::Results;

/// Written into the page by a script that only this test adds.
const PROBE: &str = "<script>
const box = e => e.getBoundingClientRect();
const seen = {
  tables: [...document.querySelectorAll('table')].filter(t => box(t).width > 100 && box(t).height > 20).length,
  charts: [...document.querySelectorAll('svg')].filter(s => box(s).width > 200 && box(s).height > 80).length,
  drawn: [...document.querySelectorAll('polyline, rect')].filter(l => box(l).width > 0).length,
  wider: document.documentElement.scrollWidth > window.innerWidth,
  width: window.innerWidth,
  ground: getComputedStyle(document.body).backgroundColor,
  ink: getComputedStyle(document.body).color,
};
document.title = JSON.stringify(seen);
</script>";

fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success()))
}

/// What the browser saw of a page in a window so wide.
fn look(browser: &str, html: &str, width: u32, dark: bool) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, html.replace("</body>", &format!("{PROBE}</body>"))).unwrap();
    let scheme = if dark { "0" } else { "1" };
    let out = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--window-size={width},900"))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    let dom = String::from_utf8_lossy(&out.stdout);
    let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
    let title = title.unwrap_or_else(|| panic!("no page: {}", String::from_utf8_lossy(&out.stderr)));
    serde_json::from_str(title).unwrap_or_else(|_| panic!("the probe did not run: {title}"))
}

fn found() -> String {
    let candidate =
        |method: &str| Tried { method: method.into(), pu_auc: 0.9, estimated_f1: 0.8, partial_auc: 0.7 };
    let summary = Summary {
        prior: 0.1,
        prior_low: 0.05,
        prior_high: 0.2,
        method: "pseudo-smooth".into(),
        because: "which ranked hidden examples best".into(),
        routed_to_unexpected: false,
        sampled: None,
        prior_untold: false,
        candidates: vec![candidate("pseudo-smooth"), candidate("logistic")],
        cut: 0.1,
        pile: 100,
        positives: 12,
        found: 10,
        recall: 0.8,
        recall_low: 0.6,
        recall_high: 0.9,
        precision_low: 0.3,
        precision_high: 1.0,
        f1_low: 0.4,
        f1_high: 0.9,
        recall_curve: (1..=20).map(|k| [f64::from(k) / 20.0, 0.8, 0.6, 0.9]).collect(),
        warnings: vec!["only 12 examples".into()],
        blocks: Vec::new(),
        known_negatives: 0,
        hidden_ranks: Vec::new(),
        drawn: None,
    };
    let row = |k: u32| Row {
        id: format!("row-{k}"),
        score: 1.0 - f64::from(k) / 100.0,
        probability: Some(Probability { probability: 0.8, low: 0.5, high: 0.9 }),
        text: "a message with a very long word: ".to_string() + &"x".repeat(200),
    };
    let rows: Vec<Row> = (0..100).map(row).collect();
    let features = [("refund".to_string(), 1.5), ("parcel".to_string(), -0.7)];
    likewise_report::find::page(&Found {
        rows: &rows,
        features: &features,
        summary: &summary,
        word: &|setting| setting.name.to_string(),
    })
}

/// Made-up numbers in every table of every paper.
#[cfg(feature = "papers")]
fn reproduced() -> String {
    let mut cells = Vec::new();
    for paper in PAPERS {
        for table in paper.tables {
            for row in ["one", "another with a long name"] {
                for column in ["5", "10", "20"] {
                    let cell = Cell::new(paper.name, table.name, row, column, "F").printed(Some(0.5));
                    cells.extend(cell.of(&[(0.4, 1.0), (0.7, 1.0)]));
                }
            }
        }
    }
    likewise_report::reproduce::page(&Results { papers: PAPERS, cells: &cells, effort: Some(Extent::Quick) })
}

#[test]
fn a_reader_sees_what_was_found() {
    opens(&found(), 4, 2, 41);
}

#[cfg(feature = "papers")]
#[test]
fn a_reader_sees_tables_and_curves() {
    let tables: usize = PAPERS.iter().map(|paper| paper.tables.len()).sum();
    let curves = PAPERS.iter().flat_map(|paper| paper.tables).filter(|table| table.axis.is_some()).count();
    opens(&reproduced(), tables, curves, 2 * curves);
}

/// At least so many tables, so many charts and at least so many lines drawn are seen on each screen.
#[track_caller]
fn opens(html: &str, tables: usize, charts: usize, drawn: usize) {
    let Some(browser) = browser() else {
        likewise_testing::skipped("no Chromium here (Debian package chromium)");
        return;
    };
    for (width, dark) in [(1000, false), (500, true)] {
        let seen = look(browser, html, width, dark);
        let count = |name: &str| seen[name].as_u64().unwrap() as usize;
        assert!(count("tables") >= tables, "{seen}");
        assert_eq!((count("charts"), seen["wider"].as_bool()), (charts, Some(false)), "{seen}");
        assert!(count("drawn") >= drawn, "{seen}");
        let bright = |colour: &str| {
            let numbers = colour.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u32>().ok());
            numbers.take(3).sum::<u32>() > 384
        };
        let (ground, ink) = (seen["ground"].as_str().unwrap(), seen["ink"].as_str().unwrap());
        assert_eq!((bright(ground), bright(ink)), (!dark, dark), "{seen}");
    }
}
