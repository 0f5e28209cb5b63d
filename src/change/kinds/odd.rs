//! Odd ones out: members of one form of which all but a few change alike.

use hashbrown::HashSet;

use super::print::Direction;
use super::{LeafPrint, Print};
use crate::change::groups::counted;

/// Minimum number of members that change alike for each odd one.
const MIN_ALIKE: usize = 3;

/// The part of a change by which members are compared.
type By = fn(&LeafPrint) -> Print;

/// For each member with these changes, what tells it from the majority; `None` for all if most of them do not agree. They are
/// compared by their values; if these differ in each, by the words that differ. Something `is_said` of all keeps a few together.
pub(super) fn apart(members: &[Vec<LeafPrint>], is_said: bool) -> Vec<Option<Print>> {
    let by: [By; 2] = [|leaf| leaf.change, |leaf| leaf.edit];
    let found = by.into_iter().find_map(|by| majority(members, by));
    let found = found.or_else(|| of_their_own(members).filter(|_| !is_said));
    found.unwrap_or_else(|| vec![None; members.len()])
}

/// Maximum number of members whose changes of one property are no group if they have nothing in common.
const MAX_OF_THEIR_OWN: usize = 3;

/// The only change of each of a few members, if no two are alike: a group would need as many lines to tell them.
fn of_their_own(members: &[Vec<LeafPrint>]) -> Option<Vec<Option<Print>>> {
    let edit = |leaves: &Vec<LeafPrint>| match &leaves[..] {
        // Quantities that go the same way are alike, and so is what comes or goes.
        [one] => {
            let is_quantity = matches!(one.direction, Some(Direction::Up | Direction::Down));
            (!is_quantity && one.is_text).then_some(one.edit)
        }
        _ => None,
    };
    let edits: Option<Vec<Print>> = members.iter().map(edit).collect();
    let edits = edits.filter(|it| (2..=MAX_OF_THEIR_OWN).contains(&it.len()))?;
    let n_different = edits.iter().collect::<HashSet<_>>().len();
    (n_different == edits.len()).then(|| edits.into_iter().map(Some).collect())
}

fn majority(members: &[Vec<LeafPrint>], by: By) -> Option<Vec<Option<Print>>> {
    let signature = |leaves: &Vec<LeafPrint>| {
        let mut prints: Vec<Print> = leaves.iter().map(by).collect();
        prints.sort_unstable();
        prints.dedup();
        Print::of(&prints)
    };
    let signatures: Vec<Print> = members.iter().map(signature).collect();
    let counts = counted(signatures.iter().copied());
    let is_majority = |n: usize| {
        let n_odd = members.len() - n;
        n >= MIN_ALIKE * n_odd.max(1)
    };
    let (most, _) = counts.iter().find(|(_, n)| is_majority(**n))?;
    let apart = signatures.iter().map(|it| (it != most).then_some(*it));
    Some(apart.collect())
}
