//! Copying, from keys to the clipboard.

use std::path::PathBuf;
use std::process::Command;

use stacklens::json;
use stacklens::load::Input;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(name)
}

/// The explorer with the cursor on a value of the details.
fn on(file: &str, query: &str) -> Session {
    let mut session = Session::open(file, WIDE);
    session.keys(&format!("1/{query}<Enter>"));
    session
}

#[track_caller]
fn check(file: &str, query: &str, keys: &str, want: &str) {
    let mut session = on(file, query);
    session.keys(keys);
    assert_eq!(
        session.copied.last().map(String::as_str),
        Some(want),
        "{}",
        session.text()
    );
}

const STATE: &str = "pulumi-state/shop.json";
const VPC: &str = "urn:pulumi:prod::shop::shop:net:Network$aws:ec2/vpc:Vpc::vpc";

#[test]
fn every_form_of_a_value() {
    check(
        STATE,
        "=10.0.0.0/16 @cidrBlock name:^vpc$",
        "yy",
        "10.0.0.0/16",
    );
    check(STATE, "@tags.Name name:^vpc$", "yp", "tags.Name");
    check(STATE, "@tags.Name name:^vpc$", "c", "tags.Name");
    check(STATE, "@tags.Name name:^vpc$", "yk", "Name");
    check(STATE, "@tags.Name name:^vpc$", "yu", VPC);
    check(STATE, "@tags.Name name:^vpc$", "yi", "vpc-0a1b2c3d");
    check(STATE, "name:^vpc$", "yt", &format!("--target '{VPC}'"));
    check(STATE, "name:^vpc$", "c", VPC);
}

const TERRAFORM: &str = "tfstate/shop.tfstate";
const OLD: &str = "tfplan-json/format-0.1.json";

#[test]
fn what_mends_a_state_is_copied_in_the_words_of_its_tool() {
    for (keys, want) in [
        ("yD", format!("pulumi state delete '{VPC}'")),
        ("yR", format!("--replace '{VPC}'")),
        ("yT", format!("pulumi state unprotect '{VPC}'")),
        ("yf", format!("pulumi refresh --target '{VPC}'")),
    ] {
        check(STATE, "name:^vpc$", keys, &want);
    }
    let web = "name:^aws_instance.web[1]$";
    for (query, keys, want) in [
        (web, "yD", "terraform state rm 'aws_instance.web[1]'"),
        (web, "yR", "-replace='aws_instance.web[1]'"),
        (
            web,
            "yf",
            "terraform apply -refresh-only -target='aws_instance.web[1]'",
        ),
        (
            "name:terraform_data.any",
            "yT",
            "terraform untaint 'terraform_data.any'",
        ),
        (
            "name:aws_db_instance.main",
            "yB",
            "removed {\n  from = aws_db_instance.main\n  lifecycle {\n    destroy = false\n  }\n}",
        ),
    ] {
        check(TERRAFORM, query, keys, want);
    }
    // A block names no instance, a command no old object, and there is nothing to end.
    for (query, keys, why) in [
        (web, "yB", "`removed` names whole resources"),
        ("deposed", "yD", "an old object shares its name"),
        (
            "name:aws_db_instance.main",
            "yT",
            "neither tainted nor protected",
        ),
    ] {
        let mut session = on(TERRAFORM, query);
        session.keys(keys).shows(why);
        assert!(session.copied.is_empty(), "{:?}", session.copied);
    }
    // Versions before 1.0 have commands where later ones have arguments.
    let mut session = on(OLD, "name:^aws_instance.web$");
    session.keys("yR");
    let copied = session.copied.last().cloned().unwrap_or_default();
    assert!(copied.starts_with("terraform taint '"), "{copied}");
    session.keys("yf");
    let copied = session.copied.last().cloned().unwrap_or_default();
    assert!(
        copied.starts_with("terraform refresh -target='"),
        "{copied}"
    );
}

