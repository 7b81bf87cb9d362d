//! The rules of observations and submitted VAAs, told plainly: no rows, no counters, nothing packed.

use std::collections::{BTreeMap, BTreeSet};

use wormhole_vaa::{Body, quorum};

/// A guardian set's index, a guardian's index in it, a body's number, a transaction's.
pub type Set = u32;
pub type Guardian = u8;
pub type BodyNo = usize;
pub type Tx = u8;

/// What a body does, if it is governance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    Upgrade(Set),
    Nothing,
}

#[derive(Clone, Debug)]
pub struct ModelSet {
    pub guardians: usize,
    pub expires_at: Option<u64>,
}

/// What is wrong with an observation or batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    None,
    /// The VAA signature is another key's.
    Inner,
    /// The batch's signature is another key's.
    Outer,
}

#[derive(Debug)]
pub struct Model {
    pub now: u64,
    pub sets: Vec<ModelSet>,
    pub current: Set,
    pub bodies: Vec<Body>,
    pub effects: Vec<Effect>,
    /// How many guardians each set that can come has.
    pub sizes: Vec<usize>,
    /// The body that stands under each id, and the sets that it was verified under.
    pub registered: BTreeMap<String, (BodyNo, Vec<Set>)>,
    pub conflicts: BTreeSet<BodyNo>,
    /// Upgrades that a replaced set signed, and the current one has not yet.
    pub late: BTreeSet<BodyNo>,
    /// Who signed an undecided body, in order.
    pub pending: BTreeMap<(BodyNo, Set), Vec<Guardian>>,
    pub claims: BTreeMap<(BodyNo, Set, Guardian), Tx>,
}

impl Model {
    fn id(&self, body: BodyNo) -> String {
        self.bodies[body].id().to_string()
    }

    fn stands(&self, body: BodyNo) -> bool {
        let standing = self.registered.get(&self.id(body));
        standing.is_some_and(|(standing, _)| *standing == body)
    }

    pub fn is_decided(&self, body: BodyNo) -> bool {
        self.stands(body) || self.conflicts.contains(&body)
    }

    fn live(&self, set: Set) -> bool {
        self.sets[set as usize]
            .expires_at
            .is_none_or(|last| self.now <= last)
    }

    /// A batch of one guardian: the code that refuses it whole, or what becomes of each observation.
    pub fn observe(
        &mut self,
        set: Set,
        guardian: Guardian,
        bodies: &[BodyNo],
        tx: Tx,
        forgery: Forgery,
    ) -> Result<Vec<String>, String> {
        let Some(known) = self.sets.get(set as usize) else {
            return Err("E104".into());
        };
        if !self.live(set) {
            return Err("E105".into());
        }
        if usize::from(guardian) >= known.guardians {
            return Err("E107".into());
        }
        if forgery == Forgery::Outer {
            return Err("E111".into());
        }
        let one = |body: &BodyNo| self.observe_one(set, guardian, *body, tx, forgery);
        Ok(bodies.iter().map(one).collect())
    }

    fn observe_one(
        &mut self,
        set: Set,
        guardian: Guardian,
        body: BodyNo,
        tx: Tx,
        forgery: Forgery,
    ) -> String {
        if self.is_decided(body) {
            let claimed = self.claims.contains_key(&(body, set, guardian));
            if !claimed && forgery == Forgery::Inner {
                return "E111".into();
            }
            self.claims.entry((body, set, guardian)).or_insert(tx);
            let outcome = if self.stands(body) {
                "already_registered"
            } else {
                "conflict"
            };
            return outcome.into();
        }
        let needed = quorum(self.sets[set as usize].guardians);
        let signers = self.pending.get(&(body, set)).cloned().unwrap_or_default();
        if signers.contains(&guardian) {
            return format!("pending {}/{needed}", signers.len());
        }
        let decides = signers.len() + 1 >= needed;
        let others = self.pending.iter().filter(|((other, of), signers)| {
            *of == set && self.id(*other) == self.id(body) && signers.contains(&guardian)
        });
        if !decides && others.count() >= 2 {
            return "E115".into();
        }
        if forgery == Forgery::Inner {
            return "E111".into();
        }
        self.claims.insert((body, set, guardian), tx);
        if decides {
            return self.store(body, set);
        }
        self.pending.entry((body, set)).or_default().push(guardian);
        format!("pending {}/{needed}", signers.len() + 1)
    }

    /// A VAA of `signatures` guardians of a set.
    pub fn submit(&mut self, set: Set, body: BodyNo, signatures: usize, forged: bool) -> String {
        let id = self.id(body);
        if self.stands(body) && self.registered[&id].1.iter().any(|known| *known >= set) {
            return "already_registered".into();
        }
        if self.conflicts.contains(&body) {
            return "conflict".into();
        }
        let Some(known) = self.sets.get(set as usize) else {
            return "E104".into();
        };
        if signatures < quorum(known.guardians) {
            return "E108".into();
        }
        if forged {
            return "E111".into();
        }
        if !self.live(set) {
            return "E105".into();
        }
        if self.stands(body) {
            self.registered.get_mut(&id).unwrap().1.push(set);
            if set == self.current && self.late.remove(&body) {
                self.govern(body, set);
            }
            return "resigned".into();
        }
        self.store(body, set)
    }

    fn store(&mut self, body: BodyNo, set: Set) -> String {
        let id = self.id(body);
        let outcome =
            if let std::collections::btree_map::Entry::Vacant(free) = self.registered.entry(id) {
                free.insert((body, vec![set]));
                "stored"
            } else {
                self.conflicts.insert(body);
                "conflict"
            };
        self.pending.retain(|(pending, _), _| *pending != body);
        self.govern(body, set);
        outcome.into()
    }

    fn govern(&mut self, body: BodyNo, set: Set) {
        if set != self.current && matches!(self.effects[body], Effect::Upgrade(_)) {
            self.late.insert(body);
        } else if self.effects[body] == Effect::Upgrade(self.current + 1) {
            self.sets[set as usize].expires_at = Some(self.now + 86_400);
            self.current += 1;
            self.sets.push(ModelSet {
                guardians: self.sizes[self.current as usize],
                expires_at: None,
            });
        }
    }

    /// All that pruning to the end does.
    pub fn prune(&mut self) {
        let pending: BTreeSet<BodyNo> = self.pending.keys().map(|(body, _)| *body).collect();
        for body in pending {
            if self.registered.contains_key(&self.id(body)) {
                self.pending.retain(|(other, _), _| *other != body);
                self.claims.retain(|(other, _, _), _| *other != body);
            }
        }
        let expired: Vec<Set> = (0..self.sets.len() as Set)
            .filter(|set| !self.live(*set))
            .collect();
        self.pending.retain(|(_, set), _| !expired.contains(set));
    }
}
