//! Letters that nobody can guess: tokens, and names of projects.

use rand::TryRng;

use crate::error::{Error, Result};

pub fn letters() -> Result<String> {
    let mut bytes = [0u8; 24];
    let filled = rand::rngs::SysRng.try_fill_bytes(&mut bytes);
    filled.map_err(|e| Error::program(format!("this machine gives no random numbers ({e})")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
