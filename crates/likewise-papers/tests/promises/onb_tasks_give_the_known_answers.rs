//! Positive naive Bayes, its prior by clustering, and the baselines on real messages, against an independent
//! program: every value of the grid, on three tasks split without chance.

use std::sync::Arc;

use likewise::Run;
use likewise::data::{Csr, Data, PuData};
use likewise::decide::is_positive;
use likewise::measure::Confusion;
use likewise::method::{Parameters, Weights};
use likewise::methods::bayes::onb::{Onb, Quality, Tie};
use likewise::parts::binary_rows::Distance;
use likewise::parts::naive_bayes::{
    Correction, Em, Event, PositiveBayes, PriorGrid, PriorOf, Teachers, WordCounts, WordPrior,
};
use likewise::prior::{nb_em, word_bound};
use likewise::registry::find;
use likewise_papers::Error;
use likewise_papers::data::DataFolder;
use likewise_papers::onb::split::Split;
use likewise_papers::onb::tasks::Task;
use serde_json::Value;

const CORRECTIONS: [(&str, Correction); 3] =
    [("clip", Correction::Clip), ("calvo", Correction::Calvo), ("calvon", Correction::Calvon)];
const DISTANCES: [(&str, Distance); 3] =
    [("hamming", Distance::Hamming), ("cosine", Distance::Cosine), ("jaccard", Distance::Jaccard)];

/// The task's split and its known answers; none, with a visible line, where the data are absent.
fn load(task: Task) -> Option<(Split, Value)> {
    let mut known: Value = serde_json::from_str(&likewise_testing::golden_text("onb-tasks.json")).unwrap();
    let data = likewise_testing::data_file("")?;
    let messages = match task.load(&DataFolder::find(Some(&data))) {
        Err(error @ Error::MissingData(_)) => {
            likewise_testing::missing_data(error);
            return None;
        }
        messages => messages.unwrap(),
    };
    Some((Split::every_third(&messages), known[task.name()].take()))
}

#[track_caller]
fn assert_close(found: f64, expected: &Value, what: &str) {
    assert_within(1e-9, found, expected, what);
}

#[track_caller]
fn assert_within(tolerance: f64, found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap_or_else(|| panic!("{what}: no number is known"));
    assert!((found - expected).abs() < tolerance, "{what}: {found} instead of {expected}");
}

fn check(task: Task) {
    let Some((split, known)) = load(task) else { return };
    let train = split.train(Weights::Binary).unwrap();
    let target = split.target(Weights::Binary);
    let x = train.x.sparse().unwrap();
    let (positives, unlabeled) = (train.positives(), train.unlabeled());
    let sizes = [split.words, target.nnz(), positives.len(), unlabeled.len(), target.rows()];
    for (name, size) in ["vocab", "nnz_target", "train", "unlabelled", "target"].iter().zip(sizes) {
        assert_eq!(known[name], size, "{name}");
    }
    assert_close(split.prior(), &known["pi_u"], "share of positives in the pile");
    let bayes = PositiveBayes {
        event: Event::Bernoulli,
        positive: WordCounts::of(x, &positives, Event::Bernoulli),
        pile: WordCounts::of(x, &unlabeled, Event::Bernoulli),
        absent: true,
        words: WordPrior::Even(1.0),
    };
    check_splits(&bayes, &split, &target, &known);
    check_qualities(&bayes, &target, &known);
    check_priors(x, &bayes, &unlabeled, &known);
    check_baselines(&train, &split, target, &known);
}

/// How many target rows are positive at every p, and the F1 of calling them so.
fn check_splits(bayes: &PositiveBayes, split: &Split, target: &Csr, known: &Value) {
    for (name, correction) in CORRECTIONS {
        let grid = PriorGrid::new(bayes, Onb::default().grid(), correction);
        let margins: Vec<Vec<f64>> = (0..target.rows()).map(|i| grid.margins(target, i)).collect();
        for g in 0..grid.priors.len() {
            let found: Vec<bool> = margins.iter().map(|m| m[g] > 0.0).collect();
            let count = found.iter().filter(|p| **p).count();
            assert_eq!(known[name]["n_pos"][g], count, "{name} at {}", grid.priors[g]);
            let f1 = Confusion::count(&found, &split.target_truth).f1();
            assert_close(f1, &known[name]["f1"][g], &format!("{name} F1 at {}", grid.priors[g]));
        }
    }
}

