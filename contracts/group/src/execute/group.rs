//! Groups and their members.

use std::collections::BTreeSet;

use cosmwasm_std::{Addr, Api, Decimal, DepsMut, Response, Storage, Uint64, to_json_binary};

use super::{address, check_metadata};
use crate::{
    error::ContractError,
    events::about,
    limits::MAX_MEMBERS,
    msg::{CreateGroupResponse, MemberUpdate},
    state::{Group, Member},
};

pub(super) fn create(
    deps: DepsMut<'_>,
    now: u64,
    sender: &Addr,
    updates: &[MemberUpdate],
    metadata: String,
) -> Result<Response, ContractError> {
    check_metadata(&metadata)?;
    let members = checked(deps.api, updates)?;
    let mut group = Group {
        id: 0,
        admin: sender.clone(),
        metadata,
        version: 1,
        total_weight: Decimal::zero(),
        members: 0,
        created_at: now,
    };
    for (address, update) in &members {
        if update.weight.is_zero() {
            return Err(ContractError::ZeroWeight {
                address: address.into(),
            });
        }
        join(&mut group, update.weight)?;
    }
    let group_id = Group::TABLE.insert(deps.storage, &mut group)?;
    for (address, update) in members {
        Member::TABLE.insert(deps.storage, &member(group_id, address, update, now))?;
    }
    let answer = CreateGroupResponse {
        group_id: Uint64::new(group_id),
    };
    Ok(Response::new()
        .add_event(about("group_created", "group_id", group_id))
        .set_data(to_json_binary(&answer)?))
}

pub(super) fn update_members(
    deps: DepsMut<'_>,
    now: u64,
    sender: &Addr,
    group_id: u64,
    updates: &[MemberUpdate],
) -> Result<Response, ContractError> {
    let mut group = Group::load(deps.storage, group_id)?;
    group.only_admin(sender)?;
    for (address, update) in checked(deps.api, updates)? {
        let key = (group_id, address.clone());
        let old = Member::TABLE.get(deps.storage, &key)?;
        if let Some(old) = &old {
            part(&mut group, old.weight)?;
        }
        if update.weight.is_zero() {
            if old.is_none() {
                return Err(unknown(group_id, &address));
            }
            Member::TABLE.delete(deps.storage, &key)?;
            continue;
        }
        join(&mut group, update.weight)?;
        let new = member(group_id, address, update, now);
        match old {
            Some(Member { added_at, .. }) => {
                Member::TABLE.update(deps.storage, Member { added_at, ..new })?;
            }
            None => Member::TABLE.insert(deps.storage, &new)?,
        }
    }
    check_size(group.members)?;
    store(deps.storage, group)
}

pub(super) fn update_admin(
    deps: DepsMut<'_>,
    sender: &Addr,
    group_id: u64,
    admin: &str,
) -> Result<Response, ContractError> {
    let mut group = Group::load(deps.storage, group_id)?;
    group.only_admin(sender)?;
    group.admin = address(deps.api, admin)?;
    store(deps.storage, group)
}

pub(super) fn update_metadata(
    storage: &mut dyn Storage,
    sender: &Addr,
    group_id: u64,
    metadata: String,
) -> Result<Response, ContractError> {
    let mut group = Group::load(storage, group_id)?;
    group.only_admin(sender)?;
    check_metadata(&metadata)?;
    group.metadata = metadata;
    store(storage, group)
}

pub(super) fn leave(
    storage: &mut dyn Storage,
    sender: &Addr,
    group_id: u64,
) -> Result<Response, ContractError> {
    let mut group = Group::load(storage, group_id)?;
    let key = (group_id, sender.clone());
    let Some(member) = Member::TABLE.get(storage, &key)? else {
        return Err(unknown(group_id, sender));
    };
    part(&mut group, member.weight)?;
    Member::TABLE.delete(storage, &key)?;
    group.changed();
    Group::TABLE.update(storage, group)?;
    Ok(Response::new()
        .add_event(about("group_left", "group_id", group_id).add_attribute("address", sender)))
}

/// Refuses an address that is no member of the group.
pub(super) fn only_member(
    storage: &dyn Storage,
    group_id: u64,
    address: &Addr,
) -> Result<(), ContractError> {
    if Member::TABLE.has(storage, &(group_id, address.clone()))? {
        Ok(())
    } else {
        Err(unknown(group_id, address))
    }
}

/// Writes a group that was changed.
fn store(storage: &mut dyn Storage, mut group: Group) -> Result<Response, ContractError> {
    group.changed();
    let event = about("group_updated", "group_id", group.id);
    Group::TABLE.update(storage, group)?;
    Ok(Response::new().add_event(event))
}

/// Checks members as they are given: not too many, each an address, none twice.
fn checked<'u>(
    api: &dyn Api,
    updates: &'u [MemberUpdate],
) -> Result<Vec<(Addr, &'u MemberUpdate)>, ContractError> {
    check_size(u32::try_from(updates.len()).unwrap_or(u32::MAX))?;
    let mut seen = BTreeSet::new();
    let mut members = Vec::new();
    for update in updates {
        let address = address(api, &update.address)?;
        check_metadata(&update.metadata)?;
        if !seen.insert(address.clone()) {
            return Err(ContractError::DuplicateMember {
                address: address.into(),
            });
        }
        members.push((address, update));
    }
    Ok(members)
}

fn check_size(found: u32) -> Result<(), ContractError> {
    if found > MAX_MEMBERS {
        return Err(ContractError::TooManyMembers { found });
    }
    Ok(())
}

fn member(group_id: u64, address: Addr, update: &MemberUpdate, now: u64) -> Member {
    Member {
        group_id,
        address,
        weight: update.weight,
        metadata: update.metadata.clone(),
        added_at: now,
    }
}

/// Counts a member in.
fn join(group: &mut Group, weight: Decimal) -> Result<(), ContractError> {
    group.total_weight = group
        .total_weight
        .checked_add(weight)
        .map_err(|_| ContractError::WeightOverflow)?;
    group.members = group.members.saturating_add(1);
    Ok(())
}

/// Counts a member out.
fn part(group: &mut Group, weight: Decimal) -> Result<(), ContractError> {
    match (
        group.total_weight.checked_sub(weight),
        group.members.checked_sub(1),
    ) {
        (Ok(total_weight), Some(members)) => {
            group.total_weight = total_weight;
            group.members = members;
            Ok(())
        }
        _ => Err(ContractError::Damaged {
            what: format!("total weight of group {}", group.id),
        }),
    }
}

fn unknown(group_id: u64, address: &Addr) -> ContractError {
    ContractError::UnknownMember {
        group_id,
        address: address.into(),
    }
}
