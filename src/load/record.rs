//! The record of a review: which changes of a plan somebody looked at, by whom and when.
//!
//! A change is known by a hash of everything that a person sees of it: its name, its action, and its changed values, masked. With a
//! newer plan the same change is still reviewed, and another value of it is not.
//!
//! A *kind* is a change without the name of its resource. The mark of a change has the hash of its kind. So a newer plan says where it
//! makes a reviewed change on further resources. They are still to be reviewed: what is right for one may be wrong for another.
//!
//! # Laws
//!
//! 1. No hash depends on the contents of a secret: a masked value counts as `[secret]`. All other values are hashed with random
//!    salt, which the record keeps.
//! 2. A file that is no record, or is broken, is never written over.
//! 3. The marks of changes that a plan does not have stay in the record.
//! 4. Two changes of one kind are the same in all that a person sees of them, but for the name and for indices. A change with a masked
//!    value has no kind: nobody knows whether two are the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::brief::leaves_of;
use super::{Document, FileError, output};
use crate::change::kinds::pattern;
use crate::change::leaves::Leaf;
use crate::json;
use crate::render::plain::utc;
use crate::stack::{Action, ChangeId, Output, ResourceId, Stack};
use crate::terraform::schema::Schemas;
use crate::text::{Limit, count, escaped, from_hex, hex, plural};
use crate::value::Value;

/// The version of the form.
const VERSION: u32 = 1;

/// The limit of a record.
const LIMIT: Limit = Limit {
    bytes: 256 << 20,
    advice: "a new record can begin in another file",
};

/// Number of bytes of a hash.
const HASH: usize = 16;

/// The reason why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// The record is that of another plan.
    #[error(
        "{file} is the record of another plan: {same} of these {all} changes are the same; --carry keeps their marks"
    )]
    OtherPlan {
        /// The file.
        file: String,
        /// Number of changes that both plans have.
        same: usize,
        /// Number of changes of this plan.
        all: usize,
    },
    /// The file is no record.
    #[error("{file}:{line}:{column}: expected a record of a review: {message}")]
    Parse {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The thing that is wrong.
        message: String,
    },
}

/// The file of a review, and the rules for its use.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Recording {
    /// The file.
    pub file: PathBuf,
    /// The name of the person, for new marks.
    pub by: String,
    /// True if the marks of another plan hold where the change is the same.
    pub carries: bool,
}

impl Recording {
    /// The plan with these hashes beside the record of the file.
    ///
    /// # Errors
    ///
    /// If the record is that of another plan, and its marks are not to be carried over.
    pub fn standing(&self, record: &Record, hashes: &Hashes) -> Result<Standing, RecordError> {
        let standing = record.standing(hashes);
        match standing.n_new {
            Some(n_new) if !self.carries => Err(RecordError::OtherPlan {
                file: self.file.display().to_string(),
                same: standing.n_changes - n_new,
                all: standing.n_changes,
            }),
            _ => Ok(standing),
        }
    }
}

/// A record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    #[serde(rename = "stacklens_record")]
    version: u32,
    /// Random bytes in hexadecimal digits.
    salt: String,
    /// The hash of all changes of resources of the plan. Records of earlier versions know no other ones.
    plan: String,
    /// The hashes of all changes of the plan.
    changes: BTreeSet<String>,
    /// The changes that somebody looked at, by their hashes.
    reviewed: BTreeMap<String, Review>,
}

/// A mark: somebody looked at a change.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The URN or the address.
    change: String,
    /// The hash of its kind; empty if it has none, and in the records of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    kind: String,
    /// The name of the person, if it is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    by: String,
    /// The time; empty until the mark is written.
    #[serde(default)]
    at: String,
    /// A note, which a person typed in the explorer or in the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
}

/// The changes of a plan beside a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Number of changes.
    pub n_changes: usize,
    /// Number of changes that are reviewed.
    pub n_reviewed: usize,
    /// Number of changes that the plan of the record does not have; `None` if it is the same plan, or the record is new.
    pub n_new: Option<usize>,
    /// Number of changes that are not reviewed, but another one of their kind is.
    pub n_alike: usize,
}

impl Standing {
    /// Number of changes that are not reviewed.
    pub fn n_left(self) -> usize {
        self.n_changes - self.n_reviewed
    }

