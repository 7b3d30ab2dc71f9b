//! LIBSVM's model files, read and written, so that `svm-predict` and we can use each other's models.
//!
//! Two-class models have the labels 1 and -1, 1 first; a positive margin means 1. Columns count from 1. A given
//! kernel is left out: its support vectors are row numbers of a file that only the user has.

use std::fmt::Write as _;
use std::sync::Arc;

use super::kernel::Kernel;
use super::model::KernelModel;
use crate::data::{CsrBuilder, Data};
use crate::error::{Error, Result};

/// Which of LIBSVM's problems a model answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SvmKind {
    Classes,
    NuClasses,
    OneClass,
}

const KINDS: [(SvmKind, &str); 3] =
    [(SvmKind::Classes, "c_svc"), (SvmKind::NuClasses, "nu_svc"), (SvmKind::OneClass, "one_class")];

/// The text of a LIBSVM model file.
pub fn write_libsvm(model: &KernelModel, kind: SvmKind) -> Result<String> {
    let mut out = String::new();
    let name = KINDS.iter().find(|(k, _)| *k == kind).map_or("c_svc", |(_, name)| name);
    let kernel = match model.kernel {
        Kernel::Linear => "kernel_type linear\n".to_string(),
        Kernel::Rbf { gamma } => format!("kernel_type rbf\ngamma {gamma}\n"),
        Kernel::Polynomial { gamma, constant, degree } => {
            format!("kernel_type polynomial\ndegree {degree}\ngamma {gamma}\ncoef0 {constant}\n")
        }
        Kernel::Given => return Err(Error::data("a model of a given kernel cannot be written for LIBSVM")),
    };
    let total = model.coefficients.len();
    let (classes, order): (String, Vec<usize>) = if kind == SvmKind::OneClass {
        ("nr_class 2\n".into(), (0..total).collect())
    } else {
        // The support vectors of label 1 come first.
        let (first, second): (Vec<usize>, Vec<usize>) =
            (0..total).partition(|&k| model.coefficients[k] > 0.0);
        let counts = (first.len(), second.len());
        ("nr_class 2\nlabel 1 -1\n".to_string() + &format!("nr_sv {} {}\n", counts.0, counts.1), {
            first.into_iter().chain(second).collect()
        })
    };
    // LIBSVM reads the header in any order but needs `total_sv` before the support vectors.
    let _ = write!(out, "svm_type {name}\n{kernel}{classes}total_sv {total}\nrho {}\nSV\n", model.rho);
    for k in order {
        let _ = write!(out, "{}", model.coefficients[k]);
        let mut entry = |j: usize, v: f32| {
            if v != 0.0 {
                let _ = write!(out, " {}:{}", j + 1, f64::from(v));
            }
        };
        match &model.support {
            Data::Dense(x) => x.row(k).iter().enumerate().for_each(|(j, v)| entry(j, *v)),
            Data::Sparse(x) => x.row(k).iter().for_each(|(j, v)| entry(j, v)),
            Data::Relational(_) => unreachable!("no SVM learns from these"),
        }
        out.push_str(" \n");
    }
    Ok(out)
}

