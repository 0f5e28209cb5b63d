//! Damage: a file that is cut off or broken, of which only a part was read.

/// What is missing of a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// A few words for a title: `cut off at line 6606`.
    pub title: String,
    /// One line that says what is missing and where.
    pub message: String,
}
