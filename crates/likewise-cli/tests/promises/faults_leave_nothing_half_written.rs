//! Killed, starved of disk, cut off, raced or told to stop: what was there stays, what is new is whole, and the exit code
//! says which.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::Folder;
use likewise_testing::{choose, skipped};

const FIND: &str = "find --like like.jsonl --in pile.jsonl --quiet";
const BOTH: &str =
    "find --like like.jsonl --in pile.jsonl --quiet --method nb --output out.csv --model out.model";

/// Texts enough for a ranking of some hundred kilobytes.
fn folder() -> Folder {
    let folder = Folder::with_messages();
    let words = ["refund", "money", "parcel", "late", "password", "order", "login", "invoice"];
    let line = |i: usize| {
        let text = format!("{} {} {} {i}", words[i % 8], words[i / 8 % 8], words[i / 64 % 8]);
        format!("{{\"id\":\"r{i}\",\"text\":\"{text}\"}}\n")
    };
    folder.write("pile.jsonl", &(0..6_000).map(line).collect::<String>());
    folder
}

fn command(folder: &Folder, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_likewise"));
    command.args(arguments.split_whitespace()).current_dir(folder.path(""));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn parts(folder: &Folder) -> Vec<String> {
    folder.files().into_iter().filter(|name| name.ends_with(".part")).collect()
}

fn bytes(folder: &Folder, name: &str) -> Option<Vec<u8>> {
    fs::read(folder.path(name)).ok()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

#[test]
fn a_kill_at_any_moment() {
    let folder = folder();
    let begin = Instant::now();
    folder.run(BOTH).ok();
    let whole = begin.elapsed();
    let names = ["out.csv", "out.model"];
    let new = names.map(|name| bytes(&folder, name));
    let times = choose(10, 200);
    for at in 0..times {
        let old = at % 2 == 0;
        for name in names {
            if old {
                fs::write(folder.path(name), "old").unwrap()
            } else {
                fs::remove_file(folder.path(name)).unwrap_or(())
            }
        }
        let mut child = command(&folder, BOTH).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(1.1 * f64::from(at) / f64::from(times)));
        child.kill().unwrap();
        child.wait().unwrap();
        let before = old.then(|| b"old".to_vec());
        for (name, new) in names.iter().zip(&new) {
            let found = bytes(&folder, name);
            assert!(
                found == before || found == *new,
                "{name} is neither what was there nor what was to come"
            );
        }
    }
    folder.run(BOTH).ok();
    assert_eq!(parts(&folder), Vec::<String>::new(), "what the killed left behind is cleared away");
    assert!(names.map(|name| bytes(&folder, name)) == new);
}

#[test]
fn a_full_disk_under_standard_output_and_error() {
    let folder = folder();
    folder.run(BOTH).ok();
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for arguments in [
        format!("{FIND} --method nb"),
        format!("{FIND} --method nb --output -"),
        "score out.model --in pile.jsonl".into(),
        "explain out.model".into(),
        "explain out.model --in pile.jsonl --id r1 --json".into(),
        "methods".into(),
        "methods nb".into(),
        "methods --json".into(),
        "codes".into(),
        "--help".into(),
    ] {
        let ran = command(&folder, &arguments).stdout(full()).output().unwrap();
        assert_eq!(ran.status.code(), Some(1), "{arguments}: {}", said(&ran));
        let quiet = command(&folder, &arguments).stdout(Stdio::null()).stderr(full()).output().unwrap();
        let usual = command(&folder, &arguments).output().unwrap();
        assert_eq!(quiet.status.code(), usual.status.code(), "{arguments} with a full standard error");
    }
    let ran =
        command(&folder, &format!("{FIND} --method nb --output new.csv --model /dev/full")).output().unwrap();
    assert_eq!(ran.status.code(), Some(1), "{}", said(&ran));
    assert!(bytes(&folder, "new.csv").is_none() && parts(&folder).is_empty(), "{:?}", folder.files());
}

/// A file system of a few pages, for as long as it is held.
struct Tiny(tempfile::TempDir);

impl Tiny {
    fn mount() -> Option<Tiny> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "likewise-test"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success()).then_some(Tiny(folder))
    }
}

