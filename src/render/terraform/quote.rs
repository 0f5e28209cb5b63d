//! Texts in quotes, names, and numbers in digits.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::quoted;
use crate::value::Number;

/// A name: bare if it is an identifier of the configuration language, else in quotes.
pub(super) fn name(text: &str) -> String {
    static IDENTIFIER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[\p{ID_Start}_][\p{ID_Continue}-]*$").expect("a valid pattern")
    });
    if IDENTIFIER.is_match(text) {
        text.to_owned()
    } else {
        quoted(text.as_bytes())
    }
}

/// A number in plain digits, however large.
pub(super) fn digits(number: &Number) -> String {
    /// Numbers with more digits than anyone reads keep their exponent.
    const MAX_POWER: i64 = 10_000;

    number.to_plain(MAX_POWER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bare_where_they_can_be() {
        assert_eq!(name("a-b_1"), "a-b_1");
        assert_eq!(name("_é"), "_é");
        assert_eq!(name("1a"), "\"1a\"");
        assert_eq!(name("key with space"), "\"key with space\"");
        assert_eq!(name(""), "\"\"");
    }

    #[test]
    fn numbers_are_plain_digits() {
        let check = |text: &str, want: &str| {
            assert_eq!(digits(&Number::exact(text).unwrap()), want);
        };
        check("1e26", "100000000000000000000000000");
        check("12e-20", "0.00000000000000000012");
        check("-1.5e30", "-1500000000000000000000000000000");
        check("0.1", "0.1");
    }
}
