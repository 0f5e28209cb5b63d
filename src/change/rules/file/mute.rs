//! Mutes: changes and findings that a team knows, and does not want to read about again.
//!
//! ```toml
//! [[mute]]
//! type = "aws_ecs_service"                 # or a list; `*` is any text
//! property = "desired_count"               # a pattern
//! old = "*"                                # values, or what a condition of a rule has as its value
//! new = 3
//! reason = "the autoscaler sets it"
//! until = "2027-03-31"                     # the last day
//!
//! [[mute]]
//! type = "aws_db_instance"
//! rule = "aws-rds-backup-shortened"        # or the name of a mechanism
//! level = "none"
//! reason = "a copy for tests, made every night"
//! ```
//!
//! # Laws
//!
//! 1. Without `rule`, a mute is about updates of a property. It never mutes what forces a replacement, nor what a rule calls a danger
//!    or a warning.
//! 2. With `rule`, it takes the findings of this rule away, of the types that it names. The change itself stays.
//! 3. After its last day it mutes nothing.

use std::fmt;

use serde::Deserialize;
use toml::Spanned;

use super::{At, OneOrMore, ParseError, literal, pattern};
use crate::change::leaves::Leaf;
use crate::change::rules::condition::{Answer, Literal};
use crate::change::rules::pattern::{Pattern, is_in_reach};
use crate::change::rules::types;
use crate::path::Path;
use crate::value::Value;

/// A mute.
#[derive(Clone, PartialEq, Debug)]
pub struct Mute {
    /// The reason.
    pub reason: String,
    /// The last day, such as `2027-03-31`.
    pub until: Option<String>,
    /// The file that it comes from.
    pub file: String,
    /// Its line, counted from 1.
    pub line: usize,
    types: Vec<String>,
    property: Option<Pattern>,
    old: Option<Literal>,
    new: Option<Literal>,
    rule: Option<String>,
}

/// `mutes.toml:3: the autoscaler sets it`
impl fmt::Display for Mute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.reason)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMute {
    #[serde(rename = "type")]
    ty: OneOrMore,
    #[serde(default)]
    property: Option<Spanned<String>>,
    #[serde(default)]
    old: Option<Spanned<toml::Value>>,
    #[serde(default)]
    new: Option<Spanned<toml::Value>>,
    #[serde(default)]
    rule: Option<String>,
    #[serde(default)]
    level: Option<Spanned<String>>,
    reason: Spanned<String>,
    #[serde(default)]
    until: Option<Spanned<toml::Value>>,
}

/// The mute of a table.
pub(super) fn mute(
    raw: &Spanned<RawMute>,
    file: &str,
    line: usize,
    error: At<'_>,
) -> Result<Mute, ParseError> {
    let it = raw.get_ref();
    let property = it
        .property
        .as_ref()
        .map(|text| pattern(text.get_ref()).map_err(|message| error(&text.span(), message)));
    let property = property.transpose()?.filter(|it| !it.may_be_root());
    if let Some(level) = it.level.as_ref().filter(|level| level.get_ref() != "none") {
        let message = format!("expected level = \"none\", found `{}`", level.get_ref());
        return Err(error(&level.span(), message));
    }
    let missing = match (&it.rule, &property, &it.level) {
        (None, None, _) => Some("expected a property or a rule"),
        (Some(_), _, None) => Some("expected level = \"none\" beside `rule`"),
        (Some(_), _, Some(_)) | (None, Some(_), _) => None,
    };
    if let Some(missing) = missing {
        return Err(error(&raw.span(), missing.to_owned()));
    }
    if it.reason.get_ref().trim().is_empty() {
        return Err(error(&it.reason.span(), "expected a reason".to_owned()));
    }
    let until = it.until.as_ref().map(|text| {
        let day = match text.get_ref() {
            toml::Value::Datetime(day) => day.to_string(),
            toml::Value::String(day) => day.clone(),
            _ => String::new(),
        };
        let message = || "expected a day such as \"2027-03-31\"".to_owned();
        is_day(&day)
            .then_some(day)
            .ok_or_else(|| error(&text.span(), message()))
    });
    let value = |raw: &Option<Spanned<toml::Value>>| {
        let parsed = raw.as_ref().map(|value| {
            let expected = "expected a string, a number, true or false";
            literal(value.get_ref()).ok_or_else(|| error(&value.span(), expected.to_owned()))
        });
        parsed.transpose()
    };
    Ok(Mute {
        reason: it.reason.get_ref().clone(),
        until: until.transpose()?,
        file: file.to_owned(),
        line,
        types: it.ty.as_slice().to_vec(),
        property,
        old: value(&it.old)?,
        new: value(&it.new)?,
        rule: it.rule.clone(),
    })
}

