//! Plans as text, beside what Terraform wrote of the same plans.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use stacklens::json::{Numbers, parse};
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
        let document = read(&folder.join(format!("{stem}.show.json")));
        let got = plan(&Plan::read(
            &document,
            &schemas,
            Mode::Normal,
            Product::Terraform,
        ));
        let want = std::fs::read_to_string(folder.join(format!("{stem}.human.txt")));
        assert_eq!(got, want.expect("the text is there"), "{stem}");
        n_plans += 1;
    }
    assert!(n_plans > 0, "no plans in {}", folder.display());
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
    let exact = |text: &str| parse(text.as_bytes(), Numbers::Exact).expect("JSON").value;
    let document = exact(&text(&["show", "-json", "plan.bin"]));
    let schemas = Schemas::new(&exact(&text(&["providers", "schema", "-json"])));
    let want = text(&["show", "-no-color", "plan.bin"]);
    let got = plan(&Plan::read(
        &document,
        &schemas,
        Mode::Normal,
        Product::Terraform,
    ));
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
