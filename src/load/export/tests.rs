//! Exports into folders, read back.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::dataset::Table;
use crate::load::Input;
use crate::load::fleet::{Copies, Roots};

/// A fleet of a few files, and the folder of its dataset.
struct Made(TempDir);

fn state(n_resources: usize) -> String {
    let resource = |at: usize| {
        format!(
            r#"{{"mode": "managed", "type": "aws_instance", "name": "web_{at}", "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
                "instances": [{{"schema_version": 1, "attributes": {{"id": "i-{at}", "size": {at}, "tags": {{"a b": "x"}}, "none": []}}}}]}}"#
        )
    };
    let resources: Vec<_> = (0..n_resources).map(resource).collect();
    format!(
        r#"{{"version": 4, "terraform_version": "1.9.0", "serial": {n_resources}, "lineage": "l", "outputs": {{}}, "resources": [{}]}}"#,
        resources.join(",")
    )
}

impl Made {
    fn new() -> Self {
        let made = Self(TempDir::new().unwrap());
        made.write("a/terraform.tfstate", &state(3));
        made.write("b/terraform.tfstate", &state(40));
        made.write(
            "c/terraform.tfstate",
            "{\"version\": 4, \"serial\": 1, \"resources\": [",
        );
        let pulumi = include_str!("../../../tests/corpus/pulumi-state/shop.json");
        made.write("d.json", pulumi);
        made
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join("fleet").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn to(&self) -> PathBuf {
        self.0.path().join("dataset")
    }

    fn fleet(&self) -> Fleet {
        Fleet {
            roots: Roots::new([self.0.path().join("fleet")]),
            like: Input::path(""),
            copies: Copies::Leave,
        }
    }

    fn try_export(&self, sizes: Sizes) -> Result<(Vec<String>, Written), ExportError> {
        let mut told = Vec::new();
        let (fleet, rules) = (self.fleet(), Rules::built_in());
        let (_, written) = run_with(sizes, &fleet, &self.to(), rules, &mut |member, exported| {
            let word = match exported {
                Exported::New => "new",
                Exported::Same => "same",
                Exported::Partial(_) => "partial",
                Exported::Failed(_) => "failed",
                Exported::Left => "left",
            };
            told.push(format!("{} {word}", member.name));
        })?;
        Ok((told, written))
    }

    #[track_caller]
    fn export(&self) -> (Vec<String>, Written) {
        self.try_export(Sizes::default()).unwrap()
    }

    /// All files of the dataset.
    fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        let mut next = vec![self.to()];
        while let Some(folder) = next.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    next.push(path);
                } else {
                    files.insert(path);
                }
            }
        }
        files
    }

    /// The rows of a table as text, sorted. The names are in the order of its columns.
    fn rows(&self, table: Table, names: &[&str]) -> Vec<String> {
        let mut rows = Vec::new();
        let folder = self.to().join(table.name());
        for file in self
            .files()
            .into_iter()
            .filter(|file| file.starts_with(&folder))
        {
            read(&file, table, names, &mut |row| {
                let fields = (0..names.len()).map(|at| row.text(at).unwrap_or("-".to_owned()));
                rows.push(fields.collect::<Vec<_>>().join(" "));
            })
            .unwrap();
        }
        rows.sort();
        rows
    }

    /// All columns, except the time of the export.
    fn whole(&self, table: Table) -> Vec<String> {
        let names = table.columns().iter().map(|column| column.name);
        let names: Vec<_> = names.filter(|name| *name != "exported").collect();
        self.rows(table, &names)
    }
}

#[test]
fn a_second_export_writes_nothing() {
    let made = Made::new();
    let (told, written) = made.export();
    assert_eq!(told, ["a new", "b new", "c failed", "d new"]);
    let files = made.files();
    assert_eq!(files.len() as u64, written.n_files + 1, "{files:?}");
    let (told, written) = made.export();
    assert_eq!(told, ["a same", "b same", "c failed", "d same"]);
    assert_eq!(written, Written::default());
    assert_eq!(made.files(), files);
    let errors = made.rows(Table::Stacks, &["name", "error"]);
    assert!(
        errors[2].starts_with("c the file is cut off at "),
        "{errors:?}"
    );
}

