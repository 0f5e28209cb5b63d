//! Schedules in the notation of cron: how often they come, and those that never do, such as the thirty-first of February.
//!
//! Understood are five fields, the six of AWS in `cron(…)`, of which the last is the year, and `rate(…)`. Of anything else nothing is said.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::value::Value;

/// Number of days of each month in a leap year.
const DAYS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// The names of the days of a week, which begins on Sunday.
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// The names of the months.
const MONTHS: [&str; 12] = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];

/// The order of two schedules by how often they come; `None` if one is none, or is not understood.
pub(crate) fn compare(before: &Value, after: &Value) -> Option<Ordering> {
    let [before, after] = [before, after].map(|it| times_a_year(it.as_str()?));
    before?.partial_cmp(&after?)
}

/// The change of a schedule in words: `30 times less often`. `None` if it comes as often, and if nobody knows.
pub(crate) fn change_in_words(before: &Value, after: &Value) -> Option<String> {
    let [before, after] = [before, after].map(|it| {
        let text = it.as_str().filter(|_| !it.is_secret());
        times_a_year(text?)
    });
    let (before, after) = (before?, after?);
    let words = |n: f64, than: &str| {
        let n = (n * 10.0).round() / 10.0;
        (n > 1.0).then(|| format!("{n} times {than} often"))
    };
    match before.partial_cmp(&after)? {
        Ordering::Equal => None,
        _ if before <= 0.0 || after <= 0.0 => None,
        Ordering::Less => words(after / before, "as"),
        Ordering::Greater => words(before / after, "less"),
    }
}

/// The time of a schedule that comes once on each of its days, in minutes since midnight, and the days as they are written.
pub(crate) fn time_of_day(text: &str) -> Option<(u32, String)> {
    let fields = fields(text)?;
    let one = |field: &str, most: u32| field.parse().ok().filter(|it| *it <= most);
    let (minute, hour): (u32, u32) = (one(fields[0], 59)?, one(fields[1], 23)?);
    Some((hour * 60 + minute, fields[2..].join(" ")))
}

/// Hours in a year.
const HOURS: f64 = 365.0 * 24.0;

/// About the number of times that a schedule comes in a year.
#[expect(
    clippy::cast_precision_loss,
    reason = "a field has at most sixty numbers"
)]
fn times_a_year(text: &str) -> Option<f64> {
    if let Some(rate) = text
        .strip_prefix("rate(")
        .and_then(|it| it.strip_suffix(')'))
    {
        let (number, unit) = rate.split_once(' ')?;
        let of_hour = match unit.trim_end_matches('s') {
            "minute" => 1.0 / 60.0,
            "hour" => 1.0,
            "day" => 24.0,
            _ => return None,
        };
        let number: f64 = number.parse().ok().filter(|it| *it > 0.0)?;
        return Some(HOURS / (number * of_hour));
    }
    let fields = fields(text)?;
    let share = |field: &str, (least, most): (u32, u32)| {
        let n = numbers(field, least, most)?.len();
        Some(n as f64 / f64::from(most - least + 1))
    };
    let days = share(fields[2], (1, 31))?;
    // Sunday is 0 and 7.
    let of_week: BTreeSet<u32> = numbers(fields[4], 0, 7)?
        .into_iter()
        .map(|day| day % 7)
        .collect();
    let of_week = of_week.len() as f64 / 7.0;
    // A day of the week is an alternative to the day of the month.
    let days = match (is_any(fields[2]), is_any(fields[4])) {
        (false, false) => (days + of_week).min(1.0),
        (true, false) => of_week,
        (_, true) => days,
    };
    let hours = share(fields[1], (0, 23))? * share(fields[3], (1, 12))?;
    Some(HOURS * 60.0 * share(fields[0], (0, 59))? * hours * days)
}

/// The fields of a schedule: minute, hour, day of the month, month, day of the week, and of AWS the year.
fn fields(text: &str) -> Option<Vec<&str>> {
    let inner = text
        .strip_prefix("cron(")
        .and_then(|it| it.strip_suffix(')'));
    let fields: Vec<&str> = inner.unwrap_or(text).split_whitespace().collect();
    let n_fields = if inner.is_some() { 6 } else { 5 };
    (fields.len() == n_fields).then_some(fields)
}

