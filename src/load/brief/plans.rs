//! The plans among files and folders, as `brief` takes them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::load::fleet::{Answer, Asked, Copies, Fleet, Opened, Place, Roots};
use crate::load::folder::Role;
use crate::load::{Input, LoadError, prepare};
use crate::stack::Kind;

/// The kind of a file, by its first bytes.
///
/// # Errors
///
/// If it cannot be read or is of no known kind.
pub fn kind(input: &Input) -> Result<Kind, LoadError> {
    let prepared = prepare::prepare(input, input.limits)?;
    Ok(prepared.format.kind)
}

/// The plans, previews and runs in a folder and below it, in the order of their paths. Of a plan file and its JSON only the JSON
/// counts. A plan that cannot be read is among them, and so is a folder that cannot be listed: opening it gives the error. `like` has
/// the options of each file.
pub fn below(folder: &Path, like: Input) -> Vec<PathBuf> {
    let fleet = Fleet {
        roots: Roots::new([folder.to_path_buf()]),
        like,
        copies: Copies::Leave,
    };
    let mut plans: BTreeMap<PathBuf, Option<Kind>> = BTreeMap::new();
    let of_kind = |opened: &Opened<'_>| kind(&opened.input()).map(Asked::uncounted);
    fleet.ask(&AtomicBool::new(false), &of_kind, &mut |member, answer| {
        let is_state = matches!(
            member.role,
            Role::State | Role::Errored | Role::Backup | Role::History
        );
        let kind = match answer {
            Answer::Done(kind) if kind.has_changes() => Some(kind),
            Answer::Failed(_) if !is_state => None,
            Answer::Done(_) | Answer::Failed(_) | Answer::Left => return ControlFlow::Continue(()),
        };
        if let Place::File(path) = member.place {
            plans.insert(path, kind);
        }
        ControlFlow::Continue(())
    });
    let kept = plans.iter().filter(|(path, kind)| {
        let is_binary = **kind == Some(Kind::TerraformPlanBinary);
        !is_binary || !has_json(path, &plans)
    });
    kept.map(|(path, _)| path.clone()).collect()
}

/// True if the JSON of a plan file lies beside it: `tfplan.json` beside `tfplan` or `tfplan.tfplan`.
fn has_json(file: &Path, plans: &BTreeMap<PathBuf, Option<Kind>>) -> bool {
    let mut longer = file.as_os_str().to_owned();
    longer.push(".json");
    let names = [PathBuf::from(longer), file.with_extension("json")];
    let is_json = |it: &PathBuf| plans.get(it) == Some(&Some(Kind::TerraformPlan));
    names.iter().any(is_json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PLAN: &str = r#"{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{"root_module":{}},"resource_changes":[]}"#;
    const STATE: &str = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"a","outputs":{},"resources":[]}"#;

    #[test]
    fn plans_are_found_by_name_and_by_content() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for name in [
            "a/tfplan.json",
            "a/b/tfplan.json",
            "prod.json",
            ".terraform/tfplan.json",
        ] {
            write(name, PLAN);
        }
        write("a/terraform.tfstate", STATE);
        write("a/package.json", "{}");
        write("c/tfplan.json", "{\"cut");
        write("previews/dev.json", "");
        write("previews/log.txt", "");
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.path(), root.path().join("loop")).unwrap();
        let found = below(root.path(), Input::path(""));
        let found: Vec<_> = found
            .iter()
            .map(|path| path.strip_prefix(root.path()).unwrap().to_str().unwrap())
            .collect();
        assert_eq!(
            found,
            [
                "a/b/tfplan.json",
                "a/tfplan.json",
                "c/tfplan.json",
                "previews/dev.json",
                "prod.json"
            ]
        );
    }
}
