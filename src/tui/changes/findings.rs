//! The findings of a brief by resource: a look at one costs the same in every file.

use crate::change::rules::Level;
use crate::load::brief::page::{Entry, Page, Said};
use crate::stack::ResourceId;
use crate::text::escaped;

/// A finding: its weight and its sentence on the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The weight.
    pub level: Level,
    /// The sentence.
    pub says: String,
    /// Its words alone, without the name of the rule.
    pub words: String,
}

/// The findings of a brief.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Findings {
    /// In the order of the page: the heaviest first.
    all: Vec<Finding>,
    /// The resources with the indices of their findings, ascending.
    by_resource: Vec<(ResourceId, usize)>,
}

impl Findings {
    /// The findings of a page.
    pub fn of(page: &Page) -> Self {
        let mut findings = Self::default();
        let entries = page.parts.iter().flat_map(|part| &part.entries);
        let entries = entries.flat_map(Entry::with_along);
        let mut said: Vec<(&Entry, &Said)> = entries
            .flat_map(|entry| entry.said.iter().map(move |it| (entry, it)))
            .collect();
        said.sort_by_key(|(_, said)| said.level);
        for (entry, said) in said {
            let at = findings.all.len();
            let own = said.places.iter().map(|(id, _)| *id);
            let own: Vec<ResourceId> = own.filter(|id| entry.ids.contains(id)).collect();
            // A finding that names none of the entry's own resources is about all of them.
            let ids = if own.is_empty() {
                entry.ids.clone()
            } else {
                own
            };
            findings
                .by_resource
                .extend(ids.into_iter().map(|id| (id, at)));
            let source = match &said.rule {
                Some(rule) => escaped(&rule.id),
                None => said.mechanism.unwrap_or_default().to_owned(),
            };
            findings.all.push(Finding {
                level: said.level,
                says: format!("{}  ({source})", said.says),
                words: said.says.clone(),
            });
        }
        findings.by_resource.sort_unstable();
        findings.by_resource.dedup();
        findings
    }

    /// The findings about a resource, the heaviest first.
    pub fn about(&self, id: ResourceId) -> impl Iterator<Item = &Finding> {
        let from = self.by_resource.partition_point(|(other, _)| *other < id);
        let own = self.by_resource[from..].iter();
        let own = own.take_while(move |(other, _)| *other == id);
        own.map(|(_, at)| &self.all[*at])
    }
}
