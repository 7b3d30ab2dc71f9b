//! What can go wrong with a project, its page or its program, in words for the person who can mend it.

/// Every message says what is wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The project file cannot be used as it is; nothing was written to it.
    #[error("{0}")]
    Project(String),

    /// A request that cannot be answered; `status` is that of the HTTP answer.
    #[error("{message}")]
    Request { status: u16, message: String },

    /// Somebody else marked these rows since the tab last looked.
    #[error("the rows were marked elsewhere in the meantime; look at them again")]
    Taken { seq: u64, rows: Vec<u32> },

    #[error("{0}")]
    Program(String),

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
        _ => format!("the project file: {error}"),
    }
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn project(message: impl Into<String>) -> Self {
        Error::Project(message.into())
    }

    pub fn program(message: impl Into<String>) -> Self {
        Error::Program(message.into())
    }

    pub fn request(status: u16, message: impl Into<String>) -> Self {
        Error::Request { status, message: message.into() }
    }
}
