//! The automatic choice for rows of several blocks: one of them alone, all joined, or a mean of ranks over them.
//!
//! Each block has its own choice among the pool, as if there was nothing else ([`Auto::choose`]). Where these rank the
//! same hidden positives says how much a block tells ([`Apart`]), and so much it counts: in a mean of the blocks' ranks,
//! and, as far as that is no chance, in the rows of all blocks joined, whose likeness is then
//!
//! ```text
//! cos(a, b) = Σ_v w_v a_v·b_v,    Σ_v w_v = 1
//! ```
//!
//! Joined at equal lengths a block of noise would drown what the others tell. The joined rows have a choice of their own,
//! and stand against every mean, and each block alone, by where they rank the hidden positives once more. What stays unless
//! another is clearly better is the mean of both roads: the joined rows see what no block sees alone, the blocks' ranks lose
//! least where one of them says nothing, and a few examples cannot tell which is the case.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::apart::Apart;
use super::auto::{Auto, AutoModel, Chosen, Ranker};
use super::candidates::{Candidate, pool as pool_of};
use super::certainty::{empty, of_the_class, place};
use super::criteria::{Criteria, choose};
use super::hidden_folds::HiddenFolds;
use super::view::View;
use super::voices::{MOST_WEIGHT, MeanOfRanks, Placement, Voices, sorted_pile};
use crate::data::{Data, Kind, PuData};
use crate::error::{Error, Result};
use crate::method::{BlockVoice, Cause, Fitted, Reason, Spec, Summary};
use crate::model_file::{Reader, Writer};
use crate::note::Note;
use crate::parts::cut::Cut;
use crate::parts::space::Space;
use crate::prior::{cut_from_hidden, median_of_three};
use crate::run::Run;

/// A view, its hidden folds, and what was chosen for it.
struct Judged {
    view: View,
    folds: HiddenFolds,
    chosen: Chosen,
}

/// Views whose ranks are averaged, each with its weight; a single one is itself.
struct Mixture {
    views: Vec<usize>,
    weights: Vec<u32>,
}

impl Mixture {
    fn members(&self) -> impl Iterator<Item = (usize, u32)> {
        self.views.iter().copied().zip(self.weights.iter().copied())
    }

    fn mean(&self, rows: usize) -> MeanOfRanks {
        MeanOfRanks::new(rows, self.weights.iter().sum())
    }
}

/// What all blocks say together loses least where one of them is poor, so another mixture must be better beyond the usual
/// doubt: ten examples that like one block are soon found.
const CHANCE: f64 = 0.05;

