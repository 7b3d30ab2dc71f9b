//! Positives and pile brought together: which rows, which of them are marked, what is learned from.

use std::sync::Mutex;

use hashbrown::{HashMap, HashSet};

use crate::data::value::same_value;
use crate::data::{Column, Kind, PuData, Table};
use crate::error::{Error, Result};
use crate::features::{Features, Input, words::WordOptions};
use crate::figures::count;
use crate::methods::{Note, Spec};
use crate::prior::{self, PriorReport};
use crate::run::Run;

/// A problem ready to be learned from.
pub struct Problem {
    pub table: Table,
    pub positive: Vec<bool>,
    pub input: Input,
    /// What the user calls each row.
    pub ids: Vec<String>,
    pub notes: Vec<Note>,
}

/// What the user says of the columns.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Text columns; left out, the column `text`.
    pub text: Option<Vec<String>>,
    /// Numbers and categories instead of text; `all` is every column but id and label.
    pub features: Option<Vec<String>>,
    /// Left out: `id` where that exists, else the row number.
    pub id: Option<String>,
    /// Rows whose content is that of another positive stay where they are.
    pub keep_positives: bool,
}

/// The word for every column but id and label.
const ALL: &str = "all";
const DEFAULT_TEXT: &str = "text";
const DEFAULT_ID: &str = "id";

impl Problem {
    /// Positives in one table, the pile in another.
    pub fn of_two(like: Table, pile: Table, choice: &Choice) -> Result<Problem> {
        let mut ids = ids(&like, choice.id.as_deref(), 0)?;
        let of_pile = self::ids(&pile, choice.id.as_deref(), 0)?;
        let notes =
            repeated_ids(&pile, &of_pile, choice.id.as_deref()).map(Note::Warning).into_iter().collect();
        ids.extend(of_pile);
        let input = choice.input(&pile, None)?;
        choice.input(&like, None)?;
        let labelled = like.rows();
        let mut table = like;
        table.append(pile)?;
        let positive = (0..table.rows()).map(|row| row < labelled).collect();
        Problem { table, positive, input, ids, notes }.without_copies(choice.keep_positives)
    }

    /// One table: rows whose label equals one of the values are positives, all others the pile.
    pub fn of_label<S: AsRef<str>>(
        table: Table,
        label: &str,
        values: &[S],
        choice: &Choice,
    ) -> Result<Problem> {
        let ids = ids(&table, choice.id.as_deref(), 0)?;
        let notes = repeated_ids(&table, &ids, choice.id.as_deref()).map(Note::Warning).into_iter().collect();
        let input = choice.input(&table, Some(label))?;
        let positive = marked(&table, label, values)?;
        Problem { table, positive, input, ids, notes }.without_copies(choice.keep_positives)
    }

    /// Leaves out what teaches nothing or is found already: examples without content and, unless copies are kept,
    /// copies among the examples and rows of the pile that say what an example says. An equal id alone is no
    /// reason, since two files may number their rows alike.
    fn without_copies(mut self, keep: bool) -> Result<Problem> {
        let mut content = Vec::new();
        let mut known: HashSet<Vec<u8>, foldhash::fast::FixedState> = HashSet::default();
        let (mut blank, mut repeated, mut found) = (0, 0, 0);
        let mut leaves = vec![false; self.table.rows()];
        for row in (0..self.table.rows()).filter(|&row| self.positive[row]) {
            let says_something = write_content(&self.table, &self.input, row, &mut content)?;
            // Since copies leave the pile, its positives have no twin among the examples. One that is hidden must
            // not have one either: it would be found by its twin, and whatever rests on hiding would flatter.
            let copy = says_something && !known.insert(content.clone());
            blank += usize::from(!says_something);
            repeated += usize::from(copy && !keep);
            leaves[row] = !says_something || (copy && !keep);
        }
        if known.is_empty() && blank > 0 {
            return Err(Error::data(
                "every example is blank; give examples that hold something to learn from",
            ));
        }
        for row in self.pile() {
            let copy =
                write_content(&self.table, &self.input, row, &mut content)? && known.contains(&content);
            found += usize::from(copy);
            leaves[row] = copy && !keep;
        }
        let have = if found == 1 { "row of the pile has" } else { "rows of the pile have" };
        let stay = if keep {
            ": ranked all the same"
        } else {
            ": left out of the ranking (--keep-positives ranks them)"
        };
        for (number, text) in [
            (blank, format!("examples left out because they are blank: {}", count(blank))),
            (
                repeated,
                format!("examples left out because another one has their content: {}", count(repeated)),
            ),
            (found, format!("{} {have} the content of a positive example{stay}", count(found))),
        ] {
            if number > 0 {
                self.notes.push(Note::Warning(text));
            }
        }
        let kept: Vec<usize> = (0..self.table.rows()).filter(|&row| !leaves[row]).collect();
        if kept.len() < self.table.rows() {
            if found > 0 && kept.iter().all(|&row| self.positive[row]) {
                let advice = "rank them all the same with --keep-positives, or add other rows";
                return Err(Error::data(format!(
                    "every row of the pile has the content of a positive example; {advice}"
                )));
            }
            self.table.keep(&kept);
            self.positive = kept.iter().map(|&row| self.positive[row]).collect();
            self.ids = kept.iter().map(|&row| std::mem::take(&mut self.ids[row])).collect();
        }
        Ok(self)
    }

