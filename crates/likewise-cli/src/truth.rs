//! Which rows are truly positive, by their ids.

use std::collections::HashMap;

use anyhow::anyhow;
use likewise::data::Table;
use likewise::problem;

/// Whether each id is truly positive; an id that stands for two rows decides nothing.
pub fn labels(
    truth: &Table,
    label: &str,
    positive: &str,
    id: Option<&str>,
) -> anyhow::Result<HashMap<String, bool>> {
    let column = truth.column(label)?;
    let mut labels = HashMap::with_capacity(truth.rows());
    for (row, id) in problem::ids(truth, id, &mut Vec::new())?.into_iter().enumerate() {
        let is_positive = column.cell(row) == positive;
        if let Some(before) = labels.insert(id, is_positive)
            && before != is_positive
        {
            let place = truth.place(row);
            return Err(anyhow!(
                "{place}: this id stood before with another label; name a column of unique ids with --id"
            ));
        }
    }
    if !labels.values().any(|positive| *positive) {
        return Err(anyhow!(
            "no row of the truth has `{positive}` in column `{label}`; check which column and value mean positive"
        ));
    }
    Ok(labels)
}
