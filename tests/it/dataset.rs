//! The dataset of `export`, read back and compared with the stacks.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use stacklens::dataset::Table;
use stacklens::load::{Document, Input, export, load};
use stacklens::path::{Path as Place, Segment};
use stacklens::stack::{PropertySet, ResourceId, Section, When};
use stacklens::value::{Payload, Shown, Value};

use crate::cli::command;

/// The files of a table.
fn files(dataset: &Path, table: Table) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let tools = entries(&dataset.join(table.name()));
    let mut files: Vec<_> = tools.iter().flat_map(|tool| entries(tool)).collect();
    files.sort();
    files
}

/// The rows of a table: each column as text, without those that have no value.
pub(crate) fn rows(dataset: &Path, table: Table) -> Vec<BTreeMap<&'static str, String>> {
    let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
    let mut rows = Vec::new();
    for file in files(dataset, table) {
        export::read(&file, table, &names, &mut |fields| {
            let cells = names.iter().enumerate();
            let cells = cells.filter_map(|(at, name)| Some((*name, fields.text(at)?)));
            rows.push(cells.collect());
        })
        .unwrap();
    }
    rows
}

/// Everything in a dataset: the bytes of its files, and all values in them.
pub(crate) fn everything(dataset: &Path) -> String {
    let mut text = String::new();
    for table in Table::ALL {
        for file in files(dataset, table) {
            text += &String::from_utf8_lossy(&fs::read(file).unwrap());
        }
        let rows = rows(dataset, table);
        let cells = rows.iter().flat_map(BTreeMap::values);
        cells.for_each(|cell| text.extend([cell, "\n"]));
    }
    text
}

/// Writes a plan into `folder` and exports it. Returns the file and the dataset.
fn exported(folder: &Path, plan: &str) -> [PathBuf; 2] {
    let paths = ["plan.json", "dataset"].map(|name| folder.join(name));
    fs::write(&paths[0], plan).unwrap();
    let [file, to] = paths.each_ref().map(|path| path.to_str().unwrap());
    let run = command(&["export", file, "--to", to]);
    assert_eq!(run.code, 0, "{run:?}");
    paths
}

/// The values without parts below `value`: path, kind and text.
fn leaves(value: &Value, path: &Place, found: &mut Vec<[String; 3]>) {
    let mut add = |kind: &str, text: &str| {
        found.push([path.to_tolerant(), kind.to_owned(), text.to_owned()]);
    };
    let payload = match value.shown() {
        Shown::Secret("[secret]") => return add("secret", "-"),
        Shown::Secret(_) => return add("likely_secret", "-"),
        Shown::Plain(payload) => payload,
    };
    match payload {
        Payload::Null => add("null", "-"),
        Payload::Bool(is) => add("boolean", &is.to_string()),
        Payload::Number(number) => add("number", &number.to_string()),
        Payload::String(text) => add("string", &text.to_str_lossy()),
        Payload::Computed(_) => add("unknown", "-"),
        Payload::Map(map) if map.is_empty() => add("map", "-"),
        Payload::Array(items) if items.is_empty() => add("list", "-"),
        Payload::Map(map) => {
            for (key, value) in map {
                leaves(value, &path.child(Segment::Key(key.clone())), found);
            }
        }
        Payload::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                leaves(value, &path.child(Segment::Index(at)), found);
            }
        }
        Payload::Asset(_) | Payload::Archive(_) | Payload::Reference(_) | Payload::Sealed(_) => {
            add("other", "");
        }
    }
}

/// The properties of a resource as the dataset should have them.
fn expected(document: &Document, id: ResourceId) -> Vec<[String; 4]> {
    let Ok(resource) = document.resource(id) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (when, before) in [(When::After, ""), (When::Before, "before.")] {
        for section in [Section::Inputs, Section::Outputs] {
            let set = PropertySet { when, section };
            let mut found = Vec::new();
            if let Some(value) = set.shown_of(&resource) {
                leaves(&value, &Place::root(), &mut found);
            }
            let name = format!("{before}{section}");
            let with_section = |[path, kind, text]: [String; 3]| [name.clone(), path, kind, text];
            all.extend(found.into_iter().map(with_section));
        }
    }
    all
}

