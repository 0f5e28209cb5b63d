//! Folders: lists the states, plans and histories in a folder.
//!
//! A folder may be a self-managed Pulumi backend (`.pulumi` or its parent), the working folder of Terraform or OpenTofu, or any
//! folder with files that open. The layouts of the first two give each file its role. In any folder, a file whose name says
//! nothing is listed if its first bytes are those of a known format.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/backend/diy` (layouts, retained copies, history); opentofu/opentofu `internal/backend/local` (workspaces).

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use role::Role;

use super::{Input, Limits, LoadError, prepare, sidecar};
use crate::stack::Kind;
use role::without_compression;

pub(super) mod role;

/// Maximum number of bytes that are read to recognise a file that has to be read whole for it.
const MAX_TO_RECOGNISE: u64 = 16 << 20;

/// One file of a folder that can be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FolderFile {
    /// The role of the file.
    pub role: Role,
    /// The project, in the layout of a Pulumi backend that has projects.
    pub project: Option<String>,
    /// The workspace of Terraform or OpenTofu that the file belongs to.
    pub workspace: Option<String>,
    /// The stack of Pulumi; the file's name for other files.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// Time of the last write, if the system gives it.
    pub modified: Option<SystemTime>,
    /// Time since the last write, when the folder was listed.
    pub age: Option<Duration>,
    /// True if it belongs to the current workspace.
    pub current: bool,
}

impl FolderFile {
    /// The name to show: `project/stack`, `workspace/file`, or the file's name.
    pub fn label(&self) -> String {
        let around = self.project.as_ref().or(self.workspace.as_ref());
        match around.filter(|it| self.project.is_some() || *it != DEFAULT) {
            Some(around) => format!("{around}/{}", self.name),
            None => self.name.clone(),
        }
    }

    /// The stack or workspace. Its files are listed together.
    fn group(&self) -> (Option<&str>, &str) {
        match &self.workspace {
            Some(workspace) => (None, workspace),
            None => (self.project.as_deref(), &self.name),
        }
    }
}

/// The workspace that exists without being created.
const DEFAULT: &str = "default";

/// One update in the history of a stack of a Pulumi backend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    /// When it was recorded: nanoseconds since 1970, as in the file's name.
    pub nanos: u64,
    /// The record of the update: kind, times, result, counts.
    pub record: PathBuf,
    /// The state after it, if it was kept.
    pub checkpoint: Option<PathBuf>,
}

/// A stack of a Pulumi backend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackendStack {
    /// The `.pulumi` folder.
    pub backend: PathBuf,
    /// The project, in the layout that has projects.
    pub project: Option<String>,
    /// The stack.
    pub stack: String,
}

/// The stack that a file of a Pulumi backend belongs to: a state, a copy of one, or a file of a history. `None` for other files.
pub fn place(file: &Path) -> Option<BackendStack> {
    let file = std::path::absolute(file).ok()?;
    let (backend, part, inside) = in_backend(&file)?;
    let mut names: Vec<String> = inside
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    let last = names.pop()?;
    if part == "stacks" {
        let (stack, _) = without_compression(&last).split_once(".json")?;
        names.push(stack.to_owned());
    }
    let stack = names.pop()?;
    Some(BackendStack {
        backend,
        project: names.pop(),
        stack,
    })
}

/// The Pulumi backend that a path leads into, the part of the backend that it goes through, and the rest of the path.
fn in_backend(path: &Path) -> Option<(PathBuf, &'static str, PathBuf)> {
    path.ancestors().find_map(|part| {
        let name = part.file_name()?;
        let known = ["stacks", "history", "backups"];
        let known = known.into_iter().find(|known| *name == **known)?;
        let backend = part.parent()?;
        let inside = path.strip_prefix(part).ok()?.to_path_buf();
        backend
            .join("stacks")
            .is_dir()
            .then(|| (backend.to_path_buf(), known, inside))
    })
}

/// True for the state of the workspace of Terraform or OpenTofu that is in use, in a folder with several.
pub(super) fn is_in_use(state: &Path) -> bool {
    let parts = || {
        let folder = state.parent()?;
        let (named, all) = (folder.file_name()?, folder.parent()?);
        (all.file_name()? == "terraform.tfstate.d").then_some((all.parent()?, named.to_str()?))
    };
    let root = state.parent().unwrap_or(Path::new(""));
    let (root, workspace) = parts().unwrap_or((root, DEFAULT));
    let is_named = state
        .file_name()
        .is_some_and(|name| name == "terraform.tfstate");
    is_named && root.join("terraform.tfstate.d").is_dir() && in_use(root) == workspace
}

