//! What the automatic choice chooses from.

use serde::Serialize;

use crate::data::Kind;

/// One way to rank the pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Candidate {
    /// Balanced logistic regression; C in tenths.
    Logistic {
        c_tenths: u32,
    },
    /// Logistic regression after the rows believed positive have left the negatives.
    LogisticSpared,
    Bagging,
    /// Mean cosine to the nearest positives.
    Nearest,
    LogisticSmooth,
    Pseudo,
    PseudoSmooth,
    /// Mean of logarithmic ranks.
    RankMean(&'static [Candidate]),
}

pub const LOGISTIC: Candidate = Candidate::Logistic { c_tenths: 10 };
const LOGISTIC_10: Candidate = Candidate::Logistic { c_tenths: 100 };
const LOGISTIC_100: Candidate = Candidate::Logistic { c_tenths: 1000 };
const LOGISTIC_TENTH: Candidate = Candidate::Logistic { c_tenths: 1 };

/// The rankers whose medians make the prior.
pub const FOR_PRIOR: &[Candidate] =
    &[LOGISTIC, Candidate::Bagging, Candidate::Nearest, Candidate::LogisticSpared];

const MEANS: [Candidate; 3] = [
    Candidate::RankMean(&[Candidate::PseudoSmooth, LOGISTIC_10, Candidate::Nearest]),
    Candidate::RankMean(&[Candidate::Pseudo, Candidate::Nearest]),
    Candidate::RankMean(&[Candidate::Pseudo, LOGISTIC, Candidate::Nearest]),
];

/// How much to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// No choice among candidates: pseudo-labels with smoothing, unless the pile is mostly positive
    Quick,
    /// Choose from the pool that the notes found enough
    Normal,
    /// Choose from a larger pool, with several strengths of fit
    Thorough,
}

/// The pool. The first is taken unless another is clearly better: the best on average over many tasks.
pub fn pool(effort: Effort, kind: Kind) -> Vec<Candidate> {
    let first = if kind == Kind::Dense { MEANS[0] } else { Candidate::PseudoSmooth };
    if effort == Effort::Quick {
        return vec![first];
    }
    let mut pool = Vec::from([
        Candidate::PseudoSmooth,
        Candidate::Pseudo,
        LOGISTIC,
        LOGISTIC_10,
        Candidate::Bagging,
        Candidate::Nearest,
    ]);
    if kind == Kind::Dense {
        pool.push(LOGISTIC_100);
    }
    if effort == Effort::Thorough {
        pool.extend([LOGISTIC_TENTH, Candidate::LogisticSmooth, Candidate::LogisticSpared]);
    }
    pool.extend(MEANS);
    // The first stands once.
    pool.retain(|candidate| *candidate != first);
    pool.insert(0, first);
    pool
}

impl Candidate {
    /// As the registry calls it, with what differs from the default.
    pub fn name(&self) -> String {
        match self {
            Candidate::Logistic { c_tenths: 10 } => "logistic".into(),
            Candidate::Logistic { c_tenths } => format!("logistic (c={})", f64::from(*c_tenths) / 10.0),
            Candidate::LogisticSpared => "logistic without believed positives".into(),
            Candidate::Bagging => "bagging".into(),
            Candidate::Nearest => "nearest positives".into(),
            Candidate::LogisticSmooth => "logistic-smooth".into(),
            Candidate::Pseudo => "pseudo".into(),
            Candidate::PseudoSmooth => "pseudo-smooth".into(),
            Candidate::RankMean(members) => {
                let names: Vec<_> = members.iter().map(Candidate::name).collect();
                format!("rank-mean of {}", names.join(", "))
            }
        }
    }

    /// Whether it needs the graph of neighbours.
    pub fn smooths(&self) -> bool {
        match self {
            Candidate::LogisticSmooth | Candidate::PseudoSmooth => true,
            Candidate::RankMean(members) => members.iter().any(Candidate::smooths),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_grow_with_the_effort() {
        let size = |effort| pool(effort, Kind::Sparse).len();
        assert!(size(Effort::Quick) < size(Effort::Normal) && size(Effort::Normal) < size(Effort::Thorough));
        assert_eq!(LOGISTIC_10.name(), "logistic (c=10)");
        assert!(MEANS[0].smooths() && !MEANS[1].smooths());
    }
}
