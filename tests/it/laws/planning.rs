//! The planning rules, on schemas and values that proptest generates.

mod generate;

use generate::Case;
use proptest::prelude::*;
use stacklens::json::to_compact;
use stacklens::terraform::cty::{self, Dynamic, Typed, View};
use stacklens::terraform::objchange::{
    Semantics, Violation, ViolationKind, assert_object_compatible, assert_plan_valid,
    assert_value_compatible, normalize_object_from_legacy_sdk, planned_data_resource_object,
    prepare_computed_blocks, proposed_new,
};
use stacklens::terraform::schema::{Attribute, Block, NestedBlock, Nesting};
use stacklens::value::Value;

use crate::written;

const BOTH: [Semantics; 2] = [Semantics::Current, Semantics::V0_13];

/// The value conforms to the schema, and equals itself when built again.
#[track_caller]
fn check_conforms(schema: &Block, value: &Typed) {
    assert!(schema.admits(value.view()), "{:?}", value.ty());
    let again = Typed::new(value.ty().clone(), value.value().clone()).expect("it fits its type");
    assert!(again.view().raw_equals(value.view()), "{value:?}");
}

/// The attributes that the rules treat as a whole: those without a nested type.
fn plain_attributes(schema: &Block) -> impl Iterator<Item = (&str, &Attribute)> {
    let attributes = schema.attributes().iter();
    let plain = attributes.filter(|(_, attribute)| attribute.nested.is_none());
    plain.map(|(name, attribute)| (&**name, attribute))
}

/// The blocks in a collection that may be empty.
fn collections(schema: &Block) -> impl Iterator<Item = (&str, &NestedBlock)> {
    let blocks = schema.blocks().iter();
    let many =
        blocks.filter(|(_, nested)| !matches!(nested.nesting, Nesting::Single | Nesting::Group));
    many.map(|(name, nested)| (&**name, nested))
}

#[track_caller]
fn check_same(got: View<'_>, want: View<'_>, what: &str) {
    assert!(got.raw_equals(want), "{what}: {got:?}, not {want:?}");
}

/// The object with another value for an attribute.
fn with(object: &Typed, name: &str, value: Value) -> Typed {
    let map = object.value().as_map().expect("an object").clone();
    Typed::new(object.ty().clone(), map.set(name, value).into()).expect("a value of the attribute")
}

/// The violations at an attribute of the top or below it.
fn found_at<'v>(violations: &'v [Violation], name: &str) -> Vec<&'v ViolationKind> {
    let below = |violation: &&Violation| matches!(violation.path.0.first(), Some(cty::Segment::Attribute(first)) if **first == *name);
    violations
        .iter()
        .filter(below)
        .map(|violation| &violation.kind)
        .collect()
}

