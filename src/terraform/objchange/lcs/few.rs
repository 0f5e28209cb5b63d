//! Lists that differ in few elements: the greedy search of Myers.

/// A longest common subsequence; `None` if it is not found with `budget` looks at pairs of elements.
///
/// Finding `d` edits (an element that only one list has is one) takes about `n + d²/2` looks, and as many numbers of memory at most.
pub(super) fn longest(xs: &[u32], ys: &[u32], budget: usize) -> Option<Vec<(usize, usize)>> {
    let mut budget = budget;
    // Row `d` holds, for each diagonal that `d` edits can reach, how far into `xs` they lead. A row has one entry more than the one
    // before; entry `turn` has skipped `turn` elements of `xs` and `d - turn` of `ys`.
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

/// Where the first entry of row `d` stands.
fn row(d: usize) -> usize {
    d * (d + 1) / 2
}

/// Where in `xs` entry `turn` of row `d` begins, before what is equal is followed, and which entry of the row before leads there.
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

/// The pairs on the way to entry `turn` of row `d`, which reached the end.
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
