//! Blocks of a schema, and attributes of nested types.

use std::sync::Arc;

use super::align::at_index;
use super::elements::{Inside, Telling};
use super::identity::is_crossing;
use super::list::order_by_content;
use super::pair::{After, Pair};
use super::typed::{object_with, set_order, typed};
use super::{Action, Alignment, Diff, DiffKind, plain};
use crate::path::{Path, Segment};
use crate::terraform::schema::{Attribute, Block, NestedBlock, NestedType, Nesting};
use crate::types::Type;
use crate::types::cty::has_dynamic;
use crate::value::Value;

/// The nested blocks of one name.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The name.
    pub name: Arc<str>,
    /// True if the blocks as a whole force the replacement of the resource.
    pub replaces: bool,
    /// True if the blocks are a set, whose elements have no lasting index.
    pub is_set: bool,
    /// True if blocks that are on both sides have another order after than before.
    pub is_reordered: bool,
    /// The blocks.
    pub members: Vec<Member>,
}

/// One nested block.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// Its key, in a map of blocks.
    pub key: Option<Arc<str>>,
    /// Its index before and after, in a list or a set of blocks. `None` on both sides for a single block.
    pub index: (Option<usize>, Option<usize>),
    /// The difference of the block.
    pub diff: Diff,
}

impl Group {
    /// The placeholder for an unknown number of blocks; `None` if the group has none.
    fn unknown_number(&mut self, nested: &NestedBlock) -> Option<&mut Diff> {
        let is_single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
        let first = self.members.first_mut().filter(|_| !is_single)?;
        let has_place = first.key.is_some() || first.index != (None, None);
        (!has_place).then_some(&mut first.diff)
    }

    /// The path of a member, in a block at `block`: its place after the change, or before it if it is deleted.
    pub fn path(&self, member: &Member, block: &Path) -> Path {
        let path = block.child(Segment::Key(self.name.clone()));
        match (&member.key, member.index.1.or(member.index.0)) {
            (Some(key), _) => path.child(Segment::Key(key.clone())),
            (None, Some(index)) => path.child(Segment::Index(index)),
            (None, None) => path,
        }
    }
}

/// The difference of two values of `schema`.
pub(super) fn block(pair: &Pair<'_>, schema: &Block) -> Diff {
    let whole = pair.whole(true, After::UnknownAttributes, |pair| block(pair, schema));
    if let Some(diff) = whole {
        return diff;
    }
    let mut pair = pair.clone();
    pair.modern |= is_modern(schema);

    let is_attribute = |key: &str| !schema.blocks().contains_key(key);
    let names = schema.attributes();
    let (mut attributes, mut action) =
        object_with(&pair, names.keys(), is_attribute, |child, key| {
            attribute(&pair, child, schema.attributes().get(key))
        });
    let mut names: Vec<_> = schema.blocks().iter().collect();
    names.sort_unstable_by_key(|(name, _)| *name);
    let mut groups = Vec::new();
    for (name, nested) in names {
        let place = pair.key(name).of_interest();
        if let Some((group, group_action)) = group(&place, name, nested) {
            action = action.with_child(group_action);
            groups.push((group, place));
        }
    }
    let groups = groups
        .into_iter()
        .map(|(mut group, place)| {
            if let Some(unknown) = group.unknown_number(&schema.blocks()[&group.name]) {
                unknown.action = action;
            }
            masked(group, &place)
        })
        .collect();
    add_write_only(
        schema.attributes().iter(),
        action,
        &mut attributes,
        |name| Diff {
            replaces: pair.ends_here(),
            ..pair
                .key(name)
                .node(action, DiffKind::WriteOnly { sensitive: false })
        },
    );
    pair.node(action, DiffKind::Block { attributes, groups })
}

/// The difference of an attribute of the object or block at `parent`; `None` if it is write-only.
fn attribute(parent: &Pair<'_>, child: &Pair<'_>, attribute: Option<&Attribute>) -> Option<Diff> {
    let Some(attribute) = attribute else {
        return Some(plain::plain(child));
    };
    if attribute.flags.write_only {
        return None;
    }
    let mut child = child.clone();
    if parent.setting.known == After::UnknownAttributes {
        child.setting.known = After::Unknown;
    }
    Some(match &attribute.nested {
        Some(nested) => of_nested_type(&child, nested),
        None => typed(&child, &attribute.ty),
    })
}

