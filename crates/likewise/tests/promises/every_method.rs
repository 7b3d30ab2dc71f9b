//! What every registered method must hold to. A new method is tested by its registry line alone.

use std::sync::Arc;

use likewise::data::{Buffer, Csr, CsrBuilder, Data, Dense, Kind, PuData};
use likewise::method::{Entry, Parameters, Weights};
use likewise::model_file::{Reader, Writer};
use likewise::registry::all;
use likewise::relations::{Background, FactsBuilder, Relational, Target, modes};
use likewise::{Error, Run};
use rand::RngExt;

/// Two topics of ten words each over a common ground of ten; row 7 is empty. The pile is half positive.
fn documents(rows: usize, weights: Weights) -> (Data, Vec<bool>) {
    let mut rng = Run::new(7).rng("test documents", 0);
    let mut out = CsrBuilder::with_capacity(30, rows, rows * 12);
    for row in 0..rows {
        let mut counts = [0u32; 30];
        if row != 7 {
            for _ in 0..12 {
                let topic = if is_positive(row) { 0 } else { 10 };
                let word = if rng.random_bool(0.7) {
                    topic + rng.random_range(0..10)
                } else {
                    20 + rng.random_range(0..10)
                };
                counts[word] += 1;
            }
        }
        let value = |n: u32| if weights == Weights::Count { n as f32 } else { n.min(1) as f32 };
        out.push_entries(counts.iter().enumerate().map(|(j, n)| (j as u32, value(*n))));
    }
    let mut x = out.finish();
    if weights == Weights::TfIdf {
        x.normalize_rows();
    }
    (Data::Sparse(Arc::new(x)), labelled(rows))
}

/// Two clouds in four dimensions.
fn numbers(rows: usize) -> (Data, Vec<bool>) {
    let mut rng = Run::new(7).rng("test numbers", 0);
    let mut noise = move || rng.random_range(-1.0f32..1.0);
    let values = (0..rows * 4).map(|i| noise() + if is_positive(i / 4) { 1.5 } else { -1.5 }).collect();
    (Data::Dense(Arc::new(Dense::new(rows, 4, values).unwrap())), labelled(rows))
}

/// Items in groups: positives are mostly in red groups, the others in blue ones; row 7 is in none.
fn items(rows: usize) -> (Data, Vec<bool>) {
    let mut rng = Run::new(7).rng("test items", 0);
    let mut builder = FactsBuilder::new();
    let text = "member(+item,-group)\nmember(-item,+group)\ncolour(+group,#colour)\nsize(+item,>number)";
    let modes = modes::declare(&modes::parse(text).unwrap().declarations, &mut builder).unwrap();
    let [member, colour, size] = ["member", "colour", "size"].map(|name| builder.find(name).unwrap());
    for group in 0..20 {
        builder.push(colour, &[format!("g{group}"), ["red", "blue"][group % 2].into()]).unwrap();
    }
    let item = builder.type_named("item");
    let column = (0..rows).map(|row| builder.intern(item, &format!("i{row}"))).collect();
    for row in (0..rows).filter(|row| *row != 7) {
        let own = if is_positive(row) { 0 } else { 1 };
        let group = 2 * rng.random_range(0..10) + if rng.random_bool(0.95) { own } else { 1 - own };
        builder.push(member, &[format!("i{row}"), format!("g{group}")]).unwrap();
        builder.push(size, &[format!("i{row}"), rng.random_range(0..100).to_string()]).unwrap();
    }
    let target = Target { name: "wanted".into(), types: vec![item] };
    let background = Arc::new(Background::new(builder.finish(), modes, target));
    (Data::Relational(Arc::new(Relational::new(background, vec![column]).unwrap())), labelled(rows))
}

/// Embeddings: the numbers with their sides further apart, since of length 1 nothing but the side tells.
fn vectors_of(rows: usize) -> (Data, Vec<bool>) {
    let (x, positive) = numbers(rows);
    let x = x.dense().unwrap();
    let unit = x.iter_rows().enumerate().flat_map(|(at, row)| {
        let side = if is_positive(at) { 1.5 } else { -1.5 };
        let length = row.iter().map(|v| (v + side).powi(2)).sum::<f32>().sqrt();
        row.iter().map(move |v| (v + side) / length)
    });
    let unit = Dense::new(rows, x.cols, unit.collect::<Vec<f32>>()).unwrap();
    (unit.into_directions().into(), positive)
}

