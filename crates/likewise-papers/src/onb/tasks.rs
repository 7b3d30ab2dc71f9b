//! The six tasks that stand in for the paper's three, which are not public.

use likewise::data::Table;

use super::tokens::tokens;
use crate::data::DataFolder;
use crate::error::Result;

/// A set of messages and the class to find in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Tweets found by words of weapons, injury and terror: reports of real events
    Violence,
    /// Tweets found by words of disaster: reports of real events
    Disaster,
    /// Tweets around the hurricane Sandy: on topic
    Sandy,
    /// Tweets around the Boston bombings: on topic
    Boston,
    /// Tweets to airlines: the pleased ones
    Airline,
    /// Text messages: spam
    Sms,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    pub text: String,
    /// As the experiments take them.
    pub words: Vec<String>,
    pub positive: bool,
}

/// The keywords of `Task::Violence`.
const VIOLENCE: &[&str] = &[
    "attack",
    "attacked",
    "army",
    "battle",
    "bleeding",
    "blood",
    "bloody",
    "body bag",
    "body bagging",
    "body bags",
    "bomb",
    "bombed",
    "bombing",
    "dead",
    "death",
    "deaths",
    "fatal",
    "fatalities",
    "fatality",
    "hijack",
    "hijacker",
    "hijacking",
    "hostage",
    "hostages",
    "injured",
    "injuries",
    "injury",
    "mass murder",
    "mass murderer",
    "massacre",
    "police",
    "riot",
    "rioting",
    "suicide bomb",
    "suicide bomber",
    "suicide bombing",
    "terrorism",
    "terrorist",
    "threat",
    "war zone",
    "weapon",
    "weapons",
    "wounded",
    "wounds",
];

impl Task {
    pub const ALL: [Task; 6] =
        [Task::Violence, Task::Disaster, Task::Sandy, Task::Boston, Task::Airline, Task::Sms];

    pub fn name(self) -> &'static str {
        match self {
            Task::Violence => "violence",
            Task::Disaster => "disaster",
            Task::Sandy => "sandy",
            Task::Boston => "boston",
            Task::Airline => "airline",
            Task::Sms => "sms",
        }
    }

    /// The messages in the order of their file.
    pub fn load(self, data: &DataFolder) -> Result<Vec<Message>> {
        let file = match self {
            Task::Violence | Task::Disaster => "disaster-dfe/disaster-dfe.jsonl.gz",
            Task::Sandy | Task::Boston => "crisislex-t6/crisislex-t6.jsonl.gz",
            Task::Airline => "airline-sentiment/airline-sentiment.jsonl.gz",
            Task::Sms => "sms-spam/sms-spam.jsonl.gz",
        };
        let positive = match self {
            Task::Violence | Task::Disaster => "relevant",
            Task::Sandy | Task::Boston => "on-topic",
            Task::Airline => "positive",
            Task::Sms => "spam",
        };
        let table = data.table(file)?;
        let (texts, labels) = (table.column("text")?, table.column("label")?);
        let mut messages = Vec::new();
        for row in 0..table.rows() {
            if self.takes(&table, row)? {
                let positive = labels.cell(row) == positive;
                let text = texts.cell(row).into_owned();
                messages.push(Message { words: tokens(&text), text, positive });
            }
        }
        Ok(messages)
    }

    fn takes(self, table: &Table, row: usize) -> Result<bool> {
        let cell = |name: &str| Ok::<_, crate::Error>(table.column(name)?.cell(row));
        Ok(match self {
            Task::Violence => {
                let keyword = cell("keyword")?.replace("%20", " ");
                cell("label")? != "undecided" && VIOLENCE.contains(&keyword.as_str())
            }
            Task::Disaster => cell("label")? != "undecided",
            Task::Sandy => cell("event")?.contains("Sandy"),
            Task::Boston => cell("event")?.contains("Boston"),
            Task::Airline | Task::Sms => true,
        })
    }
}
