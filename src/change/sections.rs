//! The sections of a brief: their titles, and the resources that each speaks of.

use std::collections::BTreeMap;

use super::groups::grouped;
use super::rules::Level;
use crate::stack::ResourceId;

/// The title of a section.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Title {
    /// Stories of which something of this weight is said. Notes alone make no section.
    Found(Level),
    /// Resources that only the older of two files has. For queries and programs the section is `gone`.
    OnlyOld,
    /// Resources that a plan has and the state after its apply lacks. For queries and programs the section is `gone`.
    Missing,
    /// Changes that nothing else has.
    Alone,
    /// Groups of equal or similar changes.
    Same,
    /// Changes without an effect.
    NoEffect,
    /// Resources of which nothing but tags changes.
    Tags,
    /// Changes that a mute leaves out.
    Muted,
    /// Resources that are only moved or imported.
    Moved,
    /// Changes that only follow from other changes. They stand below these.
    Follows,
    /// Deletions and creations that are one thing, and other changes of identity.
    Shifted,
    /// Changes that rules cannot judge.
    Unjudged,
    /// Types that no rule knows.
    UnknownType,
    /// Values that are not known before the apply.
    Unknown,
    /// Values that became known with the apply.
    Known,
    /// Changes made outside of the program.
    Outside,
    /// Outputs of the stack that change.
    Outputs,
    /// Checks that did not pass.
    Checks,
    /// Resources that could not be read.
    Unread,
    /// The types of a state.
    Types,
    /// The providers of a state.
    Providers,
    /// The modules of a state, or its components.
    Modules,
    /// The types of the resources of a state that hold secrets.
    Holding,
}

impl Title {
    /// The titles of sections about resources.
    pub const OF_RESOURCES: [Self; 17] = [
        Self::Found(Level::Danger),
        Self::Found(Level::Warning),
        Self::Found(Level::Note),
        Self::OnlyOld,
        Self::Alone,
        Self::Same,
        Self::NoEffect,
        Self::Tags,
        Self::Muted,
        Self::Moved,
        Self::Follows,
        Self::Shifted,
        Self::Unknown,
        Self::Unjudged,
        Self::UnknownType,
        Self::Outside,
        Self::Unread,
    ];

    /// The weight of the findings of the section; `None` if it has no findings.
    pub fn level(self) -> Option<Level> {
        match self {
            Self::Found(level) => Some(level),
            _ => None,
        }
    }

    /// The name of the section for programs and in queries. It stays when the words change.
    pub fn name(self) -> &'static str {
        self.texts().0
    }

    /// The title of the section on the page, in every form of it.
    pub fn heading(self) -> String {
        self.words().to_uppercase()
    }

    /// The words of the title.
    pub fn words(self) -> &'static str {
        self.texts().1
    }

    /// The name and the words.
    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Found(Level::Danger) => (Level::Danger.name(), "look at these first"),
            Self::Found(level @ (Level::Warning | Level::Note)) => (level.name(), level.name()),
            Self::Unjudged => (
                "unjudged",
                "could not be judged: masked or known after apply",
            ),
            Self::UnknownType => ("unknown-type", "of a type that no rule knows"),
            Self::OnlyOld => ("gone", "only in the old file"),
            Self::Missing => ("gone", "not in the state"),
            Self::Follows => ("follows", "follows from something above"),
            Self::Shifted => ("shifted", "one thing under another name"),
            Self::Same => ("same", "the same change, many times"),
            Self::Alone => ("alone", "on their own"),
            Self::NoEffect => ("no-effect", "without effect"),
            Self::Tags => ("tags", "nothing but tags"),
            Self::Muted => ("muted", "muted"),
            Self::Moved => ("moved", "moved and imported"),
            Self::Unknown => ("unknown", "not known before apply"),
            Self::Known => ("known", "became known with the apply"),
            Self::Outside => ("outside", "changed outside"),
            Self::Outputs => ("outputs", "outputs"),
            Self::Checks => ("checks", "checks that did not pass, and errors"),
            Self::Unread => ("unread", "could not be read"),
            Self::Types => ("types", "types"),
            Self::Providers => ("providers", "providers"),
            Self::Modules => ("modules", "modules and components"),
            Self::Holding => ("holding", "types with secrets"),
        }
    }
}

/// The resources of each section, ascending. A page may list fewer.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sections(BTreeMap<Title, Vec<ResourceId>>);

impl Sections {
    /// The sections with these resources, in any order.
    pub fn new(resources: impl IntoIterator<Item = (Title, ResourceId)>) -> Self {
        let mut sections = grouped(resources);
        for ids in sections.values_mut() {
            ids.sort_unstable();
            ids.dedup();
        }
        Self(sections)
    }

    /// The resources of a section, ascending.
    pub fn of(&self, title: Title) -> &[ResourceId] {
        self.0.get(&title).map_or(&[], |ids| ids)
    }
}
