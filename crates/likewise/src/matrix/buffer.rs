//! The numbers of a matrix: our own, or lent by somebody else.
//!
//! Rows often lie in memory already as we need them, in an array of Python's for one. Such memory is read where it
//! is. What outlives the call that lent it, a model above all, takes `owned` rows: the lender may change his later.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;

/// A vector, or a slice of memory that a lender keeps alive. Reads like a slice; the first change to lent memory
/// copies it. A clone of lent memory is the same memory, a clone of a vector is a copy.
#[derive(Clone)]
pub struct Buffer<T: 'static>(Memory<T>);

#[derive(Clone)]
enum Memory<T: 'static> {
    Own(Vec<T>),
    Lent(Lent<T>),
}

/// A pointer and not a reference: whoever is handed a buffer and drops it may end the lender, and a reference among his
/// arguments would have to hold until he returns.
#[derive(Clone)]
struct Lent<T> {
    values: NonNull<[T]>,
    _lender: Arc<dyn Any + Send + Sync>,
}

// SAFETY: the memory is only read, as through a `&[T]`, and the lender may go and be anywhere.
unsafe impl<T: Sync> Send for Lent<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Lent<T> {}

impl<T> Lent<T> {
    #[inline]
    fn values(&self) -> &[T] {
        // SAFETY: `Buffer::lent` was promised that the memory lives as long as the lender, which `self` holds.
        unsafe { self.values.as_ref() }
    }
}

impl<T: Clone> Buffer<T> {
    /// Reads memory of somebody else where it is.
    ///
    /// # Safety
    /// The memory stays where it is, and nobody writes to it, until the last clone of `lender` is dropped.
    pub unsafe fn lent(values: &[T], lender: Arc<dyn Any + Send + Sync>) -> Self {
        Buffer(Memory::Lent(Lent { values: NonNull::from(values), _lender: lender }))
    }

    /// The same numbers in memory that all clones share.
    pub fn shared(self) -> Self
    where
        T: Send + Sync,
    {
        match self.0 {
            Memory::Own(values) => {
                let lender = Arc::new(values);
                // SAFETY: the lender is never written to and owns the memory until its last clone is dropped.
                unsafe { Buffer::lent(&lender, lender.clone()) }
            }
            lent => Buffer(lent),
        }
    }

    /// As a vector that can grow; lent memory is copied first.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if let Memory::Lent(lent) = &self.0 {
            self.0 = Memory::Own(lent.values().to_vec());
        }
        match &mut self.0 {
            Memory::Own(values) => values,
            Memory::Lent(_) => unreachable!("just copied"),
        }
    }

    /// Whether the memory is somebody else's.
    pub fn is_lent(&self) -> bool {
        matches!(self.0, Memory::Lent(_))
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Own(values) => values,
            Memory::Lent(lent) => lent.values(),
        }
    }
}

impl<T: Clone> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.to_mut()
    }
}

impl<T> From<Vec<T>> for Buffer<T> {
    fn from(values: Vec<T>) -> Self {
        Buffer(Memory::Own(values))
    }
}

impl<T> FromIterator<T> for Buffer<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Vec::from_iter(values).into()
    }
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<'a, T> IntoIterator for &'a Buffer<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for Buffer<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for Buffer<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        **self == *other
    }
}

impl<T: PartialEq> PartialEq<Vec<T>> for Buffer<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lent(lender: &Arc<Vec<f32>>) -> Buffer<f32> {
        // SAFETY: nobody writes to a vector in an `Arc`, and it lives as long as the `Arc`.
        unsafe { Buffer::lent(lender, lender.clone()) }
    }

    #[test]
    fn lent_memory_is_read_where_it_is_and_kept_alive() {
        let lender = Arc::new(vec![1.0, 2.0, 3.0]);
        let watch = Arc::downgrade(&lender);
        let (buffer, address) = (lent(&lender), lender.as_ptr());
        drop(lender);
        let twin = buffer.clone();
        drop(buffer);
        assert_eq!((twin.as_ptr(), &twin), (address, &vec![1.0, 2.0, 3.0].into()));
        drop(twin);
        assert!(watch.upgrade().is_none());
    }

    #[test]
    fn a_change_goes_to_a_copy() {
        let lender = Arc::new(vec![1.0, 2.0]);
        let mut buffer = lent(&lender);
        buffer[0] = 9.0;
        buffer.to_mut().push(5.0);
        assert_eq!((&*lender, buffer), (&vec![1.0, 2.0], vec![9.0, 2.0, 5.0].into()));
        assert_eq!(Arc::strong_count(&lender), 1);
    }
}
