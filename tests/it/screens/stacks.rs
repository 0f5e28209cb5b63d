//! Many stacks: the list with its columns, search in all, the way into a stack and back.

use std::any::Any;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use stacklens::load::Input;
use stacklens::load::fleet::Roots;
use stacklens::tui::effect::Effect;
use stacklens::tui::jobs::Job;
use stacklens::tui::jobs::stacks::{ArrangeStacks, ListStacks, Listing};
use stacklens::tui::stacks::{Arranged, Arrangement, Contents, Key, Order, Request, StackRow};
use stacklens::tui::views::stacks::StacksView;
use tempfile::TempDir;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

/// A state with a server of this image, a database, and a note that is masked in every second state.
fn state(number: usize, image: &str) -> String {
    let masked = if number.is_multiple_of(2) {
        r#"[[{"type":"get_attr","value":"note"}]]"#
    } else {
        "[]"
    };
    format!(
        r#"{{"version":4,"terraform_version":"1.9.8","serial":1,"lineage":"lineage-{number}","outputs":{{}},"resources":[
{{"mode":"managed","type":"aws_instance","name":"web","provider":"provider[\"registry.terraform.io/hashicorp/aws\"]","instances":[
{{"schema_version":1,"attributes":{{"id":"i-{number}","ami":"{image}","tags":{{"team":"shop"}}}},"sensitive_attributes":[]}}]}},
{{"mode":"managed","type":"aws_db_instance","name":"db","provider":"provider[\"registry.terraform.io/hashicorp/aws\"]","instances":[
{{"schema_version":1,"attributes":{{"id":"db-{number}","arn":"arn:aws:rds:eu-west-1:1:db:db-{number}","note":"walrus-and-otter"}},"sensitive_attributes":{masked}}}]}}]}}"#
    )
}

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Six stacks in two teams, of which one is broken, with a copy and a twin.
fn fleet() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (number, name) in ["pay/dev", "pay/prod", "shop/dev", "shop/prod", "shop/stage"]
        .iter()
        .enumerate()
    {
        let image = if number.is_multiple_of(3) {
            "ami-0abc"
        } else {
            "ami-0def"
        };
        put(root, &format!("{name}.tfstate"), &state(number, image));
    }
    put(root, "shop/prod.tfstate.backup", &state(3, "ami-0old"));
    put(root, "pay/prod-again.json", &state(1, "ami-0def"));
    put(root, "pay/broken.tfstate", "{\"version\": 4, \u{1b}[2J");
    put(root, "readme.txt", "no stack");
    folder
}

fn open(folder: &TempDir, size: (u16, u16)) -> Session {
    Session::open_input(Input::folder(folder.path()), size)
}

fn line(session: &Session, of: &str) -> String {
    let text = session.text();
    let found = text.lines().find(|line| line.contains(of));
    found
        .unwrap_or_else(|| panic!("no line has {of}:\n{text}"))
        .to_owned()
}

#[test]
fn a_fleet_says_what_each_stack_is_and_counts_them() {
    let folder = fleet();
    let mut session = open(&folder, WIDE);
    session.shows("6 stacks · 1 broken · 1 older version · 1 twin");
    session.hides("readme");
    let row = line(&session, "shop/dev");
    assert!(
        row.contains("terraform state") && row.contains("1.9.8"),
        "{row}"
    );
    assert!(
        row.contains("2 resources") && row.contains("just now"),
        "{row}"
    );
    // The error takes the place of the columns, and nothing of it reaches the terminal raw.
    let row = line(&session, "pay/broken");
    assert!(row.contains("⚠ ") && !row.contains('\u{1b}'), "{row}");
    assert!(line(&session, "prod-again").contains("same as pay/prod"));
    // The copy is below its original.
    let text = session.text();
    let lines: Vec<_> = text.lines().collect();
    let original = lines
        .iter()
        .position(|it| it.contains("▾ shop/prod"))
        .unwrap();
    assert!(lines[original + 1].contains("prod.tfstate.backup  previous copy"));
}

