//! Kernels: the inner product that an SVM sees instead of x·y.

use crate::error::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// x·y
    Linear,
    /// exp(-γ |x - y|²)
    Rbf { gamma: f64 },
    /// (γ x·y + c)^degree
    Polynomial { gamma: f64, constant: f64, degree: u32 },
    /// The rows hold the kernel itself: column j of row i is K(i, j), j a training row.
    Given,
}

impl Kernel {
    /// The kernel from what the rows deliver cheaply: the product, or |x - y|² where `by_distance` says so.
    #[inline]
    pub(super) fn of(&self, base: f64) -> f64 {
        match *self {
            Kernel::Linear | Kernel::Given => base,
            Kernel::Rbf { gamma } => (-gamma * base).exp(),
            Kernel::Polynomial { gamma, constant, degree } => (gamma * base + constant).powi(degree as i32),
        }
    }

    pub(super) fn by_distance(&self) -> bool {
        matches!(self, Kernel::Rbf { .. })
    }

    /// K(x, x) from |x|².
    pub(super) fn of_itself(&self, squared_norm: f64) -> f64 {
        self.of(if self.by_distance() { 0.0 } else { squared_norm })
    }

    pub fn check(&self) -> Result<()> {
        let wrong = |name: &str, problem: &str| Err(Error::parameter(name, problem));
        match *self {
            Kernel::Rbf { gamma } if !(gamma > 0.0 && gamma.is_finite()) => {
                wrong("gamma", "must be a number above 0")
            }
            Kernel::Polynomial { gamma, constant, .. } if !gamma.is_finite() || !constant.is_finite() => {
                wrong("gamma", "must be a finite number")
            }
            _ => Ok(()),
        }
    }
}
