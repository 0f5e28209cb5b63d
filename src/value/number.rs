//! Numbers: IEEE doubles and exact decimals in one normal form.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A number: either a double (the only kind in Pulumi's type system) or an exact decimal of any size (cty).
///
/// # Normal form
///
/// A decimal is stored as a double if its digits are the shortest ones of that double and the double holds it exactly. Every
/// other decimal is stored as digits without leading or trailing zeros and a power of ten. So `42` and `0.5` are the same
/// numbers in files of both worlds, while the decimal `0.1` is not the double nearest to it, and `9007199254740993` stays itself.
///
/// `==` follows IEEE for doubles: NaN differs from NaN, -0 equals 0.
///
/// ```
/// use stacklens::value::Number;
///
/// assert_eq!(Number::exact("0.50"), Some(Number::from(0.5)));
/// assert_ne!(Number::exact("0.1"), Some(Number::from(0.1)));
/// assert_eq!(Number::exact("9007199254740993").unwrap().to_string(), "9007199254740993");
/// assert_eq!(Number::exact("15e399").unwrap().to_string(), "1.5e400");
/// ```
#[derive(Clone, PartialEq)]
pub struct Number(Repr);

#[derive(Clone, PartialEq)]
enum Repr {
    Double(f64),
    Decimal(Arc<Decimal>),
}

/// `0.DIGITS × 10^point`, negated if `negative`. Digits have no leading and no trailing zero; zero has no digits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Decimal {
    pub(crate) negative: bool,
    pub(crate) digits: Box<str>,
    pub(crate) point: i64,
}

impl Number {
    /// The exact number in a JSON (or cty) number text; `None` if the text is not a number or its exponent does not fit 63 bits.
    pub fn exact(text: &str) -> Option<Self> {
        // Most numbers of a file are short integers, and those are exact doubles.
        let is_short_integer =
            (1..=15).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_short_integer {
            return text.parse().ok().map(Repr::Double).map(Self);
        }
        Decimal::parse(text).map(Self::from)
    }

    /// The double nearest to a JSON number text; `None` if the text is not a number. A number that is too large gives an
    /// infinity.
    pub fn nearest_double(text: &str) -> Option<Self> {
        // `f64::from_str` accepts more than JSON does (`inf`, `nan`), so the text is checked first.
        if !text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
        {
            return None;
        }
        text.parse::<f64>().ok().map(Self::from)
    }

    /// The double nearest to this number.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Double(double) => *double,
            Repr::Decimal(decimal) => decimal.to_f64(),
        }
    }

    /// The number as a signed integer, if it is an integer in range.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Double(double) => short_integer(*double).or_else(|| self.to_i64_by_digits()),
            Repr::Decimal(_) => self.to_i64_by_digits(),
        }
    }

    /// The slow twin of [`Number::to_i64`].
    fn to_i64_by_digits(&self) -> Option<i64> {
        let decimal = self.decimal()?;
        let text = decimal.integer_digits()?;
        format!("{}{text}", if decimal.negative { "-" } else { "" })
            .parse()
            .ok()
    }

    /// True if the number is stored as an IEEE double.
    pub fn is_double(&self) -> bool {
        matches!(self.0, Repr::Double(_))
    }

    /// True if the number is neither an infinity nor NaN.
    pub fn is_finite(&self) -> bool {
        !matches!(self.0, Repr::Double(double) if !double.is_finite())
    }

    /// True if cty can hold the number: its floats have binary exponents of 32 bits.
    ///
    /// # Source
    ///
    /// Go `math/big`, `MaxExp` and `MinExp`: 2³¹ binary places are 646,456,993 decimal places.
    pub(crate) fn is_held_by_cty(&self) -> bool {
        const MAX_PLACES: u64 = 646_456_993;
        match &self.0 {
            Repr::Double(double) => double.is_finite(),
            Repr::Decimal(decimal) => decimal.point.unsigned_abs() <= MAX_PLACES,
        }
    }

    /// The exact value as a decimal; `None` for infinities and NaN.
    pub(crate) fn decimal(&self) -> Option<Decimal> {
        match &self.0 {
            Repr::Decimal(decimal) => Some((**decimal).clone()),
            // A double has at most 1074 binary places, and as many decimal places.
            Repr::Double(double) if double.is_finite() => {
                Decimal::parse(&format!("{double:.1074}"))
            }
            Repr::Double(_) => None,
        }
    }

    /// The shortest digits that mean the number; `None` for infinities and NaN.
    fn shortest(&self) -> Option<Cow<'_, Decimal>> {
        match &self.0 {
            Repr::Decimal(decimal) => Some(Cow::Borrowed(decimal)),
            Repr::Double(double) if double.is_finite() => {
                Decimal::parse(&format!("{double:e}")).map(Cow::Owned)
            }
            Repr::Double(_) => None,
        }
    }

    /// All digits, without an exponent. A number beyond this power of ten, or its inverse, keeps its exponent.
    ///
    /// ```
    /// use stacklens::value::Number;
    ///
    /// let number = Number::exact("-1.5e30").unwrap();
    /// assert_eq!(number.to_plain(100), "-1500000000000000000000000000000");
    /// assert_eq!(number.to_plain(10), "-1.5e30");
    /// ```
    pub fn to_plain(&self, max_power: i64) -> String {
        match self.shortest() {
            Some(decimal) if decimal.point.unsigned_abs() <= max_power.unsigned_abs() => {
                decimal.to_plain()
            }
            _ => self.to_string(),
        }
    }

    /// Compares by value: NaN before everything, -0 equal to 0, exact between doubles and decimals.
    pub fn compare(&self, other: &Self) -> Ordering {
        if let (Repr::Double(a), Repr::Double(b)) = (&self.0, &other.0) {
            return a
                .partial_cmp(b)
                .unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()));
        }
        if let (Some(a), Some(b)) = (self.decimal(), other.decimal()) {
            return a.compare(&b);
        }
        let [a, b] = [self, other].map(Self::double_in_order);
        a.partial_cmp(&b)
            .unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
    }

    /// A double that compares with an infinity as the number does. A decimal is finite, however large it is.
    fn double_in_order(&self) -> f64 {
        match &self.0 {
            Repr::Double(double) => *double,
            Repr::Decimal(_) => self.to_f64().clamp(f64::MIN, f64::MAX),
        }
    }
}

