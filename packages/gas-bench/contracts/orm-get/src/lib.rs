//! The ORM's table with plain reads where it would scan a key.

bench_interface::contract!(bench_orm::Orm<true>);
