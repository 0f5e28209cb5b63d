//! Stacks: the common form of every file.
//!
//! A [`Stack`] is an index of a file, never its contents. It has one small [`Record`] for each resource (the span of its bytes,
//! its name, its flags), tables of data that many resources share (type tokens, parents, property paths), and the few things
//! outside resources (header, stack outputs, notes). A [`Resource`] is one whole resource, read again from the bytes when it is
//! displayed.
//!
//! # Identity
//!
//! Every resource has a URN. A Terraform resource also has an address, and its URN is made from it:
//! `urn:pulumi:WORKSPACE::STEM::TYPE::ADDRESS`, where TYPE is `PROVIDER:MODE:RESOURCE-TYPE`, prefixed by
//! `terraform:module:Module$` inside a module. Several resources of one stack may share a URN (a replacement and the old copy
//! that waits for deletion; deposed objects); [`ResourceId`] distinguishes them.
//!
//! # Growth
//!
//! Records come in batches while the file is read. They live in chunks inside `Arc`, so a clone of a stack is a cheap snapshot
//! for a worker, and adding a batch costs the batch. Everything is in the order of the file. The log of a run in progress also
//! replaces earlier records: a step that started is done.

mod action;
mod changes;
mod chunk;
mod damage;
mod expressions;
mod flags;
pub mod graph;
mod header;
mod invocation;
mod lookup;
mod module_call;
mod note;
mod position;
mod resource;
mod secrets;
mod shapes;
mod siblings;
mod sources;
mod tables;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub use action::Action;
pub use changes::{ChangeId, Changes, Verb};
pub use chunk::{Amendment, Batch, Chunk, Record, Renewed};
pub use damage::Damage;
pub use expressions::{
    Expressions, address_of_provider, are_blocks, is_expression, module_of_provider,
};
pub use flags::Flags;
pub use header::{Header, Kind, LOCKS_FIELD, Tool};
pub use invocation::{Config, Invocation, Timing, Trigger, why_deferred};
pub use lookup::{
    ChooseError, DECLARED, Masks, Missing, MissingKind, Of, PropertySet, When, descend, lookup,
    lookup_all, matches,
};
pub use module_call::ModuleCall;
pub use note::{About, Note, Severity};
pub use position::Position;
pub use resource::{
    Change, Comparison, Edge, EdgeKind, Instance, Mode, PropertyChange, ReplaceOrder, Resource,
    Section, State,
};
pub(crate) use secrets::n_secrets;
pub use shapes::{ShapePaths, Shapes};
pub use siblings::{Others, Siblings};
pub use sources::{LOCKS, SourceFile, Sources, syntax_of};
pub use tables::{Group, GroupId, PathId, PathNode, Prefix, PrefixId, ProviderId, ShapeId, Tables};

use crate::path::{Path, Segment};
use crate::stack::graph::Graph;
use crate::terraform::address::{ObjectName, config_address};
use crate::text::seconds;
use crate::value::Value;

/// A resource of one stack: its position in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceId(pub u32);

impl ResourceId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Bytes of the (decompressed) file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Span {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Length in bytes.
    pub len: u32,
}

impl Span {
    /// Offsets from here on are not in a file: a source assembles the bytes of such a span. No file is that long.
    pub const MADE: u64 = 1 << 62;

    /// True if the bytes are consecutive bytes of the file.
    pub fn is_in_file(self) -> bool {
        self.offset < Self::MADE
    }
}

/// An output of the stack.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// The name.
    pub name: Arc<str>,
    /// The value; in a plan, the value after the change.
    pub value: Value,
    /// The value before the change, in a plan.
    pub before: Option<Value>,
    /// The action on the output, in a plan.
    pub action: Option<Action>,
    /// The declared type as the file writes it, "" if it has no type.
    pub declared_type: String,
}

impl Output {
    /// Number of outermost secrets in the output.
    pub fn n_secrets(&self) -> u64 {
        n_secrets([self.before.as_ref(), Some(&self.value)])
    }

    /// Masks both sides of the change if either is secret.
    #[must_use]
    pub fn with_mirrored_masks(mut self) -> Self {
        if let Some(before) = &mut self.before {
            (*before, self.value) = (
                before.masked_like(&self.value),
                self.value.masked_like(before),
            );
        }
        self
    }
}