#[test]
fn a_value_is_found_in_all_stacks_and_the_way_back_keeps_the_list() {
    let folder = fleet();
    let mut session = open(&folder, WIDE);
    session.keys("/=ami-0abc");
    session.shows("2 hits in 2 of 6 stacks").hides("shop/dev");
    // The first hit is selected. The backup has another image.
    assert!(session.cursor_line().contains("aws_instance.web"));
    session.keys("<Enter>").keys("j");
    let before = session.cursor_line();
    session
        .keys("k<Enter>")
        .shows("[1 Resources")
        .shows("ami-0abc");
    assert!(
        session.cursor_line_of_focus().contains("ami"),
        "{}",
        session.text()
    );
    session.keys("[").shows("2 hits in 2 of 6 stacks");
    session.keys("j");
    assert_eq!(session.cursor_line(), before);
    session.keys("<Esc>").shows("shop/dev").hides("hits in");
}

#[test]
fn masked_values_are_found_nowhere() {
    let folder = fleet();
    let mut session = open(&folder, WIDE);
    // Two of five states do not mask it; the twin of one of them does not count.
    session
        .keys("/=walrus-and-otter")
        .shows("2 hits in 2 of 6 stacks");
    session
        .shows("pay/prod")
        .shows("shop/prod")
        .hides("shop/stage");
}

#[test]
fn words_find_names_and_contents() {
    let folder = fleet();
    let mut session = open(&folder, WIDE);
    session.keys("/stage").shows("shop/stage").hides("pay/dev");
    session.shows("0 hits in 0 of 6 stacks");
    // A later text replaces the hits of an earlier one.
    session.keys("<Esc>/arn:aws:rds:eu-west-1:1:db:db-4<Enter>");
    session.shows("1 hit in 1 of 6 stacks").shows("shop/stage");
    session.keys("<Esc>/type:").shows("type");
    session
        .keys("<Esc>/old:x")
        .shows("works in the Changes view only");
}

#[test]
fn a_pattern_counts_only_what_it_hits_in_a_large_stack() {
    let folder = fleet();
    // Each of 100 resources may hold a password at some depth, for what the index knows.
    let resource = |at: usize| {
        let password = if at == 7 {
            r#""password":"walrus","#
        } else {
            ""
        };
        format!(
            r#"{{"mode":"managed","type":"a_b","name":"it{at}","provider":"provider[\"example.com/a/a\"]","instances":[
            {{"schema_version":0,"attributes":{{{password}"script":"{{\"a\": {at}}}"}}}}]}}"#
        )
    };
    let resources: Vec<_> = (0..100).map(resource).collect();
    let large = format!(
        r#"{{"version":4,"terraform_version":"1.9.8","serial":1,"lineage":"large","outputs":{{}},"resources":[{}]}}"#,
        resources.join(",")
    );
    put(folder.path(), "shop/large.tfstate", &large);
    let mut session = open(&folder, WIDE);
    session.keys("/**.password");
    session.shows("1 hit in 1 of 7 stacks").shows("a_b.it7");
    session.keys("<BS>s");
    session.shows("0 hits in 0 of 7 stacks");
}

#[test]
fn stacks_fold_by_folder_and_sort() {
    let folder = fleet();
    let mut session = open(&folder, WIDE);
    session.keys("t").shows("arranged: by folder");
    let heading = line(&session, "▾ shop");
    assert!(
        heading.contains("3 stacks") && heading.contains("6 resources"),
        "{heading}"
    );
    assert!(line(&session, "▾ pay").contains("⚠ 1 broken"));
    session
        .keys("zM")
        .hides("stage")
        .shows("▸ shop")
        .shows("▸ pay");
    session.keys("gg").keys("l").shows("▾");
    session.keys("jh");
    assert!(session.cursor_line().contains("▾"));
    session.keys("h").keys("zR").shows("prod.tfstate.backup");
    session.keys("tt").shows("one list");
    session.keys("s").shows("sorted by name").keys("gg");
    assert!(session.cursor_line().contains("pay/broken"));
    session.keys("sss").shows("sorted by size");
}

#[test]
fn two_marked_stacks_are_compared_and_the_list_is_kept() {
    let folder = fleet();
    let mut session = open(&folder, WIDE);
    session.keys("/pay/dev<Enter><Space><Esc>/shop/dev<Enter><Space>");
    session.shows("Enter compare pay/dev → shop/dev");
    session.keys("<Enter>").shows("[b Brief]");
    session.keys("[").shows("●");
}

