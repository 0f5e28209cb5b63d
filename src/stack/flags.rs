//! Flags: boolean facts that are stored for every resource.

use std::ops::{BitOr, BitOrAssign};

/// A set of boolean facts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Flags(u32);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $word:literal;)*) => {
        impl Flags {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*
            /// Each flag with the word that `ls --json` and `is:` use.
            pub const NAMES: &[(Self, &'static str)] = &[$((Self::$name, $word)),*];
        }
    };
}

flags! {
    /// Managed by a provider.
    CUSTOM = 0, "custom";
    /// A component: a logical grouping.
    COMPONENT = 1, "component";
    /// The root stack resource.
    STACK = 2, "stack";
    /// A provider.
    PROVIDER = 3, "provider";
    /// A data source.
    DATA = 4, "data";
    /// Must not be deleted.
    PROTECTED = 5, "protected";
    /// Will be replaced next time.
    TAINTED = 6, "tainted";
    /// Read, not owned.
    EXTERNAL = 7, "external";
    /// An old copy that waits for deletion.
    PENDING_DELETE = 8, "pending";
    /// A deposed object.
    DEPOSED = 9, "deposed";
    /// Deleted first, not created again yet.
    PENDING_REPLACEMENT = 10, "pending-replacement";
    /// Stays when it leaves the program.
    RETAIN_ON_DELETE = 11, "retained";
    /// Created, but its initialisation failed.
    INIT_ERRORS = 12, "init-errors";
    /// An operation on it was under way when the file was written.
    PENDING_OPERATION = 13, "pending-operation";
    /// Has a secret value.
    SECRET = 14, "secret";
    /// Has an unknown value.
    UNKNOWN = 15, "unknown";
    /// Changed outside of the program.
    DRIFTED = 16, "drifted";
    /// Has a different name than before.
    MOVED = 17, "moved";
    /// Comes under management in this plan.
    IMPORTED = 18, "imported";
    /// Could not be read; see the notes.
    BROKEN = 19, "broken";
    /// A default provider, made by the engine.
    DEFAULT_PROVIDER = 20, "default-provider";
    /// An entry that is listed apart from the changes: drift that the plan found.
    DRIFT_ENTRY = 21, "drift";
    /// A deferred change.
    DEFERRED = 22, "deferred";
    /// The work on it is under way.
    RUNNING = 23, "running";
    /// The work on it is done.
    DONE = 24, "done";
    /// The work on it failed.
    FAILED = 25, "failed";
    /// Replaced: the new object is created before the old one is destroyed.
    CREATE_FIRST = 26, "create-before-destroy";
    /// Replaced: the old object is destroyed before the new one is created.
    DESTROY_FIRST = 27, "destroy-before-create";
    /// Listed for its drift and nothing else.
    DRIFT_ONLY = 28, "drift-only";
    /// Replaced: the new object is created, and the old one is forgotten after that.
    CREATE_THEN_FORGET = 29, "create-before-forget";
    /// Replaced: the old object is forgotten, and the new one is created after that.
    FORGET_THEN_CREATE = 30, "forget-before-create";
    /// A plan creates or deletes it, and the state after the apply shows that this did not happen.
    NOT_DONE = 31, "not-done";
}

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);

    /// True if all flags of `other` are set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// True if any flag of `other` is set.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The union with `other`, for constants.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The union with `other` if `condition` holds, else the flags as they are.
    #[must_use]
    pub fn with(self, other: Self, condition: bool) -> Self {
        if condition { self | other } else { self }
    }

    /// The flags without those of `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// True for the second entry of a resource that a plan found drifted. The resource itself represents both.
    pub fn is_second_entry(self) -> bool {
        self.contains(Self::DRIFT_ENTRY) && !self.contains(Self::DRIFT_ONLY)
    }

    /// True for an entry that is listed for its drift, not for a change.
    pub fn is_drift(self) -> bool {
        self.intersects(Self::DRIFT_ENTRY | Self::DRIFT_ONLY)
    }

    /// The words of the flags that are set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES
            .iter()
            .filter(move |(flag, _)| self.contains(*flag))
            .map(|(_, word)| *word)
    }
}

impl BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.and(other)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
