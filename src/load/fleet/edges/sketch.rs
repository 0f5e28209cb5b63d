//! Sketches: short hashes of the texts of a stack that may be ids, taken from its bytes.
//!
//! An edge by an equal id needs a text that one stack owns and another one has. So all stacks are sketched first, and then only the
//! resources that hold such a text are read. Most stacks hold none.
//!
//! # Laws
//!
//! 1. **No edge is lost.** [`resolve`](super::resolve) finds the edges that it would find if every resource had been read, as
//!    [`Ties::of`] does. The test `sketches_lose_no_edge` compares the two. On 1,000 states of 1.2 MB this leaves less
//!    than a third of the memory.
//! 2. **Memory is bounded by ids.** A sketch has four bytes for each text that may be an id. Beyond that, only what two stacks share is
//!    kept.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::{Answer, Archive, Asked, Fleet, Member, Opened, Place, Roots, fingerprint};
use super::ties::{Reading, Ties, is_distinct, is_owner, is_reading};
use crate::index::skip::string_end;
use crate::json::Str;
use crate::load::Document;
use crate::load::ahead::Ahead;
use crate::stack::Stack;

/// The hash of a text, and in the lowest bit 1 if the stack may own it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Mark(u32);

impl Mark {
    fn mentioned(hash: u64) -> Self {
        Self(short(hash) << 1)
    }

    fn owned(hash: u64) -> Self {
        Self(short(hash) << 1 | 1)
    }

    fn hash(self) -> u32 {
        self.0 >> 1
    }

