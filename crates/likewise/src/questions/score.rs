//! Score: what does a kept model say of new rows, and are they like those that it was learned from?
//!
//! Rows come batch by batch, so memory does not grow with them, and what is said of many batches is said once.

use serde::Serialize;

use super::columns;
use crate::codes;
use crate::data::{Data, Table, Texts};
use crate::decide::is_positive;
use crate::drift::compare::{LEAST_ROWS, compare};
use crate::drift::{Comparison, SeenRows, recut::best, share::Share};
use crate::ends::{Ends, Moved};
use crate::error::{Error, Result};
use crate::features::{Features, blank_rows};
use crate::figures::count;
use crate::message::{Message, Setting};
use crate::method::Range;
use crate::note::Note;
use crate::probability::{Probabilities, Probability};
use crate::relations::Relational;
use crate::run::Run;
use crate::trained::Trained;

/// The scores of some rows, in their order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scored {
    /// What the user calls the rows.
    pub ids: Texts,
    /// Within [0, 1], larger is more likely positive.
    pub scores: Vec<f64>,
    /// Whether they are positive: a score of 0.5 or more.
    pub positive: Vec<bool>,
    /// How probable they are, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probabilities: Option<Vec<Probability>>,
}

/// New rows under a model, and what is known after those so far.
///
/// ```
/// use likewise::prelude::*;
/// let like = Table::from_texts("text", ["refund my money", "money back please", "a refund please"]);
/// let pile = Table::from_texts("text", ["late parcel", "a refund please", "want my money back", "parcel lost"]);
/// let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
/// let trained = Find::new(Some("nb"), false)?.ask(&problem, &Run::new(0))?.trained;
/// let mut question = likewise::questions::score::Score::new(&trained, None);
/// let scored = question.batch(&Table::from_texts("text", ["my money", "parcel"]), &Run::new(0))?;
/// assert!(scored.scores[0] > scored.scores[1] && question.rows == 2);
/// assert!(question.comparison(&Run::new(0)).is_none()); // so small a pile is nothing to compare with
/// # Ok::<(), likewise::Error>(())
/// ```
pub struct Score<'a> {
    trained: &'a Trained,
    id: Option<&'a str>,
    cut: Option<Moved>,
    probabilities: Option<Probabilities>,
    seen: Option<SeenRows>,
    /// The scores so far, where a share or a number of the rows is to be marked.
    all: Option<Vec<f64>>,
    /// How many rows were scored.
    pub rows: usize,
    /// How many of them are positive.
    pub found: usize,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// More kinds of notes than this are not kept.
const ENOUGH_NOTES: usize = 10;

impl<'a> Score<'a> {
    /// `id` names the column by which rows are called.
    pub fn new(trained: &'a Trained, id: Option<&'a str>) -> Self {
        Score {
            trained,
            id,
            cut: None,
            probabilities: None,
            seen: None,
            all: None,
            rows: 0,
            found: 0,
            notes: Vec::new(),
        }
    }

    /// A first look, after which the cut can be placed for the rows ([`Score::recut`]). Where a share or a number of them
    /// is to be marked, it keeps their scores.
    pub fn looking(trained: &'a Trained, id: Option<&'a str>) -> Self {
        let by_rows = matches!(trained.ends, Some(Ends::Share(_) | Ends::Top(_)));
        Score { all: by_rows.then(Vec::new), ..Score::new(trained, id) }
    }

    /// The same with another cut than that of the model; what is compared is not touched by it.
    pub fn with_cut(mut self, cut: Option<Moved>) -> Self {
        self.cut = cut;
        self
    }

    /// The same with how probable each row is: among rows like those that were learned from, or among rows of which
    /// this share is positive. An error where the model does not know.
    pub fn with_probabilities(mut self, share: Option<Share>) -> Result<Self> {
        let Some(known) = self.trained.probabilities() else {
            let text = "the model does not know how probable its rows are; learn it again, from two examples or more, with ";
            let message = Message::new(&codes::NO_PROBABILITIES, text);
            return Err(Error::data(message.setting(Setting::flag("probabilities"))));
        };
        let for_share =
            |share: Share| known.for_share(share.share, Range { low: share.low, high: share.high });
        self.probabilities = Some(share.map_or_else(|| known.clone(), for_share));
        Ok(self)
    }