/// Counts over the whole file, kept up to date while it loads.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Number of resources, defined for each kind of file by the `definitions` of the acceptance corpus (`info`'s `resources`).
    pub resources: u64,
    /// Number of deposed objects, by the same definitions.
    pub deposed: u64,
    /// Number of outermost secret values.
    pub secrets: u64,
    /// Number of changes in the file's own words (`delete+create`), in the order of first occurrence.
    pub changes: Vec<(String, u64)>,
    /// The differences in form between two files of different kinds that are not changes; `None` in all other cases.
    pub agreement: Option<Agreement>,
    /// The resources that cannot be read; `None` if all can.
    pub broken: Option<Broken>,
}

/// Resources that cannot be read although the file goes on after them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Number of them.
    pub n: u64,
    /// Byte offset of the first one.
    pub offset: u64,
    /// The line of the first one, from 1; `None` if the file has no lines of text.
    pub line: Option<u64>,
}

impl Broken {
    /// A few words for a title: `1 broken at line 6606`.
    pub fn title(self) -> String {
        let first = if self.n == 1 { "" } else { ", first" };
        let place = self.line.map(|line| format!("{first} at line {line}"));
        format!("{} broken{}", self.n, place.unwrap_or_default())
    }
}

/// Differences in form between two files of different kinds that are not changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// True if the old file is a plan, and the new one a state.
    pub is_outcome: bool,
    /// Number of resources that are the same in both files, or that are as the plan predicted.
    pub n_alike: u64,
    /// Number of values that only one of the files knows already.
    pub n_known: u64,
    /// Number of lists or sets with the same elements in another order.
    pub n_reordered: u64,
}

/// The word in [`Counts::changes`] for entries without a change object, as other tools leave them in reduced plans.
pub const NO_CHANGE: &str = "(no change object)";

impl Counts {
    /// Says that resources cannot be judged because their entries have no change object. `None` if all have one.
    pub fn unjudged(&self) -> Option<String> {
        let (_, n) = self.changes.iter().find(|(word, _)| word == NO_CHANGE)?;
        let (s, have) = if *n == 1 { ("", "has") } else { ("s", "have") };
        Some(format!(
            "{n} resource{s} {have} no change object in this file, so the plan cannot be judged"
        ))
    }
}

impl Agreement {
    /// `290 as planned`, `87 values became known`, and so on. Counts of zero are left out.
    pub fn words(self) -> Vec<String> {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let alike = if self.is_outcome {
            "as planned"
        } else {
            "the same"
        };
        let known = if self.is_outcome {
            "became known"
        } else {
            "not known yet"
        };
        let counts = [
            (self.n_alike, format!("{} {alike}", self.n_alike)),
            (
                self.n_known,
                format!("{} value{} {known}", self.n_known, plural(self.n_known)),
            ),
            (
                self.n_reordered,
                format!(
                    "{} list{} in another order",
                    self.n_reordered,
                    plural(self.n_reordered)
                ),
            ),
        ];
        let present = counts.into_iter().filter(|(count, _)| *count > 0);
        present.map(|(_, words)| words).collect()
    }
}

