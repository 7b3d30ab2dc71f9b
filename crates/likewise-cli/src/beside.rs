//! Vectors in a file of their own: the rows of a `.npy` beside the rows of a table.

use std::path::PathBuf;

use likewise::data::{Column, Dense, Table};
use likewise::trained::Trained;
use likewise_io::read_npy;

use crate::arguments::Usage;

/// What the column of such vectors is called.
pub const COLUMN: &str = "vector";

/// The vectors, and how many of them have found their row.
pub struct Beside {
    path: PathBuf,
    vectors: Dense,
    given: usize,
}

impl Beside {
    /// The file, where that is what was named.
    pub fn named(names: Option<&[String]>) -> Option<PathBuf> {
        let [only] = names? else { return None };
        let name = only.to_ascii_lowercase();
        let name = [".gz", ".zst", ".bz2", ".xz"]
            .iter()
            .find_map(|packed| name.strip_suffix(packed))
            .unwrap_or(&name);
        [".npy", ".npz"].iter().any(|array| name.ends_with(array)).then(|| only.into())
    }

    pub fn open(path: PathBuf) -> anyhow::Result<Self> {
        let vectors = read_npy(&path)?;
        Ok(Beside { path, vectors, given: 0 })
    }

    /// Gives the next rows their vectors, in a column of this name.
    pub fn give(&mut self, table: &mut Table, column: &str) -> anyhow::Result<()> {
        if table.get(column).is_some() {
            let path = self.path.display();
            return Err(Usage(format!(
                "the rows have a column `{column}` of their own; rename it, or leave {path} out"
            ))
            .into());
        }
        let rows: Vec<usize> = (self.given..self.given + table.rows()).collect();
        if rows.last().is_some_and(|last| *last >= self.vectors.rows()) {
            return Err(self.other_rows("more"));
        }
        self.given += rows.len();
        table.push_column(column, Column::Vectors(self.vectors.select(&rows)));
        Ok(())
    }

    /// Every vector must have found its row.
    pub fn finish(self) -> anyhow::Result<()> {
        match self.given == self.vectors.rows() {
            true => Ok(()),
            false => Err(self.other_rows(&self.given.to_string())),
        }
    }

    fn other_rows(&self, rows: &str) -> anyhow::Error {
        let (path, vectors) = (self.path.display(), self.vectors.rows());
        Usage(format!(
            "{path} has {vectors} vectors, but there are {rows} rows; it must hold one a row, those of --like first, then those of --unlike, then those of --in"
        ))
        .into()
    }
}

/// What the model calls the vectors that stand beside the rows.
pub fn column_of(trained: &Trained, given: bool) -> Result<String, Usage> {
    match &trained.features.vector_columns()[..] {
        [only] => Ok(only.clone()),
        [] if given => Err(Usage("the model learned from no vectors; leave --vectors out".into())),
        several if given => Err(Usage(format!(
            "the model reads the vectors in {}; give them in these columns of --in",
            several.join(", ")
        ))),
        _ => Ok(COLUMN.into()),
    }
}
