//! The machine-readable log of Terraform and OpenTofu: `plan`, `apply` and `refresh` with `-json`.
//!
//! The lines are folded into one element per planned change, with all later messages about it; see [`crate::format::event_log`].
//!
//! # Source
//!
//! hashicorp/terraform `internal/command/views/json`.

use super::identity::{self, Identity};
use crate::format::draft::{self, RowOrigin};
use crate::format::envelope::Envelope;
use crate::format::event_log::{self, Fold, Language, progress, status};
use crate::format::fields::{may_be, object, text};
use crate::format::keys::{Fit, Keys};
use crate::format::table::{Format, Marks};
use crate::format::{Oddities, ReadError, Site, Target};
use crate::index::indexer::{Counted, Indexer};
use crate::index::scan::Next;
use crate::json::Numbers;
use crate::render::copy::Written;
use crate::stack::{Action, Change, Flags, Kind, ReplaceOrder, Resource, State, Tool};
use crate::terraform::address;
use crate::value::{Map, Value};

pub(crate) const FORMAT: Format = Format {
    kind: Kind::TerraformUi,
    title: "Terraform / OpenTofu log",
    from: "`terraform plan -json`; `terraform apply -json`",
    noun: "run log",
    versions: &[],
    marks: Marks::Keys(fit),
    outline: |_, _| Next::Keep,
    index,
    resource: read,
    envelope,
    translate: None,
    events: Some(&EVENTS),
    walk: None,
    written: Some(Written::ELEMENTS),
};

fn fit(keys: &Keys) -> Option<Fit> {
    keys.has_any(&["@level", "@message"]).then_some(Fit::Sure)
}

fn index(site: Site<'_>, bytes: &[u8], indexer: &mut Indexer) {
    let mut oddities = Oddities::new();
    let outcome = identity::element("the change", bytes, &mut oddities);
    let event = outcome.as_ref().map_or("", |entry| text(entry, "type"));
    let counted = if event == "planned_change" {
        Counted::Resource
    } else {
        Counted::No
    };
    let entry = RowOrigin::whole(site, counted);
    let outcome = outcome.clone().map(|change| {
        let identity = identity(&change);
        let prefix = identity.prefix(site.context);
        of_change(&identity, &prefix, &change)
    });
    draft::add(indexer, outcome, &entry, &oddities);
}

fn read(target: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    let (identity, prefix) = target.identity();
    let change = identity::element("the change", bytes, oddities);
    change.map(|change| of_change(&identity, &prefix, &change))
}

fn identity(change: &Map) -> Identity {
    let none = Map::default();
    let resource = object(change, "resource").unwrap_or(&none);
    let address = text(resource, "addr");
    let local = &address[address::module_of(address).len()..];
    let mode = if local.trim_start_matches('.').starts_with("data.") {
        "data"
    } else {
        "managed"
    };
    Identity {
        address: address.to_owned(),
        mode: mode.to_owned(),
        ty: text(resource, "resource_type").to_owned(),
        provider: text(resource, "implied_provider").to_owned(),
        deposed: text(change, "deposed").to_owned(),
    }
}

/// The key in a step for the action that was last complete: one half of a replacement.
const ENDED: &str = "ended";

