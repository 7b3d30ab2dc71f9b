//! Data sets listed, papers rerun; without the feature `papers`, a word where they are.

use crate::support::Folder;

#[cfg(not(feature = "papers"))]
#[test]
fn a_build_without_the_papers_says_where_they_are() {
    let folder = Folder::new();
    for line in ["reproduce", "reproduce onb --full", "reproduce --help", "data --json"] {
        folder.run(line).failed(2, &["without the papers' experiments", "feature `papers`"]);
    }
    let help = folder.run("--help").ok().out;
    assert!(help.contains("find") && !help.contains("reproduce"), "{help}");
}

#[cfg(feature = "papers")]
#[test]
fn absent_data_are_named_with_what_to_do() {
    let folder = Folder::new();
    let ran = folder.run("data --data . --json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let sets: Vec<serde_json::Value> = serde_json::from_str(&ran.out).unwrap();
    assert!(sets.len() > 10 && sets.iter().all(|set| set["state"] == "absent"));
    folder.write("letter.csv", "");
    let ran = folder.run("reproduce onb --data .");
    assert!(ran.code == 1 && ran.err.contains("LIKEWISE_DATA"), "{}", ran.err);
    let ran = folder.run("reproduce nobody");
    assert!(ran.code == 2 && ran.err.contains("onb"), "{}", ran.err);
}

/// The tables and the page of `docs/results` say what the program says of the cells beside them, claims included.
/// `LIKEWISE_UPDATE=1` writes them anew.
#[cfg(feature = "papers")]
#[test]
fn kept_results_say_what_their_cells_say() {
    let results = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results");
    let folder = Folder::new();
    let mut wrong = Vec::new();
    let mut kept = |name: String, now: String| {
        let path = results.join(&name);
        if std::fs::read_to_string(&path).ok().as_ref() == Some(&now) {
        } else if std::env::var_os("LIKEWISE_UPDATE").is_some() {
            std::fs::write(&path, now).unwrap();
        } else {
            wrong.push(name);
        }
    };
    let papers = std::fs::read_dir(&results).unwrap().filter_map(|entry| {
        let path = entry.unwrap().path();
        (path.extension()? == "json").then(|| path.file_stem().unwrap().to_str().unwrap().to_string())
    });
    for paper in papers {
        let ran =
            folder.run(&format!("reproduce --from {}", results.join(format!("{paper}.json")).display()));
        kept(format!("{paper}.txt"), ran.ok().out);
    }
    folder.run(&format!("reproduce --from {} --report page.html", results.display())).ok();
    kept("papers.html".into(), folder.read("page.html"));
    assert!(
        wrong.is_empty(),
        "{wrong:?} differ; run this test with LIKEWISE_UPDATE=1 and read the difference"
    );
}

#[cfg(feature = "papers")]
#[test]
fn a_paper_is_rerun_and_written_down() {
    let Some(path) = likewise_testing::data_file("") else { return };
    let folder = Folder::new();
    let path = path.canonicalize().unwrap();
    // All of it takes minutes; two methods are written down as all are, without claims of the paper.
    let methods = likewise_testing::choose("--methods nb,onb-lsn", "");
    let ran = folder.run(&format!(
        "reproduce onb {methods} --data {} --json cells.json --report page.html",
        path.display()
    ));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let shown = likewise_testing::choose(&["onb-lsn", "nb"], &["ONB-LSN", "did not"]);
    assert!(shown.iter().all(|text| ran.out.contains(text)), "{}", ran.out);
    let cells: Vec<serde_json::Value> = serde_json::from_str(&folder.read("cells.json")).unwrap();
    for name in [
        "paper",
        "table",
        "row",
        "column",
        "metric",
        "paper_value",
        "value",
        "sd",
        "trials",
        "seconds",
        "method",
        "parameters",
    ] {
        assert!(cells.iter().all(|cell| cell.get(name).is_some()), "{name}");
    }
    assert!(folder.read("page.html").contains(shown[0]));

    let again = folder.run("reproduce --from cells.json --report again.html --json again.json").ok();
    assert_eq!(again.out, ran.out, "kept cells read as they did");
    let (page, kept) = (folder.read("page.html"), folder.read("again.html"));
    let differ: Vec<&str> =
        page.lines().zip(kept.lines()).filter(|(a, b)| a != b).map(|(_, kept)| kept).collect();
    assert!(page.lines().count() == kept.lines().count() && differ.len() == 1, "{differ:?}");
    assert!(differ[0].contains("Kept results"), "{differ:?}");
    assert_eq!(folder.read("again.json"), folder.read("cells.json"));
    // One method alone has the values that it has among all.
    folder.run(&format!("reproduce onb --methods nb --data {} --json one.json", path.display())).ok();
    let values = |cells: &[serde_json::Value]| -> Vec<serde_json::Value> {
        let of_nb = cells.iter().filter(|cell| cell["table"] == "every-method" && cell["row"] == "nb");
        of_nb.map(|cell| cell["value"].clone()).collect()
    };
    let one: Vec<serde_json::Value> = serde_json::from_str(&folder.read("one.json")).unwrap();
    assert!(!one.is_empty() && one.iter().all(|cell| cell["row"] == "nb"), "{one:?}");
    assert_eq!(values(&one), values(&cells));
    folder.run("reproduce relocc --methods nb").failed(2, &["no paper named here"]);
    folder.run("reproduce onb --methods nobody").failed(2, &["nobody"]);

    folder.run("reproduce lgn --from cells.json").failed(1, &["hold no cells of lgn"]);
    folder.run("reproduce --from page.html").failed(1, &["page.html holds no cells"]);
    std::fs::create_dir(folder.path("none")).unwrap();
    folder.run("reproduce --from none").failed(1, &["none holds no .json"]);
}
