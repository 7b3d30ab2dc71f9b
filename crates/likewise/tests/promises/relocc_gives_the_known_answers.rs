//! RelOCC against values computed by an independent program (`golden/relocc`).

use std::collections::HashMap;

use crate::support::relational::{areas, closed_world, examples, pairs};
use crate::support::{assert_close, golden, numbers};
use likewise::Run;
use likewise::measure::{area_under_precision_recall, average_precision};
use likewise::parts::distance_forest::{Gradient, LocalError, Sampling, Settings, Threshold, learn};
use likewise::parts::simplex::project;
use likewise::relations::bindings::Bindings;
use likewise::relations::candidates::candidates;
use likewise::relations::grow::{Criterion, Shape};
use likewise::relations::literal::test_text;
use likewise::relations::saved::SavedTree;
use likewise::relations::search::{Sums, Weights, try_all};
use likewise::relations::tree::Tree;
use likewise::relations::{Facts, Literal, Relational, Term, Test, atoms};

/// `ta(C,A,D), courselevel(C,level_300)` as a test.
fn parse_test(text: &str, facts: &Facts) -> Test {
    let mut arguments = Vec::new();
    text.split_inclusive(')')
        .map(|atom| {
            let predicate =
                atoms::parse(atom.trim_start_matches([',', ' ']), &mut arguments).unwrap().unwrap();
            let relation = facts.named(predicate).unwrap();
            let terms = arguments.iter().zip(&facts.relation(relation).domains).map(|(word, domain)| {
                let likewise::relations::Domain::Type(t) = domain else { panic!("a number") };
                match word.as_bytes() {
                    [letter @ b'A'..=b'Z'] => Term::Variable(u16::from(letter - b'A')),
                    _ => Term::Constant(facts.constants(*t).find(word).unwrap()),
                }
            });
            Literal { relation, terms: terms.collect() }
        })
        .collect()
}

/// `p(C,B,D), q(C,A,E)` as `q(C,A,D), p(C,B,E)`: the same question, its new variables in order again.
fn swapped(text: &str) -> Option<String> {
    let (p, q) = text.split_once("), ")?;
    let mut names = Vec::new();
    let letters: Vec<char> = format!("{q}, {p})").chars().collect();
    let renamed = (0..letters.len()).map(|i| {
        let alone =
            i > 0 && "(,".contains(letters[i - 1]) && "),".contains(*letters.get(i + 1).unwrap_or(&' '));
        if !alone || !('C'..='Z').contains(&letters[i]) {
            return letters[i];
        }
        let at = names.iter().position(|n| *n == letters[i]).unwrap_or_else(|| {
            names.push(letters[i]);
            names.len() - 1
        });
        char::from(b'C' + at as u8)
    });
    Some(renamed.collect())
}

fn coverage_is_exact(folder: &str, target: &str) {
    let golden = likewise_testing::golden_text(&format!("relocc/coverage_{folder}_area1.tsv.gz"));
    let Some(background) = areas(folder, target, &[1]) else { return };
    let (x, positive) = closed_world(&background, &pairs(&format!("{folder}/area1_pos.txt.gz")).unwrap());
    let facts = &background.facts;
    let rows: Vec<usize> = (0..x.rows()).collect();
    let bindings = Bindings::of_examples(x.arguments(), &rows);
    let flags: Vec<f64> = positive.iter().map(|p| f64::from(u8::from(*p))).collect();
    let weights = Weights { first: &flags, second: &flags };
    let all = candidates(facts, &background.modes, &background.head(), 2, 2);
    let (tried, capped) = try_all(facts, &all, &bindings, weights, usize::MAX - 1);
    assert_eq!(capped, 0);
    let found: HashMap<String, (usize, usize)> = (tried.iter())
        .filter(|t| t.covered.count > 0)
        .map(|t| {
            let positives = t.covered.first as usize;
            (test_text(&t.test, facts), (positives, t.covered.count - positives))
        })
        .collect();
    let mut expected = 0;
    for line in golden.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let counts: (usize, usize) = (cells[1].parse().unwrap(), cells[2].parse().unwrap());
        let answer = bindings.ask(facts, &parse_test(cells[0], facts), usize::MAX - 1).examples;
        let positives = answer.iter().filter(|&e| positive[e]).count();
        assert_eq!((positives, answer.count() - positives), counts, "{}", cells[0]);
        // `p, q` and `q, p` are one question, which the search asks once.
        match (found.get(cells[0]), swapped(cells[0]).and_then(|s| found.get(&s))) {
            (Some(own), _) => {
                assert_eq!(*own, counts, "{}", cells[0]);
                expected += 1;
            }
            (None, Some(other)) => assert_eq!(*other, counts, "{}", cells[0]),
            (None, None) => panic!("{} is not a candidate", cells[0]),
        }
    }
    assert_eq!(found.len(), expected, "a candidate covers somebody, but is not among the known queries");
}

#[test]
fn coverage_of_every_root_query_is_exact() {
    coverage_is_exact("uwcse", "advisedby");
    coverage_is_exact("imdb", "workedunder");
}

