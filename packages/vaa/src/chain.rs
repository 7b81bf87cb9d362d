//! Names of chains.

use thiserror::Error;

use crate::id::{decimal, shorten};

/// Every chain id with a name, ascending. Ids without one are as good as any other.
const CHAINS: [(u16, &str); 92] = [
    (0, "Unset"),
    (1, "Solana"),
    (2, "Ethereum"),
    (3, "Terra"),
    (4, "BSC"),
    (5, "Polygon"),
    (6, "Avalanche"),
    (7, "Oasis"),
    (8, "Algorand"),
    (9, "Aurora"),
    (10, "Fantom"),
    (11, "Karura"),
    (12, "Acala"),
    (13, "Klaytn"),
    (14, "Celo"),
    (15, "Near"),
    (16, "Moonbeam"),
    (17, "Neon"),
    (18, "Terra2"),
    (19, "Injective"),
    (20, "Osmosis"),
    (21, "Sui"),
    (22, "Aptos"),
    (23, "Arbitrum"),
    (24, "Optimism"),
    (25, "Gnosis"),
    (26, "PythNet"),
    (28, "Xpla"),
    (29, "Btc"),
    (30, "Base"),
    (31, "FileCoin"),
    (32, "Sei"),
    (33, "Rootstock"),
    (34, "Scroll"),
    (35, "Mantle"),
    (36, "Blast"),
    (37, "XLayer"),
    (38, "Linea"),
    (39, "Berachain"),
    (40, "SeiEVM"),
    (41, "Eclipse"),
    (42, "BOB"),
    (43, "Snaxchain"),
    (44, "Unichain"),
    (45, "Worldchain"),
    (46, "Ink"),
    (47, "HyperEVM"),
    (48, "Monad"),
    (49, "Movement"),
    (50, "Mezo"),
    (51, "Fogo"),
    (52, "Sonic"),
    (53, "Converge"),
    (54, "Codex"),
    (55, "Plume"),
    (56, "Aztec"),
    (57, "XRPLEVM"),
    (58, "Plasma"),
    (59, "CreditCoin"),
    (60, "Stacks"),
    (61, "Stellar"),
    (62, "TON"),
    (63, "Moca"),
    (64, "MegaETH"),
    (65, "Dogecoin"),
    (66, "XRPL"),
    (67, "ZeroGravity"),
    (68, "Tempo"),
    (69, "Nexus"),
    (70, "Tron"),
    (71, "Arc"),
    (72, "RobinhoodChain"),
    (73, "Hydration"),
    (3104, "Wormchain"),
    (4000, "Cosmoshub"),
    (4001, "Evmos"),
    (4002, "Kujira"),
    (4003, "Neutron"),
    (4004, "Celestia"),
    (4005, "Stargaze"),
    (4006, "Seda"),
    (4007, "Dymension"),
    (4008, "Provenance"),
    (4009, "Noble"),
    (10002, "Sepolia"),
    (10003, "ArbitrumSepolia"),
    (10004, "BaseSepolia"),
    (10005, "OptimismSepolia"),
    (10006, "Holesky"),
    (10007, "PolygonSepolia"),
    (10009, "MonadTestnet"),
    (65000, "HyperCore"),
];

/// A text that is neither a chain's number nor a known name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("chain {0:?} is neither a number from 0 to 65535 nor a known name")]
pub struct ChainError(String);

/// Returns the name of a chain, if it has one here.
#[must_use]
pub fn chain_name(chain: u16) -> Option<&'static str> {
    let place = CHAINS.binary_search_by_key(&chain, |(id, _)| *id).ok()?;
    CHAINS.get(place).map(|(_, name)| *name)
}

/// Returns the chain that `text` names: any number from 0 to 65535, or a name in any case, with
/// or without `-`, `_` and blanks.
///
/// # Errors
///
/// [`ChainError`] for any other text.
pub fn parse_chain(text: &str) -> Result<u16, ChainError> {
    if let Some(chain) = decimal(text) {
        return Ok(chain);
    }
    let plain: String = text
        .chars()
        .filter(|letter| !matches!(letter, '-' | '_' | ' '))
        .collect();
    CHAINS
        .iter()
        .find(|(_, name)| name.eq_ignore_ascii_case(&plain))
        .map(|(chain, _)| *chain)
        .ok_or_else(|| ChainError(shorten(text)))
}

/// Returns every chain with a name, ascending by id.
pub fn chains() -> impl ExactSizeIterator<Item = (u16, &'static str)> {
    CHAINS.iter().copied()
}