/// Every file of the corpus goes into a dataset and comes back as it was.
#[test]
fn what_is_written_is_what_the_stacks_hold() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("dataset");
    let to = dataset.to_str().unwrap();
    let corpus = root.join("tests/corpus");
    let run = command(&["export", corpus.to_str().unwrap(), "--to", to, "--all"]);
    assert_eq!(run.code, 65, "the corpus has broken files: {run:?}");
    let stacks = rows(&dataset, Table::Stacks);
    let mut by_version: BTreeMap<&str, [Vec<_>; 2]> = BTreeMap::new();
    let tables = [Table::Resources, Table::Properties].map(|table| rows(&dataset, table));
    for (slot, rows) in tables.iter().enumerate() {
        for row in rows {
            by_version.entry(&row["version_id"]).or_default()[slot].push(row);
        }
    }
    let (mut n_resources, mut n_properties, mut n_masked) = (0, 0, 0);
    for stack in stacks.iter().filter(|row| !row.contains_key("error")) {
        let document = load(&Input::path(corpus.join(&stack["place"]))).unwrap();
        let [resources, properties] = by_version.remove(&*stack["version_id"]).unwrap_or_default();
        assert_eq!(resources.len(), document.stack.len(), "{stack:?}");
        n_resources += resources.len();
        for id in document.stack.ids() {
            let number = id.0.to_string();
            let row = resources
                .iter()
                .find(|row| row["resource"] == number)
                .unwrap();
            assert_eq!(row["urn"], document.stack.urn(id));
            assert_eq!(row["address"], document.stack.identity(id));
            assert_eq!(row["type"], document.stack.ty(id));
            let own = properties
                .iter()
                .filter(|row| row.get("resource") == Some(&number));
            let got: Vec<[String; 4]> = own
                .map(|row| {
                    let text = row.get("text").map_or("-", |text| text);
                    let is_other = ["asset", "archive", "reference"].contains(&&*row["kind"]);
                    let (kind, text) = if is_other {
                        ("other", "")
                    } else {
                        (&*row["kind"], text)
                    };
                    [&row["section"], &row["path"], kind, text].map(str::to_owned)
                })
                .collect();
            assert_eq!(
                got,
                expected(&document, id),
                "{} {}",
                stack["place"],
                row["urn"]
            );
            n_properties += got.len();
            n_masked += got.iter().filter(|row| row[2].ends_with("secret")).count();
        }
    }
    assert!(
        by_version.is_empty(),
        "rows without a stack: {:?}",
        by_version.keys()
    );
    assert!(
        n_resources > 200 && n_properties > 1000 && n_masked > 20,
        "{n_resources} {n_properties} {n_masked}"
    );
}

/// Every resource that `ls` lists is in the table, with the same fields.
#[test]
fn resources_have_the_fields_that_ls_prints() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("dataset");
    let plan = crate::cli::root().join("tests/corpus/tfplan-json/shop.json");
    let plan = plan.to_str().unwrap();
    let run = command(&["export", plan, "--to", dataset.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.out.contains(": 1 new version, 0 unchanged; "),
        "{run:?}"
    );
    let listed = crate::cli::json(&["ls", plan, "--json"]);
    let listed = listed.as_array().unwrap();
    let rows = rows(&dataset, Table::Resources);
    let rows: Vec<_> = rows.iter().filter(|row| row["drift"] == "false").collect();
    assert_eq!(rows.len(), listed.len());
    for (row, want) in rows.iter().zip(listed) {
        for field in [
            "urn", "address", "type", "name", "id", "mode", "parent", "provider", "action",
        ] {
            assert_eq!(
                row.get(field).map(|it| &**it),
                want[field].as_str(),
                "{field} of {want}"
            );
        }
        let flags = want["flags"].as_array().unwrap().iter();
        let flags: Vec<_> = flags.map(|flag| flag.as_str().unwrap()).collect();
        let own: Vec<_> = row["flags"]
            .split(',')
            .filter(|flag| !flag.is_empty())
            .collect();
        assert_eq!(own, flags);
    }
    let actions = listed
        .iter()
        .filter(|it| it["action"].as_str().is_some_and(|it| it != "noop"));
    let changes = self::rows(&dataset, Table::Changes);
    let whole = changes
        .iter()
        .filter(|row| !row.contains_key("path") && row["drift"] == "false");
    let of_resources = whole.filter(|row| row.contains_key("resource"));
    assert_eq!(of_resources.count(), actions.count());
}

