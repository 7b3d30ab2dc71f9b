//! Cells → bytes: a number is the bin it falls into, a category is its level, and what is missing is missing.
//!
//! Half of the ends lie where the positives are, as far as these need so many, and the others cut the pile into parts of
//! equal size: a class in the far tail of a column is resolved as well as the middle of the pile.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rand::seq::index;
use rayon::prelude::*;

use crate::data::{Dense, Field};
use crate::error::{Error, Result};
use crate::model_file::{Reader, Writer};
use crate::run::Run;

/// The byte of a missing cell.
pub const NONE: u8 = 255;
/// Bytes below are bins or levels.
const MOST_BINS: usize = NONE as usize;
/// So many rows tell where to cut.
const SAMPLE: usize = 1 << 15;
/// Rows turned into bytes at a time.
const CHUNK: usize = 1024;

/// How the columns of a table become bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    cols: usize,
    fields: Vec<(Field, Cells)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Cells {
    /// Upper ends of all bins but the last, rising.
    Ends(Vec<f32>),
    /// The byte of each level; the rarest share one where there are too many.
    Levels(Vec<u8>),
}

/// Rows as bytes, row by row.
pub struct Codes {
    fields: usize,
    bytes: Vec<u8>,
}

impl Codes {
    /// How many bytes a row has.
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.bytes.len().checked_div(self.fields).unwrap_or(0)
    }

    /// The bytes of all rows.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[u8] {
        &self.bytes[row * self.fields..(row + 1) * self.fields]
    }

    /// Of each of these rows, the place among them of the first that has the same bytes: no tree can tell them apart.
    pub fn first_alike(&self, rows: &[u32]) -> Vec<u32> {
        let hasher = foldhash::fast::FixedState::default();
        let bytes = |at: u32| self.row(rows[at as usize] as usize);
        let mut firsts: HashTable<u32> = HashTable::new();
        (0..rows.len() as u32)
            .map(|at| {
                let own = bytes(at);
                let same = |first: &u32| bytes(*first) == own;
                let rehash = |first: &u32| hasher.hash_one(bytes(*first));
                *firsts.entry(hasher.hash_one(own), same, rehash).or_insert(at).get()
            })
            .collect()
    }
}

impl Bins {
    /// From the training rows, of which these are labelled positive.
    pub fn fit(x: &Dense, positives: &[usize], run: &Run) -> Self {
        let mut rows: Vec<usize> = match x.rows() > SAMPLE {
            true => index::sample(&mut run.rng("bins", 0), x.rows(), SAMPLE).into_vec(),
            false => (0..x.rows()).collect(),
        };
        rows.sort_unstable();
        let shown = match positives.len() > SAMPLE {
            true => positives.iter().step_by(positives.len().div_ceil(SAMPLE)).copied().collect(),
            false => positives.to_vec(),
        };
        let cells = |field: &Field| match field.category {
            true => Cells::Levels(levels(x, field)),
            false => {
                let of = |rows: &[usize]| -> Vec<f32> {
                    let cells = rows.iter().map(|&row| field.number_of(x.row(row)));
                    let mut known: Vec<f32> = cells.flatten().collect();
                    known.sort_unstable_by(f32::total_cmp);
                    known
                };
                Cells::Ends(ends(of(&rows), of(&shown)))
            }
        };
        let fields = x.fields();
        let fields = fields.par_iter().map(|field| (*field, cells(field))).collect();
        Bins { cols: x.cols, fields }
    }

    /// How many fields a row has.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Columns of the rows.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The columns behind a byte.
    pub fn field(&self, field: usize) -> Field {
        self.fields[field].0
    }

    /// The columns whose level has this byte.
    pub fn columns_of(&self, field: usize, byte: u8) -> impl Iterator<Item = usize> {
        let (field, levels) = match &self.fields[field] {
            (field, Cells::Levels(levels)) => (field, &levels[..]),
            (field, Cells::Ends(_)) => (field, &[][..]),
        };
        (levels.iter().enumerate()).filter(move |(_, of)| **of == byte).map(|(level, _)| field.start + level)
    }

