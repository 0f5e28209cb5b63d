//! Ties: the facts of one stack that edges are made of.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::fingerprint;
use super::Tie;
use super::sketch::Shared;
use crate::load::Document;
use crate::stack::{Flags, Resource, ResourceId, Stack};
use crate::value::{Map, Payload, Shown, Value};

/// Maximum number of listed resources that use a reading.
const MAX_USERS: usize = 100;

/// The type of a stack reference of Pulumi.
const STACK_REFERENCE: &str = "pulumi:pulumi:StackReference";

/// The type of the data source that reads another state of Terraform.
const REMOTE_STATE: &str = "terraform_remote_state";

/// The resources that a stack owns and wants of others, taken out of its document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ties {
    /// True for a plan, a preview or a run: its state may be another member.
    pub is_plan: bool,
    /// True for a stack of Pulumi.
    pub is_pulumi: bool,
    /// The stack or workspace.
    pub stack: String,
    /// The project; for Terraform the stem of the file name.
    pub project: String,
    /// The other stacks whose outputs it reads.
    pub readings: Vec<Reading>,
    /// Hashes of ids and ARNs that it owns, each with the number of its resource.
    pub(super) owned: Vec<(u64, u32)>,
    /// Hashes of texts that may be ids of others, each with the number of its resource.
    pub(super) mentioned: Vec<(u64, u32)>,
    /// Number of ids that a plan owns, whatever was left out of `owned`.
    pub(super) n_owned: usize,
    /// The identities of these resources.
    identities: Vec<Arc<str>>,
}

/// A resource that reads the outputs of another stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The identity of the resource.
    pub resource: Arc<str>,
    /// The stack that it reads.
    pub wanted: Wanted,
    /// The names of the outputs that it got.
    pub outputs: Vec<String>,
    /// The identities of the first resources that depend on it.
    pub users: Vec<Arc<str>>,
}

impl Reading {
    /// The reading of a resource, if it is one of the resources for that.
    pub fn of(stack: &Stack, id: ResourceId, resource: &Resource) -> Option<Self> {
        let state = resource.current()?;
        let (inputs, outputs) = (state.inputs.as_ref(), state.outputs.as_ref());
        let (wanted, outputs) = reading(stack.ty(id), inputs, outputs)?;
        let mut users: Vec<ResourceId> = Vec::new();
        for link in stack.graph.used_by(id).iter().take(MAX_USERS) {
            if !users.contains(&link.to) {
                users.push(link.to);
            }
        }
        Some(Self {
            resource: stack.identity(id).into(),
            wanted,
            outputs,
            users: users
                .into_iter()
                .map(|id| stack.identity(id).into())
                .collect(),
        })
    }

    /// The kind of the edge.
    pub fn kind(&self) -> Tie {
        match self.wanted {
            Wanted::Stack { .. } => Tie::StackReference,
            Wanted::Path(_) | Wanted::Key { .. } | Wanted::Workspace(_) => Tie::RemoteState,
        }
    }
}

/// A stack as another one names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A stack of Pulumi.
    Stack {
        /// The project; `None` if the name has none.
        project: Option<String>,
        /// The stack.
        stack: String,
    },
    /// A state in a file, by the path from the folder of the program.
    Path(String),
    /// A state in an object store.
    Key {
        /// The bucket or container, if it is named.
        bucket: Option<String>,
        /// Its key.
        key: String,
    },
    /// A workspace of a service.
    Workspace(String),
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stack {
                project: Some(project),
                stack,
            } => write!(f, "{project}/{stack}"),
            Self::Stack {
                project: None,
                stack: name,
            }
            | Self::Path(name)
            | Self::Workspace(name) => f.write_str(name),
            Self::Key {
                bucket: Some(bucket),
                key,
            } => write!(f, "{bucket}/{key}"),
            Self::Key { bucket: None, key } => f.write_str(key),
        }
    }
}

impl Ties {
    /// The ties of a stack before any resource is read.
    pub(super) fn new(stack: &Stack) -> Self {
        Self {
            is_plan: stack.header.kind.has_changes(),
            is_pulumi: stack.header.kind.is_pulumi(),
            stack: stack.header.stack.clone(),
            project: stack.header.project.clone(),
            readings: Vec::new(),
            owned: Vec::new(),
            mentioned: Vec::new(),
            n_owned: 0,
            identities: Vec::new(),
        }
    }

    /// All ties of a document. Resources that cannot be read have none. `cancel` ends it early.
    pub fn of(document: &Document, cancel: &AtomicBool) -> Self {
        let stack = &document.stack;
        let mut ties = Self::new(stack);
        for id in stack.ids() {
            if cancel.load(Ordering::Relaxed) {
                break;
            }
            let Ok(resource) = document.resource(id) else {
                continue;
            };
            match Reading::of(stack, id, &resource) {
                Some(reading) => ties.readings.push(reading),
                None => ties.add_ids(stack, id, &resource, &|_| true),
            }
        }
        ties.n_owned = ties.owned.len();
        ties.settle();
        ties
    }

