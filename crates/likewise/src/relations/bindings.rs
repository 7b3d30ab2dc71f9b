//! For each example, the bindings of the visible variables that satisfy every test above a node.
//!
//! Variables lie in columns and rows are grouped by example. A test that touches few variables is asked
//! once for each distinct value of those (`Projection`), not once for each row: in a task on pairs that
//! turns |A| x |B| questions about A into |A|.

use rayon::prelude::*;

use super::bits::Bits;
use super::facts::Facts;
use super::joins::{Budget, Query};
use super::literal::{Literal, Variable};
use super::symbols::TupleSet;

/// Rows that one thread works on at a time.
const CHUNK: usize = 4096;

#[derive(Clone, Debug)]
pub struct Bindings {
    /// Example `e` has the rows `starts[e]..starts[e + 1]`.
    starts: Vec<u32>,
    /// By variable; none where no later test can use it.
    columns: Vec<Option<Vec<u32>>>,
}

/// The distinct values that some variables take, and which of them each row has.
#[derive(Clone, Debug)]
pub struct Projection {
    pub variables: Vec<Variable>,
    keys: TupleSet,
    key_of_row: Vec<u32>,
}

impl Projection {
    pub fn keys(&self) -> usize {
        self.keys.len()
    }

    pub fn key_of_row(&self) -> &[u32] {
        &self.key_of_row
    }

    /// Gives the variables the values they have at that key.
    #[inline]
    pub fn load(&self, key: usize, environment: &mut [u32]) {
        for (variable, value) in self.variables.iter().zip(self.keys.get(key as u32)) {
            environment[*variable as usize] = *value;
        }
    }
}

impl Bindings {
    /// The examples themselves: one row each, one variable for each argument of the target.
    pub fn of_examples(arguments: &[Vec<u32>], rows: &[usize]) -> Self {
        let columns = arguments.iter().map(|a| Some(rows.iter().map(|&i| a[i]).collect())).collect();
        Bindings { starts: (0..=rows.len() as u32).collect(), columns }
    }

    pub fn examples(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn rows(&self) -> usize {
        *self.starts.last().expect("a start") as usize
    }

    /// One more than the highest variable.
    pub fn variables(&self) -> usize {
        self.columns.len()
    }

    pub fn has(&self, variable: Variable) -> bool {
        self.columns.get(variable as usize).is_some_and(Option::is_some)
    }

    fn rows_of(&self, example: usize) -> std::ops::Range<usize> {
        self.starts[example] as usize..self.starts[example + 1] as usize
    }

    pub fn project(&self, variables: &[Variable]) -> Projection {
        let columns: Vec<&Vec<u32>> =
            variables.iter().map(|v| self.columns[*v as usize].as_ref().expect("a live variable")).collect();
        let mut keys = TupleSet::new(variables.len());
        let mut tuple = vec![0; variables.len()];
        let key_of_row = (0..self.rows())
            .map(|row| {
                tuple.iter_mut().zip(&columns).for_each(|(t, c)| *t = c[row]);
                keys.insert(&tuple)
            })
            .collect();
        Projection { variables: variables.to_vec(), keys, key_of_row }
    }

    /// The examples that have a row whose key is in the set.
    pub fn covered(&self, projection: &Projection, keys: &Bits) -> Bits {
        let mut examples = Bits::new(self.examples());
        for example in 0..self.examples() {
            if self.rows_of(example).any(|row| keys.get(projection.key_of_row[row] as usize)) {
                examples.set(example);
            }
        }
        examples
    }

    /// For each example the distinct keys of its rows are given to `visit`, examples in order.
    pub fn each_key(&self, projection: &Projection, mut visit: impl FnMut(usize, usize)) {
        for example in 0..self.examples() {
            for row in self.rows_of(example) {
                visit(example, projection.key_of_row[row] as usize);
            }
        }
    }

    /// Asks one test of every example: who satisfies it, row by row and example by example, and how many
    /// keys met the cap.
    pub fn ask(&self, facts: &Facts, test: &[Literal], cap: usize) -> Answer {
        let mut known: Vec<Variable> =
            test.iter().flat_map(Literal::variables).filter(|v| self.has(*v)).collect();
        known.sort_unstable();
        known.dedup();
        let width = environment_width(self, test);
        let projection = self.project(&known);
        let parts: Vec<(Vec<bool>, usize)> = (0..projection.keys().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let query = Query::new(facts, test, |v| self.has(v));
                let budget = Budget::new(cap);
                let mut environment = vec![0; width];
                let keys = chunk * CHUNK..projection.keys().min((chunk + 1) * CHUNK);
                let holds = keys.map(|key| {
                    projection.load(key, &mut environment);
                    query.satisfied(&mut environment, &budget)
                });
                (holds.collect(), budget.capped())
            })
            .collect();
        let mut keys = Bits::new(projection.keys());
        let mut capped = 0;
        for (chunk, (holds, met)) in parts.iter().enumerate() {
            capped += met;
            holds.iter().enumerate().filter(|(_, h)| **h).for_each(|(i, _)| keys.set(chunk * CHUNK + i));
        }
        let examples = self.covered(&projection, &keys);
        Answer { examples, keys, projection, capped }
    }

