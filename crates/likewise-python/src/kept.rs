//! How a model was asked for, as far as its file knows: what an estimator must be given to learn the same again.

use likewise::ends::Ends;
use likewise::error::{Error, Result};
use likewise::features::Features;
use likewise::features::words::WordOptions;
use likewise::registry;
use likewise::trained::Trained;
use serde_json::{Map, Value, json};

use crate::rows::DOCUMENT;

/// Parameters of an estimator by name; those that are as nobody asks are left out.
pub fn settings(trained: &Trained) -> Result<Map<String, Value>> {
    let mut settings = Map::new();
    for block in trained.features.blocks() {
        match block {
            Features::Words { columns, words } => {
                if columns[..] != [DOCUMENT] {
                    settings.insert("text".into(), json!(columns));
                }
                let options = changed(words.options())?;
                if !options.is_empty() {
                    settings.insert("words".into(), Value::Object(options));
                }
            }
            Features::Columns(columns) if !are_numbered(&columns.names()) => {
                settings.insert("features".into(), json!(columns.names()));
            }
            Features::Vectors(vectors) if vectors.made().is_none() => {
                settings.insert("vectors".into(), json!(vectors.names()));
            }
            _ => {}
        }
    }
    // Beside other blocks the text has to be named too.
    if !settings.contains_key("text")
        && (settings.contains_key("features") || settings.contains_key("vectors"))
    {
        let text = trained.features.blocks().iter().find_map(|block| match block {
            Features::Words { columns, .. } => Some(json!(columns)),
            _ => None,
        });
        settings.extend(text.map(|text| ("text".to_string(), text)));
    }
    if let Some(cut) = cut(trained)? {
        settings.insert("cut".into(), cut);
    }
    if trained.calibrated {
        settings.insert("calibrated".into(), true.into());
    }
    Ok(settings)
}

/// Columns of a matrix have numbers for names.
fn are_numbered(names: &[String]) -> bool {
    names.iter().enumerate().all(|(j, name)| *name == format!("feature {}", j + 1))
}

fn changed(options: &WordOptions) -> Result<Map<String, Value>> {
    let fields = |options: &WordOptions| match serde_json::to_value(options) {
        Ok(Value::Object(fields)) => Ok(fields),
        _ => Err(Error::model_file("the options of its words cannot be read")),
    };
    let usual = fields(&WordOptions::default())?;
    Ok(fields(options)?.into_iter().filter(|(name, value)| usual.get(name) != Some(value)).collect())
}

/// Where the class ends, unless it is where the method has it when nobody asks.
fn cut(trained: &Trained) -> Result<Option<Value>> {
    let by_hidden = registry::find(&trained.method)?.hidden_cut() && trained.summary().is_none();
    Ok(match trained.ends {
        None => None,
        Some(Ends::Hidden) => (!by_hidden).then(|| json!("hidden")),
        Some(Ends::Natural) => by_hidden.then(|| json!("natural")),
        Some(Ends::Top(rows)) => Some(json!({"top": rows})),
        Some(Ends::Recall(value)) => Some(json!({"recall": value})),
        Some(Ends::Precision(value)) => Some(json!({"precision": value})),
        Some(Ends::Share(value)) => Some(json!({"share": value})),
        Some(Ends::Threshold(value)) => Some(json!({"threshold": value})),
    })
}
