//! Ground atoms as text: `publication(title25,person284).`
//!
//! Letter case of constants is kept; quotes may hold anything; `//` and `%` start a comment.

use std::borrow::Cow;

/// Reads one line. Its arguments are left in `arguments`; the result is the predicate, or none for a line
/// without an atom (blank, a comment, an Aleph directive).
pub fn parse<'a>(line: &'a str, arguments: &mut Vec<Cow<'a, str>>) -> Result<Option<&'a str>, String> {
    arguments.clear();
    let text = line.trim();
    if text.is_empty() || text.starts_with('%') || text.starts_with("//") || text.starts_with(":-") {
        return Ok(None);
    }
    let wrong = || format!("`{text}` is not a fact; write it like `publication(title25,person284).`");
    let (predicate, mut rest) = text.split_once('(').ok_or_else(wrong)?;
    let predicate = predicate.trim();
    if predicate.is_empty() || predicate.contains([',', ')', '"', '\'']) {
        return Err(wrong());
    }
    loop {
        let (argument, after) = argument(rest.trim_start()).ok_or_else(wrong)?;
        let after = after.trim_start();
        arguments.push(argument);
        if let Some(next) = after.strip_prefix(',') {
            rest = next;
            continue;
        }
        let end = after.strip_prefix(')').ok_or_else(wrong)?.trim_start();
        let end = end.strip_prefix('.').unwrap_or(end).trim_start();
        if end.starts_with(":-") {
            return Err(format!(
                "`{text}` is a rule; only facts can be read, so give what follows from it as facts"
            ));
        }
        return if end.is_empty() || end.starts_with('%') || end.starts_with("//") {
            Ok(Some(predicate))
        } else {
            Err(wrong())
        };
    }
}

/// One argument and what stands after it.
fn argument(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some(quote) = quote else {
        let end = text.find([',', ')'])?;
        let word = text[..end].trim_end();
        return (!word.is_empty() && !word.contains('(')).then(|| (Cow::Borrowed(word), &text[end..]));
    };
    let inside = &text[1..];
    let end = inside.find([quote, '\\'])?;
    if inside[end..].starts_with(quote) {
        return Some((Cow::Borrowed(&inside[..end]), &inside[end + 1..]));
    }
    let mut out = String::new();
    let mut letters = inside.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => out.push(letters.next()?.1),
            _ if letter == quote => return Some((Cow::Owned(out), &inside[at + 1..])),
            _ => out.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<(String, Vec<String>)>, String> {
        let mut arguments = Vec::new();
        let predicate = parse(line, &mut arguments)?.map(str::to_string);
        Ok(predicate.map(|p| (p, arguments.iter().map(|a| a.to_string()).collect())))
    }

    #[test]
    fn atoms_in_all_their_dresses() {
        for (line, expected) in [
            ("student(ann).", vec!["ann"]),
            ("  Student( Ann ) ", vec!["Ann"]),
            ("taughtby(c1, \"Dr. Who, (old)\",'it\\'s').", vec!["c1", "Dr. Who, (old)", "it's"]),
            ("age(ann,-3.5). % years", vec!["ann", "-3.5"]),
        ] {
            assert_eq!(read(line).unwrap().unwrap().1, expected, "{line}");
        }
        for line in ["", "% note", "// note", ":- set(i,2)."] {
            assert_eq!(read(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn what_is_no_fact_is_refused() {
        for line in ["student", "student(ann", "student()", "p(a,).", "p(f(a)).", "p(a) q(b)", "(a)", "p('a)"]
        {
            assert!(read(line).unwrap_err().contains("is not a fact"), "{line}");
        }
        assert!(read("p(X) :- q(X).").unwrap_err().contains("is a rule"));
    }
}