#[test]
fn hostile_and_wide_names_stay_in_their_column() {
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        "a\u{1b}[31mred\u{7}.tfstate",
        &state(1, "ami-1"),
    );
    put(folder.path(), "日本語の状態.tfstate", &state(3, "ami-2"));
    let long = "long-".repeat(30);
    put(
        folder.path(),
        &format!("{long}.tfstate"),
        &state(5, "ami-3"),
    );
    for size in [WIDE, (80, 24), (40, 10), (20, 6), (6, 3), (1, 1)] {
        let mut session = open(&folder, size);
        let text = session.text();
        assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'));
        if size.0 >= 40 {
            session.shows("日本語の状態").shows("3 stacks");
            assert!(
                line(&session, "日本").contains("2 resources"),
                "{}",
                session.text()
            );
        }
        session.keys("/ami-2<Enter>").keys("jkt<Enter>[");
    }
}

#[test]
fn no_stack_and_one_stack() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = open(&folder, (80, 24));
    session.shows("0 stacks").shows("No stack here");
    session
        .keys("/x")
        .shows("No stack here")
        .keys("<Esc><Enter>zRzM");
    put(folder.path(), "only.tfstate", &state(1, "ami-1"));
    session.keys("R").shows("1 stack");
    session.keys("<Enter>").shows("web");
}

/// The trouble in the row of a file that is removed as soon as the first ones are found; `None` if it was read before that, or not
/// found.
fn trouble_of_removed() -> Option<String> {
    let folder = fleet();
    let roots = Roots::new([folder.path().to_owned()]);
    let mut stacks = StacksView::of(roots, Input::path(""), None);
    let Some(Effect::Start(cancel, job)) = stacks.next_job() else {
        panic!("the files have to be listed");
    };
    let job: Box<dyn Any> = job;
    let job = job.downcast::<ListStacks>().unwrap();
    job.run(&cancel, &mut |listing| {
        if matches!(listing, Listing::Found(..)) {
            let _ = fs::remove_file(folder.path().join("shop/dev.tfstate"));
        }
        stacks.take(listing);
    });
    let Some(Effect::Start(_, job)) = stacks.next_job() else {
        panic!("the rows have to be arranged");
    };
    let job: Box<dyn Any> = job;
    let ArrangeStacks(request) = *job.downcast().unwrap();
    let mut rows = request.rows.iter();
    let gone = rows.find(|row| row.member.name == "shop/dev")?;
    gone.trouble().map(str::to_owned)
}

#[test]
fn a_file_that_vanishes_while_the_list_is_read_is_a_row() {
    // Others read while it is removed, so it may have been read already.
    let trouble = (0..100).find_map(|_| trouble_of_removed());
    assert_eq!(trouble.as_deref(), Some("it is gone since it was listed"));
}

#[test]
fn several_files_are_a_list() {
    let folder = fleet();
    let files = ["pay/dev.tfstate", "shop/dev.tfstate", "missing.tfstate"];
    let roots = Roots::new(files.map(|file| folder.path().join(file)));
    let mut session = Session::open_input(Input::roots(roots), WIDE);
    session
        .shows("stacks in 3 places")
        .shows("pay/dev")
        .shows("shop/dev");
    assert!(line(&session, "missing").contains("⚠ no such file"));
}

#[test]
fn the_list_is_a_view_beside_those_of_the_file() {
    let folder = fleet();
    let mut session = open(&folder, WIDE);
    // A single tab is no choice.
    session.hides("gf Stacks");
    session.keys("s").shows("sorted by name").keys("jjj");
    session.keys("<Enter>").shows("[1 Resources");
    let line = session.text().lines().next().unwrap().to_owned();
    assert!(line.contains("gf Stacks"), "{line}");
    // The same key, the way back and Esc lead to the view before.
    for back in ["gf", "[", "<Esc>"] {
        session.keys("3gf").shows("[gf Stacks]").shows("6 stacks");
        assert!(
            session.cursor_line().contains("prod-again"),
            "{}",
            session.text()
        );
        session.keys(back).shows("[3 Outputs]");
    }
    // Marks and order stay while another file is opened.
    session.keys("gfgg<Space>j<Enter>").shows("[1 Resources");
    session.keys("gf").shows("●").shows("1 marked");
    assert!(session.cursor_line().contains("pay/prod"));
    session.keys("?").shows("go to a stack that it reads");
    session
        .keys("<Esc>:sort<Enter>")
        .shows("sorted by resources");
    let mut session = open(&folder, (80, 24));
    session.keys("<Enter>");
    let line = session.text().lines().next().unwrap().to_owned();
    assert!(line.contains(" gf "), "{line}");
}

