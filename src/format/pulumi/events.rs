//! Event logs of Pulumi's engine: `--event-log FILE`, `pulumi up --json`, and the wrapped form of the service.
//!
//! The events are folded into one element for each change, with its steps and all messages about it; see
//! [`crate::format::event_log`] and [`super::step`].
//!
//! # Source
//!
//! pulumi/pulumi `sdk/go/common/apitype/events.go`.

use super::resource;
use super::step::{self, Step, detailed};
use super::stored;
use crate::format::draft::{self, RowOrigin};
use crate::format::envelope::Envelope;
use crate::format::event_log::{Fold, Language, progress, status};
use crate::format::fields::{flag, items, object, text, texts, whole};
use crate::format::keys::{Fit, Keys};
use crate::format::table::{Format, Marks};
use crate::format::{Oddities, ReadError, Site, Target, parse_object, pulumi_config};
use crate::index::indexer::{Counted, Indexer};
use crate::index::scan::Next;
use crate::json::Numbers;
use crate::pulumi::color_tags;
use crate::render::copy::{End, Wanted, Written};
use crate::stack::{Action, Flags, Kind, Resource};
use crate::value::{Array, Map, Value};

pub(crate) const FORMAT: Format = Format {
    kind: Kind::PulumiEvents,
    title: "Pulumi engine events",
    from: "`pulumi up --json`; `--event-log FILE`",
    noun: "event log",
    versions: &[],
    marks: Marks::Keys(fit),
    outline: |_, _| Next::Keep,
    index,
    resource: read,
    envelope,
    translate: None,
    events: Some(&EVENTS),
    walk: None,
    written: Some(Written {
        sections,
        output: None,
    }),
};

fn fit(keys: &Keys) -> Option<Fit> {
    let is_sure = keys.has_any(&["events[].sequence", "events[].timestamp"])
        || keys.has("sequence") && keys.has("timestamp");
    is_sure.then_some(Fit::Sure)
}

fn sections(wanted: &Wanted<'_>) -> Vec<Vec<&'static str>> {
    let section = wanted.section_keys();
    let state = match wanted.end {
        End::Before => "old",
        End::After | End::Unknown => "new",
    };
    let below = |event| [vec![event, "metadata", state], section.clone()].concat();
    vec![below("resourcePreEvent"), below("resOutputsEvent")]
}

fn index(site: Site<'_>, bytes: &[u8], indexer: &mut Indexer) {
    let mut oddities = Oddities::new();
    let parsed = parse(bytes, &mut oddities);
    let is_counted = parsed.as_ref().is_ok_and(|it| flag(it, "counted"));
    let counted = if is_counted {
        Counted::Resource
    } else {
        Counted::No
    };
    let entry = RowOrigin::whole(site, counted);
    for step in parsed.iter().flat_map(steps) {
        // A step of which the log has only the end is not counted.
        indexer.word(text(step, "op"), n_times(step));
    }
    let outcome = parsed.map(|change| of_change(&change));
    draft::add(indexer, outcome, &entry, &oddities);
}

fn read(_: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    parse(bytes, oddities).map(|change| of_change(&change))
}

fn parse(bytes: &[u8], oddities: &mut Oddities) -> Result<Map, ReadError> {
    parse_object("the change", bytes, Numbers::Double, oddities)
}

/// The steps of a change, in the order in which they began.
fn steps(change: &Map) -> impl Iterator<Item = &Map> {
    items(change, "steps").filter_map(Value::as_map)
}

fn of_change(change: &Map) -> Resource {
    let none = Map::default();
    let metadata = |step| object(step, "metadata").unwrap_or(&none);
    let first = steps(change).next().map_or(&none, metadata);
    let merged: Vec<Step> = steps(change)
        .map(|step| of_step(step, metadata(step)))
        .collect();
    let mut resource = step::merge(text(first, "urn"), &merged);
    if resource.ty.is_empty() {
        text(first, "type").clone_into(&mut resource.ty);
    }
    resource.flags |= progress(change);
    let is_replaced = (resource.change.as_ref()).is_some_and(|it| it.action == Action::Replace);
    let is_lost = is_replaced && has_lost(change);
    resource.flags = resource.flags.with(Flags::PENDING_REPLACEMENT, is_lost);
    for field in ["status", "messages"] {
        if let Some(value) = change.get(field) {
            resource.fields.push((field.into(), value.clone()));
        }
    }
    resource
}

fn of_step(step: &Map, metadata: &Map) -> Step {
    let unblinded = |key| {
        let state = stored::unblind(metadata.get(key)?);
        state.as_map().cloned()
    };
    let owned = |key| texts(metadata, key).map(str::to_owned).collect();
    Step {
        op: text(step, "op").to_owned(),
        found: text(step, "found").to_owned(),
        remark: match text(step, "status") {
            status::DONE | status::PLANNED => String::new(),
            status => status.to_owned(),
        },
        old: unblinded("old"),
        new: unblinded("new"),
        keys: owned("keys"),
        diffs: owned("diffs"),
        detailed: detailed(metadata.get("detailedDiff"), "diffKind"),
    }
}

/// Maximum number of steps of a change. The engine has fewer operations than this.
const MAX_STEPS: usize = 32;

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
            "summaryEvent" => {
                settle(fold);
                fold.tell("summary", Value::from(payload.clone()));
            }
            "errorEvent" => fold.note("error", "", text(payload, "error")),
            _ => {}
        }
    }
}

