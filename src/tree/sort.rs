//! Sorting siblings.
//!
//! A million names take some twenty million comparisons, and most names differ early. So the first bytes of each name are packed
//! into a number beforehand, in an order that agrees with [`natural`]. Names themselves are compared only if the numbers are
//! equal.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::build::rank;
use super::natural::{head, natural};
use super::{Node, Order};
use crate::stack::{Prefix, ResourceId, Stack};

/// A node with its sort key: its kind and its place in the order, then the head of its name.
#[derive(Clone, Copy)]
struct Keyed {
    /// The kind in the upper half, the place in the order in the lower one.
    major: u64,
    head: u128,
    node: Node,
}

/// Sorts the nodes of a stack.
pub(super) struct Sorter<'s> {
    stack: &'s Stack,
    order: Order,
    /// By prefix: the rank of its type among the types; empty if the order does not need it.
    types: Vec<u32>,
}

impl<'s> Sorter<'s> {
    /// A sorter for the nodes of `stack`.
    pub(super) fn new(stack: &'s Stack, order: Order) -> Self {
        let types = if order == Order::Type {
            type_ranks(stack)
        } else {
            Vec::new()
        };
        Self {
            stack,
            order,
            types,
        }
    }

    /// Sorts siblings. Resources of the root come before modules, since a program lists its own resources first; providers and
    /// outputs come last.
    pub(super) fn sort(&self, nodes: &mut [Node]) {
        if nodes.len() < 2 {
            return;
        }
        if self.order == Order::File {
            nodes.sort_by_key(|node| matches!(node, Node::Providers));
            return;
        }
        let mut keyed: Vec<Keyed> = nodes.iter().map(|node| self.keyed(*node)).collect();
        keyed.sort_unstable_by(|one, other| self.compare(one, other));
        for (node, keyed) in nodes.iter_mut().zip(keyed) {
            *node = keyed.node;
        }
    }

    fn keyed(&self, node: Node) -> Keyed {
        let kind = match node {
            Node::Resource(_) | Node::Type(_) | Node::Provider(_) => 0,
            Node::Group(_) => 1,
            Node::Providers => 2,
            Node::Outputs => 3,
        };
        let place = match node {
            Node::Resource(id) => self.place(id),
            _ => 0,
        };
        Keyed {
            major: kind << 32 | u64::from(place),
            head: head(self.name(node)),
            node,
        }
    }

    /// The rank of a resource in the order, before its name is compared.
    fn place(&self, id: ResourceId) -> u32 {
        let record = self.stack.record(id);
        match self.order {
            Order::Type => self.types[record.prefix.0 as usize],
            Order::Action => u32::try_from(rank(record.action)).unwrap_or(u32::MAX),
            Order::Name | Order::File => 0,
        }
    }

    fn name(&self, node: Node) -> &'s str {
        let tables = &self.stack.tables;
        match node {
            Node::Resource(id) => self.stack.short_name(id),
            Node::Group(id) => &tables.group(id).path,
            Node::Type(id) => tables.prefix(id).ty(),
            Node::Provider(id) => tables.provider(id),
            Node::Providers | Node::Outputs => "",
        }
    }

    fn compare(&self, one: &Keyed, other: &Keyed) -> Ordering {
        (one.major, one.head)
            .cmp(&(other.major, other.head))
            .then_with(|| natural(self.name(one.node), self.name(other.node)))
            .then_with(|| match (one.node, other.node) {
                (Node::Resource(one), Node::Resource(other)) => one.cmp(&other),
                _ => Ordering::Equal,
            })
    }
}

/// The rank of the type of each prefix, by type name.
fn type_ranks(stack: &Stack) -> Vec<u32> {
    let types = || stack.tables.prefixes.iter().map(Prefix::ty);
    let mut sorted: Vec<&str> = types().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let places: HashMap<&str, u32> = sorted.into_iter().zip(0..).collect();
    types().map(|ty| places[ty]).collect()
}
