//! What a file that should be text turns out to be, by its first bytes.

use crate::database::SQLITE_MAGIC;

/// So many bytes tell.
pub(crate) const LENGTH: usize = 24;

/// How files begin that are no text, what they are, and what to do with them. Letters alone would not tell: a text may
/// begin with any word.
const KNOWN: [(&[u8], &str); 12] = [
    (SQLITE_MAGIC, "a SQLite base; give it as a database of related tables, or export the table"),
    (b"PAR1\x15", "a Parquet file; call it .parquet"),
    (b"ARROW1\0\0", "an Arrow file; call it .arrow"),
    (b"\x93NUMPY", "an array of NumPy; call it .npy"),
    (b"PK\x03\x04", "a ZIP archive or a workbook; unpack it, or call it .xlsx if it is one"),
    (b"7z\xbc\xaf", "a 7z archive; unpack it first"),
    (b"\xd0\xcf\x11\xe0", "a file of an old Office program; save it as .xlsx or CSV"),
    (b"%PDF-1.", "a PDF; save its text as a file of its own"),
    (b"%PDF-2.", "a PDF; save its text as a file of its own"),
    (b"\x89PNG\r\n", "a picture; give a file of rows"),
    (b"\xff\xd8\xff", "a picture; give a file of rows"),
    (b"\x7fELF", "a program; give a file of rows"),
];

/// A model begins with the length of its header, which begins so.
const MODEL: &[u8] = b"{\"__metadata__\"";

/// What the file is instead of text, and what to do with it.
pub(crate) fn told(start: &[u8]) -> Option<&'static str> {
    if start.get(8..).is_some_and(|header| header.starts_with(MODEL)) {
        return Some("a model; the rows to score or to learn from stand in another file");
    }
    KNOWN.iter().find(|(signature, _)| start.starts_with(signature)).map(|(_, what)| *what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_signature() {
        for text in ["PAR1 is a receptor\n", "ARROW1,b\n", "%PDF is a format\n", "PK,SQLite format 3\n", ""] {
            assert_eq!(told(text.as_bytes()), None, "{text}");
        }
        let model = [&64u64.to_le_bytes()[..], b"{\"__metadata__\":{\"likewise\""].concat();
        assert!(told(&model[..LENGTH]).unwrap().starts_with("a model"));
        assert!(told(b"SQLite format 3\0\x10\0").unwrap().contains("SQLite"));
    }
}
