//! A factor: rows of a few numbers, padded with zeros to a multiple of eight.

use std::borrow::Cow;

use rayon::prelude::*;

use super::kernel::{Kernel, portable};

/// f32 or f64.
pub trait Real:
    Copy
    + Default
    + Send
    + Sync
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::AddAssign
    + 'static
{
    /// Anything smaller becomes 0: numbers that fade away would otherwise end as slow subnormal ones.
    const FADED: Self;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    fn from_f32s(values: &[f32]) -> Cow<'_, [Self]>;
    /// The fastest way to update rows of this stride on this machine.
    fn kernel(stride: usize) -> Kernel<Self>;
}

impl Real for f64 {
    const FADED: f64 = 1e-290;

    fn from_f64(value: f64) -> f64 {
        value
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn from_f32s(values: &[f32]) -> Cow<'_, [f64]> {
        values.iter().map(|v| f64::from(*v)).collect()
    }

    fn kernel(_: usize) -> Kernel<f64> {
        portable
    }
}

impl Real for f32 {
    const FADED: f32 = 1e-30;

    fn from_f64(value: f64) -> f32 {
        value as f32
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn from_f32s(values: &[f32]) -> Cow<'_, [f32]> {
        values.into()
    }

    fn kernel(stride: usize) -> Kernel<f32> {
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = super::avx2::kernel(stride) {
            return kernel;
        }
        let _ = stride;
        portable
    }
}

/// Numbers in a row are added and multiplied eight at a time.
pub(super) const LANE: usize = 8;

/// A cache line. Rows that begin on one are not split over one more than they need.
const LINE: usize = 64;

#[derive(Debug)]
pub struct Panel<T> {
    columns: usize,
    stride: usize,
    /// Where the first row begins.
    start: usize,
    values: Vec<T>,
}

impl<T: Real> Clone for Panel<T> {
    fn clone(&self) -> Self {
        let mut out = Panel::zeros(self.rows(), self.columns);
        out.values_mut().copy_from_slice(self.values());
        out
    }
}

impl<T: Real> PartialEq for Panel<T> {
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns && self.values() == other.values()
    }
}

impl<T: Real> Panel<T> {
    /// `value(row, column)` everywhere.
    pub fn filled(rows: usize, columns: usize, mut value: impl FnMut(usize, usize) -> f64) -> Self {
        let mut panel = Panel::zeros(rows, columns);
        for i in 0..rows {
            for (a, out) in panel.row_mut(i).iter_mut().enumerate() {
                *out = T::from_f64(value(i, a));
            }
        }
        panel
    }

    fn zeros(rows: usize, columns: usize) -> Self {
        let stride = columns.next_multiple_of(LANE);
        let spare = LINE / size_of::<T>();
        let values = vec![T::default(); rows * stride + spare];
        let start = values.as_ptr().align_offset(LINE).min(spare);
        let mut panel = Panel { columns, stride, start, values };
        panel.values.truncate(start + rows * stride);
        panel
    }

    pub fn rows(&self) -> usize {
        self.values().len() / self.stride
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    pub fn row(&self, i: usize) -> &[T] {
        &self.values()[i * self.stride..][..self.columns]
    }

    pub fn row_mut(&mut self, i: usize) -> &mut [T] {
        let (stride, columns) = (self.stride, self.columns);
        &mut self.values_mut()[i * stride..][..columns]
    }

    /// The largest number; 0 for an empty panel.
    pub fn largest(&self) -> T {
        self.values().iter().fold(T::default(), |m, v| if *v > m { *v } else { m })
    }

    /// One sum for each number of a row, padding included; the same on any number of threads.
    pub fn column_sums(&self) -> Vec<f64> {
        const ROWS: usize = 1024;
        let of_chunk = |chunk: &[T]| {
            let mut sums = vec![T::default(); self.stride];
            for row in chunk.chunks_exact(self.stride) {
                sums.iter_mut().zip(row).for_each(|(sum, v)| *sum += *v);
            }
            sums
        };
        let chunks: Vec<Vec<T>> = self.values().par_chunks(ROWS * self.stride).map(of_chunk).collect();
        let mut sums = vec![0.0; self.stride];
        for chunk in chunks {
            sums.iter_mut().zip(chunk).for_each(|(sum, v)| *sum += v.to_f64());
        }
        sums
    }

    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    pub(super) fn values(&self) -> &[T] {
        &self.values[self.start..]
    }

    pub(super) fn values_mut(&mut self) -> &mut [T] {
        &mut self.values[self.start..]
    }
}
