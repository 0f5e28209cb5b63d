//! The list of changes: rows that can be told apart, and the list filtered, searched, sorted and arranged.

use std::fmt::Write;

use super::harness::Session;

const WIDE: (u16, u16) = (160, 40);

/// A change of a plan.
pub(super) fn change(address: &str, ty: &str, name: &str, module: &str, change: &str) -> String {
    let module = if module.is_empty() {
        String::new()
    } else {
        format!(r#""module_address": "{module}", "#)
    };
    format!(
        r#"{{"address": "{address}", {module}"mode": "managed", "type": "{ty}", "name": "{name}",
        "provider_name": "registry.terraform.io/hashicorp/aws", "change": {{{change},
        "after_unknown": {{}}, "before_sensitive": {{}}, "after_sensitive": {{}}}}}}"#
    )
}

fn update(address: &str, ty: &str, name: &str, module: &str) -> String {
    // Equal changes would be in a closed group.
    let values = format!(
        r#""actions": ["update"], "before": {{"size": 1, "tags": {{"a": "1", "b": "1"}}}},
        "after": {{"size": 2, "tags": {{"a": "2", "b": "{name}"}}}}"#
    );
    change(address, ty, name, module, &values)
}

fn plan(changes: &[String]) -> String {
    format!(
        r#"{{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {{"root_module": {{}}}},
        "resource_changes": [{}]}}"#,
        changes.join(",")
    )
}

/// Two modules, and a replacement in the root.
fn shop() -> String {
    plan(&[
        update(
            "module.web.aws_instance.zeta",
            "aws_instance",
            "zeta",
            "module.web",
        ),
        update(
            "module.web.module.net.aws_subnet.one",
            "aws_subnet",
            "one",
            "module.web.module.net",
        ),
        update(
            "module.db.aws_instance.alpha",
            "aws_instance",
            "alpha",
            "module.db",
        ),
        change(
            "aws_efs_file_system.data",
            "aws_efs_file_system",
            "data",
            "",
            r#""actions": ["delete", "create"], "replace_paths": [["kms_key_id"]],
               "before": {"kms_key_id": "one", "size": 1}, "after": {"kms_key_id": "two", "size": 2}"#,
        ),
        change(
            "aws_subnet.same",
            "aws_subnet",
            "same",
            "",
            r#""actions": ["no-op"], "before": {"size": 1}, "after": {"size": 1}"#,
        ),
    ])
}

fn open(plan: &str, size: (u16, u16)) -> Session {
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), size);
    session.keys("2<wait>");
    session
}

/// Opens a plan on the change with this name.
fn open_at(plan: &str, name: &str) -> Session {
    let mut session = open(plan, WIDE);
    session.keys(&format!("/{name}<wait><Enter><wait><Esc>"));
    assert!(session.cursor_line().contains(name), "{}", session.text());
    session
}

/// The rows of the left pane, without their frame.
fn rows(session: &Session) -> Vec<String> {
    let screen = session.text();
    let rows = screen.lines().filter_map(|line| line.strip_prefix('│'));
    let rows = rows.map(|row| row.split('│').next().unwrap_or(row).trim_end().to_owned());
    rows.filter(|row| !row.is_empty()).collect()
}

#[track_caller]
fn row(session: &Session, text: &str) -> String {
    let rows = rows(session);
    let found = rows.iter().find(|row| row.contains(text)).cloned();
    found.unwrap_or_else(|| panic!("no {text} in {rows:#?}"))
}

#[test]
fn a_row_names_the_type_and_the_properties_that_change() {
    let mut session = open(&shop(), WIDE);
    session.keys("t<wait>");
    let zeta = row(&session, "zeta");
    assert!(zeta.contains("aws_instance"), "{zeta}");
    assert!(zeta.contains("size, tags.*"), "{zeta}");
    assert!(row(&session, "± data").contains("! kms_key_id"));
}

#[test]
fn the_reason_for_a_replacement_is_never_left_out() {
    for size in [(160, 40), (120, 40), (100, 30), (80, 24), (60, 20)] {
        let mut session = open(&shop(), size);
        session.shows("kms_key_id").keys("t<wait>");
        session.shows("! kms_key_id");
    }
}

