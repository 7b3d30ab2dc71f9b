//! Find: which rows of the pile are like the examples?

use serde::Serialize;

use super::baseline;
use super::copies::LeftOut;
use super::problem::Problem;
use super::ranking::Ranking;
use super::truth::Truth;
use super::views::{View, Views};
use crate::automatic::{AUTO, bytes_a_row, certainty};
use crate::codes;
use crate::data::PuData;
use crate::ends::Ends;
use crate::error::Result;
use crate::features::words::WordOptions;
use crate::figures::count;
use crate::method::{Entry, Method, Parameters, Summary};
use crate::methods::margin::supervised::Supervised;
use crate::methods::relational::relocc::RelOcc;
use crate::note::Note;
use crate::probability::Probabilities;
use crate::registry;
use crate::run::Run;
use crate::trained::{Asked, Explanation, Outcome, Trained, learn};

/// How to find.
///
/// ```
/// use likewise::prelude::*;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund please", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// let found = Find::new(Some("nb"), false)?.ask(&problem, &Run::new(0))?;
/// assert_eq!(found.ranking.positions[0], 2);
/// assert!(found.lines()[0].starts_with("About "));
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Find {
    /// How to learn.
    pub method: &'static dyn Entry,
    /// The method's parameters; what is left out has its default.
    pub parameters: Parameters,
    /// How text becomes words.
    pub words: WordOptions,
    /// Where the class ends; none means hidden positives say, where the method's own threshold is not its point.
    pub ends: Option<Ends>,
    /// Whether to say how sure the answer is where the method does not by itself: it learns again while positives are
    /// hidden from it, which takes several times as long.
    pub certainty: bool,
    /// Whether the model keeps what new rows are compared with when it scores them: the method learns ten times more,
    /// from no more than 20,000 rows of the pile.
    pub baseline: bool,
    /// Whether to say how probable each row is, which rests on hidden positives as certainty does.
    pub probabilities: bool,
}

impl Find {
    /// With this method, or with the one that suits the rows.
    pub fn new(method: Option<&str>, related: bool) -> Result<Self> {
        let usual = if related { RelOcc::SPEC.name } else { registry::DEFAULT };
        let method = registry::find(method.unwrap_or(usual))?;
        let (parameters, words) = (Parameters::new(), WordOptions::default());
        Ok(Find {
            method,
            parameters,
            words,
            ends: None,
            certainty: false,
            baseline: false,
            probabilities: false,
        })
    }

    /// What learning takes for its rows beside a multiple of what they take themselves, in bytes.
    pub fn work(&self, problem: &Problem) -> usize {
        match self.method.spec().name {
            AUTO => problem.positive.len() * bytes_a_row(problem.kind()),
            _ => 0,
        }
    }

    /// Learns from the examples and ranks the pile.
    pub fn ask(&self, problem: &Problem, run: &Run) -> Result<Found> {
        self.with_truth(problem, None, run)
    }

    /// The same with the truth, which only the method that is the ideal of all others may see.
    pub fn with_truth(&self, problem: &Problem, truth: Option<&Truth>, run: &Run) -> Result<Found> {
        let ahead = run.ahead(0.15);
        let views = Views::new(problem, &self.words, &ahead);
        let learned = self.learn(&views, problem, truth, run)?;
        // The rows are the largest part of what is in memory, and a ranking needs none of them.
        drop(views);
        Ok(self.rank(problem, learned))
    }

    /// The same with rows that others may have been made of already.
    pub(super) fn under(&self, views: &Views<'_>, problem: &Problem, run: &Run) -> Result<Found> {
        Ok(self.rank(problem, self.learn(views, problem, None, run)?))
    }

    fn learn(
        &self,
        views: &Views<'_>,
        problem: &Problem,
        truth: Option<&Truth>,
        run: &Run,
    ) -> Result<Learned> {
        let parameters = self.method.resolve(&self.parameters)?;
        let View { features, x, notes } = View::clone(&*views.of(&self.method.spec())?);
        let mut train = problem.train(x)?;
        if let Some(truth) = truth.filter(|_| self.method.spec().name == Supervised::SPEC.name) {
            train = train.with_truth(truth.of_problem(problem)?)?;
        }
        let rows = PuData { parts: features.parts(), ..train.clone() };
        // Where the class ends is learned by hiding examples, which takes longer than the one fit.
        let hides = self.asked().hides(self.method) && self.method.spec().name != registry::DEFAULT;
        let share = if hides { 0.2 } else { 0.9 };
        let mut outcome = learn(self.method, parameters, features, train, notes, &run.ahead(share))?;
        if let Some((examples, ids)) = problem.examples_with_vectors(&outcome.trained.features) {
            outcome.trained.remember(&examples, ids, run)?;
        }
        let before = outcome.scores.clone();
        let hide = || self.hide(problem, views, run);
        let summary = outcome.end(self.method, &self.asked(), &rows, hide, run)?;
        if self.baseline || self.probabilities {
            self.remember_pile(problem, &rows, summary.as_ref(), &mut outcome.trained, run)?;
        }
        Ok(Learned { outcome, before, summary })
    }