fn of_change(identity: &Identity, prefix: &str, change: &Map) -> Resource {
    let mut resource = identity.resource(prefix);
    let action = text(change, "action");
    let previous = object(change, "previous_resource").map(|previous| text(previous, "addr"));
    let drift = text(change, "type") == "resource_drift";
    resource.flags = resource
        .flags
        .with(Flags::DRIFT_ENTRY | Flags::DRIFTED, drift)
        .with(Flags::MOVED, previous.is_some())
        .with(
            Flags::IMPORTED,
            change.contains_key("importing") || action == "import",
        )
        | progress(change);
    let is_lost = action == "replace"
        && text(change, ENDED) == "delete"
        && matches!(text(change, "status"), status::FAILED | status::UNFINISHED);
    resource.flags = resource.flags.with(Flags::PENDING_REPLACEMENT, is_lost);
    let hides_id = change.contains_key(event_log::SECRET_ID);
    let shown = |id: &Value| id.clone().with_secret(hides_id);
    resource.id = change.get("id").map(shown);
    // The log has no property values.
    let nothing = State::default();
    let (create, delete) = (action == "create", matches!(action, "delete" | "remove"));
    resource.before = (!create).then(|| nothing.clone());
    resource.after = (!delete).then_some(nothing);
    if !action.is_empty() {
        let order = match text(change, "first") {
            "create" => Some(ReplaceOrder::CreateFirst),
            "delete" => Some(ReplaceOrder::DestroyFirst),
            _ => None,
        };
        let order = order.filter(|_| action == "replace");
        resource.flags |= order.map_or(Flags::NONE, ReplaceOrder::flag);
        resource.change = Some(Change {
            order,
            reasons: Some(text(change, "reason").to_owned())
                .filter(|reason| !reason.is_empty())
                .into_iter()
                .collect(),
            previous_address: previous.map(str::to_owned),
            importing: object(change, "importing").and_then(|import| import.get("id").map(shown)),
            ..Change::new(of_action(action), action)
        });
    }
    resource.fields = change
        .iter()
        .filter(|(key, _)| {
            !matches!(
                &***key,
                "resource"
                    | "previous_resource"
                    | event_log::SECRET_ID
                    | ENDED
                    | "action"
                    | "reason"
                    | "type"
                    | "first"
                    | "id"
                    | "importing"
            )
        })
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    resource
}

fn of_action(action: &str) -> Action {
    match action {
        "create" => Action::Create,
        "update" => Action::Update,
        "replace" => Action::Replace,
        "delete" => Action::Delete,
        "read" => Action::Read,
        "import" => Action::Import,
        "move" => Action::Move,
        "remove" | "forget" => Action::Forget,
        _ => Action::Noop,
    }
}

const EVENTS: Language = Language {
    numbers: Numbers::Exact,
    wrapper: "lines",
    count: "lines",
    event,
};

fn event(fold: &mut Fold, line: &Map) {
    let ty = text(line, "type");
    match ty {
        "version" => fold.tell("version", Value::from(line.clone())),
        "planned_change" | "resource_drift" => {
            if let Some(change) = object(line, "change") {
                let address = object(change, "resource").map_or("", |it| text(it, "addr"));
                let step = change.clone().set("type", ty.into());
                if ty == "planned_change" {
                    plan(fold, address, step);
                } else {
                    fold.add(step);
                }
            }
        }
        "change_summary" => {
            if let Some(changes) = line.get("changes") {
                fold.tell_more("summaries", changes.clone());
            }
        }
        "outputs" => {
            for (_, output) in object(line, "outputs").into_iter().flatten() {
                let is_secret = output.as_map().is_some_and(|it| may_be(it, "sensitive"));
                if let (Some(value), true) = (output.get("value"), is_secret) {
                    fold.keep_secret(&value.clone().with_secret(true));
                }
            }
            fold.tell("outputs", line.get("outputs").cloned().unwrap_or_default());
        }
        "diagnostic" => {
            if let Some(diagnostic) = object(line, "diagnostic") {
                let summary = text(diagnostic, "summary");
                let message = match text(diagnostic, "detail") {
                    "" => summary.to_owned(),
                    detail => format!("{summary}: {detail}"),
                };
                let (severity, address) =
                    (text(diagnostic, "severity"), text(diagnostic, "address"));
                fold.say(address, severity, &message);
            }
        }
        _ => hook(fold, line, ty),
    }
}

/// Adds a planned change. If the resource already has a step because it was refreshed, that step becomes this one.
fn plan(fold: &mut Fold, address: &str, step: Map) {
    let is_only_known =
        |step: &Map| text(step, "type") == "hook" && text(step, "action").is_empty();
    let last = fold.last(address);
    match last.filter(|last| fold.fields(*last).is_some_and(is_only_known)) {
        Some(index) => fold.change(index, |known| match known.get("id") {
            Some(id) => step.set("id", id.clone()),
            None => step,
        }),
        None => fold.start(address, step),
    }
}

