//! Attributes of nested type.

use super::{Check, Kind, Stage};
use crate::terraform::cty::{PathFrame, View, length_range};
use crate::terraform::schema::{NestedType, Nesting};

impl Check {
    pub(super) fn nested_type(
        &mut self,
        nested: &NestedType,
        stage: Stage<'_>,
        place: &PathFrame<'_>,
    ) {
        if !self.both_present(stage, place) {
            return;
        }
        if !stage.planned.is_known() {
            self.report(place, Kind::UnknownForConfiguredValue);
            return;
        }
        match nested.nesting {
            Nesting::Single | Nesting::Group => self.attributes(nested, stage, place),
            Nesting::List => self.list_of_objects(nested, stage, place),
            Nesting::Map => self.map_of_objects(nested, stage, place),
            Nesting::Set => {
                let [planned, config] = [stage.planned, stage.config].map(length_range);
                if planned.end() < config.start() || config.end() < planned.start() {
                    self.report(place, count_mismatch(stage));
                }
            }
        }
    }

    fn attributes<'a>(&mut self, nested: &'a NestedType, stage: Stage<'a>, place: &PathFrame<'_>) {
        for (name, attribute) in nested.attributes() {
            // An object in a collection may be null. Its attributes have the types of the schema, not those of the null.
            let of = |object: View<'a>| {
                if object.is_null() {
                    View::null(&attribute.ty)
                } else {
                    object.attribute(name)
                }
            };
            let stage = Stage {
                prior: of(stage.prior),
                config: of(stage.config),
                planned: of(stage.planned),
            };
            self.attribute(attribute, stage, &place.attribute(name));
        }
    }

    fn list_of_objects(&mut self, nested: &NestedType, stage: Stage<'_>, place: &PathFrame<'_>) {
        if stage.planned.count() != stage.config.count() {
            self.report(place, count_mismatch(stage));
            return;
        }
        let config = stage.config.elements();
        for (index, (planned, config)) in stage.planned.items().zip(config).enumerate() {
            let stage = Stage {
                prior: stage.prior.index(index).unwrap_or(View::null(planned.ty)),
                config,
                planned,
            };
            self.attributes(nested, stage, &place.index(index));
        }
    }

    fn map_of_objects(&mut self, nested: &NestedType, stage: Stage<'_>, place: &PathFrame<'_>) {
        if stage.planned.len() != stage.config.len() {
            self.report(place, count_mismatch(stage));
            return;
        }
        for (key, planned) in stage.planned.entries() {
            let Some(config) = stage.config.key(key) else {
                self.report(place, Kind::MapKeyNotInConfig(key.clone()));
                continue;
            };
            let stage = Stage {
                prior: stage.prior.key(key).unwrap_or(View::null(planned.ty)),
                config,
                planned,
            };
            // The original writes the key as an attribute, even for a value of map type.
            self.attributes(nested, stage, &place.attribute(key));
        }
        for (key, _) in stage.config.entries() {
            if stage.planned.key(key).is_none() {
                self.report(place, Kind::MapKeyNotInPlan(key.clone()));
            }
        }
    }
}

fn count_mismatch(stage: Stage<'_>) -> Kind {
    Kind::CountMismatch {
        planned: length_range(stage.planned),
        config: length_range(stage.config),
    }
}
