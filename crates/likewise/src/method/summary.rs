//! What an automatic answer says of itself: as numbers, and in plain words.

use serde::{Deserialize, Serialize};

use super::drawn::Drawn;
use crate::codes;
use crate::figures::{count, percent, share_of};
use crate::message::{Message, Setting};

/// How many there are, how sure that is, and what was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Believed share of positives in the pile, and its range.
    pub prior: f64,
    /// The lower end of its range.
    pub prior_low: f64,
    /// The upper end of its range.
    pub prior_high: f64,
    /// The method that ranked.
    pub method: String,
    /// Why it was chosen, in one clause.
    pub because: String,
    /// Whether the pile is mostly what was shown, so that the unexpected is what there is to find.
    pub routed_to_unexpected: bool,
    /// Whether the examples cannot be told from the pile, so that the prior is a mere middle.
    #[serde(default)]
    pub prior_untold: bool,
    /// Everything that was tried, best first.
    pub candidates: Vec<Tried>,
    /// What the answer is made of, where the rows have columns of several kinds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockVoice>,
    /// Share of the pile that is marked.
    pub cut: f64,
    /// Rows of the pile.
    pub pile: usize,
    /// Rows of the pile that were learned from, where that is not all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<usize>,
    /// Examples it was learned from.
    pub positives: usize,
    /// Rows of the pile that are marked.
    pub found: usize,
    /// Share of the pile's positives that are marked.
    pub recall: f64,
    /// The lower end of the range of recall.
    pub recall_low: f64,
    /// The upper end of the range of recall.
    pub recall_high: f64,
    /// The lower end of the range of precision.
    pub precision_low: f64,
    /// The upper end of the range of precision.
    pub precision_high: f64,
    /// The lower end of the range of F1.
    pub f1_low: f64,
    /// The upper end of the range of F1.
    pub f1_high: f64,
    /// Recall when a share q of the pile is accepted, with its range: q, recall, low, high.
    pub recall_curve: Vec<[f64; 4]>,
    /// What makes the answer worth less, each with what to do about it.
    pub warnings: Vec<Message>,
    /// Rows known not to be wanted that it was learned from.
    #[serde(default)]
    pub known_negatives: usize,
    /// For each example, the share of the pile that stood at or above it while it was hidden there.
    #[serde(default)]
    pub hidden_ranks: Vec<f64>,
    /// Whether the examples look like a random draw of their class; none where nobody could look.
    #[serde(default)]
    pub drawn: Option<Drawn>,
}

/// What ranks by one block of columns, or by all of them joined, and how much it counts in the mean of ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockVoice {
    /// Which block; none where all are joined.
    pub block: Option<usize>,
    /// How long each block is beside the others where they are joined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lengths: Vec<u32>,
    /// The method, with what differs from its defaults.
    pub method: String,
    /// Its weight beside the others.
    pub weight: u32,
}

/// One candidate and what the hidden positives say of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The method, with what differs from its defaults.
    pub method: String,
    /// The chance that a hidden positive stands above a row of the pile.
    pub pu_auc: f64,
    /// The largest F1 that any cut would have.
    pub estimated_f1: f64,
    /// The area counted for the top of the pile alone.
    pub partial_auc: f64,
}

/// From one number to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// Below this many positives every interval is wide.
const FEW: usize = 30;
/// A PU-AUC below this: the examples hardly differ from the pile.
pub const WEAK: f64 = 0.7;
const WIDE: f64 = 0.3;
const RARE: f64 = 0.02;
const MUCH_DISAGREEMENT: f64 = 0.3;

impl Summary {
    /// The range of the believed share of positives.
    pub fn prior_range(&self) -> Range {
        Range { low: self.prior_low, high: self.prior_high }
    }

