//! The same update with 256-bit instructions, for machines that have them.
//!
//! Three passes over a row's words, so that each needs few registers and the words' numbers stay in the nearest
//! cache: eight products at a time, summed crosswise; all ratios; the numerators.

use std::arch::x86_64::*;

use super::entries::Entries;
use super::kernel::{EPSILON, Kernel, scaled};
use super::panel::{LANE, Panel};

type Lane = [f32; LANE];

/// None where the machine lacks the instructions or rows are too long to be held in registers.
pub(super) fn kernel(stride: usize) -> Option<Kernel<f32>> {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        return None;
    }
    match stride / LANE {
        1 => Some(detected::<1>),
        2 => Some(detected::<2>),
        3 => Some(detected::<3>),
        4 => Some(detected::<4>),
        5 => Some(detected::<5>),
        6 => Some(detected::<6>),
        _ => None,
    }
}

fn detected<const N: usize>(
    v: &Entries<'_, f32>,
    first: usize,
    left: &mut [f32],
    right: &Panel<f32>,
    sums: &[f32],
    ratios: &mut Vec<f32>,
) {
    // SAFETY: `kernel` hands this function out only where both instruction sets were found.
    unsafe { update::<N>(v, first, left, right, sums, ratios) }
}

/// `N` lanes make a row.
#[target_feature(enable = "avx2,fma")]
fn update<const N: usize>(
    v: &Entries<'_, f32>,
    first: usize,
    left: &mut [f32],
    right: &Panel<f32>,
    sums: &[f32],
    ratios: &mut Vec<f32>,
) {
    let right: &[[Lane; N]] = right.values().as_chunks::<LANE>().0.as_chunks::<N>().0;
    for (i, row) in left.chunks_exact_mut(N * LANE).enumerate() {
        let (words, values) = v.row(first + i);
        let mut w = [_mm256_setzero_ps(); N];
        for (w, lane) in w.iter_mut().zip(row.as_chunks::<LANE>().0) {
            *w = load(lane);
        }
        ratios.resize(ratios.len().max(words.len()), 0.0);
        let ratios = &mut ratios[..words.len()];
        products(words, &w, right, ratios);
        for (ratio, x) in ratios.iter_mut().zip(values) {
            *ratio = x / (*ratio + EPSILON as f32);
        }
        let numerators = numerators(words, ratios, right);
        for (a, w) in row.iter_mut().enumerate() {
            *w = scaled(*w, numerators[a / LANE][a % LANE], sums[a]);
        }
    }
}

/// The product of `w` with the numbers of each word.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn products<const N: usize>(words: &[u32], w: &[__m256; N], right: &[[Lane; N]], out: &mut [f32]) {
    let (eights, rest) = words.as_chunks::<8>();
    let (out_eights, out_rest) = out.as_chunks_mut::<8>();
    for (j, out) in eights.iter().zip(out_eights) {
        let product = |t: usize| &right[j[t] as usize];
        let [a, b, c, d] = [product(0), product(1), product(2), product(3)];
        let low = _mm256_hadd_ps(
            _mm256_hadd_ps(lanes(w, a), lanes(w, b)),
            _mm256_hadd_ps(lanes(w, c), lanes(w, d)),
        );
        let [a, b, c, d] = [product(4), product(5), product(6), product(7)];
        let high = _mm256_hadd_ps(
            _mm256_hadd_ps(lanes(w, a), lanes(w, b)),
            _mm256_hadd_ps(lanes(w, c), lanes(w, d)),
        );
        *out = store(_mm256_add_ps(
            _mm256_permute2f128_ps::<0x20>(low, high),
            _mm256_permute2f128_ps::<0x31>(low, high),
        ));
    }
    for (&j, out) in rest.iter().zip(out_rest) {
        let [a, b, c, d, e, f, g, h] = store(lanes(w, &right[j as usize]));
        *out = ((a + b) + (c + d)) + ((e + f) + (g + h));
    }
}

/// The sum of the words' numbers, each times its ratio; every other word apart, to halve the chain of additions.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn numerators<const N: usize>(words: &[u32], ratios: &[f32], right: &[[Lane; N]]) -> [Lane; N] {
    let mut even = [_mm256_setzero_ps(); N];
    let mut odd = [_mm256_setzero_ps(); N];
    let (pairs, rest) = words.as_chunks::<2>();
    let (ratio_pairs, ratio_rest) = ratios.as_chunks::<2>();
    for (j, ratio) in pairs.iter().zip(ratio_pairs) {
        add(&mut even, ratio[0], &right[j[0] as usize]);
        add(&mut odd, ratio[1], &right[j[1] as usize]);
    }
    for (&j, &ratio) in rest.iter().zip(ratio_rest) {
        add(&mut even, ratio, &right[j as usize]);
    }
    let mut out = [[0.0; LANE]; N];
    for a in 0..N {
        out[a] = store(_mm256_add_ps(even[a], odd[a]));
    }
    out
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn add<const N: usize>(sums: &mut [__m256; N], ratio: f32, row: &[Lane; N]) {
    let ratio = _mm256_set1_ps(ratio);
    for (sum, lane) in sums.iter_mut().zip(row) {
        *sum = _mm256_fmadd_ps(ratio, load(lane), *sum);
    }
}

/// Eight partial sums of the product of two rows.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn lanes<const N: usize>(w: &[__m256; N], row: &[Lane; N]) -> __m256 {
    let mut sum = _mm256_mul_ps(w[0], load(&row[0]));
    for a in 1..N {
        sum = _mm256_fmadd_ps(w[a], load(&row[a]), sum);
    }
    sum
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn load(lane: &Lane) -> __m256 {
    // SAFETY: eight floats are there to be read, at any alignment.
    unsafe { _mm256_loadu_ps(lane.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn store(lane: __m256) -> Lane {
    let mut out = [0.0; LANE];
    // SAFETY: eight floats are there to be written, at any alignment.
    unsafe { _mm256_storeu_ps(out.as_mut_ptr(), lane) };
    out
}
