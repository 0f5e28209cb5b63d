//! The sources next to the opened file: the configuration in its folder, or the program of its Pulumi project. They say which line
//! declares a resource.
//!
//! # Laws
//!
//! 1. A path in a file or in a list of modules is the text of a stranger: nothing outside of the folder is read, also not through a link.
//! 2. Number and size of the files are limited. What is beyond the limits is left out.
//! 3. Nothing is read before somebody asks, and a configuration only once. All of this is work for the background.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Document, Input, Origin, folder, sidecar};
use crate::change::configuration::positions;
use crate::format::ReadError;
use crate::format::terraform::config;
use crate::stack::{Kind, Position, Resource, ResourceId, SourceFile, Sources, syntax_of};
use crate::terraform::address::ObjectName;
use crate::text::Limit;

/// The limit of one file.
const LIMIT: Limit = Limit {
    bytes: 1 << 20,
    advice: "such a file is not searched",
};

/// Maximum number of files of a configuration.
const MAX_FILES: usize = 1_000;

/// Maximum size of a configuration, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// Maximum number of folders around the file in which the project is looked for.
const MAX_PARENTS: usize = 16;

/// The sources next to the opened file.
#[derive(Default, Debug)]
pub struct Nearby {
    /// `None` for a file that lies in no folder, such as a pipe.
    folder: Option<PathBuf>,
    configuration: OnceLock<Arc<Sources>>,
    positions: OnceLock<HashMap<String, Position>>,
    /// The folder of the Pulumi project, else that of the file.
    project: OnceLock<Option<PathBuf>>,
    /// The files of a program that were looked for: true for those that are there.
    programs: Mutex<HashMap<String, bool>>,
}

impl Nearby {
    /// The sources next to a file; of two files, next to the newer one.
    pub(super) fn of(input: &Input) -> Self {
        let folder = match &input.origin {
            Origin::Path(path) => Some(folder::of_file(path)),
            Origin::Object(_) | Origin::Roots(_) | Origin::Stdin | Origin::Bytes { .. } => None,
        };
        Self {
            folder,
            ..Self::default()
        }
    }

    /// True if the file that a position names is known to be there. Reads nothing.
    pub fn has(&self, position: &Position) -> bool {
        let programs = self.programs.lock();
        let programs = programs.unwrap_or_else(PoisonError::into_inner);
        let is_configuration = || self.positions.get().is_some_and(|it| !it.is_empty());
        programs
            .get(&position.file)
            .map_or_else(is_configuration, |it| *it)
    }

    /// Finds out whether the file of a program is there.
    fn look_for(&self, project: &str, position: &Position) {
        let file = Path::new(&position.file);
        let folder = self.project(project);
        let is_there = folder.is_some_and(|it| inside(it, file).is_some());
        let programs = self.programs.lock();
        let mut programs = programs.unwrap_or_else(PoisonError::into_inner);
        programs.insert(position.file.clone(), is_there);
    }

    fn configuration(&self) -> &Arc<Sources> {
        self.configuration.get_or_init(|| {
            let folder = self.folder.as_deref();
            Arc::new(folder.map(read_configuration).unwrap_or_default())
        })
    }

    /// The file of a program that a position names, in the project with this name.
    fn program(&self, project: &str, position: &Position) -> Option<SourceFile> {
        Some(SourceFile {
            module: String::new(),
            path: position.file.clone(),
            syntax: None,
            text: read_inside(self.project(project)?, Path::new(&position.file))?,
        })
    }

    /// The folder that positions in the project with this name begin at.
    fn project(&self, name: &str) -> Option<&Path> {
        let found = self.project.get_or_init(|| {
            let folder = std::path::absolute(self.folder.as_deref()?).ok()?;
            let mut around = folder.ancestors().take(MAX_PARENTS);
            let root = around.find(|it| is_project(it, name));
            Some(root.unwrap_or(&folder).to_path_buf())
        });
        found.as_deref()
    }
}

impl Document {
    /// Like [`Document::resource`], with its position also if only a configuration has that.
    ///
    /// # Errors
    ///
    /// As [`Document::resource`].
    pub fn resource_with_position(&self, id: ResourceId) -> Result<Resource, ReadError> {
        let resource = self.resource(id)?;
        if let Some(position) = &resource.position {
            let project = &self.stack.header.project;
            self.nearby.look_for(project, position);
        }
        Ok(self.with_position(resource))
    }

    /// The resource with its position.
    pub fn with_position(&self, mut resource: Resource) -> Resource {
        if let Some(address) = &resource.address {
            resource.position = self.declared_at(address);
        }
        resource
    }

