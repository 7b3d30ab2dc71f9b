//! Our side of `benches/text_counts.py`: counts the words of documents that are already in memory.
//!
//! `count_words FILE [--threads N]`; the documents in the file are parted by zero bytes. Prints one JSON
//! object: the seconds that counting took, the number of terms, of nonzero counts, and their sum.

use std::error::Error;
use std::time::Instant;

use likewise::Run;
use likewise::data::Texts;
use likewise::features::words::{StopWords, Tokens, WordOptions, Words};
use likewise::method::Weights;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (file, threads) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [file] => (file, None),
        [file, "--threads", threads] => (file, Some(threads.parse()?)),
        _ => return Err("usage: count_words FILE [--threads N]".into()),
    };
    let mut run = Run::new(0);
    if let Some(threads) = threads {
        run = run.with_threads(threads)?;
    }
    let texts: Texts = std::fs::read_to_string(file)?.split('\0').collect();
    let options =
        WordOptions { stop_words: StopWords::None, tokens: Tokens::Words, ..WordOptions::default() };

    let started = Instant::now();
    let (words, counts) = run.install(|| Words::fit(&texts, &options, Weights::Count, &run))?;
    let seconds = started.elapsed().as_secs_f64();

    let answer = serde_json::json!({
        "seconds": seconds,
        "documents": texts.len(),
        "vocabulary": words.terms().len(),
        "nonzeros": counts.nnz(),
        "occurrences": counts.values.iter().map(|count| *count as u64).sum::<u64>(),
    });
    println!("{answer}");
    Ok(())
}
