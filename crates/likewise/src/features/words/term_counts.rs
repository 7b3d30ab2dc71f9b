//! How often each term occurs and in how many documents: the sums that a list of terms is made of.
//!
//! They are whole numbers under the terms' own names, so those of parts add up to those of the whole, whatever the parts
//! and their order. Documents on many machines have the terms, the document frequencies and the weights that they would
//! have in one place.

use rayon::prelude::*;

use super::counting::{Chunk, count_all};
use super::interner::Interner;
use super::vocabulary::DROPPED;
use super::{Documents, Language, WordOptions};
use crate::data::Texts;
use crate::error::{Error, Result};
use crate::model_file::{Reader, Writer};
use crate::run::Run;

/// How often a term was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenTerm {
    /// Documents that hold it.
    pub documents: u64,
    /// Its occurrences in all of them.
    pub occurrences: u64,
}

impl SeenTerm {
    // Sums that were read from elsewhere may be of any size, and whoever needs exact ones refuses large ones anyway.
    fn add(&mut self, other: SeenTerm) {
        self.documents = self.documents.saturating_add(other.documents);
        self.occurrences = self.occurrences.saturating_add(other.occurrences);
    }
}

/// What documents add up to.
#[derive(Default)]
pub struct TermCounts {
    documents: u64,
    names: Interner,
    seen: Vec<SeenTerm>,
}

/// Which terms are worth keeping.
pub(super) struct Limits {
    pub min_documents: u64,
    pub max_documents: u64,
    pub most_terms: Option<usize>,
}

/// Of the terms that were kept, which are in alphabetical order: a term's place is its column.
pub(super) struct Kept {
    pub seen: Vec<SeenTerm>,
    /// The column of every term that was counted.
    pub column_of: Vec<u32>,
}

