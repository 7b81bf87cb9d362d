//! Puts transactions together, and reads what became of them.

use cosmrs::crypto::secp256k1::SigningKey;
use cosmrs::proto::cosmos::base::abci::v1beta1::TxMsgData;
use cosmrs::proto::traits::{Message, Name};
use cosmrs::tendermint::chain;
use cosmrs::tx::{Body, Fee, SignDoc, SignerInfo};
use cosmrs::{Any, Coin};
use cosmwasm_std::{Attribute, Event};
use sha2::{Digest as _, Sha256};

use super::rpc::TxResult;
use super::{GasPrice, NodeError};
use crate::backend::BackendError;

/// Signs for an account.
pub struct Signer {
    key: SigningKey,
    /// The account's address on the chain.
    pub(super) address: String,
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Signer")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Signer {
    /// Takes a key, for a chain whose addresses begin with `prefix`.
    pub(super) fn new(key: SigningKey, prefix: &str) -> Result<Self, NodeError> {
        let address = key
            .public_key()
            .account_id(prefix)
            .map_err(|error| make(&error))?
            .to_string();
        Ok(Self { key, address })
    }

    /// Returns the bytes of a signed transaction of one message.
    pub(super) fn sign(
        &self,
        chain_id: &str,
        account: Account,
        msg: Any,
        gas: u64,
        price: &GasPrice,
    ) -> Result<Vec<u8>, NodeError> {
        let chain_id: chain::Id = chain_id.parse().map_err(|error| make(&error))?;
        let fee = Coin {
            denom: price.denom.parse().map_err(|error| make(&error))?,
            amount: price.of(gas),
        };
        let body = Body::new([msg], "", 0_u32);
        let info = SignerInfo::single_direct(Some(self.key.public_key()), account.sequence)
            .auth_info(Fee::from_amount_and_gas(fee, gas));
        SignDoc::new(&body, &info, &chain_id, account.number)
            .and_then(|document| document.sign(&self.key))
            .and_then(|raw| raw.to_bytes())
            .map_err(|error| make(&error))
    }
}

fn make(error: &dyn std::fmt::Display) -> NodeError {
    NodeError::Make {
        reason: error.to_string(),
    }
}

/// An account as the chain numbers it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account {
    pub(super) number: u64,
    pub(super) sequence: u64,
}

/// Returns a message as a transaction carries it.
pub(super) fn any<M: Message + Name>(msg: &M) -> Any {
    Any {
        type_url: format!("/{}", M::full_name()),
        value: msg.encode_to_vec(),
    }
}

/// Returns the hash by which nodes know a transaction.
pub(super) fn hash(tx: &[u8]) -> [u8; 32] {
    Sha256::digest(tx).into()
}

/// Returns a hash as nodes write it.
pub(super) fn hash_text(hash: &[u8]) -> String {
    wormhole_vaa::encode_hex(hash).to_ascii_uppercase()
}

/// Returns the response to the only message of a transaction.
pub(super) fn response<M: Message + Default>(data: &[u8]) -> Result<M, BackendError> {
    let data = TxMsgData::decode(data).map_err(|_| BackendError::ResponseData)?;
    let [response] = data.msg_responses.as_slice() else {
        return Err(BackendError::ResponseData);
    };
    M::decode(response.value.as_slice()).map_err(|_| BackendError::ResponseData)
}

/// Returns a transaction's events.
pub(super) fn events(result: &TxResult) -> Vec<Event> {
    let of = |event: &super::rpc::TxEvent| {
        let mut made = Event::new(event.kind.clone());
        // Not `add_attribute`, which panics at the chain's own keys.
        made.attributes = event
            .attributes
            .iter()
            .map(|attribute| Attribute {
                key: attribute.key.clone(),
                value: attribute.value.clone().unwrap_or_default(),
            })
            .collect();
        made
    };
    result.events.iter().map(of).collect()
}

/// Tells how a call that the chain did not take is to be understood.
pub(super) enum Fault {
    /// By the account's sequence: with the right one it may be taken.
    Sequence(String),
    /// By the room in the mempool: later it may be taken.
    Full(String),
    /// The node has the very transaction already.
    Known,
    /// By anything else: no use in trying again.
    Error(BackendError),
}

