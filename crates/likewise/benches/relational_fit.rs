//! Reads facts, learns RelOCC from marked examples and a pile, and says how long each took.
//!
//!     relational_fit FACTS MODES TARGET LIKE PILE TREES

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::time::Instant;

use likewise::Run;
use likewise::data::{Data, PuData};
use likewise::method::parse_settings;
use likewise::registry::find;
use likewise::relations::{Background, Domain, FactsBuilder, Relational, Target, atoms, modes};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [facts, modes, target, like, pile, trees] = &arguments[..] else {
        return Err("give FACTS MODES TARGET LIKE PILE TREES".into());
    };
    let started = Instant::now();
    let (x, labelled) = load(facts, modes, target, &[like, pile])?;
    let load_seconds = started.elapsed().as_secs_f64();
    let (facts, examples) = (x.facts().rows(), x.rows());
    let positive = (0..examples).map(|row| row < labelled).collect();
    let train = PuData::new(Data::Relational(Arc::new(x)), positive)?;
    let entry = find("relocc")?;
    // The sample that the recorded run of the comparison drew, whatever the defaults are.
    let given = [
        ("trees", trees.as_str()),
        ("pool", "1000000"),
        ("sampling", "mixed"),
        ("unlabeled", "10"),
        ("drawn", "20"),
    ];
    let given: Vec<(String, String)> = given.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let started = Instant::now();
    let fitted = entry.fit(&parse_settings(entry, &given)?, &train, &Run::new(0))?;
    let seconds = started.elapsed().as_secs_f64();
    let called = fitted.scores.iter().filter(|score| **score >= 0.5).count();
    println!(
        "{{\"seconds\":{seconds},\"load_seconds\":{load_seconds},\"facts\":{facts},\"examples\":{examples},\"called_positive\":{called}}}"
    );
    Ok(())
}

/// The examples of all files over the facts, and how many the first file has.
fn load(facts: &str, modes_file: &str, target: &str, files: &[&String]) -> Outcome<(Relational, usize)> {
    let mut builder = FactsBuilder::new();
    let declared = modes::parse(&std::fs::read_to_string(modes_file)?)?.declarations;
    let modes = modes::declare(&declared, &mut builder)?;
    each_atom(facts, |predicate, arguments| {
        let relation = builder.find(predicate).ok_or("a fact without a mode")?;
        Ok(builder.push(relation, arguments)?)
    })?;
    let own = builder.find(target).ok_or("the target has no mode")?;
    let typed = builder.domains(own).iter().filter_map(|domain| match domain {
        Domain::Type(number) => Some(*number),
        Domain::Number => None,
    });
    let types: Vec<u32> = typed.collect();
    let mut columns = vec![Vec::new(); types.len()];
    let mut ends = Vec::new();
    for file in files {
        each_atom(file, |_, arguments| {
            for ((column, number), argument) in columns.iter_mut().zip(&types).zip(arguments) {
                column.push(builder.intern(*number, argument));
            }
            Ok(())
        })?;
        ends.push(columns[0].len());
    }
    let target = Target { name: target.into(), types };
    let background = Background::new(builder.finish(), modes, target);
    Ok((Relational::new(Arc::new(background), columns)?, ends[0]))
}

fn each_atom(
    path: &str,
    mut visit: impl FnMut(&str, &[std::borrow::Cow<'_, str>]) -> Outcome<()>,
) -> Outcome<()> {
    for line in BufReader::new(File::open(path)?).lines() {
        let line = line?;
        let mut arguments = Vec::with_capacity(4);
        if let Some(predicate) = atoms::parse(&line, &mut arguments)? {
            visit(predicate, &arguments)?;
        }
    }
    Ok(())
}
