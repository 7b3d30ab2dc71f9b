//! Examples that are the typical ones of their class raise an alarm, a random draw does not, and what `find` then says
//! holds: messages of which all spam is known.

use likewise::prelude::*;
use likewise::questions::simulate::{Bias, Simulate};
use likewise_testing::{choose, data_text};

const FILE: &str = "sms-spam/sms-spam.jsonl.gz";
const ROWS: usize = 2400;
const MARKED: usize = 50;

/// Every other row, so that both classes come from the whole file.
fn messages() -> Option<Table> {
    let text = data_text(FILE)?;
    let rows = text.lines().step_by(2).take(ROWS);
    let rows: Vec<serde_json::Value> = rows.map(|line| serde_json::from_str(line).unwrap()).collect();
    let field =
        |name: &str| rows.iter().map(|row| row[name].as_str().unwrap().to_string()).collect::<Vec<_>>();
    let mut table = Table::from_texts("text", field("text"));
    table.push_column("class", Column::Text(field("label").iter().collect()));
    Some(table)
}

/// The answer, and the share of the pile that is spam in truth.
fn find(table: &Table, strength: f64, seed: u64) -> (Found, f64) {
    let run = Run::new(seed);
    let question = Simulate {
        label: "class".into(),
        positive: vec!["spam".into()],
        labelled: MARKED,
        bias: (strength > 0.0).then_some(Bias { by: None, strength }),
        alpha: None,
        columns: ColumnChoice::default(),
    };
    let made = question.ask(table, &run).unwrap();
    let problem = Problem::of_two(made.like, made.pile, &ColumnChoice::default()).unwrap();
    let mut question = Find::new(None, false).unwrap();
    question.parameters.insert("effort".into(), "quick".into());
    let found = question.ask(&problem, &run).unwrap();
    let spam = found.ranking.positions.iter().filter(|&&at| made.truth[at]).count();
    let share = spam as f64 / found.ranking.len() as f64;
    (found, share)
}

#[test]
fn typical_ones_first_are_noticed_and_the_range_holds() {
    let Some(table) = messages() else { return };
    for seed in 0..choose(2, 10) {
        let (found, share) = find(&table, 0.0, seed);
        let summary = found.summary.as_ref().unwrap();
        assert!(!summary.drawn.unwrap().alarm(), "{:?}", summary.drawn);
        assert!(found.lines()[0].starts_with("About "), "{:?}", found.lines());

        let (found, truly) = find(&table, 2.0, seed);
        let summary = found.summary.as_ref().unwrap();
        assert!((truly - share).abs() < 0.01 && summary.drawn.unwrap().alarm(), "{:?}", summary.drawn);
        assert!((summary.prior_low..=summary.prior_high).contains(&truly), "{truly}: {:?}", found.lines());
        assert!(found.lines()[0].contains("not like a random draw"), "{:?}", found.lines());
        let alarm = &likewise::codes::NOT_A_RANDOM_DRAW;
        assert_eq!(summary.warnings[0].code, alarm);
        assert!(found.notes.iter().any(|note| note.message.code == alarm), "{:?}", found.notes);
    }
}
