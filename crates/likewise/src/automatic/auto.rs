//! AUTO: estimates how many there are, picks the ranker, places the cut, and says how sure it is.
//!
//! Positives are hidden in the pile fold by fold, and every step reads only where they are ranked: the prior is a low
//! middle of three estimators (BBE, DEDPUL, recall²) over several rankers, `logistic`, `bagging`, `nearest-mean`,
//! `logistic-spared`, `forest` where rows are numbers and categories, and the candidate that is best on average, without
//! those that another clearly beats; candidates are ordered by the sum of their
//! ranks under three criteria, and the winner must be clearly better than the one that is best on average; the cut is
//! the median of three shares. A prior above 0.75 means that the pile is mostly what was shown: then the distance to
//! the positives ranks, and the unexpected stand last. With few examples it may as well mean that nothing was learned.
//! Rows known not to be wanted teach the candidate that was chosen and choose nothing: while the others are judged, they
//! are the rows of the pile that they were. Of a large pile a random part judges, and the whole of it teaches.
//! Use it unless you know better: it is the default.
//!
//! ```text
//! TPR(q) = share of the hidden positives among the best share q of the pile
//! F1(q) = 2 π TPR(q) / (q + π)
//! candidates by the sum of their ranks under  mean(1 - r_i),  max_q F1(q)  and  mean(max(0, 1 - r_i/(2 π)))
//! cut = median of  π,  argmax_q mean_k F1(q; π_k)  and the share that the ranks of the one chosen tell alone
//! ```
//!
//! where π is the share of positives, π_k what each estimator makes of each ranker, and r_i the share of the pile above
//! hidden positive i.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blocks::{self, Blocks};
use super::candidates::{Candidate, ONE_EXAMPLE, PRIOR_RANKERS, UNEXPECTED, pool, roughly_told};
use super::certainty::{allow_for_typical, empty, of_the_class, place};
use super::criteria::{CHANCE, Criteria, choose, too_typical};
use super::hidden_folds::HiddenFolds;
use super::random_draw;
use super::smoothness::Amounts;
use super::voices::{Placement, Voices};
use super::weighed::weighed;
use super::whole_pile::of_sample;
use crate::codes;
use crate::data::{Data, Kind, PuData};
use crate::error::{Error, Result};
use crate::figures::count;
use crate::method::{
    Drawn, Effort, Fitted, Method, Model, Negatives, Reason, Scores, Spec, Summary, Weights,
};
use crate::methods::prior::rows_of_part;
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::parts::cut::Cut;
use crate::parts::smoothing::WHOLE_GRAPH;
use crate::parts::space::Space;
use crate::prior::{self, Estimate, MOSTLY_POSITIVE, PriorOptions, Ranks, cut_from_hidden, median_of_three};
use crate::run::Run;

/// The automatic choice.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Auto {
    /// How much to try before choosing
    pub effort: Effort,
    /// Share of positives in the pile, if you know it; none means estimated
    #[schemars(range(min = 1e-9, max = 0.999999999))]
    pub prior: Option<f64>,
    /// Into how many folds the positives are dealt to be hidden
    #[schemars(range(min = 2, max = 20))]
    pub folds: u32,
    /// Keep the rows too, so that a saved model smooths new rows as it did the old; the file is larger
    pub with_graph: bool,
    /// What to choose from instead of the pool: methods joined by commas, the one that stays unless another is clearly
    /// better first; parameters in brackets, `+` for a mean of ranks, `*` for a weight in it: `logistic(c=10),pseudo+nb*2`
    pub candidates: Option<String>,
}

impl Default for Auto {
    fn default() -> Self {
        Auto { effort: Effort::Normal, prior: None, folds: 5, with_graph: false, candidates: None }
    }
}

/// With a single example nothing can be hidden: the best hundredth is marked, and said to be a guess.
const GUESS: f64 = 0.01;
const RESAMPLES: usize = 100;
/// Rows of the pile that are enough to judge candidates by: as many as are joined with their neighbours.
const JUDGED: usize = WHOLE_GRAPH;

impl Method for Auto {
    const SPEC: Spec = Spec {
        name: "auto",
        family: "automatic",
        title: "chooses method and cut by itself from hidden positives, and says how sure it is",
        paper: "this project; after Elkan & Noto 2008, Ivanov 2020 (DEDPUL), Garg et al. 2021 (BBE), Lee & Liu 2003",
        assumes: "The examples are a random draw of their class: examples hidden from the methods are ranked as the positives of the pile are. How many there are, the choice, the cut and its ranges all rest on that; the ranking also on what the chosen method assumes.",
        inputs: &[Kind::Sparse, Kind::Dense],
        weights: Weights::TfIdf,
        keeps: Some("up to 300 of the rows it learned from, where rows are numbers; with_graph keeps all"),
    };
    const NEGATIVES: Negatives = Negatives::ByCandidates;
    type Model = AutoModel;

