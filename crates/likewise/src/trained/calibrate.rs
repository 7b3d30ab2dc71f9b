//! How probable the rows of a trained recipe are, learned by hiding examples.

use super::Outcome;
use crate::automatic::certainty;
use crate::error::Result;
use crate::method::Entry;
use crate::methods::prior::{PART_OF_PILE, Views, rows_of_part};
use crate::probability::Probabilities;
use crate::run::Run;

impl Outcome {
    /// Learns how probable rows of a score are. A method that hides no examples by itself learns again while some are
    /// hidden, from no more than a part of a large pile. With a single example nothing can be hidden, and nothing is
    /// learned.
    pub fn calibrate(&mut self, method: &'static dyn Entry, rows: &impl Views, run: &Run) -> Result<()> {
        let train = rows.view(&method.spec())?;
        let said = match self.trained.summary() {
            Some(said) => said.clone(),
            None => {
                let parameters = &self.trained.parameters;
                match rows_of_part(&train.positive, &train.unwanted, PART_OF_PILE, run) {
                    Some(part) => {
                        let of_part = |spec: &_| Ok(rows.view(spec)?.select(&part));
                        certainty::before_the_cut(method, parameters, &of_part, run)?
                    }
                    None => certainty::before_the_cut(method, parameters, rows, run)?,
                }
            }
        };
        let as_new = self.trained.score_placed(&train.x, run)?;
        let of_pile: Vec<f64> = train.unlabeled().iter().map(|&row| as_new[row]).collect();
        self.trained.probabilities = Probabilities::of(&said, &of_pile);
        Ok(())
    }
}
