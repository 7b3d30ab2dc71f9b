//! A part of the tasks on which the automatic choice is judged: floors that no change may break.

use likewise::Run;
use likewise_papers::automatic::{judge, tasks};
use likewise_papers::data::DataFolder;
use likewise_papers::{Error, Extent, Lab, mean_and_sd};

#[test]
fn little_is_lost_by_the_choice_and_the_route_is_right() {
    let Some(data) = likewise_testing::data_file("") else { return };
    let lab = Lab::new(DataFolder::find(Some(&data)), Extent::Quick, Run::new(0));
    let source = match tasks::Source::load(&lab.data, lab.run()) {
        Err(error @ Error::MissingData(_)) => return likewise_testing::missing_data(error),
        source => source.unwrap(),
    };
    let work: Vec<tasks::Task> =
        tasks::all(0..1).into_iter().step_by(likewise_testing::choose(10, 5)).collect();
    let outcomes = judge(&lab, &source, &work).unwrap();
    let mean = |of: fn(&likewise_papers::automatic::Outcome) -> f64| {
        mean_and_sd(&outcomes.iter().map(of).collect::<Vec<f64>>()).0
    };
    assert_eq!(outcomes.len(), likewise_testing::choose(6, 12));
    for (task, outcome) in work.iter().zip(&outcomes) {
        assert!(outcome.right_route, "{task:?} took the wrong route: {outcome:?}");
    }
    let (regret, f1) = (mean(|o| o.ap_regret), mean(|o| o.f1));
    assert!(regret <= 0.03, "mean regret {regret:.3}");
    assert!(f1 >= 0.62, "mean F1 at the cut {f1:.3}");
    let missed = outcomes.iter().filter(|o| !o.covered[0]).count();
    assert!(
        missed <= likewise_testing::choose(1, 2),
        "{missed} of {} recall intervals miss the truth",
        outcomes.len()
    );
}
