//! The index of a file: from the bytes of an element to rows, without building values.
//!
//! [`scan`] finds the elements of a file, [`walk`] goes over one and [`skip`] passes over values that are not looked into.
//! [`trie`] holds the property paths and [`indexer`] the rows. An element in which the walk finds something odd is read again as
//! values, by the slow path that every format has. Tests compare the two paths.

pub(crate) mod hash;
pub(crate) mod indexer;
pub(crate) mod objects;
pub(crate) mod repeats;
pub(crate) mod scan;
pub(crate) mod skip;
pub(crate) mod trie;
pub(crate) mod walk;
