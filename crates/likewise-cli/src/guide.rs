//! The chapters of the guide, as text for a terminal.
//!
//! They lie below this crate, so that a published package holds them; the book is built from the same files.

mod text;

pub use text::{as_text, wrapped};

/// A chapter: what it is called by, and its Markdown.
pub struct Chapter {
    pub name: &'static str,
    pub markdown: &'static str,
}

macro_rules! chapters {
    ($($name:literal)*) => {
        /// Every chapter, in the order of the book.
        pub const CHAPTERS: &[Chapter] = &[$(
            Chapter { name: $name, markdown: include_str!(concat!("../guide/", $name, ".md")) },
        )*];
    };
}

chapters! {
    "introduction" "five-minutes" "marking" "numbers" "text" "tables" "related-tables" "tomorrow" "unexpected"
    "python" "beyond" "choosing" "methods" "own-method" "papers" "reliability" "glossary"
}

impl Chapter {
    pub fn find(name: &str) -> Option<&'static Chapter> {
        CHAPTERS.iter().find(|chapter| chapter.name == name)
    }

    pub fn title(&self) -> &'static str {
        self.markdown.lines().next().unwrap_or_default().trim_start_matches("# ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chapters_are_those_of_the_book_in_its_order() {
        let summary = include_str!("../guide/SUMMARY.md");
        let linked = summary.lines().filter_map(|line| line.split_once("](")?.1.split_once(".md)"));
        let linked: Vec<&str> = linked.map(|(name, _)| name).collect();
        assert_eq!(CHAPTERS.iter().map(|chapter| chapter.name).collect::<Vec<_>>(), linked);
        for chapter in CHAPTERS {
            assert!(chapter.markdown.starts_with("# "), "{} has no title", chapter.name);
        }
    }
}
