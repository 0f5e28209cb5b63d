//! The causes of the change of one property.
//!
//! # Laws
//!
//! 1. Only facts from the files. A property that may come from a `dynamic` block has no cause, because the configuration in a
//!    plan leaves such blocks out.
//! 2. Words and links only, never a value.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::Origin;
use crate::change::difference::same;
use crate::change::groups::grouped;
use crate::change::review::path_of;
use crate::path::{Path, Segment};

use crate::stack::{Action, Flags, Resource, Section, Stack, State, is_expression};
use crate::terraform::schema::{Attribute, Block, Nesting, Schema};
use crate::value::{Map, Payload, Value};

/// The source of a property's change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Another resource: the property takes the value of its attribute.
    From(Origin),
    /// The configuration (the program, for Pulumi). It sets the property to something other than a resource's attribute, or
    /// sets it no longer.
    Configuration,
    /// The provider. The configuration does not set the property.
    Provider,
    /// A change outside: the property was found changed, and the plan starts from the found value.
    Drift,
    /// The provider's schema hides the value.
    Sensitive,
}

/// Number of elements of a list that are searched for one element that may come from drift.
const MAX_ELEMENTS: usize = 1_000;

impl Cause {
    /// A word for the cause; `None` for another resource, which is shown by its name.
    pub fn word(&self, is_pulumi: bool) -> Option<&'static str> {
        match self {
            Self::From(_) => None,
            Self::Configuration if is_pulumi => Some("program"),
            Self::Configuration => Some("configuration"),
            Self::Provider => Some("provider"),
            Self::Drift => Some("drift"),
            Self::Sensitive => Some("sensitive by its schema"),
        }
    }
}

/// The data that the causes of a resource's property changes are found from.
#[derive(Clone, Debug)]
pub struct Causes {
    resource: Arc<Resource>,
    origins: Vec<Origin>,
    /// The origins of each property, by their numbers.
    origins_of: BTreeMap<Path, Vec<usize>>,
    /// The configuration's expressions for its arguments.
    expressions: Option<Value>,
    schema: Option<Arc<Schema>>,
    /// The drift entry: changes to the resource that were found outside.
    drift: Option<Arc<Resource>>,
    /// The outermost lists that the plan takes over as they were found.
    taken_over: HashSet<Path>,
    /// The properties other than inputs in a detailed difference, sorted.
    found: Vec<Path>,
}

impl Causes {
    /// Collects the data for a resource of `stack`, with its [sources](super::sources), and its `schema` and `drift` entry if
    /// there are any.
    pub fn of(
        stack: &Stack,
        origins: Vec<Origin>,
        resource: Arc<Resource>,
        schema: Option<Arc<Schema>>,
        drift: Option<Arc<Resource>>,
    ) -> Self {
        let address = resource.address.as_deref();
        let numbers = origins.iter().map(|it| it.property.clone()).zip(0..);
        let origins_of = grouped(numbers);
        let mut taken_over = HashSet::new();
        if let Some(drift) = &drift {
            let sides =
                [&drift.after, &resource.before].map(|state| state.as_ref()?.outputs.as_ref());
            if let [Some(found), Some(old)] = sides {
                same_lists(found, old, &mut Path::default(), &mut taken_over);
            }
        }
        Self {
            origins,
            origins_of,
            taken_over,
            found: found(&resource),
            expressions: address
                .and_then(|it| stack.expressions.of_resource(it))
                .cloned(),
            resource,
            schema,
            drift,
        }
    }

    /// True if the resource is one of Pulumi.
    pub fn is_pulumi(&self) -> bool {
        self.resource.address.is_none()
    }

    /// True if the resource is listed for its drift.
    pub fn is_drift_entry(&self) -> bool {
        self.resource.flags.contains(Flags::DRIFT_ENTRY)
    }

    /// True if the resource is created again because it was deleted outside.
    pub fn is_restored(&self) -> bool {
        let action = self.resource.change.as_ref().map(|change| change.action);
        let is_gone = self
            .drift
            .as_ref()
            .is_some_and(|drift| drift.after.is_none());
        action == Some(Action::Create) && is_gone
    }

