//! Positives and pile brought together: which rows, which of them are marked, what is learned from.

use std::sync::Mutex;

use hashbrown::{HashMap, HashSet};

use crate::codes;
use crate::data::{Kind, PuData, Table};
use crate::error::{Error, Result};
use crate::features::{Features, Input, words::WordOptions};
use crate::figures::count;
use crate::message::{Message, Setting};
use crate::method::Spec;
use crate::note::Note;
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

const ID: Setting = Setting::with("id", "COLUMN");
const TEXT: Setting = Setting::with("text", "COLUMN");
const FEATURES: Setting = Setting::with("features", "COLUMN[,COLUMN]");
const KEEP_POSITIVES: Setting = Setting::flag("keep_positives");

impl Problem {
    /// Positives in one table, the pile in another.
    pub fn of_two(like: Table, pile: Table, choice: &Choice) -> Result<Problem> {
        let mut ids = ids(&like, choice.id.as_deref(), 0)?;
        let of_pile = self::ids(&pile, choice.id.as_deref(), 0)?;
        let notes =
            repeated_ids(&pile, &of_pile, choice.id.as_deref()).into_iter().collect();
        ids.extend(of_pile);
        let input = choice.input(&pile, None)?;
        choice.input(&like, None)?;
        let labelled = like.rows();
        let mut table = like;
        table.append(pile)?;
        let positive = (0..table.rows()).map(|row| row < labelled).collect();
        Problem { table, positive, input, ids, notes }.without_copies(choice.keep_positives)
    }

    /// One table: rows whose label equals the value are positives, all others the pile.
    pub fn of_label(table: Table, label: &str, value: &str, choice: &Choice) -> Result<Problem> {
        let ids = ids(&table, choice.id.as_deref(), 0)?;
        let notes = repeated_ids(&table, &ids, choice.id.as_deref()).into_iter().collect();
        let input = choice.input(&table, Some(label))?;
        let positive = marked(&table, label, value)?;
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
            return Err(Error::of(
                &codes::BLANK_EXAMPLES,
                "every example is blank; give examples that hold something to learn from",
            ));
        }
        for row in self.pile() {
            let copy =
                write_content(&self.table, &self.input, row, &mut content)? && known.contains(&content);
            found += usize::from(copy);
            leaves[row] = copy && !keep;
        }
        let left_out = |code, rows: usize, why: &str| {
            let text = format!("examples left out because {why}: {}", count(rows));
            Note::warning(code, text).field("rows", rows)
        };
        if blank > 0 {
            self.notes.push(left_out(&codes::BLANK_EXAMPLES, blank, "they are blank"));
        }
        if repeated > 0 {
            self.notes.push(left_out(
                &codes::REPEATED_EXAMPLES,
                repeated,
                "another one has their content",
            ));
        }
        if found > 0 {
            self.notes.push(copies_of_examples(found, keep));
        }
        let kept: Vec<usize> = (0..self.table.rows()).filter(|&row| !leaves[row]).collect();
        if kept.len() < self.table.rows() {
            if found > 0 && kept.iter().all(|&row| self.positive[row]) {
                let text = "every row of the pile has the content of a positive example; rank them all the same with ";
                let message = Message::new(&codes::COPIES_OF_EXAMPLES, text);
                return Err(Error::data(message.setting(KEEP_POSITIVES).text(", or add other rows")));
            }
            self.table = self.table.select(&kept);
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
        crate::methods::prior::estimate(&rows, kind, options, run)
    }

    /// The rows to rank.
    pub fn pile(&self) -> Vec<usize> {
        (0..self.positive.len()).filter(|&row| !self.positive[row]).collect()
    }
}

fn copies_of_examples(rows: usize, keep: bool) -> Note {
    let have = if rows == 1 { "row of the pile has" } else { "rows of the pile have" };
    let text = format!("{} {have} the content of a positive example: ", count(rows));
    let message = Message::new(&codes::COPIES_OF_EXAMPLES, text).field("rows", rows).field("ranked", keep);
    Note::warn(match keep {
        true => message.text("ranked all the same"),
        false => {
            message.text("left out of the ranking (").setting(KEEP_POSITIVES).text(" ranks them)")
        }
    })
}

