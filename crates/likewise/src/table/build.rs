//! Tables made in memory, without a file behind them.

use super::{Column, NamedSparse, Table, Texts};
use crate::error::Result;
use crate::matrix::{Csr, Dense};

impl Table {
    /// One column of documents.
    ///
    /// ```
    /// let table = likewise::data::Table::from_texts("text", ["I want my money back", "where is my parcel"]);
    /// assert_eq!((table.rows(), table.column("text")?.cell(1)), (2, "where is my parcel".into()));
    /// # Ok::<(), likewise::Error>(())
    /// ```
    pub fn from_texts<S: AsRef<str>>(name: &str, texts: impl IntoIterator<Item = S>) -> Table {
        let mut cells = Texts::new();
        texts.into_iter().for_each(|text| cells.push(text.as_ref()));
        let mut table = Table::in_memory(cells.len());
        table.push_column(name, Column::Text(cells));
        table
    }

    /// Columns by name, all of one length.
    ///
    /// ```
    /// use likewise::data::{Column, Table};
    /// let columns = vec![
    ///     ("amount".to_string(), Column::Number(vec![3.0, f64::NAN])),
    ///     ("country".to_string(), Column::Text(["FR", "DE"].iter().collect())),
    /// ];
    /// assert_eq!(Table::from_columns(columns)?.rows(), 2);
    /// # Ok::<(), likewise::Error>(())
    /// ```
    pub fn from_columns(columns: Vec<(String, Column)>) -> Result<Table> {
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        let mut table = Table::in_memory(rows);
        for (name, column) in columns {
            if column.len() != rows {
                return Err(crate::error::Error::of(
                    &crate::codes::INPUTS_DIFFER,
                    format!("column `{name}` has {} rows, the first column has {rows}", column.len()),
                ));
            }
            table.push_column(name, column);
        }
        Ok(table)
    }

    /// Each column of a matrix as a column of numbers; without `names` they are called by their number from 1.
    ///
    /// ```
    /// use likewise::prelude::*;
    /// let x = Dense::new(2, 2, vec![1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!(Table::from_dense(&x, &[]).column_names(), ["feature 1", "feature 2"]);
    /// # Ok::<(), likewise::Error>(())
    /// ```
    pub fn from_dense(x: &Dense, names: &[String]) -> Table {
        let mut table = Table::in_memory(x.rows());
        for j in 0..x.cols {
            let cells = x.iter_rows().map(|row| f64::from(row[j])).collect();
            let name = names.get(j).cloned().unwrap_or_else(|| format!("feature {}", j + 1));
            table.push_column(name, Column::Number(cells));
        }
        table
    }

    /// A sparse matrix; `names` may be empty.
    pub fn from_sparse(x: Csr, names: Vec<String>) -> Table {
        let mut table = Table::in_memory(x.rows());
        table.sparse = Some(NamedSparse { names, x });
        table
    }

    /// The same without that column.
    pub fn without_column(self, name: &str) -> Table {
        self.only_columns(|other| other != name)
    }

    /// The same with those columns alone whose names are wanted.
    pub fn only_columns(mut self, wanted: impl Fn(&str) -> bool) -> Table {
        let columns = std::mem::take(&mut self.columns);
        for (name, column) in std::mem::take(&mut self.names).into_list().into_iter().zip(columns) {
            if wanted(&name) {
                self.names.push(name);
                self.columns.push(column);
            }
        }
        self
    }

    /// Lets all that read the vectors from now on read the same memory.
    pub fn share_vectors(&mut self) {
        for column in &mut self.columns {
            if let Column::Vectors(x) = column {
                x.values = std::mem::replace(&mut x.values, Vec::new().into()).shared();
            }
        }
    }

    /// What messages call the rows, where they come from no file.
    pub fn called(mut self, source: &str) -> Table {
        self.sources = vec![source.into()];
        self
    }

    fn in_memory(rows: usize) -> Table {
        let mut table = Table::from_source("the rows");
        table.origins = (1..=rows as u64).map(|row| (0, row)).collect();
        table
    }
}
