//! Classes: which rows of the pile are like the examples of each of several classes?
//!
//! Rows become numbers once, for all classes together; then each class is found by itself, its examples hidden in the
//! same pile. The examples of the others are rows of which nothing is said, and are not ranked.

use serde::Serialize;

use super::columns::ColumnChoice;
use super::copies::LeftOut;
use super::find::{Find, Found};
use super::problem::Problem;
use super::views::Views;
use crate::data::{Table, Texts};
use crate::decide::is_positive;
use crate::error::{Error, Result};
use crate::figures::count;
use crate::method::Summary;
use crate::note::Note;
use crate::run::Run;
use crate::trained::Trained;

/// The examples of a class and its name.
pub struct ClassExamples {
    /// What the class is called.
    pub name: String,
    /// Rows of it.
    pub like: Table,
}

/// The pile, best first by the best score of each row. All lists are of one length.
#[derive(Serialize)]
pub struct FoundClasses {
    /// What is known of each class.
    pub classes: Vec<Class>,
    /// Rows of the problem.
    #[serde(skip)]
    pub rows: Vec<usize>,
    /// What the user calls them.
    pub ids: Texts,
    /// Where they stand in the user's own input, counted from 0.
    pub positions: Vec<usize>,
    /// The class with the best score of each row.
    pub best: Vec<usize>,
    /// Whether a row is marked for that class: a score of 0.5 or more.
    pub positive: Vec<bool>,
    /// For each class, the score of each row.
    pub scores: Vec<Vec<f64>>,
    /// What was given and took no part.
    pub left_out: Vec<LeftOut>,
    /// What the user should know of all classes.
    pub notes: Vec<Note>,
    /// Where the rows are.
    #[serde(skip)]
    pub problem: Problem,
}

/// What is known of one class.
#[derive(Serialize)]
pub struct Class {
    /// What it is called.
    pub name: String,
    /// How many examples it was learned from.
    pub examples: usize,
    /// How many rows are marked for it.
    pub found: usize,
    /// How many there are and how sure that is, where the method can say.
    pub summary: Option<Summary>,
    /// What the user should know.
    pub notes: Vec<Note>,
    /// What was done, in a few plain lines.
    #[serde(skip)]
    pub lines: Vec<String>,
    /// What scores, explains and is kept.
    #[serde(skip)]
    pub trained: Trained,
}

impl Find {
    /// Ranks the pile for each of several classes. An example that is one of two classes counts for the first.
    ///
    /// ```
    /// use likewise::prelude::*;
    /// use likewise::questions::classes::ClassExamples;
    /// let class = |name: &str, texts: [&str; 3]| ClassExamples { name: name.into(), like: Table::from_texts("text", texts) };
    /// let refunds = class("refunds", ["refund my money", "money back please", "a refund please"]);
    /// let parcels = class("parcels", ["where is my parcel", "parcel lost", "the parcel is late"]);
    /// let pile = Table::from_texts("text", ["late parcel again", "my password", "want my money back"]);
    /// let found = Find::new(Some("nb"), false)?.classes(vec![refunds, parcels], pile, &ColumnChoice::default(), &Run::new(0))?;
    /// let best = |id: &str| found.best[found.ids.iter().position(|known| known == id).unwrap()];
    /// assert_eq!((best("3"), best("1")), (0, 1));
    /// # Ok::<(), likewise::Error>(())
    /// ```
    pub fn classes(
        &self,
        examples: Vec<ClassExamples>,
        pile: Table,
        choice: &ColumnChoice,
        run: &Run,
    ) -> Result<FoundClasses> {
        let (names, sizes, like) = together(examples)?;
        let mut problem = Problem::of_two(like, pile, choice)?;
        let classes = classes_of(&problem, &sizes);
        for (class, name) in names.iter().enumerate() {
            if !classes.contains(&Some(class)) {
                return Err(Error::data(format!(
                    "class `{name}` has no example of its own: all are blank or repeat others"
                )));
            }
        }
        let pile = problem.pile();
        let (mut found, mut scores, mut made) = (Vec::new(), Vec::new(), Vec::new());
        let notes = std::mem::take(&mut problem.notes);
        for (class, name) in names.into_iter().enumerate() {
            run.step("classes", class as u64, sizes.len() as u64)?;
            problem.positive = classes.iter().map(|of| *of == Some(class)).collect();
            let views = Views::again(&problem, &self.words, made, run);
            let one = self.under(&views, &problem, run)?;
            made = views.made();
            let mut by_row = vec![0.0; problem.positive.len()];
            one.ranking.rows.iter().zip(&one.ranking.scores).for_each(|(row, score)| by_row[*row] = *score);
            let own: Vec<f64> = pile.iter().map(|&row| by_row[row]).collect();
            found.push(Class::of(name, one, &own));
            scores.push(own);
        }
        drop(made);
        problem.positive = classes.iter().map(Option::is_some).collect();
        Ok(ranked(problem, &pile, found, scores, notes))
    }
}

