//! Our side of the races of the margin methods (`benches/svm_letter.py`, `linear_text.py`, `bagging_text.py`,
//! `svmc_smc.py`, `many_rows.py`).
//!
//! `margin_race TASK ROWS [--threads N] [--processor] [--set NAME=VALUE]…`. ROWS is a file written by
//! `benches/rows.py`. TASK is `svc`, `nusvc`, `oneclass`, `linear-svm`,
//! `logistic-regression`, or any method's name. Prints one JSON
//! object: the seconds that learning took (of processor time with `--processor`), and what was found.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use likewise::Run;
use likewise::data::{Csr, Data, Dense, PuData};
use likewise::measure::average_precision;
use likewise::method::parse_settings;
use likewise::parts::linear::logistic::{Logistic, balanced};
use likewise::parts::linear::svm::{Hinge, LinearSvm};
use likewise::parts::svm::{Kernel, Svm, SvmFit};
use likewise::registry::find;
use serde_json::json;

/// Rows: which are labelled, which are positive in truth, and which are only tested.
struct Rows {
    x: Data,
    labelled: Vec<bool>,
    truth: Vec<bool>,
    test: Vec<bool>,
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut words = std::env::args().skip(1);
    let (Some(task), Some(file)) = (words.next(), words.next()) else {
        return Err("usage: margin_race TASK ROWS [--threads N] [--processor] [--set NAME=VALUE]…".into());
    };
    let (mut run, mut processor, mut settings) = (Run::new(0), false, Vec::new());
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--threads" => run = run.with_threads(value()?.parse()?)?,
            "--processor" => processor = true,
            "--set" => {
                let (name, value) = value()?
                    .split_once('=')
                    .map(|(n, v)| (n.to_string(), v.to_string()))
                    .ok_or("NAME=VALUE")?;
                settings.push((name, value));
            }
            other => return Err(format!("unknown option {other}").into()),
        }
    }
    let rows = read(&file)?;
    let clock = Clock { started: Instant::now(), worked: processor_seconds(), processor };
    let answer = run.install(|| learn(&task, &rows, &settings, &clock, &run))?;
    println!("{answer}");
    Ok(())
}

/// Read when learning is done; what follows is not timed.
struct Clock {
    started: Instant,
    worked: f64,
    processor: bool,
}

impl Clock {
    fn seconds(&self) -> f64 {
        match self.processor {
            true => processor_seconds() - self.worked,
            false => self.started.elapsed().as_secs_f64(),
        }
    }
}

fn learn(
    task: &str,
    rows: &Rows,
    settings: &[(String, String)],
    clock: &Clock,
    run: &Run,
) -> Result<serde_json::Value, Box<dyn Error + Send + Sync>> {
    let (x, n) = (&rows.x, rows.labelled.len());
    let svm = Svm::new(Kernel::Rbf { gamma: 1.0 / x.cols().unwrap_or(1) as f64 });
    let of_svm = |fit: SvmFit| {
        json!({"seconds": clock.seconds(), "objective": fit.objective,
               "support": fit.model.coefficients.len(), "iterations": fit.iterations})
    };
    Ok(match task {
        "svc" => of_svm(svm.classify(x, &rows.labelled, &vec![1.0; n], None, run)?),
        "nusvc" => of_svm(svm.classify_nu(x, &rows.labelled, 0.1, None, run)?.fit.ok_or("no margin")?),
        "oneclass" => of_svm(svm.one_class(x, 0.1, None, run)?),
        "linear-svm" => {
            let (solver, c) = (LinearSvm { hinge: Hinge::Squared, tolerance: 1e-2 }, vec![1.0; n]);
            let found = solver.fit(x, &rows.labelled, &c, None, run)?;
            json!({"seconds": clock.seconds(),
                   "objective": solver.objective(x, &rows.labelled, &c, &found.model)?})
        }
        "logistic-regression" => {
            let (solver, labels) = (Logistic::default(), balanced(&rows.labelled));
            let model = solver.fit(x, &labels, None, run)?;
            json!({"seconds": clock.seconds(), "objective": solver.objective(x, &labels, &model)?})
        }
        method => of_method(method, rows, settings, clock, run)?,
    })
}

