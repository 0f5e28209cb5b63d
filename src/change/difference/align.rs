//! The pairs of elements of two lists, and their order on display.

use std::collections::{HashSet, VecDeque};

use hashbrown::HashMap;

use super::identity::Order;
use crate::terraform::objchange::lcs::common;

/// True if two lists are compared index by index: they are equally long and an element is gone, so they are not only reordered.
///
/// Elements are given as numbers, equal where the elements are. `after` has the elements after, except those that are also
/// before at the same end of the list. `others` gives these.
pub(super) fn is_by_index(
    [n_before, n_after]: [usize; 2],
    before: &[u32],
    after: &[u32],
    others: impl IntoIterator<Item = u32>,
) -> bool {
    if n_before != n_after {
        return false;
    }
    let n_numbers = before.iter().max().map_or(0, |max| *max as usize + 1);
    let mut is_gone = vec![false; n_numbers];
    let mut n_gone = 0_usize;
    for number in before {
        let was_gone = std::mem::replace(&mut is_gone[*number as usize], true);
        n_gone += usize::from(!was_gone);
    }
    for number in after.iter().copied().chain(others) {
        if n_gone == 0 {
            break;
        }
        if let Some(is_gone) = is_gone.get_mut(number as usize) {
            n_gone -= usize::from(std::mem::take(is_gone));
        }
    }
    n_gone > 0
}

/// A number for each text of two lists, equal where the texts are.
pub(crate) fn numbered<'t>(lists: [&[&'t str]; 2]) -> [Vec<u32>; 2] {
    let mut numbers: HashMap<&'t str, u32> = HashMap::new();
    lists.map(|list| {
        let number = |text: &&'t str| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(*text).or_insert(next)
        };
        list.iter().map(number).collect()
    })
}

/// The sides of the elements at an index of two lists of these lengths.
pub(super) fn at_index(
    index: usize,
    (n_old, n_new): (usize, usize),
) -> (Option<usize>, Option<usize>) {
    let of = |n: usize| (index < n).then_some(index);
    (of(n_old), of(n_new))
}

/// The order of lists of `n` elements that are compared index by index.
pub(super) fn by_index(n: usize) -> Order {
    (0..n).map(|index| (Some(index), Some(index))).collect()
}

/// Two elements between two kept ones, where both sides have some.
#[derive(Clone, Copy)]
pub(super) struct Facing {
    /// Index before.
    pub(super) old: usize,
    /// Index after.
    pub(super) new: usize,
    /// True if both sides have the same number of elements there.
    pub(super) is_even: bool,
}

/// The elements of `before` and `after` in display order: kept ones as `(Some, Some)`, between them deleted ones, then created
/// ones. Elements are given as numbers, equal where the elements are.
///
/// Between two kept elements, an element before and one after are listed as a pair if `may_pair` allows it. [`common`] decides
/// which elements are kept.
///
/// # Source
///
/// Terraform `internal/command/jsonformat/collections`.
pub(super) fn align(before: &[u32], after: &[u32], may_pair: impl Fn(Facing) -> bool) -> Order {
    let mut order = Order::with_capacity(before.len().max(after.len()));
    let (mut old, mut new) = (0, 0);
    let end = (before.len(), after.len());
    for next in common(before, after).into_iter().chain([end]) {
        let is_even = next.0.saturating_sub(old) == next.1.saturating_sub(new);
        while old < next.0 {
            if new < next.1 && may_pair(Facing { old, new, is_even }) {
                order.push((Some(old), Some(new)));
                new += 1;
            } else {
                order.push((Some(old), None));
            }
            old += 1;
        }
        while new < next.1 {
            order.push((None, Some(new)));
            new += 1;
        }
        if next != end {
            order.push((Some(old), Some(new)));
        }
        (old, new) = (old + 1, new + 1);
    }
    order
}

/// The numbers of the elements that are on both sides, and that [`common`] leaves out on both.
pub(super) fn moved(before: &[u32], after: &[u32]) -> HashSet<u32> {
    let kept = common(before, after);
    let left = |list: &[u32], kept: &mut dyn Iterator<Item = usize>| {
        let kept: HashSet<usize> = kept.collect();
        let left = list.iter().enumerate();
        let left = left.filter(|(place, _)| !kept.contains(place));
        left.map(|(_, number)| *number).collect::<HashSet<u32>>()
    };
    let old = left(before, &mut kept.iter().map(|(old, _)| *old));
    let new = left(after, &mut kept.iter().map(|(_, new)| *new));
    old.intersection(&new).copied().collect()
}

/// Pairs the elements that only moved: those that [`align`] lists as deleted in one place and created in another.
pub(super) fn rejoined(order: Order, before: &[u32], after: &[u32]) -> Order {
    let mut gone: HashMap<u32, VecDeque<usize>> = HashMap::new();
    for old in order.iter().filter(|(_, new)| new.is_none()) {
        if let (Some(old), _) = old {
            gone.entry(before[*old]).or_default().push_back(*old);
        }
    }
    let mut is_joined = vec![false; before.len()];
    let join = |(old, new): (Option<usize>, Option<usize>)| {
        let (None, Some(place)) = (old, new) else {
            return (old, new);
        };
        let from = gone.get_mut(&after[place]).and_then(VecDeque::pop_front);
        if let Some(from) = from {
            is_joined[from] = true;
        }
        (from, new)
    };
    let mut order: Order = order.into_iter().map(join).collect();
    order.retain(|(old, new)| new.is_some() || old.is_none_or(|old| !is_joined[old]));
    order
}
