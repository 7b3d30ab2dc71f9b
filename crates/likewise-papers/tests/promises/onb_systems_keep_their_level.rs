//! Mean F1 over six tasks and five trials, and the error of the estimated prior: floors that no change may break. The
//! full size runs every other method on the tasks too.

use likewise::Run;
use likewise_papers::data::DataFolder;
use likewise_papers::onb::tasks::Task;
use likewise_papers::onb::{MEAN, PAPER, PRIORS, SYSTEMS, reproduce, reproduce_tasks};
use likewise_papers::show::show;
use likewise_papers::{Cell, Extent, Lab, Numbers, Result};

fn five_trials(lab: &Lab) -> Result<Vec<Cell>> {
    reproduce_tasks(lab, &Task::ALL, 5)
}

#[test]
fn the_winners_stay_winners() {
    let Some(data) = likewise_testing::data_file("") else { return };
    let lab = Lab::new(DataFolder::find(Some(&data)), Extent::Full, Run::new(0));
    let run = likewise_testing::choose(five_trials as fn(&Lab) -> Result<Vec<Cell>>, reproduce);
    let cells = match run(&lab) {
        Err(error @ likewise_papers::Error::MissingData(_)) => return likewise_testing::missing_data(error),
        cells => cells.unwrap(),
    };
    println!("{}", show(&PAPER, &cells));
    let mean = |table: &str, row: &str, metric: &str| {
        let value = Numbers(&cells).ours(table, row, MEAN, metric);
        value.unwrap_or_else(|| panic!("no cell for {row}"))
    };
    for (system, floor) in [
        ("spy, naive Bayes", 0.68),
        ("spy, EM (S-EM)", 0.66),
        ("PNB, p estimated", 0.68),
        ("ONB-LSN", 0.58),
        ("prototype", 0.57),
    ] {
        let f1 = mean(SYSTEMS, system, "F1");
        assert!(f1 >= floor, "{system}: F1 {f1:.3} is below {floor}");
    }
    let error = mean(PRIORS, "median", "absolute error");
    assert!(error <= 0.09, "the default estimate of the prior is off by {error:.3} on average");
}
