//! Actions of a person, and the resulting screen.

use std::fs;

use ratatui::style::Color;
use stacklens::tui::theme::{Depth, Palette};

use super::harness::{Session, screen};

const WIDE: (u16, u16) = (120, 40);
const STATE: &str = "pulumi-state/shop.json";
const PLAN: &str = "tfplan-json/shop.json";

fn wide(fixture: &str) -> Session {
    Session::open(fixture, WIDE)
}

/// The explorer on the resource of this name.
fn at(fixture: &str, name: &str) -> Session {
    let mut session = wide(fixture);
    session.keys(&format!("gu{name}<Enter>"));
    session
}

#[test]
fn a_state_opens_as_a_tree_beside_its_first_resource() {
    let mut session = wide(STATE);
    session
        .shows("shop/prod")
        .shows("[1 Resources")
        .shows("? help");
    session
        .shows("▾ shop-prod")
        .shows("▾ orders")
        .shows("urn:pulumi:prod::shop::pulumi:pulumi:Stack");
    session.keys("q");
    assert!(session.has_quit);
}

#[test]
fn a_small_screen_shows_one_pane_at_a_time() {
    let mut session = Session::open(STATE, (80, 24));
    session.shows("▶ ▾ shop-prod").hides("provider  none");
    session.keys("j<Enter>").shows("inputs");
    session.keys("<Esc>").shows("▾ shop-prod");
    assert_eq!(screen(STATE, "").lines().count(), 24);
}

#[test]
fn all_of_a_very_long_line_can_be_scrolled_to() {
    let long = format!("head-{}-tail", "0123456789".repeat(1_000));
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:s::p::k:m:T::a","custom":true,"type":"k:m:T","id":"1","outputs":{{"x":"{long}"}}}}]}}}}"#
    );
    let mut session = Session::open_bytes("s.json", text.as_bytes(), (80, 24));
    session.keys("<Enter>o").shows("head-").shows("of 51 lines");
    session
        .keys("G")
        .shows("51 of 51 lines")
        .keys("w")
        .shows("-tail");
    session.keys("gg").shows("head-").hides("-tail");
    // A page continues where the one before ended.
    for _ in 0..20 {
        session.keys("<Space>");
    }
    session.shows("-tail");
}

#[test]
fn no_size_breaks_the_screen() {
    let mut session = at(STATE, "orders-db");
    for (width, height) in [(40, 10), (10, 3), (1, 1), (3, 40), (200, 2), (120, 40)] {
        session.resize(width, height);
        for key in [
            "j",
            "k",
            "G",
            "gg",
            "l",
            "<Tab>",
            "zR",
            "?",
            "<Esc>",
            "2",
            "<wait>1<wait>",
        ] {
            session.keys(key).text();
        }
    }
    session.keys("<wait>1<wait>").shows("shop/prod");
}

#[test]
fn motions_take_counts_and_views_take_digits() {
    let mut session = wide(STATE);
    session.keys("03j").shows(" 4 of ");
    session.keys("012G").shows(" 12 of ");
    session.keys("8k").shows(" 4 of ");
    session.keys("gg").shows(" 1 of ");
    // A view key works even if a motion follows immediately.
    session.keys("5").shows("interrupted while creating");
    session.keys("3j").shows("[3 Outputs");
    session.keys("10").shows("[1 Resources").shows("0  times");
    session.keys("2").shows("2  times").shows("[1 Resources");
    session.keys("<Esc>j").hides("times").shows(" 2 of ");
    session.keys(":count<Enter>4j").shows(" 6 of ");
}

