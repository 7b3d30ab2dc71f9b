//! Word pieces of plain words, looked up without the tokenizer: its own way to one word is long, and most words of a text
//! are plain ASCII.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use serde_json::Value;
use tokenizers::{ModelWrapper, Tokenizer};

/// The longest known piece that a word begins with, then the longest that what is left begins with, and so on.
pub struct WordPiece {
    /// What words begin with.
    first: Pieces,
    /// What words go on with.
    next: Pieces,
    unknown: Option<u32>,
    lower_case: bool,
    longest_word: usize,
}

#[derive(Default)]
struct Pieces {
    numbers: HashMap<Box<[u8]>, u32, FixedState>,
    longest: usize,
}

impl Pieces {
    fn insert(&mut self, piece: &str, number: u32) {
        self.longest = self.longest.max(piece.len());
        self.numbers.insert(piece.as_bytes().into(), number);
    }

    /// The longest piece that these bytes begin with.
    fn longest_of(&self, bytes: &[u8]) -> Option<(usize, u32)> {
        let most = self.longest.min(bytes.len());
        (1..=most).rev().find_map(|end| self.numbers.get(&bytes[..end]).map(|number| (end, *number)))
    }
}

impl WordPiece {
    /// None where words do not come to the model as they stand, in lower case or not.
    pub fn of(json: &Value, tokenizer: &Tokenizer, unknown: Option<u32>) -> Option<WordPiece> {
        let ModelWrapper::WordPiece(model) = tokenizer.get_model() else { return None };
        let cutter = json["pre_tokenizer"]["type"].as_str()?;
        if !["BertPreTokenizer", "Whitespace", "WhitespaceSplit"].contains(&cutter) {
            return None;
        }
        let (mut first, mut next) = (Pieces::default(), Pieces::default());
        for (piece, number) in tokenizer.get_vocab(false).into_iter().filter(|(piece, _)| piece.is_ascii()) {
            if let Some(rest) = piece.strip_prefix(&model.continuing_subword_prefix) {
                next.insert(rest, number);
            }
            first.insert(&piece, number);
        }
        let (lower_case, longest_word) = (lower_case(&json["normalizer"])?, model.max_input_chars_per_word);
        Some(WordPiece { first, next, unknown, lower_case, longest_word })
    }

    /// The tokens of a word of ASCII letters or of marks; none where a part of it is no known piece.
    pub fn tokens(&self, word: &str, out: &mut Vec<u32>) {
        let small;
        let mut rest = word.as_bytes();
        if self.lower_case && rest.iter().any(u8::is_ascii_uppercase) {
            small = rest.to_ascii_lowercase();
            rest = &small;
        }
        if rest.len() > self.longest_word {
            return;
        }
        let (start, mut pieces) = (out.len(), &self.first);
        while !rest.is_empty() {
            let Some((end, number)) = pieces.longest_of(rest) else {
                out.truncate(start);
                return;
            };
            out.extend(Some(number).filter(|number| Some(*number) != self.unknown));
            (rest, pieces) = (&rest[end..], &self.next);
        }
    }
}

/// Whether ASCII loses its capitals; none where something else may become of it.
fn lower_case(normalizer: &Value) -> Option<bool> {
    if normalizer.is_null() {
        return Some(false);
    }
    match normalizer["type"].as_str()? {
        "Lowercase" => Some(true),
        "BertNormalizer" => normalizer["lowercase"].as_bool(),
        "NFC" | "NFD" | "NFKC" | "NFKD" | "StripAccents" => Some(false),
        "Sequence" => {
            let mut several = normalizer["normalizers"].as_array()?.iter();
            several.try_fold(false, |lower, one| Some(lower | lower_case(one)?))
        }
        _ => None,
    }
}
