//! `schema.toml`: what a folder of tables cannot say itself, and how a schema is shown.
//!
//! ```toml
//! [orders]
//! key = "id"
//! [orders.columns]
//! customer = "-> customers"
//! status = "category"      # or number, text, time, ignore, key
//! ```
//!
//! A program that holds tables in memory says the same in JSON.

use std::collections::BTreeMap;
use std::path::Path;

use likewise::error::nearest_name;
use likewise::relations::schema::{ColumnKind, Schema};
use serde::Deserialize;

use super::profile::Profile;
use super::tables::TableSource;
use crate::error::{Error, Result};

pub(crate) const NAME: &str = "schema.toml";

/// What the user says of one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Override {
    pub key: Option<Vec<String>>,
    columns: BTreeMap<String, ColumnKind>,
}

impl Override {
    pub fn kind(&self, column: &str) -> Option<&ColumnKind> {
        self.columns.iter().find(|(name, _)| name.eq_ignore_ascii_case(column)).map(|(_, kind)| kind)
    }
}

/// What the user says of tables, and where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    /// A file, for messages.
    place: String,
    tables: BTreeMap<String, Override>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableToml {
    key: Option<KeyToml>,
    #[serde(default)]
    columns: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a key is the name of a column, \"id\", or a list of such names, [\"order\", \"line\"]"
)]
enum KeyToml {
    One(String),
    Many(Vec<String>),
}

/// A line takes some fifty times its length while it is understood; a hundred thousand columns take no more than this.
const LONGEST: usize = 4 << 20;

impl Said {
    pub fn read(path: &Path) -> Result<Said> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| Error::io(&name, e))?;
        Said::from_toml(&text, &name)
    }

    fn from_toml(text: &str, place: &str) -> Result<Said> {
        if text.len() > LONGEST {
            let problem = format!(
                "more than {} MiB, which is no schema; give what `likewise schema` prints",
                LONGEST >> 20
            );
            return Err(malformed(place, None, problem));
        }
        let tables = toml::from_str(text).map_err(|e| {
            let line = e.span().map(|span| text[..span.start].lines().count().max(1) as u64);
            malformed(place, line, e.message().to_string())
        })?;
        Ok(Said { place: place.into(), tables: understood(tables, place)? })
    }

    pub fn from_json(text: &str, place: &str) -> Result<Said> {
        let tables = serde_json::from_str(text).map_err(|e| malformed(place, None, e.to_string()))?;
        Ok(Said { place: place.into(), tables: understood(tables, place)? })
    }

    /// Adds what is said elsewhere, which counts more.
    pub fn extend(&mut self, other: Said) {
        self.place = other.place;
        for (name, said) in other.tables {
            let known = self.of_mut(&name);
            known.key = said.key.or_else(|| known.key.take());
            for (column, kind) in said.columns {
                known.columns.retain(|name, _| !name.eq_ignore_ascii_case(&column));
                known.columns.insert(column, kind);
            }
        }
    }

    /// Adds `table.column -> other` or `table.column -> other.key`.
    pub fn add_reference(&mut self, text: &str) -> Result<()> {
        let wrong = || {
            Error::usage(format!(
                "the reference `{text}` is not like `orders.customer -> customers` or `orders.customer -> customers.id`"
            ))
        };
        let (from, to) = text.split_once("->").ok_or_else(wrong)?;
        let (table, column) = from.trim().split_once('.').ok_or_else(wrong)?;
        let (other, key) = to.trim().split_once('.').map_or((to.trim(), None), |(t, k)| (t, Some(k)));
        if [table, column, other].contains(&"") || key == Some("") {
            return Err(wrong());
        }
        if self.place.is_empty() {
            self.place = REFERENCES.into();
        }
        self.of_mut(table).columns.insert(column.into(), ColumnKind::Reference(other.into()));
        if let Some(key) = key {
            let known = &mut self.of_mut(other).key;
            let same = known.as_ref().is_none_or(|k| k.len() == 1 && k[0].eq_ignore_ascii_case(key));
            if !same {
                let known = known.iter().flatten().cloned().collect::<Vec<_>>().join(", ");
                return Err(Error::usage(format!(
                    "the reference `{text}` takes `{key}` for the key of `{other}`, elsewhere it is `{known}`"
                )));
            }
            *known = Some(vec![key.into()]);
        }
        Ok(())
    }

    pub fn of(&self, table: &str) -> Option<&Override> {
        self.tables.iter().find(|(name, _)| name.eq_ignore_ascii_case(table)).map(|(_, said)| said)
    }

    /// The tables that columns are said to refer to.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        self.tables.values().flat_map(|said| said.columns.values()).filter_map(|kind| match kind {
            ColumnKind::Reference(to) => Some(to.as_str()),
            _ => None,
        })
    }

    fn of_mut(&mut self, table: &str) -> &mut Override {
        let known = self.tables.keys().find(|name| name.eq_ignore_ascii_case(table)).cloned();
        self.tables.entry(known.unwrap_or_else(|| table.into())).or_default()
    }

    /// Refuses what is said of tables and columns that do not exist.
    pub fn check(&self, source: &dyn TableSource) -> Result<()> {
        let unknown = |what: String, typed: &str, known: Vec<&str>| {
            let hint =
                nearest_name(typed, known).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
            Err(malformed(&self.place, None, format!("{what}{hint}")))
        };
        for (name, said) in &self.tables {
            let tables = source.tables();
            let Some(table) = tables.iter().find(|t| t.name.eq_ignore_ascii_case(name)) else {
                let known = tables.iter().map(|t| t.name.as_str()).collect();
                return unknown(format!("there is no table `{name}` in {}", source.name()), name, known);
            };
            let keys = said.key.iter().flatten();
            for column in said.columns.keys().chain(keys) {
                if !table.columns.iter().any(|c| c.eq_ignore_ascii_case(column)) {
                    let known = table.columns.iter().map(String::as_str).collect();
                    return unknown(format!("table `{name}` has no column `{column}`"), column, known);
                }
            }
        }
        Ok(())
    }
}

