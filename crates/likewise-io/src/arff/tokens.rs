//! The words of a line of ARFF: bare or in quotes, with escapes and comments.

use std::borrow::Cow;

pub(super) struct Tokens<'a> {
    rest: &'a str,
}

#[derive(Debug, PartialEq)]
pub(super) struct Value<'a> {
    pub text: Cow<'a, str>,
    quoted: bool,
}

impl Value<'_> {
    /// `?`, or nothing between two commas.
    pub fn is_missing(&self) -> bool {
        !self.quoted && (self.text.is_empty() || self.text == "?")
    }
}

impl<'a> Tokens<'a> {
    pub fn new(line: &'a str) -> Self {
        Tokens { rest: line }
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    /// Nothing but a comment is left.
    pub fn at_end(&mut self) -> bool {
        self.skip_space();
        self.rest.is_empty() || self.rest.starts_with('%')
    }

    /// Takes the sign if it comes next.
    pub fn eat(&mut self, sign: char) -> bool {
        self.skip_space();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    pub fn starts_with(&mut self, sign: char) -> bool {
        self.skip_space();
        self.rest.starts_with(sign)
    }

    /// A value in quotes, or a bare one up to one of the signs, without spaces around it.
    pub fn value(&mut self, ends: &[char]) -> Result<Value<'a>, String> {
        self.skip_space();
        if let Some(quote @ ('\'' | '"')) = self.rest.chars().next() {
            return Ok(Value { text: self.quoted(quote)?, quoted: true });
        }
        let comment = self.comment();
        let end = self.rest.find(ends).unwrap_or(self.rest.len()).min(comment);
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(Value { text: text.trim_ascii_end().into(), quoted: false })
    }

    /// Where a comment starts: `%` at the start of a word. Within one (`50%`) it is part of the value.
    fn comment(&self) -> usize {
        let bytes = self.rest.as_bytes();
        memchr::memchr_iter(b'%', bytes)
            .find(|&at| at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b','))
            .unwrap_or(bytes.len())
    }

    fn quoted(&mut self, quote: char) -> Result<Cow<'a, str>, String> {
        let inside = &self.rest[1..];
        let stops = ['\\', quote];
        let Some(mut at) = inside.find(stops) else { return Err(open_quote(quote)) };
        if inside[at..].starts_with(quote) {
            self.rest = &inside[at + 1..];
            return Ok(inside[..at].into());
        }
        let (mut text, mut rest) = (String::new(), inside);
        loop {
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(after) = rest.strip_prefix(quote) {
                self.rest = after;
                return Ok(text.into());
            }
            let (letter, length) = unescape(rest).ok_or_else(|| open_quote(quote))?;
            text.push(letter);
            rest = &rest[length..];
            at = rest.find(stops).ok_or_else(|| open_quote(quote))?;
        }
    }
}

fn open_quote(quote: char) -> String {
    format!("a quote {quote} is not closed")
}

/// The character that an escape at the start stands for, and the escape's length.
fn unescape(text: &str) -> Option<(char, usize)> {
    let escaped = text.chars().nth(1)?;
    let letter = match escaped {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'u' => {
            let code = text.get(2..6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
            return Some(code.and_then(char::from_u32).map_or(('u', 2), |letter| (letter, 6)));
        }
        other => other,
    };
    Some((letter, 1 + escaped.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(line: &str) -> Result<Vec<String>, String> {
        let mut tokens = Tokens::new(line);
        let mut values = Vec::new();
        while !tokens.at_end() {
            values.push(tokens.value(&[',', '\t'])?.text.into_owned());
            tokens.eat(',');
        }
        Ok(values)
    }

    #[test]
    fn bare_and_quoted_values() {
        assert_eq!(values("a, 'b c' ,\"d,e\"\tf g ").unwrap(), ["a", "b c", "d,e", "f g"]);
        assert_eq!(values(r"'it\'s', 'a\\b\n\u00e9\x', '\ü'").unwrap(), ["it's", "a\\b\néx", "ü"]);
        assert!(values("a, 'b").unwrap_err().contains("quote ' is not closed"));
        assert!(values("\"b\\").is_err() && values(r"'b\'").is_err());
    }

    #[test]
    fn a_comment_starts_a_word() {
        assert_eq!(values("50%, a % rest").unwrap(), ["50%", "a"]);
        assert_eq!(values("'%', b% % rest").unwrap(), ["%", "b%"]);
    }

    #[test]
    fn only_a_bare_question_mark_is_missing() {
        let missing = |text| Tokens::new(text).value(&[',']).unwrap().is_missing();
        assert!(missing("?") && missing(" ? ,") && missing(",") && !missing("'?'") && !missing("''"));
    }
}
