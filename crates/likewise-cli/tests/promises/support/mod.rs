//! Runs the real binary in a folder of its own.

use std::path::PathBuf;
use std::process::Command;

pub struct Folder(tempfile::TempDir);

pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: &str) -> &Self {
        std::fs::write(self.path(name), content).expect("a writable folder");
        self
    }

    /// Documents as lines of JSON, with ids.
    pub fn write_texts(&self, name: &str, texts: &[String]) -> &Self {
        self.write(name, &jsonl(&texts.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn files(&self) -> Vec<String> {
        let names =
            std::fs::read_dir(self.0.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Arguments separated by blanks, run inside the folder.
    pub fn run(&self, arguments: &str) -> Ran {
        self.run_with_input(arguments, "")
    }

    pub fn run_with_input(&self, arguments: &str, input: &str) -> Ran {
        use std::io::Write;
        let mut child = Command::new(env!("CARGO_BIN_EXE_likewise"))
            .args(arguments.split_whitespace())
            .current_dir(self.0.path())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdin = child.stdin.take().expect("piped");
        // A command that refuses its arguments may close its input before reading it.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let ran = child.wait_with_output().expect("the binary ends");
        Ran {
            code: ran.status.code().unwrap_or(-1),
            out: String::from_utf8(ran.stdout).expect("UTF-8"),
            err: String::from_utf8(ran.stderr).expect("UTF-8"),
        }
    }

    /// Refund messages to learn from, and a pile with two more of them.
    pub fn with_messages() -> Self {
        let folder = Folder::new();
        let like = [
            "please refund my money",
            "i want a refund",
            "refund the order",
            "money back refund now",
            "refund please",
        ];
        folder.write("like.jsonl", &jsonl(&like));
        folder.write("pile.jsonl", &jsonl(&PILE));
        folder
    }
}

pub const PILE: [&str; 6] = [
    "where is my parcel",
    "please refund this order",
    "password reset link expired",
    "give me my money back",
    "parcel arrived late again",
    "cannot log in with my password",
];

pub fn jsonl(texts: &[&str]) -> String {
    let line = |(at, text): (usize, &&str)| format!("{{\"id\":\"m{}\",\"text\":\"{text}\"}}\n", at + 1);
    texts.iter().enumerate().map(line).collect()
}

/// Messages about a topic, no two of them alike.
pub fn messages(topic: &str, numbers: std::ops::Range<usize>) -> Vec<String> {
    let more = ["today", "again", "please", "now", "soon"];
    numbers.map(|k| format!("{topic} number {k} {} order {}", more[k % 5], k % 7)).collect()
}

impl Ran {
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.err);
        self
    }

    /// The command failed with that code and said all of these.
    #[track_caller]
    pub fn failed(self, code: i32, said: &[&str]) {
        assert_eq!(self.code, code, "{}", self.err);
        for words in said {
            assert!(self.err.contains(words), "not said: {words}\nbut: {}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}
