//! Times as texts.

/// The seconds since 1970 of a time like `2026-11-20T10:00:00.123+01:00`.
///
/// # Source
///
/// RFC 3339; Howard Hinnant, `chrono`-Compatible Low-Level Date Algorithms, `days_from_civil`.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    let number = |text: &str| -> Option<i64> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_number)
    };
    let part = |start: usize, len: usize| number(text.get(start..start + len)?);
    let (year, month, day) = (part(0, 4)?, part(5, 2)?, part(8, 2)?);
    let time = part(11, 2)? * 3_600 + part(14, 2)? * 60 + part(17, 2)?;
    let rest = text.get(19..)?;
    let zone = rest.trim_start_matches(|it: char| it == '.' || it.is_ascii_digit());
    let offset = match zone.split_at_checked(1)? {
        ("Z" | "z", "") => 0,
        (sign @ ("+" | "-"), offset) => {
            let (hours, minutes) = offset.split_once(':').filter(|_| offset.len() == 5)?;
            let offset = number(hours)? * 3_600 + number(minutes)? * 60;
            if sign == "+" { offset } else { -offset }
        }
        _ => return None,
    };
    // Years begin in March, so that a leap day is the last day of one.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    u64::try_from(days * 86_400 + time - offset).ok()
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_with_an_offset_are_read() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2026-11-20T10:00:00.123456Z"), Some(1_795_168_800));
        assert_eq!(seconds("2026-11-20T11:00:00.1+01:00"), Some(1_795_168_800));
        assert_eq!(seconds("2024-02-29T23:30:00-00:30"), Some(1_709_251_200));
        for text in [
            "",
            "2026-11-20",
            "2026-11-20T10:00:00",
            "2026-11-20T10:00:+1Z",
            "2026-11-20T10:00:00+9223372036854775807:00",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