    /// Removes the mentions of its own ids: these are edges inside the stack, which its graph has.
    pub(super) fn settle(&mut self) {
        let own: HashSet<u64> = self.owned.iter().map(|(hash, _)| *hash).collect();
        self.mentioned.retain(|(hash, _)| !own.contains(hash));
        // Those of all stacks are kept until the last one is read.
        self.mentioned.shrink_to_fit();
        self.owned.shrink_to_fit();
        self.identities.shrink_to_fit();
    }

    /// Removes the ids that no other stack has.
    pub(super) fn keep(&mut self, shared: &Shared) {
        let mut kept = Vec::new();
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let identities = &self.identities;
        let mut keep = |(hash, number): &mut (u64, u32)| {
            if !shared.has(*hash) {
                return false;
            }
            let next = u32::try_from(kept.len()).unwrap_or(u32::MAX);
            let new = *numbers.entry(*number).or_insert(next);
            if new == next {
                kept.push(Arc::clone(&identities[*number as usize]));
            }
            *number = new;
            true
        };
        self.owned.retain_mut(&mut keep);
        self.mentioned.retain_mut(keep);
        self.identities = kept;
        self.mentioned.shrink_to_fit();
        self.owned.shrink_to_fit();
    }

    /// The identity of a resource by its number.
    pub(super) fn identity(&self, number: u32) -> &Arc<str> {
        &self.identities[number as usize]
    }

    /// Adds the ids of a resource that reads no other stack: those with a hash that `is_wanted`.
    pub(super) fn add_ids(
        &mut self,
        stack: &Stack,
        id: ResourceId,
        resource: &Resource,
        is_wanted: &dyn Fn(u64) -> bool,
    ) {
        let Some(state) = resource.current() else {
            return;
        };
        let (inputs, outputs) = (state.inputs.as_ref(), state.outputs.as_ref());
        let number = u32::try_from(self.identities.len()).unwrap_or(u32::MAX);
        let n_before = (self.owned.len(), self.mentioned.len());
        if is_owner(stack, id) {
            let ids = ids(stack, id, Some(resource));
            let hashes = ids.iter().map(|text| fingerprint::hash(text));
            let hashes = hashes.filter(|hash| is_wanted(*hash));
            self.owned.extend(hashes.map(|hash| (hash, number)));
        }
        // Those of Terraform have no inputs.
        if let Some(values) = inputs.or(outputs) {
            let mut seen = HashSet::new();
            each_text(values, &mut |text| {
                if !is_distinct(text) {
                    return;
                }
                let hash = fingerprint::hash(text);
                if is_wanted(hash) && seen.insert(hash) {
                    self.mentioned.push((hash, number));
                }
            });
        }
        if n_before != (self.owned.len(), self.mentioned.len()) {
            self.identities.push(stack.identity(id).into());
        }
    }
}

/// The ids and ARNs of a resource that are unlikely to be the same by chance, before and after its change. Of one that is not read, only
/// the id.
fn ids(stack: &Stack, id: ResourceId, resource: Option<&Resource>) -> HashSet<String> {
    let mut ids = HashSet::from([stack.compared_id(id).to_owned()]);
    let states = resource.map(|it| [it.previous(), it.current()]);
    for state in states.into_iter().flatten().flatten() {
        let map = state.outputs.as_ref().and_then(shown_map);
        let keys = ["arn", "self_link", "selfLink"].into_iter();
        let keys = keys.chain((!stack.header.kind.is_pulumi()).then_some("id"));
        ids.extend(keys.filter_map(|key| map?.get(key).and_then(text)));
    }
    ids.retain(|text| is_distinct(text));
    ids
}

/// The outputs of the stack that have an id or ARN of a resource, before or after the change.
pub fn outputs_with_id_of(
    stack: &Stack,
    id: ResourceId,
    resource: Option<&Resource>,
) -> Vec<Arc<str>> {
    let ids = ids(stack, id, resource);
    if ids.is_empty() {
        return Vec::new();
    }
    let outputs = stack.outputs.iter().filter(|output| {
        let mut has_id = false;
        for value in [Some(&output.value), output.before.as_ref()] {
            let values = value.into_iter();
            values.for_each(|value| each_text(value, &mut |text| has_id |= ids.contains(text)));
        }
        has_id
    });
    outputs.map(|output| Arc::clone(&output.name)).collect()
}

/// True for a resource that the stack manages.
pub(super) fn is_owner(stack: &Stack, id: ResourceId) -> bool {
    let record = stack.record(id);
    if stack.header.kind.is_pulumi() {
        let others = Flags::EXTERNAL | Flags::PROVIDER | Flags::COMPONENT | Flags::STACK;
        return !record.flags.intersects(others);
    }
    let mode = stack.tables.prefix(record.prefix).mode();
    mode != "data" && mode != "ephemeral"
}

/// True for the types of resources that read another stack.
pub(super) fn is_reading(ty: &str) -> bool {
    matches!(ty, STACK_REFERENCE | REMOTE_STATE)
}