    fn rank(&self, problem: &Problem, Learned { outcome, before, summary }: Learned) -> Found {
        let Outcome { trained, scores, notes } = outcome;
        let mut ranking = Ranking::in_order_of(problem, &before, &scores);
        let mut more = Vec::new();
        if self.probabilities {
            let said = summary.as_ref().and_then(|said| Probabilities::of(said, &ranking.scores));
            match said {
                Some(said) => {
                    ranking.probabilities = Some(ranking.scores.iter().map(|s| said.at(*s)).collect())
                }
                None => more.push(not_told()),
            }
        }
        Found {
            examples: problem.examples(),
            ranking,
            summary,
            left_out: problem.left_out.clone(),
            notes: problem.notes.iter().cloned().chain(notes).chain(more).collect(),
            trained,
        }
    }
}

/// What a ranking is made of.
struct Learned {
    outcome: Outcome,
    /// The scores before the cut was moved.
    before: Vec<f64>,
    summary: Option<Summary>,
}

impl Find {
    /// What a model keeps of the pile: how probable rows of a score are, and what new rows are compared with.
    fn remember_pile(
        &self,
        problem: &Problem,
        rows: &PuData,
        said: Option<&Summary>,
        trained: &mut Trained,
        run: &Run,
    ) -> Result<()> {
        let compares = self.baseline && baseline::can_be(problem, rows);
        if said.is_none() && !compares {
            return Ok(());
        }
        let scores = trained.score_placed(&rows.x, run)?;
        let scores: Vec<f64> = problem.pile().iter().map(|&row| scores[row]).collect();
        trained.probabilities = said.and_then(|said| Probabilities::of(said, &scores));
        if compares {
            trained.baseline = baseline::of(self.method, trained, problem, rows, &scores, said, run)?;
        }
        Ok(())
    }

    fn asked(&self) -> Asked {
        let Find { ends, certainty, probabilities, .. } = *self;
        Asked { ends, certainty, probabilities, cut_alone: false }
    }

    /// What positives that are hidden from the method say; among a part of a large pile.
    fn hide(&self, problem: &Problem, views: &Views<'_>, run: &Run) -> Result<Summary> {
        let options = &self.asked().options();
        let said = match problem.part(run) {
            Some(part) => {
                let views = Views::new(&part, &self.words, run);
                certainty::before_the_cut(self.method, &self.parameters, &views, options, run)?
            }
            None => certainty::before_the_cut(self.method, &self.parameters, views, options, run)?,
        };
        Ok(Summary { pile: problem.pile().len(), ..said })
    }
}

/// Why there are no probabilities.
fn not_told() -> Note {
    let text =
        "how probable rows are is not known: it takes two examples, one to be hidden while the other teaches";
    Note::warning(&codes::NO_PROBABILITIES, text)
}

/// The answer.
#[derive(Serialize)]
pub struct Found {
    /// How many examples it was learned from.
    pub examples: usize,
    /// The pile, best first.
    pub ranking: Ranking,
    /// How many there are, how sure that is, and what was tried; where the method can say.
    pub summary: Option<Summary>,
    /// What was given and took no part.
    pub left_out: Vec<LeftOut>,
    /// What the user should know.
    pub notes: Vec<Note>,
    /// What scores, explains and is kept.
    #[serde(skip)]
    pub trained: Trained,
}

impl Found {
    /// What was done, in a few plain lines.
    pub fn lines(&self) -> Vec<String> {
        if let Some(summary) = &self.summary {
            return summary.lines();
        }
        vec![format!(
            "Learned from {} examples with method `{}`; ranked {} rows and marked {} as positive (score 0.5 or more).",
            count(self.examples),
            self.trained.method,
            count(self.ranking.len()),
            count(self.ranking.found())
        )]
    }

    /// The features that push the rows at the top most, strongest first: what this class is made of.
    pub fn telling_features(&self, problem: &Problem, run: &Run) -> Result<Explanation> {
        let Some(table) = problem.table() else { return Ok(Vec::new()) };
        self.trained.telling_features(table, self.telling_rows(), FEATURES, run)
    }

    /// The rows of the problem whose reasons those features are.
    pub fn telling_rows(&self) -> &[usize] {
        let top = self.ranking.found().clamp(1, EXPLAINED).min(self.ranking.len());
        &self.ranking.rows[..top]
    }
}

/// Rows whose reasons are added up.
const EXPLAINED: usize = 100;
/// Telling features that are listed.
pub const FEATURES: usize = 20;
