//! The plans among files and folders, as `brief` takes them.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::load::fleet::{Answer, Asked, Copies, Fleet, Opened, Place, Roots};
use crate::load::folder::Role;
use crate::load::{Input, kind};
use crate::stack::Kind;

/// The plans below some places, and the states that have none.
#[derive(Default, Debug)]
pub struct Found {
    /// The plans, previews and runs, in the order of their paths.
    pub plans: Vec<Place>,
    /// The states without a plan in their folder.
    pub states: Vec<Place>,
}

/// The plans, previews and runs in folders, archives and lists, and below them. Of a plan file and its JSON only the JSON counts. A plan
/// that cannot be read is among them, and so is a folder that cannot be listed: opening it gives the error. `like` has the options of
/// each file.
pub fn below(roots: Roots, like: Input) -> Found {
    let fleet = Fleet {
        roots,
        like,
        copies: Copies::Leave,
    };
    let mut plans: BTreeMap<PathBuf, (Place, Option<Kind>)> = BTreeMap::new();
    let mut states = Vec::new();
    let of_kind = |opened: &Opened<'_>| kind(&opened.input()).map(Asked::uncounted);
    fleet.ask(&AtomicBool::new(false), &of_kind, &mut |member, answer| {
        let is_state = matches!(
            member.role,
            Role::State | Role::Errored | Role::Backup | Role::History
        );
        let kind = match answer {
            Answer::Done(kind) if kind.has_changes() => Some(kind),
            Answer::Failed(_) if !is_state => None,
            Answer::Done(Kind::ProviderSchemas) | Answer::Left => {
                return ControlFlow::Continue(());
            }
            Answer::Done(_) | Answer::Failed(_) => {
                states.push(member.place);
                return ControlFlow::Continue(());
            }
        };
        plans.insert(path(&member.place), (member.place, kind));
        ControlFlow::Continue(())
    });
    let folder = |path: &Path| path.parent().map(Path::to_path_buf);
    let with_plan: HashSet<_> = plans.keys().map(|path| folder(path)).collect();
    states.retain(|state| !with_plan.contains(&folder(&path(state))));
    let kept = plans.iter().filter(|(path, (_, kind))| {
        let is_binary = *kind == Some(Kind::TerraformPlanBinary);
        !is_binary || !has_json(path, &plans)
    });
    Found {
        plans: kept.map(|(_, (place, _))| place.clone()).collect(),
        states,
    }
}

/// The path of a member; of an entry, through its archive.
fn path(place: &Place) -> PathBuf {
    match place {
        Place::File(path) => path.clone(),
        Place::Entry { .. } | Place::Object(_) | Place::Stdin => place.to_string().into(),
    }
}

/// True if the JSON of a plan file lies beside it: `tfplan.json` beside `tfplan` or `tfplan.tfplan`.
fn has_json(file: &Path, plans: &BTreeMap<PathBuf, (Place, Option<Kind>)>) -> bool {
    let mut longer = file.as_os_str().to_owned();
    longer.push(".json");
    let names = [PathBuf::from(longer), file.with_extension("json")];
    let is_json = |it: &PathBuf| {
        let kind = plans.get(it).and_then(|(_, kind)| *kind);
        kind == Some(Kind::TerraformPlan)
    };
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
        write("d/terraform.tfstate", STATE);
        let found = below(Roots::new([root.path().to_path_buf()]), Input::path(""));
        let names = |places: &[Place]| -> Vec<String> {
            let paths = places.iter().map(path);
            let names = paths.map(|it| it.strip_prefix(root.path()).unwrap().to_owned());
            names.map(|it| it.to_str().unwrap().to_owned()).collect()
        };
        // A plan lies beside the other state.
        assert_eq!(names(&found.states), ["d/terraform.tfstate"]);
        assert_eq!(
            names(&found.plans),
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
