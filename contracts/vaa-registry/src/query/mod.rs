//! What can be asked: routing, and a file a subject.

mod conflicts;
mod evidence;
mod filter;
mod genesis;
mod guardians;
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

pub(crate) fn query(deps: Deps<'_>, env: &Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    let context = &Context {
        deps,
        env,
        config: Config::load(deps.storage)?,
        expiries: RefCell::default(),
        emitters: RefCell::default(),
    };
    Ok(match msg {
        QueryMsg::Config {} => to_json_binary(&config(context)?),
        QueryMsg::GuardianSet { index } => {
            to_json_binary(&guardians::guardian_set(context, index)?)
        }
        QueryMsg::GuardianSets { page } => {
            to_json_binary(&guardians::guardian_sets(context, page)?)
        }
        QueryMsg::Message { id, families } => {
            to_json_binary(&message::by_id(context, &id, families)?)
        }
        QueryMsg::MessageByDigest { digest, families } => {
            to_json_binary(&message::by_digest(context, &digest, families)?)
        }
        QueryMsg::Messages {
            page,
            families,
            filter,
        } => to_json_binary(&list::all(context, ask(page, families, filter))?),
        QueryMsg::MessagesByChain {
            chain,
            page,
            families,
            filter,
        } => to_json_binary(&list::by_chain(
            context,
            chain,
            ask(page, families, filter),
        )?),
        QueryMsg::MessagesByEmitter {
            chain,
            emitter,
            page,
            families,
            filter,
        } => {
            let ask = ask(page, families, filter);
            to_json_binary(&list::by_emitter(context, chain, &emitter, ask)?)
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
            to_json_binary(&list::by_time(context, chain, emitter, times, ask)?)
        }
        QueryMsg::MessagesByGuardianSet {
            index,
            page,
            families,
            filter,
        } => {
            let ask = ask(page, families, filter);
            to_json_binary(&list::by_guardian_set(context, index, ask)?)
        }
        QueryMsg::MessagesByRecipient {
            chain,
            address,
            page,
            families,
            filter,
        } => {
            let ask = ask(page, families, filter);
            to_json_binary(&list::by_recipient(
                context,
                chain,
                address.as_deref(),
                ask,
            )?)
        }
        QueryMsg::MessagesByGovernanceModule {
            module,
            action,
            page,
            families,
            filter,
        } => {
            let ask = ask(page, families, filter);
            to_json_binary(&list::by_governance_module(context, &module, action, ask)?)
        }
        QueryMsg::MessagesByPhase {
            phase,
            chain,
            emitter,
            page,
        } => to_json_binary(&phase::messages(
            context,
            phase,
            chain,
            emitter.as_deref(),
            page,
        )?),
        QueryMsg::MessageStatus { id } => to_json_binary(&status::of_message(context, &id)?),
        QueryMsg::BatchStatus { ids } => to_json_binary(&status::of_batch(context, &ids)?),
        QueryMsg::Signers {
            id,
            digest,
            guardian_set,
        } => to_json_binary(&evidence::signers(
            context,
            &id,
            digest.as_deref(),
            guardian_set,
        )?),
        QueryMsg::Repair {
            id,
            digest,
            guardian_set,
        } => to_json_binary(&evidence::repair(
            context,
            &id,
            digest.as_deref(),
            guardian_set,
        )?),
        QueryMsg::MissingSequences {
            chain,
            emitter,
            from,
            to,
            page,
        } => to_json_binary(&missing::sequences(
            context,
            chain,
            &emitter,
            (from, to),
            page,
        )?),
        QueryMsg::TotalsByChain { chain, page } => {
            to_json_binary(&totals::by_chain(context, chain, page)?)
        }
        QueryMsg::TotalsByEmitter {
            chain,
            emitter,
            page,
        } => to_json_binary(&totals::by_emitter(
            context,
            chain,
            emitter.as_deref(),
            page,
        )?),
        QueryMsg::TotalsByDay { from, to, page } => {
            let times = list::Times::new(from, to)?;
            to_json_binary(&totals::by_day(context, times, page)?)
        }
        QueryMsg::SignedVaa { id, guardian_set } => {
            to_json_binary(&message::signed_vaa(context, &id, guardian_set)?)
        }
        QueryMsg::Verify { vaa } => to_json_binary(&verify::verify(context, &vaa)?),
        QueryMsg::PendingMessages { id, page } => {
            to_json_binary(&pending::messages(context, id.as_deref(), page)?)
        }
        QueryMsg::Observations { digest, page } => {
            to_json_binary(&pending::observations(context, &digest, page)?)
        }
        QueryMsg::ObservationDomain {} => to_json_binary(&pending::domain(context)?),
        QueryMsg::TxIds { id, digest } => {
            to_json_binary(&tx_id::of_message(context, &id, digest.as_deref())?)
        }
        QueryMsg::MessagesByTxId { tx_id, page } => {
            to_json_binary(&tx_id::messages(context, &tx_id, page)?)
        }
        QueryMsg::Publishers { page } => to_json_binary(&publications::publishers(context, page)?),
        QueryMsg::Publications {
            id,
            chain,
            emitter,
            page,
        } => to_json_binary(&publications::publications(
            context,
            id.as_deref(),
            chain,
            emitter.as_deref(),
            page,
        )?),
        QueryMsg::Export { table, key, limit } => {
            to_json_binary(&genesis::export(context, table, key.as_ref(), limit)?)
        }
        QueryMsg::ImportStatus {} => to_json_binary(&genesis::import_status(context)?),
        QueryMsg::Conflicts { id, page } => {
            to_json_binary(&conflicts::conflicts(context, id.as_deref(), page)?)
        }
    }?)
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
