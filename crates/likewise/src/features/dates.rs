//! Dates and times as numbers: when, on which day of the week, at which hour, in which month.
//!
//! Dates are written as ISO 8601 has them: `2024-03-01`, `2024-03-01T12:30:00Z`, `2024-03-01 12:30:00.5+02:00`. What a
//! zone says is subtracted, so that moments compare; days are counted from 1970. A zone that is only named (`CET`,
//! `Europe/Berlin`) says nothing that could be subtracted.

use serde::{Deserialize, Serialize};

/// One number of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatePart {
    /// Days since 1970, with their fraction: the age up to a constant.
    Day,
    /// 1 (Monday) to 7.
    Weekday,
    /// 0 to 23.
    Hour,
    /// 1 to 12.
    Month,
}

impl DatePart {
    /// All of them.
    pub const ALL: [DatePart; 4] = [DatePart::Day, DatePart::Weekday, DatePart::Hour, DatePart::Month];

    /// As a person reads it.
    pub fn name(self) -> &'static str {
        match self {
            DatePart::Day => "day",
            DatePart::Weekday => "weekday",
            DatePart::Hour => "hour",
            DatePart::Month => "month",
        }
    }

    /// This number of a cell; `None` where it is no date.
    pub fn of(self, cell: &str) -> Option<f64> {
        let date = Date::parse(cell)?;
        Some(match self {
            DatePart::Day => date.days as f64 + f64::from(date.seconds) / 86_400.0,
            // 1970 began on a Thursday.
            DatePart::Weekday => (date.days + 3).rem_euclid(7) as f64 + 1.0,
            DatePart::Hour => f64::from(date.seconds / 3600),
            DatePart::Month => f64::from(month_of(date.days)),
        })
    }
}

/// Whether a cell is a date.
pub fn is_date(cell: &str) -> bool {
    Date::parse(cell).is_some()
}

/// The one spelling of a moment that stands for all others, with parts of a second; `None` where it is no date.
pub(crate) fn spelled(cell: &str) -> Option<String> {
    let date = Date::parse(cell)?;
    let parts = cell.split_once('.').map_or("", |(_, rest)| rest);
    let digits = parts.find(|c: char| !c.is_ascii_digit()).map_or(parts, |end| &parts[..end]);
    Some(format!("{} {}.{}", date.days, date.seconds, digits.trim_end_matches('0')))
}

/// A moment: days since 1970 and seconds of that day.
struct Date {
    days: i64,
    seconds: u32,
}

impl Date {
    fn parse(cell: &str) -> Option<Date> {
        let cell = cell.trim();
        let (date, rest) = (cell.get(..10)?, &cell[10..]);
        let [year, month, day] = fields(date, '-')?;
        let plain = date.as_bytes()[4] == b'-' && date.as_bytes()[7] == b'-';
        if !plain || !(1..=12).contains(&month) || !(1..=days_of(year, month)).contains(&day) {
            return None;
        }
        let days = days_since_1970(year, month, day);
        let (seconds, zone) = match rest.strip_prefix(['T', 't', ' ']) {
            Some(time) => time_of(time)?,
            None if rest.is_empty() => (0, 0),
            None => return None,
        };
        let moment = i64::from(seconds) - i64::from(zone);
        Some(Date { days: days + moment.div_euclid(86_400), seconds: moment.rem_euclid(86_400) as u32 })
    }
}

/// Seconds of the day, and those by which the zone is ahead.
fn time_of(text: &str) -> Option<(u32, i32)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).unwrap_or(text.len());
    let (clock, zone) = (&text[..end], text[end..].trim());
    // Java names the zone once more: `+01:00[Europe/Berlin]`.
    let zone = match zone.split_once('[') {
        Some((offset, name)) if is_zone_name(name.strip_suffix(']')?) => offset.trim_end(),
        _ => zone,
    };
    let clock = clock.split('.').next()?;
    let [hour, minute, second] = fields(clock, ':').or_else(|| fields(&format!("{clock}:00"), ':'))?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = (hour * 3600 + minute * 60 + second.min(59)) as u32;
    let zone = match zone {
        "" | "Z" | "z" => 0,
        name if is_zone_name(name) => 0,
        _ => {
            let ahead = match zone.as_bytes()[0] {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let digits: String = zone[1..].chars().filter(|c| *c != ':').collect();
            let four = match digits.len() {
                2 => digits + "00",
                4 => digits,
                _ => return None,
            };
            let number: i32 = four.parse().ok()?;
            ahead * (number / 100 * 3600 + number % 100 * 60)
        }
    };
    Some((seconds, zone))
}

/// `UTC`, `CET`, `Europe/Berlin`.
fn is_zone_name(name: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    let abbreviation = (2..=5).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_uppercase());
    abbreviation || name.contains('/') && name.split('/').all(plain)
}

/// Three whole numbers.
fn fields(text: &str, mark: char) -> Option<[i64; 3]> {
    let mut parts = text.split(mark);
    let mut next =
        || parts.next().filter(|p| p.bytes().all(|b| b.is_ascii_digit())).and_then(|p| p.parse().ok());
    let three = [next()?, next()?, next()?];
    parts.next().is_none().then_some(three)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The count of days of the Gregorian calendar, in eras of 400 years that begin in March.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The way back.
fn month_of(days: i64) -> u8 {
    let of_era = (days + 719_468).rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    (if month < 10 { month + 3 } else { month - 9 }) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(cell: &str) -> Vec<f64> {
        DatePart::ALL.iter().filter_map(|part| part.of(cell)).collect()
    }

    #[test]
    fn known_days() {
        assert_eq!(parts("1970-01-01"), [0.0, 4.0, 0.0, 1.0]);
        assert_eq!(parts("2000-02-29T18:00:00Z"), [11_016.75, 2.0, 18.0, 2.0]);
        assert_eq!(parts("1969-12-31 06:00"), [-0.75, 3.0, 6.0, 12.0]);
        // Two hours ahead of UTC: the day before there.
        assert_eq!(parts("2024-03-01T01:30:00.250+02:00"), parts("2024-02-29T23:30:00Z"));
        for zoned in ["06:00 UTC", "06:00:00 CET", "07:00+01:00[Europe/Berlin]", "06:00 America/New_York"] {
            assert_eq!(parts(&format!("1969-12-31 {zoned}")), [-0.75, 3.0, 6.0, 12.0], "{zoned}");
        }
        for wrong in [
            "2024-03-01 12:00 noon",
            "2024-03-01 12:00[",
            "",
            "2024",
            "2024-13-01",
            "2023-02-29",
            "2024-03-01x",
            "01/03/2024",
            "2024-03-01T25:00",
            "éééééééééé",
        ] {
            assert!(!is_date(wrong), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn every_day_follows_the_one_before(year in 1600i64..2400, month in 1i64..=12, day in 1i64..=28) {
            let today = days_since_1970(year, month, day);
            prop_assert_eq!(i64::from(month_of(today)), month);
            let next = if month == 12 { days_since_1970(year + 1, 1, 1) } else { days_since_1970(year, month + 1, 1) };
            prop_assert_eq!(next - days_since_1970(year, month, 1), days_of(year, month));
        }

        #[test]
        fn no_text_makes_it_fall(text in "\\PC{0,30}") {
            is_date(&text);
        }
    }
}
