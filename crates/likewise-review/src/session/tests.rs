use super::log::{Act, Entry, Origin, Verdict};
use super::*;
use likewise::stopping::Rule;

fn entry(seq: u64, act: Act) -> Entry {
    let key = format!("key {seq}");
    Entry { seq, key, at: 0, by: "anna".into(), program: false, act, model: 0, ms: 0 }
}

fn mark(seq: u64, row: u32, verdict: Verdict, kind: Origin) -> Entry {
    entry(seq, Act::Mark { row, verdict, kind })
}

/// Twenty rows whose random order is 0, 1, 2, …
fn session(log: impl IntoIterator<Item = Entry>) -> Session {
    let mut session =
        Session::new(RandomOrder { rows: (0..20).collect(), position: (0..20).collect() }, false);
    session.replay(log);
    session
}

#[test]
fn undo_and_redo_walk_the_log_in_any_depth() {
    use Verdict::{No, Yes};
    let mut session = session([
        mark(1, 4, Yes, Origin::Best),
        mark(2, 5, No, Origin::Best),
        mark(3, 4, No, Origin::Search),
    ]);
    assert_eq!((session.counts().yes, session.counts().no), (0, 2));
    assert_eq!(
        (session.undoable("anna"), session.redoable("anna"), session.undoable("ben")),
        (vec![3], vec![], vec![])
    );
    session.apply(entry(4, Act::Undo(3)));
    assert_eq!(session.standing(4), Standing::Decided(Yes), "the mark before it counts again");
    assert_eq!((session.undoable("anna"), session.redoable("anna")), (vec![2], vec![3]));
    session.apply(entry(5, Act::Undo(2)));
    session.apply(entry(6, Act::Undo(1)));
    assert_eq!((session.standing(4), session.undoable("anna")), (Standing::Open(None), vec![]));
    assert_eq!(session.redoable("anna"), [1]);
    session.apply(entry(7, Act::Redo(1)));
    assert_eq!((session.undoable("anna"), session.redoable("anna")), (vec![1], vec![2]));
    session.apply(entry(8, Act::Redo(2)));
    assert_eq!((session.undoable("anna"), session.redoable("anna")), (vec![2], vec![3]));
    session.apply(entry(9, Act::Undo(2)));
    assert_eq!((session.undoable("anna"), session.redoable("anna")), (vec![1], vec![2]));
    session.apply(mark(10, 7, Yes, Origin::Best));
    assert_eq!((session.undoable("anna"), session.redoable("anna")), (vec![10], vec![]));
    assert_eq!(session.counts(), Counts { yes: 2, undone: 1, ..Counts::default() });
}

#[test]
fn examples_that_came_together_are_taken_back_together() {
    let mut session = session([mark(1, 4, Verdict::Yes, Origin::Best)]);
    let of_key = |seq: u64, key: &str, act: Act| Entry { key: key.into(), ..entry(seq, act) };
    let example = |row: u32| Act::Mark { row, verdict: Verdict::Yes, kind: Origin::Seed };
    (0..3).for_each(|_| session.add_outside_row());
    session.apply(of_key(2, "example 1/0", example(20)));
    session.apply(of_key(3, "example 2/0", example(21)));
    session.apply(of_key(4, "example 2/1", example(22)));
    assert_eq!((session.undoable("anna"), session.examples()), (vec![4, 3], 3));
    session.apply(of_key(5, "u", Act::Undo(4)));
    session.apply(of_key(6, "u/1", Act::Undo(3)));
    assert_eq!((session.undoable("anna"), session.examples()), (vec![2], 1));
    assert_eq!((session.redoable("anna"), session.taught().0), (vec![4, 3], vec![4, 20]));
    session.apply(of_key(7, "r", Act::Redo(4)));
    session.apply(of_key(8, "r/1", Act::Redo(3)));
    assert_eq!((session.examples(), session.redoable("anna")), (3, vec![]));
}

#[test]
fn a_changed_random_mark_stays_a_draw_with_its_new_verdict() {
    let log = [mark(1, 0, Verdict::No, Origin::Random), mark(2, 0, Verdict::Yes, Origin::Search)];
    let session = session(log);
    let steps = session.steps();
    assert_eq!(steps.decided().len(), 1);
    let steps = steps.decided();
    assert!(steps[0].wanted && steps[0].source == likewise::stopping::Source::Random);
    assert!(session.is_drawn(0) && !session.is_drawn(1));
}

