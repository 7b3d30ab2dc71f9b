//! New rows beside those that were learned from: what differs is told with numbers, what does not is not.

use likewise::data::{Column, Table};
use likewise::drift::Comparison;
use likewise::questions::find::Find;
use likewise::questions::score::Score;
use likewise::questions::{ColumnChoice, Ends, Problem};
use likewise::trained::Trained;
use likewise::{Run, codes};
use likewise_testing::{choose, data_text};
use rand::seq::SliceRandom;
use serde_json::Value;

fn texts(file: &str, wanted: &str) -> Option<[Vec<String>; 2]> {
    let mut sides = [Vec::new(), Vec::new()];
    for line in data_text(file)?.lines() {
        let row: Value = serde_json::from_str(line).expect("JSON lines");
        let text = row["text"].as_str().unwrap_or_default().to_string();
        sides[usize::from(row["label"] != wanted)].push(text);
    }
    sides.iter_mut().enumerate().for_each(|(k, side)| side.shuffle(&mut Run::new(7).rng("rows", k as u64)));
    Some(sides)
}

fn f1(marked: &[bool], wanted: &[bool]) -> f64 {
    let both = marked.iter().zip(wanted).filter(|(marked, wanted)| **marked && **wanted).count();
    let count = |all: &[bool]| all.iter().filter(|one| **one).count();
    2.0 * both as f64 / (count(marked) + count(wanted)).max(1) as f64
}

/// So many of the wanted and of the others, taken away from them.
fn draw(sides: &mut [Vec<String>; 2], wanted: usize, others: usize) -> Vec<String> {
    let mut rows = sides[0].split_off(sides[0].len() - wanted);
    rows.extend(sides[1].split_off(sides[1].len() - others));
    rows.shuffle(&mut Run::new(8).rng("rows", 0));
    rows
}

fn learned(like: Vec<String>, pile: Vec<String>, method: &str) -> Trained {
    let choice = ColumnChoice::default();
    let problem =
        Problem::of_two(Table::from_texts("text", like), Table::from_texts("text", pile), &choice).unwrap();
    let mut find = Find::new(Some(method), false).unwrap();
    find.baseline = true;
    find.ask(&problem, &Run::new(0)).unwrap().trained
}

fn compared(trained: &Trained, rows: &[String]) -> Comparison {
    let mut question = Score::new(trained, None);
    for batch in rows.chunks(300) {
        question.batch(&Table::from_texts("text", batch), &Run::new(0)).unwrap();
    }
    question.comparison(&Run::new(0)).expect("a model that compares")
}

fn codes_of(found: &Comparison) -> Vec<&'static str> {
    found.notes.iter().map(|note| note.message.code.name).collect()
}

/// A model of spam, learned where a tenth is spam, gets rows of which 0.5 %, 40 % and a tenth are, and newsgroup posts.
#[test]
fn spam_of_other_shares_is_told_and_the_same_is_not() {
    let Some(mut sides) = texts("sms-spam/sms-spam.jsonl.gz", "spam") else { return };
    let Some([posts, _]) = texts("20newsgroups/20news-19997.jsonl.gz", "rec.autos") else { return };
    let spam = sides[0].clone();
    let (like, pile) = (draw(&mut sides, 60, 0), draw(&mut sides, 150, 1350));
    let (few, many, same) =
        (draw(&mut sides, 5, 995), draw(&mut sides, 300, 450), draw(&mut sides, 100, 900));
    for method in choose(&["logistic"][..], &["logistic", "auto", "nb", "prototype"]) {
        let trained = learned(like.clone(), pile.clone(), method);
        for (rows, truth) in [(&few, 0.005), (&many, 0.4)] {
            let found = compared(&trained, rows);
            assert_eq!(codes_of(&found), [codes::SHARE_CHANGED.name], "{method}: {found:?}");
            let share = found.positives.unwrap();
            assert!(share.low <= truth && truth <= share.high, "{method}, {truth}: {share:?}");
            assert!(share.high - share.low < 0.25, "{method}, {truth}: {share:?}");
            // Placed for the new share, the cut is better or hardly worse; of five wanted rows each is a fifth of the recall.
            let wanted: Vec<bool> = rows.iter().map(|row| spam.contains(row)).collect();
            let mut question = Score::new(&trained, None);
            let table = Table::from_texts("text", rows.iter());
            let before = question.batch(&table, &Run::new(0)).unwrap();
            let cut = question.recut(&Run::new(0)).unwrap();
            let after = Score::new(&trained, None).with_cut(Some(cut)).batch(&table, &Run::new(0)).unwrap();
            let (before, after) = (f1(&before.positive, &wanted), f1(&after.positive, &wanted));
            assert!(after > before - 0.05, "{method}, {truth}: F1 {before} became {after}");
            let right = scored_right(&trained, &table, &wanted);
            let range = found.precision_range.unwrap();
            assert!(range.low <= right && right <= range.high, "{method}, {truth}: {right} of {range:?}");
        }
        let found = compared(&trained, &same);
        assert!(!found.differs, "{method}: {:?}", found.notes);
        let found = compared(&trained, &posts);
        assert_eq!(codes_of(&found)[0], codes::ANOTHER_KIND.name, "{method}: {found:?}");
        assert!(found.familiar.unwrap() < found.familiar_before.unwrap() - 0.1, "{method}: {found:?}");
        // Of such rows nothing is known, so no cut can be placed for them, and whoever asks is told all the same.
        let mut question = Score::looking(&trained, None);
        question.batch(&Table::from_texts("text", posts.iter()), &Run::new(0)).unwrap();
        let refused = question.recut(&Run::new(0)).unwrap_err();
        assert_eq!(refused.message.code, &codes::CUT_NOT_PLACED, "{method}");
        let codes: Vec<_> = question.alarms(&Run::new(0)).iter().map(|note| note.message.code.name).collect();
        assert_eq!(codes[0], codes::ANOTHER_KIND.name, "{method}");
    }
}

