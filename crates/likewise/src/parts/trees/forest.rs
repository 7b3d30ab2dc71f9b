//! What all trees say of a row: the mean of the shares of positives in the leaves that it ends in.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::seq::index;
use rayon::prelude::*;

use super::bins::{Bins, Codes};
use super::grow::{Growth, LEAF, Node, Sample, Tree};
use super::split::{Mask, Split};
use crate::data::Dense;
use crate::error::{Error, Result};
use crate::method::{Cause, Reason, Scores};
use crate::model_file::{Reader, Writer};
use crate::run::Run;

/// How a forest is planted.
pub struct Planting {
    /// Trees grown.
    pub trees: usize,
    /// Columns tried in a node.
    pub tried: usize,
    /// Share of the pile that each tree learns from; it scores the others.
    pub bag: f64,
    /// Share of positives in the pile.
    pub prior: f64,
    /// Levels of nodes below the root.
    pub depth: usize,
}

/// Trees, and the bytes that they ask for.
pub struct Forest {
    bins: Bins,
    nodes: Vec<Node>,
    masks: Vec<Mask>,
    /// The first node of each tree.
    roots: Vec<usize>,
    /// How much risk the splits of each column have taken away, over all trees; sums to 1.
    importance: Vec<f64>,
}

/// Rows scored at a time, so that a tree is fetched once for all of them.
const CHUNK: usize = 256;
/// Values are added as whole numbers of this unit, in whatever order trees are done.
const UNIT: f64 = (1u64 << 30) as f64;

/// For a row: how many trees left it out, and the sum of their values.
#[derive(Default)]
struct Votes {
    trees: AtomicU64,
    sum: AtomicU64,
}

impl Votes {
    /// The mean value of each row; NaN where every tree learned from it.
    ///
    /// Rows of the pile that the trees cannot tell apart share what was said of all of them: which trees left one of
    /// them out is a draw, and says nothing of the row. Labelled rows are scored by trees that learned from them, and
    /// keep their own. Whole numbers are added, so the order of the rows does not matter.
    fn means(votes: Vec<Votes>, pile: &[u32], first_alike: &[u32]) -> Scores {
        let votes: Vec<(u64, u64)> =
            votes.into_iter().map(|vote| (vote.trees.into_inner(), vote.sum.into_inner())).collect();
        let mean = |trees: u64, sum: u128| match trees {
            0 => f64::NAN,
            trees => sum as f64 / UNIT / trees as f64,
        };
        let mut means: Scores = votes.iter().map(|&(trees, sum)| mean(trees, sum.into())).collect();
        let mut shared = vec![(0u64, 0u128); pile.len()];
        for (&row, &first) in pile.iter().zip(first_alike) {
            let ((trees, sum), all) = (votes[row as usize], &mut shared[first as usize]);
            *all = (all.0 + trees, all.1 + u128::from(sum));
        }
        for (&row, &first) in pile.iter().zip(first_alike) {
            let (trees, sum) = shared[first as usize];
            means[row as usize] = mean(trees, sum);
        }
        means
    }
}