    /// The rows as bytes.
    pub fn encode(&self, x: &Dense) -> Result<Codes> {
        if x.cols != self.cols {
            return Err(Error::data(format!(
                "the rows have {} columns, but the trees were grown on {}",
                x.cols, self.cols
            )));
        }
        let width = self.fields.len();
        let mut bytes = vec![0; x.rows() * width];
        bytes.par_chunks_mut((CHUNK * width).max(1)).enumerate().for_each(|(chunk, bytes)| {
            for (at, bytes) in bytes.chunks_exact_mut(width).enumerate() {
                let row = x.row(chunk * CHUNK + at);
                for (byte, (field, cells)) in bytes.iter_mut().zip(&self.fields) {
                    *byte = match cells {
                        Cells::Ends(ends) => field.number_of(row).map_or(NONE, |cell| bin(ends, cell)),
                        Cells::Levels(levels) => field.level(row).map_or(NONE, |level| levels[level]),
                    };
                }
            }
        });
        Ok(Codes { fields: width, bytes })
    }

    /// Keeps them in a model file.
    pub fn save(&self, out: &mut Writer) {
        let widths: Vec<u32> = self.fields.iter().map(|(field, _)| field.width as u32).collect();
        let gaps: Vec<u32> = self.fields.iter().map(|(field, _)| u32::from(field.gaps)).collect();
        let (mut ends, mut levels) = (Vec::new(), Vec::new());
        let mut counts = Vec::new();
        for (_, cells) in &self.fields {
            counts.push(match cells {
                Cells::Ends(of) => {
                    ends.extend_from_slice(of);
                    of.len() as u32
                }
                Cells::Levels(of) => {
                    levels.extend(of.iter().map(|byte| u32::from(*byte)));
                    LEVELS
                }
            });
        }
        out.u32s("widths", &[widths.len()], &widths);
        out.u32s("gaps", &[gaps.len()], &gaps);
        out.u32s("counts", &[counts.len()], &counts);
        out.f32s("ends", &[ends.len()], &ends);
        out.u32s("levels", &[levels.len()], &levels);
    }

    /// Reads them from a model file.
    pub fn load(file: &Reader) -> Result<Self> {
        let broken = || Error::model_file("its bins do not fit together");
        let (widths, counts) = (file.read_u32s("widths")?, file.read_u32s("counts")?);
        let gaps = file.read_u32s("gaps")?;
        let (ends, levels) = (file.read_f32s("ends")?, file.read_u32s("levels")?);
        if widths.len() != counts.len() || widths.len() != gaps.len() {
            return Err(broken());
        }
        let (mut ends, mut levels) = (&ends[..], &levels[..]);
        let (mut start, mut fields) = (0usize, Vec::with_capacity(widths.len()));
        for ((&width, &count), &gaps) in widths.iter().zip(&counts).zip(&gaps) {
            let (width, gaps) = (width as usize, gaps != 0);
            let category = count == LEVELS;
            let cells = if category {
                let (own, rest) = levels.split_at_checked(width).ok_or_else(broken)?;
                levels = rest;
                let byte = |level: &u32| u8::try_from(*level).ok().filter(|byte| *byte != NONE);
                Cells::Levels(own.iter().map(byte).collect::<Option<_>>().ok_or_else(broken)?)
            } else {
                let (own, rest) = ends.split_at_checked(count as usize).ok_or_else(broken)?;
                ends = rest;
                if width != 1 || own.len() >= MOST_BINS || own.windows(2).any(|pair| pair[0] >= pair[1]) {
                    return Err(broken());
                }
                Cells::Ends(own.to_vec())
            };
            fields.push((Field { start, width, category, gaps }, cells));
            start += width;
        }
        if !ends.is_empty() || !levels.is_empty() {
            return Err(broken());
        }
        Ok(Bins { cols: start, fields })
    }
}

/// The number of ends of a field that has levels.
const LEVELS: u32 = u32::MAX;

/// How many ends lie below a number.
#[inline]
fn bin(ends: &[f32], cell: f32) -> u8 {
    ends.partition_point(|end| *end < cell) as u8
}

