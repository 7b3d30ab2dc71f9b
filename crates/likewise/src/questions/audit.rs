//! Audit: can these data carry an answer? What is known before anybody relies on one.

use serde::Serialize;

use super::find::Find;
use super::problem::Problem;
use super::views::Views;
use crate::automatic::{certainty, intervals};
use crate::data::{Data, Kind, PuData};
use crate::error::Result;
use crate::features::words::WordOptions;
use crate::figures::{count, percent, share_of};
use crate::message::{Message, Setting};
use crate::method::{Drawn, Summary};
use crate::note::Note;
use crate::parts::knn_graph::{CosineIndex, EdgeRule};
use crate::parts::space::Space;
use crate::run::Run;

/// The answers to the questions of an audit.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// How many examples there are.
    pub positives: usize,
    /// How many rows the pile has.
    pub pile: usize,
    /// The best chance, over the methods tried, that a hidden positive stands above a row of the pile.
    pub separability: f64,
    /// The believed share of positives in the pile.
    pub prior: f64,
    /// The lower end of its range.
    pub prior_low: f64,
    /// The upper end of its range.
    pub prior_high: f64,
    /// The lower end of the range of recall.
    pub recall_low: f64,
    /// The upper end of the range of recall.
    pub recall_high: f64,
    /// Whether the examples are as typical as the rows beside them; none where too few have any.
    pub drawn: Option<Drawn>,
    /// Groups of believed positives that hold none of the examples.
    pub strange_groups: Vec<Group>,
    /// Whether such groups were looked for: among related tables, and without a row that is believed positive, they are
    /// not.
    pub groups_sought: bool,
    /// How wide the range of recall would be with more examples.
    pub more_labels: Vec<MoreLabels>,
    /// What makes an answer worth less, each with what to do about it.
    pub warnings: Vec<Message>,
}

/// Rows of the training data that lie together, next to the examples but apart from all of them.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Rows of the problem.
    #[serde(skip)]
    pub rows: Vec<usize>,
    /// What the user calls them.
    pub ids: Vec<String>,
    /// Share of the rows believed positive.
    pub share: f64,
}

/// What more examples would buy.
#[derive(Clone, Debug, Serialize)]
pub struct MoreLabels {
    /// So many examples.
    pub positives: usize,
    /// How wide the range of recall would be.
    pub recall_width: f64,
}

impl Audit {
    /// The findings in plain lines; `row` says how a row of the problem is shown.
    pub fn lines(&self, row: impl Fn(usize) -> String, word: impl Fn(&Setting) -> String) -> Vec<String> {
        if self.positives == 1 {
            return vec![
                format!("1 example, {} rows in the pile.", count(self.pile)),
                "One example cannot be hidden from itself, so nothing can be told of what would be found; mark more, better 30.".into(),
            ];
        }
        let mut lines = vec![
            format!("{} examples, {} rows in the pile.", count(self.positives), count(self.pile)),
            format!(
                "Separability: a hidden example stands above {} of the pile on average (PU-AUC {:.2}; 0.5 is chance).",
                percent(self.separability),
                self.separability
            ),
            format!(
                "Positives in the pile: about {} ({} to {}).",
                percent(self.prior),
                percent(self.prior_low),
                percent(self.prior_high)
            ),
        ];
        lines.push(self.draw());
        let groups = self.groups_sought.then_some(self.strange_groups.as_slice());
        lines.extend(groups.map(|groups| match groups.is_empty() {
            true => "Random draw: no group of likely positives lies apart from all of your examples.".to_string(),
            false => "Random draw: these groups of likely positives hold none of your examples; if they belong to the class, mark some of them:".to_string(),
        }));
        for group in &self.strange_groups {
            let (rows, share) = (count(group.rows.len()), percent(group.share));
            lines.push(format!("  {rows} rows ({share} of the likely positives), such as"));
            lines.extend(group.rows.iter().take(SHOWN).map(|&at| format!("    {}", row(at))));
        }
        lines.push("More examples would narrow the range of recall:".into());
        for more in &self.more_labels {
            let width = percent(more.recall_width);
            lines.push(format!("  {:>6} examples: a range {width} wide", more.positives));
        }
        let warnings = self.warnings.iter();
        lines.extend(warnings.map(|warning| format!("Warning: {}.", warning.render(&word))));
        lines
    }
}

