//! Rows known not to be wanted: every registered method either learns from them or leaves them alone, and they are
//! never part of the pile.

use std::sync::Arc;

use likewise::data::Kind;
use likewise::method::{Entry, Negatives, Parameters, Weights};
use likewise::prelude::*;
use likewise::registry::{all, find};
use rand::RngExt;

const ROWS: usize = 240;

/// Three topics of ten words over a common ground of ten. Topic 0 is wanted; topic 1 shares half of its words; topic 2
/// has none of them. Rows 0 to 19 are examples, and `refused` rows of topic 1 are known not to be wanted.
fn documents(weights: Weights, refused: usize) -> (Csr, Vec<Mark>) {
    let mut rng = Run::new(11).rng("test documents", 0);
    let mut out = CsrBuilder::with_capacity(40, ROWS, ROWS * 12);
    for row in 0..ROWS {
        let mut counts = [0u32; 40];
        for _ in 0..12 {
            let word = match (topic(row), rng.random_bool(0.3), rng.random_bool(0.5)) {
                (_, true, _) => 30 + rng.random_range(0..10),
                (1, _, true) => rng.random_range(0..10),
                (topic, _, _) => 10 * topic + rng.random_range(0..10),
            };
            counts[word] += 1;
        }
        let value = |n: u32| if weights == Weights::Count { n as f32 } else { n.min(1) as f32 };
        out.push_entries(counts.iter().enumerate().map(|(j, n)| (j as u32, value(*n))));
    }
    let mut x = out.finish();
    if weights == Weights::TfIdf {
        x.normalize_rows();
    }
    let mark = |row: usize| match (row, topic(row)) {
        (0..20, _) => Mark::Wanted,
        (_, 1) if (20..20 + 3 * refused).contains(&row) => Mark::Unwanted,
        _ => Mark::Unread,
    };
    (x, (0..ROWS).map(mark).collect())
}

fn topic(row: usize) -> usize {
    if row < 20 { 0 } else { row % 3 }
}

fn problem(entry: &dyn Entry, refused: usize) -> PuData {
    let (x, marks) = documents(entry.spec().weights, refused);
    PuData::of_marks(Data::Sparse(Arc::new(x)), &marks).unwrap()
}

fn scores(entry: &dyn Entry, train: &PuData) -> Vec<f64> {
    let name = entry.spec().name;
    entry.fit(&Parameters::new(), train, &Run::new(1)).unwrap_or_else(|e| panic!("{name}: {e}")).scores
}

fn of_words() -> impl Iterator<Item = &'static dyn Entry> {
    let takes = |entry: &&'static dyn Entry| {
        entry.spec().inputs.contains(&Kind::Sparse) && entry.spec().name != "supervised"
    };
    all().filter(takes)
}

/// How often a row of topic 0 stands above one of topic 1 among those that nobody has marked either time.
fn told_apart(scores: &[f64]) -> f64 {
    let of = |wanted: usize| (100..ROWS).filter(move |&row| topic(row) == wanted).map(|row| scores[row]);
    let pairs = of(0).flat_map(|a| {
        of(1).map(move |b| {
            if a > b {
                1.0
            } else if a == b {
                0.5
            } else {
                0.0
            }
        })
    });
    pairs.clone().sum::<f64>() / pairs.count() as f64
}

#[test]
fn a_method_that_says_it_learns_from_them_does_and_one_that_does_not_is_not_moved() {
    let mut gains = Vec::new();
    for entry in of_words() {
        let (name, train) = (entry.spec().name, problem(entry, 20));
        assert_eq!(train.known_negatives().len(), 20);
        let marked = scores(entry, &train);
        assert_eq!(marked.len(), ROWS, "{name}");
        assert!(marked.iter().all(|score| (0.0..=1.0).contains(score)), "{name}");
        let unmarked = scores(entry, &problem(entry, 0));
        match entry.negatives() {
            Negatives::LeftOut => {
                let others: Vec<usize> = (0..ROWS).filter(|&row| !train.unwanted[row]).collect();
                let alone = scores(entry, &train.select(&others));
                others.iter().zip(alone).for_each(|(&row, score)| assert_eq!(marked[row], score, "{name}"));
            }
            how => {
                let (with, without) = (told_apart(&marked), told_apart(&unmarked));
                assert!(with > without - 0.05, "{name}: {with:.3} with marks, {without:.3} without");
                gains.push(with - without);
                // What reliable negatives start from may be what the method would have found by itself.
                if how != Negatives::Reliable {
                    assert_ne!(marked[100..], unmarked[100..], "{name} learned nothing from them");
                }
            }
        }
    }
    let mean = gains.iter().sum::<f64>() / gains.len() as f64;
    assert!(gains.len() > 20 && mean > 0.0, "{mean} over {} methods", gains.len());
}

#[test]
fn marks_of_both_kinds_help_where_they_should() {
    let mut gains = Vec::new();
    for name in ["logistic", "pseudo-smooth", "bagging", "nb", "svm-nn", "biased-svm", "nnpu", "auto"] {
        let entry = find(name).unwrap();
        let apart = |refused| told_apart(&scores(entry, &problem(entry, refused)));
        gains.push((name, apart(20) - apart(0)));
    }
    assert!(gains.iter().map(|(_, gain)| gain).sum::<f64>() / gains.len() as f64 > 0.01, "{gains:?}");
}

#[test]
fn they_are_never_ranked_and_never_counted() {
    let text = |topic: &str, k: usize| format!("{topic} word{} more{} again{}", k % 7, k % 5, k % 3);
    let texts = |topic: &str, range: std::ops::Range<usize>| -> Vec<String> {
        range.map(|k| text(topic, k)).collect()
    };
    let like = Table::from_texts("text", texts("refund", 0..12));
    let unlike = Table::from_texts("text", texts("voucher", 0..15));
    let pile: Vec<String> =
        [texts("refund", 12..40), texts("voucher", 5..60), texts("parcel", 0..90)].concat();
    let all = pile.len();
    let pile = Table::from_texts("text", pile);
    let problem = Problem::of_three(like, Some(unlike), pile, &ColumnChoice::default()).unwrap();
    let ranked = problem.pile().len();
    assert!(problem.known_negatives() > 0 && ranked < all);
    for method in ["auto", "nb", "nearest", "logistic"] {
        let mut question = Find::new(Some(method), false).unwrap();
        question.certainty = true;
        let found = question.ask(&problem, &Run::new(0)).unwrap();
        let summary = found.summary.as_ref().unwrap();
        assert_eq!((found.ranking.len(), summary.pile), (ranked, ranked), "{method}");
        let taught = if method == "nearest" { 0 } else { problem.known_negatives() };
        assert_eq!(summary.known_negatives, taught, "{method}");
        assert!(found.ranking.rows.iter().all(|&row| !problem.unwanted[row]), "{method}");
        let unused = found.notes.iter().any(|note| note.message.code.name == "negatives-unused");
        assert_eq!(unused, method == "nearest", "{method}: {:?}", found.notes);
    }
}
