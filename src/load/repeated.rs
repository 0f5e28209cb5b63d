//! Texts of a file that repeat a secret of one of its resources: diagnostics, failed checks, errors of providers.
//!
//! Messages may come before the secrets that they repeat, so they are checked at the end of the file. Only then, and only if
//! there are messages, the resources with secrets are read once more. Reading is bounded: beyond [`MAX_READ`] any message may
//! repeat a secret.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::collect::Collector;
use super::workers::{in_parts, n_workers};
use crate::change::secret_texts::Filter;
use crate::format::envelope::Envelope;
use crate::format::log_secrets::{HIDDEN, LogSecrets, Messages};
use crate::format::{self, MESSAGES, Source};
use crate::path::{Path, Segment, children};
use crate::stack::{Flags, Note, Resource, ResourceId, Stack};
use crate::terraform::address::{ObjectName, config_address};
use crate::value::{Payload, Value};

/// Maximum number of bytes of resources that are read for their secrets.
const MAX_READ: u64 = 256 << 20;

/// Number of resources that are worth a thread.
const LEAST: usize = 64;

/// The fields of a header with messages.
const CHECKS: [&str; 2] = ["check_results", "checks"];

/// The keys of messages in them.
const MESSAGE_KEYS: [&str; 2] = ["message", "failure_messages"];

/// The field of a header with paths of resources.
const RELEVANT: &str = "relevant_attributes";

/// The resources whose secrets a text of the envelope may repeat.
pub(super) struct Hiding {
    /// The resources that may have secrets or messages.
    stack: Stack,
    /// Their ids in the whole stack.
    ids: Vec<ResourceId>,
    has_messages: bool,
    has_relevant: bool,
}

impl Hiding {
    /// `None` if the envelope has no text that may repeat a secret.
    pub(super) fn of(envelope: &Envelope, collector: &mut Collector) -> Option<Self> {
        let fields = &envelope.header.fields;
        let mut checks = fields.iter().filter(|(name, _)| CHECKS.contains(&&**name));
        let has_messages = !envelope.quotes.is_empty()
            || checks.any(|(_, checks)| has_message(checks, false))
            || collector.has_messages();
        let has_relevant = fields.iter().any(|(name, _)| name == RELEVANT);
        (has_messages || has_relevant).then(|| {
            let (mut stack, ids) = collector.take_hiding(&envelope.header);
            stack.sensitive = Arc::new(envelope.sensitive.iter().cloned().collect());
            Self {
                stack,
                ids,
                has_messages,
                has_relevant,
            }
        })
    }
}

/// Hides the messages in an envelope that repeat a secret. Returns the resources with such messages.
pub(super) fn hide(
    envelope: &mut Envelope,
    hiding: &Hiding,
    source: &dyn Source,
) -> HashSet<ResourceId> {
    let stack = &hiding.stack;
    if hiding.has_relevant {
        cut_relevant(envelope, stack, source);
    }
    if !hiding.has_messages {
        return HashSet::new();
    }
    // Messages of providers are in the resources themselves.
    let all = stack.ids().zip(&hiding.ids);
    let failed = all.filter(|(id, _)| stack.record(*id).flags.contains(Flags::INIT_ERRORS));
    let failed = failed.filter_map(|(id, own)| {
        let resource = format::resource(stack, id, source).ok()?;
        Some((messages_of(&resource), *own))
    });
    let failed: Vec<(Vec<Value>, ResourceId)> = failed.collect();
    let quotes = &envelope.quotes;
    // A secret may be too short to be found in a longer message: the quote counts, not the words before it.
    let quote = |(index, note): (usize, &Note)| {
        let start = quotes.get(&index).copied().unwrap_or(0);
        note.message[start..].to_owned()
    };
    let mut texts: Vec<String> = envelope.notes.iter().enumerate().map(quote).collect();
    let checks = envelope.header.fields.iter();
    let checks = checks.filter(|(name, _)| CHECKS.contains(&&**name));
    let others = failed.iter().flat_map(|(messages, _)| messages);
    for value in checks.map(|(_, checks)| checks).chain(others) {
        Messages::texts_of(value, &mut texts);
    }
    let messages = Messages::new(texts.into_iter());
    let mut secrets = secrets(envelope, stack, source, &messages);
    if secrets.is_empty() {
        return HashSet::new();
    }
    for (index, note) in envelope.notes.iter_mut().enumerate() {
        let start = envelope.quotes.get(&index).copied().unwrap_or(0);
        if secrets.are_in(&note.message[start..]) {
            note.message.replace_range(start.., HIDDEN);
        }
    }
    for (name, value) in &mut envelope.header.fields {
        if CHECKS.contains(&&**name) {
            *value = secrets.hide(None, value);
        }
    }
    let mut repeats = |messages: &[Value]| {
        messages
            .iter()
            .any(|it| secrets.hide(None, it).has_secrets())
    };
    let repeating = failed.iter().filter(|(messages, _)| repeats(messages));
    repeating.map(|(_, id)| *id).collect()
}

