//! A contract with 1 of the twenty tables.

bench_tables::contract!(1);
