//! Several namespaces as one: their scans, merged by key.

use core::{cmp::Ordering, iter::Peekable};

use cosmwasm_std::{Order, Storage};

use crate::{
    iter::Steps,
    namespace::Namespace,
    raw::{Entry, Source, Span},
};

/// The named of a row's namespaces, as one source.
pub(crate) struct Merged {
    /// Each named namespace, and its place among all.
    pub(crate) spaces: Vec<(usize, Namespace)>,
    /// How many there are in all.
    pub(crate) width: usize,
}

impl Source for Merged {
    /// The value in each of the namespaces, by place.
    type Value = Vec<Option<Vec<u8>>>;

    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        span: &Span,
        order: Order,
    ) -> Steps<'s, (Vec<u8>, Self::Value)> {
        let open = |(place, space): &(usize, Namespace)| {
            (*place, space.open(storage, span, order).peekable())
        };
        Steps::new(Merge {
            scans: self.spaces.iter().map(open).collect(),
            order,
            width: self.width,
        })
    }
}

type Opened<'s> = Peekable<Steps<'s, Entry>>;

struct Merge<'s> {
    scans: Vec<(usize, Opened<'s>)>,
    order: Order,
    width: usize,
}

impl Iterator for Merge<'_> {
    type Item = (Vec<u8>, Vec<Option<Vec<u8>>>);

    fn next(&mut self) -> Option<Self::Item> {
        let order = self.order;
        let earlier = |a: &Vec<u8>, b: &Vec<u8>| match order {
            Order::Ascending => a.cmp(b),
            Order::Descending => b.cmp(a),
        };
        let next =
            |found: Option<Vec<u8>>, scan: &mut (usize, Opened<'_>)| match (found, scan.1.peek()) {
                (Some(found), Some((key, _))) if earlier(key, &found) == Ordering::Less => {
                    Some(key.clone())
                }
                (None, Some((key, _))) => Some(key.clone()),
                (found, _) => found,
            };
        let key = self.scans.iter_mut().fold(None, next)?;
        let mut values = vec![None; self.width];
        for (place, scan) in &mut self.scans {
            if let Some((_, value)) = scan.next_if(|(at, _)| *at == key)
                && let Some(slot) = values.get_mut(*place)
            {
                *slot = Some(value);
            }
        }
        Some((key, values))
    }
}
