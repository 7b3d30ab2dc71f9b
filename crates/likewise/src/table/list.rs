//! Cells that are lists of numbers, as files spell them: `[0.5, 1]` as in JSON, `[0.5 1.]` as NumPy prints it, and, where
//! somebody joined them, `0.5 1` or `0.5;1`.

/// A cell taken for a list.
pub struct List<'a> {
    inner: &'a str,
    mark: Mark,
    /// Whether brackets or parentheses say that it is one.
    pub bracketed: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Comma,
    Semicolon,
    Blank,
}

impl<'a> List<'a> {
    /// The list that a cell would be; what stands in it need not be numbers.
    pub fn of(cell: &'a str) -> Self {
        let cell = cell.trim();
        let within = |open, close| cell.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
        let bracketed = within('[', ']').or_else(|| within('(', ')'));
        let inner = bracketed.unwrap_or(cell).trim();
        let mark = match inner {
            _ if inner.contains(',') => Mark::Comma,
            _ if inner.contains(';') => Mark::Semicolon,
            _ => Mark::Blank,
        };
        List { inner, mark, bracketed: bracketed.is_some() }
    }

    /// What stands in it, one after the other.
    pub fn items(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mark = self.mark;
        let between = move |c: char| match mark {
            Mark::Comma => c == ',',
            Mark::Semicolon => c == ';',
            Mark::Blank => c.is_whitespace(),
        };
        let empty = self.inner.is_empty();
        let items = self.inner.split(between).map(str::trim);
        items.filter(move |item| !empty && (mark != Mark::Blank || !item.is_empty()))
    }

    /// Whether the spelling alone says that it is a vector: telephone numbers and coordinates stand side by side too.
    pub fn tells(&self) -> bool {
        self.bracketed || (self.inner.contains('.') && self.items().nth(FEWEST_BARE - 1).is_some())
    }
}

/// So many numbers without brackets, some of them with a point, are hardly anything else than a vector.
const FEWEST_BARE: usize = 3;

/// Why such an item is no number.
pub fn no_number(item: &str) -> String {
    match item {
        "" => "a number of the vector is missing".into(),
        "..." | "…" => {
            "`...` stands where NumPy left numbers out; write vectors whole, as v.tolist() has them".into()
        }
        _ => format!("`{item}` is no number"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_at_what_stands_between_their_numbers() {
        for cell in ["[1, 2.5,3]", "[1 2.5\n  3]", "(1, 2.5, 3)", "1;2.5; 3", " 1  2.5 3 ", "1,2.5,3"] {
            assert_eq!(List::of(cell).items().collect::<Vec<_>>(), ["1", "2.5", "3"], "{cell}");
        }
        assert_eq!(List::of("[]").items().count(), 0);
        assert_eq!(List::of("[1,]").items().collect::<Vec<_>>(), ["1", ""]);
        let tell = ["[1]", "0.1 0.2 1", "0.1;2;3"].map(|cell| List::of(cell).tells());
        assert_eq!(tell, [true; 3]);
        assert!(["48.1 11.5", "12 34 56", "3,14", "0.5"].iter().all(|cell| !List::of(cell).tells()));
    }
}
