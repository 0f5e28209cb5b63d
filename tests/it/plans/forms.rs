//! One stack in files of different form: only real differences are reported.

use std::path::Path;

use serde_json::{Value, json};

use super::here::Lab;
use crate::cli::command;
use crate::made;
use crate::screens::harness::Session;

/// The last line of the difference of two files, and the number of resources and outputs that differ.
#[track_caller]
fn compare(old: &Path, new: &Path) -> (String, i32) {
    let run = command(&[
        "diff",
        old.to_str().unwrap(),
        new.to_str().unwrap(),
        "--exit-code",
    ]);
    assert_eq!(run.err, "", "{} and {}", old.display(), new.display());
    let last = run.out.lines().last().unwrap_or_default().to_owned();
    (last, run.code)
}

/// Every file compares with every other without differences.
#[track_caller]
fn check_same(folder: &Path, files: &[&str]) {
    for old in files {
        for new in files {
            let (last, code) = compare(&folder.join(old), &folder.join(new));
            assert!(
                last.starts_with("no differences"),
                "{old} and {new}: {last}"
            );
            assert_eq!(code, 0, "{old} and {new}");
        }
    }
}

/// Writes a file below a folder: in JSON, or a plan file.
fn write(folder: &Path, name: &str, json: &Value) {
    let path = folder.join(name);
    if path.extension().is_some_and(|it| it == "tfplan") {
        std::fs::write(path, made::unchanged_plan_file(json)).unwrap();
    } else {
        std::fs::write(path, json.to_string()).unwrap();
    }
}

