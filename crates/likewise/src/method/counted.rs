//! Methods to which a pile is nothing but sums over its rows.
//!
//! A sum of whole numbers is the same in any order, so such a method learns the same model, bit for bit, however the pile
//! is cut into parts and wherever these are counted. What follows a gradient adds up fractions, whose sum depends on the
//! order: it is no such method, and gives the same bits only from the same rows in the same order.

use super::{Fitted, Method, Model};
use crate::data::PuData;
use crate::error::{Error, Result};
use crate::run::Run;

/// A method that learns from the marked rows and from what the others add up to. Its `fit` is [`Self::fit_by_counting`],
/// and [`Method::COUNTED`] says that it is one.
pub trait CountMethod: Method {
    /// What it adds up.
    type Counts;

    /// Which parameters must be given, in words; without them it needs the rows themselves.
    const GIVEN: Option<&'static str> = None;

    /// Whether these parameters let it learn from sums.
    fn check_counted(&self) -> Result<()> {
        Ok(())
    }

    /// Adds up the rows of the pile.
    fn count(&self, train: &PuData) -> Result<Self::Counts>;

    /// The same where others have counted.
    fn of_columns(&self, pile: &ColumnCounts) -> Result<Self::Counts>;

    /// Learns. Only the marked ones among these rows are looked at; there may be no others.
    fn finish(&self, marked: &PuData, pile: &Self::Counts, run: &Run) -> Result<Self::Model>;

    /// Counts the pile where it lies, and learns.
    fn fit_by_counting(&self, train: &PuData, run: &Run) -> Result<Fitted<Self::Model>> {
        let pile = self.count(train)?;
        let model = self.finish(train, &pile, run)?;
        let scores = model.score(&train.x, run)?;
        Ok(Fitted::new(model, scores))
    }
}

/// What the rows of a pile add up to, column by column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnCounts {
    /// How many rows there are.
    pub rows: u64,
    /// How many of them hold each column.
    pub holding: Vec<u64>,
    /// What its values add up to.
    pub total: Vec<u64>,
}

/// Up to here `f64` holds every whole number.
const LARGEST_EXACT: u64 = 1 << 53;

/// A count as methods reckon with it; refused where it would be rounded.
pub fn exact(count: u64) -> Result<f64> {
    if count <= LARGEST_EXACT {
        return Ok(count as f64);
    }
    Err(Error::data(format!("a sum of {count} is beyond what is exact (2^53); count a part of the pile")))
}

/// How a method learns from sums, as [`Method::COUNTED`] says it.
pub struct Counted<M: Method> {
    pub(super) given: Option<&'static str>,
    pub(super) check: fn(&M) -> Result<()>,
    pub(super) finish: fn(&M, &PuData, &ColumnCounts, &Run) -> Result<M::Model>,
}

impl<M: CountMethod> Counted<M> {
    /// By its [`CountMethod`].
    pub const NEW: Self = Counted {
        given: M::GIVEN,
        check: M::check_counted,
        finish: |method, marked, pile, run| method.finish(marked, &method.of_columns(pile)?, run),
    };
}
