//! As much of Markdown as the guide uses, set for a terminal: paragraphs, lists, tables, blocks of code.

use std::iter::Peekable;
use std::str::Lines;

use crate::terminal::columns;

/// Wider lines are hard to read, however wide the screen.
const WIDEST: usize = 100;
const BLOCK: &str = "    ";

/// The text of a chapter in lines of at most `width` characters, where words and output allow it.
pub fn as_text(markdown: &str, width: usize) -> String {
    let width = width.min(WIDEST);
    let mut out = String::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            code(&mut out, &mut lines);
        } else if let Some(title) = line.strip_prefix("# ") {
            heading(&mut out, title, '=');
        } else if let Some(title) = line.strip_prefix("## ") {
            heading(&mut out, title, '-');
        } else if line.starts_with('|') {
            table(&mut out, line, &mut lines, width);
        } else if line.starts_with("![") || line.starts_with("<!--") {
            // A picture, or the place of one in the book, has no text of its own.
        } else if line.is_empty() {
            separate(&mut out);
        } else {
            let item = line.starts_with("- ");
            let mut words = line.trim_start_matches("- ").to_string();
            let ends = |next: &&str| {
                next.is_empty()
                    || ["- ", "```", "|", "#", "<!--", "!["].iter().any(|start| next.starts_with(start))
            };
            while let Some(more) = lines.next_if(|next| !ends(next)) {
                words.push(' ');
                words.push_str(more.trim_start());
            }
            let (first, others) = if item { ("- ", "  ") } else { ("", "") };
            for (at, line) in wrapped(&inline(&words), width - first.len()).iter().enumerate() {
                push(&mut out, &format!("{}{line}", if at == 0 { first } else { others }));
            }
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// One blank line, not two.
fn separate(out: &mut String) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
}

fn heading(out: &mut String, title: &str, line: char) {
    separate(out);
    let title = inline(title);
    push(out, &title);
    push(out, &line.to_string().repeat(columns(&title)));
}

fn code(out: &mut String, lines: &mut Peekable<Lines>) {
    separate(out);
    for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
        // What the book takes from another file lies beside neither the program nor its user.
        let line = match line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}")) {
            Some(path) => format!("(crates/{} of the repository)", path.trim_start_matches("../")),
            None => line.to_string(),
        };
        push(out, &format!("{BLOCK}{line}"));
    }
    separate(out);
}

fn table(out: &mut String, first: &str, lines: &mut Peekable<Lines>, width: usize) {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| inline(cell.trim())).collect()
    };
    let mut rows = vec![cells(first)];
    while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
        rows.push(cells(line));
    }
    // The line below the head is drawn for the eye only, and a head may be empty.
    rows.retain(|row| row.iter().any(|cell| !cell.trim_matches(['-', ':']).is_empty()));
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    // A column takes what its widest cell wants, as far as its share of the line; the last one takes the rest.
    let room = width / count.max(1);
    let widest = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| columns(cell)).max();
    let mut widths: Vec<usize> = (0..count).map(|at| widest(at).unwrap_or(0).min(room.max(12))).collect();
    if let Some((last, before)) = widths.split_last_mut() {
        *last = width.saturating_sub(before.iter().sum::<usize>() + 2 * before.len()).max(20);
    }
    separate(out);
    for row in rows {
        let cells: Vec<Vec<String>> = row.iter().zip(&widths).map(|(c, w)| wrapped(c, *w)).collect();
        for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::new();
            for (cell, width) in cells.iter().zip(&widths) {
                let text = cell.get(at).map_or("", String::as_str);
                line.push_str(text);
                line.push_str(&" ".repeat((width + 2).saturating_sub(columns(text))));
            }
            push(out, &line);
        }
    }
    separate(out);
}

/// The words of a text in lines of at most `width` columns, where words allow it.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("never empty");
        if !line.is_empty() && columns(line) + 1 + columns(word) > width {
            lines.push(word.to_string());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines
}

/// Links say where they lead; stars around words are left out. Code between backticks stays as it is.
fn inline(text: &str) -> String {
    let links = text.split('`').enumerate().map(|(at, part)| {
        if at % 2 == 1 { format!("`{part}`") } else { without_links(part).replace('*', "") }
    });
    links.collect()
}

fn without_links(mut text: &str) -> String {
    let mut out = String::new();
    while let Some((before, rest)) = text.split_once('[') {
        let Some((words, (target, after))) =
            rest.split_once("](").and_then(|(w, r)| Some((w, r.split_once(')')?)))
        else {
            break;
        };
        out.push_str(before);
        out.push_str(words);
        match target.strip_suffix(".md") {
            Some(chapter) => out.push_str(&format!(" (`likewise help {chapter}`)")),
            None => out.push_str(&format!(" <{target}>")),
        }
        text = after;
    }
    out + text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_links_lead_to_chapters() {
        let text = as_text(
            "# A *title*\n\nOne two\nthree; see [marks](marking.md).\n- first\n  more\n- second\n",
            24,
        );
        let lines = [
            "A title",
            "=======",
            "",
            "One two three; see marks",
            "(`likewise help",
            "marking`).",
            "- first more",
            "- second",
        ];
        assert_eq!(text, lines.join("\n") + "\n");
    }

    #[test]
    fn output_stands_as_it_was_printed_and_tables_in_columns() {
        let text = as_text(
            "a\n```\n$ x | y  *\n```\n![picture](p.png)\n<!-- picture: p -->\n| | |\n|---|---|\n| `k` | long words here |\n",
            23,
        );
        let lines = ["a", "", "    $ x | y  *", "", "`k`  long words here"];
        assert_eq!(text, lines.join("\n") + "\n");
    }
}
