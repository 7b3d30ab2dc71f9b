//! Two passes: `find --sample` gives the same bytes however the pile is cut into files and on any number of threads,
//! and its answer is about the whole pile.

use crate::support::Folder;

const ROWS: usize = 6_000;
const LEARNED: usize = 2_500;

/// A draw that needs no generator: the steps of a linear congruence.
fn draw(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % below
}

/// Messages of eight words each; every twentieth is about refunds.
fn messages(seed: u64, rows: usize, every: usize) -> Vec<String> {
    const TOPIC: [&str; 6] = ["refund", "money", "back", "order", "return", "receipt"];
    let mut state = seed;
    let mut message = |row: usize| {
        let word = |state: &mut u64| {
            // The product of two draws makes small numbers frequent, as words are.
            let (a, b) = (draw(state, 60), draw(state, 60));
            format!("w{}", a * b / 6)
        };
        let mut words: Vec<String> = (0..8).map(|_| word(&mut state)).collect();
        if row.is_multiple_of(every) {
            for word in &mut words[..3] {
                *word = TOPIC[draw(&mut state, TOPIC.len())].to_string();
            }
        }
        words.join(" ")
    };
    (0..rows).map(&mut message).collect()
}

/// A folder with examples, the pile in one file and the same pile in three.
fn folder(ids: bool) -> Folder {
    let folder = Folder::new();
    let like: String = messages(5, 40, 1).iter().map(|text| format!("{text}\n")).collect();
    folder.write("like.csv", &format!("text\n{like}"));
    let pile = messages(11, ROWS, 20);
    let line = |(row, text): (usize, &String)| match ids {
        true => format!("n{row},{text}\n"),
        false => format!("{text}\n"),
    };
    let lines: Vec<String> = pile.iter().enumerate().map(line).collect();
    let head = if ids { "id,text\n" } else { "text\n" };
    let write = |name: &str, rows: std::ops::Range<usize>| {
        folder.write(name, &(head.to_string() + &lines[rows].concat()));
    };
    write("all.csv", 0..ROWS);
    write("a.csv", 0..7);
    write("b.csv", 7..4_000);
    write("c.csv", 4_000..ROWS);
    folder
}

/// The ranking and the model.
fn find(folder: &Folder, files: &str, more: &str, name: &str) -> [Vec<u8>; 2] {
    let files: String = files.split(' ').map(|file| format!("--in {file} ")).collect();
    folder
        .run(&format!(
            "find --like like.csv {files} --sample {LEARNED} {more} -o {name}.jsonl --model {name}.model"
        ))
        .ok();
    ["jsonl", "model"].map(|end| std::fs::read(folder.path(&format!("{name}.{end}"))).unwrap())
}

#[test]
fn the_same_bytes_however_the_pile_is_cut_and_on_any_threads() {
    for ids in [true, false] {
        let folder = folder(ids);
        let whole = find(&folder, "all.csv", "--threads 1 --effort quick --summary whole.json", "whole");
        let cut = find(&folder, "a.csv b.csv c.csv", "--threads 2 --effort quick --summary cut.json", "cut");
        assert!(whole == cut, "ids: {ids}");
        assert_eq!(folder.read("whole.json"), folder.read("cut.json"));
        let other = find(&folder, "all.csv", "--seed 1 --method nb", "other");
        let again = find(&folder, "all.csv", "--seed 0 --method nb", "again");
        assert!(again[1] != other[1], "another seed draws another sample");
    }
}

#[test]
fn with_ids_the_order_of_the_files_changes_neither_model_nor_score() {
    let folder = folder(true);
    let [whole, model] = find(&folder, "all.csv", "--method nb", "whole");
    let [turned, turned_model] = find(&folder, "c.csv a.csv b.csv", "--method nb", "turned");
    assert!(model == turned_model);
    let scores = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let mut lines: Vec<String> =
            text.lines().map(|line| line.split_once(',').unwrap().1.to_string()).collect();
        lines.sort();
        lines
    };
    assert_eq!(scores(&whole), scores(&turned));
}

#[test]
fn every_row_of_the_pile_has_the_score_that_the_model_gives_it() {
    let folder = folder(true);
    find(&folder, "all.csv", "--method logistic", "found");
    folder.run("score found.model --in all.csv -o scored.jsonl").ok();
    let parts = |line: &str| {
        let line = line.split_once("\"id\":").unwrap().1;
        line.to_string()
    };
    let mut scored: Vec<String> = folder.read("scored.jsonl").lines().map(parts).collect();
    let found = folder.read("found.jsonl");
    let mut ranked: Vec<String> = found.lines().map(parts).collect();
    scored.sort();
    ranked.sort();
    assert_eq!(ranked.len(), ROWS);
    assert_eq!(scored, ranked);
    let score = |line: &str| -> f64 {
        line.split("\"score\":").nth(1).unwrap().split(',').next().unwrap().parse().unwrap()
    };
    assert!(found.lines().map(score).collect::<Vec<_>>().is_sorted_by(|a, b| a >= b));
    assert!(
        found.starts_with("{\"rank\":1,") && found.lines().last().unwrap().starts_with("{\"rank\":6000,")
    );
    // Three hundred are about refunds, and they were learned from a sample.
    let relevant = |line: &&str| {
        let id: usize = line.split("\"id\":\"n").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        id.is_multiple_of(20)
    };
    assert!(found.lines().take(300).filter(relevant).count() > 270);
}