/// The share of the marked that are right.
fn scored_right(trained: &Trained, table: &Table, wanted: &[bool]) -> f64 {
    let marked = Score::new(trained, None).batch(table, &Run::new(0)).unwrap().positive;
    let right = marked.iter().zip(wanted).filter(|(marked, wanted)| **marked && **wanted).count();
    right as f64 / marked.iter().filter(|marked| **marked).count() as f64
}

/// `reproduce tomorrow` counts over 200 splits and more data; a few of them here.
#[test]
fn rows_of_the_same_distribution_raise_no_alarm() {
    let Some([spam, ham]) = texts("sms-spam/sms-spam.jsonl.gz", "spam") else { return };
    let splits = choose(6, 200);
    let alarms = (0..splits).filter(|&seed| {
        let mut spam = spam.clone();
        spam.shuffle(&mut Run::new(seed).rng("splits", 0));
        let like = spam.split_off(spam.len() - 60);
        let mut rest = [spam, ham.clone()].concat();
        rest.shuffle(&mut Run::new(seed).rng("splits", 1));
        let new = rest.split_off(1500);
        compared(&learned(like, rest, "logistic"), &new[..1500]).differs
    });
    let alarms = alarms.count();
    assert!(alarms <= splits as usize / 20, "{alarms} false alarms in {splits} splits");
}

fn numbers(rows: usize, seed: u64, shift: f64) -> Table {
    use rand_distr::{Distribution, Normal};
    let mut rng = Run::new(seed).rng("numbers", 0);
    let normal = Normal::new(0.0, 1.0).unwrap();
    let mut table = Table::from_source("numbers");
    let wanted = |row: usize| if row.is_multiple_of(5) { 2.0 } else { 0.0 };
    let mut column = |at: fn(f64) -> f64, shift: f64| -> Vec<f64> {
        (0..rows).map(|row| at(wanted(row)) + shift + normal.sample(&mut rng)).collect()
    };
    let (size, weight, other) = (column(|at| at, 0.0), column(|at| -at, 0.0), column(|_| 0.0, shift));
    table.push_column("size", Column::Number(size));
    table.push_column("weight", Column::Number(weight));
    table.push_column("age", Column::Number(other));
    table.origins = (0..rows as u64).map(|row| (0, row + 1)).collect();
    table
}

fn of_numbers() -> Trained {
    let all = numbers(900, 1, 0.0);
    let like: Vec<usize> = (0..200).step_by(5).collect();
    let choice = ColumnChoice { features: Some(vec!["all".into()]), ..ColumnChoice::default() };
    let pile = all.select(&(200..900).collect::<Vec<_>>());
    let problem = Problem::of_two(all.select(&like), pile, &choice).unwrap();
    let mut find = Find::new(Some("logistic"), false).unwrap();
    (find.baseline, find.ends) = (true, Some(Ends::Hidden));
    find.ask(&problem, &Run::new(0)).unwrap().trained
}

