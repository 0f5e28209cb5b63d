//! The findings of the rules in the changes of a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::change::groups::{grouped, least};
use crate::change::mechanisms::{Fact, Notice, Outcome};
use crate::change::pairs::{Shift, ShiftKind};
use crate::change::rules::{Finding, Level, Part, Rule, Rules};
use crate::path::Path;
use crate::stack::{Action, Flags, ResourceId, Stack};
use crate::value::Value;

/// Maximum number of findings of one rule whose values are kept.
const MAX_VALUES: usize = 100;

/// The findings of all rules.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Findings {
    /// The rules that fire, the heaviest first; rules about the same resource stand together.
    pub alarms: Vec<Alarm>,
    /// The places that some rules cannot judge, because a value is masked or unknown, with the number of rules.
    pub unjudged: Vec<(Place, usize)>,
    /// The changed resources of types that no rule knows, by type.
    pub unknown_types: BTreeMap<Box<str>, Vec<ResourceId>>,
    /// Number of times that a danger or a warning cannot be judged because a value is not known before the apply.
    pub n_waiting: usize,
    /// Number of rules that were looked for.
    pub n_rules: usize,
    /// Number of these rules that the person added.
    pub n_added: usize,
    /// The number of the alarm of a rule, by its id.
    by_rule: HashMap<String, usize>,
}

/// The places of all alarms by resource, each with the weight of the rule.
type Said<'s> = BTreeMap<ResourceId, Vec<(Level, &'s Path)>>;

/// A rule that fires, with its places.
#[derive(Clone, PartialEq, Debug)]
pub struct Alarm {
    /// The rule.
    pub rule: Arc<Rule>,
    /// The places, by name. Until all are known, first those with values.
    pub places: Vec<Place>,
    /// Number of places with values.
    n_with_values: usize,
}

/// A place in a change that a rule speaks of.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The resource.
    pub id: ResourceId,
    /// The property; the root for the resource itself.
    pub path: Path,
    /// The value before, masked where it is secret. Null, like the one after, for all but the first places of a rule.
    pub before: Value,
    /// The value after, masked where it is secret.
    pub after: Value,
    /// The parts of the values that the rule means.
    pub details: Vec<Part>,
}

impl Findings {
    /// No findings yet of these rules.
    pub(super) fn of(rules: &Rules) -> Self {
        Self {
            n_rules: rules.iter().count(),
            n_added: rules.n_added(),
            ..Self::default()
        }
    }

    /// Adds the findings of `rules` for a resource.
    pub(super) fn add(
        &mut self,
        stack: &Stack,
        rules: &Rules,
        id: ResourceId,
        found: Vec<Finding>,
    ) {
        let record = stack.record(id);
        // A resource that only one of two files has is neither deleted nor created.
        let is_lone =
            stack.is_comparison && matches!(record.action, Some(Action::Create | Action::Delete));
        if is_lone || matches!(stack.effect(id), Some(Action::Read | Action::Forget)) {
            return;
        }
        if !rules.knows(stack.ty(id)) {
            // Components, providers and stacks are nothing in a cloud.
            let logical = Flags::COMPONENT | Flags::PROVIDER | Flags::STACK;
            if !record.flags.intersects(logical) {
                let ids = self.unknown_types.entry(stack.ty(id).into()).or_default();
                ids.push(id);
            }
        }
        for finding in without_lighter(found) {
            self.add_one(stack, id, finding);
        }
    }

    /// Gives each swap of names the weight of the loss that it causes.
    pub(super) fn weigh(&self, shifts: &mut [Shift]) {
        let whole = self.places().filter(|(_, it)| it.path.0.is_empty());
        let lost = least(whole.map(|(rule, place)| (place.id, rule.level)));
        for shift in shifts.iter_mut().filter(|it| it.kind == ShiftKind::Swap) {
            let ids = shift.pairs.first().map(|pair| [pair.gone, pair.new]);
            let losses = ids.into_iter().flatten().filter_map(|id| lost.get(&id));
            let level = losses.min().copied();
            if let (Some((own, _)), Some(level)) = (&mut shift.alarm, level) {
                *own = level.min(*own);
            }
        }
    }

