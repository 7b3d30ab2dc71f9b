//! `unexpected` tells strangers from known classes and names the classes of the rest.

use crate::support::Folder;
use likewise_testing::data_file;

#[test]
fn strangers_are_marked_and_others_classed() {
    let folder = Folder::new();
    let mut known = String::new();
    for i in 0..10 {
        known.push_str(&format!("{{\"text\":\"engine wheel brake car model{i}\",\"group\":\"cars\"}}\n"));
        known.push_str(&format!("{{\"text\":\"goal match team ball season{i}\",\"group\":\"sport\"}}\n"));
    }
    folder.write("known.jsonl", &known);
    folder.write(
        "new.csv",
        "id,text\na,car engine brake\nb,team ball goal\nc,enzyme protein gene cell enzyme protein gene\n",
    );
    let ran = folder.run("unexpected --known known.jsonl --label group --in new.csv --output -").ok();
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[0].starts_with("{\"id\":\"a\",\"unexpected\":false") && lines[0].contains("\"class\":\"cars\""),
        "{}",
        ran.out
    );
    assert!(lines[1].contains("\"class\":\"sport\""), "{}", ran.out);
    assert!(lines[2].contains("\"unexpected\":true"), "{}", ran.out);
    folder
        .run("unexpected --known known.jsonl --label kind --in new.csv")
        .failed(1, &["no column `kind`", "`group`"]);
}

/// Classes that share all their words: the program says that it cannot tell, and ranks all the same.
#[test]
fn what_cannot_be_told_is_said() {
    let folder = Folder::new();
    let message =
        |i: usize| (0..6).map(|k| format!("w{}", (i * 37 + k * k * 11 + i / 7 * k) % 40)).collect::<Vec<_>>();
    let row = |i: usize| format!("{},group{}\n", message(i).join(" "), i % 3);
    let known = (0..150).fold("text,group\n".to_string(), |file, i| file + &row(i));
    let new = (150..200).fold("text\n".to_string(), |file, i| file + &message(i).join(" ") + "\n");
    folder.write("known.csv", &known).write("new.csv", &new);
    let ran = folder
        .run("unexpected --known known.csv --label group --in new.csv --output out.jsonl --summary figures.json")
        .ok();
    assert!(
        ran.err.contains("warning: known classes that were hidden were not told from the others"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("do not rely on the marks."), "{}", ran.err);
    let figures: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("figures.json")).unwrap()).unwrap();
    assert_eq!((&figures["rows"], &figures["competition"]["told"]), (&50.into(), &false.into()));
    assert_eq!(figures["competition"]["candidates"].as_array().unwrap().len(), 4);
    assert_eq!(figures["competition"]["candidates"][0]["method"], figures["method"]);
    assert_eq!(std::fs::read_to_string(folder.path("out.jsonl")).unwrap().lines().count(), 50);
}

/// Two known newsgroups; the new rows are theirs and, one in twenty, of other groups (the protocol of the LGN paper).
#[test]
fn newsgroups_beat_the_constant_answer() {
    let Some(data) = data_file("20newsgroups/20news-19997.jsonl.gz") else { return };
    let folder = Folder::new();
    let all = std::process::Command::new("gzip").arg("-dc").arg(data).output().expect("gzip").stdout;
    let all = String::from_utf8(all).unwrap();
    let of = |group: &str| {
        all.lines().filter(|line| line.contains(&format!("\"label\": \"{group}\""))).collect::<Vec<_>>()
    };
    let (mac, crypt) = (of("comp.sys.mac.hardware"), of("sci.crypt"));
    assert_eq!((mac.len(), crypt.len()), (1000, 1000), "the set's own format");
    let others: Vec<&str> =
        ["rec.autos", "sci.med", "talk.politics.guns"].iter().flat_map(|g| of(g)[..10].to_vec()).collect();
    // Three in ten messages, spread over the file, since neighbours in it belong to one thread.
    let part = |rows: &[&str], new: bool| -> Vec<String> {
        let chosen = rows.iter().enumerate().filter(|(i, _)| (i * 7 % 10 < 3) == new);
        chosen.map(|(_, row)| row.to_string()).collect()
    };
    let others: Vec<String> = others.iter().map(|row| row.to_string()).collect();
    folder.write("known.jsonl", &[part(&mac, false), part(&crypt, false)].concat().join("\n"));
    folder.write("new.jsonl", &[part(&mac, true), part(&crypt, true), others].concat().join("\n"));
    let ran = folder.run("unexpected --known known.jsonl --label label --in new.jsonl --output -").ok();
    let verdicts: Vec<&str> = ran.out.lines().collect();
    assert_eq!(verdicts.len(), 630);
    let hits = verdicts[600..].iter().filter(|line| line.contains("\"unexpected\":true")).count();
    let marked = verdicts.iter().filter(|line| line.contains("\"unexpected\":true")).count();
    let f1 = 2.0 * hits as f64 / (marked + 30) as f64;
    assert!(f1 > 0.2, "F1 {f1} ({hits} of 30 among {marked}); calling all unexpected gives 0.09");
    let classed: Vec<_> =
        verdicts[..300].iter().filter(|line| line.contains("\"unexpected\":false")).collect();
    let right = classed.iter().filter(|line| line.contains("\"class\":\"comp.sys.mac.hardware\"")).count();
    assert!(right * 20 > classed.len() * 19, "{right} of {} rows were given their class", classed.len());
}
