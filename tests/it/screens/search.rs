//! Searching, from keys to the screen.

use ratatui::style::Modifier;
use stacklens::search::examples;
use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

fn state() -> Session {
    Session::open("pulumi-state/shop.json", WIDE)
}

#[test]
fn hits_are_listed_while_typing_and_both_panes_follow() {
    let mut session = state();
    session.keys("/orders-db pass");
    session
        .shows("▶ orders-db")
        .shows(".password")
        .shows("[secret]")
        .shows("$aws:rds/instance:Instance::orders-db");
    session.hides("hunter");
}

#[test]
fn enter_goes_there_and_esc_returns() {
    let mut session = state();
    session
        .keys("gunetwork<Enter>")
        .shows("shop:net:Network::network");
    session.keys("/'orders-dns").shows("::orders-dns");
    session.keys("<Esc>").shows("shop:net:Network::network");
    session
        .keys("/'orders-dns<Enter>")
        .shows("::orders-dns")
        .shows("[1/");
    session.keys("[").shows("shop:net:Network::network");
}

#[test]
fn a_value_leads_to_its_row() {
    let mut session = state();
    session.keys("/=10.0.0.0/16 @cidrBlock");
    session.shows("▶  cidrBlock");
    session.keys("<Enter>").shows("▶  cidrBlock").shows("[1/");
}

#[test]
fn next_and_previous_go_around() {
    let mut session = state();
    session.keys("/type:subnet<Enter>");
    let n = session.text().matches("[1/").count();
    assert_eq!(n, 1);
    session.keys("n").shows("[2/");
    session.keys("NN").hides("[2/").hides("[1/");
}

#[test]
fn the_query_becomes_a_filter_of_the_tree() {
    let mut session = state();
    session.keys("/type:subnet<C-f>");
    session
        .shows("filter: type:subnet")
        .shows("subnet-a")
        .hides("legacy-logs");
    session.keys("<Esc>").shows("legacy-logs");
    session.keys("ftype:subnet<Enter>").hides("legacy-logs");
    session.keys("f<C-u><Enter>").shows("legacy-logs");
}

#[test]
fn a_row_that_a_filter_lists_for_a_property_says_which_and_leads_to_it() {
    let mut session = state();
    session
        .keys("1f=10.0.1<wait><Enter><wait>")
        .shows("subnet-b                  in cidrBlock");
    // A resource that is found by its name keeps its type.
    session
        .keys("<Esc>fcluster endpoint<wait><Enter><wait>")
        .shows("in endpoint");
    session.keys("<Esc>fendpoint<wait><Enter><wait>");
    let is_there = |session: &Session| {
        let spot = session.app.views.resources.detail.list.selected_spot();
        spot.is_some_and(|spot| spot.path.to_string().to_lowercase().contains("endpoint"))
    };
    assert!(is_there(&session), "{}", session.text());
    session.keys("gg/<Esc>jj<wait>");
    assert!(is_there(&session), "{}", session.text());
    session.keys("j<wait>");
    assert!(is_there(&session), "{}", session.text());
}

#[test]
fn paths_are_completed_and_their_length_is_said() {
    let mut session = state();
    session.keys("/@tags.").shows("tags in ").shows("Name ");
    session.keys("Na<Tab>").shows("/ @tags.Name");
    session
        .keys(".x")
        .shows("tags.Name is the longest known prefix");
}

#[test]
fn a_path_is_judged_while_it_is_typed() {
    let mut session = state();
    // The part of the path that exists, and the possible next keys with their number of resources.
    session.keys("/.tags").shows("tags in ");
    session.keys(".N").shows("Name ");
    session.keys("<Tab>").shows("/ .tags.Name");
    // An open bracket asks for more. A key that cannot continue is reported at its column.
    session.keys("<C-u>.tags[").shows("[\"cost-center\"] 8");
    session
        .keys("x]")
        .shows("         ^ expected an index, `*` or `\"`, found `x`");
    session
        .keys("<C-u>.tags[\"Name\"]")
        .shows("tags.Name in 8 resources");
    session
        .keys("x")
        .shows("                ^ expected `.` or `[`, found `x`");
}

