//! Removes differences between two values of one thing that come only from the forms of the two files.
//!
//! A state, its `show -json`, a plan in JSON and a plan file write one value in different ways: with or without keys that are
//! null, sets in another order, other masks, JSON in strings formatted differently. A plan also leaves out values known after
//! apply. [`settle`] removes these differences from both sides, so that [`describe`](super::difference::describe) finds real
//! differences only. It counts the removed ones, so that nothing is lost silently.
//!
//! # Laws
//!
//! 1. A value and itself settle to one value, and nothing is counted.
//! 2. **Masked by construction.** An element that is masked on either side is masked on both, wherever it moved.
//! 3. Values that are known on both sides and differ in content still differ.
//!
//! Without a schema lists and sets look alike. So lists with the same elements in another order count as equal, and their
//! number is reported.

use std::collections::VecDeque;
use std::sync::Arc;

use hashbrown::HashMap;

use super::difference::MAX_DEPTH;
use crate::json;
use crate::value::content::Numbers;
use crate::value::{Array, Map, Payload, Value, same};

/// Number of pairs of elements that are compared by settling them, per value.
const MAX_TRIALS: u32 = 4096;

/// The rule that compares an unknown value with a known one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unknowns {
    /// It matches any value: one side is a plan, the other its outcome.
    Match,
    /// It differs from every known value.
    Differ,
}

/// Counts of the differences that come only from the form.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Values that are known on one side and not yet known on the other.
    pub n_known: u64,
    /// Lists or sets with the same elements in another order.
    pub n_reordered: u64,
}

impl Tally {
    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            n_known: self.n_known + other.n_known,
            n_reordered: self.n_reordered + other.n_reordered,
        }
    }
}

/// `before` and `after` without the differences that come only from the form, and the counts of these.
pub fn settle(before: &Value, after: &Value, unknowns: Unknowns) -> (Value, Value, Tally) {
    let mut settling = Settling {
        unknowns,
        tally: Tally::default(),
        n_trials: 0,
    };
    let (before, after) = settling.pair(before, after, 0);
    (before, after, settling.tally)
}

struct Settling {
    unknowns: Unknowns,
    tally: Tally,
    n_trials: u32,
}

impl Settling {
    fn pair(&mut self, before: &Value, after: &Value, depth: usize) -> (Value, Value) {
        let is_secret = before.is_secret() || after.is_secret();
        let (old, new) = self.contents(before, after, depth);
        (old.with_secret(is_secret), new.with_secret(is_secret))
    }

    fn contents(&mut self, before: &Value, after: &Value, depth: usize) -> (Value, Value) {
        let is_promise = self.unknowns == Unknowns::Match;
        match (before.payload(), after.payload()) {
            (Payload::Computed(_), Payload::Computed(_)) => (before.clone(), after.clone()),
            (Payload::Computed(_), _) if is_promise => {
                self.tally.n_known += 1;
                (after.clone(), after.clone())
            }
            (_, Payload::Computed(_)) if is_promise => {
                self.tally.n_known += 1;
                (before.clone(), before.clone())
            }
            (Payload::Map(old), Payload::Map(new)) if depth < MAX_DEPTH => {
                let (old, new) = self.maps(old, new, depth + 1);
                let old = before.clone().with_payload(Payload::Map(old));
                (old, after.clone().with_payload(Payload::Map(new)))
            }
            (Payload::Array(old), Payload::Array(new)) if depth < MAX_DEPTH => {
                let (old, new) = self.arrays(old.as_slice(), new.as_slice(), depth + 1);
                let old = before.clone().with_payload(Payload::Array(old));
                (old, after.clone().with_payload(Payload::Array(new)))
            }
            (Payload::String(_), Payload::String(_)) if is_same_json(before, after) => {
                (after.clone(), after.clone())
            }
            _ => (before.clone(), after.clone()),
        }
    }

    fn maps(&mut self, before: &Map, after: &Map, depth: usize) -> (Map, Map) {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for (key, value) in before {
            if let Some(other) = after.get(key) {
                let (value, other) = self.pair(value, other, depth);
                old.push((Arc::clone(key), value));
                new.push((Arc::clone(key), other));
            } else if !self.is_nothing(value) {
                old.push((Arc::clone(key), value.clone()));
            }
        }
        for (key, value) in after.iter().filter(|(key, _)| !before.contains_key(key)) {
            if !self.is_nothing(value) {
                new.push((Arc::clone(key), value.clone()));
            }
        }
        (old.into_iter().collect(), new.into_iter().collect())
    }

