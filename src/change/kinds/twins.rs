//! Changes that a resource has twice: a tag and the same one among all tags, an input and the output that repeats it, a masked text
//! and its plain parse.

use hashbrown::{HashMap, HashSet};

use crate::change::leaves::Leaf;
use crate::change::review::PARSES;
use crate::change::vocabulary::WORDS;
use crate::path::{Path, Segment};

/// The leaves without those that repeat another one.
pub fn told(leaves: Vec<Leaf>) -> Vec<Leaf> {
    let is_told: Vec<bool> = are_told(&leaves);
    let both = leaves.into_iter().zip(is_told);
    both.filter_map(|(leaf, is_told)| is_told.then_some(leaf))
        .collect()
}

fn are_told(leaves: &[Leaf]) -> Vec<bool> {
    let mut known: HashMap<&Path, usize> = HashMap::new();
    let mut parsed: HashSet<&str> = HashSet::new();
    for (at, leaf) in leaves.iter().enumerate() {
        known.entry(&leaf.path).or_insert(at);
        if let Some(Segment::Key(key)) = leaf.path.0.first() {
            parsed.extend(PARSES.iter().filter_map(|end| key.strip_suffix(end)));
        }
    }
    let is_told = leaves.iter().enumerate().map(|(at, leaf)| {
        let is_same = |path: &Path| {
            let other = known.get(path).filter(|other| **other != at);
            let other = other.map(|other| &leaves[*other]);
            other.is_some_and(|it| (&it.before, &it.after) == (&leaf.before, &leaf.after))
        };
        let repeats = is_same(&leaf.path) || originals(&leaf.path).iter().any(is_same);
        let is_masked = leaf.before.is_secret() && leaf.after.is_secret();
        let is_parsed = || match &leaf.path.0[..] {
            [Segment::Key(key)] => parsed.contains(&**key),
            _ => false,
        };
        !(repeats || is_masked && is_parsed())
    });
    is_told.collect()
}

/// The paths that a path may repeat.
fn originals(path: &Path) -> Vec<Path> {
    let keys = path
        .0
        .iter()
        .enumerate()
        .filter_map(|(at, step)| match step {
            Segment::Key(key) => Some((at, key)),
            Segment::Index(_) => None,
        });
    let repeated = keys.flat_map(|(at, key)| {
        let originals = WORDS.repeating.get(&**key).into_iter().flat_map(|it| &**it);
        originals.map(move |of| (at, &**of))
    });
    let paths = repeated.map(|(at, of)| {
        let mut steps = path.0.clone();
        steps[at] = Segment::Key(of.into());
        Path(steps)
    });
    paths.collect()
}