/// The keys of the rows in their order, as far as they are read, while the list is not complete.
fn keys_while_read(rows: Vec<StackRow>, order: Order, arrangement: Arrangement) -> Vec<Key> {
    let arranged = Arranged::new(&Request {
        rows: Arc::new(rows.into_iter().map(Arc::new).collect()),
        hits: Arc::default(),
        filter: String::new(),
        order: order.until_read(),
        arrangement,
        now: 0,
        is_read: false,
    });
    arranged.branches.into_iter().map(|it| it.key).collect()
}

#[test]
fn no_row_moves_while_the_stacks_are_read() {
    let folder = fleet();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    // A plan whose name does not tell that it is one, and stacks of a project.
    for (from, name) in [
        ("tfplan-json/shop.json", "pay/release.txt"),
        ("pulumi-state/shop.json", "pay/other.json"),
    ] {
        fs::copy(corpus.join(from), folder.path().join(name)).unwrap();
    }
    let roots = Roots::new([folder.path().to_owned()]);
    let mut stacks = StacksView::of(roots, Input::path(""), None);
    let Some(Effect::Start(cancel, job)) = stacks.next_job() else {
        panic!("the files have to be listed");
    };
    let job: Box<dyn Any> = job;
    let mut rows = Vec::new();
    let job = job.downcast::<ListStacks>().unwrap();
    job.run(&cancel, &mut |listing| {
        if let Listing::Found(found, _) = listing {
            rows.extend(found);
        }
    });
    let (unread, mut read): (Vec<_>, Vec<_>) = rows
        .into_iter()
        .partition(|row| row.contents == Contents::Unread);
    read.sort_by_key(|row| {
        unread
            .iter()
            .position(|it| it.member.place == row.member.place)
    });
    assert!(read.len() == unread.len() && read.len() > 8);
    for arrangement in [
        Arrangement::List,
        Arrangement::Folders,
        Arrangement::Projects,
    ] {
        let mut order = Order::default();
        for _ in 0..5 {
            assert_eq!(
                keys_while_read(read.clone(), order, arrangement),
                keys_while_read(unread.clone(), order, arrangement),
                "{order:?} {arrangement:?}"
            );
            order = order.next();
        }
    }
}

#[test]
fn esc_clears_the_search_and_the_marks_before_the_list_is_left() {
    let folder = fleet();
    let mut session = open(&folder, WIDE);
    session.keys("/pay/dev<Enter><Enter>").shows("[1 Resources");
    session.keys("gf<Esc><Space>/dev<Enter>");
    session.shows("2 names · 0 hits").shows("●");
    session.keys("<Esc>").hides("names ·").shows("●");
    session.keys("<Esc>").shows("marks cleared").hides("●");
    session.keys("<Esc>").shows("[1 Resources");
}

#[test]
fn a_file_that_does_not_open_is_not_compared() {
    let folder = fleet();
    let mut session = open(&folder, WIDE);
    session.keys("/broken<Enter><Space>").shows("1 marked");
    session.keys("<Esc>/shop/dev<Enter><Space>");
    session.shows("pay/broken does not open, so it cannot be compared");
    session.shows("1 marked").hides("Enter compare");
}

#[test]
fn a_comparison_says_which_file_is_older_and_why() {
    let folder = fleet();
    let newer = state(3, "ami-0new").replace("\"serial\":1", "\"serial\":7");
    put(folder.path(), "shop/prod.tfstate", &newer);
    let mut session = open(&folder, WIDE);
    session.keys("/shop/prod<Enter><Space><Space>");
    session.shows("prod.tfstate.backup → shop/prod · older first, by serial");
}

#[test]
fn the_sorted_column_is_marked_and_shown() {
    let folder = fleet();
    let long = format!("{}.tfstate", "a-long-name-".repeat(8));
    put(folder.path(), &long, &state(7, "ami-1"));
    for size in [WIDE, (80, 24)] {
        let mut session = open(&folder, size);
        session.shows("last change ↓");
        session.keys("s").shows("name ↑").hides("last change ↓");
        session.keys("s").shows("resources ↓");
        session.keys("ss").shows("size ↓");
    }
}

#[test]
fn the_header_above_the_list_is_about_the_list() {
    let folder = fleet();
    let mut session = open(&folder, (160, 40));
    session.keys("/pay/dev<Enter><Enter>").shows("[1 Resources");
    session.keys("gf").shows("stacks in ").shows("dev is open");
    session.keys("x").shows("Enter opens the selected stack");
    session.resize(80, 24);
    session.keys("gf").shows("gf Stacks").shows("[ back");
}
