//! The files of the page, which are in the program.

/// Path, kind and content. Nothing else is ever served, and no path of a request is opened.
pub const FILES: [(&str, &str, &str); 19] = [
    ("/", "text/html; charset=utf-8", include_str!("../../page/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("../../page/style.css")),
    ("/icon.svg", "image/svg+xml", include_str!("../../page/icon.svg")),
    ("/main.js", SCRIPT, include_str!("../../page/main.js")),
    ("/api.js", SCRIPT, include_str!("../../page/api.js")),
    ("/outbox.js", SCRIPT, include_str!("../../page/outbox.js")),
    ("/away.js", SCRIPT, include_str!("../../page/away.js")),
    ("/events.js", SCRIPT, include_str!("../../page/events.js")),
    ("/figures.js", SCRIPT, include_str!("../../page/figures.js")),
    ("/preferences.js", SCRIPT, include_str!("../../page/preferences.js")),
    ("/download.js", SCRIPT, include_str!("../../page/download.js")),
    ("/queue.js", SCRIPT, include_str!("../../page/queue.js")),
    ("/card.js", SCRIPT, include_str!("../../page/card.js")),
    ("/words.js", SCRIPT, include_str!("../../page/words.js")),
    ("/panel.js", SCRIPT, include_str!("../../page/panel.js")),
    ("/keys.js", SCRIPT, include_str!("../../page/keys.js")),
    ("/history.js", SCRIPT, include_str!("../../page/history.js")),
    ("/dialogs.js", SCRIPT, include_str!("../../page/dialogs.js")),
    ("/swipe.js", SCRIPT, include_str!("../../page/swipe.js")),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

pub fn file(path: &str) -> Option<(&'static str, &'static str)> {
    FILES.iter().find(|(name, ..)| *name == path).map(|(_, kind, content)| (*kind, *content))
}
