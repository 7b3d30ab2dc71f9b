//! Trains a method on sparse rows and prints how long the engine took at best: what `benches/peers.py` compares the
//! same training from Python with. Both start from the arrays of the rows, which the engine checks before it learns.
//!
//! `fit_rows METHOD FOLDER`, where the folder holds `indptr` and `indices` (u32), `values` (f32) and `positive`
//! (a byte a row), little-endian, and `cols`, a number as text.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use likewise::Run;
use likewise::data::{Buffer, Csr, Data};
use likewise::method::Parameters;
use likewise::registry;
use likewise::run::keep_freed_memory;
use likewise::trained::fit_rows;

/// At least as many runs, and for as many seconds, as `benches/peers.py` makes.
const RUNS: usize = 5;
const SECONDS: f64 = 2.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, method, folder] = &arguments[..] else { return Err("usage: fit_rows METHOD FOLDER".into()) };
    let read = |name: &str| std::fs::read(Path::new(folder).join(name));
    let words = |name: &str| -> std::io::Result<Vec<u32>> {
        Ok(read(name)?.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
    };
    let indptr: Vec<usize> = words("indptr")?.into_iter().map(|end| end as usize).collect();
    let indices = Arc::new(words("indices")?);
    let values: Arc<Vec<f32>> = Arc::new(words("values")?.into_iter().map(f32::from_bits).collect());
    // SAFETY: a shared vector is its own lender, and nobody can write to it.
    let (indices, values) =
        unsafe { (Buffer::lent(&indices, indices.clone()), Buffer::lent(&values, values.clone())) };
    let cols = String::from_utf8(read("cols")?)?.trim().parse()?;
    let positive: Vec<bool> = read("positive")?.into_iter().map(|byte| byte != 0).collect();
    let method = registry::find(method)?;
    let run = Run::new(0).with_pool(Arc::new(rayon::ThreadPoolBuilder::new().build()?));
    // As the Python package does.
    keep_freed_memory();
    let (mut seconds, mut sum) = (f64::INFINITY, 0.0);
    // The first run also pays for fresh memory and threads; the best one is the work.
    let (mut runs, begun) = (0, Instant::now());
    while runs < RUNS || begun.elapsed().as_secs_f64() < SECONDS {
        runs += 1;
        let (indptr, indices, values) = (indptr.clone(), indices.clone(), values.clone());
        let positive = positive.clone();
        let started = Instant::now();
        let x = run.install(|| Csr::from_buffers(cols, indptr, indices, values))?;
        let x = Data::Sparse(Arc::new(x));
        let outcome = fit_rows(method, &Parameters::new(), x, Vec::new(), positive, &run)?;
        seconds = seconds.min(started.elapsed().as_secs_f64());
        sum = outcome.scores.iter().sum::<f64>();
    }
    println!("{{\"seconds\": {seconds}, \"sum_of_scores\": {sum}}}");
    Ok(())
}
