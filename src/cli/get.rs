//! `get`: prints a resource, or some of its values.

mod edit;

use std::fmt::Write as _;

use super::args::{GetArgs, WireForm};
use super::fleet::Form;
use super::{Console, EXIT_NO, Failure, ls, open};
use crate::load::Document;
use crate::load::keys::{Keys, KeysError};
use crate::load::remote::Address;
use crate::path::{Glob, Path};
use crate::pulumi::passphrase::{UnlockError, Unlocked};
use crate::pulumi::wire::{self, Redact, SecretKey, Secrets};
use crate::render::json;
use crate::render::plain;
use crate::stack::{
    ChooseError, Masks, Missing, MissingKind, Output, PropertySet, Resource, ResourceId, Section,
    Stack, When, lookup_all, matches,
};
use crate::text::{escaped, nearest};
use crate::value::{Array, Payload, Value};

/// Maximum number of names that are suggested if one is not found.
const MAX_SUGGESTIONS: usize = 8;

/// The beginning of the name of an output.
const OUTPUT: &str = "output.";

/// Maximum width of the column of paths, in cells.
const MAX_WIDTH: usize = 60;

pub(super) fn run(args: &GetArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let pattern = args.path.as_deref().map(parse_pattern).transpose()?;
    let edits = edit::parse(args)?;
    if let Some(text) = &args.path
        && pattern.as_ref().is_some_and(Glob::has_wildcard)
        && (args.wire.is_some() || !edits.is_empty())
    {
        return Err(Failure::usage(format!(
            "path `{text}`: --wire, --set and --delete need the path of one value, found a pattern"
        )));
    }
    let document = open::document(&args.file, console)?;
    if args.wire.is_some() && !document.stack.header.kind.is_pulumi() {
        return Err(Failure::usage(
            "--wire needs a file of Pulumi: other values have no wire form".to_owned(),
        ));
    }
    let masks = if args.reveal {
        Masks::Lift
    } else {
        Masks::Keep
    };
    let (found, resource) = if let Some(output) = output(&document.stack, &args.resource) {
        let pattern = pattern.clone().unwrap_or_default();
        (output_values(output, &pattern, args, masks)?, None)
    } else {
        let id = choose(&document, &args.file, &args.resource, console)?;
        let resource = read(&document, id)?;
        let is_whole = args.of.is_none() && pattern.is_none();
        if is_whole && args.wire.is_none() && edits.is_empty() {
            return print_resource(&document, id, &resource, args, console);
        }
        let pattern = pattern.clone().unwrap_or_default();
        let found = lookup_all(&resource, &pattern, args.of.unwrap_or_default(), masks)
            .map_err(|missing| missing_path(args, &pattern, &missing))?;
        (found, Some(resource))
    };
    if pattern.is_some_and(|pattern| pattern.has_wildcard()) {
        return print_matches(&document.stack, found, args, console);
    }
    let Some((path, mut value)) = found.into_iter().next() else {
        return Ok(EXIT_NO);
    };
    if !edits.is_empty() {
        let input = open::keyed(open::input(&args.file)?, console);
        let target = edit::Target::new(&document, &input, resource.as_ref(), &path)?;
        value = target.apply(&edits, value)?;
    }
    if let Some(form) = args.wire {
        return print_wire(&document.stack, value, form, args, console);
    }
    let value = shown(&document.stack, value, args, console)?;
    if args.json {
        return console.answer(0, |out| json::write(out, &value));
    }
    let text = plain::value(&value, document.stack.header.kind.unknown());
    console.print(0, &format!("{text}\n"))
}

/// Prints the values that a pattern names, each with its path.
fn print_matches(
    stack: &Stack,
    found: Vec<(Path, Value)>,
    args: &GetArgs,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let (paths, values): (Vec<Path>, Vec<Value>) = found.into_iter().unzip();
    // As one value, so that the key is derived once.
    let values = shown(stack, values.into(), args, console)?;
    let paths = paths.iter().map(Path::to_tolerant);
    let rows: Vec<_> = paths.zip(values.as_array().into_iter().flatten()).collect();
    let objects = rows.iter();
    let objects = objects.map(|(path, value)| json::object(&[("path", path), ("value", value)]));
    console.rows((Form::of(args.json), 0), objects, |_| {
        let unknown = stack.header.kind.unknown();
        let cells = rows.iter();
        let cells = cells.map(|(path, value)| [escaped(path), plain::line(value, unknown)]);
        plain::columns(&cells.collect::<Vec<_>>(), MAX_WIDTH)
    })
}

