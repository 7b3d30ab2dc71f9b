//! The rows, and who among them is labelled.
//!
//! `Table` is what a reader delivers; `Data` is what a method learns from; `PuData` adds the marks.

mod form;
mod parts;

pub use crate::matrix::{Buffer, Csr, CsrBuilder, Dense, Field, MISSING, SparseRow};
pub use crate::table::{Column, NamedSparse, Table, Texts, list, value};
pub use parts::{Part, PartKind};
pub(crate) use parts::{join, unit_scale};

use std::any::Any;
use std::sync::Arc;

use crate::codes;
use crate::error::{Error, Result};
use crate::message::Message;
use crate::relations::Relational;

/// The three kinds of rows. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Data {
    /// Numbers in every cell.
    Dense(Arc<Dense>),
    /// Words and other features of which most are absent.
    Sparse(Arc<Csr>),
    /// Examples among related tables or facts.
    Relational(Arc<Relational>),
}

/// The kind of a `Data`, as methods declare what they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Numbers in every cell.
    Dense,
    /// Words and other features of which most are absent.
    Sparse,
    /// Examples among related tables or facts.
    Relational,
    /// Embeddings, compared by their cosine. Whoever takes dense rows takes them.
    Vectors,
}

impl Data {
    /// Which kind of rows they are.
    pub fn kind(&self) -> Kind {
        match self {
            Data::Dense(x) if x.are_directions() => Kind::Vectors,
            Data::Dense(_) => Kind::Dense,
            Data::Sparse(_) => Kind::Sparse,
            Data::Relational(_) => Kind::Relational,
        }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        match self {
            Data::Dense(x) => x.rows(),
            Data::Sparse(x) => x.rows(),
            Data::Relational(x) => x.rows(),
        }
    }

    /// These very rows, for [`crate::run::Key`]: clones are the same, equal rows made twice are not.
    pub fn identity(&self) -> Arc<dyn Any + Send + Sync> {
        match self {
            Data::Dense(x) => x.clone(),
            Data::Sparse(x) => x.clone(),
            Data::Relational(x) => x.clone(),
        }
    }

    /// The number of features; relational examples have none of their own.
    pub fn cols(&self) -> Option<usize> {
        match self {
            Data::Dense(x) => Some(x.cols),
            Data::Sparse(x) => Some(x.cols),
            Data::Relational(_) => None,
        }
    }

    /// The given rows, in the given order.
    pub fn select(&self, rows: &[usize]) -> Data {
        match self {
            Data::Dense(x) => Data::Dense(Arc::new(x.select(rows))),
            Data::Sparse(x) => Data::Sparse(Arc::new(x.select(rows))),
            Data::Relational(x) => Data::Relational(Arc::new(x.select(rows))),
        }
    }

    /// The same rows in memory of our own, for what is kept: a lender may change what he lent once the call is over.
    pub fn owned(&self) -> Data {
        match self {
            Data::Dense(x) if x.values.is_lent() => {
                let mut own = Dense::clone(x);
                own.values.to_mut();
                Data::Dense(Arc::new(own))
            }
            Data::Sparse(x) if x.indices.is_lent() || x.values.is_lent() => {
                let mut own = Csr::clone(x);
                own.indices.to_mut();
                own.values.to_mut();
                Data::Sparse(Arc::new(own))
            }
            other => other.clone(),
        }
    }

    /// The rows as a sparse matrix, or an error that says what they are.
    pub fn sparse(&self) -> Result<&Arc<Csr>> {
        match self {
            Data::Sparse(x) => Ok(x),
            other => Err(wrong_kind("word counts or other sparse features", other)),
        }
    }

    /// The rows as a dense matrix, or an error that says what they are.
    pub fn dense(&self) -> Result<&Arc<Dense>> {
        match self {
            Data::Dense(x) => Ok(x),
            other => Err(wrong_kind("numeric columns", other)),
        }
    }

    /// The rows as examples of a target, or an error that says what they are.
    pub fn relational(&self) -> Result<&Arc<Relational>> {
        match self {
            Data::Relational(x) => Ok(x),
            other => Err(wrong_kind("relational examples", other)),
        }
    }
}

fn wrong_kind(wanted: &str, got: &Data) -> Error {
    Error::data(format!("this model takes {wanted}, but the rows are {:?}", got.kind()).to_lowercase())
}

