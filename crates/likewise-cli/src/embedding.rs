//! The embedding of a kept model, which does not hold it.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use likewise::trained::Trained;
use likewise_io::Error;
use likewise_io::embedding::read_embedding;

use crate::arguments::Usage;

#[derive(Args)]
pub struct EmbeddingArguments {
    /// The embedding that the model was learned with, where `find` was given one
    #[arg(long, value_name = "FILE|FOLDER")]
    pub embed: Option<PathBuf>,
}

impl EmbeddingArguments {
    /// A model file with its embedding, or what is wrong with either.
    pub fn load(&self, path: &PathBuf) -> anyhow::Result<Trained> {
        let mut trained = load(path)?;
        if let Some(embed) = &self.embed {
            trained
                .features
                .give_embedding(read_embedding(embed)?)
                .with_context(|| path.display().to_string())?;
        }
        Ok(trained)
    }
}

/// A model file, or what is wrong with it.
pub fn load(path: &PathBuf) -> anyhow::Result<Trained> {
    if path.is_dir() {
        return Err(
            Usage(format!("{} is a folder; name the file that find --model wrote", path.display())).into()
        );
    }
    let bytes = std::fs::read(path).map_err(|e| Error::io(path.display().to_string(), e))?;
    Trained::from_bytes(bytes).with_context(|| path.display().to_string())
}
