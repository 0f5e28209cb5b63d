//! Two files as one plan from the first to the second, for the explorer: what it does with a plan it then does with their difference.
//!
//! States of Pulumi become the steps of a preview, everything of Terraform the changes of a plan. The plan is in memory only, and holds what
//! the files hold: secrets with their masks beside them.

use std::fmt::Write as _;

use super::compare;
use crate::cli::{Failure, get, ls};
use crate::json;
use crate::load::{Document, Input};
use crate::objchange::diff::Diff;
use crate::render::json::object;
use crate::stack::{Kind, Mode, Resource, ResourceId, Section, State};
use crate::value::{Array, Map, Payload, Value};
use crate::wire::{Secrets, encode_state};

/// Resources that are the same are part of the plan up to this many, so that a changed one is seen where it belongs.
const MAX_SAME: usize = 20_000;

/// The plan from `old` to `new`.
pub(in crate::cli) fn input(
    old: &Document,
    new: &Document,
    name: String,
) -> Result<Input, Failure> {
    let is_pulumi = new.stack.header.kind.is_pulumi();
    let mut text = if is_pulumi {
        String::from("{\"steps\":[")
    } else {
        let header = object([
            ("format_version", Some("1.2".into())),
            (
                "terraform_version",
                Some(new.stack.header.tool_version.as_str().into()),
            ),
        ]);
        let mut text = json::to_compact(&header);
        text.pop();
        text.push_str(",\"resource_changes\":[");
        text
    };
    let (mut n_entries, mut n_same) = (0, 0);
    for (before, after) in compare::pairs(&old.stack, &new.stack)? {
        let sides = Sides {
            old,
            before,
            new,
            after,
        };
        let is_same = sides.is_same();
        n_same += usize::from(is_same);
        if is_same && n_same > MAX_SAME {
            continue;
        }
        text.push_str(if n_entries == 0 { "\n" } else { ",\n" });
        if is_pulumi {
            sides.push_step(&mut text, is_same)?;
        } else {
            sides.push_change(&mut text, is_same)?;
        }
        n_entries += 1;
    }
    text.push(']');
    if !is_pulumi {
        text.push_str(",\"output_changes\":");
        text.push_str(&json::to_compact(&output_changes(old, new)));
    }
    text.push('}');
    Ok(Input::Bytes {
        name,
        bytes: text.into_bytes().into(),
    })
}

struct Sides<'d> {
    old: &'d Document,
    before: Option<ResourceId>,
    new: &'d Document,
    after: Option<ResourceId>,
}

impl Sides<'_> {
    fn is_same(&self) -> bool {
        match (self.before, self.after) {
            (Some(before), Some(after)) => {
                compare::has_same_bytes(self.old, before, self.new, after)
            }
            _ => false,
        }
    }

    /// The file that has the resource last, and its number there.
    fn last(&self) -> (&Document, ResourceId) {
        match (self.before, self.after) {
            (_, Some(after)) => (self.new, after),
            (Some(before), None) => (self.old, before),
            (None, None) => unreachable!("a pair has a side"),
        }
    }

    fn read(&self) -> Result<(Option<Resource>, Option<Resource>), Failure> {
        let read = |document: &Document, id: Option<ResourceId>| {
            id.map(|id| get::read(document, id)).transpose()
        };
        Ok((read(self.old, self.before)?, read(self.new, self.after)?))
    }

    fn push_change(&self, text: &mut String, is_same: bool) -> Result<(), Failure> {
        let (document, id) = self.last();
        let (before, after) = self.read()?;
        let (before, after) = (attributes(before.as_ref()), attributes(after.as_ref()));
        let stack = &document.stack;
        let name = stack.name(id);
        let (address, deposed) = match name
            .strip_suffix(')')
            .and_then(|name| name.split_once(" (deposed "))
        {
            Some((address, key)) => (address, Some(key)),
            None => (name, None),
        };
        let module = stack.record(id).group;
        let module = module.map(|group| stack.tables.group(group).path.as_ref().into());
        let entry = object([
            ("address", Some(address.into())),
            ("module_address", module),
            ("mode", Some(ls::mode(stack, id).into())),
            ("type", Some(stack.ty(id).into())),
            (
                "provider_name",
                Some(provider_name(stack.provider(id)).into()),
            ),
            ("deposed", deposed.map(Value::from)),
            ("change", Some(change(&before, &after, is_same))),
        ]);
        text.push_str(&json::to_compact(&entry));
        Ok(())
    }

    fn push_step(&self, text: &mut String, is_same: bool) -> Result<(), Failure> {
        let (document, id) = self.last();
        let mut head = json::to_compact(&object([
            ("op", Some(self.op(is_same).into())),
            ("urn", Some(document.stack.urn(id).into())),
        ]));
        head.pop();
        text.push_str(&head);
        let sides = [
            ("oldState", self.old, self.before),
            ("newState", self.new, self.after),
        ];
        for (key, document, id) in sides {
            if let Some(id) = id {
                // A string takes everything.
                _ = write!(text, ",\"{key}\":{}", state(document, id)?);
            }
        }
        text.push('}');
        Ok(())
    }

    fn op(&self, is_same: bool) -> &'static str {
        match (self.before, self.after) {
            _ if is_same => "same",
            (None, _) => "create",
            (_, None) => "delete",
            _ => "update",
        }
    }
}