/// True if a line of this type starts a step for its resource, even before the first planned change of a run.
fn begins_step(ty: &str) -> bool {
    ["apply_", "refresh_", "ephemeral_op_", "provision_"]
        .iter()
        .any(|family| ty.starts_with(family))
}

/// Handles a progress line of a resource.
fn hook(fold: &mut Fold, line: &Map, ty: &str) {
    let Some(hook) = object(line, "hook") else {
        return;
    };
    let Some(resource) = object(hook, "resource") else {
        return;
    };
    let address = text(resource, "addr");
    if fold.last(address).is_none() && begins_step(ty) && !address.is_empty() {
        let step = Map::from_iter([
            ("resource", Value::from(resource.clone())),
            ("action", hook.get("action").cloned().unwrap_or_default()),
            ("type", Value::from("hook")),
        ]);
        fold.start(address, step);
    }
    let Some(index) = fold.last(address) else {
        return;
    };
    let status = match ty {
        "apply_start"
        | "apply_progress"
        | "refresh_start"
        | "ephemeral_op_start"
        | "ephemeral_op_progress" => Some(status::STARTED),
        "apply_complete" | "refresh_complete" | "ephemeral_op_complete" => Some(status::DONE),
        "apply_errored" | "refresh_errored" | "ephemeral_op_errored" => Some(status::FAILED),
        _ => None,
    };
    fold.change(index, |mut step| {
        // A log that starts after the plan reports a replacement in two parts.
        let (before, now) = (text(&step, "action").to_owned(), text(hook, "action"));
        let is_replaced = matches!((&*before, now), ("create", "delete") | ("delete", "create"));
        if is_replaced && text(&step, "type") == "hook" {
            step = step
                .set("action", "replace".into())
                .set("first", before.into());
        }
        let is_half = ty == "apply_start" && matches!(now, "create" | "delete");
        if is_half && text(&step, "action") == "replace" && !step.contains_key("first") {
            step = step.set("first", now.into());
        }
        if ty == "apply_complete" && matches!(now, "create" | "delete") {
            step = step.set(ENDED, now.into());
        }
        step = step.set("hook", ty.into());
        if let Some(status) = status {
            step = step.set("status", status.into());
        }
        if let Some(id) = hook.get("id_value").filter(|id| !id.is_null()) {
            step = step.set("id", id.clone());
        }
        if let Some(seconds) = hook.get("elapsed_seconds") {
            step = step.set("elapsed_seconds", seconds.clone());
        }
        step
    });
    if ty.ends_with("_errored") {
        fold.say(address, "warning", text(line, "@message"));
    }
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    let header = &mut envelope.header;
    header.tool = Tool::Terraform;
    if let Some(version) = object(rest, "version") {
        text(version, "ui").clone_into(&mut header.format_version);
        text(version, "terraform").clone_into(&mut header.tool_version);
        if let Some(tofu) = version.get("tofu").and_then(Value::as_str) {
            header.tool = Tool::OpenTofu;
            tofu.clone_into(&mut header.tool_version);
        }
    }
    if let Some(summaries) = rest.get("summaries") {
        header
            .fields
            .push(("change_summary".to_owned(), summaries.clone()));
    }
    for (name, output) in object(rest, "outputs").into_iter().flatten() {
        let Some(output) = output.as_map() else {
            continue;
        };
        let secret = may_be(output, "sensitive");
        let value = output.get("value").cloned();
        let value = value.unwrap_or_else(Value::computed).with_secret(secret);
        let ty = output
            .get("type")
            .map(crate::terraform::cty_json::type_text);
        match text(output, "action") {
            "" => envelope.output(name, value, ty.unwrap_or_default()),
            action => envelope.changing_output(name, None, value, of_action(action)),
        }
    }
}
