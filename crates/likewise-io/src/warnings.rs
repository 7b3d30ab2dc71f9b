//! What a reader put up with, counted, for the user to know.

/// How many rows something happened to, and the first of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub rows: u64,
    /// Where it first happened, or what was wrong there.
    pub first: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warnings {
    /// Rows with bytes that are not UTF-8; each such byte sequence was read as U+FFFD.
    pub not_utf8: Tally,
    /// Bad rows that `skip_bad_rows` left out.
    pub skipped: Tally,
    /// Rows of a sparse file with a missing number (`?`), which was read as zero.
    pub missing_as_zero: Tally,
    /// Columns of a type that cannot be a cell, with that type.
    pub left_out_columns: Vec<String>,
    /// Whether a workbook has sheets that were not read.
    pub other_sheets: bool,
    /// What the user may want to know, though nothing is wrong.
    notes: Vec<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, first: impl FnOnce() -> String) {
        self.rows += 1;
        self.first.get_or_insert_with(first);
    }

    fn merge(&mut self, other: Tally) {
        self.rows += other.rows;
        self.first = self.first.take().or(other.first);
    }

    fn message(&self, what: impl FnOnce(&str) -> String, first: &str) -> Option<String> {
        let rows = match self.rows {
            0 => return None,
            1 => "1 row".to_string(),
            n => format!("{n} rows"),
        };
        let first = self.first.as_ref().map_or(String::new(), |f| format!(" ({first} {f})"));
        Some(what(&rows) + &first)
    }
}

impl Warnings {
    pub fn is_empty(&self) -> bool {
        *self == Warnings::default()
    }

    pub fn merge(&mut self, other: Warnings) {
        self.not_utf8.merge(other.not_utf8);
        self.skipped.merge(other.skipped);
        self.missing_as_zero.merge(other.missing_as_zero);
        self.other_sheets |= other.other_sheets;
        for note in other.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        for column in other.left_out_columns {
            if !self.left_out_columns.contains(&column) {
                self.left_out_columns.push(column);
            }
        }
    }

    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    pub(crate) fn note_separator(&mut self, name: &str, separator: &str) {
        let shown = if separator == "\t" { "tabs".into() } else { format!("`{separator}`") };
        self.notes.push(format!("{name}: cells are separated by {shown}"));
    }

    /// What is worth a word, though nothing had to be put up with.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// One sentence for each thing that had to be put up with.
    pub fn messages(&self) -> Vec<String> {
        let left_out = (!self.left_out_columns.is_empty()).then(|| {
            format!(
                "columns left out because their type cannot be read: {}",
                self.left_out_columns.join(", ")
            )
        });
        [
            self.not_utf8
                .message(|n| format!("{n} with bytes that are not UTF-8, read as U+FFFD; name its encoding, such as windows-1252"), "first at"),
            self.skipped.message(|n| format!("{n} left out as bad"), "the first:"),
            self.missing_as_zero
                .message(|n| format!("{n} with missing numbers in sparse data, read as 0"), "first at"),
            left_out,
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_counts_add_up_and_keep_the_first_place() {
        let mut all = Warnings::default();
        assert!(all.is_empty() && all.messages().is_empty());
        let mut one = Warnings::default();
        one.not_utf8.add(|| "a.txt:3".into());
        all.merge(one.clone());
        one.not_utf8.first = Some("b.txt:1".into());
        all.merge(one);
        assert_eq!(
            all.messages(),
            [
                "2 rows with bytes that are not UTF-8, read as U+FFFD; name its encoding, such as windows-1252 (first at a.txt:3)"
            ]
        );
    }
}
