//! What rows known not to be wanted add to a ranking, and what cuts cost: a table for texts and letters.
//!
//! `marks_and_cuts negatives METHODS POSITIVES SEEDS TASKS`: average precision without and with 10, 50 and 200 known
//! negatives, drawn at random or met while reading the top of the method's own ranking, over the rows that nobody marked.
//!
//! `marks_and_cuts cuts METHODS POSITIVES SEEDS TASKS`: F1 at the method's own threshold, at the cut from hidden positives,
//! and the best that any cut of the same ranking has.
//!
//! Tasks: `sms`, `disaster`, a newsgroup, `letters` (A to E among all). Data: `../shared/data` or `LIKEWISE_DATA`.

mod sets;

use likewise::Run;
use likewise::measure::average_precision;
use likewise::questions::find::Find;
use likewise::questions::{ColumnChoice, Ends, Problem};
use rand::seq::SliceRandom;
use sets::{Failure, Rows, letters, texts};

/// At most this many rows of a task, at random: many draws say more than large piles.
const MOST: usize = 4000;

struct Draw<'a> {
    rows: &'a Rows,
    marked: Vec<usize>,
    pile: Vec<usize>,
}

impl Draw<'_> {
    fn problem(&self, refused: &[usize]) -> Result<(Problem, Vec<bool>), Failure> {
        let table = &self.rows.table;
        let text = table.get("text").is_some();
        let features = (!text).then(|| vec!["all".to_string()]);
        let choice = ColumnChoice { features, ..ColumnChoice::default() };
        let pile: Vec<usize> = self.pile.iter().copied().filter(|row| !refused.contains(row)).collect();
        let unlike = (!refused.is_empty()).then(|| table.select(refused));
        let problem = Problem::of_three(table.select(&self.marked), unlike, table.select(&pile), &choice)?;
        Ok((problem, pile.iter().map(|&row| self.rows.wanted[row]).collect()))
    }

    /// The scores of the pile's rows that took part, and their truth; by place in the pile.
    fn ask(&self, method: &str, ends: Option<Ends>, refused: &[usize], run: &Run) -> Result<Asked, Failure> {
        let (problem, truth) = self.problem(refused)?;
        let mut question = Find::new(Some(method), false)?;
        question.ends = ends;
        let found = question.ask(&problem, run)?;
        let rows = found.ranking.positions.iter().zip(&found.ranking.scores);
        Ok(rows.map(|(&position, &score)| (position, score, truth[position])).collect())
    }
}

type Asked = Vec<(usize, f64, bool)>;

fn precision_without(asked: &Asked, left_out: &[usize]) -> f64 {
    let kept = asked.iter().filter(|(position, _, _)| !left_out.contains(position));
    let (scores, truth): (Vec<f64>, Vec<bool>) = kept.map(|&(_, score, wanted)| (score, wanted)).unzip();
    average_precision(&scores, &truth)
}

fn draw<'a>(rows: &'a Rows, positives: usize, run: &Run) -> Draw<'a> {
    let mut order: Vec<usize> = (0..rows.wanted.len()).collect();
    order.shuffle(&mut run.rng("marks and cuts", positives as u64));
    order.truncate(MOST);
    let marked: Vec<usize> = order.iter().copied().filter(|&row| rows.wanted[row]).take(positives).collect();
    let pile = order.into_iter().filter(|row| !marked.contains(row)).collect();
    Draw { rows, marked, pile }
}

/// Average precision without marks and with them, over the rows that neither has marked.
fn negatives(draw: &Draw, method: &str, run: &Run) -> Result<Vec<f64>, Failure> {
    let natural = Some(Ends::Natural);
    let without = draw.ask(method, natural, &[], run)?;
    let mut random: Vec<usize> = without.iter().filter(|row| !row.2).map(|row| row.0).collect();
    let read = random.clone();
    random.sort_unstable();
    random.shuffle(&mut run.rng("random negatives", 0));
    let mut gains = Vec::new();
    for order in [random, read] {
        for count in [10, 50, 200] {
            let refused: Vec<usize> = order.iter().copied().take(count).collect();
            let rows: Vec<usize> = refused.iter().map(|&at| draw.pile[at]).collect();
            let with = draw.ask(method, natural, &rows, run)?;
            gains.push(precision_without(&with, &[]) - precision_without(&without, &refused));
        }
    }
    gains.insert(0, precision_without(&without, &[]));
    Ok(gains)
}

/// F1 at the method's own threshold, at the cut from hidden positives, and the best of the same ranking.
fn cuts(draw: &Draw, method: &str, run: &Run) -> Result<Vec<f64>, Failure> {
    let natural = draw.ask(method, Some(Ends::Natural), &[], run)?;
    let hidden = draw.ask(method, Some(Ends::Hidden), &[], run)?;
    let there = natural.iter().filter(|row| row.2).count() as f64;
    let f1 = |rows: &mut dyn Iterator<Item = &(usize, f64, bool)>| {
        let (found, right) =
            rows.fold((0.0, 0.0), |(found, right), row| (found + 1.0, right + f64::from(row.2)));
        2.0 * right / (found + there)
    };
    let (mut best, mut right) = (0.0f64, 0.0);
    for (at, row) in natural.iter().enumerate() {
        right += f64::from(row.2);
        best = best.max(2.0 * right / ((at + 1) as f64 + there));
    }
    let marked = |asked: &Asked| f1(&mut asked.iter().filter(|row| row.1 >= 0.5));
    Ok(vec![precision_without(&natural, &[]), marked(&natural), marked(&hidden), best])
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |at: usize, default: &str| arguments.get(at).cloned().unwrap_or(default.into());
    let list = |at: usize, default: &str| -> Vec<String> {
        argument(at, default).split(',').map(str::to_string).collect()
    };
    let what = argument(0, "cuts");
    let (methods, counts) = (list(1, "logistic"), list(2, "30,150"));
    let seeds: u64 = argument(3, "3").parse()?;
    let head = match what.as_str() {
        "negatives" => "AP without; gain with 10, 50, 200 random; with 10, 50, 200 read",
        _ => "AP; F1 natural, hidden, best of the ranking",
    };
    println!("{head}");
    let mut all: Vec<Vec<Vec<f64>>> = vec![Vec::new(); methods.len()];
    for task in list(4, "sms,disaster,sci.med,letters") {
        let rows = if task == "letters" { letters("A"..="E")? } else { texts(&task)? };
        for positives in &counts {
            for (m, method) in methods.iter().enumerate() {
                let mut mean = Vec::new();
                for seed in 0..seeds {
                    let run = Run::new(seed);
                    let draw = draw(&rows, positives.parse()?, &run);
                    let found = match what.as_str() {
                        "negatives" => negatives(&draw, method, &run)?,
                        _ => cuts(&draw, method, &run)?,
                    };
                    mean.resize(found.len(), 0.0);
                    mean.iter_mut().zip(found).for_each(|(sum, value)| *sum += value / seeds as f64);
                }
                println!("{task:<12}{positives:>5}  {method:<18}{}", shown(&mean));
                all[m].push(mean);
            }
        }
    }
    for (method, cells) in methods.iter().zip(&all) {
        let mean = |k: usize| cells.iter().map(|cell| cell[k]).sum::<f64>() / cells.len() as f64;
        let means: Vec<f64> = (0..cells[0].len()).map(mean).collect();
        println!("{:<17}  {method:<18}{}", "mean", shown(&means));
    }
    Ok(())
}

fn shown(values: &[f64]) -> String {
    values.iter().map(|value| format!(" {value:>7.3}")).collect()
}