    fn check(&self) -> Result<()> {
        self.named().map(|_| ())
    }

    fn fit(&self, train: &PuData, run: &Run) -> Result<Fitted<AutoModel>> {
        let one = train.positives().len() < 2;
        if train.parts.len() > 1 && !one {
            return blocks::fit(self, train, run);
        }
        let named = self.named()?;
        let pool = self.pool(train.x.kind())?;
        if named.is_some() {
            pool.iter().try_for_each(|candidate| candidate.check_reads(train.x.kind()))?;
        }
        let joined = pool.iter().any(Candidate::smooths) || (one && named.is_none());
        let folds_of = |rows: &PuData, joined: bool, ahead: f64| {
            HiddenFolds::new(rows, self.folds as usize, joined, &run.ahead(ahead))
        };
        let part = rows_of_part(&train.positive, &train.unwanted, JUDGED, run).filter(|_| !one);
        let (folds, judged, choice) = match &part {
            Some(rows) => {
                let judged = folds_of(&train.select(rows), joined, 0.7)?;
                let choice = self.choose(&judged, pool, run)?;
                (folds_of(train, choice.candidate.smooths(), 0.95)?, Some(judged), choice)
            }
            None => {
                let folds = folds_of(train, joined, 0.95)?;
                let choice = match one {
                    true => guess(&folds, named.and_then(|named| named.into_iter().next()))?,
                    false => self.choose(&folds, pool, run)?,
                };
                (folds, None, choice)
            }
        };
        let Chosen { candidate, second, learned_with, mut summary } = choice;
        let ranked = folds.fit(&candidate, learned_with, self.with_graph)?;
        let pile = train.unlabeled();
        let cut = |raw: &[f64]| Cut::at_share(&pile.iter().map(|&i| raw[i]).collect::<Vec<_>>(), summary.cut);
        let scores = cut(&ranked.scores).scores(&ranked.scores);
        let new_cut = cut(&ranked.voices.raw(&folds.rows(), run)?);
        summary.found = pile.iter().filter(|&&i| scores[i] >= 0.5).count();
        let disagreement = match (&second, &part, &judged) {
            (None, ..) => None,
            (Some(second), Some(rows), Some(judged)) => {
                let of_part: Vec<f64> = rows.iter().map(|&row| scores[row]).collect();
                Some(disagreement(judged, second, learned_with, &of_part)?)
            }
            (Some(second), ..) => Some(disagreement(&folds, second, learned_with, &scores)?),
        };
        summary.warn(disagreement);
        let mut notes = ranked.notes;
        if let Some(joined) = folds.joined_in_part() {
            let text = format!(
                "the pile is large: {joined} rows, the best-ranked and a sample of the others, were smoothed over their neighbours"
            );
            notes.push(Note::info(&codes::LARGE_PILE, text));
        }
        if judged.is_some() {
            let text = format!(
                "the pile is large: what to choose and how many there are was judged on {} rows of it, drawn at random",
                count(summary.pile)
            );
            notes.push(Note::info(&codes::LARGE_PILE, text));
            summary = Summary { sampled: None, ..of_sample(&summary, pile.len(), summary.found) };
        }
        notes.extend(summary.warnings.iter().cloned().map(Note::warn));
        let ranker = Ranker::One { space: folds.space(), voices: ranked.voices };
        let model = AutoModel { ranker, cut: new_cut, summary };
        Ok(Fitted::new(model, scores).with_notes(notes))
    }
}

/// What was decided before the last fit.
pub(super) struct Chosen {
    pub candidate: Candidate,
    pub second: Option<Candidate>,
    /// The prior that it was told while positives were hidden from it.
    pub learned_with: f64,
    pub summary: Summary,
}

impl Auto {
    /// The candidates that somebody named.
    fn named(&self) -> Result<Option<Vec<Candidate>>> {
        self.candidates.as_deref().map(Candidate::parse_all).transpose()
    }

    /// What is chosen from for rows of this kind.
    pub(super) fn pool(&self, kind: Kind) -> Result<Vec<Candidate>> {
        match self.named()? {
            Some(named) => Ok(named),
            None => pool(self.effort, kind),
        }
    }