    /// True if a value counts as a missing key.
    fn is_nothing(&mut self, value: &Value) -> bool {
        let is_open = value.is_computed() && self.unknowns == Unknowns::Match;
        self.tally.n_known += u64::from(is_open);
        is_open || value.is_null()
    }

    fn arrays(&mut self, before: &[Value], after: &[Value], depth: usize) -> (Array, Array) {
        let facing = self.facing(before, after, depth);
        let (mut old, mut new) = (before.to_vec(), after.to_vec());
        for (at, place) in &facing.pairs {
            (old[*at], new[*place]) = self.pair(&before[*at], &after[*place], depth);
        }
        let is_sorted = facing.pairs.is_sorted_by_key(|(_, place)| *place);
        if !is_sorted && before.len() == after.len() && facing.pairs.len() == after.len() {
            let mut ordered = new.clone();
            for (at, place) in &facing.pairs {
                ordered[*place].clone_from(&old[*at]);
            }
            if ordered.iter().zip(&new).all(|(old, new)| same(old, new)) {
                // The index of an unknown element in a set has no meaning.
                self.tally.n_reordered += u64::from(!facing.is_tried);
                old = ordered;
            }
        }
        (old.into_iter().collect(), new.into_iter().collect())
    }

    /// Pairs the elements: first those of the same content, then those that settle to the same. The rest are paired in order if
    /// both sides have the same number.
    fn facing(&mut self, before: &[Value], after: &[Value], depth: usize) -> Facing {
        let mut numbers = Numbers::default();
        let [old, new] = [before, after].map(|list| numbers.of(list));
        let mut places: HashMap<u32, VecDeque<usize>> = HashMap::new();
        for (place, number) in new.iter().enumerate() {
            places.entry(*number).or_default().push_back(place);
        }
        let mut facing = Facing::default();
        let mut left = Vec::new();
        for (at, number) in old.iter().enumerate() {
            match places.get_mut(number).and_then(VecDeque::pop_front) {
                Some(place) => facing.pairs.push((at, place)),
                None => left.push(at),
            }
        }
        let mut open: Vec<usize> = places.into_values().flatten().collect();
        open.sort_unstable();
        // An element that is unknown as a whole is paired after all others.
        left.sort_by_key(|at| before[*at].is_computed());
        open.sort_by_key(|place| after[*place].is_computed());
        left.retain(|at| {
            if self.n_trials >= MAX_TRIALS {
                return true;
            }
            let found = open.iter().position(|place| {
                let may_try = self.n_trials < MAX_TRIALS;
                self.n_trials += u32::from(may_try);
                may_try && self.is_settled(&before[*at], &after[*place], depth)
            });
            let found = found.map(|found| open.remove(found));
            facing.pairs.extend(found.map(|place| (*at, place)));
            facing.is_tried |= found.is_some();
            found.is_none()
        });
        if left.len() == open.len() {
            left.sort_unstable();
            open.sort_unstable();
            facing.pairs.extend(left.into_iter().zip(open));
        }
        facing.pairs.sort_unstable();
        facing
    }

    /// True if two elements settle to the same.
    fn is_settled(&mut self, before: &Value, after: &Value, depth: usize) -> bool {
        let tally = self.tally;
        let (old, new) = self.pair(before, after, depth);
        self.tally = tally;
        same(&old, &new)
    }
}

/// The paired elements of two lists.
#[derive(Default)]
struct Facing {
    /// Pairs of the index before and after, ascending by the index before.
    pairs: Vec<(usize, usize)>,
    /// True if some pairs are equal only after settling.
    is_tried: bool,
}

