//! Edges between stacks: who reads whose outputs, and who names whose resources.
//!
//! A worker makes the small [`Sketch`] of each stack. With all of them it is known which resources have to be read for the [`Ties`], and
//! [`resolve`] joins these:
//!
//! ```no_run
//! # use stacklens::load::fleet::{Fleet, Answer, edges::{Sketch, Sketches, resolve}};
//! # fn web(fleet: &Fleet) {
//! let cancel = Default::default();
//! let mut sketches = Sketches::default();
//! fleet.ask(
//!     &cancel,
//!     &|opened| opened.ask(|document| Sketch::of(opened, document)),
//!     &mut |member, answer| {
//!         if let Answer::Done(sketch) = answer {
//!             sketches.push(member, sketch);
//!         }
//!         std::ops::ControlFlow::Continue(())
//!     },
//! );
//! let members = sketches.complete(fleet, &cancel, &mut |_, _| {});
//! let edges = resolve(&members, &cancel);
//! # }
//! ```
//!
//! A stack reference of Pulumi and a `terraform_remote_state` name another stack. An id or ARN that one stack owns and another one
//! mentions is a guess, and so is a name that fits several stacks, or a file only by the end of its path. It is no guess if the resource
//! also depends on one that reads the other stack.
//!
//! A plan and its state are one stack: edges lead to the state, and an edge that both have starts at the state.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/backend/diy/backend.go` (names of stacks); hashicorp/terraform `internal/backend/remote-state/*` (keys).

mod plans;
mod sketch;
mod ties;

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Member, Place};
pub use plans::states_of_plans;
pub use sketch::{Sketch, Sketches};
pub use ties::{Reading, Ties, Wanted, outputs_with_id_of};

/// Maximum number of owners of an id. An id that more stacks have is no identity.
const MAX_OWNERS: usize = 4;

/// An edge from a stack to one that it needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackEdge {
    /// The stack that needs the other one, as an index of the members.
    pub from: usize,
    /// The stack that is needed; `None` if it is not among the members.
    pub to: Option<usize>,
    /// The kind of the edge.
    pub kind: Tie,
    /// The identity of the resource that makes the edge, in the stack that needs.
    pub resource: Arc<str>,
    /// The identity of the resource that is mentioned, for an equal id; else the stack as the file names it.
    pub target: Arc<str>,
    /// The outputs that are known there, without those of the whole.
    pub outputs: Vec<String>,
    /// The identities of the first resources that depend on the one that reads.
    pub users: Vec<Arc<str>>,
    /// True if the file does not say so: ids are equal, or several stacks have the name.
    pub is_guess: bool,
}

/// The kind of an edge between stacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tie {
    /// A stack reference of Pulumi.
    StackReference,
    /// A data source `terraform_remote_state`.
    RemoteState,
    /// An id or ARN that the other stack owns.
    EqualId,
}

impl Tie {
    /// The word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::StackReference => "stack_reference",
            Self::RemoteState => "remote_state",
            Self::EqualId => "equal_id",
        }
    }

    /// The words for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::StackReference => "stack reference",
            Self::RemoteState => "remote state",
            Self::EqualId => "equal id",
        }
    }
}

/// The name in an identity: all of an address, the last part of a URN.
pub fn name_of(identity: &str) -> &str {
    let urn = identity.strip_prefix("urn:pulumi:");
    urn.and_then(|urn| urn.splitn(4, "::").nth(3))
        .unwrap_or(identity)
}

/// The edges between stacks, in the order of the members that need others. One pair of resources has one edge. `cancel` ends it early.
pub fn resolve(members: &[(Member, Ties)], cancel: &AtomicBool) -> Vec<StackEdge> {
    let places = Places::new(members);
    let states = states_of_plans(members);
    let mut edges = Vec::new();
    for (from, (member, ties)) in members.iter().enumerate() {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        for reading in &ties.readings {
            let (found, is_sure) = places.of(member, ties, &reading.wanted);
            let is_plan_of = |to: &usize| states[*to].is_some_and(|state| found.contains(&state));
            let is_other = |to: &usize| *to != from && states[from] != Some(*to);
            let others = found.iter().copied();
            let others = others.filter(|to| is_other(to) && !is_plan_of(to));
            let others: Vec<usize> = others.collect();
            let edge = |to| StackEdge {
                from,
                to,
                kind: reading.kind(),
                resource: Arc::clone(&reading.resource),
                target: reading.wanted.to_string().into(),
                outputs: reading.outputs.clone(),
                users: reading.users.clone(),
                is_guess: to.is_some() && (!is_sure || others.len() > 1),
            };
            if others.is_empty() {
                edges.push(edge(None));
            }
            edges.extend(others.iter().map(|to| edge(Some(*to))));
        }
    }
    let said = said(&edges);
    let equal = equal_ids(members, &states, &said, cancel);
    edges.extend(equal);
    drop_repeated(&mut edges, &states);
    edges.sort_by_key(|edge| (edge.from, edge.kind));
    edges
}