    /// The position of a resource; `None` if nothing says it. Reads the resource only if it is one of Pulumi.
    pub fn position(&self, id: ResourceId) -> Option<Position> {
        match self.stack.address(id) {
            Some(address) => self.declared_at(address),
            None => self.resource(id).ok()?.position,
        }
    }

    /// The sources to show of a resource, or of no one: those in the plan file, else those next to the file.
    pub fn sources_of(&self, id: Option<ResourceId>) -> Arc<Sources> {
        let own = &self.stack.sources;
        if !own.files.is_empty() || self.has_own_sources() {
            return Arc::clone(own);
        }
        if !self.stack.header.kind.is_pulumi() {
            return Arc::clone(self.nearby.configuration());
        }
        let position = id.and_then(|id| self.position(id));
        let file = position.and_then(|it| self.nearby.program(&self.stack.header.project, &it));
        Arc::new(Sources {
            files: file.into_iter().collect(),
        })
    }

    /// The line of the block that declares an address.
    fn declared_at(&self, address: &str) -> Option<Position> {
        let own = &self.stack.sources;
        // They come with the end of the file.
        if self.has_own_sources() && own.files.is_empty() {
            return None;
        }
        let sources = || positions(&self.sources_of(None));
        let positions = self.nearby.positions.get_or_init(sources);
        let address = ObjectName::parse(address).config_address();
        positions.get(&*address).cloned()
    }

    /// True for a file that has its configuration in it.
    fn has_own_sources(&self) -> bool {
        self.stack.header.kind == Kind::TerraformPlanBinary
    }
}

/// The configuration of a root module and of the modules that it calls, as far as they lie in its folder.
fn read_configuration(root: &Path) -> Sources {
    let list = root.join(".terraform/modules/modules.json");
    let list = sidecar::read(&list, LIMIT).unwrap_or_default();
    let mut folders = config::folders(&list);
    folders.insert(String::new(), ".".to_owned());
    let mut files = Vec::new();
    let mut n_left = MAX_BYTES;
    for (module, folder) in &folders {
        let within = inside(root, Path::new(folder));
        for name in within.iter().flat_map(|it| names(it)) {
            let text = read_inside(root, &Path::new(folder).join(&name));
            let Some(text) = text.filter(|it| it.len() <= n_left) else {
                continue;
            };
            if files.len() == MAX_FILES {
                return Sources { files };
            }
            n_left -= text.len();
            let name = format!("tfconfig/m-{module}/{name}");
            files.extend(config::source(&name, text, &folders));
        }
    }
    Sources { files }
}

/// The names of the configuration files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| syntax_of(name).is_some()).collect();
    names.sort_unstable();
    names.truncate(MAX_FILES);
    names
}

/// The text of a file in a folder or below it; `None` for any other file.
fn read_inside(folder: &Path, file: &Path) -> Option<String> {
    let bytes = sidecar::read(&inside(folder, file)?, LIMIT).ok()?;
    String::from_utf8(bytes).ok()
}

/// The real path of a file in a folder or below it; `None` if there is none.
fn inside(folder: &Path, file: &Path) -> Option<PathBuf> {
    let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !file.components().all(is_below) {
        return None;
    }
    let folder = fs::canonicalize(folder).ok()?;
    let file = fs::canonicalize(folder.join(file)).ok()?;
    file.starts_with(&folder).then_some(file)
}

/// True for the folder of the Pulumi project with this name.
fn is_project(folder: &Path, name: &str) -> bool {
    let texts = ["Pulumi.yaml", "Pulumi.yml"].map(|file| sidecar::words(&folder.join(file)));
    let names = |text: &String| {
        let mut names = text.lines().filter_map(|line| line.strip_prefix("name:"));
        names.any(|it| it.trim().trim_matches(['"', '\'']) == name)
    };
    texts.iter().flatten().any(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_is_read() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("project");
        fs::create_dir_all(folder.join("src")).unwrap();
        let [inner, outer] = [folder.join("src/a.ts"), around.path().join("b.ts")];
        fs::write(&inner, "inside").unwrap();
        fs::write(&outer, "outside").unwrap();
        let read = |file: &str| read_inside(&folder, Path::new(file));
        assert_eq!(read("src/a.ts").as_deref(), Some("inside"));
        assert_eq!(read("./src/a.ts").as_deref(), Some("inside"));
        for file in [
            "../b.ts",
            "src/../../b.ts",
            "src/../src/a.ts",
            "src",
            "gone",
        ] {
            assert_eq!(read(file), None, "{file}");
        }
        assert_eq!(read(&outer.to_string_lossy()), None);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outer, folder.join("link.ts")).unwrap();
            assert_eq!(read("link.ts"), None);
        }
    }
}
