//! Reviewing a change: the list, the difference, the review marks, and the causes.

use stacklens::cli::demo;
use stacklens::load::Input;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

fn session() -> Session {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, WIDE);
    // By action.
    session.keys("2<wait>tttgg");
    session
}

#[test]
fn what_destroys_comes_first_and_counts_are_in_the_title() {
    let session = session();
    let screen = session.text();
    let row = |text: &str| {
        screen
            .lines()
            .position(|line| line.contains(text))
            .unwrap_or(usize::MAX)
    };
    assert!(row("legacy-logs") < row("± orders-db"), "{screen}");
    assert!(row("± orders-db") < row("~ db-sg"), "{screen}");
    assert!(row("~ db-sg") < row("+ events"), "{screen}");
    assert!(screen.contains("by action · -2 ±2 ~12 +3"), "{screen}");
    assert!(screen.contains("reviewed 0 of 25"), "{screen}");
    assert!(!screen.contains("unchanged ("), "{screen}");
}

#[test]
fn a_replaced_dependency_is_the_reason() {
    let mut session = session();
    assert!(session.text().contains("← orders-db"));
    // The second replacement: its chain leads to the first one.
    session.keys("jjjr");
    let screen = session.text();
    assert!(
        screen.contains("takes its value from orders-db"),
        "{screen}"
    );
    assert!(
        screen.contains("storageEncrypted  forces replacement"),
        "{screen}"
    );
    assert!(screen.contains("the root is orders-db"), "{screen}");
    session.keys("<Esc>");
    assert!(session.text().contains("orders-target · must be replaced"));
}

#[test]
fn the_difference_follows_and_masks_secrets() {
    let mut session = session();
    session.keys("jj");
    let screen = session.text();
    assert!(
        screen.contains("± orders-db · must be replaced"),
        "{screen}"
    );
    assert!(screen.contains("! forces replacement"), "{screen}");
    session.keys(".");
    let screen = session.text();
    assert!(screen.contains("[secret]"), "{screen}");
    assert!(screen.contains("unchanged ("), "{screen}");
}

#[test]
fn reviewed_changes_are_marked_and_the_next_one_is_found() {
    let mut session = session();
    session.keys("<Space>");
    let screen = session.text();
    assert!(screen.contains("✓- "), "{screen}");
    assert!(screen.contains("reviewed 1 of 25"), "{screen}");
    session.keys("gg<C-n>");
    assert!(
        session.text().contains("▶ - legacy-logs"),
        "{}",
        session.text()
    );
    session.keys("gg<Space>");
    assert!(
        session.text().contains("reviewed 0 of 25"),
        "{}",
        session.text()
    );
}

#[test]
fn actions_are_chosen_in_a_list() {
    let mut session = session();
    session.keys("a");
    let screen = session.text();
    assert!(screen.contains("[x] - delete  2"), "{screen}");
    session.keys("<Enter><Esc>");
    let screen = session.text();
    assert!(!screen.contains("legacy-logs "), "{screen}");
    assert!(screen.contains(" · 2 hidden"), "{screen}");
}

/// The row of the difference with this label.
#[track_caller]
fn row(session: &Session, label: &str) -> String {
    let screen = session.text();
    let panes = screen.lines().filter_map(|line| line.split_once("││"));
    let row = panes
        .map(|(_, pane)| pane.trim_start_matches(['▶', ' ', '~']))
        .find(|pane| pane.starts_with(label));
    row.unwrap_or_else(|| panic!("no row {label} on\n{screen}"))
        .to_owned()
}

