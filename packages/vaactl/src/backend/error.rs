use super::embedded::StoreError;
use super::node::NodeError;

/// Says why a [`Backend`](super::Backend) did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// The contract refused the message.
    #[error("{message}")]
    Contract {
        /// The contract's own words.
        message: String,
        /// The stable code at the end of them, such as `E123`.
        code: Option<String>,
    },
    /// The store below the embedded registry failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The node, or its chain, failed.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The message has no JSON form.
    #[error("message has no JSON form: {source}")]
    Encode {
        /// What the serializer said.
        source: serde_json::Error,
    },
    /// The contract's answer is not what this program expects.
    #[error("the contract's answer is not understood: {source}")]
    Decode {
        /// What the deserializer said.
        source: serde_json::Error,
    },
    /// The response data is not the protobuf message that wraps a contract's data.
    #[error("the contract's response data is not a well-formed protobuf message")]
    ResponseData,
}

impl BackendError {
    /// Makes the error for a refusal in the contract's own words.
    #[must_use]
    pub fn contract(message: String) -> Self {
        let code = error_code(&message).map(str::to_owned);
        Self::Contract { message, code }
    }
}

/// Returns the stable code that ends a contract's error text: `E123` of `… [E123]`.
#[must_use]
pub fn error_code(message: &str) -> Option<&str> {
    let (_, code) = message.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    let digits = code.strip_prefix('E')?;
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_the_last_bracket_of_the_text() {
        for (text, code) in [
            ("no such set 7 [E104]", Some("E104")),
            ("[E1] nested [E22]\n", Some("E22")),
            ("[E12] leads", None),
            ("plain", None),
            ("list [1, 2]", None),
            ("empty [E]", None),
            ("letters [E1x]", None),
            ("]", None),
        ] {
            assert_eq!(error_code(text), code, "{text}");
        }
    }
}
