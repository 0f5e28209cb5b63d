//! The record of a review: the explorer writes it, and the gate reads it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use stacklens::cli::{Console, Next};
use stacklens::load::Input;
use stacklens::load::record::Recording;

use super::super::rules::PLAN_TEXT;
use super::super::{Run, command};
use crate::screens::harness::Session;

/// A folder with a plan, and the place of its record.
struct Desk {
    _folder: tempfile::TempDir,
    plan: PathBuf,
    record: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [plan, record] = ["plan.json", "review.json"].map(|name| folder.path().join(name));
        fs::write(&plan, PLAN_TEXT).unwrap();
        Self {
            _folder: folder,
            plan,
            record,
        }
    }

    /// Replaces a text of the plan.
    fn change(&self, old: &str, new: &str) {
        let text = fs::read_to_string(&self.plan).unwrap();
        assert!(text.contains(old));
        fs::write(&self.plan, text.replace(old, new)).unwrap();
    }

    fn opened(&self) -> Session {
        let input = Input {
            record: Some(Box::new(self.recording(true))),
            ..Input::path(&self.plan)
        };
        Session::open_input(input, (120, 40))
    }

    fn recording(&self, carries: bool) -> Recording {
        Recording {
            file: self.record.clone(),
            by: "tester".to_owned(),
            carries,
        }
    }

    fn explorer(&self) -> Session {
        let mut session = self.opened();
        session.keys("b");
        session
    }

    fn gate(&self) -> Run {
        let [plan, record] = [&self.plan, &self.record].map(|path| path.to_str().unwrap());
        let args = ["--record", record, "--carry", "--fail-on", "unreviewed"];
        command(&[["brief", plan].as_slice(), &args].concat())
    }

    #[track_caller]
    fn check_gate(&self, code: i32, says: &str) {
        let run = self.gate();
        assert_eq!(run.code, code, "{run:?}");
        assert!(run.out.ends_with(&format!("\n{says}\n")), "{run:?}");
    }

    fn record(&self) -> Value {
        json(&self.record)
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn marks_of_the_explorer_open_the_gate() {
    let desk = Desk::new();
    desk.check_gate(3, "reviewed: 0 of 3");
    assert_eq!(
        desk.gate().err,
        "stacklens: --fail-on unreviewed: 3 places\n"
    );
    let mut session = desk.explorer();
    assert!(
        !desk.record.exists(),
        "nothing is written before the first mark"
    );
    session.keys("<Space>");
    let record = desk.record();
    let marks: Vec<&Value> = record["reviewed"].as_object().unwrap().values().collect();
    assert_eq!(marks.len(), 1, "{record}");
    assert_eq!(
        (&marks[0]["change"], &marks[0]["by"]),
        (&"aws_db_instance.main".into(), &"tester".into())
    );
    assert!(
        marks[0]["at"].as_str().unwrap().starts_with("20"),
        "{record}"
    );
    desk.check_gate(3, "reviewed: 1 of 3");
    session.keys("<Space><Space>").shows("3/3");
    desk.check_gate(0, "reviewed: 3 of 3");
    // The first mark keeps its time, and a mark can be taken away.
    assert_eq!(desk.record()["reviewed"].as_object().unwrap().len(), 3);
    drop(session);
    let mut session = desk.explorer();
    session.shows("3/3").keys("<Space>").shows("2/3");
    desk.check_gate(3, "reviewed: 2 of 3");
    let names = fs::read_dir(desk.plan.parent().unwrap()).unwrap();
    assert_eq!(names.count(), 2, "no other file is written");
}

#[test]
fn a_note_is_typed_in_the_explorer_and_printed_by_the_brief() {
    let desk = Desk::new();
    let mut session = desk.explorer();
    session.keys("A").shows("Note on 1 change");
    session
        .keys("agreed with the owner<Enter>")
        .shows("note on 1 change");
    let record = desk.record();
    let marks: Vec<&Value> = record["reviewed"].as_object().unwrap().values().collect();
    assert_eq!(marks.len(), 1, "a note is a mark too: {record}");
    assert_eq!(marks[0]["note"], "agreed with the owner");
    desk.check_gate(
        3,
        "reviewed: 1 of 3\nnote on aws_db_instance.main by tester: agreed with the owner",
    );
    drop(session);
    // The note is there again, to be changed or removed.
    let mut session = desk.explorer();
    session.keys("2/aws_db_instance<Enter>").shows("note: a");
    session.keys("A").shows("agreed with the owner");
    session
        .keys("<C-u><Enter>")
        .shows("note removed")
        .hides("note: agreed");
    assert_eq!(desk.record()["reviewed"].as_object().unwrap().len(), 1);
    desk.check_gate(3, "reviewed: 1 of 3");
}

#[test]
fn a_note_needs_a_record() {
    let desk = Desk::new();
    let mut session = Session::open_input(Input::path(&desk.plan), (120, 40));
    session.keys("bA").shows("start with --record FILE");
    assert!(!desk.record.exists());
}

#[test]
fn with_a_newer_plan_the_same_changes_stay_reviewed() {
    let desk = Desk::new();
    desk.explorer().keys("<Space><Space><Space>").shows("3/3");
    desk.change(
        r#""backup_retention_period": 1,"#,
        r#""backup_retention_period": 2,"#,
    );
    let says = "reviewed: 2 of 3 · 1 of 3 are new or different since this review";
    desk.check_gate(3, says);
    let [plan, record] = [&desk.plan, &desk.record].map(|path| path.to_str().unwrap());
    let run = command(&["brief", plan, "--record", record, "--carry", "--json"]);
    let brief: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        brief["review"],
        serde_json::json!({"reviewed": 2, "changes": 3, "new": 1, "alike": 0})
    );
    super::json::check_brief(&brief);
    desk.explorer().shows("2/3");
    // Another order of the file is the same plan.
    desk.change(
        r#""backup_retention_period": 2,"#,
        r#""backup_retention_period": 1,"#,
    );
    desk.change(
        r#""format_version": "1.2", "terraform_version": "1.9.0""#,
        r#""terraform_version": "1.9.0", "format_version": "1.2""#,
    );
    desk.check_gate(0, "reviewed: 3 of 3");
}

