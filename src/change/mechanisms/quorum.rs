//! Quorums: a number of members that must be there, of a list that has fewer: three healthy origins of two that are on.

use std::collections::BTreeSet;

use super::off::is_idle;
use super::tables::WORDS;
use super::{Fact, Notice, Seen, once};
use crate::change::decode::at;
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Section, State};
use crate::text::{count, words};
use crate::value::{Array, Value};

/// The changed places of the resource that ask for more members than there are, or leave fewer than are asked for.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    if !seen.sets_values() {
        return Vec::new();
    }
    let objects: BTreeSet<(Section, &[Segment])> = seen.leaves.iter().flat_map(objects).collect();
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
    let is_told = leaf.section != Section::Options;
    ends.filter(move |_| is_told)
        .map(|end| (leaf.section, &steps[..end]))
}

/// A sentence about members that are missing in an object from now on, with the place of the number.
fn missing(seen: &Seen<'_>, section: Section, around: &[Segment]) -> Option<(Path, String)> {
    let asks =
        |state: Option<&State>| state.and_then(|it| asked(&at(it.section(section)?, around)?));
    let (key, list, asked, there) = asks(seen.resource.after.as_ref())?;
    let before = asks(seen.resource.before.as_ref());
    let was_so = before.is_some_and(|(.., asked, there)| there < asked);
    let [n_asked, n_there] = [asked, there].map(count);
    let path = Path(around.to_vec()).child(Segment::from(&*key));
    let says = format!("asks for {n_asked} of {list}, and {n_there} are there and on");
    (there < asked && !was_so).then_some((path, says))
}

/// The number of members that an object asks for, and the number of them that are on: `minimumOrigins` and `origins`. With the names of
/// the number and of the list.
fn asked(object: &Value) -> Option<(String, String, u64, u64)> {
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
        let (list, items) = members(noun)?;
        let on = items.iter().filter(|it| !is_idle(it)).count();
        Some((
            key.to_string(),
            list,
            u64::try_from(number).ok()?,
            on as u64,
        ))
    })
}
