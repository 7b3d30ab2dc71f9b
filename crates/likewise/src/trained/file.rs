//! A trained recipe as bytes, and back.

use super::Trained;
use super::learn::entry_of;
use crate::codes;
use crate::correction::Correction;
use crate::drift::Baseline;
use crate::ends::{Ends, Moved};
use crate::error::{Error, Result};
use crate::features::Features;
use crate::figures::count;
use crate::likeness::Likeness;
use crate::method::{Entry, Method};
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::probability::Probabilities;
use crate::registry::find;

const LIKENESS: &str = "likeness";

impl Trained {
    /// The bytes of a model file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.to_file()?.0)
    }

    /// The bytes of a model file, and what whoever gives it away should know.
    pub fn to_file(&self) -> Result<(Vec<u8>, Vec<Note>)> {
        let mut out = Writer::default();
        out.value("method", &self.method);
        out.value("parameters", &self.parameters);
        out.value("seed", &self.seed);
        if let Some(labels) = &self.labels {
            out.value("labels", labels);
        }
        if self.calibrated {
            out.value("calibrated", &true);
        }
        if let Some(ends) = &self.ends {
            out.value("ends", ends);
        }
        if let Some(cut) = &self.cut {
            out.nested("moved", |out| cut.save(out));
        }
        if let Some(correction) = &self.correction {
            out.nested("correction", |out| correction.save(out));
        }
        if let Some(baseline) = &self.baseline {
            out.nested("baseline", |out| baseline.save(out));
        }
        if let Some(probabilities) = &self.probabilities {
            out.nested("probabilities", |out| probabilities.save(out));
        }
        out.nested("features", |out| self.features.save(out));
        out.nested("model", |out| self.model.save(out))?;
        if let Some(likeness) = &self.likeness {
            out.nested(LIKENESS, |out| likeness.save(out));
        }
        let rows = out.rows_kept();
        let text = format!(
            "the model keeps {} of the rows it learned from; whoever gets it can read their features",
            count(rows)
        );
        let kept = (rows > 0).then(|| Note::info(&codes::ROWS_KEPT, text).field("rows", rows));
        Ok((out.finish()?, kept.into_iter().collect()))
    }

    /// Reads the bytes of a model file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        let file = Reader::new(bytes)?;
        let method: String = file.value("method")?;
        let entry = find(&method).map_err(|_| {
            Error::model_file(format!("it was made by method `{method}`, which this version does not have"))
        })?;
        Self::load(&file, entry)
    }

    /// The same for a method of your own, which the registry does not know.
    pub fn from_bytes_of<M: Method>(bytes: Vec<u8>) -> Result<Self> {
        let file = Reader::new(bytes)?;
        match file.value::<String>("method")? {
            method if method == M::SPEC.name => Self::load(&file, entry_of::<M>()),
            method => Err(Error::model_file(format!("it was made by method `{method}`"))),
        }
    }

    fn load(file: &Reader, entry: &dyn Entry) -> Result<Self> {
        let method = entry.spec().name.to_string();
        let kept = file.nested(LIKENESS);
        let ends = if file.has_value("ends") { Some(file.value("ends")?) } else { None };
        Ok(Trained {
            likeness: if kept.has_value("ids") { Some(Likeness::load(&kept)?) } else { None },
            parameters: file.value("parameters")?,
            seed: file.value("seed")?,
            labels: if file.has_value("labels") { Some(file.value("labels")?) } else { None },
            calibrated: file.has_value("calibrated") && file.value("calibrated")?,
            cut: match ends {
                None | Some(Ends::Natural) => None,
                Some(_) => Some(Moved::load(&file.nested("moved"))?),
            },
            ends,
            correction: Correction::load(&file.nested("correction"))?,
            baseline: Baseline::load(&file.nested("baseline"))?,
            probabilities: Probabilities::load(&file.nested("probabilities"))?,
            features: Features::load(&file.nested("features"))?,
            model: entry.load(&file.nested("model"))?,
            method,
        })
    }
}
