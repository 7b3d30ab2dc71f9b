//! Mean F1 over six tasks and five trials, and the error of the estimated prior: floors that no change may
//! break.

use std::io::Write;

use likewise::Run;
use likewise_papers::data::DataFolder;
use likewise_papers::onb::{MEAN, Options, PRIORS, SYSTEMS, reproduce, show};

#[test]
fn the_winners_stay_winners() {
    let data = DataFolder::find(None);
    let cells = match reproduce(&data, &Options::default(), &Run::new(0)) {
        Err(error @ likewise_papers::Error::MissingData(_)) => {
            let _ = writeln!(std::io::stderr(), "skipped: {error}");
            return;
        }
        cells => cells.unwrap(),
    };
    println!("{}", show(&cells));
    let mean = |table: &str, row: &str, metric: &str| {
        let cell = |c: &&likewise_papers::Cell| {
            c.table == table && c.row == row && c.metric == metric && c.column == MEAN
        };
        cells.iter().find(cell).unwrap_or_else(|| panic!("no cell for {row}")).value
    };
    for (system, floor) in [
        ("spy, naive Bayes", 0.68),
        ("spy, EM (S-EM)", 0.66),
        ("PNB, p estimated", 0.68),
        ("ONB-LSN", 0.58),
        ("prototype", 0.57),
    ] {
        let f1 = mean(SYSTEMS, system, "f1");
        assert!(f1 >= floor, "{system}: F1 {f1:.3} is below {floor}");
    }
    let error = mean(PRIORS, "median", "absolute error");
    assert!(error <= 0.085, "the default estimate of the prior is off by {error:.3} on average");
}
