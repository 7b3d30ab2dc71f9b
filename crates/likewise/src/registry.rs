//! Every method there is: those that choose among others ([`crate::automatic`]) and those that learn by themselves
//! ([`crate::methods`]). Help, `--method`, Python's classes and the tests that every method must pass walk this list.

use crate::automatic;
use crate::error::Result;
use crate::method::Entry;
use crate::methods;

/// What `find` uses where nobody says otherwise.
pub const DEFAULT: &str = automatic::AUTO;

/// Every method, in the order in which they are listed.
pub fn all() -> impl Iterator<Item = &'static dyn Entry> + Clone {
    automatic::ALL.iter().chain(methods::ALL).copied()
}

/// The method of that name.
pub fn find(name: &str) -> Result<&'static dyn Entry> {
    methods::named(all(), name)
}
