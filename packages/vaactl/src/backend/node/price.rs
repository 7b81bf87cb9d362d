//! What gas costs.

use std::fmt;
use std::str::FromStr;

/// The price of one unit of gas in coins of a denomination, as `0.025ucosm`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GasPrice {
    /// The price, times ten to the power of `decimals`.
    scaled: u128,
    decimals: u32,
    /// The denomination.
    pub denom: String,
}

impl GasPrice {
    /// Returns what this much gas costs, rounded up.
    #[must_use]
    pub fn of(&self, gas: u64) -> u128 {
        let unit = 10_u128.pow(self.decimals);
        u128::from(gas).saturating_mul(self.scaled).div_ceil(unit)
    }
}

impl FromStr for GasPrice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is no price of gas, as 0.025ucosm");
        let split = text
            .find(|c: char| c.is_ascii_alphabetic())
            .ok_or_else(bad)?;
        let (number, denom) = text.split_at(split);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let sound = !whole.is_empty()
            && whole.len() <= 18
            && fraction.len() <= 18
            && digits(whole)
            && digits(fraction)
            && !number.ends_with('.');
        if !sound || denom.parse::<cosmrs::Denom>().is_err() {
            return Err(bad());
        }
        Ok(Self {
            scaled: format!("{whole}{fraction}").parse().map_err(|_| bad())?,
            decimals: u32::try_from(fraction.len()).map_err(|_| bad())?,
            denom: denom.to_owned(),
        })
    }
}

impl fmt::Display for GasPrice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = 10_u128.pow(self.decimals);
        write!(out, "{}", self.scaled.checked_div(unit).unwrap_or_default())?;
        if self.decimals > 0 {
            let width = self.decimals as usize;
            let fraction = self.scaled.checked_rem(unit).unwrap_or_default();
            write!(out, ".{fraction:0width$}")?;
        }
        out.write_str(&self.denom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fees_are_rounded_up() {
        for (price, gas, fee) in [
            ("0.025ucosm", 100_000, 2_500),
            ("0.025ucosm", 1, 1),
            ("0.025ucosm", 0, 0),
            ("0ustake", 100_000, 0),
            ("3inj", 7, 21),
            ("160000000.5inj", 3, 480_000_002),
        ] {
            let price: GasPrice = price.parse().unwrap();
            assert_eq!(price.of(gas), fee, "{price} {gas}");
        }
        let most: GasPrice = "999999999999999999.999999999999999999uatom"
            .parse()
            .unwrap();
        assert!(most.of(u64::MAX) > 0);
    }

    #[test]
    fn prices_are_printed_as_written() {
        for text in ["0.025ucosm", "0stake", "12.500uatom", "1ibc/ABCDEF0123"] {
            assert_eq!(text.parse::<GasPrice>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_price_is_refused() {
        for bad in [
            "",
            "ucosm",
            "1",
            "-1ucosm",
            ".5ucosm",
            "1.ucosm",
            "1e3ucosm!",
            "1 ucosm",
            "1.2.3uc",
            "1a",
        ] {
            assert!(bad.parse::<GasPrice>().is_err(), "{bad}");
        }
    }
}
