//! Text, numbers, categories, dates and vectors are learned from together, kept in one model, and named in reasons.

use std::fmt::Write;

use crate::support::Folder;

/// 120 orders, every fourth a refund. What tells: the words, a high amount, the country, and the vector.
fn orders() -> String {
    let mut out = String::new();
    for i in 0..120usize {
        let wanted = i % 4 == 0;
        // Not two rows have the same.
        let noise = |seed: usize| (i * 7919 + seed * 104_729) % 1009;
        let body = match wanted {
            true => format!("please send the money back for order {i} i want a refund{}", noise(1)),
            false => format!("where is my parcel with order {i} it is late again{}", noise(1)),
        };
        let amount = if wanted { 3000 + noise(2) } else { 1000 + noise(2) };
        let country = if wanted { "FR" } else { ["DE", "IT"][i % 2] };
        let created = format!("2024-{:02}-{:02}T10:00:00Z", i % 12 + 1, i % 28 + 1);
        let side = if wanted { 1.0 } else { -1.0 };
        let vector = match i {
            119 => "[0,0,0]".into(),
            _ => {
                format!(
                    "[{side},{:.3},{:.3}]",
                    noise(3) as f64 / 1009.0 - 0.5,
                    noise(4) as f64 / 1009.0 - 0.5
                )
            }
        };
        let mark = if wanted && i < 60 { "yes" } else { "" };
        writeln!(
            out,
            "{{\"id\":\"o{i}\",\"body\":\"{body}\",\"amount\":{amount},\"country\":\"{country}\",\"created\":\"{created}\",\"hash\":\"h{:05x}\",\"v\":{vector},\"mark\":\"{mark}\"}}",
            i * 40_503
        )
        .unwrap();
    }
    out
}

const MARKED: &str = "find --in orders.jsonl --label mark --positive yes --effort quick";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("orders.jsonl", &orders());
    folder
}

/// The ids of a ranking, best first, written as JSON lines.
fn ids(out: &str) -> Vec<String> {
    let id = |line: &str| line.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap().to_string();
    out.lines().map(id).collect()
}

/// How many of the fifteen best are refunds.
fn found(out: &str) -> usize {
    let wanted = |id: &&String| id[1..].parse::<usize>().unwrap().is_multiple_of(4);
    ids(out)[..15].iter().filter(wanted).count()
}

#[test]
fn without_options_the_columns_are_looked_at_and_all_are_learned_from() {
    let folder = folder();
    let ran =
        folder.run(&format!("{MARKED} -o - --model all.model --report page.html --summary all.json")).ok();
    let line = "text: body; numbers: amount; category: country; date: created; vectors: v; left out: ";
    assert!(ran.err.contains(line), "{}", ran.err);
    for left_out in ["id (the id)", "hash (an identifier)", "mark (the label)"] {
        assert!(ran.err.contains(left_out), "{}", ran.err);
    }
    assert_eq!(found(&ran.out), 15, "{}", ran.out);
    let summary = folder.read("all.json");
    for tried in ["all joined by", "words by", "columns by", "vectors by", "mean of ranks: "] {
        assert!(summary.contains(tried), "{tried}: {summary}");
    }
    let scored = folder.run("score all.model --in orders.jsonl").ok();
    assert_eq!(scored.out.lines().count(), 120);
    assert_eq!(folder.run("score all.model --in orders.jsonl --threads 1").ok().out, scored.out);
    let why = folder.run("explain all.model --in orders.jsonl --id o64 --top 40").ok().out;
    assert!(!why.contains("country = DE") && !why.contains("country = IT") && !why.contains("v["), "{why}");
    assert!(folder.read("page.html").contains("refund"));
}

