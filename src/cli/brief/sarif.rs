//! The findings as SARIF, for systems that collect the results of analyzers.
//!
//! # Source
//!
//! OASIS, Static Analysis Results Interchange Format 2.1.0.

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest as _, Sha256};

use super::text;
use crate::change::rules::Level;
use crate::load::Document;
use crate::load::brief::page::{Entry, Page, Said};
use crate::stack::{Kind, ResourceId, Stack};
use crate::text::hex;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Everything but the characters that a path may have.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The document.
#[derive(serde::Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(serde::Serialize)]
struct Run {
    tool: Tool,
    #[serde(skip_serializing_if = "Option::is_none")]
    invocations: Option<[Invocation; 1]>,
    artifacts: Vec<Artifact>,
    results: Vec<Finding>,
}

/// The run of the program, with its errors.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(serde::Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(serde::Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Message,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    default_configuration: Configuration,
}

#[derive(serde::Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(serde::Serialize)]
struct Message {
    text: String,
}

#[derive(serde::Serialize)]
struct Artifact {
    location: ArtifactLocation,
}

#[derive(Clone, serde::Serialize)]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    logical_locations: Vec<LogicalLocation>,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    name: String,
    fully_qualified_name: String,
    kind: &'static str,
}

/// Collects the findings of one or more files. They are one run: some collectors take no second one.
#[derive(Default)]
pub(super) struct Collector {
    rules: IndexMap<String, Rule>,
    artifacts: Vec<Artifact>,
    results: Vec<Finding>,
    unread: Vec<Notification>,
}

impl Collector {
    /// Adds the findings of a page. `scope` tells the findings of equal resources in several files from each other; it is "" for
    /// the only file.
    pub(super) fn add(&mut self, page: &Page, document: &Document, file: &Path, scope: &str) {
        let stack = &document.stack;
        let lines = Lines::of(document);
        let artifact = ArtifactLocation {
            uri: uri(file),
            index: Some(self.artifacts.len()),
        };
        let entries = page.parts.iter().flat_map(|part| &part.entries);
        let entries = entries.flat_map(Entry::with_along);
        for (entry, said) in entries.flat_map(|entry| entry.said.iter().map(move |it| (entry, it)))
        {
            let rule = rule(said);
            let known = self.rules.entry(rule.id.clone());
            let rule_index = known.index();
            let rule_id = known.or_insert(rule).id.clone();
            for (id, path) in &said.places {
                let place = (*id, path.as_str());
                self.results.push(Finding {
                    rule_index,
                    level: word(said.level),
                    message: message(entry, said, stack, place),
                    partial_fingerprints: fingerprint([scope, &rule_id], stack, place),
                    locations: [location(&artifact, stack, lines.as_ref(), place)],
                    rule_id: rule_id.clone(),
                });
            }
        }
        let location = ArtifactLocation {
            index: None,
            ..artifact
        };
        self.artifacts.push(Artifact { location });
    }

    /// Adds a file that could not be read.
    pub(super) fn add_unread(&mut self, message: &str) {
        self.unread.push(Notification {
            level: "error",
            message: Message {
                text: plain(message),
            },
        });
    }

    /// The document.
    pub(super) fn log(self) -> Log {
        let invocation = Invocation {
            execution_successful: false,
            tool_execution_notifications: self.unread,
        };
        let has_failed = !invocation.tool_execution_notifications.is_empty();
        Log {
            schema: SCHEMA,
            version: "2.1.0",
            runs: [Run {
                tool: Tool {
                    driver: Driver {
                        name: "stacklens",
                        version: env!("CARGO_PKG_VERSION"),
                        rules: self.rules.into_values().collect(),
                    },
                },
                invocations: has_failed.then_some([invocation]),
                artifacts: self.artifacts,
                results: self.results,
            }],
        }
    }
}

/// A resource and the property of it, "" for the resource itself.
type Place<'p> = (ResourceId, &'p str);

