//! A correction of what was learned, from new marks alone: no pile, and no old examples.
//!
//! Solves:  min over d of  ½ d·d + C Σ_i max(0, t_i − y_i (f(x_i) + d·(x_i − x̄)))²
//!
//! Given: new marks y_i = ±1 of rows x_i, what the model says of them as a margin f, and x̄, the mean row of the pile it was
//! learned from. The model is the anchor (biased regularisation; for SVMs: Yang, Yan & Hauptmann 2007). A mark that
//! contradicts it is to reach t_i = T on its own side, and the more it contradicts, the more it moves. A mark that the model
//! knew already, t_i = min(T, y_i f(x_i)), moves nothing and only stays where it is: marks of one kind alone must not push
//! all rows to one side. Neither must the words that all rows share, so that rows are taken from their mean: the mean row of
//! the pile is scored as before. For a linear model this is the same as learning with its weights as the centre of the
//! penalty. C is divided by the mean squared length of the rows, so that the unit of the columns does not matter.

use crate::data::Data;
use crate::decide::squash;
use crate::ends::sized;
use crate::error::{Error, Result};
use crate::method::Reason;
use crate::model_file::{Reader, Writer};
use crate::parts::linear::{History, RowView, vector};
use crate::run::Run;

/// What is added to the margin of a row: a weight for each of its columns, less what the mean row would get.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    weights: Vec<f64>,
    of_mean: f64,
}

/// C for rows of length 1: one mark against a score of 0.1 brings it to the other side.
const STRENGTH: f64 = 10.0;
/// T: the margin that a mark is to have on its own side.
const CLEAR: f64 = 0.5;
/// Steps at most, and the length of a gradient at which it is over, beside that of the first.
const STEPS: usize = 200;
const TOLERANCE: f64 = 1e-6;
/// Halvings of a step at most, and the part of the promised gain that it must bring.
const HALVINGS: usize = 40;
const ENOUGH: f64 = 1e-4;
/// Beyond this size margins by their order of magnitude are infinite for all that a score can tell.
const LARGEST: f64 = 700.0;

impl Correction {
    /// Learns from rows, what they are, their scores before, and the mean row of the pile where it is known.
    pub fn learn(x: &Data, wanted: &[bool], scores: &[f64], mean: &[f32], run: &Run) -> Result<Self> {
        let rows =
            RowView::of(x).map_err(|_| Error::data("these rows are not numbers; learn again with a pile"))?;
        let squares: f64 = (0..rows.len()).map(|row| rows.squared_norm(row)).sum();
        let length = squares / rows.len().max(1) as f64;
        let mean: Vec<f64> = match mean.len() == rows.cols() {
            true => mean.iter().map(|value| f64::from(*value)).collect(),
            false => vec![0.0; rows.cols()],
        };
        let problem = Problem {
            x: rows,
            sign: wanted.iter().map(|wanted| if *wanted { 1.0 } else { -1.0 }).collect(),
            before: scores.iter().map(|score| sized(*score)).collect(),
            c: if length > 0.0 { STRENGTH / length } else { 0.0 },
            mean: &mean,
        };
        let weights = problem.solve(rows.cols(), run)?;
        Ok(Correction { of_mean: vector::dot(&weights, &mean), weights })
    }

    /// The score of a row of this score before. A blank one stays as it was.
    pub fn score(&self, x: &Data, row: usize, score: f64) -> f64 {
        let push = RowView::of(x).map_or(0.0, |x| x.dot(row, &self.weights) - self.of_mean);
        if push == 0.0 || score <= 0.0 { score } else { unsized_score(sized(score) + push) }
    }

    /// One after the other.
    pub fn and(mut self, earlier: Option<&Correction>) -> Self {
        if let Some(earlier) = earlier {
            self.weights.iter_mut().zip(&earlier.weights).for_each(|(sum, more)| *sum += more);
            self.of_mean += earlier.of_mean;
        }
        self
    }

    /// What it adds to the reasons for the score of a row.
    pub fn reasons(&self, x: &Data, row: usize, top: usize) -> Vec<Reason> {
        let mut pushes = Vec::new();
        if let Ok(x) = RowView::of(x) {
            x.for_each_entry(row, |j, value| pushes.push((j, self.weights[j] * value)));
        }
        Reason::strongest(pushes, top)
    }

    /// Whether rows of these columns can be corrected.
    pub fn fits(&self, x: &Data) -> bool {
        x.cols() == Some(self.weights.len())
    }

    /// Keeps it.
    pub fn save(&self, out: &mut Writer) {
        out.f64s("weights", &[self.weights.len()], &self.weights);
        out.value("corrected", &true);
        out.number("of_mean", self.of_mean);
    }

    /// Reads a kept one; none where the model was never corrected.
    pub fn load(file: &Reader) -> Result<Option<Self>> {
        if !file.has_value("corrected") {
            return Ok(None);
        }
        // Files of older versions took rows as they are.
        let of_mean = if file.has_numbers("of_mean") { file.number("of_mean")? } else { 0.0 };
        Ok(Some(Correction { weights: file.read_f64s("weights")?, of_mean }))
    }
}

struct Problem<'a> {
    x: RowView<'a>,
    sign: Vec<f64>,
    before: Vec<f64>,
    c: f64,
    mean: &'a [f64],
}

