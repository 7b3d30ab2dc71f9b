//! The automatic choice on the marks so far: for the model that is kept, and for a ranking when a reader asks for one.
//!
//! It takes seconds or minutes and knows the marks of the moment at which it was begun, while the learner of the loop
//! knows every mark soon after it is made. The two rankings are put together by place: a row's place is the mean of its
//! places in both, in which the automatic choice weighs as much as the share of today's marks that it knew.

use std::path::Path;

use likewise::Run;
use likewise::questions::Problem;
use likewise::questions::find::{Find, Found};

use crate::error::{Error, Result};
use crate::export::finals;
use crate::project::{self, Project};
use crate::session::log::Verdict;

/// What it found, and the project's row of each row that it saw.
pub fn found(path: &Path, run: &Run) -> Result<(Found, Vec<u32>)> {
    let (connection, made) = Project::peek(path)?;
    let finals = finals(&project::read_log(&connection)?);
    let table = project::table(&connection, &made)?;
    let (mut rows, mut positive, mut unwanted) = (Vec::new(), Vec::new(), Vec::new());
    project::each(&connection, |row| {
        if row.twin == row.row {
            let said = finals.get(&row.row).map(|said| said.verdict);
            rows.push(row.row);
            positive.push(said == Some(Verdict::Yes));
            unwanted.push(said == Some(Verdict::No));
        }
        Ok(())
    })?;
    if !positive.contains(&true) {
        return Err(Error::request(400, "nothing is marked as wanted yet, so there is nothing to learn"));
    }
    let own: Vec<usize> = rows.iter().map(|&row| row as usize).collect();
    let mut problem = Problem::of_input(table.select(&own), made.input, positive, true)?;
    problem.unwanted = problem.positions.iter().map(|&at| unwanted[at]).collect();
    let mut find = Find::new(None, false)?;
    find.words = likewise::reading::finding_words(made.words);
    Ok((find.ask(&problem, run)?, rows))
}

/// A ranking of the automatic choice.
pub struct Automatic {
    /// The place of each row of the project, best first; none for rows that were marked.
    places: Vec<Option<u32>>,
    /// The marks that it knew.
    marks: u64,
}

impl Automatic {
    pub fn of(path: &Path, marks: u64, run: &Run) -> Result<Automatic> {
        let (found, rows) = found(path, run)?;
        let mut places = vec![None; rows.last().map_or(0, |last| *last as usize + 1)];
        for (place, &at) in found.ranking.positions.iter().enumerate() {
            places[rows[at] as usize] = Some(place as u32);
        }
        Ok(Automatic { places, marks })
    }

    /// The two orders as one, when there are so many marks.
    pub fn mixed_with(&self, order: &[u32], marks: u64) -> Vec<u32> {
        let share = (self.marks as f64 / marks.max(1) as f64).min(1.0);
        let mut keyed: Vec<(f64, u32)> = (order.iter().enumerate())
            .map(|(place, &row)| {
                let other = self.places.get(row as usize).copied().flatten();
                let other = other.map_or(place as f64, f64::from);
                (share * other + (1.0 - share) * place as f64, row)
            })
            .collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        keyed.into_iter().map(|(_, row)| row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_fades_as_marks_come_in() {
        let places = [Some(3), Some(2), Some(1), Some(0), None].to_vec();
        let automatic = Automatic { places, marks: 10 };
        assert_eq!(automatic.mixed_with(&[0, 1, 2, 3], 10), [3, 2, 1, 0]);
        assert_eq!(automatic.mixed_with(&[0, 1, 2, 3], 1000), [0, 1, 2, 3]);
        // A row that it did not rank keeps its place.
        assert_eq!(automatic.mixed_with(&[4, 0, 3], 10), [4, 3, 0]);
    }
}
