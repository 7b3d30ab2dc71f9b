//! A method of your own: its parameters, `fit`, and a model. Checked, scored, kept and read like those of the registry:
//! `cargo run --example your_own_method`.

use likewise::data::Kind;
use likewise::method::{Scores, Weights};
use likewise::model_file::{Reader, Writer};
use likewise::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Positive is what lies within some deviations of the examples' mean.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct NearTheMean {
    /// How many mean distances away a row may lie
    #[schemars(range(min = 0.1, max = 100.0))]
    reach: f64,
}

impl Default for NearTheMean {
    fn default() -> Self {
        NearTheMean { reach: 2.0 }
    }
}

impl Method for NearTheMean {
    const SPEC: Spec = Spec {
        name: "near-the-mean",
        family: "own",
        title: "distance to the mean of the examples",
        paper: "none",
        assumes: "The class is one cluster around its mean, and the examples are a random draw of it.",
        inputs: &[Kind::Dense],
        weights: Weights::TfIdf,
        keeps: None,
    };
    type Model = Mean;

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<Mean>> {
        let (x, examples) = (train.x.dense()?, train.positives());
        let mut mean = vec![0.0; x.cols];
        for &row in &examples {
            mean.iter_mut().zip(x.row(row)).for_each(|(m, v)| *m += f64::from(*v) / examples.len() as f64);
        }
        let mut model = Mean { mean, radius: 1.0 };
        let typical = examples.iter().map(|&row| model.distance(x.row(row))).sum::<f64>();
        model.radius = (self.reach * typical / examples.len() as f64).max(1e-9);
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores))
    }
}

struct Mean {
    mean: Vec<f64>,
    radius: f64,
}

impl Mean {
    fn distance(&self, row: &[f32]) -> f64 {
        row.iter().zip(&self.mean).map(|(v, m)| (f64::from(*v) - m).powi(2)).sum::<f64>().sqrt()
    }
}

impl Model for Mean {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        let score = |row: &[f32]| 1.0 / (1.0 + self.distance(row) / self.radius);
        Ok(x.dense()?.iter_rows().map(score).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.f64s("mean", &[self.mean.len()], &self.mean);
        out.value("radius", &self.radius);
        Ok(())
    }

    fn load(file: &Reader) -> Result<Self> {
        Ok(Mean { mean: file.read_f64s("mean")?, radius: file.value("radius")? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let row = x.dense()?.row(row);
        let pushes = row.iter().zip(&self.mean).map(|(v, m)| -(f64::from(*v) - m).abs());
        Ok(Reason::strongest(pushes.enumerate(), top))
    }
}

fn main() -> Result<()> {
    let x = Dense::new(6, 2, vec![1.0, 1.0, 1.2, 0.9, 1.1, 1.0, 0.9, 1.1, 5.0, 5.0, -3.0, 4.0])?;
    let marks = vec![true, true, false, false, false, false];
    let outcome = fit(&NearTheMean { reach: 3.0 }, x.into(), marks, &Run::new(0))?;
    println!("training rows: {:.3?}", outcome.scores);
    let kept = Trained::from_bytes_of::<NearTheMean>(outcome.trained.to_bytes()?)?;
    println!("kept under the name `{}`", kept.method);
    let refused =
        fit(&NearTheMean { reach: 0.0 }, Dense::new(1, 1, vec![0.0])?.into(), vec![true], &Run::new(0));
    println!("a reach of 0: {}", refused.err().map_or_else(String::new, |error| error.to_string()));
    Ok(())
}