/// Learns from rows of several blocks.
pub(super) fn fit(auto: &Auto, train: &PuData, run: &Run) -> Result<Fitted<AutoModel>> {
    let parts = train.parts.iter().cloned().map(View::Part);
    let mut judged = parts.map(|view| judge(auto, view, train, run)).collect::<Result<Vec<_>>>()?;
    let prior = best_told(&judged).prior;
    let fold_scores = |judged: &Judged| judged.folds.fold_scores(&judged.chosen.candidate, prior);
    let mut own: Vec<Vec<Arc<Vec<f64>>>> = judged.iter().map(fold_scores).collect::<Result<_>>()?;
    let (of_pile, of_hidden): (Vec<_>, Vec<_>) = own.iter().map(|own| judged[0].folds.log_ranks(own)).unzip();
    let apart = Apart::of(&of_pile, &of_hidden);
    let blocks = judged.len();
    let lengths = apart.lengths();
    let joined = judge(auto, View::joined(&train.parts, &lengths), train, run)?;
    own.push(fold_scores(&joined)?);
    judged.push(joined);

    let told = best_told(&judged);
    let prior = told.prior;
    let folds = &judged[0].folds;
    let mixtures = mixtures(&apart, blocks);
    let ranks: Vec<_> = (mixtures.iter())
        .map(|mixture| match &mixture.views[..] {
            [only] => folds.ranks_in_folds(&own[*only]),
            _ => {
                let voices: Vec<_> = mixture.members().map(|(view, weight)| (&own[view], weight)).collect();
                folds.ranks_in_folds(&folds.mean_of_folds(&voices))
            }
        })
        .collect();
    let criteria: Vec<Criteria> = ranks.iter().map(|ranks| Criteria::of(ranks, prior)).collect();
    let order = choose(&ranks, &criteria, prior, told.drawn, CHANCE, run);
    let best = order[0];
    let routed = told.routed_to_unexpected;
    let of_class = of_the_class(&ranks[best], told.drawn);
    let cut = if routed { median_of_three(&of_class) } else { cut_from_hidden(&of_class, prior, &[prior]) };
    let name = |mixture: &Mixture| name(mixture, &judged);
    let mut summary = Summary {
        prior,
        prior_low: told.prior_low,
        prior_high: told.prior_high,
        prior_untold: told.prior_untold,
        drawn: told.drawn,
        routed_to_unexpected: routed,
        method: name(&mixtures[best]),
        because: format!(
            "chosen among {} ways to mix {} by hidden examples (PU-AUC {:.2})",
            mixtures.len(),
            train.parts.iter().map(|part| part.kind.name()).collect::<Vec<_>>().join(", "),
            criteria[best].pu_auc
        ),
        candidates: order.iter().map(|&c| criteria[c].tried(name(&mixtures[c]))).collect(),
        blocks: voices_of(&mixtures[best], &judged, &lengths),
        ..empty(train)
    };
    place(&mut summary, &ranks[best], cut, run);

    let (blocks, raw, mut notes) = learn(&judged, &mixtures[best], prior, auto.with_graph, run)?;
    let pile = train.unlabeled();
    let cut = |raw: &[f64]| Cut::at_share(&pile.iter().map(|&i| raw[i]).collect::<Vec<_>>(), summary.cut);
    let scores = cut(&raw).scores(&raw);
    let new_cut = cut(&blocks.raw(&train.x, run)?);
    summary.found = pile.iter().filter(|&&i| scores[i] >= 0.5).count();
    let second = order.get(1).map(|&c| disagreement(&judged, &mixtures[c], &summary, &scores)).transpose()?;
    summary.warn(second);
    notes.extend(summary.warnings.iter().cloned().map(Note::warn));
    let model = AutoModel { ranker: Ranker::Blocks(blocks), cut: new_cut, summary };
    Ok(Fitted::new(model, scores).with_notes(notes))
}

/// What is said where positives are told best from the pile: the tighter is what can be said of their number.
fn best_told(judged: &[Judged]) -> &Summary {
    let auc = |judged: &Judged| judged.chosen.summary.candidates.first().map_or(0.0, |tried| tried.pu_auc);
    let best = (0..judged.len()).max_by(|&a, &b| auc(&judged[a]).total_cmp(&auc(&judged[b])).then(b.cmp(&a)));
    &judged[best.expect("a block at least")].chosen.summary
}

/// A view with its own choice.
fn judge(auto: &Auto, view: View, train: &PuData, run: &Run) -> Result<Judged> {
    let own = PuData { x: view.of(&train.x)?, parts: Vec::new(), ..train.clone() };
    let pool = pool_for(auto, &view, own.x.kind())?;
    let joined = pool.iter().any(Candidate::smooths);
    let folds = HiddenFolds::new(&own, auto.folds as usize, joined, run)?;
    let chosen = auto.choose(&folds, pool, run)?;
    Ok(Judged { view, folds, chosen })
}

/// Of the candidates that somebody named, those that take such rows; where none does, the usual ones.
fn pool_for(auto: &Auto, view: &View, kind: Kind) -> Result<Vec<Candidate>> {
    let takes = |spec: &Spec| spec.takes(kind) && (matches!(view, View::Part(_)) || spec.takes_joined());
    let mut pool = auto.pool(kind)?;
    pool.retain(|candidate| candidate.members().iter().all(|member| takes(&member.spec())));
    if pool.is_empty() { pool_of(auto.effort, kind) } else { Ok(pool) }
}

