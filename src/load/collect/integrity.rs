//! Finds the resources of a deployment that break a rule, and the rules that they break.
//!
//! For nearly all resources only the span is kept. Following the dependencies shows which ones are suspect. Only these are read
//! again, for the text of their findings.

use std::collections::HashSet;

use super::by_key::{ByKey, Member};
use super::{Collector, bounded};
use crate::format::{self, Format, Position, Source};
use crate::pulumi::urn::ProviderReference;
use crate::stack::{EdgeKind, Flags, Kind, Note, ResourceId, Severity, Span};
use crate::terraform::address::{Address, AddressMode};
use crate::text::count;

/// Maximum number of suspect resources that are read again; further ones are counted.
const MAX_READ: usize = 1_000;

/// The facts about the resources of a deployment that are kept until all are known. Empty for other files.
#[derive(Default)]
pub(super) struct Integrity {
    /// True if the file has an order and is whole: only a deployment is.
    pub(super) is_wanted: bool,
    /// True for a state of Terraform: its resources name each other, in no order.
    pub(super) is_terraform_state: bool,
    /// Resources of such a state that need a missing resource; unsorted, with duplicates.
    pub(super) dangling: Vec<u32>,
    offsets: Vec<u64>,
    lengths: Vec<u32>,
    /// Copies that wait for their deletion, in the order of the file.
    old_copies: Vec<u32>,
    /// Interrupted operations, in the order of the file: they are not in the list of resources.
    operations: Vec<u32>,
    /// Hashes of the URN and of the id of each provider.
    providers: HashSet<(u64, u64)>,
    /// References among values, by the hash of their target.
    pub(super) references: Vec<(u32, u64)>,
    /// Resources that break a rule, on their own data or in a reference; unsorted, with duplicates.
    pub(super) suspects: Vec<u32>,
}

impl Integrity {
    /// Nothing yet, for a file of this kind.
    pub(super) fn of(kind: Kind) -> Self {
        Self {
            is_wanted: kind == Kind::PulumiState,
            is_terraform_state: matches!(kind, Kind::TerraformState | Kind::TerraformShow),
            ..Self::default()
        }
    }

    /// Keeps the needed facts about a resource.
    pub(super) fn add(&mut self, id: u32, span: Span, flags: Flags) {
        if !self.is_wanted && !self.is_terraform_state {
            return;
        }
        self.offsets.push(span.offset);
        self.lengths.push(span.len);
        if flags.contains(Flags::PENDING_OPERATION) {
            self.operations.push(id);
        } else if flags.contains(Flags::PENDING_DELETE) {
            self.old_copies.push(id);
        }
    }

    /// Keeps the hashes by which resources refer to a provider.
    pub(super) fn add_provider(&mut self, urn: u64, id: u64) {
        if self.is_wanted {
            self.providers.insert((urn, id));
        }
    }

    /// True if `from` may need the resources in `same_key`: one of them comes before it in the list.
    pub(super) fn stands_before(&self, same_key: &[Member], from: u32) -> bool {
        same_key
            .iter()
            .take_while(|to| to.id < from)
            .any(|to| !self.is_operation(to.id))
    }

    /// True if a link of `from` need not be checked.
    pub(super) fn passes(&self, from: u32, kind: EdgeKind, same_key: &[Member]) -> bool {
        !self.is_wanted
            || self.stands_before(same_key, from)
            || kind == EdgeKind::ReplaceWith && same_key.iter().any(|to| !self.is_operation(to.id))
            || self.is_operation(from)
    }

    fn is_operation(&self, id: u32) -> bool {
        self.operations.binary_search(&id).is_ok()
    }

    fn span(&self, id: u32) -> Option<Span> {
        Some(Span {
            offset: *self.offsets.get(id as usize)?,
            len: *self.lengths.get(id as usize)?,
        })
    }
}

impl Collector {
    /// The notes on broken rules of a deployment, in the order of the file.
    pub(in crate::modules::load) fn integrity(&mut self, source: &dyn Source) -> Vec<Note> {
        if !self.integrity.is_wanted {
            return Vec::new();
        }
        let mut integrity = std::mem::take(&mut self.integrity);
        let by_key = std::mem::take(&mut self.by_key);
        for (from, target) in &integrity.references {
            let found = self.same_key(&by_key, *target);
            if found.iter().all(|to| integrity.is_operation(to.id)) {
                integrity.suspects.push(*from);
            }
        }
        integrity.suspects.sort_unstable();
        integrity.suspects.dedup();
        let mut notes = Vec::new();
        let mut n_read = 0;
        for id in integrity.suspects.iter().take(MAX_READ) {
            if notes.len() >= MAX_READ {
                break;
            }
            n_read += 1;
            let position_of = |urn: &str| {
                let found = self.same_key(&by_key, self.hasher.hash(urn.as_bytes()));
                if integrity.stands_before(found, *id) {
                    return Position::Before;
                }
                match found.iter().find(|to| !integrity.is_operation(to.id)) {
                    None => Position::Missing,
                    Some(to) if to.id == *id => Position::Itself,
                    Some(_) => Position::After,
                }
            };
            let bytes = integrity.span(*id).and_then(|span| source.read(span).ok());
            let found = bytes.map_or_else(Vec::new, |bytes| format::findings(&bytes, &position_of));
            notes.extend(of_one(*id, Severity::Warning, found));
        }
        let n_more = integrity.suspects.len() - n_read;
        if n_more > 0 {
            let n = count(n_more as u64);
            let message = format!("{n} more resources break its rules and are not listed");
            notes.push(Note::new(Severity::Warning, "the deployment", message));
        }
        notes.extend(repeated(&integrity, &by_key));
        notes.extend(self.strangers(&integrity, &by_key));
        notes
    }

