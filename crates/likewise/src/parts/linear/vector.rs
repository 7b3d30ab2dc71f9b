//! Sums over long vectors, in a fixed order that the processor can do several at a time.

const LANES: usize = 8;

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (left, right) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in left.zip(right) {
        for k in 0..LANES {
            lanes[k] += a[k] * b[k];
        }
    }
    lanes.iter().sum::<f64>() + rest
}

/// `into` += `factor` x `v`.
pub fn add_scaled(into: &mut [f64], factor: f64, v: &[f64]) {
    into.iter_mut().zip(v).for_each(|(sum, v)| *sum += factor * v);
}
