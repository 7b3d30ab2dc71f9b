//! What takes no part: rows without content, examples that repeat, and rows of the pile that say what a marked row says.

use std::collections::BTreeSet;

use hashbrown::HashSet;
use serde::Serialize;

use super::problem::{Content, Problem};
use crate::codes;
use crate::data::{Column, Csr, Table};
use crate::error::{Error, Result};
use crate::features::{Input, cells::spelled};
use crate::figures::{count, rows};
use crate::message::{Message, Setting};
use crate::note::Note;

/// A row that was given and takes no part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftOut {
    /// What the user calls it.
    pub id: String,
    /// Where it stands in the user's own input, counted from 0.
    pub position: usize,
    /// Whether it was an example.
    pub example: bool,
    /// Why it takes no part.
    pub reason: WhyLeftOut,
}

/// Why a row takes no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhyLeftOut {
    /// An example without content teaches nothing.
    BlankExample,
    /// An example with the content of another one.
    RepeatedExample,
    /// A row of the pile with the content of an example is found already.
    CopyOfExample,
    /// A row known not to be wanted that is without content.
    BlankUnwanted,
    /// A row known not to be wanted with the content of another one.
    RepeatedUnwanted,
    /// A row known not to be wanted with the content of an example, which counts.
    MarkedBothWays,
    /// A row of the pile with the content of one known not to be wanted is judged already.
    CopyOfUnwanted,
}

impl WhyLeftOut {
    /// Whether an equal row is the reason.
    fn is_copy(self) -> bool {
        !matches!(self, WhyLeftOut::BlankExample | WhyLeftOut::BlankUnwanted)
    }

    /// Whether the equal row is an example, and whoever keeps those keeps this one.
    fn is_like_example(self) -> bool {
        matches!(self, WhyLeftOut::RepeatedExample | WhyLeftOut::CopyOfExample)
    }
}

const KEEP_POSITIVES: Setting = Setting::flag("keep_positives");
/// Where one row in so many is a copy of a marked one, equal rows of a table without text are ordinary.
const ONE_IN: usize = 10;

impl Problem {
    /// Leaves out what teaches nothing or is found already: examples without content and, unless copies stay, copies
    /// among the examples and rows of the pile that say what an example says. An equal id alone is no reason, since two
    /// files may number their rows alike.
    ///
    /// Two rows of the same text or vector are copies of one thing. Two rows of the same few categories are mostly two
    /// things: where a tenth of the pile has the content of a marked row, they stay, unless there is text or a vector.
    pub(super) fn without_copies(mut self, keep: bool) -> Result<Problem> {
        let Content::Table { table, input } = &self.content else { return Ok(self) };
        let judged = Judged::of(&self, &Contents::of(table, input)?, keep, input.is_telling())?;
        let kept: Vec<usize> = (0..table.rows()).filter(|&row| judged.leaves[row].is_none()).collect();
        if kept.len() < table.rows() {
            if judged.copies > 0 && kept.iter().all(|&row| self.positive[row] || self.unwanted[row]) {
                let of_unwanted = |why: &Option<WhyLeftOut>| *why == Some(WhyLeftOut::CopyOfUnwanted);
                return Err(match judged.leaves.iter().any(of_unwanted) {
                    true => Error::of(
                        &codes::COPIES_OF_UNWANTED,
                        "every row of the pile has the content of a row that you have marked, wanted or not, so none is left to rank; add other rows",
                    ),
                    false => nothing_but_copies(),
                });
            }
            self.left_out = (judged.leaves.iter().enumerate())
                .filter_map(|(row, why)| {
                    let (id, position) = (self.ids[row].to_string(), self.positions[row]);
                    Some(LeftOut { id, position, example: self.positive[row], reason: (*why)? })
                })
                .collect();
            if let Content::Table { table, .. } = &mut self.content {
                table.keep(&kept);
            }
            self.positive = kept.iter().map(|&row| self.positive[row]).collect();
            self.unwanted = kept.iter().map(|&row| self.unwanted[row]).collect();
            self.ids = self.ids.select(&kept);
            self.positions = kept.iter().map(|&row| self.positions[row]).collect();
        }
        if let Content::Table { table, .. } = &mut self.content {
            table.share_vectors();
        }
        self.alike = judged.ordinary;
        self.notes.extend(judged.notes(keep));
        Ok(self)
    }
}

