//! `get` with patterns and edits.

use serde_json::json as object;

use super::{PREVIEW, SHOP, check_get, command, json};

#[test]
fn a_pattern_prints_each_value_with_its_path() {
    let tags = "tags.Name            orders-db\ntags.env             prod\n\
        tags.owner           team-3\ntags[\"cost-center\"]  4711\n";
    check_get(PREVIEW, &["orders-db", "tags.*"], 0, tags);
    check_get(PREVIEW, &["orders-db", "tags[*]"], 0, tags);
    assert_eq!(
        json(&["get", PREVIEW, "db-sg", "ingress[*].fromPort", "--json"]),
        object!([
            {"path": "ingress[0].fromPort", "value": 5432},
            {"path": "ingress[1].fromPort", "value": 6432},
            {"path": "ingress[2].fromPort", "value": 9187},
        ])
    );
    // An index is not a pattern: one value, without its path.
    check_get(PREVIEW, &["db-sg", "ingress[1].fromPort"], 0, "6432\n");
}

#[test]
fn a_pattern_keeps_masks() {
    let run = command(&["get", PREVIEW, "api-secrets", "stringData.*"]);
    assert_eq!(
        run.out,
        "stringData.DATABASE_URL  [secret]\nstringData.SESSION_KEY   [secret]\n"
    );
    let run = command(&["get", PREVIEW, "api-secrets", "stringData.*", "--reveal"]);
    assert!(run.out.contains("sk-77decade"), "{}", run.out);
    // Below a mask the answer is the mask, whatever the pattern says.
    for path in ["result[*]", "result.**", "result[*].x[0]"] {
        check_get(SHOP, &["orders-pw", path], 0, "result  [secret]\n");
    }
    let run = command(&["get", SHOP, "orders-pw", "**"]);
    assert!(!run.out.contains("correct-horse"), "{}", run.out);
}

#[test]
fn a_pattern_that_names_nothing_says_how_far_it_exists() {
    for (path, why) in [
        (
            "ingress[*].nope",
            "the nearest that exists is ingress[*]: there is no such key",
        ),
        (
            "ingress[*].fromPort.*",
            "ingress[*].fromPort: there is neither a map nor an array",
        ),
        (
            "**.nope",
            "the nearest that exists is root: nothing below it matches",
        ),
        (
            "nope[*]",
            "the nearest that exists is root: there is no such key",
        ),
    ] {
        let run = command(&["get", PREVIEW, "db-sg", path]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{path}");
        assert!(run.err.contains(why), "{path}: {}", run.err);
    }
    for option in ["--wire", "--set=a=1", "--delete=a"] {
        let run = command(&["get", PREVIEW, "db-sg", "ingress[*]", option]);
        assert_eq!(run.code, 64, "{option}: {}", run.err);
        assert!(run.err.contains("the path of one value"), "{}", run.err);
    }
}

#[test]
fn a_pattern_reaches_outputs_of_the_stack_and_text_that_is_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.tfstate");
    let text = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{
        "ids":{"value":["a","b"],"type":["list","string"]},
        "hidden":{"value":["c","d"],"type":["list","string"],"sensitive":true}},
        "resources":[{"mode":"managed","type":"a_b","name":"n","provider":"provider[\"x/y/z\"]","instances":[
        {"schema_version":0,"attributes":{"policy":"{\"Statement\":[{\"Action\":\"get\"},{\"Action\":\"put\"}]}"}}]}]}"#;
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    check_get(file, &["output.ids", "[*]"], 0, "[0]  a\n[1]  b\n");
    check_get(file, &["output.hidden", "[*]"], 0, "root  [secret]\n");
    check_get(
        file,
        &["a_b.n", "policy.Statement[*].Action"],
        0,
        "policy.Statement[0].Action  get\npolicy.Statement[1].Action  put\n",
    );
}

