//! Numbers in cty: floats with a mantissa of 512 bits.
//!
//! Our numbers are exact. The conversion is needed only for digits that such a float cannot distinguish: decimals with at most
//! 153 significant digits are all different floats.

use std::cmp::Ordering;

use num_bigint::BigUint;

use crate::value::{Decimal, Number, by_sign};

/// Size of the mantissa in bits.
const PRECISION: u64 = 512;

/// Decimals with at most this many digits differ in 512 bits.
const TOLD_APART: usize = 153;

/// Beyond this power of ten, a number with many digits is compared as written: its exact float would be too long to compute.
const MAX_POINT: i64 = 5_000;

/// The order of two numbers at cty's precision: equal if they are the same float of 512 bits.
pub fn compare(a: &Number, b: &Number) -> Ordering {
    let exact = a.compare(b);
    if exact.is_eq() || !(is_long(a) || is_long(b)) {
        return exact;
    }
    match (Float::nearest(a), Float::nearest(b)) {
        (Some(a), Some(b)) => a.compare(&b),
        _ => exact,
    }
}

fn is_long(number: &Number) -> bool {
    !number.is_double()
        && number
            .decimal()
            .is_some_and(|decimal| decimal.digits.len() > TOLD_APART)
}

/// Parses a text as cty does: a decimal, perhaps times a power of two (`1p3` is 8), or an infinity by name. `None` if it is not a
/// number, or its power of two does not fit 32 bits.
///
/// For cty a decimal from about `1e646456993` on is infinite, and such a small one is zero; here both keep their digits. A `p` with
/// more than a few thousand is not read, because its digits could not be printed.
pub(super) fn parse(text: &str) -> Option<Number> {
    match text.strip_prefix(['+', '-']).unwrap_or(text) {
        "Inf" | "inf" if text.starts_with('-') => Some(Number::from(f64::NEG_INFINITY)),
        "Inf" | "inf" => Some(Number::from(f64::INFINITY)),
        _ => match text.find(['e', 'E', 'p', 'P']) {
            None => Number::exact(text),
            Some(at) => {
                let (mantissa, exponent) = (&text[..at], text[at + 1..].parse().ok()?);
                if text[at..].starts_with(['e', 'E']) {
                    Number::exact(text).filter(|_| is_in_range(mantissa, exponent))
                } else {
                    times_power_of_two(mantissa, exponent)
                }
            }
        },
    }
}

/// True if cty's floats have the exponent of `mantissa` with this exponent. The original tests it before it multiplies by the
/// powers of five that are in those of ten, so the digits as written decide.
fn is_in_range(mantissa: &str, exponent: i64) -> bool {
    // A digit is less than four bits.
    if exponent.unsigned_abs() < 1 << 30 && mantissa.len() < 1 << 27 {
        return true;
    }
    let Some((_, digits, n_fraction)) = digits(mantissa) else {
        return false;
    };
    let bits = i64::try_from(digits.bits()).unwrap_or(i64::MAX);
    let power = (bits - n_fraction).checked_add(exponent);
    bits == 0 || power.is_some_and(|power| i32::try_from(power).is_ok())
}

fn times_power_of_two(mantissa: &str, exponent: i64) -> Option<Number> {
    let (sign, digits, n_fraction) = digits(mantissa)?;
    if exponent.abs() > MAX_POINT {
        return None;
    }
    let power = u32::try_from(exponent.unsigned_abs()).ok()?;
    // A half is five tenths.
    let (base, tens) = if exponent < 0 {
        (5_u32, exponent)
    } else {
        (2, 0)
    };
    let digits = digits * BigUint::from(base).pow(power);
    Number::exact(&format!("{sign}{digits}e{}", tens - n_fraction))
}

/// The sign of a decimal, all its digits as an integer, and how many of them are its fraction.
fn digits(decimal: &str) -> Option<(&str, BigUint, i64)> {
    let digits = decimal.strip_prefix(['+', '-']).unwrap_or(decimal);
    let sign = &decimal[..decimal.len() - digits.len()];
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = [whole, fraction].concat();
    if !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let n_fraction = i64::try_from(fraction.len()).ok()?;
    Some((sign, BigUint::parse_bytes(all.as_bytes(), 10)?, n_fraction))
}