/// Prints `value` in a form of the wire; secrets are left out unless they are to be revealed.
fn print_wire(
    stack: &Stack,
    value: Value,
    form: WireForm,
    args: &GetArgs,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let value = if args.reveal {
        opened(stack, value, console)?
    } else {
        value
    };
    let form = match (form, args.reveal) {
        (WireForm::Wire, true) => wire::encode(&value, SecretKey::Value),
        (WireForm::Wire, false) => wire::encode(&value, SecretKey::Masked),
        (WireForm::State, true) => wire::encode_state(&value, Secrets::Show),
        (WireForm::State, false) => wire::encode_state(&value, Secrets::Encrypt(&Redact)),
    };
    console.answer(0, |out| json::write(out, &form))
}

/// Parses the path or pattern that a person typed.
fn parse_pattern(text: &str) -> Result<Glob, Failure> {
    Glob::parse_tolerant(text).map_err(|error| Failure::usage(format!("path `{text}`: {error}")))
}

/// The resource with the name `text`. Prints a remark if it is one of several.
pub(super) fn choose(
    document: &Document,
    file: &std::path::Path,
    text: &str,
    console: &mut Console<'_>,
) -> Result<ResourceId, Failure> {
    let stack = &document.stack;
    let file = Address::public(file);
    let file = file.display();
    let (message, detail) = match stack.choose(text) {
        Ok(choice) => {
            if choice.n_equal > 1 {
                let n = choice.n_equal;
                console.remark(&format!(
                    "{text} matches {n} resources; `{text}#1` to `#{n}` choose one"
                ));
            }
            return Ok(choice.id);
        }
        Err(ChooseError::None) => (
            format!("{file}: no resource has the name `{text}`"),
            similar(stack, text),
        ),
        Err(ChooseError::Several(ids)) => {
            let n = ids.len();
            (
                format!("{file}: {n} resources have the name `{text}`, expected one"),
                listed(stack, &ids),
            )
        }
    };
    Err(Failure::No { message, detail })
}

pub(super) fn read(document: &Document, id: ResourceId) -> Result<Resource, Failure> {
    document.resource(id).map_err(|source| Failure::Read {
        file: document.stack.identity(id),
        source,
    })
}

fn listed(stack: &Stack, ids: &[ResourceId]) -> Vec<String> {
    let mut lines: Vec<_> = ids
        .iter()
        .take(MAX_SUGGESTIONS)
        .map(|id| stack.identity(*id))
        .collect();
    if ids.len() > MAX_SUGGESTIONS {
        lines.push(format!("… {} more", ids.len() - MAX_SUGGESTIONS));
    }
    lines
}

/// Outputs and resources with a similar name.
fn similar(stack: &Stack, text: &str) -> Vec<String> {
    let output = text.strip_prefix(OUTPUT).and_then(|name| {
        let names = stack.outputs.iter().map(|output| &*output.name);
        nearest(name, names).map(|name| format!("{OUTPUT}{name}"))
    });
    let ids = stack.similar(text, MAX_SUGGESTIONS);
    let mut lines: Vec<String> = output.into_iter().chain(listed(stack, &ids)).collect();
    if !lines.is_empty() {
        lines.insert(0, "similar names:".to_owned());
    }
    lines
}

/// The stack output for `output.NAME`, unless a resource has that name.
fn output<'s>(stack: &'s Stack, text: &str) -> Option<&'s Output> {
    let name = text.strip_prefix(OUTPUT)?;
    let output = stack.outputs.iter().find(|output| &*output.name == name)?;
    stack.find(text).is_empty().then_some(output)
}

fn output_values(
    output: &Output,
    pattern: &Glob,
    args: &GetArgs,
    masks: Masks,
) -> Result<Vec<(Path, Value)>, Failure> {
    let before = output.before.clone().unwrap_or_default();
    let (top, other) = match args.of.unwrap_or_default().places().next() {
        Some(PropertySet {
            when: When::Before, ..
        }) => (&before, &output.value),
        _ => (&output.value, &before),
    };
    matches(top, Some(other), pattern, masks).map_err(|(n_steps, why)| {
        let place = PropertySet {
            when: When::After,
            section: Section::Outputs,
        };
        let missing = Missing {
            nearest: pattern.first(n_steps),
            place: Some(place),
            alike: why.near(pattern, n_steps).map(|key| (place, key)),
            why,
        };
        missing_path(args, pattern, &missing)
    })
}

fn missing_path(args: &GetArgs, pattern: &Glob, missing: &Missing) -> Failure {
    let mut detail = Vec::new();
    let Some(place) = missing.place else {
        let why = args.of.map_or_else(
            || missing.why.to_string(),
            |of| format!("`{of}` is empty for this resource"),
        );
        return Failure::no(format!("{}: {why}", args.resource));
    };
    if let MissingKind::NoKey(keys) = &missing.why {
        let mut shown: Vec<_> = keys
            .iter()
            .take(MAX_SUGGESTIONS)
            .map(String::as_str)
            .collect();
        if keys.len() > MAX_SUGGESTIONS {
            shown.push("…");
        }
        detail.push(if shown.is_empty() {
            "it has no keys".to_owned()
        } else {
            format!("its keys: {}", shown.join(", "))
        });
    }
    let alike = match &missing.alike {
        Some((other, key)) if *other != place => format!("; `{key}` in {other} is alike"),
        Some((_, key)) => format!("; `{key}` is alike"),
        None => String::new(),
    };
    Failure::No {
        message: format!(
            "{}: no {} in {place}; the nearest that exists is {}: {}{alike}",
            args.resource,
            pattern.to_tolerant(),
            missing.nearest.to_tolerant(),
            missing.why
        ),
        detail,
    }
}

