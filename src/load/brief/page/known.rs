//! The section about values that became known with the apply.

use std::collections::BTreeMap;

use super::{Detail, Entry, MAX_DETAILS, Maker, Part, Title, pattern, short};
use crate::change::difference::Action;
use crate::load::brief::{Known, Striking};
use crate::stack::{ChangeId, ResourceId};
use crate::text::{escaped, plural};

impl Maker<'_> {
    /// The resources with values that became known: those with striking values one by one, the others by type.
    pub(super) fn known(&self) -> Part {
        let known = &self.brief.known;
        let (striking, others): (Vec<&Known>, Vec<&Known>) =
            known.iter().partition(|it| !it.striking.is_empty());
        let mut types: BTreeMap<&str, (Vec<ResourceId>, usize)> = BTreeMap::new();
        for it in others {
            let (ids, n_values) = types.entry(self.document.stack.ty(it.id)).or_default();
            ids.push(it.id);
            *n_values += it.n_values;
        }
        let types = types.into_values();
        let types = types.map(|(ids, n_values)| self.aside(ids, plural(n_values, "value")));
        let entries = striking.into_iter().map(|it| self.striking(it));
        Part::of(Title::Known, known.len(), entries.chain(types))
    }

    fn striking(&self, known: &Known) -> Entry {
        let says = plural(known.n_values, "value");
        let details = known.striking.iter().map(|it| detail(known.id, it));
        Entry {
            details: details.take(MAX_DETAILS).collect(),
            n_more: known.striking.len().saturating_sub(MAX_DETAILS),
            ..self.aside(vec![known.id], says)
        }
    }
}

fn detail(id: ResourceId, striking: &Striking) -> Detail {
    let (action, note) = match &striking.before {
        Some(_) => (Action::Update, "differs from before"),
        None => (Action::Create, "differs from all siblings"),
    };
    Detail {
        id: Some(ChangeId::Resource(id)),
        action,
        place: escaped(&pattern(&striking.path).to_string()),
        before: striking.before.as_ref().map(short),
        after: Some(short(&striking.after)),
        ..Detail::of_words(note.to_owned())
    }
}