#[test]
fn a_changed_stack_has_a_new_version_and_an_old_one_comes_back() {
    let made = Made::new();
    made.export();
    let before = made.files();
    made.write("a/terraform.tfstate", &state(4));
    assert_eq!(made.export().0[0], "a new");
    let n_resources = made.rows(Table::Resources, &["version_id"]).len();
    made.write("a/terraform.tfstate", &state(3));
    assert_eq!(made.export().0[0], "a new");
    assert_eq!(made.export().0[0], "a same");
    assert!(made.files().is_superset(&before));
    let names = ["version_id", "number", "name", "resources"];
    let rows = made.rows(Table::Stacks, &names);
    let rows = rows.iter().map(|row| row.split(' ').collect::<Vec<_>>());
    let mut of_a: Vec<Vec<&str>> = rows.filter(|row| row[2] == "a").collect();
    of_a.sort_by_key(|row| row[1]);
    let column = |at: usize| of_a.iter().map(|row| row[at]).collect::<Vec<_>>();
    let (numbers, resources) = (column(1), column(3));
    assert_eq!(
        (numbers, resources),
        (vec!["1", "2", "3"], vec!["3", "4", "3"])
    );
    let versions = column(0);
    assert_eq!(
        versions[0], versions[2],
        "the same contents are the same version"
    );
    assert_ne!(versions[0], versions[1]);
    // The rows of the first version are not written again.
    assert_eq!(
        made.rows(Table::Resources, &["version_id"]).len(),
        n_resources
    );
}

#[test]
fn a_file_that_is_repaired_has_a_version_after_its_error() {
    let made = Made::new();
    made.export();
    made.write("c/terraform.tfstate", &state(2));
    assert_eq!(made.export().0[2], "c new");
    let rows = made.rows(Table::Stacks, &["number", "name", "resources"]);
    assert!(
        rows.contains(&"1 c -".to_owned()) && rows.contains(&"2 c 2".to_owned()),
        "{rows:?}"
    );
}

#[test]
fn a_file_that_is_named_twice_is_one_stack() {
    let made = Made::new();
    let mut fleet = made.fleet();
    fleet.roots.places.push(fleet.roots.places[0].clone());
    let mut n_told = 0;
    run(&fleet, &made.to(), Rules::built_in(), &mut |_, _| {
        n_told += 1;
    })
    .unwrap();
    assert_eq!(n_told, 8);
    let stacks = made.rows(Table::Stacks, &["stack_id"]);
    let distinct: BTreeSet<_> = stacks.iter().collect();
    assert_eq!((stacks.len(), distinct.len()), (4, 4));
    assert_eq!(
        made.rows(Table::Resources, &["type"])
            .iter()
            .filter(|ty| *ty == "aws_instance")
            .count(),
        43
    );
}

#[test]
fn small_parts_hold_the_same_rows() {
    let (one, other) = (Made::new(), Made::new());
    one.export();
    let small = Sizes {
        rows: 3000,
        part: 1,
        versions: 2,
    };
    other.try_export(small).unwrap();
    assert!(other.files().len() > one.files().len());
    for table in Table::ALL {
        let (rows, others) = (one.whole(table), other.whole(table));
        let is_of_plans = matches!(table, Table::Changes | Table::Findings);
        assert!(is_of_plans || rows.len() > 2, "{table:?}: {rows:?}");
        // The times of the files differ.
        if table != Table::Stacks {
            assert_eq!(rows, others, "{table:?}");
        }
    }
}

#[test]
fn what_a_stopped_run_left_is_removed() {
    let made = Made::new();
    made.export();
    let files = made.files();
    let part = made
        .to()
        .join("resources/tool=terraform/part-0123456789abcdef.parquet");
    let rest = made.to().join("_parts/properties-0.parquet");
    fs::create_dir_all(rest.parent().unwrap()).unwrap();
    for file in [&part, &rest] {
        fs::write(file, "half").unwrap();
    }
    made.export();
    assert_eq!(made.files(), files);
}

#[test]
fn a_folder_with_something_else_is_refused() {
    let made = Made::new();
    fs::create_dir(made.to()).unwrap();
    fs::write(made.to().join("holiday.jpg"), "").unwrap();
    let error = made.try_export(Sizes::default()).unwrap_err().to_string();
    assert!(
        error.contains("it holds something else (`holiday.jpg`)"),
        "{error}"
    );
    assert_eq!(made.files().len(), 1);
    fs::remove_file(made.to().join("holiday.jpg")).unwrap();
    made.export();
    fs::write(
        made.to().join("_stacklens.json"),
        "{\"dataset\": \"stacklens\", \"form\": 7}\n",
    )
    .unwrap();
    let error = made.try_export(Sizes::default()).unwrap_err().to_string();
    assert!(
        error.contains("a dataset of form 7, expected form 1"),
        "{error}"
    );
}

#[test]
fn one_export_at_a_time_writes_into_a_folder() {
    let made = Made::new();
    let _folder = Folder::open(&made.to()).unwrap();
    let error = made.try_export(Sizes::default()).unwrap_err();
    assert!(matches!(error, ExportError::Busy { .. }), "{error}");
}

#[test]
fn a_part_that_is_broken_is_named() {
    let made = Made::new();
    made.export();
    let stacks = made.to().join("stacks");
    let file = made
        .files()
        .into_iter()
        .find(|file| file.starts_with(&stacks))
        .unwrap();
    fs::write(&file, "PAR1 nothing").unwrap();
    let error = made.try_export(Sizes::default()).unwrap_err().to_string();
    assert!(error.starts_with(&file.display().to_string()), "{error}");
}
