//! The tree of a million resources. Budgets: opening all 10 ms, one node or the last row 100 µs, a frame 1 ms.

use divan::Bencher;
use stacklens::stack::{
    Batch, Chunk, Flags, Header, Kind, Prefix, PrefixId, Record, ResourceId, ShapeId, Span, Stack,
    Tool,
};
use stacklens::tree::{Arrangement, Folds, Node, Request, Tree};

fn main() {
    divan::main();
}

const N: u32 = 1_000_000;

/// A million resources: a root, a thousand components below it, a thousand resources below each.
fn stack() -> Stack {
    let mut stack = Stack::new(Header {
        kind: Kind::PulumiState,
        tool: Tool::Pulumi,
        tool_version: String::new(),
        format_version: String::new(),
        stack: "dev".to_owned(),
        project: "bench".to_owned(),
        fields: Vec::new(),
    });
    let mut batch = Batch::default();
    let prefix = Prefix::new("urn:pulumi:dev::bench::a:b:C", false);
    batch.tables.prefixes.push(prefix);
    stack.extend(batch);
    for start in (0..N).step_by(4096) {
        let mut chunk = Chunk::default();
        for number in start..(start + 4096).min(N) {
            let parent = match number {
                0 => None,
                1..=1000 => Some(ResourceId(0)),
                _ => Some(ResourceId(1 + number % 1000)),
            };
            let record = Record {
                span: Span::default(),
                flags: Flags::CUSTOM,
                prefix: PrefixId(0),
                group: None,
                parent,
                provider: None,
                shape: ShapeId(0),
                action: None,
            };
            let name = format!("resource-{}", number.wrapping_mul(2_654_435_761));
            chunk.push(record, &name, "");
        }
        stack.extend(Batch {
            chunk,
            ..Batch::default()
        });
    }
    stack
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

/// In the background.
#[divan::bench(sample_count = 3)]
fn sort_all(bencher: Bencher<'_, '_>) {
    let stack = stack();
    bencher.bench_local(|| Tree::new(&stack, Request::default()).len());
}
