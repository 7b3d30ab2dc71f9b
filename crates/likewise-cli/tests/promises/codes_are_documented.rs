//! The page of codes is what the program prints.

use std::process::Command;

#[test]
fn the_page_of_codes_is_made_by_the_program() {
    let out = Command::new(env!("CARGO_BIN_EXE_likewise")).arg("codes").output().unwrap();
    assert!(out.status.success());
    let page = include_str!("../../../../docs/codes.md");
    assert_eq!(
        String::from_utf8(out.stdout).unwrap(),
        page,
        "make it anew: cargo run -- codes > docs/codes.md"
    );
    assert_eq!(page.matches("\n| `").count(), likewise::codes::ALL.len());
}
