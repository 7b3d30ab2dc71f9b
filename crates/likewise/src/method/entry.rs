//! A method with its types erased, so that doors can walk all of them.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;

use super::parameters::{Parameter, Parameters, describe, resolve};
use super::{
    Candidacy, ColumnCounts, Counted, Fitted, Method, Model, Negatives, Reason, Scores, Spec, Summary,
};
use crate::codes;
use crate::data::{Csr, Data, PuData};
use crate::error::{Error, Result};
use crate::message::Message;
use crate::model_file::{Reader, Writer};
use crate::run::Run;

/// A registered method behind one interface.
pub trait Entry: Send + Sync {
    /// What the method is and takes.
    fn spec(&self) -> Spec;

    /// How it stands for the automatic choice.
    fn pool(&self) -> &'static [Candidacy];

    /// Whether it learns from the rows as they are, where others get them under a map.
    fn as_given(&self) -> bool;

    /// How it learns from rows known not to be wanted.
    fn negatives(&self) -> Negatives;

    /// Whether its ranking is cut where hidden positives say, unless told otherwise.
    fn hidden_cut(&self) -> bool;

    /// Whether it learns from what a pile adds up to, under which parameters ([`super::CountMethod`]).
    fn counted(&self) -> Option<FromSums>;

    /// Its parameters as data.
    fn parameters(&self) -> Vec<Parameter>;

    /// All parameters, the given ones set; refuses unknown names and values out of range.
    fn resolve(&self, given: &Parameters) -> Result<Parameters>;

    /// Learns; parameters and rows are checked first, scores afterwards.
    fn fit(&self, given: &Parameters, train: &PuData, run: &Run) -> Result<Fitted<dyn Model>>;

    /// Whether it can learn from sums under these parameters.
    fn check_counted(&self, given: &Parameters) -> Result<()>;

    /// Learns from marked rows and from what the pile adds up to.
    fn finish(
        &self,
        given: &Parameters,
        marked: &PuData,
        pile: &ColumnCounts,
        run: &Run,
    ) -> Result<Box<dyn Model>>;

    /// Reads a model that the method has kept.
    fn load(&self, file: &Reader) -> Result<Box<dyn Model>>;
}

/// That a method learns from what a pile adds up to.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FromSums {
    /// Which parameters must be given for that, in words.
    pub given: Option<&'static str>,
}

/// `given` values as typed: `name=value`.
pub fn parse_settings(entry: &dyn Entry, settings: &[(String, String)]) -> Result<Parameters> {
    let known = entry.parameters();
    let mut given = Parameters::new();
    for (name, text) in settings {
        let value = match known.iter().find(|p| p.name == *name) {
            Some(parameter) => parameter.parse(text)?,
            None => text.as_str().into(),
        };
        given.insert(name.clone(), value);
    }
    entry.resolve(&given)
}

/// A method of its type, as an entry.
pub struct Registered<M>(PhantomData<M>);

impl<M> Registered<M> {
    /// The entry of the method `M`.
    pub const NEW: Self = Registered(PhantomData);
}

impl<M: Method> Entry for Registered<M> {
    fn spec(&self) -> Spec {
        M::SPEC
    }

    fn pool(&self) -> &'static [Candidacy] {
        M::POOL
    }

    fn as_given(&self) -> bool {
        M::AS_GIVEN
    }

    fn negatives(&self) -> Negatives {
        M::NEGATIVES
    }

    fn hidden_cut(&self) -> bool {
        M::HIDDEN_CUT
    }

    fn counted(&self) -> Option<FromSums> {
        M::COUNTED.map(|counted| FromSums { given: counted.given })
    }

    fn parameters(&self) -> Vec<Parameter> {
        describe::<M>()
    }

    fn resolve(&self, given: &Parameters) -> Result<Parameters> {
        resolve::<M>(given).map(|(_, complete)| complete)
    }

    fn fit(&self, given: &Parameters, train: &PuData, run: &Run) -> Result<Fitted<dyn Model>> {
        let (method, _) = resolve::<M>(given)?;
        if !M::SPEC.takes(train.x.kind()) {
            let kinds: Vec<_> = M::SPEC.inputs.iter().map(|k| format!("{k:?}").to_lowercase()).collect();
            let kind = format!("{:?}", train.x.kind()).to_lowercase();
            let message = format!(
                "method `{}` takes {} data, not {kind}; choose another method",
                M::SPEC.name,
                kinds.join(" or ")
            );
            return Err(Error::data(message));
        }
        let fitted = match M::NEGATIVES == Negatives::LeftOut && train.unwanted.contains(&true) {
            false => run.install(|| method.fit(train, run))?,
            true => without_known_negatives(&method, train, run)?,
        };
        let model: Box<dyn Model> = Box::new(Guarded { name: M::SPEC.name, model: *fitted.model });
        Ok(Fitted {
            model,
            scores: checked(M::SPEC.name, fitted.scores, train.x.rows())?,
            raw: fitted.raw,
            notes: fitted.notes,
        })
    }

    fn check_counted(&self, given: &Parameters) -> Result<()> {
        let (counted, (method, _)) = (by_sums::<M>()?, resolve::<M>(given)?);
        (counted.check)(&method)
    }

    fn finish(
        &self,
        given: &Parameters,
        marked: &PuData,
        pile: &ColumnCounts,
        run: &Run,
    ) -> Result<Box<dyn Model>> {
        let (counted, (method, _)) = (by_sums::<M>()?, resolve::<M>(given)?);
        let model = run.install(|| (counted.finish)(&method, marked, pile, run))?;
        Ok(Box::new(Guarded { name: M::SPEC.name, model }))
    }

    fn load(&self, file: &Reader) -> Result<Box<dyn Model>> {
        Ok(Box::new(Guarded { name: M::SPEC.name, model: M::Model::load(file)? }))
    }
}