#[test]
fn simplex_projections() {
    let golden = golden("relocc/golden.json");
    for case in golden["simplex"].as_array().unwrap() {
        let mut weights = numbers(&case["v"]);
        project(&mut weights);
        assert_close(&weights, &numbers(&case["w"]), 1e-9, "projection");
    }
}

#[test]
fn areas_under_the_precision_recall_curve() {
    let golden = golden("relocc/golden.json");
    let case = &golden["pr"];
    let truth: Vec<bool> = numbers(&case["y"]).iter().map(|y| *y == 1.0).collect();
    let scores = numbers(&case["s"]);
    let found = [area_under_precision_recall(&scores, &truth), average_precision(&scores, &truth)];
    let expected = ["auc_pr", "average_precision"].map(|name| case[name].as_f64().unwrap());
    assert_close(&found, &expected, 1e-9, "areas");
}

#[test]
fn split_gains() {
    let golden = golden("relocc/golden.json");
    for case in golden["gain"].as_array().unwrap() {
        let (residual, alpha, left) =
            (numbers(&case["residual"]), numbers(&case["alpha"]), numbers(&case["left"]));
        let side = |wanted: f64| {
            let of: Vec<usize> = (0..left.len()).filter(|&i| left[i] == wanted).collect();
            let first: Vec<f64> = of.iter().map(|&i| residual[i]).collect();
            let second: Vec<f64> = of.iter().map(|&i| alpha[i]).collect();
            Sums::of_all(Weights { first: &first, second: &second })
        };
        let number = |name: &str| case[name].as_f64().unwrap();
        let criterion = LocalError { beta: number("beta"), lambda: number("lam") };
        let gain = criterion.gain(number("depth") as usize, &side(1.0), &side(0.0));
        assert_close(&[gain], &[number("gain")], 1e-9, "gain");
    }
}

#[test]
fn a_whole_model_grown_without_sampling() {
    let golden = golden("relocc/golden.json");
    let model = &golden["model"];
    let Some(train) = areas("imdb", "workedunder", &[2, 3, 4, 5]) else { return };
    let pairs = |name: &str| -> Vec<(String, String)> {
        let text = |v: &serde_json::Value| v.as_str().unwrap().to_string();
        model[name].as_array().unwrap().iter().map(|p| (text(&p[0]), text(&p[1]))).collect()
    };
    let (labelled, unlabeled) = (pairs("labeled"), pairs("unlabeled"));
    let x = examples(&train, &[labelled.clone(), unlabeled].concat());
    let params = &model["params"];
    let integer = |name: &str| params[name].as_u64().unwrap() as usize;
    let settings = Settings {
        trees: integer("n_trees"),
        shape: Shape { depth: integer("max_depth"), literals: integer("look"), cap: 1 << 20 },
        lambda: params["lam"].as_f64().unwrap(),
        gradient: Gradient::Mean,
        step: params["eta"].as_f64().unwrap(),
        rounds: integer("weight_iters"),
        sampling: Sampling::Active,
        unlabeled: None,
        drawn: 20.0,
        pool: None,
        threshold: Threshold::Mean,
        random_tests: None,
    };
    let positives: Vec<usize> = (0..labelled.len()).collect();
    let pile: Vec<usize> = (labelled.len()..x.rows()).collect();
    let run = Run::new(0);
    let learned = learn(&x, &positives, &[], &pile, &settings, &run).unwrap();
    for (tree, expected) in learned.trees.iter().zip(model["trees"].as_array().unwrap()) {
        let expected: Vec<&str> = expected.as_array().unwrap().iter().map(|l| l.as_str().unwrap()).collect();
        assert_eq!(tree.text(x.facts()), expected);
    }
    assert_close(&learned.weights.beta, &numbers(&model["beta"]), 1e-9, "beta");
    assert_close(&learned.weights.alpha, &numbers(&model["alpha"]), 1e-9, "alpha");
    assert_close(&[learned.threshold], &numbers(&model["threshold"]), 1e-9, "threshold");
    let outside = |x: &Relational, trees: &[Tree]| -> Vec<f64> {
        let rows: Vec<usize> = (0..x.rows()).collect();
        let leaves: Vec<Vec<u32>> = trees.iter().map(|t| t.route(x, &rows, 1 << 20, &run).unwrap()).collect();
        rows.iter().map(|&y| learned.weights.outside(|t| leaves[t][y])).collect()
    };
    let of_labelled = outside(&x.select(&positives), &learned.trees);
    assert_close(&of_labelled, &numbers(&model["labeled_outside"]), 1e-9, "P of the labelled");
    let test = areas("imdb", "workedunder", &[1]).unwrap();
    let bound: Vec<Tree> =
        (learned.trees.iter()).map(|t| SavedTree::new(t, x.facts()).bind(&test).unwrap()).collect();
    let of_test = outside(&examples(&test, &pairs("test")), &bound);
    assert_close(&of_test, &numbers(&model["test_outside"]), 1e-9, "P of the test pairs");
}
