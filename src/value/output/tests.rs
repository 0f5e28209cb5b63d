use super::*;
use crate::value::Sealed;

fn urns(names: &[&str]) -> Vec<Urn> {
    names.iter().map(|name| Urn::from(*name)).collect()
}

#[test]
fn apply_joins_the_metadata_of_both() {
    let output = Output::known(1).with_dependencies(urns(&["b", "a", "b"]));
    let result = output.apply(|n| {
        Output::known(n + 1)
            .with_secret(true)
            .with_dependencies(urns(&["c", "a"]))
    });
    assert_eq!(result.value(), Some(&2));
    assert!(result.is_secret());
    assert_eq!(result.dependencies(), urns(&["a", "b", "c"]));
}

#[test]
fn callbacks_do_not_run_on_unknowns() {
    let output = Output::<u8>::unknown()
        .with_secret(true)
        .with_dependencies(urns(&["a"]));
    let result = output.apply(|_| -> Output<u8> { panic!("the callback ran") });
    assert!(result.is_unknown() && result.is_secret());
    assert_eq!(result.dependencies(), urns(&["a"]));
}

#[test]
fn all_is_unknown_if_one_is_and_still_depends_on_the_rest() {
    let all = Output::all([
        Output::unknown(),
        Output::known(1)
            .with_secret(true)
            .with_dependencies(urns(&["z"])),
        Output::unknown().with_dependencies(urns(&["b"])),
    ]);
    assert!(all.is_unknown() && all.is_secret());
    assert_eq!(all.dependencies(), urns(&["b", "z"]));
    assert_eq!(Output::<u8>::all([]), Output::known(vec![]));
}

#[test]
fn unwrap_keeps_what_the_outer_one_knew() {
    let inner = Output::known(1).with_dependencies(urns(&["b"]));
    let outer = Output::known(inner)
        .with_secret(true)
        .with_dependencies(urns(&["a"]));
    let flat = outer.unwrap();
    assert_eq!(
        flat,
        Output::known(1)
            .with_secret(true)
            .with_dependencies(urns(&["a", "b"]))
    );
}

#[test]
fn values_are_outputs_and_back() {
    let value = Value::from("x")
        .with_secret(true)
        .with_dependencies(urns(&["a"]));
    assert_eq!(Value::from(Output::from(&value)), value);
    let unknown = Value::computed().with_dependencies(urns(&["a"]));
    assert_eq!(Value::from(Output::from(&unknown)), unknown);
}

#[test]
fn apply_value_leaves_what_is_not_in_hand() {
    let ran = |_: &Value| -> Result<Value, ()> { panic!("the callback ran") };
    let sealed = Value::new(Payload::Sealed(Sealed::Redacted));
    assert_eq!(apply_value(&sealed, ran), Ok(sealed.clone()));
    assert_eq!(apply_value(&Value::computed(), ran), Ok(Value::computed()));
    let marked = Value::from("x").with_secret(true).with_labels(["m"]);
    let result = apply_value(&marked, |plain| {
        assert!(!plain.is_marked());
        Ok::<_, ()>(Value::from(1.0))
    });
    assert_eq!(
        result,
        Ok(Value::from(1.0).with_secret(true).with_labels(["m"]))
    );
}
