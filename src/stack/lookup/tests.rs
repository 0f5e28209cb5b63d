use super::*;
use crate::stack::State;
use crate::value::Map;

fn map(entries: &[(&str, Value)]) -> Value {
    entries
        .iter()
        .map(|(key, value)| (*key, value.clone()))
        .collect::<Map>()
        .into()
}

fn resource() -> Resource {
    let secret = map(&[("user", Value::from("admin"))]).with_secret(true);
    let sealed = Value::new(Payload::Sealed(Sealed::Ciphertext("v1:x".into())));
    let state = |inputs, outputs| {
        Some(State {
            inputs: Some(inputs),
            outputs: Some(outputs),
            options: None,
        })
    };
    Resource {
        before: state(
            map(&[("old", Value::from(1.0))]),
            map(&[("both", Value::from("before"))]),
        ),
        after: state(
            map(&[("asked", Value::from(true)), ("both", Value::NULL)]),
            map(&[
                ("both", Value::from("after")),
                ("login", secret),
                ("sealed", sealed),
                ("list", vec![Value::from(1.0)].into()),
                ("later", Value::computed()),
                ("policy", Value::from(r#" {"Version": [2012]}"#)),
            ]),
        ),
        ..Resource::new("", "")
    }
}

fn path(steps: &str) -> Path {
    let segment = |step: &str| {
        step.parse()
            .map_or_else(|_| Segment::from(step), Segment::Index)
    };
    Path(
        steps
            .split('/')
            .filter(|step| !step.is_empty())
            .map(segment)
            .collect(),
    )
}

#[track_caller]
fn check(steps: &str, of: &str, masks: Masks, want: &str) {
    let of = of.parse().unwrap_or_default();
    let got = match lookup(&resource(), &path(steps), of, masks) {
        Ok(answer) => format!("{} {}", answer.place, answer.value),
        Err(missing) => format!(
            "{:?} {}: {}",
            missing.nearest.0.len(),
            missing
                .place
                .map_or_else(String::new, |place| place.to_string()),
            missing.why
        ),
    };
    assert_eq!(got, want);
}

#[test]
fn outputs_before_inputs_and_after_before_before() {
    check("both", "", Masks::Keep, "after.outputs \"after\"");
    check("both", "inputs", Masks::Keep, "after.inputs null");
    check("both", "before", Masks::Keep, "before.outputs \"before\"");
    check("asked", "", Masks::Keep, "after.inputs true");
    check("old", "", Masks::Keep, "before.inputs 1");
    check("old", "inputs", Masks::Keep, "before.inputs 1");
    check("", "before.inputs", Masks::Keep, "before.inputs {old: 1}");
}

#[test]
fn masks_hide_what_is_below_them() {
    check("login", "", Masks::Keep, "after.outputs [secret]");
    check("login/user", "", Masks::Keep, "after.outputs [secret]");
    check("login/nobody", "", Masks::Keep, "after.outputs [secret]");
    check("login/user", "", Masks::Lift, "after.outputs \"admin\"");
    check(
        "login/nobody",
        "",
        Masks::Lift,
        "1 after.outputs: there is no such key",
    );
    check("sealed/x", "", Masks::Lift, "after.outputs [secret]");
}

#[test]
fn json_in_strings_is_looked_into() {
    check("policy/Version/0", "", Masks::Keep, "after.outputs 2012");
    check(
        "policy/Version/1",
        "",
        Masks::Keep,
        "2 after.outputs: it has 1 elements",
    );
}

#[test]
fn the_nearest_prefix_is_reported() {
    check(
        "none",
        "",
        Masks::Keep,
        "0 after.outputs: there is no such key",
    );
    check(
        "list/1",
        "",
        Masks::Keep,
        "1 after.outputs: it has 1 elements",
    );
    check(
        "asked/x",
        "",
        Masks::Keep,
        "1 after.inputs: it has no elements or keys",
    );
    check(
        "later/x",
        "",
        Masks::Keep,
        "1 after.outputs: it is known after apply",
    );
}

#[test]
fn sections_print_as_they_are_written() {
    for text in [
        "inputs",
        "outputs",
        "before",
        "after",
        "before.inputs",
        "after.outputs",
    ] {
        assert_eq!(
            text.parse::<Of>().map(|of| of.to_string()).as_deref(),
            Ok(text)
        );
    }
    for text in ["", ".", "inputs.before", "before.", "before.x", "x"] {
        assert!(text.parse::<Of>().is_err(), "{text}");
    }
}

#[test]
fn a_mask_goes_with_its_element_and_not_with_its_index() {
    let list = |texts: &[&str]| -> Value {
        let text = |text: &&str| match text.strip_prefix('!') {
            Some(text) => Value::from(text).with_secret(true),
            None => Value::from(*text),
        };
        map(&[("list", texts.iter().map(text).collect::<Vec<_>>().into())])
    };
    let state = |outputs| {
        Some(State {
            inputs: None,
            outputs: Some(outputs),
            options: None,
        })
    };
    let mut resource = Resource {
        before: state(list(&["!a", "b"])),
        after: state(list(&["b", "a"])),
        ..resource()
    };
    resource.mirror_masks();
    let get = |steps: &str, of: &str| {
        let of = of.parse().unwrap();
        let answer = lookup(&resource, &path(steps), of, Masks::Keep).unwrap();
        let place = answer.place;
        assert_eq!(
            place.value_at(&resource, &path(steps)).as_ref(),
            Some(&answer.value)
        );
        answer.value.to_string()
    };
    assert_eq!(get("list/0", "after"), "\"b\"");
    assert_eq!(get("list/1", "after"), "[secret]");
    assert_eq!(get("list/0", "before"), "[secret]");
    assert_eq!(get("list/1", "before"), "\"b\"");
}

#[test]
fn patterns_stop_at_masks_and_see_into_json() {
    let found = |text: &str, masks| {
        let pattern = Glob::parse_tolerant(text).unwrap();
        let found = lookup_all(&resource(), &pattern, Of::default(), masks);
        found.map(|found| {
            let row = |(path, value): (Path, Value)| format!("{} {value}", path.to_tolerant());
            found.into_iter().map(row).collect::<Vec<_>>()
        })
    };
    let rows = |text, masks| found(text, masks).unwrap();
    assert_eq!(rows("list[*]", Masks::Keep), ["list[0] 1"]);
    assert_eq!(
        rows("policy.Version[*]", Masks::Keep),
        ["policy.Version[0] 2012"]
    );
    // The only hit is among the inputs.
    assert_eq!(rows("**.asked", Masks::Keep), ["asked true"]);
    for text in ["login.*", "login.**", "login[*].any"] {
        assert_eq!(rows(text, Masks::Keep), ["login [secret]"], "{text}");
    }
    assert_eq!(rows("login.*", Masks::Lift), [r#"login.user "admin""#]);
    assert_eq!(rows("sealed.*", Masks::Lift), ["sealed [secret]"]);
    // A secret below a wildcard has nothing below it that could match.
    assert_eq!(rows("*.user", Masks::Lift), [r#"login.user "admin""#]);
    let missing = found("*.user", Masks::Keep).unwrap_err();
    assert_eq!(
        (
            missing.nearest.to_tolerant().as_str(),
            missing.to_string().as_str()
        ),
        ("[*]", "there is no map")
    );
    let missing = found("later[*]", Masks::Keep).unwrap_err();
    assert_eq!(missing.why, MissingKind::Unknown);
}
