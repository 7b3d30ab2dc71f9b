//! `unexpected` by itself: known classes that are hidden say who looks, and whether anything can be found at all.

use likewise::data::{Column, Dense, Table};
use likewise::features::words::WordOptions;
use likewise::questions::ColumnChoice;
use likewise::questions::unexpected::{Classes, Judged, Unexpected};
use likewise::registry::find;
use likewise::{Result, Run};
use rand::RngExt;

/// `count` texts of twelve words: some of the topic's own, the rest of words that all share. Topic 0 is none of its own.
fn texts(topic: usize, count: usize, seed: u64) -> Vec<String> {
    texts_of(topic, 30, count, seed)
}

/// The same with so many words of the topic's own: the more, the less alike its texts are.
fn texts_of(topic: usize, words: usize, count: usize, seed: u64) -> Vec<String> {
    let mut rng = Run::new(seed).rng("texts", topic as u64);
    let mut word = |at: usize| match (topic, at % 3) {
        (0, _) | (_, 0) => format!("common{}", rng.random_range(0..60)),
        _ => format!("topic{topic}word{}", rng.random_range(0..words)),
    };
    (0..count).map(|_| (0..12).map(&mut word).collect::<Vec<_>>().join(" ")).collect()
}

/// Four known classes of sixty texts; a hundred new ones of these and ten of none. Without topics all are noise.
fn sides(topics: bool) -> (Vec<String>, Vec<String>, Vec<String>) {
    let of = |topic: usize| if topics { topic } else { 0 };
    let known: Vec<String> = (1..=4).flat_map(|class| texts(of(class), 60, class as u64)).collect();
    let classes = (1..=4).flat_map(|class| vec![format!("class {class}"); 60]).collect();
    let expected = (1..=4).flat_map(|class| texts(of(class), 25, 10 + class as u64));
    let new = expected.chain(texts(of(9), 10, 99)).collect();
    (known, classes, new)
}

fn ask(
    method: &str,
    (known, classes, new): (Vec<String>, Vec<String>, Vec<String>),
    run: &Run,
) -> Result<Judged> {
    let question = Unexpected {
        method: find(method)?,
        parameters: Default::default(),
        columns: ColumnChoice::default(),
        words: WordOptions::default(),
    };
    let (known, new) = (Table::from_texts("text", known), Table::from_texts("text", new));
    question.ask(known, Classes::Given(classes), new, run)
}

fn codes(judged: &Judged) -> Vec<(&'static str, bool)> {
    judged.notes.iter().map(|note| (note.message.code.name, note.is_warning())).collect()
}

#[test]
fn classes_that_hold_together_are_found() {
    let judged = ask("auto", sides(true), &Run::new(0)).unwrap();
    let found = judged.competition.as_ref().unwrap();
    assert!(found.told, "{found:?}");
    assert_eq!((found.hidden.len(), found.rehearsals, found.candidates.len()), (4, 10, 4));
    assert_eq!(found.candidates[0].method, judged.method);
    assert!(found.candidates[0].area_under_roc > 0.95 && found.f1() > 0.7, "{found:?}");
    assert!(codes(&judged).contains(&("hidden-classes", false)), "{:?}", judged.notes);
    assert!(judged.verdicts[100..].iter().filter(|verdict| verdict.unexpected).count() >= 8);
    assert!(judged.verdicts[..100].iter().filter(|verdict| verdict.unexpected).count() <= 10);
    assert!(judged.line().contains("Hidden known classes were found with F1 "), "{}", judged.line());
}

#[test]
fn noise_is_called_noise() {
    let judged = ask("auto", sides(false), &Run::new(0)).unwrap();
    let found = judged.competition.as_ref().unwrap();
    assert!(!found.told, "{found:?}");
    assert!(codes(&judged).contains(&("unexpected-untold", true)), "{:?}", judged.notes);
    assert!(judged.line().ends_with("do not rely on the marks."), "{}", judged.line());
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let answer = |threads| {
        let run = Run::new(5).with_threads(threads).unwrap();
        serde_json::to_string(&ask("auto", sides(true), &run).unwrap()).unwrap()
    };
    assert_eq!(answer(1), answer(3));
}

