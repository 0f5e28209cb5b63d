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

    /// The words for the difference between two files, where nothing is about to happen.
    pub fn compared(self) -> &'static str {
        match self {
            Self::Create => "only in new",
            Self::Delete | Self::Forget => "only in old",
            Self::Noop => "the same",
            Self::Update | Self::Replace | Self::Read | Self::Import | Self::Move | Self::Defer => {
                "differs"
            }
        }
    }

    /// The words for the difference between a plan and the state after its apply.
    pub fn came_out(self) -> &'static str {
        match self {
            Self::Create => "not in the plan",
            Self::Delete | Self::Forget => "not in the state",
            Self::Noop => "as planned",
            Self::Update | Self::Replace | Self::Read | Self::Import | Self::Move | Self::Defer => {
                "differs"
            }
        }
    }

    /// The words for an action of a plan that the state after the apply does not show. `self` is the difference of the two files.
    fn not_done(self) -> &'static str {
        match self {
            Self::Create => "not deleted",
            Self::Delete | Self::Forget => "not created",
            Self::Update
            | Self::Replace
            | Self::Read
            | Self::Import
            | Self::Move
            | Self::Defer
            | Self::Noop => self.came_out(),
        }
    }

    /// The words for the difference between a plan and the state after its apply, for a resource with these flags.
    pub fn came_out_with(self, flags: Flags) -> &'static str {
        if flags.contains(Flags::NOT_DONE) {
            self.not_done()
        } else {
            self.came_out()
        }
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