/// Makes sense of what a chain says of a transaction, by its code and, in simulations, by its words alone.
pub(super) fn fault(
    codespace: &str,
    code: u32,
    log: &str,
    address: &str,
    fee: &str,
    bytes: usize,
) -> Fault {
    let sdk = |number: u32| codespace == "sdk" && code == number;
    if let Some(words) = contract_words(log) {
        return Fault::Error(BackendError::contract(words));
    }
    let reason = log.trim().to_owned();
    if sdk(32) || log.contains("account sequence mismatch") {
        return Fault::Sequence(reason);
    }
    if sdk(20) || log.contains("mempool is full") {
        return Fault::Full(reason);
    }
    if sdk(19) || log.contains("tx already exists in cache") {
        return Fault::Known;
    }
    let address = address.to_owned();
    Fault::Error(BackendError::from(
        if sdk(5) || log.contains("insufficient funds") {
            NodeError::Funds { address, reason }
        } else if sdk(13) || log.contains("insufficient fee") {
            let fee = fee.to_owned();
            NodeError::Fee { fee, reason }
        } else if sdk(21) || log.contains("tx too large") || log.contains("Tx too large") {
            NodeError::TooLarge { bytes }
        } else {
            NodeError::Transaction {
                codespace: codespace.to_owned(),
                code,
                reason,
            }
        },
    ))
}

/// Returns the query that a contract's code says it does not have.
pub(super) fn unknown_query(words: &str) -> Option<String> {
    let (_, rest) = words.split_once("unknown variant `")?;
    Some(rest.split_once('`')?.0.to_owned())
}

/// Returns a contract's own words out of those that the chain wraps them in; none if no contract speaks.
pub(super) fn contract_words(log: &str) -> Option<String> {
    let coded = log.rmatch_indices("[E").find_map(|(start, _)| {
        let code = log.get(start..)?;
        let end = code.find(']')?;
        let digits = code.get(2..end)?;
        let sound = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        sound.then(|| log.get(..start.saturating_add(end).saturating_add(1)))?
    });
    let words = match coded {
        Some(words) => words,
        None => {
            let end = ["execute", "query", "instantiate", "migrate"]
                .iter()
                .find_map(|call| log.find(&format!(": {call} wasm contract failed")))?;
            log.get(..end)?
        }
    };
    // What comes before is the chain's, and ends with the number of the message.
    let words = match words.split_once("message index: 0: ") {
        Some((_, words)) => words,
        None => words,
    };
    let words = words
        .strip_prefix("dispatch: submessages: ")
        .unwrap_or(words);
    Some(words.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_that_the_code_does_not_have_is_named() {
        let words = "kind: Serialization, error: unknown variant `batch_status`, expected `config` or `import_status` at line 1 column 15";
        assert_eq!(unknown_query(words).as_deref(), Some("batch_status"));
        assert_eq!(unknown_query("[E206] no such message"), None);
        assert_eq!(unknown_query("unknown variant `half"), None);
    }

    #[test]
    fn a_contracts_words_are_found_within_the_chains() {
        for (log, words) in [
            (
                "failed to execute message; message index: 0: VAA 0: no guardian set 9 [E104]: execute wasm contract failed",
                Some("VAA 0: no guardian set 9 [E104]"),
            ),
            (
                "no such cursor [E301]: query wasm contract failed",
                Some("no such cursor [E301]"),
            ),
            (
                "rpc error: code = Unknown desc = failed to execute message; message index: 0: nested [E1] and [E22]: \
                 execute wasm contract failed [CosmWasm/wasmd/x/wasm/keeper/keeper.go:440] with gas used: '1': unknown",
                Some("nested [E1] and [E22]"),
            ),
            (
                "failed to execute message; message index: 0: Error parsing into type: execute wasm contract failed",
                Some("Error parsing into type"),
            ),
            ("out of gas in location: WritePerByte; gasWanted: 1", None),
            ("a list [E] or [Ex1]", None),
        ] {
            assert_eq!(contract_words(log).as_deref(), words, "{log}");
        }
    }

    #[test]
    fn faults_are_told_apart() {
        let fault = |space, code, log| fault(space, code, log, "wasm1a", "5ucosm", 9);
        assert!(matches!(
            fault("sdk", 32, "account sequence mismatch, expected 2, got 1"),
            Fault::Sequence(_)
        ));
        assert!(matches!(
            fault("", 2, "rpc: account sequence mismatch"),
            Fault::Sequence(_)
        ));
        assert!(matches!(fault("sdk", 20, ""), Fault::Full(_)));
        assert!(matches!(fault("sdk", 19, ""), Fault::Known));
        for (space, code, log, text) in [
            (
                "sdk",
                5,
                "0ucosm is smaller than 5ucosm: insufficient funds",
                "wasm1a has not the funds",
            ),
            (
                "sdk",
                13,
                "insufficient fee; got: 5ucosm",
                "fee of 5ucosm is too low",
            ),
            ("sdk", 21, "", "too large"),
            (
                "wasm",
                5,
                "x [E102]: execute wasm contract failed",
                "x [E102]",
            ),
            ("sdk", 99, "odd", "(sdk 99): odd"),
        ] {
            match fault(space, code, log) {
                Fault::Error(error) => assert!(error.to_string().contains(text), "{error}"),
                _ => panic!("{log}"),
            }
        }
    }
}
