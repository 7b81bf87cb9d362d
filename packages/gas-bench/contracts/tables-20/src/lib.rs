//! A contract with 20 of the twenty tables.

bench_tables::contract!(20);
