//! Examples, pile and facts brought together.

use std::path::PathBuf;
use std::sync::Arc;

use likewise::Run;
use likewise::codes;
use likewise::data::Texts;
use likewise::figures::{are, rows};
use likewise::message::{Message, Setting};
use likewise::note::Note;
use likewise::relations::combinations::{self, MOST_LISTED};
use likewise::relations::symbols::TupleSet;
use likewise::relations::{Background, KeptSchema, Mode, Relational, Target, leaks};

use super::examples::ArgumentColumns;
use super::strangers::Known;
use super::{Base, Database, ExampleList, Holder, examples, target};
use crate::error::{Error, Result};

const LIKE: Setting = Setting::with("like", "FILE");

/// What the user asks of a database.
#[derive(Clone, Debug)]
pub struct Request {
    /// `NAME` or `NAME(type,…)`.
    pub target: String,
    /// Modes of facts; left out, those that lie with the facts.
    pub modes: Option<PathBuf>,
    /// Examples of what is wanted; left out, the target's own table or file of positives.
    pub like: Vec<ExampleList>,
    /// Examples known not to be wanted; they teach and are not ranked.
    pub unlike: Vec<ExampleList>,
    /// The examples to rank; left out, all combinations of constants that are not marked.
    pub pile: Vec<ExampleList>,
    /// How many combinations are drawn where there are too many to list.
    pub draw: usize,
}

impl Default for Request {
    fn default() -> Self {
        Request {
            target: String::new(),
            modes: None,
            like: Vec::new(),
            unlike: Vec::new(),
            pile: Vec::new(),
            draw: 100_000,
        }
    }
}

/// Examples, labelled first, then those known not to be wanted, and what they are called.
pub struct RelationalProblem {
    pub x: Relational,
    pub positive: Vec<bool>,
    pub unwanted: Vec<bool>,
    pub ids: Texts,
    pub arguments: Vec<Argument>,
    pub notes: Vec<Note>,
}

/// What an argument of the target is.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The name of its type.
    pub of: String,
    /// The column that holds its constants in the table of that name, where there is one.
    pub key: Option<String>,
}

/// Examples to be scored.
pub struct Examples {
    pub x: Relational,
    pub ids: Texts,
    pub arguments: Vec<Argument>,
    pub notes: Vec<Note>,
}

