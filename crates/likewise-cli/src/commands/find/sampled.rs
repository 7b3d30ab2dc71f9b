//! `likewise find --sample`: two passes over a pile that does not fit into memory.

use std::path::{Path, PathBuf};

use likewise::Run;
use likewise::data::{Table, Texts};
use likewise::decide::is_positive;
use likewise::probability::Probabilities;
use likewise::questions::ColumnChoice;
use likewise::questions::find::Find as Question;
use likewise::questions::sample::{Sampled, Sampling};
use likewise::questions::whole_pile::{RankedRows, WholePile};
use likewise_io::{CellKind, Cells, Field, Output, Outputs, SORT_MEMORY, Sorter, Writer};
use likewise_report::find::Row;

use super::Find;
use crate::answer;
use crate::arguments::Usage;
use crate::beside::Beside;
use crate::kept::{Kept, as_kind};
use crate::problem::WHICH_ROWS;
use crate::reading;
use crate::terminal;

impl Find {
    /// Learns from a sample, then ranks everything.
    pub(super) fn run_sampled(
        &self,
        rows: usize,
        question: &Question,
        output: Option<&Output>,
        kept: &Kept,
        run: &Run,
    ) -> anyhow::Result<()> {
        if self.problem.pile.iter().any(|path| path == Path::new("-")) {
            let message = "--sample reads the pile twice; give files instead of standard input";
            return Err(Usage(message.into()).into());
        }
        if Beside::named(self.problem.columns.vectors.as_deref()).is_some() {
            let message = "--sample reads the pile twice and in parts; give the vectors in a column of --in instead of a .npy file";
            return Err(Usage(message.into()).into());
        }
        let quiet = self.run.quiet;
        let choice = self.problem.columns.choice(self.problem.keep_positives)?;
        let sampled = self.sample(rows, &choice, &run.ahead(0.2))?;
        let found = question.ask(&sampled.problem, &run.ahead(0.4))?;
        let mut outputs = Outputs::new();
        if let Some(path) = &self.model {
            let (bytes, notes) = found.trained.to_file()?;
            terminal::print_notes(&notes, quiet);
            outputs.write(path, &bytes)?;
        }
        let mut whole = WholePile::new(&sampled.examples, &found.trained);
        let ranked = self.rank_all(&mut whole, &choice, output, kept, run)?;
        let answer = whole.answer(&found);
        terminal::clear_bar();
        terminal::print_notes(&answer.notes, quiet);
        self.write_summary(answer.summary.as_ref(), &mut outputs)?;
        match output {
            Some(output) => {
                outputs.add(ranked.write(output)?)?;
                outputs.commit()?;
            }
            None => {
                outputs.commit()?;
                ranked.show()?;
            }
        }
        self.say_what_was_done(&answer.lines());
        Ok(())
    }

    /// The first pass.
    fn sample(&self, rows: usize, choice: &ColumnChoice, run: &Run) -> anyhow::Result<Sampled> {
        let (problem, quiet) = (&self.problem, self.run.quiet);
        let like = match (&problem.label, problem.like.is_empty()) {
            (None, true) => return Err(Usage(WHICH_ROWS.into()).into()),
            (None, false) => {
                let check = |table: &Table| choice.check(table, None);
                let wanted = problem.wanted(choice);
                Some(reading::table(&problem.like, &problem.read, &wanted, check, run, quiet)?)
            }
            (Some(_), _) => None,
        };
        let mut sampling = Sampling::new(rows, choice, run.seed())?;
        if let Some(label) = &problem.label {
            sampling = sampling.with_label(label, &problem.positive);
        }
        let wanted = problem.wanted(choice);
        let warnings = reading::batches(&problem.pile, &problem.read, &wanted, "sampling", run, |batch| {
            Ok(sampling.batch(&batch)?)
        })?;
        reading::warn(&warnings, quiet);
        Ok(sampling.problem(like)?)
    }

