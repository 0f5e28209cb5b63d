//! The log of a run that arrives through a pipe while it is displayed.

use std::path::Path;
use std::time::Duration;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

/// The lines of a log of `tests/corpus`, each with its line end.
fn lines(log: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let text = std::fs::read_to_string(folder.join(log)).unwrap();
    text.split_inclusive('\n').map(str::to_owned).collect()
}

/// A session that has read the first `n` lines of a log, and the text of the remaining lines.
fn up_to(log: &str, n: usize) -> (Session, String) {
    let mut lines = lines(log);
    let rest = lines.split_off(n);
    let mut session = Session::open_pipe(WIDE);
    session.feed(&lines.concat());
    (session, rest.concat())
}

const PULUMI: &str = "pulumi-events/web-up.jsonl";
const TERRAFORM: &str = "tf-ui-json/web-apply.jsonl";

#[test]
fn rows_of_a_run_appear_and_change() {
    let (mut session, rest) = up_to(PULUMI, 9);
    session
        .shows("web/dev")
        .shows("live · 2 running · Esc stop");
    session.keys("2<wait>").shows("creating").hides("orders");
    session.feed(&rest);
    session.shows("failed!").shows("deleted");
    session.shows("created").hides("creating");
    session.end();
    session.shows("end of the stream: 4 done, 1 failed");
    session
        .keys("5<wait>")
        .shows("2 lines are not JSON")
        .hides("live");
}

#[test]
fn messages_about_a_resource_are_shown_with_its_change() {
    let (mut session, rest) = up_to(PULUMI, 16);
    session
        .keys("2<wait>")
        .shows("~ orders · ")
        .shows("waiting for the instance");
    session.feed(&rest);
    session.shows("error: InvalidParameterValue: storage of 20 GiB");
    // Color tags are removed.
    session.hides("<{%").end();
    session.keys("/assets<Enter>2<wait>");
}

#[test]
fn quitting_asks_while_the_run_goes_on() {
    let (mut session, _) = up_to(PULUMI, 9);
    session.keys("q").shows("Quit while the run goes on?");
    session.keys("n").hides("Quit while");
    assert!(!session.has_quit);
    session.keys("qy");
    assert!(session.has_quit);
    let (mut session, _) = up_to(PULUMI, 9);
    session.end().keys("q");
    assert!(session.has_quit);
}

#[test]
fn a_run_that_is_not_looked_at_any_more_goes_on() {
    let (mut session, _) = up_to(PULUMI, 9);
    session.keys("<Esc>").cut();
    session.shows("the run itself continues").shows("creating");
    session.hides("unfinished");
    session.keys("q").shows("Quit while the run goes on?");
}

#[test]
fn a_log_of_terraform_is_followed() {
    let (mut session, rest) = up_to(TERRAFORM, 9);
    session.keys("2<wait>").shows("creating").shows("deleting");
    session.shows("~ orders");
    session.hides("updating");
    session.feed(&rest).shows("failed!").hides("creating");
    session.end().shows("end of the stream: 4 done, 1 failed");
    // Sensitive values are masked in outputs, too.
    session.keys("3<wait>").shows("[secret]").hides("hunter2");
}

#[test]
fn the_selected_row_stays_put_while_others_come() {
    let (mut session, rest) = up_to(PULUMI, 15);
    session.keys("2<wait>/orders<Enter>");
    session.keys("2<wait>");
    assert!(
        session.cursor_line().contains("orders"),
        "{}",
        session.text()
    );
    session.feed(&rest);
    // A deletion is now above it.
    session.shows("jobs");
    assert!(session.cursor_line().contains("orders"));
    session.end();
    assert!(
        session.cursor_line().contains("orders"),
        "{}",
        session.text()
    );
}

#[test]
fn what_is_open_stays_open_and_tells_the_news() {
    let (mut session, rest) = up_to(PULUMI, 14);
    session.keys("guorders<Enter><Tab>ii");
    session.hides("waiting for the instance");
    session
        .keys("G<Enter>")
        .shows("status")
        .shows("\"started\"");
    session.feed(&rest);
    session.shows("\"failed\"").shows("messages");
    let line = session.cursor_line_of_focus();
    assert!(line.contains("▾ fields"), "{line}");
    session.end().shows("\"failed\"");
}