    /// Example: `reviewed: 279 of 291 · 12 of 291 are new or different since this review`.
    pub fn words(self) -> String {
        let Self {
            n_changes,
            n_reviewed,
            n_new,
            n_alike,
        } = self;
        let [n_reviewed, n_changes] = [n_reviewed, n_changes].map(|n| count(n as u64));
        let new = n_new.map_or_else(String::new, |n| {
            let n = count(n as u64);
            format!(" · {n} of {n_changes} are new or different since this review")
        });
        let alike = match n_alike {
            0 => String::new(),
            n => format!(" · {} like a reviewed one", plural(n, "change")),
        };
        format!("reviewed: {n_reviewed} of {n_changes}{new}{alike}")
    }
}

/// The hashes of the changes of a plan.
pub type Hashes = HashMap<ChangeId, Hashed>;

/// The hashes of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hashed {
    /// That of the change.
    pub change: String,
    /// That of its kind; empty if it has none.
    pub kind: String,
}

impl Record {
    /// A record of nothing yet.
    fn new() -> Self {
        let random = [0, 1].map(|number| RandomState::new().hash_one(number).to_le_bytes());
        Self {
            version: VERSION,
            salt: hex(&random.concat()),
            plan: String::new(),
            changes: BTreeSet::new(),
            reviewed: BTreeMap::new(),
        }
    }

