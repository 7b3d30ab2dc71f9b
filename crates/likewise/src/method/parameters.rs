//! Parameters as data: described from their type, read from text, checked against their range.

use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Method;
use crate::error::{Error, Result, nearest_name};

/// Values by name.
pub type Parameters = Map<String, Value>;

/// The parameter that picks a method's reading; not a field of any method.
pub const READING: &str = "reading";

/// One parameter as help, forms and bindings show it.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    /// As it is given.
    pub name: String,
    /// What it does, in one line.
    pub help: String,
    /// What it may be.
    #[serde(flatten)]
    pub kind: ParameterKind,
    /// Whether it may be left empty (`none`, or `auto`).
    pub optional: bool,
    /// Where nobody gives it.
    pub default: Value,
}

/// What a parameter may be.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ParameterKind {
    /// The most it may be.
    Number {
        /// Any number within a range.
        min: Option<f64>,
        /// The least it may be.
        max: Option<f64>,
    },
    /// The most it may be.
    Integer {
        /// A whole number within a range.
        min: Option<f64>,
        /// The least it may be.
        max: Option<f64>,
    },
    /// True or false.
    Flag,
    /// Those there are.
    Choice {
        /// One of several names.
        choices: Vec<ParameterChoice>,
    },
    /// Any text.
    Text,
}

/// One of the names that a parameter may be.
#[derive(Clone, Debug, Serialize)]
pub struct ParameterChoice {
    /// As it is given.
    pub name: String,
    /// What it means, in one line.
    pub help: String,
}

