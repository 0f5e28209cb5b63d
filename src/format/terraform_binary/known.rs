//! What is known of the types of resources: by the schemas beside the plan, or else by what the plan itself calls sensitive.

use std::collections::HashMap;

use super::changes::{identity, path, provider};
use super::message::{Path, Plan};
use super::typed::Schemas;
use crate::value::{Map, Value};

/// What is known of the values of one type of resource.
#[derive(Clone, Copy, Default)]
pub(super) struct Rules<'k> {
    /// The schema.
    pub(super) block: Option<&'k Map>,
    /// What is sensitive in every object of the type, as far as can be told without a schema.
    pub(super) hidden: &'k [Vec<Value>],
}

/// See the [module](self).
pub(super) struct Known {
    schemas: Schemas,
    hidden: HashMap<(String, &'static str, String), Vec<Vec<Value>>>,
}

impl Known {
    /// Gathers what is known.
    ///
    /// Which attributes a schema calls sensitive, a plan says only here and there: of what was in the state, and of what newer
    /// versions marked. What is sensitive in one object of a type is therefore taken for sensitive in all of them, on both sides of
    /// their changes; a path through an element of a list says nothing of other objects and is left out.
    pub(super) fn new(plan: &Plan, schemas: Schemas) -> Self {
        let mut hidden: HashMap<_, Vec<Vec<Value>>> = HashMap::new();
        let deferred = plan.deferred_changes.iter();
        let changes = plan
            .resource_changes
            .iter()
            .chain(&plan.resource_drift)
            .chain(deferred.filter_map(|deferred| deferred.change.as_ref()));
        for change in changes {
            let Some(inner) = &change.change else {
                continue;
            };
            let (_, mode, ty) = identity(change);
            let paths = inner
                .before_sensitive_paths
                .iter()
                .chain(&inner.after_sensitive_paths);
            let names: Vec<Vec<Value>> = paths.filter_map(names).collect();
            let key = (provider(&change.provider).to_owned(), mode, ty);
            let known = hidden.entry(key).or_default();
            for path in names {
                if !known.contains(&path) {
                    known.push(path);
                }
            }
        }
        Self { schemas, hidden }
    }

    /// What is known of a type.
    pub(super) fn rules(&self, provider: &str, mode: &'static str, ty: &str) -> Rules<'_> {
        let block = self.schemas.block(provider, mode, ty);
        let key = (provider.to_owned(), mode, ty.to_owned());
        let hidden = self.hidden.get(&key).filter(|_| block.is_none());
        Rules {
            block,
            hidden: hidden.map_or(&[], Vec::as_slice),
        }
    }
}

/// The steps of a path that leads through attributes alone.
fn names(sensitive: &Path) -> Option<Vec<Value>> {
    let steps = path(sensitive);
    let steps = steps.as_array()?;
    let all_names = !steps.is_empty() && steps.iter().all(|step| step.as_str().is_some());
    all_names.then(|| steps.as_slice().to_vec())
}
