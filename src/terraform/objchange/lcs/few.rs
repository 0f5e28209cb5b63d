//! Myers' greedy search, for lists that differ in few elements.

/// A longest common subsequence; `None` if it is not found within `budget` comparisons.
///
/// Finding `d` edits (an added or removed element is one edit) takes about `n + d²/2` comparisons, and memory for at most that
/// many numbers.
pub(super) fn longest(xs: &[u32], ys: &[u32], budget: usize) -> Option<Vec<(usize, usize)>> {
    let mut budget = budget;
    // Row `d` holds, for each diagonal that `d` edits can reach, the furthest index in `xs`. A row has one entry more than the
    // row before. Entry `turn` has skipped `turn` elements of `xs` and `d - turn` of `ys`.
    let mut reached: Vec<u32> = Vec::new();
    for d in 0.. {
        budget = budget.checked_sub(d + 1)?;
        for turn in 0..=d {
            let mut x = start(&reached, d, turn).0;
            let mut y = x + d - 2 * turn;
            let from = x;
            while x < xs.len() && y < ys.len() && xs[x] == ys[y] {
                x += 1;
                y += 1;
            }
            budget = budget.checked_sub(x - from)?;
            reached.push(u32::try_from(x).ok()?);
            if x == xs.len() && y == ys.len() {
                return Some(walked_back(&reached, d, turn));
            }
        }
    }
    None
}

/// Index of the first entry of row `d`.
fn row(d: usize) -> usize {
    d * (d + 1) / 2
}

/// Index in `xs` where entry `turn` of row `d` starts, before it follows equal elements; and the entry of the previous row that
/// leads there.
fn start(reached: &[u32], d: usize, turn: usize) -> (usize, usize) {
    let Some(before) = d.checked_sub(1).map(row) else {
        return (0, 0);
    };
    let skipping_y = (turn < d).then(|| (reached[before + turn] as usize, turn));
    let skipping_x = turn
        .checked_sub(1)
        .map(|turn| (reached[before + turn] as usize + 1, turn));
    skipping_x.max(skipping_y).unwrap_or_default()
}

/// The pairs on the path to entry `turn` of row `d`, which reached the end.
fn walked_back(reached: &[u32], mut d: usize, mut turn: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    loop {
        let end = reached[row(d) + turn] as usize;
        let (from, before) = start(reached, d, turn);
        pairs.extend((from..end).rev().map(|x| (x, x + d - 2 * turn)));
        if d == 0 {
            pairs.reverse();
            return pairs;
        }
        (d, turn) = (d - 1, before);
    }
}
