//! One sorted list of terms, and the rows of documents under it.

use rayon::prelude::*;

use super::counting::Chunk;
use crate::data::{Csr, Texts};
use crate::error::{Error, Result};

/// Terms in alphabetical order; a term's place is its column.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    terms: Texts,
}

/// No column: the term was dropped.
pub(super) const DROPPED: u32 = u32::MAX;

impl Vocabulary {
    /// A vocabulary of these words, each once.
    pub fn from_terms(terms: Texts) -> Result<Self> {
        let sorted = (1..terms.len()).all(|i| terms.get(i - 1) < terms.get(i));
        if sorted { Ok(Vocabulary { terms }) } else { Err(Error::model_file("its terms are not in order")) }
    }

    /// The words, by column.
    pub fn terms(&self) -> &Texts {
        &self.terms
    }

    /// The share of each document's words that are known and pass.
    pub fn known(&self, chunks: &[Chunk], passes: impl Fn(u32) -> bool + Sync) -> Vec<Option<f32>> {
        known(chunks, &self.columns(chunks), passes)
    }

    /// The columns of each chunk's terms.
    pub(super) fn columns(&self, chunks: &[Chunk]) -> Vec<Vec<u32>> {
        let of_chunk = |chunk: &Chunk| {
            let find = |id: usize| chunk.with_name(id as u32, |name| self.column(name).unwrap_or(DROPPED));
            (0..chunk.terms()).map(find).collect()
        };
        chunks.par_iter().map(of_chunk).collect()
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

/// The share of each document's words, repeats counted, whose column passes; none where it has no word.
pub(super) fn known(
    chunks: &[Chunk],
    columns: &[Vec<u32>],
    passes: impl Fn(u32) -> bool + Sync,
) -> Vec<Option<f32>> {
    of_documents(chunks, columns, |terms| {
        let (mut known, mut all) = (0u64, 0u64);
        for (column, count) in terms {
            all += u64::from(count);
            known += if column != DROPPED && passes(column) { u64::from(count) } else { 0 };
        }
        (all > 0).then(|| (known as f64 / all as f64) as f32)
    })
}

/// The squared length of each document's dropped terms, which all have this idf.
pub(super) fn dropped(chunks: &[Chunk], columns: &[Vec<u32>], idf: f32) -> Vec<f64> {
    let idf = f64::from(idf);
    of_documents(chunks, columns, |terms| {
        let lost = terms.filter(|(column, _)| *column == DROPPED);
        lost.map(|(_, count)| (1.0 + f64::from(count).ln()) * idf).map(|weight| weight * weight).sum()
    })
}

/// Something of each document, by its terms' columns and counts.
fn of_documents<T: Send>(
    chunks: &[Chunk],
    columns: &[Vec<u32>],
    of: impl Fn(&mut dyn Iterator<Item = (u32, u32)>) -> T + Sync,
) -> Vec<T> {
    let of_chunk = |(chunk, map): (&Chunk, &Vec<u32>)| {
        let mut start = 0;
        let documents = chunk.row_ends.iter().map(|&end| {
            let terms = chunk.entries.range(start..end);
            start = end;
            of(&mut terms.map(|(term, count)| (map[term as usize], count)))
        });
        documents.collect::<Vec<T>>()
    };
    chunks.par_iter().zip(columns).flat_map_iter(of_chunk).collect()
}

/// The chunks' documents as one matrix. `columns[c]` maps the terms of chunk `c`. A chunk's memory is given back as
/// soon as its rows are in the matrix, whose own is only taken as it is filled.
pub(super) fn rows(chunks: Vec<Chunk>, columns: &[Vec<u32>], cols: usize) -> Csr {
    let kept_in = |(chunk, map): (&Chunk, &Vec<u32>)| {
        chunk.entries.terms().iter().filter(|term| map[**term as usize] != DROPPED).count()
    };
    let kept: Vec<usize> = chunks.par_iter().zip(columns).map(kept_in).collect();
    let nonzeros = kept.iter().sum();
    let documents: usize = chunks.iter().map(|chunk| chunk.row_ends.len()).sum();
    let mut csr = Csr {
        cols,
        indptr: vec![0; documents + 1],
        indices: vec![0; nonzeros].into(),
        values: vec![0.0; nonzeros].into(),
    };

    let (mut ends, mut indices, mut values) =
        (&mut csr.indptr[1..], &mut csr.indices[..], &mut csr.values[..]);
    let mut places = Vec::with_capacity(chunks.len());
    let mut offset = 0;
    for (chunk, kept) in chunks.iter().zip(kept) {
        places.push(Place {
            offset,
            ends: ends.split_off_mut(..chunk.row_ends.len()).expect("as many rows as counted"),
            indices: indices.split_off_mut(..kept).expect("as many entries as counted"),
            values: values.split_off_mut(..kept).expect("as many entries as counted"),
        });
        offset += kept;
    }
    chunks.into_par_iter().zip(columns).zip(places).for_each(|((chunk, map), place)| place.fill(&chunk, map));
    csr
}

/// Where the rows of one chunk go in the whole matrix.
struct Place<'a> {
    offset: usize,
    ends: &'a mut [usize],
    indices: &'a mut [u32],
    values: &'a mut [f32],
}

impl Place<'_> {
    fn fill(self, chunk: &Chunk, map: &[u32]) {
        let mut row: Vec<u64> = Vec::new();
        let mut start = 0;
        let mut filled = 0;
        for (&end, row_end) in chunk.row_ends.iter().zip(self.ends) {
            row.clear();
            let kept = chunk.entries.range(start..end).filter_map(|(term, count)| {
                let column = map[term as usize];
                (column != DROPPED).then_some((u64::from(column) << 32) | u64::from(count))
            });
            row.extend(kept);
            row.sort_unstable();
            for packed in &row {
                self.indices[filled] = (packed >> 32) as u32;
                self.values[filled] = *packed as u32 as f32;
                filled += 1;
            }
            *row_end = self.offset + filled;
            start = end;
        }
    }
}
