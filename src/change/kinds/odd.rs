//! Odd ones out: members of one form of which all but a few change alike.

use hashbrown::HashMap;

use super::{LeafPrint, Print};

/// Minimum number of members that change alike for each odd one.
const MIN_ALIKE: usize = 3;

/// The part of a change by which members are compared.
type By = fn(&LeafPrint) -> Print;

/// For each member with these changes, what tells it from the majority; `None` for all if most of them do not agree. They are
/// compared by their values; if these differ in each, by the words that differ.
pub(super) fn apart(members: &[Vec<LeafPrint>]) -> Vec<Option<Print>> {
    let by: [By; 2] = [|leaf| leaf.change, |leaf| leaf.edit];
    let found = by.into_iter().find_map(|by| majority(members, by));
    found.unwrap_or_else(|| vec![None; members.len()])
}

fn majority(members: &[Vec<LeafPrint>], by: By) -> Option<Vec<Option<Print>>> {
    let signature = |leaves: &Vec<LeafPrint>| {
        let mut prints: Vec<Print> = leaves.iter().map(by).collect();
        prints.sort_unstable();
        prints.dedup();
        Print::of(&prints)
    };
    let signatures: Vec<Print> = members.iter().map(signature).collect();
    let mut counts: HashMap<Print, usize> = HashMap::new();
    for signature in &signatures {
        *counts.entry(*signature).or_default() += 1;
    }
    let is_majority = |n: usize| {
        let n_odd = members.len() - n;
        n >= MIN_ALIKE * n_odd.max(1)
    };
    let (most, _) = counts.iter().find(|(_, n)| is_majority(**n))?;
    let apart = signatures.iter().map(|it| (it != most).then_some(*it));
    Some(apart.collect())
}
