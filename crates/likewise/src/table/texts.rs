//! Many strings in one allocation.

/// Appended text by text; text `i` is `bytes[ends[i - 1]..ends[i]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    bytes: String,
    ends: Vec<usize>,
}

impl Texts {
    pub fn new() -> Self {
        Texts::default()
    }

    pub fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
    }

    /// Adds to the last text instead of starting a new one.
    pub fn extend_last(&mut self, text: &str) {
        self.bytes.push_str(text);
        *self.ends.last_mut().expect("a text to extend") = self.bytes.len();
    }

    /// Keeps the first `len` texts.
    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    pub fn append(&mut self, other: &Texts) {
        let offset = self.bytes.len();
        self.bytes.push_str(&other.bytes);
        self.ends.extend(other.ends.iter().map(|end| end + offset));
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The length of all texts together.
    pub fn total_bytes(&self) -> usize {
        self.bytes.len()
    }

    pub fn get(&self, i: usize) -> &str {
        &self.bytes[self.start(i)..self.ends[i]]
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|i| self.get(i))
    }

    pub fn select(&self, rows: &[usize]) -> Texts {
        rows.iter().map(|&i| self.get(i)).collect()
    }

    /// Where text `i` starts among the bytes of all texts.
    pub fn start(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.ends[i - 1] }
    }
}

impl<S: AsRef<str>> FromIterator<S> for Texts {
    fn from_iter<I: IntoIterator<Item = S>>(texts: I) -> Self {
        let mut out = Texts::new();
        for text in texts {
            out.push(text.as_ref());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_texts_apart_and_in_order() {
        let mut texts: Texts = ["a", "", "über"].into_iter().collect();
        texts.append(&["x"].into_iter().collect());
        texts.extend_last("y");
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["a", "", "über", "xy"]);
        assert_eq!(texts.select(&[2, 0]).iter().collect::<Vec<_>>(), ["über", "a"]);
        texts.truncate(1);
        texts.push("z");
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["a", "z"]);
    }
}
