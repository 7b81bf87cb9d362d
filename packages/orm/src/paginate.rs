//! The loop that makes a page of anything that can be opened after a position, and its public form for iterators.

use cosmwasm_std::{Order, Storage, Uint64};

use crate::{
    cursor::{Cursor, Scope},
    error::OrmError,
    iter::{Iter, Steps},
    key::{Key, KeyRule},
    page::{DEFAULT_SCAN_BUDGET, Page, PageRequest, PageResponse},
    raw::{Source, Span},
    row::PageLimits,
};

/// What a page's loop must know of a list.
#[derive(Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) scope: Scope,
    pub(crate) limits: PageLimits,
    pub(crate) budget: u32,
    /// Whether `visit` may refuse entries.
    pub(crate) filtered: bool,
    /// How many entries there are, if that was asked for and is known.
    pub(crate) total: Option<u64>,
}

/// Entries, each with its position.
pub(crate) type Positions<'s, V> = Steps<'s, Result<(Vec<u8>, V), OrmError>>;

/// What a page is shown: an entry's position and value, and whether it can become an item. Says whether the entry
/// matches.
pub(crate) type Visit<'v, V> = dyn FnMut(&[u8], V, bool) -> Result<bool, OrmError> + 'v;

/// The list of a source's span that pages are made of.
pub(crate) struct Listing<'a, S: Source> {
    pub(crate) source: &'a S,
    pub(crate) span: &'a Span,
    pub(crate) terms: Terms,
}

/// Makes a page: gives entries to `visit`, which says of each whether it is an item.
pub(crate) fn page_of_source<S: Source>(
    storage: &dyn Storage,
    listing: &Listing<'_, S>,
    request: &PageRequest,
    visit: &mut Visit<'_, S::Value>,
) -> Result<PageResponse, OrmError> {
    let Listing {
        source,
        span,
        terms,
    } = listing;
    let order = request.order();
    let after = position(terms, request, &|position| span.contains(position))?;
    let span = match after {
        Some(position) => (*span).clone().after(position, order),
        None => (*span).clone(),
    };
    let entries = source.open(storage, &span, order).map(Ok);
    walk(terms, request, Steps::new(entries), visit)
}

/// Returns the position after which the page begins, if its request has a cursor.
pub(crate) fn position(
    terms: &Terms,
    request: &PageRequest,
    contains: &dyn Fn(&[u8]) -> bool,
) -> Result<Option<Vec<u8>>, OrmError> {
    let Some(key) = request.key.as_ref().filter(|key| !key.is_empty()) else {
        return Ok(None);
    };
    let position = Cursor::open(key, terms.scope, request.order(), contains)?;
    if request.offset.is_some_and(|offset| !offset.is_zero()) {
        return Err(OrmError::KeyAndOffset);
    }
    Ok(Some(position))
}

/// Whether the page is to tell the list's total.
pub(crate) fn asks_total(request: &PageRequest) -> bool {
    request.count_total && request.key.as_ref().is_none_or(|key| key.is_empty())
}

/// Makes a page of entries that begin after the request's position.
pub(crate) fn walk<V>(
    terms: &Terms,
    request: &PageRequest,
    entries: Positions<'_, V>,
    visit: &mut Visit<'_, V>,
) -> Result<PageResponse, OrmError> {
    let order = request.order();
    let offset = request.offset.unwrap_or_default().u64();
    let asked = asks_total(request);
    let known = terms.total.filter(|_| asked);
    let count = asked && known.is_none();
    let limit = match request.limit.unwrap_or_default().u64() {
        0 => terms.limits.default,
        limit => u32::try_from(limit).unwrap_or(u32::MAX),
    };
    let limit = limit.min(terms.limits.max).max(1);

    let mut seen = Seen::default();
    let mut more = false;
    for entry in entries {
        let (key, value) = entry?;
        let full = seen.taken == limit;
        if full && !count && !terms.filtered {
            more = true;
            break;
        }
        if seen.passed == terms.budget {
            let spent = |what| OrmError::ScanBudget {
                what,
                budget: terms.budget,
            };
            if count {
                return Err(spent("total"));
            }
            if seen.skipped < offset {
                return Err(spent("offset"));
            }
            if terms.filtered {
                more = true;
                break;
            }
        }
        let skip = seen.skipped < offset;
        if skip || full || count || terms.filtered {
            seen.passed = seen.passed.saturating_add(1);
        }
        // Entries that are not to be an item need a look only where a filter decides whether they count.
        let matches = if (skip || full) && !terms.filtered {
            true
        } else {
            visit(&key, value, !skip && !full)?
        };
        if matches {
            seen.total = seen.total.saturating_add(1);
            if skip {
                seen.skipped = seen.skipped.saturating_add(1);
            } else if full {
                more = true;
                if !count {
                    break;
                }
            } else {
                seen.taken = seen.taken.saturating_add(1);
            }
        }
        // Under a filter this goes on past a full page, to find out whether an item is left; the next page then begins
        // behind what was looked through.
        if !more {
            seen.last = Some(key);
        }
    }
    Ok(PageResponse {
        next_key: seen
            .last
            .filter(|_| more)
            .map(|last| Cursor::seal(terms.scope, order, &last)),
        total: asked.then(|| Uint64::new(known.unwrap_or(seen.total))),
    })
}

