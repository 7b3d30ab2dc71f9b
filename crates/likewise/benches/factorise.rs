//! Our side of `benches/factorisation.py`: KL factorisations of one matrix.
//!
//! `factorise one TOPICS ITERATIONS ROWS START` runs the updates from a given start: f32 numbers, the rows of W,
//! then those of the transpose of H. `factorise in-turn|side-by-side TOPICS ITERATIONS ROWS TRIALS` runs that many
//! trials of NMFPUL, each with a labelled row of its own. ROWS has `word:value` entries of a row on each line.
//! Reading the files is not timed.

use std::error::Error;
use std::time::Instant;

use likewise::Run;
use likewise::data::{Csr, CsrBuilder};
use likewise::methods::factor::nmfpul::NmfPul;
use likewise::parts::nmf::{Entries, Factorisation, Panel};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [way, topics, iterations, rows, last] = &arguments[..] else {
        return Err("factorise one|in-turn|side-by-side TOPICS ITERATIONS ROWS START|TRIALS".into());
    };
    let (topics, iterations) = (topics.parse()?, iterations.parse()?);
    let v = read_rows(&std::fs::read_to_string(rows)?)?;
    let answer = if way == "one" {
        let (mut w, mut h) = read_start(&std::fs::read(last)?, &v, topics);
        let started = Instant::now();
        let matrix = Factorisation::new(Entries::new(&v))?;
        (0..iterations).for_each(|_| matrix.step(&mut w, &mut h));
        let seconds = started.elapsed().as_secs_f64();
        serde_json::json!({ "seconds": seconds, "divergence": matrix.divergence(&w, &h) })
    } else {
        let method = NmfPul { topics: Some(topics), iterations, ..NmfPul::default() };
        let trials: Vec<Vec<usize>> = (0..last.parse()?).map(|row| vec![row]).collect();
        let together = if way == "side-by-side" { trials.len() } else { 1 };
        let started = Instant::now();
        for some in trials.chunks(together) {
            method.score_draws(&v, some, &Run::new(0))?;
        }
        serde_json::json!({ "seconds": started.elapsed().as_secs_f64() })
    };
    println!("{answer}");
    Ok(())
}

fn read_rows(text: &str) -> Result<Csr, Box<dyn Error>> {
    let mut rows: Vec<Vec<(u32, f32)>> = Vec::new();
    for line in text.lines() {
        let entry = |cell: &str| -> Result<(u32, f32), Box<dyn Error>> {
            let (word, value) = cell.split_once(':').ok_or("an entry is word:value")?;
            Ok((word.parse()?, value.parse()?))
        };
        rows.push(line.split_ascii_whitespace().map(entry).collect::<Result<_, _>>()?);
    }
    let words = rows.iter().flatten().map(|(word, _)| *word as usize + 1).max().unwrap_or(0);
    let mut x = CsrBuilder::with_capacity(words, rows.len(), 0);
    rows.into_iter().for_each(|row| x.push_entries(row));
    Ok(x.finish())
}

fn read_start(bytes: &[u8], v: &Csr, topics: usize) -> (Panel<f32>, Panel<f32>) {
    let numbers: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    let (w, h) = numbers.split_at(v.rows() * topics);
    let panel =
        |numbers: &[f32], rows| Panel::filled(rows, topics, |i, a| f64::from(numbers[i * topics + a]));
    (panel(w, v.rows()), panel(h, v.cols))
}
