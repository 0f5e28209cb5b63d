//! Nested blocks.

use super::{Check, Kind, Semantics, Sides, Violation, one, placeholder, sets};
use crate::terraform::cty::{PathFrame, View};
use crate::terraform::schema::{NestedBlock, Nesting};
use crate::types::Type;

impl Check {
    pub(super) fn nested_block(
        self,
        nested: &NestedBlock,
        sides: Sides<'_>,
        place: &PathFrame<'_>,
    ) -> Vec<Violation> {
        let Sides { planned, actual } = sides;
        let is_open = match self.semantics {
            Semantics::Current => !planned.is_known(),
            Semantics::V0_13 => placeholder::may_hold(nested, planned),
        };
        let blocks = Blocks {
            nested,
            sides,
            is_open,
            place,
        };
        match nested.nesting {
            Nesting::Single | Nesting::Group => {
                // Blocks of unknown number may have turned out to be none.
                if is_open && actual.is_null() {
                    return Vec::new();
                }
                self.only_block(&nested.block, sides, place)
            }
            Nesting::Map if matches!(planned.ty, Type::Object(_)) => self.object_of_blocks(blocks),
            _ if !planned.has_elements() || !actual.has_elements() => Vec::new(),
            // The actual blocks may be at other indexes than the planned ones.
            Nesting::List if is_open => Vec::new(),
            Nesting::List | Nesting::Map => self.keyed_blocks(blocks),
            Nesting::Set => self.set_of_blocks(blocks),
        }
    }

    /// A list or map of blocks. A renamed key is not a violation: only the number of blocks counts.
    fn keyed_blocks(self, blocks: Blocks<'_>) -> Vec<Violation> {
        let counts = blocks.sides.counts();
        if counts.planned != counts.actual && !blocks.is_open {
            return one(blocks.place, Kind::BlockCountChanged(counts));
        }
        blocks
            .children()
            .into_iter()
            .flat_map(|(place, sides)| self.object(&blocks.nested.block, sides, &place))
            .collect()
    }

    /// A map of blocks with dynamic parts.
    fn object_of_blocks(self, blocks: Blocks<'_>) -> Vec<Violation> {
        let Blocks { sides, place, .. } = blocks;
        let mut violations = Vec::new();
        let has_key = |view: View<'_>, key: &str| match view.ty {
            Type::Object(object) => object.attributes.contains_key(key),
            _ => false,
        };
        let keys = |view: View<'_>| match view.ty {
            Type::Object(object) => object.attributes.keys().cloned().collect(),
            _ => Vec::new(),
        };
        for key in keys(sides.planned) {
            if has_key(sides.actual, &key) {
                let (sides, inner) = (sides.attribute(&key), place.attribute(&key));
                violations.extend(self.object(&blocks.nested.block, sides, &inner));
            } else {
                violations.push(Violation::new(place, Kind::BlockKeyVanished(key)));
            }
        }
        if !blocks.is_open {
            for key in keys(sides.actual) {
                if !has_key(sides.planned, &key) {
                    violations.push(Violation::new(place, Kind::BlockKeyAppeared(key)));
                }
            }
        }
        violations
    }

    fn set_of_blocks(self, blocks: Blocks<'_>) -> Vec<Violation> {
        let Blocks { sides, place, .. } = blocks;
        let Sides { planned, actual } = sides;
        let mut violations = sets::correlate(planned, actual, place, |planned, actual| {
            let sides = Sides { planned, actual };
            self.object(&blocks.nested.block, sides, &PathFrame::TOP)
                .is_empty()
        });
        let counts = sides.counts();
        if counts.planned < counts.actual && !blocks.is_open {
            violations.push(Violation::new(place, Kind::BlockSetGrew(counts)));
        }
        violations
    }
}

/// The blocks of one kind in a block.
#[derive(Clone, Copy)]
struct Blocks<'v> {
    nested: &'v NestedBlock,
    sides: Sides<'v>,
    /// True if their number was not known when they were planned.
    is_open: bool,
    place: &'v PathFrame<'v>,
}

impl<'v> Blocks<'v> {
    /// The blocks under the same key on both sides, or at the same index in a list.
    fn children(self) -> Vec<(PathFrame<'v>, Sides<'v>)> {
        let Sides { planned, actual } = self.sides;
        if self.nested.nesting == Nesting::Map {
            let pairs = planned.entries().filter_map(|(key, planned)| {
                let actual = actual.key(key)?;
                Some((self.place.key(key), Sides { planned, actual }))
            });
            return pairs.collect();
        }
        let pairs = planned.items().zip(actual.items()).enumerate();
        pairs
            .map(|(index, (planned, actual))| (self.place.index(index), Sides { planned, actual }))
            .collect()
    }
}
