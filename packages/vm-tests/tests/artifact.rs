//! The artifact is one that chains store.

use vm_tests::{CAPABILITIES, Contract, artifact_path, check, check_instructions};

/// The chains' limit is 800 KiB; a contract of this size still fits one transaction.
const MAX_SIZE: u64 = 800_000;

#[test]
fn chains_accept_it() {
    if let Err(error) = Contract::load() {
        panic!("{error}");
    }
}

#[test]
fn it_fits_one_transaction() {
    let path = artifact_path();
    let size = std::fs::metadata(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .len();
    assert!(size <= MAX_SIZE, "{size} bytes, more than {MAX_SIZE}");
}

/// A contract that does nothing, with the given code in a function.
fn contract_with(code: &str, extra: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
            (memory (export "memory") 1)
            (func (export "interface_version_8"))
            (func (export "allocate") (param i32) (result i32) i32.const 0)
            (func (export "deallocate") (param i32))
            {extra}
            (func {code}))"#
    );
    wat::parse_str(text).unwrap()
}

#[test]
fn the_check_passes_plain_code() {
    check(&contract_with("nop", ""), CAPABILITIES).unwrap();
}

/// F-18, F-24
#[test]
fn it_has_only_instructions_of_the_first_version() {
    let path = artifact_path();
    let wasm = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    check_instructions(&wasm).unwrap();
}

/// F-18, F-24
#[test]
fn the_checks_name_newer_instructions() {
    let plain = contract_with("nop", "");
    check_instructions(&plain).unwrap();
    for (code, named, in_machine) in [
        (
            "(memory.copy (i32.const 0) (i32.const 1) (i32.const 2))",
            "bulk memory",
            false,
        ),
        (
            "(memory.fill (i32.const 0) (i32.const 1) (i32.const 2))",
            "bulk memory",
            false,
        ),
        ("(drop (i32x4.splat (i32.const 1)))", "SIMD", false),
        (
            "(drop (i32.extend8_s (i32.const 1)))",
            "sign extension",
            true,
        ),
    ] {
        let wasm = contract_with(code, "");
        let error = check_instructions(&wasm).unwrap_err();
        assert!(error.contains(named), "{code}: {error}");
        let machine = check(&wasm, CAPABILITIES).map(|_contract| ());
        assert_eq!(machine.is_ok(), in_machine, "{code}: {machine:?}");
    }
}

/// F-24
#[test]
fn the_check_names_a_capability_that_chains_lack() {
    let needs = r#"(func (export "requires_cosmwasm_3_0"))"#;
    let wasm = contract_with("nop", needs);
    let error = check(&wasm, CAPABILITIES).unwrap_err().to_string();
    assert!(error.contains("cosmwasm_3_0"), "{error}");
    check(&wasm, &format!("{CAPABILITIES},cosmwasm_3_0")).unwrap();
}
