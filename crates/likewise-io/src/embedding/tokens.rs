//! Text → numbers of tokens, as a tokenizer.json says.
//!
//! A tokenizer takes long over a word, and texts are made of few words. Where it cuts at spaces first, what lies between
//! two spaces has the same tokens wherever it stands, and is looked up after the first time. Where it cuts at
//! punctuation too, a word is the same with a comma behind it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;

use foldhash::fast::FixedState;
use serde_json::Value;
use tokenizers::Tokenizer;

use super::word_piece::WordPiece;
use crate::guard::guarded;

pub struct Tokens {
    tokenizer: Tokenizer,
    unknown: Option<u32>,
    /// What each byte is to the cut; none where a text must stay whole.
    classes: Option<[u8; 256]>,
    /// Where plain words need no tokenizer.
    word_piece: Option<WordPiece>,
    /// What threads have seen so far; each takes one while it works.
    seen: Mutex<Vec<Seen>>,
}

/// Words that were looked at, and their tokens.
#[derive(Default)]
struct Seen {
    /// Of up to 15 bytes, as one number.
    short: HashMap<u128, Range<u32>, FixedState>,
    long: HashMap<Box<str>, Range<u32>, FixedState>,
    tokens: Vec<u32>,
}

/// Where a tokenizer cuts a text before it looks at the words.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cuts {
    /// At spaces.
    Spaces,
    /// Between letters and others too.
    Runs,
    /// On both sides of every punctuation mark too.
    Punctuation,
}

const SPACE: u8 = 0;
/// Stays together with its like.
const LETTER: u8 = 1;
/// Stays together with its like and apart from letters.
const MARK: u8 = 2;
/// Stands alone.
const LONE_MARK: u8 = 4;
/// Outside ASCII a mark may change what stands before it, letters may change their number, and added tokens are found
/// before anything is cut: a word with one of these stays whole.
const OTHER: u8 = 8;

/// No more words are remembered: those that come late are rare.
const MOST_WORDS: usize = 1 << 20;
/// Pieces become a tree, a level for each byte, which is taken down level by level within one another: a piece of some
/// ten thousand bytes would overflow the stack. No language has pieces near as long.
const LONGEST_PIECE: usize = 1 << 10;
/// A longer word hardly comes again.
const LONGEST_WORD: usize = 64;

impl Tokens {
    pub fn parse(bytes: &[u8]) -> Result<Tokens, String> {
        let wrong =
            |problem: String| format!("cannot be read as a tokenizer ({problem}); save the model again");
        let json: Value = serde_json::from_slice(bytes).map_err(|e| wrong(e.to_string()))?;
        let pieces = json["model"]["vocab"].as_array().into_iter().flatten();
        let longest = pieces.filter_map(|piece| piece[0].as_str()).map(str::len).max().unwrap_or(0);
        if longest > LONGEST_PIECE {
            return Err(wrong(format!("a piece of its vocabulary has {longest} bytes")));
        }
        // What was looked at, and not the file, which may say a thing twice.
        let looked_at = serde_json::to_vec(&json).map_err(|e| wrong(e.to_string()))?;
        let mut tokenizer = guarded(|| Tokenizer::from_bytes(&looked_at)).map_err(wrong)?;
        tokenizer.with_padding(None);
        guarded(|| tokenizer.with_truncation(None).map(|_| ())).map_err(wrong)?;
        let model = &json["model"];
        let named = model["unk_token"].as_str().and_then(|token| tokenizer.token_to_id(token));
        let unknown = named.or(model["unk_id"].as_u64().and_then(|id| u32::try_from(id).ok()));
        let classes = cuts(&json).map(|cuts| classes(cuts, &json));
        let word_piece = classes.and_then(|_| WordPiece::of(&json, &tokenizer, unknown));
        Ok(Tokens { tokenizer, unknown, classes, word_piece, seen: Mutex::default() })
    }

    /// One more than the largest number of a token.
    pub fn len(&self) -> usize {
        self.tokenizer.get_vocab(true).into_values().max().map_or(0, |id| id as usize + 1)
    }

    /// Calls `each` with the place of a text and the tokens of it or of a part of it, in their order.
    pub fn each(&self, texts: &[&str], mut each: impl FnMut(usize, &[u32])) {
        let Some(classes) = &self.classes else {
            texts.iter().enumerate().for_each(|(at, text)| each(at, &self.of(text)));
            return;
        };
        let pool = || self.seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut seen = pool().pop().unwrap_or_default();
        for (at, text) in texts.iter().enumerate() {
            pieces(text, classes, |piece| seen.tokens_of(piece, self, |tokens| each(at, tokens)));
        }
        pool().push(seen);
    }

