//! Masking one value like another.

use std::collections::HashMap;

use super::content::Numbers;
use super::{Array, Map, Markers, Payload, Value};

/// Up to this number of pairs, the elements without a counterpart in two lists are compared with each other.
const MAX_PAIRS: usize = 4096;

impl Value {
    /// The value with everything masked that is secret in `other`, the same value at another time: if either side of a change is
    /// secret, both are masked. Values that become secret this way are [mirrored](Self::is_mirrored). Elements of arrays
    /// correspond by their content, wherever they moved. Elements on one side only correspond in order if both sides have equally
    /// many of them, else each corresponds to all.
    ///
    /// ```
    /// use stacklens::value::{Map, Value};
    ///
    /// let new = Map::from_iter([("user", Value::from("a")), ("password", Value::from("x").with_secret(true))]);
    /// let old = Map::from_iter([("user", Value::from("b")), ("password", Value::from("y"))]);
    /// let masked = Value::from(old).masked_like(&Value::from(new));
    /// assert_eq!(masked.to_string(), "{user: \"b\", password: [secret]}");
    /// ```
    #[must_use]
    pub fn masked_like(&self, other: &Self) -> Self {
        if other.is_secret() {
            return self.clone().with_mirror_of(other);
        }
        // Most values have no secrets, and nothing is copied for them.
        if !other.has_secrets() {
            return self.clone();
        }
        let payload = match (&self.payload, &other.payload) {
            (Payload::Map(map), Payload::Map(others)) => Payload::Map(
                map.iter()
                    .map(|(key, value)| {
                        let masked = others
                            .get(key)
                            .map_or_else(|| value.clone(), |other| value.masked_like(other));
                        (key.clone(), masked)
                    })
                    .collect::<Map>(),
            ),
            (Payload::Array(array), Payload::Array(others)) => {
                Payload::Array(elements(array.as_slice(), others.as_slice()))
            }
            // Each text has covers of its own. If nothing else differs, the parts alone would not tell that a secret does.
            (Payload::String(shown), Payload::String(other_shown)) => {
                let is_same_outside =
                    self.is_covered() && other.is_covered() && shown == other_shown;
                return if is_same_outside && self.markers != other.markers {
                    self.clone().with_likely_secret()
                } else {
                    self.clone()
                };
            }
            (Payload::String(_), _) if self.is_covered() => {
                return self.clone().with_likely_secret();
            }
            (Payload::Null | Payload::Computed(_), _) | (_, Payload::String(_)) => {
                return self.clone();
            }
            // A value of another kind may be the secret itself, or hold it.
            _ => return self.clone().with_mirrored_secret(),
        };
        self.clone().with_payload(payload)
    }

    /// The value with no mask [mirrored](Self::is_mirrored) any more: each mask counts as a mask of this value.
    #[must_use]
    pub fn with_own_masks(&self) -> Self {
        let value = self.with_parts(|_, it| it.with_own_masks());
        if !value.is_mirrored() {
            return value;
        }
        let markers = Markers {
            mirrored: false,
            ..value.markers()
        };
        value.with_markers(markers)
    }
}

