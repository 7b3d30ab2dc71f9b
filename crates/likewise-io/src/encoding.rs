//! Text in other encodings than UTF-8, turned into UTF-8 as it is read.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use encoding_rs::{CoderResult, Decoder};

use crate::error::{Error, Result};

/// An encoding by any name the web knows it by: `latin1`, `windows-1252`, `utf-16le`, `shift_jis`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl FromStr for Encoding {
    type Err = Error;

    fn from_str(name: &str) -> Result<Encoding> {
        encoding_rs::Encoding::for_label(name.trim().as_bytes()).map(Encoding).ok_or_else(|| {
            Error::usage(format!(
                "there is no encoding `{name}`; names are like utf-8, utf-16le, latin1, windows-1252, windows-1251, koi8-r, shift_jis, gb18030, big5, euc-kr"
            ))
        })
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoding({self})")
    }
}

impl Encoding {
    pub(crate) const UTF_16LE: Encoding = Encoding(encoding_rs::UTF_16LE);
    pub(crate) const UTF_16BE: Encoding = Encoding(encoding_rs::UTF_16BE);

    pub(crate) fn is_utf8(self) -> bool {
        self.0 == encoding_rs::UTF_8
    }
}

/// The bytes of `inner` as UTF-8. What the encoding does not know becomes U+FFFD.
pub(crate) struct Decoded<R> {
    inner: R,
    decoder: Decoder,
    bytes: Vec<u8>,
    unread: std::ops::Range<usize>,
    /// Decoded text that did not fit where it was asked for.
    text: Vec<u8>,
    given: usize,
    ended: bool,
}

const BUFFER: usize = 1 << 16;

impl<R: Read> Decoded<R> {
    pub fn new(inner: R, encoding: Encoding) -> Self {
        Decoded {
            inner,
            decoder: encoding.0.new_decoder_without_bom_handling(),
            bytes: vec![0; BUFFER],
            unread: 0..0,
            text: Vec::new(),
            given: 0,
            ended: false,
        }
    }

    /// Decodes a piece into `text`; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        while !self.ended {
            if self.unread.is_empty() {
                self.unread = 0..self.inner.read(&mut self.bytes)?;
            }
            let last = self.unread.is_empty();
            let most = self.decoder.max_utf8_buffer_length(self.unread.len()).unwrap_or(3 * BUFFER + 16);
            self.text.resize(most, 0);
            let (result, read, written, _) =
                self.decoder.decode_to_utf8(&self.bytes[self.unread.clone()], &mut self.text, last);
            self.unread.start += read;
            self.ended = last && result == CoderResult::InputEmpty;
            self.text.truncate(written);
            self.given = 0;
            if written > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.text.len() && !self.fill()? {
            return Ok(0);
        }
        let rest = &self.text[self.given..];
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        self.given += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], encoding: &str) -> String {
        // One byte at a time, so that characters are cut everywhere.
        struct Slowly<'a>(&'a [u8]);
        impl Read for Slowly<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let n = self.0.len().min(1);
                buffer[..n].copy_from_slice(&self.0[..n]);
                self.0 = &self.0[n..];
                Ok(n)
            }
        }
        let mut text = String::new();
        Decoded::new(Slowly(bytes), encoding.parse().unwrap()).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn characters_survive_wherever_they_are_cut() {
        assert_eq!(decoded(b"caf\xe9 \x80", "latin1"), "café €");
        assert_eq!(
            decoded(
                "añ😀".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice(),
                "utf-16le"
            ),
            "añ😀"
        );
        assert_eq!(decoded(b"\x82\xa0", "Shift_JIS"), "あ");
        assert_eq!(decoded(b"a\x82", "shift_jis"), "a\u{fffd}");
        assert_eq!(decoded(b"", "windows-1251"), "");
    }

    #[test]
    fn more_than_a_buffer() {
        assert_eq!(decoded(&vec![0xe9; 3 * BUFFER + 5], "latin1"), "é".repeat(3 * BUFFER + 5));
    }

    #[test]
    fn an_unknown_name_is_answered_with_known_ones() {
        let message = "klingon".parse::<Encoding>().unwrap_err().to_string();
        assert!(message.contains("no encoding `klingon`") && message.contains("windows-1252"), "{message}");
    }
}
