//! Quorums: a number of members that must be there, of a list that has fewer: three healthy origins of two that are on.

use std::collections::BTreeSet;

use super::off::is_idle;
use super::tables::WORDS;
use super::{Fact, Notice, Seen, once};
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Section, When};
use crate::text::{count, words};
use crate::value::{Array, Value};

/// The changed places of the resource that ask for more members than there are, or leave fewer than are asked for.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    if !seen.sets_values() {
        return Vec::new();
    }
    let objects: BTreeSet<(Section, &[Segment])> = seen.properties().flat_map(objects).collect();
    once(objects.into_iter().filter_map(|(section, around)| {
        let (path, says) = missing(seen, section, around)?;
        let fact = Fact::at(seen.id, path);
        Some(Notice::at(fact, Level::Warning, "too-few-members", says))
    }))
}

/// The objects in which a changed place may be the number, or be in the list of members.
fn objects(leaf: &Leaf) -> impl Iterator<Item = (Section, &[Segment])> {
    let steps = &leaf.path.0;
    let first_index = steps.iter().position(|it| matches!(it, Segment::Index(_)));
    let ends = [Some(steps.len()), first_index].into_iter().flatten();
    let ends = ends.filter_map(|end| end.checked_sub(1));
    ends.map(|end| (leaf.section, &steps[..end]))
}

/// A sentence about members that are missing in an object from now on, with the place of the number.
fn missing(seen: &Seen<'_>, section: Section, around: &[Segment]) -> Option<(Path, String)> {
    let quorum = |when: When| quorum(&seen.value_at(when, section, around)?);
    let now = quorum(When::After).filter(Quorum::is_missed)?;
    if quorum(When::Before).is_some_and(|it| it.is_missed()) {
        return None;
    }
    let [n_asked, n_there] = [now.n_asked, now.n_there].map(count);
    let path = Path(around.to_vec()).child(Segment::from(&*now.key));
    let list = now.list;
    let says = format!("asks for {n_asked} of {list}, and {n_there} are there and on");
    Some((path, says))
}

/// A number of members that must be there: `minimumOrigins`, beside `origins`.
struct Quorum {
    /// The name of the number.
    key: String,
    /// The name of the list of members.
    list: String,
    n_asked: u64,
    /// Number of members that are on.
    n_there: u64,
}

impl Quorum {
    fn is_missed(&self) -> bool {
        self.n_there < self.n_asked
    }
}

/// The quorum that an object asks for.
fn quorum(object: &Value) -> Option<Quorum> {
    let map = object.as_map().filter(|_| !object.is_secret())?;
    let members = |noun: &[String]| -> Option<(String, &Array)> {
        let mut lists = map.iter().filter(|(key, value)| {
            words(key) == noun && !value.is_secret() && value.as_array().is_some()
        });
        let (key, list) = lists.next()?;
        Some((key.to_string(), list.as_array()?))
    };
    map.iter().find_map(|(key, value)| {
        // Most names begin with another word.
        let is_least = |word: &String| {
            key.get(..word.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(word))
        };
        if !WORDS.least.iter().any(is_least) {
            return None;
        }
        let number = value.as_number().filter(|_| !value.is_secret())?.to_i64()?;
        let words = words(key);
        let (_, noun) = words
            .split_first()
            .filter(|(first, _)| WORDS.least.has(first))?;
        // A JSON Schema: its `items` are the forms of elements.
        if noun == ["items"] {
            return None;
        }
        let (list, items) = members(noun)?;
        let on = items.iter().filter(|it| !is_idle(it)).count();
        Some(Quorum {
            key: key.to_string(),
            list,
            n_asked: u64::try_from(number).ok()?,
            n_there: on as u64,
        })
    })
}
