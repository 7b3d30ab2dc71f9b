//! The frame of every report: head, style, sections, tables. No script, nothing fetched.

const STYLE: &str = include_str!("style.css");

/// How a cell compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Near,
    Above,
    Below,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Tone::Plain => "",
            Tone::Near => "near",
            Tone::Above => "above",
            Tone::Below => "below",
        }
    }
}

/// A page under construction.
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    pub fn new(title: &str) -> Self {
        Page { title: title.into(), body: format!("<h1>{}</h1>\n", escape(title)) }
    }

    pub fn heading(&mut self, text: &str) -> &mut Self {
        self.body.push_str(&format!("<h2>{}</h2>\n", escape(text)));
        self
    }

    pub fn paragraph(&mut self, text: &str) -> &mut Self {
        self.body.push_str(&format!("<p>{}</p>\n", prose(text)));
        self
    }

    /// Something the reader must not miss.
    pub fn warning(&mut self, text: &str) -> &mut Self {
        self.body.push_str(&format!("<p class=\"warning\">{}</p>\n", prose(text)));
        self
    }

    /// Markup made by `chart`.
    pub fn figure(&mut self, svg: &str, caption: &str) -> &mut Self {
        self.body.push_str(&format!("<figure>{svg}<figcaption>{}</figcaption></figure>\n", escape(caption)));
        self
    }

    /// A table; cells that look like numbers are set to the right.
    pub fn table(&mut self, head: &[&str], rows: &[Vec<String>]) -> &mut Self {
        let names: String = head.iter().map(|name| format!("<th>{}</th>", escape(name))).collect();
        let cell = |text: &String| {
            let number = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || ".,+-% ".contains(c));
            let class = if number { " class=\"number\"" } else { "" };
            format!("<td{class}>{}</td>", escape(text))
        };
        let rows: String = rows
            .iter()
            .map(|row| format!("<tr>{}</tr>\n", row.iter().map(cell).collect::<String>()))
            .collect();
        self.body.push_str(&format!("<div class=\"wide\"><table><thead><tr>{names}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"));
        self
    }

    /// A part of the page that `contents` links to.
    pub fn chapter(&mut self, anchor: &str, text: &str) -> &mut Self {
        self.body.push_str(&format!("<h1 id=\"{}\">{}</h1>\n", escape(anchor), escape(text)));
        self
    }

    /// Links to chapters: anchor and text.
    pub fn contents(&mut self, links: &[(String, String)]) -> &mut Self {
        let items: String = links
            .iter()
            .map(|(anchor, text)| format!("<li><a href=\"#{}\">{}</a></li>", escape(anchor), escape(text)))
            .collect();
        self.body.push_str(&format!("<nav><ul>{items}</ul></nav>\n"));
        self
    }

    pub fn list(&mut self, lines: &[&str]) -> &mut Self {
        let items: String = lines.iter().map(|line| format!("<li>{}</li>", prose(line))).collect();
        self.body.push_str(&format!("<ul>{items}</ul>\n"));
        self
    }

    /// What the colours of cells mean.
    pub fn legend(&mut self, tones: &[(Tone, &str)]) -> &mut Self {
        let item = |(tone, text): &(Tone, &str)| {
            format!("<span class=\"{}\">{}</span> ", tone.class(), escape(text))
        };
        let items: String = tones.iter().map(item).collect();
        self.body.push_str(&format!("<p class=\"legend\">{items}</p>\n"));
        self
    }

    /// Curves made by `chart::curves`, and which colour is whose.
    pub fn figure_with_key(&mut self, svg: &str, names: &[&str]) -> &mut Self {
        let item = |(at, name): (usize, &&str)| {
            format!("<span><i class=\"{}\"></i>{}</span> ", crate::chart::colour(at), escape(name))
        };
        let key: String = names.iter().enumerate().map(item).collect();
        self.body.push_str(&format!("<figure>{svg}<figcaption class=\"key\">{key}</figcaption></figure>\n"));
        self
    }

    /// A table whose cells are coloured; a cell of two lines stands in two lines.
    pub fn toned_table(&mut self, head: &[&str], rows: &[Vec<(String, Tone)>]) -> &mut Self {
        let names: String = head.iter().map(|name| format!("<th>{}</th>", escape(name))).collect();
        let cell = |(text, tone): &(String, Tone)| {
            let text = escape(text).replace('\n', "<br>");
            match tone {
                Tone::Plain => format!("<td>{text}</td>"),
                tone => format!("<td class=\"{}\">{text}</td>", tone.class()),
            }
        };
        let rows: String = rows
            .iter()
            .map(|row| format!("<tr>{}</tr>\n", row.iter().map(cell).collect::<String>()))
            .collect();
        self.body.push_str(&format!("<div class=\"wide\"><table class=\"toned\"><thead><tr>{names}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"));
        self
    }

    /// The body alone, to stand in a page of somebody else, such as a notebook: its style touches nothing around it.
    pub fn fragment(&self) -> String {
        let style = STYLE.replace(":root", "&").replace("\nbody {", "\n& {");
        format!("<div class=\"likewise\">\n<style>\n.likewise {{\n{style}}}\n</style>\n{}</div>\n", self.body)
    }

    /// The whole file.
    pub fn html(&self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
            escape(&self.title),
            self.body
        )
    }
}

/// Text in which `names` stand between backticks.
fn prose(text: &str) -> String {
    let escaped = escape(text);
    let parts: Vec<&str> = escaped.split('`').collect();
    // An odd backtick is a character like any other.
    if parts.len().is_multiple_of(2) {
        return parts.join("`");
    }
    let mark = |(at, part): (usize, &&str)| {
        if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_string() }
    };
    parts.iter().enumerate().map(mark).collect()
}

/// Text as HTML text; characters that no document may hold are left out.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && c != '\n' && c != '\t' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_data_becomes_markup() {
        let mut page = Page::new("<script>alert(1)</script>");
        page.paragraph("a & b").table(&["<b>"], &[vec!["\"'\u{0}".into()]]);
        let html = page.html();
        assert!(!html.contains("<script>") && !html.contains("<b>") && !html.contains('\u{0}'));
        assert!(html.contains("a &amp; b") && html.contains("&quot;&#39;"));
    }

    #[test]
    fn a_fragment_styles_nothing_but_itself() {
        let mut page = Page::new("t");
        page.paragraph("a");
        let html = page.fragment();
        assert!(html.starts_with("<div class=\"likewise\">") && html.contains("<p>a</p>"));
        assert!(!html.contains(":root") && !html.contains("body {") && !html.contains("<html"));
        let style = html.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).unwrap();
        let depth = |depth: i32, c: char| depth + i32::from(c == '{') - i32::from(c == '}');
        assert_eq!(style.chars().fold(0, depth), 0);
        assert!(style.trim_start().starts_with(".likewise {") && style.trim_end().ends_with('}'));
    }

    #[test]
    fn names_between_backticks_are_set_apart() {
        assert_eq!(prose("use `a<b`, not `c`"), "use <code>a&lt;b</code>, not <code>c</code>");
        assert_eq!(prose("one ` alone"), "one ` alone");
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let mut page = Page::new("t");
        page.table(&["a"], &[vec!["12.5 %".into()], vec!["x1".into()]]);
        assert_eq!(page.html().matches("class=\"number\"").count(), 1);
    }
}
