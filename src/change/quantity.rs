//! Numbers with units, and versions: texts that have an order.

use std::cmp::Ordering;

use super::texts::plain_text;
use super::vocabulary::WORDS;
use crate::text::joined;
use crate::value::Value;

/// The kind of a quantity. Quantities of different kinds have no order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    /// A bare number: it takes the unit of the other side.
    Bare,
    /// Bytes.
    Size,
    /// Seconds.
    Time,
    /// `m`: minutes or thousandths, as the other side says.
    Small,
}

/// A number with the kind of its unit.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Quantity {
    number: f64,
    measure: Measure,
}

/// The order of two quantities: numbers, sizes (`10Gi`), durations (`1h30m`, `P7D`), or the lengths of two containers. `None` if
/// they have none.
pub(crate) fn compare(before: &Value, after: &Value) -> Option<Ordering> {
    if let (Some(before), Some(after)) = (before.n_parts(), after.n_parts()) {
        return Some(before.cmp(&after));
    }
    let (before, after) = (quantity(before)?, quantity(after)?);
    let number = |it: Quantity, other: Quantity| match (it.measure, other.measure) {
        // In Kubernetes `500m` is half a processor.
        (Measure::Small, Measure::Bare) => it.number / 1000.0,
        (Measure::Small, Measure::Time) => it.number * 60.0,
        _ => it.number,
    };
    let is_alike = match (before.measure, after.measure) {
        (Measure::Size, Measure::Time | Measure::Small)
        | (Measure::Time | Measure::Small, Measure::Size) => false,
        (Measure::Bare, Measure::Time) | (Measure::Time, Measure::Bare) => {
            // A bare zero is no time at all. Any other bare number has a unit that the text does not say.
            before.number == 0.0 || after.number == 0.0
        }
        _ => true,
    };
    is_alike
        .then(|| number(before, after).partial_cmp(&number(after, before)))
        .flatten()
}

/// The growth of a quantity, 2 for twice as much; `None` if the two have no order, or if one is nothing.
pub(crate) fn growth(before: &Value, after: &Value) -> Option<f64> {
    compare(before, after)?;
    let (before, after) = (quantity(before)?, quantity(after)?);
    let is_alike = before.measure == after.measure && before.number > 0.0 && after.number > 0.0;
    is_alike.then(|| after.number / before.number)
}

/// True if two texts are one duration in other units: `24h` and `86400s`.
pub(crate) fn is_same_time(before: &Value, after: &Value) -> bool {
    let measure = |value: &Value| Some(quantity(value)?.measure);
    match (measure(before), measure(after)) {
        (Some(Measure::Time), Some(Measure::Time | Measure::Small))
        | (Some(Measure::Small), Some(Measure::Time)) => {
            compare(before, after) == Some(Ordering::Equal)
        }
        _ => false,
    }
}

/// True if two values are one amount of Kubernetes in other units: `1000m` and `1`.
pub(crate) fn is_same_amount(before: &Value, after: &Value) -> bool {
    let is_exact = |value: &Value| {
        let quantity = quantity(value).filter(|it| it.measure != Measure::Time);
        quantity.is_some_and(|it| it.number < EXACT)
    };
    is_exact(before) && is_exact(after) && compare(before, after) == Some(Ordering::Equal)
}

/// Larger numbers have neighbors that are the same double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A quantity as a bare number, for comparison with a limit: in seconds or bytes if it has a unit.
pub(crate) fn number(value: &Value) -> Option<f64> {
    quantity(value).map(|it| it.number)
}

fn quantity(value: &Value) -> Option<Quantity> {
    let bare = |number| Quantity {
        number,
        measure: Measure::Bare,
    };
    if let Some(number) = value.as_number() {
        return Some(bare(number.to_f64()));
    }
    let text = value.as_str()?.trim();
    if let Some(iso) = text.strip_prefix('P') {
        return iso_duration(iso);
    }
    let (mut rest, mut sum) = (text, None::<Quantity>);
    while !rest.is_empty() {
        let digits = rest.len()
            - rest
                .trim_start_matches(|char: char| char.is_ascii_digit() || char == '.')
                .len();
        let number: f64 = rest[..digits].parse().ok()?;
        rest = rest[digits..].trim_start();
        let letters = rest.len() - rest.trim_start_matches(char::is_alphabetic).len();
        let (unit, more) = rest.split_at(letters);
        rest = more.trim_start();
        let part = match unit {
            "" => bare(number),
            // After a larger unit of time `m` is minutes.
            "m" if sum.is_some_and(|it| it.measure == Measure::Time) => time(number * 60.0),
            "m" => Quantity {
                number,
                measure: Measure::Small,
            },
            unit => {
                let seconds = WORDS.seconds.get(unit).map(|size| (size, Measure::Time));
                let bytes = || WORDS.bytes.get(unit).map(|size| (size, Measure::Size));
                let (size, measure) = seconds.or_else(bytes)?;
                Quantity {
                    number: number * size,
                    measure,
                }
            }
        };
        sum = Some(match sum {
            None => part,
            Some(sum) if part.measure == Measure::Time => match sum.measure {
                Measure::Time => time(sum.number + part.number),
                Measure::Small => time(sum.number * 60.0 + part.number),
                Measure::Bare | Measure::Size => return None,
            },
            Some(_) => return None,
        });
    }
    sum
}

