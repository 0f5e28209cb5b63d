//! Queries about changed values, on made resources.

use crate::change::sections::{Sections, Title};
use crate::search::engine::tests::{Fixture, fixture, map, resource};
use crate::search::{At, Facts, Index, LIMIT, Query, run};
use crate::stack::{Action, Resource, ResourceId, State};
use crate::value::Value;

fn changed(name: &str, before: Value, after: Value) -> Resource {
    Resource {
        before: Some(State {
            inputs: None,
            outputs: Some(before),
            options: None,
        }),
        ..resource(name, "a:b:C", after)
    }
}

fn secret(text: &str) -> Value {
    Value::from(text).with_secret(true)
}

fn policy(effect: &str) -> Value {
    Value::from(format!(r#"{{"Statement": [{{"Effect": "{effect}"}}]}}"#))
}

fn sample() -> Fixture {
    let web = changed(
        "web",
        map([
            ("size", "t3.micro".into()),
            ("port", Value::from(80.0)),
            ("tags", map([("Env", "dev".into()), ("Name", "web".into())])),
            ("password", secret("hunter2")),
            ("note", "hunter2".into()),
        ]),
        map([
            ("size", "t3.large".into()),
            ("port", Value::from(8080.0)),
            (
                "tags",
                map([("Env", "prod".into()), ("Name", "web".into())]),
            ),
            ("password", secret("hunter3")),
            ("note", secret("hunter2")),
        ]),
    );
    let db = changed(
        "db",
        map([("size", "t3.large".into()), ("policy", policy("Deny"))]),
        map([
            ("size", "m5.large".into()),
            ("policy", policy("Allow")),
            ("labels", map([("team", "orders".into())])),
        ]),
    );
    let idle = changed(
        "idle",
        map([("size", "t3.micro".into())]),
        map([("size", "t3.micro".into())]),
    );
    fixture(vec![
        (web, "{}", Some(Action::Update)),
        (db, "{}", Some(Action::Update)),
        (idle, "{}", None),
    ])
}

/// The hits, such as `web before.tags.Env`.
#[track_caller]
fn check(query: &str, want: &[&str]) {
    let fixture = sample();
    let facts = Facts {
        sections: Sections::new([(Title::Alone, ResourceId(1)), (Title::Same, ResourceId(0))])
            .into(),
        ..Facts::default()
    };
    let index = Index::new(&fixture.stack);
    let parsed = Query::parse(query).unwrap();
    let found = run(
        &index,
        &parsed,
        None,
        &facts,
        Some(&fixture),
        LIMIT,
        &mut |_, _| true,
    );
    let found = found.unwrap();
    let texts = found.hits.iter().map(|hit| {
        let name = fixture.stack.name(hit.resource);
        match &hit.at {
            At::Property(place) if place.before => format!("{name} before.{}", place.path),
            At::Property(place) => format!("{name} {}", place.path),
            At::Resource | At::Indexed(_) => name.to_owned(),
        }
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    assert_eq!(texts, want, "{query}");
}

#[test]
fn path_finds_changed_properties_only() {
    check("path:size", &["db size", "web size"]);
    check("path:tags", &["web tags.Env"]);
    check("path:tags.Name", &[]);
    check("path:**.Env", &["web tags.Env"]);
    check("path:port,labels.*", &["db labels.team", "web port"]);
    check("path:nothing", &[]);
}

#[test]
fn old_and_new_look_at_their_side_only() {
    check("old:t3.micro", &["web before.size"]);
    check("new:t3.large", &["web size"]);
    check("old:t3.*", &["db before.size", "web before.size"]);
    check("old:T3.micro", &[]);
    check("new:orders", &["db labels.team"]);
    check("old:orders", &[]);
}

#[test]
fn numbers_match_as_a_whole() {
    check("old:80", &["web before.port"]);
    check("new:80", &[]);
    check("new:80*", &["web port"]);
}

#[test]
fn all_terms_hold_for_one_changed_value() {
    check("path:size old:t3.micro new:t3.large", &["web size"]);
    check("path:port old:t3.micro", &[]);
    check("path:size web", &["web size"]);
    check("path:size =m5.large", &["db size"]);
    check("path:port | new:m5.large", &["db size", "web port"]);
}

#[test]
fn a_negated_term_excludes_the_resource() {
    check("!path:tags", &["db", "idle"]);
    check("path:size !new:m5.large", &["web size"]);
    check("!old:t3.micro", &["db", "idle"]);
}

#[test]
fn a_masked_value_is_found_by_its_path_and_never_by_its_content() {
    check("path:password", &["web password"]);
    check("old:hunter2", &[]);
    check("new:hunter*", &[]);
    // Masked on one side only.
    check("path:note", &["web note"]);
    check("path:note old:hunter2", &[]);
}

#[test]
fn a_value_in_a_document_leads_to_the_string() {
    check("old:Deny", &["db before.policy"]);
    check("path:policy.Statement[*].Effect new:Allow", &["db policy"]);
}

#[test]
fn kind_finds_the_resources_of_a_section() {
    check("kind:alone", &["db"]);
    check("kind:alone,same", &["db", "web"]);
    check("!kind:alone path:size", &["web size"]);
    let error = Query::parse("kind:god").unwrap_err();
    assert_eq!(error.offset, 5);
    assert!(error.reason().contains("danger, warning"), "{error}");
}
