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
    const MAX_DIGITS: usize = 10_000;

    let text = number.to_string();
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return text;
    };
    let Some(exponent) = exponent.parse::<i64>().ok() else {
        return text;
    };
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let Some(zeros) = usize::try_from(exponent.unsigned_abs())
        .ok()
        .filter(|zeros| *zeros <= MAX_DIGITS)
    else {
        return text;
    };
    if exponent < 0 {
        let zeros = "0".repeat(zeros.saturating_sub(whole.len()));
        format!("{sign}0.{zeros}{whole}{fraction}")
    } else {
        let zeros = "0".repeat(zeros.saturating_sub(fraction.len()));
        format!("{sign}{whole}{fraction}{zeros}")
    }
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
