//! Damage: a truncated or broken file, of which only a part was read.

/// The missing part of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// A few words for a title: `cut off at line 6606`.
    pub title: String,
    /// One line that describes the missing part and its position.
    pub message: String,
}
