//! What most programs need: `use likewise::prelude::*;`

pub use crate::data::{Column, Csr, CsrBuilder, Data, Dense, Mark, PuData, Table};
pub use crate::error::{Error, Result};
pub use crate::features::words::WordOptions;
pub use crate::method::{Fitted, Method, Model, Reason, Spec, Summary};
pub use crate::note::Note;
pub use crate::questions::find::{Find, Found};
pub use crate::questions::{ColumnChoice, Ends, Problem, Ranking};
pub use crate::run::Run;
pub use crate::trained::{Outcome, Trained, fit};
pub use crate::{methods, registry};