    fn is_owned(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The 31 bits of a hash that are kept. Texts with equal ones are read without need, and then told apart.
fn short(hash: u64) -> u32 {
    u32::try_from(hash >> 33).expect("31 bits are left")
}

/// The texts that several stacks have, and one may own.
#[derive(Default)]
pub(super) struct Shared(hashbrown::HashSet<u32>);

impl Shared {
    fn new(stacks: &[Vec<Mark>]) -> Self {
        let mut marks: Vec<Mark> = stacks.iter().flatten().copied().collect();
        marks.sort_unstable();
        let equal = marks.chunk_by(|one, other| one.hash() == other.hash());
        let shared = equal.filter(|it| it.len() > 1 && it.iter().any(|mark| mark.is_owned()));
        Self(shared.map(|it| it[0].hash()).collect())
    }

    /// False only if no other stack has the text.
    pub(super) fn has(&self, hash: u64) -> bool {
        self.0.contains(&short(hash))
    }
}

/// A stack before its resources are read.
pub struct Sketch {
    /// Its ties. Those by ids are known only of a plan, and of a file that cannot be read twice.
    ties: Ties,
    /// True if the ties are whole.
    is_whole: bool,
    /// The texts that may be ids: one mark for each, in order.
    marks: Vec<Mark>,
}

impl Sketch {
    /// The sketch of a member. `cancel` ends it early.
    pub fn of(opened: &Opened<'_>, document: &Document) -> Self {
        let (stack, cancel) = (&document.stack, opened.cancel());
        // All ids of a plan are needed to find its state.
        let is_whole = stack.header.kind.has_changes() || !opened.can_be_read_again();
        let (ties, mut marks) = if is_whole {
            let ties = Ties::of(document, cancel);
            let owned = ties.owned.iter().map(|(hash, _)| Mark::owned(*hash));
            let mentioned = ties.mentioned.iter().map(|it| Mark::mentioned(it.0));
            let marks = owned.chain(mentioned).collect();
            (ties, marks)
        } else {
            (readings(document), marks(document, cancel))
        };
        marks.sort_unstable();
        marks.dedup_by(|later, kept| {
            let is_equal = later.hash() == kept.hash();
            if is_equal {
                *kept = (*later).max(*kept);
            }
            is_equal
        });
        marks.shrink_to_fit();
        Self {
            ties,
            is_whole,
            marks,
        }
    }
}

/// The ties without those by ids.
fn readings(document: &Document) -> Ties {
    let stack = &document.stack;
    let mut ties = Ties::new(stack);
    for id in stack.ids().filter(|id| is_reading(stack.ty(*id))) {
        let resource = document.resource(id).ok();
        let reading = resource.and_then(|it| Reading::of(stack, id, &it));
        ties.readings.extend(reading);
    }
    ties
}

/// A mark for each text that may be an id, with repetitions.
fn marks(document: &Document, cancel: &AtomicBool) -> Vec<Mark> {
    let stack = &document.stack;
    let source = Ahead::new(&*document.source, stack, stack.ids());
    let (mut marks, mut bytes) = (Vec::new(), Vec::new());
    for id in stack.ids() {
        if cancel.load(Ordering::Relaxed) {
            return marks;
        }
        let provider_id = stack.compared_id(id);
        let is_owner = is_owner(stack, id);
        if is_owner && is_distinct(provider_id) {
            marks.push(Mark::owned(fingerprint::hash(provider_id)));
        }
        each_hash(document, &source, id, &mut bytes, &mut |key, hash| {
            marks.push(if is_owner && may_hold_own_id(stack, key) {
                Mark::owned(hash)
            } else {
                Mark::mentioned(hash)
            });
        });
    }
    marks
}

/// False for a key whose text is certainly no id or ARN of its resource.
fn may_hold_own_id(stack: &Stack, key: &[u8]) -> bool {
    match key {
        b"arn" | b"self_link" | b"selfLink" => true,
        b"id" => !stack.header.kind.is_pulumi(),
        _ => false,
    }
}

/// Calls `found` with the hash of each text of a resource that may be an id, and the key before it.
fn each_hash(
    document: &Document,
    source: &dyn crate::format::Source,
    id: crate::stack::ResourceId,
    bytes: &mut Vec<u8>,
    found: &mut dyn FnMut(&[u8], u64),
) {
    if source
        .read_into(document.stack.record(id).span, bytes)
        .is_err()
    {
        return;
    }
    each_text(bytes, &mut |key, text| {
        let text = text.decode_lossy();
        if is_distinct(&text) {
            found(key, fingerprint::hash(&text));
        }
    });
}

/// Calls `found` with each text that is a value in `json`, and the last key before it as it is written.
fn each_text<'j>(json: &'j [u8], found: &mut dyn FnMut(&'j [u8], Str<'j>)) {
    let (mut key, mut at): (&[u8], usize) = (&[], 0);
    while let Some(quote) = memchr::memchr(b'"', &json[at..]) {
        let start = at + quote + 1;
        let Some(end) = string_end(json, start) else {
            return;
        };
        let raw = &json[start..end - 1];
        let next = json[end..].iter().find(|byte| !byte.is_ascii_whitespace());
        if next == Some(&b':') {
            key = raw;
        } else {
            found(key, Str::of_raw(raw));
        }
        at = end;
    }
}

/// Takes the members after one more was read, and the number of these.
type Progress<'p> = dyn FnMut(&[(Member, Ties)], usize) + 'p;

/// The sketches of the members of a fleet.
#[derive(Default)]
pub struct Sketches {
    members: Vec<(Member, Ties)>,
    is_whole: Vec<bool>,
    marks: Vec<Vec<Mark>>,
}

impl Sketches {
    /// Adds the sketch of a member, which is no twin.
    pub fn push(&mut self, member: Member, sketch: Sketch) {
        self.members.push((member, sketch.ties));
        self.is_whole.push(sketch.is_whole);
        self.marks.push(sketch.marks);
    }

    /// The members with their ties as far as they are known.
    pub fn members(&self) -> &[(Member, Ties)] {
        &self.members
    }

