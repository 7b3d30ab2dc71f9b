//! The relational data sets of the papers, read without the readers of the io crate.

use std::collections::HashSet;
use std::sync::Arc;

use super::data_text;
use likewise::relations::{Background, Domain, FactsBuilder, Relational, Target, atoms, modes};

/// The facts of some areas of `uwcse` or `imdb`.
pub fn areas(folder: &str, target: &str, areas: &[usize]) -> Option<Arc<Background>> {
    let modes_text = std::fs::read_to_string(super::data_file(&format!("{folder}/modes.txt"))?).unwrap();
    let mut builder = FactsBuilder::new();
    let file = modes::parse(&modes_text).unwrap();
    let modes = modes::declare(&file.declarations, &mut builder).unwrap();
    for area in areas {
        let text = data_text(&format!("{folder}/area{area}_facts.txt.gz"))?;
        let mut arguments = Vec::new();
        for line in text.lines() {
            if let Some(predicate) = atoms::parse(line, &mut arguments).unwrap() {
                let relation = builder.find(predicate).expect("a declared relation");
                builder.push(relation, &arguments).unwrap();
            }
        }
    }
    let number = builder.find(target).unwrap();
    let types = (builder.domains(number).iter())
        .map(|d| match d {
            Domain::Type(t) => *t,
            Domain::Number => unreachable!(),
        })
        .collect();
    let target = Target { name: target.into(), types };
    Some(Arc::new(Background::new(builder.finish(), modes, target)))
}

/// Pairs of constants as examples.
pub fn examples(background: &Arc<Background>, pairs: &[(String, String)]) -> Relational {
    let constants = background.facts.constants(background.target.types[0]);
    let number = |name: &String| constants.find(name).unwrap_or(u32::MAX);
    let columns =
        vec![pairs.iter().map(|(a, _)| number(a)).collect(), pairs.iter().map(|(_, b)| number(b)).collect()];
    Relational::new(background.clone(), columns).unwrap()
}

/// The pairs of a file of examples.
pub fn pairs(path: &str) -> Option<Vec<(String, String)>> {
    let text = data_text(path)?;
    let mut arguments = Vec::new();
    let mut out = Vec::new();
    for line in text.lines() {
        if atoms::parse(line, &mut arguments).unwrap().is_some() {
            out.push((arguments[0].to_string(), arguments[1].to_string()));
        }
    }
    Some(out)
}

/// All ordered pairs of different persons, and which of them are positive.
pub fn closed_world(background: &Arc<Background>, positives: &[(String, String)]) -> (Relational, Vec<bool>) {
    let constants = background.facts.constants(background.target.types[0]);
    let names: Vec<&str> = (0..constants.len() as u32).map(|c| constants.name(c)).collect();
    let positives: HashSet<(&str, &str)> = positives.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let mut pairs = Vec::new();
    let mut truth = Vec::new();
    for a in &names {
        for b in names.iter().filter(|b| *b != a) {
            pairs.push((a.to_string(), b.to_string()));
            truth.push(positives.contains(&(a, b)));
        }
    }
    (examples(background, &pairs), truth)
}