fn by_sums<M: Method>() -> Result<Counted<M>> {
    let name = M::SPEC.name;
    let needs =
        || Error::parameter("method", format!("`{name}` needs the rows of the pile, not only their sums"));
    M::COUNTED.ok_or_else(needs)
}

/// A method that has no use for rows known not to be wanted never sees them. They stay last.
fn without_known_negatives<M: Method>(method: &M, train: &PuData, run: &Run) -> Result<Fitted<M::Model>> {
    let others: Vec<usize> = (0..train.x.rows()).filter(|&i| !train.unwanted[i]).collect();
    let mut fitted = run.install(|| method.fit(&train.select(&others), run))?;
    let spread = |of_others: &[f64], last: f64| {
        let mut all = vec![last; train.x.rows()];
        others.iter().zip(of_others).for_each(|(&row, &score)| all[row] = score);
        all
    };
    fitted.scores = spread(&fitted.scores, 0.0);
    fitted.raw = fitted.raw.map(|raw| {
        let least = raw.iter().copied().fold(f64::INFINITY, f64::min);
        Arc::new(spread(&raw, least))
    });
    Ok(fitted)
}

/// Holds every model to the promise on scores and runs it on the run's threads.
struct Guarded<M> {
    name: &'static str,
    model: M,
}

impl<M: Model> Model for Guarded<M> {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        checked(self.name, run.install(|| self.model.score(x, run))?, x.rows())
    }

    fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        run.install(|| self.model.raw(x, run))
    }

    fn weights(&self) -> Option<&[f64]> {
        self.model.weights()
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        self.model.save(out)
    }

    fn load(_: &Reader) -> Result<Self> {
        unreachable!("models are loaded through their entry")
    }

    fn own_features(&self, x: &Data, run: &Run) -> Result<Option<(Csr, Vec<String>)>> {
        run.install(|| self.model.own_features(x, run))
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let reasons = self.model.explain(x, row, top)?;
        match reasons.iter().all(|reason| reason.push.is_finite()) {
            true => Ok(reasons),
            false => {
                Err(Error::model_file("its numbers are so large that they give no reasons; train again"))
            }
        }
    }

    fn portrait(&self, top: usize) -> Vec<Reason> {
        self.model.portrait(top).into_iter().filter(|reason| reason.push.is_finite()).collect()
    }

    fn summary(&self) -> Option<&Summary> {
        self.model.summary()
    }
}

/// No caller ever sees NaN or a score outside [0, 1]: such a result is refused with the method's name.
fn checked(method: &str, scores: Scores, rows: usize) -> Result<Scores> {
    if scores.len() != rows {
        let text =
            format!("method `{method}` gave {} scores for {rows} rows; please report this", scores.len());
        return Err(Error::data(Message::new(&codes::BROKEN_PROMISE, text).field("method", method)));
    }
    match scores.iter().position(|s| !(0.0..=1.0).contains(s)) {
        Some(row) => {
            let message = format!(
                "method `{method}` gave the score {} for row {}; please report this",
                scores[row],
                row + 1
            );
            let message = Message::new(&codes::BROKEN_PROMISE, message);
            Err(Error::data(message.field("method", method).field("row", row + 1)))
        }
        None => Ok(scores),
    }
}

/// A list of methods: one line each.
macro_rules! registered {
    ($($method:path),* $(,)?) => { &[$(&$crate::method::Registered::<$method>::NEW),*] };
}
pub(crate) use registered;
