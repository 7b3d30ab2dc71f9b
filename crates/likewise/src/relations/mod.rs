//! Facts, modes, joins and first-order trees: what relational methods stand on.

/// Examples of a relation over a base of facts.
#[derive(Clone, Debug)]
pub struct Relational {
    examples: Vec<Vec<u32>>,
}

impl Relational {
    pub fn rows(&self) -> usize {
        self.examples.len()
    }

    pub fn select(&self, rows: &[usize]) -> Relational {
        Relational { examples: rows.iter().map(|&i| self.examples[i].clone()).collect() }
    }
}
