//! Event logs of Pulumi's engine: `--event-log FILE`, `pulumi up --json`, and the wrapped form of the service.
//!
//! The log is turned into a document of its own first: one element for each step, with everything that was told of it.
//!
//! # Source
//!
//! pulumi/pulumi `sdk/go/common/apitype/events.go`.

use std::collections::HashMap;

use super::draft::{self, Entry};
use super::envelope::Envelope;
use super::fields::{flag, items, kind, object, text, texts, whole};
use super::lines::{self, without_tags};
use super::pulumi_step::{action, between, detailed};
use super::scan::{Element, Next, Place};
use super::sheet::{Counted, Sheet};
use super::{Context, Format, ReadError, Target, stored};
use crate::json::{self, Numbers};
use crate::path::{Path, Segment};
use crate::stack::{Change, Kind, Note, Resource, Severity};
use crate::value::{Map, Value};

pub(super) const FORMAT: Format = Format {
    kind: Kind::PulumiEvents,
    title: "Pulumi engine events",
    from: "`pulumi up --json`; `--event-log FILE`",
    outline,
    index,
    resource: read,
    envelope,
    translate: Some(translate),
    walk: None,
};

/// How many notes a log gives rise to at most.
const MAX_NOTES: usize = 500;

fn outline(place: Place, key: Option<&str>) -> Next {
    match (place, key) {
        (0, Some("steps")) => Next::Enter(1),
        (1, None) => Next::Element(0),
        _ => Next::Keep,
    }
}

fn index(element: &Element, bytes: &[u8], _: &Context, sheet: &mut Sheet) {
    let counted = |started| {
        if started {
            Counted::Resource
        } else {
            Counted::No
        }
    };
    let parsed = parse(bytes);
    let started = parsed.as_ref().is_ok_and(|step| flag(step, "started"));
    let entry = Entry {
        element,
        counted: counted(started),
        span: None,
        fallback: "",
    };
    draft::add(sheet, parsed.map(|step| of_step(&step)), &entry);
}

fn read(_: &Target<'_>, bytes: &[u8]) -> Result<Resource, ReadError> {
    parse(bytes).map(|step| of_step(&step))
}

fn parse(bytes: &[u8]) -> Result<Map, ReadError> {
    let value = super::parse_element(bytes, Numbers::Double)?;
    value
        .as_map()
        .cloned()
        .ok_or_else(|| ReadError::unexpected("the step", "an object", kind(&value)))
}

fn of_step(step: &Map) -> Resource {
    let none = Map::default();
    let metadata = object(step, "metadata").unwrap_or(&none);
    let unblinded = |key| {
        let state = stored::unblind(metadata.get(key)?);
        state.as_map().cloned()
    };
    let (old, new) = (unblinded("old"), unblinded("new"));
    let mut resource = between(text(metadata, "urn"), old.as_ref(), new.as_ref());
    if resource.ty.is_empty() {
        text(metadata, "type").clone_into(&mut resource.ty);
    }
    let op = text(step, "op");
    let keys: Vec<String> = texts(metadata, "keys").map(str::to_owned).collect();
    resource.change = Some(Change {
        action: action(op),
        own_words: op.to_owned(),
        replace_paths: keys
            .iter()
            .map(|key| Path(vec![Segment::from(&**key)]))
            .collect(),
        reasons: keys,
        diff_keys: texts(metadata, "diffs").map(str::to_owned).collect(),
        detailed: detailed(metadata.get("detailedDiff"), "diffKind"),
        previous_address: None,
        importing: None,
    });
    for field in ["status", "messages"] {
        if let Some(value) = step.get(field) {
            resource.fields.push((field.into(), value.clone()));
        }
    }
    resource
}

/// A step of the log while it is put together.
struct Step {
    op: String,
    metadata: Map,
    started: bool,
    status: &'static str,
    messages: Vec<Value>,
}

#[derive(Default)]
struct Log {
    steps: Vec<Step>,
    /// The last step of each resource.
    last: HashMap<String, usize>,
    notes: Vec<Value>,
    config: Option<Value>,
    summary: Option<Value>,
}

/// The document that the log makes.
pub(super) fn translate(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let read = lines::read(bytes, Numbers::Double, "events");
    let n_events = read.objects.len();
    if read.objects.is_empty() {
        return Err("a log without JSON in it".to_owned());
    }
    let mut log = Log::default();
    for event in &read.objects {
        log.event(event);
    }
    let number = |number: usize| Value::from(f64::from(u32::try_from(number).unwrap_or(u32::MAX)));
    let steps: Vec<Value> = log
        .steps
        .into_iter()
        .map(|step| {
            Value::from(Map::from_iter([
                ("op", Value::from(step.op)),
                ("started", Value::from(step.started)),
                ("status", Value::from(step.status)),
                ("messages", Value::from(step.messages)),
                ("metadata", Value::from(step.metadata)),
            ]))
        })
        .collect();
    let document = Map::from_iter([
        ("events", number(n_events)),
        ("other_lines", number(read.n_other)),
        ("first_other_line", number(read.first_other)),
        ("config", log.config.unwrap_or_default()),
        ("summary", log.summary.unwrap_or_default()),
        ("notes", Value::from(log.notes)),
        ("steps", Value::from(steps)),
    ]);
    Ok(json::to_compact(&document.into()).into_bytes())
}

