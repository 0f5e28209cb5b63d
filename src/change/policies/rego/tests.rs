use super::*;

#[track_caller]
fn policies(texts: &[&str]) -> Policies {
    parsed(texts).unwrap()
}

fn parsed(texts: &[&str]) -> Result<Policies, PolicyError> {
    let files = texts.iter().enumerate();
    let files = files.map(|(number, text)| (format!("p{number}.rego"), (*text).to_owned()));
    Policies::parse(&files.collect::<Vec<_>>())
}

/// The verdicts as lines: level, rule, message.
#[track_caller]
fn check(texts: &[&str], [input, masked]: [&str; 2], want: &[&str]) {
    let verdicts = policies(texts).judge(input, masked).unwrap();
    let line = |it: &Verdict| {
        let message = it.message.as_deref().unwrap_or("(hidden)");
        let level = if it.is_warning { "warning" } else { "danger" };
        format!("{level} {}: {message}", it.rule)
    };
    assert_eq!(verdicts.iter().map(line).collect::<Vec<_>>(), want);
}

const PUBLIC: &str = r#"{"resource_changes": [{"address": "a.b", "change": {"after": {"acl": "public-read", "size": 3}}}]}"#;

#[test]
fn rules_of_the_three_names_yield_messages() {
    let earlier = r#"
package main

# deny[msg] in a comment is none
deny[msg] {
    change := input.resource_changes[_]
    change.change.after.acl == "public-read"
    msg := sprintf("%s is public", [change.address])
}

violation_size[{"msg": msg, "details": {"limit": 2}}] {
    input.resource_changes[_].change.after.size > 2
    msg := "too large"
}

warn_never[msg] { false; msg := "never" }
"#;
    let present = r#"
package terraform.tags

import rego.v1

warn contains msg if {
    some change in input.resource_changes
    not change.change.after.tags
    msg := $"{change.address} has no tags"
}
"#;
    let present = present.replace(
        r#"$"{change.address} has no tags""#,
        r#"sprintf("%s has no tags", [change.address])"#,
    );
    check(
        &[earlier, &present],
        [PUBLIC, PUBLIC],
        &[
            "danger main.deny: a.b is public",
            "danger main.violation_size: too large",
            "warning terraform.tags.warn: a.b has no tags",
        ],
    );
    let harmless = r#"{"resource_changes": [{"change": {"after": {"tags": {}}}}]}"#;
    check(&[earlier, &present], [harmless, harmless], &[]);
}

#[test]
fn a_true_rule_has_no_message() {
    check(
        &["package main\ndeny if input.a == 1"],
        [r#"{"a": 1}"#; 2],
        &["danger main.deny: "],
    );
}

#[test]
fn an_exception_names_rules_that_do_not_count() {
    let text = r#"
package main
deny_public[msg] { input.a == 1; msg := "public" }
deny_size[msg] { input.a == 1; msg := "size" }
"#;
    let other = "package main\nexception[rules] { input.a == 1; rules := [\"public\"] }";
    check(
        &[text, other],
        [r#"{"a": 1}"#; 2],
        &["danger main.deny_size: size"],
    );
}

#[test]
fn a_message_that_depends_on_a_secret_is_not_told() {
    let text = r#"
package main
deny[msg] { count(input.password) < 9; msg := sprintf("%s is short", [input.password]) }
deny_user[msg] { input.user == "root"; msg := sprintf("%s logs in", [input.user]) }
warn[msg] { msg := substring(input.password, 0, 4) }
warn_masked[msg] { input.password == "[secret]"; msg := "masked" }
"#;
    check(
        &[text],
        [
            r#"{"user": "root", "password": "hunter22"}"#,
            r#"{"user": "root", "password": "[secret]"}"#,
        ],
        &[
            "danger main.deny: (hidden)",
            "danger main.deny_user: root logs in",
            "warning main.warn: (hidden)",
        ],
    );
}

#[track_caller]
fn check_error(texts: &[&str], want: &str) {
    assert_eq!(parsed(texts).unwrap_err().to_string(), want);
}

#[test]
fn a_file_that_is_not_rego_is_named_with_the_place() {
    let error = parsed(&["package main\ndeny[msg] { msg := }"])
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("p0.rego: line 2, column "), "{error}");
    assert!(!error.contains('\n'), "{error}");
    check_error(
        &["package main\nallow := true"],
        "p0.rego: no rule is called deny, violation or warn",
    );
}

#[test]
fn functions_for_the_network_and_the_environment_do_not_exist() {
    for call in [
        r#"http.send({"method": "get", "url": "http://localhost"})"#,
        "opa.runtime()",
    ] {
        let text =
            format!("package main\ndeny[msg] {{ x := {call}; msg := sprintf(\"%v\", [x]) }}");
        let error = policies(&[&text]).judge("{}", "{}").unwrap_err();
        assert!(matches!(error, PolicyError::Rule { .. }), "{error}");
    }
}

#[test]
fn input_that_is_not_json_is_refused() {
    let found = policies(&["package main\ndeny if input.a"]).judge("PK", "PK");
    assert!(matches!(found, Err(PolicyError::Input(_))), "{found:?}");
}
