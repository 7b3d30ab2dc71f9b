//! Look: what are the columns of a table, and which of them carry something?
//!
//! Long texts are text, few distinct values are categories, numbers are numbers, ISO dates are dates, lists of equal
//! length are vectors. Unique short strings and running numbers name rows and say nothing of them; a column that is the
//! same everywhere says nothing either.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashSet;
use serde::Serialize;

use crate::codes;
use crate::data::{Column, Table};
use crate::error::Error;
use crate::features::Input;
use crate::features::cells::{
    Meant, Odd, date_numbers, is_missing, meant, number_with_commas, numbers, spelled,
};
use crate::features::dates::DatePart;
use crate::features::fields::MOST_LEVELS;
use crate::features::numerals::Decimals;
use crate::features::vectors::odd_vector;
use crate::figures::count;
use crate::note::Note;

/// What a column is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TakenFor {
    /// Documents.
    Text,
    /// Numbers.
    Number,
    /// One of a few values, truth values too.
    Category,
    /// Dates and times.
    Date,
    /// Embeddings.
    Vectors,
    /// Nothing to learn from.
    LeftOut,
}

impl TakenFor {
    /// As a person reads it.
    pub fn name(self) -> &'static str {
        match self {
            TakenFor::Text => "text",
            TakenFor::Number => "numbers",
            TakenFor::Category => "category",
            TakenFor::Date => "date",
            TakenFor::Vectors => "vectors",
            TakenFor::LeftOut => "left out",
        }
    }
}

/// One column, as it was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeenColumn {
    /// What it is called.
    pub column: String,
    /// What it is taken for.
    pub kind: TakenFor,
    /// Cells without content.
    pub missing: usize,
    /// Different values among the others.
    pub distinct: usize,
    /// The first few different values.
    pub examples: Vec<String>,
    /// Why it is taken for that.
    pub why: String,
}

/// Columns that are not to be learned from, whatever they hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Roles<'a> {
    /// What rows are called.
    pub id: Option<&'a str>,
    /// What marks examples, or names classes.
    pub label: Option<&'a str>,
    /// What the user does not want.
    pub except: &'a [String],
    /// What only one of several inputs has: it would tell where a row comes from.
    pub one_sided: &'a [String],
    /// The text that is learned from alone.
    pub alone: Option<&'a str>,
}

impl Roles<'_> {
    fn of(&self, name: &str) -> Option<&'static str> {
        let named = [(self.id, "the id"), (self.label, "the label")];
        let role = named.into_iter().find(|(column, _)| *column == Some(name)).map(|(_, role)| role);
        let listed = |names: &[String], role| names.iter().any(|left| left == name).then_some(role);
        let role = role.or_else(|| listed(self.except, "not wanted"));
        role.or_else(|| listed(self.one_sided, "only one of the inputs has it"))
    }
}

/// All columns of a table.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::look::{self, TakenFor, Roles};
/// let columns = vec![
///     ("amount".to_string(), Column::Number(vec![3.0, 7.5, 3.0])),
///     ("country".to_string(), Column::Text(["FR", "DE", "FR"].iter().collect())),
/// ];
/// let seen = look::at(&Table::from_columns(columns)?, Roles::default());
/// assert_eq!(seen.iter().map(|s| s.kind).collect::<Vec<_>>(), [TakenFor::Number, TakenFor::Category]);
/// # Ok::<(), likewise::Error>(())
/// ```
pub fn at(table: &Table, roles: Roles<'_>) -> Vec<SeenColumn> {
    (table.columns())
        .map(|(name, column)| {
            let mut cells = Cells::of(column);
            let (kind, why) = match (roles.of(name), roles.alone) {
                (Some(role), _) => (TakenFor::LeftOut, role.to_string()),
                (None, Some(text)) if text == name => (TakenFor::Text, "learned from alone".into()),
                (None, alone) => match (kind_of(table, name, column, &mut cells), alone) {
                    ((kind, _), Some(text)) if kind != TakenFor::LeftOut => {
                        (TakenFor::LeftOut, format!("{}, not used beside `{text}`", kind.name()))
                    }
                    (own, _) => own,
                },
            };
            let (missing, distinct) = cells.counted_as(kind);
            SeenColumn { column: name.into(), kind, missing, distinct, examples: cells.examples, why }
        })
        .collect()
}