/// True if two strings hold the same JSON object or array.
fn is_same_json(before: &Value, after: &Value) -> bool {
    let parsed = |value: &Value| {
        let text = value.as_str().filter(|it| it.starts_with(['{', '[']))?;
        Some(
            json::parse(text.as_bytes(), json::Numbers::Exact)
                .ok()?
                .value,
        )
    };
    before != after
        && parsed(before).is_some_and(|old| parsed(after).is_some_and(|new| same(&old, &new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(json: &str) -> Value {
        // In these tests, the text `?` is an unknown value and a leading `!` marks a secret.
        fn marked(value: &Value) -> Value {
            match value.payload() {
                Payload::Array(items) => items.iter().map(marked).collect::<Vec<_>>().into(),
                Payload::Map(map) => {
                    let entries = map.iter().map(|(key, value)| (key.clone(), marked(value)));
                    entries.collect::<Map>().into()
                }
                _ => match value.as_str() {
                    Some("?") => Value::computed(),
                    Some(text) if text.starts_with('!') => {
                        Value::from(&text[1..]).with_secret(true)
                    }
                    _ => value.clone(),
                },
            }
        }
        marked(
            &json::parse(json.as_bytes(), json::Numbers::Exact)
                .unwrap()
                .value,
        )
    }

    #[track_caller]
    fn check(before: &str, after: &str, unknowns: Unknowns, want: (bool, u64, u64)) {
        let (old, new, tally) = settle(&value(before), &value(after), unknowns);
        let got = (old == new, tally.n_known, tally.n_reordered);
        assert_eq!(got, want, "{before} and {after} settle to {old} and {new}");
    }

    #[test]
    fn forms_of_one_value_settle_to_the_same() {
        use Unknowns::{Differ, Match};
        for unknowns in [Differ, Match] {
            check(
                r#"{"a":null,"b":1}"#,
                r#"{"b":1,"c":null}"#,
                unknowns,
                (true, 0, 0),
            );
            check(
                r#"["a","b","c"]"#,
                r#"["c","a","b"]"#,
                unknowns,
                (true, 0, 1),
            );
            check(r#"["!a","b"]"#, r#"["b","a"]"#, unknowns, (true, 0, 1));
            check(
                r#"{"p":"{\"a\": 1}"}"#,
                r#"{"p":"{\"a\":1}"}"#,
                unknowns,
                (true, 0, 0),
            );
            check(
                r#"[{"a":1,"b":null},{"a":2}]"#,
                r#"[{"a":2,"b":null},{"a":1}]"#,
                unknowns,
                (true, 0, 0),
            );
        }
        check(
            r#"{"id":"?","l":["?","a"]}"#,
            r#"{"id":"i","l":["a","b"]}"#,
            Match,
            (true, 2, 0),
        );
        check(
            r#"[{"n":"x","id":"?"},{"n":"y","id":"?"}]"#,
            r#"[{"n":"y","id":1},{"n":"x","id":2}]"#,
            Match,
            (true, 2, 0),
        );
        check(r#"{"id":"?"}"#, "{}", Match, (true, 1, 0));
    }

    #[test]
    fn long_lists_without_a_common_element_settle() {
        let list = |name: &str| -> Value {
            let items = (0..70_000).map(|number| Value::from(format!("{name}{number}")));
            items.collect::<Vec<_>>().into()
        };
        let (old, new) = (list("a"), list("b"));
        assert!(settle(&old, &new, Unknowns::Match) == (old, new, Tally::default()));
    }

    #[test]
    fn real_differences_stay() {
        use Unknowns::{Differ, Match};
        check(r#"{"a":1}"#, r#"{"a":2}"#, Match, (false, 0, 0));
        check(r#"["a","b"]"#, r#"["a","c"]"#, Match, (false, 0, 0));
        check(r#"["a","a"]"#, r#"["a"]"#, Match, (false, 0, 0));
        check(r#"["a","?"]"#, r#"["b","c"]"#, Match, (false, 1, 0));
        check(r#"{"id":"?"}"#, r#"{"id":"i"}"#, Differ, (false, 0, 0));
        check(
            r#"{"p":"[1, 2]"}"#,
            r#"{"p":"[2,1]"}"#,
            Match,
            (false, 0, 0),
        );
    }

    #[test]
    fn a_mask_goes_with_its_element() {
        let (old, new, _) = settle(
            &value(r#"["!a","b"]"#),
            &value(r#"["b","a"]"#),
            Unknowns::Differ,
        );
        assert_eq!(old.to_string(), r#"["b", [secret]]"#);
        assert_eq!(new.to_string(), r#"["b", [secret]]"#);
    }

    #[test]
    fn lists_of_any_length_are_settled_in_bounded_work() {
        let nested = |leaf: &str| {
            let list = |inner: &str| format!("[{}]", vec![inner; 60].join(","));
            value(&list(&list(&format!("[{leaf},\"?\",{{\"a\":\"?\"}}]"))))
        };
        let (old, new, _) = settle(&nested("1"), &nested("2"), Unknowns::Match);
        assert_ne!(old, new);
    }
}
