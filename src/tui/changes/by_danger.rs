//! The arrangement by danger, which has the structure of the brief: the changes that can do harm, then the others by module or
//! component, then equal changes in groups that are closed at first.

use std::collections::HashMap;

use super::arrange::{Group, Key, by_module};
use super::{Findings, Topic};
use crate::change::difference;
use crate::change::rules::Level;
use crate::change::sections::Title;
use crate::load::brief::page::{Detail, Entry, Page};
use crate::stack::{Action, ResourceId, Stack};
use crate::tui::widgets::text::count;

/// Minimum number of equal changes in a group.
const MIN_SAME: usize = 3;

/// The parts of a brief that the list of changes and the difference have, too.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct BriefGroups {
    /// The resources that the dangers speak of, ascending.
    first: Vec<ResourceId>,
    /// Number of dangers that speak of no resource: of an output, say.
    n_unowned: usize,
    /// Equal changes.
    same: Vec<SameChange>,
    /// The findings.
    pub findings: Findings,
}

/// A change that several resources have.
#[derive(Clone, PartialEq, Debug)]
struct SameChange {
    /// The change in a few words.
    words: String,
    ids: Vec<ResourceId>,
}

impl BriefGroups {
    /// The groups of a page.
    pub fn of(page: &Page) -> Self {
        let same = page
            .parts
            .iter()
            .filter(|part| matches!(part.title, Title::Same | Title::NoEffect | Title::Tags));
        let entries = same.flat_map(|part| &part.entries);
        // Resources that are created alike have nothing in common but their type.
        let is_told = |entry: &&Entry| {
            let is_whole = matches!(
                entry.action,
                Some(Action::Create | Action::Delete | Action::Replace | Action::Read)
            );
            !is_whole && entry.ids.len() >= MIN_SAME
        };
        let same = entries.filter(is_told).map(|entry| SameChange {
            words: words(entry, page),
            ids: entry.ids.clone(),
        });
        let danger = Title::Found(Level::Danger);
        let dangers = page.parts.iter().filter(|part| part.title == danger);
        let dangers = dangers.flat_map(|part| &part.entries);
        Self {
            first: page.sections.of(danger).to_vec(),
            n_unowned: dangers
                .filter(|entry| entry.all_ids().next().is_none())
                .count(),
            same: same.collect(),
            findings: Findings::of(page),
        }
    }

    /// True if a change can do harm. A resource that stays as it is is no change.
    pub(super) fn is_danger(&self, id: ResourceId, topic: Topic) -> bool {
        topic.is_reviewed() && self.first.binary_search(&id).is_ok()
    }

    /// Arranges changes.
    pub(super) fn arrange(&self, stack: &Stack, changes: &[(ResourceId, Topic)]) -> Vec<Group> {
        let mut same_of: HashMap<ResourceId, usize> = HashMap::new();
        for (at, change) in self.same.iter().enumerate() {
            same_of.extend(change.ids.iter().map(|id| (*id, at)));
        }
        let is_first =
            |id: ResourceId, topic: Topic| topic == Topic::Failed || self.is_danger(id, topic);
        let mut n_alike = vec![0_usize; self.same.len()];
        for (id, _) in changes.iter().filter(|(id, topic)| !is_first(*id, *topic)) {
            if let Some(at) = same_of.get(id) {
                n_alike[*at] += 1;
            }
        }
        let mut first = Group::new(
            stack,
            Key::First,
            Title::Found(Level::Danger).words().to_owned(),
            0,
        );
        let listed = changes
            .iter()
            .filter(|(id, topic)| self.is_danger(*id, *topic));
        first.n_elsewhere = self.first.len() + self.n_unowned - listed.count();
        let mut same = Group::new(stack, Key::Same, Title::Same.words().to_owned(), 0);
        let groups = self.same.iter().map(|change| {
            let words = change.words.clone();
            Group::new(stack, Key::SameChange, words, 1)
        });
        let mut groups: Vec<Group> = groups.collect();
        let mut others = Vec::new();
        for (id, topic) in changes {
            let alike = same_of.get(id).filter(|at| n_alike[**at] >= MIN_SAME);
            match alike {
                _ if is_first(*id, *topic) => first.push(*id, *topic),
                Some(at) => {
                    groups[*at].push(*id, *topic);
                    same.add(*topic);
                }
                None => others.push((*id, *topic)),
            }
        }
        groups.retain(|group| group.n_entries() > 0);
        same.n_below = groups.len();
        // A list of nothing but closed groups would say little.
        let starts_closed = first.n_entries() > 0 || !others.is_empty();
        for group in groups.iter_mut().chain([&mut same]) {
            group.starts_closed = starts_closed;
        }
        let mut all = by_module(stack, &others);
        let has_others = first.n_entries() + groups.len() > 0 || all.len() > 1;
        let top = all.first_mut().filter(|top| top.key == Key::Rest);
        if let Some(top) = top.filter(|_| has_others) {
            let label = if stack.header.kind.is_pulumi() {
                "outside of components"
            } else {
                "root module"
            };
            let named = Group::new(stack, Key::Top, label.to_owned(), 0);
            let rest = std::mem::replace(top, named);
            (top.ids, top.sums) = (rest.ids, rest.sums);
        }
        if first.n_entries() > 0 {
            all.insert(0, first);
        }
        if !groups.is_empty() {
            all.push(same);
            all.append(&mut groups);
        }
        all
    }
}

