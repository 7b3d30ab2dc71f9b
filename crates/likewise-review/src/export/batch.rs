//! The cells of a column on their way out, as what they were when they came in.

use likewise::data::Texts;
use likewise_io::Cells;

use crate::project::Kind;

pub enum Batch {
    Text(Texts),
    Integer(Vec<i64>),
    Number(Vec<f64>),
}

impl Batch {
    pub fn of(kind: Kind) -> Batch {
        match kind {
            Kind::Text => Batch::Text(Texts::new()),
            Kind::Integer => Batch::Integer(Vec::new()),
            Kind::Number => Batch::Number(Vec::new()),
        }
    }

    /// A column is of a kind only where every cell is, so what is no number was missing.
    pub fn push(&mut self, cell: &str) {
        match self {
            Batch::Text(cells) => cells.push(cell),
            Batch::Integer(cells) => cells.push(cell.parse().unwrap_or_default()),
            Batch::Number(cells) => cells.push(cell.parse().unwrap_or(f64::NAN)),
        }
    }

    pub fn cells(&self) -> Cells<'_> {
        match self {
            Batch::Text(cells) => Cells::Text(cells),
            Batch::Integer(cells) => Cells::Integer(cells),
            Batch::Number(cells) => Cells::Number(cells),
        }
    }

    pub fn clear(&mut self) {
        match self {
            Batch::Text(cells) => cells.truncate(0),
            Batch::Integer(cells) => cells.clear(),
            Batch::Number(cells) => cells.clear(),
        }
    }
}
