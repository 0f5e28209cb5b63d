//! What is about to happen to a resource.

/// What is about to happen to a resource, in this program's words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// It comes into being.
    Create,
    /// It changes in place.
    Update,
    /// It is destroyed and made anew, in either order.
    Replace,
    /// It is destroyed.
    Delete,
    /// It is read (a data source, `.get`, a refresh).
    Read,
    /// It comes under management as it is.
    Import,
    /// Its name changes and nothing else.
    Move,
    /// It leaves management and stays as it is.
    Forget,
    /// Something happens to it in a later run: what, cannot be known yet.
    Defer,
    /// Nothing.
    Noop,
}

impl Action {
    /// All of them, in the order in which they are listed for review: what destroys first.
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

    /// The words for the difference of two files, where nothing is about to happen.
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

    /// The sign in front of a row, one cell wide.
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
