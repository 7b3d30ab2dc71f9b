//! Features that sum up, by name.

use serde::{Deserialize, Serialize};

use super::aggregates::{Aggregate, Feature};
use super::literal::Variable;
use super::saved::{SavedLiteral, check_test};
use super::symbols::UNKNOWN;
use super::{Background, Facts};
use crate::error::{Error, Result};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SavedAggregate {
    Count,
    CountOf { variable: Variable, value: String },
    ShareOf { variable: Variable, value: String },
    ModeIs { variable: Variable, value: String },
    Average,
}

/// A feature with the names of relations and constants instead of their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedFeature {
    path: Vec<SavedLiteral>,
    aggregate: SavedAggregate,
}

impl SavedFeature {
    pub fn new(feature: &Feature, facts: &Facts) -> Self {
        let name = |variable: Variable, value: u32| {
            let t = feature.value_type(variable, facts);
            (variable, t.map_or(String::new(), |t| facts.constants(t).name(value).to_string()))
        };
        let aggregate = match feature.aggregate {
            Aggregate::Count => SavedAggregate::Count,
            Aggregate::Average => SavedAggregate::Average,
            Aggregate::CountOf { variable, value } => {
                let (variable, value) = name(variable, value);
                SavedAggregate::CountOf { variable, value }
            }
            Aggregate::ShareOf { variable, value } => {
                let (variable, value) = name(variable, value);
                SavedAggregate::ShareOf { variable, value }
            }
            Aggregate::ModeIs { variable, value } => {
                let (variable, value) = name(variable, value);
                SavedAggregate::ModeIs { variable, value }
            }
        };
        SavedFeature { path: feature.path.iter().map(|l| SavedLiteral::new(l, facts)).collect(), aggregate }
    }

    /// Whether it can be asked of examples with that many arguments. A file may say anything.
    pub fn check(&self, head: usize) -> Result<()> {
        let known = check_test(&self.path, head);
        let sound = match (&self.aggregate, known) {
            (_, None) => false,
            (SavedAggregate::Count | SavedAggregate::Average, Some(_)) => true,
            (
                SavedAggregate::CountOf { variable, .. }
                | SavedAggregate::ShareOf { variable, .. }
                | SavedAggregate::ModeIs { variable, .. },
                Some(known),
            ) => (head..known).contains(&(*variable as usize)),
        };
        if sound { Ok(()) } else { Err(Error::model_file("a feature in it is broken")) }
    }

    pub fn bind(&self, background: &Background) -> Result<Feature> {
        let facts = &background.facts;
        let mut types = background.target.types.clone();
        let path = self.path.iter().map(|l| l.bind(facts, &mut types)).collect::<Result<_>>()?;
        let number = |variable: &Variable, value: &String| {
            facts.constants(types[*variable as usize]).find(value).unwrap_or(UNKNOWN)
        };
        let aggregate = match &self.aggregate {
            SavedAggregate::Count => Aggregate::Count,
            SavedAggregate::Average => Aggregate::Average,
            SavedAggregate::CountOf { variable, value } => {
                Aggregate::CountOf { variable: *variable, value: number(variable, value) }
            }
            SavedAggregate::ShareOf { variable, value } => {
                Aggregate::ShareOf { variable: *variable, value: number(variable, value) }
            }
            SavedAggregate::ModeIs { variable, value } => {
                Aggregate::ModeIs { variable: *variable, value: number(variable, value) }
            }
        };
        Ok(Feature { path, aggregate })
    }
}
