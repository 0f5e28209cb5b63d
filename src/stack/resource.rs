//! One whole resource, as read from its bytes.

use std::fmt;
use std::sync::Arc;

use super::{Action, Flags, Position};
use crate::path::Path;
use crate::pulumi::diff::DetailedEntry;
use crate::terraform::address::Key;
use crate::value::Value;

/// The mode of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Managed by a provider.
    Managed,
    /// A data source.
    Data,
    /// Read by a Pulumi program, and owned by something else.
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

/// A section of the properties: inputs, outputs or options.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Section {
    /// The values that the program asked for.
    Inputs,
    /// The values that the provider returned; Terraform's attributes are outputs.
    #[default]
    Outputs,
    /// The options of the resource in the program, such as `protect`. Pulumi only.
    Options,
}

impl Section {
    /// The word that `--of` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inputs => "inputs",
            Self::Outputs => "outputs",
            Self::Options => "options",
        }
    }
}

/// The properties of a resource at one time. Values are maps, or secret or unknown as a whole.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct State {
    /// The values that the program asked for; `None` if the file has none (always for Terraform).
    pub inputs: Option<Value>,
    /// The values that the provider returned; Terraform's attributes.
    pub outputs: Option<Value>,
    /// The options that the program gave, without those that have no effect; `None` if the file has none (always for Terraform).
    pub options: Option<Value>,
}

impl State {
    /// The state of a resource of Terraform with these attributes.
    pub fn of_attributes(attributes: Option<Value>) -> Self {
        Self {
            outputs: attributes,
            ..Self::default()
        }
    }

    /// Masks values in both states that are secret in either.
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

    /// Masks the values that are secret in `other`.
    pub fn mask_like(&mut self, other: &Self) {
        let sets = [
            (&mut self.inputs, &other.inputs),
            (&mut self.outputs, &other.outputs),
        ];
        for (own, other) in sets {
            if let (Some(own), Some(other)) = (own, other) {
                *own = own.masked_like(other);
            }
        }
    }

    /// The properties that the program asks for; the provider's if the file does not separate them (always for Terraform).
    pub fn properties(&self) -> Option<&Value> {
        self.inputs.as_ref().or(self.outputs.as_ref())
    }

    /// The properties that the provider returned, then those that the program asked for.
    pub fn sets(&self) -> impl Iterator<Item = &Value> {
        self.outputs.iter().chain(&self.inputs)
    }

    /// The properties of `section`.
    pub fn section(&self, section: Section) -> Option<&Value> {
        match section {
            Section::Inputs => self.inputs.as_ref(),
            Section::Outputs => self.outputs.as_ref(),
            Section::Options => self.options.as_ref(),
        }
    }
}

/// The reason why one resource depends on another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// A property takes its value from the target.
    Property,
    /// The target was declared or recorded as a dependency.
    Dependency,
    /// The target is the parent.
    Parent,
    /// The target is the provider.
    Provider,
    /// Deleting the target deletes this resource, too.
    DeletedWith,
    /// Replacing the target replaces this resource, too.
    ReplaceWith,
}

impl EdgeKind {
    /// True if the dependent resource has to come after its dependency. Resources may be replaced with each other.
    pub fn is_ordered(self) -> bool {
        self != Self::ReplaceWith
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

/// A dependency of a resource, as recorded in its bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// The URN, provider reference or configuration address of the resource needed.
    pub target: String,
    /// The reason.
    pub kind: EdgeKind,
    /// The property that takes its value from the target; for a reference in a configuration also the attribute it takes
    /// (`main.id`).
    pub property: Option<Path>,
    /// The attribute of the target that is used (`id`), if the file gives it.
    pub attribute: Option<String>,
    /// The instance of the target that is used, if the file gives it; otherwise it may be any.
    pub instance: Option<Instance>,
}

/// The instance that a reference of a configuration names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Instance {
    /// The instance with this key: `[0]`, `["a"]`.
    Key(Key),
    /// The instance with the key of the resource that refers to it: `[count.index]`, `[each.key]`.
    Own,
}

/// One entry of a provider's detailed difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyChange {
    /// The property, in the spelling of the file.
    pub path: String,
    /// The kind of the change, and the properties that were compared.
    pub entry: DetailedEntry,
    /// True if it forces the replacement of the resource.
    pub replaces: bool,
}

/// The order of the two halves of a replacement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReplaceOrder {
    /// The new object is created before the old one is destroyed.
    CreateFirst,
    /// The old object is destroyed before the new one is created.
    DestroyFirst,
    /// The new object is created. The old one is not destroyed, only removed from the state.
    CreateThenForget,
    /// The old object is not destroyed, only removed from the state. The new one is created after that.
    ForgetThenCreate,
}

impl ReplaceOrder {
    const ALL: [Self; 4] = [
        Self::CreateFirst,
        Self::DestroyFirst,
        Self::CreateThenForget,
        Self::ForgetThenCreate,
    ];

