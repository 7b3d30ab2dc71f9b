//! A boundary learned from positives alone, with scores that mean something.
//!
//! A one-class margin has no natural unit. Calibrated, a score is what share of held-out positives lies further
//! outside (`calibration::InsideShare`); otherwise the margin is squashed in the boundary's own unit.

use crate::codes;
use crate::data::{Data, PuData};
use crate::decide::squash;
use crate::error::Result;
use crate::method::{Fitted, Model, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::parts::calibration::InsideShare;
use crate::parts::svm::{Kernel, MarginModel, own_products};
use crate::run::Run;

/// What a one-class learner returns.
#[derive(Clone, Debug)]
pub struct Boundary {
    pub model: MarginModel,
    /// Margins are divided by this.
    pub unit: f64,
    /// Whether K(x, x) must be taken from the model's value: a ball measures distances, not products.
    pub subtracts_own: bool,
}

#[derive(Clone, Debug)]
pub struct OneClass {
    boundary: Boundary,
    inside: Option<InsideShare>,
}

/// Fewer positives than this are not enough to hold some out; more would take too long to learn again.
const ENOUGH: std::ops::RangeInclusive<usize> = 10..=20_000;
const FOLDS: usize = 3;

impl OneClass {
    pub fn learn(
        train: &PuData,
        calibrated: bool,
        run: &Run,
        learner: impl Fn(&Data) -> Result<Boundary> + Sync,
    ) -> Result<Fitted<Self>> {
        let positives = train.positives();
        let mut boundary = learner(&train.x.select(&positives))?;
        boundary.model = boundary.model.numbered_by(&positives);
        let mut model = OneClass { boundary, inside: None };
        let mut notes = Vec::new();
        if calibrated && ENOUGH.contains(&positives.len()) {
            let mut held_out = Vec::with_capacity(positives.len());
            for fold in 0..FOLDS {
                let (tested, taught): (Vec<usize>, Vec<usize>) =
                    (0..positives.len()).partition(|k| k % FOLDS == fold);
                let rows = |of: &[usize]| -> Vec<usize> { of.iter().map(|&k| positives[k]).collect() };
                let boundary = learner(&train.x.select(&rows(&taught)))?;
                let part = OneClass { boundary, inside: None };
                held_out.extend(part.margins(&train.x.select(&rows(&tested)))?);
            }
            model.inside = Some(InsideShare::fit(&held_out));
        } else if calibrated {
            let text = format!(
                "scores are bare margins: calibrating them needs {} to {} positives",
                ENOUGH.start(),
                ENOUGH.end()
            );
            notes.push(Note::info(&codes::LEARNED, text));
        }
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores).with_notes(notes))
    }

    /// How far inside each row lies, in the boundary's unit; below 0 is outside.
    pub fn margins(&self, x: &Data) -> Result<Vec<f64>> {
        let mut margins = self.boundary.model.margins(x)?;
        if self.boundary.subtracts_own {
            let kernel = match &self.boundary.model {
                MarginModel::Kernel(model) => model.kernel,
                MarginModel::Linear(_) => Kernel::Linear,
            };
            margins.iter_mut().zip(own_products(kernel, x)?).for_each(|(m, own)| *m -= own);
        }
        let unit = if self.boundary.unit > 1e-12 { self.boundary.unit } else { 1.0 };
        margins.iter_mut().for_each(|m| *m /= unit);
        Ok(margins)
    }
}

impl Model for OneClass {
    fn score(&self, x: &Data, _: &Run) -> Result<Scores> {
        let score = |margin: f64| self.inside.as_ref().map_or(squash(margin), |inside| inside.score(margin));
        Ok(self.margins(x)?.into_iter().map(score).collect())
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.number("unit", self.boundary.unit);
        out.value("subtracts_own", &self.boundary.subtracts_own);
        out.value("calibrated", &self.inside.is_some());
        if let Some(inside) = &self.inside {
            inside.save(out);
        }
        self.boundary.model.save(out)
    }

    fn load(file: &Reader) -> Result<Self> {
        let boundary = Boundary {
            model: MarginModel::load(file)?,
            unit: file.number("unit")?,
            subtracts_own: file.value("subtracts_own")?,
        };
        let inside = if file.value("calibrated")? { Some(InsideShare::load(file)?) } else { None };
        Ok(OneClass { boundary, inside })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        self.boundary.model.explain(x, row, top)
    }
}
