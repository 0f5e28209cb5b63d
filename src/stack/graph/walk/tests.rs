use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::{Direction, Graph, Link};
use crate::stack::{EdgeKind, ResourceId};

fn graph(n: usize, edges: &[(u32, u32)]) -> Graph {
    let edges = edges
        .iter()
        .map(|(from, to)| {
            (
                ResourceId(*from),
                Link {
                    to: ResourceId(*to),
                    kind: EdgeKind::Dependency,
                },
            )
        })
        .collect();
    Graph::new(n, edges)
}

fn reached(graph: &Graph, start: u32, direction: Direction) -> Vec<(u32, u32)> {
    graph
        .reach(ResourceId(start), direction)
        .iter()
        .map(|reached| (reached.id.0, reached.depth))
        .collect()
}

#[test]
fn reach_is_nearest_first_in_both_directions() {
    let graph = graph(5, &[(3, 2), (2, 1), (1, 0), (3, 1), (4, 3)]);
    assert_eq!(
        reached(&graph, 3, Direction::DependsOn),
        [(1, 1), (2, 1), (0, 2)]
    );
    assert_eq!(
        reached(&graph, 1, Direction::UsedBy),
        [(2, 1), (3, 1), (4, 2)]
    );
    assert_eq!(reached(&graph, 0, Direction::DependsOn), []);
}

#[test]
fn a_cycle_does_not_hold_its_own_start() {
    let graph = graph(3, &[(0, 1), (1, 2), (2, 0)]);
    assert_eq!(reached(&graph, 0, Direction::DependsOn), [(1, 1), (2, 2)]);
    assert_eq!(
        graph.cycles(),
        [vec![ResourceId(0), ResourceId(1), ResourceId(2)]]
    );
}

#[test]
fn a_resource_that_needs_itself_is_a_cycle() {
    let graph = graph(2, &[(1, 1)]);
    assert_eq!(graph.cycles(), [vec![ResourceId(1)]]);
    assert_eq!(graph.n_direct(ResourceId(1), Direction::DependsOn), 0);
}

#[test]
fn a_hub_counts_neighbors_like_any_node() {
    let kinds = [EdgeKind::Parent, EdgeKind::Property];
    let edge = |from, kind| {
        let link = Link {
            to: ResourceId(0),
            kind,
        };
        (ResourceId(from), link)
    };
    for n_users in [1, 31, 32, 33, 200] {
        let edges = (0..=n_users).flat_map(|from| kinds.map(|kind| edge(from, kind)));
        let graph = Graph::new(201, edges.collect());
        let n_direct = |direction| graph.n_direct(ResourceId(0), direction);
        assert_eq!(n_direct(Direction::UsedBy), n_users as usize);
        assert_eq!(n_direct(Direction::DependsOn), 0);
    }
}

#[test]
fn two_kinds_of_edges_to_one_resource_count_once() {
    let link = |kind| Link {
        to: ResourceId(0),
        kind,
    };
    let graph = Graph::new(
        2,
        vec![
            (ResourceId(1), link(EdgeKind::Parent)),
            (ResourceId(1), link(EdgeKind::Property)),
        ],
    );
    assert_eq!(graph.depends_on(ResourceId(1)).len(), 2);
    assert_eq!(graph.n_direct(ResourceId(1), Direction::DependsOn), 1);
    assert_eq!(
        graph
            .reach_by(ResourceId(1), Direction::DependsOn, |kind| kind
                == EdgeKind::Provider)
            .len(),
        0
    );
}

#[test]
fn the_path_is_shortest_with_reasons() {
    let graph = graph(5, &[(4, 3), (3, 2), (2, 0), (4, 1), (1, 0)]);
    let way = graph.way(ResourceId(4), ResourceId(0)).unwrap();
    assert_eq!(
        way.iter()
            .map(|step| (step.from.0, step.to.0))
            .collect::<Vec<_>>(),
        [(4, 1), (1, 0)]
    );
    assert_eq!(graph.way(ResourceId(0), ResourceId(4)), None);
    assert_eq!(
        graph
            .way_between(ResourceId(0), ResourceId(4))
            .map(|way| way.len()),
        Some(2)
    );
    assert_eq!(graph.way(ResourceId(2), ResourceId(2)), Some(vec![]));
    assert_eq!(graph.way(ResourceId(2), ResourceId(9)), None);
}

