//! Quorums: a number of members that must be there, of a list that has fewer: three healthy origins of two that are on.

use super::off::is_idle;
use super::tables::WORDS;
use super::{Fact, Notice, Seen};
use crate::change::decode::at;
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Section, State};
use crate::text::{count, words};
use crate::value::{Array, Value};

/// The changed places of the resource that ask for more members than there are, or leave fewer than are asked for.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    for leaf in seen.leaves.iter().filter(|_| seen.sets_values()) {
        let Some((path, says)) = missing(seen, leaf) else {
            continue;
        };
        // Pulumi has a property among the inputs and among the outputs.
        if notices.iter().any(|it| it.facts[0].path == path) {
            continue;
        }
        notices.push(Notice {
            ids: vec![seen.id],
            says,
            facts: vec![Fact::at(seen.id, path)],
            ..Notice::new(Level::Warning, "too-few-members")
        });
    }
    notices
}

/// A sentence about members that are missing from now on, with the place of the number. A leaf may be the number, or be in the list.
fn missing(seen: &Seen<'_>, leaf: &Leaf) -> Option<(Path, String)> {
    let steps = &leaf.path.0;
    let first_index = steps.iter().position(|it| matches!(it, Segment::Index(_)));
    let mut ends = [
        steps.len().checked_sub(1),
        first_index.and_then(|at| at.checked_sub(1)),
    ]
    .into_iter()
    .flatten()
    .filter(|_| leaf.section != Section::Options);
    let asks = |state: Option<&State>, around: &[Segment]| {
        state.and_then(|it| asked(&at(it.section(leaf.section)?, around)?))
    };
    ends.find_map(|end| {
        let around = &steps[..end];
        let (key, list, asked, there) = asks(seen.resource.after.as_ref(), around)?;
        let before = asks(seen.resource.before.as_ref(), around);
        let was_so = before.is_some_and(|(.., asked, there)| there < asked);
        let [n_asked, n_there] = [asked, there].map(count);
        let path = Path(around.to_vec()).child(Segment::from(&*key));
        let says = format!("asks for {n_asked} of {list}, and {n_there} are there and on");
        (there < asked && !was_so).then_some((path, says))
    })
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
        let number = value.as_number().filter(|_| !value.is_secret())?.to_i64()?;
        let words = words(key);
        let (first, noun) = words.split_first()?;
        let (list, items) = members(noun).filter(|_| WORDS.least.has(first))?;
        let on = items.iter().filter(|it| !is_idle(it)).count();
        Some((
            key.to_string(),
            list,
            u64::try_from(number).ok()?,
            on as u64,
        ))
    })
}
