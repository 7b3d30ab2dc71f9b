//! What people write into files where they have no value, and where it is a value after all: `NA` is Namibia.

use std::borrow::Cow;

use likewise::data::{Column, Table, Texts};
use likewise::relations::schema::{ColumnKind, Schema, TableSchema};

const MARKERS: &[&str] = &["?", "NA", "N/A", "NULL", "null", "NaN", "nan", "None", "\\N"];

/// Whether the cell says in words that there is no value.
pub(super) fn is_marker(cell: &str) -> bool {
    MARKERS.contains(&cell)
}

/// Rows of a table of the schema with every marker of a missing value replaced by nothing. What names a row is a name
/// whatever it says, and so is what refers to a row of that name.
pub(super) fn without_markers<'a>(batch: &'a Table, table: &TableSchema, schema: &Schema) -> Cow<'a, Table> {
    let names: Vec<Option<&[String]>> = (batch.column_names().iter())
        .map(|name| {
            let column = table.column(name)?;
            if table.key.iter().any(|key| key.eq_ignore_ascii_case(name)) {
                return None;
            }
            match &column.kind {
                ColumnKind::Reference(to) => Some(
                    schema.table(to).and_then(TableSchema::key_column).map_or(&[][..], |k| &k.not_missing),
                ),
                _ => Some(&[][..]),
            }
        })
        .collect();
    let says_nothing = |names: &[String], cell: &str| is_marker(cell) && !names.iter().any(|n| n == cell);
    let marked = |(column, names): (&Column, &Option<&[String]>)| match (column, names) {
        (Column::Text(cells), Some(names)) => cells.iter().any(|cell| says_nothing(names, cell)),
        _ => false,
    };
    if !batch.columns().map(|(_, column)| column).zip(&names).any(marked) {
        return Cow::Borrowed(batch);
    }
    let mut out = Table::default();
    out.origins.clone_from(&batch.origins);
    out.sources.clone_from(&batch.sources);
    for ((name, column), names) in batch.columns().zip(&names) {
        let column = match (column, names) {
            (Column::Text(cells), Some(names)) => {
                let clean = |cell| if says_nothing(names, cell) { "" } else { cell };
                Column::Text(cells.iter().map(clean).collect::<Texts>())
            }
            (other, _) => other.clone(),
        };
        out.push_column(name, column);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use likewise::relations::schema::ColumnSchema;

    #[test]
    fn a_name_is_no_missing_value() {
        let table = |name: &str, key: &str, columns: Vec<ColumnSchema>| TableSchema {
            name: name.into(),
            key: vec![key.into()],
            columns,
        };
        let column = |name: &str, kind: ColumnKind| ColumnSchema::new(name, kind);
        let namibia = ColumnSchema { not_missing: vec!["NA".into()], ..column("id", ColumnKind::Key) };
        let to = ColumnKind::Reference("countries".into());
        let orders = vec![
            column("id", ColumnKind::Key),
            column("country", to),
            column("carrier", ColumnKind::Category),
        ];
        let schema =
            Schema { tables: vec![table("countries", "id", vec![namibia]), table("orders", "id", orders)] };
        let mut batch = Table::from_source("t");
        for (name, cells) in [("id", ["NA", "b"]), ("country", ["NA", "?"]), ("carrier", ["NA", "post"])] {
            batch.push_column(name, Column::Text(cells.iter().collect()));
        }
        batch.origins = vec![(0, 1), (0, 2)];
        let clean = without_markers(&batch, &schema.tables[1], &schema);
        let cells = |name: &str| [0, 1].map(|row| clean.get(name).unwrap().cell(row).into_owned());
        assert_eq!(
            (cells("id"), cells("country")),
            (["NA", "b"].map(String::from), ["NA", ""].map(String::from))
        );
        assert_eq!(cells("carrier"), ["", "post"].map(String::from));
    }
}