#[test]
fn the_popup_on_an_entry_of_the_brief_shows_what_would_be_copied() {
    let mut session = Session::open("pulumi-preview/replace-steps.json", WIDE);
    session.shows("[b Brief]").keys("y");
    session.shows("Copy ·").hides("being read");
    // The name of a resource is known, and so is its place in the file.
    session.shows("urn:pulumi:").shows("--target '");
}

#[test]
fn marks_give_a_line_each() {
    let mut session = Session::open(STATE, WIDE);
    session.keys("gusubnet-a<Enter> gusubnet-b<Enter> yk");
    assert_eq!(session.copied, ["subnet-a\nsubnet-b"], "{}", session.text());
}

#[test]
fn targets_of_marks_are_arguments_of_one_command() {
    let mut session = Session::open(STATE, WIDE);
    session.keys("gusubnet-a<Enter> gusubnet-b<Enter> yt");
    let text = session.copied.last().cloned().unwrap_or_default();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert_eq!(text.matches("--target ").count(), 2, "{text}");
}

#[test]
fn an_object_is_taken_under_management() {
    check(
        STATE,
        "name:^vpc$",
        "yI",
        "pulumi import 'aws:ec2/vpc:Vpc' 'vpc' 'vpc-0a1b2c3d'",
    );
}

/// A plan in which a queue is deleted and created under another name, and a topic is deleted.
fn renamed() -> Session {
    let queue = |address: &str, actions: &str, before: &str, after: &str| {
        format!(
            r#"{{"address": "{address}", "mode": "managed", "type": "{}", "name": "it", "provider_name": "registry.terraform.io/hashicorp/aws",
            "change": {{"actions": ["{actions}"], "before": {before}, "after": {after}, "after_unknown": {{}}, "before_sensitive": {{}}, "after_sensitive": {{}}}}}}"#,
            address.split('.').next().unwrap()
        )
    };
    let values = r#"{"name": "jobs-prod", "delay": 5, "fifo": true, "size": 12}"#;
    let text = format!(
        r#"{{"format_version": "1.2", "resource_changes": [{}, {}, {}]}}"#,
        queue("aws_sqs_queue.jobs", "delete", values, "null"),
        queue("aws_sqs_queue.work", "create", "null", values),
        queue("aws_sns_topic.old", "delete", r#"{"name": "x"}"#, "null"),
    );
    Session::open_input(Input::bytes("plan.json", text.into_bytes()), WIDE)
}

const MOVED: &str = "moved {\n  from = aws_sqs_queue.jobs\n  to   = aws_sqs_queue.work\n}";

#[test]
fn what_mends_a_rename_is_copied_from_either_resource() {
    for name in ["jobs", "work"] {
        let mut session = renamed();
        session.keys(&format!("2/aws_sqs_queue.{name}<Enter>"));
        session.keys("yM");
        assert_eq!(session.copied, [MOVED], "{}", session.text());
        session.keys("ys");
        let command = "terraform state mv 'aws_sqs_queue.jobs' 'aws_sqs_queue.work'";
        assert_eq!(session.copied[1], command);
    }
}

#[test]
fn two_marks_are_a_pair_if_one_goes_and_one_of_its_type_comes() {
    let mut session = renamed();
    session.keys("1guaws_sqs_queue.work<Enter> guaws_sqs_queue.jobs<Enter> yM");
    assert_eq!(session.copied, [MOVED], "{}", session.text());
    let mut session = renamed();
    session.keys("1guaws_sqs_queue.work<Enter> guaws_sns_topic.old<Enter> yM");
    session.shows("mark one resource that goes and one of its type that comes");
    assert!(session.copied.is_empty());
}

