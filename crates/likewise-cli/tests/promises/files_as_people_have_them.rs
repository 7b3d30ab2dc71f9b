//! Files come with other separators and encodings, with more columns than anybody asked for, under names that are
//! addresses. They are read, or the command says what to do.

use crate::support::{self, Folder};

const FIND: &str = "find --method nb --quiet --output -";

fn ids(out: &str) -> Vec<&str> {
    out.lines().filter_map(|line| line.split("\"id\":\"").nth(1)?.split('"').next()).collect()
}

/// One table of the messages: id, text, status and a column that nobody asks for.
fn marked(separator: &str) -> (Folder, String) {
    let folder = Folder::with_messages();
    let mut table = ["id", "text", "status", "unused"].join(separator) + "\n";
    for (name, status) in [("like.jsonl", "refund"), ("pile.jsonl", "")] {
        for line in folder.read(name).lines() {
            let text = line.split("\"text\":\"").nth(1).unwrap().trim_end_matches("\"}");
            table += &([&format!("{status}{}", ids(line)[0]), text, status, "9"].join(separator) + "\n");
        }
    }
    (folder, table)
}

#[test]
fn separators_are_found_by_looking() {
    let (folder, table) = marked(",");
    let expected = folder
        .write("all.csv", &table)
        .run(&format!("{FIND} --in all.csv --label status --positive refund"))
        .ok();
    for separator in [";", "\t", "|"] {
        folder.write("other.csv", &table.replace(',', separator));
        let ran =
            folder.run("find --method nb --output - --in other.csv --label status --positive refund").ok();
        assert_eq!(ran.out, expected.out);
        assert!(ran.err.contains("note: other.csv: cells are separated by "), "{}", ran.err);
    }
    let told = format!("{FIND} --in other.csv --label status --positive refund --separator ,");
    folder.run(&told).failed(1, &["has no column `status`"]);
}

