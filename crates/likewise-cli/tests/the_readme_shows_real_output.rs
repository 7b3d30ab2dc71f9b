//! What the README shows below a `$ likewise …` is what the program prints, wherever it reads nothing but the sample.

mod support;

use support::Folder;

const README: &str = include_str!("../../../README.md");
const SAMPLE: &str = include_str!("../sample/helpdesk.jsonl");

/// The commands that read the sample, and how many times each is shown.
const SHOWN: [(&str, usize); 5] =
    [("find", 1), ("explain", 2), ("evaluate", 1), ("audit", 1), ("methods", 1)];

/// Every command in a block, with the lines below it.
fn shown() -> Vec<(&'static str, Vec<&'static str>)> {
    let blocks = README.split("```").skip(1).step_by(2);
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for block in blocks {
        let mut inside = false;
        for line in block.lines().skip(1) {
            if let Some(command) = line.strip_prefix("$ ") {
                inside = command.starts_with("likewise ");
                if inside {
                    found.push((&command["likewise ".len()..], Vec::new()));
                }
            } else if let (true, Some((_, output))) = (inside, found.last_mut()) {
                output.push(line);
            }
        }
    }
    found
}

#[test]
fn commands_on_the_sample_print_what_the_readme_shows() {
    let folder = Folder::new();
    folder.write("helpdesk.jsonl", SAMPLE);
    assert_eq!(folder.run("find --output ranked.jsonl --quiet").code, 0);
    assert_eq!(folder.run("find --method logistic --cut natural --model refunds.model --quiet").code, 0);
    let on_sample = |command: &str| {
        let name = command.split(' ').next();
        SHOWN.iter().any(|(known, _)| Some(*known) == name) && !command.contains("--database")
    };
    let shown: Vec<_> = shown().into_iter().filter(|(command, _)| on_sample(command)).collect();
    for (name, times) in SHOWN {
        let found = shown.iter().filter(|(command, _)| command.split(' ').next() == Some(name)).count();
        assert_eq!(found, times, "`$ likewise {name}` is in the README");
    }
    for (command, expected) in shown {
        let ran = folder.run(command);
        assert_eq!(ran.code, 0, "{command}: {}", ran.err);
        // A terminal mixes the two streams; each has its own order.
        let (mut out, mut err) = (ran.out.lines(), ran.err.lines());
        for line in expected.iter().filter(|line| !line.is_empty() && **line != "…") {
            let holds = |stream: &std::str::Lines| stream.clone().any(|printed| printed == *line);
            let stream = if holds(&out) { &mut out } else { &mut err };
            assert!(
                stream.any(|printed| printed == *line),
                "the README shows\n{line}\nfor `likewise {command}`, which prints\n{}{}",
                ran.out,
                ran.err
            );
        }
    }
}
