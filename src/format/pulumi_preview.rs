//! Pulumi previews: the digest that `pulumi preview --json` prints.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/backend/display/json.go`.

use super::draft::{self, Entry};
use super::envelope::Envelope;
use super::fields::{flag, items, kind, text, texts};
use super::pulumi_step::{action, detailed};
use super::scan::{Element, Next, Place};
use super::sheet::{Counted, Sheet};
use super::stored;
use super::{Context, Format, Oddities, ReadError, Target};
use crate::json::Numbers;
use crate::path::{Path, Segment};
use crate::stack::{Change, Flags, Kind, Note, Resource, Severity};
use crate::value::Map;

pub(super) const FORMAT: Format = Format {
    kind: Kind::PulumiPreview,
    title: "Pulumi preview",
    from: "`pulumi preview --json`",
    outline,
    index,
    resource: read,
    envelope,
    translate: None,
    events: None,
    walk: None,
};

fn outline(place: Place, key: Option<&str>) -> Next {
    match (place, key) {
        // What `--output json` prints has a list of the same, with less in each.
        (0, Some("steps" | "resources")) => Next::Enter(1),
        (1, None) => Next::Element(0),
        _ => Next::Keep,
    }
}

fn index(element: &Element, bytes: &[u8], _: &Context, sheet: &mut Sheet) {
    let entry = Entry {
        element,
        counted: Counted::Resource,
        span: None,
        fallback: "",
    };
    let mut oddities = Oddities::new();
    let outcome = step(bytes, &mut oddities);
    draft::add(sheet, outcome, &entry, &oddities);
}

fn read(_: &Target<'_>, bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    step(bytes, oddities)
}

fn step(bytes: &[u8], oddities: &mut Oddities) -> Result<Resource, ReadError> {
    let value = super::parse_element(bytes, Numbers::Double, oddities)?;
    let Some(step) = value.as_map() else {
        return Err(ReadError::unexpected("the step", "an object", kind(&value)));
    };
    Ok(of_step(step))
}

/// The resource that a step is about.
fn of_step(step: &Map) -> Resource {
    let blinded = |key| {
        let state = stored::unblind(step.get(key)?);
        state.as_map().cloned()
    };
    let (old, new) = (blinded("oldState"), blinded("newState"));
    let op = text(step, "op");
    let mut resource = super::pulumi_step::between(text(step, "urn"), old.as_ref(), new.as_ref());
    if old.is_none() && new.is_none() {
        if resource.ty.is_empty() {
            text(step, "type").clone_into(&mut resource.ty);
        }
        // Whether it has a provider, a summary does not say.
        resource.flags = resource.flags.without(Flags::COMPONENT);
        let parent = Some(text(step, "parent")).filter(|parent| !parent.is_empty());
        resource.parent = parent.map(str::to_owned);
    }
    if let Some(provider) = Some(text(step, "provider")).filter(|provider| !provider.is_empty()) {
        resource.provider = Some(provider.to_owned());
    }
    let reasons: Vec<String> = texts(step, "replaceReasons").map(str::to_owned).collect();
    resource.change = Some(Change {
        action: action(op),
        own_words: op.to_owned(),
        replace_paths: reasons
            .iter()
            .map(|key| Path(vec![Segment::from(&**key)]))
            .collect(),
        reasons,
        diff_keys: texts(step, "diffReasons").map(str::to_owned).collect(),
        detailed: detailed(step.get("detailedDiff"), "kind"),
        previous_address: None,
        importing: None,
    });
    resource
}

fn envelope(rest: &Map, envelope: &mut Envelope) {
    for diagnostic in items(rest, "diagnostics").filter_map(|item| item.as_map()) {
        let severity = match text(diagnostic, "severity") {
            // An error of the program is no trouble of this file.
            "error" | "warning" => Severity::Warning,
            _ => Severity::Info,
        };
        let place = match text(diagnostic, "urn") {
            "" => "diagnostics",
            urn => urn,
        };
        envelope.notes.push(Note {
            severity,
            place: place.to_owned(),
            message: text(diagnostic, "message").trim().to_owned(),
            resource: None,
        });
    }
    if flag(rest, "maybeCorrupt") {
        envelope.note(
            Severity::Warning,
            "maybeCorrupt",
            "the preview may be incomplete: the program or a provider crashed".to_owned(),
        );
    }
    envelope.stored_fields(rest, &["steps", "resources", "diagnostics", "maybeCorrupt"]);
}
