//! Everything that is said of the changes, each once.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::links::owners;
use super::super::stack_findings::{self, StackFinding};

use super::{Brief, Detail, Entry, MAX_DETAILS, MAX_VALUE, Maker, Said, output, short};
use crate::change::difference::Action;
use crate::change::kinds::pattern;
use crate::change::mechanisms::{Fact, Notice};
use crate::change::rules::{self, Level};
use crate::load::brief::{Alarm, Place};
use crate::stack::{ChangeId, ResourceId, Stack};
use crate::text::{cut, escaped};

/// Something that is said.
pub(super) enum Item<'b> {
    /// An alarm, with its number.
    Alarm(usize, &'b Alarm),
    Notice(&'b Notice),
    Failure(StackFinding),
}

/// Everything that is said, the heaviest first.
pub(super) struct Told<'b> {
    items: Vec<Item<'b>>,
    by_resource: HashMap<ResourceId, Vec<usize>>,
    /// The alarms and their places, by number, of each resource.
    places: HashMap<ResourceId, Vec<(usize, usize)>>,
    /// The things that are said of no changed resource.
    alone: Vec<usize>,
    /// The remarks about many changes.
    causes: Vec<usize>,
    /// The notices that an entry has said.
    said: RefCell<HashSet<usize>>,
}

impl Item<'_> {
    pub(super) fn level(&self) -> Level {
        match self {
            Self::Alarm(_, alarm) => alarm.rule.level,
            Self::Notice(notice) => notice.level,
            Self::Failure(failure) => failure.level,
        }
    }
}

impl<'b> Told<'b> {
    pub(super) fn new(brief: &'b Brief, stack: &Stack, changed: &HashSet<ResourceId>) -> Self {
        let mut places: HashMap<ResourceId, Vec<(usize, usize)>> = HashMap::new();
        for (number, alarm) in brief.findings.alarms.iter().enumerate() {
            for (at, place) in alarm.places.iter().enumerate() {
                places.entry(place.id).or_default().push((number, at));
            }
        }
        let alarms = brief.findings.alarms.iter().enumerate();
        let alarms = alarms.map(|(number, alarm)| Item::Alarm(number, alarm));
        let notices = brief.notices.iter().map(Item::Notice);
        let failures = stack_findings::failures(stack).map(Item::Failure);
        let mut items: Vec<Item<'_>> = alarms.chain(notices).chain(failures).collect();
        items.sort_by_key(Item::level);
        let mut by_resource: HashMap<ResourceId, Vec<usize>> = HashMap::new();
        let (mut alone, mut causes) = (Vec::new(), Vec::new());
        for (at, item) in items.iter().enumerate() {
            let mut ids: Vec<ResourceId> = match item {
                Item::Alarm(_, alarm) => alarm.places.iter().map(|place| place.id).collect(),
                Item::Notice(notice) => owners(stack, notice),
                Item::Failure(failure) => failure.resource.into_iter().collect(),
            };
            ids.retain(|id| changed.contains(id));
            ids.sort_unstable();
            ids.dedup();
            if ids.is_empty() {
                alone.push(at);
            }
            let is_cause = matches!(item, Item::Notice(it) if it.is_cause()) && ids.len() > 1;
            for id in ids.into_iter().filter(|_| !is_cause) {
                by_resource.entry(id).or_default().push(at);
            }
            if is_cause {
                causes.push(at);
            }
        }
        Self {
            items,
            by_resource,
            places,
            alone,
            causes,
            said: RefCell::default(),
        }
    }

    /// The places of an alarm in some resources.
    pub(super) fn places<'a>(
        &'a self,
        number: usize,
        alarm: &'a Alarm,
        ids: &'a [ResourceId],
    ) -> impl Iterator<Item = &'a Place> {
        let all = ids.iter().filter_map(|id| self.places.get(id)).flatten();
        let own = all.filter(move |(of, _)| *of == number);
        own.map(|(_, at)| &alarm.places[*at])
    }

    /// The remarks about many changes.
    pub(super) fn causes_of_many(&self) -> impl Iterator<Item = &str> {
        let items = self.causes.iter().map(|at| &self.items[*at]);
        items.filter_map(|item| match item {
            Item::Notice(notice) => Some(&*notice.says),
            Item::Alarm(..) | Item::Failure(_) => None,
        })
    }

    /// The things that are said of some resources, the heaviest first. A notice is said only once.
    pub(super) fn about(&self, ids: &[ResourceId]) -> Vec<&Item<'b>> {
        let own = ids
            .iter()
            .filter_map(|id| self.by_resource.get(id))
            .flatten();
        let own: BTreeSet<usize> = own.copied().collect();
        let mut said = self.said.borrow_mut();
        let is_new = |at: &usize| match &self.items[*at] {
            Item::Alarm(..) => true,
            Item::Notice(_) | Item::Failure(_) => said.insert(*at),
        };
        let new: Vec<usize> = own.into_iter().filter(is_new).collect();
        new.into_iter().map(|at| &self.items[at]).collect()
    }
}

