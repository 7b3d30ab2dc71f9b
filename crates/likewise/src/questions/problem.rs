//! Positives and pile brought together: which rows, which of them are marked, what is learned from.

use std::collections::BTreeSet;

use hashbrown::HashSet;
use serde::Serialize;

use super::columns::{ColumnChoice, ids, marked, repeated_ids};
use crate::codes;
use crate::data::{Column, Csr, Data, Kind, PuData, Table, check_unwanted};
use crate::error::{Error, Result};
use crate::features::Input;
use crate::figures::count;
use crate::message::{Message, Setting};
use crate::note::Note;
use crate::relations::Relational;

/// A problem ready to be learned from.
///
/// ```
/// use likewise::prelude::*;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund please", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// assert_eq!((problem.examples(), problem.pile().len()), (3, 3));
/// assert_eq!(problem.left_out[0].position, 1); // it says what an example says
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Problem {
    /// What the rows are.
    pub content: Content,
    /// Which rows are examples; all others are the pile, or known not to be wanted.
    pub positive: Vec<bool>,
    /// Which rows are known not to be wanted: they teach, and are no part of the pile.
    pub unwanted: Vec<bool>,
    /// What the user calls each row.
    pub ids: Vec<String>,
    /// Where each row stands in the user's own input, counted from 0: an example among the examples, a row of the
    /// pile in the pile, and each in the one table that holds them all.
    pub positions: Vec<usize>,
    /// What was given and is not here.
    pub left_out: Vec<LeftOut>,
    /// What the user should know of it.
    pub notes: Vec<Note>,
}

/// What the rows of a problem are.
pub enum Content {
    /// Rows of a table, of which some columns are learned from.
    Table {
        /// Examples and pile together.
        table: Box<Table>,
        /// What of it is learned from.
        input: Input,
    },
    /// Examples among related tables or facts.
    Related(Relational),
}

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

const KEEP_POSITIVES: Setting = Setting::flag("keep_positives");

impl Problem {
    /// Positives in one table, the pile in another.
    pub fn of_two(like: Table, pile: Table, choice: &ColumnChoice) -> Result<Problem> {
        Problem::of_three(like, None, pile, choice)
    }

    /// Positives in one table, rows known not to be wanted in another, the pile in a third.
    pub fn of_three(
        like: Table,
        unlike: Option<Table>,
        pile: Table,
        choice: &ColumnChoice,
    ) -> Result<Problem> {
        let mut ids = ids(&like, choice.id.as_deref(), 0)?;
        let of_pile = self::ids(&pile, choice.id.as_deref(), 0)?;
        let notes = repeated_ids(&pile, &of_pile, choice.id.as_deref()).into_iter().collect();
        let input = choice.input(&pile, None)?;
        choice.input(&like, None)?;
        let (labelled, mut marked) = (like.rows(), like.rows());
        let mut positions: Vec<usize> = (0..labelled).collect();
        let mut table = like;
        if let Some(unlike) = unlike {
            choice.input(&unlike, None)?;
            ids.extend(self::ids(&unlike, choice.id.as_deref(), 0)?);
            positions.extend(0..unlike.rows());
            marked += unlike.rows();
            table.append(unlike)?;
        }
        ids.extend(of_pile);
        positions.extend(0..pile.rows());
        table.append(pile)?;
        let positive = (0..table.rows()).map(|row| row < labelled).collect();
        let unwanted = (0..table.rows()).map(|row| (labelled..marked).contains(&row)).collect();
        let content = Content::Table { table: Box::new(table), input };
        let problem = Problem { content, positive, unwanted, ids, positions, left_out: Vec::new(), notes };
        problem.without_copies(choice.keep_positives)
    }

    /// One table: rows whose label equals one of the values are positives, all others the pile.
    pub fn of_label<S: AsRef<str>>(
        table: Table,
        label: &str,
        values: &[S],
        choice: &ColumnChoice,
    ) -> Result<Problem> {
        Problem::of_values(table, label, values, &[], choice)
    }

    /// The same where rows with one of the values of `negative` are known not to be wanted.
    pub fn of_values<S: AsRef<str>>(
        table: Table,
        label: &str,
        positive: &[S],
        negative: &[S],
        choice: &ColumnChoice,
    ) -> Result<Problem> {
        let wanted = marked(&table, label, positive)?;
        let unwanted = marked(&table, label, negative)?;
        check_unwanted(&wanted, &unwanted)?;
        let problem = Problem::of_rows(table, wanted, Some(label), choice)?;
        Problem { unwanted, ..problem }.without_copies(choice.keep_positives)
    }

