//! Long lists that differ a lot: runs that rise on both sides.

use super::{exact, n_equal};

/// Up to how many pairs are compared exactly between two neighbors of the run.
const GAP_CELLS: usize = 4_096;

/// A long common subsequence in `O(n log n)`, a longest one if no element occurs twice.
///
/// Of equal elements the first of `xs` faces the first of `ys`, the second the second, and so on; of these pairs the longest run is
/// taken that rises on both sides. Between two neighbors of the run the same is looked for on a smaller scale, since equal elements
/// may have faced the wrong one.
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

/// The pairs of elements that face each other, rising in `xs`.
fn facing(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    // The places of equal elements are chained, so that there is one table however many numbers there are.
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

/// The longest run of pairs that rises on both sides, by patience sorting.
fn run(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[n]` is the pair that ends the best run of n + 1 pairs, `previous` leads back along it.
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

/// The common subsequence of what lies between two neighbors of a run: all of it if it is small, else its equal ends.
fn between(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    if xs.len().saturating_mul(ys.len()) <= GAP_CELLS {
        return exact::longest(xs, ys);
    }
    let head = n_equal(xs, ys);
    let tail = n_equal(xs[head..].iter().rev(), ys[head..].iter().rev());
    let ends = (xs.len() - tail..xs.len()).zip(ys.len() - tail..ys.len());
    (0..head).map(|at| (at, at)).chain(ends).collect()
}
