//! `methods` walks the registry.

use crate::support::Folder;

#[test]
fn lists_describes_and_speaks_json() {
    let folder = Folder::new();
    let list = folder.run("methods").ok().out;
    for entry in likewise::registry::all() {
        assert!(
            list.lines().any(|line| line.starts_with(entry.spec().name)),
            "{} is not listed",
            entry.spec().name
        );
        let one = folder.run(&format!("methods {}", entry.spec().name)).ok().out;
        for parameter in entry.parameters() {
            assert!(one.contains(&format!("  {} [", parameter.name)), "{one}");
        }
        let assumes = entry.spec().assumes;
        assert!(assumes.ends_with('.') && in_words(&one).contains(&format!("assumes: {assumes}")), "{one}");
        assert!(one.lines().all(|line| line.chars().count() <= 100), "{one}");
    }
    let json: serde_json::Value = serde_json::from_str(&folder.run("methods --json").ok().out).unwrap();
    assert_eq!(json.as_array().unwrap().len(), likewise::registry::all().count());
    assert!(json.as_array().unwrap().iter().all(|method| method["assumes"].as_str().unwrap().len() > 20));
    folder.run("methods lgm").failed(2, &["did you mean `lgn`"]);
}

/// The text on one line.
fn in_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
