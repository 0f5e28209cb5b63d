//! The walk through the difference of a resource, with all of its rules at once.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::condition::{Answer, Condition, Sides, is_open};
use super::pattern::{Pattern, Reached};
use super::{Changed, Finding, Guard, Rule};
use crate::change::decode::{Decoder, document};
use crate::change::difference::{
    Context, Diff, DiffKind, Element, Elements, Group, Reason, describe,
};
use crate::path::{Path, Segment};
use crate::stack::{Action, Section};
use crate::value::Value;

/// Number of elements of the other side that an element without a counterpart is compared with.
const MAX_PEERS: usize = 64;

/// The index of an element before and after.
type Indexes = (Option<usize>, Option<usize>);

/// The findings of `rules`, which are those of the type, and of the type of the object in `holder`.
pub(super) fn findings(
    rules: &[&Arc<Rule>],
    changed: &Changed<'_>,
    holder: Option<&'static str>,
) -> Vec<Finding> {
    let mut walk = Walk {
        rules,
        patterns: Vec::new(),
        owners: Vec::new(),
        action: changed.action,
        section: Section::default(),
        path: Path::root(),
        holder,
        found: Vec::new(),
        known: HashSet::new(),
    };
    for (number, rule) in rules.iter().enumerate() {
        walk.patterns.extend(&rule.properties);
        walk.owners
            .extend(std::iter::repeat_n(number, rule.properties.len()));
    }
    walk.resource(changed);
    if changed.may_differ() {
        for part in changed.parts {
            walk.section = part.section;
            let top = Container::of(&part.diff.before, &part.diff.after, None);
            let reached = Reached::start(&walk.patterns);
            walk.visit(&part.diff, &reached, &Place::top(&top));
        }
    }
    walk.found
}

struct Walk<'r, 'w> {
    rules: &'w [&'r Arc<Rule>],
    /// The patterns of all rules.
    patterns: Vec<&'r Pattern>,
    /// The number of the rule of each pattern.
    owners: Vec<usize>,
    action: Action,
    section: Section,
    path: Path,
    /// The property at the top that holds an object, to which the patterns apply too.
    holder: Option<&'static str>,
    found: Vec<Finding>,
    /// The numbers of the rules in `found`, with the places.
    known: HashSet<(usize, Section, Path)>,
}

/// True if a container has the property of a guard, and the answer.
type Found = (bool, Answer);

/// A container on the way to a place, and the containers above it.
pub(super) struct Container<'p> {
    before: &'p Value,
    after: &'p Value,
    above: Option<&'p Container<'p>>,
    /// By guard and side: true if the container has the property of the guard, and the answer. A list may have a place for each of
    /// its elements, and none should search the whole.
    answers: RefCell<HashMap<(*const Guard, Side), Found>>,
}

/// A place, by its container.
struct Place<'p> {
    container: &'p Container<'p>,
    /// Values of the other side that an added or removed element may have been, at the same place below it.
    peers: Vec<&'p Value>,
}

impl<'p> Place<'p> {
    fn top(container: &'p Container<'p>) -> Self {
        Self {
            container,
            peers: Vec::new(),
        }
    }

    /// The peers one step further down.
    fn peers_at(&self, step: &Segment) -> Vec<&'p Value> {
        let mut peers = Vec::new();
        for peer in &self.peers {
            match step {
                Segment::Key(key) => peers.push(peer.get(key).unwrap_or(&Value::NULL)),
                Segment::Index(_) => peers.extend(peer.as_array().into_iter().flatten()),
            }
        }
        peers.truncate(MAX_PEERS);
        peers
    }
}

impl<'p> Container<'p> {
    pub(super) fn of(
        before: &'p Value,
        after: &'p Value,
        above: Option<&'p Container<'p>>,
    ) -> Self {
        Self {
            before,
            after,
            above,
            answers: RefCell::default(),
        }
    }

    /// Tests whether the guard fits the nearest container that has its property.
    fn fits(&self, guard: &Guard, side: Side) -> Answer {
        let key = (std::ptr::from_ref(guard), side);
        let known = self.answers.borrow().get(&key).copied();
        let (is_set, answer) = known.unwrap_or_else(|| {
            let answer = self.look(guard, side);
            self.answers.borrow_mut().insert(key, answer);
            answer
        });
        match self.above {
            Some(above) if !is_set => above.fits(guard, side),
            Some(_) | None => answer,
        }
    }

