//! The planning rules on big nested blocks: the delay of an audit of a plan, one resource at a time.

use std::hint::black_box;

use divan::Bencher;
use stacklens::json::{Numbers, parse};
use stacklens::terraform::cty::{Dynamic, Typed};
use stacklens::terraform::objchange::{
    Semantics, assert_object_compatible, assert_plan_valid, longest_common_subsequence,
    proposed_new,
};
use stacklens::terraform::schema::Block;
use stacklens::value::{Map, Value};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// A list block in a list block, with a set block beside it.
fn schema() -> Block {
    let text = r#"{"attributes": {"id": {"type": "string", "computed": true}, "name": {"type": "string", "required": true}},
        "block_types": {"group": {"nesting_mode": "list", "block": {
            "attributes": {"arn": {"type": "string", "computed": true}, "label": {"type": "string", "optional": true}},
            "block_types": {"rule": {"nesting_mode": "NESTING", "block": {"attributes": {
                "port": {"type": "number", "required": true}, "note": {"type": "string", "optional": true, "computed": true},
                "ranges": {"type": ["list", "string"], "optional": true}}}}}}}}}"#;
    block(&text.replace("NESTING", "list"))
}

fn block(text: &str) -> Block {
    Block::read(&parse(text.as_bytes(), Numbers::Exact).expect("JSON").value).expect("a schema")
}

fn value(schema: &Block, n_groups: u32, computed: &Value) -> Typed {
    let rule = |n: u32| {
        Value::from(Map::from_iter([
            ("port", Value::from(f64::from(n))),
            ("note", computed.clone()),
            (
                "ranges",
                Value::from(vec![Value::from("10.0.0.0/8"), Value::from("::/0")]),
            ),
        ]))
    };
    let group = |n: u32| {
        Value::from(Map::from_iter([
            ("arn", computed.clone()),
            ("label", Value::from(format!("group-{n}"))),
            ("rule", Value::from((0..100).map(rule).collect::<Vec<_>>())),
        ]))
    };
    let top = Map::from_iter([
        ("id", computed.clone()),
        ("name", Value::from("one")),
        (
            "group",
            Value::from((0..n_groups).map(group).collect::<Vec<_>>()),
        ),
    ]);
    schema
        .decode(&top.into(), Dynamic::Bare)
        .expect("a value of the schema")
}

/// Budget: 10,000 blocks in 50 ms.
#[divan::bench(args = [1, 10, 100])]
fn propose_nested_blocks(bencher: Bencher<'_, '_>, n_groups: u32) {
    let schema = schema();
    let prior = value(&schema, n_groups, &Value::from("known"));
    let config = value(&schema, n_groups, &Value::NULL);
    bencher.bench_local(|| {
        proposed_new(
            &schema,
            black_box(&prior),
            black_box(&config),
            Semantics::Current,
        )
    });
}

/// Budget: 10,000 blocks in 50 ms.
#[divan::bench(args = [100])]
fn check_nested_blocks(bencher: Bencher<'_, '_>, n_groups: u32) {
    let schema = schema();
    let prior = value(&schema, n_groups, &Value::from("known"));
    let config = value(&schema, n_groups, &Value::NULL);
    let planned = proposed_new(&schema, &prior, &config, Semantics::Current).expect("a proposal");
    bencher.bench_local(|| {
        let valid = assert_plan_valid(&schema, &prior, &config, &planned, Semantics::Current);
        let kept = assert_object_compatible(&schema, &planned, &prior, Semantics::Current);
        (valid, kept)
    });
}

/// Budget: 1,000 elements of a set that all changed in 200 ms.
#[divan::bench(args = [100, 1_000])]
fn propose_a_set(bencher: Bencher<'_, '_>, n_rules: u32) {
    let schema = block(
        r#"{"block_types": {"rule": {"nesting_mode": "set", "block": {"attributes": {
            "port": {"type": "number", "required": true}, "id": {"type": "string", "computed": true}}}}}}"#,
    );
    let set = |first: u32, id: Value| {
        let rules = (first..first + n_rules).map(|port| {
            Value::from(Map::from_iter([
                ("port", Value::from(f64::from(port))),
                ("id", id.clone()),
            ]))
        });
        let top = Map::from_iter([("rule", Value::from(rules.collect::<Vec<_>>()))]);
        schema
            .decode(&top.into(), Dynamic::Bare)
            .expect("a value of the schema")
    };
    let prior = set(0, Value::from("known"));
    let config = set(n_rules, Value::NULL);
    bencher.bench_local(|| {
        proposed_new(
            &schema,
            black_box(&prior),
            black_box(&config),
            Semantics::Current,
        )
    });
}

/// Budget: the million pairs that are compared exactly in 20 ms.
#[divan::bench(args = [100, 1_000])]
fn align_exactly(bencher: Bencher<'_, '_>, n_items: u32) {
    let items = |first: u32| -> Vec<Typed> {
        (first..first + n_items)
            .map(|n| {
                let text = Value::from(format!("item-{}", n % 700));
                Typed::new(stacklens::types::Type::String, text).expect("a string")
            })
            .collect()
    };
    let (xs, ys) = (items(0), items(n_items / 3));
    let xs: Vec<_> = xs.iter().map(Typed::view).collect();
    let ys: Vec<_> = ys.iter().map(Typed::view).collect();
    bencher.bench_local(|| longest_common_subsequence(black_box(&xs), black_box(&ys)));
}

/// Budget: 1,000 elements of a set of which none came out as planned in 50 ms.
#[divan::bench(args = [100, 1_000, 10_000])]
fn check_a_set_that_came_out_otherwise(bencher: Bencher<'_, '_>, n_rules: u32) {
    let schema = block(
        r#"{"block_types": {"rule": {"nesting_mode": "set", "block": {"attributes": {
            "port": {"type": "number", "required": true}, "id": {"type": "string", "computed": true}}}}}}"#,
    );
    let set = |first: u32| {
        let rules = (first..first + n_rules).map(|port| {
            Value::from(Map::from_iter([
                ("port", Value::from(f64::from(port))),
                ("id", Value::from("known")),
            ]))
        });
        let top = Map::from_iter([("rule", Value::from(rules.collect::<Vec<_>>()))]);
        schema
            .decode(&top.into(), Dynamic::Bare)
            .expect("a value of the schema")
    };
    let (planned, actual) = (set(0), set(n_rules));
    bencher.bench_local(|| {
        assert_object_compatible(
            &schema,
            black_box(&planned),
            black_box(&actual),
            Semantics::Current,
        )
    });
}
