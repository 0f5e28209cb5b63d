//! The meaning of a place, as far as it decides whether two spellings are one value.
//!
//! Some places are known by the keys that lead to them: the actions of an access policy, the resources of a container. There two
//! different values may mean the same: a text and a list of this text, `1000m` and `1`. Everywhere, texts may differ only in the ends of
//! their lines.
//!
//! # Laws
//!
//! 1. A value with a part that is masked or not known means nothing but itself.
//! 2. The order of a list is no spelling. It has its own reasons.

use hashbrown::HashSet;

use super::{Reason, same};
use crate::change::expression::is_same_condition;
use crate::change::quantity::{is_same_amount, is_same_time};
use crate::value::{Map, Number, Payload, Value};

/// The names of properties that are durations.
pub type Durations = HashSet<String>;

/// The ends of the names of properties that say when something holds.
const CONDITIONS: [&str; 4] = ["condition", "Condition", "expression", "Expression"];

/// The meaning of a place.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Meaning {
    /// Nothing is known.
    #[default]
    Open,
    /// A duration.
    Time,
    /// A text that says when something holds.
    Condition,
    /// The `requests` and `limits` of a Kubernetes container.
    Resources,
    /// Amounts by the name of a resource.
    Amounts,
    /// An amount in the notation of Kubernetes.
    Amount,
    /// A statement of an access policy, or a list of them.
    Statements,
    /// Actions of a statement, in any case.
    Actions,
    /// The principals of a statement, by their kind.
    Principals,
    /// Accounts and roles of AWS.
    Accounts,
    /// The conditions of a statement, by their operator.
    Conditions,
    /// The conditions of an operator, by their key.
    Operator,
    /// Texts of a statement, which may also stand for a list of one.
    Texts,
}

impl Meaning {
    /// The meaning of the value at `key` of a map with this meaning.
    pub(super) fn at(self, key: &str, times: Option<&Durations>) -> Self {
        match self {
            Self::Amounts => Self::Amount,
            Self::Principals if key == "AWS" => Self::Accounts,
            Self::Principals | Self::Operator => Self::Texts,
            Self::Conditions => Self::Operator,
            Self::Statements => match key {
                "Action" | "NotAction" => Self::Actions,
                "Principal" | "NotPrincipal" => Self::Principals,
                "Resource" | "NotResource" => Self::Texts,
                "Condition" => Self::Conditions,
                _ => Self::Open,
            },
            Self::Resources if matches!(key, "requests" | "limits") => Self::Amounts,
            Self::Open
            | Self::Time
            | Self::Condition
            | Self::Resources
            | Self::Amount
            | Self::Actions
            | Self::Accounts
            | Self::Texts => match key {
                "resources" => Self::Resources,
                "capacity" | "hard" => Self::Amounts,
                "sizeLimit" | "size_limit" => Self::Amount,
                "Statement" => Self::Statements,
                key if CONDITIONS.iter().any(|it| key.ends_with(it)) => Self::Condition,
                key if times.is_some_and(|times| times.contains(key)) => Self::Time,
                _ => Self::Open,
            },
        }
    }

    /// The reason why two different values are the same here.
    pub(super) fn reason(self, before: &Value, after: &Value) -> Option<Reason> {
        let is_open = |value: &Value| value.has_secrets() || value.has_computed();
        let one = |reason: Reason, is: fn(&Value, &Value) -> bool| {
            let is_same = !is_open(before) && !is_open(after) && is(before, after);
            is_same.then_some(reason)
        };
        let own = match self {
            Self::Time => one(Reason::SameTime, is_same_time),
            Self::Amount => one(Reason::SameAmount, is_same_amount),
            Self::Condition => one(Reason::SameCondition, is_same_condition),
            Self::Statements | Self::Actions | Self::Principals | Self::Accounts | Self::Texts => {
                let is_judged =
                    !is_open(before) && !is_open(after) && !is_structured(before, after);
                let mut folds = FOLDS.iter().filter(|_| is_judged);
                let fold = folds
                    .find(|(_, fold)| folded(self, *fold, before) == folded(self, *fold, after));
                fold.map(|(reason, _)| *reason)
            }
            Self::Open | Self::Resources | Self::Amounts | Self::Conditions | Self::Operator => {
                None
            }
        };
        own.or_else(|| line_ends(before, after))
    }
}

/// The parts of a policy that are folded, each with those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fold {
    Lists,
    Case,
    Names,
}

/// The reason why two parts of a policy are the same, by the first fold after which they are.
const FOLDS: [(Reason, Fold); 3] = [
    (Reason::ListOfOne, Fold::Lists),
    (Reason::SameAction, Fold::Case),
    (Reason::SamePrincipal, Fold::Names),
];

