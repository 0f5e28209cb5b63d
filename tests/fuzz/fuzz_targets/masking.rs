//! See `stacklens_fuzz::targets::masking`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stacklens_fuzz::targets::masking(bytes));
