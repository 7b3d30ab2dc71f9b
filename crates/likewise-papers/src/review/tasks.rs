//! What is read: every set's own classes, as large as they are, equal rows once.

use std::sync::Arc;

use likewise::Run;
use likewise::data::{Csr, Table};
use likewise::features::Input;
use likewise::reading::{distinct, of_table, word_options};
use rand::seq::SliceRandom;
use serde::Serialize;

use crate::collection::cells;
use crate::data::DataFolder;
use crate::error::Result;

/// A class of a set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Task {
    pub set: &'static str,
    pub class: &'static str,
}

const fn task(set: &'static str, class: &'static str) -> Task {
    Task { set, class }
}

pub const SMS: &str = "sms";
pub const DISASTER: &str = "disaster";
pub const CRISISLEX: &str = "crisislex";
pub const REUTERS: &str = "reuters";
pub const NEWSGROUPS: &str = "newsgroups";
/// In the order of the tables.
pub const SETS: [&str; 5] = [SMS, DISASTER, CRISISLEX, REUTERS, NEWSGROUPS];

/// The three events of CrisisLex are three tasks; of Reuters the largest topics, of the newsgroups those of the race.
pub const TASKS: [Task; 16] = [
    task(SMS, "spam"),
    task(DISASTER, "relevant"),
    task(CRISISLEX, "2012_Sandy_Hurricane"),
    task(CRISISLEX, "2013_Boston_Bombings"),
    task(CRISISLEX, "2013_Oklahoma_Tornado"),
    task(REUTERS, "earn"),
    task(REUTERS, "acq"),
    task(REUTERS, "money-fx"),
    task(REUTERS, "grain"),
    task(REUTERS, "crude"),
    task(REUTERS, "trade"),
    task(NEWSGROUPS, "sci.space"),
    task(NEWSGROUPS, "rec.autos"),
    task(NEWSGROUPS, "comp.graphics"),
    task(NEWSGROUPS, "talk.politics.guns"),
    task(NEWSGROUPS, "misc.forsale"),
];

/// Rows of a pile, at most: a random part of larger sets.
const PILE: usize = 8000;

/// What one trial reads.
pub struct Pile {
    pub x: Arc<Csr>,
    pub truth: Vec<bool>,
}

/// One set as a file holds it.
pub struct Source {
    set: &'static str,
    table: Table,
    text: Vec<String>,
    /// The labels of each row.
    labels: Vec<Vec<String>>,
}

impl Source {
    pub fn load(set: &'static str, data: &DataFolder) -> Result<Self> {
        let (file, text, label): (&str, &[&str], &str) = match set {
            SMS => ("sms-spam/sms-spam.jsonl.gz", &["text"], "label"),
            DISASTER => ("disaster-dfe/disaster-dfe.jsonl.gz", &["text"], "label"),
            CRISISLEX => ("crisislex-t6/crisislex-t6.jsonl.gz", &["text"], "label"),
            REUTERS => ("reuters21578/reuters21578.jsonl.gz", &["title", "text"], "labels"),
            _ => ("20newsgroups/20news-19997.jsonl.gz", &["subject", "text"], "label"),
        };
        let table = data.table(file)?;
        let labels = cells(&table, label)?;
        let labels: Vec<Vec<String>> = match set {
            REUTERS => labels.iter().map(|list| serde_json::from_str(list).unwrap_or_default()).collect(),
            _ => labels.into_iter().map(|label| vec![label]).collect(),
        };
        Ok(Source { set, table, text: text.iter().map(|name| name.to_string()).collect(), labels })
    }

    /// The rows of a task and which are wanted.
    pub fn pile(&self, task: Task, run: &Run) -> Result<Pile> {
        let events = if self.set == CRISISLEX { Some(cells(&self.table, "event")?) } else { None };
        let belongs = |row: &usize| match self.set {
            DISASTER => self.labels[*row] != ["undecided"],
            REUTERS => !self.labels[*row].is_empty(),
            _ => events.as_ref().is_none_or(|events| events[*row] == task.class),
        };
        let class = if self.set == CRISISLEX { "on-topic" } else { task.class };
        let mut rows: Vec<usize> = (0..self.table.rows()).filter(belongs).collect();
        rows.shuffle(&mut run.rng("pile", 0));
        rows.truncate(PILE);
        let table = self.table.select(&rows);
        let (_, x, _) = of_table(&table, &Input::Text(self.text.clone()), &word_options(), run)?;
        let once = distinct(&x);
        let truth = once.iter().map(|&at| self.labels[rows[at]].iter().any(|label| label == class)).collect();
        Ok(Pile { x: Arc::new(x.select(&once)), truth })
    }
}