/// A stack as a state, as `show -json` writes that, and as a plan that changes nothing: in JSON, and as the plan file itself.
fn forms_of_one_stack() -> [(&'static str, Value); 4] {
    let state = json!({
        "version": 4, "terraform_version": "1.9.0", "serial": 3, "lineage": "l",
        "outputs": {
            "zones": {"value": ["a", "b"], "type": ["set", "string"]},
            "token": {"value": "t", "type": "string", "sensitive": true},
        },
        "resources": [
            {"module": "module.m", "mode": "managed", "type": "aws_db", "name": "d",
             "provider": "module.m.provider[\"registry.terraform.io/hashicorp/aws\"].west",
             "instances": [
                {"index_key": 0, "schema_version": 0, "dependencies": ["data.aws_ami.a"],
                 "attributes": {
                    "id": "d-0", "name": "d", "gone": null, "policy": "{\"a\":1}",
                    "groups": ["b", "a"], "rules": [{"to": 2, "from": null}, {"to": 1, "from": null}],
                    "any": {"value": {"k": [1]}, "type": ["object", {"k": ["tuple", ["number"]]}]},
                    "password": "secret-of-d"},
                 "sensitive_attributes": [[{"type": "get_attr", "value": "password"}]]},
                {"index_key": 0, "deposed": "00000001", "schema_version": 0,
                 "attributes": {"id": "d-old", "name": "d"}},
             ]},
            {"mode": "data", "type": "aws_ami", "name": "a",
             "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
             "instances": [{"schema_version": 0, "attributes": {"id": "ami-1"}}]},
        ],
    });
    let provider = "registry.terraform.io/hashicorp/aws";
    let values = json!({
        "id": "d-0", "name": "d", "policy": "{ \"a\": 1 }", "groups": ["a", "b"],
        "rules": [{"to": 1}, {"to": 2}], "any": {"k": [1]}, "password": "secret-of-d", "other": null,
    });
    let sensitive = json!({"password": true, "groups": [false, false]});
    let address = "module.m.aws_db.d[0]";
    let identity = json!({
        "address": address, "mode": "managed", "type": "aws_db", "name": "d", "index": 0, "provider_name": provider,
    });
    let with = |more: Value| {
        let mut map = identity.as_object().unwrap().clone();
        map.extend(more.as_object().unwrap().clone());
        Value::Object(map)
    };
    let outputs = json!({
        "token": {"sensitive": true, "value": "t", "type": "string"},
        "zones": {"sensitive": false, "value": ["b", "a"], "type": ["set", "string"]},
    });
    let show = json!({
        "format_version": "1.0", "terraform_version": "1.9.0",
        "values": {
            "outputs": outputs,
            "root_module": {
                "resources": [{"address": "data.aws_ami.a", "mode": "data", "type": "aws_ami", "name": "a",
                    "provider_name": provider, "schema_version": 0, "values": {"id": "ami-1", "owner": null},
                    "sensitive_values": {}}],
                "child_modules": [{"address": "module.m", "resources": [
                    with(json!({"schema_version": 0, "values": values, "sensitive_values": sensitive})),
                    with(json!({"schema_version": 0, "deposed_key": "00000001", "sensitive_values": {},
                        "values": {"id": "d-old", "name": "d", "more": null}})),
                ]}],
            },
        },
    });
    let change = |actions: Value, before: &Value, after: &Value| {
        json!({"actions": actions, "before": before, "after": after, "after_unknown": {},
            "before_sensitive": sensitive, "after_sensitive": sensitive})
    };
    let old = json!({"id": "d-old", "name": "d"});
    let plan = json!({
        "format_version": "1.2", "terraform_version": "1.9.0", "complete": true, "errored": false,
        "planned_values": {"outputs": outputs, "root_module": {}},
        "resource_changes": [
            with(json!({"module_address": "module.m", "change": change(json!(["no-op"]), &values, &values)})),
            with(json!({"module_address": "module.m", "deposed": "00000001",
                "change": change(json!(["no-op"]), &old, &old)})),
        ],
        "output_changes": {
            "token": {"actions": ["no-op"], "before": "t", "after": "t", "after_unknown": false,
                "before_sensitive": true, "after_sensitive": true},
            "zones": {"actions": ["no-op"], "before": ["b", "a"], "after": ["b", "a"], "after_unknown": false,
                "before_sensitive": false, "after_sensitive": false},
        },
    });
    [
        ("s.tfstate", state),
        ("s.show.json", show),
        ("p.json", plan.clone()),
        ("p.tfplan", plan),
    ]
}

#[test]
fn one_stack_in_every_form_has_no_differences() {
    let folder = tempfile::tempdir().unwrap();
    let forms = forms_of_one_stack();
    for (name, json) in &forms {
        write(folder.path(), name, json);
    }
    check_same(folder.path(), &forms.map(|(name, _)| name));
}

/// The same pairs with one real difference, which is the only one listed.
#[test]
fn one_real_difference_between_forms_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let forms = forms_of_one_stack();
    for (name, json) in &forms {
        write(folder.path(), name, json);
        let other = json
            .to_string()
            .replace("\"name\":\"d\",\"p", "\"name\":\"e\",\"p");
        let other = other.replace(
            "\"module\":\"module.m\",\"name\":\"e\"",
            "\"module\":\"module.m\",\"name\":\"d\"",
        );
        let mut other: Value = serde_json::from_str(&other).unwrap();
        // Only the attribute; the name of the resource stays.
        rename(&mut other);
        write(folder.path(), &format!("other-{name}"), &other);
    }
    for (old, _) in &forms {
        for (new, _) in &forms {
            let new = format!("other-{new}");
            let (old, new) = (folder.path().join(old), folder.path().join(&new));
            let run = command(&[
                "diff",
                old.to_str().unwrap(),
                new.to_str().unwrap(),
                "--json",
            ]);
            let told: Value = serde_json::from_str(&run.out).unwrap();
            let entries = told.as_array().unwrap();
            assert_eq!(
                entries.len(),
                1,
                "{} and {}: {told}",
                old.display(),
                new.display()
            );
            let changes = entries[0]["changes"].as_array().unwrap();
            assert_eq!(
                changes.len(),
                1,
                "{} and {}: {told}",
                old.display(),
                new.display()
            );
            assert_eq!(changes[0]["path"], "name");
            assert_eq!(
                (&changes[0]["before"], &changes[0]["after"]),
                (&json!("d"), &json!("e"))
            );
        }
    }
}