#[test]
fn reasons_name_cells_of_the_row() {
    let folder = folder();
    let named = "--text body --features amount,country --vectors v --method logistic";
    folder
        .run(&format!("find --in orders.jsonl --label mark --positive yes {named} --model a.model -o a.csv"))
        .ok();
    let why = folder.run("explain a.model --in orders.jsonl --id o64 --top 40").ok().out;
    for said in ["country = FR", "(high)", "like examples o", "(vector)"] {
        assert!(why.contains(said), "{said}: {why}");
    }
    assert!(!why.contains("country = DE") && !why.contains("v["), "{why}");
    let against = folder.run("explain a.model --in orders.jsonl --id o65 --top 40").ok().out;
    assert!(against.contains("country = IT") && against.contains("its vector"), "{against}");
}

#[test]
fn what_counts_words_says_what_it_left_out() {
    let ran = folder().run(
        "find --in orders.jsonl --label mark --positive yes --method nb --text body --features all --vectors v --except hash,created -o -",
    );
    let ran = ran.ok();
    assert!(
        ran.err.contains("method `nb` counts words: it left out `amount`, `country`, `v`"),
        "{}",
        ran.err
    );
    assert_eq!(found(&ran.out), 15, "{}", ran.out);
}

#[test]
fn vectors_alone_are_compared_by_cosine_and_a_vector_of_zeros_comes_last() {
    let folder = folder();
    let ran = folder.run(&format!("{MARKED} --vectors v -o - --model v.model")).ok();
    assert_eq!(found(&ran.out), 15, "{}", ran.out);
    assert_eq!(ids(&ran.out).last().unwrap(), "o119");
    assert!(ran.err.contains("1 row without a vector, or with one of zeros, is ranked last"), "{}", ran.err);
    // Longer vectors point the same way.
    let longer = folder.read("orders.jsonl").replace("[1,", "[1.0,").replace("\"v\":[", "\"v\":[0.0,");
    folder.write("longer.jsonl", &longer);
    folder
        .run("score v.model --in longer.jsonl")
        .failed(1, &["vectors of 4 numbers", "trained on vectors of 3"]);
    folder
        .run("find --in orders.jsonl --label mark --positive yes --vectors v --method nb")
        .failed(1, &["`nb` counts words", "`v`"]);
    folder
        .run("find --in orders.jsonl --label mark --positive yes --vectors body")
        .failed(1, &["orders.jsonl:1", "body"]);
}

/// What NumPy would write of a matrix of singles.
fn npy(rows: &[[f32; 2]]) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 2), }}", rows.len());
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(rows.iter().flatten().flat_map(|v| v.to_le_bytes()));
    bytes
}

#[test]
fn vectors_may_stand_in_a_file_beside_the_rows() {
    let folder = folder();
    let vector = |i: usize| [if i.is_multiple_of(4) { 1.0 } else { -1.0 }, i as f32 / 200.0];
    std::fs::write(folder.path("v.npy"), npy(&(0..120).map(vector).collect::<Vec<_>>())).unwrap();
    std::fs::write(folder.path("few.npy"), npy(&(0..7).map(vector).collect::<Vec<_>>())).unwrap();
    let ran = folder.run(&format!("{MARKED} --vectors v.npy -o - --model n.model")).ok();
    assert_eq!(found(&ran.out), 15, "{}", ran.out);
    let with_words = folder.run(&format!("{MARKED} --text body --vectors v.npy -o -")).ok();
    assert_eq!(found(&with_words.out), 15, "{}", with_words.out);
    folder.run(&format!("{MARKED} --vectors few.npy")).failed(2, &["few.npy has 7 vectors"]);
    let scored = folder.run("score n.model --in orders.jsonl --vectors v.npy").ok();
    assert_eq!(scored.out.lines().count(), 120);
    folder.run("score n.model --in orders.jsonl --vectors few.npy").failed(2, &["few.npy has 7 vectors"]);
    let why = folder.run("explain n.model --in orders.jsonl --vectors v.npy --id o64").ok().out;
    assert!(why.contains("like example"), "{why}");
}