/// Adds the write-only attributes, which are never in a file. They have the action of their parent, except that an update
/// leaves them unchanged.
///
/// In a block they force replacement if the block does. In an object they do if they are themselves named.
fn add_write_only<'s>(
    schema: impl Iterator<Item = (&'s Arc<str>, &'s Attribute)>,
    action: Action,
    attributes: &mut Vec<(Arc<str>, Diff)>,
    describe: impl Fn(&str) -> Diff,
) {
    let n_others = attributes.len();
    for (name, _) in schema.filter(|(_, attribute)| attribute.flags.write_only) {
        let mut diff = describe(name);
        if action == Action::Update {
            diff.action = Action::Same;
        }
        attributes.push((name.clone(), diff));
    }
    if attributes.len() > n_others {
        attributes.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    }
}

/// The difference of two values of a nested type.
fn of_nested_type(pair: &Pair<'_>, nested: &NestedType) -> Diff {
    if nested.nesting == Nesting::Single || nested.nesting == Nesting::Group {
        return nested_object(pair, nested);
    }
    let again = |pair: &Pair<'_>| of_nested_type(pair, nested);
    let masked = pair.sensitive(false, again);
    if let Some(diff) = masked.or_else(|| pair.unknown(After::Known, again)) {
        return diff;
    }
    let object = |pair: &Pair<'_>| nested_object(pair, nested);
    match nested.nesting {
        Nesting::List => {
            let (elements, action) = described(pair, of_list(pair), object).done();
            let kind = DiffKind::List {
                elements,
                nested: true,
            };
            pair.node(action, kind)
        }
        Nesting::Set => {
            let (elements, action) = described(pair, of_set(pair), object).done_in_any_order();
            let kind = DiffKind::Set {
                elements,
                nested: true,
            };
            pair.node(action, kind)
        }
        Nesting::Map | Nesting::Single | Nesting::Group => {
            let (entries, action) = by_key(pair, object);
            let kind = DiffKind::Map {
                entries,
                nested: true,
            };
            pair.node(action, kind)
        }
    }
}

/// The difference of two objects of a nested type.
fn nested_object(pair: &Pair<'_>, nested: &NestedType) -> Diff {
    let again = |pair: &Pair<'_>| nested_object(pair, nested);
    if let Some(diff) = pair.whole(false, After::UnknownAttributes, again) {
        return diff;
    }
    let names = nested.attributes();
    let (mut entries, action) = object_with(
        pair,
        names.keys(),
        |_| true,
        |child, key| attribute(pair, child, names.get(key)),
    );
    add_write_only(names.iter(), action, &mut entries, |name| {
        let child = pair.key(name);
        let sensitive = child.sensitivity() != (false, false);
        child.node(action, DiffKind::WriteOnly { sensitive })
    });
    let kind = DiffKind::Object {
        entries,
        nested: true,
    };
    pair.node(action, kind)
}

/// A child that is an element, with its index before and after.
type Indexed<'v> = ((Option<usize>, Option<usize>), Pair<'v>);

/// The elements of a list in display order. Terraform's own text pairs them by index.
fn of_list<'v>(pair: &Pair<'v>) -> impl Iterator<Item = Indexed<'v>> {
    let (n_old, n_new) = pair.lengths();
    let by_index = |index| at_index(index, (n_old, n_new));
    let order: Vec<_> = match pair.setting.alignment {
        Alignment::Content => order_by_content(pair),
        Alignment::Terraform => (0..n_old.max(n_new)).map(by_index).collect(),
    };
    let child = |(old, new)| ((old, new), pair.index(old, new).of_interest());
    order.into_iter().map(child)
}

/// The elements of a set, each paired with its equal on the other side.
fn of_set<'v>(pair: &Pair<'v>) -> impl Iterator<Item = Indexed<'v>> {
    let child = |(old, new)| ((old, new), pair.index(old, new).all_of_interest());
    set_order(pair).into_iter().map(child)
}

/// The elements of a list or set, all described at once.
fn described<'p, 'v>(
    pair: &'p Pair<'v>,
    elements: impl Iterator<Item = Indexed<'v>>,
    describe: impl Fn(&Pair<'_>) -> Diff,
) -> Telling<'p, 'v> {
    let mut telling = Telling::new(pair, Inside::Any);
    for ((old, new), child) in elements {
        telling.described(old, new, describe(&child));
    }
    telling
}

/// The blocks of a list or set, and their action.
fn blocks<'v>(
    pair: &Pair<'v>,
    elements: impl Iterator<Item = Indexed<'v>>,
    describe: impl Fn(&Pair<'_>) -> Diff,
) -> (Vec<Member>, Action) {
    let mut action = pair.start();
    let member = |(index, child): Indexed<'v>| {
        let diff = describe(&child);
        action = action.with_child(diff.action);
        Member {
            key: None,
            index,
            diff,
        }
    };
    (elements.map(member).collect(), action)
}