/// Where references stand that are in no file.
const REFERENCES: &str = "the references";

fn malformed(place: &str, line: Option<u64>, problem: String) -> Error {
    Error::Malformed { source_name: place.into(), line, problem }
}

fn understood(tables: BTreeMap<String, TableToml>, place: &str) -> Result<BTreeMap<String, Override>> {
    let mut out = BTreeMap::new();
    for (table, said) in tables {
        let key = said.key.map(|key| match key {
            KeyToml::One(key) => vec![key],
            KeyToml::Many(keys) => keys,
        });
        let mut columns = BTreeMap::new();
        for (column, word) in said.columns {
            let kind = kind_of(&word).ok_or_else(|| {
                malformed(
                    place,
                    None,
                    format!("`{word}` for `{table}.{column}` is not one of key, category, number, text, time, ignore, \"-> table\""),
                )
            })?;
            columns.insert(column, kind);
        }
        out.insert(table, Override { key, columns });
    }
    Ok(out)
}

fn kind_of(word: &str) -> Option<ColumnKind> {
    let word = word.trim();
    if let Some(to) = word.strip_prefix("->") {
        return Some(ColumnKind::Reference(to.trim().to_string()));
    }
    Some(match word.to_ascii_lowercase().as_str() {
        "key" => ColumnKind::Key,
        "category" => ColumnKind::Category,
        "number" => ColumnKind::Number,
        "text" => ColumnKind::Text,
        "time" => ColumnKind::Time,
        "ignore" => ColumnKind::Ignored,
        _ => return None,
    })
}

fn word_of(kind: &ColumnKind) -> String {
    match kind {
        ColumnKind::Key => "key".into(),
        ColumnKind::Reference(to) => format!("-> {to}"),
        ColumnKind::Category => "category".into(),
        ColumnKind::Number => "number".into(),
        ColumnKind::Text => "text".into(),
        ColumnKind::Time => "time".into(),
        ColumnKind::Ignored => "ignore".into(),
    }
}