/// The index of a file: its resources as records, and what they share.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The metadata of the file.
    pub header: Header,
    /// Data that many resources share.
    pub tables: Arc<Tables>,
    /// The outputs of the stack, in the order of the file.
    pub outputs: Arc<Vec<Output>>,
    /// Notes for the person.
    pub notes: Arc<Vec<Note>>,
    /// Counts over the whole file.
    pub counts: Counts,
    /// Dependencies between resources; empty until the whole file is indexed, or until a run that goes on has failures.
    pub graph: Arc<Graph>,
    /// Dependencies of resources by the configuration in a Terraform plan, by their address there; empty until the whole file is
    /// indexed.
    pub references: Arc<HashMap<Arc<str>, Vec<Edge>>>,
    /// Arguments of resources in the configuration of a Terraform plan (`expressions`), by their address there; empty until the
    /// whole file is indexed. Constants may be secrets: use them for computing only, as the audit of a plan does.
    pub expressions: Arc<Expressions>,
    /// The modules that the configuration of a Terraform plan calls, by the address of the call there; empty until the whole file is
    /// indexed.
    pub module_calls: Arc<HashMap<Arc<str>, ModuleCall>>,
    /// The actions that a Terraform plan invokes or defers: first those without a resource, then by resource, in the order of
    /// invocation; empty until the whole file is indexed.
    pub invocations: Arc<Vec<Invocation>>,
    /// Arguments that the configuration in a Terraform plan marks as sensitive, by the address of the resource there; empty until
    /// the whole file is indexed.
    pub sensitive: Arc<HashMap<Arc<str>, Vec<Path>>>,
    /// Resources with messages that repeat a secret of another one.
    pub repeating: Arc<HashSet<ResourceId>>,
    /// The records about the same object: a change and its drift, a resource and its old copy.
    pub siblings: Arc<Siblings>,
    /// The configuration files in a plan file; empty until the whole file is indexed, and for all other files.
    pub sources: Arc<Sources>,
    /// True if the changes are the differences between two files, so that nothing is about to happen.
    pub is_comparison: bool,
    /// True if the comparison is an update in the history of a stack, so that its changes have happened.
    pub is_history: bool,
    /// The times of the first and of the last event of a log, in seconds since 1970.
    pub clock: Option<[u64; 2]>,
    /// The time at which each step of a run last began, in seconds since 1970.
    pub started: Arc<HashMap<ResourceId, u64>>,
    /// Damage to the file itself. The part before it is indexed. Commands end with exit code 65.
    pub damage: Option<Damage>,
    chunks: Vec<Arc<Chunk>>,
    n_records: usize,
}

impl Stack {
    /// True if the file is about changes: a plan, a run, or two files.
    pub fn holds_changes(&self) -> bool {
        self.is_comparison || self.header.kind.has_changes()
    }

    /// The secrets provider of a Pulumi stack: its type, and the data needed to ask for the key.
    pub fn secrets_provider(&self) -> Option<&Value> {
        let mut fields = self.header.fields.iter();
        let (_, value) = fields.find(|(name, _)| name == "secrets_providers")?;
        Some(value)
    }

    /// A stack without resources.
    pub fn new(header: Header) -> Self {
        Self {
            header,
            tables: Arc::default(),
            outputs: Arc::default(),
            notes: Arc::default(),
            counts: Counts::default(),
            graph: Arc::default(),
            references: Arc::default(),
            expressions: Arc::default(),
            module_calls: Arc::default(),
            invocations: Arc::default(),
            sensitive: Arc::default(),
            repeating: Arc::default(),
            siblings: Arc::default(),
            sources: Arc::default(),
            is_comparison: false,
            clock: None,
            started: Arc::default(),
            is_history: false,
            damage: None,
            chunks: Vec::new(),
            n_records: 0,
        }
    }

    /// The time that the file records, in seconds since 1970: of the last update, or of the plan.
    pub fn written_at(&self) -> Option<u64> {
        if let Some([_, last]) = self.clock {
            return Some(last);
        }
        let fields = self.header.fields.iter();
        let times = fields.filter_map(|(name, value)| match name.as_str() {
            "manifest" => value.as_map()?.get("time").and_then(Value::as_str),
            "time" | "timestamp" => value.as_str(),
            _ => None,
        });
        times.filter_map(seconds).max()
    }

    /// Damage in a few words: to the end of the file, or to resources in its middle.
    pub fn damage_title(&self) -> Option<String> {
        let damage = self.damage.as_ref().map(|damage| damage.title.clone());
        damage.or_else(|| self.counts.broken.map(Broken::title))
    }

    /// Number of indexed resources.
    pub fn len(&self) -> usize {
        self.n_records
    }

    /// True if no resource is indexed.
    pub fn is_empty(&self) -> bool {
        self.n_records == 0
    }

