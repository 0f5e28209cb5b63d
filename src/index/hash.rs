//! The hash by which rows, paths and shapes are joined across the workers of a load.
//!
//! Names are joined by their hash alone: an edge knows the hash of its target. Two names with one hash would be one resource to
//! the edges. With 64 bits that happens in a file of `n` names with a chance of about `n²/2^65`: 3 in 10^8 for a million names,
//! 3 in 10^6 for ten million.
//!
//! # Source
//!
//! foldhash, in the variant for statistical quality. Measured alone it takes 2 ns for a short key and 4 to 7 ns for a URN, as did
//! the hash of our own that it replaced.

use std::hash::{BuildHasher, Hasher as _, RandomState};

use foldhash::SharedSeed;
use foldhash::quality::FoldHasher;

/// A keyed hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hasher {
    seed: u64,
    shared: &'static SharedSeed,
}

impl Hasher {
    /// A hasher with a random key, so a file cannot be crafted to collide.
    pub(crate) fn random() -> Self {
        Self {
            seed: RandomState::new().hash_one(0),
            shared: SharedSeed::global_random(),
        }
    }

    /// A hasher with a fixed key. Only for hashes whose collisions cost nothing, and for tests.
    pub(crate) const fn fixed() -> Self {
        Self {
            // The digits of the golden ratio: foldhash wants a key whose bits are mixed, or short texts collide.
            seed: 0x9e37_79b9_7f4a_7c15,
            shared: SharedSeed::global_fixed(),
        }
    }

    /// The hash of a number. The hashes of different numbers may be added up to the hash of their set.
    #[inline]
    pub(crate) fn hash_number(self, number: u32) -> u64 {
        let mut hasher = self.start();
        hasher.write_u32(number);
        hasher.finish()
    }

    /// The hash of a path one step below the path with the hash `path`: by a key, or to all elements. May be added up likewise.
    #[inline]
    pub(crate) fn hash_below(self, path: u64, key: Option<&[u8]>) -> u64 {
        let mut hasher = self.start();
        hasher.write_u64(path);
        if let Some(key) = key {
            hasher.write_u8(1);
            hasher.write(key);
        }
        hasher.finish()
    }

    /// The hash of `bytes`, never 0.
    #[inline]
    pub(crate) fn hash(self, bytes: &[u8]) -> u64 {
        let mut hasher = self.start();
        hasher.write(bytes);
        hasher.finish().max(1)
    }

    #[inline]
    fn start(self) -> FoldHasher<'static> {
        FoldHasher::with_seed(self.seed, self.shared)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn different_texts_have_different_hashes() {
        let hasher = Hasher::fixed();
        let text: Vec<u8> = (0..100_u8).map(|byte| byte.wrapping_mul(37)).collect();
        let mut known = HashSet::new();
        for len in 0..=text.len() {
            assert!(known.insert(hasher.hash(&text[..len])), "{len}");
            for at in 0..len {
                let mut other = text[..len].to_vec();
                other[at] ^= 0x40;
                assert!(known.insert(hasher.hash(&other)), "{at} of {len}");
            }
        }
    }

    #[test]
    fn steps_below_a_path_have_different_hashes() {
        let hasher = Hasher::fixed();
        let mut known = HashSet::new();
        for path in 0..100 {
            let above = hasher.hash_number(path);
            assert!(known.insert(above));
            assert!(known.insert(hasher.hash_below(above, None)));
            for key in [&b""[..], b"a", b"\x01", b"\0", b"tags"] {
                assert!(known.insert(hasher.hash_below(above, Some(key))));
            }
        }
    }

    #[test]
    fn a_random_key_is_a_new_one() {
        assert_ne!(Hasher::random().hash(b"a"), Hasher::random().hash(b"a"));
    }
}