/// Which rows leave, and why.
struct Judged {
    leaves: Vec<Option<WhyLeftOut>>,
    /// Rows of the pile with the content of an example, also where they stay.
    copies: usize,
    /// Whether so many rows are alike that an equal one is not the same one.
    ordinary: bool,
}

type Known = HashSet<Vec<u8>, foldhash::fast::FixedState>;

impl Judged {
    fn of(problem: &Problem, contents: &Contents<'_>, keep: bool, telling: bool) -> Result<Judged> {
        let (mut known, mut refused) = (Known::default(), Known::default());
        let mut content = Vec::new();
        let rows = problem.positive.len();
        let mut judged = Judged { leaves: vec![None; rows], copies: 0, ordinary: false };
        for row in (0..rows).filter(|&row| problem.positive[row]) {
            let says_something = contents.write(row, &mut content);
            // Since copies leave the pile, its positives have no twin among the examples. One that is hidden must
            // not have one either: it would be found by its twin, and whatever rests on hiding would flatter.
            judged.leaves[row] = match says_something && known.insert(content.clone()) {
                true => None,
                false if says_something => Some(WhyLeftOut::RepeatedExample),
                false => Some(WhyLeftOut::BlankExample),
            };
        }
        if known.is_empty() && judged.count(WhyLeftOut::BlankExample) > 0 {
            return Err(Error::of(
                &codes::BLANK_EXAMPLES,
                "every example is blank; give examples that hold something to learn from",
            ));
        }
        for row in (0..rows).filter(|&row| problem.unwanted[row]) {
            judged.leaves[row] = match contents.write(row, &mut content) {
                false => Some(WhyLeftOut::BlankUnwanted),
                true if known.contains(&content) => Some(WhyLeftOut::MarkedBothWays),
                true if !refused.insert(content.clone()) => Some(WhyLeftOut::RepeatedUnwanted),
                true => None,
            };
        }
        let pile = problem.pile();
        for &row in &pile {
            if contents.write(row, &mut content) && known.contains(&content) {
                judged.leaves[row] = Some(WhyLeftOut::CopyOfExample);
            } else if refused.contains(&content) {
                judged.leaves[row] = Some(WhyLeftOut::CopyOfUnwanted);
            }
        }
        judged.copies = judged.count(WhyLeftOut::CopyOfExample);
        let copies = judged.copies + judged.count(WhyLeftOut::CopyOfUnwanted);
        judged.ordinary = !telling && copies > 0 && ONE_IN * copies >= pile.len();
        for why in &mut judged.leaves {
            *why = why.filter(|why| !(judged.ordinary && why.is_copy() || keep && why.is_like_example()));
        }
        Ok(judged)
    }

    fn count(&self, why: WhyLeftOut) -> usize {
        self.leaves.iter().filter(|leaves| **leaves == Some(why)).count()
    }

    fn notes(&self, keep: bool) -> Vec<Note> {
        let left_out = |code, rows: usize, why: &str| {
            let text = format!("examples left out because {why}: {}", count(rows));
            (rows > 0).then(|| Note::warning(code, text).field("rows", rows))
        };
        let (blank, repeated) =
            (self.count(WhyLeftOut::BlankExample), self.count(WhyLeftOut::RepeatedExample));
        let mut notes: Vec<Note> = Vec::new();
        notes.extend(left_out(&codes::BLANK_EXAMPLES, blank, "they are blank"));
        notes.extend(left_out(&codes::REPEATED_EXAMPLES, repeated, "another one has their content"));
        if self.copies > 0 {
            notes.push(copies_of_examples(self.copies, keep, self.ordinary));
        }
        let refused = self.count(WhyLeftOut::CopyOfUnwanted);
        if refused > 0 {
            let have = if refused == 1 { "row of the pile has" } else { "rows of the pile have" };
            let text = format!(
                "{} {have} the content of a row known not to be wanted: left out of the ranking",
                count(refused)
            );
            notes.push(Note::warning(&codes::COPIES_OF_UNWANTED, text).field("rows", refused));
        }
        let both = self.count(WhyLeftOut::MarkedBothWays);
        if both > 0 {
            let text = format!(
                "{} known not to be wanted {} the content of an example, which counts; mend one of the two marks",
                rows(both),
                if both == 1 { "has" } else { "have" }
            );
            notes.push(Note::warning(&codes::MARKED_BOTH_WAYS, text).field("rows", both));
        }
        let teaches_nothing =
            self.count(WhyLeftOut::BlankUnwanted) + self.count(WhyLeftOut::RepeatedUnwanted);
        if teaches_nothing > 0 {
            let text = format!(
                "rows not wanted that are blank or have the content of another one were left out: {}",
                count(teaches_nothing)
            );
            notes.push(Note::info(&codes::COPIES_OF_UNWANTED, text).field("rows", teaches_nothing));
        }
        notes
    }
}

