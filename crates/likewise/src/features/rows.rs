//! Rows that are numbers already: a matrix, taken as it is. Only its form may change (see `Data::suited`).
//!
//! Methods that count cannot take negative numbers. Where there are any, all columns are cut into bins for them,
//! like the columns of a table.

use std::sync::Arc;

use super::cells;
use super::columns::{Columns, Style};
use super::numerals::Decimals;
use crate::codes;
use crate::data::{Column, Data, Dense, Kind, Table};
use crate::error::{Error, Result};
use crate::method::Spec;
use crate::model_file::{Reader, Writer};

/// A matrix as the training rows were.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixFeatures {
    /// Empty where columns have no names.
    pub names: Vec<String>,
    /// How many columns it has.
    pub cols: usize,
    /// Dense or sparse, as the training rows were.
    kind: Kind,
    /// For methods that count, where there were negative numbers.
    bins: Option<Columns>,
}

impl MatrixFeatures {
    /// The rows as the method gets them.
    pub fn fit(x: Data, names: Vec<String>, spec: &Spec) -> Result<(MatrixFeatures, Data)> {
        let cols = x.cols().ok_or_else(|| Error::data("these rows are not numbers"))?;
        if !names.is_empty() && names.len() != cols {
            return Err(Error::data(format!("{} names for {cols} columns", names.len())));
        }
        let negative = match &x {
            Data::Dense(x) => x.values.iter().any(|v| *v < 0.0),
            Data::Sparse(x) => x.values.iter().any(|v| *v < 0.0),
            Data::Relational(_) => false,
        };
        if negative && spec.non_negative() {
            let mut rows = MatrixFeatures { names, cols, kind: Kind::Dense, bins: None };
            let table = rows.to_table(x)?;
            let (bins, x, _) = Columns::fit(&table, table.column_names(), Style::Binned)?;
            rows.bins = Some(bins);
            return Ok((rows, x));
        }
        let x = x.suited(spec.inputs)?;
        Ok((MatrixFeatures { names, cols, kind: x.kind(), bins: None }, x))
    }

    /// The matrix as a table of numbers. Names that stand for two columns are of no use there.
    fn to_table(&self, x: Data) -> Result<Table> {
        let mut sorted: Vec<&String> = self.names.iter().collect();
        sorted.sort();
        let unique = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        let x = x.into_kind(Kind::Dense)?;
        let x = x.dense()?;
        let mut table = Table::from_source("the rows");
        table.origins = (1..=x.rows() as u64).map(|row| (0, row)).collect();
        for j in 0..self.cols {
            let cells = x.iter_rows().map(|row| f64::from(row[j])).collect();
            let name = if unique { self.name_of_column(j) } else { number_of_column(j) };
            table.push_column(name, Column::Number(cells));
        }
        Ok(table)
    }

    /// New rows in the form of the training rows.
    pub fn transform(&self, x: Data) -> Result<Data> {
        if x.cols() != Some(self.cols) {
            let have = x.cols().map_or("none".to_string(), |cols| cols.to_string());
            return Err(Error::data(format!(
                "the rows have {have} features, but the model was trained on {}",
                self.cols
            )));
        }
        match &self.bins {
            Some(bins) => Ok(bins.transform(&self.to_table(x)?)?.0),
            None => x.into_kind(self.kind),
        }
    }

    /// The rows of a table: its sparse features, or its columns by name.
    pub fn transform_table(&self, table: &Table) -> Result<Data> {
        let Some(sparse) = &table.sparse else { return self.transform(self.named_columns(table)?) };
        if !self.names.is_empty() && sparse.names != self.names {
            return Err(Error::data("the features are named differently than in the training data"));
        }
        let mut x = sparse.x.clone();
        if x.cols > self.cols {
            let message = format!("a row has feature {}, but the model was trained on {}", x.cols, self.cols);
            return Err(Error::data(message));
        }
        x.cols = self.cols;
        self.transform(Data::Sparse(Arc::new(x)))
    }

    fn named_columns(&self, table: &Table) -> Result<Data> {
        let numbered: Vec<String> = (0..self.cols).map(number_of_column).collect();
        let names = if self.names.is_empty() { &numbered } else { &self.names };
        if let Some(name) = names.iter().find(|name| self.names.is_empty() && table.get(name).is_none()) {
            let message = format!(
                "the model was trained on a matrix of {} columns without names, and the rows have no column `{name}`; give rows of a matrix (of files svmlight or sparse ARFF), or columns called by their numbers, from `{}` on",
                self.cols,
                number_of_column(0)
            );
            return Err(Error::data(message));
        }
        let mut values = vec![0f32; table.rows() * self.cols];
        for (j, name) in names.iter().enumerate() {
            let numbers = cells::numbers(table, name, Decimals::Point)?;
            if let Some(row) = numbers.odd.first {
                let text = format!(
                    "{}: column `{name}` holds numbers, but here stands `{}`, and this model was trained on complete rows; mend the cell or leave the row out",
                    table.place(row),
                    table.column(name)?.cell(row).trim()
                );
                return Err(Error::of(&codes::NOT_A_NUMBER, text));
            }
            for (row, number) in numbers.values.iter().enumerate() {
                if number.is_nan() {
                    return Err(Error::data(format!(
                        "{}: column `{name}` is missing here, and this model was trained on complete rows; fill the cell or leave the row out",
                        table.place(row)
                    )));
                }
                values[row * self.cols + j] = *number as f32;
            }
        }
        Ok(Data::Dense(Arc::new(Dense::new(table.rows(), self.cols, values)?)))
    }

