//! Find messages like a few examples: `cargo run --example find_in_texts`.

use likewise::prelude::*;

fn main() -> Result<()> {
    let like = Table::from_texts(
        "text",
        [
            "I want my money back for the voucher",
            "please refund the double charge",
            "how do I get a refund",
            "you owe me a refund of 40 euros",
            "refund my money now",
        ],
    );
    let pile = Table::from_texts(
        "text",
        [
            "where is my parcel",
            "the app crashes when I log in",
            "give me my money back",
            "can I change my address",
            "still waiting for the refund you promised",
            "the parcel is late again",
        ],
    );
    let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
    let found = Find::new(Some("logistic"), false)?.ask(&problem, &Run::new(0))?;
    for (&row, score) in found.ranking.rows.iter().zip(&found.ranking.scores) {
        println!("{score:.3}  {}", problem.glance(row));
    }
    found.lines().iter().for_each(|line| println!("{line}"));
    Ok(())
}