/// What a page's loop has seen.
#[derive(Default)]
struct Seen {
    taken: u32,
    skipped: u64,
    total: u64,
    passed: u32,
    last: Option<Vec<u8>>,
}

/// What list an iterator is of, for [`paginate`]: its name and arguments, by which a cursor of another is refused, and
/// how much a page may do.
///
/// ```
/// use cw_orm::{PageLimits, PageTerms};
///
/// let chain = 2_u16;
/// let terms = PageTerms::new("messages of a chain")
///     .argument(chain.to_be_bytes())
///     .limits(PageLimits { default: 10, max: 30 })
///     .budget(500);
/// # let _ = terms;
/// ```
#[derive(Clone, Debug)]
pub struct PageTerms {
    name: &'static str,
    identity: Vec<u8>,
    limits: PageLimits,
    budget: u32,
    total: Option<u64>,
}

impl PageTerms {
    /// Names a list. Two lists that one cursor must not fit have different names or arguments.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            identity: crate::cursor::filter_name(&[], name.as_bytes()),
            limits: PageLimits::DEFAULT,
            budget: DEFAULT_SCAN_BUDGET,
            total: None,
        }
    }

    /// Adds an argument of the list, as a key or a filter that it was asked with.
    #[must_use]
    pub fn argument(mut self, argument: impl AsRef<[u8]>) -> Self {
        self.identity = crate::cursor::filter_name(&self.identity, argument.as_ref());
        self
    }

    /// Sets the page sizes; [`PageLimits::DEFAULT`] unless set.
    #[must_use]
    pub const fn limits(mut self, limits: PageLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how many entries a page may pass to filter, skip or count them; [`DEFAULT_SCAN_BUDGET`] unless set.
    #[must_use]
    pub fn budget(mut self, entries: u32) -> Self {
        self.budget = entries.max(1);
        self
    }

    /// Says how many items the list has, where that is known without counting them.
    #[must_use]
    pub const fn total(mut self, items: u64) -> Self {
        self.total = Some(items);
        self
    }
}

