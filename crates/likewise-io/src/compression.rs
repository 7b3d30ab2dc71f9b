//! gzip, zstd, bzip2 and xz, by name and by their first bytes. The first two are also written.

use std::ffi::OsString;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::Path;

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use lzma_rust2::XzReader;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

const READ_AHEAD: usize = 256 * 1024;

impl Compression {
    /// What the name says, and the name without that.
    pub fn of_name(path: &Path) -> (Option<Compression>, OsString) {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let compression = match extension.as_deref() {
            Some("gz") => Compression::Gzip,
            Some("zst") => Compression::Zstd,
            Some("bz2") => Compression::Bzip2,
            Some("xz") => Compression::Xz,
            _ => return (None, path.file_name().unwrap_or_default().into()),
        };
        (Some(compression), path.file_stem().unwrap_or_default().into())
    }

    /// No text starts with these bytes, nor does Parquet.
    fn of_start(start: &[u8]) -> Option<Compression> {
        match start {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Compression::Zstd),
            // A block starts with the digits of pi, the end of an empty file with those of its root.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41] | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72] => {
                Some(Compression::Bzip2)
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0] => Some(Compression::Xz),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
        }
    }

    pub fn is_written(self) -> bool {
        matches!(self, Compression::Gzip | Compression::Zstd)
    }
}

/// What a file of xz may ask of our memory, in KiB; `xz -9` asks for a tenth.
const XZ_MEMORY: u32 = 1 << 20;

pub(crate) type Bytes = Box<dyn Read + Send>;

/// Looks at the first bytes and unpacks what is packed. Says how it was packed.
pub(crate) fn unpack(mut input: Bytes) -> io::Result<(Bytes, Option<Compression>)> {
    let (start, length) = first_bytes::<6>(&mut input)?;
    let start = &start[..length];
    let found = Compression::of_start(start);
    let input = BufReader::with_capacity(READ_AHEAD, Cursor::new(start.to_vec()).chain(input));
    Ok(match found {
        None => (Box::new(input), found),
        Some(Compression::Gzip) => (Box::new(MultiGzDecoder::new(input)), found),
        Some(Compression::Zstd) => (Box::new(zstd::Decoder::with_buffer(input)?), found),
        Some(Compression::Bzip2) => (Box::new(MultiBzDecoder::new(input)), found),
        Some(Compression::Xz) => (Box::new(XzReader::new_mem_limit(input, true, XZ_MEMORY)), found),
    })
}

/// The bytes of a file, unpacked where they are packed.
pub fn open_unpacked(path: &Path) -> crate::Result<Box<dyn Read + Send>> {
    let failed = |error| crate::Error::io(path.display().to_string(), error);
    let file = std::fs::File::open(path).map_err(failed)?;
    Ok(unpack(Box::new(file)).map_err(failed)?.0)
}

/// Up to `N` bytes, fewer where the input is shorter.
pub(crate) fn first_bytes<const N: usize>(input: &mut Bytes) -> io::Result<([u8; N], usize)> {
    let mut start = [0; N];
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
            Some(other) => return Err(io::Error::other(format!("{} is only read", other.name()))),
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
    fn what_others_pack_is_unpacked() {
        // Made by Python's bz2 and lzma from `refund please\n`, twice one after the other.
        let bzip2 = b"\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x73\xfb\x2d\xfd\x00\x00\x05\xd1\x80\x00\x10\x40\x00\x27\x05\x5a\x00\x20\x00\x31\x03\x40\xd0\x20\x34\x0d\x00\x35\x9c\x20\xf6\xe9\xef\x17\x72\x45\x38\x50\x90\x73\xfb\x2d\xfd";
        let xz = b"\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\x01\x00\x0d\x72\x65\x66\x75\x6e\x64\x20\x70\x6c\x65\x61\x73\x65\x0a\x00\x00\x00\x28\xb1\xb0\xdf\xb9\x2b\x2e\x4d\x00\x01\x26\x0e\x08\x1b\xe0\x04\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a";
        for (bytes, compression) in [(&bzip2[..], Compression::Bzip2), (&xz[..], Compression::Xz)] {
            let twice = [bytes, bytes].concat();
            let (mut input, found) = unpack(Box::new(Cursor::new(twice.clone()))).unwrap();
            let mut text = String::new();
            input.read_to_string(&mut text).unwrap();
            assert_eq!((text.as_str(), found), ("refund please\nrefund please\n", Some(compression)));
            for length in 6..bytes.len() {
                let cut = unpack(Box::new(Cursor::new(twice[..length].to_vec())));
                assert!(cut.and_then(|(mut cut, _)| cut.read_to_end(&mut Vec::new())).is_err(), "{length}");
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
