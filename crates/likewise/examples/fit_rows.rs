//! Trains a method on sparse rows and prints how long the engine took: what `benches/peers.py` compares the
//! same training from Python with.
//!
//! `fit_rows METHOD FOLDER`, where the folder holds `indptr` and `indices` (u32), `values` (f32) and `positive`
//! (a byte a row), little-endian, and `cols`, a number as text.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use likewise::Run;
use likewise::data::{Csr, Data};
use likewise::methods::{self, Parameters};
use likewise::recipe::fit_rows;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, method, folder] = &arguments[..] else { return Err("usage: fit_rows METHOD FOLDER".into()) };
    let read = |name: &str| std::fs::read(Path::new(folder).join(name));
    let words = |name: &str| -> std::io::Result<Vec<u32>> {
        Ok(read(name)?.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
    };
    let indptr = words("indptr")?.into_iter().map(|end| end as usize).collect();
    let values = words("values")?.into_iter().map(f32::from_bits).collect();
    let cols = String::from_utf8(read("cols")?)?.trim().parse()?;
    let x = Data::Sparse(Arc::new(Csr::new(cols, indptr, words("indices")?, values)?));
    let positive = read("positive")?.into_iter().map(|byte| byte != 0).collect();
    let method = methods::find(method)?;
    let started = Instant::now();
    let outcome = fit_rows(method, &Parameters::new(), x, Vec::new(), positive, &Run::new(0))?;
    let seconds = started.elapsed().as_secs_f64();
    let sum: f64 = outcome.scores.iter().sum();
    println!("{{\"seconds\": {seconds}, \"sum_of_scores\": {sum}}}");
    Ok(())
}