/// Whether a column would be taken for text, whatever its role.
pub(super) fn is_text(table: &Table, name: &str, column: &Column) -> bool {
    kind_of(table, name, column, &mut Cells::of(column)).0 == TakenFor::Text
}

/// The first cell that is no vector in a column that is meant to hold some: to leave it out, or to take it for words,
/// would be to learn from less than what was given.
pub(super) fn odd_cell(table: &Table, roles: Roles<'_>) -> Option<Error> {
    let free = table.column_names().iter().filter(|name| roles.of(name).is_none());
    free.filter_map(|name| odd_vector(table, name)).next()
}

/// What is learned from where nobody says: all columns that carry something.
pub fn input(seen: &[SeenColumn]) -> Input {
    let named = |kinds: &[TakenFor]| {
        seen.iter().filter(|s| kinds.contains(&s.kind)).map(|s| s.column.clone()).collect::<Vec<_>>()
    };
    let columns = named(&[TakenFor::Number, TakenFor::Category, TakenFor::Date]);
    Input::blocks(named(&[TakenFor::Text]), columns, named(&[TakenFor::Vectors]))
}

/// What each column was taken for, in one line.
pub fn line(seen: &[SeenColumn]) -> String {
    use TakenFor::{Category, Date, LeftOut, Number, Text, Vectors};
    let mut parts = Vec::new();
    for kind in [Text, Number, Category, Date, Vectors, LeftOut] {
        let of_kind: Vec<&SeenColumn> = seen.iter().filter(|s| s.kind == kind).collect();
        // Columns side by side that are left out for one reason share it.
        let named: Vec<String> = (of_kind.chunk_by(|a, b| kind != LeftOut || a.why == b.why))
            .map(|alike| {
                let shown = alike.iter().take(MOST_NAMED).map(|s| s.column.as_str());
                let more = match alike.len().saturating_sub(MOST_NAMED) {
                    0 => String::new(),
                    more => format!(" and {} more", count(more)),
                };
                let why = if kind == LeftOut { format!(" ({})", alike[0].why) } else { String::new() };
                format!("{}{more}{why}", shown.collect::<Vec<_>>().join(", "))
            })
            .collect();
        if !named.is_empty() {
            parts.push(format!("{}: {}", kind.name(), named.join(", ")));
        }
    }
    parts.join("; ")
}

/// Columns of one kind that the line names.
const MOST_NAMED: usize = 30;

/// The line as a note.
pub fn note(seen: &[SeenColumn]) -> Note {
    Note::info(&codes::COLUMNS_TAKEN, line(seen))
}

/// Different values that are shown, and how much of each.
const EXAMPLES: usize = 3;
const EXAMPLE_LENGTH: usize = 40;

/// What is counted of the cells of a column. Words for nothing, such as `NA`, do not say what a column is.
#[derive(Default)]
struct Cells {
    blank: usize,
    /// Cells with a word for nothing, and how many such words there are.
    nothing: usize,
    words_for_nothing: usize,
    filled: usize,
    distinct: usize,
    examples: Vec<String>,
    /// Words of all cells that are filled; two characters of a script without spaces count as one.
    words: usize,
    /// Words of each different value.
    words_of_distinct: Vec<usize>,
}

/// What is seen of a cell.
enum Cell {
    Blank,
    Nothing(u64),
    Filled(u64),
}

