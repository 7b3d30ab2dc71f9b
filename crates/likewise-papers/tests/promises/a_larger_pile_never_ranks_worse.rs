//! Methods that learn from all of a pile rank it no worse than those that learn from a tenth of it.

use likewise::Run;
use likewise_papers::data::DataFolder;
use likewise_papers::pile_size::gains_on_messages;
use likewise_papers::{Extent, Lab};

/// A whole pile may fall so far behind a tenth of it by chance.
const SLACK: f64 = 0.01;

#[test]
fn on_short_messages() {
    let Some(data) = likewise_testing::data_file("") else { return };
    let lab = Lab::new(DataFolder::find(Some(&data)), Extent::Quick, Run::new(0));
    let quick = ["pseudo", "logistic", "bagging", "nearest-mean", "nb", "pnb", "nnpu"];
    let slow = ["auto", "pseudo-smooth"];
    let methods = likewise_testing::choose(quick.to_vec(), [&quick[..], &slow].concat());
    let gains = match gains_on_messages(&methods, 3, &lab) {
        Err(error @ likewise_papers::Error::MissingData(_)) => return likewise_testing::missing_data(error),
        gains => gains.unwrap(),
    };
    for (method, gain) in methods.iter().zip(gains) {
        assert!(gain >= -SLACK, "{method} falls by {:.3}", -gain);
    }
}
