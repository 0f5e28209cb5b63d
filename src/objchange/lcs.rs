//! The longest common subsequence of two lists: which elements stayed, in which order.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::cty::{View, distinct_marks, key_text};

/// How many pairs of elements are compared exactly. Past that the alignment is the linear-space one of Myers, which stops searching
/// for a better one at its deadline.
pub const EXACT_CELLS: usize = 1_000_000;

/// What an element is equal to: elements of one class are equal, an element without a class is equal to nothing, not even itself.
pub type Class = Option<u32>;

/// The elements that both lists have in the same order, as pairs of positions in `xs` and `ys`, both rising.
///
/// Elements are equal as by [`value_equal`]. Of several longest subsequences the one is chosen that Terraform chooses, as long as
/// the lists have no more than [`EXACT_CELLS`] pairs; past that some long one is found by `deadline`.
///
/// # Source
///
/// hashicorp/terraform 883c7221, `internal/plans/objchange/lcs.go`.
pub fn longest_common_subsequence(
    xs: &[View<'_>],
    ys: &[View<'_>],
    deadline: Option<Instant>,
) -> Vec<(usize, usize)> {
    let mut classes = Classes::default();
    let [xs, ys] = [xs, ys]
        .map(|items| -> Vec<Class> { items.iter().map(|item| classes.of(*item)).collect() });
    align(&xs, &ys, deadline)
}

/// Whether two elements of a list are taken for one: known to be equal, and with as many different marks anywhere in them.
///
/// # Source
///
/// hashicorp/terraform 883c7221, `objchange.ValueEqual`.
pub fn value_equal(x: View<'_>, y: View<'_>) -> bool {
    x.known_equals(y) && distinct_marks(x).len() == distinct_marks(y).len()
}

/// Finds classes, so that each pair of elements need not be compared as a whole.
#[derive(Default)]
struct Classes<'v> {
    /// By the text of an element: equal elements have equal texts.
    known: HashMap<String, Vec<(View<'v>, u32)>>,
    n_classes: u32,
}

impl<'v> Classes<'v> {
    fn of(&mut self, item: View<'v>) -> Class {
        // What is equal to itself is equal to whatever has its class; an unknown anywhere inside is not.
        if !value_equal(item, item) {
            return None;
        }
        let peers = self.known.entry(key_text(item)).or_default();
        if let Some((_, class)) = peers.iter().find(|(peer, _)| value_equal(*peer, item)) {
            return Some(*class);
        }
        let class = self.n_classes;
        self.n_classes += 1;
        peers.push((item, class));
        Some(class)
    }
}

/// The longest common subsequence of two lists of classes; see [`longest_common_subsequence`].
pub fn align(xs: &[Class], ys: &[Class], deadline: Option<Instant>) -> Vec<(usize, usize)> {
    // Where the last elements are equal, the choice below takes them too.
    let n_tail = xs
        .iter()
        .rev()
        .zip(ys.iter().rev())
        .take_while(|(x, y)| are_equal(**x, **y))
        .count();
    let [head_x, head_y] = [&xs[..xs.len() - n_tail], &ys[..ys.len() - n_tail]];
    let mut pairs = if head_x.len().saturating_mul(head_y.len()) <= EXACT_CELLS {
        align_exactly(head_x, head_y)
    } else {
        align_quickly(head_x, head_y, deadline)
    };
    pairs.extend((head_x.len()..xs.len()).zip(head_y.len()..ys.len()));
    pairs
}

fn are_equal(x: Class, y: Class) -> bool {
    x.is_some() && x == y
}

fn align_exactly(xs: &[Class], ys: &[Class]) -> Vec<(usize, usize)> {
    let width = xs.len() + 1;
    let mut lengths = vec![0_u32; width * (ys.len() + 1)];
    for (row, y) in ys.iter().enumerate() {
        for (column, x) in xs.iter().enumerate() {
            let cell = width * (row + 1) + column + 1;
            lengths[cell] = if are_equal(*x, *y) {
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
        if are_equal(xs[x - 1], ys[y - 1]) {
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

/// An alignment of long lists. What only one of them has is left out first, and so are equal beginnings: what remains is often
/// short, and without common elements nothing is searched at all.
fn align_quickly(xs: &[Class], ys: &[Class], deadline: Option<Instant>) -> Vec<(usize, usize)> {
    let n_head = xs
        .iter()
        .zip(ys)
        .take_while(|(x, y)| are_equal(**x, **y))
        .count();
    let shared = |items: &[Class], others: &[Class]| -> Vec<(usize, Class)> {
        let others: HashSet<Class> = others[n_head..].iter().copied().collect();
        let items = items.iter().copied().enumerate().skip(n_head);
        items
            .filter(|(_, class)| class.is_some() && others.contains(class))
            .collect()
    };
    let (left, right) = (shared(xs, ys), shared(ys, xs));
    let [lefts, rights] =
        [&left, &right].map(|items| items.iter().map(|(_, class)| *class).collect::<Vec<_>>());
    let mut pairs: Vec<(usize, usize)> = (0..n_head).map(|index| (index, index)).collect();
    if lefts.len().saturating_mul(rights.len()) <= EXACT_CELLS {
        let found = align_exactly(&lefts, &rights);
        pairs.extend(found.into_iter().map(|(x, y)| (left[x].0, right[y].0)));
        return pairs;
    }
    for op in capture_diff_slices_deadline(Algorithm::Myers, &lefts, &rights, deadline) {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        {
            let run = (0..len).map(|step| (left[old_index + step].0, right[new_index + step].0));
            pairs.extend(run);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(xs: &[u32], ys: &[u32], want: &[(usize, usize)]) {
        let [xs, ys] = [xs, ys].map(|items| items.iter().copied().map(Some).collect::<Vec<_>>());
        assert_eq!(align(&xs, &ys, None), want);
    }

    #[test]
    fn chooses_from_the_end() {
        check(&[1, 2, 3], &[2, 3, 1], &[(1, 0), (2, 1)]);
        check(&[1], &[1, 1], &[(0, 1)]);
        check(&[2, 1], &[1, 2], &[(1, 0)]);
        check(&[], &[1], &[]);
    }

    #[test]
    fn what_has_no_class_equals_nothing() {
        assert_eq!(align(&[None], &[None], None), []);
    }

    #[test]
    fn long_lists_are_aligned_too() {
        let xs: Vec<Class> = (0..3_000).map(Some).collect();
        let mut ys = xs.clone();
        ys.remove(1_500);
        ys.insert(0, Some(9_999));
        let pairs = align(&xs, &ys, None);
        assert_eq!(pairs.len(), 2_999);
        assert!(pairs.iter().all(|(x, y)| xs[*x] == ys[*y]));
    }

    #[test]
    fn long_lists_without_common_elements_have_nothing_to_search() {
        let xs: Vec<Class> = (0..100_000).map(Some).collect();
        let ys: Vec<Class> = (100_000..200_000).map(Some).chain([Some(7)]).collect();
        assert_eq!(align(&xs, &ys, None), [(7, 100_000)]);
    }
}
