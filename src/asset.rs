//! Hashes and contents of assets and archives.
