//! Which columns of a list of examples hold the arguments of the target: those named after it, or else the first ones.

use likewise::data::Table;
use likewise::relations::Target;
use likewise::relations::schema::TableSchema;

use super::Base;
use super::conform::ROW_NAMES;
use super::examples::wrong_arity;
use super::references::{is_named_after, points_at};
use crate::error::{Error, Result};

/// How a name says that a column holds keys of a table, the surest first.
#[derive(Clone, Copy, PartialEq)]
enum Tells {
    /// The key has a name of its own, and this is it.
    Key,
    /// `order_id`, `order`, `orders`.
    Table,
    /// `id`, which every table may have.
    AnyKey,
    /// `first_order_id`.
    LastWord,
}

const FROM_SUREST: [Tells; 4] = [Tells::Key, Tells::Table, Tells::AnyKey, Tells::LastWord];

/// The table that an argument names rows of.
struct Named<'a> {
    table: &'a str,
    schema: Option<&'a TableSchema>,
}

impl Named<'_> {
    fn told_by(&self, name: &str) -> Option<Tells> {
        let key = self.schema.and_then(TableSchema::single_key);
        let is_key = key.is_some_and(|key| key.eq_ignore_ascii_case(name));
        let of_any = |name: &str| {
            let name = name.to_ascii_lowercase();
            ["id", "key"].contains(&&*name) || ROW_NAMES.contains(&&*name)
        };
        match () {
            _ if is_key && !of_any(name) => Some(Tells::Key),
            _ if is_named_after(name, self.table) => Some(Tells::Table),
            _ if is_key || name.eq_ignore_ascii_case("id") => Some(Tells::AnyKey),
            _ if points_at(name, self.table) => Some(Tells::LastWord),
            _ => None,
        }
    }

    /// The columns that are told best, each name once.
    fn columns(&self, names: &[String], ways: &[Tells]) -> Vec<usize> {
        let told = |way: &Tells| -> Vec<usize> {
            let is_first = |at: usize| !names[..at].iter().any(|n| n.eq_ignore_ascii_case(&names[at]));
            (0..names.len()).filter(|&at| is_first(at) && self.told_by(&names[at]) == Some(*way)).collect()
        };
        ways.iter().map(told).find(|columns| !columns.is_empty()).unwrap_or_default()
    }
}

/// Which columns hold the arguments. `what` is what messages call the list.
pub(super) fn positions(table: &Table, target: &Target, base: &Base, what: &str) -> Result<Vec<usize>> {
    let names = table.column_names();
    let arguments: Vec<Named<'_>> = (target.types.iter())
        .map(|t| {
            let table = base.builder.type_name(*t);
            Named { table, schema: base.schema.as_ref().and_then(|schema| schema.table(table)) }
        })
        .collect();
    match &arguments[..] {
        [only] => one(only, names, base, what),
        _ => several(&arguments, target, names, what),
    }
}

fn one(argument: &Named<'_>, names: &[String], base: &Base, what: &str) -> Result<Vec<usize>> {
    let found = argument.columns(names, &FROM_SUREST);
    if let Some(parts) = base.parts_of(argument.table) {
        let is_place = |name: &String| name.eq_ignore_ascii_case("id") || ROW_NAMES.contains(&name.as_str());
        return match names.iter().position(is_place) {
            Some(at) => Ok(vec![at]),
            None => Err(Error::usage(format!(
                "{what}: {} together name the rows of `{}`, and an argument of a target is one column; give the place of each row, as in SELECT rowid FROM {} WHERE …",
                listed(parts.iter()),
                argument.table,
                argument.table
            ))),
        };
    }
    // A table may have a column that is called after it and is not its key.
    let own_id = names.iter().position(|name| argument.told_by(name) == Some(Tells::AnyKey));
    let is_own = |at: usize| argument.schema.is_some_and(|schema| schema.column(&names[at]).is_some());
    match (&found[..], own_id) {
        ([at], Some(id))
            if id != *at && is_own(*at) && argument.told_by(&names[*at]) == Some(Tells::Table) =>
        {
            Err(unclear(what, argument, [&names[id], &names[*at]]))
        }
        ([at], _) => Ok(vec![*at]),
        ([], _) if names.is_empty() => Err(Error::usage(format!("{what} has no columns"))),
        ([], _) => Ok(vec![0]),
        (several, _) => Err(unclear(what, argument, several.iter().map(|&at| &names[at]))),
    }
}

