//! What `score` says of rows that are like those learned from, and of rows that are not: alarms and estimates, counted.
//!
//! `tomorrow METHOD SPLITS TASKS`: each task (`sms`, `disaster`, `letters`, a newsgroup) is split at random into examples,
//! pile and new rows of the same distribution; every note about the new rows is a false alarm. Then the same model gets
//! new rows with a twentieth and with the fourfold of its share of positives, and, for texts, rows of another kind.
//! Data: `../shared/data` or `LIKEWISE_DATA`.

mod sets;

use likewise::Run;
use likewise::data::Table;
use likewise::questions::find::Find;
use likewise::questions::score::Score;
use likewise::questions::{ColumnChoice, Problem};
use likewise::trained::Trained;
use rand::seq::SliceRandom;
use sets::{Failure, Rows, letters, texts};

const EXAMPLES: usize = 60;
const PILE: usize = 2000;
const NEW: usize = 1500;

/// Alarms by kind of new rows, and sums of what was estimated.
#[derive(Default)]
struct Told {
    splits: usize,
    alarms: usize,
    share: f64,
    truth: f64,
    held: usize,
    f1: [f64; 2],
    /// Shares marked, before and now, and the largest deviations.
    marked: [f64; 2],
    deviations: Vec<f64>,
    notes: Vec<String>,
}

impl Told {
    fn ask(&mut self, trained: &Trained, table: &Table, wanted: &[bool], run: &Run) -> Result<(), Failure> {
        let mut question = Score::new(trained, None);
        let before = question.batch(table, run)?;
        let found = question.comparison(run).ok_or("the model has nothing to compare with")?;
        let after = match question.recut(run) {
            Ok(cut) => Score::new(trained, None).with_cut(Some(cut)).batch(table, run)?,
            Err(_) => before.clone(),
        };
        let truth = wanted.iter().filter(|wanted| **wanted).count() as f64 / wanted.len() as f64;
        self.splits += 1;
        self.alarms += usize::from(found.differs);
        self.notes.extend(found.notes.first().map(|note| note.message.code.name.to_string()));
        self.truth += truth;
        self.marked[0] += found.marked_before;
        self.marked[1] += found.marked;
        self.deviations.push(found.deviations);
        if let Some(share) = found.positives {
            self.share += share.share;
            self.held += usize::from(share.low <= truth && truth <= share.high);
        }
        for (sum, scored) in self.f1.iter_mut().zip([before, after]) {
            *sum += f1(&scored.positive, wanted);
        }
        Ok(())
    }

    fn show(&mut self, what: &str) {
        let n = self.splits.max(1) as f64;
        self.notes.sort();
        self.notes.dedup();
        self.deviations.sort_by(f64::total_cmp);
        println!(
            "  {what:<13} told {:>3} of {:>3}  marked {:.3} before {:.3} deviations up to {:.1}  share {:.3} believed {:.3} held {:.2}  F1 {:.3} recut {:.3}  {}",
            self.alarms,
            self.splits,
            self.marked[1] / n,
            self.marked[0] / n,
            self.deviations.last().unwrap_or(&0.0),
            self.truth / n,
            self.share / n,
            self.held as f64 / n,
            self.f1[0] / n,
            self.f1[1] / n,
            self.notes.join(" ")
        );
    }
}

fn f1(marked: &[bool], wanted: &[bool]) -> f64 {
    let both = marked.iter().zip(wanted).filter(|(marked, wanted)| **marked && **wanted).count();
    let count = |all: &[bool]| all.iter().filter(|one| **one).count();
    2.0 * both as f64 / (count(marked) + count(wanted)).max(1) as f64
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, method, splits, tasks] = &arguments[..] else {
        return Err("give a method, a number of splits, and tasks: logistic 200 sms,letters".into());
    };
    for task in tasks.split(',') {
        let rows = if task == "letters" { letters("A"..="C")? } else { texts(task)? };
        let others = if task == "letters" { None } else { Some(texts("rec.autos")?.table) };
        let (mut same, mut fewer, mut more, mut other) = Default::default();
        for seed in 0..splits.parse()? {
            let run = Run::new(seed);
            split(&rows, others.as_ref(), method, [&mut same, &mut fewer, &mut more, &mut other], &run)?;
        }
        println!("{task}, {method}");
        same.show("the same");
        fewer.show("a twentieth");
        more.show("the fourfold");
        other.show("another kind");
    }
    Ok(())
}

fn split(
    rows: &Rows,
    others: Option<&Table>,
    method: &str,
    told: [&mut Told; 4],
    run: &Run,
) -> Result<(), Failure> {
    let mut order: Vec<usize> = (0..rows.wanted.len()).collect();
    order.shuffle(&mut run.rng("splits", 0));
    let examples: Vec<usize> = order.iter().copied().filter(|&row| rows.wanted[row]).take(EXAMPLES).collect();
    order.retain(|row| !examples.contains(row));
    // The first of the order have lost their positives to the examples.
    order.shuffle(&mut run.rng("splits", 1));
    let (pile, new) = order.split_at(PILE.min(order.len() / 2));
    let text = rows.table.get("text").is_some();
    let features = if text { None } else { Some(vec!["all".into()]) };
    let choice = ColumnChoice { features, ..ColumnChoice::default() };
    let problem = Problem::of_two(rows.table.select(&examples), rows.table.select(pile), &choice)?;
    let mut find = Find::new(Some(method), false)?;
    find.baseline = true;
    let trained = find.ask(&problem, run)?.trained;
    let (wanted, unwanted): (Vec<usize>, Vec<usize>) = new.iter().partition(|&&row| rows.wanted[row]);
    let share = wanted.len() as f64 / new.len() as f64;
    let mixed = |share: f64| {
        let rows = NEW.min(unwanted.len()).min((wanted.len() as f64 / share) as usize);
        let positive = ((share * rows as f64).round() as usize).min(wanted.len());
        [&wanted[..positive], &unwanted[..rows - positive]].concat()
    };
    let sides = [new[..NEW.min(new.len())].to_vec(), mixed(share / 20.0), mixed((4.0 * share).min(0.9))];
    let [same, fewer, more, other] = told;
    for (told, side) in [same, fewer, more].into_iter().zip(&sides) {
        let wanted: Vec<bool> = side.iter().map(|&row| rows.wanted[row]).collect();
        told.ask(&trained, &rows.table.select(side), &wanted, run)?;
    }
    if let Some(others) = others {
        let some: Vec<usize> = (0..1000).map(|k| k * others.rows() / 1000).collect();
        other.ask(&trained, &others.select(&some), &[false; 1000], run)?;
    }
    Ok(())
}
