//! What a class is believed to say before its words are counted, and how strongly.
//!
//! Laplace gives every word the same chance, however rare it is; with few positives over a large vocabulary
//! that belief drowns what was counted. The background is what all rows say, b_w, and a class departs from
//! it as far as its counts show:
//!
//! ```text
//! Pr(w|c) = (n_w + μ_w b_w) / (n + μ_w)         μ_w b_w = α_w: how many occurrences of w the belief is worth
//! ```
//!
//! With one μ for all words this is the Dirichlet prior of language models (Zhai & Lafferty 2004), α_w = μ b_w:
//! a word that the class lacks weighs the same whether it was to be expected ten times or a hundredth of
//! once. With one α for all words it is the Gamma prior of a ratio to expectation (DuMouchel 1999), under
//! which only the lack of a word that was to be expected speaks. Between the two, α_w = α (b_w/g)^(1-s)
//! with g the frequency of a typical word: s = 0 and s = 1 are their ends. Short messages want s near 1,
//! long documents less.
//!
//! α and s are those under which each positive is most likely given the others: the leave-one-out
//! likelihood, over a grid. Nothing of it depends on the size of the pile, nor on any label but these.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counts::{Event, WordCounts};
use super::word_model::Chances;
use crate::data::Csr;

/// What stands in for words that were not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Smoothing {
    /// The same count for every word, as the papers have it
    Laplace,
    /// How often all rows hold the word, as strongly as the positives bear out
    Background,
}

/// The belief about the words of a class; the same for both classes.
#[derive(Clone, Debug, PartialEq)]
pub enum WordPrior {
    /// So much is added to every count.
    Even(f64),
    Background(Background),
}

/// b_w and α_w of every word.
#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    pub shares: Vec<f64>,
    pub strengths: Vec<f64>,
}

impl Smoothing {
    /// The belief for these positives and this pile. A given strength is what Laplace adds to a count, and the
    /// μ of all words of a background; left out, it is 1 and what leave-one-out says.
    pub fn learn(
        self,
        strength: Option<f64>,
        x: &Csr,
        positives: &[usize],
        pile: &WordCounts,
        event: Event,
    ) -> WordPrior {
        match self {
            Smoothing::Laplace => WordPrior::Even(strength.unwrap_or(1.0)),
            Smoothing::Background => {
                let positive = WordCounts::of(x, positives, event);
                let shares = Shares::of(&positive, pile, event);
                let background = shares.all();
                let strengths = match strength {
                    Some(mu) => background.iter().map(|b| mu * b).collect(),
                    None => LeaveOneOut::new(x, positives, &positive, &shares, event).best(&background),
                };
                WordPrior::Background(Background { shares: background, strengths })
            }
        }
    }
}

impl WordPrior {
    /// How likely each word is in, and missing from, a row of a class (Bernoulli).
    pub fn chances(&self, counts: &WordCounts) -> Chances {
        match self {
            WordPrior::Even(added) => Chances::smoothed(counts, *added),
            WordPrior::Background(background) => background.chances(counts.rows, &counts.words),
        }
    }

    /// How likely each word is to be drawn by a class (multinomial); sums to 1.
    pub fn probabilities(&self, counts: &WordCounts) -> Vec<f64> {
        match self {
            WordPrior::Even(added) => {
                let total = counts.words.iter().sum::<f64>() + added * counts.words.len() as f64;
                counts.words.iter().map(|n| (n + added) / total).collect()
            }
            WordPrior::Background(background) => {
                background.probabilities(counts.words.iter().sum(), &counts.words)
            }
        }
    }
}

impl Background {
    /// Of `rows` rows, `words[w]` hold word w.
    pub fn chances(&self, rows: f64, words: &[f64]) -> Chances {
        let mut chances = Chances { present: Vec::with_capacity(words.len()), absent: Vec::new() };
        chances.absent.reserve(words.len());
        for ((&n, &b), &alpha) in words.iter().zip(&self.shares).zip(&self.strengths) {
            let n = n.clamp(0.0, rows);
            let whole = rows * b + alpha;
            chances.present.push(b * (n + alpha) / whole);
            // 1 - b (n + α)/(rows b + α), without the difference of two numbers near 1.
            chances.absent.push((b * (rows - n) + (1.0 - b) * alpha) / whole);
        }
        chances
    }

