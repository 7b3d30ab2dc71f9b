//! A project of a newer version, a damaged one, one that is open elsewhere: clear words, and not a byte is changed.

use crate::support::{import, messages, project};
use likewise::Run;
use likewise_review::Desk;
use likewise_review::desk::{Mode, Reader};
use likewise_review::project::Project;

fn refusal(path: &std::path::Path) -> String {
    let before = std::fs::read(path).unwrap();
    let message = Project::open(path).map(|_| ()).unwrap_err().to_string();
    assert!(std::fs::read(path).unwrap() == before, "the file was changed");
    message
}

#[test]
fn one_that_is_open_elsewhere_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (first, path) = project(folder.path(), &[], &messages(20, 2), 1);
    let message = Project::open(&path).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("open in another") && message.contains("end it first"), "{message}");
    drop(first);
    assert!(Project::open(&path).is_ok());
}

#[test]
fn one_of_a_newer_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (open, path) = project(folder.path(), &[], &messages(20, 2), 1);
    drop(open);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    connection.pragma_update(None, "journal_mode", "delete").unwrap();
    drop(connection);
    let message = refusal(&path);
    assert!(message.contains("newer likewise") && message.contains("99"), "{message}");
}

#[test]
fn what_is_damaged_or_no_project_is_said_to_be_so() {
    let folder = tempfile::tempdir().unwrap();
    let (open, path) = project(folder.path(), &[], &messages(2000, 2), 1);
    drop(open);
    let whole = std::fs::read(&path).unwrap();
    let other = folder.path().join("other.likewise");
    std::fs::write(&other, "these are notes of mine").unwrap();
    assert!(refusal(&other).contains("no project"), "{}", refusal(&other));
    std::fs::write(&other, "").unwrap();
    assert!(refusal(&other).contains("no project"), "{}", refusal(&other));
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE t(x)").unwrap();
    assert!(refusal(&other).contains("no project"), "{}", refusal(&other));
    // Cut short, and with a page of zeros: whatever is hit, the answer is words and never a panic.
    for cut in [100, 4096, whole.len() / 2] {
        std::fs::write(&other, &whole[..cut]).unwrap();
        let before = std::fs::read(&other).unwrap();
        if let Err(error) = Project::open(&other) {
            assert!(error.to_string().len() > 20, "{error}");
            assert_eq!(std::fs::read(&other).unwrap(), before);
        }
    }
    let mut torn = whole;
    torn[4096..8192].fill(0xaa);
    std::fs::write(&other, &torn).unwrap();
    assert!(refusal(&other).contains("damaged"), "{}", refusal(&other));
    assert!(Project::open(&folder.path().join("gone.likewise")).is_err());
}

#[test]
fn other_rows_do_not_take_the_place_of_a_project() {
    let folder = tempfile::tempdir().unwrap();
    let (open, path) = project(folder.path(), &[], &messages(20, 2), 1);
    drop(open);
    let message =
        import(&[], &messages(21, 2), 1).open(&path, &Run::new(1)).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("other rows") && message.contains("`project`"), "{message}");
    let like = ["refund it".to_string(), "refund that".into()];
    let (open, added) = import(&like, &messages(20, 2), 1).open(&path, &Run::new(1)).unwrap();
    assert_eq!(added.len(), 2, "new examples are added to the same rows");
    drop(open);
}

#[test]
#[cfg(unix)]
fn one_that_is_open_is_not_opened_again_by_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let (open, path) = project(folder.path(), &[], &messages(20, 2), 1);
    let link = folder.path().join("link.likewise");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(Project::open(&link).map(|_| ()).unwrap_err().to_string().contains("open in another"));
    drop(open);
    assert!(Project::open(&link).is_ok());
}

#[test]
#[cfg(unix)]
fn its_file_is_as_readable_as_others() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (_, path) = project(folder.path(), &[], &messages(20, 2), 1);
    let plain = folder.path().join("plain");
    std::fs::write(&plain, "").unwrap();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path), mode(&plain));
}

#[test]
fn a_damaged_row_is_named_and_the_others_are_read_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (open, path) = project(folder.path(), &[], &messages(20, 2), 1);
    drop(open);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute("UPDATE row SET body = x'0102' WHERE row = 7", []).unwrap();
    connection.execute("UPDATE row SET body = 'text' WHERE row = 9", []).unwrap();
    drop(connection);
    let desk = Desk::open(Project::open(&path).unwrap(), Vec::new(), false, &Run::new(1)).unwrap();
    desk.wait_for_training();
    let anna = Reader::person("anna", "a");
    let shown = desk.show(&anna, 7).unwrap();
    assert!(shown.text[0].1.contains("row `8` is damaged"), "{shown:?}");
    assert!(shown.text[0].1.contains("test.likewise"), "{shown:?}");
    assert_eq!(desk.hand_out(&anna, &[], 20, Mode::Random).rows.len(), 20);
    let request = serde_json::from_str(r#"{"what":"all","as":"csv"}"#).unwrap();
    let (bytes, notes) = likewise_review::export::bytes(&path, &request).unwrap();
    let csv = String::from_utf8(bytes).unwrap();
    assert!(csv.lines().count() == 19 && csv.contains("question 19"), "{csv}");
    assert!(notes.len() == 1 && notes[0].to_string().contains("2 rows"), "{notes:?}");
}

/// As it is for one who may read a folder but not write into it.
#[test]
#[cfg(unix)]
fn it_is_exported_from_a_folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (open, path) = project(folder.path(), &[], &messages(20, 2), 1);
    drop(open);
    let locked = std::fs::Permissions::from_mode(0o555);
    let usual = std::fs::metadata(folder.path()).unwrap().permissions();
    std::fs::set_permissions(folder.path(), locked).unwrap();
    // Whoever may do everything is not kept out by this, and is told nothing by it.
    let request = serde_json::from_str(r#"{"what":"all","as":"csv"}"#).unwrap();
    let exported = likewise_review::export::bytes(&path, &request);
    std::fs::set_permissions(folder.path(), usual).unwrap();
    assert_eq!(String::from_utf8(exported.unwrap().0).unwrap().lines().count(), 21);
}