impl Maker<'_> {
    /// The entries of one weight about no change: checks, errors, outputs, resources that stay as they are.
    pub(super) fn about_no_change(&self, level: Level) -> Vec<Entry> {
        let items = self.told.alone.iter().map(|at| &self.told.items[*at]);
        let of_level = items.filter(|item| item.level() == level);
        let is_run = self.document.stack.header.kind.is_log();
        let entries = of_level.filter_map(|item| match item {
            Item::Alarm(..) => None,
            Item::Notice(notice) => Some(self.notice(notice)),
            // The page of a run has a section of its own for them.
            Item::Failure(failure) => (!is_run).then(|| self.failure(failure)),
        });
        let found = stack_findings::of_outputs(&self.document.stack);
        let outputs = found.filter(|(_, found)| found.level == level);
        let all = &self.document.stack.outputs;
        let outputs = outputs.map(|(number, found)| Entry {
            said: vec![Said::of(level, found.mechanism, found.says.clone())],
            says: found.says,
            ..output((number, &all[number]))
        });
        entries.chain(outputs).collect()
    }

    /// A finding of a mechanism about resources that stay as they are.
    fn notice(&self, notice: &Notice) -> Entry {
        let said = self.said(&Item::Notice(notice), &notice.ids);
        let details = self.facts(notice, &notice.ids);
        Entry {
            n_more: notice.facts.len().saturating_sub(MAX_DETAILS),
            says: said.says.clone(),
            said: vec![said],
            details,
            ..self.aside(notice.ids.clone(), String::new())
        }
    }

    /// What an item says of some resources.
    pub(super) fn said(&self, item: &Item<'_>, ids: &[ResourceId]) -> Said {
        let is_own = |id: &ResourceId| ids.contains(id);
        match item {
            Item::Alarm(number, alarm) => Said {
                level: alarm.rule.level,
                rule: Some(alarm.rule.clone()),
                mechanism: None,
                says: escaped(&alarm.rule.says),
                places: self
                    .told
                    .places(*number, alarm, ids)
                    .map(|it| (it.id, escaped(&it.path.to_string())))
                    .collect(),
            },
            Item::Notice(notice) => {
                let facts = notice.facts.iter();
                let places = facts.map(|fact| (fact.id, escaped(&fact.path.to_string())));
                let places: Vec<_> = places.collect();
                let ids = notice
                    .ids
                    .iter()
                    .filter(|id| is_own(id) || notice.root.is_some());
                Said {
                    places: if places.is_empty() {
                        ids.map(|id| (*id, String::new())).collect()
                    } else {
                        places
                    },
                    ..Said::of(notice.level, notice.mechanism, escaped(&notice.says))
                }
            }
            Item::Failure(failure) => {
                let first = failure.says.lines().next().unwrap_or_default();
                let says = cut(&escaped(first), MAX_VALUE);
                let places = failure.resource.into_iter().map(|id| (id, String::new()));
                Said {
                    places: places.collect(),
                    ..Said::of(failure.level, failure.mechanism, says)
                }
            }
        }
    }

    /// The lines of the facts of a notice about some resources.
    pub(super) fn facts(&self, notice: &Notice, ids: &[ResourceId]) -> Vec<Detail> {
        let facts = notice.facts.iter().take(MAX_DETAILS);
        facts
            .map(|fact| self.fact(fact, ids == [fact.id]))
            .collect()
    }

    /// The line of a fact. Names the resource unless it `is_of_line`.
    pub(super) fn fact(&self, fact: &Fact, is_of_line: bool) -> Detail {
        let mut place = escaped(&pattern(&fact.path).to_string());
        if !is_of_line {
            let name = self.name(fact.id);
            place = [name, place].join("  ").trim_end().into();
        }
        Detail {
            id: Some(ChangeId::Resource(fact.id)),
            action: match (&fact.before, &fact.after) {
                (Some(_), Some(_)) => Action::Update,
                (Some(_), None) => Action::Delete,
                (None, _) => Action::Same,
            },
            place,
            before: fact.before.as_ref().map(short),
            after: fact.after.as_ref().map(short),
            ..Detail::of_words(escaped(&fact.note))
        }
    }
}

/// The lines of the parts of a place that its rule means. None if it means all of it.
pub(super) fn parts(place: &Place) -> Vec<Detail> {
    let path = escaped(&place.path.to_string());
    let detail = |part: &rules::Part| {
        let (action, before, after) = match part {
            rules::Part::Comes(new) => (Action::Create, None, Some(new)),
            rules::Part::Goes(old) => (Action::Delete, Some(old), None),
            rules::Part::Becomes(old, new) => (Action::Update, Some(old), Some(new)),
        };
        Detail {
            id: Some(ChangeId::Resource(place.id)),
            action,
            place: path.clone(),
            before: before.map(|words| escaped(words)),
            after: after.map(|words| escaped(words)),
            ..Detail::of_words(String::new())
        }
    };
    place.details.iter().map(detail).collect()
}
