//! Text → lower-case words.
//!
//! A word is a run of at least two letters, digits or underscores of any script, or an emoji. Signs that stand on a letter
//! (vowels of Hindi and Thai, accents written apart) belong to it. Text that is all ASCII is looked at 64 bytes at a time,
//! other text character by character where it has to be. Scripts written without spaces (Chinese, Japanese, Thai, …) give
//! overlapping pairs of characters instead, since a whole sentence would otherwise be one word.
//!
//! A short text has little else to say, and there all tokens count: words of one character ("u r", "2 nite"), the marks of
//! its tone and of money (a run of `!` is one), and of a long number, which hardly any other text holds, its length too:
//! `08712300220` is also `###########`.

use serde::{Deserialize, Serialize};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Which tokens of a text count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokens {
    /// All of them unless stop words are left out, which suits long texts.
    Auto,
    /// Words of two characters and more, and emoji.
    Words,
    /// Words of one character, marks and lengths of numbers too.
    All,
}

/// What a byte means: 0 ends a word, `OTHER` needs Unicode, `MARK` may be a token, anything else belongs to a word.
static CLASSES: [u8; 256] = classes();
const END: u8 = 0;
const OTHER: u8 = 1;
const WORD: u8 = 2;
const MARK: u8 = 3;

/// The marks of ASCII that are tokens.
const MARKS: [u8; 4] = *b"!?$%";
/// A number of so many digits counts by its length too: shorter ones are years, prices and amounts, which recur.
const LONG_NUMBER: usize = 5;
/// What stands for any digit; no word holds it.
const ANY_DIGIT: char = '#';

const fn classes() -> [u8; 256] {
    let mut table = [END; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if b.is_ascii_alphanumeric() || b == b'_' {
            table[byte] = WORD;
        } else if b >= 0x80 {
            table[byte] = OTHER;
        }
        byte += 1;
    }
    let mut mark = 0;
    while mark < MARKS.len() {
        table[MARKS[mark] as usize] = MARK;
        mark += 1;
    }
    table
}

/// Whether a word counts only where all tokens do.
pub fn is_small(word: &str) -> bool {
    let mut characters = word.chars();
    let Some(first) = characters.next() else { return false };
    match characters.next() {
        None => is_word_character(first) || is_mark(first),
        Some(_) => first == ANY_DIGIT,
    }
}

/// A word of up to 16 bytes as one number, or a longer one as it is. Lower case either way.
pub enum Token<'a> {
    Short(u128),
    Long(&'a [u8]),
}

/// The longest word that fits a `Token::Short`.
pub const SHORT: usize = 16;