/// All digits of a number without an exponent, as cty writes it. Numbers too long for that keep their exponent.
pub(super) fn plain_text(number: &Number) -> String {
    if number.is_finite() {
        number.to_plain(MAX_POINT)
    } else {
        number.to_f64().to_string()
    }
}

/// Go's `%.10g` of the float, which sets use as the key of a number.
pub(super) fn key_text(number: &Number) -> String {
    let Some(decimal) = number.decimal() else {
        return if number.to_f64() < 0.0 {
            "-Inf"
        } else {
            "+Inf"
        }
        .to_owned();
    };
    let (digits, point) = match shortest(number) {
        Some(short) => (short.digits.to_string(), short.point),
        None => rounded(number, &decimal),
    };
    let sign = if decimal.negative && !digits.is_empty() {
        "-"
    } else {
        ""
    };
    let n_digits = i64::try_from(digits.len()).unwrap_or(10);
    let exponent = point - 1;
    let precision = if n_digits >= point { n_digits } else { 10 };
    if digits.is_empty() {
        return "0".to_owned();
    }
    if exponent < -4 || exponent >= precision {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let direction = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{dot}{rest}e{direction}{:02}", exponent.abs());
    }
    let short = Decimal {
        negative: sign == "-",
        digits: digits.into(),
        point,
    };
    short.to_plain()
}

/// The shortest digits of a double, if they are so few (at most ten) that its exact digits round to them. `None` otherwise.
fn shortest(number: &Number) -> Option<Decimal> {
    let text = number.is_double().then(|| number.to_f64().to_string())?;
    Decimal::parse(&text).filter(|short| short.digits.len() <= 10)
}

/// The first ten significant digits, rounded and without trailing zeros, and the power of ten.
fn rounded(number: &Number, decimal: &Decimal) -> (String, i64) {
    let digits = &decimal.digits;
    if digits.len() <= 10 {
        return (digits.to_string(), decimal.point);
    }
    let (kept, rest) = digits.split_at(10);
    let up = match rest.as_bytes()[0] {
        b'0'..=b'4' => false,
        b'5' if rest.len() == 1 => match Float::nearest(number).map(|float| float.error) {
            // A tie in the digits is not a tie in the float if the float is inexact.
            Some(Ordering::Less) => false,
            Some(Ordering::Greater) => true,
            _ => kept.as_bytes()[9] % 2 == 1,
        },
        _ => true,
    };
    let mut kept: Vec<u8> = kept.bytes().collect();
    let mut point = decimal.point;
    if up {
        let mut at = kept.len();
        loop {
            if at == 0 {
                kept.insert(0, b'1');
                point += 1;
                break;
            }
            at -= 1;
            if kept[at] == b'9' {
                kept[at] = b'0';
            } else {
                kept[at] += 1;
                break;
            }
        }
    }
    let text = String::from_utf8(kept).expect("digits are ASCII");
    (text.trim_end_matches('0').to_owned(), point)
}

/// `±mantissa × 2^exponent`. The mantissa has 512 bits with the highest bit set; that of zero is empty.
struct Float {
    negative: bool,
    mantissa: BigUint,
    exponent: i64,
    /// The order of the float's magnitude relative to that of its source decimal.
    error: Ordering,
}

impl Float {
    /// The float nearest to a number, ties to even; `None` if it is infinite or its exponent is too large to compute.
    fn nearest(number: &Number) -> Option<Self> {
        let decimal = number.decimal()?;
        if decimal.digits.is_empty() {
            return Some(Self {
                negative: false,
                mantissa: BigUint::ZERO,
                exponent: 0,
                error: Ordering::Equal,
            });
        }
        if decimal.point.abs() > MAX_POINT || decimal.digits.len() > 20_000 {
            return None;
        }
        let power = decimal.point - i64::try_from(decimal.digits.len()).ok()?;
        let digits = BigUint::parse_bytes(decimal.digits.as_bytes(), 10)?;
        let ten = BigUint::from(10_u32).pow(u32::try_from(power.unsigned_abs()).ok()?);
        let (quotient, has_rest, exponent) = if power >= 0 {
            (digits * ten, false, 0)
        } else {
            // Enough bits for the mantissa, plus two for rounding.
            let shift = (PRECISION + 2 + ten.bits()).saturating_sub(digits.bits());
            let dividend = digits << shift;
            let quotient = &dividend / &ten;
            let has_rest = &quotient * ten != dividend;
            (quotient, has_rest, -i64::try_from(shift).ok()?)
        };
        Some(Self::round(decimal.negative, quotient, has_rest, exponent))
    }

