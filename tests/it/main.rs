//! The one integration test binary.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod robust;
mod tidy;
mod vectors;
