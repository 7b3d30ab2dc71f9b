//! Which rows a tab gets next.

use std::time::Instant;

use likewise::stopping::Phase;
use serde::Deserialize;

use super::{Desk, Inner, Reader};
use crate::ranking::Ranking;
use crate::session::Standing;
use crate::session::log::{Origin, Verdict};
use crate::trainer::locked;

/// What the reader asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Best first, random checks when nothing turns up any more.
    #[default]
    Auto,
    Best,
    Random,
    /// What was put off.
    Unsure,
}

/// Rows for a tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handed {
    pub rows: Vec<u32>,
    /// Rows that are still to be decided and that other tabs look at.
    pub held: u64,
}

impl Desk {
    /// Rows for this tab, which no other tab gets for a while. Rows that the tab had before go back, but for those it
    /// keeps.
    pub fn hand_out(&self, reader: &Reader, keep: &[u32], most: usize, mode: Mode) -> Handed {
        let ranking = self.trainer.ranking();
        let mut inner = locked(&self.inner);
        inner.leases.release(&reader.tab, keep);
        let now = Instant::now();
        let rows = inner.candidates(reader, keep, most, mode, ranking.as_deref(), now);
        // A program beside a person holds nothing back from that person.
        if inner.is_judge(reader) {
            for &(row, kind) in &rows {
                inner.leases.take(row, &reader.tab, kind, now);
            }
        }
        let held = inner.held_from(reader, now);
        Handed { rows: rows.into_iter().map(|(row, _)| row).collect(), held }
    }

    /// Whether a program that reads beside a person has met nothing wanted for so long that it may pause.
    pub fn program_is_dry(&self) -> bool {
        let inner = locked(&self.inner);
        inner.rule().phase(&inner.session.program_steps()) == Phase::Checking
    }
}

impl Inner {
    fn held_from(&self, reader: &Reader, now: Instant) -> u64 {
        let open = |row: &u32| {
            self.session.is_own_row(*row) && !matches!(self.session.standing(*row), Standing::Decided(_))
        };
        self.leases.held_from(&reader.tab, now).filter(open).count() as u64
    }

    fn candidates(
        &self,
        reader: &Reader,
        keep: &[u32],
        most: usize,
        mode: Mode,
        ranking: Option<&Ranking>,
        now: Instant,
    ) -> Vec<(u32, Origin)> {
        let free = |row: &u32| !keep.contains(row) && !self.leases.is_held_from(*row, &reader.tab, now);
        let mut rows: Vec<(u32, Origin)> = Vec::new();
        let add = |rows: &mut Vec<(u32, Origin)>, more: &mut dyn Iterator<Item = u32>, kind: Origin| {
            for row in more.filter(free) {
                if rows.len() >= most {
                    return;
                }
                if !rows.iter().any(|(known, _)| *known == row) {
                    rows.push((row, if self.session.is_drawn(row) { Origin::Random } else { kind }));
                }
            }
        };
        let phase = match (mode, ranking) {
            (Mode::Best, Some(_)) => Phase::Reading,
            (Mode::Auto, Some(_)) => self.session.steps().phase(&self.rule()),
            _ => Phase::Checking,
        };
        if mode != Mode::Unsure {
            if self.is_judge(reader) {
                let undone = Standing::Open(None);
                add(&mut rows, &mut self.session.seen_rows(undone), Origin::Best);
                add(&mut rows, &mut self.session.passed(), Origin::Random);
            }
            let unread = |row: &u32| self.is_unread_by(*row, reader);
            match (phase, ranking) {
                (Phase::Reading, Some(ranking)) => {
                    let best = ranking.order.iter().copied().filter(|row| self.session.is_own_row(*row));
                    add(&mut rows, &mut best.filter(unread), Origin::Best);
                }
                _ => {
                    add(&mut rows, &mut self.session.order().iter().copied().filter(unread), Origin::Random);
                }
            }
        }
        if matches!(mode, Mode::Auto | Mode::Unsure) && !reader.program {
            let unsure = Standing::Open(Some(Verdict::Unsure));
            add(&mut rows, &mut self.session.seen_rows(unsure), Origin::Best);
        }
        rows
    }

    /// Whether what this reader says is what is proved: a person, or a program that reads alone.
    pub(super) fn is_judge(&self, reader: &Reader) -> bool {
        !reader.program || self.session.program_alone()
    }

    /// A program does not read again what a person or itself read; a person reads also what a program did.
    fn is_unread_by(&self, row: u32, reader: &Reader) -> bool {
        let unread = self.session.standing(row) == Standing::Unread;
        unread && (!reader.program || self.session.program_verdict(row).is_none())
    }
}