/// Columns go by their names as far as these tell; what is left goes by its place.
fn several(arguments: &[Named<'_>], target: &Target, names: &[String], what: &str) -> Result<Vec<usize>> {
    if names.len() < arguments.len() {
        return Err(wrong_arity(what, names.len(), target));
    }
    let ways = [Tells::Key, Tells::Table, Tells::LastWord];
    let mut taken: Vec<Option<usize>> = vec![None; arguments.len()];
    for (at, argument) in arguments.iter().enumerate() {
        let alike: Vec<usize> =
            (0..arguments.len()).filter(|&other| target.types[other] == target.types[at]).collect();
        let found = argument.columns(names, &ways);
        if alike.len() == 1 && found.len() > 1 {
            return Err(unclear(what, argument, found.iter().map(|&at| &names[at])));
        }
        if alike.len() == found.len() {
            taken[at] = alike.iter().position(|&other| other == at).map(|number| found[number]);
        }
    }
    let told: Vec<usize> = taken.iter().flatten().copied().collect();
    if told.iter().enumerate().any(|(i, at)| told[..i].contains(at)) {
        return Ok((0..arguments.len()).collect());
    }
    let left: Vec<usize> = (0..names.len()).filter(|at| !told.contains(at)).collect();
    let open = taken.iter().filter(|column| column.is_none()).count();
    let in_place = taken.iter().enumerate().all(|(at, column)| column.is_none_or(|column| column == at));
    if open > 0 && left.len() != open && !in_place {
        let of = taken.iter().zip(arguments).find(|(column, _)| column.is_none());
        let of = of.map_or("", |(_, argument)| argument.table);
        return Err(Error::usage(format!(
            "{what} does not say which of its columns {} names `{of}`; call that one `{of}`",
            listed(left.iter().map(|&at| &names[at]))
        )));
    }
    let mut left = left.into_iter();
    let by_place = |(at, column): (usize, Option<usize>)| match column {
        Some(column) => column,
        None if in_place => at,
        None => left.next().unwrap_or(at),
    };
    Ok(taken.into_iter().enumerate().map(by_place).collect())
}

fn unclear<'a>(what: &str, argument: &Named<'_>, names: impl IntoIterator<Item = &'a String>) -> Error {
    let table = argument.table;
    Error::usage(format!(
        "{what} has {}, and each could hold the keys of `{table}`; give the one that is meant alone, or call it `{table}`",
        listed(names)
    ))
}

fn listed<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use likewise::data::{Column, Texts};
    use likewise::relations::FactsBuilder;
    use likewise::relations::schema::{ColumnKind, ColumnSchema, Schema};

    fn base() -> Base {
        let table = |name: &str, columns: &[&str]| TableSchema {
            name: name.into(),
            key: vec![columns[0].into()],
            columns: columns.iter().map(|c| ColumnSchema::new(*c, ColumnKind::Key)).collect(),
        };
        let tables = vec![
            table("orders", &["id", "order_code"]),
            table("products", &["id"]),
            table("customers", &["email"]),
            table("parcels", &["id", "parcel_id"]),
        ];
        let mut builder = FactsBuilder::new();
        tables.iter().for_each(|t| {
            builder.type_named(&t.name);
        });
        Base { builder, schema: Some(Schema { tables }), ..Base::default() }
    }

    fn taken(header: &str, types: &[u32]) -> Result<Vec<usize>, String> {
        let mut table = Table::from_source("t");
        header.split(',').for_each(|name| table.push_column(name, Column::Text(Texts::new())));
        let target = Target { name: "broke".into(), types: types.to_vec() };
        positions(&table, &target, &base(), "t.csv").map_err(|e| e.to_string())
    }

    #[test]
    fn names_win_over_places() {
        let (orders, products, customers, parcels) = (0, 1, 2, 3);
        for (header, of, expected) in [
            ("id,order_id", orders, 1),
            ("id,total", orders, 0),
            ("total,orders", orders, 1),
            ("total,first_order_id", orders, 1),
            ("first_order_id,id", orders, 1),
            ("a,b", products, 0),
            ("id,email", customers, 1),
        ] {
            assert_eq!(taken(header, &[of]), Ok(vec![expected]), "{header}");
        }
        let told = taken("from_order_id,to_order_id", &[orders]).unwrap_err();
        assert!(
            told.contains("has `from_order_id` and `to_order_id`, and each could hold the keys of `orders`"),
            "{told}"
        );
        let told = taken("id,parcel_id", &[parcels]).unwrap_err();
        assert!(told.contains("has `id` and `parcel_id`"), "{told}");
    }

    #[test]
    fn several_arguments_are_found_by_name_in_any_order() {
        let (orders, products) = (0, 1);
        for (header, expected) in [
            ("products,orders", vec![1, 0]),
            ("product_id,when,order_id", vec![2, 0]),
            ("a,b", vec![0, 1]),
            ("what,order", vec![1, 0]),
        ] {
            assert_eq!(taken(header, &[orders, products]), Ok(expected), "{header}");
        }
        let told = taken("a,b,order", &[orders, products]).unwrap_err();
        assert!(told.contains("does not say which of its columns `a` and `b` names `products`"), "{told}");
        assert_eq!(taken("order,other_order", &[orders, orders]), Ok(vec![0, 1]));
    }
}
