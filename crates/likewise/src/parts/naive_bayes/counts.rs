//! What naive Bayes may be given: counts, so nothing below zero.

use crate::data::{Csr, Data};
use crate::error::{Error, Result};

/// The rows as counts; refuses negative values, which have no meaning as "how often".
pub fn counts(x: &Data) -> Result<&Csr> {
    let x = x.sparse()?;
    let negative = |i: &usize| x.row(*i).values.iter().any(|v| *v < 0.0);
    match (0..x.rows()).find(negative) {
        Some(row) => Err(Error::data(format!(
            "row {} has a negative value, but naive Bayes counts; choose another method or weights",
            row + 1
        ))),
        None => Ok(x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_negative_count_is_named() {
        let x = Csr::new(2, vec![0, 1, 2], vec![0, 1], vec![1.0, -1.0]).unwrap();
        let message = counts(&Data::Sparse(Arc::new(x))).unwrap_err().to_string();
        assert!(message.starts_with("row 2 has a negative value"), "{message}");
    }
}
