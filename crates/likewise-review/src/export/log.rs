//! The log of marks as a table, one line for each thing that was done.

use std::collections::HashMap;

use likewise::data::Texts;
use likewise_io::{CellKind, Cells, Field, Output, Writer};
use rusqlite::Connection;

use super::BATCH;
use crate::error::Result;
use crate::session::log::{Act, Entry};

pub fn write(connection: &Connection, log: &[Entry], output: &Output) -> Result<Writer> {
    let mut ids = HashMap::new();
    let mut statement = connection.prepare("SELECT row, id FROM row WHERE row IN (SELECT row FROM mark)")?;
    let mut rows = statement.query([])?;
    while let Some(found) = rows.next()? {
        ids.insert(found.get::<_, u32>(0)?, found.get::<_, String>(1)?);
    }
    let names = ["seq", "at", "by", "reader", "id", "verdict", "kind", "undoes", "model", "ms"];
    let kinds = [
        CellKind::Integer,
        CellKind::Integer,
        CellKind::Text,
        CellKind::Text,
        CellKind::Text,
        CellKind::Text,
        CellKind::Text,
        CellKind::Text,
        CellKind::Integer,
        CellKind::Integer,
    ];
    let fields = names.iter().zip(kinds).map(|(name, kind)| Field::new(*name, kind)).collect();
    let mut writer = Writer::create(output, fields)?;
    for entries in log.chunks(BATCH) {
        let text = |of: &dyn Fn(&Entry) -> String| -> Texts { entries.iter().map(of).collect() };
        let number = |of: &dyn Fn(&Entry) -> i64| -> Vec<i64> { entries.iter().map(of).collect() };
        let (seq, at) = (number(&|e| e.seq as i64), number(&|e| e.at));
        let (model, ms) = (number(&|e| e.model as i64), number(&|e| i64::from(e.ms)));
        let by = text(&|e| e.by.clone());
        let reader = text(&|e| if e.program { "program".into() } else { "person".into() });
        let id = text(&|e| match e.act {
            Act::Mark { row, .. } => ids.get(&row).cloned().unwrap_or_default(),
            _ => String::new(),
        });
        let verdict = text(&|e| match e.act {
            Act::Mark { verdict, .. } => verdict.name().into(),
            Act::Undo(_) => "undo".into(),
            Act::Redo(_) => "redo".into(),
        });
        let kind = text(&|e| match e.act {
            Act::Mark { kind, .. } => kind.name().into(),
            _ => String::new(),
        });
        let undoes = text(&|e| match e.act {
            Act::Undo(seq) | Act::Redo(seq) => seq.to_string(),
            Act::Mark { .. } => String::new(),
        });
        writer.write(&[
            Cells::Integer(&seq),
            Cells::Integer(&at),
            Cells::Text(&by),
            Cells::Text(&reader),
            Cells::Text(&id),
            Cells::Text(&verdict),
            Cells::Text(&kind),
            Cells::Text(&undoes),
            Cells::Integer(&model),
            Cells::Integer(&ms),
        ])?;
    }
    Ok(writer)
}