/// LSN and ASW at every p under three distances, and the p picked.
fn check_qualities(bayes: &PositiveBayes, target: &Csr, known: &Value) {
    let judged: Vec<usize> = (0..target.rows()).collect();
    let run = Run::new(0);
    for (correction_name, correction) in CORRECTIONS {
        for (distance_name, distance) in DISTANCES {
            for (quality_name, quality) in
                [("lsn", Quality::LargestSeparation), ("asw", Quality::AverageSilhouetteWidth)]
            {
                let onb = |guard| Onb { distance, correction, guard, tie: Tie::Middle, ..Onb::default() };
                let choice = onb(0.0).choose(quality, bayes, target, &judged, &[], &run).unwrap();
                let known = &known[correction_name];
                let name = format!("{quality_name}_{distance_name}");
                for (g, found) in choice.qualities.iter().enumerate() {
                    let what = format!("{correction_name} {name} at {}", choice.grid[g]);
                    match found {
                        Some(found) => assert_close(*found, &known[&name][g], &what),
                        None => assert!(known[&name][g].is_null(), "{what}"),
                    }
                }
                if quality == Quality::LargestSeparation {
                    let guarded = onb(0.1).choose(quality, bayes, target, &judged, &[], &run).unwrap();
                    for (guard, choice) in [("0.0", choice), ("0.1", guarded)] {
                        let pick = format!("pick_{name}_g{guard}_middle");
                        assert_close(choice.prior, &known[&pick], &format!("{correction_name} {pick}"));
                    }
                }
            }
        }
    }
}

fn check_priors(x: &Csr, bayes: &PositiveBayes, unlabeled: &[usize], known: &Value) {
    let bound = word_bound(&bayes.positive, &bayes.pile).unwrap();
    assert_close(bound, &known["word_bound_z2"], "word bound");
    let run = Run::new(0);
    let (fixed, _) = nb_em(x, &bayes.positive, unlabeled, &run).unwrap();
    assert_close(fixed, &known["nb_em_fixed"], "naive Bayes EM, positives fixed");
    let em = Em {
        x,
        unlabeled,
        positive: &bayes.positive,
        negative: None,
        event: Event::Bernoulli,
        words: &WordPrior::Even(1.0),
        teachers: Teachers::LabelledAndPile,
        prior_of: PriorOf::Pile,
    };
    let start = em.expect(&bayes.model(0.5, Correction::Calvon));
    let free = em.converge(start, 1e-5, 300, &run).unwrap().posteriors;
    let share = free.iter().sum::<f64>() / free.len() as f64;
    assert_close(share, &known["nb_em_free"], "naive Bayes EM, positives free");
}

fn check_baselines(train: &PuData, split: &Split, target: Csr, known: &Value) {
    let target = Data::Sparse(Arc::new(target));
    let run = Run::new(0);
    // Up to 144 target rows lie exactly at the threshold of `nearest`: we accept all of them, the other
    // program those that its rounding happened to favour.
    for (method, name, tolerance) in [
        ("prototype", "prototype_q0.1_f1", 1e-9),
        ("nearest", "nn_q0.1_f1", 2e-3),
        ("apnb", "apnb_posterior_f1", 1e-9),
    ] {
        let mut given = Parameters::new();
        if method == "apnb" {
            given.insert("smoothing".into(), "laplace".into());
        }
        let model = find(method).unwrap().fit(&given, train, &run).unwrap().model;
        let found: Vec<bool> = model.score(&target, &run).unwrap().into_iter().map(is_positive).collect();
        let f1 = Confusion::count(&found, &split.target_truth).f1();
        assert_within(tolerance, f1, &known[name], method);
    }
}

#[test]
fn violence() {
    check(Task::Violence);
}

#[test]
fn sms() {
    check(Task::Sms);
}

#[test]
fn airline() {
    check(Task::Airline);
}