    /// One table, and which of its rows are positives. What `label` names is no feature.
    pub fn of_marks(
        table: Table,
        positive: Vec<bool>,
        label: Option<&str>,
        choice: &ColumnChoice,
    ) -> Result<Problem> {
        Problem::of_rows(table, positive, label, choice)?.without_copies(choice.keep_positives)
    }

    fn of_rows(
        table: Table,
        positive: Vec<bool>,
        label: Option<&str>,
        choice: &ColumnChoice,
    ) -> Result<Problem> {
        let ids = ids(&table, choice.id.as_deref(), 0)?;
        let notes = repeated_ids(&table, &ids, choice.id.as_deref()).into_iter().collect();
        let input = choice.input(&table, label)?;
        Ok(Problem::of_parts(table, input, positive, ids, notes))
    }

    /// The same where it is known already what is learned from.
    pub fn of_input(
        table: Table,
        input: Input,
        positive: Vec<bool>,
        keep_positives: bool,
    ) -> Result<Problem> {
        let ids = ids(&table, None, 0)?;
        Problem::of_parts(table, input, positive, ids, Vec::new()).without_copies(keep_positives)
    }

    fn of_parts(
        table: Table,
        input: Input,
        positive: Vec<bool>,
        ids: Vec<String>,
        notes: Vec<Note>,
    ) -> Problem {
        let positions = (0..table.rows()).collect();
        let content = Content::Table { table: Box::new(table), input };
        let unwanted = vec![false; positive.len()];
        Problem { content, positive, unwanted, ids, positions, left_out: Vec::new(), notes }
    }

    /// Rows that a sample of a larger pile holds, with their names and places in the whole.
    pub(super) fn of_sample(
        table: Table,
        input: Input,
        positive: Vec<bool>,
        ids: Vec<String>,
        positions: Vec<usize>,
        notes: Vec<Note>,
        keep_positives: bool,
    ) -> Result<Problem> {
        let parts = Problem::of_parts(table, input, positive, ids, notes);
        Problem { positions, ..parts }.without_copies(keep_positives)
    }

    /// Examples among related tables or facts, which are told apart by what they point at and never copies.
    pub fn of_related(x: Relational, positive: Vec<bool>, ids: Vec<String>, notes: Vec<Note>) -> Problem {
        let positions = (0..ids.len()).collect();
        let (content, unwanted) = (Content::Related(x), vec![false; positive.len()]);
        Problem { content, positive, unwanted, ids, positions, left_out: Vec::new(), notes }
    }

