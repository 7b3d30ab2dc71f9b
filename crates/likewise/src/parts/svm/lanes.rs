//! The inner loops of the solver, written so that the processor does eight or sixteen numbers at a time.
//!
//! Each loop keeps a fixed number of partial results (lanes), so its answer is the same with and without wide
//! registers. `wide!` compiles a loop a second time for AVX2 and takes that one where the processor has it.

/// Rows of a panel: see `panels`.
pub const PANEL: usize = 32;
/// Entries whose largest value is found before the next ones are looked at.
pub const BLOCK: usize = 512;

macro_rules! wide {
    ($(#[$doc:meta])* $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$doc])*
        $visibility fn $name($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn plain($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $type),*) $(-> $result)? {
                    plain($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor was just seen to have AVX2.
                    return unsafe { avx2($($argument),*) };
                }
            }
            plain($($argument),*)
        }
    };
}

/// e^x for x ≤ 0 to about one unit in the last place: 2^n times a polynomial in the rest.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 · 2²³: adding it leaves the nearest whole number in the low bits
    let x = if x > -87.0 { x } else { -87.0 };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    // ln 2 in two parts, the first with zeros at its end, so that the rest keeps its last bits.
    const LN2_HIGH: f32 = 355.0 / 512.0;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let mut p = 1.987_569_2e-4;
    p = p * r + 1.398_199_9e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 0.5;
    p = p * (r * r) + r + 1.0;
    f32::from_bits((shifted.to_bits() << 23).wrapping_add(p.to_bits()))
}

wide! {
    /// out = exp(-gamma · out).
    pub fn exp_of_distances(out: &mut [f32], gamma: f32) {
        for value in out {
            *value = exp(-gamma * *value);
        }
    }
}

wide! {
    /// |x - row|² for the rows of whole panels, `panels` holding PANEL rows column by column.
    pub fn panel_distances(x: &[f32], panels: &[f32], out: &mut [f32]) {
        for (panel, out) in panels.chunks_exact(PANEL * x.len()).zip(out.chunks_exact_mut(PANEL)) {
            let mut sums = [0.0f32; PANEL];
            for (column, &v) in panel.chunks_exact(PANEL).zip(x) {
                for k in 0..PANEL {
                    let difference = v - column[k];
                    sums[k] += difference * difference;
                }
            }
            out.copy_from_slice(&sums);
        }
    }
}

wide! {
    /// x · row for the rows of whole panels.
    pub fn panel_products(x: &[f32], panels: &[f32], out: &mut [f32]) {
        for (panel, out) in panels.chunks_exact(PANEL * x.len()).zip(out.chunks_exact_mut(PANEL)) {
            let mut sums = [0.0f32; PANEL];
            for (column, &v) in panel.chunks_exact(PANEL).zip(x) {
                for k in 0..PANEL {
                    sums[k] += v * column[k];
                }
            }
            out.copy_from_slice(&sums);
        }
    }
}

/// The largest of the rows that may rise, and the smallest of those that may fall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    pub highest: f64,
    /// The last row at which `highest` stands.
    pub row: usize,
    pub lowest: f64,
}

wide! {
    /// f -= step · (a - b); then the largest f + rises and the smallest f + falls. `rises` is 0 or -∞ and
    /// `falls` 0 or +∞, so that rows which may not move that way never win.
    pub fn move_and_find(f: &mut [f64], a: &[f32], b: &[f32], step: f64, rises: &[f32], falls: &[f32]) -> Extremes {
        const LANES: usize = 8;
        let mut best = Extremes { highest: f64::NEG_INFINITY, row: usize::MAX, lowest: f64::INFINITY };
        let mut best_block = 0;
        let n = f.len();
        let (a, b, rises, falls) = (&a[..n], &b[..n], &rises[..n], &falls[..n]);
        let mut from = 0;
        while from < n {
            let to = (from + BLOCK).min(n);
            let f = &mut f[from..to];
            let (a, b, rises, falls) = (&a[from..to], &b[from..to], &rises[from..to], &falls[from..to]);
            let mut high = [f64::NEG_INFINITY; LANES];
            let mut low = [f64::INFINITY; LANES];
            let whole = f.len() / LANES * LANES;
            for at in (0..whole).step_by(LANES) {
                let (f, a, b) = (&mut f[at..at + LANES], &a[at..at + LANES], &b[at..at + LANES]);
                let (rises, falls) = (&rises[at..at + LANES], &falls[at..at + LANES]);
                for k in 0..LANES {
                    let moved = f[k] - step * (f64::from(a[k]) - f64::from(b[k]));
                    f[k] = moved;
                    let (up, down) = (moved + f64::from(rises[k]), moved + f64::from(falls[k]));
                    high[k] = if up > high[k] { up } else { high[k] };
                    low[k] = if down < low[k] { down } else { low[k] };
                }
            }
            for k in whole..f.len() {
                f[k] -= step * (f64::from(a[k]) - f64::from(b[k]));
                let (up, down) = (f[k] + f64::from(rises[k]), f[k] + f64::from(falls[k]));
                high[0] = if up > high[0] { up } else { high[0] };
                low[0] = if down < low[0] { down } else { low[0] };
            }
            for k in 0..LANES {
                if high[k] >= best.highest {
                    best.highest = high[k];
                    best_block = from;
                }
                best.lowest = if low[k] < best.lowest { low[k] } else { best.lowest };
            }
            from = to;
        }
        let block = best_block..(best_block + BLOCK).min(n);
        for k in block {
            if f[k] + f64::from(rises[k]) == best.highest {
                best.row = k;
            }
        }
        best
    }
}

