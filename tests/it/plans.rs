//! Plans as text, compared with Terraform's own text for the same plans.

mod config;
pub(crate) mod forms;
mod here;

use std::path::Path;

use stacklens::json::{Numbers, parse};
use stacklens::load::{Input, load};
use stacklens::render::terraform::{Mode, Plan, Product, plan};
use stacklens::terraform::schema::Schemas;
use stacklens::value::Value;

use crate::made;

/// For every scenario of `terraform/binary-plans`, the plan and the schemas in JSON give the text that the plan's own program
/// wrote.
pub(crate) fn check(corpus: &Path) -> Result<(), String> {
    let folder = corpus.join("terraform/binary-plans");
    for entry in folder.read_dir().into_iter().flatten() {
        let path = entry.expect("the folder can be listed").path();
        let file = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let Some(stem) = file.strip_suffix(".schemas.json") else {
            continue;
        };
        let schemas = Schemas::new(&read(&path));
        let document = Input::path(folder.join(format!("{stem}.show.json")));
        let got = text_of(&document, &schemas, Mode::Normal);
        let want = std::fs::read_to_string(folder.join(format!("{stem}.human.txt")));
        let want = want.expect("the text is there");
        if got != want {
            return Err(format!("{stem}: expected\n{want}\ngot\n{got}"));
        }
    }
    Ok(())
}

/// The text of a plan in JSON, read as the program reads it.
pub(crate) fn text_of(input: &Input, schemas: &Schemas, mode: Mode) -> String {
    let document = load(input).expect("the plan is readable");
    let resources = document
        .stack
        .ids()
        .map(|id| document.resource(id).expect("a resource"));
    plan(&Plan::of(
        &document.stack,
        resources,
        schemas,
        mode,
        Product::Terraform,
    ))
}

/// A plan in memory.
pub(crate) fn in_hand(text: &str) -> Input {
    Input::bytes("plan.json", text.as_bytes())
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).expect("the file can be read");
    parse(&bytes, Numbers::Exact)
        .expect("the file is JSON")
        .value
}

fn drawn(document: &str, mode: Mode) -> String {
    text_of(&in_hand(document), &Schemas::default(), mode)
}

#[test]
fn reasons_moves_and_imports_are_shown() {
    let text = drawn(
        r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[
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
  - resource "a" "b" {}

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

  # a.old has moved to a.new
    resource "a" "new" {
        # (1 unchanged attribute hidden)
    }

Plan: 1 to import, 0 to add, 1 to change, 1 to destroy.
"#;
    assert_eq!(text.split_once("- destroy\n").unwrap().1, want);
}

#[test]
fn drift_is_narrowed_to_what_matters() {
    let document = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_drift":[{"address":"a.b","type":"a","name":"b",
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
        r#"{"format_version":"1.2","terraform_version":"1.9.0","output_changes":{"o\u001b[2J":{"actions":["create"],"before":null,"after":"a\n\u001b]0;x\u0007\ttab"}}}"#,
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
    assert_eq!(
        drawn(
            r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[]}"#,
            Mode::Normal
        ),
        want
    );
    assert!(drawn(r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[],"errored":true}"#, Mode::Normal).starts_with("\nPlanning failed. Terraform"));
}

/// Deferred changes come before the other changes, each with its reason.
#[test]
fn deferred_changes_are_listed_first() {
    let deferred = r#""deferred_changes":[{"reason":"deferred_prereq","resource_change":{"address":"a.later","type":"a","name":"later",
        "change":{"actions":["create"],"before":null,"after":{"x":1}}}}]"#;
    let note = "\nNote: This is a partial plan, parts can only be known in the next plan / apply cycle.\n\n\n  # a.later was deferred\n  \
                # (because a prerequisite for this resource is deferred)\n  + resource \"a\" \"later\" {\n      + x = 1\n    }\n";
    let head = r#"{"format_version":"1.2","terraform_version":"1.11.0","planned_values":{},"#;
    let text = drawn(&format!("{head}{deferred}}}"), Mode::Normal);
    let rule = "─".repeat(77);
    assert_eq!(
        text,
        format!(
            "\nNo current changes. This plan requires another plan to be applied first.\n\n{note}\n{rule}\n"
        )
    );
    let change = r#""resource_changes":[{"address":"a.now","type":"a","name":"now",
        "change":{"actions":["create"],"before":null,"after":{"x":1}}}]"#;
    let text = drawn(&format!("{head}{deferred},{change}}}"), Mode::Normal);
    assert!(
        text.starts_with(&format!("{note}\n{rule}\n\nTerraform used")),
        "{text}"
    );
    assert!(
        text.ends_with("Plan: 1 to add, 0 to change, 0 to destroy.\n"),
        "{text}"
    );
}

