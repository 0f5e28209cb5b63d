use std::sync::Arc;

use super::super::{At, Hit, Index, LIMIT, PropertyAddress, Query, SearchResult, Searched, Supply};
use super::Facts;
use crate::path::{Path, Segment};
use crate::search::run;
use crate::stack::graph::{Graph, Link};
use crate::stack::{
    Action, Batch, EdgeKind, Flags, Header, Kind, PathId, PathNode, Prefix, PrefixId, Record,
    Resource, ResourceId, Section, ShapeId, Span, Stack, State, Tables,
};
use crate::value::{Map, Value};

/// A stack made of names, types and outputs, with their bytes.
pub(in crate::modules::search) struct Fixture {
    pub(in crate::modules::search) stack: Stack,
    resources: Vec<Resource>,
    bytes: Vec<u8>,
}

impl Supply for Fixture {
    fn bytes(&self, span: Span, bytes: &mut Vec<u8>) -> bool {
        bytes.clear();
        let start = usize::try_from(span.offset).unwrap();
        self.bytes
            .get(start..start + span.len as usize)
            .inspect(|found| bytes.extend_from_slice(found))
            .is_some()
    }

    fn other_span(&self, _id: ResourceId) -> Option<Span> {
        None
    }

    fn has_other_spans(&self) -> bool {
        false
    }

    fn resource(&self, _stack: &Stack, id: ResourceId) -> Option<Resource> {
        self.resources.get(id.index()).cloned()
    }
}

/// Interns the paths below `value` as a loader does.
fn intern(tables: &mut Tables, at: PathId, value: &Value, paths: &mut Vec<PathId>) {
    if value.is_secret() {
        return;
    }
    let mut child = |tables: &mut Tables, segment: Option<Segment>, value: &Value| {
        let known = tables
            .paths
            .iter()
            .position(|node| node.parent == Some(at) && node.segment == segment);
        let index = known.unwrap_or_else(|| {
            tables.paths.push(PathNode {
                parent: Some(at),
                segment,
                section: Section::Outputs,
            });
            tables.paths.len() - 1
        });
        let id = PathId(u32::try_from(index).unwrap());
        if !paths.contains(&id) {
            paths.push(id);
        }
        intern(tables, id, value, paths);
    };
    if let Some(map) = value.as_map() {
        for (key, value) in map {
            child(tables, Some(Segment::Key(key.clone())), value);
        }
    }
    for value in value.as_array().into_iter().flatten() {
        child(tables, None, value);
    }
}

pub(in crate::modules::search) fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::from(Map::from_iter(entries))
}

pub(in crate::modules::search) fn resource(name: &str, ty: &str, outputs: Value) -> Resource {
    Resource {
        urn: format!("urn:pulumi:prod::net::{ty}::{name}"),
        id: Some(Value::from(format!("{name}-id"))),
        after: Some(State {
            outputs: Some(outputs),
            ..State::default()
        }),
        ..Resource::new(name, ty)
    }
}

pub(in crate::modules::search) fn fixture(
    resources: Vec<(Resource, &str, Option<Action>)>,
) -> Fixture {
    let mut stack = Stack::new(Header {
        stack: "prod".into(),
        project: "net".into(),
        ..Header::new(Kind::PulumiState)
    });
    let mut tables = Tables::default();
    tables.paths.push(PathNode {
        parent: None,
        segment: None,
        section: Section::Outputs,
    });
    let mut batch = Batch::default();
    let mut bytes = Vec::new();
    for (resource, text, action) in &resources {
        let prefix = Prefix::new(&format!("urn:pulumi:prod::net::{}", resource.ty), false);
        let prefix_idx = tables
            .prefixes
            .iter()
            .position(|known| *known == prefix)
            .unwrap_or_else(|| {
                tables.prefixes.push(prefix);
                tables.prefixes.len() - 1
            });
        let mut paths = Vec::new();
        let outputs = resource.current().and_then(|state| state.outputs.as_ref());
        intern(&mut tables, PathId(0), outputs.unwrap(), &mut paths);
        paths.sort_unstable();
        tables.shapes.push(&paths);
        let span = Span {
            offset: bytes.len() as u64,
            len: u32::try_from(text.len()).unwrap(),
        };
        bytes.extend_from_slice(text.as_bytes());
        batch.chunk.push(
            Record {
                span,
                flags: resource.flags,
                prefix: PrefixId(u32::try_from(prefix_idx).unwrap()),
                group: None,
                parent: None,
                provider: None,
                shape: ShapeId(u32::try_from(tables.shapes.len() - 1).unwrap()),
                action: *action,
            },
            &resource.name,
            resource.id.as_ref().and_then(Value::as_str).unwrap_or(""),
        );
    }
    batch.tables = tables;
    stack.extend(batch);
    Fixture {
        stack,
        resources: resources
            .into_iter()
            .map(|(resource, ..)| resource)
            .collect(),
        bytes,
    }
}