    /// The same question of other rows: the same cut, the same probabilities.
    pub fn again(&self) -> Self {
        let question = Score::new(self.trained, self.id).with_cut(self.cut);
        Score { probabilities: self.probabilities.clone(), ..question }
    }

    /// The cut that is taken instead of that of the model.
    pub fn cut(&self) -> Option<Moved> {
        self.cut
    }

    /// The model.
    pub fn trained(&self) -> &'a Trained {
        self.trained
    }

    /// The next rows.
    pub fn batch(&mut self, table: &Table, run: &Run) -> Result<Scored> {
        let (scores, notes) = self.trained.score_and_count(table, &mut self.seen, run)?;
        let ids = columns::ids(table, self.id, self.rows)?;
        Ok(self.counted(ids, scores, notes))
    }

    /// The next rows that are numbers already, called by their numbers.
    pub fn matrix(&mut self, x: Data, run: &Run) -> Result<Scored> {
        let scores = self.trained.score_rows_and_count(x, &mut self.seen, run)?;
        let ids = (self.rows + 1..).take(scores.len()).map(|row| row.to_string()).collect();
        Ok(self.counted(ids, scores, Vec::new()))
    }

    /// The next examples among related tables.
    pub fn related(&mut self, x: &Relational, ids: Texts, run: &Run) -> Result<Scored> {
        let scores = self.trained.score_related(x, run)?;
        Ok(self.counted(ids, scores, Vec::new()))
    }

    fn counted(&mut self, ids: Texts, mut scores: Vec<f64>, notes: Vec<Note>) -> Scored {
        let probable = |known: &Probabilities| scores.iter().map(|score| known.at(*score)).collect();
        let probabilities = self.probabilities.as_ref().map(probable);
        if let Some(all) = &mut self.all {
            all.extend(&scores);
        }
        if let Some(cut) = &self.cut {
            scores.iter_mut().for_each(|score| *score = cut.score(*score));
        }
        let positive = scores.iter().map(|score| is_positive(*score)).collect();
        let scored = Scored { ids, scores, positive, probabilities };
        self.rows += scored.scores.len();
        self.found += scored.positive.iter().filter(|positive| **positive).count();
        notes.into_iter().for_each(|note| add_note(&mut self.notes, note));
        scored
    }

    /// Adds what was asked of another part of the rows, under the same cut.
    pub fn add(&mut self, other: Score<'_>) {
        self.rows += other.rows;
        self.found += other.found;
        match (&mut self.seen, other.seen) {
            (Some(seen), Some(more)) => seen.merge(&more),
            (seen, Some(more)) => *seen = Some(more),
            (_, None) => {}
        }
        other.notes.into_iter().for_each(|note| add_note(&mut self.notes, note));
    }

    /// The rows so far beside those that were learned from; none where the model does not know these.
    pub fn comparison(&self, run: &Run) -> Option<Comparison> {
        let (baseline, seen) = (self.trained.baseline()?, self.seen.as_ref()?);
        Some(compare(baseline, seen, |j| self.trained.features.name(j), run))
    }

    /// What the comparison has to say. That the share of positives has changed is no news where the cut was placed for it.
    pub fn alarms(&self, run: &Run) -> Vec<Note> {
        let mut notes = self.comparison(run).map(|found| found.notes).unwrap_or_default();
        notes.retain(|note| self.cut.is_none() || note.message.code != &codes::SHARE_CHANGED);
        notes
    }

    /// The share of positives that the rows so far are believed to have; none where nobody can say.
    pub fn share(&self, run: &Run) -> Option<Share> {
        self.comparison(run)?.positives
    }

    /// The cut for the share of positives that the rows so far have, or why there is none.
    pub fn recut(&self, run: &Run) -> std::result::Result<Moved, Note> {
        let compared = self.comparison(run);
        let old = compared.as_ref().is_some_and(Comparison::is_of_old_rows);
        let another = compared.as_ref().is_some_and(|found| found.another_kind);
        let placed = || {
            if let Some(all) = &self.all {
                return best(all, self.trained.ends);
            }
            let (baseline, seen) = (self.trained.baseline()?, self.seen.as_ref()?);
            baseline.recut(seen, compared.as_ref().filter(|_| !old && !another)?, self.trained.ends)
        };
        placed().ok_or_else(|| {
            let few = (self.rows as u64) < LEAST_ROWS;
            let uncounted = compared.as_ref().is_some_and(|found| found.positives_before.is_none());
            let why = match &self.trained.features {
                Features::Related { .. } => "a model of related tables does not know where new rows would stand",
                _ if old => "most of these rows are rows that the model learned from, and of these no other share of positives can be told",
                _ if another => "these rows are of another kind than those that were learned from, and what is known of positives says nothing of them",
                _ if uncounted => "the method cuts by its own threshold, and nobody has counted the positives of the pile that it learned from; learn it again with ",
                _ if few => "so few rows tell nothing of the share of positives among them",
                _ => "the model does not know enough of the rows it was learned from to place it for these; learn it again with this version, from 5 examples or more and a pile of 50 rows or more",
            };
            let message = Message::new(&codes::CUT_NOT_PLACED, format!("the cut stays where it was: {why}"));
            Note::warn(if uncounted { message.setting(Setting::with("cut", "hidden")) } else { message })
        })
    }

    /// What was done, in a plain line.
    pub fn line(&self) -> String {
        format!("Scored {} rows, {} of them positive.", count(self.rows), count(self.found))
    }

    /// What was done as figures, those of the comparison among them.
    pub fn summary(&self, run: &Run) -> ScoreSummary {
        ScoreSummary {
            rows: self.rows,
            found: self.found,
            method: self.trained.method.clone(),
            recut: self.cut.is_some(),
            comparison: self.comparison(run),
            notes: self.notes.iter().cloned().chain(self.alarms(run)).collect(),
        }
    }
}