/// At most 254 ends, each half-way between two neighbours among all values. Both lists ascend.
fn ends(all: Vec<f32>, positives: Vec<f32>) -> Vec<f32> {
    // The place of the last value of each run of equals.
    let last = |value: f32| all.partition_point(|other| *other <= value).saturating_sub(1);
    let mut places: Vec<usize> = Vec::new();
    let distinct = 1 + all.windows(2).filter(|pair| pair[0] < pair[1]).count();
    if distinct <= MOST_BINS {
        places.extend((1..all.len()).filter(|&i| all[i - 1] < all[i]).map(|i| i - 1));
    } else {
        let of_positives = positives.len().min(MOST_BINS / 2);
        let step = positives.len() as f64 / of_positives.max(1) as f64;
        places.extend((0..of_positives).map(|k| last(positives[(k as f64 * step) as usize])));
        let of_pile = MOST_BINS - 1 - of_positives;
        places.extend((1..=of_pile).map(|k| last(all[k * (all.len() - 1) / (of_pile + 1)])));
        places.sort_unstable();
        places.dedup();
    }
    let between = |place: usize| {
        let (low, high) = (all[place], *all.get(place + 1)?);
        let middle = low + (high - low) / 2.0;
        Some(if middle < high && middle.is_finite() { middle } else { low })
    };
    let mut ends: Vec<f32> = places.into_iter().filter_map(between).collect();
    ends.dedup();
    ends
}

/// The byte of each level: its own, or one that the rarest share.
fn levels(x: &Dense, field: &Field) -> Vec<u8> {
    if field.width <= MOST_BINS {
        return (0..field.width as u8).collect();
    }
    let mut counts: Vec<(usize, usize)> = (0..field.width).map(|level| (0, level)).collect();
    x.iter_rows().filter_map(|row| field.level(row)).for_each(|level| counts[level].0 += 1);
    counts.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut bytes = vec![0; field.width];
    for (place, (_, level)) in counts.into_iter().enumerate() {
        bytes[level] = place.min(MOST_BINS - 1) as u8;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::MISSING;

    #[test]
    fn few_values_have_a_bin_each() {
        assert_eq!(ends(vec![1.0, 1.0, 2.0, 4.0], vec![1.0]), [1.5, 3.0]);
        assert_eq!(bin(&[1.5, 3.0], 1.5), 0);
        assert_eq!((bin(&[1.5, 3.0], 2.0), bin(&[1.5, 3.0], 9.0)), (1, 2));
        assert!(ends(vec![], vec![]).is_empty());
        assert_eq!(ends(vec![f32::MIN, f32::MAX], vec![]).len(), 1);
    }

    #[test]
    fn a_negative_zero_is_missing_only_where_somebody_says_so() {
        let x = || Dense::new(3, 1, vec![MISSING, 0.0, 1.0]).unwrap();
        let codes = |x: &Dense| Bins::fit(x, &[0], &Run::new(0)).encode(x).unwrap().bytes;
        assert_eq!(codes(&x()), [0, 0, 1]);
        let field = Field { gaps: true, ..Field::number(0) };
        assert_eq!(codes(&x().with_fields([field].into()).unwrap()), [NONE, 0, 1]);
    }

    #[test]
    fn positives_in_the_tail_are_told_apart() {
        let all: Vec<f32> = (0..20_000).map(|i| i as f32).collect();
        let ends = ends(all, vec![19_990.0, 19_995.0]);
        assert!(ends.len() <= 254 && ends.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(ends.contains(&19_990.5) && ends.contains(&19_995.5));
    }

    #[test]
    fn levels_are_bytes_and_the_rarest_share_one() {
        let field = Field { start: 0, width: 300, category: true, gaps: true };
        let mut values = vec![0.0; 302 * 300];
        (0..302).for_each(|row| values[row * 300 + (row + 299) % 300] = 1.0);
        let x = Dense::new(302, 300, values).unwrap().with_fields([field].into()).unwrap();
        let codes = Bins::fit(&x, &[0], &Run::new(0)).encode(&x).unwrap();
        // Levels 299 and 0 occur twice, so they come first; of the others the last share the byte 254.
        assert_eq!((codes.row(0)[0], codes.row(1)[0], codes.row(299)[0]), (1, 0, 254));
    }
}
