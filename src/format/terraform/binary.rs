//! Plan files of Terraform and OpenTofu: `terraform plan -out`.
//!
//! A plan file is a zip archive that holds a protobuf message, whose values are msgpack. It is first translated into the JSON
//! form of a plan, so that both formats share one reader.
//!
//! # Source
//!
//! hashicorp/terraform `internal/plans/planfile` and `planproto/planfile.proto`, opentofu/opentofu the same with its differences;
//! zclconf/go-cty `cty/msgpack`.

mod changes;
mod checks;
mod invocations;
mod message;
mod parts;
mod values;

use std::io::ErrorKind;

use prost::Message;

use super::config::{configuration, folders, source};
use super::dependency_locks as locks;
use super::plan;
use crate::format::table::{Format, Marks, Translated};
use crate::json;
use crate::stack::{Kind, LOCKS, LOCKS_FIELD, SourceFile, Sources};
use crate::terraform::hcl::Syntax;
use crate::text::Limit;
use crate::value::{Map, Value};
use message::Plan;
use values::Values;

pub(crate) const FORMAT: Format = Format {
    kind: Kind::TerraformPlanBinary,
    title: "Terraform / OpenTofu plan file",
    from: "`terraform plan -out=FILE`",
    marks: Marks::Magic(b"PK\x03\x04"),
    translate: Some(translate),
    events: None,
    written: None,
    ..plan::FORMAT
};

/// Maximum total size of the configuration files, in bytes.
const MAX_SOURCES: u64 = 64 << 20;

/// Maximum size in bytes of the list of modules, and of the dependency locks.
const MAX_LOCKS: u64 = 16 << 20;

type Archive<'a> = zip::ZipArchive<std::io::Cursor<&'a [u8]>>;

/// Translates the plan into the document that `show -json` would print, as far as the file holds it. Numbers that only the
/// schemas distinguish from strings are numbers there too. The plan may unpack to at most `max` bytes.
fn translate(bytes: &[u8], schemas: Option<&[u8]>, max: u64) -> Result<Translated, String> {
    let values = Values::read(schemas);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes))
        .map_err(|error| format!("a zip archive that is broken or cut off: {error}"))?;
    let names: Vec<String> = archive
        .file_names()
        .filter_map(Result::ok)
        .map(std::borrow::Cow::into_owned)
        .collect();
    let Some(plan) = entry(&mut archive, "tfplan", max)? else {
        return Err(format!(
            "a zip archive without a plan in it ({} entries)",
            names.len()
        ));
    };
    let plan = Plan::decode(&*plan).map_err(|error| format!("a plan that is broken: {error}"))?;
    if plan.version != 3 {
        return Err(format!(
            "a plan file of version {}, which is not known (3 is)",
            plan.version
        ));
    }
    let mut files = sources(&mut archive, &names);
    let locks = entry(&mut archive, LOCKS, MAX_LOCKS).ok().flatten();
    let mut document = document(&plan, &values, names);
    if !files.is_empty() {
        document = document.set("configuration", configuration(&files).into());
    }
    if let Some(contents) = locks {
        let text = String::from_utf8_lossy(&contents).into_owned();
        let locks = locks::read(&text);
        document = document.set(LOCKS_FIELD, locks::to_value(&locks));
        files.push(SourceFile {
            module: String::new(),
            path: LOCKS.to_owned(),
            syntax: Some(Syntax::Native),
            text,
        });
    }
    Ok(Translated {
        document: json::to_compact(&document.into()).into_bytes(),
        sources: Sources { files },
        lost: values.into_lost(),
    })
}

/// The configuration files. Broken or oversized files are left out: the plan itself has everything but the dependencies.
fn sources(archive: &mut Archive<'_>, names: &[String]) -> Vec<SourceFile> {
    let modules = entry(archive, "tfconfig/modules.json", MAX_LOCKS);
    let folders = folders(&modules.ok().flatten().unwrap_or_default());
    let mut room = MAX_SOURCES;
    let mut files = Vec::new();
    for name in names.iter().filter(|name| name.starts_with("tfconfig/")) {
        // Many archive entries may be the same zip bomb: after an oversized entry nothing more is unpacked.
        let found = entry(archive, name, room);
        room = match &found {
            Ok(contents) => room - contents.as_ref().map_or(0, |it| it.len() as u64),
            Err(_) => 0,
        };
        if let Ok(Some(contents)) = found {
            let text = String::from_utf8_lossy(&contents).into_owned();
            files.extend(source(name, text, &folders));
        }
    }
    files
}

