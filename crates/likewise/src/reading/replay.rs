//! Rules on an order of reading that is known: where each would have stopped, without learning anything again.

use rand::seq::SliceRandom;

use super::rehearse::{Ranker, Reader, Request, StopRule};
use crate::error::Result;
use crate::run::Run;
use crate::stopping::{Rule, Source, Step, others};

/// Where a rule that only reads stops on a log, looked at after every mark or every hundredth of what is read.
pub fn stop_at(rule: StopRule, about: &Rule, log: &[Step], examples: usize) -> usize {
    let mut end = examples.min(log.len());
    while end < log.len() && !stops(rule, about, &log[..end]) {
        end = (end + 1 + end / 100).min(log.len());
    }
    end
}

pub(super) fn stops(rule: StopRule, about: &Rule, log: &[Step]) -> bool {
    match rule {
        StopRule::Proved => about.stops(log),
        StopRule::Buscar => others::buscar(about.rows, about.target, log) < about.alpha,
        StopRule::InARow(rows) => others::in_a_row(log, rows),
        StopRule::Knee => others::knee(log),
        StopRule::Qbcb | StopRule::Never => false,
    }
}

/// QBCB over an order of reading: wanted rows are drawn at random until the sample is full, apart from the reading; that
/// stops when the quota of them is met. The positions read, those drawn for the sample, and how many these are.
pub fn qbcb_marks(about: &Rule, log: &[Step], run: &Run) -> (Vec<usize>, usize) {
    let sample = others::qbcb_least_sample(about.target, about.alpha);
    let Some(quota) = others::qbcb_quota(sample, about.target, about.alpha) else {
        return ((0..log.len()).collect(), 0);
    };
    let mut positions: Vec<usize> = (0..log.len()).collect();
    positions.shuffle(&mut run.rng("sample of the wanted", 0));
    let (mut drawn, mut sampled) = (Vec::new(), Vec::new());
    for position in positions {
        if sampled.len() as u64 == sample {
            break;
        }
        drawn.push(position);
        if log[position].wanted {
            sampled.push(position);
        }
    }
    sampled.sort_unstable();
    let full = sampled.len() as u64 == sample;
    let end = if full { sampled[quota as usize - 1] + 1 } else { log.len() };
    let mut marked: Vec<usize> = (0..end).collect();
    marked.extend(drawn.iter().filter(|position| **position >= end));
    (marked, drawn.len())
}

/// The proved rule over an order of reading that no check changes: the guarantee asks nothing of the ranking, and many
/// draws of checks cost no learning. The positions read.
pub fn proved_marks(about: &Rule, log: &[Step], examples: usize, run: &Run) -> Result<Vec<usize>> {
    let truth: Vec<bool> = log.iter().map(|step| step.wanted).collect();
    let request = Request::default();
    let mut reader = Reader::new(&truth, Ranker::Order, &request, run);
    (0..examples.min(log.len())).for_each(|row| reader.mark(row, Source::Given));
    reader.prove(about, run)?;
    Ok(reader.order)
}

/// The fewest finds that reach the target.
pub fn enough(wanted: usize, target: f64) -> usize {
    (target * wanted as f64 - 1e-9).ceil() as usize
}

/// The marks after which a log has reached the target.
pub fn ideal(log: &[Step], wanted: usize, target: f64) -> Option<usize> {
    let mut found = 0;
    let reached = log.iter().position(|step| {
        found += usize::from(step.wanted);
        found >= enough(wanted, target)
    });
    reached.map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tenth of the class comes last of all. Checks draw it out until just below the target, where an error is most
    /// likely; it is to stay within 5 % there too.
    #[test]
    fn what_ranks_last_is_missed_in_at_most_five_percent() {
        const DRAWS: u64 = 600;
        let log: Vec<Step> =
            (0..1000).map(|at| Step { source: Source::Best, wanted: !(90..990).contains(&at) }).collect();
        let rule = Rule::new(1000, 0.95, 0.05).unwrap();
        let (mut missed, mut marks) = (0, 0);
        for seed in 0..DRAWS {
            let read = proved_marks(&rule, &log, 10, &Run::new(seed)).unwrap();
            marks += read.len();
            missed += u64::from(read.iter().filter(|&&at| log[at].wanted).count() < enough(100, 0.95));
        }
        let error = 3.0 * (0.05f64 * 0.95 / DRAWS as f64).sqrt();
        let share = missed as f64 / DRAWS as f64;
        assert!(share <= 0.05 + error, "{share}");
        assert!(share > 0.002 && marks < 990 * DRAWS as usize, "{share} {marks}: it hardly ever stops early");
    }

    #[test]
    fn a_known_order_is_read_from_the_front() {
        let log: Vec<Step> = (0..400).map(|at| Step { source: Source::Best, wanted: at < 100 }).collect();
        let rule = Rule::new(400, 0.8, 0.05).unwrap();
        let read = proved_marks(&rule, &log, 5, &Run::new(1)).unwrap();
        assert_eq!(read[..100], (0..100).collect::<Vec<_>>());
        assert!(read.len() < 200, "{}", read.len());
    }
}
