//! The placeholders of 0.13 for blocks of unknown number.

use crate::terraform::cty::View;
use crate::terraform::schema::{Block, NestedBlock, Nesting};

/// True if a planned block value may hold the placeholder of a dynamic block: a block with only unknown and null attributes.
pub(super) fn may_hold(nested: &NestedBlock, value: View<'_>) -> bool {
    may_hold_at(nested, value, Depth::Block)
}

#[derive(Clone, Copy, PartialEq)]
enum Depth {
    /// The outermost blocks.
    Block,
    /// Blocks inside a possible placeholder. There may be none of a kind.
    Inside,
}

fn may_hold_at(nested: &NestedBlock, value: View<'_>, depth: Depth) -> bool {
    let is_inside = depth == Depth::Inside;
    match nested.nesting {
        Nesting::Single | Nesting::Group => {
            (is_inside && value.is_null()) || may_be(&nested.block, value)
        }
        _ if !value.is_known() => true,
        _ if value.is_null() => false,
        Nesting::List | Nesting::Set | Nesting::Map => {
            value.parts().any(|element| may_be(&nested.block, element)) || is_inside
        }
    }
}

fn may_be(block: &Block, value: View<'_>) -> bool {
    if value.is_null() {
        return false;
    }
    if !value.is_known() {
        return true;
    }
    let is_open = |view: View<'_>| view.is_null() || !view.is_known();
    block
        .attributes()
        .keys()
        .all(|name| is_open(value.attribute(name)))
        && block
            .blocks()
            .iter()
            .all(|(name, nested)| may_hold_at(nested, value.attribute(name), Depth::Inside))
}
