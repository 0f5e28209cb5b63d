//! The difference of a change: values are visible before notes.

use ratatui::style::{Color, Modifier, Style};
use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;

const OLD: &str = "arn:aws:kms:eu-west-1:111122223333:key/11111111-aaaa";
const NEW: &str = "arn:aws:kms:eu-west-1:111122223333:key/22222222-bbbb";

/// A file system that is replaced because its key changes.
fn plan() -> String {
    format!(
        r#"{{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {{"root_module": {{}}}},
        "resource_changes": [
          {{"address": "aws_efs_file_system.data", "mode": "managed", "type": "aws_efs_file_system", "name": "data",
           "provider_name": "registry.terraform.io/hashicorp/aws",
           "change": {{"actions": ["delete", "create"], "replace_paths": [["kms_key_id"]],
                      "before": {{"id": "fs-1", "kms_key_id": "{OLD}", "size": 8}},
                      "after": {{"kms_key_id": "{NEW}", "size": 16}},
                      "after_unknown": {{"id": true}}, "before_sensitive": {{}}, "after_sensitive": {{}}}}}}]}}"#
    )
}

fn open(size: (u16, u16)) -> Session {
    let mut session = Session::open_bytes("plan.json", plan().as_bytes(), size);
    session.keys("2<wait>");
    if size.0 < 100 {
        session.keys("l");
    }
    session
}

#[test]
fn old_and_new_are_visible_beside_the_reason_at_every_width() {
    for size in [(200, 50), (140, 40), (120, 40), (100, 30), (80, 24)] {
        let mut session = open(size);
        session.shows("11111111").shows("22222222");
        session.shows("forces replacement").shows("kms_key_id");
    }
    let mut narrow = open((60, 20));
    narrow.shows("1111").shows("2222").shows("forces");
}

#[test]
fn values_that_do_not_fit_beside_each_other_are_stacked() {
    let mut session = open((120, 40));
    session
        .shows(&format!("- \"{OLD}\""))
        .shows(&format!("+ \"{NEW}\""));
    // Changes that fit stay on one line.
    session.shows("8 → 16");
    session.shows("\"fs-1\" → (known after apply)");
}

#[test]
fn the_part_that_differs_is_marked() {
    for depth in [Depth::True, Depth::None] {
        let mut session = open((120, 40));
        let style = session.style_of("22222222", depth, Palette::Dark);
        assert!(style.add_modifier.contains(Modifier::UNDERLINED));
        let runs = session.styled(depth, Palette::Dark);
        let whole = runs.iter().find(|(text, _)| text.contains("arn:aws:kms"));
        let is_marked =
            whole.is_some_and(|(_, style)| style.add_modifier.contains(Modifier::UNDERLINED));
        assert!(!is_marked, "the same part is marked");
    }
}

#[test]
fn removed_and_added_lines_are_tinted_over_their_whole_length() {
    let mut session = open((120, 40));
    session.keys("j");
    let old = session.style_of("11111111", Depth::True, Palette::Dark);
    let new = session.style_of("22222222", Depth::True, Palette::Dark);
    assert!(old.bg.is_some_and(|it| it != Color::Reset));
    assert!(new.bg.is_some_and(|it| it != Color::Reset));
    assert_ne!(old.bg, new.bg);
    let runs = session.styled(Depth::True, Palette::Dark);
    let same = |text: &&(String, Style)| text.0.contains("arn:aws:kms");
    let tints: Vec<_> = runs
        .iter()
        .filter(same)
        .map(|(_, style)| style.bg)
        .collect();
    assert_eq!(tints.len(), 2);
    for tint in tints {
        // The words that differ have a stronger one.
        assert!(tint != old.bg && tint != new.bg);
        let is_tail = |(text, style): &&(String, Style)| style.bg == tint && text.ends_with("  ");
        assert!(
            runs.iter().any(|it| is_tail(&it)),
            "the tint ends with the text"
        );
    }
}

#[test]
fn side_by_side_has_heads_and_equal_halves() {
    let mut session = open((200, 50));
    session.keys("|");
    let screen = session.text();
    let head = screen
        .lines()
        .find(|line| line.contains("before") && line.contains("after"))
        .expect("heads");
    assert!(head.contains("│"));
    session.shows("└ ! forces replacement");
    let line = screen.lines().find(|line| line.contains("11111111"));
    assert!(
        line.is_some_and(|line| line.contains("22222222")),
        "{screen}"
    );
}

#[test]
fn the_name_above_a_value_of_a_half_is_tinted_like_it() {
    let mut session = open((120, 40));
    session.keys("j|").shows("before");
    let runs = session.styled(Depth::True, Palette::Dark);
    let background = |part: &str| {
        let of_part = runs.iter().filter(|(text, _)| text.contains(part));
        of_part.map(|(_, style)| style.bg).collect::<Vec<_>>()
    };
    let value = background("3:key/")[0];
    assert!(value.is_some_and(|it| it != Color::Reset));
    assert!(
        background("kms_key_id").contains(&value),
        "{}",
        session.text()
    );
}

/// A secret whose next value is not known yet: it may well be sensitive again.
#[test]
fn an_unknown_value_is_not_said_to_be_no_longer_sensitive() {
    let plan = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": [
          {"address": "lab_key.key", "mode": "managed", "type": "lab_key", "name": "key", "provider_name": "registry.terraform.io/acme/lab",
           "change": {"actions": ["update"], "before": {"one": "a", "two": "a"}, "after": {"two": "b"},
                      "after_unknown": {"one": true}, "before_sensitive": {"one": true, "two": true}, "after_sensitive": {}}}]}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (160, 40));
    session.keys("2<wait>");
    let screen = session.text();
    let line = |text: &str| screen.lines().find(|line| line.contains(text)).unwrap();
    assert!(line("~ one").contains("known after apply"), "{screen}");
    assert!(!line("~ one").contains("no longer sensitive"), "{screen}");
    assert!(line("~ two").contains("no longer sensitive"), "{screen}");
}

#[test]
fn values_that_are_known_after_apply_are_hidden_on_request() {
    let plan = r#"{"format_version": "1.2", "resource_changes": [{"address": "acme_x.a", "mode": "managed", "type": "acme_x",
        "name": "a", "provider_name": "p", "change": {"actions": ["update"], "before": {"fingerprint": "a", "size": 1},
        "after": {"size": 2}, "after_unknown": {"fingerprint": true}}}]}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (120, 40));
    session.keys("2ttt<wait><Tab>").shows("fingerprint");
    session.keys(".").shows("unchanged values shown");
    session
        .keys(".")
        .shows("unchanged values hidden, and those known after apply")
        .hides("fingerprint")
        .shows("… 1 more attribute, 1 changed")
        .shows("1 → 2");
    session.keys(".").shows("fingerprint");
}

#[test]
fn enter_on_what_is_unchanged_shows_it() {
    let plan = r#"{"format_version": "1.2", "resource_changes": [{"address": "acme_x.a", "mode": "managed", "type": "acme_x",
        "name": "a", "provider_name": "p", "change": {"actions": ["update"], "before": {"size": 1, "zone": "z-1", "owner": "me"},
        "after": {"size": 2, "zone": "z-1", "owner": "me"}, "after_unknown": {}}}]}"#;
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), (120, 40));
    session.keys("2ttt<wait><Tab>G");
    session.shows("… 2 unchanged attributes").hides("z-1");
    session.keys("<Enter>").shows("z-1").shows("owner");
    session
        .hides("unchanged attributes")
        .hides("nothing to open");
}
