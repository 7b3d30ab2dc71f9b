//! What can go wrong with a project, its page or its program, in words for the person who can mend it.

use likewise::codes::{self, Code};
use likewise::message::{Message, Setting};

/// Every message says what is wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The project file, the reading program or the address of the page cannot be used as they are; nothing was written.
    #[error("{0}")]
    Said(Box<Message>),

    /// A request that cannot be answered; `status` is that of the HTTP answer.
    #[error("{message}")]
    Request { status: u16, message: String },

    /// Somebody else marked these rows since the tab last looked.
    #[error("the rows were marked elsewhere in the meantime; look at them again")]
    Taken { seq: u64, rows: Vec<u32> },

    #[error("{}", of_database(.0))]
    Database(#[from] rusqlite::Error),

    #[error("{0}")]
    Io(#[from] std::io::Error),

    #[error(transparent)]
    Learning(#[from] likewise::Error),

    #[error(transparent)]
    Files(#[from] likewise_io::Error),
}

fn of_database(error: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    match error.sqlite_error_code() {
        Some(DatabaseCorrupt | NotADatabase) => {
            format!("the project file is damaged ({error}); go on with a copy of it")
        }
        // What is not of the kind that was written was not written by us.
        _ if matches!(
            error,
            rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
        ) =>
        {
            format!("the project file is damaged or cut off ({error}); go on with a copy from before")
        }
        _ => format!("the project file: {error}"),
    }
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn project(text: impl Into<String>) -> Self {
        Message::new(&codes::PROJECT, text).into()
    }

    pub fn program(text: impl Into<String>) -> Self {
        Message::new(&codes::READING_PROGRAM, text).into()
    }

    /// What kind of error it is, for programs.
    pub fn code(&self) -> &'static Code {
        match self {
            Error::Said(message) => message.code,
            Error::Request { .. } | Error::Taken { .. } => &codes::USAGE,
            Error::Database(_) => &codes::PROJECT,
            Error::Io(_) => &codes::SYSTEM,
            Error::Learning(error) => error.code(),
            Error::Files(error) => error.code(),
        }
    }

    /// The sentence, with settings worded by the caller.
    pub fn render(&self, word: impl Fn(&Setting) -> String) -> String {
        match self {
            Error::Said(message) => message.render(word),
            Error::Learning(error) => error.render(word),
            Error::Files(error) => error.render(word),
            other => other.to_string(),
        }
    }

    pub fn request(status: u16, message: impl Into<String>) -> Self {
        Error::Request { status, message: message.into() }
    }
}

impl From<Message> for Error {
    fn from(message: Message) -> Self {
        Error::Said(Box::new(message))
    }
}
