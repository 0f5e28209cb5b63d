//! Unlocking: keys and ciphertexts to plaintexts. Pure: bytes and keys in, bytes out.
