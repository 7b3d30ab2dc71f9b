//! Several blocks of features side by side, each brought to about length 1, so that none drowns the others.
//!
//! Words are of length 1 already, and so are vectors; columns of unit deviation are as long as there are many of
//! them, and are shortened by a power of two (see [`crate::data::Part`]).

use std::sync::Arc;

use super::words::WordOptions;
use super::{Features, Input};
use crate::data::{Csr, Data, Part, PartKind, Table, join, unit_scale};
use crate::error::{Error, Result};
use crate::method::Spec;
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::run::Run;

/// The blocks as fitted on the training rows, and what each is multiplied by.
#[derive(Clone, Debug)]
pub struct Joined {
    blocks: Vec<Features>,
    scales: Vec<f32>,
}

impl Joined {
    /// Learns each block by itself, and gives the rows with all of them.
    pub fn fit(
        table: &Table,
        inputs: &[Input],
        options: &WordOptions,
        spec: &Spec,
        run: &Run,
    ) -> Result<(Joined, Data, Vec<Note>)> {
        let (mut blocks, mut rows, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for input in inputs {
            let (features, x, more) = Features::of_block(table, input, options, spec, run)?;
            blocks.push(features);
            rows.push(x);
            notes.extend(more);
        }
        let scales: Vec<f32> = rows.iter().map(unit_scale).collect();
        let joined = join(&rows.iter().zip(scales.iter().copied()).collect::<Vec<_>>())?;
        Ok((Joined { blocks, scales }, Data::Sparse(Arc::new(joined)), notes))
    }

    /// New rows under what was learned.
    pub fn transform(&self, table: &Table, run: &Run) -> Result<(Data, Vec<Note>)> {
        let (mut rows, mut notes) = (Vec::new(), Vec::new());
        for block in &self.blocks {
            let (x, more) = block.transform(table, run)?;
            rows.push(x);
            notes.extend(more);
        }
        Ok((self.side_by_side(&rows)?, notes))
    }

    /// The same, and of each document the share of its words that are known; nothing where no block is of words.
    pub fn transform_and_known(
        &self,
        table: &Table,
        run: &Run,
    ) -> Result<(Data, Vec<Note>, Vec<Option<f32>>)> {
        let (mut rows, mut notes, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for block in &self.blocks {
            let (x, more, of_words) = block.transform_and_known(table, run)?;
            rows.push(x);
            notes.extend(more);
            known.extend(of_words);
        }
        Ok((self.side_by_side(&rows)?, notes, known))
    }

    /// Rows that were learned from, each as it would be if it alone had not been there.
    pub fn as_if_new(&self, x: &Arc<Csr>) -> Result<Data> {
        let of_block = |(block, part): (&Features, Part)| Ok(block.as_if_new(&part.of(x)?));
        self.side_by_side(&self.blocks().map(of_block).collect::<Result<Vec<_>>>()?)
    }

    fn side_by_side(&self, rows: &[Data]) -> Result<Data> {
        let joined = join(&rows.iter().zip(self.scales.iter().copied()).collect::<Vec<_>>())?;
        Ok(Data::Sparse(Arc::new(joined)))
    }

    /// The blocks, each with its own columns.
    pub fn blocks(&self) -> impl Iterator<Item = (&Features, Part)> {
        let mut offset = 0;
        self.blocks.iter().zip(&self.scales).map(move |(block, &scale)| {
            let columns = offset..offset + block.width();
            offset = columns.end;
            let kind = match block {
                Features::Words { .. } => PartKind::Words,
                Features::Vectors(_) => PartKind::Vectors,
                _ => PartKind::Columns,
            };
            let fields = match block {
                Features::Columns(own) => Some(own.layout().to_vec()),
                _ => None,
            };
            (block, Part { kind, columns, scale, fields })
        })
    }

    /// The blocks, to be changed.
    pub(super) fn blocks_mut(&mut self) -> &mut [Features] {
        &mut self.blocks
    }

    /// The block that column `j` belongs to, and its place there.
    pub fn block_of(&self, j: usize) -> Option<(&Features, usize)> {
        let (block, part) = self.blocks().find(|(_, part)| part.columns.contains(&j))?;
        Some((block, j - part.columns.start))
    }

    /// Keeps them in a model file.
    pub fn save(&self, out: &mut Writer) {
        out.value("blocks", &self.blocks.len());
        out.f32s("scales", &[self.scales.len()], &self.scales);
        for (at, block) in self.blocks.iter().enumerate() {
            out.nested(&at.to_string(), |out| block.save(out));
        }
    }

    /// Reads them from a model file.
    pub fn load(file: &Reader) -> Result<Self> {
        let (count, scales): (usize, Vec<f32>) = (file.value("blocks")?, file.read_f32s("scales")?);
        if scales.len() != count || scales.iter().any(|s| !(*s > 0.0 && s.is_finite())) {
            return Err(Error::model_file("the scales of its blocks are damaged"));
        }
        let block = |at: usize| match Features::load(&file.nested(&at.to_string()))? {
            block @ (Features::Words { .. } | Features::Columns(_) | Features::Vectors(_)) => Ok(block),
            _ => Err(Error::model_file("a block of it is neither words, columns nor vectors")),
        };
        Ok(Joined { blocks: (0..count).map(block).collect::<Result<_>>()?, scales })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Dense};
    use crate::registry::find;

    fn table() -> Table {
        let text: Vec<&str> = vec!["refund money", "late parcel", ""];
        Table::from_columns(vec![
            ("text".into(), Column::Text(text.into_iter().collect())),
            ("amount".into(), Column::Number(vec![1.0, 3.0, 2.0])),
            ("country".into(), Column::Text(["FR", "DE", "FR"].into_iter().collect())),
            ("v".into(), Column::Vectors(Dense::new(3, 2, vec![1.0, 0.0, 0.0, 2.0, 0.0, 0.0]).unwrap())),
        ])
        .unwrap()
    }

    fn input() -> Input {
        Input::blocks(vec!["text".into()], vec!["amount".into(), "country".into()], vec!["v".into()])
    }

    fn fit(method: &str) -> (Features, Data, Vec<Note>) {
        let spec = find(method).unwrap().spec();
        Features::fit(&table(), &input(), &WordOptions::default(), &spec, &Run::new(0)).unwrap()
    }

    #[test]
    fn every_block_has_its_columns_and_a_model_keeps_them() {
        let (features, x, _) = fit("logistic");
        let names: Vec<String> = (0..x.cols().unwrap()).map(|j| features.name(j)).collect();
        assert_eq!(
            names,
            ["late", "money", "parcel", "refund", "amount", "country = DE", "country = FR", "v[1]", "v[2]"]
        );
        let mut out = Writer::default();
        features.save(&mut out);
        let kept = Features::load(&Reader::new(out.finish().unwrap()).unwrap()).unwrap();
        assert_eq!(kept.columns_read(), ["text", "amount", "country", "v"]);
        let again = kept.transform(&table(), &Run::new(0)).unwrap().0;
        assert_eq!(x.sparse().unwrap(), again.sparse().unwrap());
        assert_eq!(features.blank_rows(&x), [] as [usize; 0], "the third row has an amount");
    }

    #[test]
    fn words_that_count_twice_want_a_text() {
        let twice = WordOptions { times: vec![2], ..WordOptions::default() };
        let fit = |input: &Input| {
            Features::fit(&table(), input, &twice, &find("logistic").unwrap().spec(), &Run::new(0))
                .map(|_| ())
        };
        assert!(fit(&input()).is_ok());
        let said = fit(&Input::Columns(vec!["amount".into()])).unwrap_err().to_string();
        assert!(said.contains("times") && said.contains("no text"), "{said}");
    }

    #[test]
    fn what_counts_words_says_what_it_leaves_out() {
        let (features, x, notes) = fit("nb");
        assert!(matches!(features, Features::Words { .. }));
        assert_eq!(x.cols(), Some(4));
        let said = notes.iter().map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        assert!(said.contains("`nb` counts words: it left out `amount`, `country`, `v`"), "{said}");
    }
}
