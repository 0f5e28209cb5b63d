//! The sections of a page about the findings of the rules.

use super::super::{Alarm, Place};
use super::{Detail, Entry, MAX_DETAILS, MAX_ENTRIES, Maker, Part, Title, detail, short};
use crate::change::difference::{Action, Context, describe};
use crate::change::leaves::{Strings, of_section};
use crate::change::mechanisms::{Fact, Notice};
use crate::change::review::SectionDiff;
use crate::change::rules::{self, Level};
use crate::stack::{ResourceId, Section};
use crate::text::{escaped, plural};

impl Maker<'_> {
    /// The rules of one level that fire.
    pub(super) fn found(&self, level: Level) -> Part {
        let alarms = &self.brief.findings.alarms;
        let of_level = alarms.iter().filter(|alarm| alarm.rule.level == level);
        let mut part = Part::empty(Title::Found(level));
        let shifts = self.brief.shifts.iter().filter(|shift| {
            let alarm = shift.alarm.as_ref();
            alarm.is_some_and(|(own, _)| *own == level)
        });
        let notices = self.brief.notices.iter().filter(|it| it.level == level);
        for alarm in of_level {
            let entry = self.alarm(alarm);
            part.add(entry.ids.len(), || entry);
        }
        for shift in shifts {
            part.add(2 * shift.pairs.len(), || self.shift(shift));
        }
        for notice in notices {
            part.add(notice.ids.len(), || self.notice(notice));
        }
        for entry in self.failed(level).chain(self.outputs_of_level(level)) {
            part.add(entry.ids.len(), || entry);
        }
        part
    }

    /// A finding of a mechanism.
    fn notice(&self, notice: &Notice) -> Entry {
        let has_one = notice.ids.len() == 1;
        let facts = notice.facts.iter().take(MAX_DETAILS).map(|fact| {
            let mut place = escaped(&fact.path.to_string());
            if !has_one {
                let name = self.name(fact.id);
                place.insert_str(0, &format!("{name}  "));
            }
            Detail {
                id: Some(fact.id),
                action: match (&fact.before, &fact.after) {
                    (Some(_), Some(_)) => Action::Update,
                    (Some(_), None) => Action::Delete,
                    (None, _) => Action::Same,
                },
                place,
                before: fact.before.as_ref().map(short),
                after: fact.after.as_ref().map(short),
                note: escaped(&fact.note),
            }
        });
        let says = format!("{}  ({})", escaped(&notice.says), notice.mechanism);
        Entry {
            details: facts.collect(),
            mechanism: Some(notice.mechanism),
            places: if notice.facts.is_empty() {
                notice.ids.iter().map(|id| (*id, String::new())).collect()
            } else {
                let place = |fact: &Fact| (fact.id, escaped(&fact.path.to_string()));
                notice.facts.iter().map(place).collect()
            },
            n_more: notice.facts.len().saturating_sub(MAX_DETAILS),
            ..self.entry(notice.ids.clone(), says)
        }
    }

    fn alarm(&self, alarm: &Alarm) -> Entry {
        let mut ids: Vec<ResourceId> = alarm.places.iter().map(|place| place.id).collect();
        ids.sort_by_cached_key(|id| self.document.stack.identity(*id));
        ids.dedup();
        let has_one = ids.len() == 1;
        let rule = &alarm.rule;
        let mut details = Vec::new();
        let mut n_details = 0;
        for place in &alarm.places {
            let mut of_place = changes(place);
            if place.path.0.is_empty() && details.len() < MAX_DETAILS {
                of_place.extend(self.causes(place.id));
                of_place.extend(self.guards(place.id));
                of_place.extend(self.swapped(place.id).or_else(|| self.twin(place.id)));
            }
            for detail in &mut of_place {
                detail.id = Some(place.id);
            }
            if !has_one {
                let name = self.name(place.id);
                for detail in &mut of_place {
                    detail.place.insert_str(0, &format!("{name}  "));
                }
            }
            // Only the first places have their values. Each of the others is one change.
            let has_no_values = of_place.is_empty() && !place.path.0.is_empty();
            n_details += of_place.len() + usize::from(has_no_values);
            let n_free = MAX_DETAILS.saturating_sub(details.len());
            details.extend(of_place.into_iter().take(n_free));
        }
        let places = alarm.places.iter();
        let places = places.map(|place| (place.id, escaped(&place.path.to_string())));
        let says = format!("{}  ({})", escaped(&rule.says), escaped(&rule.id));
        Entry {
            n_more: n_details - details.len(),
            rule: Some(rule.clone()),
            places: places.collect(),
            details,
            ..self.entry(ids, says)
        }
    }

    /// The resource that has swapped names with one that goes.
    fn swapped(&self, id: ResourceId) -> Option<Detail> {
        let other = self.swapped.get(&id)?;
        Some(Detail {
            id: None,
            action: Action::Same,
            place: self.name(*other),
            before: None,
            after: None,
            note: "swaps names with it, which is the cause".to_owned(),
        })
    }

    /// The resource that comes in place of one that goes, if a move would keep it.
    fn twin(&self, id: ResourceId) -> Option<Detail> {
        let new = self.twins.get(&id)?;
        let text = if self.document.stack.header.kind.is_pulumi() {
            "an alias"
        } else {
            "a moved block"
        };
        Some(Detail {
            id: None,
            action: Action::Same,
            place: self.name(*new),
            before: None,
            after: None,
            note: format!("is created and seems to be the same: {text} would keep it"),
        })
    }

    /// The places that rules cannot judge.
    pub(super) fn unjudged(&self) -> Part {
        let unjudged = &self.brief.findings.unjudged;
        let entry = |(place, count): &(Place, usize)| {
            let path = escaped(&place.path.to_string());
            let says = format!("{path}  {} cannot tell", plural(*count, "rule"));
            self.entry(vec![place.id], says.trim_start().to_owned())
        };
        Part {
            title: Title::Unjudged,
            count: unjudged.len(),
            entries: unjudged.iter().take(MAX_ENTRIES).map(entry).collect(),
        }
    }

    /// The types that no rule knows.
    pub(super) fn unknown_types(&self) -> Part {
        let types = &self.brief.findings.unknown_types;
        let entries = types.values().take(MAX_ENTRIES);
        Part {
            title: Title::UnknownType,
            count: types.values().map(Vec::len).sum(),
            entries: entries
                .map(|ids| self.entry(ids.clone(), String::new()))
                .collect(),
        }
    }
}