/// What there is to choose from: the joined rows, which hold as much as all blocks and have the say of as many, beside the
/// mean over the blocks, which has that of one; the joined rows; every mean over several blocks; and each block alone.
fn mixtures(apart: &Apart, blocks: usize) -> Vec<Mixture> {
    let mut subsets: Vec<Vec<usize>> = (1..1usize << blocks)
        .map(|bits| (0..blocks).filter(|block| bits >> block & 1 == 1).collect())
        .collect();
    subsets.sort_by_key(|subset| std::cmp::Reverse(subset.len()));
    let weighed = |views: Vec<usize>| Mixture { weights: apart.weights(&views), views };
    let mut all: Vec<Mixture> = subsets.into_iter().map(weighed).collect();
    let of_blocks = &all[0];
    let sum = of_blocks.weights.iter().sum::<u32>() * blocks as u32;
    let share = |weight: &u32| (MOST_WEIGHT * weight).div_ceil(sum);
    let weights = of_blocks.weights.iter().map(share).chain([MOST_WEIGHT]).collect();
    let both = Mixture { views: (0..=blocks).collect(), weights };
    all.splice(0..0, [both, Mixture { views: vec![blocks], weights: vec![1] }]);
    all
}

fn name(mixture: &Mixture, judged: &[Judged]) -> String {
    let one = |view: usize| {
        let Judged { view, chosen, .. } = &judged[view];
        format!("{} by {}", view.name(), chosen.candidate.name())
    };
    match &mixture.views[..] {
        [only] => one(*only),
        _ => {
            let sum: u32 = mixture.weights.iter().sum();
            let share = |weight: u32| f64::from(100 * weight) / f64::from(sum);
            let member = |(view, weight)| format!("{:.0} % {}", share(weight), one(view));
            format!("mean of ranks: {}", mixture.members().map(member).collect::<Vec<_>>().join("; "))
        }
    }
}

/// The mixture learned from all positives: what ranks, and the raw scores of the training rows.
fn learn(
    judged: &[Judged],
    mixture: &Mixture,
    prior: f64,
    with_graph: bool,
    run: &Run,
) -> Result<(Blocks, Arc<Vec<f64>>, Vec<Note>)> {
    let rows = judged[0].folds.train();
    let pile = rows.unlabeled();
    let mut mean = mixture.mean(rows.x.rows());
    let (mut members, mut notes, mut alone) = (Vec::new(), Vec::new(), None);
    for (view, weight) in mixture.members() {
        let Judged { view, folds, chosen } = &judged[view];
        let ranked = folds.fit(&chosen.candidate, prior, with_graph)?;
        notes.extend(ranked.notes);
        let mut of_pile = Vec::new();
        if mixture.views.len() > 1 {
            mean.add(&ranked.scores, &sorted_pile(&ranked.scores, &pile), weight);
            of_pile = sorted_pile(&ranked.voices.raw(&folds.rows(), run)?, &pile);
        } else {
            alone = Some(ranked.scores);
        }
        members.push(Member {
            view: view.clone(),
            weight,
            space: folds.space(),
            voices: ranked.voices,
            pile: of_pile,
        });
    }
    notes.dedup();
    Ok((Blocks { members }, alone.unwrap_or_else(|| Arc::new(mean.sums)), notes))
}

/// What a mixture is made of, for whoever learns it again.
fn voices_of(mixture: &Mixture, judged: &[Judged], lengths: &[u32]) -> Vec<BlockVoice> {
    let voice = |(view, weight): (usize, u32)| {
        let block = (view < lengths.len()).then_some(view);
        BlockVoice {
            block,
            lengths: if block.is_none() { lengths.to_vec() } else { Vec::new() },
            method: judged[view].chosen.candidate.name(),
            weight,
        }
    };
    mixture.members().map(voice).collect()
}

