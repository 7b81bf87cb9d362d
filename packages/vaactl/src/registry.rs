//! Speaks to the registry contract in its own types.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use cosmwasm_std::{Binary, Empty, Timestamp};
use cw_multi_test::ContractWrapper;
use cw_orm::{PageRequest, PageResponse};
use serde::de::DeserializeOwned;
use vaa_registry::contract::{self, CONTRACT_NAME, CONTRACT_VERSION};
use vaa_registry::msg::{
    BatchStatusResponse, ExecuteMsg, InstantiateMsg, OnInvalid, OutcomeKind, QueryMsg,
    SubmitVaasResponse, VaaOutcome,
};
use wormhole_vaa::VaaRef;

use crate::backend::embedded::StoreError;
use crate::backend::embedded::{Code, Embedded, Genesis, StoreConfig};
use crate::backend::node::{Node, NodeError, NodeOptions};
use crate::backend::{Backend, BackendError, BackendExt, TxReport};
use crate::cli::Global;
use crate::keys;

/// Identifies the embedded chain.
pub const CHAIN_ID: &str = "vaactl-1";

/// How long to wait before looking again whether a registry is free.
const FREE_POLL: Duration = Duration::from_millis(200);

/// The latest time that a block can have.
pub const MAX_SECONDS: u64 = u64::MAX / 1_000_000_000;

/// Returns the codes of the embedded chain, in the order in which they are registered.
#[must_use]
pub fn codes() -> Vec<Code> {
    let registry = ContractWrapper::<_, _, _, _, _, _, Empty, Empty>::new(
        contract::execute,
        contract::instantiate,
        contract::query,
    )
    .with_migrate(contract::migrate);
    vec![Code {
        name: CONTRACT_NAME,
        version: CONTRACT_VERSION,
        contract: Box::new(registry),
    }]
}

/// Returns the time of the next block: the one given, or now.
#[must_use]
pub fn time_or_now(seconds: Option<u64>) -> Timestamp {
    let now = || {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs())
    };
    Timestamp::from_seconds(seconds.unwrap_or_else(now).min(MAX_SECONDS))
}

/// Opens the registry in a home directory.
///
/// # Errors
/// Why it can not be opened.
pub fn open(home: &Path, time: Option<u64>) -> Result<Embedded, StoreError> {
    Embedded::open(home, codes(), time_or_now(time))
}

/// Reaches the registry that the options name, to ask it.
///
/// # Errors
/// Why it can not be reached.
pub fn connect(global: &Global) -> Result<Box<dyn Backend>> {
    match global.node.options(&global.home) {
        Some(options) => {
            contract_of(global)?;
            Ok(Box::new(Node::connect(options, None)?))
        }
        None => Ok(Box::new(open(&global.home, global.time)?)),
    }
}

/// Reaches the registry that the options name, to change it: on a chain, that takes a key.
///
/// # Errors
/// Why it can not be reached.
pub fn connect_to_write(global: &Global) -> Result<Box<dyn Backend>> {
    if global.node.url.is_none() {
        return connect(global);
    }
    let contract = contract_of(global)?;
    Ok(Box::new(node(global, Some(contract))?))
}

/// Reaches the registry that the options name, to change it, as soon as no other process holds it.
///
/// # Errors
/// Why it can not be reached.
pub fn connect_when_free(global: &Global) -> Result<Box<dyn Backend>> {
    loop {
        match connect_to_write(global) {
            Err(error)
                if matches!(
                    error.downcast_ref::<StoreError>(),
                    Some(StoreError::InUse { .. })
                ) =>
            {
                std::thread::sleep(FREE_POLL);
            }
            result => return result,
        }
    }
}

/// Returns the contract that the options name.
///
/// # Errors
/// That they name none.
pub fn contract_of(global: &Global) -> Result<String> {
    Ok(global.node.contract.clone().ok_or(NodeError::NoContract)?)
}

/// Reaches a chain, with a key to sign.
///
/// # Errors
/// That no node or key is named, or why the node can not be reached.
pub fn node(global: &Global, contract: Option<String>) -> Result<Node> {
    let options = global
        .node
        .options(&global.home)
        .context("this needs a chain: give --node, or set VAACTL_NODE")?;
    let key = keys::find(&global.home, &global.node)?.ok_or(NodeError::NoKey)?;
    let options = NodeOptions {
        contract,
        ..options
    };
    Ok(Node::connect(options, Some(key))?)
}

/// Creates a registry in a home directory.
///
/// # Errors
/// The contract's refusal of the message, or why the home can not be used.
pub fn create(
    home: &Path,
    time: Timestamp,
    config: StoreConfig,
    msg: &InstantiateMsg,
) -> Result<Embedded, BackendError> {
    let msg = serde_json::to_vec(msg).map_err(|source| BackendError::Encode { source })?;
    let genesis = Genesis {
        chain_id: CHAIN_ID,
        time,
        config,
        msg: &msg,
        label: "vaa-registry",
    };
    Embedded::create(home, codes(), genesis)
}