/// A resource as the state of a step.
fn state(document: &Document, id: ResourceId) -> Result<String, Failure> {
    let stack = &document.stack;
    if stack.header.kind == Kind::PulumiState {
        let bytes = document.source.read(stack.record(id).span);
        let text = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(text) = text {
            return Ok(text);
        }
    }
    let resource = get::read(document, id)?;
    let current = resource.current();
    let section = |section: Section| {
        let value = current.and_then(|state| state.section(section))?;
        Some(encode_state(value, Secrets::Show))
    };
    let is_custom = !matches!(resource.mode, Mode::Component | Mode::Stack);
    let mut map: Map = resource
        .fields
        .iter()
        .map(|(key, value)| (key.clone(), encode_state(value, Secrets::Show)))
        .collect();
    let own = [
        ("urn", Some(resource.urn.as_str().into())),
        ("custom", Some(is_custom.into())),
        ("type", Some(resource.ty.as_str().into())),
        ("id", resource.id.as_ref().map(get::revealed)),
        ("parent", resource.parent.as_deref().map(Value::from)),
        ("provider", resource.provider.as_deref().map(Value::from)),
        ("inputs", section(Section::Inputs)),
        ("outputs", section(Section::Outputs)),
    ];
    for (key, value) in own {
        if let Some(value) = value {
            map = map.set(key, value);
        }
    }
    Ok(json::to_compact(&map.into()))
}

fn attributes(resource: Option<&Resource>) -> Value {
    resource
        .and_then(Resource::current)
        .and_then(|state: &State| state.outputs.clone())
        .unwrap_or_default()
}

/// `registry.terraform.io/hashicorp/aws` of `module.a.provider["registry.terraform.io/hashicorp/aws"].west`.
fn provider_name(provider: &str) -> &str {
    provider
        .split_once("provider[\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or(provider, |(name, _)| name)
}

fn change(before: &Value, after: &Value, is_same: bool) -> Value {
    let action = match (before.is_null(), after.is_null()) {
        _ if is_same || before == after => "no-op",
        (true, _) => "create",
        (_, true) => "delete",
        _ => "update",
    };
    object([
        ("actions", Some(vec![action.into()].into())),
        ("before", Some(get::revealed(before))),
        ("after", Some(get::revealed(after))),
        ("after_unknown", Some(mask(after, &Value::is_computed))),
        ("before_sensitive", Some(mask(before, &Value::is_secret))),
        ("after_sensitive", Some(mask(after, &Value::is_secret))),
    ])
}

/// True where `holds`, in the shape of the value.
fn mask(value: &Value, holds: &dyn Fn(&Value) -> bool) -> Value {
    if holds(value) {
        return true.into();
    }
    match value.payload() {
        Payload::Map(map) => {
            let masks = map
                .iter()
                .map(|(key, value)| (key.clone(), mask(value, holds)));
            masks
                .filter(|(_, mask)| mask.as_bool() != Some(false))
                .collect::<Map>()
                .into()
        }
        Payload::Array(items) => {
            let masks = items.iter().map(|item| mask(item, holds));
            masks.collect::<Array>().into()
        }
        _ => false.into(),
    }
}

fn output_changes(old: &Document, new: &Document) -> Value {
    let changes = compare::outputs(&old.stack, &new.stack);
    let entry = |diff: &Diff| change(&diff.before, &diff.after, false);
    changes
        .iter()
        .map(|change| (change.name.as_str(), entry(&change.part.diff)))
        .collect::<Map>()
        .into()
}