    /// Of `total` words drawn, `words[w]` are word w.
    pub fn probabilities(&self, total: f64, words: &[f64]) -> Vec<f64> {
        let one = |((&n, &b), &alpha): ((&f64, &f64), &f64)| b * (n.max(0.0) + alpha) / (total * b + alpha);
        let mut chances: Vec<f64> = words.iter().zip(&self.shares).zip(&self.strengths).map(one).collect();
        let sum: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
        chances
    }
}

/// How often all rows together hold each word; nothing is certain, so half an observation is always left
/// on either side.
struct Shares {
    /// Occurrences, or rows that hold the word.
    counts: Vec<f64>,
    /// All occurrences, or all rows.
    total: f64,
}

const HALF: f64 = 0.5;

impl Shares {
    fn of(positive: &WordCounts, pile: &WordCounts, event: Event) -> Self {
        let all = positive.clone().plus(pile);
        let total = match event {
            Event::Bernoulli => all.rows,
            Event::Multinomial => all.words.iter().sum(),
        };
        Shares { counts: all.words, total: total.max(2.0 * HALF) }
    }

    /// The share of a word once `own` of its occurrences and `left_out` of all are left out.
    fn without(&self, word: usize, own: f64, left_out: f64) -> f64 {
        share(self.counts[word] - own, self.total - left_out)
    }

    fn all(&self) -> Vec<f64> {
        self.counts.iter().map(|n| share(*n, self.total)).collect()
    }
}

fn share(count: f64, total: f64) -> f64 {
    let total = total.max(2.0 * HALF);
    count.clamp(HALF, total - HALF) / total
}

/// Which α and s are tried.
const TILTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
const STEPS_A_DECADE: i32 = 4;
const LEAST_POWER: i32 = -2;
const MOST_POWER: i32 = 3;
/// Without a second positive nothing can be left out; then the belief is worth one occurrence of a typical
/// word, half-way between the ends.
const LONE: (f64, f64) = (1.0, 0.5);
/// So many positives, evenly taken, tell the strength as well as all.
const ENOUGH: usize = 2000;

/// What the likelihood of each positive given the others needs.
struct LeaveOneOut {
    event: Event,
    /// One for each word of each positive, or for each word where rows do not matter.
    seen: Vec<Seen>,
    /// Words of the positives, as they look from a row that lacks them (or with nothing left out).
    words: Vec<Word>,
    /// Words that no positive holds: share, and how many words have it.
    unseen: Vec<(f64, f64)>,
    /// Positives, and the observations that are left of them when one is left out.
    rows: f64,
    rest: f64,
    /// The frequency of a typical word, ln g.
    typical: f64,
}

struct Seen {
    /// How often this is observed, and how often elsewhere.
    times: f64,
    elsewhere: f64,
    share: f64,
    /// Observations of the other positives.
    rest: f64,
}

struct Word {
    count: f64,
    share: f64,
    /// How many positives hold it.
    rows: f64,
}

impl LeaveOneOut {
    fn new(x: &Csr, positives: &[usize], positive: &WordCounts, shares: &Shares, event: Event) -> Self {
        let n = positives.len();
        let (mut seen, mut words) = (Vec::new(), Vec::new());
        let mut alone = Vec::new();
        let rest = match event {
            Event::Bernoulli => (n - 1) as f64,
            Event::Multinomial => positive.words.iter().sum(),
        };
        for (w, &count) in positive.words.iter().enumerate() {
            if count == 0.0 {
                alone.push(match event {
                    Event::Bernoulli => shares.without(w, 0.0, 1.0),
                    Event::Multinomial => shares.without(w, 0.0, 0.0),
                });
                continue;
            }
            if event == Event::Bernoulli {
                seen.push(Seen {
                    times: count,
                    elsewhere: count - 1.0,
                    share: shares.without(w, 1.0, 1.0),
                    rest,
                });
            }
            words.push(Word {
                count: if event == Event::Bernoulli { count.min(rest) } else { count },
                share: shares.without(w, 0.0, f64::from(u8::from(event == Event::Bernoulli))),
                rows: count,
            });
        }
        if event == Event::Multinomial {
            for &i in positives.iter().step_by(n.div_ceil(ENOUGH)) {
                let of_row: f64 = event.entries(x.row(i)).map(|(_, v)| v).sum();
                seen.extend(event.entries(x.row(i)).map(|(w, v)| Seen {
                    times: v,
                    elsewhere: positive.words[w] - v,
                    share: shares.without(w, v, of_row),
                    rest: rest - of_row,
                }));
            }
        }
        let entropy: f64 =
            shares.counts.iter().filter(|n| **n > 0.0).map(|n| n * (n / shares.total).ln()).sum();
        let occurrences: f64 = shares.counts.iter().sum();
        let typical = if occurrences > 0.0 { entropy / occurrences } else { 0.0 };
        LeaveOneOut { event, seen, words, unseen: tally(alone), rows: n as f64, rest, typical }
    }

