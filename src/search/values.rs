//! Reading resources again: values, and properties one by one.
//!
//! The bytes of adjacent resources are read together and scanned for the text in any form that JSON has for it. Only resources
//! that contain it are parsed, and the comparison uses the value as it may be shown. So a secret that holds the text makes a
//! resource a suspect and never a hit.

mod changes;
mod needle;
mod split_hits;
mod stream;
mod walk;

use std::collections::HashSet;

pub(super) use changes::{ChangeTerms, ChangedValue};
pub(super) use needle::Needle;
pub(super) use split_hits::Splitter;
pub use stream::Stride;
use walk::{is_text, walk};
pub(crate) use walk::{leaf, sections};

use super::engine::Search;
use super::query::Term;
use super::{At, Facts, Hit, Index, Progress, PropertyAddress, SearchResult, TermKind};
use crate::path::Path;
use crate::stack::{Action, Resource, ResourceId, Section, Span, Stack};
use crate::value::{Payload, Shown};

/// Source of the bytes of resources.
pub trait Supply: Sync {
    /// Replaces the contents of `bytes` with the bytes of `span`; `false` if they are no longer available.
    fn bytes(&self, span: Span, bytes: &mut Vec<u8>) -> bool;

    /// A second span with values of the resource, besides the span of its record: its state in the older of two files.
    fn other_span(&self, id: ResourceId) -> Option<Span>;

    /// True if there may be resources with a second span.
    fn has_other_spans(&self) -> bool;

    /// Does `work` for each number below `n`, several at a time if that helps, and passes the results in order to `take` until it
    /// returns false. Returns true if it never did.
    fn in_order(
        &self,
        n: u64,
        work: &(dyn Fn(u64) -> Stride + Sync),
        take: &mut dyn FnMut(Stride) -> bool,
    ) -> bool {
        (0..n).all(|number| take(work(number)))
    }

    /// The whole resource; `None` if it cannot be read.
    fn resource(&self, stack: &Stack, id: ResourceId) -> Option<Resource>;
}

/// Number of bytes to read at once.
const STRIDE: u64 = 1 << 20;

/// Maximum number of resources to check between two tests for cancellation.
const SLICE: usize = 4096;

/// A resource whose bytes may contain the wanted text.
#[derive(Clone, Copy)]
struct Suspect {
    id: ResourceId,
    /// True if the bytes are those of [`Supply::other_span`], not of the record.
    is_other: bool,
}

/// Alternatives with terms about values, and what they found.
pub(super) struct Reader<'s> {
    parts: Vec<Part<'s>>,
    index: &'s Index,
    supply: &'s dyn Supply,
    facts: &'s Facts,
    limit: usize,
    /// The resources with bytes in two files that were already checked.
    seen: HashSet<ResourceId>,
    found: SearchResult,
}

/// An alternative.
struct Part<'s> {
    search: &'s Search<'s>,
    wanted: Vec<Asked<'s>>,
    unwanted: Vec<Asked<'s>>,
    changes: ChangeTerms<'s>,
}

/// A value term of the query.
pub(super) enum Asked<'s> {
    Text(&'s str),
    Regex(&'s regex::Regex),
}

impl Asked<'_> {
    /// True if the term holds for a value without parts.
    pub(super) fn holds(&self, payload: &Payload) -> bool {
        let Some(text) = leaf(payload) else {
            return false;
        };
        match self {
            // Numbers and words match as a whole: `=1` does not mean every number with a 1 in it.
            Self::Text(wanted) if is_text(payload) => text.contains(wanted),
            Self::Text(wanted) => text == *wanted,
            Self::Regex(regex) => regex.is_match(&text),
        }
    }
}

/// The value terms among `terms`: those that have to hold, and those that have to fail.
pub(super) fn asked(terms: &[Term]) -> (Vec<Asked<'_>>, Vec<Asked<'_>>) {
    let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
    for term in terms {
        let asked = match &term.kind {
            TermKind::Value(text) => Asked::Text(text),
            TermKind::ValueRegex(regex) => Asked::Regex(regex),
            _ => continue,
        };
        if term.negated {
            unwanted.push(asked);
        } else {
            wanted.push(asked);
        }
    }
    (wanted, unwanted)
}

