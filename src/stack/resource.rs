//! The whole of one resource.

use std::fmt;
use std::sync::Arc;

use super::{Action, Flags};
use crate::path::Path;
use crate::value::Value;

/// How a resource comes to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Managed by a provider.
    Managed,
    /// A data source.
    Data,
    /// Read by a program of Pulumi, and owned by something else.
    External,
    /// Exists during one run.
    Ephemeral,
    /// Groups other resources.
    Component,
    /// Is a provider.
    Provider,
    /// Is the stack itself.
    Stack,
}

impl Mode {
    /// The word that `ls --json` prints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Data => "data",
            Self::External => "external",
            Self::Ephemeral => "ephemeral",
            Self::Component => "component",
            Self::Provider => "provider",
            Self::Stack => "stack",
        }
    }
}

/// Which of the two sets of properties.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Section {
    /// What the program asked for.
    Inputs,
    /// What the provider answered; Terraform's attributes are outputs.
    #[default]
    Outputs,
}

impl Section {
    /// The word that `--of` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inputs => "inputs",
            Self::Outputs => "outputs",
        }
    }
}

/// The properties of a resource at one time. Values are maps, or secret or unknown as a whole.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct State {
    /// What the program asked for; `None` where the file has none (always for Terraform).
    pub inputs: Option<Value>,
    /// What the provider answered; Terraform's attributes.
    pub outputs: Option<Value>,
}

impl State {
    /// Masks both states where either is secret.
    pub fn mirror_masks(&mut self, other: &mut Self) {
        let sets = [
            (&mut self.inputs, &mut other.inputs),
            (&mut self.outputs, &mut other.outputs),
        ];
        for (one, other) in sets {
            if let (Some(one), Some(other)) = (one, other) {
                (*one, *other) = (one.masked_like(other), other.masked_like(one));
            }
        }
    }

    /// The properties of `section`.
    pub fn section(&self, section: Section) -> Option<&Value> {
        match section {
            Section::Inputs => self.inputs.as_ref(),
            Section::Outputs => self.outputs.as_ref(),
        }
    }
}

/// Why one resource needs another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// A property takes its value from it.
    Property,
    /// It was declared or recorded as a dependency.
    Dependency,
    /// It is the parent.
    Parent,
    /// It is the provider.
    Provider,
    /// It takes this one with it when it is deleted.
    DeletedWith,
    /// It takes this one with it when it is replaced.
    ReplaceWith,
}

impl EdgeKind {
    /// True if the resource that needs another one has to come after it. Resources may be replaced with each other.
    pub fn is_ordered(self) -> bool {
        self != Self::ReplaceWith
    }

    /// The words between a resource and the one that it needs for this reason: `a is a child of b`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Property => "takes a property of",
            Self::Dependency => "depends on",
            Self::Parent => "is a child of",
            Self::Provider => "is managed by",
            Self::DeletedWith => "is deleted with",
            Self::ReplaceWith => "is replaced with",
        }
    }

    /// The word that `deps` prints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Property => "property",
            Self::Dependency => "dependency",
            Self::Parent => "parent",
            Self::Provider => "provider",
            Self::DeletedWith => "deleted-with",
            Self::ReplaceWith => "replace-with",
        }
    }
}

/// A need of a resource, as its bytes say it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// The URN, provider reference or configuration address of the resource needed.
    pub target: String,
    /// Why.
    pub kind: EdgeKind,
    /// The property that takes its value from the target; for a reference in a configuration also what it takes (`main.id`).
    pub property: Option<Path>,
    /// What it takes of the target (`id`), where the file says it.
    pub attribute: Option<String>,
}

/// The kind of one entry of a provider's detailed difference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DetailedKind {
    /// Added.
    Add,
    /// Added, which forces a replacement.
    AddReplace,
    /// Deleted.
    Delete,
    /// Deleted, which forces a replacement.
    DeleteReplace,
    /// Updated.
    Update,
    /// Updated, which forces a replacement.
    UpdateReplace,
}

/// One entry of a provider's detailed difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyChange {
    /// The property, in the spelling of the file.
    pub path: String,
    /// What happens to it.
    pub kind: DetailedKind,
    /// Whether it is a difference of inputs, not of outputs against inputs.
    pub input_diff: bool,
}

