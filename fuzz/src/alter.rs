//! Ways to alter a file: as bytes, as text of lines and cells, as packed data.

use std::io::Write;

use rand::RngExt;
use rand_pcg::Pcg64;

/// One of them.
pub fn one_of<'a, T: ?Sized>(rng: &mut Pcg64, all: &[&'a T]) -> &'a T {
    all[rng.random_range(0..all.len())]
}

/// Integers at which sizes, signs and offsets go wrong.
pub const EDGES: [u64; 18] = [
    0,
    1,
    2,
    7,
    8,
    127,
    128,
    255,
    256,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1 << 40,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// Numbers as people and programs write them, and as nobody should.
pub const NUMBERS: [&str; 26] = [
    "0",
    "-0",
    "1",
    "-1",
    "0.1",
    "1e5",
    "1e308",
    "-1e308",
    "1e309",
    "1e-320",
    "1e-400",
    "NaN",
    "nan",
    "inf",
    "-Infinity",
    "00",
    "0x1f",
    "1_000",
    "1,5",
    "2147483648",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999999",
    "1e99999999999",
    "\u{663}",
    "+5",
];

/// Text that ends quotes, rows and files, or makes a terminal obey.
pub const TEXTS: [&str; 20] = [
    "",
    " ",
    "\"",
    "\"\"",
    "'",
    "\\",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\t",
    ",",
    ";",
    "\u{feff}",
    "\u{1b}[2J",
    "=1+1",
    "\u{202e}",
    "a\u{301}",
    "\u{10ffff}",
    "NULL",
];

fn range(rng: &mut Pcg64, length: usize) -> std::ops::Range<usize> {
    let start = rng.random_range(0..=length);
    let most = (length - start).min(if rng.random_bool(0.8) { 16 } else { 4096 });
    start..start + rng.random_range(0..=most)
}

/// Bytes without any idea of what they mean; `tail` is how often the last quarter is hit, where formats keep their
/// directories.
pub fn bytes(rng: &mut Pcg64, file: &mut Vec<u8>, tail: f64) {
    if file.is_empty() {
        file.push(rng.random());
        return;
    }
    let length = file.len();
    let from = if rng.random_bool(tail) { length - length.div_ceil(4) } else { 0 };
    let at = rng.random_range(from..length);
    match rng.random_range(0..9) {
        0 => file[at] ^= 1 << rng.random_range(0..8),
        1 => file[at] = rng.random(),
        2 => {
            let edge = EDGES[rng.random_range(0..EDGES.len())];
            let width = [1, 2, 4, 8][rng.random_range(0..4)].min(length - at);
            let little = edge.to_le_bytes();
            let big = &edge.to_be_bytes()[8 - width..];
            file[at..at + width].copy_from_slice(if rng.random_bool(0.8) { &little[..width] } else { big });
        }
        3 => file.truncate(at),
        4 => {
            let gone = range(rng, length);
            file.drain(gone);
        }
        5 => {
            let copied = file[range(rng, length)].to_vec();
            file.splice(at..at, copied);
        }
        6 => {
            let copied = file[range(rng, length)].to_vec();
            let end = (at + copied.len()).min(length);
            file[at..end].copy_from_slice(&copied[..end - at]);
        }
        7 => {
            let filled = range(rng, length);
            let value = [0, 0xff, 0x80, b'['][rng.random_range(0..4)];
            file[filled].fill(value);
        }
        _ => file[at] = file[at].wrapping_add([1, 255, 2, 254][rng.random_range(0..4)]),
    }
}

/// Text as lines of cells; `words` are those that mean something in this format.
pub fn text(rng: &mut Pcg64, file: &mut Vec<u8>, words: &[&str]) {
    let piece = |rng: &mut Pcg64| match rng.random_range(0..4) {
        0 => one_of(rng, &NUMBERS).as_bytes(),
        1 if !words.is_empty() => one_of(rng, words).as_bytes(),
        _ => one_of(rng, &TEXTS).as_bytes(),
    };
    match rng.random_range(0..10) {
        0 | 1 => {
            let at = rng.random_range(0..=file.len());
            let new = piece(rng).to_vec();
            file.splice(at..at, new);
        }
        2..=4 => {
            let new = piece(rng).to_vec();
            if let Some(cell) = any_run(rng, file, |b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
            {
                file.splice(cell, new);
            }
        }
        5 | 6 => lines(rng, file),
        7 => {
            // Deep nesting and long runs.
            let at = rng.random_range(0..=file.len());
            let unit = if rng.random_bool(0.5) {
                one_of(rng, &["[", "{\"a\":", "(", "<a>", "\"", "a", "1 ", ","])
            } else {
                one_of(rng, &TEXTS)
            };
            let times = [3, 200, 20_000][rng.random_range(0..3)];
            file.splice(at..at, unit.repeat(times).into_bytes());
        }
        _ => bytes(rng, file, 0.25),
    }
}

/// A run of such bytes, found from a random place on.
fn any_run(rng: &mut Pcg64, file: &[u8], is_in: impl Fn(u8) -> bool) -> Option<std::ops::Range<usize>> {
    let from = rng.random_range(0..=file.len());
    let start = (from..file.len()).find(|&at| is_in(file[at]))?;
    let end = (start..file.len()).find(|&at| !is_in(file[at])).unwrap_or(file.len());
    Some(start..end)
}

/// Lines are not repeated beyond so many bytes: a file that grows with every change tells nothing of its reader.
const LARGEST: usize = 1 << 20;

fn lines(rng: &mut Pcg64, file: &mut Vec<u8>) {
    let mut all: Vec<Vec<u8>> = file.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    if all.is_empty() {
        return;
    }
    let (a, b) = (rng.random_range(0..all.len()), rng.random_range(0..all.len()));
    match rng.random_range(0..5) {
        0 => all.swap(a, b),
        1 => drop(all.remove(a)),
        2 => all.insert(b, all[a].clone()),
        3 => {
            let other = all[b].clone();
            all[a].extend_from_slice(&other);
        }
        _ => {
            let line = all[a].clone();
            let times = rng.random_range(1..300).min(LARGEST / line.len().max(1));
            all.splice(b..b, std::iter::repeat_n(line, times));
        }
    }
    *file = all.concat();
}

/// The file in another encoding or packed, sometimes with damage to the packing itself.
pub fn wrap(rng: &mut Pcg64, file: Vec<u8>) -> Vec<u8> {
    let mut wrapped = match rng.random_range(0..6) {
        0 => {
            let text = String::from_utf8_lossy(&file);
            let mark = [0xff, 0xfe];
            mark.into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
        }
        1 => [b"\xef\xbb\xbf", &file[..]].concat(),
        2 => packed(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()), &file, |p| {
            p.finish()
        }),
        3 => packed(bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast()), &file, |p| {
            p.finish()
        }),
        _ => zstd::encode_all(&file[..], 1).unwrap_or(file),
    };
    if rng.random_bool(0.5) {
        bytes(rng, &mut wrapped, 0.5);
    }
    wrapped
}

fn packed<W: Write>(
    mut packer: W,
    file: &[u8],
    finish: impl FnOnce(W) -> std::io::Result<Vec<u8>>,
) -> Vec<u8> {
    packer.write_all(file).and_then(|()| finish(packer)).unwrap_or_default()
}
