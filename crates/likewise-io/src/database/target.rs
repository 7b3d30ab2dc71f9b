//! The target, `NAME` or `NAME(type,…)`: what is to be learned.

use likewise::codes;
use likewise::error::nearest_name;
use likewise::message::{Message, Setting};
use likewise::relations::schema::{ColumnKind, Schema, TableSchema};
use likewise::relations::{Domain, Target};

use super::Base;
use super::conform::ROW_NAMES;
use super::references::same_thing;
use crate::error::{Error, Result};

/// The target with the types of its arguments; examples of it may stand in a table of that name, and do where
/// `holds_examples`.
pub(super) fn resolve(text: &str, holds_examples: bool, base: &Base) -> Result<Target> {
    let (name, types) = parse(text)?;
    let meanings = meanings(&name, base);
    if let Some(types) = types {
        let types = types.iter().map(|t| type_named(t, base)).collect::<Result<Vec<u32>>>()?;
        if let Some(declared) = meanings.first()
            && meanings.iter().all(|meaning| meaning.len() != types.len())
        {
            let has = if declared.len() == 1 {
                "1 argument".into()
            } else {
                format!("{} arguments", declared.len())
            };
            return Err(Error::usage(format!(
                "target {text}: `{name}` has {has}, not {}; write {}",
                types.len(),
                written(&name, declared, base)
            )));
        }
        return Ok(Target { name, types });
    }
    match &meanings[..] {
        [only] => return Ok(Target { name, types: only.clone() }),
        // Examples are given apart from the table, so its rows are what they name.
        [own, _] if !holds_examples => return Ok(Target { name, types: own.clone() }),
        [own, referred] => return Err(unclear(&name, own, referred, base)),
        _ => base.refuse_left_out(&name)?,
    }
    let known: Vec<&str> = match &base.schema {
        Some(schema) => schema.tables.iter().map(|t| t.name.as_str()).collect(),
        None => Vec::new(),
    };
    let hint = nearest_name(&name, known).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
    Err(Error::usage(format!(
        "target {name}: nothing says what its arguments are{hint}; give their types, such as `{name}({})`",
        likely_type(&name, base)
    )))
}

const LIKE: Setting = Setting::with("like", "FILE");

fn written(name: &str, types: &[u32], base: &Base) -> String {
    let names: Vec<&str> = types.iter().map(|t| base.builder.type_name(*t)).collect();
    format!("{name}({})", names.join(","))
}

/// The rows of the table cannot all be examples of themselves, so what they refer to may be meant.
fn unclear(name: &str, own: &[u32], referred: &[u32], base: &Base) -> Error {
    let (own, referred) = (written(name, own, base), written(name, referred, base));
    if own == referred {
        let text = format!(
            "every row of table `{name}` refers to another one, so that the target {name} says nothing of which are wanted: give the target '{own}' and examples of them with "
        );
        let message = Message::new(&codes::TARGET_UNCLEAR, text).setting(LIKE).field("rows", own);
        return likewise::Error::data(message).into();
    }
    let text = format!(
        "the target {name} could mean two things: to rank the rows of table `{name}`, give the target '{own}' and examples of them with "
    );
    let message = Message::new(&codes::TARGET_UNCLEAR, text)
        .setting(LIKE)
        .text(format!("; to take its rows as examples of what they refer to, give the target '{referred}'"))
        .field("rows", own)
        .field("references", referred);
    likewise::Error::data(message).into()
}

fn parse(text: &str) -> Result<(String, Option<Vec<String>>)> {
    let text = text.trim();
    let wrong = || Error::usage(format!("target {text}: write it like `refund` or `refund(order)`"));
    let Some((name, rest)) = text.split_once('(') else {
        return if text.is_empty() { Err(wrong()) } else { Ok((text.to_string(), None)) };
    };
    let inside = rest.trim_end().strip_suffix(')').ok_or_else(wrong)?;
    let types: Vec<String> =
        inside.split(',').map(|t| t.trim().trim_start_matches('+').to_string()).collect();
    if name.trim().is_empty() || types.iter().any(String::is_empty) {
        return Err(wrong());
    }
    Ok((name.trim().to_string(), Some(types)))
}