    /// The second pass.
    fn rank_all(
        &self,
        whole: &mut WholePile<'_>,
        choice: &ColumnChoice,
        output: Option<&Output>,
        kept: &Kept,
        run: &Run,
    ) -> anyhow::Result<Ranked> {
        let problem = &self.problem;
        let wanted = problem.wanted(choice).and(kept);
        let probabilities = whole.probabilities().filter(|_| self.probabilities);
        let mut ranked: Option<Ranked> = None;
        reading::batches(&problem.pile, &problem.read, &wanted, "ranking", run, |batch| {
            let rows = whole.batch(&batch, &run.without_progress())?;
            let ranked = match &mut ranked {
                Some(ranked) => ranked,
                None => {
                    let own = answer::fields(self.probabilities);
                    let kept = kept.fields(&batch, choice.id.as_deref(), &own)?;
                    ranked.insert(self.ranked(output, kept, probabilities))
                }
            };
            ranked.add(&rows, &batch, whole)
        })?;
        Ok(ranked.unwrap_or_else(|| self.ranked(output, Vec::new(), probabilities)))
    }

    fn ranked(
        &self,
        output: Option<&Output>,
        kept: Vec<Field>,
        probabilities: Option<&Probabilities>,
    ) -> Ranked {
        let mut columns = vec![Field::new("id", CellKind::Text)];
        let top = match output {
            Some(_) => {
                columns.extend(kept.iter().cloned());
                self.ends.best()
            }
            None => {
                columns.push(Field::new("glance", CellKind::Text));
                Some(self.ends.best().unwrap_or(answer::SHOWN).min(answer::SHOWN))
            }
        };
        // Beside the ranking there is room for it; a folder for temporary files may be small.
        let beside =
            self.output.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
        let folder = match &self.output {
            Some(path) if path.as_os_str() != "-" => beside.map_or(PathBuf::from("."), Path::to_path_buf),
            _ => std::env::temp_dir(),
        };
        let sorter = Sorter::new(columns, top, SORT_MEMORY, folder);
        Ranked { kept, shown: output.is_none(), probabilities: probabilities.cloned(), sorter }
    }
}

/// Rows with their scores, to be sorted.
struct Ranked {
    kept: Vec<Field>,
    /// Rows are shown to a person, at a glance.
    shown: bool,
    /// How probable rows of a score are, where that was asked for.
    probabilities: Option<Probabilities>,
    sorter: Sorter,
}

impl Ranked {
    fn add(&mut self, rows: &RankedRows, batch: &Table, whole: &WholePile<'_>) -> anyhow::Result<()> {
        let mut cells = vec![Cells::Text(&rows.ids)];
        let glances: Texts;
        let kept: Vec<_>;
        if self.shown {
            glances = rows.rows.iter().map(|&row| whole.glance(batch, row)).collect();
            cells.push(Cells::Text(&glances));
        } else {
            let chosen = |field: &Field| as_kind(batch, &field.name, field.kind).select(&rows.rows);
            kept = self.kept.iter().map(chosen).collect();
            cells.extend(kept.iter().map(Cells::from));
        }
        Ok(self.sorter.add(&rows.scores, &rows.positions, &cells)?)
    }

    fn write(self, output: &Output) -> anyhow::Result<Writer> {
        let mut fields = answer::fields(self.probabilities.is_some());
        fields.extend(self.kept);
        let mut writer = Writer::create(output, fields)?;
        let mut rank = 0;
        self.sorter.hand_out(|scores, columns| {
            let ranks: Vec<i64> = (rank + 1..).take(scores.len()).collect();
            rank += scores.len() as i64;
            let positive: Vec<bool> = scores.iter().map(|score| is_positive(*score)).collect();
            let mut cells =
                vec![Cells::Integer(&ranks), columns[0], Cells::Number(scores), Cells::Boolean(&positive)];
            let known = self.probabilities.as_ref();
            let probable = known.map(|known| scores.iter().map(|score| known.at(*score)).collect::<Vec<_>>());
            let probable = answer::probability_columns(probable.as_deref());
            cells.extend(probable.iter().map(|column| Cells::Number(column)));
            cells.extend_from_slice(&columns[1..]);
            writer.write(&cells)
        })?;
        Ok(writer)
    }

    fn show(self) -> anyhow::Result<()> {
        let mut rows = Vec::new();
        self.sorter.hand_out(|scores, columns| {
            if let [Cells::Text(ids), Cells::Text(glances)] = columns {
                rows.extend((0..scores.len()).map(|at| Row {
                    id: ids.get(at).to_string(),
                    score: scores[at],
                    probability: self.probabilities.as_ref().map(|known| known.at(scores[at])),
                    text: glances.get(at).to_string(),
                }));
            }
            Ok::<(), likewise_io::Error>(())
        })?;
        Ok(answer::show_rows(&rows)?)
    }
}
