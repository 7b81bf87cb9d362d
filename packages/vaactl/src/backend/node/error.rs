//! Says what can go wrong between this program and a chain.

use std::path::PathBuf;

/// Says why a node, or the chain behind it, did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NodeError {
    /// The URL is none of a node.
    #[error("`{url}` is not the URL of a node's RPC, as http://127.0.0.1:26657")]
    Url {
        /// The text given.
        url: String,
    },
    /// Nothing answers at the URL.
    #[error("the node at {url} does not answer: {reason}")]
    Unreachable {
        /// The URL.
        url: String,
        /// What the connection said last.
        reason: String,
    },
    /// What answers is no node, or one of another kind.
    #[error("the node at {url} answers {method} with what is not understood: {reason}")]
    Answer {
        /// The URL.
        url: String,
        /// The method called.
        method: &'static str,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The node refused a call.
    #[error("the node refuses {method}: {reason}")]
    Refused {
        /// The method called, or the path queried.
        method: String,
        /// What it says.
        reason: String,
    },
    /// The node has not yet read its chain.
    #[error("the node at {url} is still catching up with its chain, at height {height}")]
    CatchingUp {
        /// The URL.
        url: String,
        /// Where it is.
        height: u64,
    },
    /// The chain is not the one meant.
    #[error("the node is on the chain `{found}`, not on `{wanted}`")]
    WrongChain {
        /// The chain named by the user.
        wanted: String,
        /// The node's chain.
        found: String,
    },
    /// No contract was named.
    #[error(
        "no contract is named: give --contract, or set VAACTL_CONTRACT; `vaactl deploy` makes one"
    )]
    NoContract,
    /// The address is none of a contract.
    #[error("there is no contract at `{address}` on `{chain}`")]
    UnknownContract {
        /// The address given.
        address: String,
        /// The chain.
        chain: String,
    },
    /// The contract is another one.
    #[error("the contract at `{address}` is `{found}`, not a registry (`{wanted}`)")]
    OtherContract {
        /// Its address.
        address: String,
        /// What it says that it is.
        found: String,
        /// What a registry says.
        wanted: &'static str,
    },
    /// The contract's code has no such query.
    #[error(
        "the contract's code does not know the query `{query}`: it is of another release than this vaactl, or the code that only imports; `vaactl migrate` moves it on"
    )]
    UnknownQuery {
        /// The query.
        query: String,
    },
    /// No key was named.
    #[error("no key is named to sign with: give --key or --mnemonic-file, or set VAACTL_MNEMONIC")]
    NoKey,
    /// The account does not exist on the chain, since it never had funds.
    #[error("the account {address} is not on the chain `{chain}`: it needs funds first")]
    NoAccount {
        /// Its address.
        address: String,
        /// The chain.
        chain: String,
    },
    /// The account cannot pay.
    #[error("the account {address} has not the funds for this: {reason}")]
    Funds {
        /// Its address.
        address: String,
        /// What the chain says.
        reason: String,
    },
    /// The fee is too low for this node.
    #[error("the fee of {fee} is too low for this node, give another --gas-prices: {reason}")]
    Fee {
        /// The fee offered.
        fee: String,
        /// What the node says.
        reason: String,
    },
    /// The transaction used up its gas.
    #[error(
        "out of gas in transaction {hash}: {used} used of {wanted}; give a larger --gas-adjustment"
    )]
    OutOfGas {
        /// The transaction's hash.
        hash: String,
        /// Gas used.
        used: u64,
        /// Gas paid for.
        wanted: u64,
    },
    /// A transaction needs more gas than a block has.
    #[error("the call needs {needed} gas, more than the {most} of a block or of --max-gas")]
    TooMuchGas {
        /// Gas needed, by simulation.
        needed: u64,
        /// The most that may be used.
        most: u64,
    },
    /// A transaction is larger than the node takes.
    #[error("the call is too large for the node: a transaction of {bytes} bytes")]
    TooLarge {
        /// Its length.
        bytes: usize,
    },
    /// The node has no room for transactions.
    #[error("the node's mempool stays full: {reason}")]
    MempoolFull {
        /// What it says.
        reason: String,
    },
    /// A transaction did not come into a block in time.
    #[error(
        "transaction {hash} is in no block after {seconds} s; it may still come: run the same command again, which \
         waits for it and sends nothing twice"
    )]
    NotIncluded {
        /// The transaction's hash.
        hash: String,
        /// How long was waited.
        seconds: u64,
    },
    /// The account's sequence went on in other hands.
    #[error("the account {address} is used by another program at the same time: {reason}")]
    Sequence {
        /// Its address.
        address: String,
        /// What the chain says.
        reason: String,
    },
    /// The chain refused a transaction for a reason of its own.
    #[error("the chain refuses the transaction ({codespace} {code}): {reason}")]
    Transaction {
        /// Which module refuses.
        codespace: String,
        /// Its code.
        code: u32,
        /// What it says.
        reason: String,
    },
    /// The note of a transaction on its way can not be kept.
    #[error("cannot {action} `{}`, which notes the transaction on its way: {reason}", path.display())]
    Journal {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A transaction could not be put together.
    #[error("cannot make the transaction: {reason}")]
    Make {
        /// Why not.
        reason: String,
    },
}
