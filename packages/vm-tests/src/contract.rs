//! The compiled contract.

use std::path::{Path, PathBuf};

use cosmwasm_vm::internals::{Logger, check_wasm, compile_module};
use cosmwasm_vm::{VmError, WasmLimits, capabilities_from_csv};
use wasmer::wasmparser::{Validator, WasmFeatures};
use wasmer::{Engine, Module};

/// Names the environment variable with the path of the wasm to test.
pub const WASM_ENV: &str = "VAA_REGISTRY_WASM";

/// What the chains offer that the contract is meant for: up to CosmWasm 2.2, and not `cosmwasm_3_0`.
pub const CAPABILITIES: &str = "iterator,staking,stargate,cosmwasm_1_1,cosmwasm_1_2,cosmwasm_1_3,cosmwasm_1_4,\
                                cosmwasm_2_0,cosmwasm_2_1,cosmwasm_2_2";

/// A contract that passed a chain's checks, compiled once and instantiated for each call.
#[derive(Clone, Debug)]
pub struct Contract {
    pub(crate) module: Module,
    pub(crate) engine: Engine,
}

/// Says why there is no contract to run.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file can not be read.
    #[error(
        "no contract at {path} ({source}); run scripts/build-wasm.sh first, or name a file in {WASM_ENV}"
    )]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A chain would not store it.
    #[error("a chain would refuse {path}: {reason}")]
    Refused {
        /// The file.
        path: String,
        /// What the virtual machine said.
        reason: VmError,
    },
}

/// Returns the wasm file under test: [`WASM_ENV`], else what `scripts/build-wasm.sh` wrote.
pub fn artifact_path() -> PathBuf {
    std::env::var_os(WASM_ENV).map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts/vaa_registry.wasm"),
        PathBuf::from,
    )
}

/// Makes the checks that a chain makes before it stores code, and `cosmwasm-check` with it; returns the module.
///
/// # Errors
///
/// Names the missing capability, the limit passed, or the instruction that chains refuse.
pub fn check(wasm: &[u8], capabilities: &str) -> Result<Contract, VmError> {
    check_wasm(
        wasm,
        &capabilities_from_csv(capabilities),
        &WasmLimits::default(),
        Logger::Off,
    )?;
    let (module, engine) = compile_module(wasm, None)?;
    Ok(Contract { module, engine })
}

/// Checks that no instruction is newer than the first version of WebAssembly.
///
/// The machine used here takes some of them (sign extension), other chains' do not.
///
/// # Errors
///
/// Names the feature that the first such instruction belongs to, and its place.
pub fn check_instructions(wasm: &[u8]) -> Result<(), String> {
    Validator::new_with_features(WasmFeatures::WASM1)
        .validate_all(wasm)
        .map(|_types| ())
        .map_err(|error| error.to_string())
}

impl Contract {
    /// Loads the artifact under test.
    ///
    /// # Errors
    ///
    /// The file is missing, or a chain would refuse it.
    pub fn load() -> Result<Self, LoadError> {
        Self::load_from(&artifact_path())
    }

    /// Loads a wasm file.
    ///
    /// # Errors
    ///
    /// The file is missing, or a chain would refuse it.
    pub fn load_from(path: &Path) -> Result<Self, LoadError> {
        let name = || path.display().to_string();
        let wasm = std::fs::read(path).map_err(|source| LoadError::Read {
            path: name(),
            source,
        })?;
        check(&wasm, CAPABILITIES).map_err(|reason| LoadError::Refused {
            path: name(),
            reason,
        })
    }
}
