//! The unpacked bytes of one source, with errors that name it.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::compression::{self, Bytes, Compression};
use crate::encoding::{Decoded, Encoding};
use crate::error::{Error, Result};
use crate::signature;
use crate::source::{Location, Source};

/// No honest row is longer; an unclosed quote or a file without line ends is.
pub(crate) const LONGEST_ROW: usize = 512 << 20;

pub(crate) struct Input {
    name: String,
    bytes: Bytes,
    compression: Option<Compression>,
    progress: Progress,
}

/// How far the file has been read, in bytes as they lie on the disk.
#[derive(Clone, Default)]
pub(crate) struct Progress {
    done: Arc<AtomicU64>,
    total: Option<u64>,
}

struct Counted<R> {
    inner: R,
    done: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.done.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl Progress {
    pub fn of(total: u64) -> Self {
        Progress { done: Arc::default(), total: Some(total) }
    }

    pub fn advance(&self, by: u64) {
        self.done.fetch_add(by, Ordering::Relaxed);
    }

    pub fn get(&self) -> Option<(u64, u64)> {
        self.total.map(|total| (self.done.load(Ordering::Relaxed).min(total), total))
    }
}

impl Input {
    /// The bytes of a source that is no text.
    pub fn open(source: &Source) -> Result<Input> {
        match &source.location {
            Location::StandardInput => {
                Input::new(source.name(), Box::new(io::stdin()), None, Progress::default())
            }
            Location::Memory { name, bytes } => {
                Input::new(name.clone(), Box::new(Cursor::new(bytes.clone())), None, Progress::default())
            }
            Location::File(path) | Location::Folder(path) => Input::open_file(path, source.compression),
        }
    }

    pub fn open_file(path: &Path, named: Option<Compression>) -> Result<Input> {
        let name = path.display().to_string();
        let failed = |e| Error::io(&name, e);
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let progress = if metadata.is_file() { Progress::of(metadata.len()) } else { Progress::default() };
        let counted = Counted { inner: file, done: progress.done.clone() };
        Input::new(name, Box::new(counted), named, progress)
    }

