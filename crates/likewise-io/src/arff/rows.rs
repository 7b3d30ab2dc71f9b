//! The rows of a batch of ARFF.

use likewise::data::{Column, Csr, Texts};

use super::header::{Attribute, AttributeKind};
use super::tokens::{Tokens, Value};
use super::{Layout, Target};

pub(super) struct RowBuilder {
    pub columns: Vec<Column>,
    pub x: Csr,
    /// The row just added has a missing number among its sparse features.
    pub missing_as_zero: bool,
    /// The attributes that the current sparse row has.
    present: Vec<usize>,
}

impl RowBuilder {
    pub fn new(attributes: &[Attribute], layout: &Layout) -> RowBuilder {
        let columns = attributes.iter().zip(&layout.targets).filter(|(_, t)| matches!(t, Target::Column(_)));
        let columns = columns.map(|(attribute, _)| match attribute.kind {
            AttributeKind::Numeric => Column::Number(Vec::new()),
            AttributeKind::Nominal { .. } | AttributeKind::Text => Column::Text(Texts::new()),
        });
        RowBuilder {
            columns: columns.collect(),
            x: Csr::empty(layout.features.len()),
            missing_as_zero: false,
            present: Vec::new(),
        }
    }

    /// Adds a row, or says what is wrong with it; then `truncate` takes away what was added already.
    pub fn push(&mut self, attributes: &[Attribute], layout: &Layout, row: Tokens<'_>) -> Result<(), String> {
        self.missing_as_zero = false;
        match layout.sparse {
            true => self.push_sparse(attributes, layout, row)?,
            false => self.push_dense(attributes, layout, row)?,
        }
        self.x.indptr.push(self.x.indices.len());
        Ok(())
    }

    /// Keeps the first `rows` rows.
    pub fn truncate(&mut self, rows: usize) {
        for column in &mut self.columns {
            match column {
                Column::Text(cells) => cells.truncate(rows),
                Column::Number(cells) => cells.truncate(rows),
                Column::Vectors(_) => unreachable!("{NO_VECTORS}"),
            }
        }
        self.x.indptr.truncate(rows + 1);
        self.x.indices.to_mut().truncate(self.x.indptr[rows]);
        self.x.values.to_mut().truncate(self.x.indptr[rows]);
    }

    fn push_dense(
        &mut self,
        attributes: &[Attribute],
        layout: &Layout,
        mut row: Tokens<'_>,
    ) -> Result<(), String> {
        if row.starts_with('{') {
            return Err("a sparse row in a file that began with dense ones".into());
        }
        let mut width = 0;
        loop {
            if width == attributes.len() && row.starts_with('{') {
                return weight(row);
            }
            let value = row.value(&[',', '\t'])?;
            if let Some(attribute) = attributes.get(width) {
                self.push_value(attribute, layout.targets[width], &value)?;
            }
            width += 1;
            if !row.eat(',') && row.at_end() {
                break;
            }
        }
        if width != attributes.len() {
            let values = if width == 1 { "1 value".into() } else { format!("{width} values") };
            return Err(format!("{values} where {} attributes are declared", attributes.len()));
        }
        Ok(())
    }

    fn push_sparse(
        &mut self,
        attributes: &[Attribute],
        layout: &Layout,
        mut row: Tokens<'_>,
    ) -> Result<(), String> {
        if !row.eat('{') {
            return Err("a dense row in a file that began with sparse ones".into());
        }
        self.present.clear();
        while !row.eat('}') {
            if row.at_end() {
                return Err("the sparse row is not closed by `}`".into());
            }
            let index = row.value(&[' ', '\t', ',', '}'])?.text;
            let Ok(i) = index.parse::<usize>() else {
                return Err(format!("`{index}` is not the index of an attribute"));
            };
            let Some(attribute) = attributes.get(i) else {
                return Err(format!("index {i}, but the last attribute has index {}", attributes.len() - 1));
            };
            if let Some(last) = self.present.last().filter(|last| **last >= i) {
                return Err(format!("index {i} comes after {last}; indices must ascend"));
            }
            let value = row.value(&[',', '}'])?;
            self.push_value(attribute, layout.targets[i], &value)?;
            self.present.push(i);
            row.eat(',');
        }
        self.push_left_out(attributes, layout);
        if row.eat(',') {
            return weight(row);
        }
        if row.at_end() { Ok(()) } else { Err("something stands after the closing `}`".into()) }
    }

    /// What a sparse row leaves out is zero, which for a nominal attribute is its first value.
    fn push_left_out(&mut self, attributes: &[Attribute], layout: &Layout) {
        for &i in &layout.column_attributes {
            let Target::Column(column) = layout.targets[i] else { continue };
            if self.present.binary_search(&i).is_ok() {
                continue;
            }
            match (&mut self.columns[column], &attributes[i].kind) {
                (Column::Number(cells), _) => cells.push(0.0),
                (Column::Text(cells), AttributeKind::Nominal { first, .. }) => cells.push(first),
                (Column::Text(cells), _) => cells.push(""),
                (Column::Vectors(_), _) => unreachable!("{NO_VECTORS}"),
            }
        }
    }

    fn push_value(&mut self, attribute: &Attribute, target: Target, value: &Value<'_>) -> Result<(), String> {
        let text = value.text.as_ref();
        let missing = value.is_missing();
        let refuse =
            |what: &str| Err(format!("`{text}` is not {what}, as the attribute `{}` asks", attribute.name));
        if let AttributeKind::Nominal { values, .. } = &attribute.kind
            && !missing
            && !values.contains(text)
        {
            return refuse("one of the declared values");
        }
        match target {
            Target::Nowhere => {}
            Target::Feature(_) if missing => self.missing_as_zero = true,
            Target::Feature(feature) => match text.parse::<f32>() {
                Ok(0.0) => {}
                Ok(number) if number.is_finite() => {
                    self.x.indices.to_mut().push(feature);
                    self.x.values.to_mut().push(number);
                }
                _ => return refuse("a finite number"),
            },
            Target::Column(column) => match &mut self.columns[column] {
                Column::Text(cells) => cells.push(if missing { "" } else { text }),
                Column::Number(cells) if missing => cells.push(f64::NAN),
                Column::Number(cells) => match text.parse() {
                    Ok(number) => cells.push(number),
                    Err(_) => return refuse("a number"),
                },
                Column::Vectors(_) => unreachable!("{NO_VECTORS}"),
            },
        }
        Ok(())
    }
}

const NO_VECTORS: &str = "an attribute is a number or text";

/// A row may end in its weight, `{0.5}`, which is of no use here.
fn weight(mut row: Tokens<'_>) -> Result<(), String> {
    let is_weight = row.eat('{') && row.value(&['}'])?.text.parse::<f64>().is_ok() && row.eat('}');
    if is_weight && row.at_end() { Ok(()) } else { Err("something stands after the last value".into()) }
}