#[test]
fn the_summary_is_of_the_whole_pile_and_says_that_it_was_sampled() {
    let folder = folder(true);
    let ran = folder
        .run(&format!("find --like like.csv --in all.csv --sample {LEARNED} --summary said.json -o out.csv"))
        .ok();
    assert!(ran.err.contains("Learned from 2,500 of these rows"), "{}", ran.err);
    assert!(ran.err.contains("of the 6,000 rows are "), "{}", ran.err);
    let said = folder.read("said.json");
    assert!(said.contains("\"pile\": 6000") && said.contains("\"sampled\": 2500"), "{said}");
    let marked = folder.read("out.csv").lines().filter(|line| line.ends_with(",true")).count();
    assert!(said.contains(&format!("\"found\": {marked},")), "{marked} {said}");
}

#[test]
fn copies_of_examples_and_marked_rows_take_no_part_wherever_they_stand() {
    let folder = folder(true);
    let example = folder.read("like.csv").lines().nth(1).unwrap().to_string();
    let pile = folder.read("all.csv") + &format!("copy1,{example}\ncopy2, {example} \n");
    folder.write("all.csv", &pile);
    let ran = folder.run("find --like like.csv --in all.csv --sample 2500 --method nb -o out.csv").ok();
    assert!(ran.err.contains("2 rows of the pile have the content of a positive example"), "{}", ran.err);
    assert!(!folder.read("out.csv").contains("copy") && folder.read("out.csv").lines().count() == ROWS + 1);
    folder
        .run("find --like like.csv --in all.csv --sample 2500 --method nb --keep-positives -o out.csv")
        .ok();
    assert_eq!(folder.read("out.csv").lines().count(), ROWS + 3);

    // The same as one table, whose label marks the examples; a list of values means each of them.
    let rows: Vec<String> = pile.lines().skip(1).map(|line| format!("{line},\n")).collect();
    let like = folder.read("like.csv");
    let example = |(at, text): (usize, &str)| format!("e{at},{text},{}\n", ["yes", "sure"][at % 2]);
    let examples: Vec<String> = like.lines().skip(1).enumerate().map(example).collect();
    folder.write("one.csv", &format!("id,text,about\n{}{}", rows.concat(), examples.concat()));
    let find = |values: &str| {
        let command =
            format!("find --in one.csv --label about {values} --sample 2500 --method nb -o out.csv");
        let ran = folder.run(&command).ok();
        assert!(ran.err.contains("2 rows of the pile have the content"), "{}", ran.err);
        folder.read("out.csv")
    };
    let listed = find("--positive yes,sure");
    assert_eq!(listed.lines().count(), ROWS + 1);
    assert_eq!(listed, find("--positive yes --positive sure"));
    let refused = folder.run("find --in one.csv --label about --positive maybe --sample 2500 -o out.csv");
    refused.failed(1, &["no row has `maybe`", "its values are nothing, `sure`, `yes`"]);
}

#[test]
fn the_top_is_the_beginning_of_the_ranking() {
    let folder = folder(true);
    let [all, _] = find(&folder, "all.csv", "--method nb", "all");
    let [top, _] = find(&folder, "all.csv", "--method nb --top 50", "top");
    let lines = |bytes: &[u8], most: usize| -> Vec<String> {
        String::from_utf8(bytes.to_vec()).unwrap().lines().take(most).map(String::from).collect()
    };
    assert_eq!(lines(&all, 50), lines(&top, usize::MAX));
    let shown = folder.run("find --like like.csv --in all.csv --sample 2500 --method nb").ok().out;
    assert!(shown.lines().count() == 21 && shown.contains("refund"), "{shown}");
    let refused = "find --like like.csv --unlike like.csv --in all.csv --sample 2500";
    folder.run(refused).failed(2, &["--sample", "--unlike"]);
}

#[test]
fn kept_columns_and_other_formats_give_the_same_ranking() {
    let folder = folder(true);
    find(&folder, "all.csv", "--method nb --keep-columns=text", "csv");
    folder.run("score csv.model --in all.csv --keep-columns=text -o all.parquet").ok();
    find(&folder, "all.parquet", "--method nb --keep-columns=text", "parquet");
    assert!(folder.read("csv.jsonl").lines().next().unwrap().contains("\"text\":\""));
    assert_eq!(folder.read("csv.jsonl"), folder.read("parquet.jsonl"));
}

#[test]
fn what_cannot_be_sampled_is_said() {
    let folder = folder(true);
    let small = folder.run("find --like like.csv --in all.csv --sample 500 --method nb -o out.csv").ok();
    assert!(
        small.err.contains("only 500 of 6,000 rows") && small.err.contains("below 2,000"),
        "{}",
        small.err
    );
    assert!(small.err.contains("--sample N"), "{}", small.err);
    let all = folder.run("find --like like.csv --in a.csv --sample 500 --method nb -o out.csv").ok();
    assert!(!all.err.contains("below 2,000"), "{}", all.err);
    folder.run("find --like like.csv --in - --sample 500 -o out.csv").failed(2, &["reads the pile twice"]);
    folder.run("find --like like.csv --in all.csv --sample 0 -o out.csv").failed(2, &["one row or more"]);
    folder.run("find --in all.csv --sample 500 -o out.csv").failed(2, &["--like FILE"]);
}