#[test]
fn pulumi_rows_have_a_type() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut session = Session::open_path(path.join("pulumi-preview/replace-steps.json"), WIDE);
    session.keys("2<wait>");
    let main = row(&session, "± main");
    assert!(main.contains(':'), "no type: {main}");
}

#[test]
fn long_addresses_that_differ_in_the_middle_look_different() {
    let name = |letter: char| {
        format!(
            "{}{letter}{}",
            "a-long-beginning-".repeat(4),
            "-and-a-long-end".repeat(4)
        )
    };
    let changes: Vec<_> = ['x', 'y', 'z']
        .into_iter()
        .map(|letter| {
            update(
                &format!("aws_instance.{}", name(letter)),
                "aws_instance",
                &name(letter),
                "",
            )
        })
        .collect();
    for size in [(200, 50), (120, 40), (80, 24)] {
        let mut session = open(&plan(&changes), size);
        session.keys("t<wait>");
        let screen = session.text();
        let rows: Vec<_> = screen
            .lines()
            .filter(|line| line.contains("~ a-long"))
            .collect();
        assert_eq!(rows.len(), 3, "{screen}");
        let cut = |row: &str| {
            row.split("aws_in")
                .next()
                .map(|it| it.trim_start_matches(['│', '▶', ' ']).to_owned())
        };
        assert_ne!(cut(rows[0]), cut(rows[1]));
        assert_ne!(cut(rows[1]), cut(rows[2]));
    }
}

#[test]
fn the_list_is_arranged_by_module_type_and_in_one_list() {
    let mut session = open_at(&shop(), "zeta");
    session
        .keys("t")
        .shows("Changes · by module")
        .shows("arranged by module");
    assert!(session.cursor_line().contains("zeta"), "{}", session.text());
    assert!(row(&session, "▾ module.web").contains("~2"));
    assert!(row(&session, "▾ module.net").contains("~1"));
    assert!(row(&session, "▾ module.db").contains("~1"));
    session.keys("t").shows("Changes · by type");
    assert!(row(&session, "▾ aws_instance").contains("~2"));
    assert!(session.cursor_line().contains("zeta"));
    session.keys("t").shows("Changes · by action");
    session.keys("t").shows("Changes · one list");
    let names: Vec<_> = rows(&session);
    assert!(
        names[0].contains("zeta") && names[3].contains("data"),
        "{names:#?}"
    );
    session.keys("t").hides("one list");
    assert!(session.cursor_line().contains("zeta"));
}

#[test]
fn a_group_closes_and_hides_the_groups_below_it() {
    let mut session = open(&shop(), WIDE);
    session.keys("tgg");
    while !session.cursor_line().contains("module.web") {
        session.keys("j");
    }
    session
        .keys("h")
        .hides("zeta")
        .hides("module.net")
        .shows("alpha");
    session.keys("l").shows("zeta").shows("module.net");
}

#[test]
fn the_list_is_sorted() {
    let mut session = open(&shop(), WIDE);
    session.keys("ttts").shows("sorted by name");
    let names = rows(&session);
    let at = |text: &str| names.iter().position(|row| row.contains(text)).unwrap();
    assert!(
        at("alpha") < at("one") && at("one") < at("zeta"),
        "{names:#?}"
    );
    session
        .keys("s")
        .shows("sorted by type")
        .keys("s")
        .shows("sorted by danger");
    session
        .keys("s")
        .shows("sorted by file order")
        .hides("Changes · sorted");
}

#[test]
fn the_list_is_filtered_by_the_search_language() {
    let mut session = open_at(&shop(), "zeta");
    session.keys("ftype:aws_instance<Enter><wait>");
    session
        .shows("2 of 4 changes")
        .shows("zeta")
        .shows("alpha")
        .hides("± data");
    session.shows("filtered to 2 changes");
    assert!(session.cursor_line().contains("zeta"));
    // Other choices keep the filter.
    session
        .keys("t")
        .shows("2 of 4 changes")
        .hides("± data")
        .keys("ttt");
    session.keys("<Esc>").shows("± data").hides("of 4 changes");
    assert!(session.cursor_line().contains("zeta"));
}

