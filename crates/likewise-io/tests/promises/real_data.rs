//! The public data sets, counted as their own notes count them.

use std::collections::BTreeMap;

use likewise::data::Table;
use likewise_io::{Format, ReadOptions, Source, read_all};
use likewise_testing::data_file;

fn table(path: &str, format: Option<Format>, columns: Option<&[&str]>) -> Option<Table> {
    let source = Source::parse(data_file(path)?, format).unwrap();
    let columns = columns.map(|names| names.iter().map(|n| n.to_string()).collect());
    let (table, warnings) = read_all(&[source], &ReadOptions { columns, ..ReadOptions::default() }).unwrap();
    assert!(warnings.is_empty(), "{:?}", warnings.messages());
    Some(table)
}

fn counts(table: &Table, column: &str) -> BTreeMap<String, usize> {
    let column = table.column(column).unwrap();
    let mut counts = BTreeMap::new();
    (0..table.rows()).for_each(|i| *counts.entry(column.cell(i).into_owned()).or_default() += 1);
    counts
}

#[test]
fn twenty_newsgroups() {
    let Some(table) = table("20newsgroups/20news-19997.jsonl.gz", None, None) else { return };
    assert_eq!(table.column_names(), ["id", "label", "msgid", "subject", "text"]);
    let groups = counts(&table, "label");
    assert_eq!((table.rows(), groups.len(), groups["soc.religion.christian"]), (19_997, 20, 997));
    let texts = table.column("text").unwrap();
    assert_eq!((0..table.rows()).filter(|i| texts.cell(*i).trim().is_empty()).count(), 39);
}

#[test]
fn tweets() {
    let Some(table) = table("airline-sentiment/airline-sentiment.jsonl.gz", None, Some(&["label", "text"]))
    else {
        return;
    };
    assert_eq!(table.column_names(), ["label", "text"]);
    let labels = counts(&table, "label");
    assert_eq!((labels["negative"], labels["neutral"], labels["positive"]), (9_178, 3_099, 2_363));
}

#[test]
fn breast_cancer() {
    let Some(table) = table("breastcancer/breastcancer.csv.gz", None, None) else { return };
    let labels = counts(&table, "label");
    assert_eq!((table.rows(), labels["benign"], labels["malignant"]), (699, 458, 241));
    assert_eq!(counts(&table, "bare_nuclei")[""], 16);
}

#[test]
fn term_counts() {
    for (name, rows, terms, entries) in [("CSTR", 299, 1725, 16_240), ("SyskillWebert", 334, 4339, 31_116)] {
        let Some(table) = table(&format!("textcollections/{name}.svm.gz"), None, None) else { return };
        let x = &table.sparse.as_ref().unwrap().x;
        assert_eq!((table.rows(), x.cols, x.nnz()), (rows, terms, entries), "{name}");
    }
}

#[test]
fn heart_scale_has_no_extension() {
    let Some(table) = table("heart_scale/heart_scale.gz", Some(Format::Svmlight), None) else { return };
    let labels = counts(&table, "label");
    assert_eq!((labels["+1"], labels["-1"]), (120, 150));
    assert_eq!(table.sparse.unwrap().x.cols, 13);
}
