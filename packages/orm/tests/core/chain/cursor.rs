//! Cursors that hold the positions in two lists.

use super::*;

#[test]
fn a_page_begins_after_what_is_gone() {
    let (mut store, all) = filled();
    let page = |store: &Store, request: &PageRequest| {
        places(messages(EMITTERS.all()).page(store, request).unwrap())
    };
    let one = page(&store, &first(4));
    assert_eq!(one.items, all[..4]);
    let next = first(9).after(&one.page).unwrap();
    // The last message, then its emitter, then one that comes in its place.
    SENT.delete(&mut store, &key(1, "c", 5)).unwrap();
    assert_eq!(page(&store, &next).items, all[4..]);
    EMITTERS.delete(&mut store, &(1, "c".into())).unwrap();
    assert_eq!(page(&store, &next).items, all[4..]);
    send(&mut store, 1, "c", 4);
    send(&mut store, 1, "c", 6);
    assert_eq!(page(&store, &next).items[0], (1, "c".into(), 6));
    let back = page(&store, &last(4));
    let next = last(9).after(&back.page).unwrap();
    assert_eq!(back.items[3], (1, "c".into(), 6));
    assert_eq!(page(&store, &next).items[0], (1, "c".into(), 4));
}

#[test]
fn a_cursor_of_another_list_is_refused() {
    let (store, _) = filled();
    let page = messages(EMITTERS.all()).page(&store, &first(2)).unwrap();
    let next = first(2).after(&page.page).unwrap();
    let foreign = Err(OrmError::ForeignCursor);
    let of_one = messages(EMITTERS.prefix(&(1_u16,)).unwrap());
    assert_eq!(of_one.page(&store, &next).map(places), foreign);
    let other = EMITTERS.all().then("other", |(_, emitter)| {
        SENT.prefix(&(CompactUint64(emitter.n.into()),))
    });
    assert_eq!(other.page(&store, &next).map(places), foreign);
    let filtered = messages(EMITTERS.all()).filter("odd", |(_, (key, _))| key.1 % 2 == 1);
    assert_eq!(filtered.page(&store, &next).map(places), foreign);
    assert_eq!(
        EMITTERS.all().page(&store, &next).map(|_| ()),
        Err(OrmError::ForeignCursor)
    );
    let back = PageRequest {
        reverse: true,
        ..next.clone()
    };
    assert_eq!(
        messages(EMITTERS.all()).page(&store, &back).map(places),
        foreign
    );
}

#[test]
fn a_forged_cursor_is_refused_or_a_page_of_the_list() {
    let (store, _) = filled();
    let list = || messages(EMITTERS.prefix(&(2_u16,)).unwrap());
    let page = list().page(&store, &first(1)).unwrap();
    let good = page.page.next_key.unwrap().to_vec();
    let with = |position: &[u8]| {
        let key = Some(Binary::new([&good[..10], position].concat()));
        let request = PageRequest { key, ..first(9) };
        list().page(&store, &request).map(|page| page.items.len())
    };
    // Length 4, the emitter (2, "a"), a mark, and a message of it.
    let position = &good[10..];
    assert_eq!(with(position), Ok(1));
    for len in 0..position.len() {
        let cut = with(&position[..len]);
        assert!(
            cut == Err(OrmError::MalformedCursor) || cut.is_ok(),
            "{cut:?}"
        );
    }
    assert_eq!(with(b""), Err(OrmError::MalformedCursor));
    assert_eq!(
        with(b"\0\0\0\x04\0\x01a\0\x01"),
        Err(OrmError::MalformedCursor),
        "an emitter outside"
    );
    assert_eq!(
        with(b"\0\0\0\x04\0\x02a\0\x02"),
        Err(OrmError::MalformedCursor),
        "no such mark"
    );
    assert_eq!(
        with(b"\0\0\0\x04\0\x02a\0\0x"),
        Err(OrmError::MalformedCursor),
        "more after the end"
    );
    assert_eq!(
        with(b"\xff\xff\xff\xff\0\x02a\0\x01"),
        Err(OrmError::MalformedCursor)
    );
    assert_eq!(with(b"\0\0\0\x04\0\x02a\0\0"), Ok(0), "after all of (2, a)");
    assert_eq!(
        with(b"\0\0\0\x04\0\x02a\0\x01"),
        Ok(2),
        "before all of (2, a)"
    );
}
