//! Why rows have their scores, in the words of the user's own columns.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Trained;
use crate::data::{Data, Table, Texts};
use crate::error::Result;
use crate::likeness::Likeness;
use crate::method::{Cause, Reason};
use crate::relations::Relational;
use crate::run::Run;

/// Why a row has its score: names and pushes, strongest first.
pub type Explanation = Vec<(String, f64)>;

/// A reason among related tables.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleReason {
    /// The rule that the example satisfies.
    pub clause: String,
    /// The query that says the same, where the reason is a rule.
    pub query: Option<String>,
    /// How much it speaks for the class; below 0 against it.
    pub push: f64,
}

impl Trained {
    /// Remembers what the user calls the examples, so that explanations can say which of them a vector is like.
    pub fn remember(&mut self, examples: &Table, ids: Texts, run: &Run) -> Result<()> {
        self.likeness = Likeness::of(&self.features, examples, ids, run)?;
        Ok(())
    }

    /// Why an example among related tables has its score, strongest first.
    pub fn explain_related(&self, x: &Relational, row: usize, top: usize) -> Result<Vec<RuleReason>> {
        let reasons = self.model.explain(&Data::Relational(Arc::new(x.clone())), row, top)?;
        let told = |Reason { cause, push }| match cause {
            Cause::Rule { clause, query } => RuleReason { clause, query: Some(query), push },
            cause => RuleReason { clause: self.name(cause), query: None, push },
        };
        Ok(reasons.into_iter().map(told).collect())
    }

    /// Why row `row` of a table has its score.
    pub fn explain(&self, table: &Table, row: usize, top: usize, run: &Run) -> Result<Explanation> {
        let one = table.select(&[row]);
        let (x, _) = self.features.transform(&one, run)?;
        let reasons = self.reasons(&x, self.features.reasons_to_ask(top))?;
        let told = self.features.by_cells(&x, 0, reasons, top);
        let name = |cause| match cause {
            Cause::Feature(j) => self.features.told(j, &one, 0),
            cause => self.name(cause),
        };
        let mut named: Explanation =
            told.reasons.into_iter().map(|reason| (name(reason.cause), reason.push)).collect();
        if let Some(push) = told.vectors.filter(|push| *push != 0.0) {
            let like = match &self.likeness {
                Some(likeness) => likeness.nearest(&self.features, &one, run)?,
                None => None,
            };
            let at = named.partition_point(|(_, other)| other.abs() >= push.abs());
            named.insert(at, (like.unwrap_or_else(|| "its vector".into()), push));
            named.truncate(top);
        }
        Ok(named)
    }

    /// Why row `row` of a matrix has its score.
    pub fn explain_rows(&self, x: Data, row: usize, top: usize) -> Result<Explanation> {
        let x = self.rows()?.transform(x.select(&[row]))?;
        Ok(self.named(self.reasons(&x, top)?))
    }

    /// Why the only row of `x` has its score; what was learned later speaks beside the model.
    fn reasons(&self, x: &Data, top: usize) -> Result<Vec<Reason>> {
        let mut reasons = self.model.explain(x, 0, top)?;
        if let Some(correction) = self.correction.as_ref().filter(|correction| correction.fits(x)) {
            for more in correction.reasons(x, 0, top) {
                match reasons.iter_mut().find(|reason| reason.cause == more.cause) {
                    Some(reason) => reason.push = (reason.push + more.push).clamp(f64::MIN, f64::MAX),
                    None => reasons.push(more),
                }
            }
            reasons.sort_by(|a, b| b.push.abs().total_cmp(&a.push.abs()));
            reasons.truncate(top);
        }
        Ok(reasons)
    }

    /// The features that count most whatever the row; none where the model has no such.
    pub fn portrait(&self, top: usize) -> Explanation {
        let mut named = self.model.portrait(self.features.reasons_to_ask(top));
        named.retain(|reason| !matches!(reason.cause, Cause::Feature(j) if self.features.is_vector(j)));
        named.truncate(top);
        self.named(named)
    }

    fn named(&self, reasons: Vec<Reason>) -> Explanation {
        reasons.into_iter().map(|reason| (self.name(reason.cause), reason.push)).collect()
    }

    fn name(&self, cause: Cause) -> String {
        match cause {
            Cause::Feature(j) => self.features.name(j),
            Cause::Rule { clause, .. } => clause,
            Cause::Statement(text) => text,
        }
    }

    /// The features that push most over many rows: the mean push of the strongest, named.
    pub fn telling_features(
        &self,
        table: &Table,
        rows: &[usize],
        top: usize,
        run: &Run,
    ) -> Result<Explanation> {
        let (x, _) = self.features.transform(&table.select(rows), run)?;
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for row in 0..rows.len() {
            let reasons = self.model.explain(&x, row, self.features.reasons_to_ask(top))?;
            for reason in self.features.by_cells(&x, row, reasons, top).reasons {
                if let Cause::Feature(j) = reason.cause {
                    *sums.entry(j).or_default() += reason.push / rows.len() as f64;
                }
            }
        }
        let strongest = Reason::strongest(sums, top).into_iter();
        Ok(strongest
            .filter_map(|reason| match reason.cause {
                Cause::Feature(j) => Some((self.features.name(j), reason.push)),
                Cause::Rule { .. } | Cause::Statement(_) => None,
            })
            .collect())
    }
}
