//! The delays while typing in the search bar, at a million resources, and the cost of walking the dependencies.
//!
//! Budgets, on one thread: the first hits 1 ms after a key, the whole answer 16 ms, exact scores of the hits included.

#[path = "../support/lib.rs"]
mod support;

use std::sync::Arc;

use divan::{Bencher, black_box};
use stacklens::load::Document;
use stacklens::search::{Facts, Goal, Index, LIMIT, Query, SearchResult, run};
use stacklens::stack::graph::{Direction, Graph, Link};
use stacklens::stack::{EdgeKind, ResourceId};
use stacklens::tui::jobs::search::{Search, SharedIndex};
use stacklens::tui::jobs::{Cancel, Job, Ticket};
use support::stacks::{self as made, Bytes, MILLION, Plan};

fn main() {
    divan::main();
}

fn million() -> Index {
    Index::new(&made::stack(Plan::flat(MILLION)))
}

fn query(text: &str) -> Query {
    Query::parse(text).unwrap_or_default()
}

fn search(index: &Index, query: &Query, within: Option<&[ResourceId]>) -> SearchResult {
    let facts = Facts::default();
    run(index, query, within, &facts, None, LIMIT, &mut |_, _| true).unwrap_or_default()
}

/// Budget: 16 ms.
#[divan::bench(
    args = ["o", "or", "ord", "orders db", "odb", "rds pass !proxy", "zqx", "3f7a", "^web", "'cache e", "type:aws:s3/* db"],
    sample_count = 10
)]
fn keystroke_at_a_million(bencher: Bencher<'_, '_>, text: &str) {
    let (index, query) = (million(), query(text));
    bencher.bench_local(|| search(black_box(&index), black_box(&query), None).total);
}

/// Budget: 16 ms. The second query searches the hits of the first.
#[divan::bench(args = ["o>or", "or>ord", "orders>orders d", "od>odb"], sample_count = 10)]
fn next_letter_at_a_million(bencher: Bencher<'_, '_>, texts: &str) {
    let (first, second) = texts.split_once('>').unwrap_or(("", texts));
    let (index, second) = (million(), query(second));
    let found = search(&index, &query(first), None);
    bencher.bench_local(|| search(&index, black_box(&second), Some(&found.resources)).total);
}

/// Budget: 16 ms.
#[divan::bench(args = ["**.arn", "root.tags.*", "root.tags[*].key", "type:aws:s3/* @name"], sample_count = 10)]
fn pattern_at_a_million(bencher: Bencher<'_, '_>, text: &str) {
    let (index, query) = (million(), query(text));
    bencher.bench_local(|| search(black_box(&index), black_box(&query), None).total);
}

/// A search of a million resources, as the explorer asks, after another one has made the index.
fn asked(text: &str) -> impl Fn() -> Search {
    let document = Document {
        stack: made::stack(Plan::flat(MILLION)),
        source: Arc::new(Bytes::new()),
        compared: None,
        nearby: Arc::default(),
    };
    let (index, query) = (SharedIndex::default(), query(text));
    let search = move || Search {
        document: document.clone(),
        index: index.clone(),
        query: query.clone(),
        goal: Goal::Go,
        among: None,
        narrowed: None,
        facts: Facts::default(),
    };
    search().run(&Cancel::default(), &mut |_| ());
    search
}

/// Budget: 1 ms, as the explorer asks: with the values of the hits.
#[divan::bench(args = ["o", "orders db", "zqx", "**.arn", "root.tags.*"], sample_count = 20)]
fn first_hits_at_a_million(bencher: Bencher<'_, '_>, text: &str) {
    let search = asked(text);
    bencher.bench_local(|| {
        let ticket = Ticket::default();
        let mut first = None;
        search().run(&ticket.flag(), &mut |answer| {
            first.get_or_insert(answer.found.hits.len());
            ticket.stop();
        });
        first
    });
}

/// Budget: 16 ms, as the explorer asks: all answers, with the values of the hits.
#[divan::bench(args = ["o", "orders db", "**.arn"], sample_count = 10)]
fn whole_answer_at_a_million(bencher: Bencher<'_, '_>, text: &str) {
    let search = asked(text);
    bencher.bench_local(|| {
        let mut n_answers = 0;
        search().run(&Cancel::default(), &mut |_| n_answers += 1);
        n_answers
    });
}

/// Once for each file, in the background. Budget: 100 ms.
#[divan::bench(sample_count = 5)]
fn index_of_a_million(bencher: Bencher<'_, '_>) {
    let stack = made::stack(Plan::flat(MILLION));
    bencher.bench_local(|| Index::new(black_box(&stack)).n_resources());
}

/// A hub of which a hundred thousand resources need one each.
fn hub() -> Graph {
    let edges = (1..=100_000)
        .map(|from| {
            let link = Link {
                to: ResourceId(0),
                kind: EdgeKind::Dependency,
            };
            (ResourceId(from), link)
        })
        .collect();
    Graph::new(100_001, edges)
}

/// Budget: 50 ms.
#[divan::bench(sample_count = 10)]
fn reach_of_a_hub_with_100_000(bencher: Bencher<'_, '_>) {
    let graph = hub();
    bencher.bench_local(|| graph.reach(ResourceId(0), Direction::UsedBy).len());
}

/// Budget: 50 ms: the hub of a million, of which some need others.
#[divan::bench(sample_count = 5)]
fn reach_of_a_hub_with_a_million(bencher: Bencher<'_, '_>) {
    let graph = made::graph(MILLION);
    bencher.bench_local(|| graph.reach(ResourceId(0), Direction::UsedBy).len());
}

/// Budget: 50 ms: everything that needs the hub, as a query.
#[divan::bench(sample_count = 5)]
fn query_for_dependents_of_a_hub(bencher: Bencher<'_, '_>) {
    let mut stack = made::stack(Plan::flat(100_001));
    stack.graph = Arc::new(hub());
    let query = query(&format!("depends:{}", stack.name(ResourceId(0))));
    let index = Index::new(&stack);
    bencher.bench_local(|| search(&index, &query, None).total);
}

/// Once for each file, while it loads: both directions.
#[divan::bench(sample_count = 3)]
fn graph_of_a_million(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| made::graph(MILLION).len());
}
