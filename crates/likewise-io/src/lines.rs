//! The lines of an input, one borrowed slice each.

use crate::error::{Error, Result};
use crate::input::{Input, LONGEST_ROW};

const BUFFER: usize = 1 << 20;

pub(crate) struct Lines {
    input: Input,
    buffer: Vec<u8>,
    /// What of the buffer is read but not yet given out.
    unread: std::ops::Range<usize>,
    line: u64,
    ended: bool,
}

impl Lines {
    pub fn new(input: Input) -> Self {
        Lines { input, buffer: vec![0; BUFFER], unread: 0..0, line: 0, ended: false }
    }

    /// The number of the line last given out, counted from 1.
    pub fn number(&self) -> u64 {
        self.line
    }

    /// The next line without its end (`\n` or `\r\n`); the last one may have none.
    pub fn next(&mut self) -> Result<Option<&[u8]>> {
        let mut searched = 0;
        let length = loop {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(at) = memchr::memchr(b'\n', &unread[searched..]) {
                break searched + at;
            }
            searched = unread.len();
            if self.ended {
                if searched == 0 {
                    return Ok(None);
                }
                break searched;
            }
            self.fill()?;
        };
        let start = self.unread.start;
        self.unread.start = (start + length + 1).min(self.unread.end);
        self.line += 1;
        let line = &self.buffer[start..start + length];
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    fn fill(&mut self) -> Result<()> {
        self.buffer.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        if self.unread.end == self.buffer.len() {
            if self.buffer.len() >= LONGEST_ROW {
                return Err(Error::Malformed {
                    source_name: self.input.name().into(),
                    line: Some(self.line + 1),
                    problem: format!("a line of more than {} MiB; is this a text file?", LONGEST_ROW >> 20),
                });
            }
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let read = self.input.read(&mut self.buffer[self.unread.end..])?;
        self.unread.end += read;
        self.ended = read == 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Progress;

    fn lines(text: &str) -> Vec<String> {
        let bytes = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
        let mut lines = Lines::new(Input::new("a".into(), bytes, None, Progress::default()).unwrap());
        let mut out = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            out.push(String::from_utf8(line.to_vec()).unwrap());
            assert_eq!(lines.number(), out.len() as u64);
        }
        out
    }

    #[test]
    fn ends_of_lines_may_differ_and_the_last_may_be_missing() {
        assert_eq!(lines(""), [""; 0]);
        assert_eq!(lines("a\r\n\nb"), ["a", "", "b"]);
        assert_eq!(lines("a\rb\n\n"), ["a\rb", ""]);
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_whole() {
        let long = "x".repeat(3 * BUFFER + 1);
        assert_eq!(lines(&format!("{long}\n{long}")), [long.clone(), long]);
    }
}
