//! The Katz index: how close rows are in a graph, counting all walks, longer ones for less.
//!
//! With the 0/1 matrix A of the graph it is K = (I - a A)^-1 - I, the sum of a^l A^l over the lengths l >= 1
//! while a is below 1/lambda_max. The closeness of all rows to a set S is K times the indicator of S, so one
//! sparse symmetric system is solved (MINRES, Paige & Saunders 1975) and K itself never exists. Above 1/lambda_max
//! the sum diverges and K is no longer a count of walks, but the system still has its solution.

use rayon::prelude::*;

use crate::data::Csr;
use crate::error::Result;
use crate::run::Run;

/// The largest eigenvalue of the graph's 0/1 matrix, to about six digits.
pub fn largest_eigenvalue(edges: &Csr) -> f64 {
    let n = edges.rows();
    let mut x = vec![1.0 / (n.max(1) as f64).sqrt(); n];
    let mut value = 0.0;
    for _ in 0..1000 {
        // A + I instead of A: its largest eigenvalue is alone on the largest circle, even in a bipartite graph.
        let mut y = times(edges, &x);
        y.iter_mut().zip(&x).for_each(|(y, x)| *y += x);
        let length = dot(&y, &y).sqrt();
        if length == 0.0 {
            return 0.0;
        }
        x = y.into_iter().map(|v| v / length).collect();
        let next = (length - 1.0).max(0.0);
        if (next - value).abs() <= 1e-7 * length {
            return next;
        }
        value = next;
    }
    value
}

/// Every row's Katz index summed over the rows of `set`.
pub fn closeness(edges: &Csr, set: &[usize], attenuation: f64, run: &Run) -> Result<Vec<f64>> {
    let mut indicator = vec![0.0; edges.rows()];
    set.iter().for_each(|&i| indicator[i] = 1.0);
    let mut solution = solve(edges, attenuation, &indicator, run)?;
    solution.iter_mut().zip(&indicator).for_each(|(s, i)| *s -= i);
    Ok(solution)
}

/// Solves (I - a A) x = b.
fn solve(edges: &Csr, a: f64, b: &[f64], run: &Run) -> Result<Vec<f64>> {
    const ENOUGH: f64 = 1e-12;
    let n = b.len();
    let most = (4 * n).clamp(100, 2000) as u64;
    let mut x = vec![0.0; n];
    let mut beta = dot(b, b).sqrt();
    let mut residual = beta;
    let enough = ENOUGH * beta;
    let (mut v_old, mut v) = (vec![0.0; n], b.to_vec());
    let (mut w_old, mut w) = (vec![0.0; n], vec![0.0; n]);
    // Cosines and sines of the last two plane rotations.
    let (mut c_old, mut c, mut s_old, mut s) = (1.0, 1.0, 0.0, 0.0);
    for round in 0..most {
        run.step("Katz index", round, most)?;
        if beta == 0.0 || residual.abs() <= enough {
            break;
        }
        v.iter_mut().for_each(|v| *v /= beta);
        let walked = times(edges, &v);
        let mut next: Vec<f64> = v.iter().zip(&walked).map(|(v, w)| v - a * w).collect();
        let alpha = dot(&v, &next);
        for i in 0..n {
            next[i] -= alpha * v[i] + beta * v_old[i];
        }
        let beta_next = dot(&next, &next).sqrt();
        let delta = c * alpha - c_old * s * beta;
        let rho = delta.hypot(beta_next);
        if rho == 0.0 {
            break;
        }
        let (above, far_above) = (s * alpha + c_old * c * beta, s_old * beta);
        (c_old, c, s_old, s) = (c, delta / rho, s, beta_next / rho);
        for i in 0..n {
            let direction = (v[i] - far_above * w_old[i] - above * w[i]) / rho;
            x[i] += c * residual * direction;
            w_old[i] = w[i];
            w[i] = direction;
        }
        residual *= -s;
        (v_old, v, beta) = (v, next, beta_next);
    }
    Ok(x)
}

fn times(edges: &Csr, x: &[f64]) -> Vec<f64> {
    let row = |i: usize| edges.row(i).indices.iter().map(|&j| x[j as usize]).sum();
    (0..edges.rows()).into_par_iter().with_min_len(512).map(row).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A star: row 0 joined to rows 1, 2, 3. Its largest eigenvalue is the root of 3.
    fn star() -> Csr {
        Csr::new(4, vec![0, 3, 4, 5, 6], vec![1, 2, 3, 0, 0, 0], vec![0.5; 6]).unwrap()
    }

    #[test]
    fn eigenvalue_of_a_star() {
        assert!((largest_eigenvalue(&star()) - 3f64.sqrt()).abs() < 1e-5);
        assert_eq!(largest_eigenvalue(&Csr::new(2, vec![0, 0, 0], vec![], vec![]).unwrap()), 0.0);
    }

    #[test]
    fn walks_of_a_star_are_counted() {
        // From leaf 1, z = (I - aA)^-1 e1: z0 = a / (1 - 3a^2), z1 = 1 + a z0, z2 = z3 = a z0.
        for a in [0.3, 0.9] {
            let found = closeness(&star(), &[1], a, &Run::new(0)).unwrap();
            let centre = a / (1.0 - 3.0 * a * a);
            for (f, wanted) in found.iter().zip([centre, a * centre, a * centre, a * centre]) {
                assert!((f - wanted).abs() < 1e-9, "a = {a}: {found:?}");
            }
        }
    }

    #[test]
    fn sets_add_up() {
        let sum = closeness(&star(), &[1, 2], 0.2, &Run::new(0)).unwrap();
        let one = closeness(&star(), &[1], 0.2, &Run::new(0)).unwrap();
        let other = closeness(&star(), &[2], 0.2, &Run::new(0)).unwrap();
        for i in 0..4 {
            assert!((sum[i] - one[i] - other[i]).abs() < 1e-9);
        }
    }
}
