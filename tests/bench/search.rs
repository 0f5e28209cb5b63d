//! What a person waits for while typing in the search bar, at a million resources.
//!
//! Budgets (one thread): first hits after the first slice within 1 ms, the whole answer within 16 ms; a pattern over 100,000
//! resources within 5 ms; everything that needs a hub of 100,000 dependents within 50 ms.

use divan::{Bencher, black_box};
use stacklens::graph::{Direction, Graph, Link};
use stacklens::path::Segment;
use stacklens::search::{Index, LIMIT, Query, Selection, run};
use stacklens::stack::{
    Batch, EdgeKind, Flags, Header, Kind, PathId, PathNode, Prefix, PrefixId, Record, ResourceId,
    Section, Shape, ShapeId, Span, Stack, Tables, Tool,
};

fn main() {
    divan::main();
}

/// A generator of its own, so that names are random and yet the same in each run: names in a cycle would flatter the mask.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        let at = self.below(texts.len() as u64);
        texts[usize::try_from(at).unwrap_or(0)]
    }
}

const WORDS: &[&str] = &[
    "orders", "billing", "auth", "web", "api", "cache", "queue", "db", "proxy", "worker", "media",
    "search", "mail", "audit", "report",
];

const KEYS: &[&str] = &[
    "arn",
    "id",
    "name",
    "tags",
    "password",
    "address",
    "policy",
    "vpcId",
    "subnetIds",
    "engineVersion",
    "endpoint",
    "region",
];

fn tables() -> Tables {
    let mut tables = Tables::default();
    for (module, ty) in [
        ("rds", "Instance"),
        ("s3", "Bucket"),
        ("ec2", "SecurityGroup"),
        ("iam", "Role"),
        ("lambda", "Function"),
    ] {
        for chain in ["", "my:Db$", "eks:Cluster$"] {
            let text = format!("urn:pulumi:prod::net::{chain}aws:{module}/x:{ty}");
            tables.prefixes.push(Prefix::new(&text, false));
        }
    }
    tables.paths.push(PathNode {
        parent: None,
        segment: None,
        section: Section::Outputs,
    });
    for parent in [0, 3, 4] {
        for key in KEYS {
            tables.paths.push(PathNode {
                parent: Some(PathId(parent)),
                segment: Some(Segment::from(*key)),
                section: Section::Outputs,
            });
        }
    }
    let mut random = Random(7);
    for _ in 0..25 {
        let paths = (1..37)
            .filter(|_| random.below(3) > 0)
            .map(PathId)
            .collect();
        tables.shapes.push(Shape { paths });
    }
    tables
}

fn stack(n_resources: u32) -> Stack {
    let mut stack = Stack::new(Header {
        kind: Kind::PulumiState,
        tool: Tool::Pulumi,
        tool_version: String::new(),
        format_version: String::new(),
        stack: "prod".into(),
        project: "net".into(),
        fields: Vec::new(),
    });
    let mut random = Random(42);
    let mut batch = Batch {
        tables: tables(),
        ..Batch::default()
    };
    for _ in 0..n_resources {
        let record = Record {
            span: Span::default(),
            flags: Flags::NONE,
            prefix: PrefixId(u32::try_from(random.below(15)).unwrap_or(0)),
            group: None,
            parent: None,
            provider: None,
            shape: ShapeId(u32::try_from(random.below(25)).unwrap_or(0)),
            action: None,
        };
        let name = format!(
            "{}-{}-{:x}",
            random.pick(WORDS),
            random.pick(WORDS),
            random.below(1 << 24)
        );
        batch.chunk.push(record, &name, "");
        if batch.chunk.len() == 4096 {
            stack.extend(std::mem::take(&mut batch));
        }
    }
    stack.extend(batch);
    stack
}

fn search(index: &Index, text: &str) -> u64 {
    let query = Query::parse(text).unwrap_or_default();
    let selection = Selection::default();
    run(index, &query, None, &selection, None, LIMIT, &mut |_, _| {
        true
    })
    .map_or(0, |found| found.total)
}

#[divan::bench(args = ["o", "or", "ord", "orders db", "odb", "rds pass !proxy", "zqx", "3f7a"], sample_count = 10)]
fn keystroke_at_a_million(bencher: Bencher<'_, '_>, text: &str) {
    let index = Index::new(&stack(1_000_000));
    bencher.bench_local(|| search(black_box(&index), black_box(text)));
}

#[divan::bench(args = ["o", "orders db"], sample_count = 10)]
fn first_hits_at_a_million(bencher: Bencher<'_, '_>, text: &str) {
    let index = Index::new(&stack(1_000_000));
    let query = Query::parse(text).unwrap_or_default();
    bencher.bench_local(|| {
        let mut first = 0;
        run(
            &index,
            &query,
            None,
            &Selection::default(),
            None,
            LIMIT,
            &mut |_, found| {
                first = found().hits.len();
                false
            },
        );
        first
    });
}

#[divan::bench(args = ["**.arn", "root.tags.*", "type:aws:s3/* @name"], sample_count = 10)]
fn pattern_over_100_000(bencher: Bencher<'_, '_>, text: &str) {
    let index = Index::new(&stack(100_000));
    bencher.bench_local(|| search(black_box(&index), black_box(text)));
}

#[divan::bench(sample_count = 5)]
fn index_of_a_million(bencher: Bencher<'_, '_>) {
    let stack = stack(1_000_000);
    bencher.bench_local(|| Index::new(black_box(&stack)).len());
}

#[divan::bench(sample_count = 10)]
fn reach_of_a_hub_with_100_000(bencher: Bencher<'_, '_>) {
    let edges = (1..=100_000)
        .map(|from| {
            let link = Link {
                to: ResourceId(0),
                kind: EdgeKind::Dependency,
            };
            (ResourceId(from), link)
        })
        .collect();
    let graph = Graph::new(100_001, edges);
    bencher.bench_local(|| graph.reach(ResourceId(0), Direction::UsedBy).len());
}
