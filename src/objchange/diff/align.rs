//! Which elements of two sequences belong together.

use std::collections::{HashMap, HashSet, VecDeque};

/// Whether two sequences are compared index by index: they are equally long, and something is gone, so this is no mere
/// reordering.
pub(super) fn is_by_index(before: &[u32], after: &[u32]) -> bool {
    if before.len() != after.len() {
        return false;
    }
    let kept: HashSet<u32> = after.iter().copied().collect();
    before.iter().any(|element| !kept.contains(element))
}

/// Up to how many cells the matrix of the exact subsequence may have: a thousand elements against a thousand.
const MAX_CELLS: usize = 1 << 20;

/// The elements of `before` and `after` (given as numbers, equal where the elements are) in the order in which they are told:
/// kept ones as `(Some, Some)`, between them deleted ones, then created ones.
///
/// Where both sides have elements between two kept ones, they are told as one pair as long as `may_pair` says so of them.
///
/// Up to about a million cells the subsequence that is kept is the longest one which Terraform would choose. Beyond, equal ends
/// are cut off and elements that only one side has are left out; what then remains too large is aligned by a subsequence that
/// keeps the order but may be shorter than the longest. Time is `O(n log n)` beside the bounded matrix.
///
/// # Source
///
/// Terraform `internal/plans/objchange/lcs.go` (which of several subsequences), `internal/command/jsonformat/collections`.
pub fn align(
    before: &[u32],
    after: &[u32],
    may_pair: impl Fn(usize, usize) -> bool,
) -> Vec<(Option<usize>, Option<usize>)> {
    let kept = common(before, after);
    let mut told = Vec::with_capacity(before.len().max(after.len()));
    let (mut old, mut new) = (0, 0);
    let mut kept = kept.into_iter();
    loop {
        let next = kept.next();
        let is_next = |element: u32| next == Some(element);
        while old < before.len() && !is_next(before[old]) {
            if new < after.len() && !is_next(after[new]) && may_pair(old, new) {
                told.push((Some(old), Some(new)));
                new += 1;
            } else {
                told.push((Some(old), None));
            }
            old += 1;
        }
        while new < after.len() && !is_next(after[new]) {
            told.push((None, Some(new)));
            new += 1;
        }
        if next.is_none() {
            return told;
        }
        told.push((Some(old), Some(new)));
        old += 1;
        new += 1;
    }
}

/// A common subsequence.
fn common(before: &[u32], after: &[u32]) -> Vec<u32> {
    if fits(before, after) {
        return exact(before, after);
    }
    let n_head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (head, before) = before.split_at(n_head);
    let after = &after[n_head..];
    let tails = before.iter().rev().zip(after.iter().rev());
    let n_tail = tails.take_while(|(a, b)| a == b).count();
    let (before, tail) = before.split_at(before.len() - n_tail);
    let after = &after[..after.len() - n_tail];

    let (before, after) = (shared(before, after), shared(after, before));
    let middle = if fits(&before, &after) {
        exact(&before, &after)
    } else {
        increasing(&before, &after)
    };
    [head, &middle, tail].concat()
}

fn fits(before: &[u32], after: &[u32]) -> bool {
    (before.len() + 1).saturating_mul(after.len() + 1) <= MAX_CELLS
}

/// The elements of `list` which `other` has too.
fn shared(list: &[u32], other: &[u32]) -> Vec<u32> {
    let other: HashSet<u32> = other.iter().copied().collect();
    let shared = list.iter().copied();
    shared.filter(|element| other.contains(element)).collect()
}

/// The longest common subsequence, by the classic matrix.
fn exact(before: &[u32], after: &[u32]) -> Vec<u32> {
    let width = after.len() + 1;
    let mut lengths = vec![0_u32; (before.len() + 1) * width];
    for (y, old) in before.iter().enumerate() {
        for (x, new) in after.iter().enumerate() {
            let here = (y + 1) * width + x + 1;
            lengths[here] = if old == new {
                lengths[here - width - 1] + 1
            } else {
                lengths[here - 1].max(lengths[here - width])
            };
        }
    }
    let mut found = Vec::new();
    let (mut y, mut x) = (before.len(), after.len());
    while y > 0 && x > 0 {
        let here = y * width + x;
        if before[y - 1] == after[x - 1] {
            found.push(before[y - 1]);
            y -= 1;
            x -= 1;
        } else if lengths[here - width] > lengths[here - 1] {
            y -= 1;
        } else {
            x -= 1;
        }
    }
    found.reverse();
    found
}

/// A common subsequence in `O(n log n)`: the first of each element faces the first, the second the second, and so on; of these
/// pairs the longest run that rises on both sides. It is a longest one if no element occurs twice.
fn increasing(before: &[u32], after: &[u32]) -> Vec<u32> {
    let mut places: HashMap<u32, VecDeque<usize>> = HashMap::new();
    for (place, element) in after.iter().enumerate() {
        places.entry(*element).or_default().push_back(place);
    }
    let faces: Vec<usize> = before
        .iter()
        .filter_map(|element| places.get_mut(element)?.pop_front())
        .collect();
    // Patience: `ends[n]` is the pair that ends the best run of n + 1 pairs, `previous` leads back along it.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous = vec![None; faces.len()];
    for (pair, face) in faces.iter().enumerate() {
        let n_below = ends.partition_point(|end| faces[*end] < *face);
        previous[pair] = n_below.checked_sub(1).map(|n| ends[n]);
        if n_below == ends.len() {
            ends.push(pair);
        } else {
            ends[n_below] = pair;
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(pair) = next {
        run.push(after[faces[pair]]);
        next = previous[pair];
    }
    run.reverse();
    run
}