    /// α_w of every word under the likeliest α and s.
    fn best(&self, background: &[f64]) -> Vec<f64> {
        let (alpha, tilt) = if self.rows < 2.0 { LONE } else { self.likeliest() };
        background.iter().map(|b| self.strength(alpha, tilt, *b)).collect()
    }

    fn strength(&self, alpha: f64, tilt: f64, share: f64) -> f64 {
        alpha * ((1.0 - tilt) * (share.ln() - self.typical)).exp()
    }

    fn likeliest(&self) -> (f64, f64) {
        let powers = STEPS_A_DECADE * LEAST_POWER..=STEPS_A_DECADE * MOST_POWER;
        let tried: Vec<(f64, f64)> = TILTS
            .iter()
            .flat_map(|tilt| {
                powers.clone().map(move |k| (10f64.powf(f64::from(k) / f64::from(STEPS_A_DECADE)), *tilt))
            })
            .collect();
        let found: Vec<f64> = tried.par_iter().map(|(alpha, tilt)| self.likelihood(*alpha, *tilt)).collect();
        let best = (0..tried.len()).max_by(|a, b| found[*a].total_cmp(&found[*b]));
        tried[best.expect("a grid")]
    }

    /// The log-likelihood of the positives, each given the others.
    fn likelihood(&self, alpha: f64, tilt: f64) -> f64 {
        let chance = |share: f64, count: f64, rest: f64| {
            let strength = self.strength(alpha, tilt, share);
            share * (count + strength) / (rest * share + strength)
        };
        let of_seen = |seen: &Seen| seen.times * chance(seen.share, seen.elsewhere, seen.rest).ln();
        let present: f64 = self.seen.iter().map(of_seen).sum();
        match self.event {
            Event::Bernoulli => {
                let lacking: f64 = (self.words.iter())
                    .map(|word| {
                        (self.rows - word.rows) * (-chance(word.share, word.count, self.rest)).ln_1p()
                    })
                    .sum();
                let never: f64 =
                    self.unseen.iter().map(|(b, times)| times * (-chance(*b, 0.0, self.rest)).ln_1p()).sum();
                present + lacking + self.rows * never
            }
            Event::Multinomial => {
                let known: f64 = self.words.iter().map(|w| chance(w.share, w.count, self.rest)).sum();
                let unknown: f64 =
                    self.unseen.iter().map(|(b, times)| times * chance(*b, 0.0, self.rest)).sum();
                let drawn: f64 = self.seen.iter().map(|seen| seen.times).sum();
                present - drawn * (known + unknown).ln()
            }
        }
    }
}

