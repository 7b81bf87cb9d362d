//! Scans in both directions: of tables by the ids that they give, by primary keys and by keys of several parts; of indexes.

mod auto_uint64;
mod composite;
mod index;
mod primary_key;

/// Makes a test of each case forward, and one in reverse that gives the same rows from the other end.
macro_rules! both_ways {
    ($scan:ident: $($(#[$doc:meta])* $name:ident($bounds:expr) => $want:expr;)*) => {
        mod forward {
            use super::*;
            $($(#[$doc])* #[test] fn $name() {
                assert_eq!($scan(cosmwasm_std::Order::Ascending, $bounds), $want);
            })*
        }

        mod reverse {
            use super::*;
            $($(#[$doc])* #[test] fn $name() {
                let mut want = $want;
                if let Ok(rows) = &mut want {
                    rows.reverse();
                }
                assert_eq!($scan(cosmwasm_std::Order::Descending, $bounds), want);
            })*
        }
    };
}
pub(crate) use both_ways;
