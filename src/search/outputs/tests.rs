use super::*;
use crate::stack::{Action, Header, Kind};
use crate::value::Map;
use std::sync::Arc;

fn stack() -> Stack {
    let mut stack = Stack::new(Header::new(Kind::TerraformPlan));
    let output = |name: &str, before: Option<Value>, value: Value, action| {
        let output = Output {
            name: name.into(),
            value,
            before,
            action: Some(action),
            declared_type: String::new(),
        };
        output.with_mirrored_masks()
    };
    let hosts = |host: &str| {
        Value::from(Map::from_iter(
            [("host", host), ("port", "5432")].map(|(key, text)| (key, Value::from(text))),
        ))
    };
    stack.outputs = Arc::new(vec![
        output(
            "endpoint",
            Some(hosts("old.example.com")),
            hosts("new.example.com"),
            Action::Update,
        ),
        output(
            "password",
            Some("hunter1".into()),
            Value::from("hunter2").with_secret(true),
            Action::Update,
        ),
        output(
            "zones",
            Some(vec![Value::from("a")].into()),
            Value::NULL,
            Action::Delete,
        ),
        output("address", None, Value::computed(), Action::Create),
    ]);
    stack
}

#[track_caller]
fn check(query: &str, want: &[&str]) {
    let found = outputs(&stack(), &Query::parse(query).unwrap());
    let found: Vec<String> = found
        .iter()
        .map(|hit| {
            let before = if hit.place.before { "before." } else { "" };
            format!("{before}{}", hit.place.path)
        })
        .collect();
    assert_eq!(found, want, "{query}");
}

#[test]
fn names_paths_and_values_find_outputs() {
    check("endpoint", &["endpoint"]);
    check("host", &["endpoint.host"]);
    check("endpoint host", &["endpoint.host"]);
    check(
        "=new.example | **.port | endpoint host",
        &["endpoint.host", "endpoint.port"],
    );
    check("output zon", &["before.zones"]);
    check("@endpoint.host", &["endpoint.host"]);
    check("**.port", &["endpoint.port"]);
    check("@zones[*]", &["before.zones[0]"]);
    check("=new.example", &["endpoint.host"]);
    check("=old.example", &["before.endpoint.host"]);
    check("=5432", &["endpoint.port"]);
    check("@endpoint =~^5", &["endpoint.port"]);
}

#[test]
fn secrets_are_found_by_name_and_never_by_value() {
    check("password", &["password"]);
    check("=hunter2", &[]);
    // The plain side would reveal the masked one.
    check("=hunter1", &[]);
    check("is:secret", &["password"]);
    check("is:unknown", &["address"]);
}

#[test]
fn fields_choose_among_outputs() {
    check("type:output action:update", &["endpoint", "password"]);
    check("action:delete,create", &["before.zones", "address"]);
    check("name:e*", &["endpoint"]);
    check("type:aws_instance", &[]);
    check(
        "type:output !endpoint",
        &["password", "before.zones", "address"],
    );
    check("provider:aws", &[]);
    check("", &[]);
}
