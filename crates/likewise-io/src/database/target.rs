//! `--target NAME` or `NAME(type,…)`: what is to be learned.

use likewise::error::nearest_name;
use likewise::relations::schema::{ColumnKind, Schema, TableSchema};
use likewise::relations::{Domain, Target};

use super::Base;
use super::profile::same_thing;
use crate::error::{Error, Result};

/// The target with the types of its arguments; examples of it may stand in a table of that name.
pub(super) fn resolve(text: &str, base: &Base) -> Result<Target> {
    let (name, types) = parse(text)?;
    if let Some(types) = types {
        let types = types.iter().map(|t| type_named(t, base)).collect::<Result<Vec<u32>>>()?;
        if let Some(declared) = own_types(&name, base)
            && declared.len() != types.len()
        {
            return Err(Error::usage(format!(
                "target {text}: `{name}` has {} arguments, not {}",
                declared.len(),
                types.len()
            )));
        }
        return Ok(Target { name, types });
    }
    if let Some(types) = own_types(&name, base) {
        return Ok(Target { name, types });
    }
    let known: Vec<&str> = match &base.schema {
        Some(schema) => schema.tables.iter().map(|t| t.name.as_str()).collect(),
        None => Vec::new(),
    };
    let hint = nearest_name(&name, known).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
    Err(Error::usage(format!(
        "target {name}: nothing says what its arguments are{hint}; give their types, such as `{name}({})`",
        type_names(base).first().cloned().unwrap_or("type".into())
    )))
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

/// What the modes or the table of that name say the arguments are.
fn own_types(name: &str, base: &Base) -> Option<Vec<u32>> {
    if let Some(schema) = &base.schema {
        let table = schema.table(name)?;
        return Some(example_columns(table, schema, base)?.into_iter().map(|(_, t)| t).collect());
    }
    let domains = base.builder.domains(base.builder.find(name)?);
    domains.iter().map(|d| if let Domain::Type(t) = d { Some(*t) } else { None }).collect()
}

/// The columns of a table that say which examples its rows are, with their types: what it refers to, or
/// its key where it refers to nothing.
pub(super) fn example_columns(
    table: &TableSchema,
    schema: &Schema,
    base: &Base,
) -> Option<Vec<(String, u32)>> {
    let key = table.single_key().and_then(|key| table.column(key));
    let typed = |name: &str, of: &str| {
        base.type_number(schema.type_of(schema.table(of)?).ok()?).map(|t| (name.to_string(), t))
    };
    if let Some(key) = key
        && let ColumnKind::Reference(to) = &key.kind
    {
        return Some(vec![typed(&key.name, to)?]);
    }
    let references: Vec<(String, u32)> = (table.columns.iter())
        .filter_map(|c| match &c.kind {
            ColumnKind::Reference(to) => typed(&c.name, to),
            _ => None,
        })
        .collect();
    match (references.is_empty(), key) {
        (false, _) => Some(references),
        (true, Some(key)) => Some(vec![typed(&key.name, &table.name)?]),
        (true, None) => None,
    }
}

fn type_names(base: &Base) -> Vec<String> {
    (0..base.builder.types()).map(|t| base.builder.type_name(t as u32).to_string()).collect()
}

/// A type by its name; `order` will do for a table `orders`.
fn type_named(name: &str, base: &Base) -> Result<u32> {
    let names = type_names(base);
    let lower = name.to_lowercase();
    let exact = names.iter().position(|n| n.eq_ignore_ascii_case(name));
    let near = || names.iter().position(|n| same_thing(&n.to_lowercase(), &lower));
    exact.or_else(near).map(|t| t as u32).ok_or_else(|| {
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
