//! Where the class of a trained recipe ends, and how probable its rows are: what hidden examples say after learning.

use super::Outcome;
use crate::automatic::certainty;
use crate::data::PuData;
use crate::decide::is_positive;
use crate::ends::{Ends, Moved};
use crate::error::Result;
use crate::method::{Entry, Summary};
use crate::methods::prior::{PART_OF_PILE, Views, rows_of_part};
use crate::note::Note;
use crate::prior::PriorOptions;
use crate::probability::Probabilities;
use crate::run::Run;

/// What is asked of an answer beyond its ranking. All of it rests on examples that are hidden from the method, which
/// learns several times more for that.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asked {
    /// Where the class ends; none means hidden positives say, where the method's own threshold is not its point.
    pub ends: Option<Ends>,
    /// Whether to say how sure the answer is where the method does not by itself.
    pub certainty: bool,
    /// Whether to say how probable each row is.
    pub probabilities: bool,
    /// Whether nobody reads how sure the answer is. The cut is the same, and is known several times sooner.
    pub cut_alone: bool,
}

impl Asked {
    /// Whether examples will be hidden from this method, which does not hide them by itself.
    pub fn hides(&self, method: &dyn Entry) -> bool {
        let by_cut = self.ends.map_or(method.hidden_cut(), |ends| ends.needs_hidden());
        by_cut || self.certainty || self.probabilities
    }

    /// What is to be estimated with the prior.
    pub fn options(&self) -> PriorOptions {
        if self.cut_alone { PriorOptions::without_intervals() } else { PriorOptions::default() }
    }
}

impl Outcome {
    /// Moves the cut to where the class ends, and says how sure that is where somebody asks or it is known anyway, unless
    /// nobody reads it. `hide` tells what hidden positives say of `train`, the rows that were learned from.
    pub fn end(
        &mut self,
        method: &dyn Entry,
        asked: &Asked,
        train: &PuData,
        hide: impl FnOnce() -> Result<Summary>,
        run: &Run,
    ) -> Result<Option<Summary>> {
        let told = self.trained.summary().cloned();
        // The automatic choice cuts by hidden positives already, and so do methods with a parameter for it.
        let ends = match asked.ends {
            Some(Ends::Hidden) if told.is_some() => Ends::Natural,
            Some(ends) => ends,
            None if method.hidden_cut() && told.is_none() => Ends::Hidden,
            None => Ends::Natural,
        };
        ends.check()?;
        let own = told.is_some() && ends == Ends::Natural;
        let says_it_itself = told.is_some();
        let mut said = match told {
            None if asked.hides(method) => Some(hide()?),
            told => told,
        };
        if own {
            return Ok(said);
        }
        let pile = train.unlabeled();
        let of_pile = |scores: &[f64]| pile.iter().map(|&row| scores[row]).collect::<Vec<f64>>();
        let (rows, notes) = ends.rows(&of_pile(&self.scores), said.as_ref());
        self.notes.extend(notes);
        if ends != Ends::Natural {
            let cut = Moved::after(&of_pile(&self.scores), rows);
            // A row that was learned from may be scored otherwise than the same row would be if it were new.
            let as_new = self.trained.score_again(&train.x, run)?;
            self.trained.cut = Some(Moved::after(&of_pile(&as_new), rows));
            self.scores.iter_mut().for_each(|score| *score = cut.score(*score));
        }
        self.trained.ends = Some(ends);
        if asked.cut_alone {
            return Ok(None);
        }
        let found = of_pile(&self.scores).iter().filter(|score| is_positive(**score)).count();
        if let Some(said) = &mut said {
            certainty::moved(said, found, run);
            // The automatic choice has said of itself what there is to know.
            let warnings = said.warnings.iter().filter(|_| !says_it_itself).cloned();
            let known: Vec<&str> = self.notes.iter().map(|note| note.message.code.name).collect();
            let new: Vec<Note> =
                warnings.filter(|warning| !known.contains(&warning.code.name)).map(Note::warn).collect();
            self.notes.extend(new);
        }
        Ok(said)
    }

    /// The same for rows as they stand, of which no more than a part is hidden among where they are many; learns how
    /// probable they are where that is asked.
    pub fn end_rows(
        &mut self,
        method: &'static dyn Entry,
        asked: &Asked,
        rows: &impl Views,
        run: &Run,
    ) -> Result<Option<Summary>> {
        let train = rows.view(&method.spec())?;
        let (pile, parameters) = (train.unlabeled().len(), self.trained.parameters.clone());
        let hide = || {
            let options = &asked.options();
            let said = match rows_of_part(&train.positive, &train.unwanted, PART_OF_PILE, run) {
                Some(part) => {
                    let of_part = |spec: &_| Ok(rows.view(spec)?.select(&part));
                    certainty::before_the_cut(method, &parameters, &of_part, options, run)?
                }
                None => certainty::before_the_cut(method, &parameters, rows, options, run)?,
            };
            Ok(Summary { pile, ..said })
        };
        let said = self.end(method, asked, &train, hide, run)?;
        if let Some(said) = said.as_ref().filter(|_| asked.probabilities) {
            let as_new = self.trained.score_placed(&train.x, run)?;
            let of_pile: Vec<f64> = train.unlabeled().iter().map(|&row| as_new[row]).collect();
            self.trained.probabilities = Probabilities::of(said, &of_pile);
        }
        Ok(said)
    }
}