    /// Reads the resources that may have ids of other stacks, and adds their ties. `cancel` ends it early.
    pub fn complete(
        mut self,
        fleet: &Fleet,
        cancel: &AtomicBool,
        progress: &mut Progress<'_>,
    ) -> Vec<(Member, Ties)> {
        let shared = Shared::new(&self.marks);
        let mut wanted: HashMap<Place, usize> = HashMap::new();
        for (index, (member, ties)) in self.members.iter_mut().enumerate() {
            if self.is_whole[index] {
                ties.keep(&shared);
            } else if self.marks[index]
                .iter()
                .any(|it| shared.0.contains(&it.hash()))
            {
                wanted.insert(member.place.clone(), index);
            }
        }
        self.marks = Vec::new();
        let again = Fleet {
            roots: Roots::new(files(wanted.keys())),
            ..fleet.clone()
        };
        let mut n_read = 0;
        again.ask(
            cancel,
            &|opened| {
                if !wanted.contains_key(opened.place()) {
                    return Ok(Asked::uncounted(None));
                }
                let document = opened.load()?;
                let ties = among(&document, &shared, cancel);
                Ok(Asked::uncounted(Some(ties)))
            },
            &mut |member, answer| {
                match answer {
                    Answer::Done(Some(ties)) => {
                        self.members[wanted[&member.place]].1 = ties;
                        n_read += 1;
                        progress(&self.members, n_read);
                    }
                    // A member that is not read again keeps the ties of its sketch.
                    Answer::Done(None) | Answer::Failed(_) | Answer::Left => {}
                }
                std::ops::ControlFlow::Continue(())
            },
        );
        self.members
    }
}

/// The files that hold these places, each once.
fn files<'p>(places: impl Iterator<Item = &'p Place>) -> Vec<PathBuf> {
    let files = places.filter_map(|place| match place {
        Place::File(path)
        | Place::Entry {
            archive: Archive::File(path),
            ..
        } => Some(path.clone()),
        Place::Entry {
            archive: Archive::Object(_),
            ..
        }
        | Place::Object(_)
        | Place::Stdin => None,
    });
    let mut files: Vec<PathBuf> = files.collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// The ties of a document, of ids only the shared ones. Resources without such an id are not parsed.
fn among(document: &Document, shared: &Shared, cancel: &AtomicBool) -> Ties {
    let stack = &document.stack;
    let source = Ahead::new(&*document.source, stack, stack.ids());
    let mut bytes = Vec::new();
    let mut ties = readings(document);
    for id in stack.ids().filter(|id| !is_reading(stack.ty(*id))) {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let mut is_wanted = shared.has(fingerprint::hash(stack.compared_id(id)));
        each_hash(document, &source, id, &mut bytes, &mut |_, hash| {
            is_wanted |= shared.has(hash);
        });
        if is_wanted && let Ok(resource) = document.resource(id) {
            ties.add_ids(stack, id, &resource, &|hash| shared.has(hash));
        }
    }
    ties.settle();
    ties
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_with_the_key_before_them() {
        let json = br#"{"arn" : "a\"b", "list":["x", "y"], "n": 1, "sub":{"id":"z"}}"#;
        let mut told = Vec::new();
        each_text(json, &mut |key, text| {
            let key = String::from_utf8_lossy(key);
            told.push(format!("{key}={}", text.decode_lossy()));
        });
        assert_eq!(told, ["arn=a\"b", "list=x", "list=y", "id=z"]);
    }

    #[test]
    fn a_text_is_shared_if_two_stacks_have_it_and_one_may_own_it() {
        let of = |texts: &[(&str, bool)]| -> Vec<Mark> {
            let mark = |(text, is_owned): &(&str, bool)| match is_owned {
                true => Mark::owned(fingerprint::hash(text)),
                false => Mark::mentioned(fingerprint::hash(text)),
            };
            texts.iter().map(mark).collect()
        };
        let shared = Shared::new(&[
            of(&[("own", true), ("alone", true), ("both", false)]),
            of(&[("own", false), ("both", false)]),
        ]);
        let has = ["own", "alone", "both"].map(|text| shared.has(fingerprint::hash(text)));
        assert_eq!(has, [true, false, false]);
    }
}