    /// The rows of the examples that do not satisfy a test.
    pub fn without(&self, answer: &Answer) -> Bindings {
        self.filter(|example, _| !answer.examples.get(example), |example| !answer.examples.get(example))
    }

    /// The examples that satisfy a test, with their bindings extended by its new variables. Only variables
    /// that `keep` names get a column; rows that then are equal become one.
    pub fn within(
        &self,
        facts: &Facts,
        test: &[Literal],
        answer: &Answer,
        keep: impl Fn(Variable) -> bool,
        cap: usize,
    ) -> (Bindings, usize) {
        let width = environment_width(self, test);
        let kept: Vec<Variable> = (0..width as Variable)
            .filter(|v| keep(*v) && (self.has(*v) || test.iter().any(|l| l.variables().any(|t| t == *v))))
            .collect();
        let satisfied = |row: usize| answer.keys.get(answer.projection.key_of_row[row] as usize);
        if kept.iter().all(|v| self.has(*v)) {
            let kept =
                self.filter(|_, row| satisfied(row), |example| answer.examples.get(example)).only(&kept);
            return (kept, 0);
        }
        let query = Query::new(facts, test, |v| self.has(v));
        let budget = Budget::new(cap);
        let mut capped = 0;
        let mut out = Bindings { starts: vec![0], columns: vec![None; width] };
        kept.iter().for_each(|v| out.columns[*v as usize] = Some(Vec::new()));
        let mut environment = vec![0; width];
        let mut distinct = TupleSet::new(kept.len());
        let mut tuple = vec![0; kept.len()];
        for example in answer.examples.iter() {
            distinct.clear();
            let before = budget.capped();
            for row in self.rows_of(example).filter(|row| satisfied(*row)) {
                for (variable, column) in self.columns.iter().enumerate() {
                    if let Some(column) = column {
                        environment[variable] = column[row];
                    }
                }
                query.solutions(&mut environment, &budget, &mut |environment| {
                    tuple.iter_mut().zip(&kept).for_each(|(t, v)| *t = environment[*v as usize]);
                    distinct.insert(&tuple);
                    distinct.len() <= cap
                });
                if distinct.len() > cap {
                    break;
                }
            }
            let rows = distinct.len().min(cap);
            capped += usize::from(rows < distinct.len() || budget.capped() > before);
            for number in 0..rows as u32 {
                for (variable, value) in kept.iter().zip(distinct.get(number)) {
                    out.columns[*variable as usize].as_mut().expect("kept").push(*value);
                }
            }
            out.starts.push(out.rows() as u32 + rows as u32);
        }
        (out, capped)
    }

    fn filter(&self, row: impl Fn(usize, usize) -> bool, example: impl Fn(usize) -> bool) -> Bindings {
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for e in (0..self.examples()).filter(|e| example(*e)) {
            rows.extend(self.rows_of(e).filter(|r| row(e, *r)));
            starts.push(rows.len() as u32);
        }
        let gather = |column: &Vec<u32>| rows.iter().map(|&r| column[r]).collect();
        Bindings { starts, columns: self.columns.iter().map(|c| c.as_ref().map(gather)).collect() }
    }

    /// Drops the other variables' columns and the rows that then are equal to another of their example.
    fn only(mut self, kept: &[Variable]) -> Bindings {
        let dropped = (0..self.columns.len()).filter(|v| !kept.contains(&(*v as Variable)));
        let dropped: Vec<usize> = dropped.filter(|v| self.columns[*v].is_some()).collect();
        if dropped.is_empty() {
            return self;
        }
        dropped.iter().for_each(|v| self.columns[*v] = None);
        if self.rows() == self.examples() {
            return self;
        }
        let projection = self.project(kept);
        let mut starts = vec![0];
        let mut rows = Vec::new();
        let mut seen = vec![u32::MAX; projection.keys()];
        for example in 0..self.examples() {
            for row in self.rows_of(example) {
                let key = projection.key_of_row[row] as usize;
                if seen[key] != example as u32 {
                    seen[key] = example as u32;
                    rows.push(row);
                }
            }
            starts.push(rows.len() as u32);
        }
        let gather = |column: &Vec<u32>| rows.iter().map(|&r| column[r]).collect();
        Bindings { starts, columns: self.columns.iter().map(|c| c.as_ref().map(gather)).collect() }
    }
}

fn environment_width(bindings: &Bindings, test: &[Literal]) -> usize {
    let highest = test.iter().flat_map(Literal::variables).map(|v| v as usize + 1).max().unwrap_or(0);
    bindings.variables().max(highest)
}

/// Who satisfies a test.
pub struct Answer {
    pub examples: Bits,
    /// Keys of `projection` that satisfy it.
    pub keys: Bits,
    pub projection: Projection,
    /// How many keys had more bindings than the cap allows to try.
    pub capped: usize,
}
