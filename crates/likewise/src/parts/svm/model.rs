//! What an SVM leaves: its support vectors, their weights, and an offset.

use rayon::prelude::*;

use super::kernel::Kernel;
use super::rows::{KernelRows, Query};
use crate::data::Data;
use crate::error::{Error, Result};
use crate::model_file::{Reader, Writer};
use std::sync::Arc;

/// f(x) = Σ_k coefficient_k K(x, support_k) - rho.
#[derive(Clone, Debug)]
pub struct KernelModel {
    pub kernel: Kernel,
    /// The support vectors. For a given kernel it has no meaning; `columns` says which they are.
    pub support: Data,
    /// Row numbers of the support vectors among the training rows.
    pub rows: Vec<u32>,
    pub coefficients: Vec<f64>,
    pub rho: f64,
}

impl KernelModel {
    /// From the weights of all training rows; rows of weight 0 are left out.
    pub fn new(kernel: Kernel, x: &Data, weights: &[f64], rho: f64) -> Self {
        let rows: Vec<u32> = (0..weights.len() as u32).filter(|&i| weights[i as usize] != 0.0).collect();
        let numbers: Vec<usize> = rows.iter().map(|&i| i as usize).collect();
        let coefficients = numbers.iter().map(|&i| weights[i]).collect();
        KernelModel { kernel, support: x.select(&numbers), rows, coefficients, rho }
    }

    /// The support vectors numbered as in the data that `rows` were selected from.
    pub fn numbered_by(mut self, rows: &[usize]) -> Self {
        self.rows.iter_mut().for_each(|number| *number = rows[*number as usize] as u32);
        self
    }

    /// f of every row of `x`.
    pub fn margins(&self, x: &Data) -> Result<Vec<f64>> {
        self.check(x)?;
        if let Some(w) = self.linear_weights() {
            return Ok((0..x.rows())
                .into_par_iter()
                .map(|i| match x {
                    Data::Sparse(x) => x.row(i).dot(&w) - self.rho,
                    Data::Dense(x) => {
                        x.row(i).iter().zip(&w).map(|(v, w)| f64::from(*v) * w).sum::<f64>() - self.rho
                    }
                    _ => unreachable!("checked"),
                })
                .collect());
        }
        let set = match self.kernel {
            Kernel::Given => KernelRows::new(self.kernel, x, &self.rows)?,
            _ => {
                let all: Vec<u32> = (0..self.support.rows() as u32).collect();
                KernelRows::new(self.kernel, &self.support, &all)?
            }
        };
        let queries: Vec<u32> = (0..x.rows() as u32).collect();
        let sums = set.weighted_sums(x, &queries, &self.coefficients)?;
        Ok(sums.into_iter().map(|sum| sum - self.rho).collect())
    }

    /// w = Σ coefficient_k support_k, where the kernel is linear.
    pub fn linear_weights(&self) -> Option<Vec<f64>> {
        if self.kernel != Kernel::Linear {
            return None;
        }
        let mut w = vec![0.0; self.support.cols()?];
        for (k, c) in self.coefficients.iter().enumerate() {
            match Query::of(&self.support, k).ok()? {
                Query::Sparse(row) => row.iter().for_each(|(j, v)| w[j] += c * f64::from(v)),
                Query::Dense(row) => row.iter().zip(&mut w).for_each(|(v, w)| *w += c * f64::from(*v)),
            }
        }
        Some(w)
    }

    fn check(&self, x: &Data) -> Result<()> {
        // A file does not say whether dense rows were embeddings, and the kernel does not ask.
        if matches!(x, Data::Dense(_)) != matches!(self.support, Data::Dense(_)) {
            let kinds = (format!("{:?}", self.support.kind()), format!("{:?}", x.kind()));
            let message = format!("the model was trained on {} rows, these are {}", kinds.0, kinds.1);
            return Err(Error::data(message.to_lowercase()));
        }
        let (known, found) = (self.support.cols(), x.cols());
        if known != found {
            let message = format!(
                "the model knows {} features, the rows have {}",
                known.unwrap_or(0),
                found.unwrap_or(0)
            );
            return Err(Error::data(message));
        }
        Ok(())
    }

    pub fn save(&self, out: &mut Writer) {
        let (name, gamma, constant, degree) = match self.kernel {
            Kernel::Linear => ("linear", 0.0, 0.0, 0),
            Kernel::Rbf { gamma } => ("rbf", gamma, 0.0, 0),
            Kernel::Polynomial { gamma, constant, degree } => ("polynomial", gamma, constant, degree),
            Kernel::Given => ("given", 0.0, 0.0, 0),
        };
        out.value("kernel", &name);
        out.value("degree", &degree);
        out.f64s("kernel.numbers", &[2], &[gamma, constant]);
        out.number("rho", self.rho);
        out.f64s("coefficients", &[self.coefficients.len()], &self.coefficients);
        out.u32s("support.rows", &[self.rows.len()], &self.rows);
        match &self.support {
            Data::Dense(x) => out.dense("support", x),
            Data::Sparse(x) => out.csr("support", x),
            Data::Relational(_) => unreachable!("no SVM learns from these"),
        }
        out.kept_rows(self.support.rows());
        out.value("support.kind", &if matches!(self.support, Data::Dense(_)) { "dense" } else { "sparse" });
    }

    pub fn load(file: &Reader) -> Result<Self> {
        let wrong = |what: &str| Error::model_file(format!("its SVM has {what}"));
        let numbers = file.read_f64s("kernel.numbers")?;
        let [gamma, constant] = numbers[..] else { return Err(wrong("no kernel parameters")) };
        let kernel = match file.value::<String>("kernel")?.as_str() {
            "linear" => Kernel::Linear,
            "rbf" => Kernel::Rbf { gamma },
            "polynomial" => Kernel::Polynomial { gamma, constant, degree: file.value("degree")? },
            "given" => Kernel::Given,
            _ => return Err(wrong("an unknown kernel")),
        };
        let support = match file.value::<String>("support.kind")?.as_str() {
            "dense" => Data::Dense(Arc::new(file.dense("support")?)),
            "sparse" => Data::Sparse(Arc::new(file.csr("support")?)),
            _ => return Err(wrong("support vectors of an unknown kind")),
        };
        let (rows, coefficients) = (file.read_u32s("support.rows")?, file.read_f64s("coefficients")?);
        if rows.len() != coefficients.len() || support.rows() != rows.len() {
            return Err(wrong("unequal numbers of support vectors and weights"));
        }
        let beyond = |row: &u32| *row as usize >= support.cols().unwrap_or(0);
        if kernel == Kernel::Given && rows.iter().any(beyond) {
            return Err(wrong("a support vector that is no column of the given kernel"));
        }
        Ok(KernelModel { kernel, support, rows, coefficients, rho: file.number("rho")? })
    }
}
