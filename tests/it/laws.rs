//! Laws: properties of every value, tested on values that proptest generates.
//!
//! [`generate`] makes the values; a new kind of value belongs there first.

mod contents;
mod deep;
mod described;
mod diffs;
mod forms;
pub(crate) mod generate;
mod json;
mod kinds;
mod masks;
mod outputs;
mod paths;
mod planning;
mod types;
mod values;