impl Planting {
    /// Grows the trees, and scores each row of the pile by those that did not learn from it; rows of equal content
    /// together, so that they have one score.
    ///
    /// Every tree learns from all positives, which therefore are scored by all trees, and so it does from rows known not to
    /// be wanted: they stand beside its part of the pile, as rows of which none is positive.
    pub fn grow(
        &self,
        x: &Dense,
        positive: &[bool],
        unwanted: &[bool],
        run: &Run,
    ) -> Result<(Forest, Scores)> {
        let rows_of = |wanted: &dyn Fn(usize) -> bool| -> Vec<u32> {
            (0..positive.len()).filter(|&row| wanted(row)).map(|row| row as u32).collect()
        };
        let (positives, known) = (rows_of(&|row| positive[row]), rows_of(&|row| unwanted[row]));
        let pile = rows_of(&|row| !positive[row] && !unwanted[row]);
        let shown: Vec<usize> = positives.iter().map(|&row| row as usize).collect();
        let bins = Bins::fit(x, &shown, run);
        let codes = bins.encode(x)?;
        let bag = ((self.bag * pile.len() as f64).round() as usize).clamp(1, pile.len());
        let prior = self.prior * bag as f64 / (bag + known.len()) as f64;
        let growth = Growth { codes: &codes, bins: &bins, prior, tried: self.tried, depth: self.depth };
        let votes: Vec<Votes> = (0..x.rows()).map(|_| Votes::default()).collect();
        let done = AtomicU64::new(0);
        let tree = |t: u64| -> Result<Tree> {
            run.step("growing trees", done.fetch_add(1, Ordering::Relaxed), self.trees as u64)?;
            let mut rng = run.rng("forest", t);
            let mut drawn = vec![false; pile.len()];
            index::sample(&mut rng, pile.len(), bag).into_iter().for_each(|at| drawn[at] = true);
            let of = |wanted: bool| -> Vec<u32> {
                pile.iter().zip(&drawn).filter(|(_, drawn)| **drawn == wanted).map(|(row, _)| *row).collect()
            };
            let learned = [of(true), known.clone()].concat();
            let sample = Sample { positives: positives.clone(), pile: learned, outside: of(false) };
            Ok(growth.tree(sample, &mut rng, |row, value| {
                let vote = &votes[row as usize];
                vote.trees.fetch_add(1, Ordering::Relaxed);
                vote.sum.fetch_add((f64::from(value) * UNIT).round() as u64, Ordering::Relaxed);
            }))
        };
        let trees: Vec<Tree> = (0..self.trees as u64).into_par_iter().map(tree).collect::<Result<_>>()?;
        let forest = Forest::of(bins, trees);
        let mut scores = Votes::means(votes, &pile, &codes.first_alike(&pile));
        let unseen: Vec<usize> = (0..scores.len()).filter(|&row| scores[row].is_nan()).collect();
        let values = forest.of_rows(&codes, &unseen);
        unseen.into_iter().zip(values).for_each(|(row, value)| scores[row] = value);
        Ok((forest, scores))
    }
}

impl Forest {
    fn of(bins: Bins, trees: Vec<Tree>) -> Self {
        let mut forest = Forest {
            importance: vec![0.0; bins.cols()],
            bins,
            nodes: Vec::with_capacity(trees.iter().map(|tree| tree.nodes.len()).sum()),
            masks: Vec::new(),
            roots: Vec::new(),
        };
        for tree in trees {
            let (first, masks) = (forest.nodes.len(), forest.masks.len() as u32);
            forest.roots.push(first);
            forest.masks.extend(tree.masks);
            for mut node in tree.nodes {
                if node.field != LEAF {
                    node.right += first as u32;
                    if forest.bins.field(node.field as usize).category {
                        node.test += masks;
                    }
                }
                forest.nodes.push(node);
            }
            forest.importance.iter_mut().zip(tree.importance).for_each(|(sum, own)| *sum += own);
        }
        let all: f64 = forest.importance.iter().sum();
        if all > 0.0 {
            forest.importance.iter_mut().for_each(|share| *share /= all);
        }
        forest
    }

    /// The score of every row.
    pub fn score(&self, x: &Dense) -> Result<Scores> {
        let codes = self.bins.encode(x)?;
        Ok(self.of_rows(&codes, &(0..x.rows()).collect::<Vec<_>>()))
    }

    fn of_rows(&self, codes: &Codes, rows: &[usize]) -> Scores {
        let mut scores = vec![0.0; rows.len()];
        scores.par_chunks_mut(CHUNK).zip(rows.par_chunks(CHUNK)).for_each(|(scores, rows)| {
            for &root in &self.roots {
                for (score, &row) in scores.iter_mut().zip(rows) {
                    let bytes = codes.row(row);
                    let mut at = root;
                    while self.nodes[at].field != LEAF {
                        at = self.next(at, bytes);
                    }
                    *score += f64::from(self.nodes[at].value);
                }
            }
            // The sum of many values of 1 may be off by a last bit.
            scores.iter_mut().for_each(|score| *score = (*score / self.roots.len() as f64).min(1.0));
        });
        scores
    }

    #[inline]
    fn next(&self, at: usize, bytes: &[u8]) -> usize {
        let node = &self.nodes[at];
        let byte = bytes[node.field as usize];
        if self.split(node).left(byte) { at + 1 } else { node.right as usize }
    }

    fn split(&self, node: &Node) -> Split {
        match self.bins.field(node.field as usize).category {
            true => Split::Among(self.masks[node.test as usize]),
            false => Split::AtMost { shift: (node.test >> 8) as u8, most: node.test as u8 },
        }
    }

