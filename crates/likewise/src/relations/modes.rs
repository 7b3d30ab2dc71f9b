//! Modes: which literals a learner may write, in the language of BoostSRL and Aleph.
//!
//! `mode: publication(-title,+person).` lets a rule ask for a publication of a person it knows. The sign
//! says what may stand at an argument, the word after it is the argument's type:
//!
//! | sign | stands for |
//! |---|---|
//! | `+` | a variable the rule already has |
//! | `-` | a variable the rule already has, or a new one |
//! | `^` | a new variable |
//! | `` ` `` | a variable the rule already has that is not an argument of the target |
//! | `#` | a constant |
//! | `&`, `:` | `-` or `#`; `+` or `#` |
//! | `>` | a number, compared with a threshold (ours) |

use super::{Domain, FactsBuilder};
use crate::error::{Error, Result};

/// How many constants one literal may be searched for at once.
pub const MOST_CONSTANTS: usize = 8;

/// What may stand at an argument of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Known,
    Any,
    New,
    Inner,
    Constant,
    Threshold,
}

impl Sign {
    fn meanings(mark: char) -> Option<&'static [Sign]> {
        Some(match mark {
            '+' => &[Sign::Known],
            '-' => &[Sign::Any],
            '^' => &[Sign::New],
            '`' => &[Sign::Inner],
            '#' => &[Sign::Constant],
            '>' => &[Sign::Threshold],
            '&' => &[Sign::Any, Sign::Constant],
            ':' => &[Sign::Known, Sign::Constant],
            _ => return None,
        })
    }

    pub fn mark(self) -> char {
        match self {
            Sign::Known => '+',
            Sign::Any => '-',
            Sign::New => '^',
            Sign::Inner => '`',
            Sign::Constant => '#',
            Sign::Threshold => '>',
        }
    }
}

/// One kind of literal that rules may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    pub relation: u32,
    pub signs: Vec<Sign>,
}

/// A mode as it is written, before relations and types have numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    pub predicate: String,
    pub arguments: Vec<(Sign, String)>,
    /// `modeh` of Aleph: the target.
    pub head: bool,
    pub line: usize,
}

/// What a mode file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModeFile {
    pub declarations: Vec<Declaration>,
    /// Other files it wants read, as BoostSRL's `import: "…".` names them.
    pub imports: Vec<String>,
}

/// Reads a mode file. Errors name the line.
pub fn parse(text: &str) -> Result<ModeFile> {
    let mut out = ModeFile::default();
    let mut block_comment = false;
    let aleph = text.lines().any(|l| directive(l.trim()).is_some_and(|d| aleph_mode(d).is_some()));
    for (number, line) in text.lines().enumerate() {
        let line = without_comment(line, &mut block_comment);
        let line = line.trim().trim_end_matches('.').trim_end();
        let fail = |problem: String| Error::data(format!("line {}: {problem}", number + 1));
        let (atom, head) = if let Some(directive) = directive(line) {
            match aleph_mode(directive) {
                Some((atom, head)) => (atom, head),
                None => continue,
            }
        } else if let Some((keyword, rest)) = keyword(line) {
            match keyword.to_ascii_lowercase().as_str() {
                "mode" => (rest, false),
                "import" | "importfile" => {
                    out.imports.push(rest.trim_matches(['"', '\'']).to_string());
                    continue;
                }
                _ => continue,
            }
        } else if line.is_empty() || aleph {
            continue;
        } else {
            (line, false)
        };
        for (predicate, arguments) in mode_atom(atom).map_err(fail)? {
            out.declarations.push(Declaration { predicate, arguments, head, line: number + 1 });
        }
    }
    Ok(out)
}

/// The line without `// …`, `% …` and `/* … */`.
fn without_comment<'a>(line: &'a str, inside: &mut bool) -> std::borrow::Cow<'a, str> {
    if !*inside && !line.contains(['/', '%']) {
        return line.into();
    }
    let mut out = String::new();
    let mut rest = line;
    loop {
        if *inside {
            let Some(end) = rest.find("*/") else { break };
            *inside = false;
            rest = &rest[end + 2..];
        }
        let starts = ["//", "%", "/*"].map(|mark| rest.find(mark).unwrap_or(usize::MAX));
        let first = starts[0].min(starts[1]).min(starts[2]);
        if first == usize::MAX {
            out.push_str(rest);
            break;
        }
        out.push_str(&rest[..first]);
        if starts[2] != first {
            break;
        }
        *inside = true;
        rest = &rest[first + 2..];
    }
    out.into()
}

fn directive(line: &str) -> Option<&str> {
    line.strip_prefix(":-").map(str::trim_start)
}

/// `modeb(*, atom)` as the atom and whether it is the head.
fn aleph_mode(directive: &str) -> Option<(&str, bool)> {
    let (name, rest) = directive.split_once('(')?;
    let head = match name.trim() {
        "modeh" => true,
        "modeb" | "mode" => false,
        _ => return None,
    };
    let rest = rest.trim_end().trim_end_matches('.').trim_end();
    let (_, atom) = rest.strip_suffix(')')?.split_once(',')?;
    Some((atom.trim(), head))
}