    /// True if the container has the property of the guard, and the answer.
    fn look(&self, guard: &Guard, side: Side) -> Found {
        let value = match side {
            Side::Before => self.before,
            Side::After if self.after.is_null() => self.before,
            Side::After => self.after,
        };
        let found = guard.pattern.find(value);
        let is_set = found.iter().any(|value| !value.is_null());
        let answers = found.into_iter().map(|value| fits(guard, value));
        let answer = answers.max();
        (is_set, answer.unwrap_or_else(|| fits(guard, &Value::NULL)))
    }
}

/// The side on which the guards of a condition are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Before,
    After,
}

fn fits(guard: &Guard, value: &Value) -> Answer {
    // A switch that is not set is off.
    let is_off = |literal: &super::Literal| value.is_null() && literal.0.as_bool() == Some(false);
    let test = |literal: &super::Literal| {
        if is_off(literal) {
            Answer::Yes
        } else {
            literal.test(value)
        }
    };
    guard.values.iter().map(test).max().unwrap_or(Answer::No)
}

impl Walk<'_, '_> {
    /// The rules about the resource itself.
    fn resource(&mut self, changed: &Changed<'_>) {
        let (before, after) = changed.properties();
        let top = Container::of(before, after, None);
        let place = Place::top(&top);
        self.section = changed
            .own_part()
            .map_or(Section::default(), |part| part.section);
        for (owner, rule) in self.rules.iter().enumerate() {
            let mut conditions = rule
                .conditions
                .iter()
                .filter_map(|condition| match condition {
                    Condition::Deleted => Some((Action::Delete, Side::Before)),
                    Condition::Replaced => Some((Action::Replace, Side::Before)),
                    Condition::DestroyedFirst if !changed.is_created_first => {
                        Some((Action::Replace, Side::Before))
                    }
                    Condition::Created => Some((Action::Create, Side::After)),
                    _ => None,
                });
            let Some((_, side)) = conditions.find(|(action, _)| *action == changed.action) else {
                continue;
            };
            let is_open = match guarded(rule, &place, side) {
                Answer::No => continue,
                Answer::Open => true,
                Answer::Yes => false,
            };
            self.known.insert((owner, self.section, Path::root()));
            self.found.push(Finding {
                rule: Arc::clone(rule),
                is_open,
                section: self.section,
                path: Path::root(),
                before: Value::NULL,
                after: Value::NULL,
                details: Vec::new(),
            });
        }
    }

    /// A place, and those below it.
    fn visit(&mut self, diff: &Diff, reached: &Reached, place: &Place<'_>) {
        if !diff.is_change() || reached.is_empty() {
            return;
        }
        if diff.spelling.is_some_and(Reason::is_without_effect) {
            return;
        }
        if diff.reason() != Some(Reason::FormattingOnly) {
            self.judge((&diff.before, &diff.after), reached, place);
        }
        self.below(diff, reached, place);
    }

    fn below(&mut self, diff: &Diff, reached: &Reached, place: &Place<'_>) {
        let container = Container::of(&diff.before, &diff.after, Some(place.container));
        let inner = Place {
            container: &container,
            peers: place.peers.clone(),
        };
        let inner = match (diff.before.as_map(), diff.after.as_map()) {
            (None, None) => place,
            _ => &inner,
        };
        match &diff.kind {
            DiffKind::Leaf => {}
            DiffKind::Line | DiffKind::Lines(_) => self.inside_text(diff, reached, place),
            DiffKind::Json(values) | DiffKind::Document { values, .. } => {
                self.below(values, reached, place);
            }
            DiffKind::TypeChange { before, after } => {
                self.below(before, reached, place);
                self.below(after, reached, place);
            }
            DiffKind::List { elements, .. } | DiffKind::Set { elements, .. } => {
                self.elements(elements, (&diff.before, &diff.after), reached, inner);
            }
            DiffKind::Map { entries, .. } | DiffKind::Object { entries, .. } => {
                self.entries(entries, reached, inner);
            }
            DiffKind::Block { attributes, groups } => {
                self.entries(attributes, reached, inner);
                for group in groups {
                    self.group(group, reached, inner);
                }
            }
            DiffKind::Unknown { .. } | DiffKind::Sensitive { .. } | DiffKind::WriteOnly { .. } => {
                self.out_of_sight(diff, reached, place);
            }
        }
    }

