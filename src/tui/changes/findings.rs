//! The findings of a brief by resource: a look at one costs the same in every file.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

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

/// The findings of a brief by resource, the heaviest first.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Findings(HashMap<ResourceId, Vec<Arc<Finding>>>);

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
            let own = said.places.iter().map(|(id, _)| *id);
            let mut ids: BTreeSet<ResourceId> = own.filter(|id| entry.ids.contains(id)).collect();
            if ids.is_empty() {
                // A finding that names none of the entry's own resources is about all of them.
                ids.extend(&entry.ids);
            }
            let source = match &said.rule {
                Some(rule) => escaped(&rule.id),
                None => said.mechanism.unwrap_or_default().to_owned(),
            };
            let finding = Arc::new(Finding {
                level: said.level,
                says: format!("{}  ({source})", said.says),
                words: said.says.clone(),
            });
            for id in ids {
                let own = findings.0.entry(id).or_default();
                own.push(Arc::clone(&finding));
            }
        }
        findings
    }

    /// The findings about a resource, the heaviest first.
    pub fn about(&self, id: ResourceId) -> impl Iterator<Item = &Finding> {
        let own = self.0.get(&id).into_iter().flatten();
        own.map(|finding| &**finding)
    }
}
