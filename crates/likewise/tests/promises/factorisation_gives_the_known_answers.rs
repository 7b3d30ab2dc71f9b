//! KL multiplicative updates against `golden/nmf-toy.json`: free and clamped, after 1, 2, 10 and 300 steps.

use crate::support::{assert_close, golden, numbers};
use likewise::data::{Csr, CsrBuilder};
use likewise::parts::nmf::{Entries, Factorisation, Panel, Real};
use serde_json::Value;

fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

fn panel<T: Real>(rows: &[Vec<f64>]) -> Panel<T> {
    Panel::filled(rows.len(), rows[0].len(), |i, a| rows[i][a])
}

fn transposed(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..rows[0].len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect()
}

struct Toy {
    v: Csr,
    /// The values of `v` as given, which single precision cannot hold.
    values: Vec<f64>,
    golden: Value,
    labelled: Vec<usize>,
    low: f64,
}

impl Toy {
    fn read() -> Self {
        let golden = golden("nmf-toy.json");
        let full = rows(&golden["v"]);
        let mut v = CsrBuilder::with_capacity(full[0].len(), full.len(), 0);
        full.iter()
            .for_each(|row| v.push_entries(row.iter().enumerate().map(|(j, x)| (j as u32, *x as f32))));
        let labelled = numbers(&golden["labeled"]).into_iter().map(|i| i as usize).collect();
        let low = golden["low"].as_f64().unwrap();
        let values = full.concat().into_iter().filter(|x| *x != 0.0).collect();
        Toy { v: v.finish(), values, golden, labelled, low }
    }

    fn matrix<T: Real>(&self) -> Factorisation<'_, T> {
        let values: Vec<T> = self.values.iter().map(|x| T::from_f64(*x)).collect();
        Factorisation::new(Entries::with_values(&self.v, values.into())).unwrap()
    }

    fn factors<T: Real>(&self, iterations: u64, clamped: bool) -> (Panel<T>, Panel<T>) {
        let mut w = panel::<T>(&rows(&self.golden["w0"]));
        let mut h = panel::<T>(&transposed(&rows(&self.golden["h0"])));
        let matrix = self.matrix();
        for _ in 0..iterations {
            matrix.step(&mut w, &mut h);
            if clamped {
                let largest = w.largest();
                for &i in &self.labelled {
                    w.row_mut(i).fill(T::from_f64(self.low));
                    w.row_mut(i)[0] = largest;
                }
            }
        }
        (w, h)
    }
}

#[test]
fn double_precision_gives_every_known_factor() {
    let toy = Toy::read();
    let matrix = toy.matrix();
    for case in toy.golden["after"].as_array().unwrap() {
        let (iterations, clamped) =
            (case["iterations"].as_u64().unwrap(), case["clamped"].as_bool().unwrap());
        let (w, h) = toy.factors::<f64>(iterations, clamped);
        let what = format!("after {iterations} steps, clamped: {clamped}");
        let flat =
            |panel: &Panel<f64>| (0..panel.rows()).flat_map(|i| panel.row(i).to_vec()).collect::<Vec<_>>();
        assert_close(&flat(&w), &numbers(&case["w"]), 1e-9, &format!("W {what}"));
        assert_close(&flat(&h), &transposed(&rows(&case["h"])).concat(), 1e-9, &format!("H {what}"));
        let divergence = case["divergence"].as_f64().unwrap();
        assert_close(&[matrix.divergence(&w, &h)], &[divergence], 1e-9, &format!("divergence {what}"));
    }
}

#[test]
fn single_precision_stays_within_a_thousandth_of_the_divergence() {
    let toy = Toy::read();
    let matrix = toy.matrix();
    for case in toy.golden["after"].as_array().unwrap() {
        let (w, h) =
            toy.factors::<f32>(case["iterations"].as_u64().unwrap(), case["clamped"].as_bool().unwrap());
        let (found, known) = (matrix.divergence(&w, &h), case["divergence"].as_f64().unwrap());
        assert!((found - known).abs() < 1e-3 * known, "{found} where {known} is known");
    }
}