/// Which half of a replacement comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReplaceOrder {
    /// The new object is created before the old one is destroyed.
    CreateFirst,
    /// The old object is destroyed before the new one is created.
    DestroyFirst,
}

impl ReplaceOrder {
    /// The words for a person.
    pub fn words(self) -> &'static str {
        match self {
            Self::CreateFirst => "create before destroy",
            Self::DestroyFirst => "destroy before create",
        }
    }

    /// The sign that Terraform writes, three cells wide.
    pub fn sign(self) -> &'static str {
        match self {
            Self::CreateFirst => "+/-",
            Self::DestroyFirst => "-/+",
        }
    }

    /// The flag of a record whose replacement has this order.
    pub fn flag(self) -> Flags {
        match self {
            Self::CreateFirst => Flags::CREATE_FIRST,
            Self::DestroyFirst => Flags::DESTROY_FIRST,
        }
    }

    /// The order that the flags of a record give.
    pub fn of(flags: Flags) -> Option<Self> {
        [Self::CreateFirst, Self::DestroyFirst]
            .into_iter()
            .find(|order| flags.contains(order.flag()))
    }
}

/// What is about to happen to a resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// In this program's words.
    pub action: Action,
    /// In the file's own words (`delete+create`, `create-replacement`).
    pub own_words: String,
    /// For a replacement: which half comes first, if the file says it.
    pub order: Option<ReplaceOrder>,
    /// The steps of the change in the file's own words and order, where there are several; Pulumi.
    pub steps: Vec<String>,
    /// Why, in the file's own words (`replace_because_tainted`, keys that force a replacement).
    pub reasons: Vec<String>,
    /// The properties that force a replacement.
    pub replace_paths: Vec<Path>,
    /// The properties that the engine says differ, top level only; Pulumi.
    pub diff_keys: Vec<String>,
    /// The provider's detailed difference; `None` if it gave none, empty if it says that nothing changed. Pulumi.
    pub detailed: Option<Vec<PropertyChange>>,
    /// The address before a move.
    pub previous_address: Option<String>,
    /// The id that is imported, where it is known.
    pub importing: Option<Value>,
}

impl Change {
    /// A change of which nothing is known but this.
    pub fn new(action: Action, own_words: impl Into<String>) -> Self {
        Self {
            action,
            own_words: own_words.into(),
            order: None,
            steps: Vec::new(),
            reasons: Vec::new(),
            replace_paths: Vec::new(),
            diff_keys: Vec::new(),
            detailed: None,
            previous_address: None,
            importing: None,
        }
    }
}

/// The whole of one resource, read from its bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Resource {
    /// The URN.
    pub urn: String,
    /// The Terraform address (with the deposed key, if any).
    pub address: Option<String>,
    /// The name for a person.
    pub name: String,
    /// The type token or resource type.
    pub ty: String,
    /// How it comes to be.
    pub mode: Mode,
    /// The yes-or-no facts.
    pub flags: Flags,
    /// The provider's id.
    pub id: Option<Value>,
    /// The URN of the parent, or the address of the module.
    pub parent: Option<String>,
    /// The reference to the provider.
    pub provider: Option<String>,
    /// The properties before the change; `None` if nothing changes or there was nothing.
    pub before: Option<State>,
    /// The properties now, or after the change; `None` if there will be nothing.
    pub after: Option<State>,
    /// The change, in a plan or preview.
    pub change: Option<Change>,
    /// Who it needs.
    pub edges: Vec<Edge>,
    /// Every other field that the file has for it, in the order of the file.
    pub fields: Vec<(Arc<str>, Value)>,
}

impl Resource {
    /// Masks both sides of the change where either is secret.
    pub fn mirror_masks(&mut self) {
        if let (Some(before), Some(after)) = (&mut self.before, &mut self.after) {
            before.mirror_masks(after);
        }
    }

    /// The state that [`Resource::current`] gives, to be changed.
    pub fn current_mut(&mut self) -> Option<&mut State> {
        self.after.as_mut().or(self.before.as_mut())
    }

    /// The state that is looked at first: after, else before.
    pub fn current(&self) -> Option<&State> {
        self.after.as_ref().or(self.before.as_ref())
    }

    /// The state that [`Resource::current`] leaves out: the one before, where there is one after as well.
    pub fn previous(&self) -> Option<&State> {
        self.after.as_ref().and(self.before.as_ref())
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
