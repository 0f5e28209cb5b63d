//! Changes made by the provider itself.

use std::collections::HashSet;

use super::places::{Places, Visitor, visit};
use super::{AuditError, Finding, Severity, Subject, is_secret_in};
use crate::terraform::cty::{Path, Segment, Typed, View, is_wholly_known};
use crate::terraform::objchange::{longest_common_subsequence, proposed_new};
use crate::terraform::schema::{Attribute, NestedBlock, Nesting};
use crate::types::Type;
use crate::value::Value;

/// The attributes that change in the plan although core did not propose it. These changes come from the provider.
///
/// Arguments as for [`audit_plan`](super::audit_plan). Objects that are created or deleted have no findings. Neither do places
/// where the configuration is not known well enough to derive core's proposal.
///
/// # Errors
///
/// If a value does not fit the schema, or there is no proposal.
pub fn provider_changes(
    subject: Subject<'_>,
    prior: &Value,
    expressions: Option<&Value>,
    planned: &Value,
) -> Result<Vec<Finding>, AuditError> {
    let Some(expressions) = expressions.filter(|_| !planned.is_null() && !prior.is_null()) else {
        return Ok(Vec::new());
    };
    let marked = subject.sides(prior, planned)?;
    let [prior, planned] = [&marked[0], &marked[1]].map(Typed::unmarked);
    let config = subject.configuration(expressions)?;
    let proposed = proposed_new(subject.schema, &prior, &config, subject.semantics)?;
    let mut search = Search {
        subject,
        marked: &marked,
        findings: Vec::new(),
    };
    let places = Places([planned.view(), prior.view(), proposed.view()]);
    visit(&mut search, subject.schema, places, &mut Path::default());
    Ok(search.findings)
}

/// The added and removed elements of a list that keeps others, to keep the message short. `None` if no
/// element is kept, none is added or removed, or the values are not wholly known lists.
fn changed_elements(prior: View<'_>, planned: View<'_>) -> Option<String> {
    let is_list = |view: &View<'_>| {
        matches!(view.ty, Type::Array(_) | Type::Tuple(_)) && is_wholly_known(view.value)
    };
    if ![prior, planned].iter().all(is_list) {
        return None;
    }
    let (prior, planned): (Vec<_>, Vec<_>) = (prior.items().collect(), planned.items().collect());
    let kept = longest_common_subsequence(&prior, &planned);
    let (old, new): (HashSet<_>, HashSet<_>) = kept.iter().copied().unzip();
    let others = |items: &[View<'_>], kept: &HashSet<usize>| {
        let items = items.iter().enumerate();
        let others = items.filter(|(index, _)| !kept.contains(index));
        let texts: Vec<_> = others.map(|(_, item)| item.value.to_string()).collect();
        texts.join(", ")
    };
    let (gone, come) = (others(&prior, &old), others(&planned, &new));
    match (kept.is_empty(), gone.is_empty(), come.is_empty()) {
        (true, ..) | (_, true, true) => None,
        (_, true, false) => Some(format!("adds {come}")),
        (_, false, true) => Some(format!("removes {gone}")),
        (_, false, false) => Some(format!("removes {gone} and adds {come}")),
    }
}

struct Search<'a> {
    subject: Subject<'a>,
    marked: &'a [Typed],
    findings: Vec<Finding>,
}

impl Visitor<3> for Search<'_> {
    fn block<'v>(&self, nested: &NestedBlock, places: Places<'v, 3>) -> Places<'v, 3> {
        let [planned, prior, proposed] = places.0;
        if nested.block.is_computed() && proposed.is_null() {
            // A provider may keep blocks that are not configured.
            return Places([planned, prior, prior]);
        }
        places
    }

    fn attribute(&mut self, attribute: &Attribute, places: Places<'_, 3>, path: &mut Path) {
        let [planned, prior, proposed] = places.0;
        let is_changed = !planned.raw_equals_unrefined(prior);
        let is_as_proposed = planned.raw_equals_unrefined(proposed);
        if !is_changed || is_as_proposed || !is_wholly_known(proposed.value) {
            return;
        }
        if let Some(nested) = attribute.nested.as_ref()
            && nested.nesting != Nesting::Set
            && places.all_have_elements()
        {
            for (segment, places) in places.objects(nested.nesting.is_collection()) {
                let depth = path.0.len();
                path.0.extend(segment);
                for (name, attribute) in nested.attributes() {
                    path.0.push(Segment::Attribute(name.clone()));
                    self.attribute(attribute, places.attribute(name), path);
                    path.0.pop();
                }
                path.0.truncate(depth);
            }
            return;
        }
        let hidden = attribute.flags.sensitive || is_secret_in(self.marked, path);
        let sentence = if hidden {
            "the provider changes it, but the configuration does not".to_owned()
        } else if let Some(elements) = changed_elements(prior, planned) {
            format!("the provider {elements}, but the configuration does not")
        } else if planned.is_known() {
            format!(
                "the provider changes it from {} to {}, but the configuration does not",
                prior.value, planned.value
            )
        } else {
            "the provider will decide it, but the configuration does not change it".to_owned()
        };
        let found = self
            .subject
            .found(path, Severity::Info, "provider_change", sentence);
        self.findings.push(found);
    }
}
