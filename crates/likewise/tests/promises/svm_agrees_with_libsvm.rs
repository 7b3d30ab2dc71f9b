//! Our SVMs and LIBSVM's are the same: known answers, and each reads the other's models.

use std::process::Command;
use std::sync::Arc;

use likewise::Run;
use likewise::data::{Csr, CsrBuilder, Data, Dense};
use likewise::parts::linear::one_class::LinearOneClass;
use likewise::parts::linear::svm::{Hinge, LinearSvm};
use likewise::parts::svm::{Kernel, Svm, SvmKind, read_libsvm, write_libsvm};

use crate::support::data_text;

/// heart_scale: 270 rows of 13 columns, and which are +1.
fn heart_scale() -> Option<(String, Csr, Vec<bool>)> {
    let text = data_text("heart_scale/heart_scale.gz")?;
    let mut rows = CsrBuilder::with_capacity(13, 270, 0);
    let mut positive = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        positive.push(words.next() == Some("+1"));
        rows.push_entries(words.map(|word| {
            let (column, value) = word.split_once(':').expect("column:value");
            (column.parse::<u32>().expect("a column") - 1, value.parse::<f32>().expect("a value"))
        }));
    }
    Some((text, rows.finish(), positive))
}

fn dense(x: &Csr) -> Data {
    let mut values = vec![0.0; x.rows() * x.cols];
    for (i, row) in x.iter_rows().enumerate() {
        row.iter().for_each(|(j, v)| values[i * x.cols + j] = v);
    }
    Data::Dense(Arc::new(Dense::new(x.rows(), x.cols, values).expect("finite")))
}

/// The first n rows of letter, raw, and which letter each is.
fn letter(n: usize) -> Option<(Data, Vec<u8>)> {
    let text = data_text("letter/letter.csv.gz")?;
    let (mut values, mut letters) = (Vec::new(), Vec::new());
    for line in text.lines().skip(1).take(n) {
        let mut cells = line.split(',');
        letters.push(cells.next().expect("a label").as_bytes()[0]);
        values.extend(cells.map(|cell| cell.parse::<f32>().expect("a number")));
    }
    Some((Data::Dense(Arc::new(Dense::new(n, 16, values).expect("finite"))), letters))
}

const RBF: Kernel = Kernel::Rbf { gamma: 1.0 / 13.0 };

#[test]
fn heart_scale_has_the_known_support_vectors_and_offsets() {
    let Some((_, x, positive)) = heart_scale() else { return };
    for x in [Data::Sparse(Arc::new(x.clone())), dense(&x)] {
        let run = Run::new(0);
        let fit = Svm::new(RBF).classify(&x, &positive, &[1.0; 270], None, &run).unwrap();
        assert_eq!(fit.model.coefficients.len(), 132);
        assert!((fit.model.rho - 0.42446205).abs() < 2e-6, "{}", fit.model.rho);
        let right = fit.margins.iter().zip(&positive).filter(|(m, p)| (**m > 0.0) == **p).count();
        assert_eq!(right, 234, "86.6667 % of 270");

        let fit = Svm::new(RBF).one_class(&x, 0.1, None, &run).unwrap();
        assert_eq!(fit.model.coefficients.len(), 37);
        assert!((fit.model.rho - 8.71320972).abs() < 2e-5, "{}", fit.model.rho);
        assert_eq!(fit.margins.iter().filter(|m| **m > 0.0).count(), 243, "90 % of 270");
        let fit = Svm::new(RBF).one_class(&x, 0.5, None, &run).unwrap();
        assert_eq!(fit.model.coefficients.len(), 141);
        assert!((fit.model.rho - 54.42568960).abs() < 1e-4, "{}", fit.model.rho);

        // LIBLINEAR stops at its tolerance with 7.61094136; the exact value, from LIBSVM's linear kernel, is 7.60945889.
        let model = LinearOneClass { nu: 0.1, tolerance: 1e-7 }.fit(&x, &run).unwrap();
        assert!((model.bias + 7.60945889).abs() < 1e-5, "{}", model.bias);
    }
}

/// LIBLINEAR (through scikit-learn's LinearSVC, C = 1, run until it converged): there as here the bias is the weight
/// of a column of ones.
#[test]
fn heart_scale_has_the_minima_of_liblinear() {
    let Some((_, x, positive)) = heart_scale() else { return };
    for x in [Data::Sparse(Arc::new(x.clone())), dense(&x)] {
        for (hinge, wanted) in [(Hinge::Linear, 92.957_716_049), (Hinge::Squared, 115.137_422_756)] {
            let solver = LinearSvm { hinge, tolerance: 1e-4 };
            let found = solver.fit(&x, &positive, &[1.0; 270], None, &Run::new(0)).unwrap();
            let objective = solver.objective(&x, &positive, &[1.0; 270], &found.model).unwrap();
            assert!((objective - wanted).abs() < 1e-4 * wanted, "{hinge:?}: {objective} instead of {wanted}");
            let right = found.model.margins(&x).unwrap();
            let right = right.iter().zip(&positive).filter(|(m, p)| (**m > 0.0) == **p).count();
            assert!(right.abs_diff(229) <= 1, "{hinge:?}: {right} rows are on the right side");
        }
    }
}