/// The name of who reviews, with these arguments and this user of the system.
fn reviewer(more: &[&str], user: &str) -> Option<String> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let desk = Desk::new();
    let [plan, record] = [&desk.plan, &desk.record].map(|path| path.to_str().unwrap());
    let args = ["stacklens", plan, "--record", record];
    let next = stacklens::cli::run(
        args.iter().chain(more).map(Into::into),
        &mut Console {
            is_terminal: true,
            variable: &|name| (name == "USERNAME").then(|| user.to_owned()),
            ..Console::new(&mut out, &mut err)
        },
    );
    match next {
        Next::Explore(input) => Some(input.record?.by),
        Next::Exit(_) => None,
    }
}

#[test]
fn a_mark_has_the_name_of_the_user_or_the_one_that_is_given() {
    assert_eq!(reviewer(&[], "ann").as_deref(), Some("ann"));
    assert_eq!(
        reviewer(&["--as", "Bo K."], "ann").as_deref(),
        Some("Bo K.")
    );
}

#[test]
fn the_record_of_another_plan_is_refused_unless_it_is_carried() {
    let desk = Desk::new();
    let mut session = desk.explorer();
    session.keys("<Space><Space>").shows("2/3");
    drop(session);
    let before = desk.record();
    let input = || Input {
        record: Some(Box::new(desk.recording(false))),
        ..Input::path(&desk.plan)
    };
    let [plan, record] = [&desk.plan, &desk.record].map(|path| path.to_str().unwrap());
    let gate = || command(&["brief", plan, "--record", record, "--fail-on", "unreviewed"]);
    // The same plan needs no word for it.
    assert!(gate().out.ends_with("\nreviewed: 2 of 3\n"));
    Session::open_input(input(), (120, 40))
        .keys("b")
        .shows("2/3");
    desk.change(
        r#""backup_retention_period": 1,"#,
        r#""backup_retention_period": 2,"#,
    );
    let says = "is the record of another plan: 2 of these 3 changes are the same; --carry keeps their marks";
    let run = gate();
    assert_eq!((run.code, run.out.as_str()), (65, ""), "{run:?}");
    assert!(run.err.contains(says), "{run:?}");
    let mut session = Session::open_input(input(), (200, 40));
    session.shows(says);
    session.keys("b<Space>").shows("1/3");
    assert_eq!(desk.record(), before, "it stays as it is");
    desk.explorer().keys("<Space>").shows("2/3");
    assert_ne!(desk.record(), before);
}

#[test]
fn marks_of_a_session_stay_when_its_file_is_planned_anew() {
    let desk = Desk::new();
    let input = Input {
        record: Some(Box::new(desk.recording(false))),
        ..Input::path(&desk.plan)
    };
    let mut session = Session::open_input(input, (120, 40));
    session.keys("b<Space><Space>").shows("2/3");
    desk.change(
        r#""backup_retention_period": 1,"#,
        r#""backup_retention_period": 2,"#,
    );
    session.keys("R").shows("1/3");
    desk.check_gate(
        3,
        "reviewed: 1 of 3 · 1 of 3 are new or different since this review",
    );
}