/// Gives the attribute `name` of the resource that has a password another value.
fn rename(json: &mut Value) {
    match json {
        Value::Array(items) => items.iter_mut().for_each(rename),
        Value::Object(map) => {
            if map.contains_key("password") && map.get("name").is_some_and(Value::is_string) {
                map.insert("name".to_owned(), json!("e"));
            }
            map.values_mut().for_each(rename);
        }
        _ => {}
    }
}

/// A plan, and the state that it made.
fn promise_and_outcome() -> [Value; 2] {
    let change = |name: &str, actions: Value, before: Value, after: Value, unknown: Value| {
        json!({"address": format!("a_b.{name}"), "mode": "managed", "type": "a_b", "name": name,
            "provider_name": "registry.terraform.io/x/a",
            "change": {"actions": actions, "before": before, "after": after, "after_unknown": unknown,
                "before_sensitive": {}, "after_sensitive": {}}})
    };
    let plan = json!({
        "format_version": "1.2", "terraform_version": "1.9.0", "complete": true,
        "resource_changes": [
            change("new", json!(["create"]), json!(null), json!({"n": 1, "set": ["z", null]}),
                json!({"id": true, "set": [false, true]})),
            change("up", json!(["update"]), json!({"id": "u", "n": 1, "e": "x"}), json!({"id": "u", "n": 2}),
                json!({"e": true})),
            change("gone", json!(["delete"]), json!({"id": "g"}), json!(null), json!(false)),
            change("left", json!(["forget"]), json!({"id": "l"}), json!(null), json!(false)),
            change("swap", json!(["delete", "create"]), json!({"id": "s", "n": 1}), json!({"n": 2}), json!({"id": true})),
        ],
        "output_changes": {
            "id": {"actions": ["create"], "before": null, "after_unknown": true,
                "before_sensitive": false, "after_sensitive": false},
            "old": {"actions": ["delete"], "before": 1, "after": null, "after_unknown": false,
                "before_sensitive": false, "after_sensitive": false},
            "none": {"actions": ["no-op"], "before": null, "after": null, "after_unknown": false,
                "before_sensitive": false, "after_sensitive": false},
        },
    });
    let instance = |name: &str, attributes: Value| {
        json!({"mode": "managed", "type": "a_b", "name": name, "provider": "provider[\"registry.terraform.io/x/a\"]",
            "instances": [{"schema_version": 0, "attributes": attributes}]})
    };
    let state = json!({
        "version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l",
        "outputs": {"id": {"value": "i", "type": "string"}},
        "resources": [
            instance("new", json!({"id": "i", "n": 1, "set": ["a", "z"]})),
            instance("up", json!({"id": "u", "n": 2, "e": "y"})),
            instance("swap", json!({"id": "t", "n": 2})),
            {"mode": "data", "type": "a_c", "name": "d", "provider": "provider[\"registry.terraform.io/x/a\"]",
                "instances": [{"schema_version": 0, "attributes": {"id": "d"}}]},
        ],
    });
    [plan, state]
}

#[test]
fn a_plan_and_the_state_that_it_made_have_no_differences() {
    let folder = tempfile::tempdir().unwrap();
    let [plan, state] = promise_and_outcome();
    write(folder.path(), "plan.json", &plan);
    write(folder.path(), "s.tfstate", &state);
    let (plan, state) = (
        folder.path().join("plan.json"),
        folder.path().join("s.tfstate"),
    );
    let (last, code) = compare(&plan, &state);
    assert_eq!(
        last,
        "no differences · 5 as planned · 5 values became known"
    );
    assert_eq!(code, 0);
    let (last, code) = compare(&state, &plan);
    assert_eq!(last, "no differences · 3 the same · 5 values not known yet");
    assert_eq!(code, 0);
}

