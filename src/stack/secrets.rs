//! Counting secrets.

use crate::value::{Array, Value};

/// Number of outermost secrets on either side of a change; the same place counts once.
pub(crate) fn n_secrets(sides: [Option<&Value>; 2]) -> u64 {
    if sides.iter().flatten().any(|side| side.is_secret()) {
        return 1;
    }
    let mut n_found = 0;
    let maps = sides.map(|side| side.and_then(Value::as_map));
    let [before, after] = maps;
    for (key, value) in before.into_iter().flatten() {
        n_found += n_secrets([Some(value), after.and_then(|after| after.get(key))]);
    }
    let is_new = |key: &str| before.is_none_or(|before| !before.contains_key(key));
    for (_, value) in after.into_iter().flatten().filter(|(key, _)| is_new(key)) {
        n_found += n_secrets([None, Some(value)]);
    }
    let arrays = sides.map(|side| side.and_then(Value::as_array));
    let n_items = arrays.map(|array| array.map_or(0, Array::len));
    for index in 0..n_items[0].max(n_items[1]) {
        n_found += n_secrets(arrays.map(|array| array.and_then(|array| array.get(index))));
    }
    n_found
}