/// The longest text that a value has to contain for these terms; "" if there is none.
pub(super) fn needle_of(terms: &[Term]) -> &str {
    // A changed value may be in a document in a string, where it is written in another way.
    if !ChangeTerms::of(terms).is_empty() {
        return "";
    }
    let (wanted, _) = asked(terms);
    let texts = wanted.into_iter().filter_map(|asked| match asked {
        Asked::Text(text) => Some(text),
        Asked::Regex(_) => None,
    });
    texts.max_by_key(|text| text.len()).unwrap_or_default()
}

impl<'s> Reader<'s> {
    /// A reader of `alternatives`, which are of one index. There is at least one.
    pub(super) fn new(
        alternatives: &'s [Search<'s>],
        supply: &'s dyn Supply,
        facts: &'s Facts,
        limit: usize,
    ) -> Option<Self> {
        let parts = alternatives.iter().map(|search| {
            let (wanted, unwanted) = asked(search.terms);
            Part {
                search,
                wanted,
                unwanted,
                changes: ChangeTerms::of(search.terms),
            }
        });
        Some(Self {
            parts: parts.collect(),
            index: alternatives.first()?.index,
            supply,
            facts,
            limit,
            seen: HashSet::new(),
            found: SearchResult::default(),
        })
    }

    /// Answers a query with value terms.
    pub(super) fn run(
        mut self,
        within: Option<&[ResourceId]>,
        partial: &mut dyn FnMut(Progress, &dyn Fn() -> SearchResult) -> bool,
    ) -> Option<SearchResult> {
        let index = self.index;
        let needle = self.needle();
        let is_streamed = index.is_in_file_order && !self.supply.has_other_spans();
        if within.is_none() && is_streamed && !needle.is_everywhere() {
            return self.stream(&needle, partial);
        }
        let may = |id: &ResourceId| self.parts.iter().any(|part| part.may(*id));
        let suspect = |is_other| move |id| Suspect { id, is_other };
        let mut suspects: Vec<Suspect> = match within {
            Some(ids) => (ids.iter().copied().filter(may).map(suspect(false))).collect(),
            None => (index.stack().ids().filter(may).map(suspect(false))).collect(),
        };
        // Without a scan, each resource is checked only once.
        if !needle.is_everywhere() {
            let others = suspects.iter().map(|suspect| suspect.id);
            let others = others.filter(|id| self.supply.other_span(*id).is_some());
            let others: Vec<_> = others.map(suspect(true)).collect();
            suspects.extend(others);
        }
        suspects.sort_by_key(|suspect| self.span(*suspect).offset);
        let total = suspects.len();
        let mut bytes = Vec::new();
        let mut done = 0;
        while done < total {
            let end = self.stride(&suspects[done..]) + done;
            let group = &suspects[done..end];
            if needle.is_everywhere() {
                for suspect in group {
                    self.look_at(suspect.id);
                }
            } else {
                self.scan(group, &needle, &mut bytes);
            }
            done = end;
            if !partial(Progress { done, total }, &|| self.so_far()) {
                return None;
            }
        }
        self.found.resources.sort_unstable();
        Some(self.so_far())
    }

    /// A needle that the bytes of every hit contain.
    fn needle(&self) -> Needle {
        let texts = self.parts.iter().map(|part| needle_of(part.search.terms));
        Needle::new(&texts.collect::<Vec<_>>())
    }

    /// Answers a query over all resources of a file in which they follow each other.
    fn stream(
        mut self,
        needle: &Needle,
        partial: &mut dyn FnMut(Progress, &dyn Fn() -> SearchResult) -> bool,
    ) -> Option<SearchResult> {
        let (index, supply) = (self.index, self.supply);
        let total = index.n_resources();
        let mut last = None;
        let is_over = stream::stream(index.stack(), supply, needle, &mut |stride| {
            let done = stride.resources.end;
            if let Some(suspects) = stride.suspects {
                for id in suspects {
                    if last.replace(id) != Some(id) {
                        self.look_at(id);
                    }
                }
            } else {
                let ids = index.stack().ids().skip(stride.resources.start);
                let ids = ids.take(stride.resources.len());
                let may = |id: &ResourceId| self.parts.iter().any(|part| part.may(*id));
                self.found.unread += ids.filter(may).count() as u64;
            }
            partial(Progress { done, total }, &|| self.so_far())
        });
        is_over.then(|| self.so_far())
    }

    /// The span of a suspect's bytes.
    fn span(&self, suspect: Suspect) -> Span {
        let own = || self.index.stack().record(suspect.id).span;
        if suspect.is_other {
            self.supply.other_span(suspect.id).unwrap_or_else(own)
        } else {
            own()
        }
    }

    /// Number of the first `suspects` that lie within one stride of the file; at least one.
    fn stride(&self, suspects: &[Suspect]) -> usize {
        let start = self.span(suspects[0]).offset;
        suspects
            .iter()
            .take(SLICE)
            .take_while(|suspect| {
                let span = self.span(**suspect);
                span.offset + u64::from(span.len) <= start + STRIDE
            })
            .count()
            .max(1)
    }

    fn so_far(&self) -> SearchResult {
        let mut found = self.found.clone();
        found.hits.sort_by(Hit::order);
        found
    }

    /// Parses the resources of `group` whose bytes may contain the wanted text. They lie close together in the file.
    fn scan(&mut self, group: &[Suspect], needle: &Needle, bytes: &mut Vec<u8>) {
        let start = self.span(group[0]).offset;
        let end = group
            .iter()
            .map(|suspect| self.span(*suspect))
            .map(|span| span.offset + u64::from(span.len))
            .max()
            .unwrap_or(start);
        let whole = Span {
            offset: start,
            len: u32::try_from(end - start).unwrap_or(u32::MAX),
        };
        if !self.supply.bytes(whole, bytes) {
            self.found.unread += group.len() as u64;
            return;
        }
        let mut next = needle.find(bytes);
        for suspect in group {
            let span = self.span(*suspect);
            let first = usize::try_from(span.offset - start).unwrap_or(usize::MAX);
            let last = first.saturating_add(span.len as usize).min(bytes.len());
            // Bytes may belong to two resources, so the next match is kept until it is before the current resource.
            if next.is_some_and(|at| at < first) {
                let rest = bytes.get(first..).unwrap_or_default();
                next = needle.find(rest).map(|at| first + at);
            }
            match next {
                Some(at) if at < last => self.look_at_once(*suspect),
                Some(_) => {}
                None => return,
            }
        }
    }

    /// Checks a suspect, unless its other bytes have led to it already.
    fn look_at_once(&mut self, suspect: Suspect) {
        let has_two = suspect.is_other || self.supply.other_span(suspect.id).is_some();
        if !has_two || self.seen.insert(suspect.id) {
            self.look_at(suspect.id);
        }
    }

    fn look_at(&mut self, id: ResourceId) {
        let parts = self.parts.iter().filter(|part| part.may(id));
        let parts: Vec<_> = parts.collect();
        if parts.is_empty() {
            return;
        }
        let Some(resource) = self.supply.resource(self.index.stack(), id) else {
            self.found.unread += 1;
            return;
        };
        let mut hits: Vec<Hit> = Vec::new();
        for part in parts {
            for hit in part.hits(id, &resource, self.facts) {
                match hits.iter_mut().find(|other| other.at == hit.at) {
                    Some(other) => other.join(hit),
                    None => hits.push(hit),
                }
            }
        }
        if hits.is_empty() {
            return;
        }
        self.found.resources.push(id);
        self.found.total += hits.len() as u64;
        let room = self.limit.saturating_sub(self.found.hits.len());
        self.found.hits.extend(hits.into_iter().take(room));
    }
}

