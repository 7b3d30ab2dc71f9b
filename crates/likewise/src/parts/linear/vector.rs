//! Sums over long vectors, in a fixed order that the processor can do several at a time.

const LANES: usize = 8;

/// Σ of a term for each pair of elements.
#[inline]
pub fn sum<A: Copy, B: Copy>(a: &[A], b: &[B], term: impl Fn(A, B) -> f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let (left, right) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(a, b)| term(*a, *b)).sum();
    for (a, b) in left.zip(right) {
        for k in 0..LANES {
            lanes[k] += term(a[k], b[k]);
        }
    }
    lanes.iter().sum::<f64>() + rest
}

/// The product of two vectors, of single or double precision.
#[inline]
pub fn dot<A: Copy + Into<f64>, B: Copy + Into<f64>>(a: &[A], b: &[B]) -> f64 {
    sum(a, b, |a, b| a.into() * b.into())
}

/// `into` += `factor` x `v`.
#[inline]
pub fn add_scaled<V: Copy + Into<f64>>(into: &mut [f64], factor: f64, v: &[V]) {
    into.iter_mut().zip(v).for_each(|(sum, v)| *sum += factor * (*v).into());
}
