//! Rule files: TOML, a table for each rule.
//!
//! ```toml
//! [groups]
//! database = ["aws_db_instance", "aws_rds_cluster"]      # types that several rules share
//!
//! [[rule]]
//! id = "backup-retention-cut"
//! level = "danger"                                       # danger, warning or note
//! types = ["@database"]                                  # names of Terraform, tokens of Pulumi, or groups
//! except = ["*_test"]                                    # types that the rule leaves out
//! property = "backup_retention_period"                   # a pattern, or a list of them; none for the resource itself
//! named = ["retention*", "keep days"]                    # instead: words of a property's name, at any depth
//! unnamed = ["class"]                                    # words that the name has not, nor those of its containers
//! when = "shrinks"                                       # a condition, or a list of which one must hold
//! where = { engine = "postgres" }                        # values beside the property, or of the resource
//! unless = { is_temporary = true }                       # values with which the rule is silent
//! required = true                                        # the program always gives the property, so unknown is worth a word
//! created = false                                        # the rule is silent about a new resource
//! outcome = false                                        # the rule is silent once the apply is over: it is about its work
//! says = "backups are kept for a shorter time"
//! more = "https://…"
//! ```
//!
//! In a type `*` is any text: `google_*_iam_member`. A rule whose types all begin with `*` is for every provider. It yields to the
//! rules that name the type.

mod mute;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;

pub use mute::Mute;
use mute::{RawMute, mute};

use super::condition::{Condition, Literal};
use super::names::Phrase;
use super::pattern::Pattern;
use super::{Guard, Level, Rule};
use crate::change::vocabulary::table;
use crate::json::is_json;
use crate::value::Value;

/// Makes an error at a place of the text.
type At<'e> = &'e dyn Fn(&Range<usize>, String) -> ParseError;

/// A rule file is wrong.
#[derive(Debug, Error)]
#[error("{file}:{line}: {message}")]
pub struct ParseError {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The expected text, and the text that was found.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    groups: BTreeMap<String, Vec<String>>,
    #[serde(default, rename = "rule")]
    rules: Vec<RawRule>,
    #[serde(default, rename = "mute")]
    mutes: Vec<Spanned<RawMute>>,
}

/// The part of a file of settings that is about the review.
#[derive(Deserialize)]
struct RawMutes {
    #[serde(default, rename = "mute")]
    mutes: Vec<Spanned<RawMute>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    id: Spanned<String>,
    level: Spanned<String>,
    types: Spanned<Vec<String>>,
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    named: Option<Spanned<OneOrMore>>,
    #[serde(default)]
    unnamed: Option<Spanned<OneOrMore>>,
    #[serde(default)]
    property: Option<Spanned<OneOrMore>>,
    when: Spanned<OneOrMore>,
    #[serde(default, rename = "where")]
    filter: BTreeMap<String, Spanned<toml::Value>>,
    #[serde(default)]
    required: bool,
    #[serde(default = "yes")]
    created: bool,
    #[serde(default = "yes")]
    outcome: bool,
    #[serde(default)]
    unless: BTreeMap<String, Spanned<toml::Value>>,
    says: String,
    #[serde(default)]
    more: String,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a string or a list of strings")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn as_slice(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::More(texts) => texts,
        }
    }
}

fn yes() -> bool {
    true
}

/// Parses the mutes of the file of settings `name`. Its other keys do not count.
///
/// # Errors
///
/// On a syntax error, and a mute that means nothing.
pub(super) fn parse_mutes(name: &str, text: &str) -> Result<Vec<Mute>, ParseError> {
    let error = error_in(name, text);
    let file: RawMutes = read(text, &error)?;
    mutes(&file.mutes, name, text, &error)
}

fn read<T: DeserializeOwned>(text: &str, error: At<'_>) -> Result<T, ParseError> {
    toml::from_str(text).map_err(|source| {
        let at = source.span().unwrap_or_default();
        error(&at, source.message().to_owned())
    })
}

/// Makes the errors of a file.
fn error_in(name: &str, text: &str) -> impl Fn(&Range<usize>, String) -> ParseError {
    |at, message| ParseError {
        file: name.to_owned(),
        line: line(text, at.start),
        message,
    }
}

fn mutes(
    raw: &[Spanned<RawMute>],
    name: &str,
    text: &str,
    error: At<'_>,
) -> Result<Vec<Mute>, ParseError> {
    let mute = |raw: &Spanned<RawMute>| mute(raw, name, line(text, raw.span().start), error);
    raw.iter().map(mute).collect()
}