/// What a person said of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// An example of the class.
    Wanted,
    /// Known not to be of the class.
    Unwanted,
    /// Nothing yet: a row of the pile.
    Unread,
}

/// Training rows and what a person said of each: wanted, not wanted, or nothing (the pile).
///
/// ```
/// use likewise::prelude::*;
/// let x = Dense::new(4, 1, vec![0.1, 0.9, 0.8, 0.2])?;
/// let train = PuData::of_marks(x.into(), &[Mark::Unread, Mark::Wanted, Mark::Unread, Mark::Unwanted])?;
/// assert_eq!((train.positives(), train.unlabeled(), train.known_negatives()), (vec![1], vec![0, 2], vec![3]));
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PuData {
    /// The rows.
    pub x: Data,
    /// Which of them are labelled positive; all others are the pile, or unwanted.
    pub positive: Vec<bool>,
    /// Which of them are known not to be wanted: no part of the pile, and mostly there are none.
    pub unwanted: Vec<bool>,
    /// What every row is in truth, where somebody knows: for the ideal that PU methods are compared with.
    pub truth: Option<Vec<bool>>,
    /// Which columns are of which block, where rows are made of several.
    pub parts: Vec<Part>,
}

impl PuData {
    /// Refuses what no method can learn from: no positive, or nothing but positives.
    pub fn new(x: Data, positive: Vec<bool>) -> Result<Self> {
        if x.rows() != positive.len() {
            return Err(Error::data(format!("{} rows but {} labels", x.rows(), positive.len())));
        }
        check_labels(&positive)?;
        let unwanted = vec![false; positive.len()];
        Ok(PuData { x, positive, unwanted, truth: None, parts: Vec::new() })
    }

    /// The same from a mark for each row.
    pub fn of_marks(x: Data, marks: &[Mark]) -> Result<Self> {
        let are = |mark: Mark| marks.iter().map(|m| *m == mark).collect();
        PuData::new(x, are(Mark::Wanted))?.with_unwanted(are(Mark::Unwanted))
    }

    /// The same rows of which some are known not to be wanted. Refuses rows that are both, and a pile of none.
    pub fn with_unwanted(mut self, unwanted: Vec<bool>) -> Result<Self> {
        if unwanted.len() != self.positive.len() {
            let message = format!("{} rows but {} marks", self.positive.len(), unwanted.len());
            return Err(Error::data(message));
        }
        check_unwanted(&self.positive, &unwanted)?;
        self.unwanted = unwanted;
        Ok(self)
    }

    /// The same rows with their true labels, only for comparisons.
    pub fn with_truth(mut self, truth: Vec<bool>) -> Result<Self> {
        if truth.len() != self.positive.len() {
            let message = format!("{} rows but {} true labels", self.positive.len(), truth.len());
            return Err(Error::data(message));
        }
        self.truth = Some(truth);
        Ok(self)
    }

    /// The labelled rows.
    pub fn positives(&self) -> Vec<usize> {
        (0..self.positive.len()).filter(|&i| self.positive[i]).collect()
    }

    /// The rows of the pile: those of which nothing was said.
    pub fn unlabeled(&self) -> Vec<usize> {
        (0..self.positive.len()).filter(|&i| !self.positive[i] && !self.unwanted[i]).collect()
    }

    /// The rows known not to be wanted.
    pub fn known_negatives(&self) -> Vec<usize> {
        (0..self.unwanted.len()).filter(|&i| self.unwanted[i]).collect()
    }

    /// The pile and, after it, the rows known not to be wanted: all that a method may take for negative.
    pub fn pile_and_negatives(&self) -> Vec<usize> {
        let mut rows = self.unlabeled();
        rows.extend(self.known_negatives());
        rows
    }

    /// These rows with their marks, in the given order.
    pub fn select(&self, rows: &[usize]) -> PuData {
        let of = |marks: &[bool]| rows.iter().map(|&i| marks[i]).collect::<Vec<bool>>();
        PuData {
            x: self.x.select(rows),
            positive: of(&self.positive),
            unwanted: of(&self.unwanted),
            truth: self.truth.as_deref().map(of),
            parts: self.parts.clone(),
        }
    }
}

