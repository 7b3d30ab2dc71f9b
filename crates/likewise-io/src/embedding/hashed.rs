//! SHA-256 of what is read, so that a model can tell its embedding from others.

use std::io::{self, Read};
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};

use crate::compression::Bytes;

/// A hash that grows while its bytes are read.
#[derive(Clone, Default)]
pub struct Hash(Arc<Mutex<Sha256>>);

impl Hash {
    /// The same bytes, hashed on their way.
    pub fn of(&self, bytes: Bytes) -> Bytes {
        Box::new(Hashed { inner: bytes, hash: self.clone() })
    }

    pub fn add(&self, bytes: &[u8]) {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).update(bytes);
    }

    /// In hexadecimal digits, as `sha256sum` prints it.
    pub fn digits(&self) -> String {
        let hash = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

struct Hashed {
    inner: Bytes,
    hash: Hash,
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.hash.add(&buffer[..n]);
        Ok(n)
    }
}
