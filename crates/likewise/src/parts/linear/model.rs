//! A model that is linear in the features: x·w + b, positive above zero.

use rayon::prelude::*;

use crate::data::Data;
use crate::decide::squash;
use crate::error::{Error, Result};
use crate::method::{Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::run::Run;

use super::RowView;
use super::vector::add_scaled;

#[derive(Clone, Debug)]
pub struct LinearModel {
    pub weights: Vec<f64>,
    pub bias: f64,
}

impl LinearModel {
    /// x·w + b of every row: log-odds, or a distance from the boundary in the model's own unit.
    pub fn margins(&self, x: &Data) -> Result<Vec<f64>> {
        let x = self.rows_of(x)?;
        Ok((0..x.len()).into_par_iter().map(|i| x.dot(i, &self.weights) + self.bias).collect())
    }

    /// Adds `factor` x another model of the same features.
    pub fn add_scaled(&mut self, factor: f64, other: &LinearModel) {
        add_scaled(&mut self.weights, factor, &other.weights);
        self.bias += factor * other.bias;
    }

    fn rows_of<'a>(&self, x: &'a Data) -> Result<RowView<'a>> {
        let x = RowView::of(x)?;
        if x.cols() != self.weights.len() {
            let message =
                format!("the model knows {} features, the rows have {}", self.weights.len(), x.cols());
            return Err(Error::data(message));
        }
        Ok(x)
    }
}

impl Model for LinearModel {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        Ok(self.margins(x)?.into_iter().map(squash).collect())
    }

    fn raw(&self, x: &Data, _: &Run) -> Result<Vec<f64>> {
        self.margins(x)
    }

    fn weights(&self) -> Option<&[f64]> {
        Some(&self.weights)
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.f64s("weights", &[self.weights.len()], &self.weights);
        out.f64s("bias", &[1], &[self.bias]);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        Ok(LinearModel { weights: file.read_f64s("weights")?, bias: file.number("bias")? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let mut pushes = Vec::new();
        self.rows_of(x)?.for_each_entry(row, |j, v| pushes.push((j, v * self.weights[j])));
        Ok(Reason::strongest(pushes, top))
    }

    fn portrait(&self, top: usize) -> Vec<Reason> {
        Reason::strongest(self.weights.iter().copied().enumerate(), top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Dense};
    use std::sync::Arc;

    #[test]
    fn sparse_and_dense_rows_have_the_same_margins() {
        let model = LinearModel { weights: vec![2.0, -1.0, 0.5], bias: -0.25 };
        let dense = Dense::new(2, 3, vec![1.0, 0.0, 4.0, 0.0, 3.0, 0.0]).unwrap();
        let sparse = Csr::new(3, vec![0, 2, 3], vec![0, 2, 1], vec![1.0, 4.0, 3.0]).unwrap();
        for x in [Data::Dense(Arc::new(dense)), Data::Sparse(Arc::new(sparse))] {
            assert_eq!(model.margins(&x).unwrap(), [3.75, -3.25]);
            let reasons = model.explain(&x, 0, 1).unwrap();
            assert_eq!(reasons, Reason::strongest([(0, 2.0), (2, 2.0)], 1));
        }
        let narrow = Data::Dense(Arc::new(Dense::new(1, 2, vec![0.0, 0.0]).unwrap()));
        assert!(model.margins(&narrow).is_err());
    }
}
