//! Dense matrix products.

/// `out[i, j]` = row i of `a` times row j of `b`, all stored row by row, both with `cols` columns.
pub fn rows_times_rows(a: &[f32], b: &[f32], cols: usize, out: &mut [f32]) {
    if cols == 0 {
        return out.fill(0.0);
    }
    let (m, n) = (a.len() / cols, b.len() / cols);
    assert!(a.len() == m * cols && b.len() == n * cols && out.len() == m * n, "shapes agree");
    // SAFETY: the strides walk exactly the m x cols, cols x n and m x n elements checked above.
    unsafe {
        matrixmultiply::sgemm(
            m,
            cols,
            n,
            1.0,
            a.as_ptr(),
            cols as isize,
            1,
            b.as_ptr(),
            1,
            cols as isize,
            0.0,
            out.as_mut_ptr(),
            n as isize,
            1,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_by_hand() {
        let mut out = [f32::NAN; 4];
        rows_times_rows(&[1.0, 2.0, 0.0, -1.0, 0.5, 2.0], &[1.0, 1.0, 1.0, 0.0, 2.0, 3.0], 3, &mut out);
        assert_eq!(out, [3.0, 4.0, 1.5, 7.0]);
    }
}
