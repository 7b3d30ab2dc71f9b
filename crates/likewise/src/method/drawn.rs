//! How the examples came to be marked, as far as the pile can tell.

use serde::{Deserialize, Serialize};

use crate::codes;
use crate::message::Message;

/// What rows beside the examples say of the draw: were the examples drawn at random from their class, an example would be
/// as typical of the others as the unmarked rows beside it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// Examples with rows of the pile beside them: so many comparisons there are.
    pub compared: usize,
    /// How far examples are more typical than the rows beside them, in standard errors of a random draw.
    pub deviations: f64,
    /// More than this is not explained by chance, nor by rows of another class among those beside.
    pub limit: f64,
    /// How strongly typical rows were preferred, if they were: one standard deviation nearer to the middle of the class
    /// made a row e^strength times as likely to be marked. Without what rows of another class explain.
    pub strength: f64,
    /// The upper end of its range.
    pub strength_high: f64,
    /// Among the nearest neighbours of examples, other examples for each row of the pile.
    #[serde(skip)]
    pub marked_beside: f64,
}

/// A one-sided error of 5 % under the normal curve.
pub const CHANCE: f64 = 1.645;

impl Drawn {
    /// Whether the examples are more typical at all: not yet an alarm, but ranges must allow for a preference.
    pub fn doubtful(&self) -> bool {
        self.deviations > 0.0
    }

    /// Whether the examples are too typical for a random draw of their class.
    pub fn alarm(&self) -> bool {
        self.deviations > self.limit
    }

    /// The part of the rows beside the examples that can be of the class, if the pile holds so many of it for each
    /// example: its members stand there as often as they are more than the examples that do.
    pub fn class_beside(&self, for_each_example: f64) -> f64 {
        (self.marked_beside * for_each_example).min(1.0)
    }

    /// The same if only this part of the rows beside them is of the class: what the others do is no preference.
    pub fn among(&self, class: f64) -> Drawn {
        Drawn { deviations: self.deviations * class, strength: self.strength * class, ..*self }
    }

    /// What an alarm says. `up_to`: how many positives there may be then, where that was asked.
    pub fn warning(&self, up_to: Option<&str>) -> Message {
        let up_to = up_to.map_or(String::new(), |rows| {
            format!("; if you marked the typical ones first, there are up to {rows} positives")
        });
        let text = format!(
            "the examples look like the typical ones of their class, not like a random draw of it: they are more typical than the rows beside them ({}){up_to}. Trust the ranking more than the count, and mark rows drawn at random to know more",
            self.figures()
        );
        Message::new(&codes::NOT_A_RANDOM_DRAW, text)
            .field("deviations", self.deviations)
            .field("limit", self.limit)
            .field("compared", self.compared)
    }

    /// The figures of the test.
    pub fn figures(&self) -> String {
        format!(
            "{:.1} standard errors over {} examples, where {:.1} are explained",
            self.deviations, self.compared, self.limit
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_tells_programs_its_figures() {
        let drawn = Drawn {
            compared: 30,
            deviations: 4.5,
            limit: 2.0,
            strength: 1.0,
            strength_high: 2.0,
            marked_beside: 0.0,
        };
        let fields = drawn.warning(None).fields;
        assert_eq!((&fields["deviations"], &fields["compared"]), (&4.5.into(), &30.into()));
    }
}