    /// All resources in the order of the file.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ResourceId> + ExactSizeIterator + use<> {
        (0..u32::try_from(self.n_records).unwrap_or(u32::MAX)).map(ResourceId)
    }

    /// The record of a resource.
    ///
    /// # Panics
    ///
    /// If `id` belongs to another stack.
    pub fn record(&self, id: ResourceId) -> &Record {
        let (chunk, index) = self.locate(id);
        &chunk.records[index]
    }

    /// The name: the last part of the URN; for Terraform the whole address (with the deposed key, if any).
    pub fn name(&self, id: ResourceId) -> &str {
        let (chunk, index) = self.locate(id);
        chunk.name(index)
    }

    /// The name, and the bytes of the name with the texts after it, for reading in blocks.
    pub(crate) fn name_with_rest(&self, id: ResourceId) -> (&str, &[u8]) {
        let (chunk, index) = self.locate(id);
        chunk.name_with_rest(index)
    }

    /// The provider's id for a person; "" if there is none, or if the id is unknown or secret.
    pub fn provider_id(&self, id: ResourceId) -> &str {
        let text = self.compared_id(id);
        match self.header.masking.redacted(text) {
            Some(_) => "",
            None => text,
        }
    }

    /// Like [`Stack::provider_id`], also if the id is a likely secret: for comparing, never for showing.
    pub(crate) fn compared_id(&self, id: ResourceId) -> &str {
        let (chunk, index) = self.locate(id);
        if self.has_sensitive_id(id) {
            return "";
        }
        chunk.provider_id(index)
    }

    /// True if the configuration marks the id as sensitive. The configuration is at the end of a plan, after the resources.
    fn has_sensitive_id(&self, id: ResourceId) -> bool {
        if self.sensitive.is_empty() {
            return false;
        }
        let Some(address) = self.address(id) else {
            return false;
        };
        let address = ObjectName::parse(address).config_address();
        let paths = self.sensitive.get(&*address);
        let is_id = |path: &Path| match path.0.first() {
            Some(Segment::Key(key)) => &**key == "id",
            Some(Segment::Index(_)) => false,
            None => true,
        };
        paths.is_some_and(|paths| paths.iter().any(is_id))
    }

    /// The short name for a tree: without the module part of an address.
    pub fn short_name(&self, id: ResourceId) -> &str {
        let record = self.record(id);
        let name = self.name(id);
        match record.group {
            Some(group) => name
                .strip_prefix(&*self.tables.group(group).path)
                .and_then(|rest| rest.strip_prefix('.'))
                .unwrap_or(name),
            None => name,
        }
    }

    /// The name in a sentence: the address for Terraform, the short name for Pulumi.
    pub fn spoken_name(&self, id: ResourceId) -> &str {
        self.address(id).unwrap_or_else(|| self.short_name(id))
    }

    /// The modules around a resource of Terraform, without the word `module`: `network.vpc`.
    pub fn modules(&self, id: ResourceId) -> Option<String> {
        let group = self
            .record(id)
            .group
            .filter(|_| !self.header.kind.is_pulumi())?;
        let path = &self.tables.group(group).path;
        let path = path.strip_prefix("module.").unwrap_or(path);
        Some(path.replace(".module.", "."))
    }

    /// The call of the innermost module around a resource of Terraform, if the file has it.
    pub fn module_call(&self, id: ResourceId) -> Option<&ModuleCall> {
        self.module_call_of(self.tables.group(self.record(id).group?))
    }

    /// The call of a module of Terraform, if the file has it.
    pub fn module_call_of(&self, group: &Group) -> Option<&ModuleCall> {
        self.module_calls.get(&*config_address(&group.path))
    }

    /// The short name, with the modules around a resource of Terraform, which tell it apart: `network.vpc.aws_subnet.private[0]`.
    pub fn placed_name(&self, id: ResourceId) -> String {
        let name = self.short_name(id);
        match self.modules(id) {
            Some(modules) => format!("{modules}.{name}"),
            None => name.to_owned(),
        }
    }

    /// True if a deletion removes the resource from the state only, because its object is to be retained.
    pub fn is_kept(&self, id: ResourceId) -> bool {
        let record = self.record(id);
        let is_deleted = record.action == Some(Action::Delete) && !self.is_old_copy(id);
        is_deleted && record.flags.contains(Flags::RETAIN_ON_DELETE) && !self.is_comparison
    }

    /// The action on the object itself: a deletion that keeps the object only forgets it.
    pub fn effect(&self, id: ResourceId) -> Option<Action> {
        if self.is_kept(id) {
            return Some(Action::Forget);
        }
        self.record(id).action
    }

    /// The type token (`aws:s3/bucket:Bucket`) or resource type (`aws_s3_bucket`).
    pub fn ty(&self, id: ResourceId) -> &str {
        self.tables.prefix(self.record(id).prefix).ty()
    }

    /// The mode.
    pub fn mode(&self, id: ResourceId) -> Mode {
        let record = self.record(id);
        if !self.header.kind.is_pulumi() {
            return match self.tables.prefix(record.prefix).mode() {
                "data" => Mode::Data,
                "ephemeral" => Mode::Ephemeral,
                _ => Mode::Managed,
            };
        }
        let modes = [
            (Flags::STACK, Mode::Stack),
            (Flags::PROVIDER, Mode::Provider),
            (Flags::COMPONENT, Mode::Component),
            (Flags::EXTERNAL, Mode::External),
        ];
        let found = modes
            .into_iter()
            .find(|(flag, _)| record.flags.contains(*flag));
        found.map_or(Mode::Managed, |(_, mode)| mode)
    }

    /// The parent as the file names it: its URN, or the address of the module.
    pub fn parent_name(&self, id: ResourceId) -> Option<String> {
        let record = self.record(id);
        let of_group = || Some(self.tables.group(record.group?).path.to_string());
        let parent = record.parent.map(|parent| self.identity(parent));
        parent.or_else(of_group)
    }

    /// The URN.
    pub fn urn(&self, id: ResourceId) -> String {
        let prefix = self.tables.prefix(self.record(id).prefix);
        if prefix.text().is_empty() {
            self.name(id).to_owned()
        } else {
            format!("{}::{}", prefix.text(), self.name(id))
        }
    }

    /// The Terraform address, if the file is of Terraform or OpenTofu.
    pub fn address(&self, id: ResourceId) -> Option<&str> {
        (!self.header.kind.is_pulumi()).then(|| self.name(id))
    }

    /// The identity in the person's terms: the address for Terraform, the URN for Pulumi.
    pub fn identity(&self, id: ResourceId) -> String {
        self.address(id).map_or_else(|| self.urn(id), str::to_owned)
    }

    /// Resources sorted by identity, each once.
    pub fn by_name(&self, ids: impl IntoIterator<Item = ResourceId>) -> Vec<ResourceId> {
        let mut ids = Vec::from_iter(ids);
        ids.sort_by_cached_key(|id| (self.identity(*id), *id));
        ids.dedup();
        ids
    }

    /// The records that list a resource, or an old copy of it, for their drift.
    pub fn drift_entries(&self, id: ResourceId) -> impl Iterator<Item = ResourceId> {
        let members = match self.siblings.of(id) {
            Some(Others::Few(members)) => members,
            Some(Others::Many(..)) | None => &[],
        };
        let is_entry = |other: &ResourceId| self.record(*other).flags.contains(Flags::DRIFT_ENTRY);
        members.iter().copied().filter(is_entry)
    }

    /// The first record that lists a resource for its drift.
    pub fn drift_entry(&self, id: ResourceId) -> Option<ResourceId> {
        self.drift_entries(id).next()
    }

    /// The word for an action of a plan, or for a difference between two files.
    pub fn word(&self, action: Action) -> &'static str {
        if self.is_history {
            let words = action.happened();
            words.strip_prefix("was ").unwrap_or(words)
        } else if self.is_outcome() {
            action.came_out()
        } else if self.is_comparison {
            action.compared()
        } else {
            action.name()
        }
    }

    /// The word for an action on the resource `id`: [`Stack::word`], or what did not happen to it.
    pub fn word_of(&self, id: ResourceId, action: Action) -> &'static str {
        if self.is_outcome() {
            action.came_out_with(self.record(id).flags)
        } else {
            self.word(action)
        }
    }

    /// True for a plan beside the state after its apply.
    pub fn is_outcome(&self) -> bool {
        self.counts.agreement.is_some_and(|it| it.is_outcome)
    }

    /// Numbers of changes with the words for them: `2 update`, and for a plan beside its outcome `1 not deleted`.
    pub fn in_words(&self, counts: &[(Action, usize)]) -> Vec<(Action, usize, &'static str)> {
        let is_not_done = |id: &ResourceId, action| {
            let record = self.record(*id);
            record.flags.contains(Flags::NOT_DONE) && record.action == Some(action)
        };
        let split = |(action, n): &(Action, usize)| {
            let (action, n) = (*action, *n);
            let n_not_done = if self.is_outcome() {
                self.ids().filter(|id| is_not_done(id, action)).count()
            } else {
                0
            };
            let not_done = action.came_out_with(Flags::NOT_DONE);
            let parts = [
                (action, n.saturating_sub(n_not_done), self.word(action)),
                (action, n_not_done, not_done),
            ];
            parts.into_iter().filter(|(_, n, _)| *n > 0)
        };
        counts.iter().flat_map(split).collect()
    }

    /// The reference to the provider, "" if there is none.
    pub fn provider(&self, id: ResourceId) -> &str {
        self.record(id)
            .provider
            .map_or("", |provider| self.tables.provider(provider))
    }

    /// The resources whose URN, address, name or id at the provider is `text`, in the order of the file. A `#2` after it selects
    /// the second.
    ///
    /// A URN or an address beats a name, and a name beats an id: the latter count only if nothing has the text as the former.
    pub fn find(&self, text: &str) -> Vec<ResourceId> {
        let matching = |text: &str| -> Vec<ResourceId> {
            let mut found: Vec<_> = self
                .ids()
                .filter(|id| self.has_identity(*id, text))
                .collect();
            if found.is_empty() {
                found = self
                    .ids()
                    .filter(|id| self.name(*id) == text || self.short_name(*id) == text)
                    .collect();
            }
            if found.is_empty() && !text.is_empty() {
                found = self
                    .ids()
                    .filter(|id| self.compared_id(*id) == text)
                    .collect();
            }
            // A plan lists a drifted resource a second time, besides the resource itself.
            let is_drift = |id: ResourceId| self.record(id).flags.contains(Flags::DRIFT_ENTRY);
            if found.iter().any(|id| !is_drift(*id)) {
                found.retain(|id| !is_drift(*id));
            }
            found
        };
        let found = matching(text);
        if !found.is_empty() {
            return found;
        }
        let Some((text, number)) = text
            .rsplit_once('#')
            .and_then(|(text, number)| Some((text, number.parse::<usize>().ok()?)))
        else {
            return Vec::new();
        };
        matching(text)
            .get(number.wrapping_sub(1))
            .copied()
            .into_iter()
            .collect()
    }

    fn has_identity(&self, id: ResourceId, text: &str) -> bool {
        let name = self.name(id);
        if self.address(id).is_some() && ObjectName::parse(name).address == text
            || name == text && self.address(id).is_some()
        {
            return true;
        }
        let prefix = self.tables.prefix(self.record(id).prefix).text();
        text.strip_prefix(prefix).and_then(|rest| {
            if prefix.is_empty() {
                Some(rest)
            } else {
                rest.strip_prefix("::")
            }
        }) == Some(name)
    }

    /// All actions that the change of a resource counts as: its action, and the import or move that comes with it. Empty if the
    /// resource is listed for its drift, since nothing is done about that.
    pub fn actions(&self, id: ResourceId) -> impl Iterator<Item = Action> + use<> {
        // The additional actions of a plan are not differences between two files.
        let n_counted = if self.is_comparison { 1 } else { usize::MAX };
        let is_kept = self.is_kept(id);
        let actions = self.record(id).actions().take(n_counted);
        actions.map(move |action| match action {
            Action::Delete if is_kept => Action::Forget,
            action => action,
        })
    }

    /// Number of changes of each action, without the actions that do not occur. An update that also imports or moves counts as
    /// both.
    pub fn n_by_action(&self) -> Vec<(Action, u64)> {
        let mut counts = Action::ALL.map(|action| (action, 0));
        for id in self.ids() {
            for counted in self.actions(id) {
                let found = counts.iter_mut().find(|(action, _)| *action == counted);
                if let Some((_, count)) = found {
                    *count += 1;
                }
            }
        }
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// The order of the replacement of a resource, if it is replaced and the file gives the order.
    pub fn replace_order(&self, id: ResourceId) -> Option<ReplaceOrder> {
        let record = self.record(id);
        ReplaceOrder::of(record.flags).filter(|_| record.action == Some(Action::Replace))
    }

    /// True if only an old copy of a resource is destroyed, left waiting by an earlier run.
    pub fn is_old_copy(&self, id: ResourceId) -> bool {
        let record = self.record(id);
        !self.is_comparison
            && record.action == Some(Action::Delete)
            && record.flags.contains(Flags::PENDING_DELETE)
    }

    /// The record that stands for a resource in the tree and in the graph. A plan lists a resource a second time for its drift.
    pub fn own_record(&self, id: ResourceId) -> ResourceId {
        if !self.record(id).flags.is_second_entry() {
            return id;
        }
        let Some(Others::Few(members)) = self.siblings.of(id) else {
            return id;
        };
        let is_own = |other: &&ResourceId| {
            let is_entry = self.record(**other).flags.contains(Flags::DRIFT_ENTRY);
            !is_entry && self.name(**other) == self.name(id)
        };
        members.iter().find(is_own).copied().unwrap_or(id)
    }

    /// Number of resources that changed outside of the program.
    pub fn n_drifted(&self) -> u64 {
        let flags = self.ids().map(|id| self.record(id).flags);
        let is_one = |flags: &Flags| flags.contains(Flags::DRIFTED) && !flags.is_second_entry();
        flags.filter(is_one).count() as u64
    }

    /// Sets the actions that a plan invokes.
    pub fn set_invocations(&mut self, mut invocations: Vec<Invocation>) {
        invocations.sort_by(Invocation::order);
        self.invocations = Arc::new(invocations);
    }

    /// The actions that the change of the resource at `address` triggers, in the order of invocation.
    pub fn invocations_of(&self, address: &str) -> &[Invocation] {
        let address = ObjectName::parse(address).address;
        let all = self.invocations.as_slice();
        let start = all.partition_point(|it| it.resource() < Some(address));
        let n_own = all[start..].partition_point(|it| it.resource() == Some(address));
        &all[start..start + n_own]
    }

    /// Appends a batch, in time proportional to the batch.
    pub fn extend(&mut self, batch: Batch) {
        if !batch.tables.is_empty() {
            Arc::make_mut(&mut self.tables).extend(batch.tables);
        }
        self.n_records += batch.chunk.records.len();
        chunk::append(&mut self.chunks, batch.chunk);
        let mut notes = batch.notes;
        if !notes.is_empty() {
            self.name_places(&mut notes);
            Arc::make_mut(&mut self.notes).extend(notes);
        }
        for renewed in &batch.renewed {
            chunk::renew(&mut self.chunks, renewed);
        }
        self.add_siblings(&batch.siblings, &batch.renewed);
        for amendment in batch.amendments {
            chunk::amend(&mut self.chunks, &amendment);
        }
        for (note, resource) in batch.attributions {
            if let Some(note) = Arc::make_mut(&mut self.notes).get_mut(note) {
                note.resource = Some(resource);
            }
        }
        self.clock = batch.clock.or(self.clock);
        if !batch.started.is_empty() {
            Arc::make_mut(&mut self.started).extend(batch.started);
        }
        if let Some(header) = batch.header {
            self.header = *header;
        }
        if let Some(graph) = batch.graph {
            self.graph = Arc::new(graph);
        }
    }

    fn add_siblings(&mut self, siblings: &[[ResourceId; 2]], renewed: &[Renewed]) {
        let is_secret = |record: &Record| record.flags.contains(Flags::SECRET);
        for pair in siblings {
            let has_secrets = pair.iter().any(|id| is_secret(self.record(*id)));
            Arc::make_mut(&mut self.siblings).add(*pair, has_secrets);
        }
        for renewed in renewed.iter().filter(|it| is_secret(&it.record)) {
            if self.siblings.of(renewed.resource).is_some() {
                Arc::make_mut(&mut self.siblings).add_secret(renewed.resource);
            }
        }
    }

    /// Sets the place of notes on a resource to the name of the resource, if they have no place.
    pub(crate) fn name_places(&self, notes: &mut [Note]) {
        for note in notes.iter_mut().filter(|note| note.place.is_empty()) {
            if let Some(id) = note.resource {
                note.place = self.identity(id);
            }
        }
    }

    fn locate(&self, id: ResourceId) -> (&Chunk, usize) {
        (
            &self.chunks[id.index() / chunk::LEN],
            id.index() % chunk::LEN,
        )
    }
}
