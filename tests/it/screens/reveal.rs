//! A revealed secret is hidden again: by the clock, by moving, by `X`, in another view, and when the file is read again.

use std::time::Duration;

use serde_json::json;

use super::harness::Session;

const PLAIN: &str = "open-sesame";

/// A plan that changes a secret of a resource, and one of an output.
fn session() -> Session {
    let lines = format!("{PLAIN}\nsecond line\nthird line\n");
    let change = || {
        let mask = json!({"key": true, "pw": true});
        json!({"actions": ["update"], "before": {"a": "x", "key": "k", "pw": "old", "z": "y"},
            "after": {"a": "x", "key": lines, "pw": PLAIN, "z": "changed"}, "after_unknown": {}, "before_sensitive": mask,
            "after_sensitive": mask})
    };
    let plan = json!({
        "format_version": "1.2", "terraform_version": "1.9.0",
        "resource_changes": [
            {"address": "a_b.one", "mode": "managed", "type": "a_b", "name": "one", "change": change()},
            {"address": "a_b.two", "mode": "managed", "type": "a_b", "name": "two", "change": change()},
        ],
        "output_changes": {
            "first": {"actions": ["no-op"], "before": PLAIN, "after": PLAIN, "after_unknown": false, "before_sensitive": true,
                "after_sensitive": true},
            "second": {"actions": ["no-op"], "before": "x", "after": "x", "after_unknown": false, "before_sensitive": false,
                "after_sensitive": false},
        },
    });
    Session::open_bytes("plan.json", plan.to_string().as_bytes(), (120, 40))
}

/// Goes down from the cursor until `x` asks about the value named `name`, and says yes.
#[track_caller]
fn reveal(session: &mut Session, name: &str) {
    let question = format!("Show {name} of");
    for _ in 0..20 {
        session.keys("x");
        if session.text().contains(&question) {
            session.keys("y").shows("revealed for 30 s");
            return;
        }
        if session.text().contains("Reveal a secret?") {
            session.keys("n");
        }
        session.keys("j");
    }
    panic!("no secret on\n{}", session.text());
}

/// Ways to places with a secret: the view, the keys to press in it, and the name of the secret.
const PLACES: &[(&str, &str, &str)] = &[
    ("detail", "1gg<Tab>gg", "pw"),
    ("tree", "1gglj", "pw"),
    ("difference", "2<Tab>gg", "pw"),
    ("outputs", "3gg", "first"),
];

