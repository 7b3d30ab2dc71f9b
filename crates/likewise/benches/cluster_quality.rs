//! Our side of `benches/cluster_quality.py`: the quality of many splits of the same rows.
//!
//! `cluster_quality lsn|asw DISTANCE WORDS ROWS SPLITS`: ROWS has the word numbers of a row on each line,
//! SPLITS a 0 or 1 for each row, one line a split. Reading the files is not timed.

use std::error::Error;
use std::time::Instant;

use likewise::Run;
use likewise::data::CsrBuilder;
use likewise::parts::binary_rows::{BinaryRows, Distance};
use likewise::parts::silhouette::silhouettes;
use likewise::parts::spanning_tree::SpanningTree;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [quality, distance, words, rows, splits] = &arguments[..] else {
        return Err("cluster_quality lsn|asw DISTANCE WORDS ROWS SPLITS".into());
    };
    let distance: Distance = serde_json::from_value(serde_json::json!(distance))?;
    let mut x = CsrBuilder::with_capacity(words.parse()?, 0, 0);
    for line in std::fs::read_to_string(rows)?.lines() {
        let words: Vec<u32> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        x.push_entries(words.into_iter().map(|word| (word, 1.0)));
    }
    let x = x.finish();
    let splits: Vec<Vec<bool>> = std::fs::read_to_string(splits)?
        .lines()
        .map(|line| line.bytes().map(|b| b == b'1').collect())
        .collect();

    let run = Run::new(0);
    let all: Vec<usize> = (0..x.rows()).collect();
    let started = Instant::now();
    let binary = BinaryRows::new(&x, &all);
    let qualities: Vec<Option<f64>> = match quality.as_str() {
        "lsn" => {
            let tree = SpanningTree::new(&binary, distance, &run)?;
            splits.iter().map(|split| tree.smallest_across(&binary, split)).collect()
        }
        _ => silhouettes(&binary, &splits, distance, &run)?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let shown: Vec<String> =
        qualities.iter().map(|q| q.map_or("none".into(), |q| format!("{q:.6}"))).collect();
    println!("{}", serde_json::json!({ "seconds": seconds, "qualities": shown.join(" ") }));
    Ok(())
}
