//! The same place in several values of one schema, such as the prior, the proposed and the planned one.

use crate::terraform::cty::{Path, Segment, View};
use crate::terraform::schema::{Attribute, Block, NestedBlock};
use crate::types::Type;

/// The views of one place. Elements are those of the first value.
#[derive(Clone, Copy)]
pub(super) struct Places<'v, const N: usize>(pub(super) [View<'v>; N]);

impl<const N: usize> Places<'_, N> {
    pub(super) fn attribute(self, name: &str) -> Self {
        Self(self.0.map(|view| view.attribute(name)))
    }

    pub(super) fn all_have_elements(self) -> bool {
        self.0.iter().all(|view| view.has_elements())
    }

    /// The elements at an index or key that all values have. Elements of a set have neither.
    pub(super) fn elements(self) -> Vec<(Segment, Self)> {
        if matches!(self.0[0].ty, Type::Set(_)) {
            return Vec::new();
        }
        let indices = (0..self.0[0].items().len()).map(Segment::Index);
        let keys = self.0[0].entries();
        let keys = keys.map(|(key, _)| Segment::Key(key.clone()));
        let all = indices.chain(keys).filter_map(|segment| {
            let mut views = self.0;
            for view in &mut views {
                *view = match &segment {
                    Segment::Index(index) => view.index(*index)?,
                    Segment::Attribute(key) | Segment::Key(key) => view.key(key)?,
                    Segment::Element(_) => return None,
                };
            }
            Some((segment, Self(views)))
        });
        all.collect()
    }

    /// The objects of a nested block or type: its elements, or the value itself.
    pub(super) fn objects(self, is_collection: bool) -> Vec<(Option<Segment>, Self)> {
        if !is_collection {
            return vec![(None, self)];
        }
        let elements = self.elements().into_iter();
        elements
            .map(|(segment, places)| (Some(segment), places))
            .collect()
    }
}

/// Findings on the attributes of a block, and of the blocks in it.
pub(super) trait Visitor<const N: usize> {
    fn attribute(&mut self, attribute: &Attribute, places: Places<'_, N>, path: &mut Path);

    /// The places of a nested block to visit.
    fn block<'v>(&self, _: &NestedBlock, places: Places<'v, N>) -> Places<'v, N> {
        places
    }
}

/// Visits each attribute whose object all values have.
pub(super) fn visit<const N: usize>(
    visitor: &mut impl Visitor<N>,
    block: &Block,
    places: Places<'_, N>,
    path: &mut Path,
) {
    if !places.all_have_elements() {
        return;
    }
    for (name, attribute) in block.attributes() {
        path.0.push(Segment::Attribute(name.clone()));
        visitor.attribute(attribute, places.attribute(name), path);
        path.0.pop();
    }
    for (name, nested) in block.blocks() {
        path.0.push(Segment::Attribute(name.clone()));
        let places = visitor.block(nested, places.attribute(name));
        for (segment, places) in places.objects(nested.nesting.is_collection()) {
            let depth = path.0.len();
            path.0.extend(segment);
            visit(visitor, &nested.block, places, path);
            path.0.truncate(depth);
        }
        path.0.pop();
    }
}