    fn entries(&mut self, entries: &[(Arc<str>, Diff)], reached: &Reached, place: &Place<'_>) {
        for (key, diff) in entries {
            if diff.is_change() {
                self.step(Segment::Key(key.clone()), diff, reached, place);
            }
        }
    }

    fn step(&mut self, step: Segment, diff: &Diff, reached: &Reached, place: &Place<'_>) {
        let mut reached = reached.step(&self.patterns, &step);
        let held = self.holder.filter(|_| self.path.0.is_empty());
        if held.is_some_and(|key| step == Segment::from(key)) {
            reached = reached.with(Reached::start(&self.patterns));
        }
        if reached.is_empty() {
            return;
        }
        let place = Place {
            peers: place.peers_at(&step),
            container: place.container,
        };
        self.path.0.push(step);
        self.visit(diff, &reached, &place);
        self.path.0.pop();
    }

    fn elements(
        &mut self,
        elements: &Elements,
        (before, after): (&Value, &Value),
        reached: &Reached,
        place: &Place<'_>,
    ) {
        let lone = |is_of_side: fn(Indexes) -> Option<usize>, list: &Value| {
            let changed = elements.iter().filter(Element::is_change);
            let indexes = changed.filter_map(|it| is_of_side((it.old, it.new)));
            let list = list.as_array().cloned().unwrap_or_default();
            let lone = indexes.filter_map(|index| list.get(index).cloned());
            lone.take(MAX_PEERS).collect::<Vec<_>>()
        };
        let removed = lone(|(old, new)| old.filter(|_| new.is_none()), before);
        let added = lone(|(old, new)| new.filter(|_| old.is_none()), after);
        for element in elements.iter().filter(Element::is_change) {
            let peers = match (element.old, element.new) {
                (None, Some(_)) => &removed,
                (Some(_), None) => &added,
                _ => &Vec::new(),
            };
            let index = Segment::Index(element.new.or(element.old).unwrap_or_default());
            let reached = reached.step(&self.patterns, &index);
            let peers = place.peers_at(&index).into_iter().chain(peers);
            let place = Place {
                peers: peers.take(MAX_PEERS).collect(),
                container: place.container,
            };
            self.path.0.push(index);
            self.visit(&element.diff(), &reached, &place);
            self.path.0.pop();
        }
    }

    fn group(&mut self, group: &Group, reached: &Reached, place: &Place<'_>) {
        if !group.members.iter().any(|it| it.diff.is_change()) {
            return;
        }
        let key = Segment::Key(group.name.clone());
        let reached = reached.step(&self.patterns, &key);
        if reached.is_empty() {
            return;
        }
        let side = |value: &Value| value.get(&group.name).cloned().unwrap_or_default();
        let (before, after) = (side(place.container.before), side(place.container.after));
        let peers = |is_of_side: fn(Indexes) -> bool, diff: fn(&Diff) -> &Value| {
            let members = group
                .members
                .iter()
                .filter(|it| it.diff.is_change() && is_of_side(it.index));
            members
                .map(|it| diff(&it.diff))
                .take(MAX_PEERS)
                .collect::<Vec<_>>()
        };
        let removed = peers(
            |(old, new)| old.is_some() && new.is_none(),
            |diff| &diff.before,
        );
        let added = peers(
            |(old, new)| old.is_none() && new.is_some(),
            |diff| &diff.after,
        );
        let n_steps = self.path.0.len();
        let whole = Place {
            peers: place.peers_at(&key),
            container: place.container,
        };
        self.path.0.push(key);
        self.judge((&before, &after), &reached, &whole);
        self.path.0.truncate(n_steps);
        for member in &group.members {
            let block = std::mem::replace(&mut self.path, Path::root());
            self.path = group.path(member, &block);
            let step = self.path.0.get(n_steps + 1).cloned();
            let inner = match &step {
                Some(step) => reached.step(&self.patterns, step),
                None => reached.clone(),
            };
            let own = match member.index {
                (None, Some(_)) => &removed,
                (Some(_), None) => &added,
                _ => &Vec::new(),
            };
            let peers = step
                .iter()
                .flat_map(|step| whole.peers_at(step))
                .chain(own.iter().copied());
            let place = Place {
                peers: peers.take(MAX_PEERS).collect(),
                container: place.container,
            };
            match step {
                Some(_) => self.visit(&member.diff, &inner, &place),
                // A single block is the group, which is judged above.
                None => self.below(&member.diff, &inner, &place),
            }
            self.path = block;
        }
    }