/// A resource, and the other stack that it depends on through one that reads it.
type Said = HashSet<(usize, usize, Arc<str>)>;

/// The dependencies on other stacks that the files record.
fn said(edges: &[StackEdge]) -> Said {
    let sure = edges.iter().filter(|edge| !edge.is_guess);
    let users = sure.flat_map(|edge| {
        let users = edge.users.iter();
        users.filter_map(|user| Some((edge.from, edge.to?, Arc::clone(user))))
    });
    users.collect()
}

/// Removes the edges of plans that their states have too.
fn drop_repeated(edges: &mut Vec<StackEdge>, states: &[Option<usize>]) {
    let key = |from: usize, edge: &StackEdge| {
        let (resource, target) = (Arc::clone(&edge.resource), Arc::clone(&edge.target));
        (from, edge.to, edge.kind, resource, target)
    };
    let of_states: HashSet<usize> = states.iter().copied().flatten().collect();
    let known = edges.iter().filter(|edge| of_states.contains(&edge.from));
    let known: HashSet<_> = known.map(|edge| key(edge.from, edge)).collect();
    edges.retain(|edge| states[edge.from].is_none_or(|state| !known.contains(&key(state, edge))));
}

/// The ids that one stack owns and another one mentions.
fn equal_ids(
    members: &[(Member, Ties)],
    states: &[Option<usize>],
    said: &Said,
    cancel: &AtomicBool,
) -> Vec<StackEdge> {
    let mentioned: HashSet<u64> = members
        .iter()
        .flat_map(|(_, ties)| ties.mentioned.iter().map(|(hash, _)| *hash))
        .collect();
    let mut owners: HashMap<u64, Vec<(usize, u32)>> = HashMap::new();
    let owning = members.iter().enumerate();
    for (member, (_, ties)) in owning.filter(|(member, _)| states[*member].is_none()) {
        for (hash, name) in ties
            .owned
            .iter()
            .filter(|(hash, _)| mentioned.contains(hash))
        {
            owners.entry(*hash).or_default().push((member, *name));
        }
    }
    let mut edges = Vec::new();
    for (from, (_, ties)) in members.iter().enumerate() {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let mut seen = HashSet::new();
        for (hash, by) in &ties.mentioned {
            let owners = owners.get(hash).map(Vec::as_slice).unwrap_or_default();
            for (to, of) in owners {
                let is_other = *to != from && states[from] != Some(*to);
                if owners.len() <= MAX_OWNERS && is_other && seen.insert((*by, *to, *of)) {
                    let resource = Arc::clone(ties.identity(*by));
                    let key = (from, *to, resource);
                    edges.push(StackEdge {
                        from,
                        to: Some(*to),
                        kind: Tie::EqualId,
                        is_guess: !said.contains(&key),
                        resource: key.2,
                        target: Arc::clone(members[*to].1.identity(*of)),
                        outputs: Vec::new(),
                        users: Vec::new(),
                    });
                }
            }
        }
    }
    edges
}

/// The members by the names that others have for them.
struct Places {
    /// Pulumi: by stack, with the project.
    stacks: HashMap<String, Vec<(usize, String)>>,
    /// By their path without links and dots.
    paths: HashMap<PathBuf, usize>,
    /// By the last part of their path, and without its extension.
    files: HashMap<String, Vec<(usize, PathBuf)>>,
}

