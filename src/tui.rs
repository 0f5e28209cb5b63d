//! The explorer on a terminal.
