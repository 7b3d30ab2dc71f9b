//! Average precision and F1 at a method's own cut where few positives are marked: short messages and newsgroups,
//! plain words, copies of the positives left out. It prints a table.
//!
//! `few_positives METHODS POSITIVES SEEDS TASKS SHARES`, lists with commas, the last two may be left out:
//!
//!     few_positives nb,nb:smoothing=laplace,pnb 30,150 3 violence,sms
//!     few_positives logistic,nb 100 3 sci.space 0.01,0.1,1
//!
//! With shares, each method learns from that share of the pile and ranks the whole of it. A task is one of those
//! below, a newsgroup, or `FILE.jsonl.gz=LABEL` with fields `text` and `label`. Data: `../shared/data` or
//! `LIKEWISE_DATA`.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use likewise::Run;
use likewise::data::{Data, PuData, Texts};
use likewise::decide::is_positive;
use likewise::features::words::{WordOptions, Words};
use likewise::measure::average_precision;
use likewise::method::{Parameters, Weights};
use likewise::registry::find;
use likewise_testing::data_text;
use rand::seq::SliceRandom;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

const TASKS: &str = "violence,disaster,sandy,boston,airline,sms";
/// What the tweets of the task `violence` were found by.
const VIOLENCE: &str = "attack,attacked,army,battle,bleeding,blood,bloody,body bag,body bagging,body bags,bomb,\
    bombed,bombing,dead,death,deaths,fatal,fatalities,fatality,hijack,hijacker,hijacking,hostage,hostages,injured,\
    injuries,injury,mass murder,mass murderer,massacre,police,riot,rioting,suicide bomb,suicide bomber,\
    suicide bombing,terrorism,terrorist,threat,war zone,weapon,weapons,wounded,wounds";

struct Collection {
    texts: Vec<String>,
    wanted: Vec<bool>,
}

fn load(task: &str) -> Result<Collection, Failure> {
    let (file, label) = match task {
        "violence" | "disaster" => ("disaster-dfe/disaster-dfe.jsonl.gz", "relevant"),
        "sandy" | "boston" => ("crisislex-t6/crisislex-t6.jsonl.gz", "on-topic"),
        "airline" => ("airline-sentiment/airline-sentiment.jsonl.gz", "positive"),
        "sms" => ("sms-spam/sms-spam.jsonl.gz", "spam"),
        other => other.split_once('=').unwrap_or(("20newsgroups/20news-19997.jsonl.gz", other)),
    };
    let takes = |row: &Value| {
        let field = |name: &str| row[name].as_str().unwrap_or("").to_string();
        match task {
            "violence" => {
                let keyword = field("keyword").replace("%20", " ");
                field("label") != "undecided" && VIOLENCE.split(',').any(|word| word == keyword)
            }
            "disaster" => field("label") != "undecided",
            "sandy" => field("event").contains("Sandy"),
            "boston" => field("event").contains("Boston"),
            _ => true,
        }
    };
    let (mut texts, mut wanted) = (Vec::new(), Vec::new());
    for line in data_text(file).ok_or("no rows")?.lines() {
        let row: Value = serde_json::from_str(line)?;
        if takes(&row) {
            let field = |name: &str| row[name].as_str().unwrap_or("");
            texts.push(format!("{} {}", field("subject"), field("text")));
            wanted.push(field("label") == label);
        }
    }
    Ok(Collection { texts, wanted })
}

/// One draw: marked rows, and the rest in random order.
struct Draw {
    marked: Vec<usize>,
    pile: Vec<usize>,
}

fn draw(collection: &Collection, positives: usize, run: &Run) -> Draw {
    let mut order: Vec<usize> = (0..collection.texts.len()).collect();
    order.shuffle(&mut run.rng("few positives", positives as u64));
    let marked: Vec<usize> =
        order.iter().copied().filter(|&row| collection.wanted[row]).take(positives).collect();
    let copies: HashSet<&str> = marked.iter().map(|&row| collection.texts[row].as_str()).collect();
    let pile = order.into_iter().filter(|&row| !copies.contains(collection.texts[row].as_str())).collect();
    Draw { marked, pile }
}

fn parameters(method: &str) -> Result<(&str, Parameters), Failure> {
    let mut parts = method.split(':');
    let name = parts.next().unwrap_or("");
    let mut given = Parameters::new();
    for setting in parts {
        let (key, value) = setting.split_once('=').ok_or(format!("{setting} is no NAME=VALUE"))?;
        given.insert(key.into(), serde_json::from_str(value).unwrap_or(Value::String(value.into())));
    }
    Ok((name, given))
}