/// A double that is an integer of at most 15 digits, as most numbers of a file are.
fn short_integer(double: f64) -> Option<i64> {
    const MAX: f64 = 999_999_999_999_999.0;
    #[expect(clippy::cast_possible_truncation, reason = "the integer is short")]
    (double.abs() <= MAX && double.fract() == 0.0).then_some(double as i64)
}

impl Decimal {
    /// Parses `[+-]digits[.digits][e[+-]digits]`, with at least one digit before the exponent.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], rest[at + 1..].parse::<i64>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if (whole.is_empty() && fraction.is_empty())
            || !whole
                .bytes()
                .chain(fraction.bytes())
                .all(|byte| byte.is_ascii_digit())
        {
            return None;
        }
        let all = [whole, fraction].concat();
        let significant = all.trim_start_matches('0');
        let leading = all.len() - significant.len();
        let digits: Box<str> = significant.trim_end_matches('0').into();
        if digits.is_empty() {
            return Some(Self {
                negative,
                digits,
                point: 0,
            });
        }
        let point = i64::try_from(whole.len())
            .ok()?
            .checked_sub(i64::try_from(leading).ok()?)?
            .checked_add(exponent)?;
        Some(Self {
            negative,
            digits,
            point,
        })
    }

    fn to_f64(&self) -> f64 {
        let sign = if self.negative { "-" } else { "" };
        let digits = if self.digits.is_empty() {
            "0"
        } else {
            &self.digits
        };
        format!("{sign}0.{digits}e{}", self.point)
            .parse()
            .expect("sign, digits and exponent are a number")
    }

    /// All digits, without an exponent.
    pub(crate) fn to_plain(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        _ = self.write_plain(&mut text);
        text
    }

    fn write_plain(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let digits = &*self.digits;
        if self.negative {
            out.write_str("-")?;
        }
        let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
        let n_digits = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        if digits.is_empty() {
            out.write_str("0")
        } else if self.point <= 0 {
            write!(out, "0.{}{digits}", zeros(-self.point))
        } else if self.point >= n_digits {
            write!(out, "{digits}{}", zeros(self.point - n_digits))
        } else {
            let (whole, fraction) = digits.split_at(usize::try_from(self.point).unwrap_or(0));
            write!(out, "{whole}.{fraction}")
        }
    }

    /// The digits of the integer, without sign; `None` if the decimal has a fraction or more than 40 digits.
    fn integer_digits(&self) -> Option<String> {
        if self.digits.is_empty() {
            return Some("0".to_owned());
        }
        let point = usize::try_from(self.point)
            .ok()
            .filter(|point| *point <= 40)?;
        let zeros = point.checked_sub(self.digits.len())?;
        Some(format!("{}{}", self.digits, "0".repeat(zeros)))
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let sign = |decimal: &Self| match (decimal.digits.is_empty(), decimal.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let magnitude = self.point.cmp(&other.point);
        let magnitude = magnitude.then_with(|| self.digits.cmp(&other.digits));
        by_sign([sign(self), sign(other)], magnitude)
    }
}

/// The order of two numbers with these signs, by the order of their magnitudes.
pub(crate) fn by_sign([one, other]: [i8; 2], magnitude: Ordering) -> Ordering {
    let of_alike = if one < 0 {
        magnitude.reverse()
    } else {
        magnitude
    };
    one.cmp(&other).then(of_alike)
}

impl From<f64> for Number {
    fn from(double: f64) -> Self {
        Self(Repr::Double(double))
    }
}