#[test]
fn an_error_is_shown_at_its_column_and_the_last_answer_stays() {
    let mut session = state();
    session.keys("/orders-dns").shows("▶ orders-dns");
    session
        .keys(" is:secrte")
        .shows("^ expected `secret`, which is alike, or one of custom")
        .shows("▶ orders-dns");
}

#[test]
fn a_masked_value_is_never_found() {
    let mut session = state();
    session.keys("/=hunter2").shows("nothing found");
}

#[test]
fn the_key_under_the_cursor_is_found_elsewhere() {
    let mut session = state();
    session
        .keys("/@cidrBlock<Enter>*")
        .shows("@**.cidrBlock")
        .shows("▶  cidrBlock");
    session.keys("#").shows("@**.cidrBlock");
}

#[test]
fn matched_letters_stand_out() {
    let mut session = state();
    session.keys("/orders");
    let marks = Modifier::BOLD | Modifier::UNDERLINED;
    for depth in [Depth::None, Depth::True] {
        let runs = session.styled(depth, Palette::Dark);
        let marked = runs
            .iter()
            .filter(|(text, style)| text == "orders" && style.add_modifier.contains(marks));
        assert!(marked.count() > 1, "{runs:?}");
    }
}

/// The texts that are marked as found.
fn marked(session: &mut Session) -> Vec<String> {
    let marks = Modifier::BOLD | Modifier::UNDERLINED;
    let runs = session.styled(Depth::True, Palette::Dark);
    let runs = runs.into_iter();
    let marked = runs.filter(|(_, style)| style.add_modifier.contains(marks));
    marked.map(|(text, _)| text).collect()
}

#[test]
fn what_was_found_stays_marked_in_the_panes_until_the_search_ends() {
    let mut session = state();
    session.keys("/cidr<Enter>").shows("[1/25] cidr");
    assert!(marked(&mut session).contains(&"cidr".to_owned()));
    session
        .keys("<Esc>")
        .shows("search ended")
        .hides("next change");
    assert!(!marked(&mut session).contains(&"cidr".to_owned()));
    // Values are marked too, and rows of other views.
    session.keys("/=10.0.0<Enter>");
    assert!(marked(&mut session).contains(&"10.0.0".to_owned()));
    session.keys("3<Esc>/assets<Enter>");
    assert!(marked(&mut session).contains(&"assets".to_owned()));
}

#[test]
fn enter_before_the_answer_goes_to_the_best_hit_once_it_is_known() {
    let mut session = state();
    let best = state().keys("/orders-d<Enter>").cursor_line();
    session.keys("/o").hold().keys("rders-d<Enter>").settle();
    session.hides(" Search ");
    assert_eq!(session.cursor_line(), best);
    session.keys("/o").hold().keys("zzz<Enter>").settle();
    session.shows("no hits");
    assert_eq!(session.cursor_line(), best);
    session.keys("f").hold().keys("orders<Enter>").settle();
    session.shows("filtered to");
}

#[test]
fn what_is_only_before_a_change_has_a_row_of_its_own() {
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session
        .keys("1<wait>/=db-1 @id name:aws_db_instance.main")
        .shows("before.outputs.id")
        .keys("<Enter>")
        .shows("▾ outputs before the change")
        .shows("▶    id ");
    session.keys("yy");
    session.keys("yP");
    session.keys("yj");
    assert_eq!(
        session.copied,
        [
            "db-1",
            "/resource_changes/1/change/before/id",
            r#".resource_changes[] | select(.address == "aws_db_instance.main") | .change.before.id"#
        ]
    );
    // A value that is secret on one side only is masked on both.
    session.hides("plan-hunter2");
}

#[test]
fn a_string_that_holds_a_document_is_a_row_to_land_on() {
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session.keys("1<wait>/@policy<Enter>").shows("▶▸ policy");
    session.keys("yp");
    assert_eq!(session.copied, ["aws_s3_bucket_policy.assets.policy"]);
}

