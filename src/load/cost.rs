//! The costs that Infracost estimates for a plan, from its JSON.
//!
//! # Laws
//!
//! 1. Amounts are exact: they are added as integers, and rounded only where a person reads them.
//! 2. No text of the file is printed but the code of its currency, which is three letters. Errors quote nothing either: the file may
//!    be another one than the person meant.
//!
//! # Source
//!
//! `infracost breakdown` and `infracost diff` with `--format json`, version 0.2 of the form: `infracost.schema.json`.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::FileError;
use crate::text::{Limit, count, plural};
use crate::value::Number;

/// The limit of a file of costs.
const LIMIT: Limit = Limit {
    bytes: 256 << 20,
    advice: "make the costs of this plan alone",
};

/// Number of decimal places of the smallest unit. Infracost multiplies prices by quantities of 16 places.
const PLACES: u32 = 40;

/// Maximum number of digits before the point.
const MAX_POINT: i64 = 12;

/// The reason why a file of costs cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CostError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] FileError),
    /// The file is not what Infracost writes.
    #[error(
        "{file}: expected the JSON of `infracost breakdown` or `infracost diff`, for one plan: {message}"
    )]
    Parse {
        /// The file.
        file: String,
        /// The thing that is wrong.
        message: String,
    },
}

/// An amount of money.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Money {
    /// Number of the smallest units, of which 10 to the power of [`PLACES`] are one of the currency.
    units: BigInt,
    /// The code of the currency.
    currency: Arc<str>,
}

/// The costs of resources in a month.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Costs {
    /// No money, in the currency of the file.
    pub zero: Money,
    /// The cost of all resources, if it is estimated.
    pub total: Option<Money>,
    /// The cost after a change less that before it, by address; `None` if the file does not say what there was before.
    pub differences: Option<HashMap<String, Money>>,
    /// Number of resources whose difference is not estimated.
    pub n_unpriced: usize,
}

#[derive(Deserialize)]
struct Root<'f> {
    currency: String,
    #[serde(borrow)]
    projects: Vec<Project<'f>>,
    #[serde(borrow, rename = "totalMonthlyCost")]
    total: Option<&'f RawValue>,
}

#[derive(Deserialize)]
struct Project<'f> {
    #[serde(borrow)]
    diff: Option<Breakdown<'f>>,
}

#[derive(Deserialize)]
struct Breakdown<'f> {
    #[serde(borrow)]
    resources: Vec<Resource<'f>>,
}

#[derive(Deserialize)]
struct Resource<'f> {
    name: String,
    #[serde(borrow, rename = "monthlyCost")]
    cost: Option<&'f RawValue>,
}

