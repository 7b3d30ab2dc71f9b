//! The mapping stage of mapping-convergence (Yu 2003): strong negatives, far from every positive.
//!
//! It must not take positives for negatives; that it finds only some of the negatives does no harm, because
//! the convergence stage finds the others from these.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::data::{Data, PuData};
use crate::error::Result;
use crate::note::Note;
use crate::parts::linear::RowView;
use crate::parts::reliable_negatives::one_dnf::one_dnf;
use crate::parts::reliable_negatives::rocchio::{Rocchio, mean_direction, unit};
use crate::parts::svm::{Kernel, Svm};
use crate::run::Run;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mapping {
    /// 1-dnf for words, ocsvm for numbers
    Auto,
    /// Rows without a single word of the positives
    #[serde(rename = "1-dnf")]
    OneDnf,
    /// Rows nearer to the pile's Rocchio prototype
    Rocchio,
    /// Rows further outside a one-class SVM than any positive
    Ocsvm,
    /// The rows least like the positives, by cosine with their mean
    Lowest,
}

/// How strong negatives are looked for.
#[derive(Clone, Debug)]
pub struct MappingStage {
    pub mapping: Mapping,
    /// The kernel of a one-class SVM.
    pub kernel: Kernel,
    /// The share of the pile taken by `Lowest`, also where another mapping finds nothing.
    pub lowest: f64,
}

/// Share of positives that the one-class SVM of the mapping may leave outside.
const MAPPING_NU: f64 = 0.01;

impl MappingStage {
    /// Pile rows, ascending; at least one. A note says where another way had to be taken.
    pub fn strong_negatives(&self, train: &PuData, run: &Run) -> Result<(Vec<usize>, Option<Note>)> {
        let pile = train.unlabeled();
        let found = match (self.mapping, &train.x) {
            (Mapping::OneDnf | Mapping::Auto, Data::Sparse(x)) => one_dnf(x, train),
            (Mapping::Rocchio, _) => {
                let rocchio = Rocchio { alpha: 16.0, beta: 4.0 };
                rocchio.fit(&train.x, &train.positives(), &pile)?.negatives(&train.x, &pile)?
            }
            (Mapping::Ocsvm | Mapping::Auto, _) => self.outside_one_class(train, &pile, run)?,
            (Mapping::OneDnf, _) => Vec::new(),
            (Mapping::Lowest, _) => return Ok((self.least_alike(train, &pile)?, None)),
        };
        if !found.is_empty() {
            return Ok((found, None));
        }
        let lowest = self.least_alike(train, &pile)?;
        let text = format!(
            "the mapping found no strong negative; the {} pile rows least like the positives were taken instead",
            lowest.len()
        );
        Ok((lowest, Some(Note::warning(&codes::POORLY_LEARNED, text))))
    }

    /// The threshold is the lowest score of any positive, so that none of them is cut off.
    fn outside_one_class(&self, train: &PuData, pile: &[usize], run: &Run) -> Result<Vec<usize>> {
        let positives = train.x.select(&train.positives());
        let fit = Svm::new(self.kernel).one_class(&positives, MAPPING_NU, None, run)?;
        let lowest = fit.model.margins(&positives)?.into_iter().fold(f64::INFINITY, f64::min);
        let margins = fit.model.margins(&train.x.select(pile))?;
        Ok(pile.iter().zip(margins).filter(|(_, m)| *m < lowest).map(|(i, _)| *i).collect())
    }

    fn least_alike(&self, train: &PuData, pile: &[usize]) -> Result<Vec<usize>> {
        let x = RowView::of(&train.x)?;
        let centre = unit(mean_direction(x, &train.positives()));
        let cosine = |i: usize| {
            let length = x.squared_norm(i).sqrt();
            if length > 0.0 { x.dot(i, &centre) / length } else { 0.0 }
        };
        let mut ranked: Vec<(f64, usize)> = pile.iter().map(|&i| (cosine(i), i)).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let wanted = ((self.lowest * pile.len() as f64) as usize).clamp(1, pile.len());
        let mut rows: Vec<usize> = ranked[..wanted].iter().map(|(_, i)| *i).collect();
        rows.sort_unstable();
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    fn line() -> PuData {
        // Positives at 1.0, 1.1 … 1.9; pile at 1.05 and 9, -9.
        let values = (0..10).map(|i| 1.0 + i as f32 / 10.0).chain([1.05, 9.0, -9.0]).collect();
        let x = Data::Dense(Arc::new(Dense::new(13, 1, values).unwrap()));
        PuData::new(x, (0..13).map(|i| i < 10).collect()).unwrap()
    }

    #[test]
    fn every_mapping_finds_what_it_says() {
        let stage = |mapping| MappingStage { mapping, kernel: Kernel::Rbf { gamma: 1.0 }, lowest: 0.34 };
        let found = |mapping| stage(mapping).strong_negatives(&line(), &Run::new(0)).unwrap();
        assert_eq!(found(Mapping::Auto).0, [11, 12]);
        assert_eq!(found(Mapping::Ocsvm).0, [11, 12]);
        assert_eq!(found(Mapping::Lowest), (vec![12], None));
        // Numbers hold no words: the mapping falls back and says so.
        let (rows, note) = found(Mapping::OneDnf);
        assert_eq!(rows, [12]);
        assert!(note.as_ref().is_some_and(|n| n.to_string().contains("no strong negative")));
    }
}
