//! What can be asked: routing, and a file a subject.
//!
//! Answers are kept out of the routing by `inline(never)`: chains refuse functions of more than 100 locals.

mod conflicts;
mod evidence;
mod filter;
mod genesis;
mod guardians;
#[cfg(feature = "import")]
mod import_status;
mod list;
mod message;
mod missing;
mod pending;
mod phase;
mod publications;
mod status;
mod totals;
mod tx_id;
mod verify;

use std::{cell::RefCell, collections::BTreeMap};

use cosmwasm_std::{Binary, Deps, Env, to_json_binary};
use cw_orm::PageRequest;
use serde::Serialize;

use crate::{
    error::ContractError,
    msg::{ConfigResponse, FamilySelection, GovernanceEmitter, MessageFilter, QueryMsg},
    state::{Admin, Config, Emitter},
};

/// What every query has at hand.
pub(crate) struct Context<'a> {
    pub(crate) deps: Deps<'a>,
    pub(crate) env: &'a Env,
    pub(crate) config: Config,
    /// Until when the replaced guardian sets that were read count.
    expiries: RefCell<BTreeMap<u32, u64>>,
    /// The emitters read, by number.
    emitters: RefCell<BTreeMap<u64, Emitter>>,
}

impl<'a> Context<'a> {
    fn new(deps: Deps<'a>, env: &'a Env) -> Result<Self, ContractError> {
        Ok(Self {
            deps,
            env,
            config: Config::load(deps.storage)?,
            expiries: RefCell::default(),
            emitters: RefCell::default(),
        })
    }
}

#[cfg(feature = "import")]
pub(crate) fn config_of(deps: Deps<'_>, env: &Env) -> Result<Binary, ContractError> {
    json(config(&Context::new(deps, env)?))
}

#[cfg(feature = "import")]
pub(crate) fn import_status_of(deps: Deps<'_>, env: &Env) -> Result<Binary, ContractError> {
    json(import_status::import_status(&Context::new(deps, env)?))
}

