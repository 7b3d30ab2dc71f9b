//! `likewise methods`: what the registry says.

use clap::Args;
use likewise::method::{Entry, FromSums, Negatives, Parameter, ParameterKind, Spec, range_words};
use likewise::registry;
use serde::Serialize;
use std::io::Write;

use crate::guide::wrapped;
use crate::terminal::{self, Align};

/// List the methods, or describe one
#[derive(Args)]
pub struct Methods {
    /// The method to describe
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Description {
    #[serde(flatten)]
    spec: Spec,
    negatives: Negatives,
    negatives_in_words: &'static str,
    hidden_cut: bool,
    /// Where `find` cuts its ranking, in words.
    cut: String,
    counted: Option<FromSums>,
    parameters: Vec<Parameter>,
}

impl Description {
    fn of(entry: &dyn Entry) -> Self {
        let (negatives, hidden_cut, counted) = (entry.negatives(), entry.hidden_cut(), entry.counted());
        let parameters = entry.parameters();
        let cut = match parameters.iter().find(|parameter| parameter.name == "cut") {
            _ if hidden_cut => "where positives hidden in the pile say".to_string(),
            Some(own) => format!("by the method itself, as its `cut` says ({})", in_words(&own.default)),
            None => "by the method itself".to_string(),
        };
        Description {
            spec: entry.spec(),
            negatives,
            negatives_in_words: negatives.words(),
            hidden_cut,
            cut,
            counted,
            parameters,
        }
    }
}

impl Methods {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.name {
            Some(name) => {
                let entry = registry::find(name)?;
                if self.json {
                    return print_json(&Description::of(entry));
                }
                Ok(std::io::stdout().write_all(description(entry, terminal::width()).as_bytes())?)
            }
            None if self.json => print_json(&registry::all().map(Description::of).collect::<Vec<_>>()),
            None => Ok(list()?),
        }
    }
}

fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(value)?)?;
    Ok(())
}

fn list() -> std::io::Result<()> {
    let rows: Vec<Vec<String>> = (registry::all())
        .map(|entry| {
            let spec = entry.spec();
            vec![spec.name.into(), spec.family.into(), kinds(&spec), spec.title.into()]
        })
        .collect();
    let left = Align::Left;
    terminal::print_table(&[("method", left), ("family", left), ("data", left), ("", left)], &rows)?;
    writeln!(
        std::io::stdout(),
        "\n`likewise methods NAME` says what a method assumes, its parameters and its paper."
    )
}

fn kinds(spec: &Spec) -> String {
    spec.inputs.iter().map(|kind| format!("{kind:?}").to_lowercase()).collect::<Vec<_>>().join(", ")
}

/// What `likewise methods NAME` prints, in lines of at most `width` characters.
pub fn description(entry: &dyn Entry, width: usize) -> String {
    let Description { spec, negatives_in_words, cut, counted, parameters, .. } = Description::of(entry);
    let keeps = spec.keeps.unwrap_or("no row it learned from");
    let sums = match counted {
        None => "no, it needs the rows of the pile".to_string(),
        Some(FromSums { given: None }) => "yes, exactly".to_string(),
        Some(FromSums { given: Some(given) }) => format!("yes, exactly, with {given} given"),
    };
    let mut text = Filled { lines: String::new(), width };
    text.push(0, &format!("{} ({}): {}", spec.name, spec.family, spec.title));
    text.push(0, &format!("paper: {}", spec.paper));
    text.push(0, &format!("assumes: {}", spec.assumes));
    text.push(0, &format!("data: {}; words as {:?}", kinds(&spec), spec.weights));
    text.push(0, &format!("its model keeps {keeps}"));
    text.push(0, &format!("rows known not to be wanted: {negatives_in_words}"));
    text.push(0, &format!("cut: {cut}, unless you say where"));
    text.push(0, &format!("can be learned from sums over the pile: {sums}"));
    if parameters.is_empty() {
        text.push(0, "no parameters");
        return text.lines;
    }
    text.lines.push('\n');
    text.push(0, "parameters, given as --set name=value:");
    for parameter in &parameters {
        let default = in_words(&parameter.default);
        text.push(2, &format!("{} [{}] = {default}", parameter.name, values(parameter)));
        text.push(6, &parameter.help);
        if let ParameterKind::Choice { choices } = &parameter.kind {
            for choice in choices.iter().filter(|c| !c.help.is_empty()) {
                text.push(6, &format!("{}: {}", choice.name, choice.help));
            }
        }
    }
    text.lines
}

/// A default as it is typed.
fn in_words(default: &serde_json::Value) -> String {
    match default {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => "none".to_string(),
        other => other.to_string(),
    }
}

/// Lines filled up to a width.
struct Filled {
    lines: String,
    width: usize,
}

impl Filled {
    /// A paragraph so far in; what does not fit on its first line goes further in.
    fn push(&mut self, indent: usize, paragraph: &str) {
        const FURTHER: usize = 2;
        for (at, line) in wrapped(paragraph, self.width - indent - FURTHER).iter().enumerate() {
            let indent = if at == 0 { indent } else { indent + FURTHER };
            self.lines.extend([&" ".repeat(indent), line.as_str(), "\n"]);
        }
    }
}

fn values(parameter: &Parameter) -> String {
    let kind = match &parameter.kind {
        ParameterKind::Number { min, max } => format!("number, {}", range_words(*min, *max)),
        ParameterKind::Integer { min, max } => format!("whole number, {}", range_words(*min, *max)),
        ParameterKind::Flag => "true or false".into(),
        ParameterKind::Choice { choices } => {
            choices.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(" | ")
        }
        ParameterKind::Text => "text".into(),
    };
    if parameter.optional { format!("{kind}, or none") } else { kind }
}