impl Audit {
    /// What the test of the random draw says.
    fn draw(&self) -> String {
        match &self.drawn {
            Some(drawn) if drawn.alarm() => format!(
                "Random draw: your examples are too typical for one ({}). If you marked the typical ones first, there are up to {} positives.",
                drawn.figures(),
                share_of(self.prior_high, self.pile)
            ),
            Some(drawn) => {
                format!(
                    "Random draw: your examples are as typical as the rows beside them ({}).",
                    drawn.figures()
                )
            }
            None => {
                "Random draw: too few examples have rows of the pile beside them to be compared with.".into()
            }
        }
    }
}

/// Rows of a group that are shown.
const SHOWN: usize = 3;
const NEIGHBOURS: usize = 5;
/// A row is apart if it is less like its nearest example than all but this share of the examples are like theirs.
const APART: f64 = 0.05;
/// How often a random draw may be said to lack a group that it missed by chance.
const BY_CHANCE: f64 = 0.05;
/// A group is worth a word from this share of the believed positives on, and from so many rows.
const WORTH_A_WORD: f64 = 0.02;
const FEWEST_ROWS: usize = 5;

/// Looks at the examples and the pile of a problem; gives also what the user should know.
///
/// ```
/// use likewise::prelude::*;
/// use likewise::questions::audit;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund now", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// let (audit, _) = audit::ask(&problem, &Default::default(), &Run::new(0))?;
/// assert_eq!((audit.positives, audit.pile), (3, 4));
/// # Ok::<(), likewise::Error>(())
/// ```
pub fn ask(problem: &Problem, words: &WordOptions, run: &Run) -> Result<(Audit, Vec<Note>)> {
    let views = Views::new(problem, words, run);
    // The automatic choice reads no related tables; there the usual method is asked how sure it is.
    let find = Find::new(None, problem.kind() == Kind::Relational)?;
    let spec = find.method.spec();
    let train = views.train(&spec)?;
    let notes = problem.notes.iter().chain(&views.of(&spec)?.notes).cloned().collect();
    let parameters = find.method.resolve(&find.parameters)?;
    let fitted = find.method.fit(&parameters, &train, run)?;
    let summary = match fitted.model.summary() {
        Some(summary) => summary.clone(),
        None => certainty::of_method(find.method, &parameters, &views, &fitted.scores, run)?,
    };
    let mut audit = run.install(|| audit(&train, &summary, &fitted.scores, run))?;
    for group in &mut audit.strange_groups {
        group.ids = group.rows.iter().map(|&row| problem.ids[row].to_string()).collect();
    }
    Ok((audit, notes))
}

fn audit(train: &PuData, summary: &Summary, scores: &[f64], run: &Run) -> Result<Audit> {
    let width = |positives: usize| {
        let inside = (summary.recall * positives as f64).round() as usize;
        let range = intervals::recall(inside, positives, summary.prior * summary.pile as f64, false, run);
        MoreLabels { positives, recall_width: range.high - range.low }
    };
    let groups = strange_groups(train, scores, run)?;
    Ok(Audit {
        groups_sought: groups.is_some(),
        positives: summary.positives,
        pile: summary.pile,
        separability: summary.candidates.iter().map(|c| c.pu_auc).fold(0.0, f64::max),
        prior: summary.prior,
        prior_low: summary.prior_low,
        prior_high: summary.prior_high,
        recall_low: summary.recall_low,
        recall_high: summary.recall_high,
        drawn: summary.drawn,
        strange_groups: groups.unwrap_or_default(),
        more_labels: [1, 2, 4, 8].map(|times| width(times * summary.positives)).to_vec(),
        warnings: summary.warnings.clone(),
    })
}