/// The schema as a file that can be corrected and kept, with what was seen as comments.
pub(crate) fn write(schema: &Schema, profiles: &[Profile]) -> String {
    let mut out = String::new();
    for (table, profile) in schema.tables.iter().zip(profiles) {
        let rows = if profile.rows == 1 { "1 row".to_string() } else { format!("{} rows", profile.rows) };
        out += &format!("[{}]  # {rows}\n", quoted_key(&table.name));
        match &table.key[..] {
            [] => {}
            [key] => out += &format!("key = {}\n", quoted(key)),
            keys => {
                out +=
                    &format!("key = [{}]\n", keys.iter().map(|k| quoted(k)).collect::<Vec<_>>().join(", "));
            }
        }
        out += &format!("[{}.columns]\n", quoted_key(&table.name));
        for (column, seen) in table.columns.iter().zip(&profile.columns) {
            let mut seen_words = Vec::new();
            match (&column.kind, seen.distinct()) {
                (ColumnKind::Number, _) => seen_words.push(format!("{} to {}", seen.smallest, seen.largest)),
                (ColumnKind::Category, Some(values)) => seen_words.push(format!("{values} values")),
                (ColumnKind::Text | ColumnKind::Time, _) => seen_words.push("not used in rules".into()),
                _ => {}
            }
            if seen.missing > 0 {
                seen_words.push(format!("{} missing", seen.missing));
            }
            let comment =
                if seen_words.is_empty() { String::new() } else { format!("  # {}", seen_words.join(", ")) };
            out += &format!("{} = {}{comment}\n", quoted_key(&column.name), quoted(&word_of(&column.kind)));
        }
        out.push('\n');
    }
    out
}

fn quoted(text: &str) -> String {
    let escaped = |c: char| match c {
        '\\' | '"' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", c as u32),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

fn quoted_key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_string() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use likewise::relations::schema::{ColumnSchema, TableSchema};

    #[test]
    fn what_is_shown_can_be_read_again() {
        let kinds = [
            ColumnKind::Key,
            ColumnKind::Reference("big shops".into()),
            ColumnKind::Category,
            ColumnKind::Number,
            ColumnKind::Text,
            ColumnKind::Time,
            ColumnKind::Ignored,
        ];
        let columns: Vec<ColumnSchema> = (kinds.iter().enumerate())
            .map(|(i, kind)| ColumnSchema::new(format!("c {i}\""), kind.clone()))
            .collect();
        let table = TableSchema { name: "orders".into(), key: vec!["c 0\"".into(), "c 1\"".into()], columns };
        let text = write(&Schema { tables: vec![table] }, &[Profile::new(7)]);
        let said = Said::from_toml(&text, NAME).unwrap();
        let orders = said.of("Orders").unwrap();
        assert_eq!(orders.key.as_ref().unwrap().len(), 2);
        for (i, kind) in kinds.iter().enumerate() {
            assert_eq!(orders.kind(&format!("c {i}\"")), Some(kind));
        }
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| Said::from_toml(text, NAME).unwrap_err().to_string();
        assert!(message("[a]\nkey = \"id\"\n[a.columns\n").starts_with("schema.toml:3: "));
        assert!(message("[a]\nkeys = \"id\"").contains("keys"));
        let wrong_key = message("[a]\nkey = 3");
        assert!(wrong_key.contains("a key is the name of a column"), "{wrong_key}");
        assert_eq!(
            message("[a.columns]\nb = \"words\""),
            "schema.toml: `words` for `a.b` is not one of key, category, number, text, time, ignore, \"-> table\""
        );
    }

    #[test]
    fn what_is_too_long_is_no_schema() {
        assert!(Said::from_toml(&" ".repeat(LONGEST), "s.toml").is_ok());
        let message = Said::from_toml(&" ".repeat(LONGEST + 1), "s.toml").err().unwrap().to_string();
        assert!(message.starts_with("s.toml: more than 4 MiB, which is no schema"), "{message}");
    }

    #[test]
    fn references_say_where_they_lead_and_by_which_key() {
        let mut said = Said::from_json(r#"{"Orders": {"columns": {"status": "category"}}}"#, "a").unwrap();
        said.add_reference("orders.customer -> customers").unwrap();
        said.add_reference("items.order->orders.nr").unwrap();
        let orders = said.of("orders").unwrap();
        assert_eq!(orders.kind("status"), Some(&ColumnKind::Category));
        assert_eq!(orders.kind("customer"), Some(&ColumnKind::Reference("customers".into())));
        assert_eq!(orders.key, Some(vec!["nr".into()]));
        for bad in ["orders.customer", "orders -> customers", "a.b -> ", ".b -> c", "a.b -> c."] {
            let message = said.add_reference(bad).unwrap_err().to_string();
            assert!(message.contains("is not like `orders.customer -> customers`"), "{message}");
        }
        let message = said.add_reference("parcels.order -> orders.id").unwrap_err().to_string();
        assert!(message.ends_with("takes `id` for the key of `orders`, elsewhere it is `nr`"), "{message}");
    }
}