#[test]
fn a_secret_is_copied_only_when_that_is_wanted() {
    let mut session = on(STATE, "@password name:^orders$");
    session.keys("yy").shows("not copied: the value is secret");
    assert!(session.copied.is_empty());
    session
        .keys("y")
        .shows("Copy ·")
        .shows("yp")
        .shows("password");
    session.keys("x").shows("Copy a secret?");
    session.keys("n");
    assert!(session.copied.is_empty());
}

#[test]
fn the_popup_shows_what_each_form_gives() {
    let mut session = on(STATE, "@tags.Name name:^vpc$");
    session
        .keys("y")
        .shows("yj jq")
        .shows("select(.urn ==")
        .shows("yP JSON pointer");
    session.keys("<Down><Enter>");
    assert_eq!(session.copied, ["tags.Name"]);
}

/// Runs jq on a fixture; `None` if jq is not installed.
fn jq(file: &str, filter: &str) -> Option<serde_json::Value> {
    let output = Command::new("jq")
        .arg("-c")
        .arg(filter)
        .arg(fixture(file))
        .output()
        .ok()?;
    assert!(
        output.status.success(),
        "{filter}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(serde_json::from_slice(&output.stdout).expect("one value of JSON"))
}

#[track_caller]
fn check_paths(file: &str, query: &str, want: &serde_json::Value) {
    let mut session = on(file, query);
    session.keys("yP").keys("yj");
    let [pointer, filter] = &session.copied[..] else {
        panic!("{:?}\n{}", session.copied, session.text());
    };
    let text = std::fs::read(fixture(file)).unwrap();
    let document = json::parse(&text, json::Numbers::Exact).unwrap().value;
    let found = pointer[1..].split('/').try_fold(&document, |value, step| {
        let key = step.replace("~1", "/").replace("~0", "~");
        let element = || value.as_array()?.get(key.parse().ok()?);
        value.get(&key).or_else(element)
    });
    assert_eq!(
        found.and_then(|found| found.as_str()),
        want.as_str(),
        "{pointer}"
    );
    if let Some(found) = jq(file, filter) {
        assert_eq!(&found, want, "{filter}");
    } else {
        crate::not_run("jq filters", "jq");
    }
}

#[test]
fn paths_into_the_file_select_the_value_there() {
    check_paths(STATE, "@tags.Name name:^vpc$", &"shop-vpc".into());
    check_paths(
        "tfstate/shop.tfstate",
        "@tags.Name",
        &first_name("tfstate/shop.tfstate"),
    );
}

#[test]
fn paths_into_a_preview_lead_into_a_step_that_has_the_value() {
    let steps = "pulumi-preview/replace-steps.json";
    check_paths(steps, "@engine name:^main$", &"v15".into());
    check_paths(steps, "@path name:^cache$", &"/new".into());
}

/// The name in the tags of the first hit, as the explorer shows it.
fn first_name(file: &str) -> serde_json::Value {
    let mut session = on(file, "@tags.Name");
    session.keys("yy");
    session.copied.pop().expect("a value").into()
}

#[test]
fn every_form_of_what_is_marked_is_a_line_each() {
    let forms = [
        ("yp", "cidrBlock\ncidrBlock"),
        ("yy", "10.0.0.0/24\n10.0.1.0/24"),
        ("yk", "cidrBlock\ncidrBlock"),
    ];
    let marked = || {
        let mut session = Session::open(STATE, WIDE);
        session.keys(
            "gusubnet-a<Enter><Space>gusubnet-b<Enter><Space>/@cidrBlock name:^subnet-a$<Enter>",
        );
        assert_eq!(session.app.session.marks.len(), 2, "{}", session.text());
        session
    };
    for (keys, want) in forms {
        let mut session = marked();
        session.keys(keys);
        assert_eq!(session.copied, [want], "{keys}\n{}", session.text());
        session.shows("of 2 resources");
    }
    let mut session = marked();
    for keys in ["yj", "yP", "yr", "ym", "yu"] {
        session.copied.clear();
        session.keys(keys);
        let text = session.copied.pop().expect(keys);
        assert_eq!(text.lines().count(), 2, "{keys}: {text}");
        for line in text.lines() {
            match keys {
                "yj" => assert!(line.ends_with(".inputs.cidrBlock"), "{line}"),
                "yP" => assert!(line.ends_with("/inputs/cidrBlock"), "{line}"),
                "yr" => assert!(
                    json::parse(line.as_bytes(), json::Numbers::Exact).is_ok(),
                    "{line}"
                ),
                _ => assert!(line.contains("subnet-"), "{line}"),
            }
        }
    }
    // Without a value under the cursor, the marked resources are named.
    let mut session = marked();
    session.keys("<Esc><Esc>c");
    assert!(
        session.copied[0]
            .lines()
            .all(|line| line.starts_with("urn:")),
        "{:?}",
        session.copied
    );
}

#[test]
fn secrets_of_what_is_marked_stay_unseen() {
    let mut session = Session::open(STATE, WIDE);
    session.keys("guorders-db<Enter><Space>/@password name:^orders-db$<Enter>yy");
    session.shows("not copied: the value is secret");
    session.keys("yr");
    assert!(
        session.copied[0].contains("[secret]"),
        "{:?}",
        session.copied
    );
    session.hides("hunter2");
}

#[test]
fn the_popup_says_by_which_way() {
    let mut session = on(STATE, "@tags.Name name:^vpc$");
    session.keys("y").shows("via the test clipboard");
    session
        .keys("p")
        .shows("copied path tags.Name, 9 chars, via the test clipboard");
}

#[test]
fn the_popup_offers_an_address_and_no_made_up_urn() {
    let mut session = Session::open("tfstate/shop.tfstate", (120, 40));
    session
        .keys("1<wait>y")
        .shows("yu address")
        .hides("yU")
        .hides("URN");
    let mut session = Session::open(STATE, (120, 40));
    session.keys("1<wait>y").shows("yu URN").hides("yU");
}

#[test]
fn the_palette_has_the_keys_of_the_popup_after_the_key_that_opens_it() {
    let mut session = Session::open(STATE, (120, 40));
    session.keys("1<wait>:copy-jq");
    let screen = session.text();
    let row = screen.lines().find(|line| line.contains("a jq path"));
    assert!(row.is_some_and(|row| row.contains(" yj│")), "{screen}");
}

#[test]
fn only_a_secret_can_be_copied_unseen() {
    let mut session = Session::open("pulumi-state/shop.json", (120, 40));
    session.keys("guorders-pw<Enter>y").hides("secret unseen");
    session.keys("<Esc><Tab>gg");
    let mut offered = 0;
    for _ in 0..12 {
        let is_secret = session.cursor_line_of_focus().contains("[secret]");
        session.keys("y");
        assert_eq!(
            session.text().contains("copy the secret unseen"),
            is_secret,
            "{}",
            session.text()
        );
        offered += usize::from(is_secret);
        session.keys("<Esc>j");
    }
    assert!(offered > 0, "{}", session.text());
}

/// The key only starts a job, which reads and prints the resource.
#[test]
fn a_job_copies_from_a_large_resource() {
    let line = "a line of a long text\n";
    let text = line.repeat(300_000);
    let state = serde_json::json!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "outputs": {}, "resources": [
        {"mode": "managed", "type": "acme_text", "name": "a", "provider": "provider[\"example.com/acme/acme\"]",
         "instances": [{"schema_version": 0, "attributes": {"text": text}}]}]});
    let mut session = Session::open_bytes("s.json", state.to_string().as_bytes(), (120, 40));
    session.keys("<Tab>").hold().keys("yy");
    session.shows("reading 1 resource…");
    assert!(session.copied.is_empty());
    session.settle();
    // All lines, as they are.
    assert!(session.copied == [text], "{}", session.copied.len());
    session.shows("copied value of ").shows(", 6,600,000 chars");
}