/// The parts of a place that the rule means, or the changes at and below it. None for the resource itself.
fn changes(place: &Place) -> Vec<Detail> {
    let path = escaped(&place.path.to_string());
    if !place.details.is_empty() {
        let detail = |part: &rules::Part| {
            let (action, before, after) = match part {
                rules::Part::Comes(new) => (Action::Create, None, Some(new)),
                rules::Part::Goes(old) => (Action::Delete, Some(old), None),
                rules::Part::Becomes(old, new) => (Action::Update, Some(old), Some(new)),
            };
            Detail {
                id: Some(place.id),
                action,
                place: path.clone(),
                before: before.map(|words| escaped(words)),
                after: after.map(|words| escaped(words)),
                note: String::new(),
            }
        };
        return place.details.iter().map(detail).collect();
    }
    if place.before.is_null() && place.after.is_null() {
        return Vec::new();
    }
    let diff = describe(&place.before, &place.after, Context::default());
    let section = Section::default();
    let mut leaves = of_section(&SectionDiff { section, diff }, Strings::Documents);
    leaves.retain(|leaf| leaf.reason.is_none());
    for leaf in &mut leaves {
        leaf.path = place.path.0.iter().chain(&leaf.path.0).cloned().collect();
    }
    if leaves.is_empty() {
        return vec![Detail {
            id: Some(place.id),
            action: Action::Update,
            place: path,
            before: Some(short(&place.before)),
            after: Some(short(&place.after)),
            note: String::new(),
        }];
    }
    leaves.iter().map(|leaf| detail(leaf, true)).collect()
}
