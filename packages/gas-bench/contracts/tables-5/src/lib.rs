//! A contract with 5 of the twenty tables.

bench_tables::contract!(5);
