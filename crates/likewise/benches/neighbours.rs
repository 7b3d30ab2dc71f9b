//! Our side of `benches/neighbours.py`: the k nearest rows of every row by cosine.
//!
//! `neighbours K ROWS FOUND`: ROWS has `word:value` entries of a row on each line; the neighbours of each row
//! go to a line of FOUND, most alike first. Reading and writing the files is not timed.

use std::error::Error;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use likewise::Run;
use likewise::data::{CsrBuilder, Data};
use likewise::parts::knn_graph::CosineIndex;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [k, rows, found] = &arguments[..] else { return Err("neighbours K ROWS FOUND".into()) };
    let mut entries: Vec<Vec<(u32, f32)>> = Vec::new();
    for line in std::fs::read_to_string(rows)?.lines() {
        let entry = |cell: &str| -> Result<(u32, f32), Box<dyn Error>> {
            let (word, value) = cell.split_once(':').ok_or("an entry is word:value")?;
            Ok((word.parse()?, value.parse()?))
        };
        entries.push(line.split_ascii_whitespace().map(entry).collect::<Result<_, _>>()?);
    }
    let words = entries.iter().flatten().map(|(word, _)| *word as usize + 1).max().unwrap_or(0);
    let mut x = CsrBuilder::with_capacity(words, entries.len(), 0);
    entries.into_iter().for_each(|row| x.push_entries(row));
    let x = Data::Sparse(Arc::new(x.finish()));

    let started = Instant::now();
    let graph = CosineIndex::new(&x)?.graph(k.parse()?, &Run::new(0))?;
    let seconds = started.elapsed().as_secs_f64();
    let mut lines = String::new();
    for i in 0..graph.len() {
        let row: Vec<String> = graph.of(i).map(|(j, _)| j.to_string()).collect();
        writeln!(lines, "{}", row.join(" "))?;
    }
    std::fs::write(found, lines)?;
    println!("{}", serde_json::json!({ "seconds": seconds }));
    Ok(())
}