    /// The record in a file; a new one if there is no such file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no record.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let text = match File::open(path).and_then(|file| LIMIT.read_text(file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::new()),
            text => text.map_err(FileError::at(path))?,
        };
        let parse = |line, column, message| RecordError::Parse {
            file: path.display().to_string(),
            line,
            column,
            message,
        };
        let record: Self = serde_json::from_str(&text)
            .map_err(|error| parse(error.line(), error.column(), without_place(&error)))?;
        let is_hash = |text: &str| from_hex(text).is_some_and(|bytes| bytes.len() == HASH);
        if record.version != VERSION {
            let message = format!("version {}, expected {VERSION}", record.version);
            return Err(parse(1, 1, message));
        }
        let kinds = record.reviewed.values().map(|review| &review.kind);
        let hashes = record.changes.iter().chain(record.reviewed.keys());
        let hashes = hashes.chain(kinds.filter(|kind| !kind.is_empty()));
        if let Some(wrong) = hashes.chain([&record.salt]).find(|text| !is_hash(text)) {
            return Err(parse(
                1,
                1,
                format!("`{wrong}`, expected 32 hexadecimal digits"),
            ));
        }
        Ok(record)
    }

    /// The hashes of all changes of a plan. Reads each changed resource. `None` as soon as `is_cancelled`.
    pub fn hashes(
        &self,
        document: &Document,
        schemas: &Schemas,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Hashes> {
        let stack = &document.stack;
        let changes = stack
            .ids()
            .filter_map(|id| Some((id, change_of(stack, id)?)));
        let mut hashes = Hashes::new();
        for (id, action) in changes {
            if is_cancelled() {
                return None;
            }
            let own = self.hash(document, schemas, (id, action));
            hashes.insert(ChangeId::Resource(id), own);
        }
        for (at, output) in stack.outputs.iter().enumerate() {
            if output.is_changed() {
                hashes.insert(ChangeId::Output(at), self.hash_output(output));
            }
        }
        Some(hashes)
    }

    /// The hashes of an output. It has no kind.
    fn hash_output(&self, output: &Output) -> Hashed {
        let action = output.action.map_or("", Action::name);
        let mut change = self.hash_of(&["output", &output.name, action]);
        let before = output.before.as_ref().unwrap_or(&Value::NULL);
        // Secrets print as `[secret]`, and a mask covers both sides.
        for side in [before, &output.value] {
            feed(&mut change, &json::to_compact(side));
        }
        Hashed {
            change: done(change),
            kind: String::new(),
        }
    }

    fn hash(
        &self,
        document: &Document,
        schemas: &Schemas,
        (id, action): (ResourceId, Action),
    ) -> Hashed {
        let stack = &document.stack;
        let resource = document.resource(id).ok();
        let leaves = resource.map(|resource| leaves_of(stack, &resource, schemas));
        let mut change = self.hash_of(&[&stack.identity(id), action.name()]);
        match &leaves {
            Some(leaves) => leaves.iter().for_each(|leaf| {
                feed_leaf(&mut change, leaf, &leaf.path.to_string());
            }),
            None => feed(&mut change, "could not be read"),
        }
        // A resource that comes or goes is no change that another one can have too.
        let is_of_kind = matches!(action, Action::Update | Action::Replace);
        let leaves = leaves.filter(|_| is_of_kind).unwrap_or_default();
        let has_secret = |leaf: &Leaf| leaf.before.has_secrets() || leaf.after.has_secrets();
        let has_kind = !leaves.is_empty() && !leaves.iter().any(has_secret);
        let kind = has_kind.then(|| {
            let mut kind = self.hash_of(&["kind", action.name(), stack.ty(id)]);
            for leaf in &leaves {
                feed_leaf(&mut kind, leaf, &pattern(&leaf.path).to_string());
            }
            done(kind)
        });
        Hashed {
            change: done(change),
            kind: kind.unwrap_or_default(),
        }
    }

    /// A hash that begins with these texts.
    fn hash_of(&self, texts: &[&str]) -> Sha256 {
        let mut hash = Sha256::new();
        feed(&mut hash, &self.salt);
        for text in texts {
            feed(&mut hash, text);
        }
        hash
    }

    /// The plan with these hashes beside the record.
    fn standing(&self, hashes: &Hashes) -> Standing {
        let is_new = |it: &&Hashed| !self.changes.contains(&it.change);
        let is_same = self.plan.is_empty() || self.plan == self.plan_hash(hashes);
        let is_reviewed = |it: &&Hashed| self.has(&it.change);
        Standing {
            n_changes: hashes.len(),
            n_reviewed: hashes.values().filter(is_reviewed).count(),
            n_new: (!is_same).then(|| hashes.values().filter(is_new).count()),
            n_alike: self.alike(hashes).values().sum(),
        }
    }

    /// By the name of a reviewed change: the number of changes of its kind that are not reviewed.
    fn alike<'r>(&'r self, hashes: &'r Hashes) -> BTreeMap<&'r str, usize> {
        let mut alike: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, name) in self.like_reviewed(hashes) {
            *alike.entry(name).or_default() += 1;
        }
        alike
    }

    /// The changes that are not reviewed, and that are like a reviewed one, with the name of that one.
    pub fn like_reviewed<'r>(
        &'r self,
        hashes: &'r Hashes,
    ) -> impl Iterator<Item = (ResourceId, &'r str)> {
        let mut kinds: HashMap<&str, &str> = HashMap::new();
        for review in self.reviewed.values().filter(|it| !it.kind.is_empty()) {
            let name = kinds.entry(&review.kind).or_insert(&review.change);
            *name = (*name).min(&review.change);
        }
        let left = hashes.iter().filter(|(_, it)| !self.has(&it.change));
        left.filter_map(move |(change, it)| Some((change.resource()?, *kinds.get(&*it.kind)?)))
    }

    /// The reviewed changes that the plan with these hashes makes on further resources too, by name:
    /// `reviewed on aws_x.y: the same change on 3 more resources`.
    pub fn repeated(&self, hashes: &Hashes) -> Vec<String> {
        let alike = self.alike(hashes).into_iter();
        let words = alike.map(|(name, n)| {
            let more = plural(n, "more resource");
            escaped(&format!("reviewed on {name}: the same change on {more}"))
        });
        words.collect()
    }

    fn plan_hash(&self, hashes: &Hashes) -> String {
        let resources = hashes.iter().filter(|(it, _)| it.resource().is_some());
        let sorted: BTreeSet<&String> = resources.map(|(_, it)| &it.change).collect();
        let mut hash = Sha256::new();
        hash.update(&self.salt);
        for change in sorted {
            hash.update(change);
        }
        hex(&hash.finalize()[..HASH])
    }

    /// True if the change with this hash is reviewed.
    pub fn has(&self, hash: &str) -> bool {
        self.reviewed.contains_key(hash)
    }

    /// Makes the plan with these hashes the plan of the record.
    pub fn take_plan(&mut self, hashes: &Hashes) {
        self.plan = self.plan_hash(hashes);
        self.changes = hashes.values().map(|it| it.change.clone()).collect();
        // The marks of earlier versions have no kinds.
        for it in hashes.values() {
            if let Some(review) = self.reviewed.get_mut(&it.change) {
                review.kind.clone_from(&it.kind);
            }
        }
    }

    /// Marks the change with these hashes and this name as reviewed.
    pub fn mark(&mut self, hashed: &Hashed, name: &str) {
        let review = Review {
            change: name.to_owned(),
            kind: hashed.kind.clone(),
            ..Review::default()
        };
        let known = self.reviewed.entry(hashed.change.clone());
        known.or_insert(review);
    }

    /// Sets the note on a reviewed change, "" for none.
    pub fn note(&mut self, hash: &str, text: &str) {
        if let Some(review) = self.reviewed.get_mut(hash) {
            text.clone_into(&mut review.note);
        }
    }

    /// The note on a change, if there is one.
    pub fn note_on(&self, hash: &str) -> Option<&str> {
        let note = self.reviewed.get(hash)?.note.as_str();
        (!note.is_empty()).then_some(note)
    }

    /// The notes on the changes of the plan with these hashes, by name: `note on aws_x.y by me: text`.
    pub fn notes(&self, hashes: &Hashes) -> Vec<String> {
        let reviewed = |it: &Hashed| self.reviewed.get(&it.change);
        let known = hashes.values().filter_map(reviewed);
        let with_note = known.filter(|review| !review.note.is_empty());
        let words = with_note.map(|review| {
            let by = match review.by.as_str() {
                "" => String::new(),
                by => format!(" by {by}"),
            };
            escaped(&format!("note on {}{by}: {}", review.change, review.note))
        });
        let mut notes: Vec<String> = words.collect();
        notes.sort_unstable();
        notes
    }

    /// Removes the mark of a change.
    pub fn unmark(&mut self, hash: &str) {
        self.reviewed.remove(hash);
    }

    /// Writes the record as a whole. New marks get the time, and the name of the person.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or has become something else since it was opened.
    pub fn save(&mut self, Recording { file, by, .. }: &Recording) -> Result<(), RecordError> {
        let old = Self::open(file)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = utc(now.map_or(0, |since| since.as_secs()));
        for (hash, review) in &mut self.reviewed {
            if !review.at.is_empty() {
                continue;
            }
            if let Some(known) = old.reviewed.get(hash) {
                let own = std::mem::replace(review, known.clone());
                review.kind = own.kind;
                if !own.note.is_empty() {
                    review.note = own.note;
                }
            } else {
                review.at.clone_from(&now);
                review.by.clone_from(by);
            }
        }
        let written = output::write(file, |out| json::write_pretty(out, self));
        Ok(written.map_err(FileError::at(file))?)
    }
}