    /// Leaves out what teaches nothing or is found already: examples without content and, unless copies are kept,
    /// copies among the examples and rows of the pile that say what an example says. An equal id alone is no
    /// reason, since two files may number their rows alike.
    fn without_copies(mut self, keep: bool) -> Result<Problem> {
        let Content::Table { table, input } = &self.content else { return Ok(self) };
        let contents = Contents::of(table, input)?;
        let mut content = Vec::new();
        let mut known: HashSet<Vec<u8>, foldhash::fast::FixedState> = HashSet::default();
        let mut copies = 0;
        let mut leaves: Vec<Option<WhyLeftOut>> = vec![None; table.rows()];
        for row in (0..table.rows()).filter(|&row| self.positive[row]) {
            let says_something = contents.write(row, &mut content);
            // Since copies leave the pile, its positives have no twin among the examples. One that is hidden must
            // not have one either: it would be found by its twin, and whatever rests on hiding would flatter.
            let copy = says_something && !known.insert(content.clone());
            leaves[row] = match (says_something, copy && !keep) {
                (false, _) => Some(WhyLeftOut::BlankExample),
                (true, true) => Some(WhyLeftOut::RepeatedExample),
                (true, false) => None,
            };
        }
        let of = |leaves: &[Option<WhyLeftOut>], why| leaves.iter().filter(|l| **l == Some(why)).count();
        let (blank, repeated) =
            (of(&leaves, WhyLeftOut::BlankExample), of(&leaves, WhyLeftOut::RepeatedExample));
        if known.is_empty() && blank > 0 {
            return Err(Error::of(
                &codes::BLANK_EXAMPLES,
                "every example is blank; give examples that hold something to learn from",
            ));
        }
        let mut refused: HashSet<Vec<u8>, foldhash::fast::FixedState> = HashSet::default();
        for row in (0..table.rows()).filter(|&row| self.unwanted[row]) {
            leaves[row] = match contents.write(row, &mut content) {
                false => Some(WhyLeftOut::BlankUnwanted),
                true if known.contains(&content) => Some(WhyLeftOut::MarkedBothWays),
                true if !refused.insert(content.clone()) => Some(WhyLeftOut::RepeatedUnwanted),
                true => None,
            };
        }
        for row in (0..table.rows()).filter(|&row| !self.positive[row] && !self.unwanted[row]) {
            if contents.write(row, &mut content) && known.contains(&content) {
                copies += 1;
                leaves[row] = (!keep).then_some(WhyLeftOut::CopyOfExample);
            } else if refused.contains(&content) {
                leaves[row] = Some(WhyLeftOut::CopyOfUnwanted);
            }
        }
        let left_out = |code, rows: usize, why: &str| {
            let text = format!("examples left out because {why}: {}", count(rows));
            Note::warning(code, text).field("rows", rows)
        };
        let mut notes = Vec::new();
        if blank > 0 {
            notes.push(left_out(&codes::BLANK_EXAMPLES, blank, "they are blank"));
        }
        if repeated > 0 {
            notes.push(left_out(&codes::REPEATED_EXAMPLES, repeated, "another one has their content"));
        }
        if copies > 0 {
            notes.push(copies_of_examples(copies, keep));
        }
        let of = |why| of(&leaves, why);
        let (refused, both) = (of(WhyLeftOut::CopyOfUnwanted), of(WhyLeftOut::MarkedBothWays));
        let teaches_nothing = of(WhyLeftOut::BlankUnwanted) + of(WhyLeftOut::RepeatedUnwanted);
        if refused > 0 {
            let have = if refused == 1 { "row of the pile has" } else { "rows of the pile have" };
            let text = format!(
                "{} {have} the content of a row known not to be wanted: left out of the ranking",
                count(refused)
            );
            notes.push(Note::warning(&codes::COPIES_OF_UNWANTED, text).field("rows", refused));
        }
        if both > 0 {
            let text = format!(
                "{} rows are marked both ways: those given as not wanted have the content of an example, which counts; mend one of the two",
                count(both)
            );
            notes.push(Note::warning(&codes::MARKED_BOTH_WAYS, text).field("rows", both));
        }
        if teaches_nothing > 0 {
            let text = format!(
                "rows not wanted that are blank or have the content of another one were left out: {}",
                count(teaches_nothing)
            );
            notes.push(Note::info(&codes::COPIES_OF_UNWANTED, text).field("rows", teaches_nothing));
        }
        let kept: Vec<usize> = (0..table.rows()).filter(|&row| leaves[row].is_none()).collect();
        if kept.len() < table.rows() {
            if copies > 0 && kept.iter().all(|&row| self.positive[row] || self.unwanted[row]) {
                let text = "every row of the pile has the content of a positive example; rank them all the same with ";
                let message = Message::new(&codes::COPIES_OF_EXAMPLES, text);
                return Err(Error::data(message.setting(KEEP_POSITIVES).text(", or add other rows")));
            }
            self.left_out = (leaves.iter().enumerate())
                .filter_map(|(row, why)| {
                    let (id, position) = (self.ids[row].clone(), self.positions[row]);
                    Some(LeftOut { id, position, example: self.positive[row], reason: (*why)? })
                })
                .collect();
            if let Content::Table { table, .. } = &mut self.content {
                table.keep(&kept);
            }
            self.positive = kept.iter().map(|&row| self.positive[row]).collect();
            self.unwanted = kept.iter().map(|&row| self.unwanted[row]).collect();
            self.ids = kept.iter().map(|&row| std::mem::take(&mut self.ids[row])).collect();
            self.positions = kept.iter().map(|&row| self.positions[row]).collect();
        }
        self.notes.extend(notes);
        Ok(self)
    }

    /// The kind of rows that methods get.
    pub fn kind(&self) -> Kind {
        match &self.content {
            Content::Table { input: Input::Columns(_), .. } => Kind::Dense,
            Content::Table { input: Input::Text(_) | Input::Sparse, .. } => Kind::Sparse,
            Content::Related(_) => Kind::Relational,
        }
    }

    /// How many rows are examples.
    pub fn examples(&self) -> usize {
        self.positive.iter().filter(|positive| **positive).count()
    }

