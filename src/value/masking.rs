//! Masking one value like another.

use super::{Array, Map, Payload, Value};

impl Value {
    /// The value with everything secret that is secret in `other`, the same value at another time: if either side of a change is
    /// secret, both are masked. Elements of arrays correspond by position.
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
            return self.clone().with_secret(true);
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
            (Payload::Array(array), Payload::Array(others)) => Payload::Array(
                array
                    .iter()
                    .enumerate()
                    .map(|(index, value)| {
                        others
                            .get(index)
                            .map_or_else(|| value.clone(), |other| value.masked_like(other))
                    })
                    .collect::<Array>(),
            ),
            _ => return self.clone(),
        };
        self.clone().with_payload(payload)
    }
}
