//! Labelled documents counted once, from which many trials take their rows.

use std::sync::Arc;

use likewise::Run;
use likewise::data::{Csr, Data, PuData, Table};
use likewise::features::words::{Documents, StopWords, WordOptions, Words, weigh_counts};
use likewise::method::Weights;

use crate::data::DataFolder;
use crate::error::Result;

/// Word counts and one class name for each document.
#[derive(Clone, Debug)]
pub struct Collection {
    pub counts: Csr,
    pub classes: Vec<String>,
}

/// Without the words that say nothing by themselves.
fn english() -> WordOptions {
    WordOptions { stop_words: StopWords::English, ..WordOptions::default() }
}

impl Collection {
    /// Counts the words of these documents.
    pub fn count(
        documents: Documents<'_>,
        options: &WordOptions,
        classes: Vec<String>,
        run: &Run,
    ) -> Result<Self> {
        let (_, counts) = Words::fit(documents, options, Weights::Count, run)?;
        Ok(Collection { counts, classes })
    }

    /// 20 Newsgroups as first published: 19,997 messages, cross-posts kept.
    pub fn newsgroups(data: &DataFolder, columns: &[&str], run: &Run) -> Result<Self> {
        let table = data.table("20newsgroups/20news-19997.jsonl.gz")?;
        let columns: Vec<String> = columns.iter().map(|name| name.to_string()).collect();
        Collection::count(Documents::of(&table, &columns, &[])?, &english(), cells(&table, "label")?, run)
    }

    /// Stories of Reuters-21578 with exactly one topic.
    pub fn reuters(data: &DataFolder, run: &Run) -> Result<Self> {
        let table = data.table("reuters21578/reuters21578.jsonl.gz")?;
        let topics: Vec<Vec<String>> = cells(&table, "labels")?
            .iter()
            .map(|list| serde_json::from_str(list).unwrap_or_default())
            .collect();
        let single: Vec<usize> = (0..topics.len()).filter(|&row| topics[row].len() == 1).collect();
        let table = table.select(&single);
        let stories = Documents::of(&table, &["title".to_string(), "text".to_string()], &[])?;
        Collection::count(
            stories,
            &english(),
            single.iter().map(|&row| topics[row][0].clone()).collect(),
            run,
        )
    }

    /// The documents of a class, in their order.
    pub fn members(&self, class: &str) -> Vec<usize> {
        (0..self.classes.len()).filter(|&row| self.classes[row] == class).collect()
    }

    /// The classes by size, the largest first, equals by name.
    pub fn by_size(&self) -> Vec<(&str, usize)> {
        let mut sizes = std::collections::BTreeMap::<&str, usize>::new();
        self.classes.iter().for_each(|class| *sizes.entry(class).or_default() += 1);
        let mut sizes: Vec<_> = sizes.into_iter().collect();
        sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
        sizes
    }
}

/// The rows of one trial: positives first, then the pile; only words that occur in them.
pub struct TrialRows {
    counts: Csr,
    positives: usize,
}

impl TrialRows {
    pub fn new(collection: &Csr, positives: &[usize], pile: &[usize]) -> Self {
        let chosen: Vec<usize> = positives.iter().chain(pile).copied().collect();
        TrialRows { counts: collection.select(&chosen).without_unused_columns(), positives: positives.len() }
    }

    /// What a method learns from, under the weights that it wants of words.
    pub fn train(&self, weights: Weights) -> Result<PuData> {
        let labels = (0..self.counts.rows()).map(|row| row < self.positives).collect();
        let rows = weigh_counts(self.counts.clone(), weights);
        Ok(PuData::new(Data::Sparse(Arc::new(rows)), labels)?)
    }

    /// The positives and the pile as two tables, as a person would give them.
    pub fn tables(&self) -> (Table, Table) {
        let part = |rows: std::ops::Range<usize>| {
            Table::from_sparse(self.counts.select(&rows.collect::<Vec<_>>()), Vec::new())
        };
        (part(0..self.positives), part(self.positives..self.counts.rows()))
    }

    pub fn positives(&self) -> usize {
        self.positives
    }
}

/// One column as texts.
pub fn cells(table: &Table, column: &str) -> Result<Vec<String>> {
    let column = table.column(column)?;
    Ok((0..table.rows()).map(|row| column.cell(row).into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_holds_its_own_words_only() {
        let texts: likewise::data::Texts = ["alpha beta", "gamma", "beta beta delta"].into_iter().collect();
        let classes = ["x", "y", "x"].map(String::from).to_vec();
        let all = Collection::count((&texts).into(), &english(), classes, &Run::new(0)).unwrap();
        assert_eq!((all.members("x"), all.by_size()), (vec![0, 2], vec![("x", 2), ("y", 1)]));
        let rows = TrialRows::new(&all.counts, &[2], &[0]);
        let train = rows.train(Weights::Count).unwrap();
        let x = train.x.sparse().unwrap();
        assert_eq!((x.cols, x.rows(), train.positives()), (3, 2, vec![0]));
        assert_eq!((x.row(0).indices, x.row(0).values), (&[1u32, 2][..], &[2.0f32, 1.0][..]));
    }
}
