//! Every method, on words, on numbers and on both together: the same bytes on 1, 2 and 8 threads, and for each id the same score in
//! whatever order the rows come, where the method promises it.

use likewise::Run;
use likewise::data::{Column, Kind, PuData, Table};
use likewise::features::words::WordOptions;
use likewise::features::{Features, Input};
use likewise::method::{Entry, Parameters};
use likewise::registry::all;
use likewise::trained::learn;
use rand::RngExt;

const ROWS: usize = 120;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Rows {
    Text,
    Numbers,
    Mixture,
}

/// Methods for which the order of rows decides, with the reason.
const PROMISE_NONE: &[(&str, &[&str])] = &[
    (
        "positives are hidden by their number, to estimate how many there are, to choose or to place the cut",
        &[
            "auto",
            "rank-mean",
            "pnb",
            "logistic-spared",
            "elkan-noto",
            "elkan-noto-weighted",
            "upu",
            "nnpu",
            "logistic-smooth",
            "pseudo",
            "pseudo-smooth",
        ],
    ),
    ("rows are dealt into folds by their number, to choose or to calibrate", &FOLDS),
    ("spies are drawn by their number", &["spy-em", "spy-nb", "spy-svm"]),
    ("parts of the pile are drawn by their number", &["bagging", "forest"]),
    ("the factors start from numbers drawn for each row", &["nmfpul"]),
    ("the solver takes rows in their order and stops at a tolerance", &SOLVERS),
];
const FOLDS: [&str; 5] = ["weighted-logistic", "biased-svm", "supervised", "ocsvm", "svdd"];
const SOLVERS: [&str; 6] = ["svmc", "smc", "pebl", "roc-svm", "rc-svm", "svm-nn"];

/// Whether scores are the same in any order, but for the last bits that a sum in another order leaves.
fn promises(name: &str) -> bool {
    !PROMISE_NONE.iter().any(|(_, methods)| methods.contains(&name))
}

/// Rows of which every second is wanted, in this order.
fn table(form: Rows, order: &[usize]) -> Table {
    let mut rng = Run::new(11).rng("rows", 0);
    let topics = [["refund", "money", "back", "paid", "card"], ["parcel", "late", "lost", "door", "street"]];
    let common = ["please", "order", "today", "again", "number"];
    let rows: Vec<(String, [f64; 3])> = (0..ROWS)
        .map(|row| {
            let mut word = || match rng.random_bool(0.6) {
                true => topics[row % 2][rng.random_range(0..5)],
                false => common[rng.random_range(0..5)],
            };
            let text = (0..8).map(|_| word()).collect::<Vec<_>>().join(" ");
            let shift = if row % 2 == 0 { 1.0 } else { -1.0 };
            (text, [0.0; 3].map(|_| shift + rng.random_range(-1.5..1.5)))
        })
        .collect();
    let mut table = Table::from_source("rows");
    if form != Rows::Numbers {
        table.push_column("text", Column::Text(order.iter().map(|&row| &rows[row].0).collect()));
    }
    if form != Rows::Text {
        for (j, name) in ["a", "b", "c"].into_iter().enumerate() {
            table.push_column(name, Column::Number(order.iter().map(|&row| rows[row].1[j]).collect()));
        }
    }
    table.origins = (0..ROWS as u64).map(|row| (0, row + 1)).collect();
    table
}

/// The scores by row as it is called, and the bytes of the model.
fn answer(entry: &'static dyn Entry, form: Rows, order: &[usize], run: &Run) -> (Vec<f64>, Vec<u8>) {
    let name = entry.spec().name;
    let table = table(form, order);
    let (text, numbers): (Vec<_>, Vec<_>) =
        table.column_names().iter().cloned().partition(|name| name == "text");
    let input = Input::blocks(text, numbers, Vec::new());
    let (features, x, _) =
        Features::fit(&table, &input, &WordOptions::default(), &entry.spec(), run).unwrap();
    let marks = order.iter().map(|&row| row % 2 == 0 && row < ROWS / 3).collect();
    let truth = order.iter().map(|&row| row % 2 == 0).collect();
    let train = PuData::new(x, marks).unwrap().with_truth(truth).unwrap();
    let parameters = entry.resolve(&Parameters::new()).unwrap();
    let outcome = learn(entry, parameters, features, train, Vec::new(), run);
    let outcome = outcome.unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut scores = vec![f64::NAN; ROWS];
    order.iter().zip(&outcome.scores).for_each(|(&row, score)| scores[row] = *score);
    (scores, outcome.trained.to_bytes().unwrap())
}

/// Every method with the rows that it takes. Of a mixture each takes what it can: all of it, or its words.
fn methods() -> impl Iterator<Item = (&'static dyn Entry, Rows)> {
    let forms = |entry: &'static dyn Entry| {
        let inputs = entry.spec().inputs;
        [(Rows::Text, Kind::Sparse), (Rows::Numbers, Kind::Dense)]
            .into_iter()
            .filter(move |(_, kind)| inputs.contains(kind))
            .map(|(form, _)| form)
            .chain((!inputs.contains(&Kind::Relational)).then_some(Rows::Mixture))
            .map(move |form| (entry, form))
    };
    all().flat_map(forms)
}

#[test]
fn on_any_number_of_threads() {
    let order: Vec<usize> = (0..ROWS).collect();
    let runs = [1, 2, 8].map(|threads| Run::new(3).with_threads(threads).unwrap());
    for (entry, form) in methods() {
        let [one, two, eight] = runs.each_ref().map(|run| answer(entry, form, &order, run));
        let bits = |scores: &[f64]| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
        for other in [two, eight] {
            assert_eq!(bits(&one.0), bits(&other.0), "scores of {} on {form:?}", entry.spec().name);
            assert!(one.1 == other.1, "the model of {} on {form:?}", entry.spec().name);
        }
    }
}

#[test]
fn in_any_order_of_rows() {
    let order: Vec<usize> = (0..ROWS).collect();
    let mut shuffled = order.clone();
    let mut rng = Run::new(5).rng("order", 0);
    (1..ROWS).rev().for_each(|at| shuffled.swap(at, rng.random_range(0..=at)));
    let mut wrong = Vec::new();
    for (entry, form) in methods() {
        let name = entry.spec().name;
        let run = Run::new(3);
        let (first, _) = answer(entry, form, &order, &run);
        let (second, _) = answer(entry, form, &shuffled, &run);
        let apart = first.iter().zip(&second).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if promises(name) && apart > 1e-6 {
            wrong.push(format!("{name} on {form:?}: scores differ by {apart:e}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let known = |name: &&str| all().any(|entry| entry.spec().name == *name);
    assert!(PROMISE_NONE.iter().flat_map(|(_, methods)| methods.iter()).all(known));
}