#[test]
fn a_filter_without_changes_is_refused() {
    let mut session = open(&shop(), WIDE);
    session.keys("fsame<Enter><wait>").shows("no change found");
    session.keys("<Esc>").shows("± aws_efs_file_system.data");
}

#[test]
fn searching_stays_in_the_changes() {
    let mut session = open(&shop(), WIDE);
    session.keys("t<wait>");
    session.keys("/alpha<wait><Enter><wait>").shows("Changes");
    assert!(
        session.cursor_line().contains("~ alpha"),
        "{}",
        session.text()
    );
    session.keys("/aws_instance<wait><Enter><wait>");
    let first = session.cursor_line();
    session.keys("n");
    assert_ne!(first, session.cursor_line());
    session.shows("Changes");
    // Esc returns to the row where the search began.
    session.keys("<Esc>gg");
    assert!(session.cursor_line().contains("data"), "{}", session.text());
    session.keys("/zeta<wait><Esc>");
    assert!(session.cursor_line().contains("data"), "{}", session.text());
}

#[test]
fn a_hit_that_does_not_change_says_so_and_leads_to_the_resources() {
    let mut session = open(&shop(), WIDE);
    session.keys("/same<wait>").shows("Changes");
    session
        .keys("<Enter><wait>")
        .shows("does not change")
        .shows("Resources");
}

#[test]
fn the_chain_of_causes_is_beside_the_list() {
    let mut session = open(&shop(), (120, 40));
    session
        .keys("t<wait>r")
        .shows("Why")
        .shows("± data")
        .shows("zeta")
        .shows("kms_key_id  forces replacement");
}

#[test]
fn many_long_and_deep_changes_hold() {
    let mut changes = Vec::new();
    for index in 0..1142 {
        let mut name = format!("{}{index}", "名前🚀".repeat(20));
        write!(name, "{}", "x".repeat(index % 200)).unwrap();
        let depth = index % 40;
        let module = (0..depth)
            .map(|at| format!("module.m{at}"))
            .collect::<Vec<_>>()
            .join(".");
        let dot = if depth > 0 { "." } else { "" };
        changes.push(update(
            &format!("{module}{dot}aws_instance.{name}"),
            "aws_instance",
            &name,
            &module,
        ));
    }
    let plan = plan(&changes);
    for size in [(200, 50), (120, 40), (80, 24), (40, 10), (10, 5)] {
        let mut session = open(&plan, size);
        session.keys("GggtGggsGggl|wGk");
        let text = session.text();
        assert_eq!(text.lines().count(), usize::from(size.1));
    }
}

#[test]
fn going_to_the_module_of_a_change_shows_it_in_the_tree() {
    let mut session = open_at(&shop(), "zeta");
    session.keys("gp").shows("[1 Resources");
    let module = session.cursor_line();
    assert!(module.contains("web"), "{}", session.text());
    // Without modules in the tree, the reason is one line.
    session.keys("tt").keys("2<wait>gp").shows("no row for it");
}

