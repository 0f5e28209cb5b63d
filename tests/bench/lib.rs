//! Benches only; see `Cargo.toml`.