/// What was chosen, learned from other rows of the same blocks without choosing again. None where it cannot be told from
/// its name.
pub(super) fn learn_again(auto: &Auto, told: &Summary, train: &PuData, run: &Run) -> Result<Option<Blocks>> {
    let pile = train.unlabeled();
    let mut members = Vec::new();
    for voice in &told.blocks {
        let view = match voice.block.map(|block| train.parts.get(block)) {
            None => View::joined(&train.parts, &voice.lengths),
            Some(Some(part)) => View::Part(part.clone()),
            Some(None) => return Ok(None),
        };
        let own = PuData { x: view.of(&train.x)?, parts: Vec::new(), ..train.clone() };
        let Some(candidate) = auto.chosen(&voice.method, own.x.kind())? else { return Ok(None) };
        let folds = HiddenFolds::new(&own, auto.folds as usize, candidate.smooths(), run)?;
        let ranked = folds.fit(&candidate, told.prior, auto.with_graph)?;
        let beside = told.blocks.len() > 1;
        let of_pile = match beside {
            true => sorted_pile(&ranked.voices.raw(&folds.rows(), run)?, &pile),
            false => Vec::new(),
        };
        let (space, voices) = (folds.space(), ranked.voices);
        members.push(Member { view, weight: voice.weight, space, voices, pile: of_pile });
    }
    Ok((!members.is_empty()).then_some(Blocks { members }))
}

/// Share of the marked rows that another mixture would not mark with the same cut.
fn disagreement(judged: &[Judged], mixture: &Mixture, summary: &Summary, scores: &[f64]) -> Result<f64> {
    let rows = judged[0].folds.train();
    let pile = rows.unlabeled();
    let mut mean = mixture.mean(rows.x.rows());
    for (view, weight) in mixture.members() {
        let Judged { folds, chosen, .. } = &judged[view];
        let own = folds.scores(&chosen.candidate, summary.prior)?;
        mean.add(&own, &sorted_pile(&own, &pile), weight);
    }
    let of_pile: Vec<f64> = pile.iter().map(|&i| mean.sums[i]).collect();
    let cut = Cut::after(&of_pile, summary.found);
    let marked: Vec<usize> = pile.into_iter().filter(|&i| scores[i] >= 0.5).collect();
    let differ = marked.iter().filter(|&&i| cut.score(mean.sums[i]) < 0.5).count();
    Ok(differ as f64 / marked.len().max(1) as f64)
}

/// The rankers of the chosen blocks.
pub(super) struct Blocks {
    members: Vec<Member>,
}

struct Member {
    view: View,
    /// How much it counts beside the others.
    weight: u32,
    space: Arc<Space>,
    voices: Voices,
    /// Its scores of the pile, ascending; empty where there is no other to be ranked with.
    pile: Vec<f64>,
}

const BLOCKS: &str = "views";
const WEIGHT: &str = "weight";

impl Blocks {
    pub fn raw(&self, x: &Data, run: &Run) -> Result<Vec<f64>> {
        let own = |member: &Member| {
            let given = member.view.of(x)?;
            member.voices.raw(&Placement { given: &given, placed: &member.space.map(&given)? }, run)
        };
        if let [only] = &self.members[..] {
            return own(only);
        }
        let mut mean = MeanOfRanks::new(x.rows(), self.members.iter().map(|member| member.weight).sum());
        for member in &self.members {
            mean.add(&own(member)?, &member.pile, member.weight);
        }
        Ok(mean.sums)
    }

    /// A member counts by its weight, whatever the scale of its scores: its reasons are shares of their sum.
    pub fn explain(&self, x: &Data, row: usize, top: usize) -> Result<Vec<Reason>> {
        let one = x.select(&[row]);
        let told = |member: &Member| member.voices.explain(&member.space, &member.view.of(&one)?, 0, top);
        let told = self.members.iter().map(told).collect::<Result<_>>()?;
        Ok(self.together(told, |reasons| reasons.iter().map(|reason| reason.push.abs()).sum(), top))
    }