    /// What the columns are called, those without a name by their number.
    pub fn columns(&self) -> Vec<String> {
        (0..self.cols).map(|j| self.name_of_column(j)).collect()
    }

    /// What column `j` of the method's rows is called.
    pub fn name(&self, j: usize) -> String {
        self.bins.as_ref().map_or_else(|| self.name_of_column(j), |bins| bins.name(j))
    }

    fn name_of_column(&self, j: usize) -> String {
        self.names.get(j).cloned().unwrap_or_else(|| number_of_column(j))
    }

    /// Keeps it in a model file.
    pub fn save(&self, out: &mut Writer) {
        out.value("cols", &self.cols);
        out.value("dense", &(self.kind == Kind::Dense));
        out.texts("names", &self.names.iter().collect());
        out.value("bins", &self.bins);
    }

    /// Reads it from a model file.
    pub fn load(file: &Reader) -> Result<Self> {
        let names = file.texts("names")?.iter().map(str::to_string).collect();
        let kind = if file.value("dense")? { Kind::Dense } else { Kind::Sparse };
        Ok(MatrixFeatures { names, cols: file.value("cols")?, kind, bins: file.value("bins")? })
    }
}

fn number_of_column(j: usize) -> String {
    format!("feature {}", j + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::find;

    fn fitted() -> MatrixFeatures {
        let x = Dense::new(1, 2, vec![1.0, 2.0]).unwrap();
        let names = vec!["width".to_string(), "height".to_string()];
        MatrixFeatures::fit(Data::Dense(Arc::new(x)), names, &find("logistic").unwrap().spec()).unwrap().0
    }

    fn table(columns: &[(&str, &str)]) -> Table {
        let mut table = Table::from_source("t.csv");
        for (name, cell) in columns {
            table.push_column(*name, Column::Text([cell].into_iter().collect()));
        }
        table.origins = vec![(0, 2)];
        table
    }

    #[test]
    fn columns_of_a_table_are_found_by_name_and_left_as_they_are() {
        let x = fitted().transform_table(&table(&[("height", "4"), ("extra", "x"), ("width", "3")])).unwrap();
        assert_eq!(x.dense().unwrap().values, [3.0, 4.0]);
    }

    #[test]
    fn a_missing_cell_or_column_is_named() {
        let error = |t: Table| fitted().transform_table(&t).unwrap_err().to_string();
        let missing = error(table(&[("height", ""), ("width", "3")]));
        assert!(missing.starts_with("t.csv:2: column `height` is missing"), "{missing}");
        assert!(error(table(&[("width", "3")])).contains("no column `height`"));
        let narrow = Data::Dense(Arc::new(Dense::new(1, 1, vec![0.0]).unwrap()));
        let message = fitted().transform(narrow).unwrap_err().to_string();
        assert_eq!(message, "the rows have 1 features, but the model was trained on 2");
    }

    #[test]
    fn methods_that_count_get_bins_for_negative_numbers() {
        let x = |values: Vec<f32>| Data::Dense(Arc::new(Dense::new(values.len(), 1, values).unwrap()));
        let nb = &find("nb").unwrap().spec();
        let (plain, _) = MatrixFeatures::fit(x(vec![0.0, 1.0, 2.0]), vec![], nb).unwrap();
        assert!(plain.bins.is_none());
        let (binned, rows) = MatrixFeatures::fit(x(vec![-1.0, 0.0, 1.0]), vec!["size".into()], nb).unwrap();
        assert!(rows.sparse().unwrap().values.iter().all(|v| *v == 1.0));
        let again = binned.transform(x(vec![-7.0, 0.0, 7.0])).unwrap();
        assert_eq!(rows.sparse().unwrap(), again.sparse().unwrap());
        assert!(binned.name(0).starts_with("size <= "), "{}", binned.name(0));
        let logistic = &find("logistic").unwrap().spec();
        assert!(MatrixFeatures::fit(x(vec![-1.0, 0.0]), vec![], logistic).unwrap().0.bins.is_none());
    }
}
