//! Our side of `benches/review_loop.py`: the loop of reading over labelled documents, for several starts.
//!
//! `review_loop FILE SEEDS MARKS [best|alone|uncertain|diverse]`; each line of the file is an object with `text` and
//! `wanted`. `alone` is best first by the learner without neighbours. Prints one JSON object: the mean seconds of a new
//! ranking, and for each seed the ten wanted and ten unwanted rows known at the start and the curve of finds.

use std::error::Error;
use std::sync::Arc;

use likewise::Run;
use likewise::data::Texts;
use likewise::reading::rehearse::{Request, StopRule, rehearse};
use likewise::reading::{Pick, features};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let neighbours = arguments.get(3).is_none_or(|how| how != "alone");
    let (file, seeds, marks, pick) = match &arguments[..] {
        [file, seeds, marks] => (file, seeds, marks, Pick::Best),
        [file, seeds, marks, _] if !neighbours => (file, seeds, marks, Pick::Best),
        [file, seeds, marks, pick] => (file, seeds, marks, serde_json::from_value(json!(pick))?),
        _ => return Err("usage: review_loop FILE SEEDS MARKS [best|alone|uncertain|diverse]".into()),
    };
    let lines = std::fs::read_to_string(file)?;
    let rows: Vec<Value> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let texts: Texts = rows.iter().map(|row| row["text"].as_str().unwrap_or("")).collect();
    let truth: Vec<bool> = rows.iter().map(|row| row["wanted"] == true).collect();
    let (_, x) = features(&texts, &Run::new(0))?;
    let x = Arc::new(x);
    let request = Request {
        rule: StopRule::Never,
        unwanted: 10,
        most: Some(marks.parse()?),
        pick,
        neighbours,
        ..Request::default()
    };
    // All seeds ask for the same neighbours.
    let run = Run::new(0).sharing();
    let (mut starts, mut seconds) = (Vec::new(), 0.0);
    let seeds: u64 = seeds.parse()?;
    for seed in 0..seeds {
        let answer = rehearse(x.clone(), &truth, &request, &run.with_seed(seed))?;
        starts.push(json!({"examples": answer.examples, "unwanted": answer.unwanted, "curve": answer.curve}));
        seconds += answer.seconds / seeds as f64;
    }
    println!("{}", json!({"seconds": seconds, "starts": starts}));
    Ok(())
}