    /// How many of the pile are positive.
    pub fn prior(&self, words: &WordOptions, options: &prior::Options, run: &Run) -> Result<PriorReport> {
        let kind = match self.input {
            Input::Columns(_) => Kind::Dense,
            Input::Text(_) | Input::Sparse => Kind::Sparse,
        };
        // Rankers that want the same of the rows share them.
        let made: Mutex<Vec<((String, bool), PuData)>> = Mutex::default();
        let rows = |spec: &Spec| {
            let wanted = (format!("{:?}", spec.weights), spec.inputs.contains(&Kind::Dense));
            let mut made = made.lock().map_err(|_| Error::data("another thread failed"))?;
            if let Some((_, rows)) = made.iter().find(|(key, _)| *key == wanted) {
                return Ok(rows.clone());
            }
            let (_, x, _) = Features::fit(&self.table, &self.input, words, spec, run)?;
            let rows = PuData::new(x, self.positive.clone())?;
            made.push((wanted, rows.clone()));
            Ok(rows)
        };
        prior::estimate(&rows, kind, options, run)
    }

    /// The rows to rank.
    pub fn pile(&self) -> Vec<usize> {
        (0..self.positive.len()).filter(|&row| !self.positive[row]).collect()
    }
}

impl Choice {
    /// Whether one of several files, which are read as one table, has all the columns that are asked for: a column
    /// that only the others have would be blank in its rows.
    pub fn check(&self, table: &Table, label: Option<&str>) -> Result<()> {
        self.input(table, label)?;
        let mut named = self.id.as_deref().into_iter().chain(label);
        named.try_for_each(|name| table.column(name).map(|_| ()))
    }

    /// The columns that an answer needs of a file, so that no others are read; none: all of them.
    pub fn columns(&self, label: Option<&str>) -> Option<Vec<String>> {
        let named: Vec<String> = match (&self.text, &self.features) {
            (_, Some(names)) if names[..] == [ALL] => return None,
            (None, None) => vec![DEFAULT_TEXT.into()],
            (text, features) => text.iter().chain(features).flatten().cloned().collect(),
        };
        let id = self.id.as_deref().unwrap_or(DEFAULT_ID);
        Some(named.into_iter().chain([id.to_string()]).chain(label.map(String::from)).collect())
    }

    /// Those of them that the user names, so that they must be there.
    pub fn named_columns(&self, label: Option<&str>) -> Vec<String> {
        let all = |names: &&Vec<String>| names[..] != [ALL];
        let named = self.text.iter().chain(self.features.iter().filter(all)).flatten();
        named.map(String::as_str).chain(self.id.as_deref()).chain(label).map(String::from).collect()
    }