wide! {
    /// The row that may fall with the largest gain (highest - f)² / (k(i,i) + k(j,j) - 2 k(i,j)), and the gain;
    /// the last of equal ones. None where no row lies below `highest`.
    pub fn best_partner(f: &[f64], falls: &[f32], row: &[f32], diagonal: &[f32], highest: f64, own: f32) -> Option<(usize, f32)> {
        const LANES: usize = 16;
        let n = f.len();
        let (falls, row, diagonal) = (&falls[..n], &row[..n], &diagonal[..n]);
        let gain = |f: f64, falls: f32, k: f32, d: f32| -> f32 {
            let gap = (highest - f) as f32 - falls;
            let gap = if gap > 0.0 { gap } else { 0.0 };
            let curvature = own + d - 2.0 * k;
            gap * gap / if curvature > 1e-12 { curvature } else { 1e-12 }
        };
        let (mut best, mut best_block) = (0.0f32, usize::MAX);
        let mut from = 0;
        while from < n {
            let to = (from + BLOCK).min(n);
            let (f, falls, row, diagonal) = (&f[from..to], &falls[from..to], &row[from..to], &diagonal[from..to]);
            let mut high = [0.0f32; LANES];
            let whole = f.len() / LANES * LANES;
            for at in (0..whole).step_by(LANES) {
                let (f, falls) = (&f[at..at + LANES], &falls[at..at + LANES]);
                let (row, diagonal) = (&row[at..at + LANES], &diagonal[at..at + LANES]);
                for k in 0..LANES {
                    let g = gain(f[k], falls[k], row[k], diagonal[k]);
                    high[k] = if g > high[k] { g } else { high[k] };
                }
            }
            for k in whole..f.len() {
                let g = gain(f[k], falls[k], row[k], diagonal[k]);
                high[0] = if g > high[0] { g } else { high[0] };
            }
            for k in 0..LANES {
                if high[k] > 0.0 && high[k] >= best {
                    best = high[k];
                    best_block = from;
                }
            }
            from = to;
        }
        if best_block == usize::MAX {
            return None;
        }
        let block = best_block..(best_block + BLOCK).min(n);
        block.rev().find(|&k| gain(f[k], falls[k], row[k], diagonal[k]) == best).map(|k| (k, best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_exponential_is_right_to_the_last_bits() {
        let mut values: Vec<f32> = (0..200_000).map(|i| i as f32 * 4.3e-4).collect();
        let wanted: Vec<f64> = values.iter().map(|v| (-f64::from(*v)).exp()).collect();
        exp_of_distances(&mut values, 1.0);
        for (found, wanted) in values.iter().zip(wanted) {
            assert!((f64::from(*found) - wanted).abs() <= 2e-7 * wanted, "{found} instead of {wanted}");
        }
        assert_eq!(values[0], 1.0);
        let mut far = [1e9f32];
        exp_of_distances(&mut far, 1.0);
        assert!(far[0] >= 0.0 && far[0] < 1e-37);
    }

    proptest! {
        #[test]
        fn extremes_and_partner_agree_with_plain_loops(
            rows in prop::collection::vec((-3i8..3, -3i8..3, -3i8..3, 0u8..4), 1..1200), step in -2i8..3,
        ) {
            let mut f: Vec<f64> = rows.iter().map(|r| f64::from(r.0)).collect();
            let a: Vec<f32> = rows.iter().map(|r| f32::from(r.1)).collect();
            let b: Vec<f32> = rows.iter().map(|r| f32::from(r.2)).collect();
            let rises: Vec<f32> = rows.iter().map(|r| if r.3 & 1 == 0 { 0.0 } else { f32::NEG_INFINITY }).collect();
            let falls: Vec<f32> = rows.iter().map(|r| if r.3 & 2 == 0 { 0.0 } else { f32::INFINITY }).collect();
            let moved: Vec<f64> = rows.iter().map(|r| f64::from(r.0) - f64::from(step) * f64::from(r.1 - r.2)).collect();
            let found = move_and_find(&mut f, &a, &b, f64::from(step), &rises, &falls);
            prop_assert_eq!(&f, &moved);
            let up = (0..f.len()).filter(|&k| rises[k] == 0.0).max_by(|&x, &y| f[x].total_cmp(&f[y]));
            if let Some(row) = up {
                prop_assert_eq!((found.highest, found.row), (f[row], row));
            }
            let lowest = (0..f.len()).filter(|&k| falls[k] == 0.0).map(|k| f[k]).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(found.lowest, lowest);

            let diagonal = vec![4.0f32; f.len()];
            let gain = |k: usize| {
                let gap = (2.5 - f[k]) as f32;
                let curvature = (4.0 + 4.0 - 2.0 * a[k]).max(1e-12);
                if falls[k] == 0.0 && gap > 0.0 { gap * gap / curvature } else { 0.0 }
            };
            let wanted = (0..f.len()).filter(|&k| gain(k) > 0.0).max_by(|&x, &y| gain(x).total_cmp(&gain(y)));
            let partner = best_partner(&f, &falls, &a, &diagonal, 2.5, 4.0);
            prop_assert_eq!(partner, wanted.map(|k| (k, gain(k))));
        }
    }
}
