//! The pile, best first: written, shown, reported.

use likewise::data::{Column, Table, Texts};
use likewise::decide::{is_positive, ranking};
use likewise::features::Input;
use likewise::problem::Problem;
use likewise_io::{Cells, Field, Kind, Output, Writer};
use likewise_report::find::Row;

use crate::terminal::{self, Align};

pub struct Answer {
    /// Rows of the problem's table.
    pub order: Vec<usize>,
    pub scores: Vec<f64>,
    pub positive: Vec<bool>,
}

/// How many rows a person is shown.
const SHOWN: usize = 20;

impl Answer {
    /// From the scores of all training rows.
    pub fn new(problem: &Problem, scores: &[f64]) -> Self {
        let pile = problem.pile();
        let of_pile: Vec<f64> = pile.iter().map(|&row| scores[row]).collect();
        let order: Vec<usize> = ranking(&of_pile).into_iter().map(|at| pile[at]).collect();
        let scores: Vec<f64> = order.iter().map(|&row| scores[row]).collect();
        let positive = scores.iter().map(|score| is_positive(*score)).collect();
        Answer { order, scores, positive }
    }

    pub fn found(&self) -> usize {
        self.positive.iter().filter(|p| **p).count()
    }

    /// Writes the ranking, with the named columns of the input.
    pub fn write(&self, output: &Output, problem: &Problem, kept: &[String]) -> anyhow::Result<Writer> {
        let kept: Vec<(&String, Column)> = (kept.iter())
            .map(|name| Ok((name, problem.table.column(name)?.select(&self.order))))
            .collect::<likewise::Result<_>>()?;
        let mut fields = vec![
            Field::new("rank", Kind::Integer),
            Field::new("id", Kind::Text),
            Field::new("score", Kind::Number),
            Field::new("positive", Kind::Boolean),
        ];
        let ranks: Vec<i64> = (1..=self.order.len() as i64).collect();
        let ids: Texts = self.order.iter().map(|&row| &problem.ids[row]).collect();
        let mut cells = vec![
            Cells::Integer(&ranks),
            Cells::Text(&ids),
            Cells::Number(&self.scores),
            Cells::Boolean(&self.positive),
        ];
        for (name, column) in &kept {
            let column = Cells::from(column);
            fields.push(Field::new(*name, column.kind()));
            cells.push(column);
        }
        let mut writer = Writer::create(output, fields)?;
        writer.write(&cells)?;
        Ok(writer)
    }

    pub fn show(&self, problem: &Problem) -> std::io::Result<()> {
        let rows: Vec<Vec<String>> = (0..self.order.len().min(SHOWN))
            .map(|at| {
                let row = self.order[at];
                let mark = if self.positive[at] { "yes" } else { "no" };
                let score = terminal::score(self.scores[at]);
                let cells = [(at + 1).to_string(), problem.ids[row].clone(), score, mark.to_string()];
                cells.into_iter().chain([glance(&problem.table, &problem.input, row)]).collect()
            })
            .collect();
        let (left, right) = (Align::Left, Align::Right);
        let head = [("rank", right), ("id", left), ("score", right), ("positive", left), ("", left)];
        terminal::print_table(&head, &rows)
    }

    /// The rows as a report shows them.
    pub fn report_rows(&self, problem: &Problem) -> Vec<Row> {
        let row = |(&row, &score): (&usize, &f64)| Row {
            id: problem.ids[row].clone(),
            score,
            text: glance(&problem.table, &problem.input, row),
        };
        self.order.iter().zip(&self.scores).map(row).collect()
    }
}

/// A row at a glance: its text, or its first features.
pub fn glance(table: &Table, input: &Input, row: usize) -> String {
    let cell =
        |name: &String| table.get(name).map(|column| column.cell(row).into_owned()).unwrap_or_default();
    match input {
        Input::Text(names) => names.iter().map(cell).collect::<Vec<_>>().join(" "),
        Input::Columns(names) => {
            names.iter().map(|name| format!("{name}={}", cell(name))).collect::<Vec<_>>().join(" ")
        }
        Input::Sparse => String::new(),
    }
}