#[test]
fn outputs_of_the_stack_are_found_and_landed_on() {
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session
        .keys("1<wait>/zones")
        .shows("▶ output")
        .shows(r#"[2] "a" "b""#);
    session.keys("<Enter>").shows("outputs of the stack");
    assert!(
        session.cursor_line().contains("zones"),
        "{}",
        session.text()
    );
    session.keys("1/=example.com type:output").shows("▶ output");
    session.keys("<Enter>").shows("▾ outputs before the change");
    assert!(
        session.cursor_line().contains("endpoint"),
        "{}",
        session.text()
    );
    session.keys("yP");
    assert_eq!(session.copied, ["/output_changes/endpoint/before"]);
    // Never by a masked value.
    session.keys("1/=plan-correct").shows("nothing found");
}

#[test]
fn hits_go_from_resources_to_outputs_and_around() {
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session.keys("1<wait>/@password<Enter>").shows("[1/2]");
    session
        .keys("n")
        .shows("[2/2]")
        .shows("outputs of the stack");
    session
        .keys("n")
        .shows("[1/2]")
        .hides("outputs of the stack");
    session.keys("N").shows("[2/2]");
    session.keys("*").shows("[1/2] @**.password");
    session.keys("N").shows("[2/2]");
}

#[test]
fn hits_are_gone_through_in_the_view_in_front() {
    let name = |session: &Session| {
        let id = session.app.selected().expect("a row of a resource");
        session.app.session.stack().short_name(id).to_owned()
    };
    // Neighbors.
    let mut session = Session::open("pulumi-state/shop.json", WIDE);
    session.keys("/subnet<Enter>guvpc<Enter>u");
    let mut seen: Vec<String> = (0..3)
        .map(|_| {
            session.keys("n").shows("[4 Deps").shows("] subnet");
            name(&session)
        })
        .collect();
    assert!(seen.iter().all(|name| name.contains("subnet")), "{seen:?}");
    session.keys("N");
    assert_eq!(name(&session), seen[1]);
    seen.dedup();
    assert_eq!(seen.len(), 3, "{seen:?}");
    // A list without any says where there are some.
    session.keys("1/orders-db<Enter>guvpc<Enter>dn");
    session
        .shows("[4 Deps")
        .shows("no hits in this list for orders-db");
    // Outputs.
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session.keys("1<wait>/@password<Enter>").shows("[1/2]");
    session
        .keys("3gg")
        .keys("n")
        .shows("[3 Outputs")
        .shows("[2/2]");
    session.keys("1<wait>/subnet<Enter>3n");
    session
        .shows("[3 Outputs")
        .shows("no hits among the outputs");
}

#[test]
fn problems_of_found_resources_are_gone_through() {
    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let resource = |name: &str| {
        let (own, gone) = (urn(name), urn("gone"));
        format!(
            r#"{{"urn":"{own}","custom":true,"type":"k:m:T","id":"1","dependencies":["{gone}"]}}"#
        )
    };
    let all = ["red-1", "blue", "red-2"].map(resource).join(",");
    let text = format!(r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{all}]}}}}"#);
    let mut session = Session::open_bytes("s.json", text.as_bytes(), WIDE);
    session.keys("/red<Enter>5gg");
    for (key, row, place) in [
        ("n", "red-2", "[2/2]"),
        ("n", "red-1", "[1/2]"),
        ("N", "red-2", "[2/2]"),
    ] {
        session.keys(key).shows("[5 Problems").shows(place);
        assert!(
            session.cursor_line().contains(row),
            "{}",
            session.cursor_line()
        );
    }
}