/// The rule of a finding. A finding of the program itself is known by its sentence.
fn rule(said: &Said) -> Rule {
    let level = said.level;
    let (id, says, more) = match (&said.rule, said.mechanism) {
        (Some(rule), _) => (rule.id.clone(), rule.says.clone(), rule.more.clone()),
        (None, Some(mechanism)) => {
            let says = mechanism.replace('-', " ");
            (mechanism.to_owned(), says, String::new())
        }
        (None, None) => (
            format!("stacklens-{}", level.name()),
            format!("a {} that no rule names", level.name()),
            String::new(),
        ),
    };
    Rule {
        id,
        short_description: Message { text: plain(&says) },
        help_uri: (!more.is_empty()).then_some(more),
        default_configuration: Configuration { level: word(level) },
    }
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Danger => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

/// The sentence with the resource, and the change if the finding has one place.
fn message(entry: &Entry, said: &Said, stack: &Stack, (id, path): Place<'_>) -> Message {
    let mut message = format!("{}: {}", stack.identity(id), said.says);
    let is_one = entry.ids.len() == 1;
    let of_place = entry
        .details
        .iter()
        .filter(|it| is_one && it.level.is_none() && it.place.starts_with(path));
    let mut changes: Vec<String> = of_place.map(text::change).collect();
    if changes.is_empty() && !path.is_empty() {
        changes.push(path.to_owned());
    }
    if !changes.is_empty() {
        message.push_str(": ");
        message.push_str(&changes.join("; "));
    }
    Message {
        text: plain(&message),
    }
}

/// The text without links, which viewers make of brackets and parentheses.
fn plain(text: &str) -> String {
    crate::text::escaped(text).replace("](", "] (")
}

fn location(
    artifact: &ArtifactLocation,
    stack: &Stack,
    lines: Option<&Lines>,
    (id, path): Place<'_>,
) -> Location {
    let identity = stack.identity(id);
    let mut logical = vec![LogicalLocation {
        name: stack.short_name(id).to_owned(),
        fully_qualified_name: identity.clone(),
        kind: "resource",
    }];
    if !path.is_empty() {
        logical.push(LogicalLocation {
            name: path.to_owned(),
            fully_qualified_name: format!("{identity}#{path}"),
            kind: "property",
        });
    }
    Location {
        physical_location: PhysicalLocation {
            artifact_location: artifact.clone(),
            region: lines.map(|lines| Region {
                start_line: lines.at(stack.record(id).span.offset),
            }),
        },
        logical_locations: logical,
    }
}

/// The ends of the lines of a file.
struct Lines(Vec<usize>);

impl Lines {
    /// The lines of a file in which the changes lie as they were indexed; `None` for a packed file and for two files.
    fn of(document: &Document) -> Option<Self> {
        let stack = &document.stack;
        let is_other = stack.is_comparison || stack.header.kind == Kind::TerraformPlanBinary;
        let bytes = (!is_other).then(|| document.source.whole()).flatten()?;
        Some(Self(memchr::memchr_iter(b'\n', &bytes).collect()))
    }

    /// The line of a byte, counted from 1.
    fn at(&self, byte: u64) -> usize {
        self.0.partition_point(|end| (*end as u64) < byte) + 1
    }
}

/// A hash by which collectors know a finding again in the next run. It covers names, not values.
fn fingerprint(
    scope_and_rule: [&str; 2],
    stack: &Stack,
    (id, path): Place<'_>,
) -> BTreeMap<&'static str, String> {
    let identity = stack.identity(id);
    let mut hash = Sha256::new();
    // Without a scope the hash is that of the earlier versions.
    let texts = scope_and_rule.into_iter().skip_while(|it| it.is_empty());
    for text in texts.chain([&*identity, path]) {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    BTreeMap::from([("place/v1", hex(&hash.finalize()[..16]))])
}

/// The address of the file: relative as it was given, or absolute.
fn uri(file: &Path) -> String {
    let path = file.to_string_lossy().replace('\\', "/");
    let escaped = utf8_percent_encode(&path, ESCAPED);
    match &*path {
        "-" => "stdin".to_owned(),
        _ if file.is_absolute() => format!("file://{escaped}"),
        _ => escaped.to_string(),
    }
}