    /// Rounds `value × 2^exponent` and a positive rest of less than one unit, if there is one.
    fn round(negative: bool, value: BigUint, has_rest: bool, exponent: i64) -> Self {
        let bits = value.bits();
        if bits <= PRECISION {
            let shift = PRECISION - bits;
            return Self {
                negative,
                mantissa: value << shift,
                exponent: exponent - i64::try_from(shift).unwrap_or(0),
                error: Ordering::Equal,
            };
        }
        let cut = bits - PRECISION;
        let half = value.bit(cut - 1);
        let more = has_rest || value.trailing_zeros().is_some_and(|at| at < cut - 1);
        let mut mantissa = value >> cut;
        let up = half && (more || mantissa.bit(0));
        let error = match (up, half || more) {
            (true, _) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Equal,
        };
        let mut exponent = exponent + i64::try_from(cut).unwrap_or(0);
        if up {
            mantissa += 1_u32;
            if mantissa.bits() > PRECISION {
                mantissa >>= 1;
                exponent += 1;
            }
        }
        Self {
            negative,
            mantissa,
            exponent,
            error,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let sign = |float: &Self| match (float.mantissa.bits() == 0, float.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let magnitude = self.exponent.cmp(&other.exponent);
        let magnitude = magnitude.then_with(|| self.mantissa.cmp(&other.mantissa));
        by_sign([sign(self), sign(other)], magnitude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::exact(text).expect("a number")
    }

    #[track_caller]
    fn check_key(text: &str, want: &str) {
        assert_eq!(key_text(&number(text)), want);
    }

    #[test]
    fn keys_have_ten_digits() {
        check_key("0", "0");
        check_key("-1.5", "-1.5");
        check_key("100", "100");
        check_key("10000000000", "1e+10");
        check_key("1234567890123", "1.23456789e+12");
        check_key("0.0001", "0.0001");
        check_key("0.00001", "1e-05");
        check_key("9999999999.9", "1e+10");
        check_key("0.1", "0.1");
        assert_eq!(key_text(&Number::from(f64::NEG_INFINITY)), "-Inf");
    }

    #[track_caller]
    fn check_parse(text: &str, want: Option<&str>) {
        assert_eq!(parse(text), want.map(number), "{text}");
    }

    #[test]
    fn powers_of_two() {
        check_parse("1p3", Some("8"));
        check_parse("-1.5P+1", Some("-3"));
        check_parse("3p-2", Some("0.75"));
        check_parse(".5p1", Some("1"));
        check_parse("0p-9", Some("0"));
        check_parse("1p", None);
        check_parse("p1", None);
        check_parse("1e2p3", None);
        check_parse("0x1p3", None);
        check_parse("1p99999999999", None);
    }

    #[test]
    fn exponents_fit_32_bits() {
        check_parse("1e99999999999", None);
        check_parse("1e-99999999999", None);
        check_parse("1e2147483646", Some("1e2147483646"));
        check_parse("1e2147483647", None);
        check_parse("0.1e2147483647", Some("1e2147483646"));
        check_parse("10e2147483644", None);
        check_parse("1e-2147483649", Some("1e-2147483649"));
        check_parse("1e-2147483650", None);
        check_parse("0e99999999999", Some("0"));
        check_parse("0e99999999999999999999", None);
    }

    #[test]
    fn floats_of_512_bits() {
        let third = format!("0.{}", "3".repeat(200));
        let other = format!("0.{}4", "3".repeat(199));
        assert_eq!(compare(&number(&third), &number(&other)), Ordering::Equal);
        assert_eq!(
            compare(&number(&third), &number("0.3333")),
            Ordering::Greater
        );
        let large = format!("1{}1", "0".repeat(200));
        assert_eq!(compare(&number(&large), &number("1e201")), Ordering::Equal);
        let fits = format!("1{}1", "0".repeat(140));
        assert_eq!(compare(&number(&fits), &number("1e141")), Ordering::Greater);
        let tenth = "0.1000000000000000055511151231257827021181583404541015625";
        assert_eq!(compare(&number(tenth), &Number::from(0.1)), Ordering::Equal);
    }
}
