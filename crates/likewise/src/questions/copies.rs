//! Which rows say the same.

use crate::codes;
use crate::data::{Column, Csr, Table};
use crate::error::Result;
use crate::features::Input;
use crate::figures::count;
use crate::message::{Message, Setting};
use crate::note::Note;

pub(super) const KEEP_POSITIVES: Setting = Setting::flag("keep_positives");

/// What was done with rows of the pile that have the content of an example. They are `ordinary` where so many have.
pub(super) fn copies_of_examples(rows: usize, keep: bool, ordinary: bool) -> Note {
    let have = if rows == 1 { "row of the pile has" } else { "rows of the pile have" };
    let text = format!("{} {have} the content of a positive example: ", count(rows));
    let message =
        Message::new(&codes::COPIES_OF_EXAMPLES, text).field("rows", rows).field("ranked", keep || ordinary);
    Note::warn(match keep {
        true => message.text("ranked all the same"),
        false if ordinary => message.text(
            "ranked all the same, since so many rows are alike in these columns that an equal one is not the same one",
        ),
        false => message.text("left out of the ranking (").setting(KEEP_POSITIVES).text(" ranks them)"),
    })
}

/// What rows are compared by.
pub(super) enum Contents<'a> {
    Columns(Vec<&'a Column>),
    Sparse(&'a Csr),
}

impl<'a> Contents<'a> {
    pub fn of(table: &'a Table, input: &Input) -> Result<Self> {
        Ok(match (input, &table.sparse) {
            (Input::Text(_) | Input::Columns(_) | Input::Vectors(_) | Input::Joined(_), _) => {
                let columns = input.names().into_iter().map(|name| table.column(name));
                Contents::Columns(columns.collect::<Result<_>>()?)
            }
            (Input::Sparse, Some(sparse)) => Contents::Sparse(&sparse.x),
            (Input::Sparse, None) => Contents::Columns(Vec::new()),
        })
    }

    /// The content of a row as bytes; false where there is none to compare.
    pub fn write(&self, row: usize, out: &mut Vec<u8>) -> bool {
        out.clear();
        match self {
            Contents::Sparse(x) => {
                for (j, v) in x.row(row).iter() {
                    out.extend_from_slice(&j.to_le_bytes());
                    out.extend_from_slice(&v.to_le_bytes());
                }
                !out.is_empty()
            }
            Contents::Columns(columns) => {
                let mut any = false;
                for column in columns {
                    if let Column::Vectors(x) = column {
                        any |= x.row(row).iter().any(|v| *v != 0.0);
                        out.extend(x.row(row).iter().flat_map(|v| v.to_le_bytes()));
                        continue;
                    }
                    let cell = column.cell(row);
                    any |= !cell.trim().is_empty();
                    out.extend_from_slice(cell.trim().as_bytes());
                    out.push(0);
                }
                any
            }
        }
    }
}
