//! Types, their shapes, and their values.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use stacklens::types::{ObjectType, Type};
use stacklens::value::Value;

use super::generate::{Kinds, key, value};

/// Types without promises, outputs and inputs.
fn plain() -> BoxedStrategy<Type> {
    types(false)
}

fn any_type() -> BoxedStrategy<Type> {
    types(true)
}

fn types(has_metadata: bool) -> BoxedStrategy<Type> {
    let leaf = prop_oneof![
        Just(Type::Null),
        Just(Type::Bool),
        Just(Type::Number),
        Just(Type::String),
        Just(Type::Asset),
        Just(Type::Archive),
        Just(Type::Reference),
        Just(Type::Dynamic),
        vec(any::<String>().prop_map(Value::from), 0..3)
            .prop_map(|values| Type::Enum(Type::String.into(), values)),
        vec(
            (-9i8..9).prop_map(|number| Value::from(f64::from(number))),
            1..3
        )
        .prop_map(|values| Type::Enum(Type::Number.into(), values)),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let one = inner.clone().prop_map(Arc::new);
        let object = vec((key(), inner.clone(), any::<bool>()), 0..4).prop_map(object);
        let composite = prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|types| Type::Tuple(types.into())),
            vec(inner.clone(), 0..4).prop_map(Type::Union),
            one.clone().prop_map(Type::Array),
            one.clone().prop_map(Type::Set),
            one.clone().prop_map(Type::Map),
            object,
        ];
        if has_metadata {
            prop_oneof![
                3 => composite,
                1 => one.clone().prop_map(Type::Promise),
                1 => one.clone().prop_map(Type::Output),
                1 => one.prop_map(Type::Input),
            ]
            .boxed()
        } else {
            composite.boxed()
        }
    })
    .boxed()
}

fn object(fields: Vec<(String, Type, bool)>) -> Type {
    let mut object = ObjectType::default();
    for (key, ty, is_optional) in fields {
        let key: Arc<str> = key.into();
        if is_optional {
            object.optional.insert(key.clone());
        } else {
            object.optional.remove(&key);
        }
        object.attributes.insert(key, ty);
    }
    Type::Object(object)
}

/// A type, and a value that usually conforms to it.
fn typed() -> impl Strategy<Value = (Type, Value)> {
    prop_oneof![
        (any_type(), value(Kinds::Pulumi)),
        value(Kinds::Pulumi).prop_map(|value| (Type::infer(&value), value)),
        value(Kinds::Plain).prop_map(|value| (Type::infer(&value).plain_shape(), value)),
    ]
}

proptest! {
    #[test]
    fn shapes_have_their_constructor_outside(ty in any_type()) {
        prop_assert!(matches!(ty.input_shape(), Type::Input(_)));
        prop_assert!(matches!(ty.output_shape(), Type::Output(_)));
    }

    #[test]
    fn the_shapes_differ_in_their_constructor_only(ty in plain()) {
        let renamed = ty.input_shape().to_string().replace("Input<", "Output<");
        prop_assume!(!ty.to_string().contains("Input<"));
        prop_assert_eq!(renamed, ty.output_shape().to_string());
    }

    #[test]
    fn the_plain_shape_of_a_plain_type_is_itself(ty in plain()) {
        prop_assert_eq!(&ty.plain_shape(), &ty);
        let Type::Output(inner) = ty.output_shape() else { panic!("an output") };
        prop_assert_eq!(&ty.output_shape().plain_shape(), &*inner);
    }

    #[test]
    fn an_input_is_its_definition(ty in any_type()) {
        let input = Type::Input(ty.clone().into());
        let union = Type::Union(vec![ty.clone(), Type::Output(ty.into())]);
        prop_assert_eq!(input.input_shape(), union.input_shape());
        prop_assert_eq!(input.output_shape(), union.output_shape());
        prop_assert_eq!(input.plain_shape(), union.plain_shape());
    }

    #[test]
    fn shapes_admit_what_the_type_does((ty, value) in typed()) {
        if ty.check(&value).is_ok() {
            prop_assert_eq!(ty.input_shape().check(&value), Ok(()));
            prop_assert_eq!(ty.output_shape().check(&value), Ok(()));
        }
    }

    #[test]
    fn a_value_is_of_the_type_that_is_inferred(value in value(Kinds::Pulumi)) {
        prop_assert_eq!(Type::infer(&value).check(&value), Ok(()));
    }

    #[test]
    fn a_union_admits_what_its_members_do((ty, value) in typed(), other in any_type()) {
        let union = Type::Union(vec![other.clone(), ty.clone()]);
        let [union, ty, other] = [union, ty, other].map(|ty| ty.check(&value).is_ok());
        prop_assert_eq!(union, ty || other);
    }
}
