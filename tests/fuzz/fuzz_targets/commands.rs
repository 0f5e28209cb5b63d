//! See `stacklens_fuzz::targets::commands`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stacklens_fuzz::targets::commands(bytes));
