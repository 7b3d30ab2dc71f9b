//! Simulate: labelled data → a PU problem with its truth: which positives are marked, which rows make the pile.
//!
//! SCAR marks every positive with equal probability. SAR marks one with a probability that depends on the row,
//! as people do who mark what they happen to meet: the nearer to the class centre, or the larger a column, the
//! likelier. Most methods promise something under SCAR only; SAR shows what that promise is worth.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::columns::{ColumnChoice, ids, repeated_ids};
use super::label::marked;
use crate::codes;
use crate::data::{Data, Table, Texts};
use crate::error::{Error, Result};
use crate::features::{Features, words::WordOptions};
use crate::figures::count;
use crate::message::{Message, Setting};
use crate::method::Method;
use crate::methods::margin::logistic::Logistic;
use crate::note::Note;
use crate::run::Run;

const BY: Setting = Setting::with("by", "COLUMN");

/// How strongly a biased draw prefers, unless the user says so.
pub const STRENGTH: f64 = 2.0;

/// What to make of a labelled table.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::simulate::Simulate;
/// let table = Table::from_texts("class", ["spam", "ham", "spam", "spam", "ham"]);
/// let (label, positive) = ("class".to_string(), vec!["spam".to_string()]);
/// let columns = ColumnChoice::default();
/// let question = Simulate { label, positive, labelled: 2, bias: None, alpha: None, columns };
/// let made = question.ask(&table, &Run::new(0))?;
/// assert_eq!((made.like.rows(), made.truth.iter().filter(|p| **p).count()), (2, 1));
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulate {
    /// The column that holds the label.
    pub label: String,
    /// Its values for the class to find.
    pub positive: Vec<String>,
    /// How many positives are marked.
    pub labelled: usize,
    /// How strongly marking prefers some rows; none draws at random (SCAR).
    pub bias: Option<Bias>,
    /// Only so many other rows stay in the pile, as a share of the positives left there.
    pub alpha: Option<f64>,
    /// Which columns a row is near the class by, and what rows are called.
    pub columns: ColumnChoice,
}

/// How a biased draw prefers.
#[derive(Clone, Debug, PartialEq)]
pub struct Bias {
    /// A column of numbers, larger is likelier; none means nearness to the centre of the class.
    pub by: Option<String>,
    /// 0 is a random draw.
    pub strength: f64,
}

/// A problem with a known truth.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The marked positives and all other rows, without the label.
    pub like: Table,
    /// The rows to search.
    pub pile: Table,
    /// Which rows of the labelled table they are.
    pub drawn: Simulated,
    /// What the rows of the labelled table are called, uniquely.
    pub ids: Texts,
    /// Whether each row of the pile is positive in truth.
    pub truth: Vec<bool>,
    /// What the user should know.
    pub notes: Vec<Note>,
}

impl Simulate {
    /// Draws the marked positives and leaves the rest in the pile.
    pub fn ask(&self, table: &Table, run: &Run) -> Result<Simulation> {
        self.check()?;
        let positive = marked(table, &self.label, &self.positive)?;
        let mechanism = self.mechanism(table, &positive, run)?;
        let drawn = draw(&positive, self.labelled, &mechanism, self.alpha, run)?;
        let (ids, notes) = self.ids(table)?;
        let part = |rows: &[usize]| table.select(rows).without_column(&self.label);
        Ok(Simulation {
            like: part(&drawn.like),
            pile: part(&drawn.pile),
            truth: drawn.pile.iter().map(|&row| positive[row]).collect(),
            drawn,
            ids,
            notes,
        })
    }

    fn check(&self) -> Result<()> {
        if self.alpha.is_some_and(|alpha| !(alpha.is_finite() && alpha >= 0.0)) {
            return Err(Error::parameter("alpha", "it must be a plain number from 0"));
        }
        if self.bias.as_ref().is_some_and(|bias| !bias.strength.is_finite()) {
            return Err(Error::parameter("strength", "it must be a plain number"));
        }
        Ok(())
    }

    /// What rows are called; their numbers where names repeat, since the truth is looked up by them.
    fn ids(&self, table: &Table) -> Result<(Texts, Vec<Note>)> {
        let column = self.columns.id.as_deref();
        let ids = ids(table, column, 0)?;
        if repeated_ids(table, &ids, column).is_none() {
            return Ok((ids, Vec::new()));
        }
        let text = "some ids repeat, so rows are called by their number";
        let numbers = (1..=table.rows()).map(|row| row.to_string()).collect();
        Ok((numbers, vec![Note::warning(&codes::REPEATED_IDS, text)]))
    }

