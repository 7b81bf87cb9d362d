//! A registry on a test chain, and VAAs signed on the spot.

use cosmwasm_std::{Addr, Binary, Timestamp, Uint64, from_json};
use cw_multi_test::{App, ContractWrapper, Executor};
use serde::de::DeserializeOwned;
use vaa_registry::{
    contract::{execute, instantiate, migrate, query},
    msg::{
        ExecuteMsg, GuardianSetInit, InstantiateMsg, OnInvalid, OutcomeKind, QueryMsg,
        SubmitVaasResponse, VaaOutcome,
    },
};
use wormhole_vaa::{
    Address, Body, GuardianAddress, GuardianSet, GuardianSetUpgrade, SecretKey, Signature, Vaa,
};

/// The time at which suites start, in Unix seconds.
pub const START: u64 = 1_800_000_000;

pub struct Suite {
    pub app: App,
    pub user: Addr,
    pub registry: Addr,
}

pub fn instantiate_msg(guardian_sets: Vec<GuardianSetInit>) -> InstantiateMsg {
    InstantiateMsg {
        this_chain: 3104,
        guardian_sets,
        governance: None,
        indexes: None,
        admin: None,
        limits: None,
        import: false,
    }
}

pub fn set_init(index: u32, addresses: Vec<String>, expires_at: Option<u64>) -> GuardianSetInit {
    GuardianSetInit {
        index,
        addresses,
        expires_at: expires_at.map(Uint64::new),
    }
}

impl Suite {
    /// A registry whose only set, of index 0, is that of these keys.
    pub fn of_keys(keys: &[SecretKey]) -> Self {
        Self::new(vec![set_init(0, addresses(keys), None)])
    }

    pub fn new(sets: Vec<GuardianSetInit>) -> Self {
        Self::create(&instantiate_msg(sets), START).unwrap()
    }

    pub fn create(msg: &InstantiateMsg, time: u64) -> Result<Self, String> {
        let mut app = App::default();
        app.update_block(|block| block.time = Timestamp::from_seconds(time));
        let user = app.api().addr_make("user");
        let code = app.store_code(Box::new(
            ContractWrapper::new(execute, instantiate, query).with_migrate(migrate),
        ));
        let registry = app
            .instantiate_contract(
                code,
                user.clone(),
                msg,
                &[],
                "registry",
                Some(user.to_string()),
            )
            .map_err(|error| text(&error))?;
        Ok(Self {
            app,
            user,
            registry,
        })
    }

    pub fn set_time(&mut self, seconds: u64) {
        self.app.update_block(|block| {
            block.height += 1;
            block.time = Timestamp::from_seconds(seconds);
        });
    }

    pub fn now(&self) -> u64 {
        self.app.block_info().time.seconds()
    }

    /// Submits a batch, skipping what is refused.
    pub fn submit(&mut self, vaas: &[Vec<u8>]) -> Vec<VaaOutcome> {
        self.execute(vaas, OnInvalid::Skip).unwrap()
    }

    /// Submits one VAA and returns what became of it.
    pub fn submit_one(&mut self, vaa: &[u8]) -> VaaOutcome {
        self.submit(&[vaa.to_vec()]).remove(0)
    }

    /// Submits one VAA and returns its outcome's name, or the code of its refusal.
    pub fn verdict(&mut self, vaa: &[u8]) -> String {
        let outcome = self.submit_one(vaa);
        match outcome.error {
            Some(error) => error.code,
            None => outcome.outcome.as_str().into(),
        }
    }

    pub fn stored(&mut self, vaa: &[u8]) {
        assert_eq!(self.submit_one(vaa).outcome, OutcomeKind::Stored);
    }

