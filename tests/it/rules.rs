//! The rules of a review, with the cases in `tests/rules`.
//!
//! A file there has a table for each rule: changes for which it `fires`, and near misses for which it is `quiet`. A change has the
//! `action` on the resource (an update, if it says nothing), its properties `before` and `after`, and its `type` (the first of the
//! rule, if it says nothing). The text `(known after apply)` stands for an unknown value, `(sensitive)` for a masked one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;
use stacklens::change::difference::{Context, describe};
use stacklens::change::review::SectionDiff;
use stacklens::change::rules::{Changed, Rules};
use stacklens::stack::{Action, Section};
use stacklens::value::{Map, Number, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    fires: Vec<Case>,
    quiet: Vec<Case>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "type")]
    ty: Option<String>,
    action: Option<String>,
    #[serde(default)]
    before: toml::Table,
    #[serde(default)]
    after: toml::Table,
}

/// The spelling of the keys of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spelling {
    Terraform,
    Pulumi,
}

fn cases() -> BTreeMap<String, Cases> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let cases: BTreeMap<String, Cases> =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (id, cases) in cases {
            assert!(
                all.insert(id.clone(), cases).is_none(),
                "{id} has cases twice"
            );
        }
    }
    all
}

fn camel_case(key: &str) -> String {
    let mut words = key.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

fn value(toml: &toml::Value, spelling: Spelling) -> Value {
    match toml {
        toml::Value::String(text) if text == "(known after apply)" => Value::computed(),
        toml::Value::String(text) if text == "(sensitive)" => {
            Value::from("hidden").with_secret(true)
        }
        toml::Value::String(text) => Value::from(text.as_str()),
        toml::Value::Integer(number) => Number::exact(&number.to_string()).unwrap().into(),
        toml::Value::Float(number) => Value::from(*number),
        toml::Value::Boolean(bool) => Value::from(*bool),
        toml::Value::Datetime(_) => panic!("a case has no dates"),
        toml::Value::Array(items) => {
            let items: Vec<Value> = items.iter().map(|it| value(it, spelling)).collect();
            items.into()
        }
        toml::Value::Table(table) => object(table, spelling),
    }
}

fn object(table: &toml::Table, spelling: Spelling) -> Value {
    let key = |key: &String| match spelling {
        Spelling::Terraform => key.clone(),
        Spelling::Pulumi => camel_case(key),
    };
    let entries = table
        .iter()
        .map(|(name, it)| (key(name), value(it, spelling)));
    Map::from_iter(entries).into()
}

/// The ids of the rules that fire for a case, and of those that cannot be judged.
fn check(rules: &Rules, ty: &str, case: &Case, spelling: Spelling) -> [BTreeSet<String>; 2] {
    let word = case.action.as_deref().unwrap_or("update");
    let action = Action::ALL.into_iter().find(|it| it.name() == word);
    let action = action.unwrap_or_else(|| panic!("no action is called {word}"));
    let side = |table: &toml::Table, is_there: bool| {
        if is_there {
            object(table, spelling)
        } else {
            Value::NULL
        }
    };
    let before = side(&case.before, action != Action::Create);
    let after = side(&case.after, action != Action::Delete);
    let diff = describe(&before, &after, Context::default());
    let section = Section::Outputs;
    let changed = Changed {
        ty: case.ty.as_deref().unwrap_or(ty),
        action,
        parts: &[SectionDiff { section, diff }],
    };
    let found = rules.check(&changed);
    [false, true].map(|is_open| {
        let found = found.iter().filter(|it| it.is_open == is_open);
        found.map(|it| it.rule.id.clone()).collect()
    })
}

#[test]
fn every_rule_fires_for_its_cases_and_is_quiet_for_near_misses() {
    let (rules, cases) = (Rules::built_in(), cases());
    let mut wrong = Vec::new();
    for rule in rules.iter() {
        let Some(cases) = cases.get(&rule.id) else {
            wrong.push(format!("{} has no cases", rule.id));
            continue;
        };
        if cases.fires.is_empty() || cases.quiet.is_empty() {
            wrong.push(format!("{} lacks a case", rule.id));
        }
        for spelling in [Spelling::Terraform, Spelling::Pulumi] {
            let fires =
                |case: &Case| check(rules, &rule.types[0], case, spelling)[0].contains(&rule.id);
            for (number, case) in cases.fires.iter().enumerate() {
                if !fires(case) {
                    wrong.push(format!(
                        "{} is silent for case {number} as {spelling:?} spells it",
                        rule.id
                    ));
                }
            }
            for (number, case) in cases.quiet.iter().enumerate() {
                if fires(case) {
                    wrong.push(format!(
                        "{} fires for near miss {number} as {spelling:?} spells it",
                        rule.id
                    ));
                }
            }
        }
    }
    let ids: BTreeSet<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
    wrong.extend(
        cases
            .keys()
            .filter(|id| !ids.contains(id.as_str()))
            .map(|id| format!("{id} is no rule")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
