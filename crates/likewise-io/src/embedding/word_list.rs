//! Word vectors as text: a word and its numbers a line, with or without a first line that says how many of both.

use std::path::Path;

use likewise::features::embedding::Embedding;
use likewise::features::word_vectors::WordVectors;

use super::hashed::Hash;
use super::{LARGEST, WIDEST, malformed};
use crate::compression::Compression;
use crate::error::{Error, Result};
use crate::input::Input;
use crate::lines::Lines;

pub fn read(path: &Path, name: String) -> Result<WordVectors> {
    let (hash, compression) = (Hash::default(), Compression::of_name(path).0);
    let input = Input::open_file(path, compression)?.through(|bytes| hash.of(bytes)).into_text(None)?;
    let mut lines = Lines::new(input);
    let (mut list, mut vector): (Option<WordVectors>, Vec<f32>) = (None, Vec::new());
    let (mut header, mut read, mut at) = (None, 0u64, 0);
    while let Some(line) = lines.next()? {
        at += 1;
        let line = line.trim_ascii_end();
        if line.is_empty() {
            continue;
        }
        if list.is_none()
            && header.is_none()
            && let Some(found) = first_line(line)
        {
            header = Some(found);
            continue;
        }
        let width = list.as_ref().map(|list| list.width()).or(header.map(|(_, width)| width));
        let word = parse(line, width, &mut vector).map_err(|problem| malformed(path, Some(at), problem))?;
        let list = match &mut list {
            Some(list) => list,
            None => list.insert(WordVectors::new(vector.len())?),
        };
        // A word with a space in it is never one of a text.
        if let Some(word) = word {
            list.push(word, &vector)?;
        }
        read += 1;
    }
    match (list, header) {
        (Some(_), Some((words, _))) if read < words => Err(malformed(
            path,
            None,
            format!(
                "its first line says {words} words, and it has {read}: the file is cut off; copy or download it again"
            ),
        )),
        (Some(list), _) if !list.is_empty() => Ok(list.named(name, hash.digits())),
        _ => Err(Error::Empty {
            source_name: path.display().to_string(),
            problem: "there is no word in it; give a file with a word and its numbers a line".into(),
        }),
    }
}

/// How many words there are and how many numbers each has, where the line says that.
fn first_line(line: &[u8]) -> Option<(u64, usize)> {
    let line = std::str::from_utf8(line).ok()?;
    let (words, width) = line.split_once([' ', '\t'])?;
    Some((words.parse().ok()?, width.trim().parse().ok().filter(|width| *width > 0)?))
}

/// Puts the numbers of a line into `vector` and gives its word, where it has one without spaces in it.
fn parse<'a>(line: &'a [u8], width: Option<usize>, vector: &mut Vec<f32>) -> Result<Option<&'a str>, String> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let fields = || line.split(is_space).filter(|field| !field.is_empty());
    let all = fields().count();
    let numbers = all - 1;
    let width = width.unwrap_or(numbers);
    if !(1..=WIDEST).contains(&width) {
        return Err(format!(
            "a word and {width} numbers, where vectors have 1 to {WIDEST}; is this a file of word vectors?"
        ));
    }
    let in_word = numbers.checked_sub(width);
    let is_number = |field: &[u8]| number(field).is_some();
    let in_word = match in_word {
        // Some lists have words of several parts; one number too many is another thing.
        Some(more) if more == 0 || !fields().nth(1).is_some_and(is_number) => more,
        _ => return Err(format!("a vector of {numbers} numbers where the first has {width}")),
    };
    vector.clear();
    for (at, field) in fields().skip(1 + in_word).enumerate() {
        let text = || String::from_utf8_lossy(field).into_owned();
        let value = number(field).ok_or_else(|| format!("`{}` is no number", text()))?;
        if !(-LARGEST..=LARGEST).contains(&value) {
            return Err(format!(
                "number {} of the vector is {}, not a finite number below {LARGEST:e}",
                at + 1,
                text()
            ));
        }
        vector.push(value);
    }
    let word = fields().next().and_then(|word| std::str::from_utf8(word).ok());
    Ok(word.filter(|_| in_word == 0))
}

fn number(field: &[u8]) -> Option<f32> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::read_embedding;
    use super::*;

    fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    fn vector(embedding: &dyn Embedding, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; embedding.width()];
        embedding.add(&[text], &mut vector);
        vector
    }

    fn failure(content: &str) -> String {
        let (_folder, path) = file("a.vec", content.as_bytes());
        let message = read_embedding(&path).unwrap_err().to_string();
        message.split_once("a.vec").unwrap().1.to_string()
    }

    #[test]
    fn with_or_without_a_first_line_packed_or_not() {
        let plain = "refund 1 0.5 -2\nmoney\t0 1e-1 0 \r\n\n. . . 1 2 3\n";
        for content in [plain.to_string(), format!("3 3\n{plain}"), format!("\u{feff}{plain}")] {
            let (_folder, path) = file("a.vec", content.as_bytes());
            let embedding = read_embedding(&path).unwrap();
            assert_eq!(vector(&*embedding, "Refund money?"), [1.0, 0.6, -2.0], "{content}");
        }
        let (_folder, path) = file("b.txt", plain.as_bytes());
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(plain.as_bytes()).unwrap();
        let (_other, packed) = file("a.vec.gz", &packer.finish().unwrap());
        let (plain, packed) = (read_embedding(&path).unwrap(), read_embedding(&packed).unwrap());
        assert_eq!((plain.hash(), packed.name()), (packed.hash(), "a.vec.gz"));
        assert_eq!(plain.hash().len(), 64);
    }

    #[test]
    fn the_hash_is_that_of_the_content() {
        let (_folder, path) = file("a.vec", b"ab 1\n");
        // printf 'ab 1\n' | sha256sum
        assert_eq!(
            read_embedding(&path).unwrap().hash(),
            "53ef0899d58335c1fc150cc618ba81823338bb60b53b9e4f9b37afe70848a1f1"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (content, problem) in [
            ("a 1 2\nb 1\n", ":2: a vector of 1 numbers where the first has 2"),
            ("a 1 2\nb 1 2 3\n", ":2: a vector of 3 numbers where the first has 2"),
            ("2 2\na 1 2\nb 1\n", ":3: a vector of 1 numbers where the first has 2"),
            ("a 1 2\nb 1 x\n", ":2: `x` is no number"),
            ("a 1 nan\n", ":1: number 2 of the vector is nan, not a finite number below 1e9"),
            ("a 1 1e30\n", ":1: number 2 of the vector is 1e30, not a finite number below 1e9"),
            ("a\n", ":1: a word and 0 numbers, where vectors have 1 to 65536"),
            ("1 99999999999\na 1\n", ":2: a word and 99999999999 numbers"),
            ("3 1\naa 1\n", ": its first line says 3 words, and it has 1: the file is cut off"),
            ("", ": there is no word in it"),
            ("7 3\n", ": there is no word in it"),
            ("\n \n", ": there is no word in it"),
        ] {
            let message = failure(content);
            assert!(message.starts_with(problem), "{content:?}: {message}");
        }
        let (_folder, path) = file("a.bin", b"x");
        assert!(read_embedding(&path).unwrap_err().to_string().contains("a .vec or .txt file"));
        assert!(read_embedding(path.with_extension("vec")).unwrap_err().to_string().contains("no such file"));
    }
}