/// True if the parts of two values are compared one by one: two maps, two lists of statements, or two lists in another order.
fn is_structured(before: &Value, after: &Value) -> bool {
    match (before.payload(), after.payload()) {
        (Payload::Map(_), Payload::Map(_)) => true,
        (Payload::Array(old), Payload::Array(new)) => {
            let is_text = |value: &Value| value.as_str().is_some();
            let is_reordered = || {
                let [mut old, mut new] = [before, after].map(texts);
                old.sort_unstable();
                new.sort_unstable();
                old == new
            };
            !old.iter().chain(new.iter()).all(is_text) || is_reordered()
        }
        _ => false,
    }
}

/// The texts of a list, or the text itself.
fn texts(value: &Value) -> Vec<&str> {
    match value.as_array() {
        Some(items) => items.iter().filter_map(Value::as_str).collect(),
        None => value.as_str().into_iter().collect(),
    }
}

/// A part of a policy in the form in which it is compared.
fn folded(meaning: Meaning, fold: Fold, value: &Value) -> Value {
    let below = |key: &str, value: &Value| folded(meaning.at(key, None), fold, value);
    let entries = |value: &Value| -> Value {
        let Some(map) = value.as_map() else {
            return value.clone();
        };
        let entries = map
            .iter()
            .map(|(key, value)| (key.clone(), below(key, value)));
        Value::from(entries.collect::<Map>())
    };
    match meaning {
        Meaning::Statements => match value.as_array() {
            Some(items) => items.iter().map(entries).collect::<Vec<_>>().into(),
            None => vec![entries(value)].into(),
        },
        Meaning::Actions | Meaning::Accounts | Meaning::Texts => {
            let is_texts = match value.as_array() {
                Some(items) => items.iter().all(|it| it.as_str().is_some()),
                None => value.as_str().is_some(),
            };
            if !is_texts {
                return value.clone();
            }
            let text = |text: &str| match meaning {
                Meaning::Actions if fold >= Fold::Case => text.to_ascii_lowercase(),
                Meaning::Accounts if fold >= Fold::Names => account(text).to_owned(),
                _ => text.to_owned(),
            };
            let mut texts: Vec<String> = texts(value).into_iter().map(text).collect();
            texts.sort_unstable();
            texts.dedup();
            texts
                .into_iter()
                .map(Value::from)
                .collect::<Vec<_>>()
                .into()
        }
        // Everybody has two names.
        Meaning::Principals if fold >= Fold::Names && value.as_str() == Some("*") => {
            let everybody = [("AWS", Value::from(vec![Value::from("*")]))];
            Value::from(Map::from_iter(everybody))
        }
        Meaning::Principals | Meaning::Conditions | Meaning::Operator => entries(value),
        Meaning::Open
        | Meaning::Time
        | Meaning::Condition
        | Meaning::Resources
        | Meaning::Amounts
        | Meaning::Amount => value.clone(),
    }
}

/// An account by its number, if the text is the name of its root; otherwise the text.
pub(crate) fn account(principal: &str) -> &str {
    let root = principal.strip_suffix(":root");
    let number = root.and_then(|arn| arn.rsplit(':').next());
    let is_root = root.is_some_and(|arn| arn.starts_with("arn:") && arn.contains(":iam::"));
    let number = number.filter(|number| is_root && is_account(number));
    number.unwrap_or(principal)
}

/// True for the number of an account of AWS.
pub(crate) fn is_account(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The reason for two texts that differ only in the ends of their lines. A script with the ends of Windows does not start.
fn line_ends(before: &Value, after: &Value) -> Option<Reason> {
    if before.is_secret() || after.is_secret() {
        return None;
    }
    let (Payload::String(before), Payload::String(after)) = (before.payload(), after.payload())
    else {
        return None;
    };
    let (before, after) = (before.as_bytes(), after.as_bytes());
    let ends = |text: &[u8]| memchr::memmem::find(text, b"\r\n").is_some();
    if before == after || !ends(before) && !ends(after) {
        return None;
    }
    let mut lines = (split(before), split(after));
    let is_same = loop {
        match (lines.0.next(), lines.1.next()) {
            (None, None) => break true,
            (old, new) if old == new => {}
            _ => break false,
        }
    };
    let reason = if after.starts_with(b"#!") && ends(after) {
        Reason::ScriptEnds
    } else {
        Reason::LineEnds
    };
    is_same.then_some(reason)
}

/// The lines of a text without their ends.
fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|byte| *byte == b'\n');
    // The last line has no end.
    let n_lines = memchr::memchr_iter(b'\n', text).count();
    lines
        .enumerate()
        .map(move |(at, line)| match line.strip_suffix(b"\r") {
            Some(line) if at < n_lines => line,
            _ => line,
        })
}