    /// Every warning that applies, each with what to do about it.
    pub fn warn(&mut self, disagreement: Option<f64>) {
        let best = self.candidates.iter().map(|c| c.pu_auc).fold(0.0, f64::max);
        let alarm = self.drawn.filter(Drawn::alarm);
        let mut warnings: Vec<Message> =
            alarm.iter().map(|drawn| drawn.warning(Some(&share_of(self.prior_high, self.pile)))).collect();
        let mut warn = |message: Message| warnings.push(message);
        if self.positives < FEW {
            let text = format!(
                "only {} examples: ranges are wide and may still miss the truth; mark {FEW} or more",
                self.positives
            );
            warn(Message::new(&codes::FEW_EXAMPLES, text).field("examples", self.positives));
        }
        if !self.candidates.is_empty() && best < WEAK {
            let text = format!(
                "the examples hardly differ from the pile (PU-AUC {best:.2}): the numbers found can be far off; give more telling columns or more examples"
            );
            warn(Message::new(&codes::WEAK_SEPARATION, text).field("pu_auc", best));
        }
        if !self.prior_untold && self.prior_high - self.prior_low > WIDE {
            let text = format!(
                "how many there are is uncertain (between {} and {} of the pile): trust the ranking more than the cut",
                percent(self.prior_low),
                percent(self.prior_high)
            );
            let wide = Message::new(&codes::PRIOR_WIDE, text).field("low", self.prior_low);
            warn(wide.field("high", self.prior_high));
        }
        if self.prior * (self.pile as f64) < self.positives as f64 || self.prior < RARE {
            let text = "positives are rare in the pile: the recall range is less reliable; read the top of the ranking yourself";
            warn(Message::new(&codes::RARE_CLASS, text).field("prior", self.prior));
        }
        if self.routed_to_unexpected {
            let text = "the pile is mostly what you showed; what there is to find is the unexpected, at the END of the ranking (the question `unexpected` asks for it)";
            warn(Message::new(&codes::MOSTLY_POSITIVE, text).field("prior", self.prior));
        }
        if let Some(share) = disagreement.filter(|share| *share > MUCH_DISAGREEMENT) {
            let text = format!(
                "the two best methods disagree on {} of the rows marked; look at some of them before you rely on the cut",
                percent(share)
            );
            warn(Message::new(&codes::METHODS_DISAGREE, text).field("share", share));
        }
        if self.prior_untold {
            let at = warnings
                .iter()
                .take_while(|w| [&codes::FEW_EXAMPLES, &codes::WEAK_SEPARATION].contains(&w.code));
            let text = "the examples cannot be told from the pile: either most of the pile is of their class, or they do not show what makes it; how many are marked is a guess. Mark more, or, if you know the share, give it with ";
            warnings.insert(
                at.count(),
                Message::new(&codes::PRIOR_UNTOLD, text).setting(Setting::with("prior", "SHARE")),
            );
        }
        self.warnings = warnings;
    }

    /// One example cannot be hidden from itself: nothing is known of how many there are or are found.
    fn is_of_one_example(&self) -> bool {
        self.positives == 1
    }

    /// A few plain lines.
    pub fn lines(&self) -> Vec<String> {
        let rows = |share: f64| share_of(share, self.pile);
        let typical_first = self.drawn.is_some_and(|drawn| drawn.alarm());
        let mut lines = vec![
            match typical_first && self.prior < self.prior_high {
                _ if self.is_of_one_example() => {
                    format!(
                        "How many of the {} rows are positive, one example cannot tell.",
                        count(self.pile)
                    )
                }
                false => format!(
                    "About {} of the {} rows are probably positive (range {} to {}).",
                    rows(self.prior),
                    count(self.pile),
                    rows(self.prior_low),
                    rows(self.prior_high)
                ),
                true => format!(
                    "Between {} and {} of the {} rows are positive: about {} if you marked the typical ones first, as it looks, and fewer if your examples are a random draw after all.",
                    rows(self.prior_low),
                    rows(self.prior_high),
                    count(self.pile),
                    rows(self.prior)
                ),
            },
            format!("Method: {}, {}.", self.method, self.because),
            match self.is_of_one_example() {
                true => format!("Marked {} rows.", count(self.found)),
                false => format!(
                    "Marked {} rows, believed to hold {} of all positives ({} to {}).",
                    count(self.found),
                    percent(self.recall),
                    percent(self.recall_low),
                    percent(self.recall_high)
                ),
            },
        ];
        if self.found > 0 && !self.is_of_one_example() {
            lines.push(format!(
                "Not known: how many of the marked are wrong. Without negatives no lower bound on precision can be had; if the range above holds, between {} and {} of the marked are right.",
                percent(self.precision_low),
                percent(self.precision_high)
            ));
        }
        if self.known_negatives > 0 {
            lines.push(format!(
                "What rests on your marks: the ranking, which {} rows known not to be wanted taught too. What rests on assumptions: the numbers above; to know precision and recall by reading, mark rows drawn at random from both sides of the cut.",
                count(self.known_negatives)
            ));
        }
        if let Some(sampled) = self.sampled {
            lines.push(format!(
                "Learned from {} of these rows, drawn at random; the ranges allow for the draw.",
                count(sampled)
            ));
        }
        lines.push(match typical_first {
            false => "All of this assumes that your examples are a random draw of the class.".into(),
            true => "A random draw of the class would tell more: the ranking suffers little from examples that are too typical, the count and the cut do.".into(),
        });
        if typical_first {
            lines.insert(
                0,
                "Your examples look like the typical ones of their class, not like a random draw of it."
                    .into(),
            );
        }
        lines
    }
}