#[test]
fn a_model_of_vectors_from_a_file_asks_for_them_in_every_format() {
    let folder = folder();
    let vector = |i: usize| [if i.is_multiple_of(4) { 1.0 } else { -1.0 }, i as f32 / 200.0];
    std::fs::write(folder.path("v.npy"), npy(&(0..120).map(vector).collect::<Vec<_>>())).unwrap();
    let cells = |line: &str| -> String {
        let of = |key: &str| line.split(&format!("\"{key}\":\"")).nth(1).unwrap().split('"').next().unwrap();
        format!("{},{},{}\n", of("id"), of("body"), of("mark"))
    };
    let rows: String = folder.read("orders.jsonl").lines().map(cells).collect();
    folder.write("orders.csv", &format!("id,body,mark\n{rows}"));
    for (model, text) in [("alone.model", ""), ("mixed.model", "--text body")] {
        folder.run(&format!("{MARKED} {text} --vectors v.npy -o all.csv --model {model}")).ok();
        for rows in ["orders.jsonl", "orders.csv"] {
            for more in ["", "--keep-columns"] {
                let said =
                    ["no column `vector`", "the model learned from the vectors in it", "--vectors FILE.npy"];
                folder.run(&format!("score {model} --in {rows} -o scored.csv {more}")).failed(1, &said);
            }
            folder.run(&format!("score {model} --in {rows} --vectors v.npy")).ok();
        }
    }
    // New marks bring their vectors too, and so does a pile to learn from again.
    let lines: Vec<String> = folder.read("orders.jsonl").lines().map(|line| format!("{line}\n")).collect();
    let wanted =
        |wanted: bool| -> Vec<usize> { (0..60usize).filter(|i| i.is_multiple_of(4) == wanted).collect() };
    let (like, unlike) = (wanted(true), wanted(false));
    let of = |rows: &[usize]| rows.iter().map(|&i| lines[i].as_str()).collect::<String>();
    folder
        .write("like.jsonl", &of(&like))
        .write("unlike.jsonl", &of(&unlike))
        .write("pile.jsonl", &lines[60..].concat());
    let all: Vec<[f32; 2]> = like.iter().chain(&unlike).copied().chain(60..120).map(vector).collect();
    std::fs::write(folder.path("marks.npy"), npy(&all[..60])).unwrap();
    std::fs::write(folder.path("all.npy"), npy(&all)).unwrap();
    let update = "update alone.model --like like.jsonl --unlike unlike.jsonl --model new.model";
    folder.run(update).failed(1, &["--vectors FILE.npy"]);
    folder.run(&format!("{update} --vectors marks.npy")).ok();
    folder
        .run(&format!("{update} --vectors all.npy"))
        .failed(2, &["all.npy has 120 vectors, but there are 60 rows"]);
    folder.run(&format!("{update} --in pile.jsonl --vectors all.npy")).ok();
    assert_eq!(folder.run("score new.model --in orders.jsonl --vectors v.npy").ok().out.lines().count(), 120);
}

#[test]
fn one_odd_row_among_vectors_is_an_error_with_its_place() {
    let folder = folder();
    let orders = folder.read("orders.jsonl");
    for (odd, problem) in [
        ("[1,2]", "a vector of 2 numbers where the others have 3"),
        ("[]", "an empty list, no vector"),
        ("[1,null,2]", "number 2 of the vector is missing"),
        ("\"none\"", "no list of numbers"),
        ("[1e300,0,1]", "number 1 of the vector is inf, not a finite number"),
    ] {
        let rows: String = (orders.lines().enumerate())
            .map(|(i, line)| match (i, line.split_once("\"v\":")) {
                (6, Some((before, after))) => {
                    format!("{before}\"v\":{odd}{}\n", &after[after.find(']').unwrap() + 1..])
                }
                _ => format!("{line}\n"),
            })
            .collect();
        folder.write("odd.jsonl", &rows);
        let said = format!("odd.jsonl:7: column `v`: {problem}");
        folder
            .run("find --in odd.jsonl --label mark --positive yes --effort quick -o -")
            .failed(1, &[&said, "--except COLUMN"]);
        let looked = folder.run("look odd.jsonl --label mark").ok().out;
        assert!(looked.contains(&format!("nearly all vectors, but {said}")), "{looked}");
    }
    folder.run("find --in odd.jsonl --label mark --positive yes --effort quick --except v -o -").ok();
}