/// The elements of a list, each masked like the elements of `others` that it may correspond to.
fn elements(list: &[Value], others: &[Value]) -> Array {
    let mut numbers = Numbers::default();
    let [own, theirs] = [list, others].map(|list| numbers.of(list));
    let mut by_content: HashMap<u32, Vec<&Value>> = HashMap::new();
    for (number, other) in theirs.iter().zip(others) {
        by_content.entry(*number).or_default().push(other);
    }
    let n_left = own.iter().filter(|it| !by_content.contains_key(it)).count();
    let kept: std::collections::HashSet<u32> = own.iter().copied().collect();
    let left: Vec<&Value> = (theirs.iter().zip(others))
        .filter(|(number, _)| !kept.contains(number))
        .map(|(_, other)| other)
        .collect();
    let holds_any = left.iter().any(|other| other.has_secrets());
    let mut in_order = left.iter();
    let masked = |(number, value): (&u32, &Value)| {
        let like = |value: Value, others: &[&Value]| {
            let secret = others.iter().filter(|other| other.has_secrets());
            secret.fold(value, |value, other| value.masked_like(other))
        };
        if let Some(others) = by_content.get(number) {
            return like(value.clone(), others);
        }
        match in_order.next() {
            Some(other) if left.len() == n_left => value.masked_like(other),
            _ if !holds_any => value.clone(),
            _ if left.len().saturating_mul(n_left) <= MAX_PAIRS => like(value.clone(), &left),
            // Too many pairs to compare, so none of them is shown.
            _ => value.clone().with_secret(true),
        }
    };
    own.iter().zip(list).map(masked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of texts. Those with an exclamation mark are secret.
    fn list(texts: &str) -> Value {
        let element = |text: &str| match text.strip_prefix('!') {
            Some(text) => Value::from(text).with_secret(true),
            None => Value::from(text),
        };
        texts
            .split_whitespace()
            .map(element)
            .collect::<Vec<_>>()
            .into()
    }

    #[track_caller]
    fn check(list_of: &str, like: &str, want: &str) {
        let masked = list(list_of).masked_like(&list(like));
        let texts = masked.as_array().unwrap().iter().map(|it| {
            if it.is_secret() {
                "!"
            } else {
                it.as_str().unwrap()
            }
        });
        assert_eq!(
            texts.collect::<Vec<_>>().join(" "),
            want,
            "{list_of} like {like}"
        );
    }

    #[test]
    fn a_mask_goes_with_its_element() {
        check("a b", "!a b", "! b");
        check("b a", "!a b", "b !");
        check("b c a", "!a b c", "b c !");
        check("b a a", "!a b", "b ! !");
        check("b a", "a !a b", "b !");
        // Changed elements correspond in order, or each to all if elements were added or removed.
        check("x b", "!a b", "! b");
        check("b x", "!a b", "b !");
        check("x y b", "!a b", "! ! b");
        check("x b", "!a c b", "! b");
        check("b", "!a b", "b");
    }

    #[test]
    fn a_mask_inside_of_an_element_goes_with_it() {
        let user = |name: &str, password: Value| -> Value {
            Map::from_iter([("name", Value::from(name)), ("password", password)]).into()
        };
        let secret = |text: &str| Value::from(text).with_secret(true);
        let old: Value = vec![user("a", secret("x")), user("b", Value::from("y"))].into();
        let new: Value = vec![user("b", Value::from("y")), user("a", Value::from("x"))].into();
        let masked = new.masked_like(&old).to_string();
        assert_eq!(
            masked,
            r#"[{name: "b", password: "y"}, {name: "a", password: [secret]}]"#
        );
        // A changed element may come from any of several elements.
        let new: Value = vec![
            user("c", Value::from("y")),
            user("d", Value::from("x")),
            user("e", Value::from("z")),
        ]
        .into();
        let masked = new.masked_like(&old).to_string();
        assert_eq!(masked.matches("[secret]").count(), 3, "{masked}");
    }

    #[test]
    fn a_value_of_another_kind_is_masked_as_a_whole() {
        let secret = || Value::from("x").with_secret(true);
        let map: Value =
            Map::from_iter([("user", Value::from("a")), ("password", secret())]).into();
        let list: Value = vec![secret()].into();
        for (one, other) in [(&map, &list), (&list, &map)] {
            assert!(one.masked_like(other).is_secret());
            for text in ["a:x", ""] {
                assert!(Value::from(text).masked_like(other).is_secret());
            }
            assert!(!Value::NULL.masked_like(other).is_secret());
        }
        let open: Value = Map::from_iter([("user", Value::from("a"))]).into();
        assert!(!Value::from("a").masked_like(&open).is_secret());
    }

    #[test]
    fn long_lists_are_masked_in_linear_time() {
        let of = |from: u32, secret: bool| -> Value {
            let element =
                |n: u32| Value::from(n.to_string()).with_secret(secret && n.is_multiple_of(7));
            (from..from + 100_000)
                .map(element)
                .collect::<Vec<_>>()
                .into()
        };
        let masked = of(50_000, false).masked_like(&of(0, true));
        let n_masked = masked
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it.is_secret())
            .count();
        assert_eq!(n_masked, 7_143 + 7_143);
    }
}