impl Problem<'_> {
    /// L-BFGS with halved steps: marks are few, so nothing cleverer is needed.
    fn solve(&self, cols: usize, run: &Run) -> Result<Vec<f64>> {
        let (mut d, mut direction) = (vec![0.0; cols], vec![0.0; cols]);
        let (mut value, mut gradient) = self.at(&d);
        let first = vector::dot(&gradient, &gradient).sqrt();
        let mut history = History::default();
        for step in 0..STEPS {
            run.step("correcting", step as u64, STEPS as u64)?;
            if vector::dot(&gradient, &gradient).sqrt() <= TOLERANCE * first.max(f64::MIN_POSITIVE) {
                break;
            }
            history.direction(&gradient, &mut direction);
            let slope = vector::dot(&gradient, &direction);
            let mut length = 1.0;
            let mut next = None;
            for _ in 0..HALVINGS {
                let trial: Vec<f64> = d.iter().zip(&direction).map(|(d, p)| d + length * p).collect();
                let (there, steep) = self.at(&trial);
                if there <= value + ENOUGH * length * slope {
                    next = Some((trial, there, steep));
                    break;
                }
                length *= 0.5;
            }
            let Some((trial, there, steep)) = next else { break };
            history.push(length, &direction, &gradient, &steep);
            (d, value, gradient) = (trial, there, steep);
        }
        Ok(d)
    }

    /// The objective and its gradient.
    fn at(&self, d: &[f64]) -> (f64, Vec<f64>) {
        let mut value = 0.5 * vector::dot(d, d);
        let mut gradient = d.to_vec();
        let (of_mean, mut slopes) = (vector::dot(d, self.mean), 0.0);
        for (row, (sign, before)) in self.sign.iter().zip(&self.before).enumerate() {
            let own = sign * before;
            let wanted = if own < 0.0 { CLEAR } else { own.min(CLEAR) };
            let missing = wanted - sign * (before + self.x.dot(row, d) - of_mean);
            if missing > 0.0 {
                value += self.c * missing * missing;
                let slope = -2.0 * self.c * sign * missing;
                self.x.add_scaled(row, slope, &mut gradient);
                slopes += slope;
            }
        }
        vector::add_scaled(&mut gradient, -slopes, self.mean);
        (value, gradient)
    }
}

/// The way back from [`sized`].
fn unsized_score(sized: f64) -> f64 {
    squash(sized.abs().min(LARGEST).exp_m1().copysign(sized))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    fn rows(values: Vec<f32>) -> Data {
        Dense::new(values.len() / 3, 3, values).unwrap().into()
    }

    #[test]
    fn a_mark_against_the_model_moves_its_like_and_nothing_else() {
        let marks = rows(vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let found = Correction::learn(&marks, &[true, false], &[0.1, 0.9], &[], &Run::new(0)).unwrap();
        let new = rows(vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert!(found.score(&new, 0, 0.1) > 0.5 && found.score(&new, 1, 0.9) < 0.5);
        assert_eq!(found.score(&new, 2, 0.3), 0.3);
        assert_eq!(found.score(&new, 0, 0.0), 0.0);
        assert_eq!(found.reasons(&new, 0, 5).len(), 1);
    }

    #[test]
    fn what_the_model_knows_already_hardly_moves_and_units_do_not_matter() {
        let (marks, same) = (rows(vec![1.0, 0.0, 0.0]), rows(vec![1000.0, 0.0, 0.0]));
        let gain = |x: &Data, score: f64| {
            let found = Correction::learn(x, &[true], &[score], &[], &Run::new(0)).unwrap();
            found.score(x, 0, score) - score
        };
        assert!(gain(&marks, 0.99) < gain(&marks, 0.4));
        assert!((gain(&marks, 0.4) - gain(&same, 0.4)).abs() < 1e-4);
    }

    #[test]
    fn by_hand() {
        // One mark on the cut: ½ d² + 10 (½ − d)² is least at d = 20 · ½ / 21.
        let mark = rows(vec![1.0, 0.0, 0.0]);
        let learn = |mean: &[f32]| Correction::learn(&mark, &[false], &[0.5], mean, &Run::new(0)).unwrap();
        let found = learn(&[]);
        assert!((found.weights[0] + 10.0 / 21.0).abs() < 1e-4, "{found:?}");
        // From a mean of ½ in its only column the row is half as far: d = −20 · ½ · ½ / (1 + 20 · ¼).
        let found = learn(&[0.5, 0.0, 0.0]);
        assert!((found.weights[0] + 5.0 / 6.0).abs() < 1e-4, "{found:?}");
        assert!((found.of_mean + 5.0 / 12.0).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn marks_that_the_model_knows_move_nothing() {
        let marks = rows(vec![1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
        let found = Correction::learn(&marks, &[false, false], &[0.1, 0.4], &[], &Run::new(0)).unwrap();
        assert_eq!(found.weights, [0.0; 3]);
        // One that contradicts pulls its like along, but what is known stays on its side.
        let found = Correction::learn(&marks, &[true, false], &[0.3, 0.45], &[], &Run::new(0)).unwrap();
        assert!(found.score(&marks, 0, 0.3) > 0.5 && found.score(&marks, 1, 0.45) < 0.5, "{found:?}");
    }

    #[test]
    fn odd_rows_give_numbers() {
        let blank = rows(vec![0.0; 6]);
        let found = Correction::learn(&blank, &[true, false], &[0.0, 1.0], &[], &Run::new(0)).unwrap();
        assert!(found.weights.iter().all(|w| *w == 0.0));
        let none = Correction::learn(&rows(Vec::new()), &[], &[], &[], &Run::new(0)).unwrap();
        assert_eq!(none.weights, [0.0; 3]);
    }
}
