//! Examples that no row or fact tells anything of: most likely a slip in a key, or the wrong column.

use likewise::codes;
use likewise::figures::count;
use likewise::message::Message;
use likewise::note::Note;
use likewise::relations::Target;

use super::Base;
use super::examples::ArgumentColumns;
use crate::error::Error;

/// The constants of the target's types before examples were read.
pub(super) struct Known {
    /// By argument of the target.
    sizes: Vec<usize>,
    /// Which of them are the key of a row, by argument of the target; none where rows have no key of their own.
    keyed: Vec<Option<Vec<bool>>>,
}

/// Examples that name something unknown.
struct Strangers {
    rows: Vec<usize>,
    /// The type of the first unknown argument, its constant, and how many of that type are known.
    of: u32,
    first: u32,
    known: usize,
}

impl Known {
    pub fn of(target: &Target, base: &Base) -> Known {
        let keyed = |t: &u32| {
            let keyed = base.keyed.get(*t as usize).cloned().unwrap_or_default();
            // A table without rows has no keys, which is not the same as having none to ask for.
            let has_key = !keyed.is_empty() || base.key_of(base.builder.type_name(*t)).is_some();
            has_key.then_some(keyed)
        };
        Known {
            sizes: target.types.iter().map(|t| base.builder.constants(*t).len()).collect(),
            keyed: target.types.iter().map(keyed).collect(),
        }
    }

    /// Leaves out combinations that name no row: what only some reference names, or only an example, is nothing to rank.
    pub fn keep_rows(&self, combinations: &mut ArgumentColumns) {
        let is_row = |(argument, constant): (usize, u32)| match &self.keyed[argument] {
            None => (constant as usize) < self.sizes[argument],
            Some(keyed) => keyed.get(constant as usize).copied().unwrap_or(false),
        };
        keep(combinations, |constants| constants.enumerate().all(is_row));
    }

    /// Whether all arguments were there before examples were read.
    fn holds(&self, arguments: impl Iterator<Item = u32>) -> bool {
        arguments.zip(&self.sizes).all(|(constant, size)| (constant as usize) < *size)
    }

    fn strangers(&self, examples: &ArgumentColumns, target: &Target) -> Option<Strangers> {
        let rows: Vec<usize> = (0..examples.first().map_or(0, Vec::len))
            .filter(|&row| !self.holds(examples.iter().map(|column| column[row])))
            .collect();
        let first = *rows.first()?;
        let unknown = |argument: &usize| examples[*argument][first] as usize >= self.sizes[*argument];
        let argument = (0..examples.len()).find(unknown)?;
        Some(Strangers {
            rows,
            of: target.types[argument],
            first: examples[argument][first],
            known: self.sizes[argument],
        })
    }

    /// Leaves out the examples of tables that name no row, and says so: nothing could be learned from them but what they
    /// lack. Refuses a list of which none is left. Facts need not tell of everything, so of theirs all are kept.
    pub fn keep(
        &self,
        examples: &mut ArgumentColumns,
        what: &str,
        target: &Target,
        base: &Base,
    ) -> Result<Option<Note>, Error> {
        let Some(strangers) = self.strangers(examples, target) else { return Ok(None) };
        let given = examples[0].len();
        let table = base.builder.type_name(strangers.of);
        let constants = base.builder.constants(strangers.of);
        let (first, count) = (constants.name(strangers.first), strangers.rows.len());
        let Some(key) = base.key_of(table) else { return Ok(Some(unknown(count, table, first))) };
        let place = Place { table, key: &key, real: (strangers.known > 0).then(|| constants.name(0)) };
        if count == given {
            return Err(none_known(given, what, first, &place));
        }
        self.keep_alone(examples);
        Ok(Some(some_unknown(count, given, what, first, &place)))
    }

    /// Leaves out the examples that name something unknown.
    fn keep_alone(&self, examples: &mut ArgumentColumns) {
        keep(examples, |constants| self.holds(constants));
    }

    /// A warning for examples to be ranked that nothing is known of; they keep their place.
    pub fn warning(&self, examples: &ArgumentColumns, target: &Target, base: &Base) -> Option<Note> {
        let strangers = self.strangers(examples, target)?;
        let first = base.builder.constants(strangers.of).name(strangers.first);
        Some(unknown(strangers.rows.len(), base.builder.type_name(strangers.of), first))
    }
}

/// Keeps the examples whose constants are as wanted.
fn keep(examples: &mut ArgumentColumns, wanted: impl Fn(&mut dyn Iterator<Item = u32>) -> bool) {
    let rows = 0..examples.first().map_or(0, Vec::len);
    let kept: Vec<bool> = rows.map(|row| wanted(&mut examples.iter().map(|column| column[row]))).collect();
    for column in examples.iter_mut() {
        let mut kept = kept.iter();
        column.retain(|_| kept.next().copied().unwrap_or(false));
    }
}

impl Base {
    /// The key of a table.
    fn key_of(&self, table: &str) -> Option<String> {
        let table = self.schema.as_ref()?.table(table)?;
        table.single_key().map(str::to_string)
    }
}

/// Where keys should have been found.
pub(super) struct Place<'a> {
    pub table: &'a str,
    pub key: &'a str,
    /// A key that is there.
    pub real: Option<&'a str>,
}

impl Place<'_> {
    fn with_real(&self) -> String {
        let key = format!("`{}.{}`", self.table, self.key);
        match self.real {
            Some(real) => format!("{key}, where a key is such as `{real}`"),
            None => format!("{key}, which is empty"),
        }
    }

    fn with_fields(&self, message: Message, rows: usize, first: &str) -> Message {
        let message = message.field("examples", rows).field("table", self.table);
        message.field("key", self.key).field("first", first)
    }
}

/// `what` are the examples, in the plural.
pub(super) fn none_known(given: usize, what: &str, first: &str, place: &Place) -> Error {
    let known = match given {
        1 => format!("none of the {what} is known"),
        _ => format!("none of the {} {what} are known", count(given)),
    };
    let text = format!(
        "{known}: `{first}` is not in {}; check that they hold these keys, in the column meant",
        place.with_real()
    );
    likewise::Error::data(place.with_fields(Message::new(&codes::STRANGE_EXAMPLES, text), given, first))
        .into()
}

/// `what` are the examples, in the plural.
pub(super) fn some_unknown(rows: usize, given: usize, what: &str, first: &str, place: &Place) -> Note {
    let named = match rows {
        1 => format!("1 of {} {what} names nothing that is known and is left out", count(given)),
        _ => {
            format!("{} of {} {what} name nothing that is known and are left out", count(rows), count(given))
        }
    };
    let text = format!("{named}: `{first}`, the first, is not in {}; check their keys", place.with_real());
    Note::warn(place.with_fields(Message::new(&codes::STRANGE_EXAMPLES, text), rows, first))
}

fn unknown(rows: usize, table: &str, first: &str) -> Note {
    let (examples, name) = match rows {
        1 => ("1 example".to_string(), "names"),
        _ => (format!("{} examples", count(rows)), "name"),
    };
    let text = format!(
        "{examples} {name} `{table}` that nothing is known of (the first: `{first}`); check their keys"
    );
    let note = Note::warning(&codes::STRANGE_EXAMPLES, text);
    note.field("examples", rows).field("table", table).field("first", first)
}
