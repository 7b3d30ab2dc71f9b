//! The naive Bayes family against an independent program, on toy rows and on real tasks.

mod support;

use std::sync::Arc;

use likewise::data::{Csr, CsrBuilder, Data, PuData};
use likewise::methods::{Method, bayes::nb_em::NbEm};
use likewise::run::Run;
use serde_json::Value;
use support::{assert_close, golden, numbers};

fn rows(matrix: &Value) -> Csr {
    let rows: Vec<Vec<f64>> = matrix.as_array().unwrap().iter().map(numbers).collect();
    let mut out = CsrBuilder::with_capacity(rows[0].len(), rows.len(), 0);
    for row in &rows {
        out.push_entries(row.iter().enumerate().map(|(j, v)| (j as u32, *v as f32)));
    }
    out.finish()
}

/// Positives first, then the pile.
fn stacked(positive: &Csr, pile: &Csr) -> PuData {
    let mut out = CsrBuilder::with_capacity(pile.cols, 0, 0);
    positive.iter_rows().chain(pile.iter_rows()).for_each(|row| out.push_row(row));
    let labels = (0..positive.rows() + pile.rows()).map(|i| i < positive.rows()).collect();
    PuData::new(Data::Sparse(Arc::new(out.finish())), labels).unwrap()
}

#[test]
fn i_em_on_the_toy() {
    let Some(known) = golden("lgn-toy.json") else { return };
    let train = stacked(&rows(&known["P"]), &rows(&known["U"]));
    let method = NbEm { tolerance: 1e-14, ..NbEm::default() };
    let model = method.fit(&train, &Run::new(0)).unwrap().model;
    let found = model.margins(train.x.sparse().unwrap(), &train.unlabeled());
    assert_close(&found, &numbers(&known["i_em"]["log_odds_pos"]), 1e-9, "log-odds");
    let prior = known["i_em"]["prior_pos"].as_f64().unwrap();
    assert_close(&[model.bias], &[(prior / (1.0 - prior)).ln()], 1e-9, "prior");
}
