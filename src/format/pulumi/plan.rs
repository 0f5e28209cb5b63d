//! Saved plans of Pulumi: `pulumi preview --save-plan`.
//!
//! A plan lists goals, as differences from the state before. A resource's proposed outputs (`state`) are its outputs
//! afterwards. The inputs that are added or updated are its inputs afterwards.
//!
//! # Source
//!
//! pulumi/pulumi `sdk/go/common/apitype/plan.go`.

use super::resource;
use super::step;
use super::stored;
use crate::format::draft::{self, RowOrigin};
use crate::format::envelope::Envelope;
use crate::format::fields::{object, text, texts};
use crate::format::keys::{Fit, Keys};
use crate::format::table::{Format, Marks};
use crate::format::{Oddities, ReadError, Site, Target, parse_object};
use crate::index::indexer::{Counted, Indexer};
use crate::index::scan::{Next, OutlineState};
use crate::json::Numbers;
use crate::pulumi::urn;
use crate::render::copy::{Wanted, Written};
use crate::stack::{Action, Change, Flags, Kind, ReplaceOrder, Resource, Section, State};
use crate::value::{Map, Payload, Value};

pub(crate) const FORMAT: Format = Format {
    kind: Kind::PulumiPlan,
    title: "Pulumi plan",
    from: "`pulumi preview --save-plan=FILE`",
    noun: "saved plan",
    versions: &[],
    marks: Marks::Keys(fit),
    outline,
    index,
    resource: read,
    envelope,
    translate: None,
    events: None,
    walk: None,
    written: Some(Written {
        sections,
        output: None,
    }),
};

fn fit(keys: &Keys) -> Option<Fit> {
    if keys.has_any(&["resourcePlans", "plan.resourcePlans", "plan.manifest"]) {
        return Some(Fit::Sure);
    }
    // A plan without resources; deployments have no configuration beside their manifest.
    (keys.has("manifest") && keys.has("config")).then_some(Fit::Likely)
}

fn sections(wanted: &Wanted<'_>) -> Vec<Vec<&'static str>> {
    match wanted.section {
        Section::Outputs => vec![vec!["state"]],
        // The inputs as a whole are nowhere in the file: two of its maps are one here.
        Section::Inputs if wanted.path.0.is_empty() => Vec::new(),
        Section::Inputs => ["updates", "adds"]
            .map(|part| vec!["goal", "inputDiff", part])
            .into(),
        Section::Options => vec![vec!["goal"]],
    }
}

fn outline(place: OutlineState, key: Option<&str>) -> Next {
    match (place, key) {
        (0, Some("plan")) => Next::Enter(0),
        (0, Some("resourcePlans")) => Next::Enter(1),
        (1, Some(_)) => Next::Element(0),
        _ => Next::Keep,
    }
}

fn index(site: Site<'_>, bytes: &[u8], indexer: &mut Indexer) {
    let urn = site.element.trail.last().map_or("", |urn| urn);
    let entry = RowOrigin {
        fallback: urn,
        ..RowOrigin::whole(site, Counted::Resource)
    };
    let mut oddities = Oddities::new();
    let outcome = of_plan(urn, bytes, &mut oddities);
    draft::add(indexer, outcome, &entry, &oddities);
}

fn read(target: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    of_plan(&target.urn(), bytes, oddities)
}

fn of_plan(urn: &str, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    let plan = parse_object("the plan", bytes, Numbers::Double, oddities)?;
    let goal = object(&plan, "goal").cloned().unwrap_or_default();
    let ty = match text(&goal, "type") {
        "" => urn::parts(urn).map_or("", |parts| parts.ty()),
        ty => ty,
    };
    let own = goal.clone().set("urn", urn.into()).set("type", ty.into());
    let mut resource = resource::read(&own);
    if !plan.contains_key("goal") {
        // The plan does not say whether it is a component.
        resource.flags = Flags::NONE
            .with(Flags::STACK, ty == crate::pulumi::urn::STACK_TYPE)
            .with(
                Flags::PROVIDER,
                ty.starts_with(crate::pulumi::urn::PROVIDER_TYPE),
            );
    }
    let steps: Vec<&str> = texts(&plan, "steps").collect();
    let state = plan.get("state").filter(|state| !state.is_null());
    let difference = |part| {
        let difference = goal.get(part).filter(|difference| !difference.is_null());
        difference.map(|difference| hidden_difference(difference, &goal))
    };
    let inputs = difference("inputDiff").map(|difference| result_of(&difference));
    let outputs = state.map(|state| resource::hide(stored::decode(state), &goal));
    let gone = !plan.contains_key("goal") && outputs.is_none();
    let options = resource.after.take().and_then(|goal| goal.options);
    resource.after = (!gone).then_some(State {
        inputs,
        outputs,
        options,
    });
    resource
        .fields
        .retain(|(key, _)| !matches!(&**key, "name" | "inputDiff" | "outputDiff"));
    for part in ["inputDiff", "outputDiff"] {
        let difference = difference(part);
        let is_empty = |difference: &Value| difference.as_map().is_some_and(Map::is_empty);
        if let Some(difference) = difference.filter(|difference| !is_empty(difference)) {
            resource.fields.push((part.into(), difference));
        }
    }
    let ops = || steps.iter().copied();
    let action = step::action(ops(), "");
    let order = step::order_of_halves(ops()).filter(|_| action == Action::Replace);
    resource.flags = resource
        .flags
        .with(Flags::IMPORTED, step::imports(ops()))
        .with(order.map_or(Flags::NONE, ReplaceOrder::flag), true);
    let is_several = steps.len() > 1;
    let words = steps.iter().filter(|_| is_several);
    resource.change = Some(Change {
        order,
        steps: words.map(|step| (*step).to_owned()).collect(),
        importing: goal
            .get("id")
            .filter(|id| id.as_str().is_some_and(|id| !id.is_empty()))
            .cloned(),
        ..Change::new(action, steps.join(" "))
    });
    Ok(resource)
}

/// The difference of a goal, with everything hidden that the goal declares to be secret.
fn hidden_difference(difference: &Value, goal: &Map) -> Value {
    let difference = stored::decode(difference);
    let Some(parts) = difference.as_map() else {
        return difference;
    };
    let mut hidden = parts.clone();
    for part in ["adds", "updates"] {
        if let Some(properties) = parts.get(part) {
            hidden = hidden.set(part, resource::hide(properties.clone(), goal));
        }
    }
    difference.with_payload(Payload::Map(hidden))
}

/// The properties that a difference adds or updates; secret as a whole if one of its parts is.
fn result_of(difference: &Value) -> Value {
    let parts = ["adds", "updates"].map(|part| difference.get(part));
    let parts = || parts.into_iter().flatten();
    let entries = parts().filter_map(Value::as_map).flatten();
    let properties = entries.map(|(key, value)| (key.clone(), value.clone()));
    let is_secret = difference.is_secret() || parts().any(Value::is_secret);
    Value::from(properties.collect::<Map>()).with_secret(is_secret)
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    let plan = object(rest, "plan").unwrap_or(rest);
    if let Some(manifest) = object(plan, "manifest") {
        text(manifest, "version").clone_into(&mut envelope.header.tool_version);
    }
    envelope.stored_fields(plan, &["resourcePlans"]);
}
