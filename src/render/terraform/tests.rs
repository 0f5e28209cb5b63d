use super::*;
use crate::json::{Numbers, parse};
use crate::schema::Schemas;
use crate::value::Value;

fn value(json: &str) -> Value {
    parse(json.as_bytes(), Numbers::Exact).unwrap().value
}

fn drawn(document: &str, mode: Mode) -> String {
    let read = Plan::read(
        &value(document),
        &Schemas::default(),
        mode,
        Product::Terraform,
    );
    plan(&read)
}

#[test]
fn reasons_moves_and_imports_are_told() {
    let text = drawn(
        r#"{"resource_changes":[
            {"address":"a.b[1]","type":"a","name":"b","index":1,"action_reason":"delete_because_count_index",
             "change":{"actions":["delete"],"before":{},"after":null}},
            {"address":"a.new","previous_address":"a.old","type":"a","name":"new",
             "change":{"actions":["no-op"],"before":{"x":1},"after":{"x":1}}},
            {"address":"a.f","type":"a","name":"f","change":{"actions":["forget"],"before":{"id":1,"x":1},"after":null}},
            {"address":"a.i","type":"a","name":"i",
             "change":{"actions":["update"],"before":{"x":1},"after":{"x":2},"importing":{"id":"i-1"}}}]}"#,
        Mode::Normal,
    );
    let want = r#"
Terraform will perform the following actions:

  # a.b[1] will be destroyed
  # (because index [1] is out of range for count)
  - resource "a" "b" {} -> null

  # a.old has moved to a.new
    resource "a" "new" {
        # (1 unchanged attribute hidden)
    }

 # a.f will no longer be managed by Terraform, but will not be destroyed
 # (destroy = false is set in the configuration)
 . resource "a" "f" {
        id = 1
        # (1 unchanged attribute hidden)
    }

  # a.i will be updated in-place
  # (imported from "i-1")
  ~ resource "a" "i" {
      ~ x = 1 -> 2
    }

Plan: 1 to import, 0 to add, 1 to change, 1 to destroy.
"#;
    assert_eq!(text.split_once("- destroy\n").unwrap().1, want);
}

#[test]
fn drift_is_narrowed_to_what_matters() {
    let document = r#"{"resource_drift":[{"address":"a.b","type":"a","name":"b",
            "change":{"actions":["update"],"before":{"x":1,"y":1},"after":{"x":2,"y":2}}}],
        "relevant_attributes":[{"resource":"a.b","attribute":["x"]}],
        "output_changes":{"o":{"actions":["create"],"before":null,"after":[1]}}}"#;
    let text = drawn(document, Mode::Normal);
    assert!(text.contains("  # a.b has changed\n  ~ resource \"a\" \"b\" {\n      ~ x = 1 -> 2\n        # (1 unchanged"));
    assert!(text.ends_with(
        "Changes to Outputs:\n  + o = [\n      + 1,\n    ]\n\nYou can apply this plan to save these new output values to the Terraform\nstate, without changing any real infrastructure.\n"
    ));
    assert!(
        !drawn(
            &document.replace("a.b\",\"attribute", "a.c\",\"attribute"),
            Mode::Normal
        )
        .contains("Objects have changed")
    );
    assert!(drawn(document, Mode::RefreshOnly).contains("~ y = 1 -> 2"));
}

#[test]
fn no_byte_of_a_file_steers_the_terminal() {
    let text = drawn(
        r#"{"output_changes":{"o\u001b[2J":{"actions":["create"],"before":null,"after":"a\n\u001b]0;x\u0007\ttab"}}}"#,
        Mode::Normal,
    );
    assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'));
    assert!(text.contains("\ttab"));
}

#[test]
fn nothing_to_do() {
    let want = "\nNo changes. Your infrastructure matches the configuration.\n\n\
                Terraform has compared your real infrastructure against your configuration\n\
                and found no differences, so no changes are needed.\n";
    assert_eq!(drawn("{}", Mode::Normal), want);
    assert!(drawn(r#"{"errored":true}"#, Mode::Normal).starts_with("\nPlanning failed. Terraform"));
}
