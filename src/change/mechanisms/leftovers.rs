//! Leftovers: resources that the plan forgets, so that they keep running without anybody who manages them.

use super::{Fact, Notice, Reader, Seen};
use crate::change::difference::{Context, describe};
use crate::change::leaves::leaves;
use crate::change::review::SectionDiff;
use crate::change::rules::{Changed, Level};
use crate::stack::{Action, ResourceId, Section};
use crate::value::Value;

/// A forgotten resource, with the sentences of the rules that fire for a new one like it.
#[derive(Clone, Debug)]
pub(super) struct Forgotten {
    id: ResourceId,
    exposes: Vec<Fact>,
}

/// The resource, if the plan forgets it.
pub(super) fn find(seen: &Seen<'_>) -> Option<Forgotten> {
    let resource = seen.resource;
    if seen.action != Action::Forget || !seen.is_managed() {
        return None;
    }
    let before = resource.before.as_ref().or(resource.after.as_ref())?;
    let value = before.sets().next().unwrap_or(&Value::NULL);
    let diff = describe(&Value::NULL, value, Context::default());
    let parts = [SectionDiff {
        section: Section::Outputs,
        diff,
    }];
    let changed = Changed {
        ty: seen.stack.ty(seen.id),
        action: Action::Create,
        is_created_first: false,
        parts: &parts,
        leaves: &leaves(&parts),
        unchanged: &Value::NULL,
    };
    let found = seen.rules.check(&changed);
    let heavy = found
        .into_iter()
        .filter(|it| !it.is_open && it.rule.level != Level::Note && !it.path.0.is_empty());
    let exposes = heavy.map(|finding| {
        let now = Fact::now(seen.id, finding.path, finding.after);
        now.with_note(finding.rule.says.clone())
    });
    Some(Forgotten {
        id: seen.id,
        exposes: exposes.collect(),
    })
}

/// A notice about each object that exposes something, and one about all others.
pub(super) fn notices(forgotten: Vec<Forgotten>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let (exposed, quiet): (Vec<_>, Vec<_>) =
        forgotten.into_iter().partition(|it| !it.exposes.is_empty());
    let notice = |level, ids: Vec<ResourceId>, says: &str, facts| Notice {
        ids: stack.by_name(ids),
        says: says.to_owned(),
        facts,
        ..Notice::new(level, "forgotten")
    };
    let open = "is forgotten and keeps running with what it exposes";
    let mut notices: Vec<Notice> = exposed
        .into_iter()
        .map(|it| notice(Level::Danger, vec![it.id], open, it.exposes))
        .collect();
    if !quiet.is_empty() {
        let ids = quiet.iter().map(|it| it.id).collect();
        let says = "is forgotten: it keeps running, and nothing manages it any longer";
        notices.push(notice(Level::Warning, ids, says, Vec::new()));
    }
    notices
}
