//! Nobody marks, reads or embeds but who holds the token; each attack is tried.

use crate::support::{Page, desk, messages};

fn page(folder: &std::path::Path) -> Page {
    Page::serve(desk(folder, &[], &messages(40, 4), 1))
}

const MARK: &str = r#"{"base":0,"key":"k","marks":[{"row":1,"verdict":"yes"}]}"#;

#[test]
fn each_attack_is_refused_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let host = format!("Host: {}", page.host());
    let cookie = format!("Cookie: {}", page.cookie());
    let ours = format!("Origin: http://{}", page.host());
    let json = "Content-Type: application/json";
    let post = "POST /api/marks";
    let short = format!("Cookie: {}", &page.cookie()[..page.cookie().len() - 1]);
    for (what, status, line, headers) in [
        ("no token", 401, "GET /api/state", vec![host.as_str()]),
        ("no token for the page", 401, "GET /", vec![&host]),
        ("a wrong token in the address", 401, "GET /?token=abc", vec![&host]),
        ("a wrong cookie", 401, "GET /api/state", vec![&host, "Cookie: likewise-1=abc"]),
        ("half the token", 401, "GET /api/state", vec![&host, &short]),
        ("a name that was pointed here", 421, "GET /api/state", vec!["Host: evil.example", &cookie]),
        ("the same with our port", 421, "GET /", vec!["Host: evil.example:80", &cookie]),
        ("two hosts", 421, "GET /api/state", vec![&host, "Host: evil.example", &cookie]),
        ("no host", 421, "GET /api/state", vec![&cookie]),
        ("another page", 403, post, vec![&host, &cookie, "Origin: http://evil.example", json]),
        ("a page without origin", 403, post, vec![&host, &cookie, "Origin: null", json]),
        ("another port", 403, post, vec![&host, &cookie, "Origin: http://127.0.0.1:1", json]),
        ("another site", 403, post, vec![&host, &cookie, "Sec-Fetch-Site: cross-site", json]),
        ("a neighbour", 403, post, vec![&host, &cookie, "Sec-Fetch-Site: same-site", json]),
        ("a form", 415, post, vec![&host, &cookie, &ours, "Content-Type: text/plain"]),
        (
            "a form of pairs",
            415,
            post,
            vec![&host, &cookie, "Content-Type: application/x-www-form-urlencoded"],
        ),
        ("no kind at all", 415, post, vec![&host, &cookie]),
        ("a wrong way", 405, "DELETE /api/marks", vec![&host, &cookie, json]),
    ] {
        let answer = page.raw(line, &headers, if line.starts_with("GET") { "" } else { MARK });
        // Servers that speak HTTP/1.1 may refuse a missing or doubled host before we see it.
        let refused = answer.status() == status || (status == 421 && answer.status() == 400);
        assert!(refused, "{what}: {} instead of {status}", answer.0);
    }
    let state = page.ask("GET /api/state", "a", "").json();
    assert_eq!((state["seq"].as_u64(), state["read"].as_u64()), (Some(0), Some(0)));
    assert_eq!(page.ask(post, "a", MARK).status(), 200, "the same as the page sends it");
}

#[test]
fn the_token_becomes_a_cookie_that_no_script_reads() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let host = format!("Host: {}", page.host());
    let answer = page.raw(&format!("GET /?token={}", page.token), &[&host], "");
    assert_eq!((answer.status(), answer.header("location").as_deref()), (303, Some("/")));
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let elsewhere = page.raw(&format!("GET /api/state?token={}", page.token), &[&host], "");
    assert_eq!(elsewhere.status(), 401, "only the first address takes it");
}

#[test]
fn two_projects_in_one_browser_keep_apart() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (one, other) = (page(one.path()), page(other.path()));
    // A browser sends the cookies of both ports to each.
    let cookies = format!("Cookie: {}; {}", one.cookie(), other.cookie());
    let mut ids = Vec::new();
    for page in [&one, &other] {
        let answer = page.raw("GET /api/state", &[&format!("Host: {}", page.host()), &cookies], "");
        assert_eq!(answer.status(), 200);
        ids.push(answer.json()["id"].as_str().unwrap().to_string());
    }
    assert_ne!(ids[0], ids[1]);
    let host = format!("Host: {}", one.host());
    let mark = |project: &str| {
        let project = format!("x-project: {project}");
        one.raw("POST /api/marks", &[&host, &cookies, &project, "Content-Type: application/json"], MARK)
    };
    let astray = mark(&ids[1]);
    assert!(astray.status() == 421 && astray.body().contains("another project"), "{}", astray.0);
    assert_eq!(mark(&ids[0]).status(), 200);
}

