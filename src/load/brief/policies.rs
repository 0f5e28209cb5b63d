//! The findings of a team's policies in a file.

use std::collections::HashMap;

use crate::change::mechanisms::Notice;
use crate::change::policies::{Policies, PolicyError, Verdict};
use crate::change::rules::Level;
use crate::json::{self, Numbers};
use crate::load::Document;
use crate::load::configuration::secrets;
use crate::stack::{ResourceId, Stack};

/// The name of the mechanism in findings.
const NAME: &str = "policy";

/// The characters around an address in a message.
const AROUND: &[char] = &['\'', '"', '`', '(', ')', ',', ';', ':', '.', '!'];

/// The findings of `policies`, the heaviest first. If they cannot judge the file, that is a danger: nobody knows what they would
/// forbid.
pub(super) fn notices(
    policies: &Policies,
    document: &Document,
    is_cancelled: &dyn Fn() -> bool,
) -> Vec<Notice> {
    if policies.is_empty() || is_cancelled() {
        return Vec::new();
    }
    match judge(policies, document, is_cancelled) {
        Ok(verdicts) => {
            let stack = &document.stack;
            let changed = stack.ids().filter(|id| stack.record(*id).action.is_some());
            let by_name: HashMap<String, ResourceId> =
                changed.map(|id| (stack.identity(id), id)).collect();
            let notice = |verdict| notice(stack, &by_name, verdict);
            verdicts.into_iter().map(notice).collect()
        }
        Err(error) => vec![Notice {
            says: format!("policies were not tried: {error}"),
            ..Notice::new(Level::Danger, NAME)
        }],
    }
}

fn judge(
    policies: &Policies,
    document: &Document,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Verdict>, PolicyError> {
    let not_json = |what: &str| PolicyError::Input(what.to_owned());
    let bytes = document.source.whole();
    let bytes = bytes.ok_or_else(|| not_json("it is a log, or changed since it was opened"))?;
    let parsed = json::parse(&bytes, Numbers::Exact);
    let input = parsed.map_err(|error| not_json(&error.to_string()))?.value;
    let Some(secrets) = secrets(document, is_cancelled) else {
        return Ok(Vec::new());
    };
    let masked = secrets.masked(&input);
    policies.judge(&json::to_compact(&input), &json::to_compact(&masked))
}

fn notice(stack: &Stack, by_name: &HashMap<String, ResourceId>, verdict: Verdict) -> Notice {
    let message = verdict.message.as_deref();
    let words = message.unwrap_or_default().split_whitespace();
    let named = words.filter_map(|word| {
        let trimmed = || word.trim_matches(AROUND);
        by_name.get(word).or_else(|| by_name.get(trimmed()))
    });
    let level = if verdict.is_warning {
        Level::Warning
    } else {
        Level::Danger
    };
    let ids = stack.by_name(named.copied());
    let message = message.unwrap_or("its message depends on secret values and is not shown");
    Notice {
        ids,
        says: match message {
            "" => verdict.rule,
            message => format!("{}: {message}", verdict.rule),
        },
        ..Notice::new(level, NAME)
    }
}