fn is_any(field: &str) -> bool {
    matches!(field, "*" | "?")
}

/// True if a value is a schedule whose days are in none of its months.
pub(super) fn never_runs(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| never_comes(text) == Some(true))
}

/// `None` for a text that is no schedule, or that is not understood.
fn never_comes(text: &str) -> Option<bool> {
    let fields = fields(text)?;
    // A day of the week is an alternative to the day of the month.
    if is_any(fields[2]) || !is_any(fields[4]) {
        return Some(false);
    }
    let days = numbers(fields[2], 1, 31)?;
    let months = numbers(fields[3], 1, 12)?;
    let first = days.iter().min()?;
    let is_in = |month: &u32| {
        DAYS.get(*month as usize - 1)
            .is_some_and(|last| first <= last)
    };
    Some(!months.iter().any(is_in))
}

/// The numbers of a field from `least` to `most`; `None` if a part of it is something else.
fn numbers(field: &str, least: u32, most: u32) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for part in field.split(',') {
        let (range, step) = part.split_once('/').unwrap_or((part, "1"));
        let step: usize = step.parse().ok().filter(|step| *step > 0)?;
        let (from, to) = match range.split_once('-') {
            Some((from, to)) => (number(from)?, number(to)?),
            None if matches!(range, "*" | "?") => (least, most),
            None if part.contains('/') => (number(range)?, most),
            None => (number(range)?, number(range)?),
        };
        let is_valid = (least..=most).contains(&from) && (from..=most).contains(&to);
        numbers.extend((from..=to).step_by(step).filter(|_| is_valid));
        if !is_valid {
            return None;
        }
    }
    Some(numbers)
}

/// A number, or the name of a month or of a day.
fn number(text: &str) -> Option<u32> {
    let of = |names: &[&str]| {
        names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(text))
    };
    let named = of(&MONTHS).map(|month| month + 1).or_else(|| of(&WEEKDAYS));
    match named {
        Some(number) => u32::try_from(number).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_often_a_schedule_comes() {
        let change = |one: &str, other: &str| change_in_words(&one.into(), &other.into());
        let order = |one: &str, other: &str| compare(&one.into(), &other.into());
        assert_eq!(
            change("15 2 * * *", "15 2 1 * *").as_deref(),
            Some("31 times less often")
        );
        assert_eq!(
            change("0 3 * * 1-5", "0 3 * * *").as_deref(),
            Some("1.4 times as often")
        );
        assert_eq!(
            change("rate(1 days)", "rate(7 days)").as_deref(),
            Some("7 times less often")
        );
        assert_eq!(
            change("*/10 * * * *", "*/15 * * * *").as_deref(),
            Some("1.5 times less often")
        );
        assert_eq!(change("0 1 * * *", "5 1 * * *"), None);
        assert_eq!(
            order("cron(30 21 * * ? *)", "cron(0 21 * * ? *)"),
            Some(Ordering::Equal)
        );
        assert_eq!(order("0 1 * * *", "5 1 1 * *"), Some(Ordering::Greater));
        assert_eq!(order("0 1 * * *", "soon"), None);
        assert_eq!(order("0 1 * * *", "0 1 L * *"), None);
    }

    #[test]
    fn days_that_no_month_has_never_come() {
        for (text, want) in [
            ("0 3 31 2 *", Some(true)),
            ("0 3 30 FEB *", Some(true)),
            ("0 3 31 4,6,9,11 *", Some(true)),
            ("0 3 30-31 2 *", Some(true)),
            ("cron(0 2 31 2 ? *)", Some(true)),
            ("0 3 29 2 *", Some(false)),
            ("0 3 31 2,3 *", Some(false)),
            ("0 3 1,31 2 *", Some(false)),
            ("0 3 */5 2 *", Some(false)),
            ("0 3 31 * *", Some(false)),
            // The day of the week comes too.
            ("0 3 31 2 1", Some(false)),
            ("0 3 * 2 *", Some(false)),
            ("cron(0 2 ? * MON *)", Some(false)),
            ("cron(0 2 L 2 ? *)", None),
            ("0 0 3 31 2 *", None),
            ("rate(1 day)", None),
            ("0 3 32 1 *", None),
            ("0 3 5/0 1 *", None),
            ("", None),
        ] {
            assert_eq!(never_comes(text), want, "{text}");
        }
    }
}