impl TermCounts {
    /// Adds these documents. Where these have to say which words are left out, all are counted.
    pub fn batch<'a>(
        &mut self,
        documents: impl Into<Documents<'a>>,
        options: &WordOptions,
        run: &Run,
    ) -> Result<()> {
        self.add(&count_all(&documents.into(), options, &Language::new(options)?, run)?);
        Ok(())
    }

    /// Adds the documents of these chunks, and tells for each chunk where its terms went.
    pub(super) fn add(&mut self, chunks: &[Chunk]) -> Vec<Vec<u32>> {
        let seen_in: Vec<Vec<SeenTerm>> = chunks.par_iter().map(seen_in_chunk).collect();
        let mut places = Vec::with_capacity(chunks.len());
        for (chunk, seen) in chunks.iter().zip(seen_in) {
            self.documents += chunk.row_ends.len() as u64;
            let add = |(id, seen)| chunk.with_name(id as u32, |name| self.add_term(name, seen));
            places.push(seen.into_iter().enumerate().map(add).collect());
        }
        places
    }

    /// Adds the documents that were counted elsewhere.
    pub fn merge(&mut self, other: &TermCounts) {
        self.documents = self.documents.saturating_add(other.documents);
        for (id, seen) in other.seen.iter().enumerate() {
            other.names.with_name(id as u32, |name| self.add_term(name, *seen));
        }
    }

    fn add_term(&mut self, name: &str, seen: SeenTerm) -> u32 {
        let place = self.names.intern_str(name);
        if place as usize == self.seen.len() {
            self.seen.push(SeenTerm::default());
        }
        self.seen[place as usize].add(seen);
        place
    }

    /// How many documents were counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// What the terms of a list were seen.
    pub(super) fn seen_of(&self, list: impl Iterator<Item = String>) -> SeenTerm {
        let mut sum = SeenTerm::default();
        for place in list.filter_map(|word| self.names.find_str(&word)) {
            sum.add(self.seen[place as usize]);
        }
        sum
    }

    /// The terms within the limits that are not left out. A cap keeps the most frequent, equals by name.
    pub(super) fn keep(self, limits: &Limits, left_out: impl Fn(&str) -> bool) -> (Texts, Kept) {
        let (names, seen) = (self.names.into_names(), self.seen);
        let within = |any: &u32| {
            let documents = seen[*any as usize].documents;
            documents >= limits.min_documents
                && documents <= limits.max_documents
                && !left_out(names.get(*any as usize))
        };
        let mut kept = by_name(&names, within);
        if let Some(most) = limits.most_terms.filter(|most| *most < kept.len()) {
            let mut by_frequency: Vec<(std::cmp::Reverse<u64>, usize)> = kept
                .iter()
                .enumerate()
                .map(|(at, any)| (std::cmp::Reverse(seen[*any as usize].occurrences), at))
                .collect();
            by_frequency.sort_unstable();
            let mut chosen: Vec<usize> = by_frequency[..most].iter().map(|(_, at)| *at).collect();
            chosen.sort_unstable();
            kept = chosen.into_iter().map(|at| kept[at]).collect();
        }
        let mut column_of = vec![DROPPED; names.len()];
        kept.iter().enumerate().for_each(|(column, any)| column_of[*any as usize] = column as u32);
        let terms = kept.iter().map(|any| names.get(*any as usize)).collect();
        (terms, Kept { seen: kept.iter().map(|any| seen[*any as usize]).collect(), column_of })
    }

    /// Keeps the sums, sorted by name, so that equal sums are equal bytes.
    pub fn save(&self, out: &mut Writer) {
        let mut names = Texts::new();
        (0..self.seen.len()).for_each(|id| self.names.with_name(id as u32, |name| names.push(name)));
        let order = by_name(&names, |_| true);
        let of = |number: fn(&SeenTerm) -> u64| -> Vec<u64> {
            order.iter().map(|any| number(&self.seen[*any as usize])).collect()
        };
        let sorted: Texts = order.iter().map(|any| names.get(*any as usize)).collect();
        out.u64s("documents", &[1], &[self.documents]);
        out.texts("terms", &sorted);
        out.u64s("holding", &[order.len()], &of(|seen| seen.documents));
        out.u64s("occurrences", &[order.len()], &of(|seen| seen.occurrences));
    }

    /// Reads kept sums.
    pub fn load(file: &Reader) -> Result<Self> {
        let terms = file.texts("terms")?;
        let (holding, occurrences) = (file.read_u64s("holding")?, file.read_u64s("occurrences")?);
        let sorted = (1..terms.len()).all(|i| terms.get(i - 1) < terms.get(i));
        if !sorted || holding.len() != terms.len() || occurrences.len() != terms.len() {
            return Err(Error::model_file("its sums do not fit its terms"));
        }
        let [documents] = file.read_u64s("documents")?[..] else {
            return Err(Error::model_file("`documents` is not one number"));
        };
        let mut counts = TermCounts { documents, ..TermCounts::default() };
        for (term, (documents, occurrences)) in terms.iter().zip(holding.into_iter().zip(occurrences)) {
            counts.add_term(term, SeenTerm { documents, occurrences });
        }
        Ok(counts)
    }
}

fn seen_in_chunk(chunk: &Chunk) -> Vec<SeenTerm> {
    let mut seen = vec![SeenTerm::default(); chunk.terms()];
    for (term, count) in chunk.entries.range(0..chunk.entries.len()) {
        seen[term as usize].add(SeenTerm { documents: 1, occurrences: u64::from(count) });
    }
    seen
}

/// The chosen ones of these names, in alphabetical order.
fn by_name(names: &Texts, chosen: impl Fn(&u32) -> bool) -> Vec<u32> {
    // Most pairs are told apart by their first eight bytes.
    let mut sorted: Vec<(u64, &str, u32)> = (0..names.len() as u32)
        .filter(chosen)
        .map(|any| {
            let name = names.get(any as usize);
            (first_bytes(name), name, any)
        })
        .collect();
    sorted.par_sort_unstable();
    sorted.into_iter().map(|(_, _, any)| any).collect()
}

fn first_bytes(name: &str) -> u64 {
    let mut first = [0; 8];
    let length = name.len().min(8);
    first[..length].copy_from_slice(&name.as_bytes()[..length]);
    u64::from_be_bytes(first)
}
