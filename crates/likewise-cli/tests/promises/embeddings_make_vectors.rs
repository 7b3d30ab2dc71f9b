//! `--embed`: vectors are made of the text, and a model asks for the embedding it was learned with.

use std::fmt::Write;

use crate::support::{Folder, messages};

/// Words of two topics, which the first number of their vectors tells apart.
const WANTED: &str = "refund money back reimburse compensation cash";
const OTHER: &str = "parcel late arrived password login expired stamp envelope courier truck depot customs label carton warehouse";
const NEUTRAL: &str = "my the number today again please now soon order";

fn vectors(shift: f64) -> Vec<(&'static str, [f64; 4])> {
    let mut all = Vec::new();
    for (topic, words) in [(1.0, WANTED), (-1.0, OTHER), (0.0, NEUTRAL)] {
        for word in words.split(' ') {
            let noise =
                |k: usize| (word.bytes().map(usize::from).sum::<usize>() * k % 97) as f64 / 97.0 - 0.5;
            all.push((word, [topic + shift, noise(31) * 0.3, noise(57) * 0.3, noise(83) * 0.3]));
        }
    }
    all
}

fn word_list(shift: f64) -> String {
    let mut out = String::new();
    for (word, [a, b, c, d]) in vectors(shift) {
        writeln!(out, "{word} {a:.4} {b:.4} {c:.4} {d:.4}").unwrap();
    }
    out
}

/// The last of the pile says what is wanted in words that no example has.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write_texts("like.jsonl", &messages("refund my money back", 0..15));
    let mut pile = [
        messages("refund the money", 20..40),
        messages("parcel arrived late", 0..60),
        messages("password login expired", 0..40),
    ]
    .concat();
    // None of these has a word of its own in common with the others, so words alone cannot tell them apart.
    for unheard in [
        "stamp the envelope in courier",
        "truck the depot in customs",
        "label the carton in warehouse",
        "reimburse the compensation in cash",
    ] {
        pile.push(unheard.into());
    }
    folder.write_texts("pile.jsonl", &pile);
    folder.write("tiny.vec", &word_list(0.0));
    folder
}

const FIND: &str = "find --like like.jsonl --in pile.jsonl --text text";

/// At which place the row stands that has no word of the examples.
fn place(ranking: &str) -> usize {
    ranking.lines().position(|line| line.contains("\"id\":\"m124\"")).expect("every row is ranked") + 1
}

#[test]
fn a_row_without_a_word_of_the_examples_is_found_by_what_it_means() {
    let folder = folder();
    let rank = |options: &str| folder.run(&format!("{FIND} --quiet -o - {options}")).ok().out;
    for method in ["logistic", "nearest-mean"] {
        let words = place(&rank(&format!("--method {method}")));
        let both = place(&rank(&format!("--method {method} --embed tiny.vec")));
        assert!(both <= 21 && both < words, "{method}: {both} with vectors, {words} with words alone");
    }
    let said = folder.run(&format!("{FIND} --method nb --embed tiny.vec -o -")).ok().err;
    assert!(said.contains("`nb` counts words: it left out `tiny.vec`"), "{said}");
    let summary =
        folder.run(&format!("{FIND} --embed tiny.vec --effort quick --summary s.json -o r.csv")).ok();
    assert!(folder.read("s.json").contains("vectors by"), "{}", summary.err);
}

#[test]
fn a_model_asks_for_its_embedding_by_name_and_hash() {
    let folder = folder();
    let ran =
        folder.run(&format!("{FIND} --method logistic --embed tiny.vec --model m.model -o r.jsonl")).ok();
    assert!(ran.err.contains("The model is in m.model"), "{}", ran.err);
    let scored = folder.run("score m.model --in pile.jsonl --embed tiny.vec -o -").ok();
    let scores = |text: &str| -> Vec<(String, String)> {
        let cell =
            |line: &str, name: &str| line.split(name).nth(1).unwrap().split(',').next().unwrap().to_string();
        let mut all: Vec<_> =
            text.lines().map(|line| (cell(line, "\"id\":"), cell(line, "\"score\":"))).collect();
        all.sort();
        all
    };
    assert_eq!(scores(&scored.out), scores(&folder.read("r.jsonl")));

    let hash = "hash ";
    let needed = ["m.model", "learned with the embedding `tiny.vec`", hash, "--embed FILE"];
    folder.run("score m.model --in pile.jsonl -o -").failed(1, &needed[1..]);
    folder.run("explain m.model --in pile.jsonl --id m124").failed(1, &needed[1..]);
    folder.run("update m.model --like like.jsonl --model n.model").failed(1, &needed[1..]);
    folder.write("other.vec", &word_list(0.5));
    folder.run("score m.model --in pile.jsonl --embed other.vec").failed(1, &needed);
    folder
        .run("score m.model --in pile.jsonl --embed other.vec")
        .failed(1, &["`other.vec` is another (hash "]);
    // Its name does not count, its content does.
    folder.write("same.txt", &word_list(0.0));
    let same = folder.run("score m.model --in pile.jsonl --embed same.txt -o -").ok();
    assert_eq!(same.out, scored.out);

    let why = folder.run("explain m.model --in pile.jsonl --id m124 --embed tiny.vec").ok();
    assert!(why.out.contains("(vector)") && why.out.contains("like examples m"), "{}", why.out);
    folder.run("explain m.model").ok();
    for pile in ["", "--in pile.jsonl"] {
        folder.run(&format!("update m.model --like like.jsonl {pile} --embed tiny.vec --model n.model")).ok();
        folder.run("score n.model --in pile.jsonl -o -").failed(1, &needed[1..]);
        folder.run("score n.model --in pile.jsonl --embed tiny.vec -o -").ok();
    }
    folder.run(&format!("{FIND} --method nb --model nb.model -o r.csv")).ok();
    folder
        .run("score nb.model --in pile.jsonl --embed tiny.vec")
        .failed(2, &["learned without an embedding"]);
}

