//! Lists of lists: for each item of one, the items of another that it leads to.

use std::rc::Rc;

use cosmwasm_std::{Order, Storage};

use super::{
    Steps,
    list::{Found, Start, Walk},
};
use crate::{cursor::Scope, error::OrmError, row::PageLimits};

type Inner<A, B> = Rc<dyn Fn(&<A as Walk>::Item) -> Result<B, OrmError>>;

/// For each item of an outer list, in its order, the items of the inner list that it leads to: a join in the order of
/// both. Made by `then` of a scan or [`List`](crate::List).
///
/// Opens a scan for the outer list and one for each of its items that is come to. A page ends within its budget, of which
/// an outer item without inner ones takes one; it can be short, even empty, and still have a `next_key`. Its cursor holds
/// the positions in both lists, so a page begins after the last item also where that, or all of its list, is gone. Items
/// that come to an outer one already passed wait for another walk.
///
/// ```
/// use cosmwasm_std::{Order, testing::MockStorage};
/// use cw_orm::{OrmError, PageRequest, Table};
///
/// // Authors by name, books by the number that their author was given.
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "authors", ns = "a")]
/// struct Author {
///     #[pk(auto)]
///     id: u64,
///     #[unique(id = 1)]
///     name: String,
/// }
///
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "books", ns = "b")]
/// struct Book {
///     #[pk]
///     author: u64,
///     #[pk]
///     year: u16,
///     title: String,
/// }
///
/// # fn main() -> Result<(), OrmError> {
/// let mut store = MockStorage::new();
/// for (name, years) in [("zweig", [1927, 1942]), ("austen", [1811, 1813])] {
///     let author = Author::TABLE.insert(&mut store, &mut Author { id: 0, name: name.into() })?;
///     for year in years {
///         Book::TABLE.insert(&mut store, &Book { author, year, title: format!("{name} {year}") })?;
///     }
/// }
/// // In the order of name and year; the authors' rows are not read, as the index entries name them.
/// let authors = Author::TABLE.by(Author::BY_NAME)?.all().index_keys();
/// let books = authors.then("books", |(_, id)| Book::TABLE.prefix(&(*id,)));
/// let page = books.page(&store, &PageRequest::first(3))?;
/// let years: Vec<_> = page.items.iter().map(|((name, _), (_, book))| (&name[..], book.year)).collect();
/// assert_eq!(years, [("austen", 1811), ("austen", 1813), ("zweig", 1927)]);
/// assert!(page.page.next_key.is_some());
/// # Ok(())
/// # }
/// ```
pub struct Chained<A: Walk, B: Walk> {
    outer: Rc<A>,
    name: Vec<u8>,
    inner: Inner<A, B>,
}

impl<A: Walk, B: Walk> core::fmt::Debug for Chained<A, B> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Chained")
            .field("name", &crate::error::hex(&self.name))
            .finish_non_exhaustive()
    }
}

impl<A: Walk, B: Walk> Chained<A, B> {
    pub(super) fn new(
        outer: A,
        name: Vec<u8>,
        inner: impl Fn(&A::Item) -> Result<B, OrmError> + 'static,
    ) -> Self {
        Self {
            outer: Rc::new(outer),
            name,
            inner: Rc::new(inner),
        }
    }
}

/// An item of the outer list, the list that it led to, and an entry of that.
type Link<A, B> = (<A as Walk>::Item, Rc<B>, <B as Walk>::Value);

impl<A: Walk, B: Walk> Walk for Chained<A, B>
where
    A::Item: Clone,
{
    /// None where an outer item has no inner ones.
    type Value = Option<Link<A, B>>;
    type Item = (A::Item, B::Item);

    fn scope(&self) -> u64 {
        Scope::of(&[b"then", &self.outer.scope().to_be_bytes(), &self.name]).0
    }

    fn limits(&self) -> PageLimits {
        self.outer.limits()
    }

    fn contains(&self, position: &[u8]) -> bool {
        Position::read(position).is_some_and(|position| self.outer.contains(position.outer))
    }

    fn has_gaps(&self) -> bool {
        true
    }

    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        start: Start<'_>,
        order: Order,
    ) -> Found<'s, Self::Value> {
        let (start, resume) = match start {
            Start::First => (Start::First, None),
            Start::At(position) => resume(position, false),
            Start::After(position) => resume(position, true),
        };
        Steps::new(Chain {
            storage,
            order,
            outers: self.outer.open(storage, start, order),
            outer: Rc::clone(&self.outer),
            inner: Rc::clone(&self.inner),
            resume,
            current: None,
        })
    }

    fn item(
        &self,
        storage: &dyn Storage,
        position: &[u8],
        value: Self::Value,
    ) -> Result<Option<Self::Item>, OrmError> {
        let Some((item, list, value)) = value else {
            return Ok(None);
        };
        let found = list.item(storage, inner_of(position), value)?;
        Ok(found.map(|found| (item, found)))
    }

    fn is_item(
        &self,
        storage: &dyn Storage,
        position: &[u8],
        value: Self::Value,
    ) -> Result<bool, OrmError> {
        match value {
            None => Ok(false),
            Some((_, list, value)) => list.is_item(storage, inner_of(position), value),
        }
    }
}

