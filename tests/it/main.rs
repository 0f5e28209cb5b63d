//! The one integration test binary.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod audit;
mod cli;
mod corpus;
mod encrypted;
mod fuzz;
mod laws;
mod live;
mod loading;
mod made;
mod markup;
mod plans;
mod pty;
mod robust;
mod screens;
mod tidy;
mod vectors;
