//! Actions on a resource.

use super::flags::Flags;

/// An action on a resource, in this program's words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Action {
    /// The resource is created.
    Create,
    /// The resource is updated in place.
    Update,
    /// The resource is destroyed and created again, in either order.
    Replace,
    /// The resource is destroyed.
    Delete,
    /// The resource is read (a data source, `.get`, a refresh).
    Read,
    /// The resource comes under management as it is.
    Import,
    /// The resource gets a new name and is otherwise unchanged.
    Move,
    /// The resource leaves management and stays as it is.
    Forget,
    /// The resource changes in a later run, in a way that is not known yet.
    Defer,
    /// No action.
    #[default]
    Noop,
}

impl Action {
    /// All actions, in the order in which they are listed for review: destructive ones first.
    pub const ALL: [Self; 10] = [
        Self::Delete,
        Self::Replace,
        Self::Update,
        Self::Create,
        Self::Import,
        Self::Move,
        Self::Forget,
        Self::Defer,
        Self::Read,
        Self::Noop,
    ];

    /// The word that `info --json` and `action:` use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Read => "read",
            Self::Import => "import",
            Self::Move => "move",
            Self::Forget => "forget",
            Self::Defer => "defer",
            Self::Noop => "noop",
        }
    }

    /// One of these words for the difference between two files: for a resource that only the new one has, only the old one, both
    /// alike, or both otherwise.
    fn of_two_files(self, [new, old, alike, otherwise]: [&'static str; 4]) -> &'static str {
        match self {
            Self::Create => new,
            Self::Delete | Self::Forget => old,
            Self::Noop => alike,
            Self::Update | Self::Replace | Self::Read | Self::Import | Self::Move | Self::Defer => {
                otherwise
            }
        }
    }

    /// The words for the difference between two files, where nothing is about to happen.
    pub fn compared(self) -> &'static str {
        self.of_two_files(["only in new", "only in old", "the same", "differs"])
    }

    /// The words for the difference between a plan and the state after its apply.
    pub fn came_out(self) -> &'static str {
        self.came_out_with(Flags::NONE)
    }

    /// The words for the difference between a plan and the state after its apply, for a resource with these flags: an action of the
    /// plan that the state does not show is named as such.
    pub fn came_out_with(self, flags: Flags) -> &'static str {
        let [new, old] = if flags.contains(Flags::NOT_DONE) {
            ["not deleted", "not created"]
        } else {
            ["not in the plan", "not in the state"]
        };
        self.of_two_files([new, old, "as planned", "differs"])
    }

    /// The words for a past update, in the history of a stack.
    pub fn happened(self) -> &'static str {
        match self {
            Self::Create => "was created",
            Self::Update => "was updated",
            Self::Replace => "was replaced",
            Self::Delete => "was deleted",
            Self::Read => "was read",
            Self::Import => "was imported",
            Self::Move => "was moved",
            Self::Forget => "was forgotten",
            Self::Defer => "was deferred",
            Self::Noop => "did not change",
        }
    }

    /// The words for drift: a change that was made outside the program that manages the resource.
    pub fn drifted(self) -> &'static str {
        match self {
            Self::Create => "created outside",
            Self::Delete => "deleted outside",
            Self::Move => "moved",
            Self::Update
            | Self::Replace
            | Self::Read
            | Self::Import
            | Self::Forget
            | Self::Defer
            | Self::Noop => "changed outside",
        }
    }

    /// The sign at the start of a row, one cell wide.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Create => "+",
            Self::Update => "~",
            Self::Replace => "±",
            Self::Delete => "-",
            Self::Read => "<",
            Self::Import => "=",
            Self::Move => "→",
            Self::Forget => ".",
            Self::Defer => "…",
            Self::Noop => " ",
        }
    }
}
