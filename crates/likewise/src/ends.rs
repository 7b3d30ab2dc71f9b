//! Where the class ends: how many of the best-ranked rows are marked.
//!
//! A ranking is one thing, where to cut it another. By default positives that were hidden in the pile say where, for the
//! methods whose own threshold is not their point; the user may ask for a share of the positives, for a precision, for a
//! number of rows, or for a score instead. The ranking is never touched.

use serde::{Deserialize, Serialize};

use crate::automatic::certainty::ranks_of_class;
use crate::codes;
use crate::decide::{is_positive, margin};
use crate::error::{Error, Result};
use crate::figures::{count, percent};
use crate::measure::estimated_precision;
use crate::method::Summary;
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::parts::cut::Cut;
use crate::prior::{MOSTLY_POSITIVE, Ranks, cut_from_hidden, median_of_three};

/// What decides how many rows are marked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// The method's own threshold.
    Natural,
    /// Positives that were hidden in the pile.
    Hidden,
    /// As many as are believed to hold this share of the pile's positives.
    Recall(f64),
    /// As many as are believed to be right to this share, if the estimate of the prior holds.
    Precision(f64),
    /// This share of the pile.
    Share(f64),
    /// So many rows.
    Top(usize),
    /// Scores of the method's own of this or more.
    Threshold(f64),
}

impl Ends {
    /// By name and value, as doors are given them: `natural`, `hidden`, or `recall` with 0.95 and the like.
    pub fn parse(name: &str, value: Option<f64>) -> Result<Self> {
        let ends = match (name, value) {
            ("natural", None) => Ends::Natural,
            ("hidden", None) => Ends::Hidden,
            ("recall", Some(share)) => Ends::Recall(share),
            ("precision", Some(share)) => Ends::Precision(share),
            ("share", Some(share)) => Ends::Share(share),
            ("threshold", Some(score)) => Ends::Threshold(score),
            ("top", Some(rows)) if rows.fract() == 0.0 && (1.0..=1e15).contains(&rows) => {
                Ends::Top(rows as usize)
            }
            ("top", Some(_)) => {
                return Err(Error::parameter("top", "give a whole number of rows, 1 or more"));
            }
            ("natural" | "hidden", Some(_)) => {
                return Err(Error::parameter("cut", format!("`{name}` takes no number")));
            }
            ("recall" | "precision" | "share" | "top" | "threshold", None) => {
                return Err(Error::parameter("cut", format!("`{name}` needs a number")));
            }
            _ => {
                let known = "natural, hidden, recall, precision, share, top, threshold";
                return Err(Error::parameter("cut", format!("there is no `{name}`; there are {known}")));
            }
        };
        ends.check()?;
        Ok(ends)
    }

    /// Refuses numbers that mean nothing.
    pub fn check(&self) -> Result<()> {
        let (name, share) = match *self {
            Ends::Recall(share) => ("recall", share),
            Ends::Precision(share) => ("precision", share),
            Ends::Share(share) => ("share", share),
            Ends::Threshold(score) => ("threshold", score),
            Ends::Natural | Ends::Hidden | Ends::Top(_) => return Ok(()),
        };
        if share > 0.0 && share <= 1.0 {
            return Ok(());
        }
        Err(Error::parameter(name, format!("{share} is not above 0 and at most 1")))
    }

    /// Whether positives must be hidden to know it.
    pub fn needs_hidden(&self) -> bool {
        matches!(self, Ends::Hidden | Ends::Recall(_) | Ends::Precision(_))
    }