    fn mechanism(&self, table: &Table, positive: &[bool], run: &Run) -> Result<Mechanism> {
        let Some(bias) = &self.bias else { return Ok(Mechanism::Scar) };
        let by = match &bias.by {
            Some(name) => {
                let column = table.column(name)?;
                (0..table.rows()).map(|row| column.number(row)).collect()
            }
            None => {
                let input = self.columns.input(table, Some(&self.label))?;
                let (_, x, _) = Features::fit(table, &input, &WordOptions::default(), &Logistic::SPEC, run)?;
                nearness(&x, positive)?
            }
        };
        Ok(Mechanism::Sar { by, strength: bias.strength })
    }
}

impl Simulation {
    /// What was done, in a plain line.
    pub fn line(&self) -> String {
        let hidden = self.truth.iter().filter(|positive| **positive).count();
        format!(
            "Marked {} positives; {} are hidden among the {} rows of the pile.",
            count(self.like.rows()),
            count(hidden),
            count(self.pile.rows())
        )
    }
}

/// How positives come to be marked.
#[derive(Clone, Debug, PartialEq)]
pub enum Mechanism {
    /// Selected completely at random.
    Scar,
    /// Selected by something of the row: one number for each, larger is likelier.
    Sar {
        /// One number for each row.
        by: Vec<f64>,
        /// How strongly they count; 0 is a random draw.
        strength: f64,
    },
}

/// Rows of the table it was drawn from, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// The marked positives.
    pub like: Vec<usize>,
    /// All other rows.
    pub pile: Vec<usize>,
}

/// Marks `labelled` positives; all other rows are the pile. With `alpha`, only so many others stay in it: a
/// share of the positives left there.
pub fn draw(
    positive: &[bool],
    labelled: usize,
    mechanism: &Mechanism,
    alpha: Option<f64>,
    run: &Run,
) -> Result<Simulated> {
    let positives: Vec<usize> = (0..positive.len()).filter(|&row| positive[row]).collect();
    if labelled == 0 || labelled >= positives.len() {
        let problem = format!(
            "{labelled} of {} positives cannot be marked so that some are left to find; give a number from 1 to {}",
            positives.len(),
            positives.len().saturating_sub(1)
        );
        return Err(Error::parameter("labelled", problem));
    }
    let mut like = match mechanism {
        Mechanism::Scar => {
            let mut order = positives.clone();
            order.shuffle(&mut run.rng("simulate, marked", 0));
            order.truncate(labelled);
            order
        }
        Mechanism::Sar { by, strength } => weighted(&positives, by, *strength, labelled, run)?,
    };
    like.sort_unstable();
    let left = positives.len() - labelled;
    let mut others: Vec<usize> = (0..positive.len()).filter(|&row| !positive[row]).collect();
    if let Some(alpha) = alpha {
        let wanted = (alpha * left as f64).round() as usize;
        if wanted > others.len() {
            let problem = format!("{wanted} other rows are asked for, but there are {}", others.len());
            return Err(Error::parameter("alpha", problem));
        }
        others.shuffle(&mut run.rng("simulate, others", 0));
        others.truncate(wanted);
    }
    let mut pile: Vec<usize> =
        positives.into_iter().filter(|row| like.binary_search(row).is_err()).chain(others).collect();
    pile.sort_unstable();
    Ok(Simulated { like, pile })
}

/// Without replacement, with weights exp(strength × standardised value) (Efraimidis & Spirakis 2006).
fn weighted(rows: &[usize], by: &[f64], strength: f64, count: usize, run: &Run) -> Result<Vec<usize>> {
    if let Some(&row) = rows.iter().find(|&&row| !by[row].is_finite()) {
        let text =
            format!("row {} has no number to select by; fill it, or choose another column for ", row + 1);
        return Err(Error::data(Message::new(&codes::NOTHING_TO_SELECT_BY, text).setting(BY)));
    }
    let n = rows.len() as f64;
    let mean = rows.iter().map(|&row| by[row]).sum::<f64>() / n;
    let spread = (rows.iter().map(|&row| (by[row] - mean).powi(2)).sum::<f64>() / n).sqrt();
    if spread == 0.0 {
        let text = "all positives are alike in what they should be selected by; draw them at random, or choose another column for ";
        return Err(Error::data(Message::new(&codes::NOTHING_TO_SELECT_BY, text).setting(BY)));
    }
    let mut rng = run.rng("simulate, marked", 1);
    let mut keys: Vec<(f64, usize)> = (rows.iter())
        .map(|&row| {
            let uniform: f64 = rng.random_range(f64::MIN_POSITIVE..1.0);
            // The logarithm of uniform^(1 / weight).
            (uniform.ln() / (strength * (by[row] - mean) / spread).exp(), row)
        })
        .collect();
    keys.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    Ok(keys.into_iter().take(count).map(|(_, row)| row).collect())
}

