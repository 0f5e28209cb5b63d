//! The costs of a plan beside its stories.

use std::collections::HashMap;
use std::fmt;

use super::Page;
use crate::load::cost::{Costs, Money};
use crate::stack::{ResourceId, Stack};
use crate::text::plural;

/// The sum of the costs, and what is no part of a story.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// The cost of all resources in a month, if it is estimated.
    pub total: Option<Money>,
    /// The difference in a month that everything makes, if the file says it.
    pub difference: Option<Money>,
    /// The part of it that belongs to no change of the page.
    pub elsewhere: Money,
    /// Number of resources with this part.
    pub n_elsewhere: usize,
    /// Number of resources whose difference is not estimated.
    pub n_unpriced: usize,
}

impl Page {
    /// The page with the costs of its plan. Each difference belongs to the entry of its resource, or to nothing of the page.
    #[must_use]
    pub fn with_costs(mut self, costs: &Costs, stack: &Stack) -> Self {
        let sum = |amounts: &mut dyn Iterator<Item = &Money>| {
            let mut sum = costs.zero.clone();
            amounts.for_each(|it| sum.add(it));
            sum
        };
        let mut cost = Cost {
            total: costs.total.clone(),
            difference: None,
            elsewhere: costs.zero.clone(),
            n_elsewhere: 0,
            n_unpriced: 0,
        };
        // A file without changes has no story that a difference could belong to.
        if let Some(differences) = costs.differences.as_ref().filter(|_| stack.holds_changes()) {
            let mut elsewhere = differences.clone();
            let changed = stack.ids().filter(|id| stack.change_of(*id).is_some());
            let own = changed.filter_map(|id| Some((id, elsewhere.remove(&stack.identity(id))?)));
            let own: HashMap<ResourceId, Money> = own.collect();
            elsewhere.retain(|_, it| !it.is_zero());
            for entry in self.parts.iter_mut().flat_map(|part| &mut part.entries) {
                let own = sum(&mut entry.all_ids().filter_map(|id| own.get(&id)));
                entry.cost = Some(own).filter(|it| !it.is_zero());
            }
            cost.difference = Some(sum(&mut differences.values()));
            cost.elsewhere = sum(&mut elsewhere.values());
            cost.n_elsewhere = elsewhere.len();
            cost.n_unpriced = costs.n_unpriced;
        }
        self.cost = Some(cost);
        self
    }
}

impl fmt::Display for Cost {
    /// Example: `cost: +$128.40 a month, $4,210.00 in all · +$12.00 of 3 resources that this plan does not change`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let difference = self.difference.as_ref().map(Money::a_month);
        match (difference, &self.total) {
            (Some(difference), Some(total)) => write!(f, "cost: {difference}, {total} in all")?,
            (Some(difference), None) => write!(f, "cost: {difference}")?,
            (None, Some(total)) => write!(f, "cost: {total} a month in all")?,
            (None, None) => f.write_str("cost: not estimated")?,
        }
        if self.n_elsewhere > 0 {
            let difference = self.elsewhere.signed();
            let resources = plural(self.n_elsewhere, "resource");
            write!(
                f,
                " · {difference} of {resources} that this plan does not change"
            )?;
        }
        if self.n_unpriced > 0 {
            let resources = plural(self.n_unpriced, "resource");
            write!(f, " · {resources} without an estimate")?;
        }
        Ok(())
    }
}
