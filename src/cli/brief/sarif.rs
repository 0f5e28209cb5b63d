//! The findings as SARIF, for systems that collect the results of analyzers.
//!
//! # Source
//!
//! OASIS, Static Analysis Results Interchange Format 2.1.0.

use std::io;
use std::path::Path;

use indexmap::IndexMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest as _, Sha256};

use super::text;
use crate::change::rules::Level;
use crate::json;
use crate::load::Document;
use crate::load::brief::page::{Entry, Page, Said};
use crate::render::json::{Node, list, node, object};
use crate::stack::{Kind, ResourceId, Stack};
use crate::text::{escaped, hex};
use crate::value::Value;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Everything but the characters that a path may have.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A finding at a place. There may be very many, so each becomes JSON when it is written.
struct Finding {
    /// The number of its rule.
    rule: usize,
    level: &'static str,
    message: String,
    fingerprint: String,
    /// The number of its file.
    file: usize,
    line: Option<usize>,
    name: String,
    identity: String,
    path: String,
}

/// Collects the findings of one or more files. They are one run: some collectors take no second one.
#[derive(Default)]
pub(super) struct Collector {
    rules: IndexMap<String, Value>,
    /// The addresses of the files.
    files: Vec<String>,
    results: Vec<Finding>,
    unread: Vec<String>,
}

impl Collector {
    /// Adds the findings of a page. `scope` tells the findings of equal resources in several files from each other; it is "" for
    /// the only file.
    pub(super) fn add(&mut self, page: &Page, document: &Document, file: &Path, scope: &str) {
        let stack = &document.stack;
        let lines = Lines::of(document);
        let entries = page.parts.iter().flat_map(|part| &part.entries);
        let entries = entries.flat_map(Entry::with_along);
        for (entry, said) in entries.flat_map(|entry| entry.said.iter().map(move |it| (entry, it)))
        {
            let (id, rule) = rule(said);
            let known = self.rules.entry(id.clone());
            let number = known.index();
            known.or_insert(rule);
            for (resource, path) in &said.places {
                let place = (*resource, path.as_str());
                let offset = stack.record(*resource).span.offset;
                self.results.push(Finding {
                    rule: number,
                    level: word(said.level),
                    message: message(entry, said, stack, place),
                    fingerprint: fingerprint([scope, &id], stack, place),
                    file: self.files.len(),
                    line: lines.as_ref().map(|lines| lines.at(offset)),
                    name: stack.short_name(*resource).to_owned(),
                    identity: stack.identity(*resource),
                    path: path.clone(),
                });
            }
        }
        self.files.push(uri(file));
    }

    /// Adds a file that could not be read.
    pub(super) fn add_unread(&mut self, message: String) {
        self.unread.push(message);
    }

    /// Writes the document.
    pub(super) fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let log = node([
            ("$schema", SCHEMA.into()),
            ("version", "2.1.0".into()),
            ("runs", Node::List(1, Box::new(|_| self.run()))),
        ]);
        json::write_pretty(out, &log)
    }

    fn run(&self) -> Node<'_> {
        let rules: Vec<&Value> = self.rules.values().collect();
        let driver = object(&[
            ("name", &"stacklens"),
            ("version", &env!("CARGO_PKG_VERSION")),
            ("rules", &rules),
        ]);
        let unread = self.unread.iter().map(|message| {
            let message = text_of(message);
            object(&[("level", &"error"), ("message", &message)])
        });
        let unread: Vec<Value> = unread.collect();
        // The run of the program, with its errors.
        let invocation = object(&[
            ("executionSuccessful", &false),
            ("toolExecutionNotifications", &unread),
        ]);
        let invocations = (!unread.is_empty()).then(|| vec![invocation]);
        let artifact = |uri: &String| {
            let location = object(&[("uri", uri)]);
            object(&[("location", &location)]).into()
        };
        node([
            ("tool", object(&[("driver", &driver)]).into()),
            ("invocations", invocations.into()),
            ("artifacts", list(&self.files, artifact)),
            ("results", list(&self.results, |it| self.result(it).into())),
        ])
    }

    fn result(&self, finding: &Finding) -> Value {
        let (identity, path) = (&finding.identity, &finding.path);
        let logical = |name: &str, full: &str, kind: &str| {
            object(&[
                ("name", &name),
                ("fullyQualifiedName", &full),
                ("kind", &kind),
            ])
        };
        let mut places = vec![logical(&finding.name, identity, "resource")];
        if !path.is_empty() {
            places.push(logical(path, &format!("{identity}#{path}"), "property"));
        }
        let uri = &self.files[finding.file];
        let artifact = object(&[("uri", uri), ("index", &finding.file)]);
        let region = finding.line.map(|line| object(&[("startLine", &line)]));
        let physical = object(&[("artifactLocation", &artifact), ("region", &region)]);
        let location = object(&[
            ("physicalLocation", &physical),
            ("logicalLocations", &places),
        ]);
        let fingerprint = object(&[("place/v1", &finding.fingerprint)]);
        let rule = self.rules.get_index(finding.rule).map(|(id, _)| id);
        object(&[
            ("ruleId", &rule),
            ("ruleIndex", &finding.rule),
            ("level", &finding.level),
            ("message", &text_of(&finding.message)),
            ("locations", &vec![location]),
            ("partialFingerprints", &fingerprint),
        ])
    }
}

/// A resource and the property of it, "" for the resource itself.
type Place<'p> = (ResourceId, &'p str);

/// The rule of a finding, with its id. A finding of the program itself is known by its sentence.
fn rule(said: &Said) -> (String, Value) {
    let level = said.level.name();
    let (id, says, more) = match (&said.rule, said.mechanism) {
        (Some(rule), _) => (rule.id.clone(), rule.says.clone(), &*rule.more),
        (None, Some(mechanism)) => (mechanism.to_owned(), mechanism.replace('-', " "), ""),
        (None, None) => (
            format!("stacklens-{level}"),
            format!("a {level} that no rule names"),
            "",
        ),
    };
    let configuration = object(&[("level", &word(said.level))]);
    let rule = object(&[
        ("id", &id),
        ("shortDescription", &text_of(&says)),
        ("helpUri", &Some(more).filter(|it| !it.is_empty())),
        ("defaultConfiguration", &configuration),
    ]);
    (id, rule)
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Danger => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

/// The sentence with the resource, and the change if the finding has one place.
fn message(entry: &Entry, said: &Said, stack: &Stack, (id, path): Place<'_>) -> String {
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
    message
}

/// A message without links, which viewers make of brackets and parentheses.
fn text_of(message: &str) -> Value {
    object(&[("text", &escaped(message).replace("](", "] ("))])
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
fn fingerprint(scope_and_rule: [&str; 2], stack: &Stack, (id, path): Place<'_>) -> String {
    let identity = stack.identity(id);
    let mut hash = Sha256::new();
    // Without a scope the hash is that of the earlier versions.
    let texts = scope_and_rule.into_iter().skip_while(|it| it.is_empty());
    for text in texts.chain([&*identity, path]) {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hex(&hash.finalize()[..16])
}

/// The address of the file: relative as it was given, or absolute.
fn uri(file: &Path) -> String {
    let path = file.to_string_lossy().replace('\\', "/");
    let encoded = utf8_percent_encode(&path, ESCAPED);
    match &*path {
        "-" => "stdin".to_owned(),
        _ if file.is_absolute() => format!("file://{encoded}"),
        _ => encoded.to_string(),
    }
}