    /// What each step of a row's paths adds to the share of positives, by column, strongest first. Together with the
    /// share at the roots these sum to the score.
    pub fn explain(&self, x: &Dense, row: usize, top: usize) -> Result<Vec<Reason>> {
        let one = x.select(&[row]);
        let codes = self.bins.encode(&one)?;
        let bytes = codes.row(0);
        let mut of_fields = vec![0.0; self.bins.len()];
        for &root in &self.roots {
            let mut at = root;
            while self.nodes[at].field != LEAF {
                let next = self.next(at, bytes);
                let step = f64::from(self.nodes[next].value) - f64::from(self.nodes[at].value);
                of_fields[self.nodes[at].field as usize] += step / self.roots.len() as f64;
                at = next;
            }
        }
        let mut reasons: Vec<Reason> = (of_fields.into_iter().enumerate())
            .filter(|(_, push)| *push != 0.0)
            .map(|(field, push)| {
                let field = self.bins.field(field);
                let cause = match (field.category, field.level(one.row(0))) {
                    (false, _) => Cause::Feature(field.start),
                    (true, Some(level)) => Cause::Feature(field.start + level),
                    (true, None) => Cause::Statement("a category that is missing or was never seen".into()),
                };
                Reason { cause, push }
            })
            .collect();
        reasons.sort_by(|a, b| b.push.abs().total_cmp(&a.push.abs()));
        reasons.truncate(top);
        Ok(reasons)
    }

    /// The columns whose splits took most risk away, as shares of all that was taken.
    pub fn portrait(&self, top: usize) -> Vec<Reason> {
        Reason::strongest(self.importance.iter().copied().enumerate(), top)
    }

    /// Keeps it in a model file.
    pub fn save(&self, out: &mut Writer) {
        out.nested("bins", |out| self.bins.save(out));
        let column = |of: fn(&Node) -> u32| -> Vec<u32> { self.nodes.iter().map(of).collect() };
        let n = self.nodes.len();
        out.u32s("fields", &[n], &column(|node| node.field));
        out.u32s("tests", &[n], &column(|node| node.test));
        out.u32s("rights", &[n], &column(|node| node.right));
        out.f32s("values", &[n], &self.nodes.iter().map(|node| node.value).collect::<Vec<_>>());
        out.u64s("masks", &[self.masks.len(), 4], self.masks.as_flattened());
        let roots: Vec<u64> = self.roots.iter().map(|&root| root as u64).collect();
        out.u64s("roots", &[roots.len()], &roots);
        out.f64s("importance", &[self.importance.len()], &self.importance);
    }

