use super::*;
use crate::stack::{
    Batch, Chunk, Flags, Header, Kind, Prefix, Record, ResourceId, ShapeId, Span, Tool,
};

/// A stack of resources, each given by its name and the position of its parent.
fn stack(resources: &[(&str, Option<u32>)]) -> Stack {
    let mut stack = Stack::new(Header {
        kind: Kind::PulumiState,
        tool: Tool::Pulumi,
        tool_version: String::new(),
        format_version: String::new(),
        stack: "dev".to_owned(),
        project: "shop".to_owned(),
        fields: Vec::new(),
        hidden: crate::terraform::schema::HiddenPlaces::default(),
    });
    let mut batch = Batch::default();
    batch
        .tables
        .prefixes
        .push(Prefix::new("urn:pulumi:dev::shop::my:mod:Thing", false));
    let mut chunk = Chunk::default();
    for (name, parent) in resources {
        let record = Record {
            span: Span::default(),
            flags: Flags::CUSTOM,
            prefix: crate::stack::PrefixId(0),
            group: None,
            parent: parent.map(ResourceId),
            provider: None,
            shape: ShapeId(0),
            action: None,
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
fn adding_behind_gives_the_rows_of_making_at_once_in_file_order() {
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