#[test]
fn every_hit_is_gone_to_however_many_there_are() {
    let resources: Vec<String> = (0..300)
        .map(|n| {
            format!(
                r#"{{"mode":"managed","type":"null_resource","name":"n{n}","provider":"provider[\"registry.terraform.io/hashicorp/null\"]",
                "instances":[{{"schema_version":0,"attributes":{{"id":"{n}","tags":[{{"key":"a"}},{{"key":"b"}}]}}}}]}}"#
            )
        })
        .collect();
    let state = format!(
        r#"{{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","outputs":{{"key":{{"value":"z","type":"string"}}}},"resources":[{}]}}"#,
        resources.join(",")
    );
    let mut session = Session::open_bytes("many.tfstate", state.as_bytes(), WIDE);
    session
        .keys("/**.key<Enter>")
        .shows("[resource 1/300 · 1/2]");
    let mut seen = vec![];
    for _ in 0..601 {
        let spot = session.app.spot().expect("on a value");
        seen.push((spot.0, spot.1.path.to_string()));
        session.keys("n");
    }
    for (index, (id, path)) in seen.iter().enumerate() {
        match id {
            Some(id) => {
                assert_eq!(id.index(), index / 2, "{seen:?}");
                assert_eq!(*path, format!("tags[{}].key", index % 2));
            }
            None => assert_eq!((index, path.as_str()), (600, "key")),
        }
    }
    session.shows("[resource 1/300 · 1/2]");
    session
        .keys("N")
        .shows("[output 1/1]")
        .shows("outputs of the stack");
    session.keys("N").shows("[resource 300/300 · 2/2]");
}

#[test]
fn one_word_too_many_is_an_error_at_its_place() {
    let words = vec!["o"; 32].join(" ");
    for key in ["/", "f"] {
        let mut session = state();
        session.keys(key).keys(&words[..words.len() - 2]);
        session.hides("at most 31 words");
        session.keys(" o").shows("expected at most 31 words");
    }
}

#[test]
fn a_value_is_found_without_a_sign_and_the_panel_says_so() {
    let mut session = state();
    session
        .keys("/10.0.0.0/16")
        .shows(" by value ")
        .shows("cidrBlock")
        .keys("<Enter>")
        .shows("[1/");
    session
        .keys("/hunter2")
        .hides(" by value ")
        .shows("nothing found");
}

#[test]
fn a_filter_takes_words_as_written_and_says_otherwise() {
    let mut session = state();
    session.keys("/type:subnet | 'vpc").shows("hits");
    session.keys("<Esc>f10.0.0.0/16<Enter>").shows(" by value ");
    session
        .keys("<Esc>fsbnt<Enter>")
        .shows(" by scattered letters ");
}

#[test]
fn a_page_about_the_language_opens_over_the_bar_and_esc_leads_back() {
    let mut session = state();
    session
        .keys("/orders <F1>")
        .shows("The query language")
        .shows("tags[*].key")
        .shows("depends:");
    session.keys("G").shows("depends on this resource directly");
    session
        .keys("<Esc>")
        .hides("The query language")
        .shows("/ orders");
    session.keys("dns").shows("▶ orders-dns");
}

#[test]
fn an_answer_that_comes_while_the_page_is_open_is_taken() {
    let mut session = state();
    session.keys("/o").hold().keys("rders-dns<F1>").settle();
    session.keys("<Esc>").shows("▶ orders-dns");
}

#[test]
fn a_wrong_query_is_refused_with_all_its_words() {
    for size in [WIDE, (80, 24)] {
        let mut session = Session::open("pulumi-state/shop.json", size);
        for goal in ["/", "f"] {
            session.keys(goal).keys("orders is:secrte<Enter>");
            // The caret is below the word, and the last of the words that are allowed is there too.
            let screen = session.text();
            let lines: Vec<&str> = screen.lines().collect();
            let typed = lines.iter().position(|line| line.contains("is:secrte"));
            let typed = typed.expect("the query is still there");
            let place = lines[typed].find("secrte").expect("the word");
            assert_eq!(lines[typed + 1].find('^'), Some(place), "{screen}");
            session
                .shows("custom")
                .shows("marked, reviewed")
                .shows("this is not a query · F1 query language");
            session.keys("<BS><BS><BS>ret").hides("expected one of");
            session.keys("<Esc>");
        }
    }
}

