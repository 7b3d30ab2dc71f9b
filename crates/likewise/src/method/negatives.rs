//! How a method learns from rows known not to be wanted.

use serde::Serialize;

/// What a method does with rows that a person has marked as not wanted. They are never part of the pile: not ranked,
/// not counted for the prior, not hidden among. Only while the automatic choice judges its candidates are they the rows
/// that they were, since what was read is no fair sample to judge by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Negatives {
    /// It has no use for them, and says so.
    LeftOut,
    /// True negatives beside the pile, by weight.
    Beside,
    /// A supervised risk beside the one of positives and pile (PNU).
    Risk,
    /// Counted on the negative side.
    Counted,
    /// Held at the low end of the graph.
    Held,
    /// Reliable negatives from the start.
    Reliable,
    /// Drawn before any row of the pile, where rows are drawn as negatives.
    First,
    /// By whatever each candidate does with them.
    ByCandidates,
}

impl Negatives {
    /// One line for people.
    pub fn words(self) -> &'static str {
        match self {
            Negatives::LeftOut => "left out: the method has no use for them",
            Negatives::Beside => {
                "learned as negatives beside the pile; of that side they weigh their number / (their number + the positives), \
                 less where they cannot be told from these"
            }
            Negatives::Risk => {
                "a supervised risk beside that of positives and pile (PNU: Sakai et al. 2017), weighted by their number"
            }
            Negatives::Counted => {
                "counted on the negative side, beside a pile without the positives that are believed in it"
            }
            Negatives::Held => "held at the low end of the graph while labels spread",
            Negatives::Reliable => "reliable negatives from the start",
            Negatives::First => "drawn first wherever negatives are drawn; the pile fills up what is missing",
            Negatives::ByCandidates => {
                "used by the candidate that was chosen as it can; they choose and cut nothing by themselves"
            }
        }
    }
}