    /// What an answer chose from, as its summary names it.
    pub fn tried(&self, summary: &Summary, kind: Kind) -> Result<Vec<Candidate>> {
        let tried = summary.candidates.iter().map(|tried| self.chosen(&tried.method, kind));
        Ok(tried.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The candidate that was chosen for rows of this kind, by the name that the summary has for it.
    pub(super) fn chosen(&self, name: &str, kind: Kind) -> Result<Option<Candidate>> {
        let mut known = self.pool(kind)?;
        for more in [UNEXPECTED, ONE_EXAMPLE] {
            known.push(Candidate::parse(more)?);
        }
        let mut smoothed = known.iter().flat_map(|one| Amounts::all().map(|amounts| one.smoothing(amounts)));
        Ok(smoothed.find_map(|candidate| candidate.as_named(name)))
    }

    pub(super) fn choose(&self, folds: &HiddenFolds, pool: Vec<Candidate>, run: &Run) -> Result<Chosen> {
        // Who was met while reading is no random draw of either side: near misses push down the very examples that were
        // found beside them, and a pile without its best rows may look as if the examples were all too typical.
        let before = folds.before_refusals();
        let judge = before.as_ref().unwrap_or(folds);
        let drawn = random_draw::of(judge.train(), judge.run())?;
        let mut voices = self.voices_of_prior(judge)?;
        let (first, _) = self.told(voices.clone(), drawn, folds, &PriorOptions::without_intervals(), run)?;
        let mut learned_with = first.prior;
        let routed = learned_with > MOSTLY_POSITIVE;
        // Whoever names candidates has them judged whatever the pile is.
        let rerouted = routed && self.candidates.is_none();
        let mut pool = if rerouted { vec![Candidate::parse(UNEXPECTED)?] } else { pool };
        if pool.iter().any(Candidate::smooths) && !too_typical(first.drawn) {
            let amounts = Amounts::told(judge, learned_with, 0.3)?;
            let smoothing = pool.iter().map(|candidate| candidate.smoothing(amounts));
            pool = smoothing
                .map(|one| weighed(one, &voices, judge, learned_with, 0.1))
                .collect::<Result<_>>()?;
        }
        let ranks = judge.hidden_ranks(&pool, learned_with, 0.8)?;
        if !rerouted {
            // Who stays by itself ranks best on average, and so bounds the prior most closely; it had to be told a prior first.
            voices.push((pool[0].name(), ranks[0].clone()));
        }
        let options = PriorOptions { resamples: RESAMPLES, ..PriorOptions::default() };
        let (mut summary, mut believed) = self.told(voices, drawn, folds, &options, run)?;
        let prior = summary.prior;
        let criteria: Vec<Criteria> = ranks.iter().map(|ranks| Criteria::of(ranks, prior)).collect();
        let order = choose(&ranks, &criteria, prior, summary.drawn, CHANCE, run);
        let best = order[0];
        let mut own = ranks[best].clone();
        if before.is_some() {
            // None of those that were refused is among the positives of the pile.
            let of_rest = judge.train().unlabeled().len() as f64 / summary.pile as f64;
            if self.prior.is_none() {
                let most = 1.0 - 0.5 / summary.pile as f64;
                let told = [&mut summary.prior, &mut summary.prior_low, &mut summary.prior_high];
                for share in told.into_iter().chain(&mut believed) {
                    *share = (*share * of_rest).min(most);
                }
            }
            own = folds.hidden_ranks(&pool[best..=best], summary.prior, 0.9)?.remove(0);
            learned_with = summary.prior;
        }
        let prior = summary.prior;
        let of_class = of_the_class(&own, summary.drawn);
        let cut =
            if routed { median_of_three(&of_class) } else { cut_from_hidden(&of_class, prior, &believed) };
        let because = match (rerouted, pool.len()) {
            (true, _) => "since the pile is mostly what you showed".to_string(),
            (false, 1) if self.candidates.is_some() => "the only candidate named".to_string(),
            (false, 1) => "without a choice among candidates (quick)".to_string(),
            (false, n) => {
                let auc = criteria[best].pu_auc;
                match best {
                    0 if too_typical(summary.drawn) => format!(
                        "which stays where the examples are too typical to judge {} others by (PU-AUC {auc:.2})",
                        n - 1
                    ),
                    0 => format!(
                        "which none of {} others clearly beats on hidden examples (PU-AUC {auc:.2})",
                        n - 1
                    ),
                    _ => format!("the best of {n} candidates on hidden examples (PU-AUC {auc:.2})"),
                }
            }
        };
        summary.method = pool[best].name();
        summary.because = because;
        summary.routed_to_unexpected = routed;
        summary.candidates = order.iter().map(|&c| criteria[c].tried(pool[c].name())).collect();
        if !pool[best].learns_from_negatives() {
            summary.known_negatives = 0;
        }
        place(&mut summary, &own, cut, run);
        let second = order.get(1).map(|&c| pool[c].clone());
        Ok(Chosen { candidate: pool[best].clone(), second, learned_with, summary })
    }

    /// Where the rankers that tell the prior put the hidden positives.
    fn voices_of_prior(&self, judge: &HiddenFolds) -> Result<Vec<(String, Ranks)>> {
        let rankers = PRIOR_RANKERS.iter().map(|name| Candidate::parse(name)).collect::<Result<Vec<_>>>()?;
        let first = judge.hidden_ranks(&rankers, 0.0, 0.3)?;
        let rough = median(first.iter().map(median_of_three).collect());
        let told = roughly_told(judge.train().x.kind())?;
        let others = judge.hidden_ranks(&told, self.prior.unwrap_or(rough), 0.15)?;
        let names = rankers.iter().chain(&told).map(Candidate::name);
        Ok(names.zip(first.into_iter().chain(others)).collect())
    }

    /// How many positives the pile holds as these rankers tell it, or as the user says, and how they were drawn; nothing
    /// else is said yet. Beside it the shares that are as probable as each other.
    fn told(
        &self,
        voices: Vec<(String, Ranks)>,
        drawn: Option<Drawn>,
        folds: &HiddenFolds,
        options: &PriorOptions,
        run: &Run,
    ) -> Result<(Summary, Vec<f64>)> {
        let nothing = Summary { drawn, ..empty(folds.train()) };
        if let Some(prior) = self.prior {
            return Ok((Summary { prior, prior_low: prior, prior_high: prior, ..nothing }, vec![prior]));
        }
        let report = prior::of_ranks(voices, options, run)?;
        let &Estimate { estimate, low, high, .. } = report.default_estimate();
        let mut summary = Summary {
            prior: estimate,
            prior_low: low,
            prior_high: high,
            prior_untold: report.untold,
            ..nothing
        };
        allow_for_typical(&mut summary, &report, options, run)?;
        // An alarm moves the prior away from what the rankers say of a random draw.
        let believed = if summary.prior == estimate { report.votes } else { vec![summary.prior] };
        Ok((summary, believed))
    }
}

/// The answer to a single example: a ranking, and no claim.
fn guess(folds: &HiddenFolds, named: Option<Candidate>) -> Result<Chosen> {
    let candidate = named.map_or_else(|| Candidate::parse(ONE_EXAMPLE), Ok)?;
    let share = GUESS.max(1.0 / folds.train().unlabeled().len() as f64);
    let summary = Summary {
        prior: share,
        prior_low: 0.0,
        prior_high: 1.0,
        method: candidate.name(),
        because: "since one example cannot be hidden from itself; the number marked is a guess".into(),
        cut: share,
        recall_high: 1.0,
        precision_high: 1.0,
        f1_high: 1.0,
        ..empty(folds.train())
    };
    Ok(Chosen { candidate, second: None, learned_with: share, summary })
}

/// Share of the marked rows that the second-best candidate would not mark with the same cut.
fn disagreement(folds: &HiddenFolds, second: &Candidate, prior: f64, scores: &[f64]) -> Result<f64> {
    let pile = folds.train().unlabeled();
    let other = folds.scores(second, prior)?;
    let of_pile: Vec<f64> = pile.iter().map(|&i| other[i]).collect();
    let marked: Vec<usize> = pile.into_iter().filter(|&i| scores[i] >= 0.5).collect();
    let cut = Cut::after(&of_pile, marked.len());
    let differ = marked.iter().filter(|&&i| cut.score(other[i]) < 0.5).count();
    Ok(differ as f64 / marked.len().max(1) as f64)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What ranks, the cut, and what was said of them.
pub struct AutoModel {
    pub(super) ranker: Ranker,
    pub(super) cut: Cut,
    pub(super) summary: Summary,
}

/// What ranks rows.
pub(super) enum Ranker {
    /// The chosen models in their space.
    One { space: Arc<Space>, voices: Voices },
    /// Those of each block that was chosen.
    Blocks(Blocks),
}

impl Model for AutoModel {
    fn score(&self, x: &Data, run: &Run) -> Result<Scores> {
        Ok(self.cut.scores(&self.raw(x, run)?))
    }

    fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        match &self.ranker {
            Ranker::One { space, voices } => voices.raw(&Placement { given: x, placed: &space.map(x)? }, run),
            Ranker::Blocks(blocks) => blocks.raw(x, run),
        }
    }

    fn save(&self, out: &mut Writer) -> Result<()> {
        out.value("summary", &self.summary);
        self.cut.save(out);
        match &self.ranker {
            Ranker::One { space, voices } => {
                out.nested("space", |out| space.save(out));
                voices.save(out)
            }
            Ranker::Blocks(blocks) => blocks.save(out),
        }
    }

    fn load(file: &Reader) -> Result<Self> {
        if file.nested("ranker").value::<String>("scorer").is_ok() {
            return Err(Error::model_file("it was kept by an older version of likewise; train again"));
        }
        let ranker = match Blocks::load(file)? {
            Some(blocks) => Ranker::Blocks(blocks),
            None => {
                let space = Arc::new(Space::load(&file.nested("space"))?);
                Ranker::One { space, voices: Voices::load(file)? }
            }
        };
        Ok(AutoModel { ranker, cut: Cut::load(file)?, summary: file.value("summary")? })
    }

    fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        match &self.ranker {
            Ranker::One { space, voices } => voices.explain(space, x, row, top),
            Ranker::Blocks(blocks) => blocks.explain(x, row, top),
        }
    }

    fn portrait(&self, top: usize) -> Vec<Reason> {
        match &self.ranker {
            Ranker::One { space, voices } => voices.portrait(space, top),
            Ranker::Blocks(blocks) => blocks.portrait(top),
        }
    }

    fn summary(&self) -> Option<&Summary> {
        Some(&self.summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dense;

    #[test]
    fn a_part_of_a_large_pile_judges_and_all_of_it_is_ranked() {
        let rows = JUDGED + 10_000;
        let class = |row: usize| row.is_multiple_of(50);
        let value = |row: usize| (row * 37 % 1009) as f32 / 500.0 + if class(row) { 2.0 } else { 0.0 };
        let x = Dense::new(rows, 1, (0..rows).map(value).collect()).unwrap();
        let train = PuData::new(x.into(), (0..rows).map(|row| class(row) && row < 1000).collect()).unwrap();
        let auto = Auto { candidates: Some("logistic,nearest-mean".into()), ..Auto::default() };
        let fitted = auto.fit(&train, &Run::new(0)).unwrap();
        let summary = &fitted.model.summary;
        assert_eq!((summary.pile, summary.sampled), (rows - 20, None));
        let found = train.unlabeled().iter().filter(|&&row| fitted.scores[row] >= 0.5).count();
        assert_eq!(summary.found, found);
        let right = train.unlabeled().iter().filter(|&&row| class(row) && fitted.scores[row] >= 0.5).count();
        assert!(right as f64 > 0.9 * found as f64 && right > 1800, "{right} of {found}");
        assert!(fitted.notes.iter().any(|note| note.to_string().contains("judged on 100,000 rows")));
    }

    /// A third of 120 rows lies around 2, the others around 0, and 15 of the former are marked; the five others that
    /// come nearest to them may be refused.
    #[test]
    fn refused_rows_choose_nothing() {
        let noise = |k: usize| (k * 37 % 101) as f32 / 40.0 - 1.25;
        let value = |k: usize| noise(k) + if (k / 2).is_multiple_of(3) { 2.0 } else { 0.0 };
        let x = Dense::new(120, 2, (0..240).map(value).collect()).unwrap();
        let mut others: Vec<usize> = (0..120).filter(|row| row % 3 != 0).collect();
        others.sort_by(|a, b| x.row(*b)[0].total_cmp(&x.row(*a)[0]));
        let train =
            PuData::new(x.into(), (0..45).map(|row| row % 3 == 0).chain([false; 75]).collect()).unwrap();
        let refused = train.clone().with_unwanted((0..120).map(|row| others[..5].contains(&row)).collect());
        let [plain, refused] =
            [train, refused.unwrap()].map(|train| Auto::default().fit(&train, &Run::new(0)).unwrap());
        let (said, of_rest) = (&plain.model.summary, &refused.model.summary);
        assert_eq!((of_rest.pile, of_rest.known_negatives), (100, 5));
        assert_eq!((&of_rest.method, &of_rest.candidates), (&said.method, &said.candidates));
        // What 105 rows hold, the 100 hold that are left.
        assert!((of_rest.prior - said.prior * 1.05).abs() < 1e-12, "{} {}", of_rest.prior, said.prior);
        assert_ne!(plain.scores, refused.scores);
    }
}
