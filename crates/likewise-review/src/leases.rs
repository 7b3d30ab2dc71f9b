//! Which tab is looking at which row, so that two readers do not read the same one.

use std::time::{Duration, Instant};

use hashbrown::HashMap;

use crate::session::log::Origin;

/// A tab that was closed gives its rows back after this.
const LEASE: Duration = Duration::from_secs(120);

struct Lease {
    tab: String,
    until: Instant,
    kind: Origin,
}

#[derive(Default)]
pub struct Leases {
    held: HashMap<u32, Lease>,
}

impl Leases {
    /// Whether another tab than this one holds the row.
    pub fn is_held_from(&self, row: u32, tab: &str, now: Instant) -> bool {
        self.held.get(&row).is_some_and(|lease| lease.tab != tab && lease.until > now)
    }

    /// The rows that other tabs than this one hold.
    pub fn held_from(&self, tab: &str, now: Instant) -> impl Iterator<Item = u32> {
        let others = self.held.iter().filter(move |(_, lease)| lease.tab != tab && lease.until > now);
        others.map(|(row, _)| *row)
    }

    /// A row that was drawn for one tab stays drawn for the next: a check that took too long is still a check.
    pub fn take(&mut self, row: u32, tab: &str, kind: Origin, now: Instant) {
        let drawn = self.kind(row) == Some(Origin::Random);
        let kind = if drawn { Origin::Random } else { kind };
        self.held.insert(row, Lease { tab: tab.to_string(), until: now + LEASE, kind });
    }

    /// How the row came before whoever has it, also after the time is up.
    pub fn kind(&self, row: u32) -> Option<Origin> {
        self.held.get(&row).map(|lease| lease.kind)
    }

    /// What the tab held goes back, but for the rows it shows.
    pub fn release(&mut self, tab: &str, keep: &[u32]) {
        self.held.retain(|row, lease| lease.tab != tab || keep.contains(row));
    }

    pub fn end(&mut self, row: u32) {
        self.held.remove(&row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_belongs_to_one_tab_until_it_is_given_back_or_forgotten() {
        let start = Instant::now();
        let mut leases = Leases::default();
        leases.take(4, "a", Origin::Random, start);
        assert!(leases.is_held_from(4, "b", start) && !leases.is_held_from(4, "a", start));
        assert!(!leases.is_held_from(4, "b", start + LEASE));
        leases.take(4, "b", Origin::Best, start + LEASE);
        assert_eq!(leases.kind(4), Some(Origin::Random));
        leases.take(5, "b", Origin::Best, start);
        leases.release("b", &[5]);
        assert_eq!((leases.kind(4), leases.kind(5)), (None, Some(Origin::Best)));
        leases.end(5);
        assert!(leases.held.is_empty());
    }
}
