//! AUC-PR of RelOCC with a fifth of the positives marked: floors that no change may break.

use likewise::Run;
use likewise_papers::data::DataFolder;
use likewise_papers::relocc::sets::Set;
use likewise_papers::relocc::{ACCURACY, AREA, PAPER, column, reproduce_sets, tables};
use likewise_papers::show::show;
use likewise_papers::{Extent, Lab, Numbers};

#[test]
fn few_marked_pairs_lead_to_the_others() {
    let Some(data) = likewise_testing::data_file("") else { return };
    let lab = Lab::new(DataFolder::find(Some(&data)), Extent::Quick, Run::new(0));
    let cells = match reproduce_sets(&lab, &Set::ALL, &[20], 1) {
        Err(error @ likewise_papers::Error::MissingData(_)) => return likewise_testing::missing_data(error),
        cells => cells.unwrap(),
    };
    println!("{}", show(&PAPER, &cells));
    let of = |table: &str, row: &str, metric: &str| {
        let value = Numbers(&cells).ours(table, row, &column(20), metric);
        value.unwrap_or_else(|| panic!("no cell for {row} in table {table}"))
    };
    for (set, row, floor) in [
        (Set::UwCse, "RelOCC", 0.84),
        (Set::Imdb, "RelOCC", 0.96),
        (Set::Imdb, "RPT", 0.9),
        (Set::Heart, "RelOCC", 0.36),
    ] {
        let area = of(tables(set).0, row, AREA);
        assert!(area >= floor, "{row} on {}: {area:.3} is below {floor}", set.name());
    }
    let accuracy = of(tables(Set::Imdb).1, "RelOCC", ACCURACY);
    assert!(accuracy >= 90.0, "IMDB: {accuracy:.1}");
}
