use std::cell::RefCell;
use std::rc::Rc;

use cosmwasm_std::{
    Binary, Deps, DepsMut, Empty, Env, MessageInfo, Reply, Response, StdError, StdResult,
};
use cw_multi_test::Contract;

/// Keeps the words of the last refusal.
///
/// What cw-multi-test returns has the whole message printed around them.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusal(Rc<RefCell<Option<String>>>);

impl Refusal {
    /// Takes the words, if a contract refused since the last call.
    pub(super) fn take(&self) -> Option<String> {
        self.0.try_borrow_mut().ok()?.take()
    }

    fn note<T>(&self, result: StdResult<T>) -> StdResult<T> {
        if let Err(error) = &result
            && let Ok(mut words) = self.0.try_borrow_mut()
        {
            *words = Some(words_of(error));
        }
        result
    }
}

/// Returns an error's text without the kinds that `StdError` prints before it, layer by layer.
pub(super) fn words_of(error: &StdError) -> String {
    let source: &(dyn std::error::Error + Send + Sync) = error.as_ref();
    let text = source.to_string();
    let mut words = text.as_str();
    while let Some((kind, rest)) = words
        .strip_prefix("kind: ")
        .and_then(|rest| rest.split_once(", error: "))
        && kind.bytes().all(|b| b.is_ascii_alphanumeric())
    {
        words = rest;
    }
    words.to_owned()
}

/// Passes every call on to a contract, and notes its refusals.
pub(super) struct Recorded {
    pub(super) contract: Box<dyn Contract<Empty>>,
    pub(super) refusal: Refusal,
}

impl Contract<Empty> for Recorded {
    fn instantiate(
        &self,
        deps: DepsMut<'_>,
        env: Env,
        info: MessageInfo,
        msg: Vec<u8>,
    ) -> StdResult<Response> {
        self.refusal
            .note(self.contract.instantiate(deps, env, info, msg))
    }

    fn execute(
        &self,
        deps: DepsMut<'_>,
        env: Env,
        info: MessageInfo,
        msg: Vec<u8>,
    ) -> StdResult<Response> {
        self.refusal
            .note(self.contract.execute(deps, env, info, msg))
    }

    fn query(&self, deps: Deps<'_>, env: Env, msg: Vec<u8>) -> StdResult<Binary> {
        self.refusal.note(self.contract.query(deps, env, msg))
    }

    fn reply(&self, deps: DepsMut<'_>, env: Env, msg: Reply) -> StdResult<Response> {
        self.refusal.note(self.contract.reply(deps, env, msg))
    }

    fn sudo(&self, deps: DepsMut<'_>, env: Env, msg: Vec<u8>) -> StdResult<Response> {
        self.refusal.note(self.contract.sudo(deps, env, msg))
    }

    fn migrate(&self, deps: DepsMut<'_>, env: Env, msg: Vec<u8>) -> StdResult<Response> {
        self.refusal.note(self.contract.migrate(deps, env, msg))
    }
}