#[test]
fn a_column_out_of_its_range_is_named() {
    let trained = of_numbers();
    let ask = |table: &Table| {
        let mut question = Score::new(&trained, None);
        question.batch(table, &Run::new(0)).unwrap();
        question.comparison(&Run::new(0)).unwrap()
    };
    let same = ask(&numbers(500, 2, 0.0));
    assert!(!same.differs && same.outside.is_empty(), "{:?}", same.notes);
    let moved = ask(&numbers(500, 3, 9.0));
    assert_eq!(moved.outside[0].0, "age");
    assert!(moved.notes[0].to_string().contains("`age` in 100 %"), "{}", moved.notes[0]);
}

/// Counts of parts add up, whatever the batches; a model that was kept compares as before, and one of an older version,
/// which has nothing to compare with, says nothing and scores the same.
#[test]
fn batches_parts_and_files_change_nothing() {
    let trained = of_numbers();
    let rows = numbers(400, 4, 0.3);
    let summary = |trained: &Trained, batches: &[std::ops::Range<usize>]| {
        let mut all = Score::new(trained, None);
        for part in batches {
            let mut one = Score::new(trained, None);
            one.batch(&rows.select(&part.clone().collect::<Vec<_>>()), &Run::new(0)).unwrap();
            all.add(one);
        }
        serde_json::to_value(all.summary(&Run::new(0))).unwrap()
    };
    let whole = summary(&trained, std::slice::from_ref(&(0..400)));
    assert_eq!(whole, summary(&trained, &[0..100, 100..101, 101..400]));
    let again = Trained::from_bytes(trained.to_bytes().unwrap()).unwrap();
    assert_eq!(whole, summary(&again, std::slice::from_ref(&(0..400))));
    assert!(whole["comparison"]["positives"]["share"].is_number(), "{whole}");

    let without = {
        let all = numbers(900, 1, 0.0);
        let choice = ColumnChoice { features: Some(vec!["all".into()]), ..ColumnChoice::default() };
        let like = all.select(&(0..200).step_by(5).collect::<Vec<_>>());
        let problem = Problem::of_two(like, all.select(&(200..900).collect::<Vec<_>>()), &choice).unwrap();
        let mut find = Find::new(Some("logistic"), false).unwrap();
        find.ends = Some(Ends::Hidden);
        find.ask(&problem, &Run::new(0)).unwrap().trained
    };
    let (mut with, mut question) = (Score::new(&trained, None), Score::new(&without, None));
    let scores = question.batch(&rows, &Run::new(0)).unwrap();
    assert_eq!(scores, with.batch(&rows, &Run::new(0)).unwrap());
    assert!(question.comparison(&Run::new(0)).is_none());
    assert_eq!(question.recut(&Run::new(0)).unwrap_err().message.code, &codes::CUT_NOT_PLACED);
}

#[test]
fn a_share_and_a_number_of_rows_are_kept_to_the_row() {
    let rows = numbers(300, 5, 0.0);
    for (ends, wanted) in
        [(Ends::Top(1), 1), (Ends::Top(20), 20), (Ends::Top(500), 300), (Ends::Share(0.05), 15)]
    {
        let mut trained = of_numbers();
        trained.ends = Some(ends);
        let mut question = Score::looking(&trained, None);
        // In two batches, as rows of a file come.
        for part in [0..100, 100..300] {
            question.batch(&rows.select(&part.collect::<Vec<_>>()), &Run::new(0)).unwrap();
        }
        let cut = question.recut(&Run::new(0)).unwrap();
        let after = Score::new(&trained, None).with_cut(Some(cut)).batch(&rows, &Run::new(0)).unwrap();
        assert_eq!(after.positive.iter().filter(|positive| **positive).count(), wanted, "{ends:?}");
    }
}

#[test]
fn a_cut_placed_anew_keeps_the_ranking() {
    let trained = of_numbers();
    let rows = numbers(300, 5, 0.0);
    let mut question = Score::new(&trained, None);
    let before = question.batch(&rows, &Run::new(0)).unwrap();
    let cut = question.recut(&Run::new(0)).unwrap();
    let after = Score::new(&trained, None).with_cut(Some(cut)).batch(&rows, &Run::new(0)).unwrap();
    let order = |scores: &[f64]| likewise::decide::ranking(scores);
    assert_eq!(order(&before.scores), order(&after.scores));
    assert!(after.positive.iter().any(|p| *p) && after.positive.iter().any(|p| !*p));
}
