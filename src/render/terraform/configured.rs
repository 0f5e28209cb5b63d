//! Block types derived from the configuration, for resources without a schema: which of the arguments are blocks.
//!
//! An expression is an attribute; an array of objects of expressions is blocks of a list or a set; an object of expressions is a
//! single block; an object of such objects is blocks by label. Blocks that a `dynamic` block makes, and those that only the
//! provider writes, are not in the configuration.
//!
//! # Source
//!
//! Terraform 1.17 `internal/command/jsonconfig`, `marshalExpressions`.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::terraform::schema::{Block, NestedBlock, Nesting};
use crate::value::{Map, Payload, Value};

/// Maximum nesting depth of blocks.
const MAX_DEPTH: usize = 32;

/// A schema with the blocks in `expressions`, the configured arguments of a resource, as far as the `values` of the resource fit
/// them. It has no attributes.
pub(super) fn blocks_of(expressions: &Value, values: &[&Value]) -> Block {
    let expressions: Vec<&Map> = expressions.as_map().into_iter().collect();
    block(&expressions, values, MAX_DEPTH)
}

/// The block type with these instances.
fn block(instances: &[&Map], values: &[&Value], depth: usize) -> Block {
    let mut blocks: IndexMap<Arc<str>, NestedBlock> = IndexMap::new();
    if depth > 0 {
        let mut inner: IndexMap<Arc<str>, (Nesting, Vec<&Map>)> = IndexMap::new();
        for (name, argument) in instances.iter().copied().flatten() {
            if let Some((nesting, found)) = nested(argument) {
                let known = inner
                    .entry(name.clone())
                    .or_insert_with(|| (nesting, Vec::new()));
                known.1.extend(found);
            }
        }
        blocks.extend(
            inner
                .into_iter()
                .filter_map(|(name, (configured, instances))| {
                    let of_name = values.iter().filter_map(|value| value.get(&name));
                    let of_name: Vec<&Value> = of_name.filter(|value| !is_nothing(value)).collect();
                    let (nesting, values) = held(configured, &of_name)?;
                    let nested = NestedBlock {
                        nesting,
                        block: block(&instances, &values, depth - 1),
                        min_items: 0,
                        max_items: 0,
                    };
                    Some((name, nested))
                }),
        );
    }
    Block::new(IndexMap::new(), blocks, false)
}

/// The nesting of the blocks in an argument, and the expressions of each block; `None` for an attribute.
fn nested(argument: &Value) -> Option<(Nesting, Vec<&Map>)> {
    match argument.payload() {
        Payload::Array(items) => {
            let blocks: Option<Vec<&Map>> = items.iter().map(Value::as_map).collect();
            blocks.map(|blocks| (Nesting::List, blocks))
        }
        Payload::Map(map) if is_expression(map) => None,
        Payload::Map(map) => {
            let by_label: Option<Vec<&Map>> = map
                .values()
                .map(|value| value.as_map().filter(|inner| !is_expression(inner)))
                .collect();
            Some(match by_label {
                Some(blocks) => (Nesting::Map, blocks),
                None => (Nesting::Single, vec![map]),
            })
        }
        _ => None,
    }
}

/// The nesting of blocks with these values, and the value of each block; `None` if the values are not blocks. `configured` is
/// the nesting in the configuration, which does not distinguish a single block from a list of one; the values do.
fn held<'v>(configured: Nesting, values: &[&'v Value]) -> Option<(Nesting, Vec<&'v Value>)> {
    let is_block = |value: &&Value| value.as_map().is_some() || is_nothing(value);
    if values.iter().all(|value| value.as_array().is_some()) && configured == Nesting::List {
        let blocks: Vec<&Value> = values
            .iter()
            .filter_map(|value| value.as_array())
            .flatten()
            .collect();
        return blocks.iter().all(is_block).then_some((configured, blocks));
    }
    let maps: Option<Vec<&Map>> = values.iter().map(|value| value.as_map()).collect();
    let blocks: Vec<&Value> = maps?.into_iter().flat_map(Map::values).collect();
    let by_label = configured == Nesting::Map && blocks.iter().all(is_block);
    Some(if by_label {
        (Nesting::Map, blocks)
    } else {
        (Nesting::Single, values.to_vec())
    })
}

/// True if a value does not reveal its type.
fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.is_computed()
}

/// True for an expression: a constant, references, or an empty object.
fn is_expression(map: &Map) -> bool {
    map.is_empty() || map.contains_key("constant_value") || map.contains_key("references")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    #[test]
    fn blocks_are_distinct_from_attributes() {
        let expressions = r#"{"size": {"constant_value": {"a": [1]}}, "when": {}, "link": {"references": ["a.b"]},
            "rule": [{"port": {"constant_value": 1}}, {"to": [{"cidr": {}}]}],
            "timeouts": {"create": {"constant_value": "5m"}},
            "zone": {"a": {"n": {"constant_value": 1}}, "b": {"n": {}, "x": {"references": ["c.d"]}}}}"#;
        let json = parse(expressions.as_bytes(), Numbers::Exact).unwrap();
        let values = r#"{"size": {"a": [1]}, "rule": [{"port": 1, "to": []}], "timeouts": {"create": "5m"}, "zone": {"a": {"n": 1}}}"#;
        let values = parse(values.as_bytes(), Numbers::Exact).unwrap();
        let block = blocks_of(&json.value, &[&values.value, &Value::NULL]);
        let nestings = |block: &Block| -> Vec<(String, &'static str)> {
            let blocks = block.blocks().iter();
            blocks
                .map(|(name, nested)| (name.to_string(), nested.nesting.name()))
                .collect()
        };
        let names = |nestings: &[(&str, &'static str)]| -> Vec<(String, &'static str)> {
            nestings
                .iter()
                .map(|(name, nesting)| ((*name).to_owned(), *nesting))
                .collect()
        };
        assert_eq!(
            nestings(&block),
            names(&[("rule", "list"), ("timeouts", "single"), ("zone", "map")])
        );
        assert_eq!(
            nestings(&block.blocks()["rule"].block),
            names(&[("to", "list")])
        );
        assert!(block.blocks()["zone"].block.blocks().is_empty());
        // The values decide.
        let values = r#"{"rule": {"port": 1}, "timeouts": "5m", "zone": {"a": 1}}"#;
        let values = parse(values.as_bytes(), Numbers::Exact).unwrap();
        let block = blocks_of(&json.value, &[&values.value]);
        assert_eq!(
            nestings(&block),
            names(&[("rule", "single"), ("zone", "single")])
        );
    }
}
