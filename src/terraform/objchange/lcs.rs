//! The longest common subsequence of two lists: the elements that stayed in order.
//!
//! There is one alignment, [`common`], for everything that has an order: elements of lists, lines of texts, values of a schema's
//! type. It works on small numbers that represent the elements, does a bounded amount of work, and reads no clock. So two people
//! see the same difference in one plan, on a slow machine and on a fast one. The tenth list of a resource is aligned as well as
//! the first.
//!
//! # Laws
//!
//! 1. **The result is a common subsequence**, at the first positions where it occurs on either side.
//! 2. **It is the one that Terraform chooses** for up to [`EXACT_CELLS`] pairs of elements, not counting equal ends and elements
//!    that only one side has. Leaving those out does not change the choice.
//! 3. **Beyond that, it is a longest one** if few elements were added and removed (about a thousand in a list of any length), or
//!    if no element occurs twice. Otherwise it may be shorter than the longest.
//! 4. **Time** is `O(n log n)` plus a fixed number of comparisons of pairs: ten for every element and [`EXACT_CELLS`].
//!
//! # Why not Myers with a deadline
//!
//! That is the method of the `similar` crate. Measured on 10,000 elements, it takes 0.1 ms for 100 edits and 300 to 500 ms where
//! little is shared. So in a long list that changed a lot, a deadline usually ends the search. The part not reached by then is
//! reported as deleted and created as a whole, even if nearly all of it stayed, and differently on a busy machine. Here the same
//! search gives up after a fixed number of steps. The fallback still finds everything that kept its order among elements that
//! occur once: the same answer everywhere. 100,000 reversed elements are aligned, described and laid out in 52 ms (`--bench
//! diff` of `tests/bench`).
//!
//! # Source
//!
//! hashicorp/terraform 883c7221, `internal/plans/objchange/lcs.go` (which of several subsequences). E. W. Myers, "An O(ND)
//! Difference Algorithm and Its Variations" (1986); patience sorting for increasing runs.

mod exact;
mod few;
mod rising;

use std::collections::HashMap;

use crate::terraform::cty::{View, distinct_marks, key_text};

/// Maximum number of pairs of elements that are compared exactly: a thousand elements against a thousand.
pub const EXACT_CELLS: usize = 1_000_000;

/// The elements that both lists have in the same order, as pairs of indexes into `xs` and `ys`, both increasing.
///
/// Elements are compared with [`value_equal`]. Up to [`EXACT_CELLS`] pairs of elements, this is the subsequence that Terraform
/// chooses. Beyond that it is a longest one if few elements were added or removed or none occurs twice, and may be shorter
/// otherwise.
pub fn longest_common_subsequence(xs: &[View<'_>], ys: &[View<'_>]) -> Vec<(usize, usize)> {
    let mut classes = Classes::default();
    let [xs, ys] =
        [xs, ys].map(|items| -> Vec<u32> { items.iter().map(|item| classes.of(*item)).collect() });
    common(&xs, &ys)
}

/// True if two list elements count as the same: known to be equal, with the same number of different marks anywhere in them.
///
/// # Source
///
/// hashicorp/terraform 883c7221, `objchange.ValueEqual`.
pub fn value_equal(x: View<'_>, y: View<'_>) -> bool {
    x.known_equals(y) && distinct_marks(x).len() == distinct_marks(y).len()
}

/// Assigns equal elements to classes, so that not every pair has to be compared in full.
#[derive(Default)]
struct Classes<'v> {
    /// By the key text of an element: equal elements have equal texts.
    known: HashMap<String, Vec<(View<'v>, u32)>>,
    n_classes: u32,
}

impl<'v> Classes<'v> {
    /// The class of `item`. Equal items share a class. An item that is not equal even to itself gets a new class.
    fn of(&mut self, item: View<'v>) -> u32 {
        let class = self.n_classes;
        // Equality with itself implies equality with the members of its class. An item with an unknown inside is not equal to
        // itself.
        if value_equal(item, item) {
            let peers = self.known.entry(key_text(item)).or_default();
            if let Some((_, class)) = peers.iter().find(|(peer, _)| value_equal(*peer, item)) {
                return *class;
            }
            peers.push((item, class));
        }
        self.n_classes += 1;
        class
    }
}

/// A common subsequence of two lists of numbers, as pairs of indexes, both increasing. The module says which of several is chosen.
///
/// The numbers should be small: tables up to the largest number are allocated.
pub(crate) fn common(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    first_places(xs, ys, &chosen(xs, ys))
}

fn chosen(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    let head = n_equal(xs, ys);
    let tail = n_equal(xs[head..].iter().rev(), ys[head..].iter().rev());
    let (end_x, end_y) = (xs.len() - tail, ys.len() - tail);
    let middle = inside(&xs[head..end_x], &ys[head..end_y]);
    let mut pairs: Vec<_> = (0..head).map(|at| (at, at)).collect();
    pairs.extend(middle.into_iter().map(|(x, y)| (head + x, head + y)));
    pairs.extend((end_x..xs.len()).zip(end_y..ys.len()));
    pairs
}

/// Number of equal elements before the first difference.
fn n_equal<'n>(
    xs: impl IntoIterator<Item = &'n u32>,
    ys: impl IntoIterator<Item = &'n u32>,
) -> usize {
    let pairs = xs.into_iter().zip(ys);
    pairs.take_while(|(x, y)| x == y).count()
}

/// A common subsequence of lists with their equal ends removed.
fn inside(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    let (left, right) = (shared(xs, ys), shared(ys, xs));
    let [lefts, rights] = [(xs, &left), (ys, &right)]
        .map(|(items, places)| -> Vec<u32> { places.iter().map(|place| items[*place]).collect() });
    let pairs = if lefts.len().saturating_mul(rights.len()) <= EXACT_CELLS {
        exact::longest(&lefts, &rights)
    } else {
        let budget = EXACT_CELLS + 10 * (lefts.len() + rights.len());
        few::longest(&lefts, &rights, budget).unwrap_or_else(|| rising::long(&lefts, &rights))
    };
    let places = |(x, y): (usize, usize)| (left[x], right[y]);
    pairs.into_iter().map(places).collect()
}

/// The indexes in `items` of the elements that `others` has too.
fn shared(items: &[u32], others: &[u32]) -> Vec<usize> {
    let n_numbers = others.iter().max().map_or(0, |max| *max as usize + 1);
    let mut is_there = vec![false; n_numbers];
    for other in others {
        is_there[*other as usize] = true;
    }
    let is_shared = |number: u32| is_there.get(number as usize) == Some(&true);
    (0..items.len())
        .filter(|place| is_shared(items[*place]))
        .collect()
}

/// Moves the subsequence to the first positions where it occurs in either list.
fn first_places(xs: &[u32], ys: &[u32], pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let (mut x, mut y) = (0, 0);
    let first = |items: &[u32], from: usize, number: u32, last: usize| {
        (from..last)
            .find(|place| items[*place] == number)
            .unwrap_or(last)
    };
    let mut found = Vec::with_capacity(pairs.len());
    for (last_x, last_y) in pairs {
        let number = xs[*last_x];
        let pair = (first(xs, x, number, *last_x), first(ys, y, number, *last_y));
        found.push(pair);
        (x, y) = (pair.0 + 1, pair.1 + 1);
    }
    found
}

#[cfg(test)]
mod tests;