impl Log {
    fn event(&mut self, event: &Map) {
        for (name, payload) in event {
            let Some(payload) = payload.as_map() else {
                continue;
            };
            match &**name {
                "preludeEvent" => self.config = payload.get("config").cloned(),
                "resourcePreEvent" => self.start(payload),
                "resOutputsEvent" => self.finish(payload, "done"),
                "resOpFailedEvent" => self.finish(payload, "failed"),
                "diagnosticEvent" if !flag(payload, "ephemeral") => self.diagnostic(payload),
                "policyEvent" => self.policy(payload),
                "summaryEvent" => self.summary = Some(Value::from(payload.clone())),
                "errorEvent" => self.note("warning", "", text(payload, "error")),
                _ => {}
            }
        }
    }

    fn start(&mut self, payload: &Map) {
        let Some(metadata) = object(payload, "metadata") else {
            return;
        };
        self.last
            .insert(text(metadata, "urn").to_owned(), self.steps.len());
        self.steps.push(Step {
            op: text(metadata, "op").to_owned(),
            metadata: metadata.clone(),
            started: true,
            status: "started",
            messages: Vec::new(),
        });
    }

    fn finish(&mut self, payload: &Map, status: &'static str) {
        let Some(metadata) = object(payload, "metadata") else {
            return;
        };
        let (urn, op) = (text(metadata, "urn"), text(metadata, "op"));
        // A resource may have several steps under way; the same operation tells which.
        let index = self
            .steps
            .iter()
            .rposition(|step| {
                step.status == "started" && text(&step.metadata, "urn") == urn && step.op == op
            })
            .filter(|_| self.last.contains_key(urn))
            .or_else(|| self.last.get(urn).copied());
        match index {
            Some(index) => {
                self.steps[index].status = status;
                self.steps[index].metadata = metadata.clone();
            }
            None => self.steps.push(Step {
                op: op.to_owned(),
                metadata: metadata.clone(),
                started: false,
                status,
                messages: Vec::new(),
            }),
        }
        if status == "failed" {
            self.note("warning", urn, "the operation on this resource failed");
        }
    }

    fn diagnostic(&mut self, payload: &Map) {
        let severity = text(payload, "severity");
        if severity == "debug" {
            return;
        }
        let message = without_tags(text(payload, "message"));
        let prefix = without_tags(text(payload, "prefix"));
        let message = format!("{prefix}{}", message.trim());
        let urn = text(payload, "urn");
        if let Some(index) = self.last.get(urn) {
            self.steps[*index].messages.push(message.as_str().into());
        }
        self.note(severity, urn, &message);
    }

    fn policy(&mut self, payload: &Map) {
        let message = format!(
            "policy {} of {} ({}): {}",
            text(payload, "policyName"),
            text(payload, "policyPackName"),
            text(payload, "enforcementLevel"),
            without_tags(text(payload, "message")).trim()
        );
        let urn = text(payload, "resourceUrn");
        if let Some(index) = self.last.get(urn) {
            self.steps[*index].messages.push(message.as_str().into());
        }
        self.note("warning", urn, &message);
    }

    fn note(&mut self, severity: &str, place: &str, message: &str) {
        if self.notes.len() < MAX_NOTES && !message.is_empty() {
            self.notes.push(Value::from(Map::from_iter([
                ("severity", Value::from(severity)),
                ("place", Value::from(place)),
                ("message", Value::from(message)),
            ])));
        }
    }
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    log_notes(rest, envelope);
    for field in ["events", "config", "summary"] {
        if let Some(value) = rest.get(field).filter(|value| !value.is_null()) {
            envelope
                .header
                .fields
                .push((field.to_owned(), value.clone()));
        }
    }
}

/// The notes that a translated log carries.
pub(super) fn log_notes(rest: &Map, envelope: &mut Envelope) {
    for note in items(rest, "notes").filter_map(Value::as_map) {
        envelope.notes.push(Note {
            // An error in the log is no trouble of the file.
            severity: match text(note, "severity") {
                "error" | "warning" | "warn" => Severity::Warning,
                _ => Severity::Info,
            },
            place: text(note, "place").to_owned(),
            message: text(note, "message").to_owned(),
            resource: None,
        });
    }
    if let Some(n_other) = whole(rest, "other_lines").filter(|n_other| *n_other > 0) {
        let first = whole(rest, "first_other_line").unwrap_or_default();
        envelope.note(
            Severity::Warning,
            &format!("line {first}"),
            format!("{n_other} lines are not JSON and were passed over"),
        );
    }
}