/// Old plans have no masks: values that their configuration marks as sensitive are masked nevertheless, wherever they flow.
#[test]
fn values_that_only_the_configuration_calls_sensitive_are_masked() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/tfplan-json");
    let text = std::fs::read_to_string(folder.join("format-0.1.json")).unwrap();
    assert!(text.matches("hunter5").count() >= 6);
    let document = made::open("plan", text.clone());
    let shown = |document: &stacklens::load::Document| {
        let stack = &document.stack;
        let resources = stack.ids().map(|id| document.resource(id).unwrap());
        let texts: Vec<_> = resources.map(|it| format!("{it:?}")).collect();
        format!("{texts:?} {:?} {:?}", stack.outputs, stack.header.fields)
    };
    let masked = shown(&document);
    assert!(!masked.contains("hunter5"), "{masked}");
    assert!(masked.contains("orders"));
    // Without the word the value is shown.
    let plain = made::open(
        "plan",
        text.replace("\"sensitive\": true", "\"sensitive\": false"),
    );
    assert!(shown(&plain).contains("hunter5"));
}

#[test]
fn a_plan_file_of_opentofu_is_recognized_by_its_registry() {
    use stacklens::stack::Tool;
    let (terraform, opentofu) = ("registry.terraform.io", "registry.opentofu.org");
    let tool = |registry: &str, locked: &str| {
        let document = made::open("plan", made::plan_file_of(registry, locked));
        document.stack.header.tool
    };
    assert_eq!(tool(terraform, terraform), Tool::Terraform);
    assert_eq!(tool(opentofu, opentofu), Tool::OpenTofu);
    assert_eq!(tool(terraform, opentofu), Tool::OpenTofu);
}

#[test]
fn a_plan_file_is_read_with_its_configuration() {
    use stacklens::stack::{Kind, Masks, Of, lookup};
    let document = made::open("plan", made::plan_file());
    let stack = &document.stack;
    assert_eq!(stack.header.kind, Kind::TerraformPlanBinary);
    let addresses: Vec<_> = stack.ids().map(|id| stack.identity(id)).collect();
    assert_eq!(
        addresses,
        ["a_b.first", "a_b.second"],
        "in the order of their addresses"
    );
    let depends_on = stack.graph.depends_on(stack.ids().nth(1).unwrap());
    assert_eq!(depends_on.len(), 1, "what the configuration refers to");
    let is_secret = stack.ids().map(|id| {
        let resource = document.resource(id).unwrap();
        let secret = stacklens::path::Path::parse("secret").unwrap();
        let answer = lookup(&resource, &secret, Of::default(), Masks::Keep).unwrap();
        answer.value.is_secret()
    });
    assert_eq!(
        is_secret.collect::<Vec<_>>(),
        [true, false],
        "sensitive in one object says nothing of the others of its type"
    );
    let (_, variables) = stack
        .header
        .fields
        .iter()
        .find(|(name, _)| name == "variables")
        .unwrap();
    assert_eq!(variables.to_string(), "{size: 5, token: [secret]}");
}