/// Decrypts every ciphertext that the stack's passphrase opens. Prints a remark if one stays encrypted, and why.
fn opened(stack: &Stack, value: Value, console: &mut Console<'_>) -> Result<Value, Failure> {
    if !value.any(|it| matches!(it.payload(), Payload::Sealed(_))) {
        return Ok(value);
    }
    let (value, n_sealed) = match unlock(stack, console) {
        Some(Ok(unlocked)) => unlocked.unseal(&value),
        Some(Err(KeysError::Unlock(UnlockError::Passphrase))) => {
            return Err(Failure::no("incorrect passphrase".to_owned()));
        }
        Some(Err(error)) => {
            console.remark(&error.to_string());
            return Ok(value);
        }
        None => (value, 1),
    };
    if n_sealed > 0 {
        console.remark("the file does not hold the plaintext of this secret");
    }
    Ok(value)
}

/// The key of the stack; `None` if the file does not name a secrets provider.
fn unlock(stack: &Stack, console: &Console<'_>) -> Option<Result<Unlocked, KeysError>> {
    let provider = stack.secrets_provider()?;
    Some(match &console.keys {
        Some(keys) => keys.unlock(provider),
        None => Keys::of_environment().and_then(|keys| keys.unlock(provider)),
    })
}

/// The value as it is printed: revealed, if that is wanted.
fn shown(
    stack: &Stack,
    value: Value,
    args: &GetArgs,
    console: &mut Console<'_>,
) -> Result<Value, Failure> {
    if !args.reveal {
        return Ok(value);
    }
    Ok(revealed(&opened(stack, value, console)?))
}

/// The value without any secret markers, at any depth, for `--reveal`.
pub(super) fn revealed(value: &Value) -> Value {
    value.reveal().with_parts(|_, it| revealed(it))
}

fn print_resource(
    document: &Document,
    id: ResourceId,
    resource: &Resource,
    args: &GetArgs,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    let value = resource_json(document, id, resource);
    let value = shown(&document.stack, value, args, console)?;
    if args.json {
        return console.answer(0, |out| json::write(out, &value));
    }
    let mut out = String::new();
    let unknown = document.stack.header.kind.unknown();
    for (key, value) in value.as_map().into_iter().flatten() {
        let text = match value.payload() {
            // Lines of a message are indented, so that no text of the file looks like a field.
            Payload::String(text) if !value.is_secret() => {
                let text = text.to_str_lossy();
                let lines: Vec<String> = text.split('\n').map(escaped).collect();
                lines.join("\n                ")
            }
            Payload::Array(items)
                if !value.is_secret()
                    && items
                        .iter()
                        .all(|item| !item.is_secret() && item.as_str().is_some()) =>
            {
                let texts = items.iter().filter_map(Value::as_str);
                texts.map(escaped).collect::<Vec<_>>().join(", ")
            }
            _ => plain::value(value, unknown),
        };
        // Writing to a string cannot fail.
        _ = writeln!(out, "{}  {text}", plain::padded(&escaped(key), 14));
    }
    console.print(0, &out)
}

/// The whole resource: the fields of `ls --json`, its properties, its change, and every other field of the file.
pub(super) fn resource_json(document: &Document, id: ResourceId, resource: &Resource) -> Value {
    let fields = ls::as_json(&document.stack, id);
    let mut map = fields.as_map().cloned().unwrap_or_default();
    if let Some(id) = &resource.id {
        map = map.set("id", id.clone());
    }
    if let Some(change) = &resource.change {
        map = map.set("change", change.own_words.as_str().into());
        if !change.reasons.is_empty() {
            let reasons = change.reasons.iter().map(|it| it.as_str().into());
            map = map.set("reasons", reasons.collect::<Array>().into());
        }
    }
    for (prefix, when) in [("", When::After), ("before.", When::Before)] {
        for section in [Section::Inputs, Section::Outputs] {
            if let Some(value) = (PropertySet { when, section }).shown_of(resource) {
                map = map.set(format!("{prefix}{section}"), value);
            }
        }
    }
    for (key, value) in &resource.fields {
        if !map.contains_key(key) {
            map = map.set(key.clone(), value.clone());
        }
    }
    map.into()
}