/// True if a text and a number are one number in another notation. A text with a decimal point may be a version.
pub(super) fn is_same_number(text: &str, number: &Number) -> bool {
    let is_plain = !text.contains(['.', '+']) && !text.trim_start_matches('-').starts_with('0');
    text == number.to_string()
        || is_plain
            && Number::exact(text).is_some_and(|it| same(&it.into(), &number.clone().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(keys: &str, before: &Value, after: &Value, want: Option<Reason>) {
        let times = Durations::from(["retention".to_owned()]);
        let mut meaning = Meaning::default();
        for key in keys.split('.') {
            meaning = meaning.at(key, Some(&times));
        }
        assert_eq!(meaning.reason(before, after), want, "{before} and {after}");
        assert_eq!(meaning.reason(after, before), want, "{after} and {before}");
    }

    fn list(texts: &[&str]) -> Value {
        texts
            .iter()
            .map(|it| Value::from(*it))
            .collect::<Vec<_>>()
            .into()
    }

    #[test]
    fn keys_say_what_a_value_means() {
        let text = |text: &str| Value::from(text);
        let (cpu, same_cpu) = (text("1500m"), text("1.5"));
        let amount = Some(Reason::SameAmount);
        check("resources.limits.cpu", &cpu, &same_cpu, amount);
        check("spec.resources.requests.cpu", &cpu, &same_cpu, amount);
        check("hard.cpu", &cpu, &same_cpu, amount);
        check("limits.cpu", &cpu, &same_cpu, None);
        check("resources.cpu", &cpu, &same_cpu, None);
        let (hour, minutes) = (text("1h"), text("60m"));
        check("retention", &hour, &minutes, Some(Reason::SameTime));
        check("x.retention", &hour, &minutes, Some(Reason::SameTime));
        check("other", &hour, &minutes, None);
        check("retention", &text("60"), &text("60m"), None);
    }

    #[test]
    fn an_order_is_no_spelling() {
        check(
            "Statement.Action",
            &list(&["a", "b"]),
            &list(&["b", "a"]),
            None,
        );
        let mixed = (list(&["A", "b"]), list(&["B", "a"]));
        check(
            "Statement.Action",
            &mixed.0,
            &mixed.1,
            Some(Reason::SameAction),
        );
        check("Statement.Resource", &mixed.0, &mixed.1, None);
        check("Statement.Sid", &Value::from("a"), &list(&["a"]), None);
    }

    #[test]
    fn masked_and_unknown_values_mean_only_themselves() {
        let (one, listed) = (Value::from("a"), list(&["a"]));
        let keys = "Statement.Action";
        check(keys, &one, &listed, Some(Reason::ListOfOne));
        check(keys, &one.clone().with_secret(true), &listed, None);
        check(
            keys,
            &one,
            &Value::from(vec![one.clone().with_secret(true)]),
            None,
        );
        check(keys, &one, &Value::computed(), None);
        let (unix, windows) = (Value::from("a\nb"), Value::from("a\r\nb"));
        check("x", &unix, &windows, Some(Reason::LineEnds));
        check("x", &unix.with_secret(true), &windows, None);
    }

    #[test]
    fn ends_of_lines_are_all_that_may_differ() {
        let check =
            |before: &str, after: &str, want| check("x", &before.into(), &after.into(), want);
        check("a\r\n\r\nb", "a\n\nb", Some(Reason::LineEnds));
        check("a\r\nb\n", "a\nb\r\n", Some(Reason::LineEnds));
        check("a\r\n", "a", None);
        check("a\r", "a", None);
        check("a\nb", "a\n b", None);
        let (script, broken) = (Value::from("#!/bin/sh\nb"), Value::from("#!/bin/sh\r\nb"));
        let meaning = Meaning::default();
        assert_eq!(meaning.reason(&script, &broken), Some(Reason::ScriptEnds));
        assert_eq!(meaning.reason(&broken, &script), Some(Reason::LineEnds));
    }

    #[test]
    fn a_text_with_a_point_may_be_a_version() {
        for (text, number, want) in [
            ("1000", 1000.0, true),
            ("1e3", 1000.0, true),
            ("1.5", 1.5, true),
            ("1.10", 1.1, false),
            ("30.0", 30.0, false),
            ("007", 7.0, false),
            ("-7", -7.0, true),
            ("x", 7.0, false),
        ] {
            let number = Number::from(number);
            assert_eq!(is_same_number(text, &number), want, "{text} and {number}");
        }
    }
}