/// Makes a page of any iterator: of several tables merged, of a table and what its rows lead to, of entries that the ORM
/// does not know. Requests and answers mean what they do for a [`Scan`](crate::Scan).
///
/// `open` gives the items in the direction asked for, each with its position, and begins after a position if one is given;
/// positions are distinct and come in order. It reads what is needed of them: an offset is passed item by item. A position
/// survives in the cursor as the bytes of its key, so the next page begins right after it whether or not its item still
/// exists, if `open` keeps to that.
///
/// # Errors
/// [`OrmError::KeyAndOffset`], [`OrmError::MalformedCursor`], [`OrmError::ForeignCursor`], [`OrmError::ScanBudget`];
/// [`OrmError::Key`], naming the list, if a position cannot be encoded; those of `open` and of its items.
///
/// ```
/// use cosmwasm_std::Order;
/// use cw_orm::{Iter, PageRequest, PageTerms, paginate};
///
/// # fn main() -> Result<(), cw_orm::OrmError> {
/// // Two sorted sources, merged: what stands at 2 is in both.
/// let (odd, even) = ([(1_u32, "a"), (3, "c")], [(2_u32, "b"), (4, "d")]);
/// let open = |after: Option<u32>, order| {
///     let mut merged: Vec<_> = odd.into_iter().chain(even).collect();
///     merged.sort();
///     if order == Order::Descending {
///         merged.reverse();
///     }
///     let left = merged.into_iter().filter(move |(at, _)| match (after, order) {
///         (None, _) => true,
///         (Some(after), Order::Ascending) => *at > after,
///         (Some(after), Order::Descending) => *at < after,
///     });
///     Ok(Iter::new(left.map(Ok)))
/// };
/// let terms = PageTerms::new("letters");
/// let request = PageRequest::first(3);
/// let page = paginate(&terms, &request, open)?;
/// assert_eq!(page.items, ["a", "b", "c"]);
/// let rest = paginate(&terms, &request.after(&page.page).unwrap(), open)?;
/// assert_eq!((rest.items, rest.page.next_key), (vec!["d"], None));
/// # Ok(())
/// # }
/// ```
pub fn paginate<'s, P: Key, T>(
    terms: &PageTerms,
    request: &PageRequest,
    open: impl FnOnce(Option<P>, Order) -> Result<Iter<'s, (P, T)>, OrmError>,
) -> Result<Page<T>, OrmError> {
    let mut items = Vec::new();
    let page = page_of_iter(terms, request, false, open, &mut |item, wanted| {
        if wanted {
            items.push(item);
        }
        true
    })?;
    Ok(Page { items, page })
}

/// Makes a page of an iterator that passes positions without an item, as [`paginate`] does otherwise. Each position
/// passed, with or without an item, is of the budget, so that a page can be short, even empty, and still have a
/// `next_key`.
///
/// # Errors
/// As [`paginate`].
///
/// ```
/// use cw_orm::{Iter, PageRequest, PageTerms, paginate_some};
///
/// # fn main() -> Result<(), cw_orm::OrmError> {
/// // Squares among numbers, of which a page looks at ten.
/// let is_square = |n: &u32| n.isqrt().pow(2) == *n;
/// let open = |after: Option<u32>, _| {
///     let left = after.map_or(0, |after| after + 1)..100;
///     Ok(Iter::new(left.map(|n| Ok((n, Some(n).filter(is_square))))))
/// };
/// let terms = PageTerms::new("squares").budget(10);
/// let page = paginate_some(&terms, &PageRequest::first(9), open)?;
/// assert_eq!(page.items, [0, 1, 4, 9]);
/// assert!(page.page.next_key.is_some());
/// # Ok(())
/// # }
/// ```
pub fn paginate_some<'s, P: Key, T>(
    terms: &PageTerms,
    request: &PageRequest,
    open: impl FnOnce(Option<P>, Order) -> Result<Iter<'s, (P, Option<T>)>, OrmError>,
) -> Result<Page<T>, OrmError> {
    let mut items = Vec::new();
    let page = page_of_iter(terms, request, true, open, &mut |item, wanted| match item {
        Some(item) => {
            if wanted {
                items.push(item);
            }
            true
        }
        None => false,
    })?;
    Ok(Page { items, page })
}

fn page_of_iter<'s, P: Key, T>(
    terms: &PageTerms,
    request: &PageRequest,
    filtered: bool,
    open: impl FnOnce(Option<P>, Order) -> Result<Iter<'s, (P, T)>, OrmError>,
    take: &mut dyn FnMut(T, bool) -> bool,
) -> Result<PageResponse, OrmError> {
    let (table, kind) = (terms.name, [u8::from(filtered)]);
    let terms = Terms {
        scope: Scope::of(&[b"paginate", &kind, &terms.identity]),
        limits: terms.limits,
        budget: terms.budget,
        filtered,
        total: terms.total,
    };
    let after = position(&terms, request, &|_| true)?
        .map(|position| P::decode(&position, KeyRule::Delimited))
        .transpose()
        .map_err(|_| OrmError::MalformedCursor)?;
    let found = open(after, request.order())?.map(|entry| {
        let (position, item) = entry?;
        match position.encode(KeyRule::Delimited) {
            Ok(position) => Ok((position, item)),
            Err(source) => Err(OrmError::Key { table, source }),
        }
    });
    walk(
        &terms,
        request,
        Steps::new(found),
        &mut |_, item, wanted| Ok(take(item, wanted)),
    )
}
