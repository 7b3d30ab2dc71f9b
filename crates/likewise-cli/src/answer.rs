//! A ranking, written or shown.

use likewise::data::{Column, Texts};
use likewise::decide::is_positive;
use likewise::probability::{COLUMNS, Probability};
use likewise::questions::read_sample::WANTED;
use likewise::questions::{Problem, Ranking};
use likewise_io::{CellKind, Cells, Field, Output, Writer};
use likewise_report::find::Row;

use crate::terminal::{self, Align};

/// How many rows a person is shown.
pub const SHOWN: usize = 20;

/// Writes all rows, with the named columns of the input.
pub fn write(
    ranking: &Ranking,
    output: &Output,
    problem: &Problem,
    kept: &[String],
) -> anyhow::Result<Writer> {
    let mut columns: Vec<(&String, Column)> = Vec::new();
    if let Some(table) = problem.table() {
        for name in kept {
            columns.push((name, table.column(name)?.select(&ranking.rows)));
        }
    }
    let mut fields = fields(ranking.probabilities.is_some());
    let probable = probability_columns(ranking.probabilities.as_deref());
    let ranks: Vec<i64> = (1..=ranking.len() as i64).collect();
    let mut cells = vec![
        Cells::Integer(&ranks),
        Cells::Text(&ranking.ids),
        Cells::Number(&ranking.scores),
        Cells::Boolean(&ranking.positive),
    ];
    cells.extend(probable.iter().map(|column| Cells::Number(column)));
    for (name, column) in &columns {
        let column = Cells::from(column);
        fields.push(Field::new(*name, column.kind()));
        cells.push(column);
    }
    let mut writer = Writer::create(output, fields)?;
    writer.write(&cells)?;
    Ok(writer)
}

/// Writes the rows that were drawn to be read: what they say, and a place for the verdict. Their scores are left out, since
/// who knows the answer reads with other eyes.
pub fn write_to_read(
    ranking: &Ranking,
    drawn: &[usize],
    output: &Output,
    problem: &Problem,
) -> anyhow::Result<Writer> {
    let fields = ["id", WANTED, "content"].map(|name| Field::new(name, CellKind::Text)).to_vec();
    let ids: Texts = drawn.iter().map(|&at| &ranking.ids[at]).collect();
    let contents: Texts = drawn.iter().map(|&at| problem.glance(ranking.rows[at])).collect();
    let unread: Texts = drawn.iter().map(|_| "").collect();
    let mut writer = Writer::create(output, fields)?;
    writer.write(&[Cells::Text(&ids), Cells::Text(&unread), Cells::Text(&contents)])?;
    Ok(writer)
}

/// What a ranking has, with how probable its rows are where that is asked for.
pub fn fields(probabilities: bool) -> Vec<Field> {
    let rank = Field::new("rank", CellKind::Integer);
    std::iter::once(rank).chain(fields_of_scored(probabilities)).collect()
}

/// What rows that were scored in their own order have.
pub fn fields_of_scored(probabilities: bool) -> Vec<Field> {
    let mut fields = vec![
        Field::new("id", CellKind::Text),
        Field::new("score", CellKind::Number),
        Field::new("positive", CellKind::Boolean),
    ];
    fields.extend(COLUMNS.iter().filter(|_| probabilities).map(|name| Field::new(*name, CellKind::Number)));
    fields
}

/// The columns that say how probable rows are.
pub fn probability_columns(known: Option<&[Probability]>) -> Vec<Vec<f64>> {
    let Some(known) = known else { return Vec::new() };
    (0..COLUMNS.len()).map(|column| known.iter().map(|row| row.cells()[column]).collect()).collect()
}

/// Shows the best.
pub fn show(ranking: &Ranking, problem: &Problem) -> std::io::Result<()> {
    show_rows(&(0..ranking.len().min(SHOWN)).map(|at| Row::of(ranking, problem, at)).collect::<Vec<_>>())
}

/// Shows rows, best first.
pub fn show_rows(rows: &[Row]) -> std::io::Result<()> {
    let shown = |(at, row): (usize, &Row)| {
        let mark = if is_positive(row.score) { "yes" } else { "no" };
        let mut cells =
            vec![(at + 1).to_string(), row.id.clone(), terminal::score(row.score), mark.to_string()];
        cells.extend(row.probability.map(|probability| probability.to_string()));
        cells.push(row.text.clone());
        cells
    };
    let (left, right) = (Align::Left, Align::Right);
    let mut head = vec![("rank", right), ("id", left), ("score", right), ("positive", left)];
    head.extend(rows.iter().take(1).filter_map(|row| row.probability).map(|_| ("probability", left)));
    head.push(("", left));
    let rows: Vec<Vec<String>> = rows.iter().enumerate().map(shown).collect();
    terminal::print_table(&head, &rows)
}

/// The rows as a report shows them.
pub fn report_rows(ranking: &Ranking, problem: &Problem) -> Vec<Row> {
    (0..ranking.len()).map(|at| Row::of(ranking, problem, at)).collect()
}