#[test]
fn encodings_are_told_by_a_mark_or_by_an_option() {
    let (folder, table) = marked(",");
    let table = table.replace("parcel", "paquet spécial");
    folder.write("utf8.csv", &table);
    let wide: Vec<u8> = format!("\u{feff}{table}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path("wide.csv"), wide).unwrap();
    let latin: Vec<u8> = table.chars().map(|c| c as u8).collect();
    std::fs::write(folder.path("latin.csv"), latin).unwrap();
    let run = |name: &str, more: &str| {
        folder
            .run(&format!("find --method nb --output - --in {name} --label status --positive refund {more}"))
            .ok()
    };
    let expected = run("utf8.csv", "");
    assert_eq!(run("wide.csv", "").out, expected.out);
    assert_eq!(run("latin.csv", "--encoding latin1").out, expected.out);
    let replaced = run("latin.csv", "").err;
    assert!(replaced.contains("not UTF-8") && replaced.contains("--encoding"), "{replaced}");
    folder.run(&format!("{FIND} --in latin.csv --encoding klingon")).failed(2, &["no encoding `klingon`"]);
}

#[test]
fn columns_that_nobody_asks_for_are_not_read_but_known() {
    let (folder, table) = marked(",");
    folder.write("all.csv", &table);
    let mark = "--in all.csv --label status --positive refund";
    folder.run(&format!("{FIND} {mark} --text txt")).failed(
        1,
        &["all.csv has no column `txt` (did you mean `text`?); it has `id`, `text`, `status`, `unused`"],
    );
    folder.write("none.csv", &table.replacen("text", "body", 1));
    let mark = "--in none.csv --label status --positive refund";
    let looked = folder.run(&format!("find --method nb --output - {mark}")).ok().err;
    assert!(looked.contains("text: body; "), "{looked}");
    folder.write("torn.csv", &table.replacen(",9\n", "\n", 1));
    folder
        .run(&format!("{FIND} --in torn.csv --label status --positive refund"))
        .failed(1, &["torn.csv:2: 3 cells"]);
}

#[test]
fn several_values_mark_positives_whatever_their_spelling() {
    let (folder, table) = marked(",");
    folder.write("all.csv", &table);
    let expected = folder.run(&format!("{FIND} --in all.csv --label status --positive refund")).ok().out;
    let numbered =
        table.replacen(",refund,", ",1,", 2).replacen(",refund,", ",2.0,", 1).replace(",refund,", ",TRUE,");
    folder.write("numbered.csv", &numbered);
    for positive in ["--positive 1.0 --positive 2 --positive true", "--positive 1,2,True"] {
        let ran = folder.run(&format!("{FIND} --in numbered.csv --label status {positive}")).ok();
        assert_eq!(ran.out, expected);
    }
    folder
        .run(&format!("{FIND} --in numbered.csv --label status --positive 1,7"))
        .failed(1, &["no row has `7`"]);
}

#[test]
fn columns_are_kept_all_or_by_name() {
    let (folder, table) = marked(",");
    folder.write("all.csv", &table);
    let mark = "--in all.csv --label status --positive refund --model nb.model";
    let all = folder.run(&format!("{FIND} {mark} --keep-columns")).ok().out;
    assert!(all.lines().all(|line| line.contains("\"text\":") && line.contains("\"unused\":\"9\"")), "{all}");
    let named = folder.run(&format!("{FIND} {mark} --keep-columns=unused")).ok().out;
    assert!(
        named.lines().all(|line| !line.contains("\"text\":") && line.contains("\"unused\":\"9\"")),
        "{named}"
    );
    folder.run(&format!("{FIND} {mark} --keep-columns=gone")).failed(1, &["no column `gone`"]);
    let scored = folder.run("score nb.model --in all.csv --quiet --keep-columns=unused,status").ok().out;
    assert!(scored.lines().all(|line| line.contains("\"unused\":\"9\",\"status\":")), "{scored}");
    assert!(folder.run("score nb.model --in all.csv --quiet --keep-columns").ok().out.contains("\"text\":"));
}

#[test]
fn formulas_are_written_harmless_where_asked() {
    let folder = Folder::with_messages();
    folder.write("pile.csv", "id,text\n=1+1,refund\n-2,parcel\n@x,password\n");
    let find = "find --like like.jsonl --in pile.csv --method nb --quiet";
    folder.run(&format!("{find} -o safe.csv --safe-csv --keep-columns")).ok();
    folder.run(&format!("{find} -o plain.csv")).ok();
    let (safe, plain) = (folder.read("safe.csv"), folder.read("plain.csv"));
    for id in ["=1+1", "-2", "@x"] {
        assert!(safe.contains(&format!(",'{id},")) && plain.contains(&format!(",{id},")), "{safe}{plain}");
    }
}

#[test]
fn formats_of_other_tools_are_found_by_their_names() {
    let folder = Folder::with_messages();
    let expected = folder.run(&format!("{FIND} --like like.jsonl --in pile.jsonl")).ok().out;
    let lines = folder.read("pile.jsonl");
    folder.write("pile.json", &format!("[{}]", lines.trim_end().replace('\n', ",\n")));
    assert_eq!(folder.run(&format!("{FIND} --like like.jsonl --in pile.json")).ok().out, expected);
    let records = support::PILE.iter().enumerate();
    let ris = records.map(|(i, text)| format!("TY  - JOUR\nID  - m{}\nTI  - {text}\nER  - \n\n", i + 1));
    folder.write("pile.ris", &ris.collect::<String>());
    assert_eq!(folder.run(&format!("{FIND} --like like.jsonl --in pile.ris")).ok().out, expected);
}

#[test]
fn what_cannot_be_read_is_answered_with_what_can_be_done() {
    let folder = Folder::with_messages();
    let find = |input: &str| folder.run(&format!("{FIND} --like like.jsonl --in {input}"));
    find("https://example.org/a.csv").failed(2, &["curl -sSL -o a.csv 'https://example.org/a.csv'"]);
    folder.write("shop.sqlite", "").write("a.csv", "text\nx\n").write("b.csv", "text\ny\n");
    find("shop.sqlite").failed(2, &["--database PATH"]);
    find("a.csv b.csv").failed(2, &["tip: --in takes one file", "--in '*.csv'"]);
    find("a.csv --keep-columns country").failed(2, &["--keep-columns=country"]);
    find("pile.json").failed(1, &["no such file or folder (did you mean pile.jsonl?)"]);
    let secret = folder.run("find --database mysql://ann:s3cret@host/shop --target orders");
    assert!(!secret.err.contains("s3cret"), "{}", secret.err);
    secret.failed(2, &["mysql://host/shop", "postgres://"]);
    std::fs::create_dir(folder.path("models")).unwrap();
    folder.run("score models --in pile.jsonl").failed(2, &["models is a folder"]);
    folder.write("tables.csv", "id,size,y\n1,1,1\n2,2,0\n3,1e308,0\n4,-1e308,0\n");
    folder
        .run(
            &format!("{FIND} --in tables.csv --label y --positive 1 --features size")
                .replace("nb", "logistic"),
        )
        .failed(1, &["tables.csv:4: column `size` holds 1e308"]);
}

#[cfg(target_os = "linux")]
#[test]
fn outputs_appear_together() {
    let folder = Folder::with_messages();
    std::os::unix::fs::symlink("/dev/full", folder.path("full.jsonl")).unwrap();
    folder.write("old.model", "old");
    let ran = folder
        .run("find --like like.jsonl --in pile.jsonl --method nb --model old.model --output full.jsonl");
    ran.failed(1, &["full.jsonl"]);
    assert_eq!(folder.read("old.model"), "old");
    assert_eq!(folder.files(), ["full.jsonl", "like.jsonl", "old.model", "pile.jsonl"]);
}