    /// The same of what no cut goes through.
    fn of_piece(&self, piece: Piece<'_>, out: &mut Vec<u32>) {
        match &self.word_piece {
            Some(word_piece) if piece.is_plain => word_piece.tokens(piece.text, out),
            _ => out.extend(self.of(piece.text)),
        }
    }

    /// All but those that stand for what is unknown. What the tokenizer cannot take has none.
    fn of(&self, text: &str) -> Vec<u32> {
        let found = guarded(|| self.tokenizer.encode_fast(text, false));
        let mut tokens = found.map_or_else(|_| Vec::new(), |found| found.get_ids().to_vec());
        tokens.retain(|token| Some(*token) != self.unknown);
        tokens
    }
}

/// What has the same tokens wherever it stands.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    /// Whether it is ASCII and nothing in it is cut.
    is_plain: bool,
}

/// Calls `each` with the pieces of a text, in order.
#[inline]
fn pieces<'a>(text: &'a str, classes: &[u8; 256], mut each: impl FnMut(Piece<'a>)) {
    let bytes = text.as_bytes();
    let class = |at: usize| classes[bytes[at] as usize];
    let mut at = 0;
    while at < bytes.len() {
        if class(at) == SPACE {
            at += 1;
            continue;
        }
        let (word, mut within) = (at, 0);
        while at < bytes.len() && class(at) != SPACE {
            within |= class(at);
            at += 1;
        }
        if within == LETTER || within & OTHER != 0 {
            each(Piece { text: &text[word..at], is_plain: within == LETTER });
            continue;
        }
        let mut start = word;
        for end in word + 1..at {
            if class(end) != class(end - 1) || class(end) == LONE_MARK {
                each(Piece { text: &text[start..end], is_plain: true });
                start = end;
            }
        }
        each(Piece { text: &text[start..at], is_plain: true });
    }
}

impl Seen {
    #[inline]
    fn tokens_of(&mut self, piece: Piece<'_>, tokens: &Tokens, mut each: impl FnMut(&[u32])) {
        let key = packed(piece.text.as_bytes());
        let known = match key {
            Some(key) => self.short.get(&key),
            None => self.long.get(piece.text),
        };
        if let Some(known) = known {
            return each(&self.tokens[known.start as usize..known.end as usize]);
        }
        let start = self.tokens.len();
        tokens.of_piece(piece, &mut self.tokens);
        each(&self.tokens[start..]);
        self.remember(piece.text, key, start);
    }

    /// Keeps the tokens from `start` on as those of the word.
    fn remember(&mut self, word: &str, key: Option<u128>, start: usize) {
        if word.len() > LONGEST_WORD || self.short.len() + self.long.len() >= MOST_WORDS {
            self.tokens.truncate(start);
            return;
        }
        let range = start as u32..self.tokens.len() as u32;
        match key {
            Some(key) => self.short.insert(key, range),
            None => self.long.insert(word.into(), range),
        };
    }
}

/// A word of up to 15 bytes and its length as one number; two words that overlap are read where a loop would take longer.
#[inline]
fn packed(word: &[u8]) -> Option<u128> {
    let length = word.len();
    let bytes = match length {
        0..4 => word.iter().rev().fold(0, |all, byte| (all << 8) | u128::from(*byte)),
        4..8 => {
            let (low, high) =
                (u32::from_le_bytes(*word.first_chunk()?), u32::from_le_bytes(*word.last_chunk()?));
            u128::from(low) | u128::from(high) << (8 * (length - 4))
        }
        8..16 => {
            let (low, high) =
                (u64::from_le_bytes(*word.first_chunk()?), u64::from_le_bytes(*word.last_chunk()?));
            u128::from(low) | u128::from(high) << (8 * (length - 8))
        }
        _ => return None,
    };
    Some(bytes | (length as u128) << 120)
}