#[test]
fn what_a_deployment_names_and_does_not_have_is_a_problem_with_a_way_to_it() {
    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let resource = |name: &str, more: &str| {
        let urn = urn(name);
        format!(r#"{{"urn":"{urn}","custom":true,"type":"k:m:T","id":"1"{more}}}"#)
    };
    let lost = resource("lost", &format!(r#","dependencies":["{}"]"#, urn("gone")));
    let loose = resource(
        "loose",
        &format!(
            r#","outputs":{{"to":{{"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e","urn":"{}"}}}}"#,
            urn("nowhere")
        ),
    );
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{},{lost},{loose}]}}}}"#,
        resource("fine", "")
    );
    let mut session = Session::open_bytes("s.json", text.as_bytes(), (120, 30));
    session
        .keys("5<wait>")
        .shows("2 problems")
        .shows("urn:pulumi:s::p::k:m:T::lost")
        .shows("it depends on urn:pulumi:s::p::k:m:T::gone, which is not in this file")
        .shows("loose  outputs.to refers to urn:pulumi:s::p::k:m:T::nowhere");
    session
        .keys("j<Enter>")
        .shows("[1 Resources")
        .shows("urn:pulumi:s::p::k:m:T::loose");
    wide("pulumi-state/vault.json")
        .keys("5<wait>")
        .shows("no problems");
}

#[test]
fn folds_open_and_close_by_hand_and_by_level() {
    let mut session = wide(STATE);
    session.keys("zM").hides("orders-dns").shows("1 of 3 rows");
    session.keys("z1").shows("▸ orders").hides("orders-dns");
    session.keys("zR").shows("orders-dns");
    session.keys("ggh").hides("orders-dns");
    session.keys("l").shows("orders-dns");
}

#[test]
fn a_resource_opens_into_its_values() {
    let mut session = at(STATE, "vpc");
    session.keys("l").shows("▸ inputs").shows("▸ outputs");
    session.keys("jl").shows("▾ inputs").shows("cidrBlock");
    session.keys("jj").shows("c copy path");
}

#[test]
fn secrets_are_masked_until_one_is_revealed_and_hide_on_moving() {
    let mut session = at(STATE, "orders-pw");
    let secret = "[secret]";
    session.shows(secret).keys("<Tab>");
    for _ in 0..20 {
        if session.cursor_line_of_focus().contains(secret) {
            break;
        }
        session.keys("j");
    }
    session.keys("x").shows("Reveal a secret?").shows("[n no]");
    session.keys("<Enter>").hides("revealed");
    session
        .keys("xy")
        .shows("revealed for 30 s")
        .shows("revealed · X hides");
    session.keys("j").hides("revealed · X hides");
    session
        .keys("kxy")
        .shows("revealed · X hides")
        .keys("<wait>")
        .hides("revealed · X hides");
    session
        .keys("xy")
        .shows("revealed · X hides")
        .keys("X")
        .hides("revealed · X hides");
}

#[test]
fn going_to_an_address_can_be_taken_back() {
    let mut session = at(STATE, "orders-db");
    session.shows("aws:rds:Instance · orders-db");
    session.keys("gp").shows("shop:data:Database · orders");
    session.keys("[").shows("aws:rds:Instance · orders-db");
    session.keys("]").shows("shop:data:Database · orders");
    session
        .keys("gunowhere<Enter>")
        .shows("no resource has this URN");
    session.keys("<Esc>gs").shows("pulumi:Stack · shop-prod");
}

#[test]
fn help_is_searchable_and_runs_what_is_chosen() {
    let mut session = wide(STATE);
    session
        .keys("?")
        .shows("Keys · type to search")
        .shows("gg Home");
    session.keys("close all").shows("zM");
    session
        .keys("<Enter>")
        .hides("orders-dns")
        .hides("Keys · type to search");
    session.keys(":fold-open-all<Enter>").shows("orders-dns");
    session.keys(":theme light<Enter>").shows("theme light");
    session.keys(":q<Enter>");
    assert!(session.has_quit);
}

/// Four resources whose file order, names and types are in three different orders; one of them is below another.
const ORDERS: &str = r#"{"version":3,"deployment":{"manifest":{},"resources":[
    {"urn":"urn:pulumi:d::p::z:z:Z::mid","custom":true,"type":"z:z:Z","id":"1"},
    {"urn":"urn:pulumi:d::p::m:m:M::zed","custom":true,"type":"m:m:M","id":"2"},
    {"urn":"urn:pulumi:d::p::z:z:Z$a:a:A::low","custom":true,"type":"a:a:A","id":"3","parent":"urn:pulumi:d::p::z:z:Z::mid"},
    {"urn":"urn:pulumi:d::p::a:a:A::ten","custom":true,"type":"a:a:A","id":"4"}]}}"#;