#[test]
fn letter_has_the_known_objectives() {
    let Some((x, letters)) = letter(5000) else { return };
    let run = Run::new(0);
    let half: Vec<bool> = letters.iter().map(|l| *l <= b'M').collect();
    let svm = Svm::new(Kernel::Rbf { gamma: 1.0 / 16.0 });
    let near = |found: f64, wanted: f64, support: usize, known: usize| {
        assert!((found - wanted).abs() < 2e-6 * wanted.abs(), "{found} instead of {wanted}");
        assert!(support.abs_diff(known) * 50 <= known, "{support} support vectors instead of {known}");
    };
    let fit = svm.classify(&x, &half, &vec![1.0; 5000], None, &run).unwrap();
    near(fit.objective, -915.6417, fit.model.coefficients.len(), 2700);
    let fit = svm.classify_nu(&x, &half, 0.1, None, &run).unwrap().fit.unwrap();
    near(fit.objective, 52.88627, fit.model.coefficients.len(), 2462);
    let fit = svm.one_class(&x, 0.1, None, &run).unwrap();
    near(fit.objective, 325.42027, fit.model.coefficients.len(), 1552);
}

/// Whether LIBSVM's programs are there; a visible line if not (on Debian: `apt-get install libsvm-tools`).
fn libsvm() -> bool {
    let there = Command::new("svm-predict").output().is_ok();
    if !there {
        likewise_testing::skipped("svm-predict is not installed (package libsvm-tools)");
    }
    there
}

#[test]
fn libsvm_predicts_from_our_models_as_we_do() {
    let Some((text, x, positive)) = heart_scale() else { return };
    if !libsvm() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("rows"), &text).expect("written");
    let x = Data::Sparse(Arc::new(x));
    let run = Run::new(0);
    for kernel in [Kernel::Linear, RBF, Kernel::Polynomial { gamma: 0.1, constant: 0.5, degree: 3 }] {
        let svm = Svm::new(kernel);
        let fits = [
            (SvmKind::Classes, svm.classify(&x, &positive, &[1.0; 270], None, &run).unwrap()),
            (SvmKind::NuClasses, svm.classify_nu(&x, &positive, 0.4, None, &run).unwrap().fit.unwrap()),
            (SvmKind::OneClass, svm.one_class(&x, 0.3, None, &run).unwrap()),
        ];
        for (kind, fit) in fits {
            std::fs::write(at("model"), write_libsvm(&fit.model, kind).unwrap()).expect("written");
            let ran =
                Command::new("svm-predict").args([at("rows"), at("model"), at("out")]).output().unwrap();
            assert!(ran.status.success(), "{kind:?}: {ran:?}");
            let predicted = std::fs::read_to_string(at("out")).expect("predictions");
            for (line, margin) in predicted.lines().zip(&fit.margins) {
                // A margin of 0 to the last digits may fall on either side.
                if margin.abs() > 1e-5 {
                    assert_eq!(line.trim() == "1", *margin > 0.0, "{kind:?} {kernel:?}: {line} for {margin}");
                }
            }
            assert_eq!(predicted.lines().count(), 270);
        }
    }
}

#[test]
fn we_predict_from_libsvm_models_as_it_does() {
    let Some((text, x, _)) = heart_scale() else { return };
    if !libsvm() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("rows"), &text).expect("written");
    for (options, kind) in [
        (["-s", "0", "-t", "2"], SvmKind::Classes),
        (["-s", "0", "-t", "0"], SvmKind::Classes),
        (["-s", "1", "-t", "1"], SvmKind::NuClasses),
        (["-s", "2", "-t", "2"], SvmKind::OneClass),
    ] {
        let trained =
            Command::new("svm-train").args(options).args([at("rows"), at("model")]).output().unwrap();
        assert!(trained.status.success(), "{trained:?}");
        let predicted =
            Command::new("svm-predict").args([at("rows"), at("model"), at("out")]).output().unwrap();
        assert!(predicted.status.success(), "{predicted:?}");
        let (model, found) = read_libsvm(&std::fs::read_to_string(at("model")).unwrap(), 13).unwrap();
        assert_eq!(found, kind);
        let margins = model.margins(&Data::Sparse(Arc::new(x.clone()))).unwrap();
        for (line, margin) in std::fs::read_to_string(at("out")).unwrap().lines().zip(margins) {
            if margin.abs() > 1e-5 {
                assert_eq!(line.trim() == "1", margin > 0.0, "{options:?}: {line} for {margin}");
            }
        }
    }
}
