//! Show it a few of what you want; it finds the rest: learning from positive and unlabeled examples.
//!
//! A [`questions::Problem`] brings examples and pile together; [`questions::find`] ranks the pile, and every other
//! question has a file beside it. What comes out of learning is a [`trained::Trained`], which scores, explains and is
//! kept. No files, no terminal, no network here: those are doors, and doors only translate.
//!
//! ```
//! use likewise::prelude::*;
//!
//! let like = Table::from_texts("text", ["I want my money back", "please refund my money", "refund the voucher"]);
//! let pile = Table::from_texts("text", ["where is my parcel", "give me a refund now", "the parcel is late"]);
//! let problem = Problem::of_two(like, pile, &ColumnChoice::default())?;
//! let found = Find::new(Some("nb"), false)?.ask(&problem, &Run::new(0))?;
//! assert_eq!(found.ranking.positions[0], 1);
//!
//! let bytes = found.trained.to_bytes()?;
//! let tomorrow = Table::from_texts("text", ["a refund, please"]);
//! let (scores, _) = Trained::from_bytes(bytes)?.score(&tomorrow, &Run::new(0))?;
//! assert_eq!(scores.len(), 1);
//! # Ok::<(), likewise::Error>(())
//! ```
//!
//! The modules are layers, listed below from bottom to top: each uses only those above it in the list, and a test reads
//! every `use` to see that it stays so. Rows ([`data`]) become numbers ([`features`]), a method ([`methods`]) learns
//! from positives and pile, the automatic choice ([`automatic`]) picks among them, and [`questions`] answers.

#![warn(missing_docs)]

// The layers, from bottom to top: a module uses only those above its line. `tests/promises/layers.rs` reads this list.
pub mod codes;
pub mod message;
pub mod note;
pub mod error;
pub mod figures;
pub mod run;
pub mod matrix;
pub mod table;
pub mod relations;
pub mod data;
pub mod model_file;
pub mod decide;
pub mod method;
pub mod features;
#[doc(hidden)]
pub mod parts;
pub mod measure;
pub mod prior;
pub mod methods;
pub mod automatic;
pub mod registry;
pub mod likeness;
pub mod ends;
pub mod probability;
pub mod drift;
pub mod correction;
pub mod trained;
pub mod stopping;
pub mod reading;
pub mod questions;
pub mod prelude;

pub use error::{Error, Result};
pub use run::Run;
