//! Reads facts, learns RelOCC from marked examples and a pile, and says how long each took.
//!
//!     relational_fit FACTS MODES TARGET LIKE PILE TREES

use std::time::Instant;

use likewise::Run;
use likewise::data::{Data, PuData};
use likewise::methods::{find, parse_settings};
use likewise_io::database::{Database, Request};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [facts, modes, target, like, pile, trees] = &arguments[..] else {
        return Err("give FACTS MODES TARGET LIKE PILE TREES".into());
    };
    let run = Run::new(0);
    let started = Instant::now();
    let request = Request {
        target: target.clone(),
        modes: Some(modes.into()),
        like: vec![like.clone()],
        pile: vec![pile.clone()],
        ..Request::default()
    };
    let problem = Database::open(std::slice::from_ref(facts))?.problem(&request, &run)?;
    let load_seconds = started.elapsed().as_secs_f64();
    let count = problem.x.facts().rows();
    let examples = problem.x.rows();
    let train = PuData::new(Data::Relational(problem.x.into()), problem.positive)?;
    let entry = find("relocc")?;
    let given = [("trees", trees.as_str()), ("pool", "1000000")];
    let given: Vec<(String, String)> = given.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let started = Instant::now();
    let fitted = entry.fit(&parse_settings(entry, &given)?, &train, &run)?;
    let seconds = started.elapsed().as_secs_f64();
    let called = fitted.scores.iter().filter(|score| **score >= 0.5).count();
    println!(
        "{{\"seconds\":{seconds},\"load_seconds\":{load_seconds},\"facts\":{count},\"examples\":{examples},\"called_positive\":{called}}}"
    );
    Ok(())
}