#[test]
fn both_sides_stand_beside_each_other() {
    let changed = [
        ("allocatedStorage", "200", "300"),
        ("engineVersion", "\"15.4\"", "\"16.3\""),
        ("password", "[secret]", "[secret]"),
        ("storageEncrypted", "false", "true"),
    ];
    let mut session = session();
    session.resize(140, 40).keys("jj").shows("· unified");
    for (label, old, new) in changed {
        let row = row(&session, label);
        assert!(row.contains(&format!("{old} → {new}")), "{row}");
    }
    session.keys("|").shows("· side by side");
    let mut columns = Vec::new();
    for (label, old, new) in changed {
        let row = row(&session, label);
        let (left, right) = row.split_once('│').expect("a line between the sides");
        assert_eq!(left.trim_start_matches(label).trim(), old, "{row}");
        assert!(
            right.trim_start_matches([' ', '~']).starts_with(new),
            "{row}"
        );
        assert!(!row.contains('→'), "{row}");
        columns.push(left.chars().count());
    }
    // Unchanged values are on both sides.
    let same = row(&session, "tags.Name");
    assert_eq!(same.matches("\"orders-db\"").count(), 2, "{same}");
    columns.dedup();
    assert_eq!(columns.len(), 1, "the sides begin in one column");
    session.keys("|").shows("· unified");
    assert!(row(&session, "engineVersion").contains("\"15.4\" → \"16.3\""));
}

#[test]
fn next_change_walks_the_difference() {
    /// The label under the cursor of the difference.
    fn label(session: &Session) -> String {
        let line = session.cursor_line_of_focus();
        let line = line.trim_start_matches(['│', '▶', ' ', '~']);
        line.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    }
    let changes = [
        "allocatedStorage",
        "engineVersion",
        "password",
        "storageEncrypted",
    ];
    let mut session = session();
    // With unchanged values there are rows in between, which are skipped.
    for keys in ["jj", "."] {
        session.keys(keys);
        for (change, number) in changes.iter().zip(1..) {
            assert_eq!(label(&session), *change, "{}", session.text());
            session.shows(&format!("change {number} of 4 "));
            session.keys("n");
        }
        session.shows("no change below").shows("change 4 of 4 ");
        assert_eq!(label(&session), changes[3]);
        for change in changes.iter().rev() {
            assert_eq!(label(&session), *change, "{}", session.text());
            session.keys("N");
        }
        session.shows("no change above").shows("change 1 of 4 ");
        assert_eq!(label(&session), changes[0]);
    }
    session.shows("backupRetentionPeriod");
}

#[test]
fn n_goes_on_with_a_search_until_it_is_over() {
    let mut session = session();
    session.keys("/root.tags.Name<Enter>2<wait>n");
    assert!(session.text().contains("[2/"), "{}", session.text());
    session.keys("2<wait><Esc>");
    assert!(
        session.text().contains("search ended"),
        "{}",
        session.text()
    );
    session.keys("n");
    assert!(!session.text().contains("[3/"), "{}", session.text());
}

#[test]
fn a_narrow_screen_shows_list_or_difference() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (80, 24));
    session.keys("2<wait>tttggjj");
    assert!(
        !session.text().contains("must be replaced"),
        "{}",
        session.text()
    );
    session.keys("<Enter>");
    assert!(
        session.text().contains("must be replaced"),
        "{}",
        session.text()
    );
    session.keys("<Esc>");
    assert!(session.text().contains("legacy-logs"), "{}", session.text());
}

#[test]
fn two_files_are_reviewed_as_a_difference() {
    let old = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","outputs":{},"resources":[
        {"mode":"managed","type":"null_resource","name":"a","provider":"provider[\"registry.terraform.io/hashicorp/null\"]",
         "instances":[{"schema_version":0,"attributes":{"id":"1","size":10,"token":"hunter2"},"sensitive_attributes":[[{"type":"get_attr","value":"token"}]]}]},
        {"mode":"managed","type":"null_resource","name":"gone","provider":"provider[\"registry.terraform.io/hashicorp/null\"]",
         "instances":[{"schema_version":0,"attributes":{"id":"2"}}]}]}"#;
    let new = old
        .replace(
            "\"size\":10,\"token\":\"hunter2\"",
            "\"size\":20,\"token\":\"hunter3\"",
        )
        .replace("\"gone\"", "\"fresh\"");
    let input = |name: &str, text: &str| Input::bytes(name, text.as_bytes());
    let pair = Input::pair(input("old.tfstate", old), input("new.tfstate", &new));
    let mut session = Session::open_input(pair, WIDE);
    session.keys("2<wait>");
    let screen = session.text();
    assert!(screen.contains("- gone"), "{screen}");
    assert!(screen.contains("~ a "), "{screen}");
    assert!(screen.contains("+ fresh"), "{screen}");
    session.keys("j");
    let screen = session.text();
    assert!(screen.contains("10 → 20"), "{screen}");
    assert!(screen.contains("[secret] → [secret]"), "{screen}");
    assert!(!screen.contains("hunter"), "{screen}");
    // A value of the old file is found, and one of the new file, but no masked value.
    for (query, n_hits) in [("=10", 1), ("=20", 1), ("=hunter2", 0), ("=hunter3", 0)] {
        session.keys(&format!("1<wait>/{query}"));
        session.shows(&format!(" {n_hits} hit"));
        session.keys("<Esc>");
    }
}

