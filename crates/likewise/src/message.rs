//! What is said to a person, in parts: a code to look up, fields for programs, and a sentence.
//!
//! The sentence names settings, never the options of a door: [`Message::render`] lets each door word them its own way
//! (`--keep-positives`, `keep_positives=`). What the user wrote, such as the name of a column, is never searched.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeStruct};
use serde_json::{Map, Value};

use crate::codes::{self, Code};

/// Something that the user can set, by the name that all doors derive theirs from: `keep_positives`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Words joined by `_`.
    pub name: &'static str,
    /// What to give it, as a placeholder (`COLUMN`) or a value; empty where the name says it all.
    pub value: &'static str,
}

impl Setting {
    /// A setting that is switched on.
    pub const fn flag(name: &'static str) -> Self {
        Setting { name, value: "" }
    }

    /// A setting with what to give it.
    pub const fn with(name: &'static str, value: &'static str) -> Self {
        Setting { name, value }
    }
}

/// A sentence with its code and fields.
///
/// ```
/// use likewise::{codes, message::{Message, Setting}};
/// let message = Message::new(&codes::NO_POSITIVE, "nothing is marked; give examples with ");
/// let message = message.setting(Setting::with("like", "FILE")).field("rows", 12);
/// assert_eq!(message.to_string(), "nothing is marked; give examples with `like` = FILE");
/// assert!(message.render(|setting| format!("--{}", setting.name)).ends_with("with --like"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// What kind of thing is said.
    pub code: &'static Code,
    /// The facts in it, for programs.
    pub fields: Map<String, Value>,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Setting(Setting),
    /// A way out that not every door has: what leads to it, and the setting.
    Offer(String, Setting),
}

impl Message {
    /// A message of that kind which begins with this text.
    pub fn new(code: &'static Code, text: impl Into<String>) -> Self {
        Message { code, fields: Map::new(), pieces: vec![Piece::Text(text.into())] }
    }

    /// Goes on with this text.
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Text(text.into()));
        self
    }

    /// Goes on with the name of a setting.
    pub fn setting(mut self, setting: Setting) -> Self {
        self.pieces.push(Piece::Setting(setting));
        self
    }

    /// Goes on with this text and the name of a setting, where the door has such a setting: it words others with nothing.
    pub fn offer(mut self, text: impl Into<String>, setting: Setting) -> Self {
        self.pieces.push(Piece::Offer(text.into(), setting));
        self
    }

    /// Adds a fact for programs.
    pub fn field(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.into(), value.into());
        self
    }

    /// The sentence, with settings worded by the caller.
    pub fn render(&self, word: impl Fn(&Setting) -> String) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Setting(setting) => word(setting),
            Piece::Offer(text, setting) => match word(setting) {
                worded if worded.is_empty() => worded,
                worded => format!("{text}{worded}"),
            },
        });
        pieces.collect()
    }
}

/// Settings by their plain names.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |setting: &Setting| match setting.value {
            "" => format!("`{}`", setting.name),
            value => format!("`{}` = {value}", setting.name),
        };
        f.write_str(&self.render(plain))
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Message::new(&codes::UNUSABLE_DATA, text)
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_string().into()
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Message", 3)?;
        out.serialize_field("code", self.code.name)?;
        out.serialize_field("text", &self.to_string())?;
        out.serialize_field("fields", &self.fields)?;
        out.end()
    }
}

/// Written by an older version, a message is its text alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Whole {
        code: String,
        text: String,
        #[serde(default)]
        fields: Map<String, Value>,
    },
    Text(String),
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Written::deserialize(deserializer)? {
            Written::Whole { code, text, fields } => {
                let code = codes::ALL.iter().copied().find(|known| known.name == code);
                Message { fields, ..Message::new(code.unwrap_or(&codes::SAID_BEFORE), text) }
            }
            Written::Text(text) => Message::new(&codes::SAID_BEFORE, text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Message {
        Message::new(&codes::COPIES_OF_EXAMPLES, "3 rows of `--in` repeat an example; rank them with ")
            .setting(Setting::flag("keep_positives"))
            .field("rows", 3)
    }

    #[test]
    fn each_door_words_settings_and_nothing_else() {
        let worded = message().render(|setting| format!("--{}", setting.name.replace('_', "-")));
        assert_eq!(worded, "3 rows of `--in` repeat an example; rank them with --keep-positives");
        let offered = message().offer(" or ", Setting::flag("format"));
        assert_eq!(offered.render(|_| String::new()), "3 rows of `--in` repeat an example; rank them with ");
        assert!(offered.render(|setting| setting.name.into()).ends_with(" or format"));
        assert!(message().to_string().ends_with("with `keep_positives`"));
    }

    #[test]
    fn a_message_is_kept_with_its_code_and_old_texts_are_read() {
        let kept: Message = serde_json::from_str(&serde_json::to_string(&message()).unwrap()).unwrap();
        assert_eq!((kept.code.name, &kept.fields["rows"]), ("copies-of-examples", &Value::from(3)));
        let old: Message = serde_json::from_str("\"only 3 examples\"").unwrap();
        assert_eq!(old.to_string(), "only 3 examples");
    }
}
