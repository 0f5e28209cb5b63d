//! Our own files: each is recognized as the kind of its folder, and read as in its snapshot.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use stacklens::json;
use stacklens::load::{self, Document, Input};
use stacklens::stack::{ResourceId, Section};

/// Files with more resources than this belong to other tests.
const MAX_RESOURCES: usize = 20;

/// The files of our corpus, with the names of their folders.
fn files() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder of the corpus");
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut files = Vec::new();
    for folder in entries(&root) {
        // A backend is a folder of several files, which has separate tests.
        if name(&folder) != "backend" {
            let of_folder = entries(&folder).into_iter();
            files.extend(of_folder.map(|file| (name(&folder), file)));
        }
    }
    files.sort();
    files
}

/// Compares each of our own files, as read, with its snapshot. Returns the names of those that failed.
pub(super) fn check() -> Vec<String> {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots");
    let _bound = settings.bind_to_scope();
    let mut failed = Vec::new();
    for (kind, file) in files() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let compare = || {
            if let Some(text) = read(&kind, &file)? {
                insta::assert_snapshot!(format!("{kind}__{name}"), text);
            }
            Ok(())
        };
        super::tell(&format!("tests/corpus/{kind}/{name}"), compare, &mut failed);
    }
    failed
}

/// The contents of a file as read, or the reason why it cannot be read; `None` if it belongs to other tests.
fn read(kind: &str, file: &Path) -> Result<Option<String>, String> {
    match load::load(&Input::path(file.to_owned())) {
        Err(error) if kind == "bad" => Ok(Some(
            error.to_string().replace(&*file.to_string_lossy(), "FILE"),
        )),
        Err(error) => Err(error.to_string()),
        Ok(document) => {
            let found = document.stack.header.kind.name();
            if kind != "bad" && kind != found {
                return Err(format!("recognized as {found}"));
            }
            let is_small = document.stack.len() <= MAX_RESOURCES;
            Ok(is_small.then(|| summary(&document)))
        }
    }
}

/// Everything read from a file, with secrets masked.
fn summary(document: &Document) -> String {
    let stack = &document.stack;
    let header = &stack.header;
    let mut out = format!(
        "{} {} by {} {} · stack {:?} · project {:?}\n",
        header.kind,
        header.format_version,
        header.tool.name(),
        header.tool_version,
        header.stack,
        header.project
    );
    let counts = &stack.counts;
    writeln!(
        out,
        "{} resources, {} deposed, {} secrets, changes {:?}",
        counts.resources, counts.deposed, counts.secrets, counts.changes
    )
    .unwrap();
    for (name, value) in &header.fields {
        writeln!(out, "header {name}: {}", json::to_compact(value)).unwrap();
    }
    for invocation in stack.invocations.iter() {
        let config = invocation.config.as_ref();
        let config = config.map(|config| json::to_compact(&config.value));
        let (address, deferred) = (&invocation.address, &invocation.deferred);
        let trigger = &invocation.trigger;
        writeln!(
            out,
            "invokes {address} with {config:?}, {trigger:?}, {deferred:?}"
        )
        .unwrap();
    }
    for output in stack.outputs.iter() {
        let value = json::to_compact(&output.value);
        let (name, ty) = (&output.name, &output.declared_type);
        write!(out, "output {name} ({ty}): {value}").unwrap();
        if let Some(action) = output.action {
            let before = output.before.as_ref().map(json::to_compact);
            write!(out, ", {} from {before:?}", action.name()).unwrap();
        }
        out.push('\n');
    }
    for id in stack.ids() {
        resource(document, id, &mut out);
    }
    for note in stack.notes.iter() {
        let (severity, place) = (note.severity, &note.place);
        writeln!(out, "{severity:?} {place}: {}", note.message).unwrap();
    }
    out
}

fn resource(document: &Document, id: ResourceId, out: &mut String) {
    let stack = &document.stack;
    writeln!(out, "\n{}", stack.identity(id)).unwrap();
    let resource = match document.resource(id) {
        Ok(resource) => resource,
        Err(error) => return writeln!(out, "  cannot be read: {error}").unwrap(),
    };
    let flags: Vec<_> = resource.flags.names().collect();
    let own_id = resource.id.as_ref().map(json::to_compact);
    let (ty, provider) = (&resource.ty, &resource.provider);
    writeln!(
        out,
        "  {ty} {own_id:?} of {provider:?}, {}",
        flags.join(" ")
    )
    .unwrap();
    if let Some(parent) = &resource.parent {
        writeln!(out, "  in {parent}").unwrap();
    }
    if let Some(change) = &resource.change {
        let (action, words) = (change.action.name(), &change.own_words);
        let paths: Vec<_> = change
            .replace_paths
            .iter()
            .map(ToString::to_string)
            .collect();
        writeln!(out, "  {action} ({words}) {:?} {paths:?}", change.reasons).unwrap();
        for (name, value) in [
            ("moved from", change.previous_address.clone()),
            ("imported", change.importing.as_ref().map(json::to_compact)),
        ] {
            if let Some(value) = value {
                writeln!(out, "  {name} {value}").unwrap();
            }
        }
    }
    for (when, state) in [("before", &resource.before), ("after", &resource.after)] {
        let Some(state) = state else { continue };
        for (name, section) in [("inputs", Section::Inputs), ("outputs", Section::Outputs)] {
            if let Some(value) = state.section(section) {
                writeln!(out, "  {when} {name}: {}", json::to_compact(value)).unwrap();
            }
        }
    }
    for edge in &resource.edges {
        writeln!(out, "  needs {} ({:?})", edge.target, edge.kind).unwrap();
    }
    for (name, value) in &resource.fields {
        writeln!(out, "  {name}: {}", json::to_compact(value)).unwrap();
    }
}