    /// The origins: other resources that properties take changed values from.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The causes of the change of the property at `path`, as far as the files show them. Other resources come first.
    pub fn at(&self, section: Section, path: &Path) -> Vec<Cause> {
        if self.is_drift_entry() {
            return vec![Cause::Drift];
        }
        let around = (0..=path.0.len()).map(|end| Path(path.0[..end].to_vec()));
        let numbers = around.filter_map(|around| self.origins_of.get(&around));
        let mut numbers: Vec<usize> = numbers.flatten().copied().collect();
        numbers.sort_unstable();
        let from = numbers.into_iter().map(|number| &self.origins[number]);
        let mut causes: Vec<Cause> = from.cloned().map(Cause::From).collect();
        let is_from = !causes.is_empty();
        if self.has_drifted(path) {
            causes.push(Cause::Drift);
        } else if !is_from && let Some(cause) = self.own(section, path) {
            causes.push(cause);
        }
        if self.is_sensitive(path) {
            causes.push(Cause::Sensitive);
        }
        causes
    }

    /// The cause of a property that comes from no other resource.
    fn own(&self, section: Section, path: &Path) -> Option<Cause> {
        let change = self.resource.change.as_ref()?;
        // A resource that is created or deleted as a whole has one cause, which is shown for the whole.
        if !matches!(
            change.action,
            Action::Update | Action::Replace | Action::Read
        ) {
            return None;
        }
        if change.comparison.is_some() {
            return None;
        }
        if self.resource.address.is_some() {
            return self.of_terraform(path);
        }
        if section != Section::Outputs {
            return Some(Cause::Configuration);
        }
        if change.is_refresh {
            return Some(Cause::Drift);
        }
        if !self.is_found(path) {
            return Some(Cause::Provider);
        }
        // A difference that is not one of inputs is a difference between the found state and the wanted state. The program made
        // it if the input changes too.
        let inputs = self.resource.sides(Section::Inputs);
        let [before, after] = inputs.map(|it| path.get(it?));
        Some(if before == after {
            Cause::Drift
        } else {
            Cause::Configuration
        })
    }

    /// True if a property other than an input was found different at `path`, around it or below it.
    fn is_found(&self, path: &Path) -> bool {
        // Sorted paths have all that is below one right after it.
        let below = self.found.partition_point(|found| found < path);
        self.found
            .get(below)
            .is_some_and(|found| path.contains(found))
            || (0..path.0.len()).any(|end| {
                let around = |found: &Path| found.0.as_slice().cmp(&path.0[..end]);
                self.found.binary_search_by(around).is_ok()
            })
    }

    fn of_terraform(&self, path: &Path) -> Option<Cause> {
        if is_set(self.expressions.as_ref()?, path) {
            return Some(Cause::Configuration);
        }
        if let Some(schema) = &self.schema {
            return match place(&schema.block, path)? {
                SchemaEntry::Attribute(attribute) if attribute.flags.computed => {
                    Some(Cause::Provider)
                }
                SchemaEntry::Attribute(_) => Some(Cause::Configuration),
                SchemaEntry::Block => None,
            };
        }
        let top = Path(path.0.get(..1)?.to_vec());
        let sides =
            [&self.resource.before, &self.resource.after].map(|state| at(state.as_ref(), &top));
        if sides.iter().flatten().any(|value| may_be_blocks(value)) {
            return None;
        }
        // An argument that was removed from the configuration is gone. A value that the provider computes may be gone too. Only
        // a schema can distinguish the two.
        let is_gone = at(self.resource.after.as_ref(), &top).is_none_or(Value::is_null);
        (!is_gone).then_some(Cause::Provider)
    }

