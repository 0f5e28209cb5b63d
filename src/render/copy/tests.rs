use super::*;
use crate::change::rules::Rules;
use crate::json::Numbers;
use crate::path::Path;
use crate::stack::{Batch, Header, Kind, Prefix, Record, State, Tables};

struct Fixture {
    stack: Stack,
    resources: Vec<Resource>,
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::from(Map::from_iter(entries))
}

fn fixture(kind: Kind, prefix: &str, names: &[&str], outputs: &Value) -> Fixture {
    let mut stack = Stack::new(Header::new(kind));
    let mut batch = Batch {
        tables: Tables {
            prefixes: vec![Prefix::new(prefix, !kind.is_pulumi())],
            ..Tables::default()
        },
        ..Batch::default()
    };
    for name in names {
        batch.chunk.push(Record::default(), name, "");
    }
    stack.extend(batch);
    let resources = names
        .iter()
        .map(|name| Resource {
            urn: format!("{prefix}::{name}"),
            address: (!kind.is_pulumi()).then(|| (*name).to_owned()),
            id: Some(Value::from("i-1")),
            after: Some(State {
                outputs: Some(outputs.clone()),
                ..State::default()
            }),
            ..Resource::new(*name, "t")
        })
        .collect();
    Fixture { stack, resources }
}

/// The places that the table of formats gives for such a file.
fn written(stack: &Stack) -> Written {
    crate::format::table::of(&stack.header)
        .and_then(|format| format.written)
        .unwrap()
}

fn place(path: &str) -> PropertyAddress {
    PropertyAddress {
        before: false,
        section: Section::Outputs,
        path: Path::parse(path).unwrap(),
    }
}

impl Fixture {
    fn subject<'a>(&'a self, place: Option<&'a PropertyAddress>) -> Subject<'a> {
        Subject {
            stack: &self.stack,
            id: ResourceId(0),
            resource: &self.resources[0],
            place,
            revealed: false,
            location: None,
            inside: None,
        }
    }
}

fn outputs() -> Value {
    map([
        ("tags", map([("a key", "v".into()), ("${x}", "w".into())])),
        ("password", Value::from("hunter2").with_secret(true)),
        ("unknown", Value::computed()),
        (
            "list",
            Value::from(vec![Value::from(1.0), map([("deep", true.into())])]),
        ),
    ])
}

const PREFIX: &str = "urn:pulumi:prod::net::aws:rds/instance:Instance";

