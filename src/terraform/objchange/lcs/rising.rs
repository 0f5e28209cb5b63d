//! Increasing runs, for long lists that differ a lot.

use super::{exact, n_equal};

/// Maximum number of pairs that are compared exactly between two neighbors of the run.
const GAP_CELLS: usize = 4_096;

/// A long common subsequence in `O(n log n)`. It is a longest one if no element occurs twice.
///
/// Equal elements are paired in order: the first of `xs` with the first of `ys`, the second with the second, and so on. The
/// result is the longest run of these pairs that increases on both sides. Between two neighbors of the run the search is repeated
/// on a smaller scale, since equal elements may have been paired wrongly.
pub(super) fn long(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut x, mut y) = (0, 0);
    let end = (xs.len(), ys.len());
    for (next_x, next_y) in run(&facing(xs, ys)).into_iter().chain([end]) {
        let gap = between(&xs[x..next_x], &ys[y..next_y]);
        pairs.extend(gap.into_iter().map(|(in_x, in_y)| (x + in_x, y + in_y)));
        if (next_x, next_y) != end {
            pairs.push((next_x, next_y));
        }
        (x, y) = (next_x + 1, next_y + 1);
    }
    pairs
}

/// The pairs of equal elements, increasing in `xs`.
fn facing(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    // Equal elements are chained by index, so that one table is enough for any number of values.
    let n_numbers = ys.iter().max().map_or(0, |max| *max as usize + 1);
    let mut first: Vec<Option<usize>> = vec![None; n_numbers];
    let mut next = vec![None; ys.len()];
    for (place, number) in ys.iter().enumerate().rev() {
        next[place] = first[*number as usize].replace(place);
    }
    let face = |(x, number): (usize, &u32)| {
        let place = first.get_mut(*number as usize)?;
        let y = (*place)?;
        *place = next[y];
        Some((x, y))
    };
    xs.iter().enumerate().filter_map(face).collect()
}

/// The longest run of pairs that increases on both sides, by patience sorting.
fn run(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[n]` is the last pair of the best run of n + 1 pairs, and `previous` links back along it.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous = vec![None; pairs.len()];
    for (at, (_, y)) in pairs.iter().enumerate() {
        let n_below = ends.partition_point(|end| pairs[*end].1 < *y);
        previous[at] = n_below.checked_sub(1).map(|n| ends[n]);
        if n_below == ends.len() {
            ends.push(at);
        } else {
            ends[n_below] = at;
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        run.push(pairs[at]);
        next = previous[at];
    }
    run.reverse();
    run
}

/// The common subsequence between two neighbors of a run: an exact one if the gap is small, otherwise its equal ends.
fn between(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    if xs.len().saturating_mul(ys.len()) <= GAP_CELLS {
        return exact::longest(xs, ys);
    }
    let head = n_equal(xs, ys);
    let tail = n_equal(xs[head..].iter().rev(), ys[head..].iter().rev());
    let ends = (xs.len() - tail..xs.len()).zip(ys.len() - tail..ys.len());
    (0..head).map(|at| (at, at)).chain(ends).collect()
}
