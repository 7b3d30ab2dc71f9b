//! The sample inside the binary, so that `likewise find` shows its work before anybody has data at hand.

use likewise::data::{Column, Table, Texts};

pub const LABEL: &str = "marked";
pub const POSITIVE: &str = "yes";

const MESSAGES: &str = include_str!("../../sample/helpdesk.jsonl");

pub const NEXT_STEPS: &str = "
This was the built-in sample: messages to a helpdesk, a dozen of the refund requests among them marked. Now yours:
  likewise find --like wanted.jsonl --in pile.jsonl            examples in one file, the pile in another
  likewise find --in all.csv --label status --positive refund  one table, some rows marked
  likewise find --output ranked.csv --model refunds.model      keep the ranking and the model (here: of the sample)
  likewise methods                                             other ways to learn
  likewise find --help                                         every option";

#[derive(serde::Deserialize)]
struct Message {
    id: String,
    text: String,
    topic: String,
    marked: String,
}

pub fn table() -> anyhow::Result<Table> {
    let mut columns = [Texts::new(), Texts::new(), Texts::new(), Texts::new()];
    let mut table = Table::from_source("sample");
    for (at, line) in MESSAGES.lines().enumerate() {
        let message: Message = serde_json::from_str(line)?;
        let cells = [message.id, message.text, message.topic, message.marked];
        columns.iter_mut().zip(&cells).for_each(|(column, cell)| column.push(cell));
        table.origins.push((0, at as u64 + 1));
    }
    for (name, column) in ["id", "text", "topic", LABEL].into_iter().zip(columns) {
        table.push_column(name, Column::Text(column));
    }
    Ok(table)
}