#[test]
fn a_field_with_another_name_is_refused_with_the_names_of_the_fields() {
    let mut session = Session::open("pulumi-state/shop.json", (80, 24));
    session
        .keys("/web tpye:vpc")
        .shows("       ^ no field is called `tpye`, did you mean `type`?")
        .hides("nothing found");
    session
        .keys("<Enter>")
        .shows("did you mean `type`? (fields:")
        .shows("new, kind)")
        .keys("<C-u>nope:x")
        .shows("   ^ no field is called `nope` (fields: type, name");
    // A type token that is found is a word.
    session
        .keys("<C-u>rds/instance:Instance")
        .hides("no field is called");
    session.keys("<C-u>aws:rds").hides("no field is called");
}

#[test]
fn an_empty_bar_shows_examples_of_this_file_and_recent_queries() {
    let mut session = state();
    session
        .keys("/")
        .shows("type:")
        .shows("a fact of a resource")
        .hides("recent")
        .hides("action:");
    session
        .keys("'orders-dns<Enter>/")
        .shows("'orders-dns")
        .shows("recent");
    // A row is typed by Enter, and searched for.
    session
        .keys("<Down><Enter>")
        .shows("/ 'orders-dns")
        .shows("▶ orders-dns");
    session.keys("<Esc>/<Esc>ftype:subnet<Enter>f<C-u>");
    let screen = session.text();
    let first = screen.find("type:subnet").expect("the filter is recent");
    assert!(first < screen.find("'orders-dns").expect("so is the search"));
    let mut session = Session::open("tfplan-json/shop.json", WIDE);
    session.keys("2<wait>/").shows("action:");
}

#[test]
fn a_flag_of_a_value_leads_to_the_value() {
    let is_there = |session: &Session| {
        let text = session.text();
        let mut details = text.lines().filter_map(|line| line.split("││").nth(1));
        details.any(|line| line.contains('▶') && line.contains("[secret]"))
    };
    let mut session = Session::open("tfstate/shop.tfstate", WIDE);
    session.keys("1<wait>/is:secret<Enter><wait>").shows("[1/");
    assert!(is_there(&session), "{}", session.text());
    session
        .keys("n<wait>")
        .shows("[2/")
        .shows("▶  password  [secret]");
}

#[test]
fn hits_are_counted_from_the_one_that_is_shown_first() {
    let mut session = state();
    session.keys("/orders<Enter>").shows("[1/");
    session.keys("n").shows("[2/");
    session.keys("N").shows("[1/");
}

