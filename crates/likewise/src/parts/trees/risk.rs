//! How mixed a node is, without a single negative (Wilton et al. 2022).
//!
//! With π the share of positives in the pile, a node that holds p of all P positives and u of all U rows of the pile
//! has
//!
//! ```text
//! W₊ = π p / P        W₋ = max(0, u / U - W₊)        v = W₊ / (W₊ + W₋)        R = (W₊ + W₋) v (1 - v)
//! ```
//!
//! v minimises the non-negative PU risk of the quadratic loss in the node, and R is what it leaves: the Gini impurity
//! under estimated weights.

/// The risk of nodes of one tree.
#[derive(Clone, Copy, Debug)]
pub struct PuRisk {
    of_positive: f64,
    of_pile: f64,
}

/// How many rows of each kind are in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Labelled positives.
    pub positives: usize,
    /// Rows of the pile.
    pub pile: usize,
}

impl PuRisk {
    /// For a tree that learns from these rows under this prior.
    pub fn new(prior: f64, all: Held) -> Self {
        PuRisk { of_positive: prior / all.positives.max(1) as f64, of_pile: 1.0 / all.pile.max(1) as f64 }
    }

    /// The weight of the positives, and of positives and negatives.
    fn weights(&self, held: Held) -> (f64, f64) {
        let positive = held.positives as f64 * self.of_positive;
        (positive, positive.max(held.pile as f64 * self.of_pile))
    }

    /// The best answer for the node: the share of positives in it.
    pub fn value(&self, held: Held) -> f64 {
        let (positive, all) = self.weights(held);
        if all > 0.0 { positive / all } else { 0.0 }
    }

    /// What the best answer leaves.
    pub fn left(&self, held: Held) -> f64 {
        let (positive, all) = self.weights(held);
        if all > 0.0 { positive * (1.0 - positive / all) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // π = 0.5: a positive of ten weighs 0.05, a pile row of hundred 0.01.
        let risk = PuRisk::new(0.5, Held { positives: 10, pile: 100 });
        let held = |positives, pile| Held { positives, pile };
        assert!((risk.value(held(10, 100)) - 0.5).abs() < 1e-12);
        assert!((risk.left(held(10, 100)) - 0.25).abs() < 1e-12);
        assert!((risk.value(held(1, 20)) - 0.25).abs() < 1e-12);
        assert!((risk.left(held(1, 20)) - 0.2 * 0.25 * 0.75).abs() < 1e-12);
        // Three pile rows beside a positive that stands for five: none of them is a negative.
        assert_eq!((risk.value(held(1, 3)), risk.left(held(1, 3))), (1.0, 0.0));
        assert_eq!((risk.value(held(0, 3)), risk.left(held(0, 3))), (0.0, 0.0));
    }
}