proptest! {
    #[test]
    fn a_proposal_is_the_configuration_with_what_was_computed_before(case in Case::any()) {
        let Case { schema, prior, config } = &case;
        let proposed = proposed_new(schema, prior, config, Semantics::Current).expect("values of the schema");
        let planned = planned_data_resource_object(schema, config, Semantics::Current).expect("values of the schema");
        let created = proposed_new(schema, &Typed::null(schema.implied_type().clone()), config, Semantics::Current);
        let created = created.expect("values of the schema");
        for (name, attribute) in plain_attributes(schema) {
            let [prior, config] = [prior, config].map(|object| object.view().attribute(name));
            let is_left_open = attribute.flags.computed && config.is_null();
            check_same(proposed.view().attribute(name), if is_left_open { prior } else { config }, "proposed");
            let created = created.view().attribute(name);
            prop_assert_eq!(created.is_null(), config.is_null());
            if !config.is_null() {
                check_same(created, config, "created");
            }
            let planned = planned.view().attribute(name);
            if is_left_open {
                prop_assert!(!planned.is_known(), "{:?} is read during apply", planned);
            } else {
                check_same(planned, config, "planned");
            }
        }
    }

    #[test]
    fn a_plan_may_not_leave_out_what_is_configured(case in Case::any()) {
        let Case { schema, prior, config } = &case;
        let proposed = proposed_new(schema, prior, config, Semantics::Current).expect("values of the schema");
        for (name, attribute) in plain_attributes(schema) {
            let flags = attribute.flags;
            if config.view().attribute(name).is_null() || (flags.computed && !flags.optional) {
                continue;
            }
            let planned = with(&proposed, name, Value::NULL);
            let found = assert_plan_valid(schema, prior, config, &planned, Semantics::Current).expect("values of the schema");
            let kinds = found_at(&found, name);
            prop_assert_eq!(kinds.len(), found.len(), "{:?}", &found);
            let is_told = match kinds[..] {
                [ViolationKind::MismatchConfig(_)] => prior.view().attribute(name).is_null(),
                [ViolationKind::MismatchConfigAndPrior(_)] => !prior.view().attribute(name).is_null(),
                _ => false,
            };
            prop_assert!(is_told, "{:?}", found);
        }
    }

    #[test]
    fn a_plan_may_not_add_to_what_only_the_configuration_sets(case in Case::any()) {
        let Case { schema, prior, config } = &case;
        let proposed = proposed_new(schema, prior, config, Semantics::Current).expect("values of the schema");
        for (name, attribute) in plain_attributes(schema) {
            if !config.view().attribute(name).is_null() || proposed.ty() != schema.implied_type() {
                continue;
            }
            let planned = with(&proposed, name, Value::computed());
            let found = assert_plan_valid(schema, prior, config, &planned, Semantics::Current).expect("values of the schema");
            let is_told = matches!(found_at(&found, name)[..], [ViolationKind::ValueForNonComputed(_)]);
            prop_assert_eq!(is_told, !attribute.flags.computed, "{:?}", found);
        }
    }

    #[test]
    fn planned_values_may_not_vanish(case in Case::any()) {
        let Case { schema, config: planned, .. } = &case;
        for (name, _) in plain_attributes(schema) {
            let value = planned.view().attribute(name);
            if value.is_null() || !value.is_known() {
                continue;
            }
            let actual = with(planned, name, Value::NULL);
            let found = assert_object_compatible(schema, planned, &actual, Semantics::Current).expect("values of the schema");
            prop_assert_eq!(found_at(&found, name).len(), found.len(), "{:?}", &found);
            prop_assert!(matches!(found[..], [Violation { kind: ViolationKind::WasValueNowNull(_), .. }]), "{:?}", found);
            let [planned, actual] = [planned, &actual].map(|object| object.view().attribute(name).to_typed());
            prop_assert!(!assert_value_compatible(&planned, &actual, Semantics::Current).is_empty());
            prop_assert!(assert_value_compatible(&planned, &planned, Semantics::Current).is_empty());
            prop_assert_eq!(assert_value_compatible(&actual, &planned, Semantics::Current).len(), 1, "null was planned");
            // A known value may not become unknown, though it may have been unknown before.
            let unknown = Typed::unknown(value.ty.clone());
            prop_assert_eq!(assert_value_compatible(&planned, &unknown, Semantics::Current).len(), 1);
            prop_assert!(assert_value_compatible(&unknown, &planned, Semantics::Current).is_empty());
        }
    }

    #[test]
    fn a_normal_value_has_known_blocks(case in Case::any()) {
        let Case { schema, config, .. } = &case;
        let normal = normalize_object_from_legacy_sdk(schema, config, Semantics::Current).expect("a value of the schema");
        for name in schema.attributes().keys() {
            check_same(normal.view().attribute(name), config.view().attribute(name), "an attribute");
        }
        for (name, nested) in schema.blocks() {
            let [normal, given] = [&normal, config].map(|object| object.view().attribute(name));
            if nested.is_dynamic() || nested.nesting == Nesting::Map {
                check_same(normal, given, "left alone");
                continue;
            }
            prop_assert!(normal.is_known() && (!normal.is_null() || nested.nesting == Nesting::Single), "{:?}", normal);
            let one = match nested.nesting {
                Nesting::List | Nesting::Set if given.is_known() => {
                    prop_assert!(normal.len() == given.len() || nested.nesting == Nesting::Set);
                    continue;
                }
                Nesting::List | Nesting::Set => normal.items().next(),
                _ => Some(normal),
            };
            let one = one.expect("one that stands for an unknown number");
            for (name, _) in nested.block.attributes() {
                prop_assert!(given.is_known() || !one.attribute(name).is_known(), "{:?}", one);
            }
        }
    }

    #[test]
    fn computed_blocks_that_are_not_configured_are_null(case in Case::any()) {
        let blocks = case.schema.blocks().iter().map(|(name, nested)| {
            let block = Block::new(nested.block.attributes().clone(), nested.block.blocks().clone(), true);
            (name.clone(), NestedBlock { block, ..nested.clone() })
        });
        let schema = Block::new(case.schema.attributes().clone(), blocks.collect(), false);
        let prepared = prepare_computed_blocks(&schema, &case.config).expect("a value of the schema");
        let plain = prepare_computed_blocks(&case.schema, &case.config).expect("a value of the schema");
        check_same(plain.view(), case.config.view(), "no block is computed");
        for (name, _) in collections(&schema) {
            let [got, given] = [&prepared, &case.config].map(|object| object.view().attribute(name));
            prop_assert_eq!(got.is_null(), given.is_null() || given.is_empty(), "{:?}", got);
            if !given.is_empty() {
                check_same(got, given, "configured");
            }
        }
    }

    #[test]
    fn proposals_conform_to_the_schema(case in Case::any()) {
        for semantics in BOTH {
            let proposed = proposed_new(&case.schema, &case.prior, &case.config, semantics);
            check_conforms(&case.schema, &proposed.expect("values of the schema"));
            let planned = planned_data_resource_object(&case.schema, &case.config, semantics);
            check_conforms(&case.schema, &planned.expect("values of the schema"));
        }
    }

    #[test]
    fn a_plan_equal_to_the_proposal_is_valid(case in Case::any()) {
        let Case { schema, prior, config, .. } = &case;
        let proposed = proposed_new(schema, prior, config, Semantics::Current).expect("values of the schema");
        let found = assert_plan_valid(schema, prior, config, &proposed, Semantics::Current);
        prop_assert_eq!(found, Ok(Vec::new()));
    }

    #[test]
    fn an_actual_equal_to_the_planned_is_compatible(case in Case::any()) {
        for planned in [&case.prior, &case.config] {
            for semantics in BOTH {
                let found = assert_object_compatible(&case.schema, planned, planned, semantics);
                prop_assert_eq!(found, Ok(Vec::new()));
            }
        }
    }

    #[test]
    fn normalizing_twice_is_normalizing_once(case in Case::any()) {
        for semantics in BOTH {
            let once = normalize_object_from_legacy_sdk(&case.schema, &case.config, semantics).expect("a value of the schema");
            let twice = normalize_object_from_legacy_sdk(&case.schema, &once, semantics).expect("a value of the schema");
            prop_assert!(once.view().raw_equals(twice.view()));
            check_conforms(&case.schema, &once);
        }
        let once = prepare_computed_blocks(&case.schema, &case.config).expect("a value of the schema");
        let twice = prepare_computed_blocks(&case.schema, &once).expect("a value of the schema");
        prop_assert!(once.view().raw_equals(twice.view()));
    }

    #[test]
    fn values_come_back_from_their_bytes(case in Case::any()) {
        for value in [&case.prior, &case.config] {
            for ty in [value.ty(), case.schema.implied_type()] {
                let bytes = written::to_msgpack(value.view(), ty);
                let back = cty::msgpack::from_msgpack(ty, &bytes).expect("it was written");
                prop_assert!(back.view().raw_equals(value.view()), "{:?} {:?}", back, value);
            }
        }
        let ty = case.schema.implied_type();
        let json = written::to_json(case.prior.view(), ty);
        let back = cty::from_json_text(ty, to_compact(&json).as_bytes(), Dynamic::Wrapped).expect("it was written");
        prop_assert!(back.view().raw_equals(case.prior.view()), "{:?} {:?}", back, case.prior);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64), case in Case::any()) {
        let _ = cty::msgpack::from_msgpack(case.schema.implied_type(), &bytes);
        let mut garbled = written::to_msgpack(case.config.view(), case.schema.implied_type());
        for byte in &bytes {
            let at = usize::from(*byte) % garbled.len();
            garbled[at] ^= byte;
            let _ = cty::msgpack::from_msgpack(case.schema.implied_type(), &garbled);
        }
    }
}