#[test]
fn the_sums_of_a_type_are_in_the_order_of_the_list() {
    let of = |actions: &str, name: &str| {
        let values = format!(r#""actions": ["{actions}"], "before": {{}}, "after": {{}}"#);
        change(&format!("a_b.{name}"), "a_b", name, "", &values)
    };
    let changes = ["create", "update", "delete"].map(|action| of(action, action));
    let mut session = open(&plan(&changes), WIDE);
    session.keys("tt").shows("by type");
    let heading = row(&session, "▾ a_b");
    assert!(heading.ends_with("-1 ~1 +1"), "{heading}");
}

#[test]
fn unchanged_resources_stay_listed_over_a_reload() {
    let mut session = open(&shop(), WIDE);
    session.keys("t.").shows("unchanged (1)").keys("R<wait>");
    session.shows("unchanged (1)");
    session.keys(".").hides("unchanged (1)");
    session.keys("..").shows("unchanged (1)");
}

#[test]
fn what_is_closed_stays_closed_in_every_list() {
    let mut session = open(&shop(), WIDE);
    session.keys("tgg");
    while !session.cursor_line().contains("module.web") {
        session.keys("j");
    }
    session.keys("h").hides("zeta").keys("s").hides("zeta");
    session.keys("R<wait>").hides("zeta").shows("alpha");
    session.keys("t").shows("zeta").keys("ttt").hides("zeta");
    // The heading of a section is the same in every arrangement.
    session.keys(".G");
    while !session.cursor_line().contains("unchanged (1)") {
        session.keys("k");
    }
    session.keys("h").hides("unchanged (1)");
    session.keys("ttt").hides("unchanged (1)");
}

#[test]
fn a_filter_of_the_changes_stays_over_a_reload() {
    let mut session = open(&shop(), WIDE);
    session.keys("ftype:aws_instance<Enter><wait>");
    session.shows("2 of 4 changes").keys("R<wait>");
    session.shows("2 of 4 changes").hides("± data");
    assert!(session.cursor_line().contains("▶ ~"));
    session.keys("<Esc>").shows("± aws_efs_file_system.data");
}

#[test]
fn only_changes_are_reviewed() {
    let mut session = open(&shop(), WIDE);
    session.keys("t.<wait>G");
    assert!(session.cursor_line().contains("same"));
    session.keys("<Space>").shows("only changes can be marked");
    session.shows("reviewed 0 of 4").hides("✓");
}

#[test]
fn modules_below_the_deepest_group_are_listed_too() {
    let module = |depth: usize| vec!["module.m"; depth].join(".");
    let changes = [1, 99, 100, 101, 150, 350].map(|depth| {
        let address = format!("{}.a_b.at{depth}", module(depth));
        update(&address, "a_b", &format!("at{depth}"), &module(depth))
    });
    let mut session = open(&plan(&changes), (200, 400));
    session.keys("t").shows("by module");
    for depth in [1, 99, 100, 101, 150, 350] {
        session.shows(&format!("at{depth} "));
    }
}

#[test]
fn a_hit_that_the_list_leaves_out_says_why() {
    let mut session = open(&shop(), WIDE);
    session.keys("ftype:aws_subnet<Enter><wait>").hides("alpha");
    session.keys("/alpha<wait><Enter><wait>");
    session
        .shows("[1 Resources")
        .shows("the filter hides this change");
    // Without replacements, in a list that leaves them out.
    let mut session = open(&shop(), WIDE);
    session.keys("ta<Enter><Esc>").hides("± data");
    session.keys("/kms_key_id<wait><Enter><wait>");
    session
        .shows("[1 Resources")
        .shows("its action is not listed");
}

#[test]
fn a_hit_beyond_the_changes_is_chosen_before_the_search_is_over() {
    let same = |name: &str| {
        let values = r#""actions": ["no-op"], "before": {}, "after": {}"#;
        change(&format!("a_b.{name}"), "a_b", name, "", values)
    };
    let changes = [
        update("a_b.one", "a_b", "one", ""),
        same("same1"),
        same("same2"),
    ];
    let mut session = open(&plan(&changes), WIDE);
    session.hold().keys("/same");
    // Of the searches for each letter, the last one is not over.
    while session.n_late() > 1 {
        session.answer(0);
    }
    session
        .answer_first_hit(0)
        .keys("<Down><Enter>")
        .shows("does not change");
    session.settle().keys("n").settle().shows("same2");
    session.shows("[2/2] same");
}

#[test]
fn keys_after_an_accepted_search_are_for_its_hit() {
    let changes = ["one", "two"].map(|name| update(&format!("a_b.{name}"), "a_b", name, ""));
    let mut session = open(&plan(&changes), WIDE);
    session
        .keys("1<wait>gg")
        .hold()
        .keys("/two<Enter>")
        .keys("c");
    session.hides("copied");
    session.settle();
    session.shows("copied").shows("a_b.two");
    // A filter that is accepted before its answer is there takes no further letters.
    let mut session = open(&plan(&changes), WIDE);
    session.keys("2<wait>").hold().keys("ftwo<Enter>").keys("r");
    session.settle();
    session.shows("filter: two").hides("filter: twor");
    // Esc ends the wait, and the keys go with it.
    let mut session = open(&plan(&changes), WIDE);
    session
        .keys("1<wait>gg")
        .hold()
        .keys("/two<Enter>")
        .keys("c<Esc>");
    session.shows("the search ended early").settle();
    session.hides("copied");
}

#[test]
fn all_rows_of_the_list_in_front_are_marked() {
    let mut session = open(&shop(), WIDE);
    session.keys("ftype:aws_subnet<Enter><wait><C-a>");
    session.shows("1 resource marked");
    session.keys("<C-\\><Esc><C-a>").shows("4 resources marked");
    let marked: Vec<_> = session.app.session.marks.iter().copied().collect();
    for id in marked {
        let stack = session.app.session.stack();
        assert_ne!(stack.short_name(id), "aws_subnet.same");
    }
    session.keys("3<C-a>").shows("outputs cannot be marked");
    // The resource in the middle of the dependencies is no row.
    let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, WIDE);
    session.keys("guorders-db<Enter>4<wait><C-a>");
    let (marks, deps) = (&session.app.session.marks, &session.app.views.deps);
    assert!(!marks.is_empty());
    assert_eq!(marks.iter().copied().collect::<Vec<_>>(), {
        let mut neighbors: Vec<_> = deps.neighbors().collect();
        neighbors.sort();
        neighbors
    });
}