/// Adds a text to a hash.
fn feed(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text);
}

/// Adds a leaf at this place to a hash.
fn feed_leaf(hash: &mut Sha256, leaf: &Leaf, place: &str) {
    feed(hash, leaf.section.name());
    feed(hash, place);
    feed(hash, leaf.action.name());
    feed(hash, if leaf.replaces { "replaces" } else { "" });
    // Secrets print as `[secret]`.
    feed(hash, &json::to_compact(&leaf.before));
    feed(hash, &json::to_compact(&leaf.after));
}

/// The digits of a hash that a record keeps.
fn done(hash: Sha256) -> String {
    hex(&hash.finalize()[..HASH])
}

/// The name of a change in a record.
pub fn name_of(stack: &Stack, change: ChangeId) -> String {
    match change {
        ChangeId::Resource(id) => stack.identity(id),
        ChangeId::Output(at) => format!("output.{}", stack.outputs[at].name),
        ChangeId::Invocation(at) => stack.invocations[at].address.clone(),
    }
}

/// The action on a resource, if it is a change that somebody reviews.
fn change_of(stack: &Stack, id: ResourceId) -> Option<Action> {
    let record = stack.record(id);
    let action = record.action.filter(|action| *action != Action::Noop)?;
    (!record.flags.is_drift()).then_some(action)
}

/// The message of a parse error without its place, which stands in front.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place)
        .map_or(text.clone(), str::to_owned)
}