fn is_positive(row: usize) -> bool {
    row.is_multiple_of(2)
}

fn labelled(rows: usize) -> Vec<bool> {
    (0..rows).map(|row| is_positive(row) && row < rows / 3).collect()
}

fn problems(entry: &dyn Entry, rows: usize) -> Vec<(Kind, PuData)> {
    let spec = entry.spec();
    let mut out = Vec::new();
    let vectors = spec.takes(Kind::Vectors).then_some(&Kind::Vectors);
    for kind in spec.inputs.iter().chain(vectors) {
        let (x, positive) = match kind {
            Kind::Sparse => documents(rows, spec.weights),
            Kind::Dense => numbers(rows),
            Kind::Vectors => vectors_of(rows),
            Kind::Relational => items(rows),
        };
        let truth = (0..rows).map(is_positive).collect();
        out.push((*kind, PuData::new(x, positive).unwrap().with_truth(truth).unwrap()));
    }
    out
}

fn model_bytes(entry: &dyn Entry, train: &PuData, run: &Run) -> (Vec<u8>, Vec<f64>) {
    let fitted =
        entry.fit(&Parameters::new(), train, run).unwrap_or_else(|e| panic!("{}: {e}", entry.spec().name));
    let mut out = Writer::default();
    fitted.model.save(&mut out).unwrap();
    (out.finish().unwrap(), fitted.scores)
}

fn bits(scores: &[f64]) -> Vec<u64> {
    scores.iter().map(|s| s.to_bits()).collect()
}

#[test]
fn fits_every_kind_it_names_and_beats_chance() {
    for entry in all() {
        for (kind, train) in problems(entry, 120) {
            let name = entry.spec().name;
            let (_, scores) = model_bytes(entry, &train, &Run::new(0));
            assert!(scores.iter().all(|s| (0.0..=1.0).contains(s)), "{name} on {kind:?}");
            let pile = train.unlabeled();
            let of_pile: Vec<f64> = pile.iter().map(|&i| scores[i]).collect();
            let truth: Vec<bool> = pile.iter().map(|&i| is_positive(i)).collect();
            let area = likewise::measure::area_under_roc(&of_pile, &truth);
            assert!(area > 0.8, "{name} on {kind:?}: area under ROC {area}");
        }
    }
}

#[test]
fn saves_and_loads_bit_for_bit() {
    for entry in all() {
        for (kind, train) in problems(entry, 120) {
            let name = entry.spec().name;
            let run = Run::new(3);
            let fitted = entry.fit(&Parameters::new(), &train, &run).unwrap();
            let mut out = Writer::default();
            fitted.model.save(&mut out).unwrap();
            let loaded = entry.load(&Reader::new(out.finish().unwrap()).unwrap()).unwrap();
            let before = fitted.model.score(&train.x, &run).unwrap();
            let after = loaded.score(&train.x, &run).unwrap();
            assert_eq!(bits(&before), bits(&after), "{name} on {kind:?}");
            assert!(after.iter().all(|s| (0.0..=1.0).contains(s)), "{name} on {kind:?}");
            let reasons = loaded.explain(&train.x, 0, 5).unwrap();
            assert!(reasons.len() <= 5 && reasons.iter().all(|r| r.push.is_finite()), "{name} on {kind:?}");
        }
    }
}

/// The same rows in memory that the `Arc` lends, where they are a matrix.
fn lent(x: &Data) -> Option<(Data, Arc<Data>)> {
    let lender = Arc::new(x.clone());
    // SAFETY: nobody writes to rows in an `Arc`, and they live as long as it.
    let x = match &*lender {
        Data::Dense(x) => {
            let values = unsafe { Buffer::lent(&x.values, lender.clone()) };
            let lent = Dense::from_buffer(x.rows(), x.cols, values).unwrap();
            Data::Dense(Arc::new(if x.are_directions() { lent.into_directions() } else { lent }))
        }
        Data::Sparse(x) => {
            // SAFETY: as above.
            let indices = unsafe { Buffer::lent(&x.indices, lender.clone()) };
            let values = unsafe { Buffer::lent(&x.values, lender.clone()) };
            Data::Sparse(Arc::new(Csr::from_buffers(x.cols, x.indptr.clone(), indices, values).unwrap()))
        }
        Data::Relational(_) => return None,
    };
    Some((x, lender))
}