fn time(number: f64) -> Quantity {
    Quantity {
        number,
        measure: Measure::Time,
    }
}

/// The seconds of an ISO 8601 duration after its `P`.
fn iso_duration(text: &str) -> Option<Quantity> {
    let (mut seconds, mut is_time, mut digits) = (0.0, false, String::new());
    for char in text.chars() {
        let unit = match (char, is_time) {
            ('T', _) => {
                is_time = true;
                continue;
            }
            ('0'..='9' | '.', _) => {
                digits.push(char);
                continue;
            }
            ('Y', false) => 31_536_000.0,
            ('M', false) => 2_592_000.0,
            ('W', false) => 604_800.0,
            ('D', false) => 86400.0,
            ('H', true) => 3600.0,
            ('M', true) => 60.0,
            ('S', true) => 1.0,
            _ => return None,
        };
        seconds += digits.parse::<f64>().ok()? * unit;
        digits.clear();
    }
    digits.is_empty().then(|| time(seconds))
}

/// The order of two versions, such as `1.27.3-gke.100`, `postgres14` or the tags of two images. `None` if they are not versions of
/// one thing.
pub(crate) fn compare_versions(before: &Value, after: &Value) -> Option<Ordering> {
    let (before, after) = (plain_text(before)?, plain_text(after)?);
    let (before, after) = (version(&before)?, version(&after)?);
    if before.name != after.name {
        return None;
    }
    let is_protocol = matches!(&*joined(before.name), "tls" | "tlsv");
    let mut orders = before.runs.iter().zip(&after.runs).map(|(before, after)| {
        // `14` may be any `14.2`: a version that is cut off is not another one. But `TLSv1` is 1.0.
        let n_common = before.len().min(after.len());
        let order = before[..n_common].cmp(&after[..n_common]);
        let rest = before[n_common..].cmp(&after[n_common..]);
        if is_protocol { order.then(rest) } else { order }
    });
    Some(
        orders
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal),
    )
}

/// The place of the first number that differs between two versions of one thing, if it grows: 0 for a major version.
pub(crate) fn growing_part(before: &Value, after: &Value) -> Option<usize> {
    if compare_versions(after, before) != Some(Ordering::Greater) {
        return None;
    }
    let (before, after) = (plain_text(before)?, plain_text(after)?);
    let (before, after) = (version(&before)?, version(&after)?);
    let (before, after) = (before.runs.first()?, after.runs.first()?);
    let mut pairs = before.iter().zip(after);
    pairs.position(|(before, after)| before != after)
}

/// True if both texts are names of images, and their repositories differ.
pub(crate) fn is_of_other_repository(before: &Value, after: &Value) -> bool {
    let pair = before.as_str().zip(after.as_str());
    pair.is_some_and(|(before, after)| repository(before) != repository(after))
}

/// The repository of an image: its name without tag and digest. The host of the first registry may be left out.
fn repository(image: &str) -> &str {
    let name = image.split_once('@').map_or(image, |(name, _)| name);
    let tag = name.rfind(':').filter(|at| !name[*at..].contains('/'));
    let name = tag.map_or(name, |at| &name[..at]);
    let name = name.strip_prefix("docker.io/").unwrap_or(name);
    name.strip_prefix("library/").unwrap_or(name)
}

/// A version in a text.
struct Version<'t> {
    /// The text in front of it.
    name: &'t str,
    /// Its numbers, in runs with dots between them: `1.2_2021` has two.
    runs: Vec<Vec<u64>>,
}

/// The part of a name after which the version of the engine stands: `8.0.mysql_aurora.3.04.0` is 3.04.0.
const ENGINE: &str = "aurora.";

