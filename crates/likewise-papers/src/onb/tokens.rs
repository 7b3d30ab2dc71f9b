//! Words of a short message, as the experiments on tweets take them.

/// Lower case words of two letters or more, without addresses and names: URLs and `@names` are dropped,
/// a word is a letter followed by letters and apostrophes, apostrophes at its ends do not count.
pub fn tokens(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace('\u{2019}', "'").replace("&amp;", " ");
    let text = without(&text, url_length);
    let text = without(&text, name_length);
    let mut words = Vec::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_lowercase()) {
        rest = &rest[start..];
        let end = rest.find(|c: char| !(c.is_ascii_lowercase() || c == '\'')).unwrap_or(rest.len());
        let word = rest[..end].trim_matches('\'');
        if word.len() >= 2 {
            words.push(word.to_string());
        }
        rest = &rest[end..];
    }
    words
}

/// The text with a blank for each stretch whose length `found` gives.
fn without(text: &str, found: fn(&str) -> Option<usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        match found(rest) {
            Some(length) => {
                out.push(' ');
                rest = &rest[length..];
            }
            None => {
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    out
}

/// `http://…`, `https://…` or `www.…` up to the next blank.
fn url_length(text: &str) -> Option<usize> {
    let start = ["http://", "https://", "www."].iter().find(|start| text.starts_with(**start))?.len();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > start).then_some(end)
}

/// `@` and the letters, digits and underscores after it.
fn name_length(text: &str) -> Option<usize> {
    let name = text.strip_prefix('@')?;
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
    (end > 0).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_names_and_single_letters_are_no_words() {
        let text = "RT @Some_One: Don\u{2019}t panic &amp; 'run' a https://t.co/x1 www.a.b/c #Sandy 2nd";
        assert_eq!(tokens(text), ["rt", "don't", "panic", "run", "sandy", "nd"]);
    }
}