#[test]
fn part_of_an_address_finds_its_resources() {
    let fn_of = |name: &str| {
        format!(
            r#"{{"address":"module.it.acme_fn.fn[\"{name}\"]","mode":"managed","type":"acme_fn","name":"fn","index":"{name}",
            "module_address":"module.it","provider_name":"example.com/acme/acme","change":{{"actions":["update"],
            "before":{{"size":1}},"after":{{"size":2}},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        )
    };
    let text = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{},{}]}}"#,
        fn_of("price-import"),
        fn_of("stock-sync")
    );
    let mut session = Session::open_bytes("plan.json", text.as_bytes(), WIDE);
    session
        .keys(r#"1<wait>/acme_fn.fn["stock-sync"]<wait>"#)
        .shows("1 hit ")
        .hides("known prefix")
        .keys("<Enter>")
        .shows(r#"module.it.acme_fn.fn["stock-sync"] ─"#);
    session
        .keys(r#"f["price-import"]<Enter>"#)
        .shows("price-import")
        .hides("stock-sync");
}

#[test]
fn words_for_actions_and_flags_are_completed_to_their_fields() {
    let mut plan = Session::open("tfplan-json/shop.json", WIDE);
    for (word, whole) in [
        ("deleted", "action:deleted"),
        ("replaced", "action:replaced"),
        ("changed", "action:changed"),
        ("delet", "action:delete"),
        ("drift", "is:drift"),
        ("secret", "is:secret"),
        ("prot", "is:protected"),
        ("manag", "is:managed"),
    ] {
        plan.keys(&format!("1<wait>/{word}<wait>"))
            .shows(&format!("   {whole}"));
        plan.keys("<Tab>").shows(&format!("/ {whole}"));
        plan.keys("<Esc>");
    }
    // A state has no actions, and Pulumi's word is another one.
    let mut state = state();
    state.keys("/deleted<wait>").hides("action:");
    state.keys("<C-u>cust<wait>").shows("is:custom");
    state.keys("<C-u>manag<wait>").hides("is:managed");
}

#[test]
fn fields_and_their_values_are_completed() {
    let mut session = state();
    session.keys("/o <BS><C-u>prov<Tab>").shows("/ provider:");
    session.keys("<C-u>is:prot<Tab>").shows("/ is:protected");
    session
        .keys("<C-u>type:subnet:S<Tab>")
        .shows("/ type:aws:ec2/subnet:Subnet");
    session
        .keys("<C-u>!action:repl<Tab> web")
        .shows("/ !action:replace web");
}

#[test]
fn the_panel_takes_half_of_the_screen_at_most_and_leaves_the_row_it_shows() {
    for size in [WIDE, (80, 24), (60, 12)] {
        let mut session = Session::open("pulumi-state/shop.json", size);
        session.keys("/");
        for key in "type:* ".chars() {
            session.keys(&key.to_string());
        }
        for _ in 0..30 {
            let screen = session.text();
            let lines: Vec<&str> = screen.lines().collect();
            let panel = lines.iter().position(|line| line.contains(" Search "));
            let panel = panel.expect("the panel has a title");
            assert!(panel >= lines.len() / 2 - 1, "{screen}");
            let cursor = lines.iter().position(|line| line.contains('▶'));
            assert!(cursor.expect("a row is shown") < panel, "{screen}");
            session.keys("<Down>");
        }
        // Few hits take few lines.
        session.keys("<C-u>'orders-dns name:orders-dns");
        let screen = session.text();
        let lines: Vec<&str> = screen.lines().collect();
        let panel = lines.iter().position(|line| line.contains(" Search "));
        assert!(panel.expect("a title") >= lines.len() - 8, "{screen}");
    }
}

#[test]
fn every_example_finds_something() {
    let files = [
        ("pulumi-state/shop.json", "1"),
        ("pulumi-preview/replace-steps.json", "2"),
        ("tfplan-json/shop.json", "1"),
        ("tfplan-json/shop.json", "2"),
        ("tfplan-json/kinds.json", "2"),
        ("tfstate/shop.tfstate", "1"),
    ];
    for (file, view) in files {
        let mut session = Session::open(file, WIDE);
        session.keys(view).keys("<wait>");
        let examples = examples(session.app.session.stack(), view == "2");
        assert!(examples.len() > 1, "{file} {examples:?}");
        for example in examples {
            session.keys("/").keys(&example.query.replace('<', "<lt>"));
            session
                .hides("nothing found")
                .hides(" 0 hits")
                .keys("<Esc>");
        }
    }
}

/// Many resources refer to the id; the one that has it is listed last in the file.
#[test]
fn an_id_leads_to_the_resource_that_has_it() {
    let resource = |name: &str, outputs: &str, id: &str| {
        format!(
            r#"{{"urn": "urn:pulumi:s::p::a:b:C::{name}", "custom": true, "type": "a:b:C", "id": "{id}", "inputs": {{}}, "outputs": {outputs}}}"#
        )
    };
    let resources = [
        resource("apex", r#"{"net": "vpc-0abc"}"#, "x-1"),
        resource("base", r#"{"nets": ["vpc-0abc"]}"#, "vpc-0abc/x-2"),
        resource("main", "{}", "vpc-0abc"),
    ];
    let state = format!(
        r#"{{"version": 3, "deployment": {{"manifest": {{"time": "2026-01-01T00:00:00Z", "magic": "m", "version": "v3"}}, "resources": [{}]}}}}"#,
        resources.join(",")
    );
    let mut session = Session::open_bytes("s.json", state.as_bytes(), (120, 40));
    session.keys("/vpc-0abc").shows("3 hits by value");
    session.keys("<Enter>");
    assert!(session.cursor_line().contains("main"), "{}", session.text());
    session.keys("n");
    assert!(
        !session.cursor_line().contains("main"),
        "{}",
        session.text()
    );
}
