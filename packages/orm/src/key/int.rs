//! Numbers: big-endian, so that bytes sort as values; the sign bit of signed ones is flipped for the same reason.

use cosmwasm_std::{Timestamp, Uint64, Uint128};

use super::{Key, KeyError, KeyReader, KeyWriter};

macro_rules! unsigned {
    ($($int:ty),+) => {$(
        impl Key for $int {
            const ORDERED: bool = true;

            fn describe() -> String {
                stringify!($int).to_owned()
            }

            fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
                out.fixed(&self.to_be_bytes());
                Ok(())
            }

            fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
                Ok(Self::from_be_bytes(input.fixed()?))
            }
        }
    )+};
}

macro_rules! signed {
    ($($int:ty => $bits:ty),+) => {$(
        impl Key for $int {
            const ORDERED: bool = true;

            fn describe() -> String {
                stringify!($int).to_owned()
            }

            fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
                out.fixed(&(self.cast_unsigned() ^ (1 << (<$bits>::BITS - 1))).to_be_bytes());
                Ok(())
            }

            fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
                let bits = <$bits>::from_be_bytes(input.fixed()?) ^ (1 << (<$bits>::BITS - 1));
                Ok(bits.cast_signed())
            }
        }
    )+};
}

macro_rules! through {
    ($($outer:ty => $inner:ty, $get:expr, $make:expr;)+) => {$(
        impl Key for $outer {
            const ORDERED: bool = true;

            fn describe() -> String {
                <$inner>::describe()
            }

            fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
                let get: fn(&Self) -> $inner = $get;
                get(self).write(out)
            }

            fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
                <$inner>::read(input).map($make)
            }
        }
    )+};
}

unsigned!(u8, u16, u32, u64, u128);
signed!(i8 => u8, i16 => u16, i32 => u32, i64 => u64, i128 => u128);
through! {
    Uint64 => u64, |n| n.u64(), Uint64::new;
    Uint128 => u128, |n| n.u128(), Uint128::new;
    Timestamp => u64, Timestamp::nanos, Timestamp::from_nanos;
}

impl Key for bool {
    const ORDERED: bool = true;

    fn describe() -> String {
        "bool".to_owned()
    }

    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
        out.fixed(&[u8::from(*self)]);
        Ok(())
    }

    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        match input.fixed()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(KeyError::Malformed { expected: "bool" }),
        }
    }
}