/// What was done, in figures.
#[derive(Clone, Debug, Serialize)]
pub struct ScoreSummary {
    /// How many rows were scored.
    pub rows: usize,
    /// How many of them are positive.
    pub found: usize,
    /// The method of the model.
    pub method: String,
    /// Whether the cut was placed for these rows.
    pub recut: bool,
    /// The rows beside those that were learned from, under the model's own cut; none where the model does not know these.
    pub comparison: Option<Comparison>,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// Adds what is said of a batch to what was said of those before it: counts of rows add up, and nothing is said twice.
pub fn add_note(notes: &mut Vec<Note>, note: Note) {
    let blank = |note: &Note| {
        let of = |name| note.message.fields.get(name);
        let (rows, what) = (of("rows")?.as_u64()?, of("what")?.as_str()?.to_string());
        (note.message.code == &codes::BLANK_ROWS).then_some((rows as usize, what))
    };
    if let (Some((more, what)), Some((before, known))) =
        (blank(&note), notes.iter_mut().find_map(|known| Some((blank(known)?.0, known))))
    {
        *known = blank_rows(&what, before + more);
    } else if notes.len() < ENOUGH_NOTES && !notes.contains(&note) {
        notes.push(note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_batches_is_said_once_of_all() {
        let mut notes = Vec::new();
        let blank = |rows| blank_rows("without a usable word", rows);
        for note in [blank(2), Note::info(&codes::LARGE_PILE, "large"), blank(3)] {
            add_note(&mut notes, note.clone());
            add_note(&mut notes, Note::info(&codes::LARGE_PILE, "large"));
        }
        assert_eq!(notes, [blank(5), Note::info(&codes::LARGE_PILE, "large")]);
    }
}