#[test]
fn pulumi_forms() {
    let fixture = fixture(Kind::PulumiState, PREFIX, &["it's"], &outputs());
    let place = place(r#"tags["a key"]"#);
    let subject = fixture.subject(Some(&place));
    let check = |form, want: &str| assert_eq!(subject.copy(form).as_deref(), Ok(want), "{form:?}");
    check(Form::Value, "v");
    check(Form::Path, r#"tags["a key"]"#);
    check(Form::Identity, &format!("{PREFIX}::it's"));
    check(Form::Id, "i-1");
    check(Form::Key, "a key");
    check(Form::Wire, "\"v\"");
    check(Form::Target, &format!(r"--target '{PREFIX}::it'\''s'"));
    let mute = r#"[[mute]]
type = "aws:rds/instance:Instance"
property = "tags[\"a key\"]"
reason = """#;
    check(Form::Mute, mute);
    // It is read as soon as it has a reason.
    let with_reason = mute.replace("reason = \"\"", "reason = \"known\"");
    let rules = Rules::default().with_mutes("m.toml", &with_reason);
    assert_eq!(rules.map(|rules| rules.mutes().len()).ok(), Some(1));
    check(
        Form::Import,
        r"pulumi import 'aws:rds/instance:Instance' 'it'\''s' 'i-1'",
    );
    assert_eq!(subject.copy(Form::Moved), Err(NoCopy::NoPair));
    check(
        Form::Markdown,
        &format!("- `{PREFIX}::it's` `tags[\"a key\"]` = `\"v\"`"),
    );
    assert_eq!(subject.copy(Form::Jq), Err(NoCopy::NotJson));
    assert_eq!(subject.copy(Form::Hunk), Err(NoCopy::NoHunk));
}

#[test]
fn terraform_forms() {
    let name = "module.a[\"x\"].aws_instance.web[0] (deposed 1234abcd)";
    let prefix = "urn:pulumi:default::t::aws:managed:aws_instance";
    let fixture = fixture(Kind::TerraformState, prefix, &[name], &outputs());
    let check = |path: &str, form, want: &str| {
        let place = place(path);
        assert_eq!(
            fixture.subject(Some(&place)).copy(form).as_deref(),
            Ok(want)
        );
    };
    let base = "module.a[\"x\"].aws_instance.web[0]";
    check("list[1].deep", Form::Path, &format!("{base}.list[1].deep"));
    let import = format!("import {{\n  to = {base}\n  id = \"i-1\"\n}}");
    check("tags", Form::Import, &import);
    check(
        "tags[\"a key\"]",
        Form::Path,
        &format!("{base}.tags[\"a key\"]"),
    );
    check(
        "tags[\"${x}\"]",
        Form::Path,
        &format!("{base}.tags[\"$${{x}}\"]"),
    );
    check("list", Form::Target, &format!("-target='{base}'"));
    let list = place("list");
    let wire = fixture.subject(Some(&list)).copy(Form::Wire);
    assert_eq!(wire, Err(NoCopy::NotPulumi));
    check("list", Form::Identity, name);
}

#[test]
fn secrets_and_unknowns_are_not_copied() {
    let fixture = fixture(Kind::PulumiState, PREFIX, &["db"], &outputs());
    let password = place("password");
    let subject = fixture.subject(Some(&password));
    assert_eq!(subject.copy(Form::Value), Err(NoCopy::Secret));
    let revealed = Subject {
        revealed: true,
        ..subject
    };
    assert_eq!(revealed.copy(Form::Value).as_deref(), Ok("hunter2"));
    for (form, _) in Form::ALL {
        let text = subject.copy(form).unwrap_or_default();
        assert!(!text.contains("hunter2"), "{form:?}: {text}");
        if form != Form::Value {
            let text = revealed.copy(form).unwrap_or_default();
            assert!(!text.contains("hunter2"), "{form:?}: {text}");
        }
    }
    let unknown = place("unknown");
    let subject = fixture.subject(Some(&unknown));
    assert_eq!(subject.copy(Form::Value), Err(NoCopy::Unknown));
    assert_eq!(
        fixture.subject(None).copy(Form::Value),
        Err(NoCopy::NoProperty)
    );
}

#[test]
fn the_json_inside_of_a_string_has_paths_too() {
    let json = r#"{"Statement":[{"Action":"s3:Get"}]}"#;
    let outputs = map([("policy", json.into())]);
    let inside = Path::parse("Statement[0].Action").unwrap();
    let policy = place("policy");
    let pulumi = fixture(Kind::PulumiState, PREFIX, &["db"], &outputs);
    let element = json::parse(br#"{"outputs":{"policy":"{}"}}"#, Numbers::Exact)
        .unwrap()
        .value;
    let location = Location {
        trail: Path::parse("resources[0]").unwrap(),
        element,
        has_others: false,
        written: written(&pulumi.stack),
    };
    let subject = Subject {
        inside: Some(&inside),
        location: Some(&location),
        ..pulumi.subject(Some(&policy))
    };
    let check = |form, want: &str| assert_eq!(subject.copy(form).as_deref(), Ok(want));
    check(Form::Path, "policy.Statement[0].Action");
    check(Form::Value, "s3:Get");
    check(Form::Key, "Action");
    check(
        Form::Jq,
        ".resources[0].outputs.policy | fromjson | .Statement[0].Action",
    );
    assert_eq!(subject.copy(Form::Pointer), Err(NoCopy::NotInFile));
    let prefix = "urn:pulumi:default::t::aws:managed:aws_instance";
    let yaml = "Statement:\n- Action: s3:Get\n";
    for (text, function) in [(json, "jsondecode"), (yaml, "yamldecode")] {
        let (outputs, names) = (map([("policy", text.into())]), ["aws_instance.web"]);
        let terraform = fixture(Kind::TerraformState, prefix, &names, &outputs);
        let subject = Subject {
            inside: Some(&inside),
            ..terraform.subject(Some(&policy))
        };
        let want = format!("{function}(aws_instance.web.policy).Statement[0].Action");
        assert_eq!(subject.copy(Form::Path).as_deref(), Ok(&*want));
    }
    assert_eq!(subject.copy(Form::Value).as_deref(), Ok("s3:Get"));
}

#[test]
fn a_value_in_a_packed_string_is_copied_masked_and_has_no_path() {
    // `{"url": "postgres://app:hunter2@db/orders", "size": 1}` in base64.
    let packed = "eyJ1cmwiOiAicG9zdGdyZXM6Ly9hcHA6aHVudGVyMkBkYi9vcmRlcnMiLCAic2l6ZSI6IDF9";
    let outputs = map([("conf", packed.into())]);
    let terraform = fixture(
        Kind::TerraformState,
        "urn:pulumi:default::t::aws:managed:aws_instance",
        &["aws_instance.web"],
        &outputs,
    );
    let conf = place("conf");
    let pulumi = fixture(Kind::PulumiState, PREFIX, &["db"], &outputs);
    let inside = Path::parse("size").unwrap();
    let subject = Subject {
        inside: Some(&inside),
        ..pulumi.subject(Some(&conf))
    };
    assert_eq!(subject.copy(Form::Path), Err(NoCopy::NotInFile));
    let copy = |inside: &str, form, revealed| {
        let inside = Path::parse(inside).unwrap();
        let subject = Subject {
            inside: Some(&inside),
            revealed,
            ..terraform.subject(Some(&conf))
        };
        subject.copy(form)
    };
    assert_eq!(copy("size", Form::Value, false).as_deref(), Ok("1"));
    let masked = "postgres://app:[likely secret]@db/orders";
    assert_eq!(copy("url", Form::Value, false).as_deref(), Ok(masked));
    let url = "postgres://app:hunter2@db/orders";
    assert_eq!(copy("url", Form::Value, true).as_deref(), Ok(url));
    assert_eq!(copy("url", Form::Path, false), Err(NoCopy::NotInFile));
}

#[test]
fn below_a_mask_everything_is_masked() {
    let secret = map([("creds", map([("user", "root".into())]).with_secret(true))]);
    let fixture = fixture(Kind::PulumiState, PREFIX, &["db"], &secret);
    let place = place("creds.user");
    let subject = fixture.subject(Some(&place));
    assert_eq!(subject.copy(Form::Value), Err(NoCopy::Secret));
    assert!(subject.copy(Form::Markdown).unwrap().contains("[secret]"));
    assert!(!subject.copy(Form::Resource).unwrap().contains("root"));
    let wire = subject.copy_line(Form::Wire).unwrap();
    let want = r#"{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}"#;
    assert_eq!(wire, want);
}

#[track_caller]
fn check_file(fixture: &Fixture, element: &str, trail: &str, path: &str, pointer: &str, jq: &str) {
    let location = Location {
        trail: Path::parse(trail).unwrap(),
        element: json::parse(element.as_bytes(), Numbers::Exact)
            .unwrap()
            .value,
        has_others: false,
        written: written(&fixture.stack),
    };
    let place = place(path);
    let subject = Subject {
        location: Some(&location),
        ..fixture.subject(Some(&place))
    };
    assert_eq!(subject.copy(Form::Pointer).as_deref(), Ok(pointer));
    assert_eq!(subject.copy(Form::Jq).as_deref(), Ok(jq));
}

#[test]
fn paths_into_the_file_go_through_its_wrappers() {
    let pulumi = fixture(Kind::PulumiState, PREFIX, &["db"], &outputs());
    let output = format!(
        r#"{{"{}":"{}","value":{{"a":1}}}}"#,
        crate::pulumi::wire::SIGNATURE,
        crate::pulumi::wire::OUTPUT
    );
    check_file(
        &pulumi,
        &format!(r#"{{"urn":"{PREFIX}::db","outputs":{{"o":{output}}}}}"#),
        "deployment.resources[3]",
        "o.a",
        "/deployment/resources/3/outputs/o/value/a",
        &format!(".deployment.resources[] | select(.urn == \"{PREFIX}::db\") | .outputs.o.value.a"),
    );
    let address = "terraform_data.x";
    let prefix = "urn:pulumi:default::t::terraform:managed:terraform_data";
    let terraform = fixture(Kind::TerraformState, prefix, &[address], &outputs());
    check_file(
        &terraform,
        r#"{"attributes":{"input":{"value":{"x/y":[1,2]},"type":["object",{}]}}}"#,
        "resources[1].instances[0]",
        "input[\"x/y\"][1]",
        "/resources/1/instances/0/attributes/input/value/x~1y/1",
        ".resources[1].instances[0].attributes.input.value[\"x/y\"][1]",
    );
    let plan = fixture(Kind::TerraformPlan, prefix, &[address], &outputs());
    check_file(
        &plan,
        r#"{"address":"terraform_data.x","change":{"before":null,"after":{"list":[1]},"after_unknown":{"unknown":true}}}"#,
        "resource_changes[0]",
        "unknown",
        "/resource_changes/0/change/after_unknown/unknown",
        ".resource_changes[] | select(.address == \"terraform_data.x\") | .change.after_unknown.unknown",
    );
}

#[test]
fn equal_names_are_numbered_by_position() {
    let fixture = fixture(Kind::PulumiState, PREFIX, &["db", "db"], &outputs());
    check_file(
        &fixture,
        &format!(r#"{{"urn":"{PREFIX}::db","outputs":{{"list":[]}}}}"#),
        "deployment.resources[0]",
        "list",
        "/deployment/resources/0/outputs/list",
        ".deployment.resources[0].outputs.list",
    );
}

#[test]
fn shells_see_one_word() {
    assert_eq!(shell("a b$c"), "'a b$c'");
    assert_eq!(shell("it's"), r"'it'\''s'");
    assert_eq!(shell("a\nb'\\\u{1b}"), r"$'a\nb\'\\\x1b'");
    assert_eq!(shell(""), "''");
}

#[test]
fn a_line_is_a_line() {
    let outputs = map([
        ("text", "a\nb".into()),
        ("tags", map([("a", "x".into()), ("b", "y".into())])),
        ("password", Value::from("hunter2").with_secret(true)),
    ]);
    let fixture = fixture(Kind::PulumiState, PREFIX, &["db"], &outputs);
    let check = |path: &str, form, want| {
        let place = place(path);
        assert_eq!(
            fixture.subject(Some(&place)).copy_line(form).as_deref(),
            want
        );
    };
    check("text", Form::Value, Ok(r#""a\nb""#));
    check("tags", Form::Value, Ok(r#"{"a":"x","b":"y"}"#));
    check("tags.a", Form::Value, Ok("x"));
    check("password", Form::Value, Err(&NoCopy::Secret));
    let place = place("tags");
    let line = fixture
        .subject(Some(&place))
        .copy_line(Form::Resource)
        .unwrap();
    assert!(
        line.starts_with('{') && !line.contains('\n') && !line.contains("hunter2"),
        "{line}"
    );
}