/// Calls `each` for every token of the text, in order: `ALL` of them, or words of two characters and more.
#[inline]
pub fn each_token<const ALL: bool>(text: &str, scratch: &mut String, mut each: impl FnMut(Token<'_>)) {
    if text.is_ascii() {
        ascii_text::<ALL>(text.as_bytes(), scratch, &mut each);
    } else {
        mixed_text::<ALL>(text, scratch, &mut each);
    }
}

/// The fewest characters of a word.
const fn least(all: bool) -> usize {
    if all { 1 } else { 2 }
}

/// Every block of 64 bytes becomes 64 bits, set where a word is: words begin and end where neighbours differ.
#[inline]
fn ascii_text<const ALL: bool>(bytes: &[u8], scratch: &mut String, each: &mut impl FnMut(Token<'_>)) {
    let mut inside = false;
    let mut start = 0;
    for (number, block) in bytes.chunks(64).enumerate() {
        let padded: [u8; 64];
        let block: &[u8; 64] = match block.try_into() {
            Ok(block) => block,
            Err(_) => {
                let mut blanks = [b' '; 64];
                blanks[..block.len()].copy_from_slice(block);
                padded = blanks;
                &padded
            }
        };
        let bits = word_bits(block);
        let marks = if ALL { mark_bits(block) } else { 0 };
        let edges = bits ^ ((bits << 1) | u64::from(inside));
        let mut events = edges | marks;
        while events != 0 {
            let bit = events.trailing_zeros();
            events &= events - 1;
            let here = 64 * number + bit as usize;
            // A word may end where a mark stands.
            if !ALL || edges >> bit & 1 == 1 {
                if !inside {
                    start = here;
                } else if here - start >= least(ALL) {
                    ascii_word::<ALL>(bytes, start, here, scratch, each);
                }
                inside = !inside;
            }
            if ALL && marks >> bit & 1 == 1 {
                ascii_mark(bytes, here, each);
            }
        }
    }
    if inside && bytes.len() - start >= least(ALL) {
        ascii_word::<ALL>(bytes, start, bytes.len(), scratch, each);
    }
}

/// One token for a run of the same mark.
fn ascii_mark(bytes: &[u8], at: usize, each: &mut impl FnMut(Token<'_>)) {
    if at == 0 || bytes[at - 1] != bytes[at] {
        each(Token::Short(u128::from(bytes[at])));
    }
}

/// Bit `i` says whether byte `i` is a mark; all bytes are below 0x80.
fn mark_bits(block: &[u8; 64]) -> u64 {
    gathered(block, |bytes| MARKS.iter().fold(0, |tops, mark| tops | equal(bytes, *mark)))
}

/// Bit `i` says whether byte `i` belongs to a word; all bytes are below 0x80.
fn word_bits(block: &[u8; 64]) -> u64 {
    // The top bit of every byte from `low` to `high`; sums stay within their bytes.
    let within = |bytes: u64, low: u8, high: u8| {
        (bytes + EACH * u64::from(0x80 - low)) & !(bytes + EACH * u64::from(0x7f - high))
    };
    gathered(block, |bytes| {
        let letters = within(bytes | (EACH * 0x20), b'a', b'z');
        letters | within(bytes, b'0', b'9') | equal(bytes, b'_')
    })
}

const EACH: u64 = u64::MAX / 255;
const TOP: u64 = EACH * 0x80;

/// The top bit of every byte that is this one; differences stay within their bytes.
fn equal(bytes: u64, one: u8) -> u64 {
    TOP - (bytes ^ (EACH * u64::from(one)))
}

/// The top bits that `tops` sets of every eight bytes, one after the other.
#[inline]
fn gathered(block: &[u8; 64], tops: impl Fn(u64) -> u64) -> u64 {
    let mut bits = 0;
    for eight in block.chunks_exact(8).rev() {
        let bytes = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        let tops = tops(bytes) & TOP;
        // The product moves bit 8k to bit 56 + k.
        bits = (bits << 8) | (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    }
    bits
}

/// Byte by byte through a table, and by Unicode where a run of word characters is not ASCII.
fn mixed_text<const ALL: bool>(text: &str, scratch: &mut String, each: &mut impl FnMut(Token<'_>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && CLASSES[bytes[at] as usize] == WORD {
            at += 1;
        }
        if at < bytes.len() && CLASSES[bytes[at] as usize] == OTHER {
            at = unicode_run::<ALL>(text, start, scratch, each);
            continue;
        }
        if at - start >= least(ALL) {
            ascii_word::<ALL>(bytes, start, at, scratch, each);
        }
        while at < bytes.len() && matches!(CLASSES[bytes[at] as usize], END | MARK) {
            if ALL && CLASSES[bytes[at] as usize] == MARK {
                ascii_mark(bytes, at, each);
            }
            at += 1;
        }
    }
}

#[inline]
fn ascii_word<const ALL: bool>(
    bytes: &[u8],
    start: usize,
    end: usize,
    scratch: &mut String,
    each: &mut impl FnMut(Token<'_>),
) {
    let length = end - start;
    if length > SHORT {
        scratch.clear();
        scratch.extend(bytes[start..end].iter().map(|b| b.to_ascii_lowercase() as char));
        each(Token::Long(scratch.as_bytes()));
    } else {
        each(Token::Short(packed(bytes, start, length)));
    }
    if ALL && is_long_number(&bytes[start..end]) {
        digits(length, scratch, each);
    }
}

#[inline]
fn is_long_number(word: &[u8]) -> bool {
    word.len() >= LONG_NUMBER && word.iter().all(u8::is_ascii_digit)
}

/// The token of a long number's length.
#[cold]
fn digits(length: usize, scratch: &mut String, each: &mut impl FnMut(Token<'_>)) {
    scratch.clear();
    scratch.extend(std::iter::repeat_n(ANY_DIGIT, length));
    written(scratch, each);
}

/// An ASCII word of up to 16 bytes in lower case.
#[inline]
fn packed(bytes: &[u8], start: usize, length: usize) -> u128 {
    let packed = match bytes.get(start..start + SHORT) {
        Some(window) => {
            let window = u128::from_le_bytes(window.try_into().expect("sixteen bytes"));
            window & (u128::MAX >> (8 * (SHORT - length)))
        }
        None => pack(&bytes[start..start + length]),
    };
    lower_ascii(packed)
}

/// Up to 16 bytes, the first one lowest; no word contains a zero byte, so the length is not lost.
pub fn pack(word: &[u8]) -> u128 {
    let mut window = [0; SHORT];
    window[..word.len()].copy_from_slice(word);
    u128::from_le_bytes(window)
}

/// The bytes of a packed word.
pub fn unpack(packed: u128) -> ([u8; SHORT], usize) {
    (packed.to_le_bytes(), SHORT - packed.leading_zeros() as usize / 8)
}

/// Sets bit 0x20 of every byte from `A` to `Z`; all bytes are below 0x80.
fn lower_ascii(word: u128) -> u128 {
    const EACH: u128 = u128::MAX / 255;
    let from_a = word + EACH * (0x80 - b'A' as u128);
    let past_z = word + EACH * (0x80 - b'Z' as u128 - 1);
    word | ((from_a & !past_z & (EACH * 0x80)) >> 2)
}

/// Takes the run of word characters around `start`, which holds some that are not ASCII; returns its end.
fn unicode_run<const ALL: bool>(
    text: &str,
    start: usize,
    scratch: &mut String,
    each: &mut impl FnMut(Token<'_>),
) -> usize {
    let rest = &text[start..];
    let within = |(at, c): &(usize, char)| is_word_character(*c) || (*at > 0 && stands_on_a_letter(*c));
    let end = rest.char_indices().find(|here| !within(here)).map_or(rest.len(), |(at, _)| at);
    let run = &rest[..end];
    let mut word_start = 0;
    // Where the character before stands, if its script is written without spaces.
    let mut before: Option<usize> = None;
    let mut characters = run.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let mut end = at + c.len_utf8();
        while let Some((on, sign)) = characters.next_if(|(_, c)| stands_on_a_letter(*c)) {
            end = on + sign.len_utf8();
        }
        if !is_unspaced(c) {
            before = None;
            continue;
        }
        word::<ALL>(&run[word_start..at], scratch, each);
        if let Some(before) = before {
            word::<false>(&run[before..end], scratch, each);
        }
        word_start = end;
        before = Some(at);
    }
    word::<ALL>(&run[word_start..], scratch, each);
    let after = start + run.len();
    let mut beyond = text[after..].chars();
    let Some(next) = beyond.next() else { return after };
    if is_flag_letter(next) && beyond.clone().next().is_some_and(is_flag_letter) {
        let end = after + 2 * next.len_utf8();
        word::<false>(&text[after..end], scratch, each);
        return end;
    }
    let repeats = || text[..after].ends_with(next);
    if is_emoji(next) || (ALL && is_mark(next) && !repeats()) {
        each(Token::Short(pack(&text.as_bytes()[after..after + next.len_utf8()])));
    }
    after + next.len_utf8()
}

/// Pictures that are words: symbols, faces, things. Colours of skin and what joins pictures are left out.
fn is_emoji(c: char) -> bool {
    matches!(c as u32,
        0x231A | 0x231B | 0x23E9..=0x23F3 | 0x23F8..=0x23FA | 0x25FD | 0x25FE | 0x2600..=0x27BF // clocks, buttons, signs
        | 0x2B1B | 0x2B1C | 0x2B50 | 0x2B55
        | 0x1F004 | 0x1F0CF | 0x1F18E | 0x1F191..=0x1F19A | 0x1F201 | 0x1F21A | 0x1F22F // games, framed words
        | 0x1F232..=0x1F23A | 0x1F250 | 0x1F251
        | 0x1F300..=0x1F3FA | 0x1F400..=0x1FAFF)
}

/// Two of these are the flag of a country.
fn is_flag_letter(c: char) -> bool {
    matches!(c as u32, 0x1F1E6..=0x1F1FF)
}

/// Money of any country, and the marks of other scripts.
fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '$' | '%' | '¢'..='¥' | '\u{20A0}'..='\u{20CF}' | '¡' | '¿' | '！' | '？' | '؟' | '‼' | '⁇')
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A sign that is part of the letter before it: a vowel, a tone, an accent. What only changes how a picture is drawn is
/// none.
fn stands_on_a_letter(c: char) -> bool {
    c >= '\u{300}'
        && is_combining_mark(c)
        && !matches!(c as u32, 0x20D0..=0x20FF | 0xFE00..=0xFE0F | 0xE0100..=0xE01EF)
}

/// A word that has as many characters as it needs; the same one whether its accents are written apart or not.
fn word<const ALL: bool>(word: &str, scratch: &mut String, each: &mut impl FnMut(Token<'_>)) {
    scratch.clear();
    let lower = word.chars().flat_map(char::to_lowercase);
    if word.chars().any(stands_on_a_letter) {
        scratch.extend(lower.nfc());
    } else {
        scratch.extend(lower);
    }
    if scratch.chars().nth(least(ALL) - 1).is_some() {
        written(scratch, each);
    }
    if ALL && is_long_number(scratch.as_bytes()) {
        digits(scratch.len(), scratch, each);
    }
}

fn written(word: &str, each: &mut impl FnMut(Token<'_>)) {
    if word.len() <= SHORT {
        each(Token::Short(pack(word.as_bytes())))
    } else {
        each(Token::Long(word.as_bytes()))
    }
}

/// Scripts that put no space between words.
fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF // Thai, Lao, Myanmar, Khmer
        | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF) // Kana, Han
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        tokens::<false>(text)
    }

    fn tokens<const ALL: bool>(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        each_token::<ALL>(text, &mut String::new(), |token| {
            let word = match token {
                Token::Short(packed) => {
                    let (bytes, length) = unpack(packed);
                    bytes[..length].to_vec()
                }
                Token::Long(bytes) => bytes.to_vec(),
            };
            out.push(String::from_utf8(word).unwrap());
        });
        out
    }

    #[test]
    fn words_of_every_sort() {
        assert_eq!(words("Hello, World_1! a I'm 42"), ["hello", "world_1", "42"]);
        assert_eq!(words("Zoë trank ÄPFELSAFT-Schorle"), ["zoë", "trank", "äpfelsaft", "schorle"]);
        assert_eq!(words("Donaudampfschifffahrtsgesellschaft"), ["donaudampfschifffahrtsgesellschaft"]);
        assert_eq!(words("ABCDEFGHIJKLMNOP[@Z`"), ["abcdefghijklmnop"]);
        assert_eq!(words("我想退款 ok"), ["我想", "想退", "退款", "ok"]);
        assert_eq!(words("iPhone手机"), ["iphone", "手机"]);
        assert_eq!(
            words("lost it 😂😂 ok👍🏽 ❤️ 🇫🇷🇩🇪!"),
            ["lost", "it", "😂", "😂", "ok", "👍", "❤", "🇫🇷", "🇩🇪"]
        );
        assert_eq!(words("caf😂é ~é"), ["caf", "😂"]);
        assert_eq!(words(""), Vec::<String>::new());
        let blocks = format!("{} {}", "a".repeat(62), "b".repeat(65));
        assert_eq!(words(&blocks), blocks.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn signs_belong_to_the_letter_they_stand_on() {
        assert_eq!(words("हिन्दी में पैसे वापस"), ["हिन्दी", "में", "पैसे", "वापस"]);
        assert_eq!(words("cafe\u{301} CAFÉ"), ["café", "café"]);
        // Each of these is a letter with the signs on it, and a pair is of two of them.
        assert_eq!(words("ที่นี่ดี"), ["ที่นี่", "นี่ดี"]);
        assert_eq!(words("ok ⌚ ⏰ ❤️ 🆗 a\u{fe0f}b"), ["ok", "⌚", "⏰", "❤", "🆗"]);
        assert_eq!(tokens::<true>("\u{301} e\u{301}!"), ["é", "!"]);
    }

    #[test]
    fn short_texts_say_more_than_their_words() {
        assert_eq!(
            tokens::<true>("U r GR8!!! £100? call 08712300220."),
            ["u", "r", "gr8", "!", "£", "100", "?", "call", "08712300220", "###########"]
        );
        assert_eq!(
            tokens::<true>("5% é!! ¿qué? 我 12345€"),
            ["5", "%", "é", "!", "¿", "qué", "?", "12345", "#####", "€"]
        );
        assert_eq!(tokens::<true>("!?!? $"), ["!", "?", "!", "?", "$"]);
        assert_eq!(tokens::<true>("1234567890123456789"), ["1234567890123456789", "###################"]);
        let across = format!("{}!!", "a".repeat(63));
        assert_eq!(tokens::<true>(&across), ["a".repeat(63), "!".into()]);
    }

    #[test]
    fn small_words_are_those_that_only_short_texts_count() {
        let text = "U r GR8!!! £100? call 08712300220 😂 退款 é #";
        let all = tokens::<true>(text);
        let larger: Vec<String> = all.iter().filter(|word| !is_small(word)).cloned().collect();
        assert_eq!(larger, words(text));
        assert!(all.len() > larger.len());
    }

    proptest! {
        #[test]
        fn what_is_not_small_is_a_word(text in "[A-Za-z0-9_ .,!?$%£€'Éßñ😂\u{410}-\u{430}@\\[`{]{0,100}") {
            let larger: Vec<String> = tokens::<true>(&text).into_iter().filter(|word| !is_small(word)).collect();
            prop_assert_eq!(larger, words(&text));
        }

        /// The same whether a text is ASCII or not.
        #[test]
        fn marks_do_not_depend_on_the_road(text in "[a-z0-9!?$% .]{0,150}") {
            let mut mixed = tokens::<true>(&format!("{text} éé"));
            mixed.pop();
            prop_assert_eq!(tokens::<true>(&text), mixed);
        }

        #[test]
        fn equals_the_definition(text in "[A-Za-z0-9_ .,'Éßñ\u{410}-\u{430}@\\[`{]{0,60}") {
            prop_assert_eq!(words(&text), by_definition(&text));
        }

        /// Long enough for words to start, end and lie across blocks of 64 bytes.
        #[test]
        fn ascii_equals_the_definition(text in "[\\x00-\\x7f]{0,80}[a-zA-Z0-9_ .]{0,200}[\\x00-\\x7f]{0,40}") {
            prop_assert_eq!(words(&text), by_definition(&text));
        }
    }

    fn by_definition(text: &str) -> Vec<String> {
        text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map(|w| w.chars().flat_map(char::to_lowercase).collect::<String>())
            .filter(|w| w.chars().count() >= 2)
            .collect()
    }
}