#[test]
fn steps_of_a_replacement_join_one_row_as_they_come() {
    const LOG: &str = "pulumi-events/shop-replace.jsonl";
    let at = |text: &str| {
        let lines = lines(LOG);
        let is_it = |line: &String| line.contains("resourcePreEvent") && line.contains(text);
        lines.iter().position(is_it).unwrap()
    };
    // Until the creation of the new object starts, the old one is destroyed and nothing more is known.
    let (mut session, _) = up_to(LOG, at("\"op\": \"delete-replaced\"") + 1);
    session.keys("2<wait>").shows("- cache · deleting");
    let (mut session, rest) = up_to(LOG, at("\"op\": \"delete-replaced\"") + 3);
    session
        .keys("2<wait>")
        .shows("replacing -/+")
        .hides("- cache");
    session.feed(&rest).end();
    session
        .shows("replaced -/+")
        .shows("-1 ±2")
        .hides("running");
}

#[test]
fn a_filter_of_the_changes_finds_what_comes_after_it_was_set() {
    let (mut session, rest) = up_to(PULUMI, 9);
    session.keys("2<wait>fassets,orders,jobs<Enter>");
    session.hides("orders-").hides("- jobs");
    session.feed(&rest).shows("- jobs").shows("~ orders");
    session.end().shows("- jobs").shows("~ orders");
}

/// The lines of a Terraform log that plans one creation.
const PLANNED: &str = r#"{"@level":"info","@message":"Terraform 1.9.8","@timestamp":"2026-11-20T10:00:00Z","type":"version","terraform":"1.9.8","ui":"1.2"}
{"@level":"info","@message":"plan","@timestamp":"2026-11-20T10:00:01Z","type":"planned_change","change":{"resource":{"addr":"aws_vpc.main","module":"","resource":"aws_vpc.main","implied_provider":"aws","resource_type":"aws_vpc","resource_name":"main","resource_key":null},"action":"create"}}
"#;

/// A log of Pulumi with nothing but an error.
const LONE_ERROR: &str = r#"{"sequence":1,"timestamp":1,"diagnosticEvent":{"urn":"","message":"no project file","color":"never","severity":"error"}}
"#;