/// Submits VAAs in one call, or in several where one is more than a chain takes, and returns what became of each.
/// `report` is told of each transaction.
///
/// # Errors
/// A failure of a whole call, which then stored nothing.
pub fn submit(
    backend: &mut dyn Backend,
    vaas: Vec<Binary>,
    report: &mut dyn FnMut(&TxReport),
) -> Result<Vec<VaaOutcome>, BackendError> {
    let submitted = vaas.len();
    let msg = ExecuteMsg::SubmitVaas {
        vaas: vaas.clone(),
        on_invalid: Some(OnInvalid::Skip),
    };
    let executed = match backend.execute_msg(&msg) {
        Err(BackendError::Node(NodeError::TooMuchGas { .. } | NodeError::TooLarge { .. }))
            if submitted > 1 =>
        {
            let mut first = vaas;
            let second = first.split_off(submitted / 2);
            let mut outcomes = submit(backend, first, report)?;
            outcomes.extend(submit(backend, second, report)?);
            return Ok(outcomes);
        }
        result => result?,
    };
    if let Some(tx) = &executed.tx {
        report(tx);
    }
    let data = executed.data.unwrap_or_default();
    let response: SubmitVaasResponse =
        serde_json::from_slice(&data).map_err(|source| BackendError::Decode { source })?;
    if response.outcomes.len() == submitted {
        Ok(response.outcomes)
    } else {
        Err(BackendError::ResponseData)
    }
}

/// The most messages that the registry tells of in one answer.
pub const BATCH_STATUS: usize = 30;

/// Tells, of VAAs, which the registry would call already registered, without a call that is paid for. `None` stands for
/// all others, also for bytes that are no VAA.
///
/// # Errors
/// A failed query.
pub fn known(
    backend: &dyn Backend,
    vaas: &[Binary],
) -> Result<Vec<Option<VaaOutcome>>, BackendError> {
    let parsed: Vec<_> = vaas.iter().map(|vaa| VaaRef::parse(vaa).ok()).collect();
    let mut outcomes = Vec::with_capacity(vaas.len());
    for parsed in parsed.chunks(BATCH_STATUS) {
        let ids: Vec<String> = parsed
            .iter()
            .flatten()
            .map(|vaa| vaa.id().to_string())
            .collect();
        let answer: BatchStatusResponse = backend.query_msg(&QueryMsg::BatchStatus { ids })?;
        let mut statuses = answer.statuses.into_iter();
        for vaa in parsed {
            let Some(vaa) = vaa else {
                outcomes.push(None);
                continue;
            };
            let status = statuses.next().ok_or(BackendError::ResponseData)?;
            let digest = vaa.digest().to_string();
            let same = status.digest.as_ref() == Some(&digest);
            let known = status.guardian_set_index >= Some(vaa.guardian_set_index);
            outcomes.push((same && known).then(|| VaaOutcome {
                id: Some(vaa.id().to_string()),
                digest: Some(digest),
                outcome: OutcomeKind::AlreadyRegistered,
                governance: None,
                error: None,
            }));
        }
    }
    Ok(outcomes)
}

/// Asks for page after page, until `most` rows are there or none is left.
///
/// Returns the page answer of the last page, whose `next_key` goes on where this ended.
///
/// # Errors
/// A failed query, or one of `row`.
pub fn pages<R: DeserializeOwned, T>(
    backend: &dyn Backend,
    mut page: PageRequest,
    most: Option<u64>,
    query: impl Fn(PageRequest) -> QueryMsg,
    split: impl Fn(R) -> (Vec<T>, PageResponse),
    mut row: impl FnMut(T) -> Result<()>,
) -> Result<PageResponse> {
    /// The most rows of a page that the contract gives.
    const PAGE: u64 = 30;
    let mut left = most.unwrap_or(u64::MAX);
    let mut total = None;
    loop {
        page.limit = Some(left.min(PAGE).into());
        let answer: R = backend.query_msg(&query(page.clone()))?;
        let (rows, mut response) = split(answer);
        left = left.saturating_sub(rows.len() as u64);
        rows.into_iter().try_for_each(&mut row)?;
        total = total.or(response.total);
        match page.after(&response) {
            Some(next) if left > 0 => page = next,
            _ => {
                response.total = total;
                return Ok(response);
            }
        }
    }
}

/// Answers a typed query.
///
/// # Errors
/// A failed query, with what was asked for.
pub fn query<R: DeserializeOwned>(backend: &dyn Backend, msg: &QueryMsg) -> Result<R> {
    backend
        .query_msg(msg)
        .context("the registry does not answer")
}