impl Choice {
    /// Whether one of several files, which are read as one table, has all the columns that are asked for: a column
    /// that only the others have would be blank in its rows.
    pub fn check(&self, table: &Table, label: Option<&str>) -> Result<()> {
        self.input(table, label)?;
        let mut named = self.id.as_deref().into_iter().chain(label);
        named.try_for_each(|name| table.column(name).map(|_| ()))
    }

    /// What is learned from, checked against the table.
    pub fn input(&self, table: &Table, label: Option<&str>) -> Result<Input> {
        match (&self.text, &self.features) {
            (Some(_), Some(_)) => Err(Error::parameter(
                "features",
                "a model learns from text or from features, not from both; name one of them",
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
                let names = table.column_names().iter().filter(|n| *n != id && Some(n.as_str()) != label);
                Ok(Input::Columns(names.cloned().collect()))
            }
            (None, Some(names)) => {
                names.iter().try_for_each(|name| table.column(name).map(|_| ()))?;
                Ok(Input::Columns(names.clone()))
            }
            (None, None) if table.sparse.is_some() => Ok(Input::Sparse),
            (None, None) if table.get(DEFAULT_TEXT).is_some() => Ok(Input::Text(vec![DEFAULT_TEXT.into()])),
            (None, None) => {
                let source = table.sources.first().map_or("the input", String::as_str);
                let names: Vec<_> = table.column_names().iter().map(|n| format!("`{n}`")).collect();
                let text = format!("{source} has no column `text` (it has {}); name the text with ", names.join(", "));
                let message = Message::new(&codes::WHAT_TO_LEARN_FROM, text).setting(TEXT);
                let message = message.text(", or numbers and categories with ").setting(FEATURES);
                Err(Error::data(message.text(" or ").setting(Setting::with("features", ALL))))
            }
        }
    }
}

/// Which rows have the value in the column; some must.
pub fn marked(table: &Table, label: &str, value: &str) -> Result<Vec<bool>> {
    let column = table.column(label)?;
    let positive: Vec<bool> = (0..table.rows()).map(|row| column.cell(row) == value).collect();
    if !positive.contains(&true) {
        let mut values: Vec<String> =
            (0..table.rows()).map(|row| format!("`{}`", column.cell(row))).collect();
        values.sort();
        values.dedup();
        let shown = values[..values.len().min(10)].join(", ");
        let more = if values.len() > 10 { ", …" } else { "" };
        let message = format!(
            "no row has `{value}` in column `{label}`, so there is no positive example; its values are {shown}{more}"
        );
        return Err(Error::of(&codes::VALUE_NOT_FOUND, message));
    }
    Ok(positive)
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
pub fn repeated_ids(table: &Table, ids: &[String], column: Option<&str>) -> Option<Note> {
    let name = column.unwrap_or(DEFAULT_ID);
    let mut first: HashMap<&str, usize, foldhash::fast::FixedState> = HashMap::default();
    let mut repeated = Vec::new();
    for (row, id) in ids.iter().enumerate() {
        if let Some(before) = first.insert(id.as_str(), row) {
            repeated.push((before, row));
        }
    }
    let &(before, row) = repeated.first()?;
    let text = format!(
        "{} rows repeat an id (first `{}`: {} and {}); the answer cannot tell them apart: name another column than `{name}` with ",
        count(repeated.len()),
        ids[row],
        table.place(before),
        table.place(row),
    );
    let message = Message::new(&codes::REPEATED_IDS, text).setting(ID);
    Some(Note::warn(message.field("rows", repeated.len()).field("id", ids[row].clone())))
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
    use crate::data::Column;

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
        assert!(matches!(&problem.notes[..], [note] if note.to_string().starts_with("1 row of the pile")));
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
            Problem::of_label(all, "status", "refund", &Choice::default()).err().unwrap().to_string();
        assert!(message.contains("its values are `done`, `open`"), "{message}");
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
        assert!(told.to_string().contains("`x`: a:1 and a:3"), "{told}");
    }
}