    /// Of each member what counts most, or how much it counts as a whole where no feature has a weight of its own. Their
    /// Euclidean length is one, lest thousands of words of which a row holds ten share what one number says alone.
    pub fn portrait(&self, top: usize) -> Vec<Reason> {
        let of = |member: &Member| {
            let own = member.voices.portrait(&member.space, top);
            let as_a_whole = || Reason { cause: Cause::Statement("all of it together".into()), push: 1.0 };
            if own.is_empty() && self.members.len() > 1 { vec![as_a_whole()] } else { own }
        };
        let length =
            |reasons: &[Reason]| reasons.iter().map(|reason| reason.push.powi(2)).sum::<f64>().sqrt();
        self.together(self.members.iter().map(of).collect(), length, top)
    }

    /// What the members say, in the columns of the joined rows. Where there are several, the reasons of each are as large
    /// together, by this measure, as its weight; what they say of the same column is added up.
    fn together(&self, told: Vec<Vec<Reason>>, size: impl Fn(&[Reason]) -> f64, top: usize) -> Vec<Reason> {
        let weights: f64 = self.members.iter().map(|member| f64::from(member.weight)).sum();
        let (mut features, mut all) = (BTreeMap::new(), Vec::new());
        for (member, reasons) in self.members.iter().zip(told) {
            let own = size(&reasons);
            let scale = match self.members.len() > 1 && own > 0.0 {
                true => f64::from(member.weight) / (weights * own),
                false => 1.0,
            };
            let first = member.view.first_column();
            for Reason { cause, push } in reasons {
                let push = push * scale;
                match cause {
                    Cause::Feature(j) => *features.entry(first + j).or_default() += push,
                    Cause::Statement(text) => {
                        let cause = Cause::Statement(format!("{text} ({})", member.view.name()));
                        all.push(Reason { cause, push });
                    }
                    cause @ Cause::Rule { .. } => all.push(Reason { cause, push }),
                }
            }
        }
        all.extend(features.into_iter().map(|(j, push)| Reason { cause: Cause::Feature(j), push }));
        all.sort_by(|a, b| b.push.abs().total_cmp(&a.push.abs()));
        all.truncate(top);
        all
    }

    pub fn save(&self, out: &mut Writer) -> Result<()> {
        out.value(BLOCKS, &self.members.iter().map(|member| &member.view).collect::<Vec<_>>());
        for (at, member) in self.members.iter().enumerate() {
            out.nested(&format!("view{at}"), |out| {
                out.value(WEIGHT, &member.weight);
                out.f64s("of_pile", &[member.pile.len()], &member.pile);
                out.nested("space", |out| member.space.save(out));
                member.voices.save(out)
            })?;
        }
        Ok(())
    }