fn is_day(text: &str) -> bool {
    let digits =
        |part: &str, n: usize| part.len() == n && part.bytes().all(|it| it.is_ascii_digit());
    match text.split('-').collect::<Vec<_>>()[..] {
        [year, month, day] => digits(year, 4) && digits(month, 2) && digits(day, 2),
        _ => false,
    }
}

impl Mute {
    /// True if the mute is about resources of the type with these names.
    pub(crate) fn is_about(&self, names: &[String]) -> bool {
        self.types.iter().any(|ty| types::is_named(ty, names))
    }

    /// True if it mutes the findings of a rule or mechanism at a place.
    pub(crate) fn silences(&self, rule: &str, path: &Path, before: &Value, after: &Value) -> bool {
        self.rule.as_deref() == Some(rule) && self.fits(path, before, after)
    }

    /// True if it mutes a change by its property alone.
    pub(crate) fn mutes(&self, leaf: &Leaf) -> bool {
        let is_mutable = self.rule.is_none() && !leaf.replaces;
        is_mutable && self.fits(&leaf.path, &leaf.before, &leaf.after)
    }

    fn fits(&self, path: &Path, before: &Value, after: &Value) -> bool {
        let is = |wanted: &Option<Literal>, value: &Value| {
            let answer = wanted.as_ref().map(|wanted| wanted.test(value));
            matches!(answer, None | Some(Answer::Yes))
        };
        let pattern = self.property.as_ref();
        pattern.is_none_or(|it| is_in_reach(&[it], &path.0))
            && is(&self.old, before)
            && is(&self.new, after)
    }

    /// True if its last day is before `today`.
    pub(crate) fn is_over(&self, today: &str) -> bool {
        self.until.as_deref().is_some_and(|until| until < today)
    }
}

#[cfg(test)]
mod tests {
    use crate::change::rules::Rules;

    #[track_caller]
    fn wrong(text: &str, want: &str) {
        let found = Rules::default().with_file("m.toml", text).unwrap_err();
        assert_eq!(found.to_string(), want);
    }

    #[test]
    fn a_wrong_mute_says_what_is_wrong() {
        wrong(
            "[[mute]]\ntype = \"a\"\nreason = \"r\"\n",
            "m.toml:1: expected a property or a rule",
        );
        wrong(
            "[[mute]]\ntype = \"a\"\nproperty = \"**\"\nreason = \"r\"\n",
            "m.toml:1: expected a property or a rule",
        );
        wrong(
            "[[mute]]\ntype = \"a\"\nproperty = \"p\"\nreason = \" \"\n",
            "m.toml:4: expected a reason",
        );
        wrong(
            "[[mute]]\ntype = \"a\"\nrule = \"r\"\nreason = \"r\"\n",
            "m.toml:1: expected level = \"none\" beside `rule`",
        );
        wrong(
            "[[mute]]\ntype = \"a\"\nproperty = \"p\"\nlevel = \"note\"\nreason = \"r\"\n",
            "m.toml:4: expected level = \"none\", found `note`",
        );
        wrong(
            "[[mute]]\ntype = \"a\"\nproperty = \"p\"\nreason = \"r\"\nuntil = \"soon\"\n",
            "m.toml:5: expected a day such as \"2027-03-31\"",
        );
    }

    #[test]
    fn a_day_is_a_text_or_a_date() {
        for day in ["2027-03-31", "\"2027-03-31\""] {
            let text = format!(
                "[[mute]]\ntype = \"a\"\nproperty = \"p\"\nreason = \"r\"\nuntil = {day}\n"
            );
            let rules = Rules::default().with_file("m.toml", &text).unwrap();
            let mute = &rules.mutes()[0];
            assert_eq!(mute.until.as_deref(), Some("2027-03-31"));
            assert!(!mute.is_over("2027-03-31") && mute.is_over("2027-04-01"));
            assert_eq!(mute.to_string(), "m.toml:1: r");
        }
    }
}