    /// True if the value at `path` was found changed, and the plan sets it back. A resource that is gone as a whole, or that comes
    /// or goes in the plan, has no such values.
    fn has_drifted(&self, path: &Path) -> bool {
        let Some(drift) = &self.drift else {
            return false;
        };
        if self.resource.before.is_none() || self.resource.after.is_none() || drift.after.is_none()
        {
            return false;
        }
        let sides = [
            &drift.before,
            &drift.after,
            &self.resource.before,
            &self.resource.after,
        ];
        let [before, found, old, new] = sides.map(Option::as_ref);
        let is_index = |step: &Segment| matches!(step, Segment::Index(_));
        let Some(depth) = path.0.iter().position(is_index) else {
            let (before, found, new) = (at(before, path), at(found, path), at(new, path));
            return before != found && found == at(old, path) && new == before;
        };
        // Elements of a list have no lasting index. The ones that came and went count.
        let list = Path(path.0[..depth].to_vec());
        let place = Path(path.0[..=depth].to_vec());
        let is_taken_over = match [found, old].map(|side| at(side, &list)) {
            [Some(one), Some(other)] if one.as_array().is_some() && other.as_array().is_some() => {
                self.taken_over.contains(&list)
            }
            [one, other] => one == other,
        };
        if !is_taken_over {
            return false;
        }
        let has = |side: Option<&State>, element: &Value| {
            let list = at(side, &list).and_then(Value::as_array);
            let list = list.map(|list| list.iter().take(MAX_ELEMENTS));
            list.is_some_and(|mut list| list.any(|other| same(other, element)))
        };
        let was_brought = |element: &Value| !has(new, element) && !has(before, element);
        let was_lost = |element: &Value| !has(old, element) && has(before, element);
        at(old, &place).is_some_and(was_brought) || at(new, &place).is_some_and(was_lost)
    }

    fn is_sensitive(&self, path: &Path) -> bool {
        let Some(schema) = &self.schema else {
            return false;
        };
        // Values below a sensitive attribute are hidden with it.
        (1..=path.0.len()).any(|end| {
            let above = Path(path.0[..end].to_vec());
            matches!(place(&schema.block, &above), Some(SchemaEntry::Attribute(it)) if it.flags.sensitive)
        })
    }
}

/// The properties other than inputs that a detailed difference names, sorted.
fn found(resource: &Resource) -> Vec<Path> {
    let change = resource.change.as_ref();
    let entries = change.and_then(|change| change.detailed.as_ref());
    let entries = entries
        .into_iter()
        .flatten()
        .filter(|it| !it.entry.is_input);
    let paths = entries.filter_map(|entry| path_of(&entry.path));
    let mut paths: Vec<Path> = paths.collect();
    paths.sort_unstable();
    paths
}

/// Adds the paths of the lists that two values share and that no other list is around.
fn same_lists(one: &Value, other: &Value, path: &mut Path, lists: &mut HashSet<Path>) {
    match (one.payload(), other.payload()) {
        (Payload::Map(map), Payload::Map(others)) => {
            for (key, value) in map {
                if let Some(other) = others.get(key) {
                    path.0.push(Segment::Key(key.clone()));
                    same_lists(value, other, path, lists);
                    path.0.pop();
                }
            }
        }
        (Payload::Array(_), Payload::Array(_)) if one == other => _ = lists.insert(path.clone()),
        _ => {}
    }
}

fn at<'v>(state: Option<&'v State>, path: &Path) -> Option<&'v Value> {
    path.get(state?.outputs.as_ref()?)
}

/// True if the configuration sets the property at `path` or a value around it.
fn is_set(expressions: &Value, path: &Path) -> bool {
    let argument = path.first_key().and_then(|top| expressions.get(top));
    argument.is_some_and(|it| expression_at(it, &path.0[1..]).is_some())
}

/// The expression of a part of an argument, and the steps that lead on inside of its value: those of nested blocks are lists of objects.
/// `None` if there is none.
pub(crate) fn expression_at<'a>(
    argument: &'a Value,
    steps: &'a [Segment],
) -> Option<(&'a Value, &'a [Segment])> {
    let is_block = |map: &Map| !map.is_empty() && !is_expression(map);
    match steps.split_first() {
        Some((step, rest)) if argument.as_map().is_none_or(is_block) => {
            expression_at(step.step(argument).ok()?, rest)
        }
        Some(_) | None => Some((argument, steps)),
    }
}