/// A plan with the same new tag on these buckets, the last of which also gets a secret.
fn tagged(names: &[&str]) -> String {
    let change = |name: &&str| {
        let is_last = Some(name) == names.last();
        let side = |release: u32| {
            format!(
                r#"{{"id": "{name}", "token": "{release}", "tags": {{"Release": "{release}"}}}}"#
            )
        };
        let (before, after) = (side(1), side(2));
        format!(
            r#"{{"address": "aws_s3_bucket.{name}", "mode": "managed", "type": "aws_s3_bucket", "name": "{name}",
            "change": {{"actions": ["update"], "before": {before}, "after": {after}, "after_unknown": {{}},
            "before_sensitive": {{"token": {is_last}}}, "after_sensitive": {{"token": {is_last}}}}}}}"#
        )
    };
    let changes: Vec<String> = names.iter().map(change).collect();
    format!(
        r#"{{"format_version": "1.2", "resource_changes": [{}]}}"#,
        changes.join(",")
    )
}

#[test]
fn a_newer_plan_says_where_it_makes_a_reviewed_change_on_further_resources() {
    let desk = Desk::new();
    fs::write(&desk.plan, tagged(&["a", "b", "hidden"])).unwrap();
    let mut session = desk.explorer();
    session.keys("2t<wait>gg<Space>");
    let first = desk.record();
    let marks: Vec<&Value> = first["reviewed"].as_object().unwrap().values().collect();
    assert_eq!(marks.len(), 1, "{first}");
    let name = marks[0]["change"].as_str().unwrap().to_owned();
    assert_eq!(name, "aws_s3_bucket.a");
    assert!(marks[0]["kind"].is_string(), "{first}");
    drop(session);
    fs::write(&desk.plan, tagged(&["a", "b", "c", "hidden"])).unwrap();
    // The change with a secret is like no other.
    let says = "reviewed: 1 of 4 · 1 of 4 are new or different since this review · 2 changes like a reviewed one";
    let run = desk.gate();
    assert!(
        run.out.ends_with(&format!(
            "\n{says}\nreviewed on aws_s3_bucket.a: the same change on 2 more resources\n"
        )),
        "{run:?}"
    );
    assert_eq!(run.code, 3, "they are still to be reviewed");
    desk.opened().shows("2 changes like a reviewed one");
    // Another value is another change.
    desk.change(
        r#"{"id": "b", "token": "2", "tags": {"Release": "2"}}"#,
        r#"{"id": "b", "token": "2", "tags": {"Release": "3"}}"#,
    );
    assert!(desk.gate().out.contains("1 change like a reviewed one"));
    // A record without kinds can still be read.
    let old = fs::read_to_string(&desk.record)
        .unwrap()
        .lines()
        .filter(|line| !line.contains("\"kind\""))
        .collect::<Vec<_>>()
        .join("\n");
    fs::write(&desk.record, old).unwrap();
    desk.check_gate(
        3,
        "reviewed: 1 of 4 · 2 of 4 are new or different since this review",
    );
}

#[test]
fn rows_of_the_explorer_say_that_they_are_like_a_reviewed_change() {
    let desk = Desk::new();
    fs::write(&desk.plan, tagged(&["a", "b", "hidden"])).unwrap();
    desk.explorer().keys("2t<wait>gg<Space>");
    fs::write(&desk.plan, tagged(&["a", "b", "c", "d", "hidden"])).unwrap();
    let mut session = desk.explorer();
    let screen = session.text();
    assert!(screen.contains(" 1/5 · 3 alike"), "{screen}");
    assert!(
        screen.contains("3 like reviewed aws_s3_bucket.a\n")
            || screen.contains("3 like reviewed aws_s3_bucket.a "),
        "{screen}"
    );
    assert_eq!(screen.matches("like reviewed").count(), 1, "{screen}");
    // The whole group is reviewed now.
    session.keys("/4 of 5<Enter><Space>");
    let screen = session.text();
    assert!(screen.contains(" 4/5"), "{screen}");
    assert!(
        !screen.contains("alike") && !screen.contains("like reviewed"),
        "{screen}"
    );
}

/// Nobody can find out a short secret by trying all of them against the record.
#[test]
fn nothing_in_a_record_depends_on_a_secret() {
    let desk = Desk::new();
    desk.explorer().keys("<Space><Space><Space>");
    let before = fs::read_to_string(&desk.record).unwrap();
    assert!(!before.contains("hunter"), "{before}");
    desk.change("hunter3", "hunter4");
    desk.check_gate(0, "reviewed: 3 of 3");
    desk.explorer().keys("<Space><Space>");
    assert_eq!(
        desk.record()["changes"],
        serde_json::from_str::<Value>(&before).unwrap()["changes"]
    );
    assert_eq!(
        desk.record()["plan"],
        serde_json::from_str::<Value>(&before).unwrap()["plan"]
    );
    // Two records of one plan have nothing in common: the salt is another one.
    let other = Desk::new();
    other.explorer().keys("<Space>");
    let first = |value: &Value| value["changes"][0].as_str().unwrap().to_owned();
    assert_ne!(first(&desk.record()), first(&other.record()));
    assert_eq!(desk.record()["changes"].as_array().unwrap().len(), 3);
}

