//! How fast a file is read, batch by batch: `cargo run --release --example read_speed -- FILE [COLUMN …]`

use std::time::Instant;

use likewise_io::{ReadOptions, Result, Source, read};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "-".into());
    let columns: Vec<String> = arguments.collect();
    let columns = (!columns.is_empty()).then_some(columns);
    let start = Instant::now();
    let mut batches = read(&Source::parse(&path, None)?, &ReadOptions { columns, ..ReadOptions::default() })?;
    let mut count = 0;
    for batch in &mut batches {
        batch?;
        count += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = std::fs::metadata(&path).map_or(0.0, |m| m.len() as f64 / 1e6);
    let rows = batches.rows();
    println!("{rows} rows in {count} batches, {seconds:.2} s, {:.0} MB/s", megabytes / seconds);
    Ok(())
}