/// The model of a LIBSVM file, over sparse rows of `cols` columns (or as many as its support vectors use).
pub fn read_libsvm(text: &str, cols: usize) -> Result<(KernelModel, SvmKind)> {
    let wrong = |line: usize, what: &str| Error::model_file(format!("line {}: {what}", line + 1));
    let mut kind = None;
    let (mut kernel_name, mut gamma, mut constant, mut degree) = (String::new(), 0.0, 0.0, 3);
    let (mut rho, mut flip) = (None, false);
    let mut lines = text.lines().enumerate();
    for (at, line) in lines.by_ref() {
        let mut words = line.split_whitespace();
        let Some(key) = words.next() else { continue };
        let values: Vec<&str> = words.collect();
        let value = values.first().copied().unwrap_or_default();
        let number = || value.parse::<f64>().map_err(|_| wrong(at, "a number is missing"));
        match key {
            "SV" => break,
            "svm_type" => {
                kind = KINDS.iter().find(|(_, name)| *name == value).map(|(kind, _)| *kind);
                if kind.is_none() {
                    return Err(wrong(at, "only c_svc, nu_svc and one_class models can be read"));
                }
            }
            "kernel_type" => kernel_name = value.to_string(),
            "gamma" => gamma = number()?,
            "coef0" => constant = number()?,
            "degree" => degree = value.parse().map_err(|_| wrong(at, "a degree is missing"))?,
            "rho" if values.len() == 1 => rho = Some(number()?),
            "rho" => return Err(wrong(at, "models of more than two classes cannot be read")),
            "nr_class" if value != "2" => {
                return Err(wrong(at, "models of more than two classes cannot be read"));
            }
            // The first label is the one of positive margins.
            "label" => flip = values.first().and_then(|l| l.parse::<i64>().ok()).is_some_and(|l| l < 0),
            _ => {}
        }
    }
    let kernel = match kernel_name.as_str() {
        "linear" => Kernel::Linear,
        "rbf" => Kernel::Rbf { gamma },
        "polynomial" => Kernel::Polynomial { gamma, constant, degree },
        other => return Err(Error::model_file(format!("the kernel `{other}` is not known"))),
    };
    kernel.check()?;
    let (Some(kind), Some(rho)) = (kind, rho) else {
        return Err(Error::model_file("a LIBSVM model needs `svm_type` and `rho`"));
    };
    let mut coefficients = Vec::new();
    let mut rows: Vec<Vec<(u32, f32)>> = Vec::new();
    for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let coefficient = words.next().and_then(|w| w.parse::<f64>().ok()).filter(|c| c.is_finite());
        coefficients.push(coefficient.ok_or_else(|| wrong(at, "a support vector without a weight"))?);
        let entry = |word: &str| -> Option<(u32, f32)> {
            let (column, value) = word.split_once(':')?;
            let value = value.parse::<f32>().ok().filter(|v| v.is_finite())?;
            Some((column.parse::<u32>().ok()?.checked_sub(1)?, value))
        };
        let row: Option<Vec<_>> = words.map(entry).collect();
        rows.push(row.ok_or_else(|| wrong(at, "an entry that is not `column:value`, columns from 1"))?);
        if rows.last().is_some_and(|r| r.windows(2).any(|w| w[0].0 >= w[1].0)) {
            return Err(wrong(at, "columns that do not ascend"));
        }
    }
    let used = rows.iter().flatten().map(|(j, _)| *j as usize + 1).max().unwrap_or(0);
    let mut support = CsrBuilder::with_capacity(used.max(cols), rows.len(), 0);
    rows.iter().for_each(|row| support.push_entries(row.iter().copied()));
    let sign = if flip && kind != SvmKind::OneClass { -1.0 } else { 1.0 };
    coefficients.iter_mut().for_each(|c| *c *= sign);
    let model = KernelModel {
        kernel,
        support: Data::Sparse(Arc::new(support.finish())),
        rows: (0..coefficients.len() as u32).collect(),
        coefficients,
        rho: sign * rho,
    };
    Ok((model, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    #[test]
    fn what_is_written_is_read() {
        let support = Data::Dense(Arc::new(Dense::new(3, 2, vec![0.5, 0.0, 0.1, -2.0, 0.0, 0.0]).unwrap()));
        let kernel = Kernel::Polynomial { gamma: 0.25, constant: 1.5, degree: 2 };
        let model = KernelModel {
            kernel,
            support,
            rows: vec![0, 1, 2],
            coefficients: vec![-0.3, 1.0, -0.7],
            rho: 0.1,
        };
        let text = write_libsvm(&model, SvmKind::NuClasses).unwrap();
        assert!(text.contains("nr_sv 1 2\n") && text.contains("label 1 -1\n"), "{text}");
        let (read, kind) = read_libsvm(&text, 2).unwrap();
        assert_eq!((read.kernel, kind, read.rho), (kernel, SvmKind::NuClasses, 0.1));
        assert_eq!(read.coefficients, [1.0, -0.3, -0.7]);
        let x = Data::Dense(Arc::new(Dense::new(1, 2, vec![1.0, 3.0]).unwrap()));
        let sparse =
            Data::Sparse(Arc::new(crate::data::Csr::new(2, vec![0, 2], vec![0, 1], vec![1.0, 3.0]).unwrap()));
        let (ours, theirs) = (model.margins(&x).unwrap()[0], read.margins(&sparse).unwrap()[0]);
        assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");
    }

    #[test]
    fn what_is_not_such_a_model_is_refused_with_the_line() {
        let good = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\nlabel -1 1\nrho 0.25\nSV\n1 1:2 \n-1 2:1 \n";
        let (model, _) = read_libsvm(good, 0).unwrap();
        assert_eq!((model.rho, &model.coefficients[..]), (-0.25, &[-1.0, 1.0][..]));
        for (from, to, wanted) in [
            ("c_svc", "epsilon_svr", "line 1"),
            ("rbf", "sigmoid", "sigmoid"),
            ("nr_class 2", "nr_class 3", "line 4"),
            ("1 1:2", "1 0:2", "line 8"),
            ("2:1", "2:x", "line 9"),
            ("rho 0.25\n", "", "rho"),
        ] {
            let message = read_libsvm(&good.replacen(from, to, 1), 0).unwrap_err().to_string();
            assert!(message.contains(wanted), "{message}");
        }
    }
}
