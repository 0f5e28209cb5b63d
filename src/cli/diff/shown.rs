//! A change as the explorer's pane shows it: lines with roles, for forms that draw them.

use super::{Reading, ResourceChange};
use crate::render::lines::{Body, Line, Options, lines};
use crate::stack::{Action, ResourceId, Section};
use crate::text::escaped;

/// A change with its lines. All texts are escaped, and secrets are masked.
pub(in crate::modules::cli) struct Shown {
    /// The address or the URN.
    pub(in crate::modules::cli) identity: String,
    /// The type.
    pub(in crate::modules::cli) ty: String,
    /// The action.
    pub(in crate::modules::cli) action: Action,
    /// The details of the action, its reasons and remarks, or the reason that the resource could not be read.
    pub(in crate::modules::cli) why: Vec<String>,
    /// The lines of each set of properties.
    pub(in crate::modules::cli) parts: Vec<(Section, Vec<Line>)>,
}

impl Reading<'_> {
    /// The change of a resource.
    pub(in crate::modules::cli) fn shown(&self, id: ResourceId, action: Action) -> Shown {
        let entry = self.entry(id, action);
        let options = Options {
            unknown: self.document.stack.header.kind.unknown(),
            most: Options::SCREENFUL,
            ..Options::default()
        };
        let parts = entry.parts.iter();
        let parts = parts.map(|part| (part.section, lines(&part.diff, options)));
        Shown {
            parts: parts.collect(),
            why: why(&entry),
            identity: escaped(entry.identity()),
            ty: escaped(&entry.ty),
            action,
        }
    }
}

fn why(entry: &ResourceChange) -> Vec<String> {
    let aside = entry.aside();
    let aside = Some(aside.trim_start_matches(", ")).filter(|it| !it.is_empty());
    let reasons = entry.reasons.iter().chain(&entry.remarks);
    let error = entry
        .error
        .iter()
        .map(|it| format!("could not be read: {it}"));
    let texts = aside.map(str::to_owned).into_iter();
    let texts = texts.chain(reasons.cloned()).chain(error);
    texts.map(|text| escaped(&text)).collect()
}

/// True if a line only counts what is folded.
pub(in crate::modules::cli) fn is_folded(line: &Line) -> bool {
    matches!(line.body, Body::Folded { .. } | Body::More { .. })
}
