//! F1 of SMC and SVMC on letters and web pages: at most .02 below an independent run of the same protocol.

use likewise::Run;
use likewise_papers::data::DataFolder;
use likewise_papers::show::show;
use likewise_papers::svmc::{F1, PAPER, table_1_of};
use likewise_papers::{Extent, Lab, Numbers};

#[test]
fn both_forms_stay_at_the_known_f1() {
    let Some(data) = likewise_testing::data_file("") else { return };
    let lab = Lab::new(DataFolder::find(Some(&data)), Extent::Quick, Run::new(0));
    let cells = match table_1_of(&["SMC", "SVMC"], &lab) {
        Err(error @ likewise_papers::Error::MissingData(_)) => return likewise_testing::missing_data(error),
        cells => cells.unwrap(),
    };
    println!("{}", show(&PAPER, &cells));
    let known = [
        ("letter A", 0.9806, 0.9806),
        ("letter B", 0.9237, 0.9243),
        ("letter C", 0.9565, 0.9573),
        ("letter D", 0.9337, 0.9311),
        ("letter E", 0.9354, 0.9366),
        ("course", 0.8237, 0.8254),
        ("faculty", 0.8165, 0.8004),
        ("student", 0.7955, 0.7948),
    ];
    for (class, smc, svmc) in known {
        for (system, known) in [("SMC", smc), ("SVMC", svmc)] {
            let f1 = Numbers(&cells)
                .ours(F1, class, system, "F1")
                .unwrap_or_else(|| panic!("no cell for {class}"));
            assert!(f1 >= known - 0.02, "{system} on {class}: F1 {f1:.4}, known {known}");
        }
    }
    for class in ["letter A", "letter B", "letter C", "letter D", "letter E", "course", "faculty", "student"]
    {
        let of = |system: &str| Numbers(&cells).ours(F1, class, system, "F1").unwrap_or(0.0);
        assert!((of("SMC") - of("SVMC")).abs() <= 0.04, "{class}: {} and {}", of("SMC"), of("SVMC"));
    }
}
