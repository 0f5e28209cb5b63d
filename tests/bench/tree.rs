//! The tree of a million resources. Budgets: opening all 10 ms, one node or the last row 100 µs, a frame 1 ms.

#[path = "../support/lib.rs"]
mod support;

use divan::Bencher;
use stacklens::stack::{ResourceId, Stack};
use stacklens::tree::{Arrangement, Folds, Node, Order, Request, Tree};
use support::stacks::{self as made, MILLION, Plan};

fn main() {
    divan::main();
}

/// A million resources: a root, a thousand components below it, a thousand resources below each.
fn stack() -> Stack {
    made::stack(Plan::deep(MILLION))
}

fn tree() -> Tree {
    let stack = stack();
    let mut tree = Tree::empty(Arrangement::Parent, Folds::default());
    tree.extend(&stack, 0);
    tree.set_level(u16::MAX);
    tree
}

#[divan::bench(sample_count = 20)]
fn open_all(bencher: Bencher<'_, '_>) {
    let mut tree = tree();
    bencher.bench_local(|| tree.set_level(u16::MAX));
}

#[divan::bench]
fn close_and_open_one(bencher: Bencher<'_, '_>) {
    let mut tree = tree();
    let node = Node::Resource(ResourceId(500));
    bencher.bench_local(|| {
        tree.set_open(node, false);
        tree.set_open(node, true);
    });
}

#[divan::bench]
fn last_fifty_rows(bencher: Bencher<'_, '_>) {
    let tree = tree();
    bencher.bench_local(|| {
        let len = tree.len();
        (len - 50..len).filter_map(|row| tree.at(row)).count()
    });
}

#[divan::bench]
fn row_of_a_resource(bencher: Bencher<'_, '_>) {
    let tree = tree();
    bencher.bench_local(|| tree.row(Node::Resource(ResourceId(777_777))));
}

#[divan::bench(sample_count = 5)]
fn add_all_in_file_order(bencher: Bencher<'_, '_>) {
    let stack = stack();
    bencher.bench_local(|| {
        let mut tree = Tree::empty(Arrangement::Parent, Folds::default());
        tree.extend(&stack, 0);
        tree.len()
    });
}

/// Budget: 200 ms, in the background; then the tree is swapped.
#[divan::bench(args = ["tree", "flat", "by type"], sample_count = 3)]
fn arrange_all(bencher: Bencher<'_, '_>, name: &str) {
    let stack = stack();
    let arrangements = [Arrangement::Parent, Arrangement::Flat, Arrangement::Type];
    let arrangement = arrangements.into_iter().find(|it| it.name() == name);
    bencher.bench_local(|| {
        let request = Request {
            arrangement: arrangement.unwrap_or_default(),
            ..Request::default()
        };
        Tree::new(&stack, request).len()
    });
}

/// Budget: 200 ms, in the background.
#[divan::bench(args = ["type", "file order"], sample_count = 3)]
fn sort_all(bencher: Bencher<'_, '_>, name: &str) {
    let stack = stack();
    let order = [Order::Type, Order::File]
        .into_iter()
        .find(|it| it.name() == name);
    bencher.bench_local(|| {
        let request = Request {
            arrangement: Arrangement::Flat,
            order: order.unwrap_or_default(),
            ..Request::default()
        };
        Tree::new(&stack, request).len()
    });
}

/// Budget: 200 ms, in the background.
#[divan::bench(sample_count = 3)]
fn filter_to_half(bencher: Bencher<'_, '_>) {
    let stack = stack();
    bencher.bench_local(|| {
        let request = Request {
            filter: Some((0..MILLION / 2).map(|it| ResourceId(2 * it)).collect()),
            ..Request::default()
        };
        Tree::new(&stack, request).len()
    });
}
