//! Sources: the configuration files in a plan file or next to a file, and files of programs, unchanged.

use crate::terraform::hcl::{self, Syntax};

/// The name of the dependency lock file, which is next to a configuration.
pub const LOCKS: &str = ".terraform.lock.hcl";

/// The files of a configuration, module by module. Empty if the file has none.
///
/// They may hold plaintext secrets: show them only through [`crate::change::configuration`].
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// The files, in the order of the plan file.
    pub files: Vec<SourceFile>,
}

impl std::fmt::Debug for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sources({} files)", self.files.len())
    }
}

/// A file of a configuration.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The module of the file: the names of the module calls that lead to it, joined by dots; "" for the root module.
    pub module: String,
    /// The path when the plan was made, relative to the folder of the root module: `modules/net/main.tf`.
    pub path: String,
    /// The syntax of the text; `None` for a file of a program.
    pub syntax: Option<Syntax>,
    /// The text.
    pub text: String,
}

impl SourceFile {
    /// The parsed file. A file of a program declares nothing.
    pub fn read(&self) -> hcl::File<'_> {
        let nothing = || hcl::read("", Syntax::Native);
        self.syntax
            .map_or_else(nothing, |syntax| hcl::read(&self.text, syntax))
    }

    /// True if the file overrides other files of its module (`override.tf`, `…_override.tf.json`).
    pub fn is_override(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let name = name.strip_suffix(".json").unwrap_or(name);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        stem == "override" || stem.ends_with("_override")
    }

    /// The address of the module in the configuration: `module.a.module.b`, "" for the root module.
    pub fn module_address(&self) -> String {
        let calls = self.module.split('.').filter(|call| !call.is_empty());
        let steps: Vec<String> = calls.map(|call| format!("module.{call}")).collect();
        steps.join(".")
    }
}

/// The syntax of a file with this name; `None` if such a file neither belongs to a configuration nor is its lock file.
pub fn syntax_of(name: &str) -> Option<Syntax> {
    if name == LOCKS {
        return Some(Syntax::Native);
    }
    let (name, syntax) = match name.strip_suffix(".json") {
        Some(name) => (name, Syntax::Json),
        None => (name, Syntax::Native),
    };
    let (stem, extension) = name.rsplit_once('.')?;
    let is_source = !stem.is_empty() && matches!(extension, "tf" | "tofu");
    is_source.then_some(syntax)
}
