//! Many strings in few allocations.

use std::sync::Arc;

/// Appended text by text. What is complete is shared, not copied: clones, selections and what several batches are
/// put together from point at the same bytes.
#[derive(Clone, Default)]
pub struct Texts {
    parts: Vec<Arc<String>>,
    /// The part that is still written to; its number is that of the parts before it.
    open: String,
    places: Vec<Place>,
    total: usize,
}

/// Where a text stands, in twelve bytes.
#[derive(Clone, Copy, Debug)]
struct Place {
    part: u32,
    start: u32,
    /// `WHOLE_PART` for a text too long for the number.
    length: u32,
}

const LARGEST_PART: usize = u32::MAX as usize;
const WHOLE_PART: u32 = u32::MAX;

/// The texts, however they are cut into parts.
impl std::fmt::Debug for Texts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Texts {
    /// No texts yet.
    pub fn new() -> Self {
        Texts::default()
    }

    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        if self.open.len() + text.len() >= LARGEST_PART {
            self.seal();
        }
        let length = u32::try_from(text.len()).unwrap_or(WHOLE_PART);
        self.places.push(Place { part: self.parts.len() as u32, start: self.open.len() as u32, length });
        self.open.push_str(text);
        self.total += text.len();
        if self.open.len() >= LARGEST_PART {
            self.seal();
        }
    }

    /// Adds to the last text instead of starting a new one.
    pub fn extend_last(&mut self, text: &str) {
        let last = *self.places.last().expect("a text to extend");
        let length = self.get(self.len() - 1).len();
        if last.part as usize == self.parts.len() && self.open.len() + text.len() < LARGEST_PART {
            self.open.push_str(text);
            self.places.last_mut().expect("it is there").length = (length + text.len()) as u32;
            self.total += text.len();
            return;
        }
        let whole = [self.get(self.len() - 1), text].concat();
        self.truncate(self.len() - 1);
        self.push(&whole);
    }

    /// Keeps the first `len` texts.
    pub fn truncate(&mut self, len: usize) {
        self.total -= (len..self.len()).map(|i| self.get(i).len()).sum::<usize>();
        self.places.truncate(len);
        let last = self.places.iter().rfind(|place| place.part as usize == self.parts.len());
        self.open.truncate(last.map_or(0, |place| (place.start + place.length) as usize));
    }

    /// Shares what was written so far; what comes next goes to a new part.
    pub fn seal(&mut self) {
        if !self.open.is_empty() {
            let mut part = std::mem::take(&mut self.open);
            part.shrink_to_fit();
            self.parts.push(Arc::new(part));
        }
    }

    /// Adds the texts of another; no text is copied.
    pub fn append(&mut self, mut other: Texts) {
        self.seal();
        other.seal();
        let offset = self.parts.len() as u32;
        self.parts.append(&mut other.parts);
        self.places.extend(other.places.iter().map(|place| Place { part: place.part + offset, ..*place }));
        self.total += other.total;
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The length of all texts together.
    pub fn total_bytes(&self) -> usize {
        self.total
    }

    /// Text `i`.
    pub fn get(&self, i: usize) -> &str {
        let place = self.places[i];
        let part = self.parts.get(place.part as usize).map_or(&self.open, |part| part);
        let start = place.start as usize;
        match place.length {
            WHOLE_PART => &part[start..],
            length => &part[start..start + length as usize],
        }
    }

    /// The texts in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// The given texts, in the given order; only what is still written to is copied.
    pub fn select(&self, rows: &[usize]) -> Texts {
        let mut chosen = Texts { parts: self.parts.clone(), ..Texts::default() };
        chosen.places.reserve(rows.len());
        for &row in rows {
            let place = self.places[row];
            if (place.part as usize) < self.parts.len() {
                chosen.places.push(place);
                chosen.total += self.get(row).len();
            } else {
                chosen.push(self.get(row));
            }
        }
        chosen
    }
}

impl std::ops::Index<usize> for Texts {
    type Output = str;

    fn index(&self, i: usize) -> &str {
        self.get(i)
    }
}

/// As a list of strings.
impl serde::Serialize for Texts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
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

impl<S: AsRef<str>> PartialEq<[S]> for Texts {
    fn eq(&self, other: &[S]) -> bool {
        self.iter().eq(other.iter().map(AsRef::as_ref))
    }
}

impl<S: AsRef<str>, const N: usize> PartialEq<[S; N]> for Texts {
    fn eq(&self, other: &[S; N]) -> bool {
        *self == other[..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(texts: &Texts) -> Vec<&str> {
        assert_eq!(texts.total_bytes(), texts.iter().map(str::len).sum::<usize>());
        texts.iter().collect()
    }

    #[test]
    fn keeps_texts_apart_and_in_order() {
        let mut texts: Texts = ["a", "", "über"].into_iter().collect();
        texts.append(["x"].into_iter().collect());
        texts.extend_last("y");
        assert_eq!(all(&texts), ["a", "", "über", "xy"]);
        assert_eq!(all(&texts.select(&[2, 0])), ["über", "a"]);
        texts.truncate(1);
        texts.push("z");
        assert_eq!(all(&texts), ["a", "z"]);
    }

    #[test]
    fn empty_texts_stay_empty_whatever_comes_after_them() {
        let mut texts: Texts = ["", ""].into_iter().collect();
        texts.seal();
        texts.push("a");
        texts.append(["", "b"].into_iter().collect());
        texts.append([""].into_iter().collect());
        texts.push("c");
        assert_eq!(all(&texts), ["", "", "a", "", "b", "", "c"]);
    }

    #[test]
    fn complete_texts_are_shared() {
        let mut texts: Texts = ["one", "two"].into_iter().collect();
        texts.seal();
        let address = texts.get(1).as_ptr();
        let mut whole: Texts = ["zero"].into_iter().collect();
        whole.append(texts.clone());
        let chosen = whole.select(&[2, 0, 2]);
        assert_eq!(all(&chosen), ["two", "zero", "two"]);
        assert_eq!(chosen.get(0).as_ptr(), address);
    }

    #[test]
    fn a_selection_can_be_written_on_and_cut() {
        let mut texts: Texts = ["one"].into_iter().collect();
        texts.seal();
        texts.push("two");
        let mut chosen = texts.select(&[1, 0]);
        chosen.extend_last("!");
        assert_eq!(all(&chosen), ["two", "one!"]);
        chosen.truncate(1);
        chosen.push("three");
        assert_eq!(all(&chosen), ["two", "three"]);
    }
}