/// False only if nothing changes in a resource.
fn changes(stack: &Stack, id: ResourceId) -> bool {
    let drifts = stack.record(id).flags.is_drift();
    drifts || stack.actions(id).any(|action| action != Action::Noop)
}

impl Part<'_> {
    /// False only if the index alone rules out a hit in this resource.
    fn may(&self, id: ResourceId) -> bool {
        let may_change = !self.changes.asks() || changes(self.search.index.stack(), id);
        may_change && self.search.words_possible(id) && self.search.admits(id)
    }

    fn hits(&self, id: ResourceId, resource: &Resource, facts: &Facts) -> Vec<Hit> {
        let mut hits = Vec::new();
        if !self.unwanted.is_empty() && self.has_unwanted(resource) {
            return hits;
        }
        let changed = if self.changes.is_empty() {
            Vec::new()
        } else {
            ChangedValue::of(resource, facts)
        };
        if self.changes.forbid(&changed) {
            return hits;
        }
        if self.changes.asks() {
            self.changed_hits(id, &changed, &mut hits);
        } else if self.wanted.is_empty() {
            // The alternative has only negated value terms.
            hits.push(self.hit(id, At::Resource, 0));
        } else {
            self.property_hits(id, resource, &mut hits);
            if hits.is_empty() && self.id_matches(resource) {
                hits.push(self.hit(id, At::Resource, 0));
            }
        }
        hits
    }

    fn changed_hits(&self, id: ResourceId, changed: &[ChangedValue], hits: &mut Vec<Hit>) {
        let mut seen: HashSet<At> = HashSet::new();
        for value in changed.iter().filter(|value| self.changes.hold(value)) {
            let has = |asked: &Asked<'_>| value.payloads().any(|payload| asked.holds(payload));
            if !self.wanted.iter().all(has) || !self.patterns_allow(&value.path) {
                continue;
            }
            let text = value.path.to_string();
            let Some(score) = self.search.words_score(id, &text, 0) else {
                continue;
            };
            let at = At::Property(PropertyAddress {
                before: self.changes.means_old(value),
                section: value.section,
                path: value.property.clone(),
            });
            if seen.insert(at.clone()) {
                hits.push(self.hit(id, at, score));
            }
        }
    }

    fn property_hits(&self, id: ResourceId, resource: &Resource, hits: &mut Vec<Hit>) {
        let mut seen: Vec<(Section, Path)> = Vec::new();
        for (before, section, value) in sections(resource) {
            walk(&value, &mut |path, payload| {
                if !self.wanted.iter().all(|asked| asked.holds(payload)) {
                    return;
                }
                if !self.patterns_allow(path) || before && seen.contains(&(section, path.clone())) {
                    return;
                }
                let text = path.to_string();
                let Some(mut score) = self.search.words_score(id, &text, 0) else {
                    return;
                };
                // A match of the whole value scores above a match of a part.
                score += i64::from(self.wanted.iter().any(|asked| {
                    matches!(asked, Asked::Text(wanted) if leaf(payload).as_deref() == Some(*wanted))
                }));
                if !before {
                    seen.push((section, path.clone()));
                }
                let place = PropertyAddress {
                    before,
                    section,
                    path: path.clone(),
                };
                hits.push(self.hit(id, At::Property(place), score));
            });
        }
    }

    fn hit(&self, id: ResourceId, at: At, score: i64) -> Hit {
        let path = match &at {
            At::Property(place) => place.path.to_string(),
            At::Resource | At::Indexed(_) => String::new(),
        };
        let mut hit = Hit {
            resource: id,
            at,
            score,
            alternatives: self.search.bit,
            name: Vec::new(),
            ty: Vec::new(),
            path: Vec::new(),
        };
        self.search.mark(&mut hit, &path);
        hit
    }

    /// True if a hit at `path` satisfies the patterns: each wanted pattern names the path or one above it, and no negated
    /// one does.
    fn patterns_allow(&self, path: &Path) -> bool {
        self.search.patterns_allow(|pattern| pattern.matches(path))
    }

    fn has_unwanted(&self, resource: &Resource) -> bool {
        sections(resource).any(|(_, _, value)| {
            let mut any = false;
            walk(&value, &mut |_, payload| {
                any |= self.unwanted.iter().any(|asked| asked.holds(payload));
            });
            any
        })
    }

    /// True if the provider's id, which is not a property, matches the value terms. Words and patterns need a property, so a query
    /// with one of these never matches an id.
    fn id_matches(&self, resource: &Resource) -> bool {
        let only_values = !self
            .search
            .terms
            .iter()
            .any(|term| matches!(term.kind, TermKind::Word(_) | TermKind::Pattern { .. }));
        only_values
            && resource.id.as_ref().is_some_and(|id| match id.shown() {
                Shown::Plain(payload) => self.wanted.iter().all(|asked| asked.holds(payload)),
                Shown::Secret(_) => false,
            })
    }
}
