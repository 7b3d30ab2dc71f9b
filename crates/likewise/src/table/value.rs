//! Cells compared by what they mean: files spell one number or truth value in several ways.

/// Whether two cells are the same text, the same number (`1`, `1.0`) or the same truth value (`true`, `TRUE`).
pub fn same_value(a: &str, b: &str) -> bool {
    a == b
        || matches!((truth(a.trim()), truth(b.trim())), (Some(a), Some(b)) if a == b)
        || matches!((number(a.trim()), number(b.trim())), (Some(a), Some(b)) if a == b)
}

/// The one spelling of a number or a truth value that stands for all others; `None` for other cells.
pub fn spelled(cell: &str) -> Option<String> {
    let cell = cell.trim();
    truth(cell).map(|value| value.to_string()).or_else(|| number(cell).map(|value| (value + 0.0).to_string()))
}

/// `true` and `false`, however they are capitalised.
pub fn truth(cell: &str) -> Option<bool> {
    match cell {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// A code such as `007` is no number, and two that a double cannot tell apart are not the same.
fn number(cell: &str) -> Option<f64> {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell).as_bytes();
    let plain = match digits {
        [b'0', b'0'..=b'9', ..] => false,
        [first, ..] => first.is_ascii_digit() || *first == b'.',
        [] => false,
    };
    let exact = |value: &f64| value.abs() < (1u64 << 53) as f64;
    if plain { cell.parse().ok().filter(exact) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_matter_and_value_does() {
        for (a, b) in [("1", "1.0"), ("-0.5", "-.5"), ("1e3", "1000"), ("True", "TRUE"), (" 1", "1")] {
            assert!(same_value(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("1", "2"),
            ("true", "false"),
            ("1", "true"),
            ("007", "7"),
            ("yes", "Yes"),
            ("nan", "NaN"),
            ("inf", "infinity"),
            ("9007199254740993", "9007199254740992"),
            ("", "0"),
            ("x ", "x"),
        ] {
            assert!(!same_value(a, b), "{a} {b}");
        }
    }
}
