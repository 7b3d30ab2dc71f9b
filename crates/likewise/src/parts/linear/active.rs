//! The columns that sparse rows really use, the most used first.
//!
//! A hundred documents touch a tenth of a large vocabulary, and a solver that keeps vectors over all of it
//! spends its time on zeros. The weight of a column that no row uses is 0 in any penalised model.

use std::cmp::Reverse;

use super::{LinearModel, RowView};
use crate::data::Csr;

pub struct ActiveColumns {
    /// The same rows over the used columns only; columns do not ascend within a row.
    pub x: Csr,
    /// The original number of each used column.
    columns: Vec<u32>,
    cols: usize,
}

impl ActiveColumns {
    /// None for dense rows, and where so many columns are used that renumbering them would cost more than it saves.
    pub fn of(x: RowView) -> Option<Self> {
        let RowView::Sparse(x) = x else { return None };
        let mut used = vec![0u32; x.cols];
        x.indices.iter().for_each(|&j| used[j as usize] += 1);
        let mut columns: Vec<u32> = (0..x.cols as u32).filter(|&j| used[j as usize] > 0).collect();
        if columns.len() > x.cols / 2 {
            return None;
        }
        columns.sort_by_key(|&j| Reverse(used[j as usize]));
        let mut position = used;
        for (k, &j) in columns.iter().enumerate() {
            position[j as usize] = k as u32;
        }
        let narrow = Csr {
            cols: columns.len(),
            indptr: x.indptr.clone(),
            indices: x.indices.iter().map(|&j| position[j as usize]).collect(),
            values: x.values.clone(),
        };
        Some(ActiveColumns { x: narrow, columns, cols: x.cols })
    }

    pub fn narrow(&self, model: &LinearModel) -> LinearModel {
        let weights = self.columns.iter().map(|&j| model.weights[j as usize]).collect();
        LinearModel { weights, bias: model.bias }
    }

    pub fn widen(&self, model: LinearModel) -> LinearModel {
        let mut weights = vec![0.0; self.cols];
        for (&j, w) in self.columns.iter().zip(model.weights) {
            weights[j as usize] = w;
        }
        LinearModel { weights, bias: model.bias }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_columns_come_first_and_models_find_their_way_back() {
        let x = Csr::new(6, vec![0, 2, 3, 5], vec![1, 4, 4, 0, 4], vec![1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        let active = ActiveColumns::of(RowView::Sparse(&x)).unwrap();
        assert_eq!(active.columns, [4, 0, 1]);
        assert_eq!(active.x.indices, [2, 0, 0, 1, 0]);
        let model = LinearModel { weights: vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6], bias: 1.0 };
        let narrow = active.narrow(&model);
        assert_eq!(narrow.weights, [0.5, 0.1, 0.2]);
        assert_eq!(active.widen(narrow).weights, [0.1, 0.2, 0.0, 0.0, 0.5, 0.0]);
        assert!(ActiveColumns::of(RowView::Sparse(&active.x)).is_none(), "every column is used");
    }
}