/// What a regular expression calls `\w`.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where it cuts so that what lies between has the same tokens whatever stands around it.
fn cuts(json: &Value) -> Option<Cuts> {
    let kind = |part: &Value| part["type"].as_str().unwrap_or_default().to_string();
    let cutter = &json["pre_tokenizer"];
    let first = if kind(cutter) == "Sequence" { &cutter["pretokenizers"][0] } else { cutter };
    let cuts = match kind(first).as_str() {
        "BertPreTokenizer" => Cuts::Punctuation,
        "Whitespace" => Cuts::Runs,
        "WhitespaceSplit" => Cuts::Spaces,
        _ => return None,
    };
    let spaceless = |part: &Value| {
        let known = ["BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "StripAccents"];
        part.is_null() || known.contains(&kind(part).as_str())
    };
    let normalizer = &json["normalizer"];
    let local = match normalizer["normalizers"].as_array() {
        Some(several) if kind(normalizer) == "Sequence" => several.iter().all(spaceless),
        _ => spaceless(normalizer),
    };
    let added = json["added_tokens"].as_array().into_iter().flatten();
    let spaced =
        |token: &Value| token["content"].as_str().is_none_or(|text| text.contains(char::is_whitespace));
    (local && !added.into_iter().any(spaced)).then_some(cuts)
}

/// What each byte is to this cut.
fn classes(cuts: Cuts, json: &Value) -> [u8; 256] {
    let class = |byte: u8| match byte {
        b' ' | b'\t' | b'\n' | b'\r' => SPACE,
        _ if !byte.is_ascii() || byte.is_ascii_control() => OTHER,
        _ => match cuts {
            Cuts::Spaces => LETTER,
            Cuts::Runs if in_word(byte) => LETTER,
            Cuts::Runs => MARK,
            Cuts::Punctuation if byte.is_ascii_punctuation() => LONE_MARK,
            Cuts::Punctuation => LETTER,
        },
    };
    let mut classes: [u8; 256] = std::array::from_fn(|byte| class(byte as u8));
    for token in json["added_tokens"].as_array().into_iter().flatten() {
        if let Some(first) = token["content"].as_str().and_then(|text| text.bytes().next()) {
            classes[first.to_ascii_lowercase() as usize] = OTHER;
            classes[first.to_ascii_uppercase() as usize] = OTHER;
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn word_piece(pre_tokenizer: Value) -> Value {
        let words = ["[UNK]", "refund", "##s", "money", "!", "cafe", "back"];
        let vocabulary: serde_json::Map<String, Value> =
            words.iter().enumerate().map(|(id, word)| (word.to_string(), json!(id))).collect();
        json!({
            "version": "1.0",
            "added_tokens": [{ "id": 0, "content": "[UNK]", "single_word": false, "lstrip": false,
                "rstrip": false, "normalized": false, "special": true }],
            "normalizer": { "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                "strip_accents": null, "lowercase": true },
            "pre_tokenizer": pre_tokenizer,
            "model": { "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                "max_input_chars_per_word": 100, "vocab": vocabulary },
        })
    }

    fn tokens(json: &Value, text: &str) -> Vec<u32> {
        let tokens = Tokens::parse(json.to_string().as_bytes()).unwrap();
        let mut found = Vec::new();
        // Twice, since the second time it is looked up.
        tokens.each(&[text, text], |_, some| found.extend_from_slice(some));
        let half = found.len() / 2;
        assert_eq!(found[..half], found[half..]);
        found.truncate(half);
        found
    }

    #[test]
    fn words_that_are_looked_up_have_the_tokens_of_the_whole_text() {
        let json = word_piece(json!({ "type": "BertPreTokenizer" }));
        assert_eq!(cuts(&json), Some(Cuts::Punctuation));
        for text in [
            "Refunds!! MONEY  back",
            "café\tcafe\nrefund [UNK] unheard",
            "money,refund's-\u{1}back refunds[UNK]money (money)... =\u{338}refund",
            "refund\u{a0}money\u{b}back\u{200d}s 退款money",
            " ",
            "",
        ] {
            let whole = Tokens::parse(json.to_string().as_bytes()).unwrap().of(text);
            assert_eq!(tokens(&json, text), whole, "{text}");
        }
        assert_eq!(tokens(&json, "Refunds! unheard café"), [1, 2, 4, 5]);
    }

    /// A tokenizer whose pieces are so short that words of a few letters have several, or none.
    fn short_pieces(normalizer: Value, cutter: &str, prefix: &str) -> Value {
        let pieces = [
            "a", "b", "ab", "##a", "##b", "##ba", "#", "##", "!", "!!", "#a", "e", "é", "##e", "A", "a_b",
            "退",
        ];
        let vocabulary: serde_json::Map<String, Value> = std::iter::once("[UNK]")
            .chain(pieces)
            .zip(0..)
            .map(|(piece, id)| (piece.into(), json!(id)))
            .collect();
        let mut json = word_piece(json!({ "type": cutter }));
        json["normalizer"] = normalizer;
        json["model"]["vocab"] = vocabulary.into();
        json["model"]["continuing_subword_prefix"] = json!(prefix);
        json["model"]["max_input_chars_per_word"] = json!(6);
        json
    }

    proptest! {
        #[test]
        fn any_text_has_the_tokens_that_the_tokenizer_gives_it(
            text in "[abABeés#!_,. \\t\\n\\x00\\x0b\\x7f\\[\\]UNK退\u{301}\u{a0}\u{200d}İß]{0,24}",
            cutter in prop::sample::select(vec!["BertPreTokenizer", "Whitespace", "WhitespaceSplit"]),
            prefix in prop::sample::select(vec!["##", ""]),
            bert in prop::sample::select(vec![Some(true), Some(false), None]),
        ) {
            let normalizer = match bert {
                Some(lowercase) => json!({ "type": "BertNormalizer", "clean_text": true,
                    "handle_chinese_chars": true, "strip_accents": null, "lowercase": lowercase }),
                None => json!({ "type": "Sequence", "normalizers": [{ "type": "NFD" }, { "type": "StripAccents" },
                    { "type": "Lowercase" }] }),
            };
            let json = short_pieces(normalizer, cutter, prefix);
            let parsed = Tokens::parse(json.to_string().as_bytes()).unwrap();
            prop_assert!(parsed.word_piece.is_some());
            prop_assert_eq!(tokens(&json, &text), parsed.of(&text), "{}", json);
        }

        #[test]
        fn words_of_up_to_15_bytes_are_one_number_each(a in "[ab\\x00]{0,17}", b in "[ab\\x00]{0,17}") {
            let [one, other] = [&a, &b].map(|word| packed(word.as_bytes()));
            prop_assert_eq!(one.is_some(), a.len() <= 15);
            prop_assert_eq!(one.is_some() && one == other, a == b && a.len() <= 15);
            prop_assert_eq!(one, packed(a.clone().as_bytes()));
        }
    }

    #[test]
    fn words_come_to_the_tokenizer_where_something_else_may_become_of_them() {
        let own = |json: &Value| Tokens::parse(json.to_string().as_bytes()).unwrap().word_piece.is_some();
        let cutter = || json!({ "type": "BertPreTokenizer" });
        assert!(own(&word_piece(cutter())));
        let several = json!({ "type": "Sequence", "pretokenizers": [cutter(), { "type": "Digits", "individual_digits": true }] });
        assert!(!own(&word_piece(several)));
        let mut levels = word_piece(cutter());
        levels["model"]["type"] = json!("WordLevel");
        assert!(!own(&levels));
    }

    #[test]
    fn a_word_is_looked_up_once_whatever_marks_stand_beside_it() {
        let cut = |json: &Value, text: &str| {
            let tokens = Tokens::parse(json.to_string().as_bytes()).unwrap();
            let mut found = Vec::new();
            pieces(text, &tokens.classes.unwrap(), |piece| found.push(piece.text.to_string()));
            found.join("|")
        };
        let bert = word_piece(json!({ "type": "BertPreTokenizer" }));
        let runs = word_piece(json!({ "type": "Whitespace" }));
        let text = " money,back (a_b)!!  [UNK]s, caf\u{e9}s, ";
        assert_eq!(cut(&bert, text), "money|,|back|(|a|_|b|)|!|!|[UNK]s,|caf\u{e9}s,");
        assert_eq!(cut(&runs, text), "money|,|back|(|a_b|)!!|[UNK]s,|caf\u{e9}s,");
        let whole = Tokens::parse(runs.to_string().as_bytes()).unwrap().of(text);
        assert_eq!(tokens(&runs, text), whole);
    }

    #[test]
    fn tokenizers_that_see_spaces_get_whole_texts() {
        let metaspace =
            json!({ "type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "split": true });
        assert_eq!(cuts(&word_piece(metaspace)), None);
        let mut spaced = word_piece(json!({ "type": "Whitespace" }));
        spaced["added_tokens"][0]["content"] = json!("New York");
        assert_eq!(cuts(&spaced), None);
        let several = json!({ "type": "Sequence", "pretokenizers": [
            { "type": "WhitespaceSplit" }, { "type": "Punctuation", "behavior": "Isolated" }] });
        assert_eq!(cuts(&word_piece(several.clone())), Some(Cuts::Spaces));
        assert_eq!(tokens(&word_piece(several), "money-back!"), [3, 6, 4]);
        let mut replaced = word_piece(json!({ "type": "Whitespace" }));
        replaced["normalizer"] =
            json!({ "type": "Replace", "pattern": { "String": "refund money" }, "content": "back" });
        assert_eq!(cuts(&replaced), None);
        assert_eq!(tokens(&replaced, "refund money back"), [6, 6]);
    }

    #[test]
    fn a_piece_that_would_overflow_the_stack_is_refused() {
        let with = |piece: String| {
            let model = json!({ "type": "Unigram", "unk_id": 0, "vocab": [["[UNK]", 0.0], [piece, -1.5]] });
            Tokens::parse(json!({ "version": "1.0", "model": model }).to_string().as_bytes())
        };
        assert!(with("a".repeat(LONGEST_PIECE)).is_ok());
        let message = with("a".repeat(LONGEST_PIECE + 1)).err().unwrap();
        assert!(message.contains("a piece of its vocabulary has 1025 bytes"), "{message}");
    }

    #[test]
    fn what_is_no_tokenizer_is_said() {
        for bytes in [&b"{"[..], b"{}", b"[]", b"{\"model\": {\"type\": \"WordPiece\"}}"] {
            let message = Tokens::parse(bytes).err().unwrap();
            assert!(message.starts_with("cannot be read as a tokenizer ("), "{message}");
        }
    }
}