impl From<Decimal> for Number {
    fn from(decimal: Decimal) -> Self {
        let double = decimal.to_f64();
        let has_fraction = i64::try_from(decimal.digits.len()).is_ok_and(|n| n > decimal.point);
        // The exact value of a binary fraction ends in 5, which settles most decimals before the long comparison. The comparison
        // uses the double's exact value. So the decimal 1e23 does not become the inexact double that prints as 1e23.
        let held = double.is_finite()
            && (!has_fraction || decimal.digits.is_empty() || decimal.digits.ends_with('5'))
            && (!decimal.digits.is_empty() || !decimal.negative)
            && Decimal::parse(&format!("{double:e}")).as_ref() == Some(&decimal)
            && Self::from(double).decimal().as_ref() == Some(&decimal);
        if held {
            Self::from(double)
        } else if decimal.digits.is_empty() {
            // cty has no negative zero.
            Self::from(0.0)
        } else {
            Self(Repr::Decimal(Arc::new(decimal)))
        }
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Number {
            fn from(integer: $integer) -> Self {
                Self::exact(&integer.to_string()).expect("an integer prints as a number")
            }
        }
    )*};
}

from_integer!(i32, u32, i64, u64, usize);

/// Equal numbers have equal hashes.
impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            // -0 equals 0, and their sum is 0.
            Repr::Double(double) => (double + 0.0).to_bits().hash(state),
            Repr::Decimal(decimal) => decimal.hash(state),
        }
    }
}

/// Canonical text: the shortest digits with the exact value, plain up to 21 digits before the point or 7 zeros after it, else
/// with an exponent (`1.5e400`). Doubles that are not finite print as `NaN`, `Infinity`, `-Infinity`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(decimal) = self.shortest() else {
            return f.write_str(match self.to_f64() {
                double if double.is_nan() => "NaN",
                double if double > 0.0 => "Infinity",
                _ => "-Infinity",
            });
        };
        if decimal.digits.is_empty() || (-7..=21).contains(&decimal.point) {
            return decimal.write_plain(f);
        }
        let sign = if decimal.negative { "-" } else { "" };
        let (first, rest) = decimal.digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        write!(
            f,
            "{sign}{first}{dot}{rest}e{}",
            decimal.point.saturating_sub(1)
        )
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &str) {
        assert_eq!(Number::exact(text).expect("a number").to_string(), want);
    }

    #[test]
    fn prints_canonically() {
        check("1", "1");
        check("-0", "0");
        check("1.50", "1.5");
        check("9007199254740993", "9007199254740993");
        check("0.1", "0.1");
        check("100e-2", "1");
        check("1e20", "100000000000000000000");
        check("1e21", "1e21");
        check("1e400", "1e400");
        check("-1.5e-3", "-0.0015");
        check("0.00000001", "0.00000001");
        check("0.000000001", "1e-9");
        check("1e999999999", "1e999999999");
        assert_eq!(Number::from(-0.0).to_string(), "-0");
        assert_eq!(Number::from(1e23).to_string(), "1e23");
        assert_eq!(Number::from(f64::NAN).to_string(), "NaN");
    }

    #[test]
    fn one_representation_for_one_value() {
        assert_eq!(Number::exact("42.0"), Some(Number::from(42.0)));
        assert_eq!(
            Number::exact("9007199254740992"),
            Some(Number::from(9_007_199_254_740_992.0))
        );
        assert_ne!(Number::exact("1e23"), Some(Number::from(1e23)));
        assert_ne!(Number::from(f64::NAN), Number::from(f64::NAN));
        assert_eq!(Number::from(-0.0), Number::from(0.0));
    }

    #[test]
    fn orders_by_exact_value() {
        let [decimal, double] = [Number::exact("0.1").expect("a number"), Number::from(0.1)];
        assert_eq!(decimal.compare(&double), Ordering::Less);
        let huge = Number::exact("1e400").expect("a number");
        let infinity = Number::from(f64::INFINITY);
        assert_eq!(huge.compare(&infinity), Ordering::Less);
        assert_eq!(infinity.compare(&huge), Ordering::Greater);
        assert_eq!(
            Number::exact("-2")
                .expect("a number")
                .compare(&Number::exact("1e-5").expect("a number")),
            Ordering::Less
        );
        assert_eq!(
            Number::exact("12")
                .expect("a number")
                .compare(&Number::exact("2").expect("a number")),
            Ordering::Greater
        );
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in [
            "",
            "-",
            ".",
            "1e",
            "0x1",
            "inf",
            "1e99999999999999999999",
            "1 ",
        ] {
            assert_eq!(Number::exact(text), None, "{text}");
        }
    }

    #[test]
    fn short_integers_are_those_of_their_digits() {
        let ends = [
            0.0,
            -0.0,
            0.5,
            -7.0,
            1e15,
            999_999_999_999_999.0,
            -1e15,
            9.3e18,
            -9_223_372_036_854_775_808.0,
            f64::NAN,
        ];
        for double in ends
            .into_iter()
            .flat_map(|it| [it, it + 1.0, it - 1.0, -it])
        {
            let number = Number::from(double);
            assert_eq!(number.to_i64(), number.to_i64_by_digits(), "{double}");
        }
    }
}
