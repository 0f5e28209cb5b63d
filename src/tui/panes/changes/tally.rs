//! The totals around the list: the number of changes with each sign, and the progress of the review.

use std::collections::BTreeSet;

use super::{Arrangement, ChangesPane, Order, Topic};
use crate::stack::{Action, ChangeId, Stack};
use crate::tui::rows::shown;
use crate::tui::widgets::text::{count, fit, n_of, plural, width};

/// Maximum width of the filter's query in the title, in cells.
const MAX_QUERY: usize = 30;

/// The title: `Changes · 2 hidden · -1 ±2 ~12 +3 · 1 imported`, and `Changes · by module · 9 of 21 changes · filter: db` with a
/// filter.
///
/// In less room, groups have their signs: `Changes · -1 ±2 ~12 +3 =1 ≈4`. In still less, the sum stands before what is left out from
/// the right: `Changes · 23: -1 ±2 ~12 …`.
pub(super) fn title(list: &ChangesPane, stack: &Stack, room: usize) -> String {
    // The corners of the frame, and the blanks beside the title.
    let fits = |it: &String| width(it) + 4 <= room;
    let forms = [GroupNames::Words, GroupNames::Signs];
    let mut titles = forms.map(|names| title_of(list, stack, names)).into_iter();
    (titles.find(fits)).unwrap_or_else(|| title_of(list, stack, GroupNames::Sum))
}

/// The form of the groups in the title.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupNames {
    Words,
    Signs,
    /// Signs, after the sum of all.
    Sum,
}

fn title_of(list: &ChangesPane, stack: &Stack, names: GroupNames) -> String {
    let mut parts = vec!["Changes".to_owned()];
    let arrangement = list.arrangement();
    if arrangement != list.usual_arrangement() {
        parts.push(arrangement.name(stack).to_owned());
    } else if arrangement == Arrangement::Story && list.order != Order::default() {
        parts.push(Arrangement::Module.name(stack).to_owned());
    }
    if list.order != Order::default() {
        parts.push(format!("sorted by {}", list.order.name()));
    }
    if let (Some(filter), Some(arranged)) = (&list.filter, list.arranged()) {
        let n = n_of(arranged.n_changes, list.n_changes());
        let reading = filter.reading.words();
        parts.push(format!("{n} changes{reading}"));
        let query = fit(&shown(&filter.query), MAX_QUERY);
        parts.push(format!("filter: {query}"));
        return parts.join(" · ");
    }
    let (mut signs, mut groups) = (Vec::new(), Vec::new());
    let mut n_hidden = 0;
    for (topic, number, is_listed) in list.totals() {
        if is_listed == Some(false) && !topic.is_group() && !list.lists_stories() {
            n_hidden += number;
        }
        // A resource that a run works on counts under its action.
        if topic == Topic::Change(Action::Noop) || topic.is_of_run() {
            continue;
        }
        if topic.is_group() && names == GroupNames::Words {
            groups.push(match topic {
                Topic::Outputs => plural(number, "output"),
                Topic::Invoked => plural(number, "action"),
                topic => format!("{} {}", count(number as u64), topic.name(stack)),
            });
        } else {
            signs.push(format!("{}{}", topic.sign(), count(number as u64)));
        }
    }
    if n_hidden > 0 {
        parts.push(format!("{} hidden", count(n_hidden as u64)));
    }
    if names == GroupNames::Sum {
        signs.insert(0, format!("{}:", count(list.n_changes() as u64)));
    }
    parts.push(signs.join(" "));
    parts.append(&mut groups);
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

/// The status: `9 of 21 · reviewed 3 of 21`, after the words for the place of the cursor.
pub(super) fn status(
    list: &ChangesPane,
    row: String,
    stack: &Stack,
    reviewed: &BTreeSet<ChangeId>,
) -> String {
    let (n_reviewed, all) = list.progress(stack, reviewed);
    if all == 0 || row.is_empty() {
        row
    } else {
        format!("{row} · reviewed {}", n_of(n_reviewed, all))
    }
}
