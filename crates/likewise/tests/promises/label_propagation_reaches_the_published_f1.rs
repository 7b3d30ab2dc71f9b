//! LP-PUL and PU-LP at the best configurations that Carnevali et al. (2021) published for three collections.
//!
//! F1 of the positive class over the unlabelled documents, the mean over classes that have more documents than
//! labels and over draws of the labels: ten as in the study, or the first of them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::support::{self, text_collections::Collection};
use likewise::Run;
use likewise::data::{Data, PuData};
use likewise::measure::Confusion;
use likewise::method::Parameters;
use likewise::registry::find;
use rand::seq::SliceRandom;
use serde_json::{Value, json};

const COLLECTIONS: [&str; 3] = ["CSTR", "SyskillWebert", "tr11"];

#[test]
fn lp_pul_reaches_the_published_f1() {
    let parameters = |setting: &Settings| {
        let number = |name: &str| setting[name].parse::<f64>().expect("a number");
        json!({
            "k": number("graph_param") as u64,
            "mutual": setting["graph"] == "MkNN",
            "spreading": setting["propagation"].to_lowercase(),
            "negatives": setting["neg_factor"][1..].parse::<f64>().expect("x and a number"),
            "alpha": number("llgc_alpha"),
        })
    };
    compare("LP-PUL", "lp-pul", parameters);
}

#[test]
fn pu_lp_reaches_the_published_f1() {
    let parameters = |setting: &Settings| {
        let number = |name: &str| setting[name].parse::<f64>().expect("a number");
        json!({
            "k": number("graph_k") as u64,
            "attenuation": number("katz_alpha"),
            "positives": number("lambda"),
            "rounds": number("m") as u64,
        })
    };
    compare("PU-LP", "pu-lp", parameters);
}

type Settings<'a> = HashMap<&'a str, &'a str>;

/// Runs every published cell of a method and asks for a mean deviation below 0.03.
fn compare(study: &str, method: &str, parameters: impl Fn(&Settings) -> Value) {
    let Some(table) = support::data_file("textcollections/reference/carnevali2021_best_of_grid.csv") else {
        return;
    };
    let table = std::fs::read_to_string(table).expect("a readable table");
    let mut deviations = Vec::new();
    for name in COLLECTIONS {
        let Some(collection) = Collection::read(name) else { return };
        let x = Data::Sparse(Arc::new(collection.weighted()));
        for line in table.lines().filter(|line| line.starts_with(&format!("{study},{name},"))) {
            let cells: Vec<&str> = line.split(',').collect();
            let labelled: usize = cells[2].parse().unwrap();
            let published: f64 = cells[3].parse().unwrap();
            let settings: Settings = cells[6].split(' ').filter_map(|pair| pair.split_once('=')).collect();
            let Value::Object(parameters) = parameters(&settings) else { unreachable!() };
            let found = mean_f1(method, &parameters, &collection, &x, labelled);
            println!("{study} {name} {labelled}: published {published:.3}, found {found:.3}");
            deviations.push((found - published).abs());
        }
    }
    let mean = deviations.iter().sum::<f64>() / deviations.len() as f64;
    println!("{study}: mean deviation {mean:.4} over {} cells", deviations.len());
    assert!(deviations.len() == 15 && mean < 0.03, "mean deviation {mean}: {deviations:?}");
}

fn mean_f1(method: &str, parameters: &Parameters, collection: &Collection, x: &Data, labelled: usize) -> f64 {
    let trials: u64 = likewise_testing::choose(3, 10);
    let classes = collection.classes.iter().max().map_or(0, |c| c + 1);
    let mut of_classes = Vec::new();
    for class in 0..classes {
        let truth: Vec<bool> = collection.classes.iter().map(|c| *c == class).collect();
        let members: Vec<usize> = (0..truth.len()).filter(|&i| truth[i]).collect();
        if members.len() <= labelled {
            continue;
        }
        let f1_of_draw = |trial: u64| {
            let run = Run::new(trial);
            let mut drawn = members.clone();
            drawn.shuffle(&mut run.rng("labels", class as u64));
            let mut positive = vec![false; truth.len()];
            drawn[..labelled].iter().for_each(|&i| positive[i] = true);
            let train = PuData::new(x.clone(), positive).unwrap();
            let scores = find(method).unwrap().fit(parameters, &train, &run).unwrap().scores;
            let pile = train.unlabeled();
            let answers: Vec<bool> = pile.iter().map(|&i| scores[i] >= 0.5).collect();
            Confusion::count(&answers, &pile.iter().map(|&i| truth[i]).collect::<Vec<_>>()).f1()
        };
        of_classes.push((0..trials).map(f1_of_draw).sum::<f64>() / trials as f64);
    }
    of_classes.iter().sum::<f64>() / of_classes.len() as f64
}
