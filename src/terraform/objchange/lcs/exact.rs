//! The classic matrix algorithm.

/// The longest common subsequence. If there are several, the one that Terraform chooses.
pub(super) fn longest(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    let width = xs.len() + 1;
    let mut lengths = vec![0_u32; width * (ys.len() + 1)];
    for (row, y) in ys.iter().enumerate() {
        for (column, x) in xs.iter().enumerate() {
            let cell = width * (row + 1) + column + 1;
            lengths[cell] = if x == y {
                lengths[cell - width - 1] + 1
            } else {
                lengths[cell - 1].max(lengths[cell - width])
            };
        }
    }
    let mut pairs = Vec::new();
    let [mut x, mut y] = [xs.len(), ys.len()];
    while x > 0 && y > 0 {
        let cell = width * y + x;
        if xs[x - 1] == ys[y - 1] {
            pairs.push((x - 1, y - 1));
            x -= 1;
            y -= 1;
        } else if lengths[cell - 1] > lengths[cell - width] {
            x -= 1;
        } else {
            y -= 1;
        }
    }
    pairs.reverse();
    pairs
}