impl Database {
    /// Everything that a method for related tables learns from.
    pub fn problem(&self, request: &Request, run: &Run) -> Result<RelationalProblem> {
        let mut base = self.load(request.modes.as_deref(), run)?;
        let target = target::resolve(&request.target, request.like.is_empty(), &base)?;
        base.refuse_flawed_keys(&target)?;
        let before = Known::of(&target, &base);
        let mut origins = vec![target.name.clone()];
        let mut positives: ArgumentColumns = vec![Vec::new(); target.types.len()];
        for list in &self.positives(request, &target, &base)? {
            origins.extend(self.add_examples(list, &target, &mut base, &mut positives, run)?);
        }
        let mut negatives: ArgumentColumns = vec![Vec::new(); target.types.len()];
        for list in &request.unlike {
            origins.extend(self.add_examples(list, &target, &mut base, &mut negatives, run)?);
        }
        let given = self.read_pile(request, &target, &mut base, run)?;
        let mut notes = std::mem::take(&mut base.notes);
        distinct(&mut positives);
        distinct(&mut negatives);
        notes.extend(before.keep(&mut positives, "examples", &target, &base)?);
        notes.extend(before.keep(&mut negatives, "examples known not to be wanted", &target, &base)?);
        let known = distinct(&mut positives);
        notes.extend(without_wanted(&mut negatives, &known));
        let refused = distinct(&mut negatives);
        notes.extend(given.iter().filter_map(|pile| before.warning(pile, &target, &base)));
        let is_tables = base.schema.is_some();
        let by_key = is_tables && target.types.len() == 1;
        let names = arguments(&target, &base);
        let background = background(base, target, &origins);
        if known.is_empty() {
            return Err(likewise::Error::data(
                Message::new(&codes::NO_POSITIVE, "there is no positive example; name at least one with ")
                    .setting(LIKE),
            )
            .into());
        }
        let mut background = background;
        notes.extend(leaks::remove(&mut background, &positives));
        let (labelled, marked) = (known.len(), known.len() + refused.len());
        let mut arguments = positives;
        arguments.iter_mut().zip(negatives).for_each(|(to, from)| to.extend(from));
        match given {
            Some(mut pile) => {
                notes.extend(each_once(&mut pile, "the pile", "ranked"));
                append_unmarked(&mut arguments, &pile, &known, &refused, &mut notes);
            }
            None => {
                let mut rng = run.rng("unmarked combinations", 0);
                let mut drawn = combinations::unmarked(
                    &background.facts,
                    &background.target,
                    &arguments,
                    request.draw,
                    &mut rng,
                );
                if is_tables {
                    before.keep_rows(&mut drawn.arguments);
                }
                notes.push(combinations_note(&drawn, &background));
                arguments.iter_mut().zip(drawn.arguments).for_each(|(to, from)| to.extend(from));
            }
        }
        let x = Relational::new(Arc::new(background), arguments)?;
        let positive = (0..x.rows()).map(|row| row < labelled).collect();
        let unwanted = (0..x.rows()).map(|row| (labelled..marked).contains(&row)).collect();
        let ids = ids(&x, by_key);
        Ok(RelationalProblem { x, positive, unwanted, ids, arguments: names, notes })
    }

    /// Examples for a kept model: the pile alone.
    pub fn examples(&self, request: &Request, run: &Run) -> Result<Examples> {
        let mut base = self.load(request.modes.as_deref(), run)?;
        let target = target::resolve(&request.target, false, &base)?;
        if !request.pile.is_empty() {
            base.refuse_flawed_keys(&target)?;
        }
        let before = Known::of(&target, &base);
        let given = self.read_pile(request, &target, &mut base, run)?;
        let mut notes: Vec<Note> = self.guessed().into_iter().collect();
        notes.append(&mut base.notes);
        notes.extend(given.iter().filter_map(|pile| before.warning(pile, &target, &base)));
        let by_key = base.schema.is_some() && target.types.len() == 1;
        let is_tables = base.schema.is_some();
        let names = arguments(&target, &base);
        let origins = vec![target.name.clone()];
        let background = background(base, target, &origins);
        let arguments = match given {
            Some(mut pile) => {
                notes.extend(each_once(&mut pile, "those to score", "scored"));
                pile
            }
            None => {
                let mut rng = run.rng("unmarked combinations", 0);
                let mut drawn = combinations::unmarked(
                    &background.facts,
                    &background.target,
                    &[],
                    request.draw,
                    &mut rng,
                );
                if is_tables {
                    before.keep_rows(&mut drawn.arguments);
                }
                notes.push(combinations_note(&drawn, &background));
                drawn.arguments
            }
        };
        let x = Relational::new(Arc::new(background), arguments)?;
        let ids = ids(&x, by_key);
        Ok(Examples { x, ids, arguments: names, notes })
    }

    /// One example by what an answer calls it: its atom, or its key.
    pub fn example(&self, request: &Request, id: &str, run: &Run) -> Result<Examples> {
        let mut base = self.load(request.modes.as_deref(), run)?;
        let target = target::resolve(&request.target, false, &base)?;
        let mut columns: ArgumentColumns = vec![Vec::new(); target.types.len()];
        base.refuse_flawed_keys(&target)?;
        let before = Known::of(&target, &base);
        examples::push_named(id, &target, &mut base, &mut columns).map_err(Error::usage)?;
        let mut notes: Vec<Note> = self.guessed().into_iter().collect();
        notes.append(&mut base.notes);
        notes.extend(before.warning(&columns, &target, &base));
        let arguments = arguments(&target, &base);
        let origins = vec![target.name.clone()];
        let x = Relational::new(Arc::new(background(base, target, &origins)), columns)?;
        Ok(Examples { x, ids: [id].into_iter().collect(), arguments, notes })
    }

