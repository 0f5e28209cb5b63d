//! Which elements of two lists are told together, and in which order.

use crate::terraform::objchange::lcs::common;

/// Whether two lists are compared index by index: they are equally long, and something is gone, so this is no mere reordering.
///
/// Given as numbers, equal where the elements are. Of the elements after, all are in `after` that are not also before at the same
/// end of the list; `others` gives these.
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

/// Two elements between two kept ones, where both sides have some.
#[derive(Clone, Copy)]
pub(super) struct Facing {
    /// The index before.
    pub(super) old: usize,
    /// The index after.
    pub(super) new: usize,
    /// Whether both sides have equally many elements there.
    pub(super) is_even: bool,
}

/// Tells the elements of `before` and `after` (given as numbers, equal where the elements are) in order: kept ones as
/// `(Some, Some)`, between them deleted ones, then created ones.
///
/// Where both sides have elements between two kept ones, they are told as one pair as long as `may_pair` says so of them. Which
/// elements are kept is told by [`common`].
///
/// # Source
///
/// Terraform `internal/command/jsonformat/collections`.
pub(super) fn align(
    before: &[u32],
    after: &[u32],
    may_pair: impl Fn(Facing) -> bool,
    mut tell: impl FnMut(Option<usize>, Option<usize>),
) {
    let (mut old, mut new) = (0, 0);
    let end = (before.len(), after.len());
    for next in common(before, after).into_iter().chain([end]) {
        let is_even = next.0.saturating_sub(old) == next.1.saturating_sub(new);
        while old < next.0 {
            if new < next.1 && may_pair(Facing { old, new, is_even }) {
                tell(Some(old), Some(new));
                new += 1;
            } else {
                tell(Some(old), None);
            }
            old += 1;
        }
        while new < next.1 {
            tell(None, Some(new));
            new += 1;
        }
        if next != end {
            tell(Some(old), Some(new));
        }
        (old, new) = (old + 1, new + 1);
    }
}
