//! Our side of `benches/embed_text.py`: vectors of documents that are already in memory.
//!
//! `embed_text EMBEDDING FILE [--threads N]`; the documents in the file are parted by zero bytes. Prints one JSON object:
//! the seconds that reading the embedding and making the vectors took, and what both sides can compare.

use std::error::Error;
use std::time::Instant;

use likewise::Run;
use likewise::data::Table;
use likewise::features::{embedding::Embedded, vectors::VectorColumns};
use likewise_io::embedding::read_embedding;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (embedding, file, threads) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [embedding, file] => (embedding, file, None),
        [embedding, file, "--threads", threads] => (embedding, file, Some(threads.parse()?)),
        _ => return Err("usage: embed_text EMBEDDING FILE [--threads N]".into()),
    };
    let mut run = Run::new(0);
    if let Some(threads) = threads {
        run = run.with_threads(threads)?;
    }
    let table = Table::from_texts("text", std::fs::read_to_string(file)?.split('\0'));
    let started = Instant::now();
    let embedded = Embedded::new(vec!["text".into()], read_embedding(embedding)?);
    let reading = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let (_, x) = VectorColumns::make(&table, &embedded, &run)?;
    let seconds = started.elapsed().as_secs_f64();

    let x = x.dense()?;
    let first: f64 = x.iter_rows().map(|row| f64::from(row[0].abs())).sum::<f64>() / x.rows() as f64;
    let answer = serde_json::json!({
        "seconds": seconds,
        "reading": reading,
        "documents": x.rows(),
        "with_vector": x.iter_rows().filter(|row| row.iter().any(|v| *v != 0.0)).count(),
        "mean_first": (first * 1e3).round() / 1e3,
    });
    println!("{answer}");
    Ok(())
}
