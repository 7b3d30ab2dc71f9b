//! Kernel rows kept for later, within a limit of bytes; the one unused for longest goes first.
//!
//! Rows cover the active columns only. When some columns are set aside, a kept row is narrowed the next time
//! it is asked for, not at once: most rows never are.

/// The kept rows of one solve.
pub struct RowCache {
    /// By row number of the problem.
    slots: Vec<Option<Slot>>,
    /// The last use of each kept row, oldest first; entries of rows used again since are skipped.
    uses: std::collections::VecDeque<(u32, u64)>,
    clock: u64,
    floats: usize,
    most_floats: usize,
    /// For each generation of the active set, where its columns of today stood then.
    generations: Vec<Vec<u32>>,
    spare: Vec<Vec<f32>>,
}

struct Slot {
    row: Vec<f32>,
    generation: usize,
    used: u64,
}

impl RowCache {
    pub fn new(rows: usize, columns: usize, bytes: usize) -> Self {
        RowCache {
            slots: (0..rows).map(|_| None).collect(),
            uses: Default::default(),
            clock: 0,
            floats: 0,
            // Two rows are needed at the same time.
            most_floats: (bytes / 4).max(2 * columns),
            generations: vec![(0..columns as u32).collect()],
            spare: Vec::new(),
        }
    }

    pub fn columns(&self) -> usize {
        self.generations.last().expect("one generation at least").len()
    }

    #[cfg(test)]
    fn has(&self, row: usize) -> bool {
        self.slots[row].is_some()
    }

    /// The row over today's columns, computed by `fill` where it is not kept. Rows in `pinned` stay.
    pub fn ensure(&mut self, row: usize, pinned: &[usize], fill: impl FnOnce(&mut [f32])) {
        self.clock += 1;
        let (columns, today) = (self.columns(), self.generations.len() - 1);
        if let Some(slot) = &mut self.slots[row] {
            if slot.generation != today {
                let positions = &self.generations[slot.generation];
                for (k, &from) in positions.iter().enumerate() {
                    slot.row[k] = slot.row[from as usize];
                }
                self.floats -= slot.row.len() - columns;
                slot.row.truncate(columns);
                slot.generation = today;
            }
            slot.used = self.clock;
        } else {
            while self.floats + columns > self.most_floats && self.evict(row, pinned) {}
            let mut values = match self.spare.pop() {
                Some(mut values) => {
                    values.resize(columns, 0.0);
                    values
                }
                None => vec![0.0; columns],
            };
            fill(&mut values);
            self.floats += columns;
            self.slots[row] = Some(Slot { row: values, generation: today, used: self.clock });
        }
        self.uses.push_back((row as u32, self.clock));
        if self.uses.len() > 4 * self.slots.len() + 64 {
            let slots = &self.slots;
            self.uses.retain(|(row, used)| slots[*row as usize].as_ref().is_some_and(|s| s.used == *used));
        }
    }

    /// A row that `ensure` was called for since the last eviction could have taken it.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.slots[row].as_ref().expect("a row that was made sure of").row
    }

    /// Drops the row unused for longest; false where nothing may be dropped.
    fn evict(&mut self, wanted: usize, pinned: &[usize]) -> bool {
        for _ in 0..self.uses.len() {
            let Some((row, used)) = self.uses.pop_front() else { return false };
            let at = row as usize;
            if self.slots[at].as_ref().is_none_or(|slot| slot.used != used) {
                continue;
            }
            if at == wanted || pinned.contains(&at) {
                self.uses.push_back((row, used));
                continue;
            }
            if let Some(slot) = self.slots[at].take() {
                self.floats -= slot.row.len();
                if self.spare.len() < 4 {
                    self.spare.push(slot.row);
                }
            }
            return true;
        }
        false
    }

    /// Today's columns become those at the positions `kept` (ascending) of today's.
    pub fn narrow(&mut self, kept: &[u32]) {
        for generation in &mut self.generations {
            *generation = kept.iter().map(|&k| generation[k as usize]).collect();
        }
        self.generations.push((0..kept.len() as u32).collect());
    }

    /// Forgets every row; from now on rows have this many columns.
    pub fn clear(&mut self, columns: usize) {
        self.slots.iter_mut().for_each(|slot| *slot = None);
        self.uses.clear();
        self.spare.clear();
        self.floats = 0;
        self.most_floats = self.most_floats.max(2 * columns);
        self.generations = vec![(0..columns as u32).collect()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(row: usize) -> impl FnOnce(&mut [f32]) {
        move |out| out.iter_mut().enumerate().for_each(|(k, v)| *v = (10 * row + k) as f32)
    }

    #[test]
    fn rows_are_narrowed_when_asked_for() {
        let mut cache = RowCache::new(4, 5, 1 << 20);
        cache.ensure(1, &[], fill(1));
        cache.narrow(&[0, 2, 4]);
        cache.ensure(2, &[], |out| out.copy_from_slice(&[20.0, 22.0, 24.0]));
        cache.narrow(&[1, 2]);
        cache.ensure(1, &[], |_| panic!("it is kept"));
        cache.ensure(2, &[], |_| panic!("it is kept"));
        assert_eq!((cache.row(1), cache.row(2)), (&[12.0, 14.0][..], &[22.0, 24.0][..]));
        cache.clear(5);
        assert!(!cache.has(1));
        cache.ensure(1, &[], fill(1));
        assert_eq!(cache.row(1), [10.0, 11.0, 12.0, 13.0, 14.0]);
    }

    #[test]
    fn the_row_unused_for_longest_goes_first() {
        // Room for three rows of four columns.
        let mut cache = RowCache::new(9, 4, 3 * 4 * 4);
        for row in [0, 1, 2, 0, 3] {
            cache.ensure(row, &[], fill(row));
        }
        assert_eq!([0, 1, 2, 3].map(|row| cache.has(row)), [true, false, true, true]);
        cache.ensure(4, &[2], fill(4));
        assert_eq!([0, 2, 3, 4].map(|row| cache.has(row)), [false, true, true, true]);
        assert_eq!(cache.row(4), [40.0, 41.0, 42.0, 43.0]);
    }

    #[test]
    fn two_rows_always_fit() {
        let mut cache = RowCache::new(9, 100, 1);
        cache.ensure(0, &[], fill(0));
        cache.ensure(1, &[0], fill(1));
        assert!(cache.has(0) && cache.has(1));
        cache.ensure(2, &[1], fill(2));
        assert!(!cache.has(0) && cache.has(1) && cache.has(2));
    }
}