#[test]
fn every_answer_says_what_a_browser_may_do_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    for line in ["GET /", "GET /api/state", "GET /nothing", "GET /api/rows/999"] {
        let answer = page.ask(line, "a", "");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(answer.header("x-content-type-options").as_deref(), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy").as_deref(), Some("no-referrer"));
        assert_eq!(answer.header("cache-control").as_deref(), Some("no-store"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    let html = page.ask("GET /", "a", "").0;
    assert!(!html.contains("<script>") && !html.contains(" style=") && !html.contains("onclick"));
    assert!(!html.contains("http://") && !html.contains("https://"), "nothing from elsewhere");
}

#[test]
fn no_path_of_a_request_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "/page/",
        "/api/",
        "/api/../../etc/passwd",
        "/main.js/",
        "/api/rows/..%2f..%2fetc%2fpasswd",
        "/api/rows/-1",
        "/api/rows/99999999999999999999",
        "/api/export?what=yes&as=../../etc/passwd",
        "/api/export?what=/etc/passwd&as=csv",
    ] {
        let answer = page.ask(&format!("GET {path}"), "a", "");
        assert!([400, 404].contains(&answer.status()), "{path}: {}", answer.0);
        assert!(!answer.0.contains("root:") && !answer.0.contains("[package]"), "{path}");
    }
}

#[test]
fn bodies_are_bounded_and_nonsense_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let huge = format!(r#"{{"base":0,"key":"{}","marks":[]}}"#, "x".repeat(300 << 10));
    assert_eq!(page.ask("POST /api/marks", "a", &huge).status(), 413);
    for (what, body, status) in [
        ("no JSON", "{", 400),
        ("another shape", r#"{"rows":[1]}"#, 400),
        ("no such verdict", r#"{"base":0,"key":"k","marks":[{"row":1,"verdict":"perhaps"}]}"#, 400),
        ("no marks", r#"{"base":0,"key":"k","marks":[]}"#, 400),
        ("no key", r#"{"base":0,"key":"","marks":[{"row":1,"verdict":"yes"}]}"#, 400),
        ("a negative row", r#"{"base":0,"key":"k","marks":[{"row":-1,"verdict":"yes"}]}"#, 400),
        ("no such row", r#"{"base":0,"key":"k","marks":[{"row":4000,"verdict":"yes"}]}"#, 404),
    ] {
        let answer = page.ask("POST /api/marks", "a", body);
        assert_eq!(answer.status(), status, "{what}: {}", answer.0);
        assert!(answer.json()["error"].as_str().is_some_and(|text| text.len() > 10), "{what}");
    }
    let bad = r#"{"target":1.5,"alpha":0.05}"#;
    assert_eq!(page.ask("PUT /api/settings", "a", bad).status(), 400);
    assert_eq!(page.ask("GET /api/state", "a", "").json()["seq"].as_u64(), Some(0));
}

#[test]
fn a_search_is_only_ever_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let found = |query: &str| page.ask(&format!("GET /api/search?q={query}"), "a", "");
    assert_eq!(found("refund").json()["rows"].as_array().unwrap().len(), 10);
    assert_eq!(found("refu").json()["rows"].as_array().unwrap().len(), 10, "the beginning of a word");
    for query in
        ["%22", "*", "NEAR(", "text:", "a%20OR%20b", "%27;DROP%20TABLE%20row", "%00", "-", "\u{202e}"]
    {
        let query: String =
            query.chars().map(|c| if c.is_ascii() { c.to_string() } else { "%E2%80%AE".into() }).collect();
        assert_eq!(found(&query).status(), 200, "{query}");
    }
}

#[test]
fn others_are_let_in_only_with_a_long_token() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path(), &[], &messages(10, 2), 1);
    let open = |token: Option<&str>| {
        let address = "0.0.0.0".parse().unwrap();
        let token = token.map(str::to_string);
        let options = likewise_review::http::ServerOptions { address, token, ..Default::default() };
        likewise_review::http::Server::bind(desk.clone(), &options).map(|_| ()).map_err(|e| e.to_string())
    };
    assert!(open(None).unwrap_err().contains("token"));
    assert!(open(Some("short")).unwrap_err().contains("16 letters"));
    assert!(open(Some("long enough, but not plain")).unwrap_err().contains("letters, digits"));
    assert!(open(Some("0123456789abcdef")).is_ok());
}