#[test]
fn resources_say_the_source_and_the_version_of_their_module() {
    let folder = tempfile::tempdir().unwrap();
    let change = |module: &str| {
        format!(
            r#"{{"address": "{module}.a_b.c", "module_address": "{module}", "mode": "managed", "type": "a_b", "name": "c",
            "change": {{"actions": ["create"], "before": null, "after": {{}}, "after_unknown": {{}}}}}}"#
        )
    };
    let modules = [
        "module.net",
        r#"module.net.module.vpc[\"x\"]"#,
        "module.private",
    ];
    let changes = modules.map(change).join(",");
    let plan = format!(
        r#"{{"format_version": "1.2", "resource_changes": [{changes}], "configuration": {{"root_module": {{"module_calls": {{
            "net": {{"source": "./net", "module": {{"module_calls": {{
                "vpc": {{"source": "example/vpc/aws", "version_constraint": "~> 5.1", "module": {{}}}}}}}}}},
            "private": {{"source": "git::https://me:hunter2-4711@example.com/it.git", "module": {{}}}}}}}}}}}}"#
    );
    let [file, dataset] = exported(folder.path(), &plan);
    let file = file.to_str().unwrap();
    let rows = rows(&dataset, Table::Resources);
    let cell =
        |row: &BTreeMap<&str, String>, name: &str| row.get(name).cloned().unwrap_or_default();
    let found: Vec<_> = rows
        .iter()
        .map(|row| ["module", "module_source", "module_version"].map(|name| cell(row, name)))
        .collect();
    let want = [
        ["net", "./net", ""],
        [r#"net.vpc["x"]"#, "example/vpc/aws", "~> 5.1"],
        ["private", "", ""],
    ];
    assert_eq!(found, want);
    assert!(!everything(&dataset).contains("hunter2"));
    for (query, want) in [
        ("module:\"example/vpc/aws@~> 5.1\"", 1),
        ("module:*vpc/aws@*5.1*", 1),
        ("module:example/vpc/aws@~>", 1),
        ("module:example/vpc/aws@4", 0),
        ("module:./net", 1),
        ("module:net", 2),
        ("module:hunter2", 0),
    ] {
        let run = command(&["ls", file, query]);
        assert_eq!(run.out.lines().count(), want, "{query}: {run:?}");
    }
}

/// Findings about no change of a resource are in the brief and in the table alike.
#[test]
fn failed_checks_and_outputs_that_turn_plain_or_go_are_findings() {
    let folder = tempfile::tempdir().unwrap();
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [],
        "output_changes": {
            "url": {"actions": ["update"], "before": "a", "after": "a", "before_sensitive": true, "after_sensitive": false},
            "old": {"actions": ["delete"], "before": "a", "after": null, "before_sensitive": false, "after_sensitive": false},
            "new": {"actions": ["create"], "before": null, "after": "a", "before_sensitive": false, "after_sensitive": false}},
        "checks": [
            {"address": {"kind": "check", "to_display": "check.health"}, "status": "fail",
             "instances": [{"address": {"to_display": "check.health"}, "status": "fail", "problems": [{"message": "it is down"}]}]},
            {"address": {"kind": "check", "to_display": "check.fine"}, "status": "pass"}]}"#;
    let [file, dataset] = exported(folder.path(), plan);
    let file = file.to_str().unwrap();
    let rows = rows(&dataset, Table::Findings);
    let own = rows.iter().filter(|row| row["source"] == "mechanism");
    let found: Vec<_> = own
        .map(|row| {
            let path = row.get("path").map_or("", |it| it);
            [&*row["rule"], &row["severity"], &row["address"], path]
        })
        .collect();
    let want = [
        ["check", "warning", "check.health", ""],
        ["output-turns-plain", "danger", "output", "url"],
        ["output-goes", "note", "output", "old"],
    ];
    assert_eq!(found, want, "{rows:?}");
    let says = rows.iter().find(|row| row["rule"] == "check").unwrap();
    assert_eq!(says["message"], "fail: it is down");
    let brief = command(&["brief", file, "--json"]).out;
    for mechanism in ["check", "output-goes", "output-turns-plain"] {
        let named = format!("\"mechanism\": \"{mechanism}\"");
        assert!(brief.contains(&named), "{brief}");
    }
}

#[test]
fn standard_input_and_a_foreign_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("notes.md"), "mine").unwrap();
    let run = command(&["export", "-", "--to", &path("dataset")]);
    assert_eq!(run.code, 64, "{run:?}");
    let run = command(&[
        "export",
        crate::cli::SHOP,
        "--to",
        folder.path().to_str().unwrap(),
    ]);
    assert_eq!(run.code, 64, "{run:?}");
    assert!(
        run.err.contains("it holds something else (`notes.md`)"),
        "{run:?}"
    );
    let run = command(&["export", &path("nothing"), "--to", &path("dataset")]);
    assert_eq!(run.code, 65, "{run:?}");
}
