use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(xs: &[u32], ys: &[u32], want: &[u32]) {
    assert_eq!(kept(xs, ys), want);
}

/// The elements that are kept. Checks that both lists have them at the reported indexes, in this order.
#[track_caller]
fn kept(xs: &[u32], ys: &[u32]) -> Vec<u32> {
    let pairs = common(xs, ys);
    assert!(
        pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1),
        "{pairs:?}"
    );
    assert!(pairs.iter().all(|(x, y)| xs[*x] == ys[*y]), "{pairs:?}");
    pairs.iter().map(|(x, _)| xs[*x]).collect()
}

/// The elements that Terraform keeps: the matrix over both whole lists.
fn by_matrix(xs: &[u32], ys: &[u32]) -> Vec<u32> {
    let pairs = exact::longest(xs, ys);
    pairs.iter().map(|(x, _)| xs[*x]).collect()
}

/// `n` numbers below `below` in random order, the same for each `seed`.
fn scattered(n: u32, below: u32, seed: u64) -> Vec<u32> {
    let number = |at: u32| {
        let mixed = (u64::from(at) + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        u32::try_from((mixed >> 32) % u64::from(below)).unwrap()
    };
    (0..n).map(number).collect()
}

#[test]
fn chooses_from_the_end() {
    check(&[1, 2, 3], &[2, 3, 1], &[2, 3]);
    check(&[2, 1], &[1, 2], &[1]);
    check(&[], &[1], &[]);
}

#[test]
fn stands_at_the_first_places() {
    assert_eq!(common(&[1], &[1, 1]), [(0, 0)]);
    assert_eq!(common(&[3, 3, 1], &[3, 1, 1]), [(0, 0), (2, 1)]);
}

#[test]
fn few_edits_of_long_lists_are_found_all() {
    let xs = scattered(5_000, 40, 1);
    let mut ys = xs.clone();
    for at in 0..200 {
        ys.remove(at * 20 + 3);
    }
    ys.insert(0, 3);
    ys.push(7);
    assert_eq!(kept(&xs, &ys).len(), 4_800);
    assert!(
        few::longest(&xs, &ys, 1_000).is_none(),
        "the budget is kept"
    );
}

#[test]
fn of_elements_that_occur_once_the_longest_rising_run_is_kept() {
    // Every third element moved to the front, which is too many edits for the greedy search.
    let moved = (0..60_000).filter(|at| at % 3 == 0);
    let ys: Vec<u32> = moved.chain((0..60_000).filter(|at| at % 3 != 0)).collect();
    let xs: Vec<u32> = (0..60_000).collect();
    assert_eq!(kept(&xs, &ys).len(), 40_001, "all others, and the first");
}

#[test]
fn equal_elements_between_kept_ones_are_kept_too() {
    // Every other line is the same. An additional one at the start shifts all of them by one.
    let line = |at: u32| if at.is_multiple_of(2) { 0 } else { at };
    let xs: Vec<u32> = (1..30_000).map(line).collect();
    let mut ys: Vec<u32> = (0..30_000)
        .filter(|at| at % 16 != 5 && at % 16 != 9)
        .map(line)
        .collect();
    ys.insert(0, 0);
    ys.push(31_001);
    let n_gone = xs.len() - kept(&xs, &ys).len();
    assert_eq!(
        n_gone,
        (1..30_000)
            .filter(|at| at % 16 == 5 || at % 16 == 9)
            .count()
    );
}

#[test]
fn lists_without_common_elements_have_nothing_to_search() {
    let xs: Vec<u32> = (0..100_000).collect();
    let ys: Vec<u32> = (100_000..200_000).chain([7]).collect();
    assert_eq!(common(&xs, &ys), [(7, 100_000)]);
}

#[test]
fn long_lists_in_reverse_keep_one() {
    let xs: Vec<u32> = (0..50_000).collect();
    let ys: Vec<u32> = xs.iter().rev().copied().collect();
    assert_eq!(kept(&xs, &ys).len(), 1);
}

proptest! {
    #[test]
    fn taking_away_ends_and_what_is_not_shared_changes_no_choice(
        xs in prop::collection::vec(0_u32..6, 0..24),
        ys in prop::collection::vec(2_u32..9, 0..24),
    ) {
        prop_assert_eq!(kept(&xs, &ys), by_matrix(&xs, &ys));
    }

    #[test]
    fn few_edits_give_a_longest_one(
        xs in prop::collection::vec(0_u32..5, 0..20),
        ys in prop::collection::vec(0_u32..5, 0..20),
    ) {
        let pairs = few::longest(&xs, &ys, usize::MAX).expect("no bound");
        prop_assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        prop_assert!(pairs.iter().all(|(x, y)| xs[*x] == ys[*y]));
        prop_assert_eq!(pairs.len(), by_matrix(&xs, &ys).len());
    }

    #[test]
    fn rising_runs_are_common(
        xs in prop::collection::vec(0_u32..40, 0..200),
        ys in prop::collection::vec(0_u32..40, 0..200),
    ) {
        let pairs = rising::long(&xs, &ys);
        prop_assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        prop_assert!(pairs.iter().all(|(x, y)| xs[*x] == ys[*y]));
    }
}
