//! One sorted list of terms over all chunks, and their rows under it.

use hashbrown::HashMap;
use rayon::prelude::*;

use super::counting::Chunk;
use crate::data::{Csr, Texts};
use crate::error::{Error, Result};

/// Which terms are worth keeping.
pub struct Limits {
    pub min_documents: u32,
    pub max_documents: u32,
    pub most_terms: Option<usize>,
}

/// Terms in alphabetical order; a term's place is its column.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    terms: Texts,
}

/// No column: the term was dropped.
const DROPPED: u32 = u32::MAX;

/// How often a term was seen, over all chunks.
#[derive(Clone, Copy, Default)]
struct Seen {
    documents: u32,
    occurrences: u64,
}

impl Vocabulary {
    /// The terms of all chunks within the limits, the counts of every document, and document frequencies.
    pub fn learn(chunks: Vec<Chunk>, limits: &Limits) -> (Vocabulary, Csr, Vec<u32>) {
        let (names, seen, local_to_any) = union(&chunks);
        let kept = keep(&names, &seen, limits);
        let mut terms = Texts::new();
        let mut column_of = vec![DROPPED; names.len()];
        for (column, &any) in kept.iter().enumerate() {
            column_of[any as usize] = column as u32;
            terms.push(names.get(any as usize));
        }
        let df = kept.iter().map(|&any| seen[any as usize].documents).collect();
        let columns: Vec<Vec<u32>> = (local_to_any.into_iter())
            .map(|map| map.into_iter().map(|any| column_of[any as usize]).collect())
            .collect();
        let rows = rows(&chunks, &columns, terms.len());
        (Vocabulary { terms }, rows, df)
    }

    pub fn from_terms(terms: Texts) -> Result<Self> {
        let sorted = (1..terms.len()).all(|i| terms.get(i - 1) < terms.get(i));
        if sorted { Ok(Vocabulary { terms }) } else { Err(Error::model_file("its terms are not in order")) }
    }

    pub fn terms(&self) -> &Texts {
        &self.terms
    }

    /// The rows of documents counted anew.
    pub fn rows_of(&self, chunks: Vec<Chunk>) -> Csr {
        let columns: Vec<Vec<u32>> = (chunks.par_iter())
            .map(|chunk| {
                let find =
                    |id: usize| chunk.with_name(id as u32, |name| self.column(name).unwrap_or(DROPPED));
                (0..chunk.terms()).map(find).collect()
            })
            .collect();
        rows(&chunks, &columns, self.terms.len())
    }

    fn column(&self, name: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.terms.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.terms.get(middle) < name { low = middle + 1 } else { high = middle }
        }
        (low < self.terms.len() && self.terms.get(low) == name).then_some(low as u32)
    }
}

/// All names once, how often each was seen, and for each chunk where its terms went.
fn union(chunks: &[Chunk]) -> (Texts, Vec<Seen>, Vec<Vec<u32>>) {
    let seen_in: Vec<Vec<Seen>> = chunks.par_iter().map(seen_in_chunk).collect();
    let mut names = Texts::new();
    let mut seen: Vec<Seen> = Vec::new();
    let mut places: HashMap<String, u32, foldhash::fast::FixedState> = HashMap::default();
    let mut maps = Vec::with_capacity(chunks.len());
    for (chunk, counts) in chunks.iter().zip(seen_in) {
        let mut map = Vec::with_capacity(chunk.terms());
        for (id, count) in counts.into_iter().enumerate() {
            let place = chunk.with_name(id as u32, |name| {
                if let Some(place) = places.get(name) {
                    return *place;
                }
                let place = names.len() as u32;
                if chunks.len() > 1 {
                    places.insert(name.to_string(), place);
                }
                names.push(name);
                seen.push(Seen::default());
                place
            });
            let total = &mut seen[place as usize];
            total.documents += count.documents;
            total.occurrences += count.occurrences;
            map.push(place);
        }
        maps.push(map);
    }
    (names, seen, maps)
}

fn seen_in_chunk(chunk: &Chunk) -> Vec<Seen> {
    let mut seen = vec![Seen::default(); chunk.terms()];
    for (term, count) in &chunk.entries {
        let total = &mut seen[*term as usize];
        total.documents += 1;
        total.occurrences += u64::from(*count);
    }
    seen
}

/// The terms within the limits, in alphabetical order. A cap keeps the most frequent, equals by name.
fn keep(names: &Texts, seen: &[Seen], limits: &Limits) -> Vec<u32> {
    let within = |any: &u32| {
        let documents = seen[*any as usize].documents;
        documents >= limits.min_documents && documents <= limits.max_documents
    };
    let mut kept: Vec<u32> = (0..names.len() as u32).filter(within).collect();
    kept.par_sort_unstable_by(|a, b| names.get(*a as usize).cmp(names.get(*b as usize)));
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
    kept
}

/// The chunks' documents as one matrix. `columns[c]` maps the terms of chunk `c`.
fn rows(chunks: &[Chunk], columns: &[Vec<u32>], cols: usize) -> Csr {
    let parts: Vec<Csr> =
        chunks.par_iter().zip(columns).map(|(chunk, map)| chunk_rows(chunk, map, cols)).collect();
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_else(|| Csr::empty(cols));
    for part in parts {
        let offset = all.nnz();
        all.indices.extend_from_slice(&part.indices);
        all.values.extend_from_slice(&part.values);
        all.indptr.extend(part.indptr[1..].iter().map(|end| end + offset));
    }
    all
}

fn chunk_rows(chunk: &Chunk, map: &[u32], cols: usize) -> Csr {
    let mut csr = Csr::empty(cols);
    csr.indptr.reserve_exact(chunk.row_ends.len());
    csr.indices.reserve_exact(chunk.entries.len());
    csr.values.reserve_exact(chunk.entries.len());
    let mut row: Vec<u64> = Vec::new();
    let mut start = 0;
    for &end in &chunk.row_ends {
        row.clear();
        let entries = &chunk.entries[start..end];
        row.extend(
            entries.iter().map(|(term, count)| u64::from(map[*term as usize]) << 32 | u64::from(*count)),
        );
        row.sort_unstable();
        let kept = row.partition_point(|packed| (packed >> 32) as u32 != DROPPED);
        csr.indices.extend(row[..kept].iter().map(|packed| (packed >> 32) as u32));
        csr.values.extend(row[..kept].iter().map(|packed| *packed as u32 as f32));
        csr.indptr.push(csr.indices.len());
        start = end;
    }
    csr
}