/// Entries by key, and their action. A key that is absent before and unknown after is left out.
fn by_key(
    pair: &Pair<'_>,
    describe: impl Fn(&Pair<'_>) -> Diff,
) -> (Vec<(Arc<str>, Diff)>, Action) {
    let mut action = pair.start();
    let mut entries = Vec::new();
    for key in pair.keys() {
        let child = pair.key(&key).of_interest();
        if child.before.value.is_none() && child.after.value.is_some_and(Value::is_computed) {
            continue;
        }
        let diff = describe(&child);
        action = action.with_child(diff.action);
        entries.push((key, diff));
    }
    (entries, action)
}

/// The nested blocks `name` at `pair`, and their action; `None` if neither side has any.
///
/// An unknown number of blocks is drawn as one unknown block, and the blocks before are deleted.
fn group(pair: &Pair<'_>, name: &Arc<str>, nested: &NestedBlock) -> Option<(Group, Action)> {
    let is_single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
    let is_unknown = pair.is_unknown();
    let (members, action) = if is_unknown && !is_single {
        // The blocks before are deleted. The placeholder for the blocks after is drawn with its parent's action.
        let (deleted, action) = members(&pair.deleted(After::Known), nested);
        let unknown = Diff {
            replaces: false,
            ..pair.node(Action::Same, DiffKind::Unknown { before: None })
        };
        let members = alone(unknown).into_iter().chain(deleted).collect();
        (members, action)
    } else {
        members(pair, nested)
    };
    // The order of blocks that are masked stays hidden too.
    let is_reordered = nested.nesting == Nesting::List
        && pair.sensitivity() == (false, false)
        && is_crossing(&members.iter().map(|it| it.index).collect());
    let action = match action {
        Action::Same if is_reordered => Action::Update,
        action => action,
    };
    if action == Action::Same && pair.is_nothing() && !is_unknown {
        return None;
    }
    let group = Group {
        is_reordered,
        name: name.clone(),
        replaces: pair.ends_here(),
        is_set: nested.nesting == Nesting::Set,
        members,
    };
    Some((group, action))
}

/// The blocks of a group of known number, and their action.
fn members(pair: &Pair<'_>, nested: &NestedBlock) -> (Vec<Member>, Action) {
    let describe = |pair: &Pair<'_>| block(pair, &nested.block);
    let of_entry = |(key, diff)| Member {
        key: Some(key),
        index: (None, None),
        diff,
    };
    match nested.nesting {
        Nesting::Single | Nesting::Group => {
            let diff = describe(pair);
            let action = diff.action;
            (alone(diff), action)
        }
        Nesting::List => blocks(pair, of_list(pair), describe),
        Nesting::Set => blocks(pair, of_set(pair), describe),
        Nesting::Map => {
            let (entries, action) = by_key(pair, describe);
            (entries.into_iter().map(of_entry).collect(), action)
        }
    }
}

fn alone(diff: Diff) -> Vec<Member> {
    vec![Member {
        key: None,
        index: (None, None),
        diff,
    }]
}

/// The group with its blocks masked: each one that is on a sensitive side loses its contents.
fn masked(mut group: Group, pair: &Pair<'_>) -> Group {
    let (before, after) = pair.sensitivity();
    for Member { diff, .. } in &mut group.members {
        let is_masked = match diff.action {
            Action::Create => after,
            Action::Delete => before,
            Action::Update | Action::Same => before || after,
        };
        if !is_masked {
            continue;
        }
        diff.kind = DiffKind::Sensitive {
            content: diff.action,
            before,
            after,
            block: true,
        };
        if diff.action == Action::Same && before != after {
            diff.action = Action::Update;
        }
        diff.before = std::mem::take(&mut diff.before).with_secret(true);
        diff.after = std::mem::take(&mut diff.after).with_secret(true);
    }
    group
}

/// True if the schema cannot come from the legacy provider SDK. Then `""` is a value and does not mean null.
pub(crate) fn is_modern(schema: &Block) -> bool {
    let nesting = |nested: &NestedBlock| matches!(nested.nesting, Nesting::Map | Nesting::Group);
    let attribute =
        |attribute: &Attribute| attribute.nested.is_some() || is_modern_type(&attribute.ty);
    schema.blocks().values().any(nesting) || schema.attributes().values().any(attribute)
}

fn is_modern_type(ty: &Type) -> bool {
    let is_collection = |ty: &Type| matches!(ty, Type::Array(_) | Type::Set(_) | Type::Map(_));
    match ty {
        Type::Dynamic | Type::Tuple(_) | Type::Object(_) => true,
        Type::Array(element) | Type::Set(element) | Type::Map(element) => match &**element {
            Type::Array(inner) | Type::Set(inner) | Type::Map(inner) => {
                is_collection(inner) || is_modern_type(inner)
            }
            element => has_dynamic(element),
        },
        _ => false,
    }
}
