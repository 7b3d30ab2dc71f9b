//! gzip and zstd, by name and by their first bytes.

use std::ffi::OsString;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
}

const READ_AHEAD: usize = 256 * 1024;

impl Compression {
    /// What the name says, and the name without that.
    pub fn of_name(path: &Path) -> (Option<Compression>, OsString) {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let compression = match extension.as_deref() {
            Some("gz") => Compression::Gzip,
            Some("zst") => Compression::Zstd,
            _ => return (None, path.file_name().unwrap_or_default().into()),
        };
        (Some(compression), path.file_stem().unwrap_or_default().into())
    }

    /// No text starts with these bytes, nor does Parquet.
    fn of_start(start: &[u8]) -> Option<Compression> {
        match start {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Some(Compression::Zstd),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }
}

pub(crate) type Bytes = Box<dyn Read + Send>;

/// Looks at the first bytes and unpacks what is packed. Says how it was packed.
pub(crate) fn unpack(mut input: Bytes) -> io::Result<(Bytes, Option<Compression>)> {
    let (start, length) = first_bytes(&mut input)?;
    let start = &start[..length];
    let found = Compression::of_start(start);
    let input = BufReader::with_capacity(READ_AHEAD, Cursor::new(start.to_vec()).chain(input));
    Ok(match found {
        None => (Box::new(input), found),
        Some(Compression::Gzip) => (Box::new(MultiGzDecoder::new(input)), found),
        Some(Compression::Zstd) => (Box::new(zstd::Decoder::with_buffer(input)?), found),
    })
}

/// The bytes of a file, unpacked where they are packed.
pub fn open_unpacked(path: &Path) -> crate::Result<Box<dyn Read + Send>> {
    let failed = |error| crate::Error::io(path.display().to_string(), error);
    let file = std::fs::File::open(path).map_err(failed)?;
    Ok(unpack(Box::new(file)).map_err(failed)?.0)
}

/// Up to four bytes, fewer where the input is shorter.
pub(crate) fn first_bytes(input: &mut Bytes) -> io::Result<([u8; 4], usize)> {
    let mut start = [0; 4];
    let mut length = 0;
    while length < start.len() {
        match input.read(&mut start[length..]) {
            Ok(0) => break,
            Ok(n) => length += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok((start, length))
}

/// Packs what is written into it.
pub(crate) enum Packer<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Packer<W> {
    pub fn new(compression: Option<Compression>, out: W) -> io::Result<Self> {
        Ok(match compression {
            None => Packer::Plain(out),
            Some(Compression::Gzip) => Packer::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Some(Compression::Zstd) => {
                Packer::Zstd(zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
        })
    }

    /// Writes the end of the packed data.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Packer::Plain(out) => Ok(out),
            Packer::Gzip(out) => out.finish(),
            Packer::Zstd(out) => out.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Packer::Plain(out) => out.write(bytes),
            Packer::Gzip(out) => out.write(bytes),
            Packer::Zstd(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Packer::Plain(out) => out.flush(),
            Packer::Gzip(out) => out.flush(),
            Packer::Zstd(out) => out.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(compression: Option<Compression>, bytes: &[u8]) -> Vec<u8> {
        let mut packer = Packer::new(compression, Vec::new()).unwrap();
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn what_is_packed_is_recognised_and_unpacked() {
        for compression in [None, Some(Compression::Gzip), Some(Compression::Zstd)] {
            for bytes in ["", "x", "a,b\n1,2\n"] {
                let (mut input, found) =
                    unpack(Box::new(Cursor::new(packed(compression, bytes.as_bytes())))).unwrap();
                let mut text = String::new();
                input.read_to_string(&mut text).unwrap();
                assert_eq!((text.as_str(), found), (bytes, compression));
            }
        }
    }

    #[test]
    fn several_packed_files_in_a_row_are_one() {
        for compression in [Compression::Gzip, Compression::Zstd] {
            let mut both = packed(Some(compression), b"one\n");
            both.extend(packed(Some(compression), b"two\n"));
            let mut text = String::new();
            unpack(Box::new(Cursor::new(both))).unwrap().0.read_to_string(&mut text).unwrap();
            assert_eq!(text, "one\ntwo\n");
        }
    }
}