    /// What is learned from, checked against the table.
    pub fn input(&self, table: &Table, label: Option<&str>) -> Result<Input> {
        match (&self.text, &self.features) {
            (Some(_), Some(_)) => Err(Error::parameter(
                "features",
                "a model learns from text or from features; give --text or --features",
            )),
            (Some(text), None) => {
                text.iter().try_for_each(|name| table.column(name).map(|_| ()))?;
                Ok(Input::Text(text.clone()))
            }
            (None, Some(names)) if names[..] == [ALL] => {
                if table.sparse.is_some() {
                    return Ok(Input::Sparse);
                }
                let id = self.id.as_deref().unwrap_or(DEFAULT_ID);
                let cells = |column: &Column| !matches!(column, Column::Vectors(_));
                let names = (table.columns())
                    .filter(|(name, column)| *name != id && Some(*name) != label && cells(column));
                Ok(Input::Columns(names.map(|(name, _)| name.to_string()).collect()))
            }
            (None, Some(names)) => {
                names.iter().try_for_each(|name| table.column(name).map(|_| ()))?;
                Ok(Input::Columns(names.clone()))
            }
            (None, None) if table.sparse.is_some() => Ok(Input::Sparse),
            (None, None) if table.get(DEFAULT_TEXT).is_some() => Ok(Input::Text(vec![DEFAULT_TEXT.into()])),
            (None, None) => {
                let source = table.sources.first().map_or("the input", String::as_str);
                let advice = "name the text with --text COLUMN, or numbers and categories with --features COLUMN[,COLUMN] or --features all";
                Err(Error::data(format!(
                    "{source} has no column `text` (it has {}); {advice}",
                    table.list_names()
                )))
            }
        }
    }
}

/// Which rows have one of the values in the column, whatever the spelling of numbers and truth values; some must.
/// A value that no row has may be several, separated by commas.
pub fn marked<S: AsRef<str>>(table: &Table, label: &str, values: &[S]) -> Result<Vec<bool>> {
    let column = table.column(label)?;
    let has = |row: usize, value: &str| same_value(&column.cell(row), value);
    let known = |value: &str| (0..table.rows()).any(|row| has(row, value));
    let mut wanted: Vec<&str> = Vec::new();
    for value in values.iter().map(AsRef::as_ref) {
        match known(value) {
            true => wanted.push(value),
            false => wanted.extend(value.split(',')),
        }
    }
    if let Some(value) = wanted.iter().find(|value| !known(value)) {
        let mut values: Vec<String> =
            (0..table.rows()).map(|row| format!("`{}`", column.cell(row))).collect();
        values.sort();
        values.dedup();
        let shown = values[..values.len().min(10)].join(", ");
        let more = if values.len() > 10 { ", …" } else { "" };
        let missing = if wanted.len() == 1 { ", so there is no positive example" } else { "" };
        let message =
            format!("no row has `{value}` in column `{label}`{missing}; its values are {shown}{more}");
        return Err(Error::data(message));
    }
    Ok((0..table.rows()).map(|row| wanted.iter().any(|value| has(row, value))).collect())
}

/// What the user calls each row: the id column, or, where there is none or it is blank, the row number, counted on
/// from the rows `before`.
pub fn ids(table: &Table, column: Option<&str>, before: usize) -> Result<Vec<String>> {
    let column = match column {
        Some(name) => Some(table.column(name)?),
        None => table.get(DEFAULT_ID),
    };
    let number = |row: usize| (before + row + 1).to_string();
    let Some(column) = column else {
        return Ok((0..table.rows()).map(number).collect());
    };
    let called = |row: usize| match column.cell(row) {
        blank if blank.is_empty() => number(row),
        id => id.into_owned(),
    };
    Ok((0..table.rows()).map(called).collect())
}

/// Which of the `ids` from that column stand for several rows, and what to do about it.
pub fn repeated_ids(table: &Table, ids: &[String], column: Option<&str>) -> Option<String> {
    let name = column.unwrap_or(DEFAULT_ID);
    let mut first: HashMap<&str, usize, foldhash::fast::FixedState> = HashMap::default();
    let mut repeated = Vec::new();
    for (row, id) in ids.iter().enumerate() {
        if let Some(before) = first.insert(id.as_str(), row) {
            repeated.push((before, row));
        }
    }
    let &(before, row) = repeated.first()?;
    Some(format!(
        "{} rows repeat an id (first `{}`: {} and {}); the answer cannot tell them apart: name another column than `{name}` with --id",
        count(repeated.len()),
        ids[row],
        table.place(before),
        table.place(row),
    ))
}

