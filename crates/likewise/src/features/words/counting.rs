//! Words of a batch of documents → how often each occurs in each document.

use std::ops::Range;

use hashbrown::HashTable;
use rayon::prelude::*;

use super::entries::Entries;
use super::interner::{Interner, hash_packed};
use super::tokens::each_token;
use super::{Documents, Language, WordOptions};
use crate::error::Result;
use crate::run::Run;

/// The counts of consecutive documents under numbers that are private to the chunk.
pub struct Chunk {
    terms: Terms,
    /// Distinct terms of the documents one after the other, each with its count.
    pub entries: Entries,
    pub row_ends: Vec<usize>,
}

/// Single words, or runs of up to four.
enum Terms {
    Words(Interner),
    Grams { words: Interner, grams: Vec<u128> },
}

/// The longest n-gram: four word numbers fit one key.
pub const LONGEST_GRAM: usize = 4;

/// A term counts no oftener than this in one document: up to here the rows of methods, which are `f32`, hold every whole
/// number, so that their sums are those of the counts.
const MOST_IN_ONE: u32 = 1 << 24;

impl Chunk {
    pub fn terms(&self) -> usize {
        match &self.terms {
            Terms::Words(words) => words.len(),
            Terms::Grams { grams, .. } => grams.len(),
        }
    }

    /// Calls `use_name` with the term of that number; words of an n-gram are joined by a blank.
    pub fn with_name<T>(&self, id: u32, use_name: impl FnOnce(&str) -> T) -> T {
        match &self.terms {
            Terms::Words(words) => words.with_name(id, use_name),
            Terms::Grams { words, grams } => {
                let mut name = String::new();
                let mut rest = grams[id as usize];
                while rest != 0 {
                    if !name.is_empty() {
                        name.push(' ');
                    }
                    words.with_name((rest as u32) - 1, |word| name.push_str(word));
                    rest >>= 32;
                }
                use_name(&name)
            }
        }
    }
}

/// Counts all documents, in chunks that run in parallel. How the documents are cut into chunks never shows
/// in what is made of them: terms are known by name.
pub fn count_all(
    documents: &Documents<'_>,
    options: &WordOptions,
    language: &Language,
    run: &Run,
) -> Result<Vec<Chunk>> {
    let chunks = cut(documents, rayon::current_num_threads());
    let total = chunks.len() as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    chunks
        .into_par_iter()
        .map(|rows| {
            let chunk = count(documents, rows, options, language);
            run.step("counting words", 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), total)?;
            Ok(chunk)
        })
        .collect()
}

/// A few chunks for each thread, of about equal bytes; few, because each learns its words anew.
fn cut(documents: &Documents<'_>, threads: usize) -> Vec<Range<usize>> {
    const SMALLEST: usize = 1 << 18;
    let wanted = if threads == 1 { 1 } else { 2 * threads };
    let bytes = (documents.total_bytes() / wanted).max(SMALLEST);
    let mut chunks = Vec::new();
    let (mut start, mut gathered) = (0, 0);
    for row in 0..documents.len() {
        if gathered >= bytes {
            chunks.push(start..row);
            (start, gathered) = (row, 0);
        }
        gathered += documents.parts(row).map(|(text, _)| text.len()).sum::<usize>();
    }
    chunks.push(start..documents.len());
    chunks
}

fn count(documents: &Documents<'_>, rows: Range<usize>, options: &WordOptions, language: &Language) -> Chunk {
    match options.counts_all_tokens() {
        true => count_tokens::<true>(documents, rows, options, language),
        false => count_tokens::<false>(documents, rows, options, language),
    }
}