#[test]
fn a_run_that_failed_only_by_a_diagnostic_says_so() {
    const ERROR: &str = r#"{"@level":"error","@message":"Error: Invalid provider","@timestamp":"2026-11-20T10:00:02Z","type":"diagnostic","diagnostic":{"severity":"error","summary":"Invalid provider","detail":"no credentials"}}
"#;
    let warning = ERROR.replace(r#""severity":"error""#, r#""severity":"warning""#);
    let mut session = Session::open_pipe(WIDE);
    session.feed(PLANNED).feed(&warning).hides("failed");
    session.feed(ERROR).shows("⚠ failed: 1 error");
    session.end().shows("⚠ failed: 1 error");
    session
        .keys("5<wait>")
        .shows("errors of the run (1)")
        .shows("Invalid provider: no credentials");
    let mut session = Session::open_bytes("up.jsonl", LONE_ERROR.as_bytes(), WIDE);
    session.shows("⚠ failed: 1 error");
}

#[test]
fn the_progress_of_a_run_has_its_numbers_and_the_time_of_its_lines() {
    let (mut session, rest) = up_to(TERRAFORM, 9);
    session
        .shows("5 changes · 2 running · 3 waiting")
        .shows("  8 s");
    // Between two lines a second counts as one. Nothing is counted while other views are shown.
    session.pass(Duration::from_secs(3));
    session.shows("11 s").keys("1").hides("waiting");
    session.feed(&rest).keys("2").hides("will be").shows("21 s");
    session.end();
    session.shows("planned 5 · done 4 · failed 1").shows("21 s");
    session.pass(Duration::from_secs(3)).shows("21 s");
}

#[test]
fn a_run_that_ends_early_says_which_changes_did_not_start() {
    let log = lines(TERRAFORM)[..10].concat();
    for size in [WIDE, (80, 24)] {
        let mut session = Session::open_bytes("apply.jsonl", log.as_bytes(), size);
        session
            .keys("2")
            .shows("planned 5 · unfinished 2 · not started 3");
        session.hides("will be").hides("running");
        session.keys("/orders<Enter>").shows("not started");
    }
    let mut session = Session::open_bytes("apply.jsonl", log.as_bytes(), WIDE);
    session.keys("2").shows("was under way when the log ended");
    session
        .keys("/orders<Enter>")
        .shows("aws_db_instance.orders · planned, not started");
    // A log of a plan alone is no run.
    let plan = lines(TERRAFORM)[..7].concat();
    let mut session = Session::open_bytes("plan.jsonl", plan.as_bytes(), WIDE);
    session
        .keys("2")
        .shows("will be destroyed")
        .hides("not started")
        .hides("waiting");
}

#[test]
fn failures_are_first_with_their_message_and_running_changes_follow() {
    let (mut session, rest) = up_to(TERRAFORM, 9);
    // The deletion has run longer than the creation.
    session.shows("deleting 1 s").shows("creating 0 s");
    let above = |session: &Session, one: &str, other: &str| {
        let text = session.text();
        text.find(one).unwrap() < text.find(other).unwrap()
    };
    assert!(above(&session, "- jobs ", "+ main "));
    assert!(above(&session, "+ main ", "~ orders "));
    session.feed(&rest).end();
    session.shows("│ InvalidParameterValue: storage of 20 GiB");
    assert!(
        above(&session, "~ orders ", "- jobs "),
        "{}",
        session.text()
    );
    session.shows("Changes · -1 ~1 +3");
}

/// A Pulumi log in which the network failed, so that the server that needs it never started.
fn held_up() -> String {
    let event = |number: usize, name: &str, metadata: &str, rest: &str| {
        format!(
            "{{\"sequence\":{number},\"timestamp\":{number},\"{name}\":{{\"metadata\":{metadata}{rest}}}}}\n"
        )
    };
    let urn = |name: &str| format!("urn:pulumi:dev::web::my:index:Thing::{name}");
    let metadata = |name: &str, needs: &str| {
        let (urn, needs) = (
            urn(name),
            if needs.is_empty() {
                String::new()
            } else {
                format!("\"{}\"", urn(needs))
            },
        );
        format!(
            "{{\"op\":\"create\",\"urn\":\"{urn}\",\"type\":\"my:index:Thing\",\"new\":{{\"urn\":\"{urn}\",\"type\":\"my:index:Thing\",\"custom\":true,\"inputs\":{{}},\"dependencies\":[{needs}]}}}}"
        )
    };
    let (net, server) = (metadata("net", ""), metadata("server", "net"));
    [
        event(1, "resourcePreEvent", &net, ",\"planning\":true"),
        event(2, "resourcePreEvent", &server, ",\"planning\":true"),
        event(3, "resourcePreEvent", &net, ""),
        event(4, "resOpFailedEvent", &net, ""),
        format!("{{\"sequence\":5,\"timestamp\":65,\"diagnosticEvent\":{{\"urn\":\"{}\",\"message\":\"quota of networks is used up\",\"severity\":\"error\"}}}}\n", urn("net")),
    ]
    .concat()
}

#[test]
fn a_failure_names_what_it_holds_up() {
    let log = held_up();
    for size in [WIDE, (80, 24)] {
        let mut session = Session::open_bytes("up.jsonl", log.as_bytes(), size);
        session
            .keys("2")
            .shows("planned 2 · failed 1 · not started 1")
            .shows("1 min 4 s");
        session
            .shows("quota of networks is used up")
            .shows("holds up 1: server");
    }
}

#[test]
fn a_failure_names_what_it_holds_up_while_the_run_goes_on() {
    let log = held_up();
    let mut session = Session::open_pipe(WIDE);
    let n_lines = log.lines().count();
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    session.feed(&lines[..n_lines - 1].concat());
    session
        .keys("2")
        .shows("1 failed · 1 waiting")
        .hides("holds up");
    session.feed(lines[n_lines - 1]);
    session
        .shows("quota of networks is used up")
        .shows("holds up 1: server")
        .hides("not started");
    session
        .end()
        .shows("holds up 1: server")
        .shows("not started 1");
}

/// A Pulumi log in which a database is replaced: the old one is deleted, and the creation of the new one fails.
fn half_replaced() -> String {
    let urn = "urn:pulumi:dev::web::my:index:Thing::db";
    let state = |id: &str, size: u32| {
        format!(
            r#"{{"urn":"{urn}","type":"my:index:Thing","custom":true,"id":"{id}","inputs":{{"size":{size}}},"outputs":{{"size":{size}}}}}"#
        )
    };
    let (old, new) = (state("db-1", 1), state("", 2));
    let metadata = |op: &str, states: &str| {
        format!(r#"{{"op":"{op}","urn":"{urn}","type":"my:index:Thing",{states}}}"#)
    };
    let delete = metadata("delete-replaced", &format!(r#""old":{old}"#));
    let both = format!(r#""old":{old},"new":{new}"#);
    let (replace, create) = (
        metadata("replace", &both),
        metadata("create-replacement", &both),
    );
    let stack = r#"{"op":"same","urn":"urn:pulumi:dev::web::pulumi:pulumi:Stack::web-dev","type":"pulumi:pulumi:Stack","new":{"urn":"urn:pulumi:dev::web::pulumi:pulumi:Stack::web-dev","type":"pulumi:pulumi:Stack","custom":false}}"#;
    let events = [
        ("resourcePreEvent", stack),
        ("resourcePreEvent", &delete),
        ("resOutputsEvent", &delete),
        ("resourcePreEvent", &replace),
        ("resOutputsEvent", &replace),
        ("resourcePreEvent", &create),
        ("resOpFailedEvent", &create),
    ];
    let lines = events.iter().enumerate().map(|(at, (name, metadata))| {
        format!(r#"{{"sequence":{at},"timestamp":{at},"{name}":{{"metadata":{metadata}}}}}"#)
    });
    let end = r#"{"sequence":9,"timestamp":9,"summaryEvent":{"resourceChanges":{"same":1}}}"#;
    lines
        .chain([end.to_owned()])
        .map(|line| line + "\n")
        .collect()
}

#[test]
fn a_failed_replacement_says_that_the_old_object_is_deleted() {
    let log = half_replaced();
    let mut session = Session::open_bytes("up.jsonl", log.as_bytes(), (200, 40));
    session
        .keys("2<wait>")
        .shows("failed! old one deleted")
        .shows("± db · failed to replace, the old one is deleted")
        .shows("the old object db-1 is deleted already, and there is no new one");
    // Kept objects are not lost.
    let kept = log.replace(r#""custom":true"#, r#""custom":true,"retainOnDelete":true"#);
    let mut session = Session::open_bytes("up.jsonl", kept.as_bytes(), (200, 40));
    session
        .keys("2<wait>")
        .shows("failed!")
        .hides("is deleted already");
    // Terraform reports the halves by their actions.
    let hook = |ty: &str, action: &str| {
        format!(
            r#"{{"@level":"info","@message":"m","@timestamp":"2026-01-01T00:00:00Z","type":"{ty}","hook":{{"resource":{{"addr":"a_b.db","module":"","resource":"a_b.db","implied_provider":"a","resource_type":"a_b","resource_name":"db","resource_key":null}},"action":"{action}"}}}}"#
        )
    };
    let planned = r#"{"@level":"info","@message":"m","@timestamp":"2026-01-01T00:00:00Z","type":"planned_change","change":{"resource":{"addr":"a_b.db","module":"","resource":"a_b.db","implied_provider":"a","resource_type":"a_b","resource_name":"db","resource_key":null},"action":"replace","reason":"cannot_update"}}"#;
    let lines = [
        planned.to_owned(),
        hook("apply_start", "delete"),
        hook("apply_complete", "delete"),
        hook("apply_start", "create"),
        hook("apply_errored", "create"),
    ];
    let log = lines.map(|line| line + "\n").concat();
    let mut session = Session::open_bytes("apply.jsonl", log.as_bytes(), (200, 40));
    session
        .keys("2<wait>")
        .shows("failed! old one deleted")
        .shows("the old object is deleted already, and there is no new one");
}

#[test]
fn a_stack_without_changes_is_not_under_way_after_the_end() {
    let mut session = Session::open_bytes("up.jsonl", half_replaced().as_bytes(), WIDE);
    session.hides("unfinished").keys("5").hides("under way");
    // Without the end of the run it is not known.
    let log = half_replaced();
    let cut = log.trim_end().rsplit_once('\n').unwrap().0;
    let mut session = Session::open_bytes("up.jsonl", cut.as_bytes(), WIDE);
    session
        .keys("5")
        .shows("1 operation was under way when the log ended");
}

/// A run of five changes, as one of the tools logs it: three creations, an update and a deletion. The second part begins after two
/// are done and one runs; in it one fails, one more is done, and one never starts.
struct Counted {
    first: String,
    rest: String,
}

const FIVE: [(&str, &str); 5] = [
    ("a", "create"),
    ("b", "create"),
    ("c", "update"),
    ("d", "delete"),
    ("e", "create"),
];

fn counted(line: impl Fn(&str, &str, &str) -> String, before: &str) -> Counted {
    let line = |step: &str, name: &str| {
        let action = FIVE.iter().find(|it| it.0 == name).unwrap().1;
        line(step, name, action)
    };
    let planned = FIVE.map(|(name, _)| line("planned", name)).concat();
    let first = [
        ("start", "a"),
        ("start", "d"),
        ("done", "a"),
        ("done", "d"),
        ("start", "b"),
    ];
    let rest = [("failed", "b"), ("start", "c"), ("done", "c")];
    let lines = |steps: &[(&str, &str)]| {
        let lines = steps.iter().map(|(step, name)| line(step, name));
        lines.collect::<String>()
    };
    Counted {
        first: format!("{before}{planned}{}", lines(&first)),
        rest: lines(&rest),
    }
}

fn counted_by_terraform() -> Counted {
    let line = |step: &str, name: &str, action: &str| {
        let (ty, key) = match step {
            "planned" => ("planned_change", "change"),
            "start" => ("apply_start", "hook"),
            "done" => ("apply_complete", "hook"),
            _ => ("apply_errored", "hook"),
        };
        format!(
            r#"{{"@level":"info","@message":"x","@module":"terraform.ui","@timestamp":"2026-11-20T10:00:00.000000Z","type":"{ty}","{key}":{{"resource":{{"addr":"acme_disk.{name}","module":"","resource":"acme_disk.{name}","implied_provider":"acme","resource_type":"acme_disk","resource_name":"{name}","resource_key":null}},"action":"{action}"}}}}"#
        ) + "\n"
    };
    let version = r#"{"@level":"info","@message":"Terraform 1.9.8","@module":"terraform.ui","@timestamp":"2026-11-20T10:00:00.000000Z","type":"version","terraform":"1.9.8","ui":"1.2"}"#;
    counted(line, &format!("{version}\n"))
}

fn counted_by_pulumi() -> Counted {
    let line = |step: &str, name: &str, op: &str| {
        let (event, more) = match step {
            "planned" => ("resourcePreEvent", r#","planning":true"#),
            "start" => ("resourcePreEvent", ""),
            "done" => ("resOutputsEvent", ""),
            _ => ("resOpFailedEvent", ""),
        };
        let urn = format!("urn:pulumi:dev::web::my:index:Thing::{name}");
        let state = format!(
            r#"{{"urn":"{urn}","type":"my:index:Thing","custom":true,"id":"i","inputs":{{}},"outputs":{{}}}}"#
        );
        let sides = match op {
            "create" => format!(r#""new":{state}"#),
            "delete" => format!(r#""old":{state}"#),
            _ => format!(r#""old":{state},"new":{state}"#),
        };
        format!(
            r#"{{"sequence":1,"timestamp":1764000000,"{event}":{{"metadata":{{"op":"{op}","urn":"{urn}","type":"my:index:Thing",{sides}}}{more}}}}}"#
        ) + "\n"
    };
    counted(line, "")
}

#[test]
fn the_numbers_of_a_run_are_those_of_a_count_by_hand() {
    for (Counted { first, rest }, tool) in [
        (counted_by_terraform(), "Terraform"),
        (counted_by_pulumi(), "Pulumi"),
    ] {
        let mut session = Session::open_pipe(WIDE);
        session.feed(&first);
        session.keys("2<wait>").shows("5 changes").shows("2 done");
        session
            .shows("1 running")
            .shows("2 waiting")
            .hides("failed");
        session.feed(&rest).shows("5 changes").shows("3 done");
        session
            .shows("1 failed")
            .shows("1 waiting")
            .hides("1 running");
        session.end();
        session
            .keys("2<wait>")
            .shows("planned 5 · done 3 · failed 1 · not started 1");
        // The brief counts the same changes, live and from a file.
        let log = format!("{first}{rest}");
        let mut file = Session::open_bytes("run.jsonl", log.as_bytes(), WIDE);
        for session in [&mut session, &mut file] {
            session.keys("b<wait>").shows("5 changes");
            let head = session.text().lines().nth(2).unwrap().to_owned();
            for part in ["5 changes", "1 delete", "1 update", "3 create"] {
                assert!(head.contains(part), "{tool}: {head}");
            }
        }
    }
}

#[test]
fn the_brief_of_a_failed_run_begins_with_what_failed() {
    let mut session = Session::open("tf-ui-json/web-apply.jsonl", WIDE);
    session.keys("bgg").shows("InvalidParameterValue");
    let screen = session.text();
    let line = |text: &str| screen.lines().position(|line| line.contains(text));
    let failed = line("InvalidParameterValue");
    assert!(
        failed.is_some() && failed == line("LOOK AT THESE FIRST").map(|title| title + 1),
        "{screen}"
    );
}

#[test]
fn a_log_without_values_does_not_claim_that_they_are_the_same() {
    let mut session = Session::open("tf-ui-json/web-apply.jsonl", WIDE);
    session
        .keys("2gg<wait>")
        .shows("this file has no values for the change")
        .hides("the same before and after");
}

#[test]
fn the_brief_of_a_run_counts_what_goes_on() {
    let (mut session, _) = up_to(TERRAFORM, 9);
    session
        .keys("b")
        .shows("5 changes   1 delete   1 update   3 create");
}

/// A note of a log of Pulumi.
fn note(severity: &str, message: &str) -> String {
    format!(
        r#"{{"sequence": 1, "timestamp": 1764000001, "diagnosticEvent": {{"message": "{message}", "color": "raw", "severity": "{severity}"}}}}"#
    ) + "\n"
}

/// A live run with three warnings, seen in the list of problems.
fn warned() -> Session {
    let (mut session, _) = up_to(PULUMI, 4);
    for name in ["alpha", "beta", "gamma"] {
        session.feed(&note("warning", &format!("{name} is old")));
    }
    session.keys("5<wait>").shows("warnings (3)");
    session
}

/// Checks the selected problem, whose message stands below its severity.
#[track_caller]
fn assert_selected(session: &Session, name: &str) {
    let screen = session.text();
    let mut lines = screen.lines().skip_while(|line| !line.contains('▶'));
    let selected = [lines.next(), lines.next()].map(Option::unwrap_or_default);
    assert!(
        selected.concat().contains(name),
        "{name} is not selected on\n{screen}"
    );
}

#[test]
fn a_found_problem_stays_found_while_worse_ones_come() {
    let mut session = warned();
    session.keys("gg/gamma").shows("1 of 4 rows");
    session.feed(&(note("error", "zeta failed") + &note("error", "eta failed")));
    session.shows("errors of the run (2)").shows("1 of 6 rows");
    assert_selected(&session, "gamma");
    session.keys("<Enter>").shows("[1/1] gamma");
    assert_selected(&session, "gamma");
    // More come while `n` goes on.
    session.feed(&note("error", "theta failed"));
    assert_selected(&session, "gamma");
    session.keys("n").shows("[1/1] gamma");
    assert_selected(&session, "gamma");
}

#[test]
fn leaving_the_search_in_a_growing_list_leads_back_to_the_row_that_was_left() {
    let mut session = warned();
    session.keys("gg");
    assert_selected(&session, "alpha");
    session.keys("/a is old");
    session.keys("<Down>");
    assert_selected(&session, "beta");
    session.feed(&note("error", "zeta failed"));
    // The hit that is shown stays, and so does the place of the next one.
    assert_selected(&session, "beta");
    session.keys("<Down>");
    assert_selected(&session, "gamma");
    session.keys("<Esc>").hides("Find in this list");
    assert_selected(&session, "alpha");
}

#[test]
fn a_bar_without_text_keeps_its_row_too() {
    let mut session = warned();
    session.keys("ggj/");
    session.feed(&note("error", "zeta failed"));
    assert_selected(&session, "beta");
    session.keys("<Esc>");
    assert_selected(&session, "beta");
}

#[test]
fn a_change_found_in_another_order_stays_selected_while_rows_come() {
    let (mut session, rest) = up_to(PULUMI, 15);
    session.keys("2<wait>ss");
    session.keys("/orders<Enter>");
    let line = session.cursor_line();
    assert!(line.contains("orders"), "{line}");
    session.feed(&rest).end();
    assert!(
        session.cursor_line().contains("orders"),
        "{}",
        session.text()
    );
}
