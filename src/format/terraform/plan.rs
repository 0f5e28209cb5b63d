//! Plans of Terraform and OpenTofu in JSON: `terraform show -json PLAN`, format 0.1 to 1.x.
//!
//! # Source
//!
//! hashicorp/terraform `internal/command/jsonplan`, opentofu/opentofu the same.

pub(crate) mod index;
mod invocations;
pub(crate) mod prior;

use std::collections::HashSet;
use std::sync::Arc;

use super::identity::{self, Identity, id_of, instance_address};
use super::references;
use crate::change::masks::{fold, fold_other_side, has_unknown};
use crate::format::draft::{self, RowOrigin};
use crate::format::envelope::Envelope;
use crate::format::fields::{flag, items, kind, may_be, object, others, text, texts};
use crate::format::keys::{Fit, Keys};
use crate::format::table::{Format, Marks};
use crate::format::{Oddities, ReadError, Site, Target};
use crate::index::indexer::{Counted, Indexer};
use crate::index::scan::{Next, OutlineState};
use crate::index::walk::Odd;
use crate::json::tape::Cursor;
use crate::path::{Path, Segment};
use crate::render::copy::{End, Wanted, Written};
use crate::stack::{
    About, Action, Change, Flags, Kind, NO_CHANGE, Output, ReplaceOrder, Resource, Section,
    Severity, State, Tool,
};
use crate::terraform::sensitive;
use crate::value::{Map, Value};

pub(crate) const FORMAT: Format = Format {
    kind: Kind::TerraformPlan,
    title: "Terraform / OpenTofu plan in JSON",
    from: "`terraform show -json PLAN`",
    noun: "plan",
    versions: &[],
    marks: Marks::Keys(fit),
    outline,
    index,
    resource: read,
    envelope,
    translate: None,
    events: None,
    walk: Some(walk),
    written: Some(Written {
        sections,
        output: Some(output),
    }),
};

/// Keys that only a plan has, whatever other keys there are.
const KEYS: &[&str] = &[
    "resource_changes",
    "planned_values",
    "output_changes",
    "resource_drift",
    "deferred_changes",
    "action_invocations",
    "deferred_action_invocations",
    "relevant_attributes",
];

/// Keys that only a plan has besides `format_version`. A state has its checks beside its values.
const VERSIONED_KEYS: &[&str] = &[
    "prior_state",
    "configuration",
    "variables",
    "timestamp",
    "applyable",
    "complete",
    "errored",
    "checks",
];

fn fit(keys: &Keys) -> Option<Fit> {
    let is_shown = keys.has_any(&["values.root_module", "values.outputs", "values"]);
    let is_sure = keys.has_any(KEYS)
        || keys.has("format_version") && !is_shown && keys.has_any(VERSIONED_KEYS);
    is_sure.then_some(Fit::Sure)
}

