//! The documents of a table: what its text columns hold, one after the other.
//!
//! A title of eight words says as much of a row as its body of two hundred, but read as one text it would be lost in it.
//! So the words of a shorter column count several times: as often as the square root of how many times longer the longest
//! column is, which lies between one voice for each word and one for each column. How long columns are is asked of the
//! examples, which everyone has who has a part of the pile.

use std::borrow::Cow;

use crate::codes;
use crate::data::{Column, Table, Texts};
use crate::error::{Error, Result};
use crate::message::{Message, Setting};

/// Documents of one or several columns.
pub struct Documents<'a> {
    columns: Vec<(Cow<'a, Texts>, u32)>,
}

impl<'a> From<&'a Texts> for Documents<'a> {
    fn from(texts: &'a Texts) -> Self {
        Documents { columns: vec![(Cow::Borrowed(texts), 1)] }
    }
}

impl<'a> Documents<'a> {
    /// One document a row. `times`: how often a word of each column counts; once where it is empty.
    pub fn of(table: &'a Table, columns: &[String], times: &[u32]) -> Result<Self> {
        if columns.is_empty() {
            let message =
                Message::new(&codes::WHAT_TO_LEARN_FROM, "no text column was named; name one with ");
            return Err(Error::data(message.setting(Setting::with("text", "COLUMN"))));
        }
        if times.contains(&0) || (!times.is_empty() && times.len() != columns.len()) {
            let problem = format!(
                "{times:?} does not say how often the words of each of {} columns count",
                columns.len()
            );
            return Err(Error::parameter("times", problem));
        }
        let of = |(at, name): (usize, &String)| {
            let texts = match table.column(name)? {
                Column::Text(texts) => Cow::Borrowed(texts),
                other => Cow::Owned((0..table.rows()).map(|row| other.cell(row)).collect()),
            };
            Ok((texts, times.get(at).copied().unwrap_or(1)))
        };
        Ok(Documents { columns: columns.iter().enumerate().map(of).collect::<Result<_>>()? })
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |(texts, _)| texts.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a document holds, column by column, and how often its words count.
    pub fn parts(&self, row: usize) -> impl Iterator<Item = (&str, u32)> {
        self.columns.iter().map(move |(texts, times)| (texts.get(row), *times))
    }

    /// The columns, each with all rows.
    pub fn columns(&self) -> impl Iterator<Item = &Texts> {
        self.columns.iter().map(|(texts, _)| texts.as_ref())
    }

    /// The given documents, in the given order.
    pub fn select(&self, rows: &[usize]) -> Documents<'static> {
        let of = |(texts, times): &(Cow<'_, Texts>, u32)| (Cow::Owned(texts.select(rows)), *times);
        Documents { columns: self.columns.iter().map(of).collect() }
    }

    /// The length of all documents together.
    pub fn total_bytes(&self) -> usize {
        self.columns().map(Texts::total_bytes).sum()
    }
}

/// How often a word of each column should count, by how long the columns of these rows are.
pub fn times(table: &Table, columns: &[String], rows: impl Iterator<Item = usize>) -> Result<Vec<u32>> {
    if columns.len() < 2 {
        return Ok(Vec::new());
    }
    let documents = Documents::of(table, columns, &[])?;
    let mut bytes = vec![0u64; columns.len()];
    for row in rows {
        bytes.iter_mut().zip(documents.parts(row)).for_each(|(sum, (text, _))| *sum += text.len() as u64);
    }
    let longest = bytes.iter().copied().max().unwrap_or(0) as f64;
    Ok(bytes.iter().map(|&of| (longest / of.max(1) as f64).sqrt().round().clamp(1.0, MOST) as u32).collect())
}

/// Enough for a title beside a book: sublinear weights hardly tell more.
const MOST: f64 = 30.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_column_has_a_louder_voice() {
        let body = "x".repeat(90);
        let table = Table::from_columns(vec![
            ("title".into(), Column::Text(["aaaaaaaaaa", ""].into_iter().collect())),
            ("body".into(), Column::Text([body.as_str(), "yy"].into_iter().collect())),
            ("never".into(), Column::Text(["", ""].into_iter().collect())),
        ])
        .unwrap();
        let columns = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let both = columns(&["title", "body"]);
        assert_eq!(times(&table, &both, 0..1).unwrap(), [3, 1]);
        assert_eq!(times(&table, &both, 1..2).unwrap(), [1, 1]);
        assert_eq!(times(&table, &columns(&["body"]), 0..2).unwrap(), [] as [u32; 0]);
        assert_eq!(times(&table, &columns(&["body", "never"]), 0..1).unwrap(), [1, 9]);
        assert_eq!(times(&table, &both, 0..0).unwrap(), [1, 1]);
        let documents = Documents::of(&table, &both, &[3, 1]).unwrap();
        assert_eq!(documents.parts(1).collect::<Vec<_>>(), [("", 3), ("yy", 1)]);
        assert_eq!(documents.select(&[1]).len(), 1);
        for (columns, times) in [(&both[..0], &[][..]), (&both, &[1]), (&both, &[0, 1])] {
            assert!(Documents::of(&table, columns, times).is_err());
        }
    }
}
