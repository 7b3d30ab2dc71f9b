//! Rows with named columns, as a reader delivers them and the features take them.

mod build;
pub mod list;
mod names;
mod texts;
pub mod value;

pub use texts::Texts;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use crate::codes;
use crate::error::{Error, Result, nearest_name};
use crate::matrix::{Csr, Dense};
use crate::message::Message;
use names::Names;

/// One column. Text files deliver cells as they stand; typed files deliver numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// A missing cell is an empty text.
    Text(Texts),
    /// A missing cell is NaN.
    Number(Vec<f64>),
    /// Embeddings: rows of equally many numbers. A missing one is all zeros.
    Vectors(Dense),
}

/// Features that came as a sparse matrix (svmlight, sparse ARFF). `names` is empty where columns have none.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSparse {
    /// What the columns are called; empty where they have no names.
    pub names: Vec<String>,
    /// The rows.
    pub x: Csr,
}

/// A batch of rows, or all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    names: Names,
    columns: Vec<Column>,
    /// All columns of the source where only some of them were read; otherwise empty. For messages alone.
    pub known: Arc<[String]>,
    /// Features that came as a sparse matrix.
    pub sparse: Option<NamedSparse>,
    /// Columns whose source says that their cells are categories, whatever they look like.
    pub categories: BTreeSet<String>,
    /// Where each row came from: an index into `sources` and a line (or row) number counted from 1.
    pub origins: Vec<(u32, u64)>,
    /// The files (or `standard input`) that rows came from.
    pub sources: Vec<String>,
}

