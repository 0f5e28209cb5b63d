//! The `stacklens` program: see the library.

fn main() {}