/// Parses the text of the rule file `name`: its rules and its mutes.
///
/// # Errors
///
/// On a syntax error, an unknown key, and a rule or a mute that means nothing.
pub(super) fn parse(name: &str, text: &str) -> Result<(Vec<Rule>, Vec<Mute>), ParseError> {
    let error = error_in(name, text);
    let file: RawFile = read(text, &|at, message| {
        let json = "this is JSON, expected TOML with a table `[[rule]]` for each rule";
        error(
            at,
            if is_json(text) {
                json.to_owned()
            } else {
                message
            },
        )
    })?;
    let mut ids = HashSet::new();
    let mut rules = Vec::with_capacity(file.rules.len());
    for raw in &file.rules {
        let rule = rule(raw, &file.groups, name, &error)?;
        if !ids.insert(rule.id.clone()) {
            let message = format!("expected a new id, found `{}` a second time", rule.id);
            return Err(error(&raw.id.span(), message));
        }
        rules.push(rule);
    }
    Ok((rules, mutes(&file.mutes, name, text, &error)?))
}

/// Parses the table of bridged types: keys of tokens, with names of Terraform.
pub(super) fn parse_bridged(text: &str) -> HashMap<String, String> {
    let keyed = table::<BTreeMap<String, String>>(text)
        .into_iter()
        .map(|(token, name)| (super::types::key(&token), name));
    keyed.collect()
}

fn line(text: &str, at: usize) -> usize {
    1 + text
        .get(..at)
        .map_or(0, |before| before.matches('\n').count())
}

