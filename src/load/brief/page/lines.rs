//! Lines of an entry that say the same: equal ones with their number, and those of several places with one change. Lines of texts that come
//! or go.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::Detail;
use super::changes::{plain, times};
use super::story::joined;
use crate::change::difference::Action;
use crate::change::leaves::Leaf;
use crate::value::Value;

/// The lines, equal ones as one with their number. A fact that repeats a change is its note.
pub(super) fn counted_once(details: Vec<Detail>) -> Vec<Detail> {
    let mut lines: IndexMap<Detail, (usize, String)> = IndexMap::new();
    for detail in details {
        let note = detail.note.clone();
        let is_of_one = detail.id.is_some();
        let key = if detail.is_words() || is_of_one {
            detail
        } else {
            Detail {
                id: None,
                note: String::new(),
                ..detail
            }
        };
        let (n, known) = lines.entry(key).or_default();
        *n += usize::from(*known == note);
        if known.is_empty() {
            *known = note;
            *n = (*n).max(1);
        }
    }
    let lines = lines
        .into_iter()
        .map(|(key, (n, note))| times(Detail { note, ..key }, n));
    lines.collect()
}

/// The line of a text that only gets lines, or only loses some: these alone are shown.
pub(super) fn with_lines(leaf: &Leaf, line: Detail) -> Detail {
    let is_text = |side: &Value| plain(side).is_some_and(|it| it.contains('\n'));
    let is_nothing = |side: &Option<String>| side.as_deref() == Some(NO_LINES);
    if !is_text(&leaf.before) || !is_text(&leaf.after) {
        return line;
    }
    match [&line.before, &line.after].map(is_nothing) {
        [true, false] => Detail {
            action: Action::Create,
            before: None,
            note: joined(&line.note, "more lines"),
            ..line
        },
        [false, true] => Detail {
            action: Action::Delete,
            after: None,
            note: joined(&line.note, "fewer lines"),
            ..line
        },
        [true, true] | [false, false] => line,
    }
}

/// The side without the lines that the other side has.
const NO_LINES: &str = "\"\"";

/// Maximum number of characters of several places that share a line.
const MAX_PLACES: usize = 110;

/// The lines, those with the same values as one with all of their places, if these are short: `{min, max}_size  2 → 3`.
pub(super) fn in_several_places(details: Vec<Detail>) -> Vec<Detail> {
    let mut lines: Vec<(Detail, Vec<String>)> = Vec::new();
    let mut known: HashMap<Detail, usize> = HashMap::new();
    for detail in details {
        let place = detail.place.clone();
        // Two switches have nothing in common.
        let says_more = |side: &Option<String>| {
            let text = side.as_deref();
            text.is_some_and(|it| !matches!(it, "true" | "false" | "null"))
        };
        if says_more(&detail.before) && says_more(&detail.after) {
            let key = Detail {
                place: String::new(),
                ..detail.clone()
            };
            let at = *known.entry(key).or_insert(lines.len());
            if let Some((line, places)) = lines.get_mut(at) {
                places.push(place);
                if let Some(all) = in_one(places) {
                    line.place = all;
                    continue;
                }
                places.pop();
            }
        }
        lines.push((detail.clone(), vec![detail.place]));
    }
    lines.into_iter().map(|(line, _)| line).collect()
}

/// Several places as one text, with what they have in common outside of braces; `None` if it is long.
fn in_one(places: &[String]) -> Option<String> {
    let (first, rest) = places.split_first()?;
    let is_whole = |text: &str| text.matches('[').count() == text.matches(']').count();
    let are_longer = |n: usize| places.iter().all(|it| it.len() > n);
    let ends = first.match_indices('.').map(|(at, dot)| at + dot.len());
    let head = ends.filter(|at| {
        let head = &first[..*at];
        is_whole(head) && are_longer(*at) && rest.iter().all(|it| it.starts_with(head))
    });
    let head = head.max().unwrap_or(0);
    let mut starts = first.match_indices(['.', '[']).map(|(at, _)| at);
    let tail = starts.find(|at| {
        let tail = &first[*at..];
        is_whole(tail) && are_longer(head + tail.len()) && rest.iter().all(|it| it.ends_with(tail))
    });
    let n_tail = tail.map_or(0, |at| first.len() - at);
    let own = places.iter().map(|it| &it[head..it.len() - n_tail]);
    let own: Vec<&str> = own.collect();
    let (head, tail) = (&first[..head], &first[first.len() - n_tail..]);
    let list = own[0].find('[').map_or("", |at| &own[0][..=at]);
    let names = own
        .iter()
        .map(|it| it.strip_prefix(list)?.strip_suffix(']'));
    let names: Option<Vec<&str>> = names.collect();
    let text = match (names, head, tail) {
        (Some(names), _, _) => format!("{head}{list}{}]{tail}", names.join(", ")),
        (None, "", "") => own.join(", "),
        (None, _, _) => format!("{head}{{{}}}{tail}", own.join(", ")),
    };
    (text.chars().count() <= MAX_PLACES).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::difference;
    use crate::stack::{ChangeId, ResourceId};

    #[test]
    fn places_of_one_change_share_a_line() {
        let line = |(place, after): (&str, &str)| Detail {
            action: difference::Action::Update,
            place: place.to_owned(),
            before: Some("1".to_owned()),
            after: Some(after.to_owned()),
            ..Detail::of_words(String::new())
        };
        let check = |all: &[(&str, &str)], want: &[&str]| {
            let found = in_several_places(all.iter().copied().map(line).collect());
            let found: Vec<&str> = found.iter().map(|it| &*it.place).collect();
            assert_eq!(found, want);
        };
        check(
            &[("min", "2"), ("name", "3"), ("max", "2")],
            &["min, max", "name"],
        );
        check(
            &[
                ("jobs.build.steps[*].uses", "2"),
                ("jobs.test.steps[*].uses", "2"),
            ],
            &["jobs.{build, test}.steps[*].uses"],
        );
        check(
            &[
                ("labels[\"a.b/c\"]", "2"),
                ("spec.labels[\"a.b/c\"]", "2"),
                ("labels[\"a.b/d\"]", "2"),
            ],
            &["labels[\"a.b/c\"], spec.labels[\"a.b/c\"], labels[\"a.b/d\"]"],
        );
        check(
            &[("c[api].image", "2"), ("c[worker].image", "2")],
            &["c[api, worker].image"],
        );
        check(&[("a", "true"), ("b", "true")], &["a", "b"]);
        let long = "x".repeat(MAX_PLACES);
        check(&[("a", "2"), (&long, "2"), ("b", "2")], &["a, b", &long]);
    }

    #[test]
    fn equal_lines_are_counted_once_and_those_of_members_stay_apart() {
        let line = |member: Option<u32>| Detail {
            id: member.map(|id| ChangeId::Resource(ResourceId(id))),
            action: difference::Action::Update,
            place: "size".to_owned(),
            ..Detail::of_words("note".to_owned())
        };
        let members = [None, Some(1), Some(2), None, Some(2)];
        let found = counted_once(members.into_iter().map(line).collect());
        let found: Vec<(Option<ChangeId>, &str)> =
            found.iter().map(|it| (it.id, &*it.note)).collect();
        let id = |id| Some(ChangeId::Resource(ResourceId(id)));
        assert_eq!(
            found,
            [
                (None, "in 2 places  note"),
                (id(1), "note"),
                (id(2), "in 2 places  note")
            ]
        );
    }
}
