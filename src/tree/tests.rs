use super::*;
use crate::stack::{
    Action, Batch, Chunk, Flags, Header, Kind, Prefix, Record, Renewed, ResourceId,
};

/// A stack of resources, each given by its name and the position of its parent.
fn stack(resources: &[(&str, Option<u32>)]) -> Stack {
    let mut stack = Stack::new(Header {
        stack: "dev".to_owned(),
        project: "shop".to_owned(),
        ..Header::new(Kind::PulumiState)
    });
    let mut batch = Batch::default();
    batch
        .tables
        .prefixes
        .push(Prefix::new("urn:pulumi:dev::shop::my:mod:Thing", false));
    let mut chunk = Chunk::default();
    for (name, parent) in resources {
        let record = Record {
            flags: Flags::CUSTOM,
            parent: parent.map(ResourceId),
            ..Record::default()
        };
        chunk.push(record, name, "");
    }
    batch.chunk = chunk;
    stack.extend(batch);
    stack
}

fn text(stack: &Stack, tree: &Tree) -> String {
    let rows: Vec<_> = (0..tree.len())
        .map(|row| {
            let place = tree.at(row).unwrap();
            if place.offset == 0 {
                assert_eq!(tree.row(place.node), Some(row));
            }
            let name = match place.node {
                Node::Resource(id) if place.offset == 0 => stack.name(id).to_owned(),
                Node::Resource(_) => format!("row {}", place.offset),
                other => format!("{other:?}"),
            };
            format!("{}{name}\n", "  ".repeat(place.depth))
        })
        .collect();
    rows.concat()
}

#[test]
fn a_tree_opens_and_closes() {
    let stack = stack(&[
        ("root", None),
        ("b10", Some(0)),
        ("b9", Some(0)),
        ("leaf", Some(1)),
    ]);
    let mut tree = Tree::new(&stack, Request::default());
    assert_eq!(text(&stack, &tree), "root\n  b9\n  b10\n");
    tree.set_open(Node::Resource(ResourceId(1)), true);
    tree.set_extra(Node::Resource(ResourceId(1)), 2);
    assert_eq!(
        text(&stack, &tree),
        "root\n  b9\n  b10\n  row 1\n  row 2\n    leaf\n"
    );
    tree.set_level(0);
    assert_eq!(text(&stack, &tree), "root\n");
    assert_eq!(tree.row(Node::Resource(ResourceId(3))), None);
    assert_eq!(tree.nearest_row(Node::Resource(ResourceId(3))), Some(0));
    tree.open_around(Node::Resource(ResourceId(3)));
    assert_eq!(tree.row(Node::Resource(ResourceId(3))), Some(5));
    assert_eq!(tree.n_resources(Node::Resource(ResourceId(0))), 3);
}

#[test]
fn appending_gives_the_rows_of_making_at_once_in_file_order() {
    let stack = stack(&[
        ("r", None),
        ("a", Some(0)),
        ("b", Some(1)),
        ("c", Some(0)),
        ("d", None),
    ]);
    let whole = Tree::new(
        &stack,
        Request {
            order: Order::File,
            ..Request::default()
        },
    );
    let mut grown = Tree::empty(Arrangement::Parent, Folds::default());
    grown.extend(&stack, 0);
    assert_eq!(text(&stack, &grown), text(&stack, &whole));
    grown.set_level(9);
    assert_eq!(text(&stack, &grown), "r\n  a\n    b\n  c\nd\n");
}

#[test]
fn circles_of_parents_and_lost_parents_lose_nothing() {
    let stack = stack(&[
        ("a", Some(1)),
        ("b", Some(0)),
        ("self", Some(2)),
        ("ok", None),
    ]);
    let mut tree = Tree::new(&stack, Request::default());
    tree.set_level(9);
    let mut names: Vec<_> = text(&stack, &tree)
        .lines()
        .map(|it| it.trim().to_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["a", "b", "ok", "self"]);
}

#[test]
fn a_filter_keeps_what_is_around() {
    let stack = stack(&[("r", None), ("a", Some(0)), ("b", Some(1)), ("c", Some(0))]);
    let tree = Tree::new(
        &stack,
        Request {
            filter: Some(vec![ResourceId(2)]),
            ..Request::default()
        },
    );
    assert_eq!(text(&stack, &tree), "r\n  a\n    b\n");
}

#[test]
fn a_chain_of_parents_stays_shallow() {
    let names: Vec<String> = (0..5000_u32).map(|number| number.to_string()).collect();
    let chain: Vec<_> = names
        .iter()
        .zip(0_u32..)
        .map(|(name, number)| (&**name, number.checked_sub(1)))
        .collect();
    let stack = stack(&chain);
    let mut tree = Tree::new(&stack, Request::default());
    tree.set_level(u16::MAX);
    assert_eq!(tree.len(), 5000);
    assert!((0..5000).all(|row| tree.at(row).unwrap().depth < usize::from(MAX_DEPTH)));
}

