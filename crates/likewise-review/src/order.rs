//! The random order of the pile.
//!
//! Rows sorted by a hash of seed and row. It is fixed when the project is made: a restart goes on with the same next
//! row, nothing can be chosen after the fact, and the next unread row of it is a uniform draw from the unread.

use likewise::Run;
use rand::Rng;

/// Rows of the pile in the order in which they are drawn, and where each row of the project stands in it.
#[derive(Default)]
pub struct RandomOrder {
    pub rows: Vec<u32>,
    /// `u32::MAX` for rows that are not drawn: examples from outside, and copies.
    pub position: Vec<u32>,
}

impl RandomOrder {
    /// `drawn[row]`: whether the row is one of the distinct rows of the pile.
    pub fn new(seed: u64, drawn: &[bool]) -> Self {
        let run = Run::new(seed);
        let mut keyed: Vec<(u64, u32)> = (0..drawn.len() as u32)
            .filter(|&row| drawn[row as usize])
            .map(|row| (run.rng("random checks", row.into()).next_u64(), row))
            .collect();
        keyed.sort_unstable();
        let rows: Vec<u32> = keyed.into_iter().map(|(_, row)| row).collect();
        let mut position = vec![u32::MAX; drawn.len()];
        for (at, &row) in rows.iter().enumerate() {
            position[row as usize] = at as u32;
        }
        RandomOrder { rows, position }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_fixed_by_the_seed_and_holds_every_drawn_row_once() {
        let drawn: Vec<bool> = (0..1000).map(|row| row % 10 != 3).collect();
        let order = RandomOrder::new(7, &drawn);
        assert_eq!(order.rows, RandomOrder::new(7, &drawn).rows);
        assert_ne!(order.rows, RandomOrder::new(8, &drawn).rows);
        let mut sorted = order.rows.clone();
        sorted.sort();
        assert_eq!(sorted, (0..1000).filter(|row| row % 10 != 3).collect::<Vec<u32>>());
        assert_eq!(order.position[order.rows[5] as usize], 5);
        assert_eq!(order.position[3], u32::MAX);
    }

    #[test]
    fn every_row_is_equally_often_among_the_first() {
        let counts = (0..4000).fold([0u32; 10], |mut counts, seed| {
            counts[RandomOrder::new(seed, &[true; 10]).rows[0] as usize] += 1;
            counts
        });
        // Chi-squared with 9 degrees of freedom: 27.9 is exceeded once in a thousand.
        let expected = 400.0;
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
        assert!(chi < 27.9, "{counts:?}");
    }
}
