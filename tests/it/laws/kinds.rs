//! Laws of changed leaves and of kinds of change.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;
use stacklens::change::difference::{Context, describe};
use stacklens::change::kinds::{
    Kind, Kinds, LeafPrint, Links, Partition, Shape, Subject, Tag, told,
};
use stacklens::change::leaves::{Leaf, leaves};
use stacklens::change::review::SectionDiff;
use stacklens::stack::{Action, ResourceId, Section};
use stacklens::value::{Map, Value};

use super::generate;

/// A changed resource.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    ty: &'static str,
    action: Action,
    before: Value,
    after: Value,
}

fn leaves_of(row: &Row) -> Vec<Leaf> {
    let diff = describe(&row.before, &row.after, Context::default());
    let section = Section::Outputs;
    leaves(&[SectionDiff { section, diff }])
}

/// Values of few shapes, so that many rows have something in common.
fn properties() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        3 => "[ab]".prop_map(Value::from),
        1 => "[ab]".prop_map(|text| Value::from(text).with_secret(true)),
        1 => Just(Value::computed()),
        1 => Just(Value::from(r#"{"Statement": [1, 2]}"#)),
        1 => Just(Value::from(r#"{"Statement": [2, 1]}"#)),
    ];
    let list = vec(text.clone(), 0..3).prop_map(Value::from);
    let part = prop_oneof![3 => text.boxed(), 1 => list.boxed()];
    let entries = proptest::collection::btree_map("(tags|size|name|web-[12])", part, 0..4);
    entries.prop_map(|entries| {
        let entries = entries
            .into_iter()
            .map(|(key, value): (String, Value)| (key, value));
        Value::from(entries.collect::<Map>())
    })
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let action = prop_oneof![
        6 => Just(Action::Update),
        2 => Just(Action::Replace),
        1 => Just(Action::Create),
        1 => Just(Action::Delete),
        2 => Just(Action::Noop),
    ];
    let ty = prop_oneof![Just("a"), Just("b")];
    let row = (ty, action, properties(), properties());
    vec(row, 0..14).prop_map(|rows| {
        let row = |(number, (ty, action, before, after))| Row {
            name: format!("{ty}.x{number}"),
            ty,
            action,
            before,
            after,
        };
        rows.into_iter().enumerate().map(row).collect()
    })
}

/// The kinds of some rows. The number of a row in `names` is its id.
fn partition<'r>(rows: impl Iterator<Item = (usize, &'r Row)>) -> Partition {
    let mut kinds = Kinds::default();
    for (number, row) in rows {
        let subject = Subject {
            id: ResourceId(u32::try_from(number).unwrap()),
            name: &row.name,
            ty: row.ty,
            action: row.action,
            is_missed: false,
            is_in_order: false,
            mute: None,
        };
        if row.action != Action::Noop {
            kinds.add(subject, &told(leaves_of(row)), &|_| false, &|_| true);
        }
    }
    kinds.finish(&Links::default())
}

/// The kinds of all stories.
fn kinds(found: &Partition) -> impl Iterator<Item = &Kind> {
    let stories = found.stories.iter();
    stories.flat_map(|story| std::iter::once(&story.head).chain(&story.along))
}

fn prints(row: &Row) -> BTreeSet<LeafPrint> {
    let leaves = told(leaves_of(row));
    leaves
        .iter()
        .map(|leaf| LeafPrint::of(leaf, row.name.as_str()))
        .collect()
}

proptest! {
    #[test]
    fn nothing_has_no_leaves(value in generate::value(generate::Kinds::Pulumi)) {
        let diff = describe(&value, &value.clone(), Context::default());
        let found = leaves(&[SectionDiff { section: Section::Inputs, diff }]);
        prop_assert_eq!(found, []);
    }

    #[test]
    fn a_difference_has_leaves(
        before in generate::value(generate::Kinds::Pulumi),
        after in generate::value(generate::Kinds::Pulumi),
    ) {
        let diff = describe(&before, &after, Context::default());
        let is_change = diff.is_change();
        let found = leaves(&[SectionDiff { section: Section::Inputs, diff }]);
        prop_assert_eq!(!found.is_empty(), is_change);
    }

    #[test]
    fn stories_are_a_partition(rows in rows()) {
        let found = partition(rows.iter().enumerate());
        let mut members: Vec<usize> =
            kinds(&found).flat_map(|kind| &kind.members).map(|id| id.index()).collect();
        members.sort_unstable();
        let changed = rows.iter().enumerate().filter(|(_, row)| row.action != Action::Noop);
        prop_assert_eq!(members, changed.map(|(number, _)| number).collect::<Vec<_>>());
    }

    #[test]
    fn a_kind_is_true_of_each_member(rows in rows()) {
        let found = partition(rows.iter().enumerate());
        for kind in kinds(&found) {
            let mut types: BTreeMap<&str, usize> = BTreeMap::new();
            for (number, id) in kind.members.iter().enumerate() {
                let row = &rows[id.index()];
                *types.entry(row.ty).or_default() += 1;
                prop_assert_eq!(row.action, kind.action);
                let prints = prints(row);
                for shared in &kind.changes {
                    let is_there = if number == 0 || shared.same_values {
                        prints.contains(&shared.leaf)
                    } else {
                        prints.iter().any(|print| print.place == shared.leaf.place)
                    };
                    prop_assert!(is_there, "{:?}", row);
                }
                if kind.shape == Shape::NoEffect {
                    let common: BTreeSet<_> = found.common.iter().map(|it| it.leaf.change).collect();
                    let own = prints.iter().filter(|it| !it.is_idle && it.tag == Tag::No);
                    prop_assert!(own.clone().all(|it| common.contains(&it.change)));
                }
            }
            let told: BTreeMap<&str, usize> =
                kind.types.iter().map(|(ty, count)| (&**ty, *count)).collect();
            prop_assert_eq!(told, types);
        }
    }

    #[test]
    fn factoring_out_and_adding_back_gives_the_change(rows in rows()) {
        let found = partition(rows.iter().enumerate());
        let is_update = |kind: &&Kind| kind.action == Action::Update;
        let common: BTreeSet<_> = found.common.iter().map(|it| it.leaf.change).collect();
        let tells = |kind: &Kind, print: &LeafPrint| {
            kind.changes.iter().any(|shared| shared.leaf.place == print.place)
        };
        for kind in kinds(&found).filter(is_update) {
            for id in &kind.members {
                let row = &rows[id.index()];
                // A family tells what its members have besides their own.
                let families: Vec<&Kind> = kinds(&found)
                    .filter(is_update)
                    .filter(|it| it.n_besides > 0 && &*it.types[0].0 == row.ty)
                    .collect();
                for print in prints(row) {
                    let is_told = tells(kind, &print) || families.iter().any(|it| tells(it, &print));
                    prop_assert!(
                        is_told || common.contains(&print.change) || print.is_idle || print.tag != Tag::No,
                        "{row:?} has {print:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_order_of_the_file_does_not_matter(
        (rows, order) in rows().prop_flat_map(|rows| {
            let order: Vec<usize> = (0..rows.len()).collect();
            (Just(rows), Just(order).prop_shuffle())
        }),
    ) {
        let straight = partition(rows.iter().enumerate());
        let shuffled = partition(order.iter().map(|place| (*place, &rows[*place])));
        prop_assert_eq!(straight, shuffled);
    }
}