fn document(plan: &Plan, values: &Values, names: Vec<String>) -> Map {
    let changes = |changes| changes::changes(changes, values);
    let mut document = Map::from_iter([
        ("format_version", Value::from("")),
        ("terraform_version", Value::from(&*plan.terraform_version)),
        ("resource_drift", changes(&plan.resource_drift)),
        ("resource_changes", changes(&plan.resource_changes)),
        ("deferred_changes", changes::deferred(plan, values)),
        (
            "output_changes",
            changes::outputs(&plan.output_changes, values),
        ),
    ]);
    if !plan.variables.is_empty() {
        document = document.set("variables", variables(plan, values));
    }
    if !plan.relevant_attributes.is_empty() && has_relevant_attributes(&plan.terraform_version) {
        let relevant = checks::relevant_attributes(&plan.relevant_attributes, values);
        document = document.set("relevant_attributes", relevant);
    }
    if !plan.action_invocations.is_empty() {
        document = document.set("action_invocations", invocations::invoked(plan, values));
    }
    if !plan.deferred_action_invocations.is_empty() {
        let deferred = invocations::deferred(plan, values);
        document = document.set("deferred_action_invocations", deferred);
    }
    if !plan.check_results.is_empty() {
        document = document.set("checks", checks::checks(&plan.check_results));
    }
    if !plan.timestamp.is_empty() {
        document = document.set("timestamp", Value::from(&*plan.timestamp));
    }
    // False is not written, and older versions write neither field. So if one is true, the other is known to be false.
    if plan.applyable || plan.complete {
        document = document
            .set("applyable", plan.applyable.into())
            .set("complete", plan.complete.into());
    }
    document = document
        .set("errored", plan.errored.into())
        .set("mode", ui_mode(plan.ui_mode).into());
    if let Some(backend) = &plan.backend {
        let backend = Map::from_iter([
            ("type", Value::from(&*backend.kind)),
            ("workspace", Value::from(&*backend.workspace)),
        ]);
        document = document.set("backend", backend.into());
    }
    let names: Vec<Value> = names.into_iter().map(Value::from).collect();
    document.set("files", names.into())
}

/// True if this version of Terraform or OpenTofu writes relevant attributes. Before 1.2 their tag meant the hashes of providers.
fn has_relevant_attributes(version: &str) -> bool {
    let mut numbers = version
        .split('.')
        .map_while(|part| part.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(1), Some(2))
}

fn ui_mode(mode: i32) -> &'static str {
    match mode {
        1 => "destroy",
        2 => "refresh-only",
        _ => "normal",
    }
}

/// The contents of the entry with this name; `None` if there is no such entry.
fn entry(archive: &mut Archive<'_>, name: &str, max: u64) -> Result<Option<Vec<u8>>, String> {
    let file = match archive.by_name(name) {
        Ok(file) => file,
        Err(zip::result::ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(format!("a zip archive that is broken: {error}")),
    };
    let limit = Limit {
        bytes: max,
        advice: "--max-size allows more",
    };
    let contents = limit.read(file).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => format!("a zip archive whose `{name}` has {error}"),
        _ => format!("a zip archive that is broken: {error}"),
    })?;
    Ok(Some(contents))
}

fn variables(plan: &Plan, values: &Values) -> Value {
    let mut names: Vec<_> = plan.variables.iter().collect();
    names.sort_by_key(|(name, _)| *name);
    names
        .into_iter()
        .map(|(name, value)| {
            let place = format!("var.{name}");
            let value = values.unpack(&place, "value", &value.msgpack, None).value;
            // The configuration says which variables are sensitive.
            (
                name.clone(),
                Value::from(Map::from_iter([("value", value)])),
            )
        })
        .collect::<Map>()
        .into()
}
