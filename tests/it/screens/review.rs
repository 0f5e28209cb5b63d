//! Reviewing a change: the list, the difference, what was seen through, and why.

use stacklens::cli::demo;
use stacklens::load::Input;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

fn session() -> Session {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, WIDE);
    session.keys("2<wait>");
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
    assert!(screen.contains("[x]-2 [x]±2 [x]~12 [x]+3"), "{screen}");
    assert!(screen.contains("reviewed 0/"), "{screen}");
    assert!(!screen.contains("unchanged ("), "{screen}");
}

#[test]
fn a_replaced_dependency_is_the_reason() {
    let mut session = session();
    assert!(session.text().contains("replace ← orders-db"));
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
    assert!(screen.contains("reviewed 1/"), "{screen}");
    session.keys("gg<C-n>");
    assert!(
        session.text().contains("▶ - legacy-logs"),
        "{}",
        session.text()
    );
    session.keys("gg<Space>");
    assert!(session.text().contains("reviewed 0/"), "{}", session.text());
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
    assert!(screen.contains("[ ]-2"), "{screen}");
}

#[test]
fn both_sides_stand_beside_each_other() {
    let mut session = session();
    session.keys("jj|");
    let screen = session.text();
    assert!(screen.contains("side by side"), "{screen}");
    assert!(screen.contains("│ "), "{screen}");
    session.keys("|");
    assert!(session.text().contains("· unified"), "{}", session.text());
}

#[test]
fn next_change_walks_the_difference() {
    let mut session = session();
    session.keys("jjnn");
    let screen = session.text();
    assert!(
        screen.contains("change 2/") || screen.contains("change 3/"),
        "{screen}"
    );
    session.keys("NNNNNNN");
    assert!(
        session.text().contains("no change above"),
        "{}",
        session.text()
    );
}

#[test]
fn n_goes_on_with_a_search_until_it_is_over() {
    let mut session = session();
    session.keys("/root.tags.Name<Enter>2<wait>n");
    assert!(session.text().contains("[2/"), "{}", session.text());
    session.keys("2<wait><Esc>");
    assert!(
        session.text().contains("the search is over"),
        "{}",
        session.text()
    );
    session.keys("n");
    assert!(!session.text().contains("[3/"), "{}", session.text());
}

#[test]
fn a_narrow_screen_shows_list_or_difference() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (80, 24));
    session.keys("2<wait>jj");
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
    let input = |name: &str, text: &str| Input::Bytes {
        name: name.to_owned(),
        bytes: text.as_bytes().into(),
    };
    let pair = Input::Pair(Box::new((
        input("old.tfstate", old),
        input("new.tfstate", &new),
    )));
    let mut session = Session::open_input(pair, WIDE);
    session.keys("2<wait>");
    let screen = session.text();
    assert!(screen.contains("- null_resource.gone"), "{screen}");
    assert!(screen.contains("~ null_resource.a"), "{screen}");
    assert!(screen.contains("+ null_resource.fresh"), "{screen}");
    session.keys("j");
    let screen = session.text();
    assert!(screen.contains("10 → 20"), "{screen}");
    assert!(screen.contains("[secret] → [secret]"), "{screen}");
    assert!(!screen.contains("hunter"), "{screen}");
    // A value of the old file is found as well as one of the new file, and none that is masked.
    for (query, n_hits) in [("=10", 1), ("=20", 1), ("=hunter2", 0), ("=hunter3", 0)] {
        session.keys(&format!("1<wait>/{query}"));
        session.shows(&format!(" {n_hits} of "));
        session.keys("<Esc>");
    }
}

/// A plan that gives every element of a list of `n` another text.
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
        screen.contains("… 1500 more elements, 1500 changed"),
        "{screen}"
    );
    assert!(screen.contains("Enter shows more"), "{screen}");
    assert!(screen.contains("\"old-999\" → \"new-999\""), "{screen}");
    // The cursor goes on with what was not there before.
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
