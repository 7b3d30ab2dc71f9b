//! Words → dense numbers, in order of first sight.

use hashbrown::HashTable;

use super::tokens::{SHORT, Token, pack, unpack};
use crate::data::Texts;

/// The table holds numbers only; the words lie in order of first sight, so that the frequent ones, which come
/// early, are close together in the cache.
#[derive(Debug, Default)]
pub struct Interner {
    short: HashTable<u32>,
    long: HashTable<(u64, u32)>,
    names: Names,
}

/// The words by number.
#[derive(Debug, Default)]
struct Names {
    short: Vec<u128>,
    long: Texts,
}

/// The top bit marks a long word in `Names::short`; no packed word has it, since ASCII ends there and the
/// last byte of UTF-8 text that fills all 16 places is stored as a long word.
const LONG: u128 = 1 << 127;

impl Interner {
    pub fn len(&self) -> usize {
        self.names.short.len()
    }

    /// The number of the word, given anew if it is seen for the first time.
    #[inline]
    pub fn intern(&mut self, token: Token<'_>) -> u32 {
        match token {
            Token::Short(packed) if packed & LONG == 0 => self.intern_short(packed),
            Token::Short(packed) => {
                let (bytes, length) = unpack(packed);
                self.intern_long(&bytes[..length])
            }
            Token::Long(bytes) => self.intern_long(bytes),
        }
    }

    /// The number of any word, however long.
    pub fn intern_str(&mut self, word: &str) -> u32 {
        self.intern(token(word))
    }

    /// The number of any word, where it was seen before.
    pub fn find_str(&self, word: &str) -> Option<u32> {
        self.find(token(word))
    }

    #[inline]
    fn intern_short(&mut self, packed: u128) -> u32 {
        let hash = hash_packed(packed);
        let words = &mut self.names.short;
        if let Some(id) = self.short.find(hash, |id| words[*id as usize] == packed) {
            return *id;
        }
        let id = words.len() as u32;
        self.short.insert_unique(hash, id, |id| hash_packed(words[*id as usize]));
        words.push(packed);
        id
    }

    fn intern_long(&mut self, bytes: &[u8]) -> u32 {
        let hash = hash_long(bytes);
        if let Some(id) = self.find_long(hash, bytes) {
            return id;
        }
        let id = self.len() as u32;
        self.long.insert_unique(hash, (hash, id), |(hash, _)| *hash);
        self.names.short.push(LONG | self.names.long.len() as u128);
        self.names.long.push(std::str::from_utf8(bytes).expect("words are made of whole characters"));
        id
    }

    /// The number of the word, where it was seen before.
    #[inline]
    pub fn find(&self, token: Token<'_>) -> Option<u32> {
        match token {
            Token::Short(packed) if packed & LONG == 0 => {
                let words = &self.names.short;
                self.short.find(hash_packed(packed), |id| words[*id as usize] == packed).copied()
            }
            Token::Short(packed) => {
                let (bytes, length) = unpack(packed);
                self.find_long(hash_long(&bytes[..length]), &bytes[..length])
            }
            Token::Long(bytes) => self.find_long(hash_long(bytes), bytes),
        }
    }

    fn find_long(&self, hash: u64, bytes: &[u8]) -> Option<u32> {
        let names = &self.names;
        let same = |id: u32| names.long.get((names.short[id as usize] & !LONG) as usize).as_bytes() == bytes;
        self.long.find(hash, |(h, id)| *h == hash && same(*id)).map(|(_, id)| *id)
    }

    /// Calls `use_name` with the word of that number.
    pub fn with_name<T>(&self, id: u32, use_name: impl FnOnce(&str) -> T) -> T {
        let packed = self.names.short[id as usize];
        if packed & LONG != 0 {
            return use_name(self.names.long.get((packed & !LONG) as usize));
        }
        let (bytes, length) = unpack(packed);
        use_name(std::str::from_utf8(&bytes[..length]).expect("words are made of whole characters"))
    }

    /// All words, in the order of their numbers.
    pub fn into_names(self) -> Texts {
        let mut names = Texts::new();
        for id in 0..self.len() as u32 {
            self.with_name(id, |name| names.push(name));
        }
        names
    }
}

fn token(word: &str) -> Token<'_> {
    match word.len() <= SHORT {
        true => Token::Short(pack(word.as_bytes())),
        false => Token::Long(word.as_bytes()),
    }
}

/// For keys that are one 128-bit number.
pub fn hash_packed(packed: u128) -> u64 {
    fold((packed as u64) ^ 0x9e37_79b9_7f4a_7c15, (packed >> 64) as u64 ^ 0xd1b5_4a32_d192_ed03)
}

fn hash_long(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        fold(hash ^ 0x9e37_79b9_7f4a_7c15, u64::from_le_bytes(word) ^ 0xd1b5_4a32_d192_ed03)
    })
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_stable_and_lead_back_to_the_word() {
        let mut interner = Interner::default();
        let words =
            ["refund", "a-word-longer-than-sixteen-bytes", "退款退款退款", "refund", "ééééééééé", "ééééééé"];
        let ids: Vec<u32> = words.iter().map(|w| interner.intern_str(w)).collect();
        assert_eq!(ids, [0, 1, 2, 0, 3, 4]);
        assert_eq!(interner.len(), 5);
        for (word, id) in words.iter().zip(ids) {
            assert_eq!(interner.intern_str(word), id);
            assert_eq!(interner.with_name(id, str::to_string), *word);
        }
    }
}
