//! Nested blocks.

use std::sync::Arc;

use super::{Check, Kind, Semantics, Stage};
use crate::terraform::cty::{PathFrame, View};
use crate::terraform::schema::{NestedBlock, Nesting};
use crate::types::Type;

impl Check {
    pub(super) fn nested_block(
        &mut self,
        nested: &NestedBlock,
        stage: Stage<'_>,
        place: &PathFrame<'_>,
    ) {
        let is_current = self.semantics == Semantics::Current;
        let Stage {
            config, planned, ..
        } = stage;
        let must_not_be_null = match nested.nesting {
            Nesting::Single => false,
            Nesting::Group => is_current,
            Nesting::List | Nesting::Set | Nesting::Map => true,
        };
        if is_current && must_not_be_null && planned.is_null() {
            self.report(place, Kind::NullBlockCollection(nested.nesting));
            return;
        }
        if planned.raw_equals(config) {
            return;
        }
        let is_computed = nested.block.is_computed();
        let wrong = match (is_current, planned.is_known()) {
            (true, _) if !config.is_known() => Kind::ValueForUnknownDynamicBlock,
            (true, _) if is_computed && config.is_null() => return,
            (true, false) if is_computed => Kind::UnknownForConfiguredBlock,
            (true, false) => Kind::UnknownForNonComputedBlock,
            (false, false) => Kind::UnknownBlock,
            (false, true) if must_not_be_null && planned.is_null() => {
                Kind::NullBlockCollection(nested.nesting)
            }
            (false, true)
                if matches!(nested.nesting, Nesting::List | Nesting::Map)
                    && config.count().is_none() =>
            {
                self.has_crashed = true;
                return;
            }
            (_, true) => return self.known_block(nested, stage, place),
        };
        self.report(place, wrong);
    }

    fn known_block(&mut self, nested: &NestedBlock, stage: Stage<'_>, place: &PathFrame<'_>) {
        match nested.nesting {
            Nesting::Single | Nesting::Group => self.object(&nested.block, stage, place),
            Nesting::List => self.list_of_blocks(nested, stage, place),
            Nesting::Map => self.map_of_blocks(nested, stage, place),
            Nesting::Set => {
                for planned in stage.planned.items() {
                    if !planned.is_known() {
                        self.report(&place.element(planned), Kind::UnknownBlockElement);
                    }
                }
            }
        }
    }

    /// Checks the number of blocks. In a configuration null counts as empty, except for a tuple in 0.13.
    fn same_count(&mut self, stage: Stage<'_>, place: &PathFrame<'_>) -> bool {
        let count = |view: View<'_>| match self.semantics {
            Semantics::Current => view.len(),
            Semantics::V0_13 => view.count(),
        };
        let [planned, config] = [stage.planned, stage.config].map(|it| count(it).unwrap_or(0));
        if planned != config {
            self.report(place, Kind::BlockCountMismatch { planned, config });
        }
        planned == config
    }

    fn list_of_blocks(&mut self, nested: &NestedBlock, stage: Stage<'_>, place: &PathFrame<'_>) {
        if !self.same_count(stage, place) {
            return;
        }
        let config = stage.config.elements();
        for (index, planned) in stage.planned.items().enumerate() {
            let (prior, place) = (stage.prior.index(index), place.index(index));
            match config.get(index) {
                Some(config) => self.element(nested, prior, *config, planned, &place),
                // The configuration is a null tuple.
                None if planned.is_known() => self.has_crashed = true,
                None => self.report(&place, Kind::UnknownBlockElement),
            }
        }
    }

    fn map_of_blocks(&mut self, nested: &NestedBlock, stage: Stage<'_>, place: &PathFrame<'_>) {
        let is_object = is_object(stage.planned);
        if !is_object && !self.same_count(stage, place) {
            return;
        }
        for (key, planned) in stage.planned.entries() {
            let below = if is_object {
                place.attribute(key)
            } else {
                place.key(key)
            };
            // For a value of map type, the element is checked before its key.
            let config = match block_at(stage.config, key) {
                Some(config) => {
                    self.has_crashed |= stage.config.is_null() && planned.is_known();
                    config
                }
                None if !is_object && !planned.is_known() => View::null(planned.ty),
                None => {
                    // The original already uses the path of the element here if the value is of map type.
                    let at = if is_object { place } else { &below };
                    self.report(at, Kind::BlockKeyNotInConfig(key.clone()));
                    continue;
                }
            };
            self.element(nested, stage.prior.key(key), config, planned, &below);
        }
        for key in keys(stage.config) {
            if stage.planned.key(key).is_none() {
                self.report(place, Kind::BlockKeyNotInPlan(key.clone()));
            }
        }
    }

    fn element(
        &mut self,
        nested: &NestedBlock,
        prior: Option<View<'_>>,
        config: View<'_>,
        planned: View<'_>,
        place: &PathFrame<'_>,
    ) {
        if !planned.is_known() {
            self.report(place, Kind::UnknownBlockElement);
            return;
        }
        let stage = Stage {
            prior: prior.unwrap_or(View::null(nested.block.implied_type())),
            config,
            planned,
        };
        self.object(&nested.block, stage, place);
    }
}

fn is_object(view: View<'_>) -> bool {
    matches!(view.ty, Type::Object(_))
}

/// The block at `key` of a map. A null or unknown object has the keys of its type.
fn block_at<'a>(map: View<'a>, key: &str) -> Option<View<'a>> {
    match map.ty {
        Type::Object(ty) if !map.has_elements() => {
            let has_key = ty.attributes.contains_key(key);
            has_key.then(|| map.attribute(key))
        }
        _ => map.key(key),
    }
}

/// The keys of a map of blocks, sorted. A null or unknown object has those of its type.
fn keys(map: View<'_>) -> Vec<&Arc<str>> {
    match map.ty {
        Type::Object(ty) if !map.has_elements() => {
            let mut keys: Vec<_> = ty.attributes.keys().collect();
            keys.sort_unstable();
            keys
        }
        _ => map.entries().map(|(key, _)| key).collect(),
    }
}
