//! What several fits of one run would make alike, made once.
//!
//! A run that shares remembers row spaces, graphs and first fits by what they were made from; any other run makes them
//! anew. What is shared depends on its key alone, so it is the same whoever asks first, on however many threads.

use std::any::Any;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use super::Run;
use crate::error::Result;

/// What a shared thing is and what it was made from.
#[derive(Clone)]
pub struct Key {
    what: &'static str,
    /// Told apart by their place in memory, which nobody else can take while the key is kept.
    rows: Arc<dyn Any + Send + Sync>,
    /// Labels and parameters.
    rest: Vec<u64>,
}

impl Key {
    /// Names a thing that was made from these very rows.
    pub fn new(what: &'static str, rows: Arc<dyn Any + Send + Sync>) -> Self {
        Key { what, rows, rest: Vec::new() }
    }

    /// … and from these labels.
    pub fn labels(mut self, positive: &[bool]) -> Self {
        self.rest.push(positive.len() as u64);
        self.rest.extend(positive.chunks(64).map(|labels| {
            labels.iter().enumerate().fold(0, |word, (at, &positive)| word | u64::from(positive) << at)
        }));
        self
    }

    /// … and with this parameter.
    pub fn number(mut self, value: f64) -> Self {
        self.rest.push(value.to_bits());
        self
    }

    fn address(&self) -> usize {
        Arc::as_ptr(&self.rows).cast::<()>() as usize
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what && self.address() == other.address() && self.rest == other.rest
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.what, self.address(), &self.rest).hash(state);
    }
}

/// The things shared so far.
pub(super) type Shared = Mutex<HashMap<Key, Arc<dyn Any + Send + Sync>>>;

impl Run {
    /// The same run, which remembers from here on what its fits can share.
    pub fn sharing(&self) -> Self {
        let shared = self.shared.clone().unwrap_or_default();
        Run { shared: Some(shared), ..self.clone() }
    }

    /// What was made or kept under the key, if this run shares and somebody did.
    pub fn kept<T: Any + Send + Sync>(&self, key: &Key) -> Option<Arc<T>> {
        let things = self.shared.as_ref()?.lock().expect("no panic while held");
        things.get(key).cloned()?.downcast().ok()
    }

    /// Keeps a thing under the key, unless there is one already.
    pub fn keep<T: Any + Send + Sync>(&self, key: Key, thing: Arc<T>) {
        if let Some(shared) = &self.shared {
            shared.lock().expect("no panic while held").entry(key).or_insert(thing);
        }
    }

    /// The thing of that key, made where there is none.
    pub fn shared<T: Any + Send + Sync>(&self, key: Key, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        if let Some(thing) = self.kept(&key) {
            return Ok(thing);
        }
        let thing = Arc::new(make()?);
        self.keep(key, thing.clone());
        Ok(thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_made_once_for_the_same_rows_labels_and_number() {
        let (rows, twin): (Arc<Vec<f32>>, Arc<Vec<f32>>) = (Arc::new(vec![1.0]), Arc::new(vec![1.0]));
        let made = std::cell::Cell::new(0);
        let ask = |run: &Run, rows: &Arc<Vec<f32>>, positive: &[bool], c: f64| {
            let key = Key::new("thing", rows.clone()).labels(positive).number(c);
            let make = || {
                made.set(made.get() + 1);
                Ok(made.get())
            };
            *run.shared(key, make).unwrap()
        };
        let run = Run::new(0).sharing();
        assert_eq!(ask(&run, &rows, &[true, false], 1.0), 1);
        assert_eq!(ask(&run.with_seed(9).sharing(), &rows, &[true, false], 1.0), 1);
        assert_eq!(ask(&run, &rows, &[true, true], 1.0), 2);
        assert_eq!(ask(&run, &rows, &[true, false, false], 1.0), 3);
        assert_eq!(ask(&run, &rows, &[true, false], 10.0), 4);
        assert_eq!(ask(&run, &twin, &[true, false], 1.0), 5);
        let alone = Run::new(0);
        assert_eq!((ask(&alone, &rows, &[true], 1.0), ask(&alone, &rows, &[true], 1.0)), (6, 7));
    }

    #[test]
    fn rows_live_as_long_as_what_was_made_from_them() {
        let rows = Arc::new(vec![1.0f32]);
        let run = Run::new(0).sharing();
        run.keep(Key::new("thing", rows.clone()), Arc::new(1u8));
        assert_eq!(Arc::strong_count(&rows), 2);
        drop(run);
        assert_eq!(Arc::strong_count(&rows), 1);
    }
}