/// If the examples are a random draw of the class, every group of the class holds some of them. None where there is
/// nothing to compare.
fn strange_groups(train: &PuData, scores: &[f64], run: &Run) -> Result<Option<Vec<Group>>> {
    if train.x.kind() == Kind::Relational {
        return Ok(None);
    }
    let (_, x) = Space::fit(&train.x, run)?;
    let positives = train.positives();
    let marked: Vec<usize> = train.unlabeled().into_iter().filter(|&i| scores[i] >= 0.5).collect();
    if positives.len() < 2 || marked.is_empty() {
        return Ok(None);
    }
    let examples = CosineIndex::new(&x.select(&positives))?;
    let mut among_examples = nearest(&examples.graph(1, run)?);
    among_examples.sort_by(f32::total_cmp);
    let limit = among_examples[(APART * among_examples.len() as f64) as usize];
    let to_example = nearest(&examples.query(&x.select(&marked), 1, run)?);
    let apart: Vec<usize> =
        marked.iter().zip(&to_example).filter(|(_, cosine)| **cosine < limit).map(|(row, _)| *row).collect();
    let fewest = FEWEST_ROWS.max((WORTH_A_WORD * marked.len() as f64).ceil() as usize);
    let groups = connected(&x.select(&apart), run)?;
    let large = groups.iter().filter(|rows| rows.len() >= fewest).count();
    // A random draw of n examples misses a group that holds a share g of the class with a chance of (1 − g)ⁿ, and one of
    // several groups the sooner.
    let missed = |rows: usize| (1.0 - rows as f64 / marked.len() as f64).powi(positives.len() as i32);
    let mut groups: Vec<Group> = (groups.into_iter())
        .filter(|rows| rows.len() >= fewest && missed(rows.len()) * large as f64 <= BY_CHANCE)
        .map(|rows| Group {
            share: rows.len() as f64 / marked.len() as f64,
            rows: rows.iter().map(|&at| apart[at]).collect(),
            ids: Vec::new(),
        })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.rows.len()));
    Ok(Some(groups))
}

fn nearest(found: &crate::parts::knn_graph::Neighbours) -> Vec<f32> {
    (0..found.len()).map(|i| found.of(i).next().map_or(0.0, |(_, cosine)| cosine)).collect()
}

/// Rows that reach each other over neighbours that both have each other.
fn connected(x: &Data, run: &Run) -> Result<Vec<Vec<usize>>> {
    if x.rows() == 0 {
        return Ok(Vec::new());
    }
    let edges = CosineIndex::new(x)?.graph(NEIGHBOURS, run)?.edges(EdgeRule::Both);
    let mut seen = vec![false; x.rows()];
    let mut groups = Vec::new();
    for start in 0..x.rows() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut group = vec![start];
        let mut at = 0;
        while at < group.len() {
            for (next, _) in edges.row(group[at]).iter() {
                if !seen[next] {
                    seen[next] = true;
                    group.push(next);
                }
            }
            at += 1;
        }
        group.sort_unstable();
        groups.push(group);
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Csr;
    use std::sync::Arc;

    /// Words 0..4 are the kind that was marked, 5..9 another kind of the same class, 10..14 the rest.
    #[test]
    fn a_kind_without_examples_is_found() {
        let mut indices: Vec<u32> = Vec::new();
        for i in 0..60u32 {
            let kind = if i < 20 {
                0
            } else if i < 40 {
                5
            } else {
                10
            };
            let skip = kind + i % 5;
            indices.extend((kind..kind + 5).filter(|word| *word != skip));
        }
        let x = Csr::new(15, (0..=60).map(|i| i * 4).collect(), indices, vec![1.0; 240]).unwrap();
        let train = PuData::new(Data::Sparse(Arc::new(x)), (0..60).map(|i| i < 10).collect()).unwrap();
        let scores: Vec<f64> = (0..60).map(|i| if i < 40 { 0.9 } else { 0.1 }).collect();
        let groups = strange_groups(&train, &scores, &Run::new(0)).unwrap().unwrap();
        let rows: Vec<usize> = groups.iter().flat_map(|g| g.rows.clone()).collect();
        assert!(!rows.is_empty() && rows.iter().all(|row| (20..40).contains(row)), "{rows:?}");
        assert!(strange_groups(&train, &[0.1; 60], &Run::new(0)).unwrap().is_none(), "nothing was looked at");
    }
}
