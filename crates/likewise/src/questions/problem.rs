//! Positives and pile brought together: which rows, which of them are marked, what is learned from.

use super::columns::{ColumnChoice, ids, repeated_ids};
use super::copies::LeftOut;
use super::label::marked;
use crate::data::{Data, Kind, PuData, Table, Texts, check_unwanted};
use crate::error::Result;
use crate::features::{Features, Input};
use crate::methods::prior::{PART_OF_PILE, rows_of_part};
use crate::note::Note;
use crate::relations::Relational;
use crate::run::Run;

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
    pub ids: Texts,
    /// Where each row stands in the user's own input, counted from 0: an example among the examples, a row of the
    /// pile in the pile, and each in the one table that holds them all.
    pub positions: Vec<usize>,
    /// What was given and is not here.
    pub left_out: Vec<LeftOut>,
    /// What the user should know of it.
    pub notes: Vec<Note>,
    /// Whether rows with the content of a marked one are ordinary here, and stayed.
    pub(super) alike: bool,
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
        let mut notes: Vec<Note> = repeated_ids(&pile, &of_pile, choice.id.as_deref()).into_iter().collect();
        let tables = [Some(&like), unlike.as_ref(), Some(&pile)];
        let one_sided = columns_of_some(tables.into_iter().flatten(), choice)?;
        let tables: Vec<&Table> = tables.into_iter().flatten().collect();
        notes.extend(choice.unused(&tables, None));
        let (labelled, mut marked) = (like.rows(), like.rows());
        let mut positions: Vec<usize> = (0..labelled).collect();
        let mut table = like;
        if let Some(unlike) = unlike {
            ids.append(self::ids(&unlike, choice.id.as_deref(), 0)?);
            positions.extend(0..unlike.rows());
            marked += unlike.rows();
            table.append(unlike)?;
        }
        ids.append(of_pile);
        positions.extend(0..pile.rows());
        table.append(pile)?;
        let input = match one_sided {
            Some(one_sided) => {
                let (input, taken) = choice.look(&table, None, &one_sided)?;
                notes.push(taken);
                input
            }
            None => {
                notes.extend(choice.left_out_of_all(&table, None));
                choice.input(&table, None)?
            }
        };
        let positive = (0..table.rows()).map(|row| row < labelled).collect();
        let unwanted = (0..table.rows()).map(|row| (labelled..marked).contains(&row)).collect();
        let content = Content::Table { table: Box::new(table), input };
        let problem = Problem {
            content,
            positive,
            unwanted,
            ids,
            positions,
            left_out: Vec::new(),
            notes,
            alike: false,
        };
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
        let unwanted = vec![false; positive.len()];
        Problem::of_both_marks(table, positive, unwanted, label, choice)
    }

    /// The same where some rows are known not to be wanted.
    pub fn of_both_marks(
        table: Table,
        positive: Vec<bool>,
        unwanted: Vec<bool>,
        label: Option<&str>,
        choice: &ColumnChoice,
    ) -> Result<Problem> {
        let problem = Problem::of_rows(table, positive, label, choice)?;
        Problem { unwanted, ..problem }.without_copies(choice.keep_positives)
    }

    fn of_rows(
        table: Table,
        positive: Vec<bool>,
        label: Option<&str>,
        choice: &ColumnChoice,
    ) -> Result<Problem> {
        let ids = ids(&table, choice.id.as_deref(), 0)?;
        let notes = repeated_ids(&table, &ids, choice.id.as_deref());
        let (input, taken) = choice.looked(&table, label)?;
        let notes = notes.into_iter().chain(taken).collect();
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

    fn of_parts(table: Table, input: Input, positive: Vec<bool>, ids: Texts, notes: Vec<Note>) -> Problem {
        let positions = (0..table.rows()).collect();
        let content = Content::Table { table: Box::new(table), input };
        let unwanted = vec![false; positive.len()];
        Problem { content, positive, unwanted, ids, positions, left_out: Vec::new(), notes, alike: false }
    }

    /// Rows that a sample of a larger pile holds, with their names and places in the whole.
    pub(super) fn of_sample(
        table: Table,
        input: Input,
        positive: Vec<bool>,
        ids: Texts,
        positions: Vec<usize>,
        notes: Vec<Note>,
        keep_positives: bool,
    ) -> Result<Problem> {
        let parts = Problem::of_parts(table, input, positive, ids, notes);
        Problem { positions, ..parts }.without_copies(keep_positives)
    }

    /// Examples among related tables or facts, which are told apart by what they point at and never copies.
    pub fn of_related(x: Relational, positive: Vec<bool>, ids: Texts, notes: Vec<Note>) -> Problem {
        let positions = (0..ids.len()).collect();
        let (content, unwanted) = (Content::Related(x), vec![false; positive.len()]);
        Problem { content, positive, unwanted, ids, positions, left_out: Vec::new(), notes, alike: false }
    }

    /// The same where some rows are known not to be wanted, which are then no part of the pile.
    pub fn with_unwanted(self, unwanted: Vec<bool>) -> Problem {
        Problem { unwanted, ..self }
    }

    /// The kind of rows that methods get.
    pub fn kind(&self) -> Kind {
        match &self.content {
            Content::Table { input: Input::Columns(_), .. } => Kind::Dense,
            Content::Table { input: Input::Vectors(_) | Input::Embedded(_), .. } => Kind::Vectors,
            Content::Table { input: Input::Text(_) | Input::Sparse | Input::Joined(_), .. } => Kind::Sparse,
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

    /// All marked rows with a part of the pile, where it is so large that a part of it tells as much.
    pub(super) fn part(&self, run: &Run) -> Option<Problem> {
        let Content::Table { table, input } = &self.content else { return None };
        let rows = rows_of_part(&self.positive, &self.unwanted, PART_OF_PILE, run)?;
        let of = |marks: &[bool]| rows.iter().map(|&row| marks[row]).collect::<Vec<bool>>();
        Some(Problem {
            content: Content::Table { table: Box::new(table.select(&rows)), input: input.clone() },
            positive: of(&self.positive),
            unwanted: of(&self.unwanted),
            ids: self.ids.select(&rows),
            positions: rows.iter().map(|&row| self.positions[row]).collect(),
            left_out: Vec::new(),
            notes: Vec::new(),
            alike: self.alike,
        })
    }

    /// The examples and what they are called, where vectors are among the features.
    pub(super) fn examples_with_vectors(&self, features: &Features) -> Option<(Table, Texts)> {
        let table = self.table().filter(|_| features.has_vectors())?;
        let rows: Vec<usize> = (0..self.positive.len()).filter(|&row| self.positive[row]).collect();
        Some((table.select(&rows), self.ids.select(&rows)))
    }

    /// The text columns that are learned from.
    pub fn text_columns(&self) -> &[String] {
        match &self.content {
            Content::Table { input, .. } => input.text_names(),
            Content::Related(_) => &[],
        }
    }

    /// A row at a glance: its text, its features, or what its own table says of it.
    pub fn glance(&self, row: usize) -> String {
        match &self.content {
            Content::Table { table, input } => glance(table, input, row),
            Content::Related(x) => x.glance(row),
        }
    }

    /// The rows to rank.
    pub fn pile(&self) -> Vec<usize> {
        (0..self.positive.len()).filter(|&row| !self.positive[row] && !self.unwanted[row]).collect()
    }
}

/// A row of a table at a glance.
pub(super) fn glance(table: &Table, input: &Input, row: usize) -> String {
    let cell = |name: &String| table.get(name).map(|c| c.cell(row).into_owned()).unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    for part in input.parts() {
        match part {
            Input::Text(names) => parts.extend(names.iter().map(cell)),
            Input::Columns(names) => parts.extend(names.iter().map(|name| format!("{name}={}", cell(name)))),
            Input::Sparse | Input::Vectors(_) | Input::Embedded(_) | Input::Joined(_) => {}
        }
    }
    parts.join(" ")
}

/// Where nothing is named and the columns must be looked at: those that only some of the inputs have. They are left
/// out, since they would tell where a row comes from.
pub(super) fn columns_of_some<'a>(
    tables: impl Iterator<Item = &'a Table>,
    choice: &ColumnChoice,
) -> Result<Option<Vec<String>>> {
    let tables: Vec<&Table> = tables.collect();
    choice.check_except(&tables)?;
    if !tables.iter().any(|table| choice.looks_at(table)) {
        tables.iter().try_for_each(|table| choice.input(table, None).map(|_| ()))?;
        return Ok(None);
    }
    if !tables.iter().all(|table| choice.looks_at(table)) {
        // One of them has the text: so must the others.
        let named = ColumnChoice { text: Some(vec!["text".into()]), ..ColumnChoice::default() };
        tables.iter().try_for_each(|table| named.input(table, None).map(|_| ()))?;
    }
    let mut alone: Vec<String> = Vec::new();
    for name in tables.iter().flat_map(|table| table.column_names()) {
        if !alone.contains(name) && tables.iter().any(|table| table.get(name).is_none()) {
            alone.push(name.clone());
        }
    }
    Ok(Some(alone))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::Column;

    pub fn table(source: &str, columns: &[(&str, &[&str])]) -> Table {
        let mut table = Table::from_source(source);
        for (name, cells) in columns {
            table.push_column(*name, Column::Text(cells.iter().collect()));
        }
        table.origins = (0..columns[0].1.len()).map(|i| (0, i as u64 + 1)).collect();
        table
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
    fn text_columns_and_vectors_are_learned_from_together() {
        let all = table("all", &[("body", &["a"]), ("age", &["1"]), ("town", &["x"]), ("y", &["1"])]);
        let choice = ColumnChoice {
            text: Some(vec!["body".into()]),
            features: Some(vec!["all".into()]),
            except: vec!["town".into()],
            ..ColumnChoice::default()
        };
        let input = choice.input(&all, Some("y")).unwrap();
        assert_eq!(input, Input::blocks(vec!["body".into()], vec!["age".into()], Vec::new()));
        let wrong = ColumnChoice { except: vec!["twon".into()], ..choice };
        assert!(wrong.input(&all, Some("y")).unwrap_err().to_string().contains("did you mean `town`"));
        let twice = ColumnChoice {
            text: Some(vec!["body".into()]),
            features: Some(vec!["body".into()]),
            ..ColumnChoice::default()
        };
        assert!(twice.input(&all, None).unwrap_err().to_string().contains("name it once"));
    }

    #[test]
    fn where_nothing_is_named_the_columns_are_looked_at() {
        let like = table(
            "like",
            &[("body", &["money back now please", "a refund of it please"]), ("x", &["1", "2"])],
        );
        let many: Vec<String> = (0..30).map(|i| format!("parcel {i} is late again")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let pile = table("pile", &[("body", &many), ("only", &many)]);
        let problem = Problem::of_two(like, pile, &ColumnChoice::default()).unwrap();
        assert_eq!(problem.text_columns(), ["body"]);
        let said = problem.notes[0].to_string();
        assert_eq!(said, "text: body; left out: x, only (only one of the inputs has it)");
    }

    #[test]
    fn a_misspelt_column_to_leave_out_is_refused_also_where_the_columns_are_looked_at() {
        let rows =
            || table("rows", &[("body", &["money back now please", "a refund"]), ("created", &["1", "2"])]);
        let choice = ColumnChoice { except: vec!["crated".into()], ..ColumnChoice::default() };
        let refused = Problem::of_two(rows(), rows(), &choice).err().unwrap().to_string();
        assert!(refused.contains("did you mean `created`"), "{refused}");
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
