//! Boxed iterators that bring nothing but their loop.

/// What can be stepped through. A boxed `dyn Iterator` also carries `nth` and `advance_by`, each with a copy of the loop,
/// for every type that was ever boxed; this carries the loop alone, which keeps a contract small.
trait Step<T> {
    fn step(&mut self) -> Option<T>;
}

impl<T, I: Iterator<Item = T>> Step<T> for I {
    fn step(&mut self) -> Option<T> {
        self.next()
    }
}

/// An iterator of any kind.
pub struct Steps<'s, T>(Box<dyn Step<T> + 's>);

impl<T> core::fmt::Debug for Steps<'_, T> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Steps").finish_non_exhaustive()
    }
}

impl<'s, T> Steps<'s, T> {
    pub(crate) fn new(items: impl Iterator<Item = T> + 's) -> Self {
        Self(Box::new(items))
    }
}

impl<T> Iterator for Steps<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.step()
    }
}