/// A position in both lists: `length of the outer, u32 | outer | 01 | inner`, or `… | 00` after the whole inner list.
struct Position<'a> {
    outer: &'a [u8],
    inner: Option<&'a [u8]>,
}

impl<'a> Position<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let (len, rest) = bytes.split_first_chunk::<4>()?;
        let len = usize::try_from(u32::from_be_bytes(*len)).ok()?;
        let (outer, rest) = rest.split_at_checked(len)?;
        match rest.split_first()? {
            (0, []) => Some(Self { outer, inner: None }),
            (1, inner) => Some(Self {
                outer,
                inner: Some(inner),
            }),
            _ => None,
        }
    }

    fn write(&self) -> Vec<u8> {
        // A store's keys are far shorter than 2^32 bytes.
        let len = u32::try_from(self.outer.len()).unwrap_or(u32::MAX);
        let tail = match self.inner {
            None => vec![0],
            Some(inner) => [&[1], inner].concat(),
        };
        [&len.to_be_bytes(), self.outer, &tail].concat()
    }
}

fn inner_of(position: &[u8]) -> &[u8] {
    Position::read(position)
        .and_then(|position| position.inner)
        .unwrap_or_default()
}

/// Where the inner list of one outer item is opened.
struct Resume {
    outer: Vec<u8>,
    inner: Vec<u8>,
    after: bool,
}

/// Returns where the outer list is opened, and where the inner one of its first item is.
fn resume(position: &[u8], after: bool) -> (Start<'_>, Option<Resume>) {
    match Position::read(position) {
        // Not a position: [`Walk::contains`] has refused it before.
        None => (Start::First, None),
        Some(Position { outer, inner: None }) if after => (Start::After(outer), None),
        Some(Position { outer, inner: None }) => (Start::At(outer), None),
        Some(Position {
            outer,
            inner: Some(inner),
        }) => {
            let resume = Resume {
                outer: outer.to_vec(),
                inner: inner.to_vec(),
                after,
            };
            (Start::At(outer), Some(resume))
        }
    }
}

/// A chained list, opened.
struct Chain<'s, A: Walk, B: Walk> {
    storage: &'s dyn Storage,
    order: Order,
    outers: Found<'s, A::Value>,
    outer: Rc<A>,
    inner: Inner<A, B>,
    resume: Option<Resume>,
    current: Option<Current<'s, A, B>>,
}

/// The outer item that the walk is at.
struct Current<'s, A: Walk, B: Walk> {
    at: Vec<u8>,
    item: A::Item,
    list: Rc<B>,
    entries: Found<'s, B::Value>,
    empty: bool,
}

impl<A: Walk, B: Walk> Chain<'_, A, B> {
    /// Goes to the next outer item; none if it is passed over.
    fn advance(&mut self, at: Vec<u8>, value: A::Value) -> Result<Option<Vec<u8>>, OrmError> {
        let Some(item) = self.outer.item(self.storage, &at, value)? else {
            return Ok(Some(at));
        };
        let list = (self.inner)(&item)?;
        let resume = self.resume.take().filter(|resume| resume.outer == at);
        let start = match &resume {
            None => Start::First,
            Some(resume) if resume.after => Start::After(&resume.inner),
            Some(resume) => Start::At(&resume.inner),
        };
        let entries = list.open(self.storage, start, self.order);
        self.current = Some(Current {
            at,
            item,
            list: Rc::new(list),
            entries,
            empty: true,
        });
        Ok(None)
    }
}

impl<A: Walk, B: Walk> Iterator for Chain<'_, A, B>
where
    A::Item: Clone,
{
    type Item = Result<(Vec<u8>, Option<Link<A, B>>), OrmError>;

    fn next(&mut self) -> Option<Self::Item> {
        let passed = |outer: Vec<u8>| {
            let position = Position {
                outer: &outer,
                inner: None,
            };
            Some(Ok((position.write(), None)))
        };
        loop {
            if let Some(current) = &mut self.current {
                match current.entries.next() {
                    Some(Ok((inner, value))) => {
                        current.empty = false;
                        let position = Position {
                            outer: &current.at,
                            inner: Some(&inner),
                        };
                        let link = (current.item.clone(), Rc::clone(&current.list), value);
                        return Some(Ok((position.write(), Some(link))));
                    }
                    Some(Err(error)) => return Some(Err(error)),
                    None => {}
                }
            }
            if let Some(done) = self.current.take()
                && done.empty
            {
                return passed(done.at);
            }
            let stepped = match self.outers.next()? {
                Ok((at, value)) => self.advance(at, value),
                Err(error) => Err(error),
            };
            match stepped {
                Ok(None) => {}
                Ok(Some(outer)) => return passed(outer),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
