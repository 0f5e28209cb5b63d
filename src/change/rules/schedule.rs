//! Schedules in the notation of cron that never come: the thirty-first of February.
//!
//! Understood are five fields, and the six of AWS in `cron(…)`, of which the last is the year. Of anything else nothing is said.

use crate::value::Value;

/// Number of days of each month in a leap year.
const DAYS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// The names of the months.
const MONTHS: [&str; 12] = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];

/// True if a value is a schedule whose days are in none of its months.
pub(super) fn never_runs(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| never_comes(text) == Some(true))
}

/// `None` for a text that is no schedule, or that is not understood.
fn never_comes(text: &str) -> Option<bool> {
    let inner = text
        .strip_prefix("cron(")
        .and_then(|it| it.strip_suffix(')'));
    let fields: Vec<&str> = inner.unwrap_or(text).split_whitespace().collect();
    let n_fields = if inner.is_some() { 6 } else { 5 };
    if fields.len() != n_fields {
        return None;
    }
    let is_any = |field: &str| matches!(field, "*" | "?");
    // A day of the week is an alternative to the day of the month.
    if is_any(fields[2]) || !is_any(fields[4]) {
        return Some(false);
    }
    let days = numbers(fields[2], 31)?;
    let months = numbers(fields[3], 12)?;
    let first = days.iter().min()?;
    let is_in = |month: &u32| {
        DAYS.get(*month as usize - 1)
            .is_some_and(|last| first <= last)
    };
    Some(!months.iter().any(is_in))
}

/// The numbers of a field from 1 to `most`; `None` if a part of it is something else.
fn numbers(field: &str, most: u32) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for part in field.split(',') {
        let (range, step) = part.split_once('/').unwrap_or((part, "1"));
        let step: usize = step.parse().ok().filter(|step| *step > 0)?;
        let (from, to) = match range.split_once('-') {
            Some((from, to)) => (number(from)?, number(to)?),
            None if matches!(range, "*" | "?") => (1, most),
            None if part.contains('/') => (number(range)?, most),
            None => (number(range)?, number(range)?),
        };
        let is_valid = (1..=most).contains(&from) && (from..=most).contains(&to);
        numbers.extend((from..=to).step_by(step).filter(|_| is_valid));
        if !is_valid {
            return None;
        }
    }
    Some(numbers)
}

/// A number, or the name of a month.
fn number(text: &str) -> Option<u32> {
    let month = MONTHS
        .iter()
        .position(|name| name.eq_ignore_ascii_case(text));
    match month {
        Some(month) => u32::try_from(month + 1).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