/// The stack that a resource of this type reads, and the outputs that it got.
fn reading(
    ty: &str,
    inputs: Option<&Value>,
    outputs: Option<&Value>,
) -> Option<(Wanted, Vec<String>)> {
    let map = |value: Option<&Value>| value.and_then(shown_map).cloned();
    let wanted = match ty {
        STACK_REFERENCE => {
            let given = map(inputs).and_then(|it| it.get("name").and_then(text));
            of_pulumi(&given.or_else(|| map(outputs)?.get("name").and_then(text))?)
        }
        REMOTE_STATE => of_terraform(&map(outputs)?)?,
        _ => return None,
    };
    let got = map(outputs).and_then(|it| it.get("outputs").and_then(shown_map).cloned());
    let got = got.iter().flat_map(Map::keys);
    Some((wanted, got.map(ToString::to_string).collect()))
}

/// `organization/project/stack`, `project/stack` or `stack`.
fn of_pulumi(name: &str) -> Wanted {
    let (before, stack) = match name.rsplit_once('/') {
        Some((before, stack)) => (Some(before), stack),
        None => (None, name),
    };
    let project = before.map(|it| it.rsplit('/').next().unwrap_or(it).to_owned());
    Wanted::Stack {
        project,
        stack: stack.to_owned(),
    }
}

/// The state that the configuration of a backend names.
fn of_terraform(data: &Map) -> Option<Wanted> {
    let backend = data.get("backend").and_then(text)?;
    let workspace = data.get("workspace").and_then(text);
    let workspace = workspace.filter(|it| !it.is_empty() && it != "default");
    let config = data.get("config").and_then(shown_map)?;
    let field = |key: &str| config.get(key).and_then(text).filter(|it| !it.is_empty());
    let in_workspace = |key: String| match (&workspace, field("workspace_key_prefix")) {
        (None, _) => key,
        (Some(workspace), Some(prefix)) => format!("{prefix}/{workspace}/{key}"),
        (Some(workspace), None) => format!("env:/{workspace}/{key}"),
    };
    Some(match backend.as_str() {
        "local" => match workspace {
            Some(workspace) => {
                let folder = field("workspace_dir");
                let folder = folder.unwrap_or_else(|| "terraform.tfstate.d".to_owned());
                Wanted::Path(format!("{folder}/{workspace}/terraform.tfstate"))
            }
            None => Wanted::Path(field("path").unwrap_or_else(|| "terraform.tfstate".to_owned())),
        },
        "remote" | "cloud" => {
            let workspaces = config.get("workspaces");
            let workspaces = match workspaces.and_then(Value::as_array) {
                Some(list) => list.iter().next(),
                None => workspaces,
            };
            let name = workspaces.and_then(shown_map)?.get("name").and_then(text);
            Wanted::Workspace(name.or(workspace)?)
        }
        "gcs" => {
            let prefix = field("prefix").map(|it| format!("{}/", it.trim_end_matches('/')));
            let name = workspace.unwrap_or_else(|| "default".to_owned());
            Wanted::Key {
                bucket: field("bucket"),
                key: format!("{}{name}.tfstate", prefix.unwrap_or_default()),
            }
        }
        "http" => {
            let address = field("address")?;
            let (_, path) = address.split_once("://")?;
            let (host, path) = path.split_once('/')?;
            Wanted::Key {
                bucket: Some(host.to_owned()),
                key: path.split('?').next().unwrap_or(path).to_owned(),
            }
        }
        // Object stores have a key: s3, azurerm, oss, cos, and others.
        _ => Wanted::Key {
            bucket: field("bucket").or_else(|| field("container_name")),
            key: in_workspace(field("key").or_else(|| field("path"))?),
        },
    })
}

/// True for a text that is unlikely to be the same by chance: an ARN or path of a cloud, or a long word with digits.
pub(super) fn is_distinct(text: &str) -> bool {
    const STARTS: [&str; 4] = [
        "arn:",
        "/subscriptions/",
        "projects/",
        "https://www.googleapis.com/",
    ];
    const MIN_LEN: usize = 12;
    const MAX_LEN: usize = 512;
    if text.len() > MAX_LEN || text.contains(char::is_whitespace) {
        return false;
    }
    let letters = || text.bytes();
    STARTS
        .iter()
        .any(|start| text.starts_with(start) && text.len() > start.len())
        || text.len() >= MIN_LEN
            && letters().any(|byte| byte.is_ascii_digit())
            && letters().any(|byte| byte.is_ascii_alphabetic())
            && letters().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Calls `found` with every text that may be shown below `value`.
fn each_text(value: &Value, found: &mut dyn FnMut(&str)) {
    let Shown::Plain(payload) = value.shown() else {
        return;
    };
    match payload {
        Payload::String(_) => found(value.as_str().unwrap_or_default()),
        Payload::Array(items) => items.iter().for_each(|item| each_text(item, found)),
        Payload::Map(map) => map.values().for_each(|value| each_text(value, found)),
        _ => {}
    }
}

fn text(value: &Value) -> Option<String> {
    match value.shown() {
        Shown::Plain(_) => value.as_str().map(str::to_owned),
        Shown::Secret(_) => None,
    }
}

fn shown_map(value: &Value) -> Option<&Map> {
    match value.shown() {
        Shown::Plain(_) => value.as_map(),
        Shown::Secret(_) => None,
    }
}
