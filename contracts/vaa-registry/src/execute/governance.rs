//! Governance: which authentic messages change the guardian set.

use cosmwasm_std::{Env, Storage};
use wormhole_vaa::{GuardianSetUpgrade, MessageId, NotApplied, UpgradeContext};

use crate::{
    error::ContractError,
    state::{Config, Decision, GRACE_SECONDS, GuardianSetRow, GuardianSetTimes},
};

/// Decides about an authentic message signed by the set `signed_by`; `None` if it is not the governance emitter's.
pub(crate) fn decide(
    config: &Config,
    id: &MessageId,
    payload: &[u8],
    signed_by: u32,
) -> Option<Result<GuardianSetUpgrade, NotApplied>> {
    if !config.is_governance(id.chain, &id.emitter) {
        return None;
    }
    Some(GuardianSetUpgrade::decide(
        payload,
        &UpgradeContext {
            this_chain: config.this_chain,
            signed_by_current: signed_by == config.current_guardian_set,
            current_index: config.current_guardian_set,
        },
    ))
}

/// Decides again about a registered message that is signed again, if a replaced set signed it and the current one does
/// now; `before` is what was decided then.
///
/// Signatures are of guardians and not of a set, which is named outside of what they sign. So whoever sees an upgrade can
/// name the set before, as long as that counts and has a quorum of the same guardians, and bring that encoding first; it
/// is authentic and not applied. Were that the last word, anybody could keep an upgrade out for ever.
pub(crate) fn decide_again(
    config: &Config,
    before: Option<Decision>,
    id: &MessageId,
    payload: &[u8],
    signed_by: u32,
) -> Option<Result<GuardianSetUpgrade, NotApplied>> {
    let by_replaced = before == Some(Decision::from(NotApplied::NotCurrentSet));
    if !by_replaced || signed_by != config.current_guardian_set {
        return None;
    }
    decide(config, id, payload, signed_by)
}

/// Makes the new set the current one; the one before goes on to count for a day. Returns that one's last second.
pub(super) fn apply(
    storage: &mut dyn Storage,
    env: &Env,
    config: &Config,
    upgrade: &GuardianSetUpgrade,
) -> Result<u64, ContractError> {
    let now = env.block.time.seconds();
    let expires_at = now.saturating_add(GRACE_SECONDS);
    GuardianSetRow::expire(storage, config.current_guardian_set, expires_at)?;
    let new = GuardianSetRow {
        index: upgrade.new_index,
        times: GuardianSetTimes {
            applied_at: now,
            applied_height: env.block.height,
            expires_at: None,
        },
        addresses: GuardianSetRow::pack(&upgrade.guardian_set),
    };
    new.insert(storage)?;
    Config::TABLE.update(
        storage,
        Config {
            current_guardian_set: upgrade.new_index,
            ..config.clone()
        },
    )?;
    Ok(expires_at)
}