fn sections(wanted: &Wanted<'_>) -> Vec<Vec<&'static str>> {
    if wanted.section != Section::Outputs {
        return Vec::new();
    }
    let parts: &[&str] = match wanted.end {
        End::Before => &["before"],
        End::After => &["after", "before"],
        End::Unknown => &["after_unknown"],
    };
    // A deferred change is wrapped, with the reason beside it.
    let plain = parts.iter().map(|part| vec!["change", part]);
    let wrapped = parts
        .iter()
        .map(|part| vec!["resource_change", "change", part]);
    plain.chain(wrapped).collect()
}

fn output(output: &Output, end: End) -> Vec<&str> {
    let Some(action) = output.action else {
        return vec!["planned_values", "outputs", &output.name, "value"];
    };
    let side = match end {
        _ if action == Action::Delete => "before",
        End::Before => "before",
        End::After => "after",
        End::Unknown => "after_unknown",
    };
    vec!["output_changes", &output.name, side]
}

/// Element roles.
pub(crate) const CHANGE: u8 = 0;
const DRIFT: u8 = 1;
const DEFERRED: u8 = 2;
const PRIOR: u8 = 3;

/// Places in the prior state. The first one lies beside its version, the second one beside its outputs.
const PRIOR_STATE: OutlineState = 5;
const PRIOR_VALUES: OutlineState = 6;
const PRIOR_MODULE: OutlineState = 7;
const PRIOR_RESOURCES: OutlineState = 8;
const PRIOR_MODULES: OutlineState = 9;

fn outline(place: OutlineState, key: Option<&str>) -> Next {
    match (place, key) {
        (0, Some("resource_changes")) => Next::Enter(1),
        (0, Some("resource_drift")) => Next::Enter(2),
        (0, Some("deferred_changes")) => Next::Enter(3),
        (0, Some("planned_values")) => Next::Enter(4),
        // Known from the changes.
        (4, Some("root_module")) => Next::Skip,
        // Only the prior state has the dependencies of resources that are no longer in the configuration.
        (0, Some("prior_state")) => Next::Enter(PRIOR_STATE),
        (PRIOR_STATE, Some("values")) => Next::Enter(PRIOR_VALUES),
        (PRIOR_VALUES, Some("root_module")) | (PRIOR_MODULES, None) => Next::Enter(PRIOR_MODULE),
        (PRIOR_MODULE, Some("resources")) => Next::Enter(PRIOR_RESOURCES),
        (PRIOR_MODULE, Some("child_modules")) => Next::Enter(PRIOR_MODULES),
        (PRIOR_RESOURCES, None) => Next::Element(PRIOR),
        (PRIOR_STATE | PRIOR_VALUES | PRIOR_MODULE, _) => Next::Skip,
        (1, None) => Next::Element(CHANGE),
        (2, None) => Next::Element(DRIFT),
        (3, None) => Next::Element(DEFERRED),
        _ => Next::Keep,
    }
}

fn walk(site: Site<'_>, cursor: &mut Cursor<'_>, indexer: &mut Indexer) -> Result<(), Odd> {
    // Deferred changes are wrapped and rare, so they take the slow path.
    if site.element.role == DEFERRED {
        return Err(Odd);
    }
    if site.element.role == PRIOR {
        return prior::locate(site.element, cursor, indexer);
    }
    let flags = Flags::NONE.with(Flags::DRIFT_ENTRY, site.element.role == DRIFT);
    index::of_change(site, cursor, flags, indexer)
}

/// True if an entry of drift with this action is a change. The list also has resources that were only moved.
fn has_drifted(action: Option<Action>) -> bool {
    !matches!(action, None | Some(Action::Noop | Action::Move))
}

fn index(site: Site<'_>, bytes: &[u8], indexer: &mut Indexer) {
    if site.element.role == PRIOR {
        // A broken entry is a broken record of a state that the changes repeat.
        if let Ok(map) = identity::element("the resource", bytes, &mut Oddities::new()) {
            prior::add(site.element, text(&map, "address"), indexer);
        }
        return;
    }
    let counted = if site.element.role == CHANGE {
        Counted::Resource
    } else {
        Counted::No
    };
    let entry = RowOrigin::whole(site, counted);
    let mut oddities = Oddities::new();
    let outcome = identity::element("the change", bytes, &mut oddities).and_then(|map| {
        let change = object(&map, "resource_change").unwrap_or(&map);
        let identity = identity(change)?;
        let prefix = identity.prefix(site.context);
        let mut resource = of_change(&identity, &prefix, &map)?;
        let is_drift = site.element.role == DRIFT;
        let action = resource.change.as_ref().map(|change| change.action);
        resource.flags = resource
            .flags
            .with(Flags::DRIFT_ENTRY, is_drift)
            .with(Flags::DRIFTED, is_drift && has_drifted(action));
        Ok(resource)
    });
    let is_unjudged = outcome.as_ref().is_ok_and(|it| it.change.is_none());
    if is_unjudged && entry.counted == Counted::Resource {
        indexer.word(NO_CHANGE, 1);
    }
    draft::add(indexer, outcome, &entry, &oddities);
}

fn read(target: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    let map = identity::element("the change", bytes, oddities)?;
    let (identity, prefix) = target.identity();
    let mut resource = of_change(&identity, &prefix, &map)?;
    let address = identity.config_address();
    resource.edges = target.references(&address);
    let change = object(&map, "resource_change").unwrap_or(&map);
    let has_masks = object(change, "change").is_some_and(|it| it.contains_key("after_sensitive"));
    if let (Some(paths), false) = (target.stack.sensitive.get(&*address), has_masks) {
        mask(&mut resource, paths);
    }
    Ok(resource)
}

/// Masks the arguments that the configuration marks as sensitive, for old plans without masks.
fn mask(resource: &mut Resource, paths: &[Path]) {
    for state in [&mut resource.before, &mut resource.after]
        .into_iter()
        .flatten()
    {
        if let Some(outputs) = &mut state.outputs {
            *outputs = sensitive::everywhere(std::mem::take(outputs), paths);
        }
    }
    let is_id = |path: &Path| matches!(path.0.as_slice(), [Segment::Key(key)] if &**key == "id");
    if paths.iter().any(is_id) {
        resource.id = resource.id.take().map(|id| id.with_secret(true));
    }
}

fn identity(change: &Map) -> Result<Identity, ReadError> {
    let (mode, ty) = (text(change, "mode"), text(change, "type"));
    let mut address = text(change, "address").to_owned();
    if address.is_empty() {
        let name = text(change, "name");
        if ty.is_empty() || name.is_empty() {
            return Err(ReadError::unexpected("the change", "an address", "none"));
        }
        let module = text(change, "module_address");
        address = instance_address(module, mode, ty, name, change.get("index"));
    }
    Ok(Identity {
        address,
        mode: mode.to_owned(),
        ty: ty.to_owned(),
        provider: text(change, "provider_name").to_owned(),
        deposed: match change.get("deposed") {
            // Formats before 1.0 only say that the object is deposed.
            Some(deposed) if deposed.as_bool() == Some(true) => "unknown".to_owned(),
            _ => text(change, "deposed").to_owned(),
        },
    })
}

/// The fields of an element, and of the change in it, that [`Resource`] has a field for.
const SHOWN: &[&str] = &[
    "address",
    "previous_address",
    "module_address",
    "mode",
    "type",
    "name",
    "index",
    "provider_name",
    "deposed",
    "change",
    "resource_change",
    "action_reason",
    "actions",
    "before",
    "after",
    "after_unknown",
    "before_sensitive",
    "after_sensitive",
    "replace_paths",
    "importing",
];

fn of_change(identity: &Identity, prefix: &str, element: &Map) -> Result<Resource, ReadError> {
    let outer = element;
    let element = object(element, "resource_change").unwrap_or(element);
    let mut resource = identity.resource(prefix);
    // Reduced plans, made by hand or by other tools, may give only the resource.
    let nothing = Map::default();
    let change = match element.get("change") {
        Some(change) => change
            .as_map()
            .ok_or_else(|| ReadError::unexpected("change", "an object", kind(change)))?,
        None => &nothing,
    };
    let (before, after) = sides(change);
    resource.id = id_of(after.as_ref())
        .filter(|id| !id.is_computed())
        .or_else(|| id_of(before.as_ref()))
        .or_else(|| id_of(after.as_ref()));
    let state = |attributes| State::of_attributes(Some(attributes));
    resource.before = before.map(state);
    resource.after = after.map(state);
    let is_deferred = outer.contains_key("resource_change");
    let mut planned = of_actions(element, change);
    if is_deferred {
        planned.action = Action::Defer;
        planned.order = None;
    }
    resource.flags = resource
        .flags
        .with(planned.order.map_or(Flags::NONE, ReplaceOrder::flag), true)
        .with(Flags::MOVED, planned.previous_address.is_some())
        .with(Flags::IMPORTED, planned.importing.is_some())
        .with(
            Flags::TAINTED,
            planned
                .reasons
                .iter()
                .any(|reason| reason == "replace_because_tainted"),
        )
        .with(Flags::DEFERRED, is_deferred);
    // Without a change object nothing is planned, except that a move is visible.
    let is_planned = element.contains_key("change") || planned.previous_address.is_some();
    resource.change = (is_planned || is_deferred).then_some(planned);
    let fields = others(outer, SHOWN).chain(others(change, SHOWN));
    resource.fields = fields.collect();
    Ok(resource)
}

/// Both sides of a change. A place that either side's mask addresses by keys is hidden on both.
fn sides(change: &Map) -> (Option<Value>, Option<Value>) {
    let other = |value: Option<Value>, mask: &str| match (value, change.get(mask)) {
        (Some(value), Some(mask)) => Some(fold_other_side(&value, mask)),
        (value, _) => value,
    };
    (
        other(before(change), "after_sensitive"),
        other(after(change), "before_sensitive"),
    )
}

/// The masked value before a change; `None` if there was no value.
pub(crate) fn before(change: &Map) -> Option<Value> {
    let before = change.get("before").filter(|before| !before.is_null())?;
    Some(fold(before, None, change.get("before_sensitive")))
}

/// The masked value after a change; `None` if there will be no value.
pub(crate) fn after(change: &Map) -> Option<Value> {
    let unknown = change.get("after_unknown");
    let after = change.get("after").cloned().unwrap_or_default();
    if after.is_null() && !unknown.is_some_and(has_unknown) {
        return None;
    }
    Some(fold(&after, unknown, change.get("after_sensitive")))
}

fn of_actions(element: &Map, change: &Map) -> Change {
    let actions: Vec<&str> = texts(change, "actions").collect();
    let previous = text(element, "previous_address");
    let moved = !previous.is_empty() && previous != text(element, "address");
    let importing = object(change, "importing").map(|importing| {
        importing
            .get("id")
            .or_else(|| importing.get("identity"))
            .cloned()
            .unwrap_or_else(Value::computed)
    });
    let reason = text(element, "action_reason");
    let action = match action(&actions) {
        Action::Noop if importing.is_some() => Action::Import,
        Action::Noop if moved => Action::Move,
        action => action,
    };
    Change {
        order: order(&actions).filter(|_| action == Action::Replace),
        reasons: Some(reason.to_owned())
            .filter(|reason| !reason.is_empty())
            .into_iter()
            .collect(),
        replace_paths: items(change, "replace_paths").filter_map(path).collect(),
        previous_address: moved.then(|| previous.to_owned()),
        importing,
        ..Change::new(action, actions.join("+"))
    }
}

/// The order of a replacement, derived from the order of its actions.
pub(crate) fn order(actions: &[&str]) -> Option<ReplaceOrder> {
    let place = |wanted: &str| {
        let mut actions = actions.iter();
        actions.position(|action| action.eq_ignore_ascii_case(wanted))
    };
    let create = place("create")?;
    Some(match (place("delete"), place("forget")) {
        (Some(delete), _) if create < delete => ReplaceOrder::CreateFirst,
        (Some(_), _) => ReplaceOrder::DestroyFirst,
        (None, forget) if create < forget? => ReplaceOrder::CreateThenForget,
        (None, _) => ReplaceOrder::ForgetThenCreate,
    })
}

/// The action for a change's list of actions.
pub(crate) fn action(actions: &[&str]) -> Action {
    let has = |wanted| {
        actions
            .iter()
            .any(|action| action.eq_ignore_ascii_case(wanted))
    };
    if actions.len() > 1 && has("create") && (has("delete") || has("forget")) {
        return Action::Replace;
    }
    match actions.first().copied() {
        None | Some("no-op" | "open" | "renew" | "close") => Action::Noop,
        Some("unknown") => Action::Update,
        _ if has("delete") => Action::Delete,
        _ if has("create") => Action::Create,
        _ if has("forget") => Action::Forget,
        _ if has("read") => Action::Read,
        _ => Action::Update,
    }
}

/// Parses a path of steps: names and numbers.
fn path(steps: &Value) -> Option<Path> {
    steps.as_array()?.iter().map(Segment::of_json).collect()
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    identity::versions("plan", rest, envelope);
    let mut sensitive_outputs = HashSet::new();
    variables(rest, envelope);
    if flag(rest, "errored") {
        envelope.incomplete("errored", "planning failed: the plan is incomplete");
    }
    if let Some(configuration) = object(rest, "configuration") {
        let providers = object(configuration, "provider_config");
        let mut providers = providers.into_iter().flatten();
        if providers.any(|(_, provider)| {
            let name = provider.get("full_name").and_then(Value::as_str);
            name.is_some_and(identity::is_of_opentofu)
        }) {
            envelope.header.tool = Tool::OpenTofu;
        }
        let found = references::of_configuration(configuration, &envelope.header.hidden);
        if found.n_left_out > 0 {
            let message = format!("{} more references are not followed", found.n_left_out);
            envelope.note(Severity::Warning, "configuration", message);
        }
        sensitive_outputs = found.sensitive_outputs;
        envelope.references = found.edges;
        envelope.sensitive = found.sensitive;
        envelope.module_calls = found.module_calls;
        // A key missing from an incomplete configuration is unknown, not unset.
        if !flag(configuration, "incomplete") {
            envelope.expressions = found.expressions;
        }
    }
    outputs(rest, &sensitive_outputs, envelope);
    envelope.invocations = invocations::of_plan(rest, &envelope.header.hidden);
    envelope.fields(
        rest,
        &[
            "format_version",
            "terraform_version",
            "variables",
            "planned_values",
            "output_changes",
            "configuration",
            "resource_changes",
            "resource_drift",
            "deferred_changes",
            "prior_state",
            "action_invocations",
            "deferred_action_invocations",
        ],
    );
    check_notes(rest, envelope);
}

/// Reads the outputs. Those that read something `sensitive` are masked if the plan has no masks.
fn outputs(rest: &Map, sensitive: &HashSet<Arc<str>>, envelope: &mut Envelope) {
    let planned = object(rest, "planned_values").and_then(|values| object(values, "outputs"));
    // Old plans have no masks next to the values. Only the configuration says which outputs are sensitive.
    let declared = object(rest, "configuration")
        .and_then(|configuration| object(configuration, "root_module"))
        .and_then(|module| object(module, "outputs"));
    let is_sensitive = |name: &str| {
        let both = [planned, declared].into_iter().flatten();
        both.filter_map(|outputs| object(outputs, name))
            .any(|output| may_be(output, "sensitive"))
    };
    for (name, change) in object(rest, "output_changes").into_iter().flatten() {
        let Some(change) = change.as_map() else {
            continue;
        };
        let actions: Vec<&str> = texts(change, "actions").collect();
        let (mut before, mut after) = (before(change), after(change).unwrap_or_default());
        // If one side has no value but is hidden, the other side is hidden too.
        let masks = |side: &str| change.get(side).and_then(Value::as_bool) == Some(true);
        if before.is_none() && masks("before_sensitive") {
            after = after.with_secret(true);
        } else if after.is_null() && masks("after_sensitive") {
            before = before.map(|before| before.with_secret(true));
            after = after.with_secret(true);
        }
        // The masks of a plan are those of both sides. The planned value has its own.
        let planned_mask = planned
            .and_then(|outputs| object(outputs, name))
            .and_then(|output| output.get("sensitive"));
        let loses_mask =
            planned_mask.and_then(Value::as_bool) == Some(false) && !is_sensitive(name);
        let has_masks = change.contains_key("after_sensitive");
        if is_sensitive(name) || !has_masks && sensitive.contains(name) {
            before = before.map(|before| before.with_secret(true));
            after = after.with_secret(true);
        }
        if before.as_ref().is_some_and(Value::is_secret) && loses_mask && !after.is_null() {
            after = after.with_secret(false).with_mirrored_secret();
        }
        envelope.changing_output(name, before, after, action(&actions));
        if let (Some(output), Some(planned)) = (
            envelope.outputs.last_mut(),
            planned.and_then(|planned| object(planned, name)),
        ) {
            output.declared_type = planned
                .get("type")
                .map(crate::terraform::cty_json::type_text)
                .unwrap_or_default();
        }
    }
    let changing = object(rest, "output_changes");
    for (name, output) in planned.into_iter().flatten() {
        let known = changing.is_some_and(|changing| changing.contains_key(name));
        if let (Some(output), false) = (output.as_map(), known) {
            identity::output(name, output, envelope);
            let is_old = text(rest, "format_version").starts_with("0.");
            if let (Some(output), true) = (envelope.outputs.last_mut(), is_old) {
                let is_secret = output.value.is_secret() || sensitive.contains(name);
                output.value = std::mem::take(&mut output.value).with_secret(is_secret);
            }
        }
    }
}

/// Reads the variables. They are written in clear text, and the configuration says which are sensitive. A variable without a
/// declaration is masked. This covers plan files, which hold the configuration as HCL.
fn variables(rest: &Map, envelope: &mut Envelope) {
    let Some(variables) = object(rest, "variables") else {
        return;
    };
    let declared = object(rest, "configuration")
        .and_then(|configuration| object(configuration, "root_module"))
        .and_then(|module| object(module, "variables"));
    let shown: Map = variables
        .iter()
        .map(|(name, variable)| {
            let value = variable.get("value").cloned().unwrap_or_default();
            let secret = declared
                .and_then(|declared| object(declared, name))
                .is_none_or(|declared| {
                    may_be(declared, "sensitive") || may_be(declared, "ephemeral")
                });
            (name.clone(), value.with_secret(secret))
        })
        .collect();
    envelope
        .header
        .fields
        .push(("variables".to_owned(), Value::from(shown)));
}

/// Notes the failed checks.
pub(crate) fn check_notes(rest: &Map, envelope: &mut Envelope) {
    for check in items(rest, "checks").filter_map(Value::as_map) {
        if !matches!(text(check, "status"), "fail" | "error") {
            continue;
        }
        let place = object(check, "address").map_or("", |address| text(address, "to_display"));
        for instance in items(check, "instances").filter_map(Value::as_map) {
            for problem in items(instance, "problems").filter_map(Value::as_map) {
                envelope.quote(
                    Severity::Warning,
                    About::Check,
                    place,
                    text(problem, "message"),
                );
            }
        }
    }
}
