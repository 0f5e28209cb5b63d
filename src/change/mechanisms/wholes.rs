//! Parts that go with their whole: a bucket's public access block that is deleted together with the bucket guards nothing any
//! longer, so its deletion says nothing of its own.
//!
//! A part names its whole in a property, and the name of its type says that it is one.

use std::collections::BTreeSet;

use super::{Seen, parts};
use crate::stack::{Action, Mode, ResourceId};

/// A deleted resource, with hashes of its texts.
#[derive(Clone, Debug)]
struct Gone {
    id: ResourceId,
    ty: Box<str>,
    /// The texts by which others name it.
    names: Vec<u64>,
    /// All of its texts.
    texts: Vec<u64>,
}

/// The deleted resources.
#[derive(Clone, Default, Debug)]
pub(super) struct Wholes {
    gone: Vec<Gone>,
}

impl Wholes {
    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        let resource = seen.resource;
        if seen.action != Action::Delete || resource.mode != Mode::Managed {
            return;
        }
        let before = resource.before.as_ref();
        let entries = || parts::properties(resource, before).into_iter().flatten();
        let text = |(_, value): (_, &crate::value::Value)| {
            let text = value
                .as_str()
                .filter(|text| !value.is_secret() && text.len() > 1);
            text.map(parts::hash)
        };
        let id = resource
            .id
            .iter()
            .filter_map(|id| id.as_str())
            .map(parts::hash);
        let is_name = |(key, _): &(&std::sync::Arc<str>, _)| parts::NAMES.contains(&&***key);
        self.gone.push(Gone {
            id: seen.id,
            ty: resource.ty.as_str().into(),
            names: entries()
                .filter(is_name)
                .filter_map(text)
                .chain(id)
                .collect(),
            texts: entries().filter_map(text).collect(),
        });
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.gone.extend(other.gone);
    }

    /// The deleted parts whose whole is deleted too.
    pub(super) fn finish(self) -> BTreeSet<ResourceId> {
        let mut wholes = parts::Wholes::default();
        for whole in &self.gone {
            for name in &whole.names {
                wholes.add(*name, &whole.ty, whole.id);
            }
        }
        let gone = self.gone.iter().filter(|part| {
            let mut texts = part.texts.iter();
            texts.any(|text| wholes.of(&part.ty, *text, part.id).is_some())
        });
        gone.map(|part| part.id).collect()
    }
}
