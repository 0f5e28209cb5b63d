use crate::load::{Document, Input, load};
use crate::stack::ResourceId;

const STACK: &str = r#"{"urn": "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s", "custom": false, "type": "pulumi:pulumi:Stack"}"#;
const PROVIDER: &str = r#"{"urn": "urn:pulumi:s::p::pulumi:providers:k::default", "custom": true, "type": "pulumi:providers:k", "id": "u1"}"#;

/// A custom resource with these further fields.
fn resource(name: &str, more: &str) -> String {
    format!(
        r#"{{"urn": "urn:pulumi:s::p::k:m:T::{name}", "custom": true, "type": "k:m:T", "id": "{name}-1",
            "parent": "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s",
            "provider": "urn:pulumi:s::p::pulumi:providers:k::default::u1"{more}}}"#
    )
}

fn document(resources: &[&str], operations: &[&str]) -> Document {
    let text = format!(
        r#"{{"version": 3, "deployment": {{"manifest": {{}}, "resources": [{}], "pending_operations": [{}]}}}}"#,
        resources.join(","),
        operations.join(",")
    );
    load(&Input::bytes("test.json", text.as_bytes())).expect("it is a deployment")
}

/// Checks the findings by resource (its position in the list).
#[track_caller]
fn check(resources: &[&str], want: &[(u32, &str)]) {
    let mut all = vec![STACK, PROVIDER];
    all.extend(resources);
    check_all(&document(&all, &[]), want);
}

#[track_caller]
fn check_all(document: &Document, want: &[(u32, &str)]) {
    let notes = document.stack.notes.iter();
    let found: Vec<_> = notes
        .map(|note| {
            let id = note.resource.map(|ResourceId(id)| id);
            if let Some(id) = note.resource {
                assert_eq!(note.place, document.stack.identity(id));
            }
            (id, note.message.as_str())
        })
        .collect();
    let want: Vec<_> = want.iter().map(|(id, text)| (Some(*id), *text)).collect();
    assert_eq!(found, want);
}

const A: &str = "urn:pulumi:s::p::k:m:T::a";
const B: &str = "urn:pulumi:s::p::k:m:T::b";

#[test]
fn a_deployment_in_order_has_no_findings() {
    let a = resource("a", "");
    let b = resource(
        "b",
        &format!(
            r#", "dependencies": ["{A}"], "propertyDependencies": {{"x": ["{A}"]}}, "deletedWith": "{A}", "replaceWith": ["{A}"]"#
        ),
    );
    check(&[&a, &b], &[]);
}