/// The rows of the left pane: the depth, and the first word after the fold sign.
fn rows(session: &Session) -> Vec<String> {
    let screen = session.text();
    let rows = screen.lines().filter_map(|line| {
        let (pane, _) = line.strip_prefix('│')?.split_once("││")?;
        let at = pane.find(['▸', '▾'])?;
        let name = pane[at..].split_whitespace().nth(1)?;
        let depth = pane[..at].chars().count().saturating_sub(2) / 2;
        Some(format!("{}{name}", "  ".repeat(depth)))
    });
    rows.collect()
}

#[test]
fn the_tree_sorts_and_arranges() {
    let mut session = Session::open_bytes("orders.json", ORDERS.as_bytes(), WIDE);
    session.keys("zR");
    let by_name = ["mid", "  low", "ten", "zed"];
    assert_eq!(rows(&session), by_name, "{}", session.text());
    // `s` cycles through the orders and comes back to the first.
    let sorted = [
        ("sorted by type", ["ten", "zed", "mid", "  low"]),
        ("sorted by action", by_name),
        ("sorted by file order", ["mid", "  low", "zed", "ten"]),
        ("sorted by name", by_name),
    ];
    for (said, want) in sorted {
        session.keys("s").shows(said);
        assert_eq!(rows(&session), want, "{said}");
    }
    session.keys("t").shows("Resources · flat");
    assert_eq!(rows(&session), ["low", "mid", "ten", "zed"]);
    session.keys("t").shows("Resources · by type");
    let by_type = [
        "a:a:A", "  low", "  ten", "m:m:M", "  zed", "z:z:Z", "  mid",
    ];
    assert_eq!(rows(&session), by_type);
    session.keys("t");
    assert_eq!(rows(&session), by_name);
}

#[test]
fn the_selection_survives_sorting_and_arranging() {
    let mut session = at(STATE, "orders-db");
    for keys in ["t", "t", "t", "s", "s", "s", "s"] {
        session.keys(keys).shows("aws:rds:Instance · orders-db");
        let line = session.cursor_line();
        assert!(line.contains("orders-db "), "{keys}: {line}");
    }
}

#[test]
fn a_path_is_copied() {
    let state = br#"{"version":3,"deployment":{"manifest":{},"resources":[
        {"urn":"urn:pulumi:d::p::a:b:C::r","custom":true,"type":"a:b:C","id":"1","outputs":{"first":1,"a.b":{"c":["x","y"]}}}]}}"#;
    let mut session = Session::open_bytes("paths.json", state, WIDE);
    session.keys("<Tab>zRc").shows("copied path");
    session.keys("jc").shows("copied path");
    session.keys("jjjc").shows("copied path");
    let want = ["first", "[\"a.b\"]", "[\"a.b\"].c[1]"];
    assert_eq!(session.copied, want, "{}", session.text());
}

#[test]
fn marks_are_counted_and_cleared() {
    let mut session = wide(STATE);
    session
        .keys("<Space><Space>")
        .shows("2 resources marked")
        .shows("●");
    session.keys("<Esc>").hides("●");
}

#[test]
fn an_unreadable_file_says_why() {
    let mut session = wide("bad/sign-in.html");
    session.shows("Problems").shows("sign-in.html");
}

#[test]
fn no_control_character_reaches_the_screen() {
    let bytes = br#"{"version":3,"deployment":{"manifest":{},"resources":[{"urn":"urn:pulumi:d::p::a:b:C::\u001b[31mred\u202e","custom":true,"type":"a:b:C","id":"\u001b]52;c;AAAA\u0007","outputs":{"k\u0007":"\u009b2J"}}]}}"#;
    let mut session = Session::open_bytes("odd\u{1b}[2J.json", bytes, WIDE);
    session.keys("l").shows("␛[31mred\\u{202e}");
    let text = session.text();
    assert!(
        text.chars().all(|char| char == '\n' || !char.is_control()),
        "{text:?}"
    );
}