#[test]
fn a_sample_and_several_classes_take_it_too() {
    let folder = folder();
    let sampled =
        folder.run(&format!("{FIND} --embed tiny.vec --method logistic --sample 100 --quiet -o -")).ok();
    assert!(place(&sampled.out) <= 21, "{}", place(&sampled.out));
    folder.write_texts("late.jsonl", &messages("parcel arrived late", 70..80));
    let classes = "find --like a=like.jsonl --like b=late.jsonl --in pile.jsonl --method logistic";
    folder.run(&format!("{classes} --embed tiny.vec -o classes.csv --quiet")).ok();
    assert!(
        folder.read("classes.csv").lines().any(|line| line.contains(",m124,a,")),
        "{}",
        folder.read("classes.csv")
    );
}

#[test]
fn a_folder_of_model2vec_is_an_embedding() {
    let folder = folder();
    std::fs::create_dir(folder.path("tiny")).unwrap();
    let all = vectors(0.0);
    let vocabulary: Vec<String> =
        all.iter().enumerate().map(|(at, (word, _))| format!("\"{word}\":{}", at + 1)).collect();
    folder.write(
        "tiny/tokenizer.json",
        &format!(
            r###"{{"version":"1.0","normalizer":{{"type":"Lowercase"}},"pre_tokenizer":{{"type":"BertPreTokenizer"}},
            "model":{{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",
            "max_input_chars_per_word":100,"vocab":{{"[UNK]":0,{}}}}}}}"###,
            vocabulary.join(",")
        ),
    );
    let rows = all.len() + 1;
    let numbers = std::iter::repeat_n(&[0.0; 4], 1).chain(all.iter().map(|(_, vector)| vector)).flatten();
    let numbers: Vec<u8> = numbers.flat_map(|v| (*v as f32).to_le_bytes()).collect();
    let mut header = format!(
        "{{\"embeddings\":{{\"dtype\":\"F32\",\"shape\":[{rows},4],\"data_offsets\":[0,{}]}}}}",
        numbers.len()
    );
    while header.len() % 8 != 0 {
        header.push(' ');
    }
    let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &numbers].concat();
    std::fs::write(folder.path("tiny/model.safetensors"), bytes).unwrap();
    let ran = folder.run(&format!("{FIND} --method logistic --embed tiny --model m.model --quiet -o -")).ok();
    assert!(place(&ran.out) <= 21, "{}", place(&ran.out));
    folder.run("score m.model --in pile.jsonl").failed(1, &["learned with the embedding `tiny` (hash "]);
    folder.run("score m.model --in pile.jsonl --embed tiny").ok();
    std::fs::remove_file(folder.path("tiny/tokenizer.json")).unwrap();
    folder
        .run("score m.model --in pile.jsonl --embed tiny")
        .failed(1, &["tiny/tokenizer.json", "a folder with"]);
}

#[test]
fn what_cannot_be_is_said() {
    let folder = folder();
    folder.write("n.csv", "id,x,y\na,1,2\nb,2,3\nc,4,5\n");
    let numbers = "find --in n.csv --label id --positive a --features x --embed tiny.vec";
    folder.run(numbers).failed(1, &["an embedding makes vectors of text", "--text COLUMN"]);
    folder.run(&format!("{FIND} --embed gone.vec")).failed(1, &["gone.vec", "no such file"]);
    folder.run(&format!("{FIND} --embed pile.jsonl")).failed(2, &["pile.jsonl", "a .vec or .txt file"]);
    folder.write("bad.vec", "a 1 2\nb 1\n");
    folder.run(&format!("{FIND} --embed bad.vec")).failed(1, &["bad.vec:2: a vector of 1 numbers"]);
    folder.write("far.vec", "xylophone 1 2\n");
    folder.run(&format!("{FIND} --embed far.vec")).failed(1, &["`far.vec` knows no word of `text`"]);
    folder.run(&format!("{FIND} --embed tiny.vec --model tiny.vec")).failed(2, &["would write over"]);
    folder
        .run("review --like like.jsonl --in pile.jsonl --embed tiny.vec --reader cat --no-page --project p.likewise")
        .failed(1, &["leave vectors and embeddings out"]);
}