impl Places {
    fn new(members: &[(Member, Ties)]) -> Self {
        let mut places = Self {
            stacks: HashMap::new(),
            paths: HashMap::new(),
            files: HashMap::new(),
        };
        for (index, (member, ties)) in members.iter().enumerate() {
            if ties.is_pulumi {
                let stacks = places.stacks.entry(ties.stack.clone()).or_default();
                stacks.push((index, ties.project.clone()));
                continue;
            }
            let path = path_of(&member.place);
            let mut add = |name: Option<&std::ffi::OsStr>| {
                let name = name.unwrap_or_default().to_string_lossy().into_owned();
                let files = places.files.entry(name).or_default();
                files.push((index, path.clone()));
            };
            add(path.file_name());
            if path.file_stem() != path.file_name() {
                add(path.file_stem());
            }
            places.paths.insert(path, index);
        }
        places
    }

    /// The members that are meant, and true if the name says so.
    fn of(&self, reader: &Member, ties: &Ties, wanted: &Wanted) -> (Vec<usize>, bool) {
        match wanted {
            Wanted::Stack { project, stack } => self.of_stack(project.as_deref(), stack, ties),
            Wanted::Path(path) => {
                let folder = path_of(&reader.place);
                let folder = folder.parent().unwrap_or(Path::new(""));
                match self.paths.get(&plain(&folder.join(path))) {
                    Some(found) => (vec![*found], true),
                    // The program may have run in another folder.
                    None => (self.by_end(&plain(Path::new(path)), None), false),
                }
            }
            Wanted::Key { bucket, key } => {
                (self.by_end(&plain(Path::new(key)), bucket.as_deref()), true)
            }
            Wanted::Workspace(name) => {
                let found = self.files.get(name).map(Vec::as_slice).unwrap_or_default();
                (found.iter().map(|(index, _)| *index).collect(), false)
            }
        }
    }

    /// Without a project, the one of the reader comes first.
    fn of_stack(&self, project: Option<&str>, stack: &str, ties: &Ties) -> (Vec<usize>, bool) {
        let found = self
            .stacks
            .get(stack)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let of = |project: &str| -> Vec<usize> {
            let fitting = found.iter().filter(|(_, of)| of == project);
            fitting.map(|(index, _)| *index).collect()
        };
        match project {
            Some(project) => (of(project), true),
            None => match of(&ties.project) {
                own if own.is_empty() => (found.iter().map(|(index, _)| *index).collect(), true),
                own => (own, true),
            },
        }
    }

    /// The members whose path ends like this, those below a folder with the name of the bucket first.
    fn by_end(&self, end: &Path, bucket: Option<&str>) -> Vec<usize> {
        let name = end.file_name().unwrap_or_default().to_string_lossy();
        let found = self
            .files
            .get(&*name)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let fitting: Vec<_> = found
            .iter()
            .filter(|(_, path)| path.ends_with(end))
            .collect();
        let is_below = |path: &Path| bucket.is_some_and(|it| path.iter().any(|part| part == it));
        let below = fitting.iter().filter(|(_, path)| is_below(path));
        let below: Vec<usize> = below.map(|(index, _)| *index).collect();
        if below.is_empty() {
            fitting.into_iter().map(|(index, _)| *index).collect()
        } else {
            below
        }
    }
}

/// The path of a member without dots; inside an archive, below its file.
fn path_of(place: &Place) -> PathBuf {
    let path = match place {
        Place::Object(address) => return plain(address.path()),
        Place::File(path) => path.clone(),
        Place::Entry { archive, name } => archive.path().join(name.trim_start_matches('/')),
        Place::Stdin => PathBuf::new(),
    };
    plain(&std::path::absolute(&path).unwrap_or(path))
}

impl Wanted {
    /// The stack as the dataset refers to it, for a stack of this project at this place, which wants it: `PROJECT/STACK`, or the place
    /// of its file.
    pub fn reference(&self, project: &str, place: &str) -> String {
        match self {
            Self::Stack {
                project: None,
                stack,
            } => format!("{project}/{stack}"),
            Self::Path(path) => {
                let folder = Path::new(place).parent().unwrap_or(Path::new(""));
                let parts = plain(&folder.join(path));
                let parts = parts
                    .components()
                    .map(|it| it.as_os_str().to_string_lossy());
                parts.collect::<Vec<_>>().join("/")
            }
            Self::Stack { .. } | Self::Key { .. } | Self::Workspace(_) => self.to_string(),
        }
    }
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests;
