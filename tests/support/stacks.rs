//! Stacks generated in memory for tests and benches. Names are random, yet the same in each run: cyclic names would flatter any
//! code that compares letters.

use std::sync::Arc;

use stacklens::format::{Source, SourceError};
use stacklens::load::{Cycles, Document, LoadEvent, Summary};
use stacklens::path::Segment;
use stacklens::stack::graph::{Graph, Link};
use stacklens::stack::{
    Action, Batch, Counts, EdgeKind, Flags, Header, Kind, PathId, PathNode, Prefix, PrefixId,
    Record, ResourceId, Section, ShapeId, Span, Stack, Tables,
};

/// Number of resources in the performance goals.
pub(crate) const MILLION: u32 = 1_000_000;

/// Number of resources in a batch of a loader.
const BATCH: usize = 4096;

/// A generator of random numbers (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number less than `n`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0 % u64::from(n)).unwrap_or(0)
    }

    /// A random element of `texts`.
    pub(crate) fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        let len = u32::try_from(texts.len()).unwrap_or(1);
        texts[self.below(len) as usize]
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

/// The parameters of a generated stack.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    /// Number of resources.
    pub(crate) n_resources: u32,
    /// Number of components below the first resource, with all other resources below them; 0 for none.
    pub(crate) n_components: u32,
    /// True if every resource changes.
    pub(crate) changes: bool,
}

impl Plan {
    /// All resources at the top level.
    pub(crate) fn flat(n_resources: u32) -> Self {
        Self {
            n_resources,
            n_components: 0,
            changes: false,
        }
    }

    /// A root, a thousand components below it, and the rest below these.
    pub(crate) fn deep(n_resources: u32) -> Self {
        Self {
            n_components: 1000,
            ..Self::flat(n_resources)
        }
    }

    fn parent(self, number: u32) -> Option<ResourceId> {
        match number {
            _ if self.n_components == 0 => None,
            0 => None,
            number if number <= self.n_components => Some(ResourceId(0)),
            number => Some(ResourceId(1 + number % self.n_components)),
        }
    }

    fn action(self, random: &mut Random) -> Option<Action> {
        let at = random.below(20);
        self.changes.then_some(match at {
            0 => Action::Delete,
            1 => Action::Replace,
            2..8 => Action::Update,
            _ => Action::Create,
        })
    }
}

/// The header of a file.
pub(crate) fn header(kind: Kind) -> Header {
    Header {
        stack: "prod".into(),
        project: "net".into(),
        ..Header::new(kind)
    }
}

/// Fifteen types, 37 property paths, 25 shapes.
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
        let paths: Vec<_> = (1..37)
            .filter(|_| random.below(3) > 0)
            .map(PathId)
            .collect();
        tables.shapes.push(&paths);
    }
    tables
}

/// The batches that a loader would send.
pub(crate) fn batches(plan: Plan) -> Vec<Batch> {
    let mut random = Random(42);
    let mut batch = Batch {
        tables: tables(),
        ..Batch::default()
    };
    let mut batches = Vec::new();
    for number in 0..plan.n_resources {
        let record = Record {
            span: Span {
                offset: u64::from(number) * u64::from(Bytes::LEN),
                len: Bytes::LEN,
            },
            flags: Flags::CUSTOM,
            prefix: PrefixId(random.below(15)),
            group: None,
            parent: plan.parent(number),
            provider: None,
            shape: ShapeId(random.below(25)),
            action: plan.action(&mut random),
        };
        let name = format!(
            "{}-{}-{:x}",
            random.pick(WORDS),
            random.pick(WORDS),
            random.below(1 << 24)
        );
        batch.chunk.push(record, &name, "");
        if batch.chunk.n_records() == BATCH {
            batches.push(std::mem::take(&mut batch));
        }
    }
    batches.push(batch);
    batches
}

/// The stack of these batches.
pub(crate) fn stack(plan: Plan) -> Stack {
    let mut stack = Stack::new(header(Kind::PulumiState));
    for batch in batches(plan) {
        stack.extend(batch);
    }
    stack
}

/// The summary that a loader reports at the end.
pub(crate) fn summary(plan: Plan, kind: Kind) -> Summary {
    Summary {
        header: header(kind),
        outputs: Vec::new(),
        notes: Vec::new(),
        counts: Counts::default(),
        cycles: Cycles::default(),
        graph: graph(plan.n_resources),
        references: Arc::default(),
        repeating: Arc::default(),
        secrets: stacklens::load::LogSecrets::default(),
        sources: Arc::default(),
        expressions: Arc::default(),
        module_calls: Arc::default(),
        invocations: Vec::new(),
        sensitive: Arc::default(),
        damage: None,
        stopped: false,
    }
}

/// All events of a loader.
pub(crate) fn loading(plan: Plan, kind: Kind) -> Vec<LoadEvent> {
    let opened = LoadEvent::Opened {
        document: Box::new(Document::new(header(kind), Arc::new(Bytes::new()))),
        total: None,
    };
    let indexed = batches(plan).into_iter().map(|batch| LoadEvent::Indexed {
        batch: Box::new(batch),
        bytes: 0,
    });
    let finished = LoadEvent::Finished(Box::new(summary(plan, kind)));
    std::iter::once(opened)
        .chain(indexed)
        .chain([finished])
        .collect()
}

/// A graph with a hub that all other resources depend on. Each of these depends on up to three resources before it.
pub(crate) fn graph(n_resources: u32) -> Graph {
    let mut random = Random(3);
    let mut edges = Vec::new();
    let mut edge = |from: u32, to: u32| {
        let link = Link {
            to: ResourceId(to),
            kind: EdgeKind::Dependency,
        };
        edges.push((ResourceId(from), link));
    };
    for from in 1..n_resources {
        edge(from, 0);
        for _ in 0..random.below(4) {
            edge(from, random.below(from));
        }
    }
    Graph::new(n_resources as usize, edges)
}

/// A source with the same resource at every offset.
pub(crate) struct Bytes(Vec<u8>);

impl Bytes {
    /// The length of the resource, in bytes.
    pub(crate) const LEN: u32 = 1024;

    /// A resource with a dozen properties.
    pub(crate) fn new() -> Self {
        let rules = (0..6).map(|rule| {
            format!(r#"{{"fromPort":{rule},"cidrBlocks":["10.{rule}.0.0/16"],"self":false}}"#)
        });
        let mut text = format!(
            r#"{{"urn":"urn:pulumi:prod::net::aws:rds/x:Instance::orders-db","custom":true,"id":"db-1","type":"aws:rds/x:Instance",
            "outputs":{{"arn":"arn:aws:rds:eu-west-1:123456789012:db:orders","tags":{{"Name":"orders","team":"shop"}},"rules":[{}]}}"#,
            rules.collect::<Vec<_>>().join(",")
        );
        text.push_str(&" ".repeat(Self::LEN as usize - 1 - text.len()));
        text.push('}');
        Self(text.into())
    }
}

impl Source for Bytes {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        bytes.clear();
        let len = span.len as usize;
        bytes.extend(self.0.iter().cycle().take(len));
        Ok(())
    }
}
