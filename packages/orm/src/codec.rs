//! Row codecs: how the columns of a row become the bytes of a value.

use serde::{Serialize, de::DeserializeOwned};

/// Turns columns into bytes and back. A type parameter of each table.
pub trait Codec {
    /// The codec's name in schema descriptors.
    const NAME: &'static str;

    /// Whether a version byte stands before what the codec writes. Without it a stored row is just the codec's bytes,
    /// which must then never be empty, as CosmWasm stores no empty value.
    const VERSIONED: bool;

    /// Returns the bytes of `columns`.
    ///
    /// # Errors
    /// The reason why they cannot be encoded.
    fn encode<T: Serialize>(columns: &T) -> Result<Vec<u8>, String>;

    /// Returns the columns of `bytes`; leftover bytes are an error.
    ///
    /// # Errors
    /// The reason why they are no such columns.
    fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String>;
}

/// The bytes that a value gets room for at once: more than most rows have.
const ROOM: usize = 256;

/// What postcard writes to. Unlike its own vector, which grows from nothing, it seldom moves.
struct Buffer(Vec<u8>);

impl postcard::ser_flavors::Flavor for Buffer {
    type Output = Vec<u8>;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Vec<u8>> {
        Ok(self.0)
    }
}

/// [postcard](https://docs.rs/postcard): the default; columns in order without names, integers as varints.
#[derive(Clone, Copy, Debug)]
pub struct Postcard;

impl Codec for Postcard {
    const NAME: &'static str = "postcard";
    const VERSIONED: bool = true;

    fn encode<T: Serialize>(columns: &T) -> Result<Vec<u8>, String> {
        let buffer = Buffer(Vec::with_capacity(ROOM));
        postcard::serialize_with_flavor(columns, buffer).map_err(|error| error.to_string())
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
        match postcard::take_from_bytes(bytes) {
            Ok((columns, [])) => Ok(columns),
            Ok((_, rest)) => Err(format!("{} bytes are left after the columns", rest.len())),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// JSON as CosmWasm writes it, without a version byte: for rows that `cw-storage-plus` wrote or that clients read raw.
#[derive(Clone, Copy, Debug)]
pub struct Json;

impl Codec for Json {
    const NAME: &'static str = "json";
    const VERSIONED: bool = false;

    fn encode<T: Serialize>(columns: &T) -> Result<Vec<u8>, String> {
        cosmwasm_std::to_json_vec(columns).map_err(|error| error.to_string())
    }

    fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
        cosmwasm_std::from_json(bytes).map_err(|error| error.to_string())
    }
}
