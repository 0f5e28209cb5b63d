//! The line that declares a resource: named by a file of Pulumi, or found in the configuration next to a file of Terraform.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::harness::Session;
use crate::cli::command;

const WIDE: (u16, u16) = (140, 40);

const URN: &str = "urn:pulumi:prod::shop::aws:rds/instance:Instance::db";

/// A Pulumi project with a preview in a folder of it. The program has `source` in its third line.
fn project(position: &str, source: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("out")).unwrap();
    fs::write(at("Pulumi.yaml"), "name: shop\nruntime: nodejs\n").unwrap();
    fs::write(at("index.ts"), format!("// The shop.\n\n{source}\n")).unwrap();
    let state = |size: u32| {
        json!({"urn": URN, "custom": true, "type": "aws:rds/instance:Instance", "id": "db-1",
            "inputs": {"size": size}, "outputs": {"size": size}, "sourcePosition": position})
    };
    let preview = json!({"steps": [{"op": "update", "urn": URN, "oldState": state(1), "newState": state(2),
        "diffReasons": ["size"]}], "changeSummary": {"update": 1}});
    let file = at("out/preview.json");
    fs::write(&file, preview.to_string()).unwrap();
    let file = file.to_str().unwrap().to_owned();
    (folder, file)
}

/// A plan in JSON that updates a resource of the root and one of a module, next to this configuration.
fn module(main: &str, net: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at(".terraform/modules")).unwrap();
    fs::create_dir_all(at("modules/net")).unwrap();
    let modules = json!({"Modules": [{"Key": "", "Source": "", "Dir": "."},
        {"Key": "net", "Source": "./modules/net", "Dir": "modules/net"}]});
    fs::write(at(".terraform/modules/modules.json"), modules.to_string()).unwrap();
    fs::write(at("main.tf"), main).unwrap();
    fs::write(at("modules/net/net.tf"), net).unwrap();
    let change = |address: &str, ty: &str, name: &str, from: u32| {
        json!({"address": address, "mode": "managed", "type": ty, "name": name,
            "provider_name": "example.com/acme/a",
            "change": {"actions": ["update"], "before": {"size": from}, "after": {"size": from + 1}}})
    };
    let plan = json!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
        change("a_db.main", "a_db", "main", 1), change("module.net[\"x\"].a_vpc.first", "a_vpc", "first", 7)]});
    let file = at("plan.json");
    fs::write(&file, plan.to_string()).unwrap();
    let file = file.to_str().unwrap().to_owned();
    (folder, file)
}

fn open(file: &str) -> Session {
    Session::open_path(file.into(), WIDE)
}

const MAIN: &str = "# The shop.\nresource \"a_db\" \"main\" {\n  size = 2\n}\n";
const NET: &str = "\n\n\nresource \"a_vpc\" \"first\" {\n  size = 8\n}\n";

#[test]
fn the_line_of_a_program_is_told_copied_and_shown() {
    let source =
        "const db = new aws.rds.Instance(\"db\", { size: 2, password: \"hunter2squid\" });";
    let (_folder, file) = project("project:///index.ts#3,12", source);
    let brief = command(&["brief", &file]).out;
    assert!(brief.contains("size  1 → 2 · index.ts:3"), "{brief}");
    let json = command(&["brief", "--json", &file]).out;
    assert!(json.contains("\"file\": \"index.ts\""), "{json}");
    let diff = command(&["diff", &file]).out;
    assert!(diff.contains("declared at index.ts:3"), "{diff}");
    let mut session = open(&file);
    session.keys("b<wait>").shows(" · index.ts:3");
    session.keys("2<wait>").shows("declared at index.ts:3");
    session.keys("yl");
    assert_eq!(session.copied, ["index.ts:3"]);
    session
        .keys("S")
        .shows(" 1   // The shop.")
        .shows("3 ▌ const db")
        .shows("password: \"[secret]\"")
        .hides("hunter2squid");
}

#[test]
fn a_path_out_of_the_project_is_told_and_not_read() {
    let outside = tempfile::NamedTempFile::new().unwrap();
    fs::write(outside.path(), "outside").unwrap();
    let absolute = format!("project:///{}#1,1", outside.path().display());
    for (position, told) in [
        ("project:///../index.ts#1", "../index.ts:1"),
        (&absolute, ":1"),
        ("project:///%1b%5d0;.ts#9", "0;.ts:9"),
    ] {
        let (_folder, file) = project(position, "");
        let mut session = open(&file);
        session.keys("2<wait>").shows(told).keys("S");
        session.shows("is not next to this file").hides("outside");
        let all = command(&["brief", &file]).out + &session.text();
        assert!(!all.contains('\u{1b}'), "{all}");
    }
    // A file without the line says so.
    let (_folder, file) = project("", "");
    let mut session = open(&file);
    session.keys("2<wait>").hides("declared at").keys("S");
    session.shows("this file names no line of the program for it");
    session.keys("yl").shows("says which line declares it");
}

#[test]
fn the_block_of_a_configuration_is_told_copied_and_shown() {
    let (_folder, file) = module(MAIN, NET);
    let brief = command(&["brief", &file]).out;
    assert!(brief.contains("size  1 → 2 · main.tf:2"), "{brief}");
    assert!(brief.contains(" · modules/net/net.tf:4"), "{brief}");
    let mut session = open(&file);
    session.keys("2<wait>").shows("declared at main.tf:2");
    session.keys("S").shows("2 ▌ resource \"a_db\" \"main\" {");
    session
        .keys("<Tab>")
        .shows("modules/net/net.tf")
        .keys("<Esc><Esc>jj");
    session.shows("declared at modules/net/net.tf:4").keys("yl");
    assert_eq!(session.copied, ["modules/net/net.tf:4"]);
}

#[test]
fn a_block_that_is_there_twice_or_not_at_all_has_no_line() {
    for main in [
        "",
        "resource \"a_db\" \"mai\" {}\n",
        &format!("{MAIN}{MAIN}"),
    ] {
        let (_folder, file) = module(main, NET);
        let brief = command(&["brief", &file]).out;
        assert!(!brief.contains("main.tf"), "{brief}");
        assert!(brief.contains("net.tf:4"), "{brief}");
    }
    // Only a file in a folder has something next to it.
    let (folder, file) = module(MAIN, NET);
    let bytes = fs::read(&file).unwrap();
    let mut session = Session::open_bytes("plan.json", &bytes, WIDE);
    session.keys("2<wait>").hides("declared at");
    // A list of modules that leads out of the folder.
    let modules = json!({"Modules": [{"Key": "net", "Dir": "../other"}]}).to_string();
    fs::write(
        folder.path().join(".terraform/modules/modules.json"),
        modules,
    )
    .unwrap();
    let other = folder.path().parent().unwrap().join("other");
    assert!(!other.exists());
    let brief = command(&["brief", &file]).out;
    assert!(
        brief.contains("main.tf:2") && !brief.contains("net.tf"),
        "{brief}"
    );
}