/// The name of the workspace that is in use in a folder.
fn in_use(folder: &Path) -> String {
    let name = sidecar::words(&folder.join(".terraform").join("environment"));
    name.map_or_else(|_| DEFAULT.to_owned(), |text| text.trim().to_owned())
}

/// The folder whose list contains `file`.
pub fn of_file(file: &Path) -> PathBuf {
    let folder = file
        .parent()
        .filter(|folder| *folder != Path::new(""))
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
    if let Some((backend, ..)) = in_backend(&absolute) {
        return backend;
    }
    // `terraform.tfstate.d/WORKSPACE/terraform.tfstate` belongs to the folder around.
    match folder.parent() {
        Some(all)
            if all
                .file_name()
                .is_some_and(|it| it == "terraform.tfstate.d") =>
        {
            let around = all.parent().filter(|it| *it != Path::new(""));
            around.map_or_else(|| PathBuf::from("."), Path::to_path_buf)
        }
        _ => folder,
    }
}

/// The files of `folder` that can be opened: the files of a stack or workspace together, the newest first.
///
/// If a stack has several files (compressed and not), the newest counts, as it does for the backend.
///
/// # Errors
///
/// If the folder cannot be listed. Parts of it that cannot be listed are left out.
pub fn list(folder: &Path) -> io::Result<Vec<FolderFile>> {
    fs::read_dir(folder)?;
    let mut entries = Vec::new();
    let absolute = std::path::absolute(folder)?;
    if let Some(backend) = pulumi_backend(folder) {
        list_pulumi(&backend, &mut entries);
    } else if let Some((backend, _, inside)) = in_backend(&absolute) {
        // A folder of a project, or of the history of one stack.
        list_pulumi(&backend, &mut entries);
        entries.retain(|entry| {
            let project = entry.project.iter().map(String::as_str);
            let mut way = project.chain([entry.name.as_str()]);
            inside
                .iter()
                .all(|name| way.next().is_some_and(|it| *name == *it))
        });
    }
    // The file in `.terraform` is the record of the backend, not a state.
    if folder.file_name().is_none_or(|name| name != ".terraform") {
        list_terraform(folder, &mut entries);
        list_others(folder, &mut entries);
    }
    sort(&mut entries);
    Ok(entries)
}

/// The one file that is clearly meant: the state in use, else the only state, else the only file.
pub fn choose(entries: &[FolderFile]) -> Option<&FolderFile> {
    let only = |role: Option<Role>| {
        let mut found = entries
            .iter()
            .filter(|entry| role.is_none_or(|role| entry.role == role));
        found.next().filter(|_| found.next().is_none())
    };
    entries
        .iter()
        .find(|entry| entry.current)
        .or_else(|| only(Some(Role::State)))
        .or_else(|| only(None))
}

/// Sorts groups by their newest file, and the files of each group by age.
fn sort(entries: &mut [FolderFile]) {
    let mut newest: HashMap<(Option<String>, String), Option<SystemTime>> = HashMap::new();
    let key = |entry: &FolderFile| {
        let (project, name) = entry.group();
        (project.map(str::to_owned), name.to_owned())
    };
    for entry in &*entries {
        let newest = newest.entry(key(entry)).or_default();
        *newest = (*newest).max(entry.modified);
    }
    entries.sort_by_cached_key(|entry| {
        let group = key(entry);
        let rank = (entry.role, entry.label());
        (
            Reverse(newest[&group]),
            group,
            Reverse(entry.modified),
            rank,
        )
    });
}

/// The `.pulumi` folder that `folder` is or contains.
pub fn pulumi_backend(folder: &Path) -> Option<PathBuf> {
    [folder.join(".pulumi"), folder.to_path_buf()]
        .into_iter()
        .find(|candidate| candidate.join("stacks").is_dir())
}

/// The updates of a stack, newest first; empty if no history was kept.
pub fn history(backend: &Path, project: Option<&str>, stack: &str) -> Vec<Update> {
    let mut folder = backend.join("history");
    folder.extend(project);
    folder.push(stack);
    let files = files(&folder);
    let numbered = |what: &str| {
        files
            .iter()
            .filter_map(|file| {
                let (of, nanos) = role::of_history_file(file.file_name()?.to_str()?, what)?;
                (of == stack).then(|| (nanos, file.clone()))
            })
            .collect::<Vec<_>>()
    };
    let checkpoints: HashMap<u64, PathBuf> = numbered("checkpoint").into_iter().collect();
    let mut updates: Vec<_> = numbered("history")
        .into_iter()
        .map(|(nanos, record)| {
            let checkpoint = checkpoints.get(&nanos).cloned();
            Update {
                nanos,
                record,
                checkpoint,
            }
        })
        .collect();
    updates.sort_unstable_by_key(|update| std::cmp::Reverse(update.nanos));
    updates.dedup_by_key(|update| update.nanos);
    updates
}