    /// None where the model is not of several blocks.
    pub fn load(file: &Reader) -> Result<Option<Self>> {
        if !file.has_value(BLOCKS) {
            return Ok(None);
        }
        let views: Vec<View> = file.value(BLOCKS)?;
        let member = |(at, view): (usize, View)| {
            let part = file.nested(&format!("view{at}"));
            if !view.is_sound() {
                return Err(Error::model_file("the columns of its blocks are damaged"));
            }
            // Files of older versions have none: then all count alike.
            let weight = if part.has_value(WEIGHT) { part.value(WEIGHT)? } else { 1 };
            if !(1..=MOST_WEIGHT).contains(&weight) {
                return Err(Error::model_file("the weights of its blocks are damaged"));
            }
            let space = Arc::new(Space::load(&part.nested("space"))?);
            Ok(Member { view, weight, space, voices: Voices::load(&part)?, pile: part.read_f64s("of_pile")? })
        };
        let members: Vec<Member> = views.into_iter().enumerate().map(member).collect::<Result<_>>()?;
        match members.is_empty() {
            true => Err(Error::model_file("it has no block that ranks")),
            false => Ok(Some(Blocks { members })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dense, Part, PartKind, join};
    use crate::method::{Effort, Method, Model};

    /// Two blocks of numbers. The first tells the class, the second is noise.
    fn train(telling: PartKind) -> PuData {
        let n = 160;
        let class = |i: usize| i.is_multiple_of(4);
        let noise = |i: usize, seed: usize| ((i * 7919 + seed * 104_729) % 1009) as f32 / 1009.0 - 0.5;
        let tell: Vec<f32> = (0..n)
            .flat_map(|i| {
                let side = if class(i) { 1.0 } else { -1.0 };
                [side + noise(i, 1), noise(i, 2)]
            })
            .collect();
        let other: Vec<f32> = (0..n).flat_map(|i| [noise(i, 3), noise(i, 4)]).collect();
        let [tell, other]: [Data; 2] = [tell, other].map(|v| Dense::new(n, 2, v).unwrap().into());
        let joined = join(&[(&tell, 1.0), (&other, 1.0)]).unwrap();
        let positive = (0..n).map(|i| class(i) && i < 80).collect();
        let mut train = PuData::new(joined.into(), positive).unwrap();
        let kinds =
            [telling, if telling == PartKind::Columns { PartKind::Vectors } else { PartKind::Columns }];
        train.parts = vec![
            Part { kind: kinds[0], columns: 0..2, scale: 1.0, fields: None },
            Part { kind: kinds[1], columns: 2..4, scale: 1.0, fields: None },
        ];
        train
    }

    #[test]
    fn every_mixture_is_tried_and_a_block_of_noise_is_left() {
        for kind in [PartKind::Columns, PartKind::Vectors] {
            let train = train(kind);
            let auto = Auto { effort: Effort::Quick, ..Auto::default() };
            let run = Run::new(0);
            let fitted = auto.fit(&train, &run).unwrap();
            let summary = fitted.model.summary().unwrap();
            assert_eq!(summary.candidates.len(), 5, "joined, both alone, their mean, and all of it");
            let alone = |name: &str| {
                let tried = summary.candidates.iter().find(|tried| tried.method.starts_with(name));
                tried.map_or(0.0, |tried| tried.pu_auc)
            };
            let [told, noise] = [alone(kind.name()), alone(train.parts[1].kind.name())];
            assert!(told > noise + 0.2 && summary.candidates[0].pu_auc > noise + 0.2, "{summary:?}");
            let found = |i: usize| fitted.scores[i];
            let right = (80..160).filter(|&i| (i % 4 == 0) == (found(i) >= 0.5)).count();
            assert!(right >= 74, "{right} of 80 by {}", summary.method);

            let mut out = Writer::default();
            fitted.model.save(&mut out).unwrap();
            let kept = AutoModel::load(&Reader::new(out.finish().unwrap()).unwrap()).unwrap();
            let new = train.x.select(&[4, 5, 84, 85]);
            assert_eq!(kept.score(&new, &run).unwrap(), fitted.model.score(&new, &run).unwrap());
            let reasons = kept.explain(&new, 2, 1).unwrap();
            assert!(matches!(&reasons[0].cause, Cause::Feature(0) | Cause::Statement(_)), "{reasons:?}");
            for told in [kept.explain(&new, 2, 10).unwrap(), kept.portrait(10)] {
                assert!(!told.is_empty());
                let again =
                    |(at, reason): (usize, &Reason)| told[..at].iter().any(|r| r.cause == reason.cause);
                assert!(!told.iter().enumerate().any(again), "a cause is told twice: {told:?}");
            }
        }
    }

    #[test]
    fn three_blocks_have_seven_mixtures_beside_the_joined_rows_and_both() {
        // Each block tells as much as the others.
        let told: Vec<Vec<f64>> = (0..3).map(|v| (0..12).map(|i| f64::from(i % (v + 2))).collect()).collect();
        let hidden: Vec<Vec<f64>> =
            told.iter().map(|own| own.iter().map(|rank| rank + 3.0).collect()).collect();
        let all = mixtures(&Apart::of(&told, &hidden), 3);
        assert_eq!(all.len(), 9);
        assert_eq!((&all[0].views[..], &all[1].views[..]), (&[0, 1, 2, 3][..], &[3][..]));
        let [blocks @ .., joined] = &all[0].weights[..] else { panic!("no weights") };
        // A third of what the joined rows have, each block's part rounded up.
        assert!((34..=36).contains(&blocks.iter().sum::<u32>()) && *joined == 100, "{:?}", all[0].weights);
    }
}
