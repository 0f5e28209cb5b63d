//! The contents of one file of a folder, in short.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::format::table;
use crate::load::{Input, Limits, LoadError, load_within};
use crate::stack::{Action, Stack};

/// The contents of a file, in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// The tool that wrote it, and the noun of its format: `terraform plan`.
    pub kind: String,
    /// True if the file is from Pulumi. Files of different tools cannot be compared.
    pub is_pulumi: bool,
    /// Number of resources.
    pub n_resources: usize,
    /// Number of changes of each action, in the order of [`Action::ALL`]. Empty for a state.
    pub changes: Vec<(Action, u64)>,
    /// The damage, in a few words.
    pub damage: Option<String>,
}

impl Contents {
    fn new(stack: &Stack) -> Self {
        let noun = table::of(&stack.header).map_or("", |format| format.noun);
        Self {
            kind: format!("{} {noun}", stack.header.tool.name()),
            is_pulumi: stack.header.kind.is_pulumi(),
            n_resources: stack.len(),
            changes: stack.n_by_action(),
            damage: stack.damage_title(),
        }
    }
}

/// Reads a file of a folder. Incomplete if `cancel` was set meanwhile.
///
/// # Errors
///
/// If nothing of it can be shown; [`LoadError::Locked`] if it is encrypted and no known key opens it.
pub fn contents(file: &Path, limits: Limits, cancel: &AtomicBool) -> Result<Contents, LoadError> {
    let document = load_within(&Input::path(file), limits, cancel)?;
    Ok(Contents::new(&document.stack))
}
