//! Whether what is read, and the work on it, fits into memory; said before the work instead of an abort in its middle.

use std::fmt;
use std::fs;
use std::str::FromStr;

use likewise::Error as Learning;
use likewise::codes;
use likewise::data::{Column, Table};
use likewise::message::{Message, Setting};
use likewise::note::Note;

use crate::error::{Error, Result};

/// What learning takes beside the rows as they were read, as a multiple of these: words or scaled columns, copies of
/// them for folds, and what a method needs. `docs/reliability.md` has what was measured; the largest was 7.1.
const WORK: u64 = 7;
/// What the program itself takes, 20 to 23 MiB as measured, and some to spare.
const BASE: u64 = 32 << 20;

/// A number of bytes, as typed: `500M`, `1.5GiB`, `8g`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = Error;

    fn from_str(text: &str) -> Result<Bytes> {
        let wrong = || {
            Error::usage(format!(
                "`{text}` is no amount of memory; give a number with a unit, such as 500M or 8G"
            ))
        };
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let number: f64 = text[..digits].parse().map_err(|_| wrong())?;
        let unit: u64 = match text[digits..].trim().to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "k" | "kb" | "kib" => 1 << 10,
            "m" | "mb" | "mib" => 1 << 20,
            "g" | "gb" | "gib" => 1 << 30,
            "t" | "tb" | "tib" => 1 << 40,
            _ => return Err(wrong()),
        };
        Ok(Bytes((number * unit as f64) as u64))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes >= 1 << 30 => write!(f, "{:.1} GiB", bytes as f64 / (1u64 << 30) as f64),
            bytes => write!(f, "{} MiB", bytes >> 20),
        }
    }
}

/// How much may be used.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    allowed: Option<Bytes>,
}

impl Memory {
    /// So much, or what the machine has free where nothing is said. Where that is unknown, everything is allowed.
    pub fn allowed(given: Option<Bytes>) -> Memory {
        Memory { allowed: given.or_else(free) }
    }

    /// Fails where a source, of which these rows and this part were read, would need more beside the rows of
    /// other sources. Gives the estimate.
    pub fn check(
        &self,
        source: &str,
        others: &Table,
        rows: &Table,
        progress: Option<(u64, u64)>,
    ) -> Result<Bytes> {
        let read = size(rows);
        let whole = match progress {
            Some((done, total)) if done > 0 => (read as f64 * (total as f64 / done as f64).max(1.0)) as u64,
            _ => read,
        };
        let need = Bytes(needed(size(others).saturating_add(whole)));
        match self.allowed {
            Some(allowed) if need > allowed => Err(too_large(source, need, allowed)),
            _ => Ok(need),
        }
    }

    /// Fails where these rows and the usual work on them need more together with work that takes so many bytes
    /// whatever the rows take themselves.
    pub fn check_work(&self, rows: &Table, bytes: usize) -> Result<()> {
        let need = Bytes(needed(size(rows)).saturating_add(bytes as u64));
        match self.allowed {
            Some(allowed) if bytes > 0 && need > allowed => Err(too_large("the pile", need, allowed)),
            _ => Ok(()),
        }
    }

    /// What there is to say of work that needs so much: something where it is more than half of what may be used.
    pub fn note(&self, need: Bytes) -> Option<Note> {
        let allowed = self.allowed.filter(|allowed| need.0 > allowed.0 / 2)?;
        let text = format!("rows and work need about {need} of the {allowed} of memory that may be used");
        Some(Note::info(&codes::LARGE_PILE, text).field("bytes", need.0))
    }
}

fn too_large(source: &str, need: Bytes, allowed: Bytes) -> Error {
    let text = format!(
        "{source}: its rows and the work on them need about {need} of memory, and {allowed} may be used; name only the columns that matter with "
    );
    let message = Message::new(&codes::TOO_LARGE, text)
        .setting(Setting::with("text", "COLUMN"))
        .text(" or ")
        .setting(Setting::with("features", "COLUMN"))
        .text(", learn from a part of them with ")
        .setting(Setting::with("sample", "N"))
        .text(" where that can be, or allow more with ")
        .setting(Setting::with("memory", "SIZE"));
    Learning::data(message.field("bytes", need.0).field("allowed", allowed.0)).into()
}