    /// How many of the best rows of the pile are marked, and what there is to say of it. `scores` are the method's own of
    /// the pile; `said` is what hidden positives tell, where somebody has hidden any.
    pub fn rows(&self, scores: &[f64], said: Option<&Summary>) -> (usize, Vec<Note>) {
        let n = scores.len();
        let natural = scores.iter().filter(|score| is_positive(**score)).count();
        let of_share = |share: f64| rows_of(share, n);
        let ranks = said.and_then(ranks_of_class);
        let told = match (said, &ranks) {
            (Some(said), Some(ranks)) => Some((said, ranks)),
            _ => None,
        };
        match (*self, told) {
            (Ends::Share(share), _) => (of_share(share), Vec::new()),
            (Ends::Top(rows), _) => (rows.min(n), Vec::new()),
            (Ends::Threshold(least), _) => {
                (scores.iter().filter(|score| **score >= least).count(), Vec::new())
            }
            (Ends::Hidden, Some((said, ranks))) => {
                let share = share_by_hidden(ranks, said.prior, said.routed_to_unexpected);
                (of_share(share), unranked(scores).into_iter().collect())
            }
            (Ends::Recall(wanted), Some((said, ranks))) => {
                // Behind the last of the examples nothing is known of the class.
                let last = said.hidden_ranks.iter().copied().fold(0.0, f64::max);
                let curve = ranks.recall_curve();
                let known = || curve.iter().filter(|(share, _)| *share <= last);
                if let Some((share, _)) = known().find(|(_, recall)| *recall >= wanted - 1e-9) {
                    return (of_share(*share), Vec::new());
                }
                let believed = known().next_back().map_or(0.0, |(_, recall)| *recall);
                let text = format!(
                    "nobody can say where a recall of {} is reached, since the examples are too typical: the cut stands behind the last of them, where {} are believed to be reached; mark rows drawn at random and learn again",
                    percent(wanted),
                    percent(believed)
                );
                (of_share(last), vec![Note::warning(&codes::CUT_OUT_OF_REACH, text)])
            }
            (Ends::Precision(wanted), Some((said, ranks))) => {
                let curve = ranks.recall_curve();
                let believed = |&(share, recall): &(f64, f64)| estimated_precision(recall, said.prior, share);
                if let Some((share, _)) = curve.iter().rev().find(|point| believed(point) >= wanted - 1e-9) {
                    return (of_share(*share), Vec::new());
                }
                let best = curve.iter().max_by(|a, b| believed(a).total_cmp(&believed(b)));
                let (share, precision) =
                    best.map_or((1.0 / n as f64, 0.0), |point| (point.0, believed(point)));
                let text = format!(
                    "no cut is believed to reach a precision of {}: the best are {} rows with {}; mark some of them as not wanted and learn again",
                    percent(wanted),
                    count(of_share(share)),
                    percent(precision)
                );
                (of_share(share), vec![Note::warning(&codes::CUT_OUT_OF_REACH, text)])
            }
            (Ends::Recall(_) | Ends::Precision(_), None) => {
                let text = "one example cannot be hidden, so nobody can say where that is: the method's own threshold was taken";
                (natural, vec![Note::warning(&codes::CUT_OUT_OF_REACH, text)])
            }
            (Ends::Natural, _) => (natural, natural_notes("the method's own threshold", natural, scores)),
            (Ends::Hidden, None) => {
                let cut = "no positive could be hidden to place the cut, and the method's own threshold";
                (natural, natural_notes(cut, natural, scores))
            }
        }
    }
}

/// How many rows of a pile hidden positives mark, under the believed share of positives.
pub fn rows_by_hidden(ranks: &Ranks, prior: f64, pile: usize) -> usize {
    rows_of(share_by_hidden(ranks, prior, prior > MOSTLY_POSITIVE), pile)
}

fn share_by_hidden(ranks: &Ranks, prior: f64, mostly_positive: bool) -> f64 {
    if mostly_positive { median_of_three(ranks) } else { cut_from_hidden(ranks, prior, &[prior]) }
}

/// At least one row, however small the share.
fn rows_of(share: f64, pile: usize) -> usize {
    ((share * pile as f64).round() as usize).clamp(1, pile.max(1))
}

/// Where all rows are alike, there is nothing to cut.
fn unranked(scores: &[f64]) -> Option<Note> {
    let first = scores.first()?;
    let alike = scores.len() > 1 && scores.iter().all(|score| score.to_bits() == first.to_bits());
    let text = format!(
        "all {} rows have the same score, so there is no ranking: what was learned from does not tell them apart; give columns or tables that do, or more examples",
        count(scores.len())
    );
    alike.then(|| Note::warning(&codes::CUT_SAYS_NOTHING, text))
}

