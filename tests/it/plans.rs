//! Plans as text, beside what Terraform wrote of the same plans.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use stacklens::json::{Numbers, parse};
use stacklens::load::{Input, load};
use stacklens::render::terraform::{Mode, Plan, Product, plan};
use stacklens::schema::Schemas;
use stacklens::value::Value;

/// Every scenario of `binary-plans`: the plan and the schemas in JSON give the text that the plan's own program wrote.
#[test]
fn plans_read_as_terraform_wrote_them() {
    let Some(folder) = corpus() else {
        println!("plans: corpus not present: skipped");
        return;
    };
    let mut n_plans = 0;
    for entry in folder.read_dir().expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        let file = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let Some(stem) = file.strip_suffix(".schemas.json") else {
            continue;
        };
        let schemas = Schemas::new(&read(&path));
        let document = Input::Path(folder.join(format!("{stem}.show.json")));
        let got = text_of(&document, &schemas, Mode::Normal);
        let want = std::fs::read_to_string(folder.join(format!("{stem}.human.txt")));
        assert_eq!(got, want.expect("the text is there"), "{stem}");
        n_plans += 1;
    }
    assert!(n_plans > 0, "no plans in {}", folder.display());
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

/// A plan in hand.
pub(crate) fn in_hand(text: &str) -> Input {
    Input::Bytes {
        name: "plan.json".to_owned(),
        bytes: text.as_bytes().into(),
    }
}

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("STACKLENS_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        PathBuf::from,
    );
    let folder = folder.join("terraform/binary-plans");
    folder.is_dir().then_some(folder)
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).expect("the file can be read");
    parse(&bytes, Numbers::Exact)
        .expect("the file is JSON")
        .value
}

const BEFORE: &str = r#"
resource "terraform_data" "changed" {
  input = { n = 1, same = true, list = ["a", "b", "c"], text = "one\ntwo" }
}
resource "terraform_data" "replaced" {
  input            = jsonencode({ a = [1, 2], b = "x" })
  triggers_replace = ["a", "b"]
}
resource "terraform_data" "gone" { input = "x" }
resource "terraform_data" "counted" {
  count = 2
  input = count.index
}
resource "terraform_data" "old" { input = "kept" }
output "kept" { value = "same" }
output "secret" {
  value     = "a"
  sensitive = true
}
"#;

const AFTER: &str = r#"
resource "terraform_data" "changed" {
  input = { n = 2, same = true, list = ["a", "q", "c"], text = "one\nthree" }
}
resource "terraform_data" "replaced" {
  input            = jsonencode({ a = [1, 2, 3], b = "x" })
  triggers_replace = ["a", "d"]
}
resource "terraform_data" "counted" {
  count = 1
  input = count.index
}
resource "terraform_data" "new" { input = "kept" }
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
resource "terraform_data" "created" { input = terraform_data.changed.output }
output "kept" { value = "same" }
output "secret" {
  value     = "b"
  sensitive = true
}
output "added" { value = [1, terraform_data.created.id] }
"#;

/// A small plan made by the `terraform` of this machine, with its built-in provider: our text and counts are its own.
#[test]
fn plans_read_as_terraform_writes_them_here() {
    let folder = tempfile::tempdir().expect("a folder for the plan");
    let main = folder.path().join("main.tf");
    let terraform = |arguments: &[&str]| run(folder.path(), arguments);
    if terraform(&["version"]).is_none() {
        println!("plans: no terraform on PATH: skipped");
        return;
    }
    std::fs::write(&main, BEFORE).expect("a file can be written");
    if terraform(&["init", "-no-color"]).is_none() {
        println!("plans: terraform cannot work here: skipped");
        return;
    }
    let text = |arguments: &[&str]| {
        let output = terraform(arguments).expect("terraform works");
        String::from_utf8(output.stdout).expect("terraform writes UTF-8")
    };
    text(&["apply", "-no-color", "-auto-approve"]);
    std::fs::write(&main, AFTER).expect("a file can be written");
    text(&["plan", "-no-color", "-out=plan.bin"]);
    let schemas = text(&["providers", "schema", "-json"]);
    let schemas = parse(schemas.as_bytes(), Numbers::Exact).expect("schemas are JSON");
    let schemas = Schemas::new(&schemas.value);
    let document = in_hand(&text(&["show", "-json", "plan.bin"]));
    let want = text(&["show", "-no-color", "plan.bin"]);
    let got = text_of(&document, &schemas, Mode::Normal);
    assert_eq!(got, want);
    assert!(
        got.contains("\nPlan: 2 to add, 1 to change, 3 to destroy.\n"),
        "{got}"
    );
}

/// What `terraform` answers in `folder`; `None` if it is not there or fails.
fn run(folder: &Path, arguments: &[&str]) -> Option<Output> {
    let output = Command::new("terraform")
        .args(arguments)
        .current_dir(folder)
        .env("CHECKPOINT_DISABLE", "1")
        .env_remove("TF_CLI_ARGS")
        .env_remove("TF_WORKSPACE")
        .output()
        .ok()?;
    output.status.success().then_some(output)
}

fn drawn(document: &str, mode: Mode) -> String {
    text_of(&in_hand(document), &Schemas::default(), mode)
}

#[test]
fn reasons_moves_and_imports_are_told() {
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