/// The content of a row as bytes; false where there is none to compare.
fn write_content(table: &Table, input: &Input, row: usize, out: &mut Vec<u8>) -> Result<bool> {
    out.clear();
    let names = match input {
        Input::Text(names) | Input::Columns(names) => names,
        Input::Sparse => {
            let sparse = table.sparse.as_ref().map(|s| s.x.row(row));
            for (j, v) in sparse.iter().flat_map(|row| row.iter()) {
                out.extend_from_slice(&j.to_le_bytes());
                out.extend_from_slice(&v.to_le_bytes());
            }
            return Ok(!out.is_empty());
        }
    };
    let mut any = false;
    for name in names {
        let cell = table.column(name)?.cell(row);
        any |= !cell.trim().is_empty();
        out.extend_from_slice(cell.trim().as_bytes());
        out.push(0);
    }
    Ok(any)
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
    fn equal_content_leaves_the_pile_and_equal_ids_do_not() {
        let like = table("like", &[("id", &["1", "2"]), ("text", &["refund", "money"])]);
        let pile = || table("pile", &[("id", &["1", "2", "3"]), ("text", &["parcel", "refund ", ""])]);
        let problem = Problem::of_two(like.clone(), pile(), &Choice::default()).unwrap();
        assert_eq!(problem.ids, ["1", "2", "1", "3"]);
        assert!(matches!(&problem.notes[..], [Note::Warning(text)] if text.starts_with("1 row of the pile")));
        let keep = Choice { keep_positives: true, ..Choice::default() };
        assert_eq!(Problem::of_two(like, pile(), &keep).unwrap().pile().len(), 3);
    }

    #[test]
    fn an_example_is_shown_once_and_a_blank_one_never() {
        let like = table("like", &[("text", &["refund", "", "refund", "money"])]);
        let pile = table("pile", &[("text", &["parcel", ""])]);
        let problem = Problem::of_two(like.clone(), pile.clone(), &Choice::default()).unwrap();
        let keep = Choice { keep_positives: true, ..Choice::default() };
        assert_eq!(Problem::of_two(like, pile.clone(), &keep).unwrap().ids, ["1", "3", "4", "1", "2"]);
        assert_eq!(
            (problem.ids, problem.positive),
            (["1", "4", "1", "2"].map(String::from).to_vec(), vec![true, true, false, false])
        );
        let notes = format!("{:?}", problem.notes);
        assert!(
            notes.contains("they are blank: 1") && notes.contains("another one has their content: 1"),
            "{notes}"
        );
        let blank = table("like", &[("text", &["", " "])]);
        let message = Problem::of_two(blank, pile, &Choice::default()).err().unwrap().to_string();
        assert!(message.contains("every example is blank"), "{message}");
    }

    #[test]
    fn a_value_that_no_row_has_is_answered_with_those_there_are() {
        let all = table("all", &[("text", &["a", "b"]), ("status", &["open", "done"])]);
        let message =
            Problem::of_label(all, "status", &["refund"], &Choice::default()).err().unwrap().to_string();
        assert!(message.contains("its values are `done`, `open`"), "{message}");
    }

    #[test]
    fn several_values_may_mean_positive_and_their_spelling_does_not_matter() {
        let all = table("all", &[("y", &["1", "2.0", "3", "a,b", "TRUE"])]);
        let positive =
            |values: &[&str]| marked(&all, "y", values).map(|p| p.iter().map(|&p| p as u8).collect());
        let found: Vec<Vec<u8>> = [&["1.0", "2"][..], &["2,3"], &["a,b"], &["true"], &["1", "true,3"]]
            .map(|values| positive(values).unwrap())
            .to_vec();
        assert_eq!(
            found,
            [[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1], [1, 0, 1, 0, 1]]
        );
        let message = positive(&["1,7"]).unwrap_err().to_string();
        assert!(message.starts_with("no row has `7` in column `y`; its values are `1`"), "{message}");
    }

    #[test]
    fn all_features_are_all_but_id_and_label() {
        let all = table("all", &[("id", &["a"]), ("age", &["1"]), ("town", &["x"]), ("y", &["1"])]);
        let choice = Choice { features: Some(vec!["all".into()]), ..Choice::default() };
        assert_eq!(choice.input(&all, Some("y")).unwrap(), Input::Columns(vec!["age".into(), "town".into()]));
    }

    #[test]
    fn repeated_ids_are_pointed_out_and_blank_ones_are_row_numbers() {
        let rows = table("a", &[("id", &["x", "", "x"])]);
        let found = ids(&rows, None, 10).unwrap();
        assert_eq!(found, ["x", "12", "x"]);
        let told = repeated_ids(&rows, &found, None).unwrap();
        assert!(told.contains("`x`: a:1 and a:3"), "{told}");
    }
}
