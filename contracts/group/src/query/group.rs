//! Groups and members.

use cosmwasm_std::{Addr, Storage, Uint64};
use cw_orm::{Page, PageRequest};

use crate::{
    error::ContractError,
    msg::{
        GroupQueryResponse, GroupResponse, GroupsResponse, MemberQueryResponse, MemberResponse,
        MembersResponse,
    },
    state::{Group, Member},
};

pub(super) fn group(storage: &dyn Storage, id: u64) -> Result<GroupQueryResponse, ContractError> {
    let group = Group::TABLE.get(storage, &id)?.map(response);
    Ok(GroupQueryResponse { group })
}

pub(super) fn groups(
    storage: &dyn Storage,
    page: Option<PageRequest>,
) -> Result<GroupsResponse, ContractError> {
    let page = Group::TABLE.get_paginated(storage, &page.unwrap_or_default())?;
    Ok(answer(page))
}

pub(super) fn groups_by_admin(
    storage: &dyn Storage,
    admin: &Addr,
    page: Option<PageRequest>,
) -> Result<GroupsResponse, ContractError> {
    let scan = Group::TABLE.by(Group::BY_ADMIN)?.key(admin)?;
    Ok(answer(scan.page(storage, &page.unwrap_or_default())?))
}

pub(super) fn groups_by_member(
    storage: &dyn Storage,
    address: &Addr,
    page: Option<PageRequest>,
) -> Result<GroupsResponse, ContractError> {
    let scan = Member::TABLE.by(Member::BY_ADDRESS)?.key(address)?;
    let page = scan.page_ids(storage, &page.unwrap_or_default())?;
    let page = page.try_map(|(group_id, _)| Group::load(storage, group_id))?;
    Ok(answer(page))
}

pub(super) fn member(
    storage: &dyn Storage,
    group_id: u64,
    address: Addr,
) -> Result<MemberQueryResponse, ContractError> {
    let member = Member::TABLE.get(storage, &(group_id, address))?;
    Ok(MemberQueryResponse {
        member: member.map(member_response),
    })
}

pub(super) fn members_by_group(
    storage: &dyn Storage,
    group_id: u64,
    page: Option<PageRequest>,
) -> Result<MembersResponse, ContractError> {
    let scan = Member::TABLE.prefix(&(group_id,))?;
    let page = scan.page(storage, &page.unwrap_or_default())?;
    Ok(MembersResponse {
        members: page.items.into_iter().map(member_response).collect(),
        page: page.page,
    })
}

fn answer(page: Page<Group>) -> GroupsResponse {
    GroupsResponse {
        groups: page.items.into_iter().map(response).collect(),
        page: page.page,
    }
}

fn response(group: Group) -> GroupResponse {
    GroupResponse {
        id: Uint64::new(group.id),
        admin: group.admin.into(),
        metadata: group.metadata,
        version: Uint64::new(group.version),
        total_weight: group.total_weight,
        members: group.members,
        created_at: Uint64::new(group.created_at),
    }
}

fn member_response(member: Member) -> MemberResponse {
    MemberResponse {
        group_id: Uint64::new(member.group_id),
        address: member.address.into(),
        weight: member.weight,
        metadata: member.metadata,
        added_at: Uint64::new(member.added_at),
    }
}