/// What the modes or the table of that name say the arguments are: for a table its own key first, where it has one,
/// then what its rows refer to.
fn meanings(name: &str, base: &Base) -> Vec<Vec<u32>> {
    if let Some(schema) = &base.schema {
        let Some(table) = schema.table(name) else { return Vec::new() };
        let types = |columns: Vec<(String, u32)>| columns.into_iter().map(|(_, t)| t).collect();
        return example_columns(table, schema, base).into_iter().map(types).collect();
    }
    let domains = base.builder.find(name).map(|relation| base.builder.domains(relation)).unwrap_or_default();
    let types: Option<Vec<u32>> =
        domains.iter().map(|d| if let Domain::Type(t) = d { Some(*t) } else { None }).collect();
    types.filter(|types| !types.is_empty()).into_iter().collect()
}

/// The columns of a table that say which examples its rows are, with their types, in every way that these can be
/// meant: the key of the table, then what its rows refer to. A key that refers to another table names the rows of
/// that one; a row number that a database gives is no key that anybody would write.
pub(super) fn example_columns(table: &TableSchema, schema: &Schema, base: &Base) -> Vec<Vec<(String, u32)>> {
    let key = table.single_key().and_then(|key| table.column(key));
    let typed = |name: &str, of: &str| {
        base.type_number(schema.type_of(schema.table(of)?).ok()?).map(|t| (name.to_string(), t))
    };
    if let Some(key) = key
        && let ColumnKind::Reference(to) = &key.kind
    {
        return typed(&key.name, to).into_iter().map(|column| vec![column]).collect();
    }
    let own: Option<Vec<(String, u32)>> = key.and_then(|key| Some(vec![typed(&key.name, &table.name)?]));
    let references: Vec<(String, u32)> = (table.columns.iter())
        .filter_map(|c| match &c.kind {
            ColumnKind::Reference(to) => typed(&c.name, to),
            _ => None,
        })
        .collect();
    let referred = (!references.is_empty()).then_some(references);
    let is_row_number = key.is_some_and(|key| ROW_NAMES.contains(&key.name.as_str()));
    let mut all: Vec<Vec<(String, u32)>> = own.into_iter().chain(referred).collect();
    if is_row_number && all.len() == 2 {
        all.remove(0);
    }
    all
}

fn type_names(base: &Base) -> Vec<String> {
    (0..base.builder.types()).map(|t| base.builder.type_name(t as u32).to_string()).collect()
}

/// A type to show how types are written: the one that the name is like, or else the first.
fn likely_type(name: &str, base: &Base) -> String {
    let names = type_names(base);
    let lower = name.to_lowercase();
    let like = names.iter().find(|n| same_thing(&n.to_lowercase(), &lower));
    like.or(names.first()).cloned().unwrap_or("type".into())
}

/// A type by its name; `order` will do for a table `orders`.
fn type_named(name: &str, base: &Base) -> Result<u32> {
    let names = type_names(base);
    let lower = name.to_lowercase();
    let exact = names.iter().position(|n| n.eq_ignore_ascii_case(name));
    let near = || names.iter().position(|n| same_thing(&n.to_lowercase(), &lower));
    let found = exact.or_else(near);
    if found.is_none() {
        base.refuse_left_out(name)?;
    }
    found.map(|t| t as u32).ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(String::as_str).filter(|n| !n.contains('.')).collect();
        let hint = nearest_name(name, known.iter().copied())
            .map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
        Error::usage(format!("there is no type `{name}`{hint}; known: {}", known.join(", ")))
    })
}

impl Base {
    pub(super) fn type_number(&self, name: &str) -> Option<u32> {
        (0..self.builder.types() as u32).find(|&t| self.builder.type_name(t).eq_ignore_ascii_case(name))
    }
}