#[test]
fn only_outcomes_that_differ_from_the_plan_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let [plan, mut state] = promise_and_outcome();
    state["resources"][1]["instances"][0]["attributes"]["n"] = json!(3);
    let gone = json!({"mode": "managed", "type": "a_b", "name": "gone", "provider": "provider[\"registry.terraform.io/x/a\"]",
        "instances": [{"schema_version": 0, "attributes": {"id": "g"}}]});
    state["resources"].as_array_mut().unwrap().push(gone);
    write(folder.path(), "plan.json", &plan);
    write(folder.path(), "s.tfstate", &state);
    let (plan, state) = (
        folder.path().join("plan.json"),
        folder.path().join("s.tfstate"),
    );
    let (plan, state) = (plan.to_str().unwrap(), state.to_str().unwrap());
    let text = command(&["diff", plan, state]).out;
    let want = "\
~ a_b.up  differs
      id: \"u\"
    ~ n: 2 → 3
      … 1 unchanged attribute
+ a_b.gone  only in new  (planned for deletion)
    + id: \"g\"
1 differ from the plan · 1 only in new · 3 as planned · 5 values became known
";
    assert_eq!(text, want);
    // The explorer lists the same.
    let both = [plan, state].map(stacklens::load::Input::path);
    let [old, new] = both;
    let mut session = Session::open_input(stacklens::load::Input::pair(old, new), (130, 24));
    let text = session.keys("2").text();
    assert!(
        text.contains("up · differs") && text.contains("2 → 3"),
        "{text}"
    );
    assert!(!text.contains("known after apply"), "{text}");
    session.keys("j");
    let text = session.text();
    assert!(
        text.contains("gone · only in new") && text.contains("planned for deletion"),
        "{text}"
    );
}

/// A plan compared with the state that it starts from: every planned change differs, whether its value is known or not.
#[test]
fn a_state_and_a_plan_that_begins_with_it_differ_by_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let [plan, mut state] = promise_and_outcome();
    state["outputs"] = json!({});
    let instances = state["resources"].as_array_mut().unwrap();
    instances.remove(0);
    instances[0]["instances"][0]["attributes"] = json!({"id": "u", "n": 1, "e": "x"});
    instances[1]["instances"][0]["attributes"] = json!({"id": "s", "n": 1});
    write(folder.path(), "plan.json", &plan);
    write(folder.path(), "s.tfstate", &state);
    let (plan, state) = (
        folder.path().join("plan.json"),
        folder.path().join("s.tfstate"),
    );
    let run = command(&["diff", state.to_str().unwrap(), plan.to_str().unwrap()]);
    assert!(
        run.out.contains("~ e: \"x\" → (known after apply)"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("~ id: \"s\" → (known after apply)"),
        "{}",
        run.out
    );
    let last = run.out.lines().last().unwrap();
    assert_eq!(
        last, "2 differ · 1 only in new · 1 output differs",
        "{}",
        run.out
    );
}

