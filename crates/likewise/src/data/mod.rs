//! The rows, and who among them is labelled.
//!
//! `Table` is what a reader delivers; `Data` is what a method learns from; `PuData` adds the labels.

mod form;

pub use crate::matrix::{Buffer, Csr, CsrBuilder, Dense, Field, MISSING, SparseRow};
pub use crate::table::{Column, NamedSparse, Table, Texts, value};

use std::any::Any;
use std::sync::Arc;

use crate::error::{Error, Result};
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
}

impl Data {
    /// Which of the three it is.
    pub fn kind(&self) -> Kind {
        match self {
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

/// Training rows: labelled positive, or unlabeled. True negatives are never seen.
#[derive(Clone, Debug)]
pub struct PuData {
    /// The rows.
    pub x: Data,
    /// Which of them are labelled positive; all others are the pile.
    pub positive: Vec<bool>,
    /// What every row is in truth, where somebody knows: for the ideal that PU methods are compared with.
    pub truth: Option<Vec<bool>>,
}

impl PuData {
    /// Refuses what no method can learn from: no positive, or nothing but positives.
    pub fn new(x: Data, positive: Vec<bool>) -> Result<Self> {
        if x.rows() != positive.len() {
            return Err(Error::data(format!("{} rows but {} labels", x.rows(), positive.len())));
        }
        check_labels(&positive)?;
        Ok(PuData { x, positive, truth: None })
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

    /// The rows of the pile.
    pub fn unlabeled(&self) -> Vec<usize> {
        (0..self.positive.len()).filter(|&i| !self.positive[i]).collect()
    }
}

/// Refuses labels that no method can learn from.
pub fn check_labels(positive: &[bool]) -> Result<()> {
    match positive.iter().filter(|p| **p).count() {
        0 => Err(Error::data("there is no positive example; mark at least one row of what you want")),
        all if all == positive.len() => {
            Err(Error::data("every row is a positive example; add the rows to search (the pile)"))
        }
        _ => Ok(()),
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