#[test]
fn without_a_second_class_nothing_is_hidden() {
    let (known, _, new) = sides(true);
    let one = (known[..60].to_vec(), vec!["only".to_string(); 60], new);
    let run = Run::new(0);
    let judged = ask("auto", one.clone(), &run).unwrap();
    assert!(judged.competition.is_none() && codes(&judged).contains(&("nothing-hidden", false)));
    // What is taken then is what it always was.
    assert_eq!(judged.verdicts, ask("knn-nb", one, &run).unwrap().verdicts);
}

/// The new rows are of one known class, the one whose texts are the least alike, and of none.
#[test]
fn classes_that_the_new_rows_lack_do_not_make_the_others_unexpected() {
    let of = |class: usize, count: usize, seed: usize| {
        texts_of(class, if class == 1 { 150 } else { 15 }, count, seed as u64)
    };
    let known: Vec<String> = (1..=3).flat_map(|class| of(class, 80, class)).collect();
    let classes: Vec<String> = (1..=3).flat_map(|class| vec![format!("class {class}"); 80]).collect();
    let new: Vec<String> = of(1, 100, 11).into_iter().chain(texts(9, 30, 99)).collect();
    let sides = (known, classes, new);
    let run = Run::new(0);
    let marked = |judged: &Judged, rows: std::ops::Range<usize>| {
        judged.verdicts[rows].iter().filter(|verdict| verdict.unexpected).count()
    };
    let plain = marked(&ask("knn-nb", sides.clone(), &run).unwrap(), 0..100);
    let judged = ask("auto", sides, &run).unwrap();
    let (wrong, right) = (marked(&judged, 0..100), marked(&judged, 100..130));
    assert!(plain > 40 && wrong < 15 && right > 20, "{plain} {wrong} {right}");
    let note = judged.notes.iter().find(|note| note.message.code.name == "absent-classes").unwrap();
    assert_eq!(note.message.fields["classes"], serde_json::json!(["class 2", "class 3"]));
}

#[test]
fn vectors_are_judged_by_who_can_read_them() {
    let mut rng = Run::new(0).rng("vectors", 0);
    let mut rows = |axis: usize, count: usize| -> Vec<f32> {
        let mut cell = |j: usize| rng.random_range(-0.3..0.3) + f32::from(u8::from(j == axis));
        (0..8 * count).map(|at| cell(at % 8)).collect()
    };
    let table = |rows: Vec<f32>| {
        let x = Dense::new(rows.len() / 8, 8, rows).unwrap();
        Table::from_columns(vec![("v".to_string(), Column::Vectors(x))]).unwrap()
    };
    let known = table([rows(0, 40), rows(1, 40), rows(2, 40)].concat());
    let new = table([rows(0, 20), rows(1, 20), rows(2, 20), rows(5, 10)].concat());
    let classes: Vec<String> = (0..3).flat_map(|class| vec![format!("class {class}"); 40]).collect();
    let columns = ColumnChoice { vectors: Some(vec!["v".into()]), ..ColumnChoice::default() };
    let question = Unexpected {
        method: find("auto").unwrap(),
        parameters: Default::default(),
        columns,
        words: WordOptions::default(),
    };
    let judged = question.ask(known, Classes::Given(classes), new, &Run::new(0)).unwrap();
    assert_eq!((judged.method, judged.competition.as_ref().unwrap().candidates.len()), ("knn-novelty", 1));
    assert!(judged.verdicts[60..].iter().all(|verdict| verdict.unexpected));
    assert!(judged.verdicts[..60].iter().filter(|verdict| verdict.unexpected).count() < 10);
    assert!(judged.verdicts[..20].iter().flat_map(|verdict| &verdict.class).all(|class| class == "class 0"));
}

#[test]
fn a_method_that_is_named_competes_with_nobody() {
    let judged = ask("lgn", sides(true), &Run::new(0)).unwrap();
    assert!(judged.competition.is_none() && judged.method == "lgn");
    assert!(!judged.notes.iter().any(|note| note.message.code.name == "hidden-classes"));
}

#[test]
fn parameters_belong_to_a_method() {
    let question = Unexpected {
        method: find("auto").unwrap(),
        parameters: [("effort".to_string(), "quick".into())].into_iter().collect(),
        columns: ColumnChoice::default(),
        words: WordOptions::default(),
    };
    let table = |text: &str| Table::from_texts("text", [text]);
    let refused = question.ask(table("a b"), Classes::Given(vec!["x".into()]), table("c"), &Run::new(0));
    assert!(refused.unwrap_err().to_string().contains("name the method"));
}
