//! Events. The chain puts `wasm-` before the types.
//!
//! | type | attributes |
//! | --- | --- |
//! | `group_created`, `group_updated` | `group_id` |
//! | `group_left` | `group_id`, `address` |
//! | `policy_created` | `policy_id`, `group_id`, `account` |
//! | `policy_updated` | `policy_id` |
//! | `proposal_submitted` | `proposal_id`, `policy_id` |
//! | `proposal_withdrawn` | `proposal_id` |
//! | `proposal_voted` | `proposal_id`, `voter`, `option` |
//! | `proposal_decided` | `proposal_id`, `status`: `accepted` or `rejected` |
//! | `proposal_executed` | `proposal_id`, `result`: `success` or `failure`; `reason` of a failure |
//! | `proposal_pruned` | `proposal_id` |

use cosmwasm_std::Event;

/// Makes an event about one thing.
pub(crate) fn about(kind: &str, id: &'static str, value: u64) -> Event {
    Event::new(kind).add_attribute(id, value.to_string())
}
