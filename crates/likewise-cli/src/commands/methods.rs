//! `likewise methods`: what the registry says.

use clap::Args;
use likewise::method::{Entry, FromSums, Negatives, Parameter, ParameterKind, Spec, range_words};
use likewise::registry;
use serde::Serialize;
use std::io::Write;

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
    hidden_cut: bool,
    counted: Option<FromSums>,
    parameters: Vec<Parameter>,
}

impl Description {
    fn of(entry: &dyn Entry) -> Self {
        let (negatives, hidden_cut, counted) = (entry.negatives(), entry.hidden_cut(), entry.counted());
        Description { spec: entry.spec(), negatives, hidden_cut, counted, parameters: entry.parameters() }
    }
}

impl Methods {
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.name {
            Some(name) => {
                let description = Description::of(registry::find(name)?);
                if self.json { print_json(&description) } else { Ok(describe(&description)?) }
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
    writeln!(std::io::stdout(), "\n`likewise methods NAME` shows the parameters and the paper.")
}

fn kinds(spec: &Spec) -> String {
    spec.inputs.iter().map(|kind| format!("{kind:?}").to_lowercase()).collect::<Vec<_>>().join(", ")
}

fn describe(description: &Description) -> std::io::Result<()> {
    let Description { spec, negatives, hidden_cut, counted, parameters } = description;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} ({}): {}", spec.name, spec.family, spec.title)?;
    writeln!(out, "paper: {}", spec.paper)?;
    writeln!(out, "data: {}; words as {:?}", kinds(spec), spec.weights)?;
    match spec.keeps {
        Some(rows) => writeln!(out, "its model keeps {rows}")?,
        None => writeln!(out, "its model keeps no row it learned from")?,
    }
    writeln!(out, "rows known not to be wanted: {}", negatives.words())?;
    let cut = if *hidden_cut { "where hidden positives say" } else { "by the method itself" };
    writeln!(out, "cut: {cut}, unless you say where")?;
    match counted {
        Some(FromSums { given: None }) => writeln!(out, "can be trained exactly from sums over the pile")?,
        Some(FromSums { given: Some(given) }) => {
            writeln!(out, "can be trained exactly from sums over the pile, with {given} given")?
        }
        None => {}
    }
    if parameters.is_empty() {
        return writeln!(out, "no parameters");
    }
    writeln!(out, "\nparameters, given as --set name=value:")?;
    for parameter in parameters {
        let default = match parameter.default.as_str() {
            Some(text) => text.to_string(),
            None if parameter.default.is_null() => "none".to_string(),
            None => parameter.default.to_string(),
        };
        writeln!(out, "  {} [{}] = {default}", parameter.name, values(parameter))?;
        writeln!(out, "      {}", parameter.help)?;
        if let ParameterKind::Choice { choices } = &parameter.kind {
            for choice in choices.iter().filter(|c| !c.help.is_empty()) {
                writeln!(out, "      {}: {}", choice.name, choice.help)?;
            }
        }
    }
    Ok(())
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
