//! What users of comparable ORMs asked for and did not get, or got late: the input of their thread, and the right result.
//! The numbers are those of the table in the package's README. What the derive answers is in its own tests.

mod bounds;
mod indexes;
mod pages;
mod rows;
