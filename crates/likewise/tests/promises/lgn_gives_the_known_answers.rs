//! LGN on a small count matrix, against an independent program, for each reading of entropy and loop.

use std::sync::Arc;

use crate::support::{assert_close, golden, numbers};
use likewise::data::{CsrBuilder, Data, PuData};
use likewise::method::Method;
use likewise::methods::bayes::lgn::Lgn;
use likewise::run::Run;
use serde_json::{Value, json};

fn rows(matrix: &Value) -> Vec<Vec<f64>> {
    matrix.as_array().unwrap().iter().map(numbers).collect()
}

#[test]
fn every_reading() {
    let known = golden("lgn-toy.json");
    let (positive, unlabeled) = (rows(&known["P"]), rows(&known["U"]));
    let words = positive[0].len();
    let mut x = CsrBuilder::with_capacity(words, 0, 0);
    for row in positive.iter().chain(&unlabeled) {
        x.push_entries(row.iter().enumerate().map(|(j, v)| (j as u32, *v as f32)));
    }
    let x = Data::Sparse(Arc::new(x.finish()));
    let labels = (0..positive.len() + unlabeled.len()).map(|i| i < positive.len()).collect();
    let train = PuData::new(x, labels).unwrap();
    let readings = known["readings"].as_array().unwrap();
    assert_eq!(readings.len(), 8);
    for reading in readings {
        let name = format!("{} {}", reading["entropy"], reading["repeat"]);
        let mut parameters = serde_json::to_value(Lgn::default()).unwrap();
        parameters["entropy"] = reading["entropy"].clone();
        parameters["rounding"] = reading["repeat"].clone();
        parameters["document"] = json!("expected");
        parameters["smoothing"] = json!(1.0);
        let lgn: Lgn = serde_json::from_value(parameters).unwrap();
        let fitted = lgn.fit(&train, &Run::new(0)).unwrap();

        let margins = fitted.model.margins(&train.x).unwrap();
        let minus: Vec<f64> = margins[positive.len()..].iter().map(|m| -m).collect();
        assert_close(&minus, &numbers(&reading["score_neg_minus_pos"]), 1e-9, &name);

        // The weights are ln Pr(w|+) - ln Pr(w|-), and Pr(w|-) is Laplace over the artificial document.
        let document = numbers(&reading["an_mean"]);
        let total = document.iter().sum::<f64>() + words as f64;
        let expected: Vec<f64> = (numbers(&reading["p_pos"]).iter().zip(&document))
            .map(|(positive, frequency)| positive.ln() - ((1.0 + frequency) / total).ln())
            .collect();
        assert_close(&fitted.model.weights, &expected, 1e-9, &name);
    }
}