#[test]
fn an_empty_graph_answers_nothing() {
    let graph = Graph::default();
    assert!(graph.is_empty());
    assert_eq!(reached(&graph, 0, Direction::UsedBy), []);
    assert_eq!(graph.order(), []);
}

#[test]
fn a_long_chain_does_not_overflow() {
    let edges: Vec<_> = (1..200_000).map(|index| (index, index - 1)).collect();
    let graph = graph(200_000, &edges);
    assert_eq!(
        graph.way(ResourceId(199_999), ResourceId(0)).unwrap().len(),
        199_999
    );
    assert_eq!(graph.order().first(), Some(&ResourceId(0)));
    assert_eq!(graph.cycles(), Vec::<Vec<ResourceId>>::new());
}

#[test]
fn a_hub_of_100_000_dependents_is_walked_at_once() {
    let edges: Vec<_> = (1..=100_000).map(|index| (index, 0)).collect();
    let graph = graph(100_001, &edges);
    let start = Instant::now();
    assert_eq!(graph.reach(ResourceId(0), Direction::UsedBy).len(), 100_000);
    // 2 ms optimised; the limit is for unoptimised builds on busy machines.
    assert!(start.elapsed() < Duration::from_millis(500));
}

/// The pairs with a path of at least one edge, by repeated joining.
fn closure(n: usize, edges: &[(u32, u32)]) -> BTreeSet<(u32, u32)> {
    let mut pairs: BTreeSet<(u32, u32)> = edges.iter().copied().collect();
    for _ in 0..n {
        let more: Vec<_> = pairs
            .iter()
            .flat_map(|(from, middle)| {
                edges
                    .iter()
                    .filter(move |(start, _)| start == middle)
                    .map(move |(_, to)| (*from, *to))
            })
            .collect();
        pairs.extend(more);
    }
    pairs
}

proptest! {
    #[test]
    fn walks_agree_with_the_closure(edges in prop::collection::vec((0..8_u32, 0..8_u32), 0..20)) {
        let graph = graph(8, &edges);
        let closure = closure(8, &edges);
        let cycles = graph.cycles();
        for members in &cycles {
            let circle = graph.circle(members);
            prop_assert_eq!(circle[0], members[0]);
            for (from, to) in circle.iter().zip(circle.iter().cycle().skip(1)) {
                prop_assert!(edges.contains(&(from.0, to.0)));
            }
        }
        let position: Vec<_> = {
            let order = graph.order();
            prop_assert_eq!(order.len(), 8);
            (0..8).map(|id| order.iter().position(|other| other.0 == id).unwrap()).collect()
        };
        for from in 0..8 {
            let down: BTreeSet<_> = reached(&graph, from, Direction::DependsOn).into_iter().map(|(id, _)| id).collect();
            for to in 0..8 {
                let linked = closure.contains(&(from, to));
                prop_assert_eq!(down.contains(&to), linked && from != to);
                let up = reached(&graph, to, Direction::UsedBy);
                prop_assert_eq!(up.iter().any(|(id, _)| *id == from), linked && from != to);
                let way = graph.way(ResourceId(from), ResourceId(to));
                prop_assert_eq!(way.is_some(), linked || from == to);
                if let Some(way) = way.filter(|way| !way.is_empty()) {
                    let depth = reached(&graph, from, Direction::DependsOn).into_iter().find(|(id, _)| *id == to).unwrap().1;
                    prop_assert_eq!(way.len(), depth as usize);
                    prop_assert!(way.windows(2).all(|pair| pair[0].to == pair[1].from));
                }
                let circle = linked && closure.contains(&(to, from));
                let together = cycles.iter().any(|cycle| cycle.contains(&ResourceId(from)) && cycle.contains(&ResourceId(to)));
                prop_assert_eq!(together, circle);
                if linked && !circle && from != to {
                    prop_assert!(position[to as usize] < position[from as usize]);
                }
            }
        }
    }
}
