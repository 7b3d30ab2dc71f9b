//! The join engine against a prover that tries every binding of every variable.

use likewise::relations::bindings::Bindings;
use likewise::relations::candidates::{Visible, candidates};
use likewise::relations::search::{Weights, try_all};
use likewise::relations::{Domain, Facts, FactsBuilder, Literal, Mode, Term, Test, modes};
use proptest::prelude::*;

const MODES: &str = "link(-node,+node). link(+node,-node). tri(+node,-node,-node). tri(-node,+node,`node).
                     colour(+node,#colour). weight(+node,>number). mark(+node). fresh(+node,^node). two(+node,#colour,#colour).";

#[derive(Clone, Debug)]
struct World {
    link: Vec<(u32, u32)>,
    tri: Vec<(u32, u32, u32)>,
    colour: Vec<(u32, u32)>,
    weight: Vec<(u32, i8)>,
    mark: Vec<u32>,
    two: Vec<(u32, u32, u32)>,
    examples: Vec<(u32, u32)>,
}

fn world() -> impl Strategy<Value = World> {
    let node = 0u32..6;
    let many = 0..12usize;
    (
        prop::collection::vec((node.clone(), node.clone()), many.clone()),
        prop::collection::vec((node.clone(), node.clone(), node.clone()), many.clone()),
        prop::collection::vec((node.clone(), 0u32..3), many.clone()),
        prop::collection::vec((node.clone(), -3i8..3), many.clone()),
        prop::collection::vec(node.clone(), 0..4),
        prop::collection::vec((node.clone(), 0u32..2, 0u32..2), many),
        prop::collection::vec((node.clone(), node), 2..14),
    )
        .prop_map(|(link, tri, colour, weight, mark, two, examples)| World {
            link,
            tri,
            colour,
            weight,
            mark,
            two,
            examples,
        })
}

/// Every fact as plain rows; a number is the last cell of its relation.
type Rows = Vec<Vec<Vec<f64>>>;

fn build(world: &World) -> (Facts, Vec<Mode>, Rows) {
    let mut builder = FactsBuilder::new();
    let text: String = MODES.replace(". ", ".\n");
    let modes = modes::declare(&modes::parse(&text).unwrap().declarations, &mut builder).unwrap();
    let node = builder.type_named("node");
    let colour = builder.type_named("colour");
    (0..6).for_each(|n| assert_eq!(builder.intern(node, &format!("n{n}")), n));
    (0..3).for_each(|n| assert_eq!(builder.intern(colour, &format!("c{n}")), n));
    let mut rows: Rows = vec![Vec::new(); 7];
    let mut add = |builder: &mut FactsBuilder, name: &str, ids: &[u32], number: Option<f64>| {
        let relation = builder.find(name).unwrap();
        builder.push_ids(relation, ids, number);
        rows[relation as usize].push(ids.iter().map(|i| f64::from(*i)).chain(number).collect());
    };
    world.link.iter().for_each(|&(a, b)| add(&mut builder, "link", &[a, b], None));
    world.link.iter().for_each(|&(a, b)| add(&mut builder, "fresh", &[b, a], None));
    world.tri.iter().for_each(|&(a, b, c)| add(&mut builder, "tri", &[a, b, c], None));
    world.colour.iter().for_each(|&(a, b)| add(&mut builder, "colour", &[a, b], None));
    world.weight.iter().for_each(|&(a, w)| add(&mut builder, "weight", &[a], Some(f64::from(w))));
    world.mark.iter().for_each(|&a| add(&mut builder, "mark", &[a], None));
    world.two.iter().for_each(|&(a, b, c)| add(&mut builder, "two", &[a, b, c], None));
    (builder.finish(), modes, rows)
}

/// Whether some binding of the unbound variables makes every literal a fact.
fn prove(literals: &[Literal], rows: &Rows, bound: &[Option<u32>]) -> bool {
    let Some((first, rest)) = literals.split_first() else { return true };
    rows[first.relation as usize].iter().any(|row| {
        let mut bound = bound.to_vec();
        let fits = first.terms.iter().zip(row).all(|(term, cell)| match term {
            Term::Variable(v) => {
                let value = bound[*v as usize].get_or_insert(*cell as u32);
                *value == *cell as u32
            }
            Term::Constant(c) => *c == *cell as u32,
            Term::AtLeast(t) => cell >= t,
            Term::Below(t) => cell < t,
        });
        fits && prove(rest, rows, &bound)
    })
}

fn agrees(facts: &Facts, modes: &[Mode], rows: &Rows, world: &World) -> Result<(), TestCaseError> {
    let arguments: Vec<Vec<u32>> =
        vec![world.examples.iter().map(|e| e.0).collect(), world.examples.iter().map(|e| e.1).collect()];
    let head = |v| Visible { variable: v, type_number: 0, head: true };
    let everybody: Vec<usize> = (0..world.examples.len()).collect();
    let bindings = Bindings::of_examples(&arguments, &everybody);
    let proved = |path: &[Literal], example: usize| {
        let (a, b) = world.examples[example];
        let mut bound = vec![None; 12];
        (bound[0], bound[1]) = (Some(a), Some(b));
        prove(path, rows, &bound)
    };
    let flags: Vec<f64> = (0..everybody.len()).map(|e| (1u64 << e) as f64).collect();
    let covered = |path: &[Literal], examples: &[usize]| -> f64 {
        examples.iter().filter(|&&e| proved(path, e)).map(|&e| flags[e]).sum()
    };
    let tests = candidates(facts, modes, &[head(0), head(1)], 2, 2);
    let all = Weights { first: &flags, second: &flags };
    let (tried, _) = try_all(facts, &tests, &bindings, all, 1000);
    for t in &tried {
        prop_assert_eq!(t.covered.first, covered(&t.test, &everybody), "{:?}", &t.test);
        let answer = bindings.ask(facts, &t.test, 1000);
        let asked: f64 = answer.examples.iter().map(|e| flags[e]).sum();
        prop_assert_eq!(asked, t.covered.first, "{:?}", &t.test);
    }
    // Below a test with new variables, and below its "no" branch.
    let introduces = |t: &Test| t.iter().flat_map(Literal::variables).any(|v| v >= 2);
    for split in tried.iter().filter(|t| introduces(&t.test) && t.covered.count > 0).step_by(7).take(4) {
        let answer = bindings.ask(facts, &split.test, 1000);
        let held: Vec<usize> = answer.examples.iter().collect();
        let failed: Vec<usize> = everybody.iter().copied().filter(|e| !held.contains(e)).collect();
        let mut visible = vec![head(0), head(1)];
        let mut next = 2;
        for (literal, term, argument) in
            split.test.iter().flat_map(|l| l.terms.iter().enumerate().map(move |(a, t)| (l, t, a)))
        {
            let domain = facts.relation(literal.relation).domains[argument];
            if let (Term::Variable(v), Domain::Type(t)) = (term, domain)
                && *v >= next
            {
                visible.push(Visible { variable: *v, type_number: t, head: false });
                next = v + 1;
            }
        }
        let (within, _) = bindings.within(facts, &split.test, &answer, |_| true, 1000);
        let gather = |examples: &[usize]| examples.iter().map(|&e| flags[e]).collect::<Vec<f64>>();
        let of_held = gather(&held);
        let below = candidates(facts, modes, &visible, next, 2);
        let weights = Weights { first: &of_held, second: &of_held };
        for t in try_all(facts, &below, &within, weights, 1000).0 {
            let path = [&split.test[..], &t.test].concat();
            prop_assert_eq!(t.covered.first, covered(&path, &held), "{:?}", path);
        }
        let of_failed = gather(&failed);
        let weights = Weights { first: &of_failed, second: &of_failed };
        for t in try_all(facts, &tests, &bindings.without(&answer), weights, 1000).0 {
            prop_assert_eq!(t.covered.first, covered(&t.test, &failed), "no, then {:?}", t.test);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_candidate_covers_whom_the_prover_says(world in world()) {
        let (facts, modes, rows) = build(&world);
        agrees(&facts, &modes, &rows, &world)?;
    }
}

#[test]
fn the_cap_is_counted_where_it_bites() {
    let star = World {
        link: (1..6).map(|n| (0, n)).collect(),
        tri: vec![],
        colour: vec![(5, 1)],
        weight: vec![],
        mark: vec![5],
        two: vec![],
        examples: vec![(0, 0)],
    };
    let (facts, _, _) = build(&star);
    let test = vec![
        Literal { relation: facts.named("link").unwrap(), terms: vec![Term::Variable(0), Term::Variable(2)] },
        Literal { relation: facts.named("mark").unwrap(), terms: vec![Term::Variable(2)] },
    ];
    let bindings = Bindings::of_examples(&[vec![0], vec![0]], &[0]);
    let asked = |cap| {
        let answer = bindings.ask(&facts, &test, cap);
        (answer.examples.count(), answer.capped)
    };
    assert_eq!((asked(5), asked(4)), ((1, 0), (0, 1)));
}
