//! Rows in the order of their scores, however many there are: what does not fit into memory is sorted in runs on the
//! disk, which are merged at the end.
//!
//! Best score first; equal scores keep the order of their places. Only the best so many are kept where no more are
//! asked for.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use likewise::data::{Column, Dense, Texts};

use crate::error::{Error, Result};
use crate::write::{CellKind, Cells, Field};

/// Rows to be sorted by score.
pub struct Sorter {
    fields: Vec<Field>,
    /// Keep only so many.
    top: Option<usize>,
    /// Bytes of rows to hold before they go to the disk.
    memory: usize,
    folder: PathBuf,
    bytes: Vec<u8>,
    rows: Vec<Place>,
    runs: Vec<File>,
}

/// A row in memory.
#[derive(Clone, Copy)]
struct Place {
    order: Order,
    start: usize,
    length: usize,
}

/// Best score first, then the place in the input.
#[derive(Clone, Copy, PartialEq)]
struct Order {
    score: f64,
    position: u64,
}

impl Eq for Order {}

impl Ord for Order {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.position.cmp(&other.position))
    }
}

impl PartialOrd for Order {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Enough for some millions of short rows at a time.
pub const SORT_MEMORY: usize = 256 << 20;
/// Rows that are handed out at a time.
const ROWS_AT_ONCE: usize = 1 << 14;

impl Sorter {
    /// For rows of these columns. What does not fit into `memory` bytes lies in `folder` until the end, in files
    /// without a name, which vanish however the process ends.
    pub fn new(fields: Vec<Field>, top: Option<usize>, memory: usize, folder: impl AsRef<Path>) -> Self {
        Sorter {
            fields,
            top,
            memory,
            folder: folder.as_ref().into(),
            bytes: Vec::new(),
            rows: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Adds rows: the score and the place of each, and the columns in the order of the fields.
    pub fn add(&mut self, scores: &[f64], positions: &[usize], columns: &[Cells<'_>]) -> Result<()> {
        assert!(
            self.fields.iter().map(|f| f.kind).eq(columns.iter().map(Cells::kind)),
            "the columns are not those the sorter was made for"
        );
        for (row, (&score, &position)) in scores.iter().zip(positions).enumerate() {
            let start = self.bytes.len();
            columns.iter().for_each(|column| encode(column, row, &mut self.bytes));
            let order = Order { score, position: position as u64 };
            self.rows.push(Place { order, start, length: self.bytes.len() - start });
        }
        if self.top.is_some_and(|top| self.rows.len() >= 2 * top.max(ROWS_AT_ONCE)) {
            self.keep_best();
        }
        if self.in_memory() > self.memory {
            self.keep_best();
            if self.in_memory() > self.memory / 2 {
                self.write_run()?;
            }
        }
        Ok(())
    }

    fn in_memory(&self) -> usize {
        self.bytes.len() + self.rows.len() * size_of::<Place>()
    }

    fn keep_best(&mut self) {
        let Some(top) = self.top.filter(|top| *top < self.rows.len()) else { return };
        self.rows.sort_unstable_by_key(|row| row.order);
        self.rows.truncate(top);
        let mut bytes = Vec::new();
        for row in &mut self.rows {
            let start = bytes.len();
            bytes.extend_from_slice(&self.bytes[row.start..row.start + row.length]);
            row.start = start;
        }
        self.bytes = bytes;
    }

    fn write_run(&mut self) -> Result<()> {
        self.rows.sort_unstable_by_key(|row| row.order);
        let written = || -> io::Result<File> {
            let mut out = BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(&self.folder)?);
            for row in &self.rows {
                out.write_all(&row.order.score.to_le_bytes())?;
                out.write_all(&row.order.position.to_le_bytes())?;
                out.write_all(&(row.length as u64).to_le_bytes())?;
                out.write_all(&self.bytes[row.start..row.start + row.length])?;
            }
            let mut file = out.into_inner().map_err(|e| e.into_error())?;
            file.rewind()?;
            Ok(file)
        };
        self.runs.push(written().map_err(|e| self.failed(e))?);
        self.rows.clear();
        self.bytes.clear();
        Ok(())
    }

    fn failed(&self, error: io::Error) -> Error {
        Error::io(format!("{} (where rows are sorted)", self.folder.display()), error)
    }

    /// Hands out all rows in their order, some at a time: their scores, and the columns in the order of the fields.
    pub fn hand_out<E: From<Error>>(
        mut self,
        mut take: impl FnMut(&[f64], &[Cells<'_>]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let most = self.top.unwrap_or(usize::MAX);
        let mut out = Sorted::new(&self.fields);
        if self.runs.is_empty() {
            self.rows.sort_unstable_by_key(|row| row.order);
            for row in self.rows.iter().take(most) {
                out.push(row.order.score, &self.bytes[row.start..row.start + row.length]);
                out.hand_if_full(&mut take)?;
            }
            return out.hand(&mut take);
        }
        if !self.rows.is_empty() {
            self.write_run()?;
        }
        self.bytes = Vec::new();
        self.rows = Vec::new();
        let folder = self.folder.clone();
        let failed = |e| Error::io(format!("{} (where rows are sorted)", folder.display()), e);
        let mut runs: Vec<Run> = self.runs.drain(..).map(Run::new).collect();
        let mut next = BinaryHeap::new();
        for (at, run) in runs.iter_mut().enumerate() {
            if let Some(order) = run.advance().map_err(failed)? {
                next.push(std::cmp::Reverse((order, at)));
            }
        }
        let mut handed = 0;
        while let Some(std::cmp::Reverse((order, at))) = next.pop() {
            if handed == most {
                break;
            }
            handed += 1;
            out.push(order.score, &runs[at].row);
            out.hand_if_full(&mut take)?;
            if let Some(order) = runs[at].advance().map_err(failed)? {
                next.push(std::cmp::Reverse((order, at)));
            }
        }
        out.hand(&mut take)
    }
}

/// A sorted run on the disk.
struct Run {
    file: BufReader<File>,
    row: Vec<u8>,
}

impl Run {
    fn new(file: File) -> Self {
        Run { file: BufReader::with_capacity(1 << 18, file), row: Vec::new() }
    }

    /// Reads the next row.
    fn advance(&mut self) -> io::Result<Option<Order>> {
        let mut head = [0; 24];
        match self.file.read_exact(&mut head) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(e) => return Err(e),
        }
        let part = |at: usize| <[u8; 8]>::try_from(&head[at..at + 8]).expect("eight bytes");
        self.row.resize(u64::from_le_bytes(part(16)) as usize, 0);
        self.file.read_exact(&mut self.row)?;
        Ok(Some(Order { score: f64::from_le_bytes(part(0)), position: u64::from_le_bytes(part(8)) }))
    }
}

fn encode(column: &Cells<'_>, row: usize, out: &mut Vec<u8>) {
    match column {
        Cells::Text(cells) => {
            let cell = cells.get(row);
            out.extend_from_slice(&(cell.len() as u64).to_le_bytes());
            out.extend_from_slice(cell.as_bytes());
        }
        Cells::Integer(cells) => out.extend_from_slice(&cells[row].to_le_bytes()),
        Cells::Number(cells) => out.extend_from_slice(&cells[row].to_le_bytes()),
        Cells::Boolean(cells) => out.push(cells[row].into()),
        Cells::Vectors(rows) => {
            let vector = rows.row(row);
            out.extend_from_slice(&(vector.len() as u64).to_le_bytes());
            vector.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
        }
    }
}

/// Rows that are put together again as columns.
struct Sorted {
    scores: Vec<f64>,
    columns: Vec<Built>,
}

enum Built {
    Text(Texts),
    Integer(Vec<i64>),
    Number(Vec<f64>),
    Boolean(Vec<bool>),
    Vectors(Vec<Vec<f32>>),
}

impl Sorted {
    fn new(fields: &[Field]) -> Self {
        let empty = |field: &Field| match field.kind {
            CellKind::Text => Built::Text(Texts::new()),
            CellKind::Integer => Built::Integer(Vec::new()),
            CellKind::Number => Built::Number(Vec::new()),
            CellKind::Boolean => Built::Boolean(Vec::new()),
            CellKind::Vectors => Built::Vectors(Vec::new()),
        };
        Sorted { scores: Vec::new(), columns: fields.iter().map(empty).collect() }
    }

    fn push(&mut self, score: f64, mut row: &[u8]) {
        self.scores.push(score);
        for column in &mut self.columns {
            match column {
                Built::Text(cells) => {
                    let length = u64::from_le_bytes(take(&mut row)) as usize;
                    let (cell, rest) = row.split_at(length);
                    // Only what was text a moment ago was written there.
                    cells.push(&String::from_utf8_lossy(cell));
                    row = rest;
                }
                Built::Integer(cells) => cells.push(i64::from_le_bytes(take(&mut row))),
                Built::Number(cells) => cells.push(f64::from_le_bytes(take(&mut row))),
                Built::Boolean(cells) => cells.push(take::<1>(&mut row) == [1]),
                Built::Vectors(rows) => {
                    let length = u64::from_le_bytes(take(&mut row)) as usize;
                    rows.push((0..length).map(|_| f32::from_le_bytes(take(&mut row))).collect());
                }
            }
        }
    }

    fn hand_if_full<E>(
        &mut self,
        take: &mut impl FnMut(&[f64], &[Cells<'_>]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        if self.scores.len() < ROWS_AT_ONCE { Ok(()) } else { self.hand(take) }
    }

    fn hand<E>(
        &mut self,
        take: &mut impl FnMut(&[f64], &[Cells<'_>]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        if self.scores.is_empty() {
            return Ok(());
        }
        let vectors: Vec<Column> = (self.columns.iter())
            .filter_map(|column| match column {
                Built::Vectors(rows) => Some(Column::Vectors(dense(rows))),
                _ => None,
            })
            .collect();
        let mut vectors = vectors.iter();
        let cells: Vec<Cells<'_>> = (self.columns.iter())
            .map(|column| match column {
                Built::Text(cells) => Cells::Text(cells),
                Built::Integer(cells) => Cells::Integer(cells),
                Built::Number(cells) => Cells::Number(cells),
                Built::Boolean(cells) => Cells::Boolean(cells),
                Built::Vectors(_) => Cells::from(vectors.next().expect("one for each")),
            })
            .collect();
        take(&self.scores, &cells)?;
        self.scores.clear();
        for column in &mut self.columns {
            match column {
                Built::Text(cells) => *cells = Texts::new(),
                Built::Integer(cells) => cells.clear(),
                Built::Number(cells) => cells.clear(),
                Built::Boolean(cells) => cells.clear(),
                Built::Vectors(rows) => rows.clear(),
            }
        }
        Ok(())
    }
}

/// Rows of one length; a batch without vectors has some of none.
fn dense(rows: &[Vec<f32>]) -> Dense {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut values = Vec::with_capacity(rows.len() * width);
    for row in rows {
        values.extend_from_slice(row);
        values.resize(values.len() + width - row.len(), 0.0);
    }
    Dense::new(rows.len(), width, values).expect("rows of one length")
}

fn take<const N: usize>(row: &mut &[u8]) -> [u8; N] {
    let (head, rest) = row.split_at(N);
    *row = rest;
    head.try_into().expect("as many bytes as were split off")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The rows that come out: score, id, size.
    fn sorted(scores: &[f64], top: Option<usize>, memory: usize) -> Vec<(f64, String, f64)> {
        let fields = vec![Field::new("id", CellKind::Text), Field::new("size", CellKind::Number)];
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(fields, top, memory, folder.path());
        for (at, part) in scores.chunks(7).enumerate() {
            let positions: Vec<usize> = (0..part.len()).map(|i| at * 7 + i).collect();
            let ids: Texts = positions.iter().map(|p| format!("row {p}")).collect();
            let sizes: Vec<f64> = positions.iter().map(|&p| p as f64 / 2.0).collect();
            sorter.add(part, &positions, &[Cells::Text(&ids), Cells::Number(&sizes)]).unwrap();
        }
        let mut out = Vec::new();
        let taken = sorter.hand_out(|scores, columns| {
            let [Cells::Text(ids), Cells::Number(sizes)] = columns else { panic!("other columns") };
            out.extend((0..scores.len()).map(|i| (scores[i], ids.get(i).to_string(), sizes[i])));
            Ok::<(), Error>(())
        });
        taken.unwrap();
        out
    }

    proptest! {
        #[test]
        fn any_memory_gives_the_order_of_all_rows(
            scores in proptest::collection::vec((0..9u8).prop_map(|s| f64::from(s) / 8.0), 0..200),
            top in proptest::option::of(0..50usize),
            memory in 0..5000usize,
        ) {
            let mut order: Vec<usize> = (0..scores.len()).collect();
            order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
            let expected: Vec<_> = order.into_iter().take(top.unwrap_or(usize::MAX))
                .map(|row| (scores[row], format!("row {row}"), row as f64 / 2.0)).collect();
            prop_assert_eq!(sorted(&scores, top, memory), expected);
        }
    }

    #[test]
    fn vectors_and_truth_values_come_back() {
        let fields = vec![Field::new("v", CellKind::Vectors), Field::new("yes", CellKind::Boolean)];
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(fields, None, 0, folder.path());
        let vectors = Dense::new(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
        sorter
            .add(&[0.1, 0.9], &[0, 1], &[Cells::Vectors(&vectors), Cells::Boolean(&[true, false])])
            .unwrap();
        let taken = sorter.hand_out(|_, columns| {
            let [Cells::Vectors(rows), Cells::Boolean(yes)] = columns else { panic!("other columns") };
            assert_eq!((rows.row(0), rows.row(1)), (&[3.0, 4.0][..], &[1.0, 2.0][..]));
            assert_eq!(*yes, [false, true]);
            Ok::<(), Error>(())
        });
        taken.unwrap();
    }
}
