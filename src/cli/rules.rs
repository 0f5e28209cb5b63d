//! `rules`: lists the rules of a review, or explains one.

use std::fmt::Write as _;
use std::sync::Arc;

use super::args::RulesArgs;
use super::fleet::Form;
use super::{Console, Failure};
use crate::change::rules::{Rule, Rules};
use crate::load::rules::{Files, rules};
use crate::render::json;
use crate::render::plain::columns;
use crate::text::{alike, escaped};
use crate::value::Value;

/// Maximum number of ids that are suggested if one is not found.
const MAX_SUGGESTIONS: usize = 8;

/// Maximum width of a column, in cells.
const MAX_WIDTH: usize = 48;

pub(super) fn run(args: &RulesArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let rules = rules(Files {
        rules: console.settings.rules(),
        ..Files::default()
    })?;
    let listed = match &args.name {
        None => rules.iter().collect(),
        Some(name) => named(&rules, name)?,
    };
    let objects = listed.iter().map(|rule| as_json(rule));
    console.rows((Form::of(args.json), 0), objects, |_| {
        match (&listed[..], &args.name) {
            ([rule], Some(_)) => explained(rule),
            _ => list(&listed),
        }
    })
}

/// The rule with this id, or the rules of this type.
fn named<'r>(rules: &'r Rules, name: &str) -> Result<Vec<&'r Arc<Rule>>, Failure> {
    if let Some(rule) = rules.get(name) {
        return Ok(vec![rule]);
    }
    let of_type = rules.of_type(name);
    if !of_type.is_empty() {
        return Ok(of_type);
    }
    let ids = rules.iter().map(|rule| (&*rule.id, &*rule.id));
    let types = rules.iter().flat_map(|rule| &rule.types);
    let mut alike = alike(name, ids.chain(types.map(|ty| (&**ty, &**ty))));
    // Several rules have one type, and all names are in the order of their likeness.
    alike.dedup();
    let near = alike.iter().take(MAX_SUGGESTIONS);
    Err(Failure::No {
        message: format!("no rule and no type with rules is called {name}"),
        detail: near.map(|name| (*name).to_owned()).collect(),
    })
}

/// One rule a line: level, id, sentence.
fn list(rules: &[&Arc<Rule>]) -> String {
    let row = |rule: &&Arc<Rule>| {
        [
            rule.level.name().to_owned(),
            escaped(&rule.id),
            escaped(&rule.says),
        ]
    };
    let rows: Vec<_> = rules.iter().map(row).collect();
    columns(&rows, MAX_WIDTH)
}

/// Everything about one rule, a line for each part.
fn explained(rule: &Rule) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |name: &str, text: &str| {
        if !text.is_empty() {
            _ = writeln!(out, "{name:9} {}", escaped(text));
        }
    };
    line("id", &rule.id);
    line("level", rule.level.name());
    line("says", &rule.says);
    line("property", &rule.properties().join(", "));
    line("named", &rule.named().collect::<Vec<_>>().join(", "));
    line("unnamed", &rule.unnamed().collect::<Vec<_>>().join(", "));
    let any = rule.conditions().join(", or ");
    line("when", &any);
    line("where", &rule.filter().collect::<Vec<_>>().join(", and "));
    line("unless", &rule.unless().collect::<Vec<_>>().join(", or "));
    line("more", &rule.more);
    line("file", &rule.file);
    for (number, ty) in rule.types.iter().enumerate() {
        line(if number == 0 { "types" } else { "" }, ty);
    }
    line("except", &rule.except.join(", "));
    out
}

fn as_json(rule: &Rule) -> Value {
    json::object(&[
        ("id", &rule.id),
        ("level", &rule.level.name()),
        ("types", &rule.types),
        ("except", &rule.except),
        ("property", &rule.properties()),
        ("named", &rule.named().collect::<Vec<_>>()),
        ("unnamed", &rule.unnamed().collect::<Vec<_>>()),
        ("when", &rule.conditions()),
        ("where", &rule.filter().collect::<Vec<_>>()),
        ("unless", &rule.unless().collect::<Vec<_>>()),
        ("says", &rule.says),
        ("more", &Some(&rule.more).filter(|it| !it.is_empty())),
        ("file", &rule.file),
    ])
}
