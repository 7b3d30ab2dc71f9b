//! Decoders of others panic on some damaged files; here that becomes an error like any other.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs the decoder. After an error the decoder must not be used again: it may be in any state.
pub(crate) fn guarded<T, E: std::fmt::Display>(decode: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    quiet_while_guarded();
    GUARDED.set(true);
    let result = catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(false);
    match result {
        Ok(result) => result.map_err(|e| e.to_string()),
        Err(_) => Err("its content contradicts itself".into()),
    }
}

/// The user reads our error; a report of the panic would only frighten. Other panics are reported as before.
fn quiet_while_guarded() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                before(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(guarded(|| Ok::<_, String>(3)), Ok(3));
        assert_eq!(guarded(|| Err::<(), _>("bad")), Err("bad".into()));
        let empty: Vec<u8> = Vec::new();
        assert!(guarded(|| Ok::<_, String>(empty[empty.len()])).is_err());
    }
}
