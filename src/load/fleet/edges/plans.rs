//! The stack of a plan: a plan and its state are two members, and one stack.
//!
//! A preview of Pulumi names its stack. A plan of Terraform does not: it is of the state that has most of its resources with the same
//! ids.

use std::collections::{HashMap, HashSet};

use super::{Member, Ties};

/// For each member that is a plan, the member with the state of its stack, if there is one.
pub fn states_of_plans(members: &[(Member, Ties)]) -> Vec<Option<usize>> {
    let mut by_name: HashMap<(&str, &str), usize> = HashMap::new();
    for (index, (_, ties)) in members.iter().enumerate() {
        if ties.is_pulumi && !ties.is_plan {
            let name = (ties.project.as_str(), ties.stack.as_str());
            by_name.entry(name).or_insert(index);
        }
    }
    let owners = owners(members);
    let state = |(_, ties): &(Member, Ties)| match (ties.is_plan, ties.is_pulumi) {
        (false, _) => None,
        (true, true) => {
            let name = (ties.project.as_str(), ties.stack.as_str());
            by_name.get(&name).copied()
        }
        (true, false) => state_with_most(ties, &owners),
    };
    members.iter().map(state).collect()
}

/// An id with the resource that has it.
type Owned<'t> = (u64, &'t str);

fn owned(ties: &Ties) -> impl Iterator<Item = Owned<'_>> {
    let ids = ties.owned.iter();
    ids.map(|(hash, number)| (*hash, &**ties.identity(*number)))
}

/// The states of Terraform that have the resources of plans.
fn owners(members: &[(Member, Ties)]) -> HashMap<Owned<'_>, Vec<usize>> {
    let of_terraform = || members.iter().enumerate().filter(|(_, it)| !it.1.is_pulumi);
    let plans = of_terraform().filter(|(_, it)| it.1.is_plan);
    let wanted: HashSet<Owned<'_>> = plans.flat_map(|(_, it)| owned(&it.1)).collect();
    let mut owners: HashMap<Owned<'_>, Vec<usize>> = HashMap::new();
    for (index, (_, ties)) in of_terraform().filter(|(_, it)| !it.1.is_plan) {
        for id in owned(ties).filter(|id| wanted.contains(id)) {
            owners.entry(id).or_default().push(index);
        }
    }
    owners
}

/// The state that has more than half of the ids of a plan, and more than any other.
fn state_with_most(plan: &Ties, owners: &HashMap<Owned<'_>, Vec<usize>>) -> Option<usize> {
    let mut shared: HashMap<usize, usize> = HashMap::new();
    for state in owned(plan).filter_map(|id| owners.get(&id)).flatten() {
        *shared.entry(*state).or_default() += 1;
    }
    let most = shared.values().max()?;
    let mut states = shared.iter().filter(|(_, n)| *n == most);
    match (states.next(), states.next()) {
        (Some((state, n)), None) if 2 * n > plan.n_owned => Some(*state),
        _ => None,
    }
}
