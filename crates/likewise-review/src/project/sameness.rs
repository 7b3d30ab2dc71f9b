//! When do two rows say the same?
//!
//! One mark then stands for both, and rows that nobody read are exported with it. So only what carries no meaning may
//! differ: case, white space, commas, stops, semicolons and quotes. Everything else counts, since it can turn what is
//! said into its opposite: 👍 and 👎, `C++` and `C#`, `-5 %` and `+5 €`, `:)` and `:(`.

use std::hash::{BuildHasher, Hasher};

use likewise::features::Input;

/// What a row says: texts without what carries no meaning, columns as they are.
pub fn content(input: &Input, columns: &[String], cells: &[String]) -> String {
    let named = |names: &[String]| -> Vec<&str> {
        let all = columns.iter().zip(cells);
        all.filter(|(name, _)| names.contains(name)).map(|(_, cell)| cell.trim()).collect()
    };
    match input {
        Input::Text(names) => {
            let text = named(names).join("\n");
            let said = said(&text);
            if said.is_empty() { text.trim().to_string() } else { said }
        }
        Input::Columns(names) | Input::Vectors(names) => named(names).join("\0"),
        Input::Joined(blocks) => {
            let contents: Vec<String> = blocks.iter().map(|block| content(block, columns, cells)).collect();
            contents.join("\0")
        }
        Input::Sparse | Input::Embedded(_) => String::new(),
    }
}

const QUOTES: &str = "\"'`´‘’‚‛“”„‟«»‹›「」『』＂＇";
const PAUSES: &str = ",.;、。，．；…";

/// Its words and signs, in lower case and one space apart.
fn said(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut apart = false;
    while let Some(letter) = letters.next() {
        // 1,500 is not 1 500, and .5 not 5.
        let in_number = matches!(letter, '.' | ',') && letters.peek().is_some_and(|next| next.is_numeric());
        let silent = QUOTES.contains(letter) || PAUSES.contains(letter) && !in_number;
        if silent || letter.is_whitespace() || letter == '\0' {
            apart = !said.is_empty();
            continue;
        }
        if std::mem::take(&mut apart) {
            said.push(' ');
        }
        said.extend(letter.to_lowercase());
    }
    said
}

/// 128 bits, so that two rows of a million do not meet by chance.
pub fn hash(content: &str) -> u128 {
    let half = |seed: u64| {
        let mut hasher = foldhash::quality::FixedState::with_seed(seed).build_hasher();
        hasher.write(content.as_bytes());
        u128::from(hasher.finish())
    };
    half(1) << 64 | half(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let (input, columns) = (Input::Text(vec!["text".into()]), ["id".to_string(), "text".into()]);
        content(&input, &columns, &["1".into(), text.into()])
    }

    #[test]
    fn case_spacing_commas_stops_and_quotes_make_no_difference() {
        for (one, other) in [
            ("Free entry,  NOW.", "free entry now"),
            ("“Refund” me", "'refund'\u{a0}me …"),
            ("one; two\n", " One, two"),
            ("请退款。", "请退款"),
        ] {
            assert_eq!(of(one), of(other));
        }
        assert_eq!(of(" "), "");
    }

    #[test]
    fn what_can_turn_the_meaning_makes_a_difference() {
        for (one, other) in [
            ("👍", "👎"),
            ("great 👍", "great"),
            ("I write C++", "I write C#"),
            ("-5 %", "+5 €"),
            ("fine :)", "fine :("),
            ("Sure?", "Sure!"),
            ("call 0800 1", "call 0800 2"),
            ("1,500", "1.500"),
            ("costs .5", "costs 5"),
            ("we're", "were"),
            ("...", ",,,"),
        ] {
            assert_ne!(of(one), of(other), "{one} {other}");
        }
    }
}
