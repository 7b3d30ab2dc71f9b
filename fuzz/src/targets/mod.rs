//! Everything that reads a file.

mod bases;
mod embeddings;
mod honest;
mod kept;
mod models;
mod projects;
mod rows;
mod words;

use crate::Target;

/// Readers of rows, bases, schemas, embeddings, words and projects.
pub fn readers() -> Vec<Box<dyn Target>> {
    let mut all = rows::all();
    all.extend(bases::all());
    all.extend(embeddings::all());
    all.push(Box::new(words::Words::new()));
    all.push(Box::new(projects::Projects::new()));
    all
}

/// Models of every method on every kind of rows it takes, and as `find` keeps them.
pub fn models() -> Vec<Box<dyn Target>> {
    models::all().into_iter().chain(kept::all()).collect()
}

/// All of them.
pub fn all() -> Vec<Box<dyn Target>> {
    readers().into_iter().chain(models()).collect()
}