#[test]
fn a_model_keeps_nothing_that_was_lent() {
    for entry in all() {
        for (kind, train) in problems(entry, 120) {
            let Some((x, lender)) = lent(&train.x) else { continue };
            let borrowed = PuData { x, ..train.clone() };
            let fitted = entry.fit(&Parameters::new(), &borrowed, &Run::new(0)).unwrap();
            drop(borrowed);
            let name = entry.spec().name;
            assert_eq!(
                Arc::strong_count(&lender),
                1,
                "the model of {name} on {kind:?} holds the lender's rows"
            );
            let (_, scores) = model_bytes(entry, &train, &Run::new(0));
            assert_eq!(bits(&scores), bits(&fitted.scores), "{name} on {kind:?}");
        }
    }
}

#[test]
fn says_whether_its_model_keeps_rows() {
    for entry in all() {
        let kept = problems(entry, 120).into_iter().any(|(_, train)| {
            let fitted = entry.fit(&Parameters::new(), &train, &Run::new(0)).unwrap();
            let mut out = Writer::default();
            fitted.model.save(&mut out).unwrap();
            out.rows_kept() > 0
        });
        assert_eq!(entry.spec().keeps.is_some(), kept, "{}", entry.spec().name);
    }
}

#[test]
fn same_bytes_on_one_and_two_threads() {
    for entry in all() {
        for (kind, train) in problems(entry, 400) {
            let on = |threads| model_bytes(entry, &train, &Run::new(5).with_threads(threads).unwrap());
            let (one, two) = (on(1), on(2));
            let name = entry.spec().name;
            assert_eq!(bits(&one.1), bits(&two.1), "scores of {name} on {kind:?}");
            assert!(one.0 == two.0, "model of {name} on {kind:?}");
        }
    }
}

#[test]
fn one_positive_and_equal_rows_do_not_break_it() {
    for entry in all() {
        let spec = entry.spec();
        for (kind, train) in problems(entry, 40) {
            let first = train.positives()[0];
            let one = PuData::new(train.x.clone(), (0..40).map(|i| i == first).collect()).unwrap();
            let equal = PuData::new(train.x.select(&[0; 12]), (0..12).map(|i| i < 6).collect()).unwrap();
            for (case, data) in [("one positive", one), ("equal rows", equal)] {
                match entry.fit(&Parameters::new(), &data, &Run::new(0)) {
                    Ok(fitted) => {
                        assert_eq!(fitted.scores.len(), data.x.rows());
                        let sound = fitted.scores.iter().all(|score| (0.0..=1.0).contains(score));
                        assert!(sound, "{} on {kind:?} with {case}: {:?}", spec.name, fitted.scores);
                    }
                    Err(Error::Data(message)) => {
                        assert!(message.to_string().len() > 20, "{} says only: {message}", spec.name)
                    }
                    Err(other) => panic!("{} on {kind:?} with {case}: {other}", spec.name),
                }
            }
        }
    }
}

#[test]
fn refuses_bad_parameters() {
    for entry in all() {
        let unknown = Parameters::from_iter([("no-such-parameter".to_string(), 1.into())]);
        assert!(matches!(entry.resolve(&unknown), Err(Error::Parameter { .. })), "{}", entry.spec().name);
        for parameter in entry.parameters() {
            let wrong = Parameters::from_iter([(parameter.name.clone(), serde_json::json!([1]))]);
            let name = entry.spec().name;
            assert!(
                matches!(entry.resolve(&wrong), Err(Error::Parameter { .. })),
                "{name} takes a list for {}",
                parameter.name
            );
        }
    }
}

#[test]
fn describes_itself() {
    for entry in all() {
        let spec = entry.spec();
        assert!(!spec.paper.is_empty() && spec.title.len() > 20, "{}", spec.name);
        let names: Vec<_> = all().map(|e| e.spec().name).filter(|n| *n == spec.name).collect();
        assert_eq!(names.len(), 1, "two methods are called {}", spec.name);
        for parameter in entry.parameters() {
            assert!(parameter.help.len() > 10, "{}: no help for {}", spec.name, parameter.name);
        }
    }
}