    pub fn new(name: String, bytes: Bytes, named: Option<Compression>, progress: Progress) -> Result<Input> {
        let (bytes, compression) = compression::unpack(bytes).map_err(|e| Error::io(&name, e))?;
        let mut input = Input { name, bytes, compression, progress };
        let (start, length) =
            compression::first_bytes::<1>(&mut input.bytes).map_err(|e| input.read_error(e))?;
        let start = start[..length].to_vec();
        input.put_back(&start);
        if let Some(named) = named
            && compression != Some(named)
            && !start.is_empty()
        {
            return Err(input.malformed(format!(
                "the name says {} but the content is not; rename the file, or make it again if it is damaged",
                named.name()
            )));
        }
        Ok(input)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Fills the buffer as far as one read does; 0 is the end.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.bytes.read(buffer) {
                Ok(n) => return Ok(n),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.read_error(e)),
            }
        }
    }

    fn read_error(&self, error: io::Error) -> Error {
        use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
        let Some(compression) = self.compression else { return Error::io(&self.name, error) };
        match error.kind() {
            UnexpectedEof => self.malformed(format!(
                "the {} data end too early: the file is cut off; copy or download it again",
                compression.name()
            )),
            Other if error.to_string().contains("requires too much memory") => self.malformed(
                "the zstd data were packed with a window of more than 128 MiB; unpack them first (zstd -d --long=31), or pack without --long=28 and more".into(),
            ),
            InvalidData | InvalidInput | Other => self.malformed(format!(
                "the {} data are damaged ({error}); copy or download the file again",
                compression.name()
            )),
            _ => Error::io(&self.name, error),
        }
    }

    /// The same input, whose unpacked bytes pass through another reader.
    pub fn through(mut self, wrap: impl FnOnce(Bytes) -> Bytes) -> Input {
        let bytes = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        self.bytes = wrap(bytes);
        self
    }

    fn put_back(&mut self, start: &[u8]) {
        let rest = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        self.bytes = Box::new(Cursor::new(start.to_vec()).chain(rest));
    }

    fn malformed(&self, problem: String) -> Error {
        Error::Malformed { source_name: self.name.clone(), line: None, problem }
    }

    /// The same input as UTF-8 without a byte order mark. A mark tells more of the encoding than its name does.
    pub fn into_text(mut self, encoding: Option<Encoding>) -> Result<Input> {
        let (start, length) = compression::first_bytes::<{ signature::LENGTH }>(&mut self.bytes)
            .map_err(|e| self.read_error(e))?;
        if let Some(what) = signature::told(&start[..length]) {
            return Err(self.malformed(format!("it holds no text but {what}")));
        }
        let (mark, encoding) = match &start[..length] {
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => {
                return Err(self.malformed(
                    "the text is UTF-32; save it as UTF-8 (for example: iconv -f UTF-32 -t UTF-8)".into(),
                ));
            }
            [0xff, 0xfe, ..] => (2, Some(Encoding::UTF_16LE)),
            [0xfe, 0xff, ..] => (2, Some(Encoding::UTF_16BE)),
            [0xef, 0xbb, 0xbf, ..] => (3, None),
            _ => (0, encoding),
        };
        self.put_back(&start[mark..length]);
        if let Some(encoding) = encoding.filter(|encoding| !encoding.is_utf8()) {
            self.bytes = Box::new(Decoded::new(self.bytes, encoding));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(bytes: &[u8], named: Option<Compression>) -> Result<String> {
        let bytes = Box::new(Cursor::new(bytes.to_vec()));
        let mut input = Input::new("a".into(), bytes, named, Progress::default())?.into_text(None)?;
        let (mut text, mut buffer) = (Vec::new(), [0; 3]);
        loop {
            match input.read(&mut buffer)? {
                0 => return Ok(String::from_utf8(text).unwrap()),
                n => text.extend(&buffer[..n]),
            }
        }
    }

    fn gzipped(text: &str) -> Vec<u8> {
        let mut packer = compression::Packer::new(Some(Compression::Gzip), Vec::new()).unwrap();
        io::Write::write_all(&mut packer, text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn what_is_no_text_is_told_by_its_name() {
        let message = |bytes: &[u8]| open(bytes, None).unwrap_err().to_string();
        assert_eq!(
            message(b"%PDF-1.4\n"),
            "a: it holds no text but a PDF; save its text as a file of its own"
        );
        assert!(message(&gzipped("\u{7f}ELF")).contains("a program"));
        assert_eq!(open(b"PAR1 is a receptor", None).unwrap(), "PAR1 is a receptor");
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(open("\u{feff}ab".as_bytes(), None).unwrap(), "ab");
        assert_eq!(open(&gzipped("\u{feff}ab"), None).unwrap(), "ab");
        assert_eq!(open("\u{feff}".as_bytes(), None).unwrap(), "");
    }

    #[test]
    fn a_mark_tells_the_encoding() {
        assert_eq!(open(b"\xff\xfea\0\xe9\0", None).unwrap(), "aé");
        assert_eq!(open(b"\xfe\xff\0a\0\xe9", None).unwrap(), "aé");
        for bytes in [&b"\xff\xfe\0\0a\0\0\0"[..], b"\0\0\xfe\xff\0\0\0a"] {
            let message = open(bytes, None).unwrap_err().to_string();
            assert!(message.starts_with("a: the text is UTF-32; save it as UTF-8"), "{message}");
        }
    }

    #[test]
    fn a_window_that_is_too_long_is_no_damage() {
        // A frame header that asks for a window of 2 GiB, and an empty block.
        let message = open(b"\x28\xb5\x2f\xfd\0\xa8\x01\0\0", None).unwrap_err().to_string();
        assert!(message.contains("zstd -d --long=31"), "{message}");
    }

    #[test]
    fn damage_is_told_from_a_wrong_name() {
        let whole = gzipped(&"some words ".repeat(1000));
        let cut = open(&whole[..whole.len() / 2], Some(Compression::Gzip)).unwrap_err().to_string();
        assert!(cut.starts_with("a: the gzip data end too early"), "{cut}");
        let mut damaged = whole.clone();
        let checksum = damaged.len() - 8;
        damaged[checksum] ^= 1;
        let damaged = open(&damaged, Some(Compression::Gzip)).unwrap_err().to_string();
        assert!(damaged.contains("damaged"), "{damaged}");
        let plain = open(b"plain", Some(Compression::Zstd)).unwrap_err().to_string();
        assert!(plain.starts_with("a: the name says zstd but the content is not"), "{plain}");
    }
}
