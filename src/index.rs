//! TODO

pub(crate) mod objects;
pub(crate) mod repeats;
pub(crate) mod scan;
pub(crate) mod sheet;
pub(crate) mod skip;
pub(crate) mod trie;
pub(crate) mod walk;
