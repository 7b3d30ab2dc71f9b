//! A kernel boundary explains a row by training rows, under the numbers that they have in the training data.

use std::sync::Arc;

use likewise::Run;
use likewise::data::{Data, Dense, PuData};
use likewise::method::{Cause, Parameters};
use likewise::registry::find;
use serde_json::json;

#[test]
fn a_labelled_row_is_most_like_itself() {
    // Positives around 0 between pile rows around 5, one of each in turn.
    let values = (0..40).map(|i| if i % 2 == 1 { i as f32 / 100.0 } else { 5.0 + i as f32 / 100.0 });
    let x = Data::Dense(Arc::new(Dense::new(40, 1, values.collect()).unwrap()));
    let train = PuData::new(x.clone(), (0..40).map(|i| i % 2 == 1).collect()).unwrap();
    // So narrow a kernel that every row is a support vector, and like none but itself.
    let narrow = [("kernel", json!("rbf")), ("gamma", json!(1e6))];
    let parameters: Parameters = narrow.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    for method in ["svm-nn", "svmc", "smc", "ocsvm", "svdd"] {
        let fitted = find(method).unwrap().fit(&parameters, &train, &Run::new(0)).unwrap();
        for row in [1, 7, 39] {
            let reasons = fitted.model.explain(&x, row, 1).unwrap();
            let own = Cause::Statement(format!("like training row {}", row + 1));
            assert_eq!(reasons[0].cause, own, "{method}");
        }
    }
}
