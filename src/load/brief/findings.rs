//! The findings of the rules in the changes of a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::change::rules::{Finding, Level, Rule, Rules};
use crate::path::Path;
use crate::stack::{Action, Flags, ResourceId, Stack};
use crate::value::Value;

/// Maximum number of findings of one rule whose values are kept.
const MAX_VALUES: usize = 100;

/// The findings of all rules.
#[derive(Default, Debug)]
pub struct Findings {
    /// The rules that fire, the heaviest first.
    pub alarms: Vec<Alarm>,
    /// The places that some rules cannot judge, because a value is masked or unknown, with the number of rules.
    pub unjudged: Vec<(Place, usize)>,
    /// The changed resources of types that no rule knows, by type.
    pub unknown_types: BTreeMap<Box<str>, Vec<ResourceId>>,
    /// Number of times that a danger or a warning cannot be judged because a value is not known before the apply.
    pub n_waiting: usize,
    /// Number of rules that were looked for.
    pub n_rules: usize,
    /// The number of the alarm of a rule, by its id.
    by_rule: HashMap<String, usize>,
}

/// A rule that fires, with its places.
#[derive(Debug)]
pub struct Alarm {
    /// The rule.
    pub rule: Arc<Rule>,
    /// The places, in the order of the file.
    pub places: Vec<Place>,
}

/// A place in a change that a rule speaks of.
#[derive(Debug)]
pub struct Place {
    /// The resource.
    pub id: ResourceId,
    /// The property; the root for the resource itself.
    pub path: Path,
    /// The value before, masked where it is secret. Null, like the one after, for all but the first places of a rule.
    pub before: Value,
    /// The value after, masked where it is secret.
    pub after: Value,
    /// The parts of the values that the rule means, in words.
    pub details: Vec<String>,
}

impl Findings {
    /// No findings yet of these rules.
    pub(super) fn of(rules: &Rules) -> Self {
        Self {
            n_rules: rules.iter().count(),
            ..Self::default()
        }
    }

    /// Adds the findings for a resource; `None` if no rule knows its type.
    pub(super) fn add(&mut self, stack: &Stack, id: ResourceId, found: Option<Vec<Finding>>) {
        let record = stack.record(id);
        // A resource that only one of two files has is neither deleted nor created.
        let is_lone =
            stack.is_comparison && matches!(record.action, Some(Action::Create | Action::Delete));
        if is_lone || matches!(record.action, Some(Action::Read | Action::Forget)) {
            return;
        }
        let Some(found) = found else {
            // Components, providers and stacks are nothing in a cloud.
            let is_logical = [Flags::COMPONENT, Flags::PROVIDER, Flags::STACK];
            if !is_logical
                .into_iter()
                .any(|flag| record.flags.contains(flag))
            {
                let ids = self.unknown_types.entry(stack.ty(id).into()).or_default();
                ids.push(id);
            }
            return;
        };
        for finding in without_lighter(found) {
            self.add_one(id, finding);
        }
    }

    fn add_one(&mut self, id: ResourceId, finding: Finding) {
        let mut place = Place {
            id,
            path: finding.path,
            before: finding.before,
            after: finding.after,
            details: finding.details,
        };
        let waits = if finding.is_open {
            place.after.has_computed()
        } else {
            finding.rule.conditions().any(|words| words == "unknown")
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
        let rule = finding.rule;
        let number = *self.by_rule.entry(rule.id.clone()).or_insert_with(|| {
            let places = Vec::new();
            self.alarms.push(Alarm { rule, places });
            self.alarms.len() - 1
        });
        let places = &mut self.alarms[number].places;
        if places.len() >= MAX_VALUES {
            (place.before, place.after) = (Value::NULL, Value::NULL);
            place.details.clear();
        }
        places.push(place);
    }

    /// Sorts the rules by weight.
    pub(super) fn settle(&mut self) {
        self.alarms.sort_by_key(|alarm| alarm.rule.level);
        self.by_rule.clear();
    }
}

/// The findings about a resource without those that say less than a heavier one of the same change: `fewer pods` beside `no pod
/// runs`.
fn without_lighter(mut found: Vec<Finding>) -> Vec<Finding> {
    let mut heaviest: HashMap<(Path, Vec<String>), Level> = HashMap::new();
    for finding in found.iter().filter(|finding| !finding.is_open) {
        let level = finding.rule.level;
        let known = heaviest
            .entry((finding.path.clone(), finding.details.clone()))
            .or_insert(level);
        *known = level.min(*known);
    }
    found.retain(|finding| {
        let place = (finding.path.clone(), finding.details.clone());
        let is_heaviest = || heaviest.get(&place) == Some(&finding.rule.level);
        finding.is_open || finding.path.0.is_empty() || is_heaviest()
    });
    found
}