impl Cells {
    fn of(column: &Column) -> Cells {
        let hasher = foldhash::fast::FixedState::default();
        let mut seen: HashSet<u64, foldhash::fast::FixedState> = HashSet::default();
        let mut cells = Cells::default();
        for row in 0..column.len() {
            let words_before = cells.words;
            let cell = match column {
                Column::Vectors(x) if x.row(row).iter().all(|v| *v == 0.0) => Cell::Blank,
                Column::Vectors(x) => {
                    let mut state = hasher.build_hasher();
                    x.row(row).iter().for_each(|v| v.to_bits().hash(&mut state));
                    Cell::Filled(state.finish())
                }
                Column::Number(numbers) if numbers[row].is_nan() => Cell::Blank,
                Column::Number(numbers) => Cell::Filled(hasher.hash_one(numbers[row].to_bits())),
                Column::Text(texts) => {
                    let cell = texts.get(row).trim();
                    cells.words += words(cell);
                    match cell {
                        "" => Cell::Blank,
                        cell if is_missing(cell) => Cell::Nothing(hasher.hash_one(cell)),
                        cell => Cell::Filled(match spelled(cell) {
                            Some(spelled) => hasher.hash_one(spelled.as_str()),
                            None => hasher.hash_one(cell),
                        }),
                    }
                }
            };
            match cell {
                Cell::Blank => cells.blank += 1,
                Cell::Nothing(key) => {
                    cells.nothing += 1;
                    cells.words_for_nothing += usize::from(seen.insert(key));
                }
                Cell::Filled(key) => {
                    cells.filled += 1;
                    if seen.insert(key) {
                        cells.words_of_distinct.push(cells.words - words_before);
                        if cells.examples.len() < EXAMPLES {
                            cells.examples.push(shortened(&column.cell(row)));
                        }
                    }
                }
            }
        }
        cells.distinct = cells.words_of_distinct.len();
        cells
    }

    /// How many cells are missing, and how many different values the others have. In a category and in a text a word for
    /// nothing is a value like others.
    fn counted_as(&self, kind: TakenFor) -> (usize, usize) {
        match kind {
            TakenFor::Category | TakenFor::Text => (self.blank, self.distinct + self.words_for_nothing),
            _ => (self.blank + self.nothing, self.distinct),
        }
    }

    /// Whether the values that repeat are sentences: half of them have so many words, and they are more than anybody
    /// offers to choose from.
    fn are_sentences(&mut self) -> bool {
        let middle = self.words_of_distinct.len() / 2;
        self.distinct > MOST_CHOICES
            && *self.words_of_distinct.select_nth_unstable(middle).1 >= WORDS_OF_SENTENCE
    }
}

fn words(cell: &str) -> usize {
    let unspaced =
        cell.chars().filter(|c| matches!(u32::from(*c), 0x0E00..=0x0EFF | 0x3040..=0x9FFF)).count();
    cell.split_whitespace().count() + unspaced / 2
}