/// Why a pile is refused that says nothing but what examples say.
pub(super) fn nothing_but_copies() -> Error {
    let text = "every row of the pile has the content of a positive example; rank them all the same with ";
    let message = Message::new(&codes::COPIES_OF_EXAMPLES, text);
    Error::data(message.setting(KEEP_POSITIVES).text(", or add other rows"))
}

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
            (Input::Sparse, Some(sparse)) => Contents::Sparse(&sparse.x),
            (Input::Sparse, None) => Contents::Columns(Vec::new()),
            _ => {
                let columns = input.names().into_iter().map(|name| table.column(name));
                Contents::Columns(columns.collect::<Result<_>>()?)
            }
        })
    }

    /// What the examples of a problem say.
    pub fn of_examples(problem: &Problem) -> Result<BTreeSet<Vec<u8>>> {
        let Content::Table { table, input } = &problem.content else { return Ok(BTreeSet::new()) };
        let contents = Contents::of(table, input)?;
        let mut content = Vec::new();
        let mut known = BTreeSet::new();
        for row in (0..table.rows()).filter(|&row| problem.positive[row]) {
            if contents.write(row, &mut content) {
                known.insert(content.clone());
            }
        }
        Ok(known)
    }

    /// The content of a row as bytes, however a file spells it; false where there is none to compare.
    pub fn write(&self, row: usize, out: &mut Vec<u8>) -> bool {
        self.put(row, out, |cell, out| match spelled(cell) {
            Some(spelled) => out.extend_from_slice(spelled.as_bytes()),
            None => out.extend_from_slice(cell.as_bytes()),
        })
    }

    /// The same as the cells stand: keys of rows stay what they were in every version.
    pub fn write_as_is(&self, row: usize, out: &mut Vec<u8>) -> bool {
        self.put(row, out, |cell, out| out.extend_from_slice(cell.as_bytes()))
    }

    fn put(&self, row: usize, out: &mut Vec<u8>, put: impl Fn(&str, &mut Vec<u8>)) -> bool {
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
                    put(cell.trim(), out);
                    out.push(0);
                }
                any
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::ColumnChoice;
    use super::super::problem::tests::table;
    use super::*;

    #[test]
    fn equal_content_leaves_the_pile_and_equal_ids_do_not() {
        let like = table("like", &[("id", &["1", "2"]), ("text", &["refund", "money"])]);
        let pile = || table("pile", &[("id", &["1", "2", "3"]), ("text", &["parcel", "refund ", ""])]);
        let problem = Problem::of_two(like.clone(), pile(), &ColumnChoice::default()).unwrap();
        assert_eq!(problem.ids, ["1", "2", "1", "3"]);
        assert!(matches!(&problem.notes[..], [note] if note.to_string().starts_with("1 row of the pile")));
        let keep = ColumnChoice { keep_positives: true, ..ColumnChoice::default() };
        assert_eq!(Problem::of_two(like, pile(), &keep).unwrap().pile().len(), 3);
    }

    #[test]
    fn files_spell_one_row_in_several_ways() {
        let columns = |number: &'static str, truth: &'static str, date: &'static str| {
            table("t", &[("n", &[number, "x"]), ("b", &[truth, "x"]), ("d", &[date, "x"])])
        };
        let names = ["n", "b", "d"].map(String::from).to_vec();
        let choice = ColumnChoice { text: Some(names), ..ColumnChoice::default() };
        let pile = |like: Table| Problem::of_two(like, columns("1", "true", "2024-01-05T00:00:00"), &choice);
        let like = columns("1.0", "True", "2024-01-05").select(&[0]);
        assert_eq!(pile(like).unwrap().left_out.len(), 1);
        for other in [columns("1.5", "True", "2024-01-05"), columns("1", "true", "2024-01-05T00:00:00.5")] {
            assert_eq!(pile(other.select(&[0])).unwrap().left_out.len(), 0);
        }
    }

    #[test]
    fn an_example_is_shown_once_and_a_blank_one_never() {
        let like = table("like", &[("text", &["refund", "", "refund", "money"])]);
        let pile = table("pile", &[("text", &["parcel", ""])]);
        let problem = Problem::of_two(like.clone(), pile.clone(), &ColumnChoice::default()).unwrap();
        let keep = ColumnChoice { keep_positives: true, ..ColumnChoice::default() };
        assert_eq!(Problem::of_two(like, pile.clone(), &keep).unwrap().ids, ["1", "3", "4", "1", "2"]);
        assert_eq!(
            (problem.ids, problem.positive),
            (["1", "4", "1", "2"].iter().collect(), vec![true, true, false, false])
        );
        let notes = format!("{:?}", problem.notes);
        assert!(
            notes.contains("they are blank: 1") && notes.contains("another one has their content: 1"),
            "{notes}"
        );
        let blank = table("like", &[("text", &["", " "])]);
        let message = Problem::of_two(blank, pile, &ColumnChoice::default()).err().unwrap().to_string();
        assert!(message.contains("every example is blank"), "{message}");
    }

    #[test]
    fn what_is_not_wanted_leaves_the_pile_and_teaches_once() {
        let like = table("like", &[("text", &["refund", "money"])]);
        let unlike = table("unlike", &[("text", &["parcel", "money", "parcel ", "", "late"])]);
        let pile = table("pile", &[("text", &["late", "refund now", "lost parcel", ""])]);
        let choice = ColumnChoice { keep_positives: true, ..ColumnChoice::default() };
        let problem = Problem::of_three(like, Some(unlike), pile, &choice).unwrap();
        assert_eq!((problem.examples(), problem.known_negatives(), problem.pile().len()), (2, 2, 3));
        assert_eq!(problem.positions, [0, 1, 0, 4, 1, 2, 3]);
        let why: Vec<_> = problem.left_out.iter().map(|left| (left.position, left.reason)).collect();
        use WhyLeftOut::*;
        assert_eq!(
            why,
            [(1, MarkedBothWays), (2, RepeatedUnwanted), (3, BlankUnwanted), (0, CopyOfUnwanted)]
        );
        let told: Vec<&str> = problem.notes.iter().map(|note| note.message.code.name).collect();
        assert_eq!(told, ["copies-of-unwanted", "marked-both-ways", "copies-of-unwanted"]);
    }

    /// Two categories with few values, 3,000 rows: what is equal to an example is most of the pile.
    #[test]
    fn rows_of_few_values_are_no_copies() {
        let cells = |values: [&str; 3], step: usize| -> Column {
            Column::Text((0..3000).map(|i| values[i / step % 3]).collect())
        };
        let columns = vec![("a".into(), cells(["x", "y", "z"], 1)), ("b".into(), cells(["p", "q", "r"], 3))];
        let table = Table::from_columns(columns).unwrap();
        let choice = ColumnChoice { features: Some(vec!["all".into()]), ..ColumnChoice::default() };
        let marks: Vec<bool> = (0..3000).map(|i| i % 3 == 0 && i < 90).collect();
        let problem = Problem::of_marks(table.clone(), marks, None, &choice).unwrap();
        assert_eq!((problem.examples(), problem.pile().len()), (30, 2970));
        let said = problem.notes.iter().map(Note::to_string).collect::<Vec<_>>().join(" ");
        assert!(said.contains("970 rows of the pile") && said.contains("ranked all the same"), "{said}");
        // One example of one kind in nine, of which there are few others.
        let rare: Vec<usize> = (0..3000).filter(|i| i % 9 != 0 || *i < 30).collect();
        let marks = rare.iter().map(|&i| i == 0).collect();
        let problem = Problem::of_marks(table.select(&rare), marks, None, &choice).unwrap();
        assert_eq!(problem.left_out.len(), 3, "9, 18 and 27 are copies of row 0");
    }

    #[test]
    fn a_pile_of_copies_is_ranked_where_it_is_columns_and_refused_where_it_is_text() {
        let rows = |name: &str| table(name, &[("text", &["refund", "refund", "refund"])]);
        let message = Problem::of_two(rows("like"), rows("pile"), &ColumnChoice::default()).err().unwrap();
        assert!(message.to_string().contains("every row of the pile has the content"), "{message}");
        let columns = ColumnChoice { features: Some(vec!["text".into()]), ..ColumnChoice::default() };
        let problem = Problem::of_two(rows("like"), rows("pile"), &columns).unwrap();
        assert_eq!((problem.examples(), problem.pile().len()), (3, 3));
    }
}
