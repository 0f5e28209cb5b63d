//! The planning rules, on schemas and values that proptest makes up.

mod generate;

use generate::Case;
use proptest::prelude::*;
use stacklens::cty::{self, Dynamic, Typed};
use stacklens::json::to_compact;
use stacklens::objchange::{
    Semantics, assert_object_compatible, assert_plan_valid, normalize_object_from_legacy_sdk,
    planned_data_resource_object, prepare_computed_blocks, proposed_new,
};
use stacklens::schema::Block;

const BOTH: [Semantics; 2] = [Semantics::Current, Semantics::V0_13];

/// The value is of the schema, and as it would be made anew.
#[track_caller]
fn check_conforms(schema: &Block, value: &Typed) {
    assert!(schema.admits(value.ty()), "{:?}", value.ty());
    let again = Typed::new(value.ty().clone(), value.value().clone()).expect("it fits its type");
    assert!(again.view().raw_equals(value.view()), "{value:?}");
}

proptest! {
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
                let bytes = cty::to_msgpack(value.view(), ty).expect("it conforms");
                let back = cty::from_msgpack(ty, &bytes).expect("it was written");
                prop_assert!(back.view().raw_equals(value.view()), "{:?} {:?}", back, value);
            }
        }
        let ty = case.schema.implied_type();
        let json = cty::to_json(case.prior.view(), ty).expect("it is known");
        let back = cty::from_json_text(ty, to_compact(&json).as_bytes(), Dynamic::Wrapped).expect("it was written");
        prop_assert!(back.view().raw_equals(case.prior.view()), "{:?} {:?}", back, case.prior);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64), case in Case::any()) {
        let _ = cty::from_msgpack(case.schema.implied_type(), &bytes);
        let mut garbled = cty::to_msgpack(case.config.view(), case.schema.implied_type()).expect("it conforms");
        for byte in &bytes {
            let at = usize::from(*byte) % garbled.len();
            garbled[at] ^= byte;
            let _ = cty::from_msgpack(case.schema.implied_type(), &garbled);
        }
    }
}