fn start(fold: &mut Fold, payload: &Map) {
    let Some(metadata) = object(payload, "metadata") else {
        return;
    };
    let op = text(metadata, "op");
    let is_planned = flag(payload, "planning");
    let status = if is_planned {
        status::PLANNED
    } else {
        status::STARTED
    };
    let change = change_of(fold, metadata);
    if fold.is_counted(text(metadata, "urn"), change) {
        fold.change(change, |it| it.set("counted", true.into()));
    }
    let mut is_lost = false;
    edit(fold, change, |steps| {
        let n_steps = steps.len();
        let known = steps.iter_mut().rfind(|step| text(step, "op") == op);
        let Some(known) = known else {
            is_lost = n_steps >= MAX_STEPS;
            if !is_lost {
                steps.push(step(op, metadata, 1, status));
            }
            return;
        };
        // The step that a preview in the same log announced begins now; otherwise the step is repeated.
        let is_announced = !is_planned && text(known, "status") == status::PLANNED;
        let times = n_times(known).saturating_add(u32::from(!is_announced));
        *known = step(op, metadata, times, status);
    });
    if is_lost {
        let message = format!("more than {MAX_STEPS} kinds of steps; the rest are left out");
        fold.note("warning", text(metadata, "urn"), &message);
    }
}

/// The number of the change that a step belongs to.
fn change_of(fold: &mut Fold, metadata: &Map) -> usize {
    let sides = [object(metadata, "old"), object(metadata, "new")];
    for side in sides
        .into_iter()
        .flatten()
        .filter(|side| resource::may_hide(side))
    {
        let state = resource::read(side).after.unwrap_or_default();
        for properties in [&state.inputs, &state.outputs].into_iter().flatten() {
            fold.keep_secret(properties);
        }
    }
    let (id, is_copy) = step::object(sides[0], sides[1]);
    fold.of_object(text(metadata, "urn"), &id, is_copy)
}

/// Edits the steps of a change, and updates its progress.
fn edit(fold: &mut Fold, change: usize, edit: impl FnOnce(&mut Vec<Map>)) {
    fold.change(change, |fields| {
        let mut all: Vec<Map> = steps(&fields).cloned().collect();
        edit(&mut all);
        let has = |status: &str| all.iter().any(|step| text(step, "status") == status);
        let order = [status::FAILED, status::STARTED, status::DONE];
        let status = order.into_iter().find(|status| has(status));
        let status = status.unwrap_or(status::PLANNED);
        let all: Vec<Value> = all.into_iter().map(Value::from).collect();
        fields.set("status", status.into()).set("steps", all.into())
    });
}

fn step(op: &str, metadata: &Map, times: u32, status: &str) -> Map {
    Map::from_iter([
        ("op", Value::from(op)),
        ("times", Value::from(f64::from(times))),
        ("status", Value::from(status)),
        ("metadata", Value::from(metadata.clone())),
    ])
}

/// Number of times that a step began.
fn n_times(step: &Map) -> u32 {
    let times = whole(step, "times").unwrap_or(0);
    u32::try_from(times).unwrap_or(u32::MAX)
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
    let change = change_of(fold, metadata);
    edit(fold, change, |steps| {
        let is_open =
            |step: &Map| matches!(text(step, "status"), status::STARTED | status::PLANNED);
        let is_same = |step: &Map| text(step, "op") == op;
        // The end of a refresh is logged under the operation that it turned out to be.
        let is_refresh = |step: &Map| text(step, "op") == "refresh";
        let found = steps
            .iter()
            .rposition(|step| is_open(step) && is_same(step));
        let found = found
            .or_else(|| {
                steps
                    .iter()
                    .rposition(|step| is_open(step) && is_refresh(step))
            })
            .or_else(|| steps.iter().rposition(is_same))
            .or_else(|| steps.len().checked_sub(1));
        let Some(known) = found.and_then(|found| steps.get_mut(found)) else {
            steps.push(step(op, metadata, 0, status));
            return;
        };
        let metadata = ended(known, metadata, status);
        let mut ended = known.clone().set("metadata", Value::from(metadata));
        if is_refresh(known) && !is_same(known) {
            ended = ended.set("found", op.into());
        }
        *known = ended.set("status", status.into());
    });
    if status == status::FAILED {
        fold.note("warning", urn, "the operation on this resource failed");
    }
}

