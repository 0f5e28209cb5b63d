//! Plans made by the installed `terraform`, with its built-in provider: our text equals its own, byte for byte.
//!
//! Skipped with a message if there is no `terraform`.

use std::path::Path;
use std::process::{Command, Output};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use stacklens::json::{Numbers, parse};
use stacklens::load::{Input, load};
use stacklens::render::terraform::Mode;
use stacklens::terraform::schema::Schemas;

use super::config::{self, Case};
use super::{in_hand, text_of};

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
resource "terraform_data" "each" {
  for_each = toset(["a", "b c"])
  input    = each.key
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
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "counted" {
  count = 1
  input = count.index
}
resource "terraform_data" "each" {
  for_each = toset(["a"])
  input    = each.key
}
removed {
  from = terraform_data.gone
  lifecycle { destroy = false }
}
resource "terraform_data" "new" { input = "kept" }
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
import {
  to = terraform_data.imported
  id = "i-1"
}
resource "terraform_data" "imported" {}
resource "terraform_data" "created" { input = terraform_data.changed.output }
resource "terraform_data" "triggered" {
  input = 1
  lifecycle { replace_triggered_by = [terraform_data.replaced] }
}
output "kept" { value = "same" }
output "secret" {
  value     = "b"
  sensitive = true
}
output "added" { value = [1, terraform_data.created.id] }
check "wrong" {
  assert {
    condition     = terraform_data.new.input == "x"
    error_message = "not x"
  }
}
"#;

const MOVED: &str = r#"
resource "terraform_data" "one" { input = "x" }
moved {
  from = terraform_data.old
  to   = terraform_data.one
}
output "o" { value = terraform_data.one.output }
"#;

const OUTPUTS: &str = r#"
resource "terraform_data" "old" { input = "x" }
output "o" { value = { a = 1, "b c" = [1, 2] } }
output "gone" { value = "x" }
"#;

const OTHER_OUTPUTS: &str = r#"
resource "terraform_data" "old" { input = "x" }
output "o" { value = { a = 2, "b c" = [2, 1] } }
output "with_a_longer_name" { value = "one\ntwo" }
"#;

const BROKEN: &str = r#"
resource "terraform_data" "old" { input = "y" }
resource "terraform_data" "broken" {
  lifecycle {
    precondition {
      condition     = false
      error_message = "never"
    }
  }
}
"#;

/// Each way to plan, and the messages that only some plans have.
#[test]
fn every_mode_reads_as_terraform_writes_it() {
    let Some(lab) = Lab::new() else { return };
    let case = |before: &str, after: &str, arguments: &[&'static str]| Case {
        before: before.to_owned(),
        after: after.to_owned(),
        arguments: arguments.to_vec(),
    };
    lab.check(&case("", BEFORE, &[]));
    let told = lab.check(&case(BEFORE, AFTER, &[]));
    assert!(
        told.contains("\nPlan: 1 to import, 3 to add, 1 to change, 3 to destroy.\n"),
        "{told}"
    );
    lab.check(&case(BEFORE, BEFORE, &[]));
    lab.check(&case(BEFORE, BEFORE, &["-destroy"]));
    lab.check(&case("", BEFORE, &["-destroy"]));
    lab.check(&case("", "", &["-destroy"]));
    lab.check(&case(BEFORE, BEFORE, &["-refresh-only"]));
    lab.check(&case(OUTPUTS, MOVED, &["-refresh-only"]));
    lab.check(&case(OUTPUTS, OTHER_OUTPUTS, &["-refresh-only"]));
    lab.check(&case(OUTPUTS, OTHER_OUTPUTS, &[]));
    lab.check(&case(OUTPUTS, "", &[]));
    lab.check(&case(OUTPUTS, BROKEN, &[]));
    lab.check(&case(BEFORE, BEFORE, &["-replace=terraform_data.changed"]));
    lab.check(&case(BEFORE, AFTER, &["-target=terraform_data.changed"]));
}

/// Number of random configurations to plan, unless `STACKLENS_PLANS` sets another.
const N_RANDOM: usize = 6;

#[test]
fn random_configurations_read_as_terraform_writes_them() {
    let Some(lab) = Lab::new() else { return };
    let wanted = std::env::var("STACKLENS_PLANS").ok();
    let n_cases = wanted.and_then(|n| n.parse().ok()).unwrap_or(N_RANDOM);
    let mut runner = TestRunner::deterministic();
    for _ in 0..n_cases {
        let case = config::case().new_tree(&mut runner).expect("a case");
        lab.check(&case.current());
    }
}

/// A folder to plan in.
pub(super) struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    /// `None`, with a message, if there is no working `terraform`.
    pub(super) fn new() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder for the plans");
        let lab = Self { folder };
        lab.write("main.tf", BEFORE);
        let works = lab.run(&["init", "-no-color"]).status.success();
        if !works {
            crate::not_run("plans", "a terraform that works");
            return None;
        }
        lab.write(
            "plan.schemas.json",
            &lab.text(&["providers", "schema", "-json"]),
        );
        Some(lab)
    }

    /// Plans a case, compares our texts of the plan file and of its JSON with the program's own text, and returns that text.
    #[track_caller]
    fn check(&self, case: &Case) -> String {
        let state = self.path().join("terraform.tfstate");
        if state.exists() {
            std::fs::remove_file(state).expect("the state can be removed");
        }
        if !case.before.is_empty() {
            self.write("main.tf", &case.before);
            self.text(&["apply", "-no-color", "-auto-approve"]);
        }
        self.write("main.tf", &case.after);
        let mut arguments = vec!["plan", "-no-color", "-out=plan.bin"];
        arguments.extend(&case.arguments);
        // A plan that fails half way is a plan, too.
        self.run(&arguments);
        let want = self.text(&["show", "-no-color", "plan.bin"]);
        let schemas = std::fs::read(self.path().join("plan.schemas.json")).expect("the schemas");
        let schemas = parse(&schemas, Numbers::Exact).expect("schemas are JSON");
        let schemas = Schemas::new(&schemas.value);

        let file = Input::path(self.path().join("plan.bin"));
        let mode = Mode::of(&load(&file).expect("the plan is readable").stack);
        assert_eq!(
            text_of(&file, &schemas, mode),
            want,
            "the plan file of {case}"
        );
        let document = in_hand(&self.text(&["show", "-json", "plan.bin"]));
        assert_eq!(
            text_of(&document, &schemas, mode),
            want,
            "the JSON of {case}"
        );
        want
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).expect("a file can be written");
    }

    /// The output of `terraform`; panics if it fails.
    #[track_caller]
    pub(super) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "terraform {arguments:?}: {complaint}"
        );
        String::from_utf8(output.stdout).expect("terraform writes UTF-8")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let output = Command::new("terraform")
            .args(arguments)
            .current_dir(self.path())
            .env("CHECKPOINT_DISABLE", "1")
            .env_remove("TF_CLI_ARGS")
            .env_remove("TF_WORKSPACE")
            .output();
        output.unwrap_or_else(|error| Output {
            status: std::process::ExitStatus::default(),
            stdout: Vec::new(),
            stderr: error.to_string().into_bytes(),
        })
    }
}

/// The mode of a plan, as derived from its JSON.
#[test]
fn a_plan_in_json_that_only_refreshes_is_known_by_what_it_lacks() {
    let Some(lab) = Lab::new() else { return };
    lab.check(&Case {
        before: OUTPUTS.to_owned(),
        after: MOVED.to_owned(),
        arguments: vec!["-refresh-only"],
    });
    let document = in_hand(&lab.text(&["show", "-json", "plan.bin"]));
    let mode = Mode::of(&load(&document).expect("a plan").stack);
    assert_eq!(mode, Mode::RefreshOnly);
}