    fn add_one(&mut self, stack: &Stack, id: ResourceId, finding: Finding) {
        let place = Place {
            id,
            path: finding.path,
            before: finding.before,
            after: finding.after,
            details: finding.details,
        };
        let waits = if finding.is_open {
            place.after.has_computed()
        } else {
            finding.rule.is_about_unknown()
        };
        if waits && finding.rule.level <= Level::Warning {
            self.n_waiting += 1;
        }
        if finding.is_open {
            match self.unjudged.last_mut() {
                Some((last, count)) if last.id == id && last.path == place.path => *count += 1,
                _ => self.unjudged.push((place, 1)),
            }
            return;
        }
        let alarm = self.alarm(finding.rule);
        alarm.push(place);
        alarm.bound_often(stack);
    }

    fn alarm(&mut self, rule: Arc<Rule>) -> &mut Alarm {
        let known = self.by_rule.get(&rule.id).copied();
        let number = known.unwrap_or_else(|| {
            let number = self.alarms.len();
            self.by_rule.insert(rule.id.clone(), number);
            self.alarms.push(Alarm {
                rule,
                places: Vec::new(),
                n_with_values: 0,
            });
            number
        });
        &mut self.alarms[number]
    }

    /// Adds the findings in another part of the file.
    pub(super) fn append(&mut self, stack: &Stack, other: Self) {
        for alarm in other.alarms {
            let own = self.alarm(alarm.rule);
            let n = alarm.n_with_values;
            for (number, place) in alarm.places.into_iter().enumerate() {
                if number < n {
                    own.push(place);
                } else {
                    own.places.push(place);
                }
            }
            own.bound_often(stack);
        }
        self.unjudged.extend(other.unjudged);
        self.n_waiting += other.n_waiting;
        for (ty, ids) in other.unknown_types {
            self.unknown_types.entry(ty).or_default().extend(ids);
        }
    }

    /// The places of all alarms, each with its rule.
    pub(super) fn places(&self) -> impl Iterator<Item = (&Rule, &Place)> {
        let alarms = self.alarms.iter();
        alarms.flat_map(|alarm| alarm.places.iter().map(|place| (&*alarm.rule, place)))
    }