/// The end of a step in the log. Facts that only its start gives stay true: the old object, and the new one of an operation that
/// failed.
fn ended(step: &Map, metadata: &Map, status: &str) -> Map {
    let Some(started) = object(step, "metadata") else {
        return metadata.clone();
    };
    let kept: &[&str] = if status == status::FAILED {
        &["old", "new"]
    } else {
        &["old"]
    };
    let mut ended = metadata.clone();
    for side in kept {
        if let Some(started) = object(started, side) {
            let now = object(metadata, side).cloned().unwrap_or_default();
            ended = ended.set(*side, resource::completed(now, started).into());
        }
    }
    let is_unsaid =
        |value: &Value| value.is_null() || value.as_array().is_some_and(Array::is_empty);
    for fact in ["keys", "diffs", "detailedDiff"] {
        if let Some(started) = started.get(fact)
            && metadata.get(fact).is_none_or(is_unsaid)
        {
            ended = ended.set(fact, started.clone());
        }
    }
    ended
}

/// Ends the steps that need no operation of a provider, once the run is over. After a failure the engine does not report the end
/// of the stack and of components.
fn settle(fold: &mut Fold) {
    let has_operation = |step: &Map| {
        let metadata = object(step, "metadata");
        let states = metadata
            .into_iter()
            .flat_map(|it| [object(it, "old"), object(it, "new")]);
        let is_custom = states.flatten().any(|state| flag(state, "custom"));
        is_custom && text(step, "op") != "same"
    };
    let is_open = |step: &Map| text(step, "status") == status::STARTED;
    let is_quiet = |fields: &Map| !steps(fields).any(|step| is_open(step) && has_operation(step));
    fold.change_running(is_quiet, |fields| {
        let ended = steps(&fields).map(|step| {
            let step = step.clone();
            if is_open(&step) {
                Value::from(step.set("status", status::DONE.into()))
            } else {
                Value::from(step)
            }
        });
        let ended: Vec<Value> = ended.collect();
        fields
            .set("status", status::DONE.into())
            .set("steps", ended.into())
    });
}

/// True if a replacement ended after its first half: the old object is deleted, and there is no new one.
fn has_lost(change: &Map) -> bool {
    let is_over = matches!(text(change, "status"), status::FAILED | status::UNFINISHED);
    let done = |op: &'static str| {
        let has_ended = |step: &&Map| text(step, "status") == status::DONE;
        steps(change)
            .filter(has_ended)
            .filter(move |step| text(step, "op") == op)
    };
    let old = |step: &Map| object(object(step, "metadata")?, "old").cloned();
    let is_deleted = |step: &Map| !old(step).is_some_and(|old| flag(&old, "retainOnDelete"));
    is_over
        && done("delete-replaced").any(is_deleted)
        && done("create-replacement").next().is_none()
}

fn diagnostic(fold: &mut Fold, payload: &Map) {
    let severity = text(payload, "severity");
    if severity == "debug" {
        return;
    }
    let message = color_tags::strip(text(payload, "message"));
    let prefix = color_tags::strip(text(payload, "prefix"));
    let message = format!("{prefix}{}", message.trim());
    fold.say(text(payload, "urn"), severity, &message);
}

fn policy(fold: &mut Fold, payload: &Map) {
    let level = text(payload, "enforcementLevel");
    let message = format!(
        "policy {} of {} ({}): {}",
        text(payload, "policyName"),
        text(payload, "policyPackName"),
        level,
        color_tags::strip(text(payload, "message")).trim()
    );
    // A violation of a mandatory policy stops the run.
    let severity = if level == "mandatory" {
        "error"
    } else {
        "warning"
    };
    fold.say(text(payload, "resourceUrn"), severity, &message);
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    for field in ["events", "config", "summary"] {
        if let Some(value) = rest.get(field).filter(|value| !value.is_null()) {
            let shown = pulumi_config::field(field, value);
            envelope.header.fields.push((field.to_owned(), shown));
        }
    }
}