/// The parameters of a method, its reading first where it has several.
pub fn describe<M: Method>() -> Vec<Parameter> {
    let schema = SchemaSettings::default()
        .with(|s| s.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<M>();
    let defaults = serde_json::to_value(M::default()).expect("parameters are plain values");
    let mut out = Vec::new();
    let readings = M::readings();
    if let Some(first) = readings.first() {
        let choices =
            readings.iter().map(|r| ParameterChoice { name: r.name.into(), help: r.help.into() }).collect();
        out.push(Parameter {
            name: READING.into(),
            help: "Which reading of the paper sets the other parameters' defaults".into(),
            kind: ParameterKind::Choice { choices },
            optional: false,
            default: first.name.into(),
        });
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let (kind, optional) = kind_of(schema);
        let help = one_line(schema.get("description"));
        out.push(Parameter { name: name.clone(), help, kind, optional, default: defaults[name].clone() });
    }
    out
}

fn one_line(description: Option<&Value>) -> String {
    let text = description.and_then(Value::as_str).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn kind_of(schema: &Value) -> (ParameterKind, bool) {
    if let Some(alternatives) = schema.get("anyOf").and_then(Value::as_array) {
        let inner = alternatives.iter().find(|s| s["type"] != "null").expect("an option of something");
        return (kind_of(inner).0, true);
    }
    if let Some(alternatives) = schema.get("oneOf").and_then(Value::as_array) {
        return (
            ParameterKind::Choice { choices: alternatives.iter().flat_map(choices_of).collect() },
            false,
        );
    }
    if schema.get("enum").is_some() {
        return (ParameterKind::Choice { choices: choices_of(schema) }, false);
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().into_iter().collect(),
    };
    let optional = types.contains(&"null");
    let (min, max) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
    let kind = match types.first() {
        Some(&"integer") => ParameterKind::Integer { min, max },
        Some(&"number") => ParameterKind::Number { min, max },
        Some(&"boolean") => ParameterKind::Flag,
        _ => ParameterKind::Text,
    };
    (kind, optional)
}

fn choices_of(schema: &Value) -> Vec<ParameterChoice> {
    let help = one_line(schema.get("description"));
    let names = match (schema.get("const"), schema.get("enum")) {
        (Some(name), _) => vec![name.clone()],
        (None, Some(Value::Array(names))) => names.clone(),
        _ => Vec::new(),
    };
    names
        .iter()
        .filter_map(Value::as_str)
        .map(|name| ParameterChoice { name: name.into(), help: help.clone() })
        .collect()
}

impl Parameter {
    /// Reads a value as typed after `--set name=`.
    pub fn parse(&self, text: &str) -> Result<Value> {
        let wrong = |what: &str| Err(Error::parameter(&self.name, format!("`{text}` is not {what}")));
        // What nobody sets, the method chooses.
        let automatic = text == "auto" && !matches!(self.kind, ParameterKind::Text);
        if self.optional && (automatic || matches!(text, "none" | "null" | "")) {
            return Ok(Value::Null);
        }
        Ok(match &self.kind {
            ParameterKind::Number { .. } => match text.parse::<f64>() {
                Ok(number) if number.is_finite() => number.into(),
                _ => return wrong("a number"),
            },
            ParameterKind::Integer { .. } => match text.parse::<i64>() {
                Ok(number) => number.into(),
                Err(_) => return wrong("a whole number"),
            },
            ParameterKind::Flag => match text {
                "true" | "yes" | "on" | "1" => true.into(),
                "false" | "no" | "off" | "0" => false.into(),
                _ => return wrong("`true` or `false`"),
            },
            ParameterKind::Choice { .. } | ParameterKind::Text => text.into(),
        })
    }

    fn check(&self, value: &Value) -> Result<()> {
        let wrong = |problem: String| Err(Error::parameter(&self.name, problem));
        if self.optional && value.is_null() {
            return Ok(());
        }
        match &self.kind {
            ParameterKind::Integer { .. } if !(value.is_i64() || value.is_u64()) => {
                wrong(format!("{value} is not a whole number"))
            }
            ParameterKind::Number { min, max } | ParameterKind::Integer { min, max } => {
                let Some(number) = value.as_f64() else { return wrong(format!("{value} is not a number")) };
                if min.is_some_and(|m| number < m) || max.is_some_and(|m| number > m) {
                    return wrong(format!("{value} is out of range; it must be {}", range_words(*min, *max)));
                }
                Ok(())
            }
            ParameterKind::Flag if !value.is_boolean() => wrong(format!("{value} is not true or false")),
            ParameterKind::Choice { choices } => {
                let name = value.as_str().unwrap_or_default();
                if choices.iter().any(|c| c.name == name) {
                    return Ok(());
                }
                let names: Vec<_> = choices.iter().map(|c| c.name.as_str()).collect();
                wrong(format!("{value} is not one of {}", names.join(", ")))
            }
            ParameterKind::Text if !value.is_string() => wrong(format!("{value} is not a text")),
            _ => Ok(()),
        }
    }
}

/// A range in words, for help and errors.
pub fn range_words(min: Option<f64>, max: Option<f64>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("from {min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "any number".into(),
    }
}

/// The method that a set of given values means, and the complete parameters (reading included).
pub fn resolve<M: Method>(given: &Parameters) -> Result<(M, Parameters)> {
    let known = describe::<M>();
    for (name, value) in given {
        let Some(parameter) = known.iter().find(|p| p.name == *name) else {
            let names = known.iter().map(|p| p.name.as_str());
            let hint = nearest_name(name, names.clone())
                .map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
            let names = names.collect::<Vec<_>>().join(", ");
            let names = if names.is_empty() { "none".to_string() } else { names };
            let problem = format!("method `{}` has no such parameter{hint}; it has {names}", M::SPEC.name);
            return Err(Error::parameter(name, problem));
        };
        parameter.check(value)?;
    }
    let mut base = M::default();
    let mut complete = Parameters::new();
    let readings = M::readings();
    if let Some(first) = readings.first() {
        let wanted = given.get(READING).and_then(Value::as_str).unwrap_or(first.name).to_string();
        complete.insert(READING.into(), wanted.clone().into());
        base = readings.into_iter().find(|r| r.name == wanted).map_or(base, |r| r.parameters);
    }
    let Value::Object(fields) = serde_json::to_value(base).expect("parameters are plain values") else {
        unreachable!("a struct")
    };
    complete.extend(fields);
    for (name, value) in given {
        complete.insert(name.clone(), value.clone());
    }
    let mut fields = complete.clone();
    fields.remove(READING);
    let method: M =
        serde_json::from_value(Value::Object(fields)).map_err(|e| Error::parameter("?", e.to_string()))?;
    method.check()?;
    Ok((method, complete))
}