impl Class {
    fn of(name: String, mut found: Found, scores: &[f64]) -> Self {
        let marked = scores.iter().filter(|score| is_positive(**score)).count();
        if let Some(summary) = &mut found.summary {
            of_the_pile(summary, scores.len(), marked);
        }
        Class {
            name,
            examples: found.examples,
            found: marked,
            lines: found.lines(),
            summary: found.summary,
            notes: found.notes,
            trained: found.trained,
        }
    }
}

/// Examples of the other classes stood in the pile while the class was learned, and are no part of what is ranked. They are
/// taken for none of this class.
fn of_the_pile(summary: &mut Summary, pile: usize, marked: usize) {
    let more = summary.pile as f64 / pile.max(1) as f64;
    for share in [&mut summary.prior, &mut summary.prior_low, &mut summary.prior_high] {
        *share = (*share * more).min(1.0);
    }
    (summary.pile, summary.found) = (pile, marked);
    summary.cut = marked as f64 / pile.max(1) as f64;
}

/// Names, how many rows each has, and all of them in one table.
fn together(examples: Vec<ClassExamples>) -> Result<(Vec<String>, Vec<usize>, Table)> {
    let (mut names, mut sizes, mut all): (Vec<String>, _, Option<Table>) = (Vec::new(), Vec::new(), None);
    for ClassExamples { name, like } in examples {
        if name.is_empty() || names.contains(&name) {
            return Err(Error::parameter(
                "like",
                format!("`{name}` names no class, or two; give each a name of its own"),
            ));
        }
        names.push(name);
        sizes.push(like.rows());
        match &mut all {
            Some(all) => all.append(like)?,
            None => all = Some(like),
        }
    }
    let all =
        all.ok_or_else(|| Error::parameter("like", "there is no class; give examples of at least one"))?;
    Ok((names, sizes, all))
}

/// The class of each row that is an example. The place of an example among all tells its class.
fn classes_of(problem: &Problem, sizes: &[usize]) -> Vec<Option<usize>> {
    let ends: Vec<usize> = sizes
        .iter()
        .scan(0, |end, size| {
            *end += size;
            Some(*end)
        })
        .collect();
    let class = |row: usize| ends.partition_point(|end| *end <= problem.positions[row]);
    (0..problem.positive.len()).map(|row| problem.positive[row].then(|| class(row))).collect()
}