impl Column {
    /// How many cells there are.
    pub fn len(&self) -> usize {
        match self {
            Column::Text(cells) => cells.len(),
            Column::Number(cells) => cells.len(),
            Column::Vectors(rows) => rows.rows(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell as it would be written, a vector as JSON; a missing one is empty.
    pub fn cell(&self, row: usize) -> std::borrow::Cow<'_, str> {
        match self {
            Column::Text(cells) => cells.get(row).into(),
            Column::Number(cells) if cells[row].is_nan() => "".into(),
            Column::Number(cells) => cells[row].to_string().into(),
            Column::Vectors(rows) => vector_cell(rows.row(row)).into(),
        }
    }

    /// The cell as a number; NaN where it is none.
    pub fn number(&self, row: usize) -> f64 {
        match self {
            Column::Text(cells) => cells.get(row).trim().parse().unwrap_or(f64::NAN),
            Column::Number(cells) => cells[row],
            Column::Vectors(_) => f64::NAN,
        }
    }

    /// The given rows, in the given order.
    pub fn select(&self, rows: &[usize]) -> Column {
        match self {
            Column::Text(cells) => Column::Text(cells.select(rows)),
            Column::Number(cells) => Column::Number(rows.iter().map(|&i| cells[i]).collect()),
            Column::Vectors(all) => Column::Vectors(all.select(rows)),
        }
    }

    /// Keeps the given rows, which ascend, in the memory they are in.
    fn keep(&mut self, rows: &[usize]) {
        match self {
            Column::Text(cells) => *cells = cells.select(rows),
            Column::Number(cells) => {
                rows.iter().enumerate().for_each(|(to, &from)| cells[to] = cells[from]);
                cells.truncate(rows.len());
            }
            Column::Vectors(all) => all.keep(rows),
        }
    }

    fn append(&mut self, other: Column) {
        match (self, other) {
            (Column::Text(cells), Column::Text(more)) => cells.append(more),
            (Column::Number(cells), Column::Number(mut more)) if cells.len() < more.len() => {
                more.splice(0..0, cells.drain(..));
                *cells = more;
            }
            (Column::Number(cells), Column::Number(more)) => cells.extend(more),
            (Column::Vectors(rows), Column::Vectors(more)) if rows.cols == more.cols || more.cols == 0 => {
                let more = if more.cols == rows.cols { more } else { Dense::zeros(more.rows(), rows.cols) };
                rows.append(more).expect("they are equally wide");
            }
            (Column::Vectors(rows), Column::Vectors(more)) if rows.cols == 0 => {
                *rows = Dense::zeros(rows.rows(), more.cols);
                rows.append(more).expect("they are equally wide");
            }
            (this, other) => {
                let cells = (0..this.len()).map(|i| this.cell(i).into_owned());
                let more = (0..other.len()).map(|i| other.cell(i).into_owned());
                *this = Column::Text(cells.chain(more).collect());
            }
        }
    }

    /// Missing cells of the same type.
    fn missing(&self, rows: usize) -> Column {
        match self {
            Column::Text(_) => Column::Text((0..rows).map(|_| "").collect()),
            Column::Number(_) => Column::Number(vec![f64::NAN; rows]),
            Column::Vectors(all) => Column::Vectors(Dense::zeros(rows, all.cols)),
        }
    }
}

fn vector_cell(vector: &[f32]) -> String {
    if vector.iter().all(|v| *v == 0.0) {
        return String::new();
    }
    let mut cell = String::from("[");
    for (j, value) in vector.iter().enumerate() {
        let comma = if j == 0 { "" } else { "," };
        write!(cell, "{comma}{value}").expect("a string takes all");
    }
    cell + "]"
}

impl Table {
    /// An empty table that remembers the name of its source for messages.
    pub fn from_source(source: impl Into<String>) -> Self {
        Table { sources: vec![source.into()], ..Table::default() }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.origins.len()
    }

    /// The names of the columns, in their order.
    pub fn column_names(&self) -> &[String] {
        &self.names
    }

    /// The names of all columns of the source, also of those that were not read.
    pub fn known_names(&self) -> &[String] {
        if self.known.is_empty() { &self.names } else { &self.known }
    }

    /// Names and columns, in their order.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (&str, &Column)> {
        self.names.iter().map(String::as_str).zip(&self.columns)
    }

    /// Adds a column; the caller keeps all columns and `origins` equally long.
    pub fn push_column(&mut self, name: impl Into<String>, mut column: Column) {
        if let Column::Text(cells) = &mut column {
            cells.seal();
        }
        self.names.push(name.into());
        self.columns.push(column);
    }

    /// The column of that name.
    pub fn get(&self, name: &str) -> Option<&Column> {
        self.names.find(name).map(|i| &self.columns[i])
    }

    /// The column, or an error that lists the ones that exist.
    pub fn column(&self, name: &str) -> Result<&Column> {
        self.get(name).ok_or_else(|| {
            let nearest = nearest_name(name, self.known_names().iter().map(String::as_str));
            let hint = nearest.as_ref().map_or(String::new(), |n| format!(" (did you mean `{}`?)", shown(n)));
            let source = self.sources.first().map_or("the input", String::as_str);
            let text = format!("{source} has no column `{name}`{hint}; it has {}", self.list_names());
            let message = Message::new(&codes::NO_SUCH_COLUMN, text);
            Error::data(message.field("column", name).field("nearest", nearest).field("source", source))
        })
    }

    /// The columns of the source for a message, as many as anybody reads.
    pub fn list_names(&self) -> String {
        let names = self.known_names();
        if names.is_empty() {
            return "none".into();
        }
        let shown: Vec<_> = names.iter().take(NAMES_SHOWN).map(|n| format!("`{}`", shown(n))).collect();
        match names.len() - shown.len() {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    }

    /// `file:line` of a row, for messages.
    pub fn place(&self, row: usize) -> String {
        let (source, line) = self.origins[row];
        format!("{}:{line}", self.sources[source as usize])
    }

    /// Keeps the given rows, which ascend, without a second copy of the table.
    pub fn keep(&mut self, rows: &[usize]) {
        self.columns.iter_mut().for_each(|column| column.keep(rows));
        if let Some(sparse) = &mut self.sparse {
            sparse.x = sparse.x.select(rows);
        }
        rows.iter().enumerate().for_each(|(to, &from)| self.origins[to] = self.origins[from]);
        self.origins.truncate(rows.len());
    }

    /// The given rows, in the given order.
    pub fn select(&self, rows: &[usize]) -> Table {
        Table {
            names: self.names.clone(),
            known: self.known.clone(),
            columns: self.columns.iter().map(|c| c.select(rows)).collect(),
            sparse: self.sparse.as_ref().map(|s| NamedSparse { names: s.names.clone(), x: s.x.select(rows) }),
            categories: self.categories.clone(),
            origins: rows.iter().map(|&i| self.origins[i]).collect(),
            sources: self.sources.clone(),
        }
    }

    /// The given rows, in the given order, with texts of their own, so that the others can be freed.
    pub fn copied(&self, rows: &[usize]) -> Table {
        let mut table = self.select(rows);
        for column in &mut table.columns {
            if let Column::Text(cells) = column {
                *cells = cells.iter().collect();
                cells.seal();
            }
        }
        table
    }

    /// Adds the rows of another table. Columns are matched by name; one that a side lacks is missing there.
    pub fn append(&mut self, other: Table) -> Result<()> {
        let (before, added) = (self.rows(), other.rows());
        self.sparse = match (self.sparse.take(), other.sparse) {
            (None, None) => None,
            (None, theirs) if before == 0 => theirs,
            (ours, None) if added == 0 => ours,
            (Some(ours), Some(theirs)) => Some(stack(ours, theirs)?),
            _ => {
                return Err(Error::data(
                    "one input has sparse features and another has columns; give inputs of one kind",
                ));
            }
        };
        let source_map: Vec<u32> = (other.sources.iter())
            .map(|source| {
                let known = self.sources.iter().position(|s| s == source);
                known.unwrap_or_else(|| {
                    self.sources.push(source.clone());
                    self.sources.len() - 1
                }) as u32
            })
            .collect();
        self.append_known(&other.known, before);
        self.categories.extend(other.categories);
        if before == 0 && source_map.iter().enumerate().all(|(i, s)| i == *s as usize) {
            self.origins = other.origins;
        } else {
            self.origins.extend(other.origins.iter().map(|(s, line)| (source_map[*s as usize], *line)));
        }
        for (name, column) in other.names.into_list().into_iter().zip(other.columns) {
            match self.names.find(&name) {
                Some(i) => self.columns[i].append(column),
                None if before == 0 => self.push_column(name, column),
                None => {
                    let mut padded = column.missing(before);
                    padded.append(column);
                    self.push_column(name, padded);
                }
            }
        }
        for column in &mut self.columns {
            if column.len() < before + added {
                column.append(column.missing(before + added - column.len()));
            }
        }
        Ok(())
    }

    /// Batches of one source mostly share the list.
    fn append_known(&mut self, more: &Arc<[String]>, before: usize) {
        if before == 0 || self.known.is_empty() {
            self.known = more.clone();
        } else if !Arc::ptr_eq(&self.known, more) && self.known != *more {
            let ours: HashSet<&String> = self.known.iter().collect();
            let new: Vec<&String> = more.iter().filter(|name| !ours.contains(name)).collect();
            self.known = self.known.iter().chain(new).cloned().collect();
        }
    }
}

/// A wide table has more names than anybody reads.
/// So much of a name tells which column it is; a file that was read wrongly may be one name.
const NAME_SHOWN: usize = 60;

fn shown(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_SHOWN) {
        None => name.into(),
        Some((end, _)) => format!("{}…", &name[..end]).into(),
    }
}

const NAMES_SHOWN: usize = 30;

fn stack(mut ours: NamedSparse, theirs: NamedSparse) -> Result<NamedSparse> {
    if ours.names != theirs.names {
        return Err(Error::data(
            "the inputs name their sparse features differently; give files of one data set",
        ));
    }
    let offset = ours.x.nnz();
    ours.x.cols = ours.x.cols.max(theirs.x.cols);
    ours.x.indices.to_mut().extend_from_slice(&theirs.x.indices);
    ours.x.values.to_mut().extend_from_slice(&theirs.x.values);
    ours.x.indptr.extend(theirs.x.indptr[1..].iter().map(|end| end + offset));
    Ok(ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(source: &str, columns: &[(&str, &[&str])]) -> Table {
        let mut table = Table::from_source(source);
        for (name, cells) in columns {
            table.push_column(*name, Column::Text(cells.iter().collect()));
        }
        table.origins = (0..columns[0].1.len()).map(|i| (0, i as u64 + 1)).collect();
        table
    }

    #[test]
    fn appending_matches_columns_by_name() {
        let mut all = table("a", &[("id", &["1"]), ("text", &["x"])]);
        all.append(table("b", &[("text", &["y", "z"]), ("extra", &["e", ""])])).unwrap();
        assert_eq!(all.rows(), 3);
        let cells =
            |name: &str| (0..3).map(|i| all.column(name).unwrap().cell(i).into_owned()).collect::<Vec<_>>();
        assert_eq!(cells("id"), ["1", "", ""]);
        assert_eq!(cells("text"), ["x", "y", "z"]);
        assert_eq!(cells("extra"), ["", "e", ""]);
        assert_eq!(all.place(2), "b:2");
    }

    #[test]
    fn numbers_stay_numbers_beside_rows_that_lack_them() {
        let mut numbers = Table::from_source("n");
        numbers.push_column("size", Column::Number(vec![1.5]));
        numbers.origins = vec![(0, 1)];
        let text = table("t", &[("text", &["x"])]);
        for (mut first, second) in [(numbers.clone(), text.clone()), (text, numbers)] {
            first.append(second).unwrap();
            let Column::Number(cells) = first.column("size").unwrap() else { panic!("text") };
            assert_eq!(cells.iter().filter(|v| v.is_nan()).count(), 1);
        }
    }

    #[test]
    fn sparse_rows_stack_on_the_wider_matrix() {
        let rows = |source: &str, x: Csr| {
            let mut table = Table::from_source(source);
            table.origins = (0..x.rows()).map(|i| (0, i as u64 + 1)).collect();
            table.sparse = Some(NamedSparse { names: Vec::new(), x });
            table
        };
        let mut all = rows("a", Csr::new(2, vec![0, 1, 1], vec![1], vec![1.0]).unwrap());
        all.append(rows("b", Csr::new(4, vec![0, 2], vec![0, 3], vec![2.0, 3.0]).unwrap())).unwrap();
        let expected = Csr::new(4, vec![0, 1, 1, 3], vec![1, 0, 3], vec![1.0, 2.0, 3.0]).unwrap();
        assert_eq!(all.sparse.unwrap().x, expected);
    }

    #[test]
    fn vectors_of_one_length_stay_vectors_and_a_missing_one_is_zero() {
        let vectors = |source: &str, x: Dense| {
            let mut table = Table::from_source(source);
            table.origins = (0..x.rows()).map(|i| (0, i as u64 + 1)).collect();
            table.push_column("v", Column::Vectors(x));
            table
        };
        let pair = || vectors("a", Dense::new(1, 2, vec![1.0, 0.5]).unwrap());
        let mut all = table("t", &[("text", &["x"])]);
        all.append(pair()).unwrap();
        all.append(vectors("b", Dense::zeros(1, 0))).unwrap();
        let cells = |t: &Table| {
            (0..t.rows()).map(|i| t.column("v").unwrap().cell(i).into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(cells(&all), ["", "[1,0.5]", ""]);
        all.keep(&[1, 2]);
        assert_eq!((cells(&all), all.place(1)), (vec!["[1,0.5]".into(), "".into()], "b:1".into()));
        all.append(vectors("c", Dense::new(1, 1, vec![7.0]).unwrap())).unwrap();
        assert!(matches!(all.column("v").unwrap(), Column::Text(_)));
        assert_eq!(cells(&all), ["[1,0.5]", "", "[7]"]);
    }

    #[test]
    fn columns_that_were_not_read_are_named_too() {
        let mut part = table("a.csv", &[("text", &["x"])]);
        part.known = ["id", "text", "size"].map(String::from).into();
        let mut all = part.clone();
        all.append(part).unwrap();
        let message = all.column("sizes").unwrap_err().to_string();
        assert!(message.ends_with("(did you mean `size`?); it has `id`, `text`, `size`"), "{message}");
    }

    #[test]
    fn a_missing_column_is_named_with_those_that_exist() {
        let message = table("a.csv", &[("text", &["x"])]).column("txt").unwrap_err().to_string();
        assert_eq!(message, "a.csv has no column `txt` (did you mean `text`?); it has `text`");
    }
}
