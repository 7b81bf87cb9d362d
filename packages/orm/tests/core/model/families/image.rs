//! What the model's rows are in the store, and what the ORM must answer about them.

use cosmwasm_std::Order::{Ascending, Descending};
use proptest::prelude::*;

use super::{Model, empty, is_empty, named};
use crate::fixture::{
    BY_DIGEST, BY_NONCE, BY_PHASE, Body, Dump, MESSAGES, Message, Phase, Quorum, Store, nul,
    raw_key,
};
use cw_orm::Families;

pub(super) fn image(model: &Model) -> Dump {
    let mut image = Dump::new();
    for (key, row) in model {
        let id = [&key.0.to_be_bytes()[..], &key.1.to_be_bytes()].concat();
        if let Some(body) = &row.body {
            image.insert(
                raw_key("mb", &[&id]),
                [vec![1], postcard::to_allocvec(body).unwrap()].concat(),
            );
            image.insert(raw_key("mn", &[&body.nonce.to_be_bytes(), &id]), vec![1]);
        }
        if let Some(quorum) = &row.quorum {
            image.insert(
                raw_key("mq", &[&id]),
                [vec![1], postcard::to_allocvec(quorum).unwrap()].concat(),
            );
            image.insert(raw_key("md", &[&nul(&quorum.digest)]), id.clone());
        }
        if let Some(phase) = &row.phase {
            image.insert(
                raw_key("mp", &[&id]),
                [vec![1], postcard::to_allocvec(phase).unwrap()].concat(),
            );
            for phase in &phase.phases {
                image.insert(raw_key("mh", &[&[*phase], &id]), vec![1]);
            }
        }
    }
    image
}

pub(super) fn compare(store: &Store, model: &Model) -> Result<(), TestCaseError> {
    let rows = MESSAGES
        .all(Families::ALL)
        .rows(store, Ascending)
        .read_all()
        .unwrap();
    prop_assert_eq!(rows, model.values().cloned().collect::<Vec<_>>());
    for bits in 0..8_u8 {
        let part = |bit: u8| bits >> bit & 1 == 1;
        let seen = |row: &Message| Message {
            body: row.body.clone().filter(|_| part(0)),
            quorum: row.quorum.clone().filter(|_| part(1)),
            phase: row.phase.clone().filter(|_| part(2)),
            ..empty((row.chain, row.sequence))
        };
        let want: Vec<Message> = model
            .values()
            .rev()
            .map(seen)
            .filter(|row| !is_empty(row))
            .collect();
        let found = MESSAGES
            .all(named(bits))
            .rows(store, Descending)
            .read_all()
            .unwrap();
        prop_assert_eq!(&found, &want, "families {:03b}", bits);
        let ids = MESSAGES
            .all(named(bits))
            .ids(store, Descending)
            .read_all()
            .unwrap();
        prop_assert_eq!(
            ids,
            want.iter()
                .map(|row| (row.chain, row.sequence))
                .collect::<Vec<_>>()
        );
        for (key, row) in model {
            let want = Some(seen(row)).filter(|row| !is_empty(row));
            prop_assert_eq!(MESSAGES.get(store, key, named(bits)).unwrap(), want);
        }
    }
    for nonce in 0..3 {
        let view = MESSAGES.by::<Body, _>(BY_NONCE).unwrap();
        let found = view
            .key(&nonce)
            .unwrap()
            .ids(store, Ascending)
            .read_all()
            .unwrap();
        let want = model
            .iter()
            .filter(|(_, row)| row.body.as_ref().is_some_and(|body| body.nonce == nonce));
        prop_assert_eq!(found, want.map(|(key, _)| *key).collect::<Vec<_>>());
    }
    for digest in ["d", "e", "de"].map(String::from) {
        let found = MESSAGES
            .by::<Quorum, _>(BY_DIGEST)
            .unwrap()
            .row_key(store, &digest)
            .unwrap();
        let want = model.iter().find(|(_, row)| {
            row.quorum
                .as_ref()
                .is_some_and(|quorum| quorum.digest == digest)
        });
        prop_assert_eq!(found, want.map(|(key, _)| *key));
    }
    for phase in 0..3 {
        let view = MESSAGES.by::<Phase, _>(BY_PHASE).unwrap();
        let want = model.values().any(|row| {
            row.phase
                .as_ref()
                .is_some_and(|held| held.phases.contains(&phase))
        });
        prop_assert_eq!(view.has(store, &phase).unwrap(), want);
    }
    Ok(())
}
