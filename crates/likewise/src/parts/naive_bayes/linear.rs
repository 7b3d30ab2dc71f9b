//! A model that is linear in the word counts: x·w + b, positive above zero.

use rayon::prelude::*;

use crate::data::Data;
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::methods::{Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::run::Run;

#[derive(Clone, Debug)]
pub struct LinearModel {
    pub weights: Vec<f64>,
    pub bias: f64,
}

impl LinearModel {
    /// The log-odds of every row.
    pub fn margins(&self, x: &Data) -> Result<Vec<f64>> {
        let x = x.sparse()?;
        if x.cols != self.weights.len() {
            let message =
                format!("the model knows {} features, the rows have {}", self.weights.len(), x.cols);
            return Err(Error::data(message));
        }
        Ok((0..x.rows()).into_par_iter().map(|i| x.row(i).dot(&self.weights) + self.bias).collect())
    }
}

impl Model for LinearModel {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        Ok(self.margins(x)?.into_iter().map(squash).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.f64s("weights", &[self.weights.len()], &self.weights);
        out.f64s("bias", &[1], &[self.bias]);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        let bias = *file.read_f64s("bias")?.first().ok_or_else(|| Error::model_file("`bias` is empty"))?;
        Ok(LinearModel { weights: file.read_f64s("weights")?, bias })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let pushes = x.sparse()?.row(row).iter().map(|(j, v)| (j, f64::from(v) * self.weights[j]));
        Ok(Reason::strongest(pushes, top))
    }
}