    /// Where positives stand: as the user says, else in the target's own table or file.
    fn positives(&self, request: &Request, target: &Target, base: &Base) -> Result<Vec<ExampleList>> {
        if !request.like.is_empty() {
            return Ok(request.like.clone());
        }
        let own: Vec<String> = match &self.holder {
            Holder::Facts(files) if !files.positives.is_empty() => {
                files.positives.iter().map(|p| p.display().to_string()).collect()
            }
            Holder::Facts(_) if base.builder.find(&target.name).is_some() => vec![target.name.clone()],
            Holder::Tables { .. }
                if base.schema.as_ref().is_some_and(|s| s.table(&target.name).is_some()) =>
            {
                vec![target.name.clone()]
            }
            _ => Vec::new(),
        };
        if own.is_empty() {
            return Err(Error::usage(
                Message::new(
                    &codes::USAGE,
                    format!("which examples of `{}` are known? Name them with ", target.name),
                )
                .setting(LIKE)
                .text(": a file, a table, or a SELECT"),
            ));
        }
        Ok(own.into_iter().map(ExampleList::Named).collect())
    }

    fn read_pile(
        &self,
        request: &Request,
        target: &Target,
        base: &mut Base,
        run: &Run,
    ) -> Result<Option<ArgumentColumns>> {
        if request.pile.is_empty() {
            return Ok(None);
        }
        let mut pile: ArgumentColumns = vec![Vec::new(); target.types.len()];
        for list in &request.pile {
            self.add_examples(list, target, base, &mut pile, run)?;
        }
        Ok(Some(pile))
    }
}

/// What each argument of the target is.
fn arguments(target: &Target, base: &Base) -> Vec<Argument> {
    let argument = |t: &u32| {
        let of = base.builder.type_name(*t).to_string();
        let table = base.schema.as_ref().and_then(|schema| schema.table(&of));
        let key = table.and_then(|table| table.single_key()).map(str::to_string);
        Argument { of, key }
    };
    target.types.iter().map(argument).collect()
}

/// Rules never use what comes from the tables that the examples are in, nor what refers to the rows of these: it would
/// tell the marked from the others. Where the examples are the rows of a table of their own, its columns are what they
/// are judged by.
fn background(base: Base, target: Target, origins: &[String]) -> Background {
    let Base { builder, modes, schema, .. } = base;
    let facts = builder.finish();
    let own_type =
        |name: &String| target.types.iter().any(|t| facts.type_name(*t).eq_ignore_ascii_case(name));
    let telling: Vec<String> = origins.iter().filter(|name| !own_type(name)).cloned().collect();
    let leaked = |relation: u32| leaks::tells(&facts, schema.as_ref(), &telling, relation);
    let modes: Vec<Mode> = modes.into_iter().filter(|m| !leaked(m.relation)).collect();
    let kept = schema.map(|schema| Arc::new(KeptSchema::new(schema, &facts, telling)));
    Background { schema: kept, ..Background::new(facts, modes, target) }
}

/// Keeps each example once; returns them as a set.
fn distinct(columns: &mut ArgumentColumns) -> TupleSet {
    let mut known = TupleSet::new(columns.len());
    let mut tuple = vec![0; columns.len()];
    for row in 0..columns[0].len() {
        tuple.iter_mut().zip(columns.iter()).for_each(|(t, column)| *t = column[row]);
        known.insert(&tuple);
    }
    columns.iter_mut().for_each(Vec::clear);
    for number in 0..known.len() as u32 {
        columns.iter_mut().zip(known.get(number)).for_each(|(column, value)| column.push(*value));
    }
    known
}