/// How near each row is to the centre of the positives: the cosine for sparse rows, minus the distance for dense.
pub fn nearness(x: &Data, positive: &[bool]) -> Result<Vec<f64>> {
    let members = || (0..positive.len()).filter(|&row| positive[row]);
    let n = members().count().max(1) as f64;
    match x {
        Data::Sparse(x) => {
            let centre: Vec<f64> = x.column_sums(members()).into_iter().map(|sum| sum / n).collect();
            let cosine = |row: crate::data::SparseRow<'_>| {
                let length = row.squared_norm().sqrt();
                if length > 0.0 { row.dot(&centre) / length } else { 0.0 }
            };
            Ok(x.iter_rows().map(cosine).collect())
        }
        Data::Dense(x) => {
            let mut centre = vec![0.0; x.cols];
            for row in members() {
                centre.iter_mut().zip(x.row(row)).for_each(|(sum, v)| *sum += f64::from(*v) / n);
            }
            let distance = |row: &[f32]| {
                let squares = row.iter().zip(&centre).map(|(v, c)| (f64::from(*v) - c).powi(2));
                -squares.sum::<f64>().sqrt()
            };
            Ok(x.iter_rows().map(distance).collect())
        }
        Data::Relational(_) => {
            let text = "rows without features have no centre; name a column of numbers with ";
            Err(Error::data(Message::new(&codes::NOTHING_TO_SELECT_BY, text).setting(BY)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;
    use std::sync::Arc;

    fn truth() -> Vec<bool> {
        (0..100).map(|row| row < 40).collect()
    }

    #[test]
    fn nothing_is_lost_and_nothing_stands_twice() {
        let drawn = draw(&truth(), 10, &Mechanism::Scar, None, &Run::new(1)).unwrap();
        let mut all = [drawn.like.clone(), drawn.pile.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert!(drawn.like.len() == 10 && drawn.like.iter().all(|&row| row < 40));
        assert_ne!(drawn, draw(&truth(), 10, &Mechanism::Scar, None, &Run::new(2)).unwrap());
    }

    #[test]
    fn alpha_is_a_share_of_the_positives_left() {
        let drawn = draw(&truth(), 20, &Mechanism::Scar, Some(0.5), &Run::new(1)).unwrap();
        assert_eq!(drawn.pile.iter().filter(|&&row| row >= 40).count(), 10);
        assert!(draw(&truth(), 20, &Mechanism::Scar, Some(4.0), &Run::new(1)).is_err());
        assert!(draw(&truth(), 40, &Mechanism::Scar, None, &Run::new(1)).is_err());
    }

    #[test]
    fn a_biased_draw_prefers_large_values() {
        let by: Vec<f64> = (0..100).map(f64::from).collect();
        let mean = |mechanism: &Mechanism| {
            let drawn = draw(&truth(), 10, mechanism, None, &Run::new(1)).unwrap();
            drawn.like.iter().sum::<usize>() as f64 / 10.0
        };
        let biased = mean(&Mechanism::Sar { by: by.clone(), strength: 4.0 });
        assert!(biased > mean(&Mechanism::Scar) + 5.0 && biased > 30.0, "{biased}");
        let alike = Mechanism::Sar { by: vec![1.0; 100], strength: 1.0 };
        assert!(draw(&truth(), 10, &alike, None, &Run::new(1)).is_err());
    }

    #[test]
    fn the_centre_is_that_of_the_positives() {
        let x = Data::Dense(Arc::new(Dense::new(3, 1, vec![0.0, 2.0, 10.0]).unwrap()));
        assert_eq!(nearness(&x, &[true, true, false]).unwrap(), [-1.0, -1.0, -9.0]);
    }
}
