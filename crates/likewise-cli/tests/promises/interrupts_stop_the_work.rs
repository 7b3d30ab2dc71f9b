//! Ctrl-C ends the program, however it was started.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A background job of a shell inherits that SIGINT is ignored; whoever sends it means it all the same.
#[test]
fn a_program_started_with_the_signal_ignored_is_stopped_too() {
    let mut child = Command::new("sh")
        .args([
            "-c",
            "trap '' INT; echo ignored; exec \"$0\" find --in - --format jsonl --label a --positive b",
        ])
        .arg(env!("CARGO_BIN_EXE_likewise"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell");
    // Before its trap is set, the shell itself would die of the signal.
    let mut said = String::new();
    BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut said).expect("the shell's line");
    assert_eq!(said, "ignored\n");
    let pid = child.id().to_string();
    let limit = Instant::now() + Duration::from_secs(60);
    // It waits for its input, which never comes. Signals before it listens are lost, so they are sent again.
    let status = loop {
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
        std::thread::sleep(Duration::from_millis(50));
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if Instant::now() > limit {
            child.kill().expect("a running child");
            panic!("still running after a minute of interrupts");
        }
    };
    assert_eq!(status.code(), Some(130), "{status}");
}