/// No change is pending between two states.
#[test]
fn a_comparison_speaks_of_files_not_of_a_plan() {
    let files = [
        "tests/corpus/tfstate/shop.tfstate",
        "tests/corpus/tfstate/shop-after.tfstate",
    ];
    for format in ["text", "markdown"] {
        let text = command(&["diff", files[0], files[1], "--format", format]).out;
        for words in ["will be", "to delete", "to create", "to update"] {
            assert!(!text.contains(words), "{words:?} in {text}");
        }
        for words in ["only in old", "only in new", "differs"] {
            assert!(text.contains(words), "no {words:?} in {text}");
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [old, new] = files.map(|file| stacklens::load::Input::path(root.join(file)));
    let mut session = Session::open_input(stacklens::load::Input::pair(old, new), (130, 30));
    let mut seen = String::new();
    for keys in [
        "", "2", "j", "j", "j", "j", "j", "j", ".", "a", "<Esc>", "3",
    ] {
        session.keys(keys);
        let text = session.text();
        for words in [
            "will be",
            "destroyed",
            "updated in place",
            "unchanged (",
            " delete",
            " create",
            " update",
        ] {
            assert!(!text.contains(words), "{words:?} after {keys:?} in {text}");
        }
        seen.push_str(&text);
    }
    for words in ["· only in old", "· only in new", "· differs"] {
        assert!(seen.contains(words), "no {words:?}");
    }
}

/// Every scenario of `terraform/binary-plans`: states alike, plans alike.
#[expect(
    clippy::unnecessary_wraps,
    reason = "one of the checks of the corpus, which return an outcome"
)]
pub(crate) fn check(corpus: &Path) -> Result<(), String> {
    let folder = corpus.join("terraform/binary-plans");
    for entry in folder.read_dir().into_iter().flatten() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        if let Some(stem) = file.strip_suffix(".tfplan") {
            let named = |ending: &str| format!("{stem}.{ending}");
            let (plan, show) = (named("tfplan"), named("show.json"));
            let (state, state_show) = (named("tfstate"), named("state.show.json"));
            check_same(&folder, &[&plan, &show]);
            check_same(&folder, &[&state, &state_show]);
        }
    }
    Ok(())
}

const STACK: &str = r#"
resource "terraform_data" "a" {
  input = { n = N, s = toset(["z", "a"]), text = jsonencode({ x = 1 }), nul = null }
}
resource "terraform_data" "b" { input = terraform_data.a.id }
resource "terraform_data" "each" {
  for_each = toset(["a", "b c"])
  input    = sensitive(each.key)
}
resource "terraform_data" "replaced" { triggers_replace = [N] }
resource "terraform_data" "counted" {
  count = N
  input = [count.index, "x", null]
}
output "o" { value = terraform_data.b.output }
output "list" { value = terraform_data.counted[*].id }
output "set" { value = toset(["b", "a"]) }
output "none" { value = null }
output "secret" {
  value     = "x"
  sensitive = true
}
"#;

/// Writes the plan for a configuration in both forms, applies it, and writes the state in both forms.
fn apply(lab: &Lab, n: &str, name: &str) {
    lab.write("main.tf", &STACK.replace('N', n));
    let plan = format!("{name}.tfplan");
    lab.text(&["plan", "-no-color", &format!("-out={plan}")]);
    lab.write(
        &format!("{name}.json"),
        &lab.text(&["show", "-json", &plan]),
    );
    lab.text(&["apply", "-no-color", &plan]);
    std::fs::copy(
        lab.path().join("terraform.tfstate"),
        lab.path().join(format!("{name}.tfstate")),
    )
    .unwrap();
    lab.write(&format!("{name}.state.json"), &lab.text(&["show", "-json"]));
}

#[test]
fn forms_that_terraform_writes_have_no_differences() {
    let Some(lab) = Lab::new() else { return };
    apply(&lab, "2", "one");
    apply(&lab, "3", "two");
    apply(&lab, "1", "three");
    apply(&lab, "1", "same");
    check_same(
        lab.path(),
        &[
            "same.tfplan",
            "same.json",
            "same.tfstate",
            "same.state.json",
            "three.tfstate",
        ],
    );
    for name in ["one", "two", "three"] {
        for plan in ["tfplan", "json"] {
            for state in ["tfstate", "state.json"] {
                let [plan, state] =
                    [plan, state].map(|ending| lab.path().join(format!("{name}.{ending}")));
                let (last, code) = compare(&plan, &state);
                assert!(
                    last.starts_with("no differences") && last.contains("as planned"),
                    "{name}: {last}"
                );
                assert_eq!(code, 0);
                assert_eq!(compare(&state, &plan).1, 0, "{name}");
            }
        }
    }
    // The state before is a different one.
    let [plan, before] = ["two.json", "one.tfstate"].map(|file| lab.path().join(file));
    assert_eq!(compare(&plan, &before).1, 2);
    assert_eq!(compare(&before, &plan).1, 2);
}
