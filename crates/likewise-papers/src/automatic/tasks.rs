//! The tasks on which the automatic choice is judged: short messages, newsgroups, rare classes, piles that are
//! mostly positive, and numbers.

use std::collections::BTreeMap;

use likewise::Run;
use likewise::data::{Data, PuData, Texts};
use likewise::features::columns::{Columns, Style};
use likewise::features::words::WordOptions;
use likewise::method::Weights;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::collection::{Collection, TrialRows, cells};
use crate::data::DataFolder;
use crate::error::Result;
use crate::onb::tasks::Task as Messages;

/// What a task is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// Tweets and text messages, the prior as it is: .08 to .62
    Tweets,
    /// 20 Newsgroups, one class, prior .05
    Newsgroups,
    /// The same, prior .01
    Rare,
    /// Two known newsgroups, the pile mostly theirs; judged on the unexpected
    Unexpected,
    /// One letter among all, sixteen numbers a row
    Letters,
}

impl TaskKind {
    pub const ALL: [TaskKind; 5] =
        [TaskKind::Tweets, TaskKind::Newsgroups, TaskKind::Rare, TaskKind::Unexpected, TaskKind::Letters];

    pub fn name(self) -> &'static str {
        match self {
            TaskKind::Tweets => "tweets",
            TaskKind::Newsgroups => "newsgroups",
            TaskKind::Rare => "rare",
            TaskKind::Unexpected => "unexpected",
            TaskKind::Letters => "letters",
        }
    }
}

/// One task and one draw of it.
#[derive(Clone, Debug, Serialize)]
pub struct Task {
    pub kind: TaskKind,
    /// The class, or the pair of classes.
    pub class: String,
    pub positives: usize,
    /// Percent of unexpected rows (`TaskKind::Unexpected` only).
    pub alpha: u32,
    pub seed: u64,
}

const PILE: usize = 6000;
const NEWSGROUPS: [&str; 5] =
    ["sci.space", "rec.autos", "comp.graphics", "talk.politics.guns", "misc.forsale"];
const PAIRS: [(&str, &str); 4] = [
    ("comp.graphics", "sci.crypt"),
    ("comp.os.ms-windows.misc", "sci.med"),
    ("comp.sys.mac.hardware", "sci.electronics"),
    ("comp.windows.x", "sci.space"),
];
/// Share of a known class that is marked.
const KNOWN: f64 = 0.7;
const LETTERS: [&str; 5] = ["A", "B", "C", "D", "E"];

/// All tasks, each with these draws.
pub fn all(seeds: std::ops::Range<u64>) -> Vec<Task> {
    let mut tasks = Vec::new();
    for seed in seeds {
        let mut add = |kind, class: &str, positives, alpha| {
            tasks.push(Task { kind, class: class.into(), positives, alpha, seed });
        };
        for messages in Messages::ALL {
            [30, 100, 300].into_iter().for_each(|n| add(TaskKind::Tweets, messages.name(), n, 0));
        }
        for class in NEWSGROUPS {
            [10, 50, 200].into_iter().for_each(|n| add(TaskKind::Newsgroups, class, n, 0));
            add(TaskKind::Rare, class, 50, 0);
        }
        for (a, b) in PAIRS {
            [5, 20, 60]
                .into_iter()
                .for_each(|alpha| add(TaskKind::Unexpected, &format!("{a} {b}"), 1400, alpha));
        }
        for letter in LETTERS {
            [30, 100].into_iter().for_each(|n| add(TaskKind::Letters, letter, n, 0));
        }
    }
    tasks
}

/// What a task looks like to a method, and the truth.
pub struct Problem {
    /// Words under tf-idf, or numbers.
    pub train: PuData,
    /// The words as they were counted; none where there are numbers.
    words: Option<TrialRows>,
    /// Whether each row of the pile is positive.
    pub truth: Vec<bool>,
}

impl Problem {
    /// The training rows under the weights that a method wants of words.
    pub fn train_under(&self, weights: Weights) -> Result<PuData> {
        self.words.as_ref().map_or_else(|| Ok(self.train.clone()), |rows| rows.train(weights))
    }

    pub fn prior(&self) -> f64 {
        self.truth.iter().filter(|positive| **positive).count() as f64 / self.truth.len() as f64
    }
}

/// Everything that tasks draw from, read and counted once.
pub struct Source {
    messages: BTreeMap<&'static str, Collection>,
    newsgroups: Collection,
    /// As the command line gives them to a method.
    letters: Data,
    letter_of: Vec<String>,
}