/// A threshold that marks nothing or nearly everything is mostly not what was wanted.
fn natural_notes(cut: &str, found: usize, scores: &[f64]) -> Vec<Note> {
    const NEARLY_ALL: f64 = 0.95;
    if let Some(note) = unranked(scores) {
        return vec![note];
    }
    let pile = scores.len();
    let text = match found {
        0 => format!("{cut} marks nothing; the ranking is as good as ever: cut it elsewhere"),
        _ if found as f64 > NEARLY_ALL * pile as f64 => format!(
            "{cut} marks {} of {} rows; the ranking is as good as ever: cut it elsewhere",
            count(found),
            count(pile)
        ),
        _ => return Vec::new(),
    };
    vec![Note::warning(&codes::CUT_SAYS_NOTHING, text)]
}

/// A cut that was moved: which score of the method's own becomes 0.5. Scores are unbounded and then compared by their
/// size, so that those near 0 and 1 stay apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved(Cut);

impl Moved {
    /// The cut after the best `rows` of these scores.
    pub fn after(scores: &[f64], rows: usize) -> Self {
        Moved(Cut::after_any(&scores.iter().map(|score| sized(*score)).collect::<Vec<_>>(), rows))
    }

    /// The cut at this score, which is let through; `others` are scores that are to be told apart from it.
    pub fn at(score: f64, others: &[f64]) -> Self {
        Moved(Cut::at(sized(score), &others.iter().map(|score| sized(*score)).collect::<Vec<_>>()))
    }

    /// The cut as a number that is as large the higher it is.
    pub fn place(&self) -> f64 {
        self.0.at
    }

    /// The score that a score of the method's own becomes. What has none stays without.
    pub fn score(&self, score: f64) -> f64 {
        if score > 0.0 { self.0.score(sized(score)) } else { 0.0 }
    }

    /// Keeps it.
    pub fn save(&self, out: &mut Writer) {
        self.0.save(out);
    }

    /// Reads a kept one.
    pub fn load(file: &Reader) -> Result<Self> {
        Ok(Moved(Cut::load(file)?))
    }
}

