//! The lines below the sections: what was looked for, and what nobody can judge from the file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::values::first_of;
use super::{Maker, Page, Part, Title};
use crate::change::groups::counted;
use crate::change::rules::Mute;
use crate::text::{count, escaped, plural};

/// Maximum number of types and properties that are named.
const MAX_NAMED: usize = 6;

impl Maker<'_> {
    /// The mutes that leave something out, each with the number of changes.
    pub(super) fn muted(&self) -> Vec<(Arc<Mute>, usize)> {
        let by = self.brief.muted.by.iter();
        by.map(|(mute, ids)| (Arc::clone(mute), ids.len()))
            .collect()
    }

    /// The things that were looked for in vain, and those that nobody can judge from the file.
    pub(super) fn remarks(&self, page: &Page) -> Vec<String> {
        let counts = &self.document.stack.counts;
        let findings = &self.brief.findings;
        let mut remarks = Vec::new();
        let is_finding = |part: &Part| matches!(part.title, Title::Found(_));
        if page.n_changes() > 0 && !page.parts.iter().any(is_finding) {
            let yours = match findings.n_added {
                0 => String::new(),
                n_added => format!(" ({} of them yours)", count(n_added as u64)),
            };
            let n = plural(findings.n_rules, "rule") + &yours;
            remarks.push(format!(
                "looked for: {n}, which found nothing; a change that no rule names can still hurt"
            ));
        }
        remarks.extend(page.muted.iter().map(|(mute, n)| {
            let n = plural(*n, "change");
            format!("muted in {n} by {}", escaped(&mute.to_string()))
        }));
        let over = self.brief.muted.over.iter().map(|mute| {
            let until = mute.until.as_deref().unwrap_or_default();
            format!(
                "mutes nothing since {until}: {}",
                escaped(&mute.to_string())
            )
        });
        remarks.extend(over);
        if let n @ 1.. = self.brief.unknown.len() {
            let n_waiting = findings.n_waiting;
            let decides = match n_waiting {
                0 => "none decides about access, loss or encryption".to_owned(),
                n => format!(
                    "{} of them may decide about access, loss or encryption",
                    count(n as u64)
                ),
            };
            let changes = plural(n, "change");
            remarks.push(format!(
                "not known before apply: values in {changes}, {decides}"
            ));
        }
        let types = findings.unknown_types.keys().map(|ty| escaped(ty));
        if let Some(types) = named(types.collect()) {
            remarks.push(format!("of a type that no rule knows: {types}"));
        }
        let n_secrets = usize::try_from(counts.secrets).unwrap_or(usize::MAX);
        let secrets = (n_secrets > 0).then(|| plural(n_secrets, "masked secret"));
        let unjudged: Vec<String> = counts.unjudged().into_iter().chain(secrets).collect();
        let places = findings.unjudged.iter().map(|(place, _)| place);
        let names = places.map(|it| it.path.last_key().map(escaped).unwrap_or_default());
        let properties = BTreeMap::from_iter(counted(names));
        let properties = properties.into_iter().map(|(name, n)| match n {
            1 => name,
            n => format!("{} {name}", count(n as u64)),
        });
        let properties = named(properties.collect());
        let watched =
            properties.map(|it| format!("masked or not known, and rules watch them: {it}"));
        let unjudged: Vec<String> = unjudged.into_iter().chain(watched).collect();
        if !unjudged.is_empty() {
            remarks.push(format!("not judged: {}", unjudged.join(" · ")));
        }
        remarks
    }
}

/// The first names, and the number of the others.
fn named(names: Vec<String>) -> Option<String> {
    (!names.is_empty()).then(|| first_of(names, MAX_NAMED, ", "))
}