/// The plan with two outputs that change, one of them secret.
fn with_outputs() -> String {
    let output = |name: &str, is_secret: bool| {
        format!(
            r#""{name}": {{"actions": ["update"], "before": "{name}-1", "after": "{name}-2", "after_unknown": false,
            "before_sensitive": {is_secret}, "after_sensitive": {is_secret}}}"#
        )
    };
    let outputs = [output("host", false), output("token", true)].join(",");
    let changes = format!(r#""output_changes": {{{outputs}}}, "resource_changes""#);
    PLAN_TEXT.replace(r#""resource_changes""#, &changes)
}

#[test]
fn outputs_are_reviewed_and_recorded_like_resources() {
    let desk = Desk::new();
    fs::write(&desk.plan, with_outputs()).unwrap();
    desk.check_gate(3, "reviewed: 0 of 5");
    let mut session = desk.opened();
    session.keys("2ttt<wait>G<Space>").shows("✓~ token");
    let record = desk.record();
    let marks: Vec<&Value> = record["reviewed"].as_object().unwrap().values().collect();
    assert_eq!(marks[0]["change"], "output.token", "{record}");
    drop(session);
    desk.check_gate(3, "reviewed: 1 of 5");
    // The mark does not depend on the secret, and another value of the other output is another change.
    desk.change("token-2", "token-3");
    desk.check_gate(3, "reviewed: 1 of 5");
    let mut session = desk.opened();
    session.keys("2ttt<wait>Gk<Space>").shows("✓~ host");
    drop(session);
    desk.check_gate(3, "reviewed: 2 of 5");
    desk.change("host-2", "host-3");
    desk.check_gate(3, "reviewed: 1 of 5");
}

/// Earlier versions knew no outputs.
#[test]
fn a_record_without_outputs_is_one_of_the_same_plan() {
    let desk = Desk::new();
    desk.explorer().keys("<Space><Space><Space>");
    fs::write(&desk.plan, with_outputs()).unwrap();
    desk.check_gate(3, "reviewed: 3 of 5");
}

#[test]
fn a_record_beyond_the_limit_is_refused() {
    let desk = Desk::new();
    let file = fs::File::create(&desk.record).unwrap();
    file.set_len((256 << 20) + 1).unwrap();
    let [plan, record] = [&desk.plan, &desk.record].map(|path| path.to_str().unwrap());
    let run = command(&["brief", plan, "--record", record]);
    let want = format!("{record}: more than 256 MiB; a new record can begin in another file");
    assert!(run.code == 65 && run.err.contains(&want), "{run:?}");
}

#[test]
fn a_file_that_is_no_record_is_an_error_and_stays() {
    let good = {
        let desk = Desk::new();
        desk.explorer().keys("<Space>");
        fs::read_to_string(&desk.record).unwrap()
    };
    let hash = "0123456789abcdef0123456789abcdef";
    let foreign = PLAN_TEXT.to_owned();
    for (text, want) in [
        (
            foreign,
            "review.json:1:17: expected a record of a review: unknown field `format_version`",
        ),
        (
            good[..good.len() / 2].to_owned(),
            ": expected a record of a review: EOF while parsing",
        ),
        (
            good.replace("\"stacklens_record\": 1", "\"stacklens_record\": 2"),
            ": expected a record of a review: version 2, expected 1",
        ),
        (
            format!(
                r#"{{"stacklens_record": 1, "salt": "{hash}", "plan": "", "changes": ["x"], "reviewed": {{}}}}"#
            ),
            ": expected a record of a review: `x`, expected 32 hexadecimal digits",
        ),
        (
            String::new(),
            "review.json:1:0: expected a record of a review: EOF while parsing a value",
        ),
    ] {
        let desk = Desk::new();
        fs::write(&desk.record, &text).unwrap();
        let run = desk.gate();
        assert_eq!((run.code, run.out.as_str()), (65, ""), "{run:?}");
        assert!(run.err.contains(want), "{want}: {}", run.err);
        let mut session = desk.explorer();
        session.keys("<Space>").shows("1/3");
        assert_eq!(fs::read_to_string(&desk.record).unwrap(), text);
    }
    // It became something else after it was opened.
    let desk = Desk::new();
    let mut session = desk.explorer();
    fs::write(&desk.record, "mine").unwrap();
    session
        .keys("<Space>")
        .shows("the last marks are not kept: ");
    assert_eq!(fs::read_to_string(&desk.record).unwrap(), "mine");
    let plan = desk.plan.to_str().unwrap();
    assert_eq!(
        command(&["brief", plan, "--fail-on", "unreviewed"]).code,
        64
    );
}
