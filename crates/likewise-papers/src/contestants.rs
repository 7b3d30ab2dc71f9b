//! Beyond a paper's own systems: every method that takes its data, with its usual parameters and its own threshold, as
//! papers compare systems; `find` and `compare` cut most of them elsewhere, where hidden positives say.

use likewise::Run;
use likewise::data::{Data, Kind, PuData};
use likewise::decide::is_positive;
use likewise::method::{Parameters, Spec};
use likewise::registry::{all, find};

use crate::error::Result;
use crate::lab::Lab;
use crate::paper::{Cell, PaperTable};

/// The table of every method, in any paper.
pub const EVERY: &str = "every-method";

/// How such a table is shown.
pub const fn every_table(title: &'static str, note: &'static str, digits: usize) -> PaperTable {
    PaperTable { name: EVERY, title, note, digits, axis: None }
}

/// Every registered method that takes such rows, as far as the lab runs it; the ideal that must be told the truth is none
/// of them.
pub fn contestants(kind: Kind, lab: &Lab) -> Vec<Spec> {
    let takes = |spec: &Spec| spec.inputs.contains(&kind) && spec.name != "supervised" && lab.runs(spec.name);
    all().map(|entry| entry.spec()).filter(takes).collect()
}

/// Which rows a method calls positive by its own threshold: those of `target`, or else all that it learned from. Where it
/// refuses these rows, it calls none.
pub fn answers(method: &str, train: &PuData, target: Option<&Data>, run: &Run) -> Result<Vec<bool>> {
    match find(method)?.fit(&Parameters::new(), train, run) {
        Ok(fitted) => {
            let scores = target.map_or(Ok(fitted.scores), |rows| fitted.model.score(rows, run))?;
            Ok(scores.into_iter().map(is_positive).collect())
        }
        Err(likewise::Error::Data(_)) => Ok(vec![false; target.unwrap_or(&train.x).rows()]),
        Err(error) => Err(error.into()),
    }
}

/// The cell of a method in a table of every method.
pub fn cell(paper: &str, method: &str, column: &str, metric: &str, found: &[(f64, f64)]) -> Option<Cell> {
    Cell::new(paper, EVERY, method, column, metric).by(method, &Parameters::new()).of(found)
}