    /// The document in a string that only one side has, or that differs as text.
    fn inside_text(&mut self, diff: &Diff, reached: &Reached, place: &Place<'_>) {
        if !reached.leads_on(&self.patterns) {
            return;
        }
        let inner = |value: &Value| match document(value) {
            Some((_, document)) => Some(document),
            None => short_document(value),
        };
        let (before, after) = (inner(&diff.before), inner(&diff.after));
        if before.is_some() || after.is_some() {
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            self.below(
                &describe(&before, &after, Context::default()),
                reached,
                place,
            );
        }
    }

    /// Notes the rules about properties below a place that is masked or unknown.
    fn out_of_sight(&mut self, diff: &Diff, reached: &Reached, place: &Place<'_>) {
        for pattern in reached.open(&self.patterns) {
            let sides = Sides::of(&diff.before, &diff.after);
            self.answer(self.owners[pattern], Answer::Open, &sides, place);
        }
    }

    /// Judges the rules whose property is this place.
    fn judge(&mut self, (before, after): (&Value, &Value), reached: &Reached, place: &Place<'_>) {
        let sides = Sides::of(before, after);
        for pattern in reached.ends(&self.patterns) {
            let owner = self.owners[pattern];
            let conditions = self.rules[owner].conditions.iter();
            let answers =
                conditions.map(|it| it.answer_beside(&sides, place.peers.iter().copied()));
            let answer = answers.max().unwrap_or(Answer::No);
            self.answer(owner, answer, &sides, place);
        }
    }

    /// Adds the finding of a rule with this answer of its conditions, if its guards allow it.
    fn answer(&mut self, owner: usize, answer: Answer, sides: &Sides<'_>, place: &Place<'_>) {
        let rule = self.rules[owner];
        if answer == Answer::No || self.action == Action::Create && !rule.is_for_created {
            return;
        }
        let answer = answer.min(guarded(rule, place, Side::After));
        let is_open = match answer {
            Answer::No => return,
            Answer::Open => true,
            Answer::Yes => false,
        };
        // Most values of a new resource are known after apply.
        let is_new = self.action == Action::Create && sides.after.is_computed();
        if is_open && is_new && !rule.is_required {
            return;
        }
        let place = (owner, self.section, self.path.clone());
        if !self.known.insert(place) {
            return;
        }
        let mut judged = rule.conditions.iter().filter(|_| !is_open);
        let details = judged.find_map(|it| {
            let details = it.details(sides);
            (!details.is_empty()).then_some(details)
        });
        self.found.push(Finding {
            rule: Arc::clone(rule),
            is_open,
            section: self.section,
            path: self.path.clone(),
            details: details.unwrap_or_default(),
            before: sides.before.clone(),
            after: sides.after.clone(),
        });
    }
}

/// The YAML of one key in a text with an end of line, as a file has it. Rules name the key, so it is more than a line with a colon.
fn short_document(value: &Value) -> Option<Value> {
    let is_file = !is_open(value) && value.as_str()?.ends_with('\n');
    let document = is_file.then(|| Decoder::Yaml.decode(value).ok()).flatten();
    document.filter(|document| document.as_map().is_some())
}

/// True if the resource has the values that the rule wants, and none of those that silence it.
fn guarded(rule: &Rule, place: &Place<'_>, side: Side) -> Answer {
    let wanted = rule
        .filter
        .iter()
        .map(|guard| place.container.fits(guard, side));
    let silencing = rule
        .unless
        .iter()
        .map(|guard| place.container.fits(guard, side).not());
    wanted.chain(silencing).min().unwrap_or(Answer::Yes)
}

/// Like [`guarded`], for the place that `steps` lead to below a container with these values before and after.
pub(super) fn guarded_below(
    rule: &Rule,
    above: &Container<'_>,
    (before, after): (&Value, &Value),
    steps: &[Segment],
) -> Answer {
    let Some((step, rest)) = steps.split_first() else {
        return guarded(rule, &Place::top(above), Side::After);
    };
    let [before, after] = [before, after].map(|side| step.step(side).unwrap_or(&Value::NULL));
    if before.as_map().is_none() && after.as_map().is_none() {
        return guarded_below(rule, above, (before, after), rest);
    }
    let inner = Container::of(before, after, Some(above));
    guarded_below(rule, &inner, (before, after), rest)
}