/// `mode: …` and BoostSRL's settings, which look the same.
fn keyword(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.split_once(':')?;
    let word = word.trim();
    (!word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_')).then(|| (word, rest.trim()))
}

type Arguments = Vec<(Sign, String)>;

/// The modes that one written atom stands for: signs of two meanings make two of it.
fn mode_atom(atom: &str) -> Result<Vec<(String, Arguments)>, String> {
    let wrong = || format!("`{atom}` is not a mode; write it like `mode: publication(-title,+person).`");
    let (predicate, rest) = atom.split_once('(').ok_or_else(wrong)?;
    let inside = rest.trim_end().strip_suffix(')').ok_or_else(wrong)?;
    let predicate = predicate.trim();
    if predicate.is_empty() || predicate.contains(char::is_whitespace) || inside.contains(['(', ')']) {
        return Err(wrong());
    }
    let mut all: Vec<Arguments> = vec![Vec::new()];
    for argument in inside.split(',').map(str::trim) {
        let mut letters = argument.chars();
        let signs = letters.next().and_then(Sign::meanings).ok_or_else(|| {
            format!("argument `{argument}` of `{predicate}` has no sign; put one of + - ^ ` # & : > before its type")
        })?;
        let name = letters.as_str().trim();
        if name.is_empty() {
            return Err(format!("an argument of `{predicate}` has a sign but no type"));
        }
        all = (all.iter())
            .flat_map(|done| signs.iter().map(move |s| [&done[..], &[(*s, name.to_string())]].concat()))
            .collect();
    }
    for arguments in &all {
        let count = |sign| arguments.iter().filter(|(s, _)| *s == sign).count();
        if count(Sign::Threshold) > 1 || (count(Sign::Threshold) == 1 && count(Sign::Constant) > 0) {
            return Err(format!("`{predicate}` may have one `>` argument, and then no `#`"));
        }
        if count(Sign::Constant) > MOST_CONSTANTS {
            return Err(format!("`{predicate}` may have at most {MOST_CONSTANTS} `#` arguments"));
        }
    }
    Ok(all.into_iter().map(|arguments| (predicate.to_string(), arguments)).collect())
}

/// Declares the relations and types of the modes, and gives the modes their numbers.
pub fn declare(declarations: &[Declaration], builder: &mut FactsBuilder) -> Result<Vec<Mode>> {
    let mut modes = Vec::new();
    for declaration in declarations {
        let domains: Vec<Domain> = (declaration.arguments.iter())
            .map(|(sign, name)| match sign {
                Sign::Threshold => Domain::Number,
                _ => Domain::Type(builder.type_named(name)),
            })
            .collect();
        let relation = builder
            .relation(&declaration.predicate, &domains)
            .map_err(|e| Error::data(format!("line {}: {e}", declaration.line)))?;
        let signs = declaration.arguments.iter().map(|(sign, _)| *sign).collect();
        let mode = Mode { relation, signs };
        if !modes.contains(&mode) {
            modes.push(mode);
        }
    }
    Ok(modes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(file: &ModeFile) -> Vec<String> {
        (file.declarations.iter())
            .map(|d| {
                let arguments: Vec<_> = d.arguments.iter().map(|(s, t)| format!("{}{t}", s.mark())).collect();
                format!("{}({})", d.predicate, arguments.join(","))
            })
            .collect()
    }

    #[test]
    fn boostsrl_files_as_they_are() {
        let text = "// modes of the department\nimport: \"../bk.txt\".\nsetParam: maxTreeDepth=3.\n\
                    useStdLogicVariables: true.\n\nMODE: Ta(-course, +person,`quarter). % note\n\
                    mode: inPhase(+person,#phase)\nstudent(+person).\n/* a\nb */ level(&course).";
        let file = parse(text).unwrap();
        assert_eq!(
            written(&file),
            [
                "Ta(-course,+person,`quarter)",
                "inPhase(+person,#phase)",
                "student(+person)",
                "level(-course)",
                "level(#course)"
            ]
        );
        assert_eq!(file.imports, ["../bk.txt"]);
    }

    #[test]
    fn aleph_files_mix_modes_and_facts() {
        let text = ":- modeh(1,eastbound(+train)).\n:- modeb(*, has_car(+train,-car)).\n\
                    :- determination(eastbound/1,has_car/2).\nhas_car(east1,car_11).\n:- set(i,2).";
        let file = parse(text).unwrap();
        assert_eq!(written(&file), ["eastbound(+train)", "has_car(+train,-car)"]);
        assert!(file.declarations[0].head && !file.declarations[1].head);
    }

    #[test]
    fn a_mistake_is_named_with_its_line() {
        for (text, expected) in [
            ("student(+person).\nta(course,+person).", "line 2: argument `course` of `ta` has no sign"),
            ("mode: student(+person", "line 1: `student(+person` is not a mode"),
            ("mode: student(+).", "line 1: an argument of `student` has a sign but no type"),
            ("p(+a,>n,>m).", "line 1: `p` may have one `>`"),
        ] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
        let file = parse("p(+a,-b).\np(+a,-c).").unwrap();
        let message = declare(&file.declarations, &mut FactsBuilder::new()).unwrap_err().to_string();
        assert!(message.starts_with("line 2: relation `p` is declared once as p(a,b)"), "{message}");
    }
}