    /// The places of all alarms by resource, each with the weight of the rule.
    fn said<'s>(&'s self) -> Said<'s> {
        let said = |(rule, place): (&Rule, &'s Place)| (place.id, (rule.level, &place.path));
        grouped(self.places().map(said))
    }

    /// Drops the alarms that the mechanisms answer: deletions that mean nothing, and unknown values that have a notice. Drops the
    /// notices that repeat an alarm.
    pub(super) fn settle_with(&mut self, outcome: &mut Outcome) {
        let unimportant = &outcome.unimportant;
        let answering = outcome.notices.iter().filter(|notice| notice.answers);
        let answered = answering.flat_map(|notice| {
            let places = notice.facts.iter().map(|it| (it.id, it.path.clone()));
            places.map(|place| (place, notice.level))
        });
        let answered: HashMap<(ResourceId, Path), Level> = least(answered);
        for alarm in &mut self.alarms {
            alarm.places.retain(|place| {
                let means_nothing = place.path.0.is_empty() && unimportant.contains(&place.id);
                !means_nothing && !answered.contains_key(&(place.id, place.path.clone()))
            });
        }
        let is_answered = |notice: &Notice| {
            // A heavier notice about a whole resource is about more than what is answered.
            let is_answer = |path: &Path, level: Level| !path.0.is_empty() || level <= notice.level;
            let is_answered = |fact: &Fact| {
                let level = answered.get(&(fact.id, fact.path.clone()));
                level.is_some_and(|level| is_answer(&fact.path, *level))
            };
            !notice.answers && !notice.facts.is_empty() && notice.facts.iter().all(is_answered)
        };
        outcome.notices.retain(|notice| !is_answered(notice));
        self.alarms.retain(|alarm| !alarm.places.is_empty());
        let places = self.said();
        outcome.notices.retain(|notice| !says(&places, notice));
        drop(places);
        let unknown = outcome.notices.iter().filter(|it| it.is_about_unknown());
        let unknown = unknown.flat_map(|notice| &notice.facts);
        let said = grouped(unknown.map(|fact| (fact.id, &fact.path)));
        self.unjudged.retain(|(place, _)| {
            let mut paths = said.get(&place.id).into_iter().flatten();
            !paths.any(|path| place.path.contains(path))
        });
    }

    /// Sorts the rules by weight, and all places and resources by name.
    pub(super) fn settle(&mut self, stack: &Stack) {
        for alarm in &mut self.alarms {
            alarm.bound(stack);
            // The places with values are the first ones by name.
            let others = &mut alarm.places[alarm.n_with_values..];
            others.sort_by_cached_key(|place| place.order(stack));
        }
        self.alarms.sort_by_cached_key(|alarm| {
            let first = alarm.places.first().map(|place| place.order(stack));
            (alarm.rule.level, first, alarm.rule.id.clone())
        });
        self.unjudged
            .sort_by_cached_key(|(place, _)| place.order(stack));
        self.unjudged.dedup_by(|(place, count), (first, sum)| {
            let is_same = place.id == first.id && place.path == first.path;
            *sum += if is_same { *count } else { 0 };
            is_same
        });
        for ids in self.unknown_types.values_mut() {
            ids.sort_by_cached_key(|id| (stack.identity(*id), *id));
        }
        self.by_rule.clear();
    }
}

impl Alarm {
    fn push(&mut self, place: Place) {
        self.places.push(place);
        let last = self.places.len() - 1;
        self.places.swap(self.n_with_values, last);
        self.n_with_values += 1;
    }

    /// Drops values before there are too many.
    fn bound_often(&mut self, stack: &Stack) {
        if self.n_with_values > 2 * MAX_VALUES {
            self.bound(stack);
        }
    }

    /// Keeps the values of the first places by name.
    fn bound(&mut self, stack: &Stack) {
        let places = &mut self.places[..self.n_with_values];
        places.sort_by_cached_key(|place| place.order(stack));
        for place in places.iter_mut().skip(MAX_VALUES) {
            (place.before, place.after) = (Value::NULL, Value::NULL);
            place.details = Vec::new();
        }
        self.n_with_values = self.n_with_values.min(MAX_VALUES);
    }
}

impl Place {
    fn order(&self, stack: &Stack) -> (String, ResourceId, Path) {
        (stack.identity(self.id), self.id, self.path.clone())
    }
}

/// True if rules of the same weight or a heavier one speak of all places of a notice that yields to them.
fn says(said: &Said<'_>, notice: &Notice) -> bool {
    let is_said = |fact: &Fact| {
        let places = said.get(&fact.id).into_iter().flatten();
        let mut heavy = places.filter(|(level, _)| *level <= notice.level);
        heavy.any(|(_, path)| path.contains(&fact.path) || fact.path.contains(path))
    };
    notice.yields && !notice.facts.is_empty() && notice.facts.iter().all(is_said)
}

/// The findings about a resource without those that say less than a heavier one of the same change: `fewer pods` beside `no pod
/// runs`.
fn without_lighter(mut found: Vec<Finding>) -> Vec<Finding> {
    let place = |finding: &Finding| (finding.path.clone(), finding.details.clone());
    let judged = found.iter().filter(|finding| !finding.is_open);
    let heaviest = least(judged.map(|it| (place(it), it.rule.level)));
    found.retain(|finding| {
        let is_heaviest = || heaviest.get(&place(finding)) == Some(&finding.rule.level);
        finding.is_open || finding.path.0.is_empty() || is_heaviest()
    });
    found
}