/// What rows that take so much need with the work on them.
fn needed(rows: u64) -> u64 {
    rows.saturating_mul(1 + WORK).saturating_add(BASE)
}

/// What the rows of a table take.
fn size(table: &Table) -> u64 {
    let of_column = |column: &Column| match column {
        Column::Text(cells) => cells.total_bytes() + 12 * cells.len(),
        Column::Number(cells) => 8 * cells.len(),
        Column::Vectors(rows) => 4 * rows.values.len(),
    };
    let cells: usize = table.columns().map(|(_, column)| of_column(column)).sum();
    let sparse = table.sparse.as_ref().map_or(0, |sparse| 8 * (sparse.x.nnz() + sparse.x.rows()));
    (cells + sparse + 16 * table.rows()) as u64
}

/// What the machine has free, or what the group of processes that this one belongs to may still take.
fn free() -> Option<Bytes> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kilobytes << 10)
    })?;
    let number = |path: String| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let group = fs::read_to_string("/proc/self/cgroup").ok();
    let group = group.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("0::")));
    let folders =
        [group.unwrap_or("/"), "/"].map(|group| format!("/sys/fs/cgroup{}", group.trim_end_matches('/')));
    let left = folders.into_iter().filter_map(|folder| {
        let most = number(format!("{folder}/memory.max"))?;
        // What files were read lately is given back on demand.
        let statistics = fs::read_to_string(format!("{folder}/memory.stat")).unwrap_or_default();
        let cached = statistics.lines().find_map(|line| line.strip_prefix("inactive_file "));
        let cached: u64 = cached.and_then(|number| number.parse().ok()).unwrap_or(0);
        let used = number(format!("{folder}/memory.current"))?.saturating_sub(cached);
        Some(most.saturating_sub(used))
    });
    Some(Bytes(left.chain([machine]).min()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(n: usize) -> Table {
        let mut table = Table::from_source("a.csv");
        table.push_column("x", Column::Number(vec![1.0; n]));
        table.origins = (0..n as u64).map(|i| (0, i + 1)).collect();
        table
    }

    #[test]
    fn amounts_are_read_and_shown() {
        for (text, bytes) in
            [("0", 0), ("12", 12), ("2k", 2048), ("1.5 GiB", 3 << 29), ("8G", 8 << 30), ("1T", 1 << 40)]
        {
            assert_eq!(text.parse::<Bytes>().unwrap(), Bytes(bytes), "{text}");
        }
        for text in ["", "G", "-1", "1.2.3", "5 apples", "1e9"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
        assert_eq!(Bytes(3 << 29).to_string(), "1.5 GiB");
        assert_eq!(Bytes(700 << 20).to_string(), "700 MiB");
    }

    #[test]
    fn what_is_read_tells_of_what_is_left_to_read() {
        // 24 bytes a row, a tenth of the file: 240 bytes a row for all of it, with the work on it eight times that.
        let table = rows(1000);
        assert_eq!(size(&table), 24_000);
        let need = BASE + 8 * 240_000;
        let memory = |bytes| Memory { allowed: Some(Bytes(bytes)) };
        assert_eq!(memory(need).check("a.csv", &rows(0), &table, Some((10, 100))).unwrap(), Bytes(need));
        assert!(memory(need).check("a.csv", &rows(1), &table, Some((10, 100))).is_err());
        assert_eq!(memory(need).check("-", &rows(0), &table, None).unwrap(), Bytes(BASE + 8 * 24_000));
        let error = memory(need - 1).check("a.csv", &rows(0), &table, Some((10, 100))).unwrap_err();
        assert_eq!(error.code().name, "too-large");
        assert!(
            error.to_string().starts_with("a.csv: its rows and the work on them need about 33 MiB"),
            "{error}"
        );
        assert!(memory(need).note(Bytes(need)).is_some() && memory(3 * need).note(Bytes(need)).is_none());
        let left = 8 * 9 * 24_000;
        assert!(memory(need).check_work(&table, left).is_ok());
        assert!(memory(need).check_work(&table, left + 1).is_err());
        assert!(Memory { allowed: None }.check_work(&table, usize::MAX).is_ok());
        assert!(Memory { allowed: None }.check("a.csv", &rows(0), &table, Some((1, 1 << 60))).is_ok());
    }
}
