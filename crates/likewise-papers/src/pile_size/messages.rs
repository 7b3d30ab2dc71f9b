//! Synthetic short messages of a crisis, as many as one likes.
//!
//! Sixty topics in families of four; one topic is wanted, 2 % of the rows. The words of a message come from a
//! heavy-tailed vocabulary that all share, from its topic and from its family, so that wanted messages have near
//! neighbours that are not. Row i depends on the seed and on i alone: the first rows of many are few.

use likewise::Run;
use rand::{Rng, RngExt};

const VOCABULARY: usize = 400_000;
const TOPICS: usize = 60;
const FAMILY: usize = 4;
const TOPIC_WORDS: usize = 1_500;
const FAMILY_WORDS: usize = 600;
const WANTED: usize = 9;
const SHARE_WANTED: f64 = 0.02;
/// Of the words of a message: so many of its topic, and so many of its family; the rest is everybody's.
const OF_TOPIC: f64 = 0.22;
const OF_FAMILY: f64 = 0.18;
/// The most common words belong to no topic.
const COMMON: usize = 200;
const FEWEST_WORDS: usize = 5;
const MOST_WORDS: usize = 18;

/// Message `row`, and whether it is wanted.
pub fn message(row: u64, run: &Run) -> (String, bool) {
    let mut rng = run.rng("messages", row);
    let wanted = rng.random::<f64>() < SHARE_WANTED;
    let topic = if wanted { WANTED } else { (WANTED + 1 + zipf(TOPICS - 1, &mut rng)) % TOPICS };
    let words = rng.random_range(FEWEST_WORDS..=MOST_WORDS);
    let mut text = String::new();
    for _ in 0..words {
        let kind: f64 = rng.random();
        let word = if kind < OF_TOPIC {
            special(topic, zipf(TOPIC_WORDS, &mut rng))
        } else if kind < OF_TOPIC + OF_FAMILY {
            special(TOPICS + topic / FAMILY, zipf(FAMILY_WORDS, &mut rng))
        } else {
            zipf(VOCABULARY, &mut rng)
        };
        spell(word, &mut text);
        text.push(' ');
    }
    text.pop();
    (text, wanted)
}

/// A rank from 0 under Zipf's law.
fn zipf(size: usize, rng: &mut impl Rng) -> usize {
    let rank = ((size + 1) as f64).powf(rng.random::<f64>()) as usize;
    rank.clamp(1, size) - 1
}

/// Word number `place` of a topic or family, scattered over the vocabulary.
fn special(owner: usize, place: usize) -> usize {
    COMMON + (owner * 7_919 + place * 104_729) % (VOCABULARY - COMMON)
}

/// A number as syllables.
fn spell(word: usize, text: &mut String) {
    const CONSONANTS: &[u8] = b"bcdfghklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    let syllables = CONSONANTS.len() * VOWELS.len();
    let mut left = word + syllables;
    while left > 0 {
        let syllable = left % syllables;
        left /= syllables;
        text.push(char::from(CONSONANTS[syllable / VOWELS.len()]));
        text.push(char::from(VOWELS[syllable % VOWELS.len()]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_same_whatever_else_is_drawn_and_few_are_wanted() {
        let run = Run::new(3);
        assert_eq!(message(17, &run), message(17, &Run::new(3)));
        assert_ne!(message(17, &run), message(18, &run));
        let wanted = (0..10_000).filter(|row| message(*row, &run).1).count();
        assert!((150..250).contains(&wanted), "{wanted}");
    }

    #[test]
    fn every_word_is_spelled_in_its_own_way() {
        let spelled: std::collections::HashSet<String> = (0..50_000)
            .map(|word| {
                let mut text = String::new();
                spell(word, &mut text);
                text
            })
            .collect();
        assert_eq!(spelled.len(), 50_000);
    }
}
