//! `rules`, and the findings in `brief`.

use stacklens::change::rules::Rules;

use super::{command, json};

/// A plan that takes a database apart.
pub(super) const PLAN_TEXT: &str = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
    {"address": "aws_db_instance.main", "mode": "managed", "type": "aws_db_instance", "name": "main",
     "provider_name": "registry.terraform.io/hashicorp/aws", "change": {"actions": ["update"],
     "before": {"backup_retention_period": 14, "deletion_protection": true, "password": "hunter2", "kms_key_id": "a"},
     "after": {"backup_retention_period": 1, "password": "hunter3", "kms_key_id": "a"},
     "after_unknown": {"deletion_protection": true},
     "before_sensitive": {"password": true}, "after_sensitive": {"password": true}}},
    {"address": "aws_security_group.web", "mode": "managed", "type": "aws_security_group", "name": "web",
     "provider_name": "registry.terraform.io/hashicorp/aws", "change": {"actions": ["update"],
     "before": {"ingress": []}, "after": {"ingress": [{"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["0.0.0.0/0"]}]},
     "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}},
    {"address": "acme_thing.a", "mode": "managed", "type": "acme_thing", "name": "a",
     "provider_name": "example.com/acme/acme", "change": {"actions": ["update"], "before": {"a": 1}, "after": {"a": 2},
     "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}]}"#;

const OWN_RULES: &str = r#"
[[rule]]
id = "acme-a"
level = "danger"
types = ["acme_thing"]
property = "a"
when = "grows"
says = "more of a"

[[rule]]
id = "aws-rds-backup-shortened"
level = "note"
types = ["aws_db_instance"]
property = "backup_retention_period"
when = "falls below 7"
says = "our backups are kept for a week"
"#;

pub(super) fn written(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn all_rules_are_listed() {
    let run = command(&["rules"]);
    assert_eq!(run.code, 0, "{run:?}");
    let rules = Rules::built_in();
    assert_eq!(run.out.lines().count(), rules.iter().count());
    let listed = json(&["rules", "--json"]);
    let ids: Vec<&str> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["id"].as_str().unwrap())
        .collect();
    let want: Vec<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, want);
}

#[test]
fn a_rule_is_explained() {
    let run = command(&["rules", "aws-log-kept-shorter"]);
    let want = "\
id        aws-log-kept-shorter
level     warning
says      logs are deleted sooner
property  retention_in_days
when      shrinks, or was 0
unless    retention_in_days is 0
file      assets/rules/aws-data.toml
types     aws_cloudwatch_log_group
";
    assert_eq!(run.out, want, "{run:?}");
    let of_type = command(&["rules", "aws_cloudwatch_log_group"]);
    assert_eq!(of_type.out.lines().count(), 3, "{}", of_type.out);
    let bridged = command(&["rules", "aws:cloudwatch/logGroup:LogGroup"]);
    assert_eq!(bridged.out, of_type.out);
}

#[test]
fn an_unknown_rule_gets_suggestions() {
    let run = command(&["rules", "aws-log-shorter"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(run.out, "");
    assert!(
        run.err
            .contains("no rule and no type with rules is called aws-log-shorter"),
        "{run:?}"
    );
    assert!(run.err.contains("\n  aws-log-kept-shorter\n"), "{run:?}");
}

#[test]
fn the_brief_lists_the_findings_first() {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let run = command(&["brief", &plan]);
    assert_eq!(run.code, 0, "{run:?}");
    let want = "\
3 changes: 3 update

LOOK AT THESE FIRST  2
  ~ aws_db_instance.main  backups are kept for a shorter time
      ~ backup_retention_period  14 → 1
        the password of the administrator changes
      ~ password  [secret] → [secret]
        not known before the apply, and it decides if nothing protects the database from deletion any longer
      ~ deletion_protection  true → (known after apply)
  ~ aws_security_group.web  ports are open to the whole internet  + ingress  0.0.0.0/0 to tcp 22

ON THEIR OWN  1
  ~ acme_thing.a  ~ a  1 → 2

";
    assert!(run.out.starts_with(want), "{}", run.out);
    assert!(!run.out.contains("rules watch them"), "{}", run.out);
    let unknown = "\nof a type that no rule knows: acme_thing\n";
    assert!(run.out.contains(unknown), "{}", run.out);
    assert!(!run.out.contains("hunter"), "{}", run.out);
}

#[test]
fn rules_of_a_file_add_to_the_others_and_replace_them() {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let (_folder, rules) = written("team.toml", OWN_RULES);
    let run = command(&["brief", &plan, "--rules", &rules]);
    assert!(
        run.out
            .contains("  ~ acme_thing.a  more of a  ~ a  1 → 2\n"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains(
            "        our backups are kept for a week\n      ~ backup_retention_period  14 → 1\n"
        ),
        "{}",
        run.out
    );
    assert!(!run.out.contains("no rule knows"), "{}", run.out);
    let explained = command(&["rules", "acme-a", "--rules", &rules]);
    assert!(
        explained.out.contains(&format!("file      {rules}\n")),
        "{}",
        explained.out
    );
}

#[test]
fn a_wrong_file_of_rules_is_an_error_with_its_line() {
    let wrong = OWN_RULES.replace("grows", "explodes");
    let (_folder, rules) = written("team.toml", &wrong);
    for args in [
        &["rules", "--rules", &rules][..],
        &["brief", super::PLAN, "--rules", &rules],
        // The explorer says so before the screen starts.
        &["--rules", &rules, super::PLAN],
    ] {
        let run = command(args);
        assert_eq!((run.code, run.out.as_str()), (65, ""), "{run:?}");
        let want = format!("stacklens: {rules}:7: expected deleted, replaced, ");
        assert!(
            run.err.starts_with(&want) && run.err.contains("found `explodes`"),
            "{run:?}"
        );
    }
    let run = command(&["rules", "--rules", "there/is/no/such.toml"]);
    assert_eq!(run.code, 74, "{run:?}");
}

#[test]
fn a_file_of_rules_or_a_policy_beyond_the_limit_is_refused() {
    let limit = 16 << 20;
    // The rules come after many comments.
    let padded = |size: usize| {
        let line = "# of nothing\n".repeat((size - OWN_RULES.len()) / 13);
        let rest = "#".repeat(size - OWN_RULES.len() - line.len() - 1) + "\n";
        line + &rest + OWN_RULES
    };
    let (_folder, rules) = written("team.toml", &padded(limit));
    let run = command(&["rules", "acme-a", "--rules", &rules]);
    assert_eq!(run.code, 0, "{}", run.err);
    let (_folder, rules) = written("team.toml", &padded(limit + 1));
    let run = command(&["rules", "acme-a", "--rules", &rules]);
    let want = format!("stacklens: {rules}: more than 16 MiB; divide it into several files\n");
    assert_eq!((run.code, run.out.as_str(), run.err), (65, "", want));
    if cfg!(feature = "policy") {
        let (_folder, policy) = written("team.rego", &padded(limit + 1));
        let run = command(&["brief", super::PLAN, "--policy", &policy]);
        let want = format!("{policy}: more than 16 MiB; divide it into several files");
        assert!(run.code == 65 && run.err.contains(&want), "{}", run.err);
    }
}

#[test]
fn the_brief_fails_if_a_rule_of_the_level_fires() {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let quiet = PLAN_TEXT.replace(
        r#""backup_retention_period": 1,"#,
        r#""backup_retention_period": 14,"#,
    );
    let quiet = quiet.replace("0.0.0.0/0", "192.0.2.0/24");
    let (_folder, quiet) = written("plan.json", &quiet);
    for (args, code) in [
        (&["brief", &plan][..], 0),
        (&["brief", &plan, "--fail-on", "danger"], 3),
        (&["brief", &plan, "--fail-on", "warning"], 3),
        (&["brief", &quiet, "--fail-on", "danger"], 0),
        (&["brief", &quiet, "--fail-on", "warning"], 3),
        (&["brief", &plan, "--fail-on", "note"], 64),
    ] {
        let run = command(args);
        assert_eq!(run.code, code, "{args:?}: {run:?}");
    }
}

#[test]
fn rules_of_the_person_are_counted_apart() {
    let quiet = PLAN_TEXT.split("\"resource_changes\"").next().unwrap();
    let change = r#"{"address": "acme_x.a", "mode": "managed", "type": "acme_x", "name": "a", "provider_name": "registry.terraform.io/acme/acme",
        "change": {"actions": ["update"], "before": {"size": 1}, "after": {"size": 2}, "after_unknown": {}}}"#;
    let (_folder, plan) = written(
        "plan.json",
        &format!("{quiet}\"resource_changes\": [{change}]}}"),
    );
    let rule = "[[rule]]\nid = \"acme-y\"\nlevel = \"danger\"\ntypes = [\"acme_y\"]\nwhen = \"deleted\"\nsays = \"no\"\n";
    let (_rules_folder, rules) = written("rules.toml", rule);
    let out = command(&["brief", &plan, "--rules", &rules]).out;
    assert!(
        out.contains(" rules (1 of them yours), which found nothing"),
        "{out}"
    );
    let out = command(&["brief", &plan]).out;
    assert!(
        out.contains(" rules, which found nothing") && !out.contains("yours"),
        "{out}"
    );
}