/// Any method of the registry, measured on the test rows, or on the pile where there are none.
fn of_method(
    name: &str,
    rows: &Rows,
    settings: &[(String, String)],
    clock: &Clock,
    run: &Run,
) -> Result<serde_json::Value, Box<dyn Error + Send + Sync>> {
    let entry = find(name)?;
    let parameters = parse_settings(entry, settings)?;
    let (tested, learned): (Vec<usize>, Vec<usize>) = (0..rows.test.len()).partition(|&i| rows.test[i]);
    let labelled = learned.iter().map(|&i| rows.labelled[i]).collect();
    let x = if tested.is_empty() { rows.x.clone() } else { rows.x.select(&learned) };
    let train = PuData::new(x, labelled)?;
    let fitted = entry.fit(&parameters, &train, run)?;
    let seconds = clock.seconds();
    let (scores, truth): (Vec<f64>, Vec<bool>) = if tested.is_empty() {
        train.unlabeled().into_iter().map(|i| (fitted.scores[i], rows.truth[i])).unzip()
    } else {
        let scores = fitted.model.score(&rows.x.select(&tested), run)?;
        scores.into_iter().zip(tested.iter().map(|&i| rows.truth[i])).unzip()
    };
    let count = |of: &dyn Fn(usize) -> bool| (0..scores.len()).filter(|&k| of(k)).count() as f64;
    let (hits, accepted) = (count(&|k| scores[k] >= 0.5 && truth[k]), count(&|k| scores[k] >= 0.5));
    Ok(
        json!({"seconds": seconds, "average_precision": average_precision(&scores, &truth), "accepted": accepted,
              "f1": 2.0 * hits / (accepted + count(&|k| truth[k])).max(1.0), "notes": fitted.notes}),
    )
}

/// The format of `benches/rows.py`: 0 or 1 (sparse), rows, columns and entries as u64; then for sparse rows the row
/// ends (u64) and columns (u32); the values (f32); and a byte a row: 1 for labelled, 2 for positive in truth, 4 for
/// rows that are only tested.
fn read(file: &str) -> Result<Rows, Box<dyn Error + Send + Sync>> {
    let bytes = std::fs::read(file)?;
    let mut rest = &bytes[..];
    let mut take = |count: usize, width: usize| -> Result<&[u8], Box<dyn Error + Send + Sync>> {
        let (taken, left) = rest.split_at_checked(count * width).ok_or("the file ends too early")?;
        rest = left;
        Ok(taken)
    };
    let whole = |b: &[u8]| {
        b.chunks_exact(8)
            .map(|b| u64::from_le_bytes(b.try_into().unwrap_or_default()) as usize)
            .collect::<Vec<_>>()
    };
    let header = whole(take(4, 8)?);
    let (sparse, rows, cols, entries) = (header[0] == 1, header[1], header[2], header[3]);
    let indptr = if sparse { whole(take(rows + 1, 8)?) } else { Vec::new() };
    let indices: Vec<u32> = match sparse {
        true => take(entries, 4)?
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap_or_default()))
            .collect(),
        false => Vec::new(),
    };
    let values = take(entries, 4)?
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes(b.try_into().unwrap_or_default()))
        .collect();
    let flags = take(rows, 1)?;
    let x = match sparse {
        true => Data::Sparse(Arc::new(Csr::new(cols, indptr, indices, values)?)),
        false => Data::Dense(Arc::new(Dense::new(rows, cols, values)?)),
    };
    let flag = |bit: u8| flags.iter().map(|f| f & bit != 0).collect();
    Ok(Rows { x, labelled: flag(1), truth: flag(2), test: flag(4) })
}

/// Processor time of all threads so far, from the kernel's own account.
fn processor_seconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() / 1e9
}
