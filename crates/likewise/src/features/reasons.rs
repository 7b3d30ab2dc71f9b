//! Reasons in terms of a row's own cells.
//!
//! A model weighs columns of numbers. A person asks of cells: a category that the row does not have is no reason for
//! it, what is known of its alternatives speaks through the one it has, and a single number of an embedding says
//! nothing, only all of them together.

use std::collections::BTreeMap;

use super::Features;
use crate::data::{Data, Table};
use crate::method::{Cause, Reason};

/// Reasons whose columns are told by the row, and the sum of what its vectors weigh.
pub struct Told {
    /// Strongest first.
    pub reasons: Vec<Reason>,
    /// How much the vectors speak for the class, where there are any.
    pub vectors: Option<f64>,
}

impl Features {
    /// How many reasons to ask a model for, where some of them will be put together.
    pub fn reasons_to_ask(&self, top: usize) -> usize {
        match self {
            Features::Columns(_) | Features::Vectors(_) | Features::Joined(_) => top.max(self.width()),
            _ => top,
        }
    }

    /// The reasons for a row of `x`, put together by the row's own cells.
    pub fn by_cells(&self, x: &Data, row: usize, reasons: Vec<Reason>, top: usize) -> Told {
        if !matches!(self, Features::Columns(_) | Features::Vectors(_) | Features::Joined(_)) {
            return Told { reasons, vectors: None };
        }
        let (mut pushes, mut told): (BTreeMap<usize, f64>, Vec<Reason>) = Default::default();
        let mut vectors = None;
        for reason in reasons {
            match reason.cause {
                Cause::Feature(j) if self.is_vector(j) => *vectors.get_or_insert(0.0) += reason.push,
                Cause::Feature(j) => match self.alternatives(j) {
                    None => *pushes.entry(j).or_default() += reason.push,
                    Some(mut columns) => {
                        if let Some(own) = columns.find(|&j| value(x, row, j) != 0.0) {
                            *pushes.entry(own).or_default() += reason.push;
                        }
                    }
                },
                Cause::Rule { .. } | Cause::Statement(_) => told.push(reason),
            }
        }
        told.extend(Reason::strongest(pushes, usize::MAX));
        told.sort_by(|a, b| b.push.abs().total_cmp(&a.push.abs()));
        told.truncate(top);
        Told { reasons: told, vectors }
    }

    /// What column `j` says of a row of the table.
    pub fn told(&self, j: usize, table: &Table, row: usize) -> String {
        match self {
            Features::Columns(columns) => columns.told(j, table, row),
            Features::Joined(joined) => match joined.block_of(j) {
                Some((block, own)) => block.told(own, table, row),
                None => self.name(j),
            },
            _ => self.name(j),
        }
    }

    /// Whether column `j` is a number of an embedding, which says nothing by itself.
    pub fn is_vector(&self, j: usize) -> bool {
        match self {
            Features::Vectors(_) => true,
            Features::Joined(joined) => matches!(joined.block_of(j), Some((Features::Vectors(_), _))),
            _ => false,
        }
    }

    /// The columns of which a row is in one at most.
    fn alternatives(&self, j: usize) -> Option<std::ops::Range<usize>> {
        match self {
            Features::Columns(columns) => columns.alternatives(j),
            Features::Joined(joined) => {
                let (block, own) = joined.block_of(j)?;
                let columns = block.alternatives(own)?;
                let first = j - own;
                Some(first + columns.start..first + columns.end)
            }
            _ => None,
        }
    }
}

fn value(x: &Data, row: usize, j: usize) -> f32 {
    match x {
        Data::Dense(x) => x.row(row).get(j).copied().unwrap_or(0.0),
        Data::Sparse(x) => {
            let row = x.row(row);
            row.indices.binary_search(&(j as u32)).map_or(0.0, |at| row.values[at])
        }
        Data::Relational(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use crate::features::{Input, words::WordOptions};
    use crate::registry::find;
    use crate::run::Run;

    #[test]
    fn a_category_that_the_row_has_not_is_no_reason() {
        let table = Table::from_columns(vec![
            ("country".into(), Column::Text(["FR", "DE", ""].into_iter().collect())),
            ("amount".into(), Column::Number(vec![312.0, 1.0, f64::NAN])),
            (
                "created".into(),
                Column::Text(["2024-03-01", "2020-01-01", "2022-01-01"].into_iter().collect()),
            ),
        ])
        .unwrap();
        let input = Input::Columns(["country", "amount", "created"].map(String::from).to_vec());
        let spec = find("logistic").unwrap().spec();
        let (features, x, _) =
            Features::fit(&table, &input, &WordOptions::default(), &spec, &Run::new(0)).unwrap();
        let reason = |j: usize, push: f64| Reason { cause: Cause::Feature(j), push };
        let told = |row: usize| {
            let all = vec![reason(0, -0.7), reason(1, 0.5), reason(2, 0.3), reason(3, -0.1)];
            let told = features.by_cells(&x, row, all, 9);
            let name = |reason: &Reason| match reason.cause {
                Cause::Feature(j) => (features.told(j, &table, row), (reason.push * 10.0).round() / 10.0),
                _ => panic!("none was made"),
            };
            told.reasons.iter().map(name).collect::<Vec<_>>()
        };
        let named =
            |pairs: &[(&str, f64)]| pairs.iter().map(|(n, p)| (n.to_string(), *p)).collect::<Vec<_>>();
        // DE stands first; its -0.7 and the 0.5 of FR are both about the country that the row has.
        assert_eq!(
            told(0),
            named(&[("amount 312 (high)", 0.3), ("country = FR", -0.2), ("created 2024-03-01 (late)", -0.1)])
        );
        assert_eq!(told(1)[1].0, "country = DE");
        assert_eq!(
            told(2),
            named(&[("amount missing", 0.3), ("created 2022-01-01 (usual)", -0.1)]),
            "no country, no reason"
        );
    }
}