pub(in crate::modules::search) fn sample() -> Fixture {
    let db = map([
        ("password", Value::from("hunter2").with_secret(true)),
        ("passwordPolicy", Value::from("rotate-30d")),
        ("address", Value::from("10.0.3.17")),
        (
            "tags",
            map([("Name", "orders-db".into()), ("env", "prod".into())]),
        ),
        ("port", Value::from(5432.0)),
    ]);
    let rules = vec![
        map([("cidr", "10.0.0.0/8".into()), ("port", Value::from(443.0))]),
        map([("cidr", "0.0.0.0/0".into()), ("port", Value::from(80.0))]),
    ];
    let group = map([
        ("ingress", Value::from(rules)),
        ("note", "say \"hunter2\" & go".into()),
    ]);
    let mut proxy = resource(
        "orders-proxy",
        "aws:rds/proxy:Proxy",
        map([("target", "orders-db".into())]),
    );
    proxy.flags = Flags::PROTECTED;
    let mut fixture = fixture(vec![
        (
            resource("orders-db", "aws:rds/instance:Instance", db),
            r#"{"password":"hunter2","passwordPolicy":"rotate-30d","address":"10.0.3.17","port":5432,"tags":{"Name":"orders-db","env":"prod"}}"#,
            Some(Action::Replace),
        ),
        (proxy, r#"{"target":"orders-db"}"#, Some(Action::Update)),
        (
            resource("web", "aws:ec2/securityGroup:SecurityGroup", group),
            r#"{"ingress":[{"cidr":"10.0.0.0\/8"},{"cidr":"0.0.0.0/0"}],"note":"say \"hunter2\" \u0026 go"}"#,
            None,
        ),
    ]);
    let needs = |from: u32, to: u32| {
        (
            ResourceId(from),
            Link {
                to: ResourceId(to),
                kind: EdgeKind::Property,
            },
        )
    };
    fixture.stack.graph = Arc::new(Graph::new(3, vec![needs(1, 0), needs(2, 1)]));
    fixture
}

fn search(fixture: &Fixture, query: &str) -> SearchResult {
    run(
        &Index::new(&fixture.stack),
        &Query::parse(query).unwrap(),
        None,
        &Facts::default(),
        Some(fixture),
        LIMIT,
        &mut |_, _| true,
    )
    .unwrap()
}

pub(in crate::modules::search) fn text(fixture: &Fixture, hit: &Hit) -> String {
    let name = fixture.stack.name(hit.resource);
    match &hit.at {
        At::Property(place) => format!("{name} {}", place.path),
        At::Resource => name.to_owned(),
        At::Indexed(_) => panic!("not settled: {hit:?}"),
    }
}

#[track_caller]
fn check(query: &str, want: &[&str]) {
    let fixture = sample();
    let found = search(&fixture, query);
    let hits: Vec<_> = found.hits.iter().map(|hit| text(&fixture, hit)).collect();
    assert_eq!(hits, want, "{query}");
    assert_eq!(found.total, want.len() as u64, "{query}");
    let mut with_hits: Vec<_> = found.hits.iter().map(|hit| hit.resource).collect();
    with_hits.sort_unstable();
    with_hits.dedup();
    assert_eq!(found.resources, with_hits, "{query}");
}

#[test]
fn an_empty_query_finds_every_resource() {
    check("", &["orders-db", "orders-proxy", "web"]);
}

#[test]
fn words_find_resources_and_properties() {
    check("web", &["web"]);
    check(
        "rds pass !proxy",
        &["orders-db password", "orders-db passwordPolicy"],
    );
    check("'env", &["orders-db tags.env"]);
    check("^orders db$", &["orders-db"]);
}

#[test]
fn properties_below_a_hit_are_not_hits() {
    check("'tags", &["orders-db tags"]);
    check("'tags 'name", &["orders-db tags.Name"]);
}

#[test]
fn written_ranks_before_scattered() {
    let fixture = sample();
    let found = search(&fixture, "odb");
    assert_eq!(text(&fixture, &found.hits[0]), "orders-db");
    assert_eq!(found.hits[0].name, [0..1, 7..9]);
    let found = search(&fixture, "prox");
    assert_eq!(text(&fixture, &found.hits[0]), "orders-proxy");
    assert_eq!(found.hits[0].name.first(), Some(&(7..11)));
    assert_eq!(found.hits[0].ty.first(), Some(&(8..12)));
}

#[test]
fn patterns_find_single_properties() {
    check("root.tags.Name", &["orders-db tags.Name"]);
    check("@tags", &["orders-db tags"]);
    check(
        "ingress[*].cidr",
        &["web ingress[0].cidr", "web ingress[1].cidr"],
    );
    check("ingress[1].cidr", &["web ingress[1].cidr"]);
    check(
        "**.port",
        &[
            "orders-db port",
            "web ingress[0].port",
            "web ingress[1].port",
        ],
    );
    check("@nothing", &[]);
    check("!@port type:aws:*", &["orders-proxy", "web"]);
}

#[test]
fn fields_choose_resources() {
    check("type:rds", &["orders-db", "orders-proxy"]);
    check(
        "type:aws:rds/*,*securityGroup*",
        &["orders-db", "orders-proxy", "web"],
    );
    check("action:replace,update", &["orders-db", "orders-proxy"]);
    check("!action:replace", &["orders-proxy", "web"]);
    check("is:protected", &["orders-proxy"]);
    check("id:web-id", &["web"]);
    check("name:^orders", &["orders-db", "orders-proxy"]);
    check("uses:orders-db", &["orders-proxy"]);
    check("depends:orders-db", &["orders-proxy", "web"]);
    check(
        "depends:urn:pulumi:prod::net::aws:rds/instance:Instance::orders-db !uses:orders-db",
        &["web"],
    );
}

#[test]
fn marks_are_the_persons() {
    let fixture = sample();
    let facts = Facts {
        marked: Arc::new([ResourceId(2)].into()),
        reviewed: Arc::default(),
        ..Facts::default()
    };
    let found = run(
        &Index::new(&fixture.stack),
        &Query::parse("is:marked").unwrap(),
        None,
        &facts,
        None,
        LIMIT,
        &mut |_, _| true,
    );
    assert_eq!(found.unwrap().resources, [ResourceId(2)]);
}

#[test]
fn values_are_found_and_masked_ones_are_not() {
    check("=10.0.3.17", &["orders-db address"]);
    check("=hunter2", &["web note"]);
    check("=\"\\\"hunter2\\\" & go\"", &["web note"]);
    check("=10.0.0.0/8", &["web ingress[0].cidr"]);
    check("=5432", &["orders-db port"]);
    check("=543", &[]);
    check("=~^10\\.", &["orders-db address", "web ingress[0].cidr"]);
    check("=orders-db @tags", &["orders-db tags.Name"]);
    check("=orders-db 'target", &["orders-proxy target"]);
    check("=web-id", &[]);
    check("!=orders-db", &["web"]);
}

#[test]
fn a_stream_finds_what_separate_reads_find() {
    // Some begin in one stride and end in the next.
    let texts = (0..40).map(|number| {
        let note = ["orders & go", "quill", "orders"][number % 3];
        let padding = "x".repeat(50_000 + 1_000 * number);
        (
            note,
            format!(r#"{{"note":"{note}","padding":"{padding}"}}"#),
        )
    });
    let texts: Vec<_> = texts.collect();
    let made = texts.iter().map(|(note, text)| {
        let outputs = map([("note", Value::from(*note))]);
        (resource("r", "aws:ec2/vpc:Vpc", outputs), &**text, None)
    });
    let fixture = fixture(made.collect());
    let index = Index::new(&fixture.stack);
    assert!(index.is_in_file_order);
    let all: Vec<_> = fixture.stack.ids().collect();
    for (text, n_hits) in [("=\"orders & go\"", 14), ("=orders", 27), ("=none", 0)] {
        let query = Query::parse(text).unwrap();
        let search = |within: Option<&[ResourceId]>| {
            let facts = Facts::default();
            let mut on = |_, _: &dyn Fn() -> SearchResult| true;
            run(
                &index,
                &query,
                within,
                &facts,
                Some(&fixture),
                LIMIT,
                &mut on,
            )
            .unwrap()
        };
        let (stream, separate) = (search(None), search(Some(&all)));
        assert_eq!(stream.total, n_hits, "{text}");
        assert_eq!(stream.hits, separate.hits, "{text}");
        assert_eq!(stream.resources, separate.resources, "{text}");
    }
}

#[test]
fn the_whole_value_ranks_before_a_part() {
    let fixture = sample();
    let found = search(&fixture, "=orders-db");
    let hits: Vec<_> = found.hits.iter().map(|hit| text(&fixture, hit)).collect();
    assert_eq!(hits, ["orders-db tags.Name", "orders-proxy target"]);
}

#[test]
fn a_urn_is_found_when_pasted() {
    check(
        "urn:pulumi:prod::net::aws:rds/proxy:Proxy::orders-proxy",
        &["orders-proxy"],
    );
}

#[test]
fn a_search_that_is_not_wanted_any_more_ends() {
    let fixture = sample();
    let found = run(
        &Index::new(&fixture.stack),
        &Query::parse("web").unwrap(),
        None,
        &Facts::default(),
        None,
        LIMIT,
        &mut |_, _| false,
    );
    assert!(found.is_none());
}

#[test]
fn hits_beyond_the_limit_are_counted() {
    let many = (0..30)
        .map(|number| {
            (
                resource(
                    &format!("web-{number}"),
                    "a:b:C",
                    map([("web", Value::NULL)]),
                ),
                "{}",
                None,
            )
        })
        .collect();
    let fixture = fixture(many);
    let query = Query::parse("web").unwrap();
    let found = run(
        &Index::new(&fixture.stack),
        &query,
        None,
        &Facts::default(),
        None,
        7,
        &mut |_, _| true,
    )
    .unwrap();
    assert_eq!(
        (found.hits.len(), found.total, found.resources.len()),
        (7, 60, 30)
    );
    assert_eq!(found.hits[0].resource, ResourceId(0));
}

#[test]
fn a_resource_that_cannot_be_read_is_counted() {
    let mut fixture = sample();
    fixture.bytes.clear();
    let found = search(&fixture, "=orders");
    assert_eq!((found.total, found.unread), (0, 3));
}

#[test]
fn a_place_says_its_section() {
    let place = PropertyAddress {
        before: true,
        section: Section::Inputs,
        path: Path::root(),
    };
    assert_eq!(place.section_word(), "before.inputs");
}

#[test]
fn keys_are_completed_with_their_counts() {
    let index = Index::new(&sample().stack);
    let complete = |text: &str| {
        let advice = index.advise(text, Searched::Resources);
        let texts: Vec<_> = advice
            .completions
            .iter()
            .map(|completion| format!("{} {}", completion.text, completion.n_resources))
            .collect();
        (text[advice.range].to_owned(), texts.join(", "))
    };
    assert_eq!(complete("@tags."), (String::new(), "Name 1, env 1".into()));
    assert_eq!(complete("x root.tags.N"), ("N".into(), "Name 1".into()));
    assert_eq!(
        complete("@p"),
        ("p".into(), "password 1, passwordPolicy 1, port 1".into())
    );
    assert_eq!(complete("@ingress"), ("ingress".into(), "ingress 1".into()));
    assert_eq!(complete("@ingress["), ("[".into(), "[*] 1".into()));
    assert_eq!(complete("!ty"), ("ty".into(), "type: 0".into()));
}

#[test]
fn values_of_fields_are_completed() {
    let index = Index::new(&sample().stack);
    let mut plan = sample().stack;
    plan.is_comparison = true;
    let of_changes = Index::new(&plan);
    let complete_in = |index: &Index, text: &str| {
        let advice = index.advise(text, Searched::Resources);
        let texts = advice.completions.iter();
        let texts: Vec<_> = texts.map(|it| it.text.clone()).collect();
        (text[advice.range].to_owned(), texts.join(", "))
    };
    let complete = |text: &str| complete_in(&index, text);
    assert_eq!(complete("action:re"), ("re".into(), "replace, read".into()));
    assert_eq!(
        complete("x !is:protected,ta"),
        ("ta".into(), "tainted".into())
    );
    let types = index.types();
    let (ty, _) = types.first().expect("a type");
    assert_eq!(complete(&format!("type:{ty}")).1, *ty);
    // A value that does not start with the text may contain it.
    assert_eq!(complete(&format!("type:{}", &ty[1..])).1, *ty);
    assert_eq!(complete("name:x"), ("x".into(), String::new()));
    // A whole word of a field is completed by its field.
    assert_eq!(
        complete_in(&of_changes, "x !delete"),
        ("delete".into(), "action:delete".into())
    );
    assert_eq!(complete("tainted").1, "is:tainted");
    // A state has no actions.
    assert_eq!(complete("delete").1, "");
    assert_eq!(complete("delet").1, "");
    assert_eq!(complete_in(&of_changes, "xdelet").1, "");
}

#[test]
fn the_longest_prefix_that_leads_somewhere() {
    let index = Index::new(&sample().stack);
    let prefix = |text: &str| {
        let known = index
            .advise(text, Searched::Resources)
            .known
            .expect("a path");
        (known.path, known.is_whole, known.n_resources)
    };
    assert_eq!(prefix("@tags.Nam"), ("tags".into(), false, 1));
    assert_eq!(prefix("@tags.Name"), ("tags.Name".into(), true, 1));
    assert_eq!(prefix("ingress[*].cidr.x").0, "ingress[*].cidr");
}

/// Queries without alternatives, of every kind.
const SINGLE: &[&str] = &[
    "orders",
    "web",
    "port",
    "zz",
    "@port",
    "ingress[0].port",
    "ingress[1].port",
    "!@port",
    "type:rds",
    "is:protected",
    "orders !db",
    "=orders-db",
    "=10.0.0.0/8",
    "=~^10\\.",
    "=hunter2",
    "!=orders-db",
    "=5432 orders",
];

proptest::proptest! {
    #[test]
    fn alternatives_find_what_each_finds(
        chosen in proptest::collection::vec(0..SINGLE.len(), 1..5),
    ) {
        let fixture = sample();
        let place = |hit: &Hit| (hit.resource, hit.at.clone());
        let places = |found: &SearchResult| {
            let mut all: Vec<_> = found.hits.iter().map(place).collect();
            all.sort_unstable();
            all
        };
        let queries: Vec<_> = chosen.iter().map(|at| SINGLE[*at]).collect();
        let found = search(&fixture, &queries.join(" | "));
        let (mut want, mut resources) = (Vec::new(), Vec::new());
        for query in &queries {
            let found = search(&fixture, query);
            want.extend(places(&found));
            resources.extend(found.resources);
        }
        want.sort_unstable();
        want.dedup();
        resources.sort_unstable();
        resources.dedup();
        proptest::prop_assert_eq!(places(&found), want, "{:?}", queries);
        proptest::prop_assert_eq!(found.total, found.hits.len() as u64);
        proptest::prop_assert_eq!(found.resources, resources);
    }
}

#[test]
fn a_path_that_no_resource_has_is_part_of_an_address() {
    let names = [r#"module.it.acme_fn.fn["a b"]"#, "fn[0]", "fn"];
    let outputs = || map([("tags", map([("a b", Value::NULL)]))]);
    let made = names.map(|name| (resource(name, "acme_fn", outputs()), "{}", None));
    let fixture = fixture(made.into());
    let found = |query: &str| {
        let found = search(&fixture, query);
        let texts = found.hits.iter().map(|hit| text(&fixture, hit));
        texts.collect::<Vec<_>>()
    };
    assert_eq!(found(r#"acme_fn.fn["a b"]"#), names[..1]);
    assert_eq!(found(r#"fn["a b"] | fn[0]"#), [names[1], names[0]]);
    assert_eq!(found(r#"fn["a b"] 'module.it"#), names[..1]);
    assert_eq!(found(r#"fn["b"]"#), [""; 0]);
    // A path of some resources is only that.
    assert_eq!(found(r#"tags["a b"]"#).len(), 3);
    assert_eq!(found("!fn[0] ^fn"), names[2..]);
}

#[test]
fn letters_of_all_alternatives_are_marked() {
    let fixture = sample();
    let found = search(&fixture, "type:rds ord | 'db");
    let hit = &found.hits[0];
    assert_eq!(text(&fixture, hit), "orders-db");
    assert_eq!(hit.name, [0..3, 7..9]);
}
