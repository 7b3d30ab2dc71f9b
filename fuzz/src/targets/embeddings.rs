//! Embeddings: word lists, and static models of a table and a tokenizer.

use std::path::Path;

use likewise_io::embedding::read_embedding;
use rand::RngExt;
use rand_pcg::Pcg64;
use tempfile::TempDir;

use crate::{Answer, Target, alter};

pub struct Embeddings {
    name: &'static str,
    honest: Vec<Vec<u8>>,
    folder: TempDir,
}

const LIST: &str = "word-list";
const STATIC: &str = "static-model";
/// Parts the table from the tokenizer, which are two files and one case.
const PART: &[u8] = b"\n%%%%\n";
const TEXTS: [&str; 4] =
    ["Refund the money, money!", "", "çà et là 日本語 \u{0}\u{301}", "[UNK] refunds refund"];

pub fn all() -> Vec<Box<dyn Target>> {
    let list = "3 2\nrefund 1 0.5\nmoney -2e-3 1\n. . . 0 1\n".as_bytes().to_vec();
    let plain = "refund 1 0.5 2\nMoney -2e-3 1 0\n".as_bytes().to_vec();
    let numbers: Vec<u8> = (0..8u8).flat_map(|v| f32::from(v).to_le_bytes()).collect();
    let mut header = r#"{"embeddings":{"dtype":"F32","shape":[4,2],"data_offsets":[0,32]}}"#.to_string();
    while !header.len().is_multiple_of(8) {
        header.push(' ');
    }
    let table = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &numbers].concat();
    let models = [
        r###""model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"[UNK]":0,"refund":1,"##s":2,"money":3}}"###,
        r#""model":{"type":"WordLevel","unk_token":"[UNK]","vocab":{"[UNK]":0,"Refund":1,"money":2}}"#,
        r#""model":{"type":"Unigram","unk_id":0,"vocab":[["[UNK]",0.0],["refund",-1.5],["money",-2.0]]}"#,
    ];
    let cutters = ["BertPreTokenizer", "Whitespace", "Metaspace"];
    let tokenizer = |(model, cutter): (&str, &str)| {
        let more = if cutter == "Metaspace" { r#","replacement":"_","prepend_scheme":"first""# } else { "" };
        let lower = r#""normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Lowercase"}]}"#;
        format!(r#"{{"version":"1.0",{lower},"pre_tokenizer":{{"type":"{cutter}"{more}}},{model}}}"#)
            .into_bytes()
    };
    let models = models.into_iter().zip(cutters).map(|model| [&table[..], PART, &tokenizer(model)].concat());
    let target =
        |name, honest| -> Box<dyn Target> { Box::new(Embeddings { name, honest, folder: crate::folder() }) };
    vec![target(LIST, vec![list, plain]), target(STATIC, models.collect())]
}

/// The table and the tokenizer.
fn parted(file: &[u8]) -> (&[u8], &[u8]) {
    let at = file.windows(PART.len()).position(|part| part == PART).unwrap_or(file.len());
    (&file[..at], file.get(at + PART.len()..).unwrap_or_default())
}

impl Embeddings {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<std::path::PathBuf, String> {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).map_err(|e| e.to_string())?;
        Ok(path)
    }
}

impl Target for Embeddings {
    fn name(&self) -> String {
        self.name.into()
    }

    fn honest(&self) -> &[Vec<u8>] {
        &self.honest
    }

    fn alter(&self, rng: &mut Pcg64) -> Vec<u8> {
        let file = self.honest[rng.random_range(0..self.honest.len())].clone();
        let words =
            ["nan", "1e39", "-1", "99999999999", "[UNK]", "null", "\"vocab\":", "[]", "{}", "\t", "\u{feff}"];
        let mut changed = |file: &mut Vec<u8>| {
            (0..rng.random_range(1..4)).for_each(|_| alter::text(rng, file, &words));
        };
        if self.name == LIST {
            let mut list = file;
            changed(&mut list);
            return list;
        }
        let (table, tokenizer) = parted(&file);
        let (mut table, mut tokenizer) = (table.to_vec(), tokenizer.to_vec());
        changed(&mut tokenizer);
        if rng.random_bool(0.5) {
            tokenizer = parted(&file).1.to_vec();
            alter::bytes(rng, &mut table, 0.1);
        }
        [&table[..], PART, &tokenizer].concat()
    }

    fn read(&self, bytes: &[u8]) -> Result<Answer, String> {
        let path = if self.name == LIST {
            self.put("list.vec", bytes)?
        } else {
            let (table, tokenizer) = parted(bytes);
            self.put("model.safetensors", table)?;
            self.put("tokenizer.json", tokenizer)?.parent().map(Path::to_path_buf).unwrap_or_default()
        };
        let Ok(embedding) = read_embedding(&path) else { return Ok(Answer::Refused) };
        let mut vectors = vec![0.0; embedding.width() * TEXTS.len()];
        embedding.add(&TEXTS, &mut vectors);
        match vectors.iter().all(|v| v.is_finite()) {
            true => Ok(Answer::Given),
            false => Err("a vector is not finite".into()),
        }
    }
}