fn list_pulumi(backend: &Path, entries: &mut Vec<FolderFile>) {
    let stacks = backend.join("stacks");
    if has_projects(backend) {
        for project in folders(&stacks) {
            let name = project
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            list_stacks(&project, name.as_deref(), entries);
        }
    }
    list_stacks(&stacks, None, entries);
}

/// True if `meta.yaml` says that stacks are grouped by project. Without that file the folders decide.
fn has_projects(backend: &Path) -> bool {
    match sidecar::words(&backend.join("meta.yaml")) {
        Ok(text) => text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("version:"))
            .any(|version| version.trim() != "0"),
        Err(_) => !folders(&backend.join("stacks")).is_empty(),
    }
}

fn list_stacks(folder: &Path, project: Option<&str>, entries: &mut Vec<FolderFile>) {
    let first = entries.len();
    for path in files(folder) {
        let Some(file_name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        // Retained copies (`STACK.json.NANOS`), tags and attributes drop out here.
        let Some((role, stack)) = role::of_backend_file(file_name) else {
            continue;
        };
        let new = entry(role, project, stack, path.clone());
        match entries[first..]
            .iter_mut()
            .find(|old| old.name == new.name && old.role == role)
        {
            Some(old) if old.modified < new.modified => *old = new,
            Some(_) => {}
            None => entries.push(new),
        }
    }
}

fn list_terraform(folder: &Path, entries: &mut Vec<FolderFile>) {
    let in_use = in_use(folder);
    let mut workspace = |folder: &Path, name: &str| {
        for path in files(folder) {
            let Some(file_name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let Some(role) = role::of_terraform_file(file_name) else {
                continue;
            };
            let named = matches!(
                file_name,
                "terraform.tfstate" | "terraform.tfstate.backup" | "errored.tfstate"
            );
            let mut new = entry(role, None, file_name, path.clone());
            new.workspace = Some(name.to_owned());
            new.current = named && role == Role::State && name == in_use;
            entries.push(new);
        }
    };
    workspace(folder, DEFAULT);
    for other in folders(&folder.join("terraform.tfstate.d")) {
        let name = other
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        workspace(&other, &name);
    }
}

/// Adds the files of other names whose first bytes are those of a known format. Hidden files are left out.
fn list_others(folder: &Path, entries: &mut Vec<FolderFile>) {
    let known: HashSet<PathBuf> = entries.iter().map(|entry| entry.path.clone()).collect();
    for path in files(folder) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if !known.contains(&path)
            && !name.starts_with('.')
            && is_recognised(&Input::path(&path), |_| true)
        {
            let mut new = entry(Role::Other, None, name, path.clone());
            new.workspace = Some(DEFAULT.to_owned());
            entries.push(new);
        }
    }
}

/// True if the first bytes are those of a file of a kind that `fits`, or of an encrypted one.
pub(super) fn is_recognised(input: &Input, fits: fn(Kind) -> bool) -> bool {
    match prepare::prepare(input, Limits::up_to(MAX_TO_RECOGNISE)) {
        Ok(prepared) => fits(prepared.format.kind),
        Err(error) => matches!(error, LoadError::Locked { .. }),
    }
}

fn entry(role: Role, project: Option<&str>, name: &str, path: PathBuf) -> FolderFile {
    let metadata = fs::metadata(&path).ok();
    let bytes = metadata.as_ref().map_or(0, fs::Metadata::len);
    // Files that were written together, as by a checkout, count as equally old.
    let modified = metadata.and_then(|metadata| metadata.modified().ok());
    let modified = modified.map(whole_seconds);
    FolderFile {
        role,
        project: project.map(str::to_owned),
        workspace: None,
        name: name.to_owned(),
        bytes,
        modified,
        age: modified.and_then(|time| time.elapsed().ok()),
        path,
        current: false,
    }
}

fn whole_seconds(time: SystemTime) -> SystemTime {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => SystemTime::UNIX_EPOCH + Duration::from_secs(since.as_secs()),
        Err(_) => time,
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    children(folder, Path::is_file)
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    children(folder, Path::is_dir)
}

/// The children of `folder` for which `keep` is true, sorted; empty if it cannot be listed.
fn children(folder: &Path, keep: fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut children: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| keep(path))
        .collect();
    children.sort();
    children
}

#[cfg(test)]
mod tests;
