//! The findings of a brief by resource: a look at one costs the same in every file.

use crate::change::rules::Level;
use crate::load::brief::page::Page;
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
        let parts = page.parts.iter();
        let parts = parts.filter_map(|part| Some((part.title.level()?, &part.entries)));
        for (level, entry) in parts.flat_map(|(level, all)| all.iter().map(move |it| (level, it))) {
            let at = findings.all.len();
            let ids = entry.ids.iter();
            findings.by_resource.extend(ids.map(|id| (*id, at)));
            findings.all.push(Finding {
                level,
                says: entry.says.clone(),
                words: entry
                    .rule
                    .as_ref()
                    .map_or_else(|| entry.says.clone(), |rule| escaped(&rule.says)),
            });
        }
        findings.by_resource.sort_unstable();
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
