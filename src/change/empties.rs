//! Changes that mean nothing: null against an empty collection where the two are the same, and an update without a different value.
//!
//! Null and an empty collection are the same for nested blocks, which are never null, for attributes of the legacy provider SDK, which knows no difference, and
//! for what the program does not set at all. Without a schema the configuration in the file tells blocks from attributes: that of the
//! resource, or of another one of its type. In Pulumi the provider's own difference decides.

use super::difference::{self, Reason, is_modern};
use super::leaves::Leaf;
use super::review::path_of;
use crate::path::{Path, Segment};

use crate::stack::{Action, Resource, Section, Stack, are_blocks, is_expression};
use crate::terraform::address::config_address;
use crate::terraform::schema::Block;
use crate::value::{Payload, Value, same};

/// Marks the leaves of a resource that change nothing.
pub fn settle(stack: &Stack, resource: &Resource, schema: Option<&Block>, leaves: &mut Vec<Leaf>) {
    if leaves.is_empty() {
        leaves.extend(same_values(resource));
    }
    for leaf in leaves.iter_mut().filter(|leaf| is_of_empties(leaf)) {
        if is_same(stack, resource, schema, leaf) {
            leaf.reason = Some(Reason::SameEmpty);
        }
    }
}

/// The leaf of an update all of whose values are known and the same: a number may be written differently.
fn same_values(resource: &Resource) -> Option<Leaf> {
    let change = resource.change.as_ref()?;
    let is_update = change.action == Action::Update && change.comparison.is_none();
    let of_pulumi = resource.address.is_none();
    // Without the names of what differs, something else than a property may be the cause.
    let is_named = !change.diff_keys.is_empty() && change.detailed.iter().flatten().count() == 0;
    let section = resource.program_section();
    let [Some(before), Some(after)] = resource.sides(section) else {
        return None;
    };
    let is_open = [before, after]
        .iter()
        .any(|it| it.has_secrets() || it.has_computed());
    let is_same = is_update && (!of_pulumi || is_named) && !is_open && same(before, after);
    is_same.then(|| Leaf {
        section,
        path: Path::root(),
        document: None,
        pair: None,
        things: Vec::new(),
        action: difference::Action::Update,
        before: Value::NULL,
        after: Value::NULL,
        replaces: false,
        reason: Some(Reason::SameValues),
    })
}

/// True if one side is null and the other one an empty collection.
fn is_of_empties(leaf: &Leaf) -> bool {
    let is_plain = leaf.reason.is_none() && !leaf.replaces && leaf.document.is_none();
    let (before, after) = (&leaf.before, &leaf.after);
    let is_empty = |value: &Value| value.n_parts() == Some(0);
    let is_pair = before.is_null() && is_empty(after) || is_empty(before) && after.is_null();
    is_plain
        && is_pair
        && leaf.section != Section::Options
        && !before.is_secret()
        && !after.is_secret()
}

fn is_same(stack: &Stack, resource: &Resource, schema: Option<&Block>, leaf: &Leaf) -> bool {
    let Some(Segment::Key(top)) = leaf.path.0.first() else {
        return false;
    };
    let Some(address) = resource.address.as_deref() else {
        return is_quiet(resource, top);
    };
    if let Some(schema) = schema {
        let of_block = schema.blocks().contains_key(top);
        let attribute = schema.attributes().get(top);
        return of_block || attribute.is_some_and(|it| !it.flags.computed) && !is_modern(schema);
    }
    let own = stack.expressions.get(&*config_address(address));
    let is_unset = own.is_some_and(|own| written(own, &leaf.path) != Written::Argument);
    is_unset || stack.expressions.has_blocks(&resource.ty, &leaf.path)
}

/// True if the provider compared the properties of a resource of Pulumi, and found no difference in this one.
fn is_quiet(resource: &Resource, top: &str) -> bool {
    let is_of_top =
        |path: &str| path_of(path).is_none_or(|path| path.0.first() == Some(&Segment::from(top)));
    let change = resource.change.as_ref();
    change.is_some_and(|change| {
        let detailed = change.detailed.as_ref();
        !change.diff_keys.iter().any(|key| key == top)
            && detailed.is_some_and(|it| !it.iter().any(|entry| is_of_top(&entry.path)))
    })
}

/// The way in which a configuration writes a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Nothing,
    Block,
    Argument,
}

fn written(expressions: &Value, path: &Path) -> Written {
    let mut here = expressions;
    for step in &path.0 {
        let next = match (step, here.payload()) {
            (Segment::Key(key), Payload::Map(map)) if !is_expression(map) => map.get(key),
            (Segment::Index(index), Payload::Array(items)) => items.get(*index),
            _ => return Written::Argument,
        };
        match next {
            Some(next) => here = next,
            None => return Written::Nothing,
        }
    }
    match here.as_array() {
        Some(items) if are_blocks(items) => Written::Block,
        Some(_) | None => Written::Argument,
    }
}