impl Costs {
    /// The costs in a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not what Infracost writes.
    pub fn open(path: &Path) -> Result<Self, CostError> {
        let text = File::open(path).and_then(|file| LIMIT.read_text(file));
        let text = text.map_err(FileError::at(path))?;
        Self::parse(&text).map_err(|message| CostError::Parse {
            file: path.display().to_string(),
            message,
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        let root: Root<'_> = serde_json::from_str(text).map_err(|error| without_texts(&error))?;
        let is_letter = |byte: u8| byte.is_ascii_uppercase();
        if root.currency.len() != 3 || !root.currency.bytes().all(is_letter) {
            return Err("`currency` is not a code of three letters".to_owned());
        }
        let zero = Money {
            units: BigInt::ZERO,
            currency: root.currency.into(),
        };
        let mut differences: Option<HashMap<String, Money>> = None;
        let (mut n_unpriced, mut n_repeated) = (0, 0);
        for diff in root.projects.into_iter().filter_map(|it| it.diff) {
            let differences = differences.get_or_insert_default();
            for Resource { name, cost } in diff.resources {
                match cost {
                    Some(cost) => {
                        let known = differences.insert(name, zero.read(cost)?);
                        n_repeated += usize::from(known.is_some());
                    }
                    None => n_unpriced += 1,
                }
            }
        }
        if n_repeated > 0 {
            let resources = plural(n_repeated, "resource");
            return Err(format!("{resources} of one address in several projects"));
        }
        Ok(Self {
            total: root.total.map(|it| zero.read(it)).transpose()?,
            zero,
            differences,
            n_unpriced,
        })
    }
}

impl Money {
    /// An amount of the file in the same currency: a decimal in a string, or a number.
    fn read(&self, raw: &RawValue) -> Result<Self, String> {
        let units = units(raw.get().trim_matches('"'));
        let units = units.ok_or("an amount is not a decimal below a trillion")?;
        Ok(Self {
            units,
            currency: Arc::clone(&self.currency),
        })
    }

    /// The code of the currency.
    pub fn currency(&self) -> &str {
        &self.currency
    }

    /// Adds an amount of the same currency.
    pub fn add(&mut self, other: &Self) {
        self.units += &other.units;
    }

    /// True for nothing at all.
    pub fn is_zero(&self) -> bool {
        self.units == BigInt::ZERO
    }

    /// The exact amount, without the currency.
    pub fn number(&self) -> Option<Number> {
        Number::exact(&format!("{}e-{PLACES}", self.units))
    }

    /// With its sign: `+$54.20`.
    pub fn signed(&self) -> String {
        let sign = if self.units < BigInt::ZERO { "" } else { "+" };
        format!("{sign}{self}")
    }

    /// Example: `+$54.20 a month`.
    pub fn a_month(&self) -> String {
        format!("{} a month", self.signed())
    }
}

impl fmt::Display for Money {
    /// Rounded to hundredths: `$4,210.00`, `-EUR 12.50`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = BigUint::from(10_u8).pow(PLACES - 2);
        let hundredths = (self.units.magnitude() + &unit / 2_u8) / unit;
        let [whole, rest] = [&hundredths / 100_u8, &hundredths % 100_u8];
        // An amount is below a trillion, and a file has less than 18 million of them.
        let [whole, rest] = [whole, rest].map(|it| u64::try_from(it).unwrap_or(u64::MAX));
        let sign = if self.units < BigInt::ZERO { "-" } else { "" };
        let symbol = match &*self.currency {
            "USD" => "$".to_owned(),
            code => format!("{code} "),
        };
        write!(f, "{sign}{symbol}{}.{rest:02}", count(whole))
    }
}

/// A decimal in the smallest units; `None` for another text, and for one that is too large or too long.
fn units(text: &str) -> Option<BigInt> {
    let decimal = Number::exact(text)?.decimal()?;
    let n_digits = i64::try_from(decimal.digits.len()).ok()?;
    let power = i64::from(PLACES) + decimal.point - n_digits;
    let power = u32::try_from(power)
        .ok()
        .filter(|_| decimal.point <= MAX_POINT);
    let digits: BigInt = format!("0{}", decimal.digits).parse().ok()?;
    let units = digits * BigInt::from(10_u8).pow(power?);
    Some(if decimal.negative { -units } else { units })
}

/// The reason why JSON is no file of costs, and its place. The words of the parser may quote the file.
fn without_texts(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match error.classify() {
        Category::Data if !text.starts_with("missing field") => {
            let (line, column) = (error.line(), error.column());
            format!("a value of another kind at line {line} column {column}")
        }
        Category::Data | Category::Syntax | Category::Eof | Category::Io => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(currency: &str, resources: &str) -> Result<Costs, String> {
        Costs::parse(&format!(
            r#"{{"currency": "{currency}", "projects": [{{"diff": {{"resources": [{resources}]}}}}], "totalMonthlyCost": "4210"}}"#
        ))
    }

    fn sum(amounts: &[&str]) -> Money {
        let costs = amounts.iter().enumerate();
        let costs = costs.map(|(at, it)| format!(r#"{{"name": "a.b{at}", "monthlyCost": {it}}}"#));
        let costs = parse("USD", &costs.collect::<Vec<_>>().join(",")).unwrap();
        let mut sum = costs.zero;
        for cost in costs.differences.unwrap().values() {
            sum.add(cost);
        }
        sum
    }

    #[test]
    fn sums_are_exact_and_rounded_once() {
        let thirds = sum(&[r#""0.004""#, r#""0.004""#, r#""0.004""#]);
        assert_eq!(thirds.to_string(), "$0.01");
        assert_eq!(thirds.number(), Number::exact("0.012"));
        let none = sum(&[r#""0.1""#, "0.2", r#""-0.3""#]);
        assert!(none.is_zero());
        assert_eq!(none.a_month(), "+$0.00 a month");
        let long = sum(&[r#""-999999999999.0173150684931506790000001""#, "-1e3"]);
        assert_eq!(long.a_month(), "-$1,000,000,000,999.02 a month");
    }

    #[test]
    fn other_currencies_have_their_code() {
        let costs = parse("EUR", r#"{"name": "a.b", "monthlyCost": null}"#).unwrap();
        assert_eq!(costs.total.unwrap().to_string(), "EUR 4,210.00");
        assert_eq!((costs.zero.currency(), costs.n_unpriced), ("EUR", 1));
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for amount in [
            "1e999999999",
            "1e-999999999",
            r#""1000000000000""#,
            r#""NaN""#,
            r#""""#,
            "{}",
            "true",
        ] {
            let found = parse(
                "USD",
                &format!(r#"{{"name": "a.b", "monthlyCost": {amount}}}"#),
            );
            assert!(found.unwrap_err().contains("an amount"), "{amount}");
        }
    }
}
