//! A comparison of the plan with a later state, without a schema: the JSON is the only source.
//!
//! A list and a set look alike, so the order of elements does not count if all of them are known. A missing key counts as null,
//! because an older or newer provider may have written one of the files.

use super::{Finding, Severity};
use crate::terraform::cty::{Path, Segment, compare_numbers};
use crate::value::{Array, Map, Payload, Value};

/// The outcome of a planned value; see [`audit_outcome`](super::audit_outcome).
pub(super) fn audit(resource: &str, planned: &Value, actual: &Value) -> Vec<Finding> {
    let mut walk = OutcomeAudit {
        resource,
        path: Path::default(),
        findings: Vec::new(),
    };
    walk.value(planned, actual);
    walk.findings
}

struct OutcomeAudit<'a> {
    resource: &'a str,
    path: Path,
    findings: Vec<Finding>,
}

impl OutcomeAudit<'_> {
    fn tell(&mut self, severity: Severity, kind: &'static str, sentence: String) {
        let finding = Finding::new(self.resource, self.path.clone(), kind, sentence);
        self.findings.push(finding.with_severity(severity));
    }

    fn value(&mut self, planned: &Value, actual: &Value) {
        if actual.is_computed() {
            if !planned.is_computed() {
                let sentence = "a value was planned, and it is still unknown".to_owned();
                self.tell(Severity::Error, "was_known_now_unknown", sentence);
            }
            return;
        }
        let is_secret = planned.is_secret() || actual.is_secret() || actual.has_secrets();
        if planned.is_computed() {
            let sentence = if is_secret {
                "it was unknown in the plan, and is now a secret".to_owned()
            } else {
                format!("it was unknown in the plan, and is now {actual}")
            };
            self.tell(Severity::Info, "became_known", sentence);
            return;
        }
        if same_in_any_order(planned, actual) {
            return;
        }
        let hides = planned.is_secret() || actual.is_secret();
        match (planned.payload(), actual.payload()) {
            (Payload::Map(planned), Payload::Map(actual)) if !hides => self.maps(planned, actual),
            (Payload::Array(planned), Payload::Array(actual))
                if !hides && planned.len() == actual.len() =>
            {
                for (index, (planned, actual)) in planned.iter().zip(actual).enumerate() {
                    self.below(Segment::Index(index), planned, actual);
                }
            }
            _ if is_secret || planned.has_secrets() => {
                let sentence = "a sensitive value is not the planned one".to_owned();
                self.tell(Severity::Error, "sensitive_inconsistent", sentence);
            }
            _ => {
                let sentence = format!("{planned} was planned, there is {actual}");
                self.tell(Severity::Error, "value_changed", sentence);
            }
        }
    }

    fn maps(&mut self, planned: &Map, actual: &Map) {
        for (key, value) in planned {
            let actual = actual.get(key).unwrap_or(&Value::NULL);
            self.below(step(key), value, actual);
        }
        for (key, value) in actual {
            if !planned.contains_key(key) {
                self.below(step(key), &Value::NULL, value);
            }
        }
    }

    fn below(&mut self, step: Segment, planned: &Value, actual: &Value) {
        self.path.0.push(step);
        self.value(planned, actual);
        self.path.0.pop();
    }
}

/// The step for a key. Without a schema, attributes and keys look alike. A key that may be the name of an attribute is taken
/// for one.
fn step(key: &std::sync::Arc<str>) -> Segment {
    let is_name = !key.is_empty()
        && !key.starts_with(|char: char| char.is_ascii_digit())
        && key
            .chars()
            .all(|char| char.is_alphanumeric() || matches!(char, '_' | '-'));
    if is_name {
        Segment::Attribute(key.clone())
    } else {
        Segment::Key(key.clone())
    }
}

/// True if both are known and the same, with arrays in any order.
fn same_in_any_order(a: &Value, b: &Value) -> bool {
    match (a.payload(), b.payload()) {
        (Payload::Null, Payload::Null) => true,
        (Payload::Bool(a), Payload::Bool(b)) => a == b,
        (Payload::Number(a), Payload::Number(b)) => compare_numbers(a, b).is_eq(),
        (Payload::String(a), Payload::String(b)) => a == b,
        (Payload::Array(a), Payload::Array(b)) => same_elements(a, b),
        (Payload::Map(a), Payload::Map(b)) => {
            let within = |a: &Map, b: &Map| {
                a.iter().all(|(key, value)| {
                    same_in_any_order(value, b.get(key).unwrap_or(&Value::NULL))
                })
            };
            within(a, b) && within(b, a)
        }
        _ => false,
    }
}

fn same_elements(a: &Array, b: &Array) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.iter().zip(b).all(|(a, b)| same_in_any_order(a, b)) {
        return true;
    }
    // Equal elements have the same JSON, so two sorted lists of texts can be compared.
    let sorted = |array: &Array| {
        let mut texts: Vec<String> = array
            .iter()
            .map(|item| crate::json::to_compact(&bare(item)))
            .collect();
        texts.sort_unstable();
        texts
    };
    let is_known = |array: &Array| array.iter().all(crate::terraform::cty::is_wholly_known);
    is_known(a) && is_known(b) && sorted(a) == sorted(b)
}

/// The value without markers and with its keys sorted. For comparison only: it shows secrets.
fn bare(value: &Value) -> Value {
    let bare_value = value.without_markers();
    match bare_value.payload() {
        Payload::Array(items) => Value::from(items.iter().map(bare).collect::<Vec<_>>()),
        Payload::Map(map) => {
            let entries = map.sorted().into_iter();
            let entries = entries.filter(|(_, value)| !value.is_null());
            let entries = entries.map(|(key, value)| (key.clone(), bare(value)));
            Value::from(entries.collect::<Map>())
        }
        _ => bare_value,
    }
}