/// Equal values once, with how often each occurs.
fn tally(mut values: Vec<f64>) -> Vec<(f64, f64)> {
    values.sort_unstable_by(f64::total_cmp);
    values.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six positives about words 0 and 1, and a pile of `pile` rows; word 2 is everywhere, the others are rare.
    fn rows(pile: usize) -> (Csr, Vec<usize>, Vec<usize>) {
        let positives =
            [vec![0, 2, 3], vec![0, 1, 2], vec![0, 2, 4], vec![1, 2, 5], vec![0, 1], vec![0, 2, 6]];
        let others = [vec![2, 7], vec![2, 8, 9], vec![2, 10], vec![0, 2, 7], vec![3, 9], vec![2, 4, 7]];
        let all: Vec<Vec<u32>> = positives.iter().chain(others.iter().cycle().take(pile)).cloned().collect();
        let ends: Vec<usize> = std::iter::once(0)
            .chain(all.iter().scan(0, |sum, row| {
                *sum += row.len();
                Some(*sum)
            }))
            .collect();
        let values = vec![1.0; *ends.last().unwrap()];
        let x = Csr::new(11, ends, all.concat(), values).unwrap();
        (x, (0..6).collect(), (6..6 + pile).collect())
    }

    fn learn(pile: usize, strength: Option<f64>, event: Event) -> (WordPrior, WordCounts) {
        let (x, positives, unlabeled) = rows(pile);
        let counts = WordCounts::of(&x, &unlabeled, event);
        let words = Smoothing::Background.learn(strength, &x, &positives, &counts, event);
        (words, WordCounts::of(&x, &positives, event))
    }

    #[test]
    fn a_given_strength_is_the_dirichlet_prior_by_hand() {
        // Word 0: in 5 of 6 positives and in 2 of 12 pile rows, so b = 7/18, and μ = 9 makes (5 + 3.5)/15.
        let (words, positive) = learn(12, Some(9.0), Event::Bernoulli);
        let chances = words.chances(&positive);
        assert!((chances.present[0] - 8.5 / 15.0).abs() < 1e-12);
        // Word 7: in no positive and 6 pile rows, b = 6/18.
        assert!((chances.present[7] - 3.0 / 15.0).abs() < 1e-12);
        for (present, absent) in chances.present.iter().zip(&chances.absent) {
            assert!((present + absent - 1.0).abs() < 1e-12 && *present > 0.0 && *absent > 0.0);
        }
        let (words, positive) = learn(12, Some(9.0), Event::Multinomial);
        let drawn = words.probabilities(&positive);
        assert!((drawn.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // 17 words by the positives, 30 by the pile: Pr(0) = (5 + 9·7/47)/26.
        assert!((drawn[0] - (5.0 + 9.0 * 7.0 / 47.0) / 26.0).abs() < 1e-12);
    }

    /// Each positive taken out for true, and its likelihood under what the others leave.
    #[test]
    fn leaving_one_out_is_what_its_name_says() {
        let (x, positives, unlabeled) = rows(12);
        let event = Event::Bernoulli;
        let (positive, pile) = (WordCounts::of(&x, &positives, event), WordCounts::of(&x, &unlabeled, event));
        let shares = Shares::of(&positive, &pile, event);
        let fast = LeaveOneOut::new(&x, &positives, &positive, &shares, event);
        for (alpha, tilt) in [(0.1, 0.0), (2.0, 0.5), (30.0, 1.0)] {
            let mut slow = 0.0;
            for &out in &positives {
                let others: Vec<usize> = positives.iter().copied().filter(|i| *i != out).collect();
                let counts = WordCounts::of(&x, &others, event);
                let shares = Shares::of(&counts, &pile, event).all();
                let strengths = shares.iter().map(|b| fast.strength(alpha, tilt, *b)).collect();
                let chances = Background { shares, strengths }.chances(counts.rows, &counts.words);
                let held: Vec<usize> = event.entries(x.row(out)).map(|(w, _)| w).collect();
                for w in 0..x.cols {
                    slow += if held.contains(&w) { chances.present[w].ln() } else { chances.absent[w].ln() };
                }
            }
            let fast = fast.likelihood(alpha, tilt);
            assert!((slow - fast).abs() < 1e-9, "{slow} {fast}");
        }
    }

    #[test]
    fn the_size_of_the_pile_is_no_part_of_the_strength() {
        for event in [Event::Bernoulli, Event::Multinomial] {
            // Large enough that the shares of words in the pile itself hardly differ between the two.
            let (small, positive) = learn(6_000, None, event);
            let (large, _) = learn(60_000, None, event);
            let (small, large) = (small.probabilities(&positive), large.probabilities(&positive));
            for w in [0, 1, 2, 7] {
                assert!((small[w] / large[w] - 1.0).abs() < 0.5, "{event:?}, word {w}: {small:?} {large:?}");
            }
        }
    }

    #[test]
    fn one_positive_and_words_of_nobody_stay_finite() {
        let x = Csr::new(3, vec![0, 1, 2], vec![0, 1], vec![1.0, 1.0]).unwrap();
        for event in [Event::Bernoulli, Event::Multinomial] {
            let pile = WordCounts::of(&x, &[1], event);
            let words = Smoothing::Background.learn(None, &x, &[0], &pile, event);
            let chances = words.chances(&WordCounts::of(&x, &[0], event));
            assert!(chances.present.iter().chain(&chances.absent).all(|c| *c > 0.0 && c.is_finite()));
            assert!(words.probabilities(&pile).iter().all(|c| *c > 0.0 && c.is_finite()));
        }
    }
}
