//! The readers of rows, one for each format.

use likewise::data::Table;
use likewise_io::{Format, ReadOptions, Source, read};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::honest;
use crate::{Answer, Target, alter};

pub fn all() -> Vec<Box<dyn Target>> {
    Format::ALL.into_iter().map(|format| Box::new(Rows::new(format)) as Box<dyn Target>).collect()
}

struct Rows {
    format: Format,
    honest: Vec<Vec<u8>>,
}

impl Rows {
    fn new(format: Format) -> Self {
        Rows { format, honest: honest::rows(format) }
    }

    /// What means something in the format.
    fn words(&self) -> &'static [&'static str] {
        match self.format {
            Format::Csv | Format::Tsv => &["text", "id", "\"a\nb\"", "\";\"", "\t\t"],
            Format::Json | Format::Jsonl => {
                &["null", "true", "{}", "[]", "\"text\":", "[1,2]", "\\ud800", "\\u0000", "{\"a\":{\"b\":1}}"]
            }
            Format::Svmlight => &["1:1", "0:1", "4294967296:1", "2:1 1:1", "qid:3", "# x", ":", "1:"],
            Format::Arff => &[
                "@attribute",
                "@data",
                "@relation",
                "numeric",
                "{a,b}",
                "{0 1}",
                "?",
                "string",
                "date",
                "%",
                "'",
            ],
            Format::Ris => &["TY  - ", "ER  - ", "AU  - ", "  - ", "\nTY  - JOUR\n"],
            Format::PubMed => &["PMID- ", "TI  - ", "      ", "\n\n"],
            _ => &[],
        }
    }
}

impl Target for Rows {
    fn name(&self) -> String {
        format!("rows-{}", self.format)
    }

    fn honest(&self) -> &[Vec<u8>] {
        &self.honest
    }

    fn alter(&self, rng: &mut Pcg64) -> Vec<u8> {
        let mut file = self.honest[rng.random_range(0..self.honest.len())].clone();
        let times = rng.random_range(1..5);
        match self.format {
            Format::Parquet | Format::Arrow | Format::Npy => {
                (0..times).for_each(|_| alter::bytes(rng, &mut file, 0.5))
            }
            Format::Xlsx if rng.random_bool(0.8) => file = honest::alter_zip(rng, &file),
            Format::Xlsx => (0..times).for_each(|_| alter::bytes(rng, &mut file, 0.5)),
            _ => (0..times).for_each(|_| alter::text(rng, &mut file, self.words())),
        }
        if rng.random_bool(0.1) { alter::wrap(rng, file) } else { file }
    }

    fn read(&self, bytes: &[u8]) -> Result<Answer, String> {
        let source = Source::from_bytes("case", bytes.to_vec(), self.format);
        let strict = ReadOptions::default();
        let lenient = ReadOptions {
            skip_bad_rows: true,
            batch_rows: 3,
            vectors: Some(vec!["v".into()]),
            columns: Some(vec!["text".into(), "size".into()]),
            ..ReadOptions::default()
        };
        let mut answer = Answer::Refused;
        for options in [strict, lenient] {
            let Ok(batches) = read(&source, &options) else { continue };
            for batch in batches {
                match batch {
                    Ok(table) => whole(&table)?,
                    Err(error) if error.to_string().is_empty() => return Err("an error without words".into()),
                    Err(_) => break,
                }
                answer = Answer::Given;
            }
        }
        Ok(answer)
    }
}

/// Every column is as long as the table, and every cell can be looked at.
pub fn whole(table: &Table) -> Result<(), String> {
    if table.rows() == 0 {
        return Err("a batch without rows".into());
    }
    for (name, column) in table.columns() {
        if column.len() != table.rows() {
            return Err(format!("column {name:?} has {} cells in {} rows", column.len(), table.rows()));
        }
        (0..column.len()).for_each(|row| drop(column.cell(row)));
    }
    if let Some(sparse) = &table.sparse
        && (sparse.x.rows() != table.rows() || sparse.x.indices.iter().any(|j| *j as usize >= sparse.x.cols))
    {
        return Err("sparse rows beside the table".into());
    }
    (0..table.rows()).for_each(|row| drop(table.place(row)));
    Ok(())
}