/// The messages of a resource.
fn messages_of(resource: &Resource) -> Vec<Value> {
    let fields = resource.fields.iter();
    let messages = fields.filter(|(key, _)| MESSAGES.contains(&&**key));
    messages.map(|(_, value)| value.clone()).collect()
}

/// True if one of the checks has a message. A check that passed has none.
fn has_message(checks: &Value, is_message: bool) -> bool {
    if let Some(text) = checks.as_str() {
        return is_message && !text.is_empty();
    }
    children(checks).any(|(segment, inner)| {
        let is_named = matches!(&segment, Segment::Key(key) if MESSAGE_KEYS.contains(&&**key));
        has_message(inner, is_message || is_named)
    })
}

/// True if the file calls something in a resource secret.
fn may_hide(stack: &Stack, id: ResourceId) -> bool {
    if stack.record(id).flags.contains(Flags::SECRET) || !stack.header.hidden.is_empty() {
        return true;
    }
    let address = ObjectName::parse(stack.name(id)).address;
    !stack.sensitive.is_empty() && stack.sensitive.contains_key(&*config_address(address))
}

/// The secrets of the file that a message may repeat.
fn secrets(
    envelope: &Envelope,
    stack: &Stack,
    source: &dyn Source,
    messages: &Messages,
) -> LogSecrets {
    let mut secrets = LogSecrets::default();
    for output in &envelope.outputs {
        for value in [Some(&output.value), output.before.as_ref()]
            .into_iter()
            .flatten()
        {
            secrets.take(value);
        }
    }
    for (_, value) in &envelope.header.fields {
        secrets.take(value);
    }
    let mut n_read = 0;
    let mut ids: Vec<ResourceId> = stack.ids().filter(|id| may_hide(stack, *id)).collect();
    let is_beyond = |id: &ResourceId| {
        n_read += u64::from(stack.record(*id).span.len);
        n_read > MAX_READ
    };
    if let Some(end) = ids.iter().position(is_beyond) {
        ids.truncate(end);
        secrets.have_more();
    }
    let texts = |part: &[ResourceId]| texts_of(part, stack, source, messages);
    let found = in_parts(&ids, (n_workers(), LEAST), &texts);
    for text in found.into_iter().flatten() {
        secrets.take_text(text);
    }
    secrets
}

/// The secret texts of those resources that have a text which a message may repeat.
fn texts_of(
    ids: &[ResourceId],
    stack: &Stack,
    source: &dyn Source,
    messages: &Messages,
) -> Vec<String> {
    let (mut texts, mut bytes) = (Vec::new(), Vec::new());
    for id in ids {
        let outcome = source.read_into(stack.record(*id).span, &mut bytes);
        if outcome.is_ok() && !messages.may_repeat(&bytes) {
            continue;
        }
        if let Ok(resource) = format::resource(stack, *id, source) {
            texts.extend(format::secret_texts(&resource));
        }
    }
    texts
}

/// Cuts the paths in the list of relevant attributes at the first secret on their way: the keys below it are part of it.
fn cut_relevant(envelope: &mut Envelope, stack: &Stack, source: &dyn Source) {
    let fields = envelope.header.fields.iter_mut();
    let Some((_, relevant)) = fields.into_iter().find(|(name, _)| name == RELEVANT) else {
        return;
    };
    let mut by_address: HashMap<&str, Vec<ResourceId>> = HashMap::new();
    for id in stack.ids().filter(|id| may_hide(stack, *id)) {
        by_address.entry(stack.name(id)).or_default().push(id);
    }
    let Payload::Array(items) = relevant.payload().clone() else {
        return;
    };
    // By resource: the entries about it, so that each is read once.
    let mut wanted: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        let address = item.get("resource").and_then(Value::as_str);
        let steps = item.get("attribute").and_then(Value::as_array);
        if let (Some(address), true) = (address, steps.is_some_and(|steps| steps.len() > 1)) {
            wanted.entry(address).or_default().push(index);
        }
    }
    let mut shown: Vec<Value> = items.iter().cloned().collect();
    for (address, entries) in &wanted {
        for id in by_address.get(address).into_iter().flatten() {
            let Ok(resource) = format::resource(stack, *id, source) else {
                continue;
            };
            let steps = entries.iter().map(|index| steps(&shown[*index]));
            let whole: Vec<Path> = steps.collect();
            let mut cut = whole.clone();
            format::cut_paths(&resource, &mut cut);
            for (index, (whole, cut)) in entries.iter().zip(whole.iter().zip(&cut)) {
                if whole != cut {
                    shown[*index] = masked(&shown[*index], cut.0.len().saturating_sub(1));
                }
            }
        }
    }
    *relevant = relevant
        .clone()
        .with_payload(Payload::Array(shown.into_iter().collect()));
}

