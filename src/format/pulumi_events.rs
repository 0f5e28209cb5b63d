//! Event logs of Pulumi's engine: `--event-log FILE`, `pulumi up --json`, and the wrapped form of the service.
//!
//! The events are folded into one element for each step, with everything that was told of it; see [`super::event_log`].
//!
//! # Source
//!
//! pulumi/pulumi `sdk/go/common/apitype/events.go`.

use super::draft::{self, Entry};
use super::envelope::Envelope;
use super::event_log::{Fold, Language, progress, status};
use super::fields::{flag, kind, object, text, texts};
use super::pulumi_step::{action, between, detailed};
use super::scan::{Element, Next};
use super::sheet::{Counted, Sheet};
use super::{Context, Format, Oddities, ReadError, Target, pulumi_config, stored};
use crate::json::Numbers;
use crate::path::{Path, Segment};
use crate::stack::{Change, Kind, Resource};
use crate::value::{Map, Value};

pub(super) const FORMAT: Format = Format {
    kind: Kind::PulumiEvents,
    title: "Pulumi engine events",
    from: "`pulumi up --json`; `--event-log FILE`",
    outline: |_, _| Next::Keep,
    index,
    resource: read,
    envelope,
    translate: None,
    events: Some(&EVENTS),
    walk: None,
};

fn index(element: &Element, bytes: &[u8], _: &Context, sheet: &mut Sheet) {
    let counted = |started| {
        if started {
            Counted::Resource
        } else {
            Counted::No
        }
    };
    let mut oddities = Oddities::new();
    let parsed = parse(bytes, &mut oddities);
    let started = parsed.as_ref().is_ok_and(|step| flag(step, "started"));
    let entry = Entry {
        element,
        counted: counted(started),
        span: None,
        fallback: "",
    };
    let outcome = parsed.map(|step| of_step(&step));
    draft::add(sheet, outcome, &entry, &oddities);
}

fn read(_: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    parse(bytes, oddities).map(|step| of_step(&step))
}

fn parse(bytes: &[u8], oddities: &mut Oddities) -> Result<Map, ReadError> {
    let value = super::parse_element(bytes, Numbers::Double, oddities)?;
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
    resource.flags |= progress(step);
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

const EVENTS: Language = Language {
    numbers: Numbers::Double,
    wrapper: "events",
    count: "events",
    event,
};

fn event(fold: &mut Fold, event: &Map) {
    for (name, payload) in event {
        let Some(payload) = payload.as_map() else {
            continue;
        };
        match &**name {
            "preludeEvent" => {
                let config = payload.get("config").cloned();
                fold.tell("config", config.unwrap_or_default());
            }
            "resourcePreEvent" => start(fold, payload),
            "resOutputsEvent" => finish(fold, payload, status::DONE),
            "resOpFailedEvent" => finish(fold, payload, status::FAILED),
            "diagnosticEvent" if !flag(payload, "ephemeral") => diagnostic(fold, payload),
            "policyEvent" => policy(fold, payload),
            "summaryEvent" => fold.tell("summary", Value::from(payload.clone())),
            "errorEvent" => fold.note("warning", "", text(payload, "error")),
            _ => {}
        }
    }
}

fn start(fold: &mut Fold, payload: &Map) {
    let Some(metadata) = object(payload, "metadata") else {
        return;
    };
    let (urn, op) = (text(metadata, "urn"), text(metadata, "op"));
    let is_planned = flag(payload, "planning");
    // What a preview in the same log announced begins now.
    let announced = fold
        .last_where(urn, |step| text(step, "op") == op)
        .filter(|index| !is_planned && fold.is(*index, status::PLANNED));
    let status = if is_planned {
        status::PLANNED
    } else {
        status::STARTED
    };
    match announced {
        Some(index) => fold.change(index, |step| {
            step.set("metadata", Value::from(metadata.clone()))
                .set("status", status.into())
        }),
        None => fold.start(urn, step(op, metadata, true, status)),
    }
}

fn step(op: &str, metadata: &Map, started: bool, status: &str) -> Map {
    Map::from_iter([
        ("op", Value::from(op)),
        ("started", Value::from(started)),
        ("status", Value::from(status)),
        ("metadata", Value::from(metadata.clone())),
    ])
}

fn finish(fold: &mut Fold, payload: &Map, status: &'static str) {
    let Some(metadata) = object(payload, "metadata") else {
        return;
    };
    let (urn, op) = (text(metadata, "urn"), text(metadata, "op"));
    let status = if flag(payload, "planning") && status == status::DONE {
        status::PLANNED
    } else {
        status
    };
    // A resource may have several steps under way; the same operation tells which.
    let is_open = |step: &Map| matches!(text(step, "status"), status::STARTED | status::PLANNED);
    let index = fold
        .last_where(urn, |step| is_open(step) && text(step, "op") == op)
        .or_else(|| fold.last(urn));
    match index {
        Some(index) => fold.change(index, |step| {
            step.set("metadata", Value::from(metadata.clone()))
                .set("status", status.into())
        }),
        None => fold.start(urn, step(op, metadata, false, status)),
    }
    if status == status::FAILED {
        fold.note("warning", urn, "the operation on this resource failed");
    }
}

fn diagnostic(fold: &mut Fold, payload: &Map) {
    let severity = text(payload, "severity");
    if severity == "debug" {
        return;
    }
    let message = without_tags(text(payload, "message"));
    let prefix = without_tags(text(payload, "prefix"));
    let message = format!("{prefix}{}", message.trim());
    fold.say(text(payload, "urn"), severity, &message);
}

fn policy(fold: &mut Fold, payload: &Map) {
    let message = format!(
        "policy {} of {} ({}): {}",
        text(payload, "policyName"),
        text(payload, "policyPackName"),
        text(payload, "enforcementLevel"),
        without_tags(text(payload, "message")).trim()
    );
    fold.say(text(payload, "resourceUrn"), "warning", &message);
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    for field in ["events", "config", "summary"] {
        if let Some(value) = rest.get(field).filter(|value| !value.is_null()) {
            let shown = pulumi_config::field(field, value);
            envelope.header.fields.push((field.to_owned(), shown));
        }
    }
}

/// `text` without the color tags of Pulumi (`<{%fg 1%}>`).
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once("<{%") {
        plain.push_str(before);
        if let Some((_, after)) = tag.split_once("%}>") {
            rest = after;
        } else {
            plain.push_str("<{%");
            rest = tag;
        }
    }
    plain.push_str(rest);
    plain
}
