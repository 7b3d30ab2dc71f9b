//! Columns of vectors: lists of equally many numbers, as text or as values.

use likewise::data::list::{self, List};
use likewise::data::{Dense, Texts};

/// A bad vector: its row, counted from 0, and what is wrong with it.
pub(crate) type Wrong = (usize, String);

/// Gathers vectors one after the other. A missing one is all zeros.
#[derive(Default)]
pub(crate) struct Gathered {
    values: Vec<f32>,
    rows: usize,
    /// The length of all, once one is there.
    length: Option<usize>,
}

impl Gathered {
    pub fn missing(&mut self) {
        self.rows += 1;
        if let Some(length) = self.length {
            self.values.resize(self.rows * length, 0.0);
        }
    }

    pub fn push(&mut self, values: impl Iterator<Item = f32>) -> Result<(), Wrong> {
        let row = self.rows;
        let start = self.values.len();
        self.values.extend(values);
        let found = self.values.len() - start;
        if found == 0 {
            return Err((row, "an empty list, no vector; leave the cell empty where there is none".into()));
        }
        let Some(length) = self.length else {
            // Those before were missing.
            self.values.splice(0..0, std::iter::repeat_n(0.0, row * found));
            self.length = Some(found);
            self.rows += 1;
            return self.check(row);
        };
        if found != length {
            let numbers = if found == 1 { "1 number".into() } else { format!("{found} numbers") };
            return Err((row, format!("a vector of {numbers} where the first has {length}")));
        }
        self.rows += 1;
        self.check(row)
    }

    /// Whether the numbers of a row are some.
    fn check(&self, row: usize) -> Result<(), Wrong> {
        let length = self.length.unwrap_or(0);
        match self.values[row * length..].iter().position(|v| !v.is_finite()) {
            Some(at) => {
                let value = self.values[row * length + at];
                Err((row, format!("number {} of the vector is {value}, not a finite number", at + 1)))
            }
            None => Ok(()),
        }
    }

    pub fn finish(self) -> Dense {
        let length = self.length.unwrap_or(0);
        Dense::new(self.rows, length, self.values).expect("every row was checked")
    }
}

/// What has to be a vector, and what is looked at to see whether it is one.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Lists {
    /// A list of a single number is hardly a vector unless somebody says so.
    Found,
    Named,
}

/// Cells such as `[0.5, 1]` as vectors. `None`: all cells are empty.
pub(crate) fn of_lists(cells: &Texts, lists: Lists) -> Result<Option<Dense>, Wrong> {
    let mut gathered = Gathered::default();
    for (row, cell) in cells.iter().enumerate() {
        if cell.trim().is_empty() {
            gathered.missing();
            continue;
        }
        let list = List::of(cell);
        let few = || list.items().nth(1).is_none();
        let is_one = if lists == Lists::Found { list.tells() } else { list.bracketed || !few() };
        if !is_one {
            return Err((row, "no list of numbers".to_string()));
        }
        if lists == Lists::Found && few() {
            return Err((row, "too short for a vector".into()));
        }
        let mut wrong = None;
        gathered
            .push(list.items().map_while(|number| {
                let value = number.parse::<f32>();
                wrong = value.is_err().then(|| (row, list::no_number(number)));
                value.ok()
            }))
            .map_err(|error| wrong.take().unwrap_or(error))?;
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
    }
    Ok(gathered.length.is_some().then(|| gathered.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cells: &[&str]) -> Result<Option<Dense>, Wrong> {
        of_lists(&cells.iter().collect(), Lists::Found)
    }

    #[test]
    fn lists_of_one_length_are_vectors_and_missing_ones_zero() {
        let x = of(&["", "[1, -2.5e0]", " ", "[0.1,3]"]).unwrap().unwrap();
        assert_eq!((x.rows(), x.cols), (4, 2));
        assert_eq!(x.values, [0.0, 0.0, 1.0, -2.5, 0.0, 0.0, 0.1, 3.0]);
        assert_eq!(of(&["", ""]), Ok(None));
    }

    #[test]
    fn lists_as_numpy_prints_them_and_as_people_join_them() {
        for cells in [["[1. 2.5\n 3]", "[4 5 6]"], ["1.0 2.5 3", "4.0 5.0 6.0"], ["1.0;2.5;3", "4.;5;6"]] {
            assert_eq!(of(&cells).unwrap().unwrap().values, [1.0, 2.5, 3.0, 4.0, 5.0, 6.0], "{cells:?}");
        }
        assert!(of(&["12 34 56"]).is_err() && of(&["48.1 11.5"]).is_err());
        let named = |cell| of_lists(&[cell].into_iter().collect(), Lists::Named);
        assert_eq!(named("48 11").unwrap().unwrap().values, [48.0, 11.0]);
        assert!(named("48").is_err());
    }

    #[test]
    fn what_is_no_vector_is_told_by_its_row() {
        for (cells, row, problem) in [
            (["[1,2]", "[1,2,3]"], 1, "a vector of 3 numbers where the first has 2"),
            (["[1,2]", "x"], 1, "no list of numbers"),
            (["[1,\"a\"]", ""], 0, "`\"a\"` is no number"),
            (["[1,2]", "[1,[2]]"], 1, "`[2]` is no number"),
            (["[1,2]", "[1,]"], 1, "a number of the vector is missing"),
            (
                ["[1,2]", "[1 ... 2]"],
                1,
                "`...` stands where NumPy left numbers out; write vectors whole, as v.tolist() has them",
            ),
            (["[1,2]", "[1,1e39]"], 1, "number 2 of the vector is inf, not a finite number"),
            (["[7]", ""], 0, "too short for a vector"),
            (["[]", ""], 0, "too short for a vector"),
        ] {
            assert_eq!(of(&cells), Err((row, problem.into())), "{cells:?}");
        }
    }
}
