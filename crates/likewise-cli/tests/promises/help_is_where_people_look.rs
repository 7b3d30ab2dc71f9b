//! Completions, manual pages and every command's help come out of the same definitions.

use crate::support::Folder;

#[test]
fn options_stand_under_their_headings_and_examples_at_the_end() {
    let help = Folder::new().run("find --help").ok().out;
    let under = |option: &str| {
        let before = help.split(option).next().unwrap();
        before.lines().rfind(|line| line.ends_with(':') && !line.starts_with(' ')).unwrap().to_string()
    };
    assert_eq!(under("--method <"), "Method:", "{help}");
    assert_eq!(under("--database <"), "Related tables:", "{help}");
    assert_eq!(under("--output <"), "Answer:", "{help}");
    for (call, option, heading) in [
        ("evaluate", "--label <", "Truth:"),
        ("reproduce", "--data <", "Experiments:"),
        ("help", "--guide", "Guide:"),
        ("review", "--project <", "Examples and pile:"),
    ] {
        let help = Folder::new().run(&format!("{call} --help")).ok().out;
        let before = help.split(&format!("\n      {option}")).next().unwrap();
        assert!(before.lines().rfind(|l| l.ends_with(':') && !l.starts_with(' ')) == Some(heading), "{help}");
        assert!(!help.contains("_ALONE"), "{help}");
    }
    let end = help.split("Examples:").nth(1).expect("examples");
    assert_eq!(end.matches("  likewise find ").count(), 2, "{help}");
    assert!(end.contains("Exit codes: 0 success"), "{help}");
}

#[test]
fn the_definitions_hold_together() {
    likewise_cli::command().debug_assert();
}

#[test]
fn every_option_has_a_heading() {
    for command in likewise_cli::command().get_subcommands().filter(|c| !c.is_hide_set()) {
        for argument in command.get_arguments().filter(|argument| argument.get_long().is_some()) {
            assert!(
                argument.get_help_heading().is_some(),
                "`--{}` of `{}` has no heading: add it to HEADINGS in help.rs",
                argument.get_long().unwrap(),
                command.get_name()
            );
        }
    }
}

#[test]
fn every_command_takes_its_two_examples() {
    for command in likewise_cli::command().get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = command.get_name();
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let examples: Vec<&str> = after.lines().filter_map(|line| line.strip_prefix("  likewise ")).collect();
        assert_eq!(examples.len(), 2, "`{name}` needs two examples in help.rs");
        for example in examples {
            let typed = example.split(" > ").next().unwrap().split(' ');
            let parsed =
                likewise_cli::command().try_get_matches_from(std::iter::once("likewise").chain(typed));
            assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            assert!(example.starts_with(name), "{example}");
        }
    }
}

#[test]
fn every_shell_gets_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = folder.run(&format!("completions {shell}")).ok().out;
        assert!(script.contains("keep-positives") && script.contains("likewise"), "{shell}");
        // What is made for PowerShell has no values, for fish those of options alone.
        let offered: &[&str] = match shell {
            "bash" | "zsh" => &["logistic-smooth", "svmlight", "five-minutes"],
            "fish" => &["logistic-smooth", "svmlight"],
            _ => &[],
        };
        for value in offered {
            assert!(script.contains(value), "{shell} does not offer `{value}`");
        }
    }
    folder.run("completions tcsh").failed(2, &["possible values"]);
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = Folder::new();
    folder.run("manual pages/man1").ok();
    let page = folder.read("pages/man1/likewise-find.1");
    assert!(page.starts_with(".ie") || page.contains(".TH"), "{page}");
    assert!(
        page.contains(".SH EXAMPLES\n.nf\nlikewise find ") && page.contains(".SH \"EXIT STATUS\""),
        "{page}"
    );
    assert!(
        page.contains("keep") && page.lines().any(|l| l.starts_with(".TH") && l.contains("likewise 0.")),
        "{page}"
    );
    for name in ["likewise", "likewise-score", "likewise-explain", "likewise-completions", "likewise-help"] {
        assert!(folder.path(&format!("pages/man1/{name}.1")).is_file(), "{name}");
    }
}

#[test]
fn help_shows_commands_and_chapters() {
    let folder = Folder::new();
    assert_eq!(folder.run("help find").ok().out, folder.run("find --help").ok().out);
    let chapter = folder.run("help marking").ok().out;
    assert!(chapter.starts_with("How to mark\n===========\n\n"), "{chapter}");
    assert!(chapter.contains("\n    $ likewise audit\n    12 examples"), "{chapter}");
    assert!(!chapter.contains("](") && !chapter.contains("```"), "{chapter}");
    assert_eq!(folder.run("help nb").ok().out, folder.run("methods nb").ok().out);
    // A command goes before a chapter of the same name, and says so.
    let both = folder.run("help unexpected").ok();
    assert!(both.out.contains("Usage: likewise unexpected") && both.err.contains("help --guide unexpected"));
    let guided = folder.run("help --guide unexpected").ok().out;
    assert!(guided.starts_with("What belongs to none of the known classes\n"), "{guided}");
    assert!(folder.run("help").ok().out.contains("\n  marking         How to mark\n"));
    folder
        .run("help nonsense")
        .failed(2, &["no command, chapter or method `nonsense`", "  glossary        Glossary"]);
    folder.run("help --guide find").failed(2, &["no chapter `find`"]);
}