/// True if the value looks like nested blocks: a list of objects.
fn may_be_blocks(value: &Value) -> bool {
    let is_map = |value: &Value| matches!(value.payload(), Payload::Map(_));
    value
        .as_array()
        .is_some_and(|items| items.iter().any(is_map))
}

/// The schema entry of a place.
enum SchemaEntry<'s> {
    Attribute(&'s Attribute),
    Block,
}

/// The schema entry of the place at `path`; for a value inside an attribute, the entry of the attribute.
fn place<'s>(block: &'s Block, path: &Path) -> Option<SchemaEntry<'s>> {
    let mut segments = path.0.iter();
    let mut block = block;
    loop {
        let Some(Segment::Key(name)) = segments.next() else {
            return Some(SchemaEntry::Block);
        };
        if let Some(attribute) = block.attributes().get(name) {
            return Some(SchemaEntry::Attribute(inner(attribute, segments)));
        }
        let nested = block.blocks().get(name)?;
        if !matches!(nested.nesting, Nesting::Single | Nesting::Group) && segments.next().is_none()
        {
            return Some(SchemaEntry::Block);
        }
        block = &nested.block;
    }
}

/// The attribute of a nested type that the segments lead to, else the attribute itself.
fn inner<'s>(
    attribute: &'s Attribute,
    mut segments: std::slice::Iter<'_, Segment>,
) -> &'s Attribute {
    let Some(nested) = &attribute.nested else {
        return attribute;
    };
    if !matches!(nested.nesting, Nesting::Single | Nesting::Group) {
        segments.next();
    }
    match segments.next() {
        Some(Segment::Key(name)) => match nested.attributes().get(name) {
            Some(attribute) => inner(attribute, segments),
            None => attribute,
        },
        _ => attribute,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    fn json(text: &str) -> Value {
        parse(text.as_bytes(), Numbers::Exact).unwrap().value
    }

    #[track_caller]
    fn check(path: &str, want: bool) {
        let expressions = json(
            r#"{"name": {"constant_value": {"a": 1}}, "size": {"references": ["var.size"]}, "odd": {},
                "rule": [{"port": {"constant_value": 1}}], "one": {"port": {"constant_value": 1}}}"#,
        );
        let path = Path::parse(path).unwrap();
        assert_eq!(is_set(&expressions, &path), want, "{path}");
    }

    #[test]
    fn arguments_of_the_configuration_are_its_own() {
        check("name", true);
        check("name.a", true);
        check("size[0].x", true);
        check("odd.x", true);
        check("rule[0].port", true);
        check("rule[0].id", false);
        check("rule[1].port", false);
        check("one.port", true);
        check("one.id", false);
        check("id", false);
    }

    #[test]
    fn the_schema_decides_between_provider_and_configuration() {
        let block = Block::read(&json(
            r#"{"attributes": {"id": {"type": "string", "computed": true},
                    "secret": {"type": ["map", "string"], "optional": true, "sensitive": true},
                    "disks": {"nested_type": {"nesting_mode": "list", "attributes": {
                        "size": {"type": "number", "required": true}, "serial": {"type": "string", "computed": true}}}, "optional": true}},
                "block_types": {"rule": {"nesting_mode": "list", "block": {"attributes": {
                    "port": {"type": "number", "required": true}, "arn": {"type": "string", "computed": true}}}}}}"#,
        ))
        .unwrap();
        let is_computed = |path: &str| match place(&block, &Path::parse(path).unwrap()) {
            Some(SchemaEntry::Attribute(attribute)) => Some(attribute.flags.computed),
            _ => None,
        };
        assert_eq!(is_computed("id"), Some(true));
        assert_eq!(is_computed("secret.a"), Some(false));
        assert_eq!(is_computed("disks[0].serial"), Some(true));
        assert_eq!(is_computed("disks[3].size"), Some(false));
        assert_eq!(is_computed("rule[0].arn"), Some(true));
        assert_eq!(is_computed("rule[0].port"), Some(false));
        assert_eq!(is_computed("rule[0]"), None);
        assert_eq!(is_computed("rule"), None);
        assert_eq!(is_computed("unheard_of"), None);
    }
}