#[test]
fn rows_put_off_count_as_missed() {
    let rule = Rule::new(20, 0.5, 0.05).unwrap();
    let base = |unsure: Verdict| {
        let found = (0..4).map(|row| mark(row + 1, 19 - row as u32, Verdict::Yes, Origin::Best));
        let checks = (0..12).map(|row| {
            let verdict = if row == 3 { unsure } else { Verdict::No };
            mark(row + 5, row as u32, verdict, Origin::Random)
        });
        session(found.chain(checks)).steps().look(&rule)
    };
    let (decided, open) = (base(Verdict::No), base(Verdict::Unsure));
    assert!(open.recall_low < decided.recall_low, "{} {}", open.recall_low, decided.recall_low);
    assert!(open.total_high > open.found);
}

#[test]
fn the_price_is_that_after_the_rows_put_off_are_decided() {
    let rule = Rule::new(400, 0.8, 0.05).unwrap();
    let order = || RandomOrder { rows: (0..400).collect(), position: (0..400).collect() };
    let read = |verdict: Verdict, of_open: Verdict| {
        let mut session = Session::new(order(), false);
        session.replay((0..20).map(|row| mark(row + 1, 399 - row as u32, verdict, Origin::Best)));
        session.replay((0..40).map(|row| mark(row + 21, 379 - row as u32, of_open, Origin::Best)));
        session.replay((0..10).map(|row| mark(row + 61, row as u32, Verdict::No, Origin::Random)));
        session.steps().look(&rule)
    };
    let (open, yes, no) = (
        read(Verdict::Yes, Verdict::Unsure),
        read(Verdict::Yes, Verdict::Yes),
        read(Verdict::Yes, Verdict::No),
    );
    assert!(!open.stop && open.to_target == yes.to_target.max(no.to_target), "{open:?} {yes:?} {no:?}");
    assert!(open.to_target > 0 && open.to_target < 400);
}

#[test]
fn a_drawn_row_that_was_passed_over_counts_as_missed_and_stays_drawn() {
    let rule = Rule::new(20, 0.5, 0.05).unwrap();
    let base = |checks: &[u32]| {
        let found = (0..4).map(|row| mark(row + 1, 19 - row as u32, Verdict::Yes, Origin::Best));
        let checks = checks.iter().zip(5..).map(|(&row, seq)| mark(seq, row, Verdict::No, Origin::Random));
        session(found.chain(checks))
    };
    let (seen, passed) = (base(&[0, 1, 2, 3, 4, 5, 6, 7]), base(&[0, 1, 2, 4, 5, 6, 7, 8]));
    assert!(passed.is_drawn(3));
    let (seen, passed) = (seen.steps().look(&rule), passed.steps().look(&rule));
    assert!(passed.recall_low <= seen.recall_low, "{} {}", passed.recall_low, seen.recall_low);
    assert!(passed.total_high > passed.found);
}

#[test]
fn a_program_teaches_but_proves_nothing() {
    let mut said = mark(1, 3, Verdict::Yes, Origin::Best);
    said.program = true;
    let mut other = mark(2, 4, Verdict::No, Origin::Best);
    other.program = true;
    let mut session = session([said, other]);
    assert_eq!((session.counts().read(), session.counts().program_yes), (0, 1));
    assert_eq!(session.taught(), (vec![3], vec![4]));
    assert!(session.steps().decided().is_empty() && session.undoable("anna").is_empty());
    session.apply(mark(3, 3, Verdict::No, Origin::Random));
    assert_eq!(session.taught(), (vec![], vec![3, 4]), "a person's word goes first");
    let agreement = session.agreement().unwrap();
    assert_eq!((agreement.both, agreement.same, agreement.program_yes_right), (1, 0, 0));
    assert!(agreement.low == 0.0 && agreement.high > 0.7);
}

#[test]
fn the_curve_is_thinned_and_ends_where_it_ends() {
    let session = session((0..20).map(|row| mark(row + 1, row as u32, Verdict::Yes, Origin::Best)));
    let curve = session.steps().curve(5);
    assert!(curve.len() <= 6 && curve.last() == Some(&(20, 20)), "{curve:?}");
}
