//! Files, read and looked at as the program does it.

use std::sync::OnceLock;

use stacklens::change::audit::schema_of;
use stacklens::change::leaves;
use stacklens::change::review::review;
use stacklens::json::{self, Numbers};
use stacklens::load::audit::Audit;
use stacklens::load::{self, Document, Input, Limits};
use stacklens::render::lines;
use stacklens::search::{self, Facts, Index, Query};
use stacklens::stack::{Action, Masks, Of, Resource, Stack, lookup};
use stacklens::terraform::schema::Schemas;

use super::super::seeds;

/// Number of resources that are read in whole, from each end of a file.
const N_READ: usize = 20;

/// Files with more bytes are not compared: that takes several threads.
const MAX_COMPARED: usize = 1 << 17;

/// A query for each part of the language.
const QUERIES: &[&str] = &[
    "a",
    "**",
    "root.tags[*].a",
    "@id",
    "=1",
    "=~^a.*b",
    "type:a* !b",
    "is:secret,unknown,drifted,pending",
    "action:replace,delete,import,move",
    "depends:* uses:*",
    "a | =1 | type:a* b",
];

/// Reads the bytes and does with the file all that a person could.
pub(super) fn open(name: &str, bytes: &[u8]) {
    let limits = Limits {
        allow_damaged: true,
        // Memory is bounded here more than elsewhere, so that libFuzzer does not take a big file for a leak.
        ..Limits::up_to(64 << 20)
    };
    let input = input(name, bytes);
    let Some(document) = load(&input, limits) else {
        return;
    };
    look_at_all(&document);
    search(&document);
    audit(&document);
    let schemas = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    std::fs::write(schemas.path(), seeds::schemas()).expect("a temporary file can be written");
    if let Some(masked) = load(&input.clone().with_schemas(schemas.path()), limits) {
        look_at_all(&masked);
    }
    if bytes.len() < MAX_COMPARED {
        compare(&input, bytes, limits);
    }
}

fn input(name: &str, bytes: &[u8]) -> Input {
    Input::bytes(name, bytes)
}

fn load(input: &Input, limits: Limits) -> Option<Document> {
    load::load_limited(input, limits)
        .inspect_err(|error| assert!(!error.to_string().is_empty()))
        .ok()
}

fn look_at_all(document: &Document) {
    let ids: Vec<_> = document.stack.ids().collect();
    let some = ids.iter().take(N_READ).chain(ids.iter().rev().take(N_READ));
    for id in some {
        let identity = document.stack.identity(*id);
        assert!(!document.stack.find(&identity).is_empty());
        match document.resource(*id) {
            Ok(resource) => look_at(&document.stack, &resource),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Does what a person would do to a resource.
fn look_at(stack: &Stack, resource: &Resource) {
    _ = lookup(
        resource,
        &stacklens::path::Path::root(),
        Of::default(),
        Masks::Keep,
    );
    let schema = schema_of(resource, schemas());
    for schema in [None, schema.as_ref().map(|schema| &schema.block)] {
        for part in review(resource, schema) {
            let drawn = lines::lines(&part.diff, lines::Options::default());
            assert!(drawn.len() < 10_000_000);
            _ = leaves::leaves(std::slice::from_ref(&part));
        }
    }
    for (_, value) in &resource.fields {
        let printed = json::to_compact(value);
        assert!(json::parse(printed.as_bytes(), Numbers::Exact).is_ok());
    }
    for edge in &resource.edges {
        _ = stack.find(&edge.target);
    }
}

fn search(document: &Document) {
    let index = Index::new(&document.stack);
    for query in QUERIES {
        let query = Query::parse(query).expect("a query of the language");
        let found = search::run(
            &index,
            &query,
            None,
            &Facts::default(),
            Some(document),
            search::LIMIT,
            &mut |_, _| true,
        );
        let found = found.expect("nobody stopped it");
        assert!(found.hits.len() as u64 <= found.total);
        _ = search::outputs(&document.stack, &query);
    }
}

fn audit(document: &Document) {
    let Some(audit) = Audit::of(document, Some(schemas())) else {
        return;
    };
    _ = audit.checks();
    let outcome = audit.run(&mut |_| true, &mut |finding| {
        assert!(!finding.sentence.is_empty());
    });
    if let Err(error) = outcome {
        assert!(!error.to_string().is_empty());
    }
}

/// Compares a file with itself, with a part of itself, and with files of other forms.
fn compare(whole: &Input, bytes: &[u8], limits: Limits) {
    let pair = |old: &Input, new: &Input| {
        let pair = Input::pair(old.clone(), new.clone());
        let compared = load(&pair, limits);
        compared.inspect(|compared| {
            look_at_all(compared);
            audit(compared);
        })
    };
    if let Some(same) = pair(whole, whole) {
        for id in same.stack.ids() {
            let (action, flags) = (same.stack.record(id).action, same.stack.record(id).flags);
            // Drift in the file is still reported.
            assert!(
                flags.is_drift() || matches!(action, None | Some(Action::Noop)),
                "a file differs from itself: {action:?} of {}",
                same.stack.identity(id)
            );
        }
    }
    let part = input("part", &bytes[..bytes.len() * 2 / 3]);
    pair(whole, &part);
    pair(&part, whole);
    for other in others() {
        pair(whole, other);
        pair(other, whole);
    }
}

/// Files of several forms.
fn others() -> &'static [Input] {
    static OTHERS: OnceLock<Vec<Input>> = OnceLock::new();
    OTHERS.get_or_init(|| {
        let others = seeds::to_compare_with();
        others.iter().map(|bytes| input("other", bytes)).collect()
    })
}

fn schemas() -> &'static Schemas {
    static SCHEMAS: OnceLock<Schemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let json = seeds::schemas();
        let json = json::parse(json.as_bytes(), Numbers::Exact).expect("JSON");
        Schemas::new(&json.value)
    })
}