/// Names every row of a list once, and says so.
fn each_once(list: &mut ArgumentColumns, what: &str, done: &str) -> Option<Note> {
    let given = list[0].len();
    distinct(list);
    let again = given - list[0].len();
    let text = format!(
        "{} of {what} {} named before; what is named several times is {done} once",
        rows(again),
        if again == 1 { "was" } else { "were" }
    );
    (again > 0).then(|| Note::info(&codes::REPEATED_KEYS, text).field("rows", again))
}

/// Takes out of the unwanted examples what is marked as wanted too: as for rows of equal content, the example counts.
fn without_wanted(negatives: &mut ArgumentColumns, known: &TupleSet) -> Option<Note> {
    let rows = 0..negatives[0].len();
    let example = |row: usize| negatives.iter().map(|column| column[row]).collect::<Vec<u32>>();
    let wanted: Vec<bool> = rows.map(|row| known.contains(&example(row))).collect();
    let count = wanted.iter().filter(|wanted| **wanted).count();
    for column in negatives.iter_mut() {
        let mut wanted = wanted.iter();
        column.retain(|_| !wanted.next().copied().unwrap_or(false));
    }
    let text = match count {
        1 => "1 example is marked as wanted and as not wanted; it counts as wanted".to_string(),
        _ => format!("{count} examples are marked as wanted and as not wanted; they count as wanted"),
    };
    (count > 0).then(|| Note::warning(&codes::MARKED_BOTH_WAYS, text).field("rows", count))
}

/// Adds the rows of the pile that are not marked already.
fn append_unmarked(
    arguments: &mut ArgumentColumns,
    pile: &ArgumentColumns,
    known: &TupleSet,
    refused: &TupleSet,
    notes: &mut Vec<Note>,
) {
    let (mut copies, mut of_refused) = (0, 0);
    let mut tuple = vec![0; pile.len()];
    for row in 0..pile[0].len() {
        tuple.iter_mut().zip(pile).for_each(|(t, column)| *t = column[row]);
        if known.contains(&tuple) {
            copies += 1;
        } else if refused.contains(&tuple) {
            of_refused += 1;
        } else {
            arguments.iter_mut().zip(&tuple).for_each(|(column, value)| column.push(*value));
        }
    }
    if copies > 0 {
        let text = format!(
            "{} of the pile {} among the positive examples and not ranked",
            rows(copies),
            are(copies)
        );
        notes.push(Note::info(&codes::COPIES_OF_EXAMPLES, text).field("rows", copies));
    }
    if of_refused > 0 {
        let text = format!(
            "{} of the pile {} known not to be wanted and not ranked",
            rows(of_refused),
            are(of_refused)
        );
        notes.push(Note::info(&codes::COPIES_OF_UNWANTED, text).field("rows", of_refused));
    }
}

fn combinations_note(
    drawn: &combinations::Combinations,
    Background { facts, target, .. }: &Background,
) -> Note {
    let count = drawn.arguments[0].len();
    let text = if drawn.available > MOST_LISTED {
        format!(
            "of {} possible examples of `{}` {count} were drawn; name those to rank if you know them",
            drawn.available, target.name
        )
    } else {
        let types: Vec<String> = target.types.iter().map(|t| format!("`{}`", facts.type_name(*t))).collect();
        let of = if types.len() == 1 { "" } else { "combinations of " };
        format!("no pile was named, so it is the {count} {of}{} that are not marked", types.join(" and "))
    };
    Note::info(&codes::PILE_OF_COMBINATIONS, text).field("drawn", count)
}

/// The key of an example that is a row of a table, else its atom.
fn ids(x: &Relational, by_key: bool) -> Texts {
    (0..x.rows())
        .map(|row| if by_key { x.constants(row).next().unwrap_or_default().to_string() } else { x.atom(row) })
        .collect()
}