/// The version in a text. The tag of an image is the version, and its repository the name.
fn version(text: &str) -> Option<Version<'_>> {
    if text.contains("@sha256:") {
        return None;
    }
    let from = text.rfind(':').map_or(0, |colon| colon + 1);
    let engine = text.find(ENGINE).map(|at| at + ENGINE.len());
    let (from, name) = engine.map_or((from, None), |at| (at, Some(ENGINE)));
    let first = from + text[from..].find(|char: char| char.is_ascii_digit())?;
    let (before, numbers) = text.split_at(first);
    let is_hash = |part: &str| part.len() > 8 && !part.contains('.');
    if is_hash(numbers) {
        return None;
    }
    let mut runs: Vec<Vec<u64>> = Vec::new();
    'runs: for run in numbers.split(['-', '_', '+']) {
        let mut own = Vec::new();
        for part in run.split('.') {
            let digits = part.trim_start_matches(|char: char| char.is_ascii_alphabetic());
            let Ok(number) = digits.parse() else {
                // `1.2-alpine`: the words after the numbers do not count, a number mixed with letters ends the version.
                runs.extend((!own.is_empty()).then_some(own));
                break 'runs;
            };
            own.push(number);
        }
        match runs.last_mut() {
            // `TLS_1_2`: without dots, an underscore is one. A year is none of these numbers.
            Some(last) if !numbers.contains('.') && own.iter().all(|it| *it < 1000) => {
                last.extend(own);
            }
            Some(_) | None => runs.push(own),
        }
    }
    let name = name.unwrap_or(before);
    (!runs.is_empty()).then_some(Version { name, runs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, want: Option<Ordering>) {
        let found = compare(&Value::from(before), &Value::from(after));
        assert_eq!(found, want, "{before} and {after}");
    }

    #[test]
    fn quantities_are_compared_with_their_units() {
        use Ordering::{Equal, Greater, Less};
        check("10", "9", Some(Greater));
        check("1h30m", "90m", Some(Equal));
        check("720h0m0s", "30d", Some(Equal));
        check("P7D", "P30D", Some(Less));
        check("PT1H30M", "PT5400S", Some(Equal));
        check("500m", "1", Some(Less));
        check("5m", "30s", Some(Greater));
        check("512Mi", "1Gi", Some(Less));
        check("1G", "1Gi", Some(Less));
        check("7 days", "1 week", Some(Equal));
        check("7d", "0", Some(Greater));
        check("7d", "3", None);
        check("10Gi", "5m", None);
        check("db.t3.large", "db.t3.micro", None);
        check("", "1", None);
    }

    #[test]
    fn containers_are_compared_by_length() {
        let list = |n: usize| Value::from(vec![Value::NULL; n]);
        assert_eq!(compare(&list(3), &list(2)), Some(Ordering::Greater));
        assert_eq!(compare(&list(3), &Value::from(2.0)), None);
    }

    #[test]
    fn versions_are_compared_number_by_number() {
        use Ordering::{Greater, Less};
        let check = |before: &str, after: &str, want| {
            let found = compare_versions(&Value::from(before), &Value::from(after));
            assert_eq!(found, want, "{before} and {after}");
        };
        check("1.9", "1.10", Some(Less));
        check("v1.27.3-gke.100", "v1.26.9-gke.900", Some(Greater));
        check(
            "registry:5000/app:2.1.0-alpine",
            "registry:5000/app:2.0.9-alpine",
            Some(Greater),
        );
        check("postgres14", "postgres13", Some(Greater));
        check("postgres14", "mysql8.0", None);
        check("app@sha256:1234", "app@sha256:0234", None);
        check("app:3f2a9c01d", "app:1f2a9c01d", None);
        check("app:latest", "app:stable", None);
        check("TLSv1_2016", "TLSv1.2_2021", Some(Less));
        check("TLSv1.2_2021", "TLSv1_2016", Some(Greater));
        check("TLSv1.2_2018", "TLSv1.2_2021", Some(Less));
        check("TLSv1", "TLSv1.1_2016", Some(Less));
        check("TLS_1_0", "TLS_1_2", Some(Less));
        check("tlsproxy:1", "tlsproxy:1.2", Some(Ordering::Equal));
        check("MYSQL_8_0_31", "MYSQL_8_0_28", Some(Greater));
        check("14", "14.2", Some(Ordering::Equal));
        check(
            "8.0.mysql_aurora.3.04.0",
            "8.0.mysql_aurora.3.02.0",
            Some(Greater),
        );
        check(
            "5.7.mysql_aurora.2.11.0",
            "8.0.mysql_aurora.3.02.0",
            Some(Less),
        );
        check("1.2.3-4", "1.2.3-5", Some(Less));
        assert_eq!(
            compare_versions(&Value::from(1.28), &Value::from(1.27)),
            Some(Greater)
        );
    }
}
