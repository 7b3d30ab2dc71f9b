//! The attributes that an ARFF file declares.

use std::collections::HashSet;

use super::tokens::Tokens;

pub(super) struct Attribute {
    pub name: String,
    pub kind: AttributeKind,
}

pub(super) enum AttributeKind {
    Numeric,
    /// One of a set of values; in a sparse row the first is the one left out.
    Nominal {
        first: String,
        values: HashSet<String>,
    },
    /// Any text, dates among it.
    Text,
}

/// A line of the header.
pub(super) enum Declaration {
    Attribute(Attribute),
    Data,
    /// The name of the relation, a comment or nothing.
    Nothing,
}

pub(super) fn declaration(line: &str) -> Result<Declaration, String> {
    let mut tokens = Tokens::new(line);
    if tokens.at_end() {
        return Ok(Declaration::Nothing);
    }
    let keyword = tokens.value(&[' ', '\t'])?.text.to_ascii_lowercase();
    match keyword.as_str() {
        "@relation" => Ok(Declaration::Nothing),
        "@data" => Ok(Declaration::Data),
        "@attribute" => attribute(&mut tokens).map(Declaration::Attribute),
        _ => Err(format!(
            "`{keyword}` where @relation, @attribute or @data should stand; is this an ARFF file?"
        )),
    }
}

fn attribute(tokens: &mut Tokens<'_>) -> Result<Attribute, String> {
    if tokens.at_end() {
        return Err("@attribute without a name".into());
    }
    let name = tokens.value(&[' ', '\t', '{'])?.text.into_owned();
    if tokens.eat('{') {
        let kind = nominal(tokens).map_err(|problem| format!("attribute `{name}`: {problem}"))?;
        return Ok(Attribute { name, kind });
    }
    let kind = tokens.value(&[' ', '\t'])?.text.to_ascii_lowercase();
    let kind = match kind.as_str() {
        "numeric" | "real" | "integer" => AttributeKind::Numeric,
        "string" | "date" => AttributeKind::Text,
        "relational" => {
            return Err(format!(
                "attribute `{name}` is relational, which is not supported; take it out of the file"
            ));
        }
        "" => {
            return Err(format!(
                "attribute `{name}` has no type; write numeric, string or {{value,…}} after it"
            ));
        }
        _ => {
            return Err(format!(
                "attribute `{name}` has the unknown type `{kind}`; known are numeric, real, integer, string, date and {{value,…}}"
            ));
        }
    };
    Ok(Attribute { name, kind })
}

fn nominal(tokens: &mut Tokens<'_>) -> Result<AttributeKind, String> {
    let mut first = None;
    let mut values = HashSet::new();
    while !tokens.eat('}') {
        if tokens.at_end() {
            return Err("the list of values is not closed by `}`".into());
        }
        let value = tokens.value(&[',', '}'])?.text.into_owned();
        first.get_or_insert_with(|| value.clone());
        values.insert(value);
        tokens.eat(',');
    }
    let first = first.ok_or("the list of values is empty")?;
    Ok(AttributeKind::Nominal { first, values })
}
