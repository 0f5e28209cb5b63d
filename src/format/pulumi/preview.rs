//! Pulumi previews: the digest that `pulumi preview --json` prints.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/backend/display/json.go`.

mod index;

use super::step::{self, Step, detailed};
use super::stored;
use crate::format::draft::{self, RowOrigin};
use crate::format::envelope::Envelope;
use crate::format::fields::{flag, items, kind, object, text, texts};
use crate::format::keys::{Fit, Keys};
use crate::format::table::{Format, Marks};
use crate::format::{Oddities, ReadError, Site, Target};
use crate::index::indexer::{Counted, Indexer};
use crate::index::scan::{Next, OutlineState};
use crate::index::walk::Odd;
use crate::json::Numbers;
use crate::json::tape::Cursor;
use crate::pulumi::color_tags;
use crate::render::copy::{End, Wanted, Written};
use crate::stack::{About, Flags, Kind, Resource, Severity};
use crate::value::Map;

pub(crate) const FORMAT: Format = Format {
    kind: Kind::PulumiPreview,
    title: "Pulumi preview",
    from: "`pulumi preview --json`",
    noun: "preview",
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
        output: None,
    }),
};

/// The parts of a preview, which are left out if they are empty.
const PARTS: &[&str] = &[
    "config",
    "steps",
    "diagnostics",
    "duration",
    "changeSummary",
    "maybeCorrupt",
];

/// Finds previews, and the summary that `--output json` prints.
fn fit(keys: &Keys) -> Option<Fit> {
    let has = |key: &str| keys.has(key);
    let n_parts = PARTS.iter().filter(|part| has(part)).count();
    let is_sure = has("steps[].op")
        || has("changeSummary")
        || has("resources[].urn") && has("resources[].op")
        || has("result") && has("summary") && has("duration")
        || keys.only(PARTS) && (n_parts > 1 || has("steps") || has("diagnostics"));
    is_sure.then_some(Fit::Sure)
}

fn sections(wanted: &Wanted<'_>) -> Vec<Vec<&'static str>> {
    let section = wanted.section_keys();
    let old = [vec!["oldState"], section.clone()].concat();
    match wanted.end {
        End::Before => vec![old],
        End::After | End::Unknown => vec![[vec!["newState"], section].concat(), old],
    }
}

fn outline(place: OutlineState, key: Option<&str>) -> Next {
    match (place, key) {
        // `--output json` prints the same list with less in each entry.
        (0, Some("steps" | "resources")) => Next::Enter(1),
        (1, None) => Next::Element(0),
        _ => Next::Keep,
    }
}

fn walk(site: Site<'_>, cursor: &mut Cursor<'_>, indexer: &mut Indexer) -> Result<(), Odd> {
    index::of_step(site.element, cursor, indexer)
}

fn index(site: Site<'_>, bytes: &[u8], indexer: &mut Indexer) {
    let entry = RowOrigin::whole(site, Counted::Resource);
    let mut oddities = Oddities::new();
    let outcome = steps(bytes, &mut oddities);
    if let Ok([step]) = outcome.as_deref()
        && let urn = text(step, "urn")
        && !urn.is_empty()
    {
        let (id, is_copy) = step::object(object(step, "oldState"), object(step, "newState"));
        indexer.object(urn, &id, is_copy);
        indexer.word(text(step, "op"), 1);
    }
    let outcome = outcome.map(|steps| of_steps(&steps));
    draft::add(indexer, outcome, &entry, &oddities);
}

fn read(_: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    steps(bytes, oddities).map(|steps| of_steps(&steps))
}

/// The steps of a change: one object, or a list of the objects that were found to be one change.
fn steps(bytes: &[u8], oddities: &mut Oddities) -> Result<Vec<Map>, ReadError> {
    let value = crate::format::parse_element(bytes, Numbers::Double, oddities)?;
    let steps: Option<Vec<Map>> = match value.as_array() {
        Some(steps) => steps.iter().map(|step| step.as_map().cloned()).collect(),
        None => value.as_map().cloned().map(|step| vec![step]),
    };
    steps.ok_or_else(|| ReadError::unexpected("the step", "an object", kind(&value)))
}

/// The resource that the steps are about.
fn of_steps(steps: &[Map]) -> Resource {
    let nothing = Map::default();
    let first = steps.first().unwrap_or(&nothing);
    let merged: Vec<Step> = steps.iter().map(of_step).collect();
    let mut resource = step::merge(text(first, "urn"), &merged);
    if resource.before.is_none() && resource.after.is_none() {
        if resource.ty.is_empty() {
            text(first, "type").clone_into(&mut resource.ty);
        }
        // A summary does not say whether it has a provider.
        resource.flags = resource.flags.without(Flags::COMPONENT);
        let parent = Some(text(first, "parent")).filter(|parent| !parent.is_empty());
        resource.parent = parent.map(str::to_owned);
    }
    let mut providers = steps.iter().map(|step| text(step, "provider"));
    if let Some(provider) = providers.find(|provider| !provider.is_empty()) {
        resource.provider = Some(provider.to_owned());
    }
    resource
}

fn of_step(step: &Map) -> Step {
    let unblinded = |key| {
        let state = stored::unblind(step.get(key)?);
        state.as_map().cloned()
    };
    let owned = |key| texts(step, key).map(str::to_owned).collect();
    Step {
        op: text(step, "op").to_owned(),
        old: unblinded("oldState"),
        new: unblinded("newState"),
        keys: owned("replaceReasons"),
        diffs: owned("diffReasons"),
        detailed: detailed(step.get("detailedDiff"), "kind"),
        ..Step::default()
    }
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    for diagnostic in items(rest, "diagnostics").filter_map(|item| item.as_map()) {
        let severity = match text(diagnostic, "severity") {
            // An error of the program is not an error of this file.
            "error" | "warning" => Severity::Warning,
            _ => Severity::Info,
        };
        let place = match text(diagnostic, "urn") {
            "" => "diagnostics",
            urn => urn,
        };
        let message = color_tags::strip(text(diagnostic, "message"));
        let about = match text(diagnostic, "severity") {
            "error" => About::Run,
            _ => About::File,
        };
        envelope.quote(severity, about, place, message.trim());
    }
    if flag(rest, "maybeCorrupt") {
        envelope.incomplete(
            "maybeCorrupt",
            "the preview may be incomplete: the program or a provider crashed",
        );
    }
    envelope.stored_fields(rest, &["steps", "resources", "diagnostics", "maybeCorrupt"]);
}
