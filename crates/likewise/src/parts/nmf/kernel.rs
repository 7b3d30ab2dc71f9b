//! The update of some rows of one factor, in plain loops.

use super::entries::Entries;
use super::panel::{Panel, Real};

/// Updates the rows of V from a first one on: V, first row, these rows of the left factor, the right factor, its
/// column sums, room for a row's ratios.
pub type Kernel<T> = fn(&Entries<'_, T>, usize, &mut [T], &Panel<T>, &[T], &mut Vec<T>);

/// Keeps V / (W H) finite.
pub(super) const EPSILON: f64 = 1e-10;

pub(super) fn portable<T: Real>(
    v: &Entries<'_, T>,
    first: usize,
    left: &mut [T],
    right: &Panel<T>,
    sums: &[T],
    numerator: &mut Vec<T>,
) {
    let stride = right.stride();
    let epsilon = T::from_f64(EPSILON);
    for (i, w) in left.chunks_exact_mut(stride).enumerate() {
        numerator.clear();
        numerator.resize(stride, T::default());
        let (columns, values) = v.row(first + i);
        for (&j, &x) in columns.iter().zip(values) {
            let h = &right.values()[j as usize * stride..(j as usize + 1) * stride];
            let product = w.iter().zip(h).fold(T::default(), |sum, (a, b)| sum + *a * *b);
            let ratio = x / (product + epsilon);
            numerator.iter_mut().zip(h).for_each(|(n, b)| *n += ratio * *b);
        }
        for ((w, n), sum) in w.iter_mut().zip(numerator.iter()).zip(sums) {
            *w = scaled(*w, *n, *sum);
        }
    }
}

/// w · numerator / sum, or 0 where nothing is left.
pub(super) fn scaled<T: Real>(w: T, numerator: T, sum: T) -> T {
    if sum > T::default() {
        let value = w * numerator / sum;
        if value > T::FADED { value } else { T::default() }
    } else {
        T::default()
    }
}
