//! The changes of a file since it was read before.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::iter::Peekable;
use std::sync::Arc;

use crate::stack::{Output, ResourceId, Stack};
use crate::tui::widgets::text::{count, plural};

/// A file as it was read: its resources, and the hash of the text of each.
#[derive(Clone)]
pub struct Reading {
    /// The stack.
    pub stack: Stack,
    /// The hashes by id; 0, or none, where the text was not read as one piece.
    pub digests: Vec<u64>,
}

/// The changes from one reading of a file to the next.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Since {
    /// The resources that are new or differ.
    pub fresh: Arc<HashSet<ResourceId>>,
    n_new: usize,
    n_gone: usize,
    n_differ: usize,
    n_outputs: usize,
}

impl Reading {
    /// The resources by the hash of their names, those of one name in the order of the file.
    fn sorted(&self, hasher: &RandomState) -> Vec<(u64, ResourceId)> {
        let ids = self.stack.ids();
        let keyed = ids.map(|id| (hasher.hash_one(self.stack.identity(id)), id));
        let mut sorted: Vec<_> = keyed.collect();
        sorted.sort_unstable();
        sorted
    }

    fn digest(&self, id: ResourceId) -> Option<u64> {
        let digest = self.digests.get(id.index()).copied();
        digest.filter(|digest| *digest != 0)
    }
}

impl Since {
    /// Compares two readings. `None` if the texts of the resources are not known, as those of a log.
    pub fn between(old: &Reading, new: &Reading) -> Option<Self> {
        let is_unknown =
            |it: &Reading| !it.stack.is_empty() && it.digests.iter().all(|digest| *digest == 0);
        if is_unknown(old) || is_unknown(new) {
            return None;
        }
        let names = RandomState::new();
        let mut earlier = old.sorted(&names).into_iter().peekable();
        let (mut fresh, mut since) = (HashSet::new(), Self::default());
        for (name, id) in new.sorted(&names) {
            since.n_gone += skip_to(&mut earlier, name);
            match earlier.next_if(|(other, _)| *other == name) {
                None => since.n_new += 1,
                Some((_, other)) => match (old.digest(other), new.digest(id)) {
                    (Some(before), Some(after)) if before != after => since.n_differ += 1,
                    _ => continue,
                },
            }
            fresh.insert(id);
        }
        since.n_gone += earlier.count();
        since.n_outputs = n_moved(&old.stack.outputs, &new.stack.outputs);
        since.fresh = Arc::new(fresh);
        Some(since)
    }

    /// The counts, `3 new, 1 gone, 2 differ`; "" if nothing moved.
    pub fn words(&self) -> String {
        let counted = [
            (self.n_new, "new"),
            (self.n_gone, "gone"),
            (self.n_differ, "differ"),
        ];
        let counted = counted.into_iter().filter(|(n, _)| *n > 0);
        let mut words: Vec<String> = counted
            .map(|(n, word)| format!("{} {word}", count(n as u64)))
            .collect();
        if self.n_outputs > 0 {
            words.push(plural(self.n_outputs, "output"));
        }
        words.join(", ")
    }
}

/// Number of resources before the one of this name, which are passed over.
fn skip_to(resources: &mut Peekable<impl Iterator<Item = (u64, ResourceId)>>, name: u64) -> usize {
    std::iter::from_fn(|| resources.next_if(|(other, _)| *other < name)).count()
}

/// Number of outputs that are new, gone or differ.
fn n_moved(old: &[Output], new: &[Output]) -> usize {
    let is_in = |outputs: &[Output], it: &Output| outputs.iter().any(|other| other.name == it.name);
    let n_gone = old.iter().filter(|it| !is_in(new, it)).count();
    n_gone + new.iter().filter(|it| !old.contains(it)).count()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use hashbrown::DefaultHashBuilder;

    use super::{Reading, Since};
    use crate::load::{self, Input, LoadEvent};
    use crate::stack::Stack;

    fn reading(resources: &[(&str, u32)], output: u32, digest: &DefaultHashBuilder) -> Reading {
        let resources: Vec<String> = resources
            .iter()
            .map(|(name, size)| {
                format!(
                    r#"{{"mode":"managed","type":"t","name":"{name}","provider":"p","instances":[{{"attributes":{{"size":{size}}}}}]}}"#
                )
            })
            .collect();
        let text = format!(
            r#"{{"version":4,"outputs":{{"o":{{"value":{output},"type":"number"}}}},"resources":[{}]}}"#,
            resources.join(",")
        );
        let input = Input::bytes("s.json", text.into_bytes());
        let (mut stack, mut digests): (Option<Stack>, _) = (None, Vec::new());
        let mut sink = |event| match event {
            LoadEvent::Opened { document, .. } => stack = Some(document.stack),
            LoadEvent::Indexed { batch, .. } => {
                digests.extend(&batch.digests);
                stack.as_mut().unwrap().extend(*batch);
            }
            LoadEvent::Finished(summary) => load::settle(stack.as_mut().unwrap(), *summary),
        };
        load::stream_digested(
            &input,
            input.limits,
            &AtomicBool::default(),
            Some(digest),
            &mut sink,
        )
        .unwrap();
        Reading {
            stack: stack.unwrap(),
            digests,
        }
    }

    #[test]
    fn resources_are_new_gone_or_differ_by_their_names_and_texts() {
        let digest = DefaultHashBuilder::default();
        let old = reading(&[("a", 1), ("b", 1), ("gone", 1)], 1, &digest);
        let new = reading(&[("new", 1), ("b", 2), ("a", 1)], 2, &digest);
        let since = Since::between(&old, &new).unwrap();
        assert_eq!(since.words(), "1 new, 1 gone, 1 differ, 1 output");
        let fresh: Vec<_> = new
            .stack
            .ids()
            .map(|id| since.fresh.contains(&id))
            .collect();
        assert_eq!(fresh, [true, true, false]);
        let none = Since::between(&new, &new).unwrap();
        assert_eq!((none.words().as_str(), none.fresh.len()), ("", 0));
    }
}