impl Source {
    pub fn load(data: &DataFolder, run: &Run) -> Result<Self> {
        let mut messages = BTreeMap::new();
        for task in Messages::ALL {
            let loaded = task.load(data)?;
            let texts: Texts = loaded.iter().map(|message| message.text.as_str()).collect();
            let classes = loaded.iter().map(|message| message.positive.to_string()).collect();
            messages.insert(
                task.name(),
                Collection::count((&texts).into(), &WordOptions::default(), classes, run)?,
            );
        }
        let newsgroups = Collection::newsgroups(data, &["subject", "text"], run)?;
        let table = data.table("letter/letter.csv.gz")?;
        let names: Vec<String> =
            table.column_names().iter().filter(|name| *name != "label").cloned().collect();
        let (_, letters, _) = Columns::fit(&table, &names, Style::Scaled)?;
        Ok(Source { messages, newsgroups, letters, letter_of: cells(&table, "label")? })
    }

    pub fn problem(&self, task: &Task, run: &Run) -> Result<Problem> {
        let mut rng =
            run.with_seed(task.seed).rng(&task.class, (task.positives as u64) << 8 | u64::from(task.alpha));
        let mut mixed = |mut rows: Vec<usize>| {
            rows.shuffle(&mut rng);
            rows
        };
        let (positives, pile, truth) = match task.kind {
            TaskKind::Tweets | TaskKind::Letters => {
                let (classes, wanted) = match task.kind {
                    TaskKind::Tweets => (&self.messages[task.class.as_str()].classes, "true"),
                    _ => (&self.letter_of, task.class.as_str()),
                };
                let all = mixed((0..classes.len()).collect());
                let positives: Vec<usize> =
                    all.iter().copied().filter(|&row| classes[row] == wanted).take(task.positives).collect();
                let marked: std::collections::HashSet<usize> = positives.iter().copied().collect();
                let pile: Vec<usize> =
                    all.into_iter().filter(|row| !marked.contains(row)).take(PILE).collect();
                let truth = pile.iter().map(|&row| classes[row] == wanted).collect();
                (positives, pile, truth)
            }
            TaskKind::Newsgroups | TaskKind::Rare => {
                let share = if task.kind == TaskKind::Rare { 0.01 } else { 0.05 };
                let members = mixed(self.newsgroups.members(&task.class));
                let is_other = |row: &usize| self.newsgroups.classes[*row] != task.class;
                let others = mixed((0..self.newsgroups.classes.len()).filter(is_other).collect());
                let hidden = (share * PILE as f64) as usize;
                self.mix(
                    &members[..task.positives],
                    &members[task.positives..][..hidden],
                    &others[..PILE - hidden],
                )
            }
            TaskKind::Unexpected => {
                let classes: Vec<&str> = task.class.split(' ').collect();
                let (mut known, mut rest) = (Vec::new(), Vec::new());
                for class in &classes {
                    let members = mixed(self.newsgroups.members(class));
                    let (marked, left) = members.split_at((KNOWN * members.len() as f64) as usize);
                    known.extend_from_slice(marked);
                    rest.extend_from_slice(left);
                }
                let is_other = |row: &usize| !classes.contains(&self.newsgroups.classes[*row].as_str());
                let others = mixed((0..self.newsgroups.classes.len()).filter(is_other).collect());
                let unexpected = rest.len() * task.alpha as usize / 100;
                self.mix(&known, &rest, &others[..unexpected])
            }
        };
        let words = match task.kind {
            TaskKind::Letters => None,
            TaskKind::Tweets => {
                Some(TrialRows::new(&self.messages[task.class.as_str()].counts, &positives, &pile))
            }
            _ => Some(TrialRows::new(&self.newsgroups.counts, &positives, &pile)),
        };
        let train = match &words {
            Some(words) => words.train(Weights::TfIdf)?,
            None => {
                let rows: Vec<usize> = positives.iter().chain(&pile).copied().collect();
                let labels = (0..rows.len()).map(|row| row < positives.len()).collect();
                PuData::new(self.letters.select(&rows), labels)?
            }
        };
        Ok(Problem { train, words, truth })
    }

    /// Marked rows, and a pile of hidden positives and others.
    fn mix(
        &self,
        marked: &[usize],
        hidden: &[usize],
        others: &[usize],
    ) -> (Vec<usize>, Vec<usize>, Vec<bool>) {
        let pile = hidden.iter().chain(others).copied().collect();
        let truth = (0..hidden.len() + others.len()).map(|at| at < hidden.len()).collect();
        (marked.to_vec(), pile, truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_tasks() {
        let tasks = all(0..2);
        let count = |kind| tasks.iter().filter(|task| task.kind == kind).count();
        assert_eq!(TaskKind::ALL.map(count), [36, 30, 10, 24, 20]);
    }
}
