//! Numbers in any unit: a matrix is ranked and explained the same in metres and in millimetres.

use std::sync::Arc;

use likewise::Run;
use likewise::data::{Data, Dense, PuData};
use likewise::measure::area_under_roc;
use likewise::method::{Cause, Parameters};
use likewise::registry::find;
use rand::RngExt;

const ROWS: usize = 400;
const COLUMNS: usize = 5;
/// The only column that tells the class.
const TELLING: usize = 3;

/// Every third row is of the class; a third of those is labelled.
fn is_positive(row: usize) -> bool {
    row.is_multiple_of(3)
}

/// Column j as (value + shift j) x factor.
fn problem(factor: f32, shift: f32) -> PuData {
    let mut rng = Run::new(3).rng("test numbers", 0);
    let mut noise = || (0..12).map(|_| rng.random_range(-0.5f32..0.5)).sum::<f32>();
    let mut values = Vec::new();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let class = if column == TELLING && is_positive(row) { 2.5 } else { 0.0 };
            values.push((noise() + class + shift * column as f32) * factor);
        }
    }
    let x = Data::Dense(Arc::new(Dense::new(ROWS, COLUMNS, values).unwrap()));
    PuData::new(x, (0..ROWS).map(|row| row.is_multiple_of(9)).collect()).unwrap()
}

#[test]
fn the_unit_of_the_columns_does_not_change_the_ranking() {
    for method in ["auto", "pseudo-smooth"] {
        let scores = |train: &PuData| {
            let fitted = find(method).unwrap().fit(&Parameters::new(), train, &Run::new(0)).unwrap();
            let pile = train.unlabeled();
            let new = fitted.model.score(&train.x.select(&pile), &Run::new(0)).unwrap();
            let truth: Vec<bool> = pile.iter().map(|&row| is_positive(row)).collect();
            let old: Vec<f64> = pile.iter().map(|&row| fitted.scores[row]).collect();
            [area_under_roc(&old, &truth), area_under_roc(&new, &truth)]
        };
        let plain = scores(&problem(1.0, 0.0));
        for other in [problem(1000.0, 2.0), problem(0.001, 2.0)] {
            for (a, b) in plain.into_iter().zip(scores(&other)) {
                assert!(a > 0.85 && (a - b).abs() < 0.005, "{method}: {a} became {b}");
            }
        }
    }
}

#[test]
fn the_telling_column_is_the_first_reason() {
    let train = problem(1000.0, 2.0);
    let mut positives = (0..ROWS).filter(|&row| is_positive(row));
    let x = train.x.dense().unwrap();
    let row = positives.find(|&row| x.row(row)[TELLING] > 1000.0 * (2.5 + 2.0 * TELLING as f32)).unwrap();
    for method in ["auto", "pseudo", "pseudo-smooth", "logistic-smooth", "rank-mean"] {
        let fitted = find(method).unwrap().fit(&Parameters::new(), &train, &Run::new(0)).unwrap();
        let reasons = fitted.model.explain(&train.x, row, 3).unwrap();
        assert_eq!(reasons.len(), 3, "{method}: {reasons:?}");
        assert_eq!(reasons[0].cause, Cause::Feature(TELLING), "{method}: {reasons:?}");
        assert!(reasons[0].push > 0.0, "{method}: {reasons:?}");
    }
}
