//! The pairs of elements of two lists, and their order on display.

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

/// Lists the elements of `before` and `after` in order: kept ones as `(Some, Some)`, between them deleted ones, then created
/// ones. Elements are given as numbers, equal where the elements are.
///
/// Between two kept elements, an element before and one after are listed as a pair if `may_pair` allows it. [`common`] decides
/// which elements are kept.
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