#[test]
fn a_csv_is_learned_from_as_the_same_lines_of_json() {
    let folder = folder();
    let mut csv = "id,body,amount,country,created,hash,v,mark\n".to_string();
    for line in orders().lines() {
        let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        let cells = row.values().map(|v| v.as_str().map_or_else(|| format!("\"{v}\""), str::to_string));
        writeln!(csv, "{}", cells.collect::<Vec<_>>().join(",")).unwrap();
    }
    folder.write("orders.csv", &csv);
    for columns in ["", "--features all --text body"] {
        let find =
            |file: &str| folder.run(&format!("{MARKED} {columns} -o -").replace("orders.jsonl", file)).ok();
        let (json, csv) = (find("orders.jsonl"), find("orders.csv"));
        assert_eq!(ids(&csv.out), ids(&json.out));
        let said = "not learned from, being vectors: `v`; add them with --vectors COLUMN";
        assert_eq!(json.err.contains(said), !columns.is_empty(), "{}", json.err);
    }
}

#[test]
fn look_prints_what_each_column_is_taken_for() {
    let folder = folder();
    let ran = folder.run("look orders.jsonl --label mark --except created").ok();
    for said in [
        "body",
        "text",
        "words a cell",
        "country",
        "category",
        "3 values repeat",
        "lists of 3 numbers",
        "not wanted",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let json = folder.run("look orders.jsonl --json").ok().out;
    assert!(json.contains("\"kind\": \"left-out\"") && json.contains("\"why\": \"an identifier\""), "{json}");
    folder.run("look orders.jsonl --label marc").failed(1, &["did you mean `mark`"]);
}

#[test]
fn a_column_text_is_still_all_that_is_learned_from() {
    let folder = Folder::with_messages();
    let plain = folder.run("find --like like.jsonl --in pile.jsonl --method nb -o -").ok();
    let more = |name: &str| {
        let rows = folder.read(name);
        rows.lines()
            .enumerate()
            .map(|(i, line)| line.replace('}', &format!(",\"amount\":{i}}}\n")))
            .collect::<String>()
    };
    folder.write("like2.jsonl", &more("like.jsonl")).write("pile2.jsonl", &more("pile.jsonl"));
    let beside = folder.run("find --like like2.jsonl --in pile2.jsonl --method nb -o -").ok();
    assert_eq!(plain.out, beside.out);
    let note = "note: column `text` is learned from alone, not `amount`; to learn from some of them too, name them with --features COLUMN[,COLUMN] beside --text text; --except COLUMN is to learn from all that carry something but that one\n";
    assert_eq!(plain.err, beside.err.replace(note, ""));
    assert!(beside.err.contains(note), "{}", beside.err);
    // `look` says the same, and what `--except` makes of it.
    let looked = folder.run("look pile2.jsonl").ok();
    assert!(looked.out.contains("not used beside `text`") && looked.err.contains(note), "{}", looked.out);
    let looked = folder.run("look pile2.jsonl --except amount").ok();
    assert!(
        looked.out.contains("not wanted") && !looked.err.contains("learned from alone"),
        "{}",
        looked.out
    );
    // The same from standard input, which cannot be looked at first.
    let piped = folder.run_with_input(
        "find --like like2.jsonl --in - --format jsonl --method nb -o -",
        &folder.read("pile2.jsonl"),
    );
    let piped = piped.ok();
    assert_eq!((beside.out, true), (piped.out, piped.err.contains(note)));
}
