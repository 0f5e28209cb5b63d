//! Schedules that pass a sibling: a job that comes after another one from now on, which it came before, or the other way round. What one of them
//! writes, the other one may read.

use super::{Fact, Notice, Reader, Seen};
use crate::change::groups::grouped;
use crate::change::rules::Level;
use crate::change::schedule::time_of_day;
use crate::path::{Path, Segment};
use crate::stack::{Resource, ResourceId, Section};
use crate::text::words;
use crate::value::Value;

/// Maximum number of siblings that are read for one type.
const MAX_READ: usize = 200;

/// Maximum number of siblings that a schedule passes. Among many it passes some whenever it moves.
const MAX_PASSED: usize = 2;

/// A schedule that moves to another time of the same days.
#[derive(Clone, Debug)]
pub(super) struct Moved {
    id: ResourceId,
    section: Section,
    path: Path,
    /// Both times, in minutes since midnight.
    times: [u32; 2],
    days: String,
    zone: Option<String>,
}

/// The schedules of a resource that move.
pub(super) fn find(seen: &Seen<'_>) -> Vec<Moved> {
    if !seen.changes_values() {
        return Vec::new();
    }
    let moved = seen.properties().filter_map(|leaf| {
        let [before, after] = [&leaf.before, &leaf.after].map(plain_time);
        let ((before, days), (after, new_days)) = (before?, after?);
        let is_moved = before != after && days == new_days && leaf.document.is_none();
        is_moved.then(|| Moved {
            id: seen.id,
            section: leaf.section,
            path: leaf.path.clone(),
            times: [before, after],
            days,
            zone: zone(seen.resource, leaf.section, &leaf.path),
        })
    });
    moved.collect()
}

/// A note about each that passes a few siblings.
pub(super) fn notices(moved: Vec<Moved>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let by_type = grouped(moved.into_iter().map(|it| (stack.ty(it.id), it)));
    let mut notices = Vec::new();
    for (ty, moved) in by_type {
        let siblings = reader.unchanged(ty).take(MAX_READ);
        let siblings: Vec<(ResourceId, Resource)> = reader.each(siblings).collect();
        for it in moved {
            let passed = siblings.iter().filter(|(_, sibling)| it.passes(sibling));
            let passed: Vec<&str> = passed.map(|(id, _)| stack.spoken_name(*id)).collect();
            if !(1..=MAX_PASSED).contains(&passed.len()) {
                continue;
            }
            let [before, after] = it.times;
            let word = if after > before { "after" } else { "before" };
            let says = format!("comes {word} {} from now on", passed.join(" and "));
            let fact = Fact::at(it.id, it.path);
            notices.push(Notice::at(fact, Level::Note, "passes-sibling", says));
        }
    }
    notices
}

impl Moved {
    /// True if a sibling comes on the same days at a time between both times.
    fn passes(&self, sibling: &Resource) -> bool {
        let value = |steps: &Path| steps.get(sibling.current()?.section(self.section)?);
        let Some((time, days)) = value(&self.path).and_then(plain_time) else {
            return false;
        };
        let [one, other] = self.times;
        let is_between = one.min(other) < time && time < one.max(other);
        is_between && days == self.days && zone(sibling, self.section, &self.path) == self.zone
    }
}

/// The time and the days of a plain schedule that comes once a day.
fn plain_time(value: &Value) -> Option<(u32, String)> {
    let text = value.as_str().filter(|_| !value.is_masked())?;
    time_of_day(text)
}

/// The time zone beside a schedule.
fn zone(resource: &Resource, section: Section, path: &Path) -> Option<String> {
    let (Segment::Key(_), around) = path.0.split_last()? else {
        return None;
    };
    let set = resource.current()?.section(section)?;
    let map = Path(around.to_vec()).get(set)?.as_map()?;
    let mut entries = map.iter();
    let (_, zone) = entries.find(|(key, _)| words(key) == ["time", "zone"])?;
    zone.as_str()
        .filter(|_| !zone.is_masked())
        .map(str::to_owned)
}