/// The path of an entry of the list.
fn steps(entry: &Value) -> Path {
    let steps = entry.get("attribute").and_then(Value::as_array);
    // Nothing has another step.
    let nowhere = || Segment::from(usize::MAX);
    let step = |step: &Value| Segment::of_json(step).unwrap_or_else(nowhere);
    Path(steps.into_iter().flatten().map(step).collect())
}

/// An entry of the list with all steps but the first `n_shown` masked.
fn masked(entry: &Value, n_shown: usize) -> Value {
    let steps = entry.get("attribute").and_then(Value::as_array);
    let (Some(map), Some(steps)) = (entry.as_map(), steps) else {
        return entry.clone().with_secret(true);
    };
    let step = |(index, step): (usize, &Value)| {
        let is_secret = step.is_secret() || index >= n_shown;
        step.clone().with_secret(is_secret)
    };
    let masked: Vec<Value> = steps.iter().enumerate().map(step).collect();
    let map = map.clone().set("attribute", masked.into());
    entry.clone().with_payload(Payload::Map(map))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::to_compact;
    use crate::load::{Input, load};
    use crate::value::Number;

    /// Loads a state with a sensitive output and a failed check. Returns the notes.
    fn notes(secret: &Value, message: &str) -> Vec<String> {
        let (secret, message) = (to_compact(secret), to_compact(&message.into()));
        let state = format!(
            r#"{{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "a", "resources": [{{
            "mode": "managed", "type": "t", "name": "n", "provider": "provider[\"registry.terraform.io/a/t\"]",
            "instances": [{{"schema_version": 0, "attributes": {{"a": {secret}}},
                "sensitive_attributes": [[{{"type": "get_attr", "value": "a"}}]]}}]}}],
            "check_results": [{{"object_kind": "resource", "config_addr": "t.n", "status": "fail",
            "objects": [{{"object_addr": "t.n", "status": "fail", "failure_messages": [{message}]}}]}}]}}"#
        );
        let loaded = load(&Input::bytes("a.tfstate", state.into_bytes())).unwrap();
        let notes = loaded.stack.notes.iter();
        notes.map(|note| note.message.clone()).collect()
    }

    #[test]
    fn a_message_that_repeats_a_secret_of_one_of_many_resources_is_hidden() {
        // More than one thread reads them.
        let n_resources = 4 * LEAST;
        let resource = |number: usize| {
            format!(
                r#"{{"mode": "managed", "type": "t", "name": "n{number}", "instances": [{{
                "attributes": {{"a": "secret-{number:03}"}},
                "sensitive_attributes": [[{{"type": "get_attr", "value": "a"}}]]}}]}}"#
            )
        };
        let resources: Vec<String> = (0..n_resources).map(resource).collect();
        let check = |number: usize| {
            let message = format!(
                r#"{{"object_addr": "t.n0", "status": "fail", "failure_messages": ["no secret-{number:03}"]}}"#
            );
            let state = format!(
                r#"{{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "a",
                "resources": [{}], "check_results": [{{"object_kind": "resource", "config_addr": "t.n0",
                "status": "fail", "objects": [{message}]}}]}}"#,
                resources.join(",")
            );
            let loaded = load(&Input::bytes("a.tfstate", state.into_bytes())).unwrap();
            let mut notes = loaded.stack.notes.iter();
            notes.any(|note| note.message.contains(HIDDEN))
        };
        for number in 0..n_resources {
            if number % LEAST < 2 || number % LEAST > LEAST - 2 {
                assert!(check(number), "{number}");
            }
        }
        assert!(!check(n_resources));
    }

    #[test]
    fn a_message_that_repeats_a_part_or_another_form_of_a_secret_is_hidden() {
        let pem = "-----BEGIN-----\n  AAAABBBB\n-----END-----\n";
        let json = r#"{"password": "hunter22"}"#;
        for (secret, message) in [
            (Value::from("abc12"), "abc12"),
            ("hunter22\n".into(), "no login with hunter22"),
            (pem.into(), "no line AAAABBBB"),
            (json.into(), "no login with hunter22"),
            (Number::from(123_456_789).into(), "no number 123456789"),
            ("hunter\"22".into(), r#"sent {"password":"hunter\"22"}"#),
            ("hunter22".into(), "Basic bWU6aHVudGVyMjI="),
        ] {
            let notes = notes(&secret, message);
            assert_eq!(notes, [format!("a check failed: {HIDDEN}")], "{message}");
        }
        assert_eq!(
            notes(&"abc12".into(), "no abc12"),
            ["a check failed: no abc12"]
        );
    }
}