impl Drop for Tiny {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_under_files() {
    let Some(disk) = Tiny::mount() else { return skipped("a full disk: no file system can be mounted here") };
    let folder = folder();
    let place = |name: &str| disk.0.path().join(name);
    fs::write(place("out.csv"), "old").unwrap();
    for extension in ["csv", "csv.gz", "parquet", "jsonl"] {
        let out = place(&format!("out.{extension}"));
        let ran =
            command(&folder, &format!("{FIND} --method nb --keep-columns=text --output {}", out.display()))
                .output()
                .unwrap();
        if ran.status.success() {
            // Packed small enough.
            fs::remove_file(out).unwrap();
            continue;
        }
        assert_eq!(ran.status.code(), Some(1));
        assert!(said(&ran).contains("No space left"), "{}", said(&ran));
        assert!(said(&ran).contains("out."), "{}", said(&ran));
    }
    let left: Vec<_> = fs::read_dir(disk.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["out.csv"]);
    assert_eq!(fs::read(place("out.csv")).unwrap(), b"old");
}

#[test]
fn a_folder_that_may_not_be_written_to() {
    let folder = folder();
    let closed = folder.path("closed");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("out.csv"), "old").unwrap();
    fs::set_permissions(folder.path(""), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    // The administrator may write anywhere: somebody else must try.
    let binary = env!("CARGO_BIN_EXE_likewise");
    let ordinary = |arguments: &str| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", binary]);
        command.args(arguments.split_whitespace()).current_dir(folder.path(""));
        command.output()
    };
    if !ordinary("--version").is_ok_and(|ran| ran.status.success()) {
        return skipped("a folder that may not be written to: no ordinary user can be taken here");
    }
    for name in ["out.csv", "new.csv"] {
        let ran = ordinary(&format!("{FIND} --method nb --output closed/{name}")).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{}", said(&ran));
        assert!(said(&ran).contains("Permission denied") && said(&ran).contains(name), "{}", said(&ran));
    }
    assert_eq!(fs::read(closed.join("out.csv")).unwrap(), b"old");
    assert_eq!(fs::read_dir(&closed).unwrap().count(), 1);
}

#[test]
fn a_reader_that_goes_away() {
    let folder = folder();
    folder.run(BOTH).ok();
    for arguments in [
        format!("{FIND} --method nb --output -"),
        format!("{FIND} --method nb"),
        "score out.model --in pile.jsonl".into(),
        "explain out.model".into(),
        "methods --json".into(),
        "codes".into(),
        "find --help".into(),
    ] {
        let mut child = command(&folder, &arguments).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = child.wait_with_output().unwrap();
        let text = said(&ran);
        assert!(matches!(ran.status.code(), Some(0 | 1)), "{arguments}: {:?} {text}", ran.status);
        assert!(!text.contains("error"), "{arguments}: {text}");
    }
}

#[test]
fn an_input_that_shrinks_and_grows_while_it_is_read() {
    let folder = folder();
    folder.run(BOTH).ok();
    let text = folder.read("pile.jsonl");
    let path = folder.path("moving.jsonl");
    let (mut answered, mut refused) = (0, 0);
    for at in 0..choose(8, 100) {
        fs::write(&path, &text).unwrap();
        let score = "score out.model --in moving.jsonl --output moving.csv";
        let learn = "find --like like.jsonl --in moving.jsonl --method nb --output moving.csv --quiet";
        let mut child = command(&folder, if at % 2 == 0 { score } else { learn }).spawn().unwrap();
        let mut length = text.len();
        while child.try_wait().unwrap().is_none() {
            length = (length * 7 + 11 * at) % text.len();
            fs::write(&path, &text.as_bytes()[..length]).unwrap();
            fs::write(&path, text.repeat(2)).unwrap();
        }
        let ran = child.wait_with_output().unwrap();
        match ran.status.code() {
            Some(0) => {
                answered += 1;
                let lines = folder.read("moving.csv");
                assert!(lines.ends_with('\n') && lines.lines().all(|line| line.matches(',').count() >= 2));
                fs::remove_file(folder.path("moving.csv")).unwrap();
            }
            Some(1) => {
                refused += 1;
                assert!(said(&ran).contains("moving.jsonl"), "{}", said(&ran));
                assert!(bytes(&folder, "moving.csv").is_none());
            }
            other => panic!("{other:?}: {}", said(&ran)),
        }
        assert!(parts(&folder).is_empty());
    }
    assert!(answered + refused > 0);
}

#[test]
fn two_writers_of_one_file() {
    let folder = folder();
    let with = |method: &str| format!("{FIND} --method {method} --output out.csv --model out.model");
    let alone = ["nb", "lgn"].map(|method| {
        folder.run(&with(method)).ok();
        ["out.csv", "out.model"].map(|name| bytes(&folder, name))
    });
    for _ in 0..choose(4, 60) {
        let children = ["nb", "lgn", "nb"].map(|method| command(&folder, &with(method)).spawn().unwrap());
        for child in children {
            let ran = child.wait_with_output().unwrap();
            assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
        }
        for (at, name) in ["out.csv", "out.model"].iter().enumerate() {
            let found = bytes(&folder, name);
            assert!(alone.iter().any(|files| files[at] == found), "{name} is of neither writer");
        }
        assert!(parts(&folder).is_empty());
    }
}

/// The same command as a terminal would start it: whoever runs these tests by `nohup` has SIGHUP ignored, and a child
/// inherits that.
fn hearing_all_signals(command: Command) -> Command {
    if !cfg!(target_os = "linux") {
        return command;
    }
    let mut through = Command::new("env");
    through.arg("--default-signal").arg(command.get_program()).args(command.get_args());
    through.current_dir(command.get_current_dir().expect("commands run in a folder"));
    through.stdout(Stdio::null()).stderr(Stdio::piped());
    through
}