    /// The words for a person.
    pub fn words(self) -> &'static str {
        match self {
            Self::CreateFirst => "create before destroy",
            Self::DestroyFirst => "destroy before create",
            Self::CreateThenForget => "create before forget",
            Self::ForgetThenCreate => "forget before create",
        }
    }

    /// The sign that Terraform and OpenTofu write, three columns wide.
    pub fn sign(self) -> &'static str {
        match self {
            Self::CreateFirst => "+/-",
            Self::DestroyFirst => "-/+",
            Self::CreateThenForget => "+/.",
            Self::ForgetThenCreate => "./+",
        }
    }

    /// The flag for this order in a record.
    pub fn flag(self) -> Flags {
        match self {
            Self::CreateFirst => Flags::CREATE_FIRST,
            Self::DestroyFirst => Flags::DESTROY_FIRST,
            Self::CreateThenForget => Flags::CREATE_THEN_FORGET,
            Self::ForgetThenCreate => Flags::FORGET_THEN_CREATE,
        }
    }

    /// The order in the flags of a record.
    pub fn of(flags: Flags) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|order| flags.contains(order.flag()))
    }

    /// True if the old object is not destroyed.
    pub fn forgets(self) -> bool {
        matches!(self, Self::CreateThenForget | Self::ForgetThenCreate)
    }
}

/// The planned change of a resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// The action, in this program's words.
    pub action: Action,
    /// The action in the file's own words (`delete+create`, `create-replacement`).
    pub own_words: String,
    /// The way in which two files are compared, if the change is their difference.
    pub comparison: Option<Comparison>,
    /// True if the engine only looks at what is there. Pulumi only.
    pub is_refresh: bool,
    /// The order of a replacement, if the file gives it.
    pub order: Option<ReplaceOrder>,
    /// The steps of the change in the file's own words and order, if there are several. Pulumi only.
    pub steps: Vec<String>,
    /// The reasons, in the file's own words (`replace_because_tainted`, keys that force a replacement).
    pub reasons: Vec<String>,
    /// The properties that force a replacement.
    pub replace_paths: Vec<Path>,
    /// The properties that differ according to the engine, top level only. Pulumi only.
    pub diff_keys: Vec<String>,
    /// The provider's detailed difference; `None` if it gave none, empty if it reports no change. Pulumi only.
    pub detailed: Option<Vec<PropertyChange>>,
    /// The address before a move.
    pub previous_address: Option<String>,
    /// The id that is imported, if known.
    pub importing: Option<Value>,
}

/// The way in which a resource of two files is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// Both files have the same form.
    Alike,
    /// The files have different forms. An unknown value differs from a known one.
    Forms,
    /// A plan and a state of its outcome, where unknown values became known.
    Outcome,
}

impl Comparison {
    /// The [`own_words`](Change::own_words) of a change that is the difference of two files.
    fn words(self) -> &'static str {
        match self {
            Self::Alike => "compared",
            Self::Forms => "compared with another form",
            Self::Outcome => "compared with its outcome",
        }
    }
}

impl Change {
    /// A change that is the difference of two files.
    pub fn between(action: Action, comparison: Comparison) -> Self {
        Self {
            comparison: Some(comparison),
            ..Self::new(action, comparison.words())
        }
    }

    /// A change with only these two fields known.
    pub fn new(action: Action, own_words: impl Into<String>) -> Self {
        Self {
            action,
            own_words: own_words.into(),
            comparison: None,
            is_refresh: false,
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

/// One whole resource, read from its bytes.
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
    /// The mode of the resource.
    pub mode: Mode,
    /// Boolean facts.
    pub flags: Flags,
    /// The provider's id.
    pub id: Option<Value>,
    /// The URN of the parent, or the address of the module.
    pub parent: Option<String>,
    /// The reference to the provider.
    pub provider: Option<String>,
    /// The properties before the change; `None` if nothing changes or the resource did not exist.
    pub before: Option<State>,
    /// The properties now, or after the change; `None` if the resource will not exist.
    pub after: Option<State>,
    /// The change, in a plan or preview.
    pub change: Option<Change>,
    /// The dependencies of the resource.
    pub edges: Vec<Edge>,
    /// The line that declares it, if the file says that or a configuration was searched for it.
    pub position: Option<Position>,
    /// All other fields in the file, in the order of the file.
    pub fields: Vec<(Arc<str>, Value)>,
}

impl Resource {
    /// A managed resource of which only the name and the type are known.
    pub fn new(name: impl Into<String>, ty: impl Into<String>) -> Self {
        Self {
            urn: String::new(),
            address: None,
            name: name.into(),
            ty: ty.into(),
            mode: Mode::Managed,
            flags: Flags::NONE,
            id: None,
            parent: None,
            provider: None,
            before: None,
            after: None,
            change: None,
            edges: Vec::new(),
            position: None,
            fields: Vec::new(),
        }
    }

    /// Masks values on both sides of the change that are secret on either.
    pub fn mirror_masks(&mut self) {
        if let (Some(before), Some(after)) = (&mut self.before, &mut self.after) {
            before.mirror_masks(after);
        }
    }

    /// Mutable access to the state of [`Resource::current`].
    pub fn current_mut(&mut self) -> Option<&mut State> {
        self.after.as_mut().or(self.before.as_mut())
    }

    /// The main state: after the change, else before it.
    pub fn current(&self) -> Option<&State> {
        self.after.as_ref().or(self.before.as_ref())
    }

    /// The section with the properties that the program gives, as far as the file tells them from others.
    pub fn program_section(&self) -> Section {
        match self.address {
            None => Section::Inputs,
            Some(_) => Section::Outputs,
        }
    }

    /// A section before and after the change.
    pub fn sides(&self, section: Section) -> [Option<&Value>; 2] {
        [&self.before, &self.after].map(|state| state.as_ref()?.section(section))
    }

    /// The state that [`Resource::current`] leaves out: the one before, if there is one after as well.
    pub fn previous(&self) -> Option<&State> {
        self.after.as_ref().and(self.before.as_ref())
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
