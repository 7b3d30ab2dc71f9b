//! Rank rows of numbers that you have in memory, keep the model, and score new rows with it:
//! `cargo run --example rank_your_matrix`.

use likewise::methods::nearest::prototype::Prototype;
use likewise::prelude::*;

fn main() -> Result<()> {
    let mut rows = CsrBuilder::with_capacity(4, 6, 12);
    for columns in [[0, 1], [0, 1], [1, 2], [0, 2], [2, 3], [2, 3]] {
        rows.push_entries(columns.into_iter().map(|column| (column, 1.0)));
    }
    let marks = vec![true, true, false, false, false, false];
    let run = Run::new(0);
    let outcome = fit(&Prototype::default(), rows.finish().into(), marks, &run)?;
    println!("training rows: {:.3?}", outcome.scores);

    let kept = Trained::from_bytes(outcome.trained.to_bytes()?)?;
    let mut new = CsrBuilder::with_capacity(4, 1, 1);
    new.push_entries([(1, 1.0)]);
    println!("a new row: {:.3?}", kept.score_rows(new.finish().into(), &run)?);
    Ok(())
}