/// A command that has begun to write and waits for more rows; its input must stay open.
fn waiting(folder: &Folder, arguments: &str) -> Child {
    use std::io::Write;
    let mut child = hearing_all_signals(command(folder, arguments)).stdin(Stdio::piped()).spawn().unwrap();
    let rows = "{\"text\":\"refund please\"}\n".repeat(70_000);
    child.stdin.as_mut().unwrap().write_all(rows.as_bytes()).unwrap();
    let limit = Instant::now() + Duration::from_secs(60);
    while parts(folder).is_empty() {
        assert!(Instant::now() < limit, "it never begins to write");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

#[test]
fn a_signal_to_stop() {
    let folder = folder();
    folder.run(BOTH).ok();
    folder.write("out.csv", "old");
    for name in ["INT", "TERM", "HUP"] {
        let mut child = waiting(&folder, "score out.model --in - --format jsonl --output out.csv");
        let input = child.stdin.take();
        signal(&child, name);
        let ran = child.wait_with_output().unwrap();
        drop(input);
        assert_eq!(ran.status.code(), Some(130), "SIG{name}: {}", said(&ran));
        assert!(parts(&folder).is_empty(), "SIG{name}: {:?}", folder.files());
        assert_eq!(folder.read("out.csv"), "old");
    }
}

/// `nohup` says that the end of a terminal is no reason to stop.
#[test]
fn a_signal_that_was_to_be_ignored() {
    let folder = folder();
    folder.run(BOTH).ok();
    let script = "trap '' HUP; exec \"$0\" score out.model --in - --format jsonl --output out.csv";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_likewise")]).current_dir(folder.path(""));
    let mut child = shell.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let rows = "{\"text\":\"refund please\"}\n".repeat(70_000);
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), rows.as_bytes()).unwrap();
    while parts(&folder).is_empty() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    signal(&child, "HUP");
    // Longer than work is given to end by itself after a signal.
    std::thread::sleep(Duration::from_millis(1500));
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
    assert_eq!(folder.read("out.csv").lines().count(), 70_001);
}

#[test]
fn a_clock_that_is_set_back() {
    let folder = folder();
    folder.run(BOTH).ok();
    let names = ["out.csv", "out.model"];
    let now = names.map(|name| bytes(&folder, name));
    // Left behind by a process that is gone, in what the program must take for the future.
    folder.write(".likewise-out.csv-abc123.part", "half");
    let mut faked = Command::new("faketime");
    faked.args(["-f", "-20y", env!("CARGO_BIN_EXE_likewise")]).args(BOTH.split_whitespace());
    match faked.current_dir(folder.path("")).output() {
        Err(_) => return skipped("a clock that is set back: faketime is not installed"),
        Ok(ran) => assert_eq!(ran.status.code(), Some(0), "{}", said(&ran)),
    }
    assert!(names.map(|name| bytes(&folder, name)) == now);
    assert!(parts(&folder).is_empty());
}

#[test]
fn a_table_that_would_not_fit_into_memory() {
    let folder = folder();
    let once = "find --like like.jsonl --in - --format jsonl --memory 33M --output out.csv";
    let refused = folder.run_with_input(once, &folder.read("pile.jsonl"));
    refused.failed(1, &["need about", "33 MiB may be used", "--text", "--sample N", "--memory SIZE"]);
    assert!(!Path::new(&folder.path("out.csv")).exists());
    // What can be read twice is learned from in part.
    let find = "find --like like.jsonl --in pile.jsonl --method nb --output";
    let sampled = folder.run(&format!("{find} out.csv --memory 33M")).ok();
    assert!(sampled.err.contains("learning from 100,000 of its rows"), "{}", sampled.err);
    folder.run(&format!("{find} same.csv --sample 100000")).ok();
    assert_eq!(folder.read("out.csv"), folder.read("same.csv"));
    folder.run(&format!("{FIND} --memory much")).failed(2, &["`much` is no amount of memory", "8G"]);
    folder.run(&format!("{FIND} --memory 8G --method nb")).ok();
    // Numbers are few bytes, and what the automatic choice makes of them is many.
    let rows: String = (0..20_000).map(|row| format!("{row},{}\n", row % 7)).collect();
    folder.write("numbers.csv", &format!("a,b\n{rows}"));
    folder.write("few.csv", "a,b\n1,2\n2,3\n3,1\n");
    let numbers = "find --like few.csv --in - --format csv --features a,b --memory 60M --output out.csv";
    let refused = folder.run_with_input(numbers, &folder.read("numbers.csv"));
    refused.failed(1, &["the work on them need about 84 MiB", "60 MiB may be used"]);
    folder.run_with_input(&format!("{numbers} --method logistic"), &folder.read("numbers.csv")).ok();
}
