//! Guards that go: options of Pulumi that protect a resource or its secrets, and secrets that turn plain.

use super::tables::WORDS;
use super::{Fact, Notice, Seen};
use crate::change::difference::Reason;
use crate::change::leaves::Leaf;
use crate::change::rules::Level;
use crate::pulumi::legacy_path::{LegacyPath, Strictness};
use crate::stack::{Action, Section, State};
use crate::value::Value;

/// The guards of a resource that go.
pub(super) fn notices(seen: &Seen<'_>) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    if matches!(seen.action, Action::Delete | Action::Forget) {
        return notices;
    }
    for leaf in seen.leaves {
        let Some((level, says)) = loss(seen, leaf) else {
            continue;
        };
        let is_option = leaf.section == Section::Options;
        if is_option && notices.iter().any(|it| it.says == says) {
            continue;
        }
        let also = is_option.then(|| no_longer_ignored(seen));
        let facts = [Fact::of(seen.id, leaf)].into_iter();
        let facts = facts.chain(also.into_iter().flatten());
        notices.push(Notice::about(seen.id, level, "guard-goes", says).with(facts));
    }
    notices
}

/// The values that come to effect because they are not ignored any longer: what the object has, and what the program asks for.
fn no_longer_ignored(seen: &Seen<'_>) -> Vec<Fact> {
    let (Some(before), Some(after)) = (&seen.resource.before, &seen.resource.after) else {
        return Vec::new();
    };
    let has = before.outputs.as_ref().or(before.inputs.as_ref());
    let (Some(has), Some(asked)) = (has, &after.inputs) else {
        return Vec::new();
    };
    let ignored = |state: &State| -> Vec<String> {
        let paths = state
            .options
            .as_ref()
            .and_then(|it| it.get("ignoreChanges"));
        let paths = paths.and_then(Value::as_array).into_iter().flatten();
        let paths = paths.filter_map(Value::as_str);
        paths.map(str::to_owned).collect()
    };
    let still = ignored(after);
    let gone = ignored(before).into_iter();
    let gone = gone.filter(|path| !still.contains(path));
    let facts = gone.filter_map(|text| {
        let path = LegacyPath::parse(&text, Strictness::Loose).ok()?;
        let (has, asked) = (path.get(has)?, path.get(asked)?);
        let (has, asked) = (has.masked_like(asked), asked.masked_like(has));
        (has != asked).then(|| Some(Fact::change(seen.id, path.to_path()?, &has, &asked)))?
    });
    facts.collect()
}

/// The guard that goes with the change of a leaf.
fn loss(seen: &Seen<'_>, leaf: &Leaf) -> Option<(Level, &'static str)> {
    if leaf.section != Section::Options {
        let turns_plain = leaf.reason.is_some_and(Reason::turns_plain);
        return turns_plain.then_some((
            Level::Danger,
            "a secret turns plain: it is stored and shown in clear text",
        ));
    }
    let option = leaf.path.first_key()?;
    let is_set = |value: &Value| value.as_bool() != Some(false) && !value.is_null();
    // An element of a list is replaced by another one, or goes.
    let goes = is_set(&leaf.before)
        && (!is_set(&leaf.after) || leaf.path.0.len() > 1 || &**option == "deletedWith");
    let says = WORDS.options.get(&**option).filter(|_| goes)?.as_str();
    let holds_something = seen.rules.is_loss(seen.stack.ty(seen.id));
    let is_secret = &**option == "additionalSecretOutputs";
    let is_guard = matches!(&**option, "protect" | "retainOnDelete");
    let level = if is_secret || is_guard && holds_something {
        Level::Danger
    } else {
        Level::Warning
    };
    Some((level, says))
}
