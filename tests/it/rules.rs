//! The rules of a review, with the cases in `tests/rules`.
//!
//! A file there has a table for each rule: changes for which it `fires`, and near misses for which it is `quiet`. A change has the
//! `action` on the resource (an update, if it says nothing), its properties `before` and `after`, and its `type` (the first of the
//! rule, if it says nothing). A replacement may say `created_first`. The text `(known after apply)` stands for an unknown value, `(sensitive)` for a masked one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;
use stacklens::change::difference::{Context, describe};
use stacklens::change::leaves::leaves;
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
    created_first: bool,
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

/// A change of one property of a database.
fn database(property: &str, before: &str, after: &str) -> Case {
    let side =
        |text: &str| toml::Table::from_iter([(property.to_owned(), toml::Value::from(text))]);
    Case {
        ty: Some("aws_db_instance".to_owned()),
        action: None,
        created_first: false,
        before: side(before),
        after: side(after),
    }
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
    entries.collect::<Map>().into()
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
    let parts = [SectionDiff { section, diff }];
    let changed = Changed {
        ty: case.ty.as_deref().unwrap_or(ty),
        action,
        is_created_first: case.created_first,
        parts: &parts,
        leaves: &leaves(&parts),
        unchanged: &Value::NULL,
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

#[test]
fn masked_and_unknown_values_are_not_judged() {
    let rules = Rules::built_in();
    let protection = "aws-rds-deletion-protection-off";
    for after in ["(known after apply)", "(sensitive)"] {
        let case = database("deletion_protection", "true", after);
        let [fires, open] = check(rules, "", &case, Spelling::Terraform);
        assert!(
            !fires.contains(protection) && open.contains(protection),
            "{after}: {fires:?} {open:?}"
        );
    }
    // The only element of a list counts as the list, also for its mask.
    let list = |text: &str| toml::Value::from(vec![toml::Value::from(text)]);
    for (ty, property, before, after, rule) in [
        (
            "aws_db_instance",
            "deletion_protection",
            "true",
            "false",
            protection,
        ),
        (
            "aws_s3_bucket",
            "acl",
            "private",
            "public-read",
            "aws-bucket-acl-public",
        ),
    ] {
        let case = |before: &str, after: &str| Case {
            ty: Some(ty.to_owned()),
            action: None,
            created_first: false,
            before: toml::Table::from_iter([(property.to_owned(), list(before))]),
            after: toml::Table::from_iter([(property.to_owned(), list(after))]),
        };
        let [fires, _] = check(rules, "", &case(before, after), Spelling::Terraform);
        assert!(fires.contains(rule), "{property}: {fires:?}");
        for hidden in ["(known after apply)", "(sensitive)"] {
            let [fires, open] = check(rules, "", &case(before, hidden), Spelling::Terraform);
            assert!(
                !fires.contains(rule) && open.contains(rule),
                "{property} {hidden}: {fires:?} {open:?}"
            );
        }
    }
    // It was off before, whatever it is after.
    let case = database("deletion_protection", "false", "(known after apply)");
    let none = check(rules, "", &case, Spelling::Terraform);
    assert_eq!(none, [BTreeSet::new(), BTreeSet::new()]);
    // A change is a change, even of a masked value.
    let case = database("password", "(sensitive)", "other");
    let [fires, _] = check(rules, "", &case, Spelling::Terraform);
    assert!(fires.contains("aws-rds-password-changed"), "{fires:?}");
}

#[test]
fn a_finding_never_has_the_text_of_a_masked_value() {
    let secret = || Value::from("hunter2").with_secret(true);
    let side = |value: Value| Value::from(Map::from_iter([("password", value)]));
    let diff = describe(
        &side(secret()),
        &side(Value::from("hunter3").with_secret(true)),
        Context::default(),
    );
    let changed = Changed {
        ty: "aws_db_instance",
        action: Action::Update,
        is_created_first: false,
        parts: &[SectionDiff {
            section: Section::Outputs,
            diff,
        }],
        leaves: &[],
        unchanged: &Value::NULL,
    };
    let found = Rules::built_in().check(&changed);
    assert_eq!(found.len(), 1);
    assert!(!format!("{found:?}").contains("hunter"), "{found:?}");
    assert_eq!(found[0].before.to_string(), "[secret]");
}

#[test]
fn guards_look_at_the_properties_and_not_at_the_options_of_a_resource() {
    let map = |key: &str, value: Value| Value::from(Map::from_iter([(key, value)]));
    let part = |section, before: &Value, after: &Value| SectionDiff {
        section,
        diff: describe(before, after, Context::default()),
    };
    let bucket = |name: &str| {
        let properties = [
            ("bucket", Value::from(name)),
            ("forceDestroy", Value::from(true)),
        ];
        Value::from(Map::from_iter(properties))
    };
    let [on, off] = [true, false].map(|it| map("protect", Value::from(it)));
    let options = || part(Section::Options, &on, &off);
    let inputs = part(Section::Inputs, &bucket("x"), &bucket("y"));
    // The properties of a tainted resource do not differ.
    for parts in [vec![options(), inputs], vec![options()], Vec::new()] {
        let changed = Changed {
            ty: "aws:s3/bucket:Bucket",
            action: Action::Replace,
            is_created_first: false,
            parts: &parts,
            leaves: &[],
            unchanged: &bucket("x"),
        };
        let found = Rules::built_in().check(&changed);
        let ids: Vec<&str> = found.iter().map(|it| &*it.rule.id).collect();
        assert!(ids.contains(&"aws-bucket-deleted-whole"), "{ids:?}");
        assert!(!ids.contains(&"aws-bucket-deleted"), "{ids:?}");
    }
}

#[test]
fn a_long_list_of_elements_with_guards_is_judged_once_each() {
    let rule = |age: i64| {
        let part = |key: &str, value: Value| Value::from(Map::from_iter([(key, value)]));
        let action = part("type", "Delete".into());
        let condition = part("age", Number::exact(&age.to_string()).unwrap().into());
        Value::from(Map::from_iter([
            ("action", action),
            ("condition", condition),
        ]))
    };
    let side = |first: i64| {
        let rules: Vec<Value> = (0..3000).map(|n| rule(first + n)).collect();
        Value::from(Map::from_iter([("lifecycle_rule", Value::from(rules))]))
    };
    let diff = describe(&side(5000), &side(1000), Context::default());
    let section = Section::Outputs;
    let changed = Changed {
        ty: "google_storage_bucket",
        action: Action::Update,
        is_created_first: false,
        parts: &[SectionDiff { section, diff }],
        leaves: &[],
        unchanged: &Value::NULL,
    };
    let start = std::time::Instant::now();
    let found = Rules::built_in().check(&changed);
    let places: BTreeSet<String> = found
        .iter()
        .filter(|it| it.rule.id == "google-bucket-objects-expire")
        .map(|it| it.path.to_string())
        .collect();
    assert!(places.len() >= 1000, "{}", places.len());
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn bridged_types_have_the_rules_of_their_terraform_names() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/rules/bridged.toml");
    let table: BTreeMap<String, String> =
        toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let rules = Rules::built_in();
    let ids = |ty: &str| {
        rules
            .of_type(ty)
            .iter()
            .map(|rule| rule.id.clone())
            .collect::<Vec<_>>()
    };
    for (token, name) in &table {
        let [package, module, ty]: [&str; 3] =
            token.split(':').collect::<Vec<_>>().try_into().unwrap();
        let mut file = ty.to_owned();
        file[..1].make_ascii_lowercase();
        assert!(!ids(name).is_empty(), "{name} has no rules");
        assert_eq!(
            ids(&format!("{package}:{module}/{file}:{ty}")),
            ids(name),
            "{token}"
        );
    }
    assert_eq!(
        ids("gcp:sql/databaseInstance:DatabaseInstance"),
        ids("google_sql_database_instance")
    );
    assert_eq!(
        ids("aws:s3/bucketVersioningV2:BucketVersioningV2"),
        ids("aws_s3_bucket_versioning")
    );
    assert_eq!(
        ids("aws:elasticache/securityGroup:SecurityGroup"),
        Vec::<String>::new()
    );
}

#[test]
fn an_element_that_only_changes_its_description_opens_nothing() {
    let rule = |description: &str| {
        let text = format!(
            "[[ingress]]\nfrom_port = 22\nto_port = 22\nprotocol = \"tcp\"\ncidr_blocks = [\"0.0.0.0/0\"]\ndescription = \"{description}\"\n"
        );
        toml::from_str::<toml::Table>(&text).unwrap()
    };
    let case = Case {
        ty: None,
        action: None,
        created_first: false,
        before: rule("a"),
        after: rule("b"),
    };
    let none = check(
        Rules::built_in(),
        "aws_security_group",
        &case,
        Spelling::Terraform,
    );
    assert_eq!(none, [BTreeSet::new(), BTreeSet::new()]);
}

#[test]
fn what_a_replaced_element_had_already_is_not_new() {
    let role = |verbs: &[&str], group: &str| {
        let verbs = toml::Value::from(
            verbs
                .iter()
                .map(|it| toml::Value::from(*it))
                .collect::<Vec<_>>(),
        );
        let rule = toml::Table::from_iter([
            (
                "api_groups".to_owned(),
                toml::Value::from(vec![toml::Value::from(group)]),
            ),
            ("verbs".to_owned(), verbs),
        ]);
        toml::Table::from_iter([(
            "rule".to_owned(),
            toml::Value::from(vec![toml::Value::Table(rule)]),
        )])
    };
    let found = |before: toml::Table, after: toml::Table| {
        let case = Case {
            ty: None,
            action: None,
            created_first: false,
            before,
            after,
        };
        let [fires, _] = check(
            Rules::built_in(),
            "kubernetes_role",
            &case,
            Spelling::Terraform,
        );
        fires.contains("kubernetes-role-escalates")
    };
    assert!(found(role(&["get"], "a"), role(&["get", "bind"], "a")));
    assert!(!found(role(&["get", "bind"], "a"), role(&["bind"], "b")));
}

#[test]
fn objects_in_manifests_have_the_rules_of_their_kind() {
    let object = |replicas: u32| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: {replicas}\n  paused: false\n"
        )
    };
    let value = |replicas: u32| {
        let json = format!(
            r#"{{"apiVersion": "apps/v1", "kind": "Deployment", "spec": {{"replicas": {replicas}}}}}"#
        );
        stacklens::json::parse(json.as_bytes(), stacklens::json::Numbers::Exact)
            .unwrap()
            .value
    };
    let holds = |ty: &str, property: &str, before: Value, after: Value, action: Action| {
        let side = |value: Value| Value::from(Map::from_iter([(property, value)]));
        let after = if action == Action::Delete {
            Value::NULL
        } else {
            side(after)
        };
        let diff = describe(&side(before), &after, Context::default());
        let section = Section::Outputs;
        let parts = [SectionDiff { section, diff }];
        let found = Rules::built_in().check(&Changed {
            ty,
            action,
            is_created_first: false,
            parts: &parts,
            leaves: &[],
            unchanged: &Value::NULL,
        });
        found
            .iter()
            .map(|it| format!("{} {}", it.rule.id, it.path))
            .collect::<Vec<_>>()
    };
    let found = holds(
        "kubernetes_manifest",
        "manifest",
        value(3),
        value(0),
        Action::Update,
    );
    assert_eq!(
        found,
        [
            "kubernetes-workload-stopped manifest.spec.replicas",
            "kubernetes-workload-smaller manifest.spec.replicas"
        ]
    );
    let (old, new) = (Value::from(object(3)), Value::from(object(0)));
    let found = holds("kubectl_manifest", "yaml_body", old, new, Action::Update);
    assert_eq!(
        found,
        [
            "kubernetes-workload-stopped yaml_body.spec.replicas",
            "kubernetes-workload-smaller yaml_body.spec.replicas"
        ]
    );
    let found = holds(
        "kubernetes_manifest",
        "manifest",
        value(3),
        value(3),
        Action::Delete,
    );
    assert_eq!(
        found,
        [
            "kubernetes-manifest-deleted ",
            "kubernetes-workload-deleted "
        ]
    );
}