    pub fn execute(
        &mut self,
        vaas: &[Vec<u8>],
        on_invalid: OnInvalid,
    ) -> Result<Vec<VaaOutcome>, String> {
        let vaas = vaas.iter().map(|vaa| Binary::new(vaa.clone())).collect();
        let msg = ExecuteMsg::SubmitVaas {
            vaas,
            on_invalid: Some(on_invalid),
        };
        let response = self
            .app
            .execute_contract(self.user.clone(), self.registry.clone(), &msg, &[])
            .map_err(|error| text(&error))?;
        let answer: SubmitVaasResponse = from_json(response.data.unwrap()).unwrap();
        Ok(answer.outcomes)
    }

    /// Submits one VAA and returns the types of the contract's own events.
    pub fn events(&mut self, vaa: &[u8]) -> Vec<String> {
        let msg = ExecuteMsg::SubmitVaas {
            vaas: vec![Binary::new(vaa.to_vec())],
            on_invalid: None,
        };
        let response = self
            .app
            .execute_contract(self.user.clone(), self.registry.clone(), &msg, &[])
            .unwrap();
        let own = |event: cosmwasm_std::Event| event.ty.strip_prefix("wasm-").map(str::to_owned);
        response.events.into_iter().filter_map(own).collect()
    }

    pub fn query<T: DeserializeOwned>(&self, msg: &QueryMsg) -> Result<T, String> {
        self.app
            .wrap()
            .query_wasm_smart(&self.registry, msg)
            .map_err(|error| error.to_string())
    }

    pub fn ask<T: DeserializeOwned>(&self, msg: &QueryMsg) -> T {
        self.query(msg).unwrap()
    }

    /// All that the contract stores.
    pub fn dump(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.app.dump_wasm_raw(&self.registry)
    }
}

/// The whole chain of causes, since cw-multi-test wraps errors.
fn text(error: &impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

pub fn addresses(keys: &[SecretKey]) -> Vec<String> {
    keys.iter().map(|key| key.address().to_hex()).collect()
}

pub fn key(seed: u8) -> SecretKey {
    let mut secret = [7; 32];
    secret[31] = seed;
    SecretKey::from_bytes(&secret).unwrap()
}

pub fn keys(seeds: std::ops::RangeInclusive<u8>) -> Vec<SecretKey> {
    seeds.map(key).collect()
}

/// A message of chain 2, emitter ee…ee.
pub fn body(sequence: u64, payload: &[u8]) -> Body {
    Body {
        timestamp: 1_700_000_000,
        nonce: 7,
        emitter_chain: 2,
        emitter_address: Address([0xee; 32]),
        sequence,
        consistency_level: 32,
        payload: payload.to_vec(),
    }
}

/// A governance message.
pub fn governance(sequence: u64, payload: &[u8]) -> Body {
    Body {
        emitter_chain: wormhole_vaa::GOVERNANCE_CHAIN,
        emitter_address: wormhole_vaa::GOVERNANCE_EMITTER,
        ..body(sequence, payload)
    }
}

pub fn upgrade(new_index: u32, keys: &[SecretKey]) -> Vec<u8> {
    let addresses: Vec<GuardianAddress> = keys.iter().map(SecretKey::address).collect();
    let guardian_set = GuardianSet::new(addresses).unwrap();
    GuardianSetUpgrade {
        new_index,
        guardian_set,
    }
    .serialize(0)
    .unwrap()
}

/// Signs a body by the guardians at `signers` of a set.
pub fn sign(set: u32, keys: &[SecretKey], signers: &[u8], body: &Body) -> Vec<u8> {
    let digest = body.digest();
    let signatures: Vec<Signature> = signers
        .iter()
        .map(|index| keys[usize::from(*index)].sign(&digest, *index))
        .collect();
    Vaa {
        guardian_set_index: set,
        signatures,
        body: body.clone(),
    }
    .serialize()
    .unwrap()
}

/// Signs a body by just enough guardians of a set, the first ones.
pub fn quorum_sign(set: u32, keys: &[SecretKey], body: &Body) -> Vec<u8> {
    let signers: Vec<u8> = (0..wormhole_vaa::quorum(keys.len()) as u8).collect();
    sign(set, keys, &signers, body)
}