/// A stack of `n` resources with random parents, actions and flags.
fn random_stack(n: u32, random: &mut impl FnMut(u32) -> u32) -> Stack {
    let names: Vec<String> = (0..n).map(|number| format!("r{number}")).collect();
    let parents = (0..n).map(|number| (random(4) > 0 && number > 0).then(|| random(number)));
    let resources: Vec<_> = names.iter().map(String::as_str).zip(parents).collect();
    let mut stack = stack(&resources);
    let renewed = stack.ids().map(|id| {
        let record = Record {
            action: (random(4) == 0).then(|| Action::ALL[random(10) as usize]),
            flags: Flags::CUSTOM.with(Flags::TAINTED, random(40) == 0),
            ..*stack.record(id)
        };
        Renewed {
            resource: id,
            record,
            provider_id: String::new(),
        }
    });
    let batch = Batch {
        renewed: renewed.collect(),
        ..Batch::default()
    };
    stack.extend(batch);
    stack
}

/// A generator of random numbers below its argument (xorshift).
fn randoms(mut seed: u64) -> impl FnMut(u32) -> u32 {
    move |n| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        u32::try_from(seed % u64::from(n)).unwrap()
    }
}

/// True if a resource alone has a mark.
fn own_mark(stack: &Stack, id: ResourceId) -> bool {
    let record = stack.record(id);
    let is_change = record.action.is_some_and(|it| it != Action::Noop);
    is_change || record.flags.contains(Flags::TAINTED)
}

/// True if `id` is `node` or below it.
fn is_at_or_below(tree: &Tree, node: Node, id: ResourceId) -> bool {
    let mut next = Some(Node::Resource(id));
    while let Some(inner) = next {
        if inner == node {
            return true;
        }
        next = tree.parent(inner);
    }
    false
}

/// True if a row has a mark, found by looking at every resource.
fn slow_mark(stack: &Stack, tree: &Tree, row: usize) -> bool {
    let place = tree.at(row).unwrap();
    if place.offset > 0 {
        return false;
    }
    let mut all = stack.ids().filter(|id| {
        let node = Node::Resource(*id);
        node == place.node || !tree.is_open(place.node) && is_at_or_below(tree, place.node, *id)
    });
    all.any(|id| own_mark(stack, id))
}

#[test]
fn a_range_has_a_mark_if_one_of_its_rows_has() {
    let (mut n_marked, mut n_rows) = (0, 0);
    for seed in 1..40 {
        let mut random = randoms(seed);
        let stack = random_stack(60, &mut random);
        let mut tree = Tree::new(&stack, Request::default());
        for _ in 0..20 {
            let node = Node::Resource(ResourceId(random(60)));
            tree.set_open(node, random(3) > 0);
            tree.set_extra(node, random(4) as usize);
        }
        let marks: Vec<_> = (0..tree.len())
            .map(|row| slow_mark(&stack, &tree, row))
            .collect();
        for from in 0..tree.len() {
            for to in from + 1..=tree.len() {
                let slow = marks[from..to].contains(&true);
                assert_eq!(tree.has_mark(from..to), slow, "{from}..{to}");
            }
        }
        n_marked += marks.iter().filter(|it| **it).count();
        n_rows += marks.len();
        assert!(!tree.has_mark(3..3));
    }
    assert!(
        n_marked > 100 && n_rows - n_marked > 100,
        "{n_marked} of {n_rows}"
    );
}

/// The changes below a node, found by looking at every resource.
fn slow_changes(stack: &Stack, tree: &Tree, node: Node) -> Vec<(Action, usize)> {
    let count = |action: Action| {
        let ids = stack.ids().filter(|id| {
            let is_it = stack.record(*id).action == Some(action);
            is_it && Node::Resource(*id) != node && is_at_or_below(tree, node, *id)
        });
        (action, ids.count())
    };
    let all = Action::ALL.into_iter().filter(|it| *it != Action::Noop);
    all.map(count).filter(|(_, n)| *n > 0).collect()
}

#[test]
fn a_node_sums_up_the_changes_below_it_while_resources_come_and_change() {
    for seed in 1..20 {
        let mut random = randoms(seed);
        let stack = random_stack(80, &mut random);
        let mut grown = Tree::empty(Arrangement::Parent, Folds::default());
        grown.extend(&stack, 0);
        let later = {
            let mut later = stack.clone();
            let mut renewed = Vec::new();
            for id in later.ids() {
                let action = (random(2) == 0).then(|| Action::ALL[random(10) as usize]);
                let record = Record {
                    action,
                    ..*later.record(id)
                };
                renewed.push(Renewed {
                    resource: id,
                    record,
                    provider_id: String::new(),
                });
            }
            let batch = Batch {
                renewed,
                ..Batch::default()
            };
            later.extend(batch);
            later
        };
        let mut renewed = grown.clone();
        renewed.renew(&later, &later.ids().collect::<Vec<_>>());
        for (stack, tree) in [(&stack, &grown), (&later, &renewed)] {
            for id in stack.ids() {
                let node = Node::Resource(id);
                let sums: Vec<_> = tree.changes(&[node]).collect();
                assert_eq!(sums, slow_changes(stack, tree, node));
            }
            let any = stack.ids().any(|id| own_mark(stack, id));
            assert_eq!(tree.has_mark(0..tree.len()), any);
        }
    }
}
