//! The header: where one is, what the file is, and its state.

use ratatui::style::Color;
use stacklens::cli::demo;
use stacklens::load::Input;
use stacklens::tui::preferences::Preferences;
use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;

#[track_caller]
fn header(session: &Session) -> String {
    session.text().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn tabs_have_full_words_and_counts_and_the_help_is_there() {
    let session = Session::open_bytes("demo", demo::PREVIEW, (120, 40));
    let line = header(&session);
    assert!(line.starts_with(" shop/prod · pulumi preview"), "{line}");
    let tabs = "[b Brief]  1 Resources  2 Changes 21  3 Outputs  4 Deps  5 Problems 1   ? help";
    assert!(line.ends_with(tabs), "{line}");
}

#[test]
fn tabs_shrink_on_narrow_screens_and_are_never_away() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (80, 24));
    let line = header(&session);
    assert!(line.starts_with(" shop/prod · pulumi preview"), "{line}");
    assert!(line.ends_with("[b Brief] 1 2• 3 4 5•  ? help"), "{line}");
    session.resize(32, 12);
    let line = header(&session);
    assert!(line.ends_with("[b] 1 2• 3 4 5• ?"), "{line}");
}

#[test]
fn the_bar_is_painted_in_every_view() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (120, 40));
    for key in ["1", "2", "3", "4", "5"] {
        session.keys(key);
        let bar = session.style_of("help", Depth::True, Palette::Dark).bg;
        assert!(bar.is_some_and(|it| it != Color::Reset), "view {key}");
    }
}

#[test]
fn errors_of_the_file_are_red_and_said_once() {
    let mut session = Session::open("bad/truncated.tfstate", (120, 40));
    session.shows("1 error in this file · 5 shows it");
    session.resize(160, 40);
    let red = session.style_of("5 Problems 1", Depth::Sixteen, Palette::Dark);
    assert_eq!(red.fg, Some(Color::LightRed));
    session.keys("j").hides("in this file");
    session.keys("52").hides("in this file");
}

#[test]
fn a_comparison_names_both_files_alike() {
    let file = |name: &str, text: &[u8]| Input::bytes(name.to_owned(), text);
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let state = std::fs::read(corpus.join("pulumi-state/shop.json")).unwrap();
    let pair = |old: &str, new: &str| Input::pair(file(old, &state), file(new, &state));
    let session = Session::open_input(pair("prod-1.json", "prod-2.json"), (120, 40));
    let line = header(&session);
    assert!(line.starts_with(" prod-1.json → prod-2.json"), "{line}");
    let long = pair(
        "production-eu-west-1-before.json",
        "production-eu-west-1-after.json",
    );
    let session = Session::open_input(long, (80, 24));
    let line = header(&session);
    let name = line.split("  ").next().unwrap();
    let [old, new] = [0, 1].map(|at| name.split(" → ").nth(at).unwrap().trim());
    let n_chars = |text: &str| text.chars().count();
    assert!(n_chars(old).abs_diff(n_chars(new)) <= 1, "{line}");
    assert!(old.contains('…') && old.ends_with("efore.json"), "{line}");
    assert!(new.contains('…') && new.ends_with("after.json"), "{line}");
}

#[test]
fn a_failed_run_says_so() {
    let mut session = Session::open("tf-ui-json/web-apply.jsonl", (120, 40));
    let line = header(&session);
    assert!(line.contains("⚠ 1 failed"), "{line}");
    session.keys("1");
    assert!(header(&session).contains("⚠ 1 failed"));
}

#[test]
fn a_folder_with_nothing_open_has_a_title_and_no_tabs() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    for name in ["one.json", "two.json"] {
        std::fs::copy(
            corpus.join("pulumi-state/shop.json"),
            folder.path().join(name),
        )
        .unwrap();
    }
    let mut session = Session::open_input(Input::folder(folder.path()), (120, 40));
    let name = folder.path().file_name().unwrap().to_string_lossy();
    let line = header(&session);
    assert!(line.starts_with(&format!(" stacks in {name}")), "{line}");
    assert!(line.trim_end().ends_with("? help"), "{line}");
    assert!(
        !line.contains("Resources") && !line.contains("Problems"),
        "{line}"
    );
    session.shows("Enter open");
    // Nor are there views once the list is closed, until a file is open.
    session.keys("<Esc>").shows("nothing is open");
    assert!(
        !header(&session).contains("Resources"),
        "{}",
        session.text()
    );
    let mut session = Session::open_input(Input::folder(folder.path()), (120, 40));
    session
        .keys("<Enter>")
        .shows("1 Resources")
        .hides("stacks in");
}

#[test]
fn a_watched_file_keeps_its_kind() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let watching = Preferences {
        watch: true,
        ..Preferences::default()
    };
    let input = || Input::path(corpus.join("pulumi-state/shop.json"));
    for (width, watched) in [(80, true), (100, false), (160, true)] {
        let session = Session::open_as(input(), &watching, (width, 24));
        let line = header(&session);
        assert!(line.contains("pulumi state"), "{line}");
        assert_eq!(line.contains("· watched"), watched, "{line}");
    }
}