/// The margin of a score by its order of magnitude: margins of 10 and 10 billion are both to be told from their like.
pub(crate) fn sized(score: f64) -> f64 {
    let margin = margin(score);
    margin.abs().ln_1p().copysign(margin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automatic::certainty::moved;
    use crate::method::Drawn;
    use crate::run::Run;

    /// Twenty hidden positives stand at every hundredth of the pile's first fifth.
    fn said() -> Summary {
        let ranks: Vec<f64> = (1..=20).map(|k| f64::from(k) / 100.0).collect();
        let json = serde_json::json!({
            "prior": 0.1, "prior_low": 0.05, "prior_high": 0.2, "method": "nb", "because": "",
            "routed_to_unexpected": false, "candidates": [], "cut": 0.0, "pile": 1000, "positives": 20, "found": 0,
            "recall": 0.0, "recall_low": 0.0, "recall_high": 0.0, "precision_low": 0.0, "precision_high": 0.0,
            "f1_low": 0.0, "f1_high": 0.0, "recall_curve": [], "warnings": [], "hidden_ranks": ranks,
        });
        serde_json::from_value(json).unwrap()
    }

    fn scores() -> Vec<f64> {
        (0..1000).map(|i| f64::from(i) / 1000.0).collect()
    }

    #[test]
    fn each_end_by_hand() {
        let (said, scores) = (said(), scores());
        let rows = |ends: Ends| ends.rows(&scores, Some(&said)).0;
        assert_eq!(rows(Ends::Natural), 500);
        assert_eq!((rows(Ends::Top(7)), rows(Ends::Top(5000)), rows(Ends::Share(0.25))), (7, 1000, 250));
        assert_eq!(rows(Ends::Threshold(0.9)), 100);
        // The tenth of twenty hidden positives stands at a tenth of the pile.
        assert_eq!((rows(Ends::Recall(0.5)), rows(Ends::Recall(1.0))), (100, 200));
        // π R(q) / q = 0.1 · 5q / q = 0.5 at every cut, so a precision of 0.5 is kept down to the last.
        assert_eq!(rows(Ends::Precision(0.5)), 200);
        let (best, notes) = Ends::Precision(0.9).rows(&scores, Some(&said));
        assert!(best >= 1 && notes[0].message.code == &codes::CUT_OUT_OF_REACH);
        assert!((50..=200).contains(&rows(Ends::Hidden)), "{}", rows(Ends::Hidden));
    }

    #[test]
    fn behind_the_last_of_examples_that_are_too_typical_nothing_is_known() {
        let drawn = Drawn {
            compared: 50,
            deviations: 5.0,
            limit: 3.0,
            strength: 1.0,
            strength_high: 2.0,
            marked_beside: 1.0,
        };
        let mut said = Summary { drawn: Some(drawn), ..said() };
        let scores = scores();
        let (rows, notes) = Ends::Recall(0.5).rows(&scores, Some(&said));
        assert!(
            notes.is_empty() && (150..200).contains(&rows),
            "{rows} rows where half of the marked are in 100"
        );
        let (rows, notes) = Ends::Recall(0.99).rows(&scores, Some(&said));
        assert!(rows == 200 && notes[0].message.code == &codes::CUT_OUT_OF_REACH, "{rows}");
        // Those twenty hold all of the marked, and not all of the class.
        moved(&mut said, 200, &Run::new(0));
        assert!((0.7..0.95).contains(&said.recall), "{}", said.recall);
    }

    #[test]
    fn what_is_said_follows_the_cut() {
        let mut said = said();
        moved(&mut said, 100, &Run::new(0));
        assert_eq!((said.found, said.cut, said.recall), (100, 0.1, 0.5));
        assert!(said.recall_low < 0.5 && said.recall_high > 0.5 && !said.warnings.is_empty());
    }

    #[test]
    fn a_threshold_that_says_nothing_is_pointed_out() {
        let between = |low: f64| (0..50).map(|i| low + f64::from(i) / 1000.0).collect::<Vec<f64>>();
        for (scores, marked) in [(between(0.1), 0), (between(0.9), 50)] {
            let (rows, notes) = Ends::Natural.rows(&scores, None);
            assert!(rows == marked && notes[0].to_string().contains("as good as ever"), "{notes:?}");
            assert!(notes[0].message.code == &codes::CUT_SAYS_NOTHING, "{notes:?}");
        }
        for score in [0.1, 0.9] {
            let (_, notes) = Ends::Natural.rows(&[score; 50], None);
            assert!(notes[0].to_string().contains("all 50 rows have the same score"), "{notes:?}");
        }
        assert!(Ends::Natural.rows(&[0.1, 0.9], None).1.is_empty());
        assert_eq!(Ends::Recall(0.9).rows(&[0.1, 0.9], None).1.len(), 1);
    }

    #[test]
    fn ends_are_read_by_name_and_nonsense_is_refused() {
        assert_eq!(Ends::parse("recall", Some(0.9)).unwrap(), Ends::Recall(0.9));
        assert_eq!(Ends::parse("top", Some(30.0)).unwrap(), Ends::Top(30));
        for (name, value) in [
            ("recall", Some(0.0)),
            ("share", Some(1.5)),
            ("precision", Some(f64::NAN)),
            ("top", Some(2.5)),
            ("hidden", Some(1.0)),
            ("threshold", None),
            ("knee", None),
        ] {
            assert!(Ends::parse(name, value).is_err(), "{name}");
        }
    }

    #[test]
    fn scores_at_either_end_stay_apart() {
        let scores: Vec<f64> = (0..40).map(|k| 10f64.powi(-k)).chain([1.0 - 1e-12, 1.0 - 1e-9]).collect();
        for rows in [1, 5, 20, 40] {
            let cut = Moved::after(&scores, rows);
            let mut moved: Vec<f64> = scores.iter().map(|score| cut.score(*score)).collect();
            assert_eq!(moved.iter().filter(|score| is_positive(**score)).count(), rows);
            moved.sort_by(f64::total_cmp);
            assert!(moved.windows(2).all(|pair| pair[0] < pair[1]), "{rows}: {moved:?}");
        }
    }
}
