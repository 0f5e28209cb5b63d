//! The longest common subsequence of two lists: which elements stayed, in which order.
//!
//! There is one alignment, [`common`], for everything that has an order: elements of lists, lines of texts, values of a schema's
//! type. It works on small numbers that stand for the elements, does a bounded amount of work, and reads no clock: two people who
//! look at one plan see one difference, on a slow machine and on a fast one, and the tenth list of a resource is aligned as well as
//! the first.
//!
//! # Laws
//!
//! 1. **What it gives is a common subsequence**, at the first places where it occurs on either side.
//! 2. **It is the one that Terraform chooses** as long as there are no more than [`EXACT_CELLS`] pairs of elements, after equal ends
//!    and elements that only one side has are taken away. Neither changes the choice.
//! 3. **Beyond, it is a longest one** as long as few elements were added and removed (about a thousand in a list of any length), or
//!    none occurs twice. Else it may be shorter than the longest.
//! 4. **Time** is `O(n log n)` beside a fixed number of looks at pairs, ten for every element and [`EXACT_CELLS`].
//!
//! # Why not Myers with a deadline
//!
//! That is what the `similar` crate has. Measured on 10,000 elements it takes 0.1 ms for 100 edits and 300 to 500 ms where little is
//! shared, so that a deadline is what usually ends the search in a long list that changed a lot. What it has not reached by then it
//! tells as deleted and created as a whole, even if nearly all of it stayed, and differently on a busy machine. Here the same search
//! gives up after a fixed number of steps, and what takes over still finds everything that kept its order among elements that occur
//! once: the same answer everywhere. 100,000 reversed elements are aligned, described and laid out in 52 ms (`cargo bench --bench
//! diff`).
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

/// How many pairs of elements are compared with each other: a thousand elements against a thousand.
pub const EXACT_CELLS: usize = 1_000_000;

/// The elements that both lists have in the same order, as pairs of positions in `xs` and `ys`, both rising.
///
/// Elements are equal as by [`value_equal`]. It is the subsequence that Terraform chooses as long as there are no more than
/// [`EXACT_CELLS`] pairs of elements; beyond that a longest one where few elements came and went or none occurs twice, else one that
/// may be shorter.
pub fn longest_common_subsequence(xs: &[View<'_>], ys: &[View<'_>]) -> Vec<(usize, usize)> {
    let mut classes = Classes::default();
    let [xs, ys] =
        [xs, ys].map(|items| -> Vec<u32> { items.iter().map(|item| classes.of(*item)).collect() });
    common(&xs, &ys)
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
    /// The number of what is equal to `item`; one of its own for what is equal to nothing, not even itself.
    fn of(&mut self, item: View<'v>) -> u32 {
        let class = self.n_classes;
        // What is equal to itself is equal to whatever has its class; an unknown anywhere inside is not.
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

/// A common subsequence of two lists of numbers, as pairs of positions in them, both rising; see the [module](self) for which one.
///
/// The numbers should be small: tables with a place for each up to the largest are made.
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

/// How many elements are equal before the first that differ.
fn n_equal<'n>(
    xs: impl IntoIterator<Item = &'n u32>,
    ys: impl IntoIterator<Item = &'n u32>,
) -> usize {
    let pairs = xs.into_iter().zip(ys);
    pairs.take_while(|(x, y)| x == y).count()
}

/// A common subsequence of lists without equal ends.
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

/// The places in `items` of what `others` has too.
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

/// The same subsequence at the first places where it occurs in either list.
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
