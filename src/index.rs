//! The index of a file: from the bytes of an element to rows, without building values.
//!
//! [`scan`] finds the elements of a file, [`walk`] goes over one, [`skip`] over what is not looked into, [`trie`] holds the property
//! paths that were met, and [`sheet`] the rows. What the walk finds odd is read again as values, by the slow way that every format has
//! beside the fast one; tests compare the two.

pub(crate) mod objects;
pub(crate) mod repeats;
pub(crate) mod scan;
pub(crate) mod sheet;
pub(crate) mod skip;
pub(crate) mod trie;
pub(crate) mod walk;