/// `tags.release "1" → "2", +1`. Of resources with nothing but common changes, these.
fn words(entry: &Entry, page: &Page) -> String {
    let of_entry = entry.details.iter().filter(|detail| !detail.is_words());
    let of_entry: Vec<&Detail> = of_entry.collect();
    let common = page.common.iter().filter(|detail| !detail.is_words());
    let details: Vec<&Detail> = match &of_entry[..] {
        [] if page.common.is_empty() || !entry.said.is_empty() => return entry.says.clone(),
        [] => common.collect(),
        _ => of_entry,
    };
    let Some(first) = details.first() else {
        return entry.says.clone();
    };
    let values = match (&first.before, &first.after) {
        (Some(before), Some(after)) => format!(" {before} → {after}"),
        (None, Some(after)) => format!(" {after}"),
        (Some(before), None) => format!(" {before}"),
        (None, None) => String::new(),
    };
    let sign = match first.action {
        difference::Action::Create | difference::Action::Delete => first.action.sign(),
        difference::Action::Same | difference::Action::Update => "",
    };
    let more = match details.len() - 1 {
        0 => String::new(),
        n => format!(", +{}", count(n as u64)),
    };
    let gap = if sign.is_empty() { "" } else { " " };
    format!("{sign}{gap}{}{values}{more}", first.place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Input, load};
    use crate::stack::ChangeId;
    use crate::tui::changes::{Arranged, Arrangement, ListRow, Request};

    /// The section of moves is hidden at first.
    #[test]
    fn a_move_with_a_danger_is_listed_with_the_dangers() {
        let moved = |name: &str| {
            format!(
                r#"{{"address": "lab_disk.{name}", "previous_address": "lab_disk.old_{name}", "mode": "managed",
                "type": "lab_disk", "name": "{name}", "provider_name": "example.com/acme/lab",
                "change": {{"actions": ["no-op"], "before": {{}}, "after": {{}}, "after_unknown": {{}}}}}}"#
            )
        };
        let plan = format!(
            r#"{{"format_version": "1.2", "terraform_version": "1.9.8", "resource_changes": [{}, {}]}}"#,
            moved("one"),
            moved("two")
        );
        let document = load(&Input::bytes("plan.json", plan.into_bytes())).unwrap();
        let stack = &document.stack;
        let id = |name: &str| stack.ids().find(|id| stack.short_name(*id) == name);
        let two = id("lab_disk.two").unwrap();
        let request = Request {
            arrangement: Arrangement::Danger,
            brief: BriefGroups {
                first: vec![two],
                n_unowned: 1,
                ..BriefGroups::default()
            }
            .into(),
            ..Request::default()
        };
        let arranged = Arranged::new(stack, &request);
        assert_eq!(arranged.row(0), Some(ListRow::Group(0)));
        assert_eq!(
            arranged.row(1),
            Some(ListRow::Change(ChangeId::Resource(two)))
        );
        assert_eq!(arranged.row_of(id("lab_disk.one").unwrap()), None);
        let first = arranged.group(0).unwrap();
        assert_eq!((first.total(), first.n_elsewhere), (Some(1), 1));
        assert_eq!(arranged.n_changes, 2);
    }
}