#[test]
fn references_to_missing_resources_are_noted() {
    let a = resource(
        "a",
        &format!(r#", "dependencies": ["{B}"], "propertyDependencies": {{"x": ["{B}"]}}"#),
    );
    check(
        &[&a],
        &[(
            2,
            "its property x depends on urn:pulumi:s::p::k:m:T::b, which is not in this file",
        )],
    );
    for (field, want) in [
        ("dependencies", "it depends on"),
        ("deletedWith", "it is deleted with"),
        ("replaceWith", "it is replaced with"),
    ] {
        let value = if field == "deletedWith" {
            format!(r#""{B}""#)
        } else {
            format!(r#"["{B}"]"#)
        };
        let a = resource("a", &format!(r#", "{field}": {value}"#));
        let want = format!("{want} {B}, which is not in this file");
        check(&[&a], &[(2, &want)]);
    }
    let lost = resource("a", "").replace("Stack::p-s", "Stack::gone");
    let gone = "urn:pulumi:s::p::pulumi:pulumi:Stack::gone";
    check(
        &[&lost],
        &[(
            2,
            &format!("its parent is {gone}, which is not in this file"),
        )],
    );
    let strange = resource("a", "").replace("default::u1", "other::u1");
    let other = "urn:pulumi:s::p::pulumi:providers:k::other::u1";
    check(
        &[&strange],
        &[(
            2,
            &format!("its provider is {other}, which is not in this file"),
        )],
    );
}

#[test]
fn dependencies_come_first() {
    let a = resource(
        "a",
        &format!(r#", "dependencies": ["{B}"], "replaceWith": ["{B}"]"#),
    );
    let b = resource("b", "");
    check(
        &[&a, &b],
        &[(
            2,
            "it depends on urn:pulumi:s::p::k:m:T::b, which comes later in this file; it must come first",
        )],
    );
    let a = resource("a", &format!(r#", "dependencies": ["{A}"]"#));
    check(
        &[&a],
        &[(2, &format!("it depends on {A}, which is itself"))],
    );
}

#[test]
fn a_later_old_copy_does_not_hide_an_earlier_one() {
    let (a, b) = (
        resource("a", ""),
        resource("b", &format!(r#", "dependencies": ["{A}"]"#)),
    );
    let old = resource("a", r#", "delete": true"#);
    check(&[&a, &b, &old], &[]);
    check(&[&old, &old], &[]);
}

#[test]
fn one_copy_of_a_urn_lasts() {
    let a = resource("a", "");
    check(
        &[&a, &a],
        &[(
            3,
            "its URN occurs earlier in this file, and neither copy is pending deletion",
        )],
    );
}

#[test]
fn references_among_values_lead_somewhere() {
    let value = |urn: &str| {
        format!(
            r#", "outputs": {{"list": [{{"4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e", "urn": "{urn}", "id": "1", "packageVersion": ""}}]}}"#
        )
    };
    let a = resource("a", &value(B));
    check(
        &[&a],
        &[(
            2,
            "outputs.list[0] refers to urn:pulumi:s::p::k:m:T::b, which is not in this file",
        )],
    );
    // They may point ahead.
    check(&[&a, &resource("b", "")], &[]);
    // The signature may come last, which leads to the slow path.
    let last = a.replace(
        r#""4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e", "urn": "urn:pulumi:s::p::k:m:T::b""#,
        r#""urn": "urn:pulumi:s::p::k:m:T::b", "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e""#,
    );
    assert_ne!(last, a);
    assert_eq!(
        document(&[STACK, PROVIDER, &last], &[]).stack.notes.len(),
        1
    );
}

#[test]
fn secrets_are_not_in_notes() {
    let secret = r#", "outputs": {"x": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
        "plaintext": "{\"4dabf18193072939515e22adb298388d\":\"5cf8f73096256a8f31e491e813e4eb8e\",\"urn\":\"urn:pulumi:s::p::k:m:T::hush\"}"}}"#;
    check(&[&resource("a", secret)], &[]);
}

#[test]
fn a_resource_agrees_with_itself() {
    let odd = |from: &str, to: &str, want: &str| {
        let a = resource("a", "").replace(from, to);
        check(&[&a], &[(2, want)]);
    };
    odd(
        r#""type": "k:m:T""#,
        r#""type": "k:m:U""#,
        "its type is k:m:U, but its URN has a different type",
    );
    odd(r#""type": "k:m:T""#, r#""type": """#, "it has no type");
    odd(
        "urn:pulumi:s::p::k:m:T::a",
        "urn:pulumi:s::a",
        "its URN is malformed: expected `::` and a type at column 16, found the end of the text; the form is urn:pulumi:STACK::PROJECT::TYPE::NAME",
    );
    odd(
        r#""custom": true"#,
        r#""custom": false"#,
        "it has an id, but is not a custom resource",
    );
}

#[test]
fn a_resource_without_urn_is_noted() {
    let a = resource("a", "").replace(A, "");
    let document = document(&[STACK, PROVIDER, &a], &[]);
    let note = &document.stack.notes[0];
    assert_eq!(
        (note.message.as_str(), note.resource),
        ("it has no URN", Some(ResourceId(2)))
    );
}

#[test]
fn the_types_of_the_ancestors_are_in_the_urn() {
    let group = r#"{"urn": "urn:pulumi:s::p::my:m:Group::g", "custom": false, "type": "my:m:Group",
        "parent": "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s"}"#;
    let child = |types: &str| {
        resource("a", "")
            .replace("p::k:m:T::a", &format!("p::{types}k:m:T::a"))
            .replace("pulumi:pulumi:Stack::p-s", "my:m:Group::g")
    };
    check(&[group, &child("my:m:Group$")], &[]);
    let want = "its URN does not have the types of its parent urn:pulumi:s::p::my:m:Group::g";
    check(&[group, &child("")], &[(3, want)]);
    check(&[group, &child("my:m:Other$")], &[(3, want)]);
}

#[test]
fn providers_have_the_id_that_they_are_named_by() {
    let a = resource("a", "").replace("default::u1", "default::u2");
    check(
        &[&a],
        &[(
            1,
            "resources name this provider by the id u2, which it does not have",
        )],
    );
    let denied = resource("a", "").replace("default::u1", "denied::denydefaultprovider");
    check(&[&denied], &[]);
    let garbled =
        resource("a", "").replace("urn:pulumi:s::p::pulumi:providers:k::default::u1", "k");
    check(
        &[&garbled],
        &[(
            2,
            "its provider cannot be read: expected `::` between the URN and the id of a provider, found none",
        )],
    );
}

#[test]
fn interrupted_operations_are_noted_and_are_not_resources() {
    let a = resource("a", "").replace(r#""id": "a-1","#, "");
    let operation = format!(r#"{{"type": "creating", "resource": {a}}}"#);
    let b = resource("b", &format!(r#", "dependencies": ["{A}"]"#));
    let document = document(&[STACK, PROVIDER, &b], &[&operation]);
    check_all(
        &document,
        &[
            (2, &format!("it depends on {A}, which is not in this file")),
            (
                3,
                "interrupted while creating: whether it exists is not known; `pulumi refresh` finds out",
            ),
        ],
    );
}

#[test]
fn past_a_limit_they_are_counted() {
    let broken: Vec<String> = (0..1_010)
        .map(|number| resource(&format!("r{number}"), r#", "dependencies": ["urn:gone"]"#))
        .collect();
    let mut all = vec![STACK, PROVIDER];
    all.extend(broken.iter().map(String::as_str));
    let document = document(&all, &[]);
    assert_eq!(document.stack.notes.len(), 1_001);
    let last = document.stack.notes.last().expect("there are some");
    assert_eq!(
        last.message,
        "10 more resources break its rules and are not listed"
    );
}