#[test]
fn reloading_keeps_selection_and_folds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state.json");
    let fixture = format!("{}/tests/corpus/{STATE}", env!("CARGO_MANIFEST_DIR"));
    fs::copy(fixture, &file).unwrap();
    let mut session = Session::open_path(file.clone(), WIDE);
    session.keys("zMguorders-db<Enter>");
    let before = session.cursor_line();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"vpc-0a1b2c3d\"", "\"vpc-1\"")).unwrap();
    session.keys("R").shows("read again");
    assert_eq!(session.cursor_line(), before);
    session.hides("subnet-a");
}

#[test]
fn color_is_never_the_only_sign() {
    let mut session = wide(PLAN);
    session.keys("2ttt<wait>").shows("- logs").shows("± main");
    let delete = session.style_of("-", Depth::True, Palette::Dark);
    assert!(matches!(delete.fg, Some(Color::Rgb(..))));
    for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
        for palette in Palette::ALL {
            for (text, style) in session.styled(depth, palette) {
                let colors = [style.fg, style.bg].map(|it| it.unwrap_or(Color::Reset));
                let fits = colors.iter().all(|color| match depth {
                    Depth::None => *color == Color::Reset,
                    Depth::Sixteen => !matches!(color, Color::Rgb(..) | Color::Indexed(_)),
                    Depth::Indexed => !matches!(color, Color::Rgb(..)),
                    Depth::True => true,
                });
                assert!(fits, "{text} {style:?} at {depth:?}");
            }
        }
    }
}

#[test]
fn wrapping_shows_every_value_whole_and_the_cursor_stays_on_the_screen() {
    let mut session = Session::open(STATE, (110, 40));
    session.keys("guorders-db<Enter><Tab>");
    session.shows("rds…").hides("example.com");
    session.keys("w").shows("long values wrap");
    // Not only the selected one.
    session.shows("example.com\"").shows("example.com:5432\"");
    // Every row keeps a line with its label, and the last one can be seen.
    session.keys("zRG");
    let line = session.cursor_line_of_focus();
    assert!(line.contains('▶'), "{}", session.text());
    session.keys("gg").shows("▶  allocatedStorage");
    session
        .keys("w")
        .shows("long values are cut")
        .hides("amazonaws.com");
}

#[test]
fn wrapped_lines_of_a_difference_keep_their_colors() {
    let plan = |old: &str, new: &str| {
        let text = "the same words on both sides of the arrow, again and again";
        let change = format!(
            r#"{{"actions":["update"],"before":{{"note":"{text} {old}"}},"after":{{"note":"{text} {new}"}}}}"#
        );
        format!(
            r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"registry.terraform.io/x/a","change":{change}}}]}}"#
        )
    };
    let bytes = plan("before", "afterwards").into_bytes();
    let mut wide = Session::open_bytes("plan.json", &bytes, (400, 12));
    let mut narrow = Session::open_bytes("plan.json", &bytes, (80, 24));
    wide.keys("2<Tab>");
    narrow.keys("2<Enter>w");
    let (depth, palette) = (Depth::True, Palette::Dark);
    for word in ["before", "afterwards"] {
        let style = wide.style_of(word, depth, palette);
        assert_eq!(narrow.style_of(word, depth, palette), style, "{word}");
    }
    assert_ne!(
        narrow.style_of("afterwards", depth, palette),
        narrow.style_of("the same words", depth, palette)
    );
}

#[test]
fn plans_comparisons_and_logs_that_ended_open_on_their_brief_and_states_on_their_resources() {
    wide(PLAN).shows("[b Brief]").shows("LOOK AT THESE FIRST");
    wide("tfplan-json/kinds.json").shows("[b Brief]");
    wide("pulumi-preview/replace-steps.json").shows("[b Brief]");
    wide("pulumi-events/refresh.jsonl").shows("[b Brief]");
    wide(STATE).shows("[1 Resources");
    let of = |name: &str| {
        stacklens::load::Input::path(
            std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/corpus/tfstate")
                .join(name),
        )
    };
    let same = stacklens::load::Input::pair(of("shop.tfstate"), of("shop.tfstate"));
    Session::open_input(same, WIDE)
        .shows("[b Brief]")
        .shows("no differences");
    // A person who chose a view before the file arrived keeps it.
    let mut session = Session::open_held(PLAN, WIDE);
    session.keys("3");
    session.deliver(1000);
    session.shows("[3 Outputs");
}
