//! Sources: the files of the configuration that a plan file carries, as they are.

use crate::terraform::hcl::Syntax;

/// The name of the file of dependency locks, which lies beside a configuration.
pub const LOCKS: &str = ".terraform.lock.hcl";

/// The files of a configuration, module by module. Empty where the file carries none.
///
/// They may hold secrets in clear: what is shown of them goes through [`crate::change::configuration`].
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
    /// The module that it is of: the names of the calls that lead to it, with dots between them; "" at the root.
    pub module: String,
    /// Where it lay when the plan was made, from the folder of the root module: `modules/net/main.tf`.
    pub path: String,
    /// The syntax of the text.
    pub syntax: Syntax,
    /// The text.
    pub text: String,
}

impl SourceFile {
    /// Whether it changes what other files of its module say (`override.tf`, `…_override.tf.json`).
    pub fn is_override(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let name = name.strip_suffix(".json").unwrap_or(name);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        stem == "override" || stem.ends_with("_override")
    }

    /// The address of the module in the configuration: `module.a.module.b`, "" at the root.
    pub fn module_address(&self) -> String {
        let calls = self.module.split('.').filter(|call| !call.is_empty());
        let steps: Vec<String> = calls.map(|call| format!("module.{call}")).collect();
        steps.join(".")
    }
}

/// The syntax that a name tells; `None` if no such file is part of a configuration or lies beside one.
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
