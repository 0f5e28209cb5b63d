//! The role of a file, from its path alone: so the entries of an archive have roles too.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/backend/diy/state.go` (names of states, copies and history); opentofu/opentofu
//! `internal/states/statemgr/filesystem.go` (backups).

use std::path::Path;

/// The role of a file in a folder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// The state of a stack or workspace.
    State,
    /// A plan, by its name.
    Plan,
    /// A state that could not be written to its backend (`errored.tfstate`).
    Errored,
    /// The copy of a state before it was last written.
    Backup,
    /// The state after an earlier update, kept in the history of a backend.
    History,
    /// A file with another name, recognised by its first bytes.
    Other,
}

impl Role {
    /// The noun for such a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Plan => "plan",
            Self::Errored => "errored",
            Self::Backup => "backup",
            Self::History => "history",
            Self::Other => "other",
        }
    }

    /// True for an older version of another file.
    pub fn is_older_copy(self) -> bool {
        match self {
            Self::Backup | Self::History => true,
            Self::State | Self::Plan | Self::Errored | Self::Other => false,
        }
    }
}

/// The extensions that a backend may add to a name for compression. The first bytes of a file give its real format.
const COMPRESSED: [&str; 2] = [".gz", ".zst"];

/// The role of a file whose layout or name gives one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::modules::load) struct Named {
    pub(in crate::modules::load) role: Role,
    /// True if only a state or a plan has such a name, so that other contents are damage.
    pub(in crate::modules::load) is_sure: bool,
}

/// The role that a path gives; `None` if only the contents can tell.
pub(in crate::modules::load) fn of_path(path: &Path) -> Option<Named> {
    let named = |role, is_sure| Some(Named { role, is_sure });
    let name = path.file_name()?.to_str()?;
    match backend_part(path) {
        Some("stacks") => {
            if let Some((role, _)) = of_backend_file(name) {
                return named(role, true);
            }
        }
        Some("backups") => return named(Role::Backup, false),
        Some(_) | None => {}
    }
    if is_of_history(name) {
        return named(Role::History, false);
    }
    if is_older_copy(name) {
        return named(Role::Backup, name.contains(".tfstate"));
    }
    match of_terraform_file(name)? {
        role @ (Role::State | Role::Errored | Role::Backup) => named(role, true),
        // Other tools have a `plan.json` too.
        Role::Plan => named(Role::Plan, name.to_ascii_lowercase().contains("tfplan")),
        role @ (Role::History | Role::Other) => named(role, false),
    }
}

/// The part of a Pulumi backend that a path leads through: `stacks`, `history` or `backups`.
fn backend_part(path: &Path) -> Option<&str> {
    path.parent()?.ancestors().find_map(|part| {
        let is_inside = part.parent()?.file_name()? == ".pulumi";
        part.file_name()?.to_str().filter(|_| is_inside)
    })
}

/// The role and the stack of a file in the folder `stacks` of a Pulumi backend. `None` for retained copies (`STACK.json.NANOS`), tags
/// and attributes.
pub(in crate::modules::load) fn of_backend_file(name: &str) -> Option<(Role, &str)> {
    let (base, role) = match name.strip_suffix(".bak") {
        Some(base) => (base, Role::Backup),
        None => (name, Role::State),
    };
    let stack = without_compression(base).strip_suffix(".json")?;
    Some((role, stack))
}

/// The role that the name of a file of Terraform or OpenTofu gives.
pub(super) fn of_terraform_file(name: &str) -> Option<Role> {
    match name {
        "errored.tfstate" => Some(Role::Errored),
        name if name.ends_with(".tfstate") => Some(Role::State),
        name if name.ends_with(".tfstate.backup") => Some(Role::Backup),
        name if is_plan_name(name) => Some(Role::Plan),
        _ => None,
    }
}

/// The time in the name of a file of a backend's history, `STACK-NANOS.WHAT.json`, and the name before it.
pub(super) fn of_history_file<'n>(name: &'n str, what: &str) -> Option<(&'n str, u64)> {
    let name = without_compression(name).strip_suffix(".json")?;
    let (stack, nanos) = name
        .strip_suffix(what)?
        .strip_suffix('.')?
        .rsplit_once('-')?;
    Some((stack, nanos.parse().ok()?))
}

fn is_of_history(name: &str) -> bool {
    of_history_file(name, "checkpoint").is_some()
}

/// True for the names that tools and people give to older copies: `a.json.bak`, `a.tfstate.1700000000.backup`, `a.json.1700000000`.
fn is_older_copy(name: &str) -> bool {
    let name = without_compression(name);
    let is_time = |text: &str| text.len() >= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    [".bak", ".backup"].iter().any(|end| name.ends_with(end))
        || name
            .rsplit_once(".json.")
            .is_some_and(|(_, time)| is_time(time))
}

/// True if plans usually have such names. The contents give the real format when the file is opened.
fn is_plan_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower == "tfplan"
        || [".tfplan", ".tfplan.json", "tfplan.json"]
            .iter()
            .any(|end| lower.ends_with(end))
        || matches!(lower.as_str(), "plan.json" | "plan.out" | "preview.json")
}

/// The name without an extension for compression.
pub(in crate::modules::load) fn without_compression(name: &str) -> &str {
    COMPRESSED
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_gives_a_role() {
        let told = |path: &str| {
            let named = of_path(Path::new(path))?;
            Some(format!(
                "{}{}",
                named.role.name(),
                if named.is_sure { "!" } else { "" }
            ))
        };
        for (path, want) in [
            (".pulumi/stacks/net/prod.json", Some("state!")),
            ("a/.pulumi/stacks/prod.json.gz", Some("state!")),
            (".pulumi/stacks/net/prod.json.gz.bak", Some("backup!")),
            (".pulumi/stacks/net/prod.json.1699999999", Some("backup")),
            (".pulumi/stacks/net/prod.pulumi-tags", None),
            (
                ".pulumi/history/net/prod/prod-170.checkpoint.json",
                Some("history"),
            ),
            (".pulumi/history/net/prod/prod-170.history.json", None),
            (".pulumi/backups/prod/prod.170.json", Some("backup")),
            (".pulumi/meta.yaml", None),
            ("terraform.tfstate.d/blue/terraform.tfstate", Some("state!")),
            ("terraform.tfstate.backup", Some("backup!")),
            ("terraform.tfstate.1700000000.backup", Some("backup!")),
            ("errored.tfstate", Some("errored!")),
            ("plans/prod.tfplan", Some("plan!")),
            ("plans/prod/tfplan.json", Some("plan!")),
            ("plans/plan.json", Some("plan")),
            ("prod.json.bak", Some("backup")),
            ("prod.json", None),
            ("stacks/prod.json", None),
            ("", None),
        ] {
            assert_eq!(told(path).as_deref(), want, "{path}");
        }
    }
}
