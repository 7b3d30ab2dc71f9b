//! An embedding that is a list of words with a vector each.

use super::embedding::Embedding;
use super::words::{Interner, each_token};
use crate::error::{Error, Result};

/// Words and their vectors. Texts are cut into words as everywhere, in lower case.
///
/// ```
/// use likewise::features::{embedding::Embedding, word_vectors::WordVectors};
/// let mut known = WordVectors::new(2)?;
/// known.push("Refund", &[1.0, 0.0])?;
/// known.push("money", &[0.0, 1.0])?;
/// let mut vectors = [0.0; 4];
/// known.named("tiny.vec", "00").add(&["a REFUND of money, money", "parcel"], &mut vectors);
/// assert_eq!(vectors, [1.0, 2.0, 0.0, 0.0]);
/// # Ok::<(), likewise::Error>(())
/// ```
#[derive(Debug)]
pub struct WordVectors {
    name: String,
    hash: String,
    width: usize,
    words: Interner,
    /// Which words were written in lower case: another spelling of one is not taken for it.
    lower: Vec<bool>,
    vectors: Vec<f32>,
}

impl WordVectors {
    /// No words yet; each will have so many numbers.
    pub fn new(width: usize) -> Result<Self> {
        if width == 0 {
            return Err(Error::data("vectors without a number say nothing"));
        }
        let (name, hash) = (String::new(), String::new());
        let (words, lower, vectors) = (Interner::default(), Vec::new(), Vec::new());
        Ok(WordVectors { name, hash, width, words, lower, vectors })
    }

    /// What it is called, and the hash of its content.
    pub fn named(self, name: impl Into<String>, hash: impl Into<String>) -> Self {
        WordVectors { name: name.into(), hash: hash.into(), ..self }
    }

    /// The next word. The first of several spellings counts, but one in lower case before all others.
    pub fn push(&mut self, word: &str, vector: &[f32]) -> Result<()> {
        if vector.len() != self.width {
            let text = format!("a vector of {} numbers where the first has {}", vector.len(), self.width);
            return Err(Error::data(text));
        }
        let small = word.to_lowercase();
        let (is_lower, number) = (small == word, self.words.intern_str(&small) as usize);
        if number == self.lower.len() {
            self.lower.push(is_lower);
            self.vectors.extend_from_slice(vector);
        } else if is_lower && !self.lower[number] {
            self.lower[number] = true;
            self.vectors[number * self.width..][..self.width].copy_from_slice(vector);
        }
        Ok(())
    }

    /// How many words are known.
    pub fn len(&self) -> usize {
        self.lower.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.lower.is_empty()
    }
}

impl Embedding for WordVectors {
    fn name(&self) -> &str {
        &self.name
    }

    fn hash(&self) -> &str {
        &self.hash
    }

    fn width(&self) -> usize {
        self.width
    }

    fn add(&self, texts: &[&str], vectors: &mut [f32]) {
        let mut scratch = String::new();
        for (text, sum) in texts.iter().zip(vectors.chunks_exact_mut(self.width)) {
            each_token::<false>(text, &mut scratch, |token| {
                let Some(word) = self.words.find(token) else { return };
                let vector = &self.vectors[word as usize * self.width..][..self.width];
                sum.iter_mut().zip(vector).for_each(|(sum, v)| *sum += v);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(words: &[(&str, f32)], text: &str) -> f32 {
        let mut known = WordVectors::new(1).unwrap();
        words.iter().for_each(|(word, value)| known.push(word, &[*value]).unwrap());
        let mut vector = [0.0];
        known.add(&[text], &mut vector);
        vector[0]
    }

    #[test]
    fn a_word_in_lower_case_counts_before_other_spellings() {
        assert_eq!(sum(&[("Apple", 1.0), ("APPLE", 2.0), ("apple", 4.0), ("apple", 8.0)], "APPLE"), 4.0);
        assert_eq!(sum(&[("apple", 4.0), ("Apple", 1.0)], "Apple"), 4.0);
        assert_eq!(sum(&[("APPLE", 2.0), ("Apple", 1.0)], "apple"), 2.0);
        assert_eq!(sum(&[("ÄPFELSAFT", 2.0)], "Äpfelsaft"), 2.0);
    }

    #[test]
    fn words_of_any_length_are_found_and_others_are_not() {
        let long = "donaudampfschifffahrtsgesellschaft";
        assert_eq!(sum(&[(long, 1.0), ("ok", 2.0), ("退款", 4.0)], &format!("{long} ok 想退款 x")), 7.0);
        assert_eq!(sum(&[("refund", 1.0), ("", 3.0), ("a b", 3.0)], "refunds a b"), 0.0);
        let mut known = WordVectors::new(2).unwrap();
        assert!(known.push("a", &[1.0]).unwrap_err().to_string().contains("a vector of 1 numbers"));
        assert!(WordVectors::new(0).is_err() && known.is_empty());
    }
}
