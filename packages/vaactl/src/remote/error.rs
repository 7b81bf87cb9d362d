use std::path::PathBuf;

use wormhole_vaa::MessageId;

/// Says why nothing more can be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The URL is none of a server.
    #[error("`{url}` is no URL of a server, as https://api.wormholescan.io")]
    Url {
        /// The text.
        url: String,
    },
    /// The server can not be reached.
    #[error("{url} does not answer after {tries} tries: {reason}")]
    Unreachable {
        /// What was asked for.
        url: String,
        /// How often.
        tries: u32,
        /// What went wrong the last time.
        reason: String,
    },
    /// The server is busy or broken.
    #[error("{url} still answers with status {status} after {tries} tries: {reason}")]
    Busy {
        /// What was asked for.
        url: String,
        /// The status of the last answer.
        status: u16,
        /// How often.
        tries: u32,
        /// The server's words.
        reason: String,
    },
    /// The server refuses the request.
    #[error("{url} answers with status {status}: {reason}")]
    Status {
        /// What was asked for.
        url: String,
        /// The status.
        status: u16,
        /// The server's words.
        reason: String,
    },
    /// The answer is not what such a server answers.
    #[error("the answer of {url} is not understood: {reason}")]
    Answer {
        /// What was asked for.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What stands in a VAA's place is none.
    #[error("{url} gives no VAA for {id}: {reason}")]
    NoVaa {
        /// What was asked for.
        url: String,
        /// The message's id, as the server writes it.
        id: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The VAA is of another message than the server says.
    #[error("{url} gives the VAA of {found} for {id}")]
    OtherMessage {
        /// What was asked for.
        url: String,
        /// The message that it should be of.
        id: MessageId,
        /// The message that it is of.
        found: MessageId,
    },
    /// The cursor's file can not be used.
    #[error("cannot {action} the cursor `{}`: {reason}", path.display())]
    Cursor {
        /// What was to be done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The cursor is of another server.
    #[error("the cursor `{}` is of {found}, not of {url}", path.display())]
    OtherSource {
        /// The file.
        path: PathBuf,
        /// The server that it is of.
        found: String,
        /// The server that is asked now.
        url: String,
    },
}