/// Refuses labels that no method can learn from.
pub fn check_labels(positive: &[bool]) -> Result<()> {
    match positive.iter().filter(|p| **p).count() {
        0 => Err(Error::of(
            &codes::NO_POSITIVE,
            "there is no positive example; mark at least one row of what you want",
        )),
        all if all == positive.len() => {
            let text = "every row is a positive example; add the rows to search (the pile)";
            Err(Error::data(Message::new(&codes::NO_PILE, text).field("positives", all)))
        }
        _ => Ok(()),
    }
}

/// Refuses marks that contradict each other or leave nothing to search.
pub fn check_unwanted(positive: &[bool], unwanted: &[bool]) -> Result<()> {
    if let Some(row) = (0..positive.len()).find(|&i| positive[i] && unwanted[i]) {
        let text = format!("row {} is marked as wanted and as not wanted; keep one", row + 1);
        return Err(Error::data(Message::new(&codes::MARKED_BOTH_WAYS, text).field("row", row + 1)));
    }
    match positive.iter().zip(unwanted).any(|(p, n)| !p && !n) {
        true => Ok(()),
        false => {
            let text = "every row is marked; add the rows to search (the pile)";
            let positives = positive.iter().filter(|wanted| **wanted).count();
            Err(Error::data(Message::new(&codes::NO_PILE, text).field("positives", positives)))
        }
    }
}

impl From<Dense> for Data {
    fn from(x: Dense) -> Self {
        Data::Dense(Arc::new(x))
    }
}

impl From<Csr> for Data {
    fn from(x: Csr) -> Self {
        Data::Sparse(Arc::new(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(n: usize) -> Data {
        Dense::new(n, 1, (0..n).map(|i| i as f32).collect()).unwrap().into()
    }

    #[test]
    fn what_is_known_not_to_be_wanted_is_no_part_of_the_pile() {
        use Mark::{Unread, Unwanted, Wanted};
        let train = PuData::of_marks(rows(5), &[Unwanted, Wanted, Unread, Unwanted, Unread]).unwrap();
        assert_eq!((train.positives(), train.unlabeled()), (vec![1], vec![2, 4]));
        assert_eq!((train.known_negatives(), train.pile_and_negatives()), (vec![0, 3], vec![2, 4, 0, 3]));
        let some = train.select(&[3, 1, 2]);
        assert_eq!((some.positives(), some.unlabeled(), some.known_negatives()), (vec![1], vec![2], vec![0]));
        assert!(PuData::new(rows(2), vec![true, false]).unwrap().known_negatives().is_empty());
    }

    #[test]
    fn marks_that_contradict_each_other_are_refused() {
        let refused = |unwanted: &[bool]| {
            let train = PuData::new(rows(3), vec![true, false, false]).unwrap();
            train.with_unwanted(unwanted.to_vec()).unwrap_err().to_string()
        };
        assert!(refused(&[true, false, false]).contains("row 1 is marked as wanted and as not wanted"));
        assert!(refused(&[false, true, true]).contains("every row is marked"));
        assert!(refused(&[false, true]).contains("3 rows but 2 marks"));
    }

    #[test]
    fn what_is_missing_has_its_code() {
        let refused = |positive: &[bool], unwanted: &[bool]| {
            let train = PuData::new(rows(2), positive.to_vec());
            train.and_then(|train| train.with_unwanted(unwanted.to_vec())).unwrap_err().code().name
        };
        assert_eq!(refused(&[false, false], &[]), "no-positive");
        assert_eq!(refused(&[true, true], &[]), "no-pile");
        assert_eq!(refused(&[true, false], &[false, true]), "no-pile");
        assert_eq!(refused(&[true, false], &[true, false]), "marked-both-ways");
        let infinite = Dense::new(1, 2, vec![1.0, f32::INFINITY]).unwrap_err();
        assert_eq!((infinite.code().name, &infinite.fields()["column"]), ("not-a-number", &2.into()));
        let infinite = Csr::new(1, vec![0, 1], vec![0], vec![f32::INFINITY]).unwrap_err();
        assert_eq!(infinite.code().name, "not-a-number");
        let missing = Table::from_texts("text", ["a"]).column("txt").unwrap_err();
        assert_eq!((missing.code().name, &missing.fields()["nearest"]), ("no-such-column", &"text".into()));
    }
}