fn shortened(cell: &str) -> String {
    let line = cell.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXAMPLE_LENGTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Cells of so many words on the mean are sentences; names and codes have fewer.
const SENTENCE: f64 = 3.0;
/// Where values repeat, more is asked for: the answers of a form can be sentences too, but these are few; names of
/// products and places are many, but short.
const WORDS_OF_SENTENCE: usize = 5;
const MOST_CHOICES: usize = 40;

fn kind_of(table: &Table, name: &str, column: &Column, cells: &mut Cells) -> (TakenFor, String) {
    let left_out = |why: &str| (TakenFor::LeftOut, why.to_string());
    if cells.filled == 0 {
        return left_out("empty");
    }
    if cells.distinct == 1 {
        return left_out("the same everywhere");
    }
    if let Column::Vectors(x) = column {
        return (TakenFor::Vectors, format!("lists of {} numbers", x.cols));
    }
    if let Some(error) = odd_vector(table, name) {
        return left_out(&format!("nearly all vectors, but {error}"));
    }
    let declared = table.categories.contains(name);
    match meant(column).filter(|_| !declared) {
        Some(Meant::Dates) => {
            let odd = date_numbers(table, name, DatePart::Day).map(|days| days.odd).unwrap_or_default();
            return (TakenFor::Date, every_cell("a date", table, column, odd));
        }
        Some(Meant::Numbers(decimals)) => {
            let found = numbers(table, name, decimals).ok();
            let (values, odd) = found.map_or_else(Default::default, |found| (found.values, found.odd));
            if is_running(table, &values) {
                return left_out("a running number");
            }
            let what = match decimals {
                Decimals::Point => "a number",
                Decimals::Comma => "a number with a comma before its decimals",
            };
            return (TakenFor::Number, every_cell(what, table, column, odd));
        }
        None => {}
    }
    let commas = match number_with_commas(column) {
        Some(cell) => format!("; `{cell}` with its comma is no number"),
        None => String::new(),
    };
    let mean_words = cells.words as f64 / cells.filled as f64;
    let repeats = 2 * cells.distinct <= cells.filled && cells.distinct <= MOST_LEVELS;
    if declared && cells.distinct <= MOST_LEVELS && meant(column).is_some() {
        return (TakenFor::Category, "the data say that it is one".into());
    }
    if repeats && cells.are_sentences() {
        let why = format!("{mean_words:.0} words a cell; {} values repeat", count(cells.distinct));
        return (TakenFor::Text, why);
    }
    if repeats {
        return (TakenFor::Category, format!("{} values repeat{commas}", count(cells.distinct)));
    }
    if mean_words >= SENTENCE {
        return (TakenFor::Text, format!("{mean_words:.0} words a cell"));
    }
    if 10 * cells.distinct >= 9 * cells.filled && cells.filled > FEW {
        return left_out(&format!("an identifier{commas}"));
    }
    match cells.distinct <= MOST_LEVELS {
        true => (TakenFor::Category, format!("{} different values{commas}", count(cells.distinct))),
        false => left_out(&format!("too many values for a category, too short for a text{commas}")),
    }
}

/// What the cells are, but those that are not and count as missing.
fn every_cell(what: &str, table: &Table, column: &Column, odd: Odd) -> String {
    let Some(first) = odd.first else { return format!("every cell is {what}") };
    let cell = shortened(&column.cell(first));
    let place = table.place(first);
    format!(
        "nearly every cell is {what}; {} not, such as `{cell}` ({place}), count as missing",
        count(odd.cells)
    )
}

/// So few different cells say little of whether they name rows.
const FEW: usize = 10;

/// Whole numbers, every one larger than the one before in the same file: they name rows.
fn is_running(table: &Table, numbers: &[f64]) -> bool {
    let there: Vec<usize> = (0..numbers.len()).filter(|row| !numbers[*row].is_nan()).collect();
    let source = |row: usize| table.origins[row].0;
    let ascends = there
        .windows(2)
        .all(|pair| source(pair[0]) != source(pair[1]) || numbers[pair[1]] > numbers[pair[0]]);
    there.len() > FEW && ascends && there.iter().all(|row| numbers[*row].fract() == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    fn texts(cells: impl Iterator<Item = String>) -> Column {
        Column::Text(cells.collect())
    }

    fn table() -> Table {
        let rows = 0..40usize;
        Table::from_columns(vec![
            ("key".into(), texts(rows.clone().map(|i| format!("k{:x}", i * 7919)))),
            ("body".into(), texts(rows.clone().map(|i| format!("this is message number {i} of many")))),
            ("amount".into(), Column::Number(rows.clone().map(|i| (i * i % 17) as f64 + 0.5).collect())),
            (
                "age".into(),
                texts(rows.clone().map(|i| if i == 3 { String::new() } else { (i % 9).to_string() })),
            ),
            ("country".into(), texts(rows.clone().map(|i| ["FR", "DE", "IT"][i % 3].into()))),
            ("paid".into(), texts(rows.clone().map(|i| ["true", "False"][i % 2].into()))),
            ("created".into(), texts(rows.clone().map(|i| format!("2024-03-{:02}T10:00:00Z", i % 28 + 1)))),
            ("number".into(), Column::Number(rows.clone().map(|i| i as f64 + 100.0).collect())),
            ("source".into(), texts(rows.clone().map(|_| "web".into()))),
            ("gone".into(), texts(rows.clone().map(|_| String::new()))),
            (
                "odd".into(),
                texts(rows.clone().map(|i| if i == 5 { "x".into() } else { (i % 7).to_string() })),
            ),
            ("answer".into(), texts(rows.clone().map(|i| ["yes", "True", "true", "NA", ""][i % 5].into()))),
            ("chinese".into(), texts(rows.clone().map(|i| format!("我想退款谢谢你{i}")))),
            ("v".into(), Column::Vectors(Dense::new(40, 1, rows.map(|i| i as f32).collect()).unwrap())),
        ])
        .unwrap()
    }

    #[test]
    fn every_kind_is_told() {
        let except = ["age".to_string()];
        let seen = at(&table(), Roles { label: Some("paid"), except: &except, ..Roles::default() });
        assert_eq!(
            line(&seen),
            "text: body, chinese; numbers: amount, odd; category: country, answer; date: created; vectors: v; left out: \
             key (an identifier), age (not wanted), paid (the label), number (a running number), source (the same \
             everywhere), gone (empty)"
        );
        assert_eq!(
            seen[10].why,
            "nearly every cell is a number; 1 not, such as `x` (the rows:6), count as missing"
        );
        assert_eq!((seen[11].missing, seen[11].distinct), (8, 3), "{:?}", seen[11]);
        let age = &seen[3];
        assert_eq!(
            (age.missing, age.distinct, &age.examples[..]),
            (1, 9, &["0", "1", "2"].map(String::from)[..])
        );
        let input = input(&seen);
        assert_eq!(input.text_names(), ["body", "chinese"]);
        assert_eq!(input.names(), ["body", "chinese", "amount", "country", "created", "odd", "answer", "v"]);
    }

    #[test]
    fn sentences_that_repeat_are_text_and_answers_of_a_form_are_not() {
        let kind = |values: usize, cell: fn(usize) -> String| {
            let column = texts((0..600).map(|row| cell(row % values)));
            at(&Table::from_columns(vec![("c".into(), column)]).unwrap(), Roles::default())[0].kind
        };
        let sentence = |i| format!("please send the money back for order {i}");
        assert_eq!(kind(200, sentence), TakenFor::Text);
        assert_eq!(kind(7, sentence), TakenFor::Category);
        assert_eq!(kind(200, |i| format!("black shoes number {i}")), TakenFor::Category);
        assert_eq!(kind(200, |i| format!("我想退款谢谢你我的包裹{i}")), TakenFor::Text);
    }

    #[test]
    fn a_column_of_vectors_with_one_odd_cell_is_no_text() {
        let mut table = table();
        let cells = |odd: usize| {
            let cell = move |i: usize| if i == odd { "[1]".into() } else { format!("[{i}, 0.5, 2, 9]") };
            texts((0..40).map(cell))
        };
        table.push_column("w", cells(11));
        let seen = at(&table, Roles::default());
        assert!(seen[14].kind == TakenFor::LeftOut && seen[14].why.contains("the rows:12"), "{seen:?}");
        assert!(odd_cell(&table, Roles::default()).is_some());
        let except = ["w".to_string()];
        assert!(odd_cell(&table, Roles { except: &except, ..Roles::default() }).is_none());
    }

    #[test]
    fn beside_a_text_that_is_learned_from_alone_nothing_else_is() {
        let seen = at(&table(), Roles { alone: Some("body"), ..Roles::default() });
        assert_eq!(input(&seen), Input::Text(vec!["body".into()]));
        assert_eq!(seen[2].why, "numbers, not used beside `body`");
    }

    #[test]
    fn a_file_may_begin_its_numbers_anew() {
        let mut two = table();
        two.append(table().called("other")).unwrap();
        let seen = at(&two, Roles::default());
        assert_eq!(seen[7].why, "a running number");
    }
}