fn count_tokens<const ALL: bool>(
    documents: &Documents<'_>,
    rows: Range<usize>,
    options: &WordOptions,
    language: &Language,
) -> Chunk {
    let mut vocabulary = Words::new(language);
    let mut tally = Tally::default();
    let mut scratch = String::new();
    let mut row_ends = Vec::with_capacity(rows.len());
    if options.ngrams == (1, 1) {
        for row in rows {
            for (text, times) in documents.parts(row) {
                each_token::<ALL>(text, &mut scratch, |token| {
                    if let Some(word) = vocabulary.meaning(token) {
                        tally.add(word, times);
                    }
                });
            }
            row_ends.push(tally.end_row());
        }
        let terms = Terms::Words(vocabulary.into_terms());
        return Chunk { terms, entries: tally.entries, row_ends };
    }
    let mut grams = Grams::default();
    let mut words = Vec::new();
    // The last word of a title and the first of its text are neighbours where both are read as one.
    let as_one = documents.as_one();
    for row in rows {
        words.clear();
        let last = documents.columns().count() - 1;
        for (part, (text, times)) in documents.parts(row).enumerate() {
            each_token::<ALL>(text, &mut scratch, |token| words.extend(vocabulary.meaning(token)));
            if as_one && part < last {
                continue;
            }
            for length in options.ngrams.0..=options.ngrams.1 {
                for gram in words.windows(length) {
                    tally.add(grams.intern(gram), times);
                }
            }
            words.clear();
        }
        row_ends.push(tally.end_row());
    }
    let terms = Terms::Grams { words: vocabulary.into_terms(), grams: grams.keys };
    Chunk { terms, entries: tally.entries, row_ends }
}

/// Raw words and what they stand for: nothing (a stop word), their stem, or themselves.
struct Words<'a> {
    language: &'a Language,
    raw: Interner,
    /// For each raw word the number of its meaning plus one; 0 drops it. Unused where every word means itself.
    meanings: Vec<u32>,
    stems: Interner,
}

impl<'a> Words<'a> {
    fn new(language: &'a Language) -> Self {
        Words { language, raw: Interner::default(), meanings: Vec::new(), stems: Interner::default() }
    }

    #[inline]
    fn meaning(&mut self, token: super::tokens::Token<'_>) -> Option<u32> {
        let raw = self.raw.intern(token);
        if self.language.is_plain() {
            return Some(raw);
        }
        if raw as usize == self.meanings.len() {
            let meaning = self.raw.with_name(raw, |word| {
                let kept = self.language.meaning(word)?;
                Some(self.stems.intern_str(&kept))
            });
            self.meanings.push(meaning.map_or(0, |m| m + 1));
        }
        self.meanings[raw as usize].checked_sub(1)
    }

    fn into_terms(self) -> Interner {
        if self.language.is_plain() { self.raw } else { self.stems }
    }
}

/// Counts within the current document, moved to the entries at its end.
#[derive(Default)]
struct Tally {
    counts: Vec<u32>,
    /// The terms of the current document, those whose count is not zero.
    present: Vec<u32>,
    entries: Entries,
}

impl Tally {
    #[inline]
    fn add(&mut self, term: u32, times: u32) {
        let index = term as usize;
        if index >= self.counts.len() {
            self.counts.resize(index + 1, 0);
        }
        if self.counts[index] == 0 {
            self.present.push(term);
        }
        self.counts[index] = self.counts[index].saturating_add(times);
    }

    fn end_row(&mut self) -> usize {
        for term in self.present.drain(..) {
            let count = std::mem::take(&mut self.counts[term as usize]);
            self.entries.push(term, count.min(MOST_IN_ONE));
        }
        self.entries.len()
    }
}

/// N-grams as keys of up to four word numbers, each plus one so that none is zero.
#[derive(Default)]
struct Grams {
    table: HashTable<(u128, u32)>,
    keys: Vec<u128>,
}

impl Grams {
    fn intern(&mut self, words: &[u32]) -> u32 {
        let key = words.iter().rev().fold(0u128, |key, word| (key << 32) | u128::from(word + 1));
        if let Some((_, id)) = self.table.find(hash_packed(key), |(k, _)| *k == key) {
            return *id;
        }
        let id = self.keys.len() as u32;
        self.table.insert_unique(hash_packed(key), (key, id), |(k, _)| hash_packed(*k));
        self.keys.push(key);
        id
    }
}
