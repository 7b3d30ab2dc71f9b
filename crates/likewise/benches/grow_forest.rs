//! Grows a forest on dense rows and prints how long it took: our side of `benches/forest.py`.
//!
//! `grow_forest FILE TREES BAG PRIOR`, where the file is what `benches/rows.py` writes.

use std::sync::Arc;
use std::time::Instant;

use likewise::Run;
use likewise::data::{Data, Dense, PuData};
use likewise::measure::average_precision;
use likewise::method::Method;
use likewise::methods::trees::forest::Forest;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, trees, bag, prior] = &arguments[..] else {
        return Err("usage: grow_forest FILE TREES BAG PRIOR".into());
    };
    let bytes = std::fs::read(file)?;
    let (head, rest) = bytes.split_at_checked(32).ok_or("the file is too short")?;
    let head: Vec<usize> = head.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b) as usize).collect();
    let [0, rows, cols, entries] = head[..] else { return Err("the rows are not dense".into()) };
    let (values, flags) = rest.split_at_checked(4 * entries).ok_or("the file is too short")?;
    let values = values.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let x = Data::Dense(Arc::new(Dense::new(rows, cols, values)?));
    let train = PuData::new(x, flags.iter().map(|flag| flag & 1 != 0).collect())?;
    let method =
        Forest { trees: trees.parse()?, bag: bag.parse()?, prior: Some(prior.parse()?), ..Forest::default() };

    let started = Instant::now();
    let fitted = method.fit(&train, &Run::new(0))?;
    let seconds = started.elapsed().as_secs_f64();

    let pile = train.unlabeled();
    let scores: Vec<f64> = pile.iter().map(|&row| fitted.scores[row]).collect();
    let truth: Vec<bool> = pile.iter().map(|&row| flags[row] & 2 != 0).collect();
    println!("{{\"seconds\": {seconds}, \"average_precision\": {:.4}}}", average_precision(&scores, &truth));
    Ok(())
}