#[test]
fn an_edit_is_printed_and_not_written() {
    let before = std::fs::read(super::root().join(PREVIEW)).unwrap();
    let edited = json(&[
        "get",
        PREVIEW,
        "orders-db",
        "tags",
        "--json",
        "--set",
        r#"env="test""#,
        "--set",
        "extra.deep=[1]",
        "--delete",
        "owner",
    ]);
    assert_eq!(
        edited,
        object!({"Name": "orders-db", "env": "test", "cost-center": "4711", "extra": {"deep": [1]}})
    );
    assert_eq!(std::fs::read(super::root().join(PREVIEW)).unwrap(), before);
    // As the engine deletes it, an element keeps its place.
    let ports = json(&[
        "get", PREVIEW, "db-sg", "ingress", "--json", "--delete", "[1]",
    ]);
    assert_eq!(
        (ports.as_array().unwrap().len(), &ports[1]),
        (3, &object!(null))
    );
    // Terraform has no such rule.
    let folder = tempfile::tempdir().unwrap();
    let file = state(folder.path());
    assert_eq!(
        json(&["get", &file, "a_b.n", "list", "--json", "--delete", "[0]"]),
        object!([2, 3])
    );
}

/// A Terraform state with a list, a secret map, and a text.
fn state(folder: &std::path::Path) -> String {
    let file = folder.join("a.tfstate");
    let text = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{},
        "resources":[{"mode":"managed","type":"a_b","name":"n","provider":"provider[\"x/y/z\"]","instances":[
        {"schema_version":0,"attributes":{"list":[1,2,3],"login":{"user":"admin","word":"hunter2"},"size":"big"},
        "sensitive_attributes":[[{"type":"get_attr","value":"login"}]]}]}]}"#;
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn secrets_are_set_only_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = state(folder.path());
    for reveal in [&[][..], &["--reveal"]] {
        for edit in [["--set", "login.user=1"], ["--delete", "login.user"]] {
            let run = command(&[&["get", &file, "a_b.n"][..], &edit, reveal].concat());
            assert_eq!((run.code, run.out.as_str()), (1, ""));
            assert!(run.err.contains("login is secret"), "{}", run.err);
        }
    }
    // A value in the place of a secret is secret.
    let whole = [
        "get",
        &file,
        "a_b.n",
        "--json",
        "--set",
        r#"login={"user":"x"}"#,
    ];
    assert_eq!(json(&whole)["login"], "[secret]");
    let revealed = json(&[&whole[..], &["--reveal"]].concat());
    assert_eq!(revealed["login"], object!({"user": "x"}));
    let stored = command(&[
        "get",
        SHOP,
        "orders-pw",
        "--set",
        r#"result="x""#,
        "--wire=state",
    ]);
    assert!(stored.out.contains(r#""ciphertext""#), "{}", stored.out);
    assert!(!stored.out.contains(r#""x""#), "{}", stored.out);
    let other = json(&["get", &file, "a_b.n", "--json", "--set", "size=\"x\""]);
    assert_eq!(
        (&other["login"], &other["size"]),
        (&object!("[secret]"), &object!("x"))
    );
}

#[test]
fn an_edit_says_why_it_cannot_be_made() {
    for (edit, code, why) in [
        (["--set", "size"], 64, "expected PATH=JSON"),
        (["--set", "size=big"], 64, "a string needs its quotes"),
        (["--set", "root=1"], 64, "expected PATH=JSON"),
        (
            ["--set", "ingress[7]=1"],
            1,
            "the nearest that exists is ingress: there is no such element",
        ),
        (
            ["--set", "ingress.x.y=1"],
            1,
            "the nearest that exists is ingress: there is no map",
        ),
        (
            ["--delete", "nope"],
            1,
            "the nearest that exists is root: there is no such key",
        ),
        (
            ["--delete", "ingress[*]"],
            64,
            "expected the path of a value",
        ),
        (
            ["--set", r#"a={"4dabf18193072939515e22adb298388d":"x"}"#],
            64,
            "expected a known signature",
        ),
    ] {
        let run = command(&["get", PREVIEW, "db-sg", edit[0], edit[1]]);
        assert_eq!(
            (run.code, run.out.as_str()),
            (code, ""),
            "{edit:?}: {}",
            run.err
        );
        assert!(run.err.contains(why), "{edit:?}: {}", run.err);
    }
    // A key may hold the sign between path and value.
    let edited = json(&["get", PREVIEW, "db-sg", "--json", "--set", r#"["a=b"]=1"#]);
    assert_eq!(edited["a=b"], 1);
}

#[test]
fn the_wire_form_can_be_set_and_comes_back() {
    let secret =
        r#"{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"new"}"#;
    let set = format!("result={secret}");
    let get = |options: &[&str]| {
        let run = command(&[&["get", SHOP, "orders-pw", "--set", &set][..], options].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    assert!(get(&["--json"]).contains(r#""result": "[secret]""#));
    let wire: serde_json::Value = serde_json::from_str(&get(&["--wire", "--reveal"])).unwrap();
    assert_eq!(
        wire["result"],
        serde_json::from_str::<serde_json::Value>(secret).unwrap()
    );
    let stored: serde_json::Value =
        serde_json::from_str(&get(&["--wire=state", "--reveal"])).unwrap();
    assert_eq!(stored["result"]["plaintext"], r#""new""#);
}

#[test]
fn a_schema_says_which_values_fit() {
    let folder = tempfile::tempdir().unwrap();
    let file = state(folder.path());
    let schemas = r#"{"format_version":"1.0","provider_schemas":{"x/y/z":{"resource_schemas":{"a_b":{"version":0,"block":{"attributes":{
        "list":{"type":["list","number"],"optional":true},"login":{"type":["map","string"],"optional":true},
        "size":{"type":"string","optional":true}}}}}}}}"#;
    std::fs::write(folder.path().join("schemas.json"), schemas).unwrap();
    let run = command(&["get", &file, "a_b.n", "--set", "list[0]=true"]);
    assert_eq!(run.code, 64, "{} {}", run.out, run.err);
    assert!(
        run.err.contains("the value for list[0]: expected number"),
        "{}",
        run.err
    );
    // A number becomes the text that it is written as.
    let edited = json(&["get", &file, "a_b.n", "--json", "--set", "size=1.50"]);
    assert_eq!(edited["size"], "1.50");
}

#[test]
fn paths_through_the_wrapper_of_a_dynamic_value_are_those_of_the_file() {
    let state = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{},"resources":[
        {"mode":"managed","type":"terraform_data","name":"a","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[
          {"schema_version":0,"sensitive_attributes":[[{"type":"get_attr","value":"output"}]],"attributes":{"id":"x",
           "input":{"value":{"user":"u","value":{"size":1},"type":"t"},
                    "type":["object",{"user":"string","value":["object",{"size":"number"}],"type":"string"}]},
           "output":{"value":{"user":"u"},"type":["object",{"user":"string"}]},
           "triggers_replace":{"value":["a",1],"type":["tuple",["string","number"]]}}}]}]}"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.tfstate");
    std::fs::write(&file, state).unwrap();
    let file = file.to_str().unwrap();
    let get = |path: &str, flags: &[&str]| {
        let run = command(&[&["get", file, "terraform_data.a", path, "--json"], flags].concat());
        run.out.split_whitespace().collect::<String>()
    };
    for (path, want) in [
        ("triggers_replace.type[1][0]", r#""string""#),
        ("triggers_replace.type[0]", r#""tuple""#),
        ("triggers_replace.value[1]", "1"),
        ("input.type[1].user", r#""string""#),
        ("input.value.user", r#""u""#),
        // What the value itself has comes first.
        ("input.type", r#""t""#),
        ("input.value.size", "1"),
        ("input.value.value.size", "1"),
        ("input.value.type", r#""t""#),
        ("input.gone", ""),
        ("output.type[1].user", r#""[secret]""#),
    ] {
        assert_eq!(get(path, &[]), want, "{path}");
    }
    assert_eq!(get("output.type[1].user", &["--reveal"]), r#""string""#);
    assert_eq!(get("output.value.user", &["--reveal"]), r#""u""#);
}
