//! Policies.

use cosmwasm_std::{Addr, Storage, Uint64};
use cw_orm::{Page, PageRequest};

use crate::{
    error::ContractError,
    msg::{PoliciesResponse, PolicyQueryResponse, PolicyResponse},
    state::Policy,
};

pub(super) fn policy(storage: &dyn Storage, id: u64) -> Result<PolicyQueryResponse, ContractError> {
    let policy = Policy::TABLE.get(storage, &id)?.map(response);
    Ok(PolicyQueryResponse { policy })
}

pub(super) fn policy_by_account(
    storage: &dyn Storage,
    account: &Addr,
) -> Result<PolicyQueryResponse, ContractError> {
    let found = Policy::TABLE
        .by(Policy::BY_ACCOUNT)?
        .get(storage, account)?;
    Ok(PolicyQueryResponse {
        policy: found.map(|(_, policy)| response(policy)),
    })
}

pub(super) fn policies_by_group(
    storage: &dyn Storage,
    group_id: u64,
    page: Option<PageRequest>,
) -> Result<PoliciesResponse, ContractError> {
    let scan = Policy::TABLE.by(Policy::BY_GROUP)?.key(&group_id)?;
    Ok(answer(scan.page(storage, &page.unwrap_or_default())?))
}

pub(super) fn policies_by_admin(
    storage: &dyn Storage,
    admin: &Addr,
    page: Option<PageRequest>,
) -> Result<PoliciesResponse, ContractError> {
    let scan = Policy::TABLE.by(Policy::BY_ADMIN)?.key(admin)?;
    Ok(answer(scan.page(storage, &page.unwrap_or_default())?))
}

fn answer(page: Page<Policy>) -> PoliciesResponse {
    PoliciesResponse {
        policies: page.items.into_iter().map(response).collect(),
        page: page.page,
    }
}

fn response(policy: Policy) -> PolicyResponse {
    PolicyResponse {
        id: Uint64::new(policy.id),
        account: policy.account.into(),
        group_id: Uint64::new(policy.group_id),
        admin: policy.admin.into(),
        metadata: policy.metadata,
        version: Uint64::new(policy.version),
        decision: policy.decision,
        created_at: Uint64::new(policy.created_at),
    }
}