/// A plan that changes the text of every element in a list of `n`.
fn long_list(n: usize) -> String {
    let list = |word: &str| {
        let items: Vec<String> = (0..n).map(|at| format!("\"{word}-{at}\"")).collect();
        format!("{{\"items\":[{}]}}", items.join(","))
    };
    let (before, after) = (list("old"), list("new"));
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{{"address":"x_y.a","mode":"managed","type":"x_y","name":"a","provider_name":"registry.terraform.io/x/x","change":{{"actions":["update"],"before":{before},"after":{after},"after_unknown":{{}}}}}}]}}"#
    )
}

#[test]
fn what_is_long_shows_its_beginning_and_more_on_enter() {
    let mut session = Session::open_bytes("plan.json", long_list(2_500).as_bytes(), WIDE);
    session.keys("2<wait><Tab>G");
    let screen = session.text();
    assert!(
        screen.contains("… 1,500 more elements, 1,500 changed"),
        "{screen}"
    );
    assert!(screen.contains("Enter show more"), "{screen}");
    assert!(screen.contains("\"old-999\" → \"new-999\""), "{screen}");
    // The cursor continues with the rows that were not there before.
    session.keys("<Enter>");
    let screen = session.text();
    let selected = screen.lines().find(|line| line.contains("[1000]"));
    assert!(selected.is_some_and(|line| line.contains('▶')), "{screen}");
    session.keys("G");
    assert!(
        session.text().contains("… 500 more elements"),
        "{}",
        session.text()
    );
    session.keys("<Enter>G");
    assert!(session.text().contains("\"old-2499\" → \"new-2499\""));
    assert!(!session.text().contains("more element"));
}

#[test]
fn the_next_change_to_review_is_another_one() {
    let change = |name: &str| {
        format!(
            r#"{{"address":"t_x.{name}","mode":"managed","type":"t_x","name":"{name}","provider_name":"p",
            "change":{{"actions":["delete"],"before":{{"id":"1"}},"after":null,"after_unknown":{{}}}}}}"#
        )
    };
    let text = format!(
        r#"{{"format_version":"1.2","resource_changes":[{},{}]}}"#,
        change("one"),
        change("two"),
    );
    let mut session = Session::open_bytes("p.json", text.as_bytes(), (120, 30));
    session
        .keys("2ttt<wait>")
        .shows("1 of 2")
        .keys("<C-n>")
        .shows("2 of 2");
    session.keys("<C-n>").shows("1 of 2");
}

/// A narrow screen shows the list or the difference, and these keys change only the difference.
#[test]
fn a_key_of_the_difference_brings_it_to_the_front() {
    for (key, said) in [
        ("|", "side by side"),
        ("}", "unchanged value"),
        ("{", "unchanged value"),
    ] {
        let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (80, 24));
        session.keys("2<wait>gg/orders-db<Enter><Esc>");
        assert_eq!(session.app.window.focus, 0);
        session.keys(key).shows(said).shows("storageEncrypted");
        assert_eq!(session.app.window.focus, 1, "{key}");
        session.keys("<Esc>");
        assert_eq!(session.app.window.focus, 0);
    }
    let mut wide = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (120, 40));
    wide.keys("2<wait>|");
    assert_eq!(wide.app.window.focus, 0);
}