fn rule(
    raw: &RawRule,
    groups: &BTreeMap<String, Vec<String>>,
    file: &str,
    error: At<'_>,
) -> Result<Rule, ParseError> {
    let id = raw.id.get_ref();
    let is_id = |id: &str| {
        !id.is_empty()
            && id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    if !is_id(id) {
        let message = format!("expected an id of small letters, digits and `-`, found `{id}`");
        return Err(error(&raw.id.span(), message));
    }
    let level = raw.level.get_ref();
    let level = Level::ALL.into_iter().find(|it| it.name() == level);
    let level = level.ok_or_else(|| {
        let found = raw.level.get_ref();
        let message = format!("expected danger, warning or note, found `{found}`");
        error(&raw.level.span(), message)
    })?;
    let types = types(&raw.types, groups, error)?;
    let conditions = each(Some(&raw.when), error, |words| {
        let message = || format!("expected {}, found `{words}`", Condition::forms());
        Condition::parse(words).ok_or_else(message)
    })?;
    let properties = each(raw.property.as_ref(), error, pattern)?;
    let texts = raw.property.iter().flat_map(|it| it.get_ref().as_slice());
    let no_words = || "expected words, found none".to_owned();
    let phrase = |text: &str| Phrase::parse(text).ok_or_else(no_words);
    let named = each(raw.named.as_ref(), error, phrase)?;
    let unnamed = each(raw.unnamed.as_ref(), error, phrase)?;
    let is_general = types.iter().all(|ty| ty.starts_with('*'));
    if let Some(raw) = raw.named.as_ref().filter(|_| !is_general) {
        let message = "expected types that begin with `*` beside `named`".to_owned();
        return Err(error(&raw.span(), message));
    }
    if let Some(raw) = raw.property.as_ref().filter(|_| is_general) {
        let message = "expected `named` for types that begin with `*`".to_owned();
        return Err(error(&raw.span(), message));
    }
    let wants_property = conditions.iter().any(|it| !it.is_about_resource());
    if conditions.is_empty() || wants_property && properties.is_empty() && named.is_empty() {
        let message = format!("expected a property for {}", quoted(raw.when.get_ref()));
        return Err(error(&raw.when.span(), message));
    }
    Ok(Rule {
        id: id.clone(),
        level,
        types,
        except: raw.except.clone(),
        named,
        unnamed,
        properties,
        property_texts: texts.cloned().collect(),
        conditions,
        condition_texts: raw.when.get_ref().as_slice().to_vec(),
        filter: guards(&raw.filter, error)?,
        unless: guards(&raw.unless, error)?,
        is_required: raw.required,
        is_for_created: raw.created,
        is_for_outcome: raw.outcome,
        says: raw.says.clone(),
        more: raw.more.clone(),
        file: file.to_owned(),
    })
}

/// The types of a rule, those of its groups included.
fn types(
    raw: &Spanned<Vec<String>>,
    groups: &BTreeMap<String, Vec<String>>,
    error: At<'_>,
) -> Result<Vec<String>, ParseError> {
    let error = |message| Err(error(&raw.span(), message));
    let mut types = Vec::new();
    for ty in raw.get_ref() {
        match ty.strip_prefix('@').map(|group| groups.get(group)) {
            None => types.push(ty.clone()),
            Some(Some(group)) => types.extend(group.iter().cloned()),
            Some(None) => return error(format!("expected a group of this file, found `{ty}`")),
        }
    }
    if types.is_empty() {
        return error("expected a type, found an empty list".to_owned());
    }
    Ok(types)
}

/// Parses each text of a list.
fn each<T>(
    raw: Option<&Spanned<OneOrMore>>,
    error: At<'_>,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, ParseError> {
    let Some(raw) = raw else {
        return Ok(Vec::new());
    };
    let parsed = |text: &String| parse(text).map_err(|message| error(&raw.span(), message));
    raw.get_ref().as_slice().iter().map(parsed).collect()
}

/// The guards of a table.
fn guards(
    table: &BTreeMap<String, Spanned<toml::Value>>,
    error: At<'_>,
) -> Result<Vec<Guard>, ParseError> {
    let guard = |(pattern, value): (&String, &Spanned<toml::Value>)| {
        let values = match value.get_ref() {
            toml::Value::Array(items) => items.iter().map(literal).collect(),
            one => literal(one).map(|it| vec![it]),
        };
        let values = values.ok_or_else(|| {
            let expected = "expected a string, a number, true, false, or a list of them";
            error(&value.span(), format!("`{pattern}`: {expected}"))
        })?;
        Ok(Guard {
            pattern: self::pattern(pattern).map_err(|message| error(&value.span(), message))?,
            text: pattern.clone(),
            values,
        })
    };
    table.iter().map(guard).collect()
}

fn pattern(text: &str) -> Result<Pattern, String> {
    Pattern::parse(text).map_err(|source| format!("`{text}`: {source}"))
}

fn quoted(conditions: &OneOrMore) -> String {
    let words = conditions.as_slice().iter().map(|it| format!("`{it}`"));
    match words.collect::<Vec<_>>() {
        words if words.is_empty() => "the empty list of conditions".to_owned(),
        words => words.join(", "),
    }
}

fn literal(value: &toml::Value) -> Option<Literal> {
    Some(Literal(match value {
        toml::Value::String(text) => Value::from(text.as_str()),
        toml::Value::Boolean(bool) => Value::from(*bool),
        toml::Value::Integer(number) => Literal::parse(&number.to_string()).0,
        toml::Value::Float(number) => Value::from(*number),
        toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_about_the_work_of_an_apply_says_so_in_a_key_of_its_own() {
        let is_about_apply = |more: &str| {
            let text = format!(
                "[[rule]]\nid = \"a\"\nlevel = \"note\"\ntypes = [\"t\"]\nproperty = \"b\"\nwhen = \"shrinks\"\n{more}"
            );
            parse("mine.toml", &text).unwrap().0[0].is_about_apply()
        };
        assert!(!is_about_apply("says = \"ask the team before the apply\""));
        assert!(is_about_apply("says = \"it fails\"\noutcome = false"));
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let error = |text: &str| parse("mine.toml", text).unwrap_err().to_string();
        let head = "[[rule]]\nid = \"a\"\nlevel = \"note\"\ntypes = [\"t\"]\nsays = \"s\"\n";
        let with = |more: &str| error(&format!("{head}{more}\n"));
        assert!(
            with("when = \"explodes\"\nproperty = \"a\"")
                .starts_with("mine.toml:6: expected deleted, replaced, ")
        );
        assert_eq!(
            with("when = \"shrinks\""),
            "mine.toml:6: expected a property for `shrinks`"
        );
        assert_eq!(
            with("when = [\"deleted\", 3]"),
            "mine.toml:6: a string or a list of strings"
        );
        assert!(with("when = \"unset\"\nproperty = \"a[\"").starts_with("mine.toml:7: `a[`: "));
        assert!(
            with("when = \"deleted\"\nwhere = { a = [[1]] }")
                .starts_with("mine.toml:7: `a`: expected a string, a number, ")
        );
        assert!(with("if = \"deleted\"").contains("unknown field `if`"));
        let level = head.replace("note", "fatal") + "when = \"deleted\"\n";
        assert_eq!(
            error(&level),
            "mine.toml:3: expected danger, warning or note, found `fatal`"
        );
        let group = head.replace("\"t\"", "\"@t\"") + "when = \"deleted\"\n";
        assert_eq!(
            error(&group),
            "mine.toml:4: expected a group of this file, found `@t`"
        );
        let id = head.replace("\"a\"", "\"A b\"") + "when = \"deleted\"\n";
        assert!(error(&id).starts_with("mine.toml:2: expected an id of small letters"));
        let twice = format!("{head}when = \"deleted\"\n");
        assert_eq!(
            error(&format!("{twice}{twice}")),
            "mine.toml:8: expected a new id, found `a` a second time"
        );
        assert!(error("[[rule]\n").starts_with("mine.toml:1: "));
        let every = head.replace("\"t\"", "\"*\"") + "when = \"unset\"\n";
        assert_eq!(
            with("when = \"unset\"\nnamed = \"a\""),
            "mine.toml:7: expected types that begin with `*` beside `named`"
        );
        assert_eq!(
            error(&format!("{every}property = \"a\"")),
            "mine.toml:7: expected `named` for types that begin with `*`"
        );
        assert_eq!(
            error(&format!("{every}named = \" \"")),
            "mine.toml:7: expected words, found none"
        );
    }

    #[test]
    fn groups_of_types_are_written_out() {
        let text = "[groups]\ndb = [\"x\", \"y\"]\n[[rule]]\nid = \"a\"\nlevel = \"note\"\ntypes = [\"@db\", \"z\"]\nwhen = \"deleted\"\nsays = \"s\"\n";
        assert_eq!(
            parse("mine.toml", text).unwrap().0[0].types,
            ["x", "y", "z"]
        );
    }
}