    /// Reads it from a model file; whatever the file says, every path ends in a leaf.
    pub fn load(file: &Reader) -> Result<Self> {
        let broken = |what: &str| Error::model_file(format!("its trees do not hold together: {what}"));
        let bins = Bins::load(&file.nested("bins"))?;
        let (fields, tests, rights, values) = (
            file.read_u32s("fields")?,
            file.read_u32s("tests")?,
            file.read_u32s("rights")?,
            file.read_f32s("values")?,
        );
        let n = fields.len();
        if [tests.len(), rights.len(), values.len()] != [n; 3] {
            return Err(broken("nodes of different number"));
        }
        let masks: Vec<Mask> = file.read_u64s("masks")?.as_chunks().0.to_vec();
        let roots: Vec<usize> = file.read_u64s("roots")?.into_iter().map(|root| root as usize).collect();
        let rising = roots.windows(2).all(|pair| pair[0] < pair[1]);
        if roots.first() != Some(&0) || !rising || roots.last().is_some_and(|last| *last >= n) {
            return Err(broken("the first nodes"));
        }
        let nodes: Vec<Node> = (0..n)
            .map(|i| Node { field: fields[i], test: tests[i], right: rights[i], value: values[i] })
            .collect();
        for (t, &root) in roots.iter().enumerate() {
            let end = roots.get(t + 1).copied().unwrap_or(n);
            for (at, node) in (root..end).zip(&nodes[root..end]) {
                if !(0.0..=1.0).contains(&node.value) {
                    return Err(broken("a value that is no share"));
                }
                if node.field == LEAF {
                    continue;
                }
                let (field, right) = (node.field as usize, node.right as usize);
                if field >= bins.len() || at + 1 >= end || right <= at || right >= end {
                    return Err(broken("a node that leads nowhere"));
                }
                if bins.field(field).category && node.test as usize >= masks.len() {
                    return Err(broken("a category without its levels"));
                }
            }
        }
        let importance = file.read_f64s("importance")?;
        if importance.len() != bins.cols() {
            return Err(broken("columns of different number"));
        }
        Ok(Forest { bins, nodes, masks, roots, importance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Field, MISSING};
    use std::sync::Arc;

    fn planting(prior: f64) -> Planting {
        Planting { trees: 20, tried: 2, bag: 0.5, prior, depth: usize::MAX }
    }

    #[test]
    fn one_column_by_hand() {
        // Four positives at 1; of the pile half is at 1 and half at 0, and the prior is one half: a single split tells
        // the zeros, which have no positive among them, from the ones, which are as many as the positives stand for.
        let values = [1.0; 4].into_iter().chain((0..40).map(|i| (i % 2) as f32)).collect();
        let x = Dense::new(44, 1, values).unwrap();
        let positive: Vec<bool> = (0..44).map(|row| row < 4).collect();
        let (forest, scores) =
            planting(0.4).grow(&x, &positive, &vec![false; positive.len()], &Run::new(0)).unwrap();
        assert_eq!(forest.nodes.len(), 3 * 20);
        for row in 4..44 {
            match row % 2 {
                0 => assert_eq!(scores[row], 0.0),
                // 0.4 of positives beside about one half of the pile.
                _ => assert!((0.6..=1.0).contains(&scores[row]), "{}", scores[row]),
            }
        }
        assert_eq!(forest.importance, [1.0]);
    }

    /// A category with three levels or none, and a number that is missing at times. Positives have level 2 and a number
    /// above 0, or no number at all.
    fn table(rows: usize) -> (Dense, Vec<bool>) {
        let number = Field { gaps: true, ..Field::number(3) };
        let fields: Arc<[Field]> = [Field { start: 0, width: 3, category: true, gaps: true }, number].into();
        let (mut values, mut truth) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let (level, number) = (row % 4, (row * 7 % 11) as f32 - 4.5);
            let gap = row % 5 == 0;
            values.extend((0..3).map(|l| f32::from(l == level)));
            values.push(if gap { MISSING } else { number });
            truth.push(level == 2 && (gap || number > 0.0));
        }
        (Dense::new(rows, 4, values).unwrap().with_fields(fields).unwrap(), truth)
    }

    #[test]
    fn categories_and_gaps_are_learned_from() {
        let (x, truth) = table(440);
        let positive: Vec<bool> = truth.iter().enumerate().map(|(row, t)| *t && row < 200).collect();
        let (forest, scores) =
            planting(0.08).grow(&x, &positive, &vec![false; positive.len()], &Run::new(0)).unwrap();
        let mean = |wanted: fn(usize, bool) -> bool| {
            let rows: Vec<usize> =
                (0..440).filter(|&row| !positive[row] && wanted(row, truth[row])).collect();
            rows.iter().map(|&row| scores[row]).sum::<f64>() / rows.len() as f64
        };
        let (gaps, others) = (mean(|row, t| t && row % 5 == 0), mean(|row, t| t && row % 5 != 0));
        assert!(gaps > 0.6 && others > 0.6, "{gaps} {others}");
        let (same_level, other_levels) = (mean(|row, t| !t && row % 4 == 2), mean(|row, _| row % 4 != 2));
        assert!(same_level < 0.35 && other_levels < 0.1, "{same_level} {other_levels}");
        let level = forest.portrait(4).into_iter().find(|reason| reason.cause == Cause::Feature(2));
        assert!(level.is_some_and(|reason| reason.push > 0.2));
    }

    #[test]
    fn equal_rows_of_the_pile_have_one_score_in_any_order() {
        // Nine contents in 360 rows.
        let content = |row: usize| [(row % 3) as f32, (row / 3 % 3) as f32];
        let positive: Vec<bool> = (0..360).map(|row| row < 90 && row % 9 == 4).collect();
        let score = |order: &[usize]| {
            let values = order.iter().flat_map(|&row| content(row)).collect();
            let x = Dense::new(360, 2, values).unwrap();
            let marks: Vec<bool> = order.iter().map(|&row| positive[row]).collect();
            let (_, scores) =
                planting(0.1).grow(&x, &marks, &vec![false; marks.len()], &Run::new(0)).unwrap();
            let of_pile = |key: usize| -> Vec<f64> {
                let is_of = |at: &usize| order[*at] % 9 == key && !positive[order[*at]];
                (0..360).filter(is_of).map(|at| scores[at]).collect()
            };
            (0..9)
                .map(|key| {
                    let all = of_pile(key);
                    assert!(all.iter().all(|score| *score == all[0]), "content {key}: {all:?}");
                    all[0]
                })
                .collect::<Vec<f64>>()
        };
        let forward = score(&(0..360).collect::<Vec<_>>());
        let backward = score(&(0..360).rev().collect::<Vec<_>>());
        let verdicts = |scores: &[f64]| scores.iter().map(|score| *score >= 0.2).collect::<Vec<_>>();
        assert_eq!(verdicts(&forward), verdicts(&backward), "{forward:?} {backward:?}");
        assert!(forward.iter().enumerate().all(|(key, score)| key == 4 || *score < forward[4]));
    }

    #[test]
    fn known_negatives_keep_their_like_out() {
        // Half of the pile is at 1, as the positives are, and ten of these are known not to be wanted.
        let x = Dense::new(54, 1, (0..54).map(|row| f32::from(u8::from(row < 34))).collect()).unwrap();
        let positive: Vec<bool> = (0..54).map(|row| row < 4).collect();
        let refused: Vec<bool> = (0..54).map(|row| (24..34).contains(&row)).collect();
        let at_one =
            |unwanted: &[bool]| planting(0.4).grow(&x, &positive, unwanted, &Run::new(0)).unwrap().1[10];
        let none = vec![false; 54];
        assert!(at_one(&refused) < at_one(&none) - 0.1, "{} {}", at_one(&refused), at_one(&none));
    }

    #[test]
    fn what_is_labelled_is_not_mixed_into_the_pile() {
        let votes = [(2, 1.0), (4, 0.5), (4, 0.0), (0, 0.0), (5, 0.2)].map(|(trees, mean)| Votes {
            trees: AtomicU64::new(trees),
            sum: AtomicU64::new((mean * UNIT) as u64 * trees),
        });
        // Row 0 is labelled; rows 1, 2 and 3 are alike, of which every tree learned from the last.
        let means = Votes::means(votes.into(), &[1, 2, 3, 4], &[0, 0, 0, 3]);
        assert_eq!((means[0], &means[1..4]), (1.0, &[0.25; 3][..]));
        assert!((means[4] - 0.2).abs() < 1e-6);
    }

    #[test]
    fn the_steps_of_a_row_sum_to_its_score() {
        let (x, truth) = table(440);
        let positive: Vec<bool> = truth.iter().enumerate().map(|(row, t)| *t && row < 200).collect();
        let (forest, _) =
            planting(0.15).grow(&x, &positive, &vec![false; positive.len()], &Run::new(0)).unwrap();
        let scores = forest.score(&x).unwrap();
        let start: f64 = forest.roots.iter().map(|&root| f64::from(forest.nodes[root].value)).sum();
        for row in [2, 3, 10, 301] {
            let pushes: f64 = forest.explain(&x, row, 9).unwrap().iter().map(|reason| reason.push).sum();
            assert!((start / 20.0 + pushes - scores[row]).abs() < 1e-9, "row {row}");
        }
        let why = forest.explain(&x, 230, 1).unwrap();
        assert!(truth[230] && why[0].cause == Cause::Feature(2) && why[0].push > 0.0, "{why:?}");
    }

    #[test]
    fn a_damaged_forest_is_refused() {
        let (x, truth) = table(120);
        let damaged = |damage: fn(&mut Forest)| {
            let mut forest =
                planting(0.3).grow(&x, &truth, &vec![false; truth.len()], &Run::new(0)).unwrap().0;
            damage(&mut forest);
            let mut out = Writer::default();
            forest.save(&mut out);
            Forest::load(&Reader::new(out.finish().unwrap()).unwrap()).map(|_| ())
        };
        assert!(damaged(|_| {}).is_ok());
        assert!(damaged(|forest| forest.nodes[0].right = 0).is_err());
        assert!(damaged(|forest| forest.nodes[0].right = u32::MAX - 1).is_err());
        assert!(damaged(|forest| forest.nodes[0].field = 9).is_err());
        assert!(damaged(|forest| forest.nodes[0].value = 1.5).is_err());
        assert!(damaged(|forest| forest.masks.clear()).is_err());
        assert!(damaged(|forest| forest.roots[0] = 1).is_err());
        assert!(damaged(|forest| forest.importance.clear()).is_err());
    }
}
