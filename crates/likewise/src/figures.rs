//! Numbers as people read them.

/// A whole number with separators: 200,000.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 row`, `200,000 rows`.
pub fn rows(number: usize) -> String {
    format!("{} {}", count(number), if number == 1 { "row" } else { "rows" })
}

/// The verb for so many of something.
pub fn are(number: usize) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

/// A share of so many, in whole ones.
pub fn share_of(share: f64, all: usize) -> String {
    count((share * all as f64).round() as usize)
}

/// A share in whole percent.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// A share in percent, with a digit more where it is small.
pub fn small_percent(share: f64) -> String {
    if share < 0.0995 { format!("{:.1} %", 100.0 * share) } else { percent(share) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            (count(7), count(1234), count(1_000_000)),
            ("7".into(), "1,234".into(), "1,000,000".into())
        );
        assert_eq!((small_percent(0.0049), small_percent(0.0996)), ("0.5 %".into(), "10 %".into()));
        assert_eq!((share_of(0.5, 2469), percent(0.125)), ("1,235".into(), "12 %".into()));
    }
}