#[test]
fn every_end_of_a_reveal_hides_it_in_every_view() {
    for (place, way, name) in PLACES {
        for (end, keys) in [
            ("the clock", ""),
            ("moving on", "j"),
            ("moving away", "G"),
            ("X", "X"),
            ("another view", "5"),
            ("reading it again", "R"),
        ] {
            let mut session = session();
            session.keys("<wait>").keys(way);
            session.hides(PLAIN);
            reveal(&mut session, name);
            session.shows(PLAIN);
            if *place == "difference" {
                session.shows(r#""old" → "open-sesame""#);
            }
            if end == "the clock" {
                session.pass(Duration::from_millis(29_999)).shows(PLAIN);
                session.pass(Duration::from_millis(1));
            }
            session.keys(keys);
            let screen = session.text();
            assert!(!screen.contains(PLAIN), "{place}, {end}:\n{screen}");
            // Nor does it reappear by itself.
            session.keys("1<wait>").keys(way);
            let screen = session.text();
            assert!(!screen.contains(PLAIN), "{place}, after {end}:\n{screen}");
        }
    }
}

#[test]
fn a_clock_that_ran_out_for_one_secret_leaves_another_one_shown() {
    let mut session = session();
    session.keys("<wait>1gg<Tab>gg");
    reveal(&mut session, "pw");
    session.pass(Duration::from_secs(20));
    session.keys("X").hides(PLAIN).keys("xy").shows(PLAIN);
    // The first clock runs out. It belongs to a secret that was hidden before.
    session.pass(Duration::from_secs(10)).shows(PLAIN);
    session.pass(Duration::from_secs(20)).hides(PLAIN);
}

#[test]
fn the_text_view_of_a_revealed_secret_ends_with_it() {
    for (end, keys) in [
        ("the clock", "<wait>"),
        ("closing and moving", "<Esc>j"),
        ("closing and X", "<Esc>X"),
        ("closing and another view", "<Esc>5"),
    ] {
        let mut session = session();
        session.keys("<wait>1gg<Tab>gg");
        reveal(&mut session, "key");
        session.keys("o").shows("second line").shows("third line");
        session.keys(keys);
        let screen = session.text();
        assert!(!screen.contains(PLAIN), "{end}:\n{screen}");
        assert!(!screen.contains("third line"), "{end}:\n{screen}");
    }
}

#[test]
fn what_is_packed_in_a_secret_ends_with_its_clock_and_its_row() {
    for (end, keys) in [
        ("the clock", ""),
        ("X", "X"),
        ("moving on", "jj"),
        ("another view", "5"),
    ] {
        // `open-sesame` in JSON in base64.
        let state = json!({
            "format_version": "1.0", "terraform_version": "1.9.0",
            "values": {"outputs": {
                "first": {"sensitive": true, "value": "eyJkb29yIjogIm9wZW4tc2VzYW1lIn0="},
                "second": {"sensitive": false, "value": "x"},
            }, "root_module": {}},
        });
        let mut session = Session::open_bytes("show.json", state.to_string().as_bytes(), (120, 40));
        session.keys("<wait>3gg");
        reveal(&mut session, "first");
        session.hides(PLAIN).keys("l").shows(PLAIN);
        session.keys("j").shows(PLAIN).keys("k");
        if end == "the clock" {
            session.pass(Duration::from_millis(29_999)).shows(PLAIN);
            session.pass(Duration::from_millis(1));
        }
        session.keys(keys);
        let screen = session.text();
        assert!(!screen.contains(PLAIN), "{end}:\n{screen}");
    }
}

#[test]
fn the_seconds_until_a_secret_is_hidden_are_counted_down() {
    let mut session = session();
    session.keys("1gg<Tab>gg");
    reveal(&mut session, "pw");
    session.shows("hidden in 30 s");
    session.pass(Duration::from_secs(1)).shows("hidden in 29 s");
    session
        .pass(Duration::from_secs(28))
        .shows("hidden in 1 s")
        .shows(PLAIN);
    session
        .pass(Duration::from_secs(1))
        .hides(PLAIN)
        .hides("hidden in");
}

#[test]
fn a_container_stays_revealed_while_the_cursor_is_inside() {
    let mask = json!({"box": true});
    let state = json!({
        "format_version": "1.0", "terraform_version": "1.9.0",
        "values": {"root_module": {"resources": [{
            "address": "a_b.one", "mode": "managed", "type": "a_b", "name": "one",
            "values": {"box": {"first": PLAIN, "second": "inner"}, "other": "x"}, "sensitive_values": mask,
        }]}},
    });
    let mut session = Session::open_bytes("show.json", state.to_string().as_bytes(), (120, 40));
    session.keys("1gg<Tab>gg");
    reveal(&mut session, "box");
    session.keys("l").shows(PLAIN).keys("j").shows(PLAIN);
    session.keys("jj").hides(PLAIN);
}

#[test]
fn an_answer_that_moves_the_cursor_hides_the_secret() {
    let mut session = session();
    session.keys("<wait>1gg<Tab>gg");
    reveal(&mut session, "pw");
    session.hold().keys("gua_b.two<Enter>").settle();
    assert_eq!(session.app.session.revealed, None);
}

/// The argument is masked; the provider copies it into an attribute without a mask, and into a list under another key.
#[test]
fn a_secret_that_the_same_resource_repeats_is_masked_there_too() {
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": [
          {"address": "terraform_data.a", "mode": "managed", "type": "terraform_data", "name": "a",
           "provider_name": "terraform.io/builtin/terraform",
           "change": {"actions": ["update"],
              "before": {"input": {"pin": "654321", "region": "eu-west-1", "token": "tok-0123456789abcdef"}, "size": 1,
                         "output": {"pin": "654321", "region": "eu-west-1", "uses": ["tok-0123456789abcdef"]}, "place": "eu-west-1"},
              "after": {"input": {"pin": "654321", "region": "eu-west-1", "token": "tok-0123456789abcdef"}, "size": 2,
                        "output": {"pin": "654321", "region": "eu-west-1", "uses": ["tok-0123456789abcdef"]}, "place": "eu-west-1"},
              "after_unknown": {}, "before_sensitive": {"input": {"pin": true, "token": true}},
              "after_sensitive": {"input": {"pin": true, "token": true}}}}]}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (140, 40));
    session.keys("2<wait>.");
    session.hides("654321").hides("tok-").shows("\"eu-west-1\"");
    session.keys("1<wait><Tab>").keys("zR<wait>");
    session.hides("654321").hides("tok-").shows("\"eu-west-1\"");
    // Nor is it found there.
    session.keys("/=tok-0123").shows("nothing found");
}
