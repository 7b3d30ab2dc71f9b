//! What can go wrong while a paper is rerun.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "{} is not there; give the folder with the data sets (--data, or the variable LIKEWISE_DATA)",
        .0.display()
    )]
    MissingData(PathBuf),

    #[error("the memory of finished trials {} cannot be kept: {reason}", .path.display())]
    Journal { path: PathBuf, reason: String },

    #[error(transparent)]
    Files(#[from] likewise_io::Error),

    #[error(transparent)]
    Learning(#[from] likewise::Error),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