    /// How many rows are known not to be wanted.
    pub fn known_negatives(&self) -> usize {
        self.unwanted.iter().filter(|unwanted| **unwanted).count()
    }

    /// These rows under some features, with the marks of this problem.
    pub fn train(&self, x: Data) -> Result<PuData> {
        PuData::new(x, self.positive.clone())?.with_unwanted(self.unwanted.clone())
    }

    /// The table of the rows, where they are rows of one.
    pub fn table(&self) -> Option<&Table> {
        match &self.content {
            Content::Table { table, .. } => Some(table.as_ref()),
            Content::Related(_) => None,
        }
    }

    /// The text columns that are learned from.
    pub fn text_columns(&self) -> &[String] {
        match &self.content {
            Content::Table { input: Input::Text(names), .. } => names,
            _ => &[],
        }
    }

    /// A row at a glance: its text, or its features.
    pub fn glance(&self, row: usize) -> String {
        let Content::Table { table, input } = &self.content else { return String::new() };
        glance(table, input, row)
    }

    /// The rows to rank.
    pub fn pile(&self) -> Vec<usize> {
        (0..self.positive.len()).filter(|&row| !self.positive[row] && !self.unwanted[row]).collect()
    }
}

/// A row of a table at a glance.
pub(super) fn glance(table: &Table, input: &Input, row: usize) -> String {
    let cell = |name: &String| table.get(name).map(|c| c.cell(row).into_owned()).unwrap_or_default();
    let parts: Vec<String> = match input {
        Input::Text(names) => names.iter().map(cell).collect(),
        Input::Columns(names) => names.iter().map(|name| format!("{name}={}", cell(name))).collect(),
        Input::Sparse => Vec::new(),
    };
    parts.join(" ")
}

pub(super) fn copies_of_examples(rows: usize, keep: bool) -> Note {
    let have = if rows == 1 { "row of the pile has" } else { "rows of the pile have" };
    let text = format!("{} {have} the content of a positive example: ", count(rows));
    let message = Message::new(&codes::COPIES_OF_EXAMPLES, text).field("rows", rows).field("ranked", keep);
    Note::warn(match keep {
        true => message.text("ranked all the same"),
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
            (Input::Text(names) | Input::Columns(names), _) => {
                Contents::Columns(names.iter().map(|name| table.column(name)).collect::<Result<_>>()?)
            }
            (Input::Sparse, Some(sparse)) => Contents::Sparse(&sparse.x),
            (Input::Sparse, None) => Contents::Columns(Vec::new()),
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
        let problem = Problem::of_two(like.clone(), pile(), &ColumnChoice::default()).unwrap();
        assert_eq!(problem.ids, ["1", "2", "1", "3"]);
        assert!(matches!(&problem.notes[..], [note] if note.to_string().starts_with("1 row of the pile")));
        let keep = ColumnChoice { keep_positives: true, ..ColumnChoice::default() };
        assert_eq!(Problem::of_two(like, pile(), &keep).unwrap().pile().len(), 3);
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
            (["1", "4", "1", "2"].map(String::from).to_vec(), vec![true, true, false, false])
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

    #[test]
    fn one_column_can_mark_both_ways() {
        let rows = || table("all", &[("text", &["a", "b", "c", "d"]), ("y", &["yes", "no", "", "yes"])]);
        let choice = ColumnChoice::default();
        let problem = Problem::of_values(rows(), "y", &["yes"], &["no"], &choice).unwrap();
        assert_eq!((problem.examples(), problem.known_negatives(), problem.pile()), (2, 1, vec![2]));
        let refused = |negative: &[&str]| {
            let problem = Problem::of_values(rows(), "y", &["yes"], negative, &ColumnChoice::default());
            problem.err().unwrap().to_string()
        };
        assert!(refused(&["yes"]).contains("row 1 is marked as wanted and as not wanted"));
        assert!(refused(&["maybe"]).contains("no row has `maybe`"));
    }

    #[test]
    fn a_value_that_no_row_has_is_answered_with_those_there_are() {
        let all = table("all", &[("text", &["a", "b"]), ("status", &["open", "done"])]);
        let message = Problem::of_label(all, "status", &["refund"], &ColumnChoice::default())
            .err()
            .unwrap()
            .to_string();
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
        let choice = ColumnChoice { features: Some(vec!["all".into()]), ..ColumnChoice::default() };
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
