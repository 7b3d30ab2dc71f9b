//! Rows of which it is known what they are, for drivers that measure. Data: `../shared/data` or `LIKEWISE_DATA`.

use std::ops::RangeInclusive;

use likewise::data::{Column, Table};
use likewise_testing::data_text;
use serde_json::Value;

pub type Failure = Box<dyn std::error::Error>;

pub struct Rows {
    pub table: Table,
    pub wanted: Vec<bool>,
}

/// Letters by sixteen numbers each; those within the range are wanted.
pub fn letters(wanted: RangeInclusive<&str>) -> Result<Rows, Failure> {
    let text = data_text("letter/letter.csv.gz").ok_or("no letters")?;
    let lines: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let mut table = Table::from_source("letters");
    for column in 1..lines[0].len() {
        let numbers = lines.iter().map(|line| line[column].parse::<f64>()).collect::<Result<Vec<_>, _>>()?;
        table.push_column(format!("c{column}"), Column::Number(numbers));
    }
    table.origins = (0..lines.len()).map(|row| (0, row as u64 + 1)).collect();
    Ok(Rows { table, wanted: lines.iter().map(|line| wanted.contains(&line[0])).collect() })
}

/// `disaster`, `sms`, or a newsgroup.
pub fn texts(task: &str) -> Result<Rows, Failure> {
    let (file, label) = match task {
        "disaster" => ("disaster-dfe/disaster-dfe.jsonl.gz", "relevant"),
        "sms" => ("sms-spam/sms-spam.jsonl.gz", "spam"),
        group => ("20newsgroups/20news-19997.jsonl.gz", group),
    };
    let (mut texts, mut wanted) = (Vec::new(), Vec::new());
    for line in data_text(file).ok_or("no texts")?.lines() {
        let row: Value = serde_json::from_str(line)?;
        let field = |name: &str| row[name].as_str().unwrap_or("");
        if field("label") != "undecided" {
            texts.push(format!("{} {}", field("subject"), field("text")));
            wanted.push(field("label") == label);
        }
    }
    Ok(Rows { table: Table::from_texts("text", texts), wanted })
}
