//! What a model keeps to compare new rows with, made of the rows it has learned from.

use super::problem::{Content, Problem};
use crate::automatic::left_out;
use crate::data::{Csr, Data, PuData};
use crate::decide::is_positive;
use crate::drift::familiar::{Familiar, Ranges};
use crate::drift::learned::Learned;
use crate::drift::share::Share;
use crate::drift::standing::{Ladder, shares};
use crate::drift::{Baseline, Told};
use crate::error::Result;
use crate::features::Features;
use crate::features::words::{Documents, Words};
use crate::method::{Entry, Summary};
use crate::parts::linear::RowView;
use crate::run::Run;
use crate::trained::Trained;

/// Fewer examples or rows of the pile than this tell too little of those that were left out.
const LEAST_EXAMPLES: usize = 5;
const LEAST_PILE: usize = 50;
/// Rows of the pile that are asked what others know of them.
const MOST_ASKED: usize = 20_000;

/// Whether there is one to be had: not of related tables, and none where there is too little to learn it from.
pub(super) fn can_be(problem: &Problem, train: &PuData) -> bool {
    let one_table = matches!(problem.content, Content::Table { .. });
    let enough = train.positives().len() >= LEAST_EXAMPLES && train.unlabeled().len() >= LEAST_PILE;
    one_table && enough
}

/// The baseline of a model whose cut is placed and which gives the pile these scores, as if it were new.
pub(super) fn of(
    method: &'static dyn Entry,
    trained: &Trained,
    problem: &Problem,
    train: &PuData,
    scores: &[f64],
    summary: Option<&Summary>,
    run: &Run,
) -> Result<Option<Baseline>> {
    let pile = train.unlabeled();
    let Content::Table { table, .. } = &problem.content else { return Ok(None) };
    let as_new = trained.features.as_if_new(&train.x);
    let parameters = &trained.parameters;
    let found = left_out::parts(method, parameters, summary, &trained.features, train, &as_new, run)?;
    let Some(parts) = found else { return Ok(None) };
    let marked = scores.iter().filter(|score| is_positive(**score)).count();
    let smallest = parts.iter().map(|part| part.learned.len()).min().unwrap_or(0);
    let steps = shares(smallest, marked as f64 / pile.len() as f64);
    let ladder = Ladder::of(scores, &steps);
    let (mut rows, mut positives) = (ladder.counts(), ladder.counts());
    for part in &parts {
        let own = Ladder::of(&part.learned, &steps);
        own.add(&mut rows, &part.pile);
        own.add(&mut positives, &part.positives);
    }
    let prior = summary.filter(|summary| !summary.hidden_ranks.is_empty() && !summary.prior_untold);
    let share = |said: &Summary| Share {
        share: said.prior,
        low: said.prior_low.min(said.prior),
        high: said.prior_high.max(said.prior),
    };
    let of_words = |columns: &[String], words: &Words, x: &Csr| -> Result<Familiar> {
        let asked: Vec<usize> = pile.iter().take(MOST_ASKED).copied().collect();
        let asked = Documents::of(table, columns, &words.options().times)?.select(&asked);
        let mut familiar = Familiar::default();
        let known = run.install(|| words.known_by_others(asked, x, run))?;
        known.iter().flatten().for_each(|share| familiar.add(f64::from(*share)));
        Ok(familiar)
    };
    let mut words_told = false;
    let (ranges, familiar) = match (&trained.features, &train.x) {
        (Features::Words { columns, words }, Data::Sparse(x)) => (None, of_words(columns, words, x)?),
        (features, x) => {
            let Some((mut ranges, mut familiar)) = Ranges::learn(x, &pile) else { return Ok(None) };
            if let (Features::Joined(joined), Data::Sparse(x)) = (features, x) {
                for (block, part) in joined.blocks() {
                    if let (Features::Words { columns, words }, Data::Sparse(own)) = (block, part.of(x)?) {
                        // Words are known or not, whatever they weigh.
                        ranges.leave_out(part.columns);
                        (familiar, words_told) = (of_words(columns, words, &own)?, true);
                    }
                }
            }
            (Some(ranges), familiar)
        }
    };
    let learned = Learned::of(&train.x);
    let prior = prior.map(share);
    let told = Told { ladder, pile: rows, positives, prior, familiar, words: words_told, learned };
    Ok(Some(Baseline { told, ranges, mean: mean_row(&train.x, &pile) }))
}

/// The mean of some rows; a cell that is missing counts as none.
fn mean_row(x: &Data, rows: &[usize]) -> Vec<f32> {
    let (Ok(x), Some(cols)) = (RowView::of(x), x.cols()) else { return Vec::new() };
    let mut sums = vec![0.0; cols];
    for &row in rows {
        x.for_each_entry(row, |j, value| sums[j] += if value.is_finite() { value } else { 0.0 });
    }
    sums.iter().map(|sum| (sum / rows.len().max(1) as f64) as f32).collect()
}
