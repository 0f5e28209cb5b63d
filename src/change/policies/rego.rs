//! Policies as the interpreter of Rego tries them.

use std::collections::{BTreeMap, BTreeSet};
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::LazyLock;
use std::time::Duration;

use regex::{Captures, Regex};
use regorus::utils::limits::{ExecutionTimerConfig, PolicyLengthConfig};
use regorus::{Engine, Value as Rego};

use super::{PolicyError, Verdict};

/// Maximum time that one rule takes.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Number of steps of a rule between two looks at the clock.
const STEPS: NonZeroU32 = NonZeroU32::new(1_000).unwrap();

/// The longest files and lines that are read.
const LENGTHS: PolicyLengthConfig = PolicyLengthConfig {
    max_col: NonZeroU32::new(1 << 16).unwrap(),
    max_file_bytes: NonZeroUsize::new(16 << 20).unwrap(),
    max_lines: NonZeroUsize::new(1 << 20).unwrap(),
};

/// The rule whose result lists rules that do not count.
const EXCEPTION: &str = "exception";

/// The heads of rules that yield messages.
static HEADS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(?:default[ \t]+)?((deny|violation|warn)(?:_([A-Za-z0-9_]+))?)\b")
        .expect("a constant that a test compiles")
});

/// The policies of a team.
#[derive(Clone, Default)]
pub struct Policies {
    engine: Engine,
    rules: Vec<Rule>,
    /// The packages that have exceptions.
    with_exceptions: BTreeSet<String>,
}

/// A rule that yields messages.
#[derive(Clone, Debug)]
struct Rule {
    file: String,
    /// The path of its package in the language: `.main`.
    package: String,
    name: String,
    is_warning: bool,
    /// The part of the name that exceptions use, "" if there is none.
    suffix: String,
}

impl std::fmt::Debug for Policies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Policies({} rules)", self.rules.len())
    }
}

impl Policies {
    /// The policies in these files, each a name and a text.
    ///
    /// # Errors
    ///
    /// If a file is not Rego, in its present or its earlier syntax, or if no rule yields messages.
    pub fn parse(files: &[(String, String)]) -> Result<Self, PolicyError> {
        let mut engine = Engine::new();
        engine.set_policy_length_config(LENGTHS);
        engine.set_execution_timer_config(ExecutionTimerConfig {
            limit: MAX_TIME,
            check_interval: STEPS,
        });
        let (mut rules, mut with_exceptions) = (BTreeMap::new(), BTreeSet::new());
        for (file, text) in files {
            let package = add(&mut engine, file, text)?;
            let is_declared = |name: &str| {
                let declared = engine.has_declared_rule_rooted_at(file, name);
                declared.unwrap_or(false)
            };
            if is_declared(EXCEPTION) {
                with_exceptions.insert(package.clone());
            }
            // A text or a comment may look like a head.
            let heads = HEADS
                .captures_iter(text)
                .filter(|head| is_declared(&head[1]));
            for head in heads {
                let rule = Rule::of(&head, file, &package);
                rules.insert(rule.full_name(), rule);
            }
        }
        let rules: Vec<Rule> = rules.into_values().collect();
        if rules.is_empty() {
            let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
            return Err(PolicyError::Empty {
                files: names.join(", "),
            });
        }
        Ok(Self {
            engine,
            rules,
            with_exceptions,
        })
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Evaluates the rules on `input`, a document in JSON. `masked` is the same without its secrets.
    ///
    /// # Errors
    ///
    /// If the input is not JSON, or a rule cannot be tried.
    pub fn judge(&self, input: &str, masked: &str) -> Result<Vec<Verdict>, PolicyError> {
        let found = self.messages(input)?;
        let open = if input == masked {
            found.clone()
        } else {
            self.messages(masked)?
        };
        let mut verdicts = BTreeSet::new();
        for (place, messages) in found {
            let (rule, open) = (&self.rules[place], open.get(&place));
            for message in messages {
                let is_open = open.is_some_and(|open| open.contains(&message));
                verdicts.insert(Verdict {
                    is_warning: rule.is_warning,
                    rule: rule.full_name(),
                    message: is_open.then_some(message),
                });
            }
        }
        Ok(verdicts.into_iter().collect())
    }

    /// The messages of the rules, by the number of the rule.
    fn messages(&self, input: &str) -> Result<BTreeMap<usize, BTreeSet<String>>, PolicyError> {
        let mut engine = self.engine.clone();
        let input = Rego::from_json_str(input);
        engine.set_input(input.map_err(|error| PolicyError::Input(line(&error)))?);
        let mut found = BTreeMap::new();
        for (place, rule) in self.rules.iter().enumerate() {
            let failed = |error: &dyn std::fmt::Display| PolicyError::Rule {
                rule: rule.full_name(),
                file: rule.file.clone(),
                message: line(error),
            };
            let messages = texts(
                &engine
                    .eval_rule(rule.path())
                    .map_err(|error| failed(&error))?,
            );
            if messages.is_empty() {
                continue;
            }
            if self.with_exceptions.contains(&rule.package) {
                let path = format!("data{}.{EXCEPTION}", rule.package);
                let excepted = engine.eval_rule(path).map_err(|error| failed(&error))?;
                if lists(&excepted, &rule.suffix) {
                    continue;
                }
            }
            found.insert(place, messages);
        }
        Ok(found)
    }
}

impl Rule {
    /// The rule with this head.
    fn of(head: &Captures<'_>, file: &str, package: &str) -> Self {
        Self {
            file: file.to_owned(),
            package: package.to_owned(),
            name: head[1].to_owned(),
            is_warning: &head[2] == "warn",
            suffix: head.get(3).map_or("", |it| it.as_str()).to_owned(),
        }
    }