fn ranked(
    problem: Problem,
    pile: &[usize],
    classes: Vec<Class>,
    scores: Vec<Vec<f64>>,
    notes: Vec<Note>,
) -> FoundClasses {
    let best_of = |at: usize| {
        let better = |a: &usize, b: &usize| scores[*a][at].total_cmp(&scores[*b][at]).then(b.cmp(a));
        (0..scores.len()).max_by(better).unwrap_or(0)
    };
    let best: Vec<usize> = (0..pile.len()).map(best_of).collect();
    let score = |at: usize| scores[best[at]][at];
    let mut order: Vec<usize> = (0..pile.len()).collect();
    order.sort_by(|a, b| score(*b).total_cmp(&score(*a)));
    FoundClasses {
        rows: order.iter().map(|&at| pile[at]).collect(),
        ids: order.iter().map(|&at| &problem.ids[pile[at]]).collect(),
        positions: order.iter().map(|&at| problem.positions[pile[at]]).collect(),
        positive: order.iter().map(|&at| is_positive(score(at))).collect(),
        best: order.iter().map(|&at| best[at]).collect(),
        scores: scores.iter().map(|of| order.iter().map(|&at| of[at]).collect()).collect(),
        left_out: problem.left_out.clone(),
        classes,
        notes,
        problem,
    }
}

impl FoundClasses {
    /// What was done, in a few plain lines.
    pub fn lines(&self) -> Vec<String> {
        let line = |class: &Class| {
            let all = class.summary.as_ref().map_or(String::new(), |summary| {
                let rows = |share: f64| crate::figures::share_of(share, summary.pile);
                format!(
                    "; about {} are believed to be there ({} to {})",
                    rows(summary.prior),
                    rows(summary.prior_low),
                    rows(summary.prior_high)
                )
            });
            format!(
                "{}: marked {} of {} rows, learned from {} examples{all}.",
                class.name,
                count(class.found),
                count(self.rows.len()),
                count(class.examples)
            )
        };
        self.classes.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(topic: &str, from: usize, to: usize) -> Vec<String> {
        (from..to).map(|k| format!("{topic} item{} extra{}", k % 7, k % 5)).collect()
    }

    fn examples(name: &str, like: Vec<String>) -> ClassExamples {
        ClassExamples { name: name.into(), like: Table::from_texts("text", like) }
    }

    fn pile() -> Vec<String> {
        [texts("refund money", 20, 40), texts("parcel lost", 20, 45), texts("password login", 0, 35)].concat()
    }

    #[test]
    fn each_row_gets_the_class_it_is_like() {
        let both = vec![
            examples("refunds", texts("refund money", 0, 12)),
            examples("parcels", texts("parcel lost", 0, 12)),
        ];
        let find = Find::new(Some("logistic"), false).unwrap();
        let pile = Table::from_texts("text", pile());
        let found = find.classes(both, pile, &ColumnChoice::default(), &Run::new(0)).unwrap();
        assert_eq!(found.scores.len(), 2);
        for (at, position) in found.positions.iter().enumerate() {
            let expected = match position {
                0..20 => Some(0),
                20..45 => Some(1),
                _ => None,
            };
            if let Some(class) = expected {
                assert_eq!(found.best[at], class, "row {position}");
            }
        }
        let best: Vec<f64> =
            found.best.iter().enumerate().map(|(at, &class)| found.scores[class][at]).collect();
        assert!(best.windows(2).all(|pair| pair[0] >= pair[1]));
        assert!(found.lines()[0].starts_with("refunds: marked "), "{:?}", found.lines());
    }

    #[test]
    fn names_are_asked_for_and_examples_of_nothing_refused() {
        let find = Find::new(Some("nb"), false).unwrap();
        let ask = |classes: Vec<ClassExamples>| {
            let pile = Table::from_texts("text", pile());
            find.classes(classes, pile, &ColumnChoice::default(), &Run::new(0)).err().map(|e| e.to_string())
        };
        let twice = vec![examples("a", texts("x", 0, 3)), examples("a", texts("y", 0, 3))];
        assert!(ask(twice).unwrap().contains("`a` names no class, or two"));
        let repeated = vec![examples("a", texts("x", 0, 3)), examples("b", texts("x", 0, 3))];
        assert!(ask(repeated).unwrap().contains("class `b` has no example of its own"));
        assert!(ask(Vec::new()).unwrap().contains("there is no class"));
    }
}