/// Average precision and F1 over the pile.
fn trial(
    collection: &Collection,
    draw: &Draw,
    method: &str,
    share: f64,
    run: &Run,
) -> Result<[f64; 2], Failure> {
    let (name, given) = parameters(method)?;
    let entry = find(name)?;
    let learned = &draw.pile[..((share * draw.pile.len() as f64).ceil() as usize).min(draw.pile.len())];
    let texts = |rows: &mut dyn Iterator<Item = &usize>| -> Texts {
        rows.map(|&row| collection.texts[row].as_str()).collect()
    };
    let weights: Weights = entry.spec().weights;
    let train = texts(&mut draw.marked.iter().chain(learned));
    let (words, x) = Words::fit(&train, &WordOptions::default(), weights, run)?;
    let marks = (0..x.rows()).map(|row| row < draw.marked.len()).collect();
    let train = PuData::new(Data::Sparse(Arc::new(x)), marks)?;
    let fitted = entry.fit(&given, &train, run)?;
    let scores = if share < 1.0 {
        let rest = words.transform(&texts(&mut draw.pile[learned.len()..].iter()), run)?;
        let mut scores = fitted.scores[draw.marked.len()..].to_vec();
        scores.extend(fitted.model.score(&Data::Sparse(Arc::new(rest)), run)?);
        scores
    } else {
        fitted.scores[draw.marked.len()..].to_vec()
    };
    let truth: Vec<bool> = draw.pile.iter().map(|&row| collection.wanted[row]).collect();
    let count = |test: &dyn Fn(bool, bool) -> bool| {
        scores.iter().zip(&truth).filter(|(score, wanted)| test(is_positive(**score), **wanted)).count()
            as f64
    };
    let (both, found, there) = (count(&|f, w| f && w), count(&|f, _| f), count(&|_, w| w));
    Ok([average_precision(&scores, &truth), 2.0 * both / (found + there).max(1.0)])
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let list = |at: usize, default: &str| -> Vec<String> {
        let text = arguments.get(at).map_or(default, |text| text.as_str());
        text.split(',').map(str::to_string).collect()
    };
    let (methods, counts) = (list(0, "nb,pnb"), list(1, "30,150"));
    let seeds: u64 = arguments.get(2).map_or(Ok(3), |seeds| seeds.parse())?;
    let (tasks, shares) = (list(3, TASKS), list(4, "1"));
    let mut means: BTreeMap<(usize, usize), Vec<[f64; 2]>> = BTreeMap::new();
    println!(
        "{:<22}{:>5}  method: AP/F1 (of {seeds} draws), shares of the pile {}",
        "task",
        "P",
        shares.join(" ")
    );
    for task in &tasks {
        let collection = load(task)?;
        for positives in &counts {
            let positives: usize = positives.parse()?;
            print!("{task:<22}{positives:>5}");
            let draws: Vec<(Run, Draw)> = (0..seeds)
                .map(|seed| {
                    let run = Run::new(seed);
                    let draw = draw(&collection, positives, &run);
                    (run, draw)
                })
                .collect();
            let base =
                collection.wanted.iter().filter(|w| **w).count() as f64 / collection.wanted.len() as f64;
            print!("  base {base:.2}");
            for (m, method) in methods.iter().enumerate() {
                print!("  {method}");
                for (s, share) in shares.iter().enumerate() {
                    let share: f64 = share.parse()?;
                    let mut sum = [0.0; 2];
                    for (run, draw) in &draws {
                        let found = trial(&collection, draw, method, share, run)?;
                        sum.iter_mut().zip(found).for_each(|(sum, found)| *sum += found / seeds as f64);
                    }
                    means.entry((m, s)).or_default().push(sum);
                    print!(" {:.3}/{:.3}", sum[0], sum[1]);
                }
            }
            println!();
        }
    }
    println!("mean");
    for (m, method) in methods.iter().enumerate() {
        print!("  {method:<40}");
        for s in 0..shares.len() {
            let all = &means[&(m, s)];
            let mean = |k: usize| all.iter().map(|v| v[k]).sum::<f64>() / all.len() as f64;
            print!(" {:.3}/{:.3}", mean(0), mean(1));
        }
        println!();
    }
    Ok(())
}
