//! A boundary, whatever it is made of: a weight for each feature, or support vectors under a kernel.

use super::kernel::Kernel;
use super::model::KernelModel;
use super::rows::{KernelRows, Query};
use crate::data::Data;
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::method::{Cause, Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::parts::linear::LinearModel;
use crate::run::Run;

#[derive(Clone, Debug)]
pub enum MarginModel {
    Linear(LinearModel),
    Kernel(KernelModel),
}

impl From<KernelModel> for MarginModel {
    /// Support vectors under the linear kernel add up to one weight vector.
    fn from(model: KernelModel) -> Self {
        match model.linear_weights() {
            Some(weights) => MarginModel::Linear(LinearModel { weights, bias: -model.rho }),
            None => MarginModel::Kernel(model),
        }
    }
}

impl MarginModel {
    /// Training rows numbered as in the data that `rows` were selected from.
    pub fn numbered_by(self, rows: &[usize]) -> Self {
        match self {
            MarginModel::Linear(model) => MarginModel::Linear(model),
            MarginModel::Kernel(model) => MarginModel::Kernel(model.numbered_by(rows)),
        }
    }

    pub fn margins(&self, x: &Data) -> Result<Vec<f64>> {
        match self {
            MarginModel::Linear(model) => model.margins(x),
            MarginModel::Kernel(model) => model.margins(x),
        }
    }
}

impl Model for MarginModel {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        Ok(self.margins(x)?.into_iter().map(squash).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        match self {
            MarginModel::Linear(model) => {
                out.value("boundary", &"linear");
                model.save(out)
            }
            MarginModel::Kernel(model) => {
                out.value("boundary", &"kernel");
                model.save(out);
                Ok(())
            }
        }
    }

    fn load(file: &Reader) -> Result<Self> {
        match file.value::<String>("boundary")?.as_str() {
            "linear" => Ok(MarginModel::Linear(LinearModel::load(file)?)),
            "kernel" => Ok(MarginModel::Kernel(KernelModel::load(file)?)),
            other => Err(Error::model_file(format!("a boundary of unknown kind `{other}`"))),
        }
    }

    /// Features for a linear boundary; training rows that pull to either side for a kernel.
    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        match self {
            MarginModel::Linear(model) => model.explain(x, row, top),
            MarginModel::Kernel(model) => {
                let all: Vec<u32> = (0..model.support.rows() as u32).collect();
                let set = KernelRows::new(model.kernel, &model.support, &all)?;
                let mut values = vec![0.0; all.len()];
                set.evaluate(Query::of(x, row)?, &mut values);
                let pulls = values.iter().zip(&model.coefficients).map(|(k, c)| f64::from(*k) * c);
                let strongest = Reason::strongest(pulls.enumerate(), top);
                Ok(strongest
                    .into_iter()
                    .map(|reason| {
                        let Cause::Feature(k) = reason.cause else { return reason };
                        let side = if model.coefficients[k] > 0.0 { "like" } else { "like the negative" };
                        let text = format!("{side} training row {}", u64::from(model.rows[k]) + 1);
                        Reason { cause: Cause::Statement(text), push: reason.push }
                    })
                    .collect())
            }
        }
    }

    fn portrait(&self, top: usize) -> Vec<Reason> {
        match self {
            MarginModel::Linear(model) => model.portrait(top),
            MarginModel::Kernel(_) => Vec::new(),
        }
    }
}

/// What the user says of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KernelChoice {
    /// Linear for words, radial for numbers
    Auto,
    /// x·y
    Linear,
    /// exp(-gamma |x - y|²)
    Rbf,
    /// (gamma x·y + 1)³
    Polynomial,
}

impl KernelChoice {
    /// The kernel for these rows; without a gamma it is 1 / (columns x variance of all values).
    pub fn kernel(self, gamma: Option<f64>, x: &Data) -> Kernel {
        let gamma = || gamma.unwrap_or_else(|| 1.0 / spread(x));
        match (self, x) {
            (KernelChoice::Linear, _) | (KernelChoice::Auto, Data::Sparse(_)) => Kernel::Linear,
            (KernelChoice::Rbf | KernelChoice::Auto, _) => Kernel::Rbf { gamma: gamma() },
            (KernelChoice::Polynomial, _) => Kernel::Polynomial { gamma: gamma(), constant: 1.0, degree: 3 },
        }
    }
}

/// Columns x variance over all values, zeros of sparse rows included; 1 where nothing varies.
fn spread(x: &Data) -> f64 {
    let (values, cells, cols) = match x {
        Data::Dense(x) => (&x.values, x.values.len(), x.cols),
        Data::Sparse(x) => (&x.values, x.rows() * x.cols, x.cols),
        Data::Relational(_) => return 1.0,
    };
    let sum: f64 = values.iter().map(|v| f64::from(*v)).sum();
    let squares: f64 = values.iter().map(|v| f64::from(*v) * f64::from(*v)).sum();
    let mean = sum / cells.max(1) as f64;
    let spread = cols as f64 * (squares / cells.max(1) as f64 - mean * mean);
    if spread > 1e-12 { spread } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use crate::parts::svm::Svm;
    use std::sync::Arc;

    #[test]
    fn gamma_follows_the_spread_and_auto_the_kind() {
        // Values 0 and 2 in two columns: variance 1, so gamma is 1/2.
        let x = Data::Dense(Arc::new(Dense::new(2, 2, vec![0.0, 2.0, 2.0, 0.0]).unwrap()));
        assert_eq!(KernelChoice::Auto.kernel(None, &x), Kernel::Rbf { gamma: 0.5 });
        assert_eq!(KernelChoice::Rbf.kernel(Some(3.0), &x), Kernel::Rbf { gamma: 3.0 });
        let words = Data::Sparse(Arc::new(crate::data::Csr::empty(4)));
        assert_eq!(KernelChoice::Auto.kernel(None, &words), Kernel::Linear);
        assert_eq!(KernelChoice::Rbf.kernel(None, &words), Kernel::Rbf { gamma: 1.0 });
    }

    #[test]
    fn a_kernel_boundary_names_the_training_rows_that_pull() {
        let x = Data::Dense(Arc::new(Dense::new(3, 1, vec![0.0, 1.0, 5.0]).unwrap()));
        let svm = Svm::new(Kernel::Rbf { gamma: 1.0 });
        let fit = svm.classify(&x, &[true, false, false], &[1.0; 3], None, &Run::new(0)).unwrap();
        let model = MarginModel::from(fit.model);
        let reasons = model.explain(&x, 0, 1).unwrap();
        assert_eq!(reasons[0].cause, Cause::Statement("like training row 1".into()));
        assert!(reasons[0].push > 0.0);
    }
}