pub(crate) fn query(deps: Deps<'_>, env: &Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    let context = &Context::new(deps, env)?;
    if context.config.importing && !told_while_importing(&msg) {
        return Err(ContractError::Importing);
    }
    match msg {
        QueryMsg::Config {} => json(config(context)),
        QueryMsg::GuardianSet { index } => json(guardians::guardian_set(context, index)),
        QueryMsg::GuardianSets { page } => json(guardians::guardian_sets(context, page)),
        QueryMsg::Message { id, families } => json(message::by_id(context, &id, families)),
        QueryMsg::MessageByDigest { digest, families } => {
            json(message::by_digest(context, &digest, families))
        }
        QueryMsg::Messages {
            page,
            families,
            filter,
        } => json(list::all(context, ask(page, families, filter))),
        QueryMsg::MessagesByChain {
            chain,
            page,
            families,
            filter,
        } => json(list::by_chain(context, chain, ask(page, families, filter))),
        QueryMsg::MessagesByEmitter {
            chain,
            emitter,
            page,
            families,
            filter,
        } => {
            let ask = ask(page, families, filter);
            json(list::by_emitter(context, chain, &emitter, ask))
        }
        QueryMsg::MessagesByTime {
            chain,
            emitter,
            from,
            to,
            page,
            families,
            filter,
        } => {
            let (times, ask) = (list::Times::new(from, to)?, ask(page, families, filter));
            let emitter = emitter.as_deref();
            json(list::by_time(context, chain, emitter, times, ask))
        }
        QueryMsg::MessagesByGuardianSet {
            index,
            page,
            families,
            filter,
        } => {
            let ask = ask(page, families, filter);
            json(list::by_guardian_set(context, index, ask))
        }
        QueryMsg::MessagesByRecipient {
            chain,
            address,
            page,
            families,
            filter,
        } => {
            let ask = ask(page, families, filter);
            json(list::by_recipient(context, chain, address.as_deref(), ask))
        }
        QueryMsg::MessagesByGovernanceModule {
            module,
            action,
            page,
            families,
            filter,
        } => {
            let ask = ask(page, families, filter);
            json(list::by_governance_module(context, &module, action, ask))
        }
        QueryMsg::MessagesByPhase {
            phase,
            chain,
            emitter,
            page,
        } => json(phase::messages(
            context,
            phase,
            chain,
            emitter.as_deref(),
            page,
        )),
        QueryMsg::MessageStatus { id } => json(status::of_message(context, &id)),
        QueryMsg::BatchStatus { ids } => json(status::of_batch(context, &ids)),
        QueryMsg::Signers {
            id,
            digest,
            guardian_set,
        } => json(evidence::signers(
            context,
            &id,
            digest.as_deref(),
            guardian_set,
        )),
        QueryMsg::Repair {
            id,
            digest,
            guardian_set,
        } => json(evidence::repair(
            context,
            &id,
            digest.as_deref(),
            guardian_set,
        )),
        QueryMsg::MissingSequences {
            chain,
            emitter,
            from,
            to,
            page,
        } => json(missing::sequences(
            context,
            chain,
            &emitter,
            (from, to),
            page,
        )),
        QueryMsg::TotalsByChain { chain, page } => json(totals::by_chain(context, chain, page)),
        QueryMsg::TotalsByEmitter {
            chain,
            emitter,
            page,
        } => json(totals::by_emitter(context, chain, emitter.as_deref(), page)),
        QueryMsg::TotalsByDay { from, to, page } => {
            let times = list::Times::new(from, to)?;
            json(totals::by_day(context, times, page))
        }
        QueryMsg::SignedVaa { id, guardian_set } => {
            json(message::signed_vaa(context, &id, guardian_set))
        }
        QueryMsg::Verify { vaa } => json(verify::verify(context, &vaa)),
        QueryMsg::PendingMessages { id, page } => {
            json(pending::messages(context, id.as_deref(), page))
        }
        QueryMsg::Observations { digest, page } => {
            json(pending::observations(context, &digest, page))
        }
        QueryMsg::ObservationDomain {} => json(pending::domain(context)),
        QueryMsg::TxIds { id, digest } => json(tx_id::of_message(context, &id, digest.as_deref())),
        QueryMsg::MessagesByTxId { tx_id, page } => json(tx_id::messages(context, &tx_id, page)),
        QueryMsg::Publishers { page } => json(publications::publishers(context, page)),
        QueryMsg::Publications {
            id,
            chain,
            emitter,
            page,
        } => json(publications::publications(
            context,
            id.as_deref(),
            chain,
            emitter.as_deref(),
            page,
        )),
        QueryMsg::Export { table, key, limit } => {
            json(genesis::export(context, table, key.as_ref(), limit))
        }
        #[cfg(feature = "import")]
        QueryMsg::ImportStatus {} => json(import_status::import_status(context)),
        QueryMsg::Conflicts { id, page } => {
            json(conflicts::conflicts(context, id.as_deref(), page))
        }
    }
}

/// Whether a query is answered before an import is sealed. Until then nothing is proved: the guardian sets that messages
/// were verified under may be nobody's, so a message must not be told as verified.
const fn told_while_importing(msg: &QueryMsg) -> bool {
    match msg {
        QueryMsg::Config {} => true,
        #[cfg(feature = "import")]
        QueryMsg::ImportStatus {} => true,
        _ => false,
    }
}

/// Writes an answer. Apart, so that each type of answer is written by one piece of code, however many queries give it.
#[inline(never)]
fn json<T: Serialize>(answer: Result<T, ContractError>) -> Result<Binary, ContractError> {
    Ok(to_json_binary(&answer?)?)
}

const fn ask(
    page: Option<PageRequest>,
    families: Option<FamilySelection>,
    filter: Option<MessageFilter>,
) -> list::Ask {
    list::Ask {
        page,
        families,
        filter,
    }
}

fn config(context: &Context<'_>) -> Result<ConfigResponse, ContractError> {
    let config = &context.config;
    let (chain, emitter) = config.governance_emitter();
    let address = emitter.to_hex();
    let admin = Admin::load(context.deps.storage)?;
    let proposed_admin = admin.as_ref().and_then(|admin| admin.proposed.clone());
    Ok(ConfigResponse {
        this_chain: config.this_chain,
        governance: GovernanceEmitter { chain, address },
        current_guardian_set: config.current_guardian_set,
        indexes: config.indexes.flags(),
        limits: config.limits(),
        admin: admin.map(|admin| admin.address),
        proposed_admin,
        paused: config.paused,
        importing: config.importing,
        building: config
            .building
            .as_ref()
            .and_then(|build| build.index.name()),
    })
}