    /// Its name with that of the package.
    fn full_name(&self) -> String {
        let name = format!("{}.{}", self.package, self.name);
        name.trim_start_matches('.').to_owned()
    }

    /// Its path in the language.
    fn path(&self) -> String {
        format!("data{}.{}", self.package, self.name)
    }
}

/// Adds a file in the present syntax, or else in the one before version 1. The path of its package.
fn add(engine: &mut Engine, file: &str, text: &str) -> Result<String, PolicyError> {
    engine.set_rego_v0(false);
    let present = engine.add_policy(file.to_owned(), text.to_owned());
    let added = present.or_else(|error| {
        engine.set_rego_v0(true);
        let earlier = engine.add_policy(file.to_owned(), text.to_owned());
        earlier.map_err(|_| error)
    });
    let packages = added.and_then(|_| engine.get_policy_package_components());
    let packages = packages.map_err(|error| PolicyError::Parse {
        file: file.to_owned(),
        message: line(&error),
    })?;
    let parts = packages.last().map(|package| &package.components[..]);
    Ok(parts
        .unwrap_or_default()
        .iter()
        .map(|it| part(it))
        .collect())
}

/// A part of a path in Rego, with the sign before it.
fn part(name: &str) -> String {
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name && !name.starts_with(|first: char| first.is_ascii_digit()) {
        format!(".{name}")
    } else {
        format!("[{name:?}]")
    }
}

/// The messages in the result of a rule: texts, objects with a `msg`, or true without a message.
fn texts(result: &Rego) -> BTreeSet<String> {
    let one = |item: &Rego| match item {
        Rego::String(text) => Some(text.to_string()),
        Rego::Object(fields) => {
            let message = fields.get(&Rego::from("msg"))?;
            Some(message.as_string().ok()?.to_string())
        }
        Rego::Bool(true) => Some(String::new()),
        _ => None,
    };
    match result {
        Rego::Array(items) => items.iter().filter_map(one).collect(),
        Rego::Set(items) => items.iter().filter_map(one).collect(),
        result => one(result).into_iter().collect(),
    }
}

/// True if `result`, lists of the names of rules, has `name`.
fn lists(result: &Rego, name: &str) -> bool {
    let is_it = |item: &Rego| item.as_string().is_ok_and(|text| **text == *name);
    match result {
        Rego::Array(items) => items.iter().any(|item| is_it(item) || lists(item, name)),
        Rego::Set(items) => items.iter().any(|item| is_it(item) || lists(item, name)),
        _ => false,
    }
}

/// An error of the interpreter in one line: the sentence behind the place, without the picture of the source.
fn line(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect();
    let is_sentence = |line: &&&str| line.starts_with("error:");
    let place = lines.iter().find_map(|line| line.strip_prefix("--> "));
    let sentence = lines.iter().find(is_sentence).or(lines.first());
    let sentence = sentence.map_or("", |line| line.trim_start_matches("error:").trim());
    // The place is `FILE:LINE:COLUMN`.
    let mut numbers = place.unwrap_or_default().rsplitn(3, ':');
    match (numbers.next(), numbers.next()) {
        (Some(column), Some(number)) => format!("line {number}, column {column}: {sentence}"),
        _ => sentence.to_owned(),
    }
}

#[cfg(test)]
mod tests;