    /// Dependencies of a state of Terraform on resources that are not in it. They are legal, because a resource without
    /// instances is not in the state. Data sources are left out: they may be read from elsewhere.
    pub(in crate::modules::load) fn dangling(
        &mut self,
        format: &Format,
        source: &dyn Source,
    ) -> Vec<Note> {
        let mut ids = std::mem::take(&mut self.integrity.dangling);
        ids.sort_unstable();
        ids.dedup();
        let mut notes = Vec::new();
        let mut n_read = 0;
        for id in ids.iter().take(MAX_READ) {
            if notes.len() >= MAX_READ {
                break;
            }
            n_read += 1;
            let bytes = self.integrity.span(*id);
            let bytes = bytes.and_then(|span| source.read(span).ok());
            let needed = bytes.map_or_else(Vec::new, |bytes| format::dependencies(format, &bytes));
            let is_missing = |target: &String| {
                let address = Address::parse(target);
                let is_managed = address.is_ok_and(|it| it.mode == AddressMode::Managed);
                is_managed && self.find(target).is_none()
            };
            let missing = needed.into_iter().filter(is_missing);
            let message =
                |target: String| format!("it depends on {target}, which is not in this file");
            notes.extend(of_one(*id, Severity::Info, missing.map(message)));
        }
        let n_more = ids.len() - n_read;
        if n_more > 0 {
            notes.push(Note::new(
                Severity::Info,
                "dependencies",
                format!("{n_more} more resources depend on resources that are not in this file"),
            ));
        }
        notes
    }

    /// Providers that resources refer to by a wrong id.
    fn strangers(&self, integrity: &Integrity, by_key: &ByKey) -> Vec<Note> {
        let mut notes = Vec::new();
        for text in self.providers.keys() {
            let Ok(reference) = ProviderReference::parse(text) else {
                continue;
            };
            let urn = self.hasher.hash(reference.urn().as_str().as_bytes());
            let id = self.hasher.hash(reference.id().as_bytes());
            let is_known = reference.is_unknown() || integrity.providers.contains(&(urn, id));
            let mut found = self.same_key(by_key, urn).iter();
            if let Some(provider) = found.rfind(|it| !integrity.is_operation(it.id))
                && !is_known
            {
                let message = format!(
                    "resources name this provider by the id {}, which it does not have",
                    reference.id()
                );
                notes.push(of_resource(provider.id, message));
            }
        }
        notes.sort_by(|a, b| (a.resource, &a.message).cmp(&(b.resource, &b.message)));
        bounded(notes, "the deployment")
    }
}

/// URNs with more than one copy that does not wait for deletion.
fn repeated(integrity: &Integrity, by_key: &ByKey) -> Vec<Note> {
    let mut repeated: Vec<u32> = by_key
        .groups()
        .filter(|copies| copies.len() > 1)
        .flat_map(|copies| {
            let lasting = copies.iter().map(|copy| copy.id).filter(|id| {
                !integrity.is_operation(*id) && integrity.old_copies.binary_search(id).is_err()
            });
            lasting.skip(1)
        })
        .collect();
    repeated.sort_unstable();
    let n_more = repeated.len().saturating_sub(MAX_READ);
    let mut notes: Vec<Note> = repeated
        .iter()
        .take(MAX_READ)
        .map(|id| {
            let message =
                "its URN occurs earlier in this file, and neither copy is pending deletion";
            of_resource(*id, message.to_owned())
        })
        .collect();
    if n_more > 0 {
        let n = count(n_more as u64);
        let message = format!("{n} more duplicate URNs are not listed");
        notes.push(Note::new(Severity::Warning, "the deployment", message));
    }
    notes
}

/// Notes about one resource. The first hundred are listed and the rest are counted.
fn of_one(
    id: u32,
    severity: Severity,
    messages: impl IntoIterator<Item = String>,
) -> impl Iterator<Item = Note> {
    const MAX: usize = 100;
    let mut messages = messages.into_iter();
    let mut listed: Vec<String> = messages.by_ref().take(MAX).collect();
    let n_more = messages.count();
    if n_more > 0 {
        listed.push(format!(
            "{} more notes on it are not listed",
            count(n_more as u64)
        ));
    }
    listed.into_iter().map(move |message| Note {
        severity,
        ..of_resource(id, message)
    })
}

/// A note about a resource; its place is filled in later, when the name is known.
fn of_resource(id: u32, message: String) -> Note {
    Note::new(Severity::Warning, "", message).of(ResourceId(id))
}

#[cfg(test)]
mod tests;
