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

use crate::guard::guarded;

pub struct Tokens {
    tokenizer: Tokenizer,
    unknown: Option<u32>,
    cuts: Option<Cuts>,
    /// Bytes that added tokens begin with, which are found before anything is cut.
    added: [bool; 256],
    /// What threads have seen so far; each takes one while it works.
    seen: Mutex<Vec<Seen>>,
}

/// Words that were looked at, and their tokens.
#[derive(Default)]
struct Seen {
    words: HashMap<Box<str>, Range<u32>, FixedState>,
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

/// No more words are remembered: those that come late are rare.
const MOST_WORDS: usize = 1 << 20;
/// A longer word hardly comes again.
const LONGEST_WORD: usize = 64;

impl Tokens {
    pub fn parse(bytes: &[u8]) -> Result<Tokens, String> {
        let wrong =
            |problem: String| format!("cannot be read as a tokenizer ({problem}); save the model again");
        let json: Value = serde_json::from_slice(bytes).map_err(|e| wrong(e.to_string()))?;
        let mut tokenizer = guarded(|| Tokenizer::from_bytes(bytes)).map_err(wrong)?;
        tokenizer.with_padding(None);
        guarded(|| tokenizer.with_truncation(None).map(|_| ())).map_err(wrong)?;
        let model = &json["model"];
        let named = model["unk_token"].as_str().and_then(|token| tokenizer.token_to_id(token));
        let unknown = named.or(model["unk_id"].as_u64().and_then(|id| u32::try_from(id).ok()));
        let mut added = [false; 256];
        for token in json["added_tokens"].as_array().into_iter().flatten() {
            let first = token["content"].as_str().and_then(|text| text.bytes().next()).unwrap_or_default();
            added[first.to_ascii_lowercase() as usize] = true;
            added[first.to_ascii_uppercase() as usize] = true;
        }
        Ok(Tokens { tokenizer, unknown, cuts: cuts(&json), added, seen: Mutex::default() })
    }

    /// One more than the largest number of a token.
    pub fn len(&self) -> usize {
        self.tokenizer.get_vocab(true).into_values().max().map_or(0, |id| id as usize + 1)
    }

    /// Calls `each` with the place of a text and the tokens of it or of a part of it, in their order.
    pub fn each(&self, texts: &[&str], mut each: impl FnMut(usize, &[u32])) {
        let Some(cuts) = self.cuts else {
            texts.iter().enumerate().for_each(|(at, text)| each(at, &self.of(text)));
            return;
        };
        let pool = || self.seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut seen = pool().pop().unwrap_or_default();
        for (at, text) in texts.iter().enumerate() {
            self.pieces(text, cuts, |piece| match seen.words.get(piece) {
                Some(tokens) => each(at, &seen.tokens[tokens.start as usize..tokens.end as usize]),
                None => each(at, seen.add(piece, &self.of(piece))),
            });
        }
        pool().push(seen);
    }

    /// Calls `each` with what has the same tokens wherever it stands, in order.
    fn pieces(&self, text: &str, cuts: Cuts, mut each: impl FnMut(&str)) {
        for word in text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()) {
            // Outside ASCII a mark may change what stands before it, and letters may change their number.
            let plain = |byte: u8| byte.is_ascii() && !self.added[byte as usize];
            if cuts == Cuts::Spaces || !word.bytes().all(plain) {
                each(word);
                continue;
            }
            let mut start = 0;
            for end in 1..word.len() {
                let [before, after] = [word.as_bytes()[end - 1], word.as_bytes()[end]];
                let cut = match cuts {
                    Cuts::Spaces => false,
                    Cuts::Runs => in_word(before) != in_word(after),
                    Cuts::Punctuation => before.is_ascii_punctuation() || after.is_ascii_punctuation(),
                };
                if cut {
                    each(&word[start..end]);
                    start = end;
                }
            }
            each(&word[start..]);
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

impl Seen {
    fn add<'a>(&mut self, word: &str, tokens: &'a [u32]) -> &'a [u32] {
        if word.len() <= LONGEST_WORD && self.words.len() < MOST_WORDS {
            let start = self.tokens.len() as u32;
            self.tokens.extend_from_slice(tokens);
            self.words.insert(word.into(), start..self.tokens.len() as u32);
        }
        tokens
    }
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

#[cfg(test)]
mod tests {
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

    #[test]
    fn a_word_is_looked_up_once_whatever_marks_stand_beside_it() {
        let pieces = |json: &Value, text: &str| {
            let tokens = Tokens::parse(json.to_string().as_bytes()).unwrap();
            let mut found = Vec::new();
            tokens.pieces(text, tokens.cuts.unwrap(), |piece| found.push(piece.to_string()));
            found.join("|")
        };
        let bert = word_piece(json!({ "type": "BertPreTokenizer" }));
        let runs = word_piece(json!({ "type": "Whitespace" }));
        let text = " money,back (a_b)!!  [UNK]s, caf\u{e9}s, ";
        assert_eq!(pieces(&bert, text), "money|,|back|(|a|_|b|)|!|!|[UNK]s,|caf\u{e9}s,");
        assert_eq!(pieces(&runs, text), "money|,|back|(|a_b|)!!|[UNK]s,|caf\u{e9}s,");
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
    fn what_is_no_tokenizer_is_said() {
        for bytes in [&b"{"[..], b"{}", b"[]", b"{\"model\": {\"type\": \"WordPiece\"}}"] {
            let message = Tokens::parse(bytes).err().unwrap();
            assert!(message.starts_with("cannot be read as a tokenizer ("), "{message}");
        }
    }
}