#[test]
fn a_filter_that_finds_only_outputs_says_so() {
    let text = shop().replacen(
        r#""resource_changes""#,
        r#""output_changes": {"lonely": {"actions": ["create"], "before": null, "after": 7, "after_unknown": false,
            "before_sensitive": false, "after_sensitive": false}}, "resource_changes""#,
        1,
    );
    let mut session = open(&text, WIDE);
    session.keys("1<wait>flonely<wait><Enter>");
    session.shows("only outputs found");
}

#[test]
fn a_failed_filter_says_what_it_looked_for_and_moves_nothing() {
    let mut session = open_at(&shop(), "zeta");
    let row = session.cursor_line();
    session.keys("f").shows("action:replace");
    session
        .keys("zebra<wait><Enter><wait>")
        .shows("no change found for zebra")
        .shows("try action:replace");
    session.keys("<Esc><wait>");
    assert_eq!(session.cursor_line(), row);
    session
        .keys("faction:update<wait><Enter><wait>")
        .shows("3 of 4 changes");
}

#[test]
fn the_title_keeps_its_groups_in_a_narrow_pane() {
    let mut changes: Vec<String> = (0..3)
        .map(|at| {
            update(
                &format!("aws_subnet.s{at}"),
                "aws_subnet",
                &format!("s{at}"),
                "",
            )
        })
        .collect();
    for (name, action) in [("gone", "forget"), ("read", "read")] {
        changes.push(change(
            &format!("aws_subnet.{name}"),
            "aws_subnet",
            name,
            "",
            &format!(r#""actions": ["{action}"], "before": {{"size": 1}}, "after": {{"size": 1}}"#),
        ));
    }
    let mut session = open(&plan(&changes), (200, 40));
    session.shows("Changes · ~3 · 1 forgotten · 1 read during apply");
    session.resize(60, 20).keys("k").shows("Changes · ~3 .1 <1");
}

#[test]
fn properties_that_are_left_out_say_what_they_are() {
    let values = |n: i32| {
        let all: Vec<_> = (0..9)
            .map(|at| format!(r#""property_{at}": {n}"#))
            .collect();
        all.join(",")
    };
    let wide = change(
        "lab_thing_of_a_kind.data",
        "lab_thing_of_a_kind",
        "data",
        "",
        &format!(
            r#""actions": ["delete", "create"], "replace_paths": [["property_3"]],
               "before": {{{}}}, "after": {{{}}}"#,
            values(1),
            values(2)
        ),
    );
    open(&plan(&[wide]), (280, 40))
        .keys("t<wait>")
        .shows("! property_3, ")
        .shows("others");
}

#[test]
fn the_list_of_changes_is_wider_than_the_tree() {
    let session = open(&shop(), (120, 40));
    let width = |session: &Session| {
        let screen = session.text();
        let frame = screen.lines().nth(1).unwrap_or_default().to_owned();
        frame.split('┐').next().unwrap_or_default().chars().count()
    };
    let of_changes = width(&session);
    let mut session = open(&shop(), (120, 40));
    session.keys("1");
    assert!(of_changes > width(&session));
}

#[test]
fn a_key_that_needs_a_value_says_where_the_values_are() {
    let mut session = open(&shop(), WIDE);
    session
        .keys("x")
        .shows("Tab goes to the values that change");
}

#[test]
fn a_word_that_names_an_action_finds_it() {
    let mut session = open(&shop(), (240, 40));
    session.keys("f").keys("replace").shows(" by action");
    session.keys("<Enter><wait>");
    session
        .shows("1 of 4 changes by action · filter: replace")
        .shows("± data")
        .hides("zeta");
    session.keys("<Esc>").keys("f!replace<Enter><wait>");
    session
        .shows("3 of 4 changes · filter: !replace")
        .hides("± data");
    // Nothing is deleted here, and one has the word in its name.
    let changes = ["one", "delete_old"].map(|name| update(&format!("a_b.{name}"), "a_b", name, ""));
    let mut session = open(&plan(&changes), (240, 40));
    session.keys("fdelete<Enter><wait>");
    session.shows("filtered to 1 change by name, none by action");
    // The word as written is no action.
    session.keys("<Esc>").keys("f'replace<Enter><wait>");
    session.shows("no change found for 'replace");
}

#[test]
fn a_plan_without_change_objects_does_not_claim_that_nothing_changes() {
    let bare = |name: &str| {
        format!(
            r#"{{"address": "aws_vpc.{name}", "mode": "managed", "type": "aws_vpc", "name": "{name}",
            "provider_name": "registry.terraform.io/hashicorp/aws"}}"#
        )
    };
    let mut session = open(&plan(&[bare("one"), bare("two")]), WIDE);
    let why = "2 resources have no change object in this file";
    session.shows(why).hides("no changes");
    session
        .keys(".")
        .hides("unchanged (2)")
        .keys("5")
        .shows(why);
    // Beside entries that can be judged, the problem says it.
    let mixed = plan(&[bare("one"), update("aws_vpc.two", "aws_vpc", "two", "")]);
    let mut session = open(&mixed, WIDE);
    session.shows("Changes · ~1").keys("5");
    session.shows("1 resource has no change object in this file");
}

#[test]
fn a_row_counts_the_changes_that_it_does_not_show() {
    let change = |name: &str, after: &str| {
        format!(
            r#"{{"address":"acme_disk.{name}","mode":"managed","type":"acme_disk","name":"{name}",
            "provider_name":"example.com/acme/acme","change":{{"actions":["update"],"before":{{"size":1,"iops":5}},
            "after":{after},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        )
    };
    let both = plan(&[change("both", r#"{"size":2,"iops":7}"#)]);
    for width in [80, 120, 160] {
        let mut session = open(&both, (width, 40));
        session.keys("2").shows("5 → 7  +1");
    }
    let one = plan(&[change("one", r#"{"size":2,"iops":5}"#)]);
    let mut session = open(&one, (120, 40));
    session.keys("2").shows("1 → 2").hides("+1");
}

#[test]
fn properties_give_way_to_the_action_as_a_word() {
    let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (80, 24));
    let text = session.keys("2tttgg").text();
    let is_update = |line: &&str| line.trim_start_matches(['▶', ' ']).starts_with("~ ");
    let rows: Vec<&str> = text.lines().filter(is_update).collect();
    assert!(rows.len() >= 8, "{text}");
    for row in rows {
        assert!(row.contains(" update"), "{row}");
    }
}
