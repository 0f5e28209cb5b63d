//! Reading a file again after it became a different one: no data of the old file is taken for data of the new one, whatever is on
//! the screen, however the file arrives, and whatever was requested before.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::harness::Session;
use super::monkey::{Dice, Keys, play};

const WIDE: (u16, u16) = (120, 40);

/// A state that can be rewritten: every resource depends on the one before it, and has its name in its outputs.
struct Rewritten {
    _folder: TempDir,
    path: PathBuf,
}

impl Rewritten {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        Self {
            _folder: folder,
            path,
        }
    }

    fn write(&self, names: &[String]) {
        let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
        let mut resources = vec![
            r#"{"urn":"urn:pulumi:s::p::pulumi:pulumi:Stack::p-s","type":"pulumi:pulumi:Stack","outputs":{"o":1}}"#.to_owned(),
        ];
        for (index, name) in names.iter().enumerate() {
            let needed = match index {
                0 => String::new(),
                _ => format!("\"{}\"", urn(&names[index - 1])),
            };
            resources.push(format!(
                r#"{{"urn":"{}","custom":true,"type":"k:m:T","id":"id-{name}","parent":"urn:pulumi:s::p::pulumi:pulumi:Stack::p-s","outputs":{{"is":"value-of-{name}","b":{{"c":[1,2]}},"p":{{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"hunter2hunter2"}}}},"dependencies":[{needed}],"propertyDependencies":{{"b":[{needed}]}}}}"#,
                urn(name),
            ));
        }
        let text = format!(
            r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
            resources.join(",")
        );
        fs::write(&self.path, text).unwrap();
    }
}

fn names(prefix: &str, n: usize) -> Vec<String> {
    (0..n).map(|index| format!("{prefix}{index:03}")).collect()
}

/// Checks that all cached data of a resource belongs to the resource that it is shown for.
#[track_caller]
fn fits(session: &Session, played: &str) {
    let app = &session.app;
    let stack = app.session.stack();
    for id in stack.ids() {
        if let Some(resource) = app.session.resources.get(id) {
            assert_eq!(resource.urn, stack.urn(id), "{played}");
        }
    }
    let deps = app
        .views
        .deps
        .center()
        .into_iter()
        .chain(app.views.deps.neighbor());
    let marks = app.session.marks.iter().copied();
    let known = marks.chain(app.session.reviewed_resources());
    let shown = [
        app.views.resources.detail.id(),
        app.views.changes.difference.subject,
        app.selected(),
    ];
    for id in deps.chain(known).chain(shown.into_iter().flatten()) {
        assert!(id.index() < stack.len(), "{played}");
    }
    if let (Some(id), Some(resource)) = (
        app.views.resources.detail.id(),
        app.views.resources.detail.read(),
    ) {
        assert_eq!(resource.urn, stack.urn(id), "{played}");
    }
}

/// Keys that open a part of the screen with ids, each with a part of its contents.
const PLACES: [&str; 16] = [
    "1<wait>",
    "2<wait>",
    "3<wait>",
    "4<wait>",
    "5<wait>",
    "4<wait>d",
    "4<wait>u",
    "4<wait>D",
    "4<wait>U",
    "1<wait>gi",
    "1<wait>/is",
    "1<wait>/value<Enter>n",
    "1<wait>fis<Enter>",
    "1<wait>l<Tab>jy",
    "1<wait> j j j",
    "1<wait>d[",
];

#[test]
fn every_view_stands_a_reload_that_arrives_in_pieces() {
    for place in PLACES {
        for after in [1, 40] {
            let file = Rewritten::new();
            file.write(&names("old", 300));
            let mut session = Session::open_path(file.path.clone(), WIDE);
            session.keys("Gk").keys(place);
            session.text();
            let mut shrunk = names("old", 300).split_off(300 - after);
            shrunk.reverse();
            shrunk.insert(0, "new".to_owned());
            file.write(&shrunk);
            session.hold().keys("<Esc>").keys("R");
            // Requested of the old stack, answered after the new one has arrived.
            session.keys("1<wait>kl").keys(place);
            for _ in 0..4 {
                session.deliver(1);
                session.text();
                fits(&session, place);
            }
            while session.n_late() > 0 {
                session.answer(0);
                session.text();
                fits(&session, place);
            }
            session.settle();
            session.text();
            fits(&session, place);
        }
    }
}

#[test]
fn answers_about_the_old_file_are_dropped() {
    let file = Rewritten::new();
    file.write(&names("a", 5));
    let mut session = Session::open_path(file.path.clone(), WIDE);
    let mut reversed = names("a", 5);
    reversed.reverse();
    file.write(&reversed);
    session.keys("Gk").shows("▸ a004");
    // Between `R` and the first piece, the old file is on the screen, and names are searched for in it.
    session.hold().keys("Rgua004<Enter>");
    assert!(session.n_late() > 0);
    session.deliver(usize::MAX);
    while session.n_late() > 0 {
        session.answer(0);
        fits(&session, "R");
        // Another resource is now at the position of `a004`.
        let selected = session.app.selected();
        assert_ne!(
            selected.map(|id| session.app.session.stack().name(id)),
            Some("a000")
        );
    }
    session.keys("<Esc>");
    let line = session.cursor_line();
    assert!(line.contains("a004"), "{line}");
    for name in &reversed {
        session.keys(&format!("gu{name}<Enter>")).settle();
        session
            .keys("l")
            .settle()
            .shows(&format!("value-of-{name}"));
    }
}

#[test]
fn reading_again_twice_loses_no_marks() {
    let file = Rewritten::new();
    file.write(&names("a", 5));
    let mut session = Session::open_path(file.path.clone(), WIDE);
    session.keys("j j ");
    let n_marks = session.app.session.marks.len();
    assert_eq!(n_marks, 2);
    session.hold().keys("R");
    session.deliver(2);
    session.keys("R").settle();
    assert_eq!(session.app.session.marks.len(), n_marks);
}

#[test]
fn any_keys_while_a_file_is_rewritten() {
    for seed in 1..=10_u64 {
        let mut dice = Dice::new(seed);
        let file = Rewritten::new();
        file.write(&names("old", 1 + dice.roll(400)));
        let mut session = Session::open_path(file.path.clone(), WIDE);
        session.hold();
        let mut played = String::new();
        for _ in 0..120 {
            match dice.roll(8) {
                0 => {
                    let mut names = names(["old", "new"][dice.roll(2)], 1 + dice.roll(400));
                    let n = names.len();
                    names.rotate_left(dice.roll(n));
                    file.write(&names);
                    played.push_str("<Esc>R");
                    session.keys("<Esc>R");
                }
                1 | 2 => session.deliver(1),
                3 | 4 if session.n_late() > 0 => {
                    let at = dice.roll(session.n_late());
                    session.answer(at);
                }
                5 => drop(session.settle()),
                _ => drop(play(&mut session, Keys::Masked, &mut dice, &mut played)),
            }
            fits(&session, &played);
            let text = session.text();
            assert!(!text.contains("hunter2"), "{played}\n{text}");
        }
    }
}

#[test]
fn the_ripple_asks_once_for_what_cannot_be_read_any_more() {
    let file = Rewritten::new();
    file.write(&names("a", 5));
    let mut session = Session::open(file.path.to_str().unwrap(), WIDE);
    file.write(&names("b", 6));
    session
        .keys("gua000<Enter>gi")
        .shows("What happens")
        .shows("a001");
}

#[test]
fn dependencies_that_cannot_be_read_are_asked_for_once() {
    let file = Rewritten::new();
    file.write(&names("a", 9));
    let mut session = Session::open(file.path.to_str().unwrap(), WIDE);
    file.write(&names("b", 3));
    session.keys("gua004<Enter>4").shows("the file changed");
    // Another answer would replace what the command says.
    session.keys("s").shows("not in this view");
}

#[test]
fn causes_that_cannot_be_read_are_not_called_unknown_to_the_file() {
    let file = Rewritten::new();
    let change = |name: &str| {
        format!(
            r#"{{"address":"lab_flask.{name}","mode":"managed","type":"lab_flask","name":"{name}","provider_name":"example.com/a/lab",
                "change":{{"actions":["update"],"before":{{"size":1}},"after":{{"size":2}},"after_unknown":{{}},
                "before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        )
    };
    let plan = |n: usize| {
        let changes: Vec<String> = (0..n)
            .map(|index| change(&format!("f{index:02}")))
            .collect();
        format!(
            r#"{{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{{"root_module":{{}}}},"resource_changes":[{}]}}"#,
            changes.join(",")
        )
    };
    fs::write(&file.path, plan(40)).unwrap();
    let mut session = Session::open(file.path.to_str().unwrap(), (120, 12));
    session.keys("2ttt<wait>r").hides("could not be read");
    fs::write(&file.path, plan(3)).unwrap();
    session
        .keys("<Esc>Gr")
        .shows("this change could not be read");
}

#[test]
fn a_review_outlives_a_reload_of_what_is_the_same_only() {
    let file = Rewritten::new();
    let plan = fs::read("tests/corpus/tfplan-json/shop.json").unwrap();
    fs::write(&file.path, &plan).unwrap();
    let mut session = Session::open(file.path.to_str().unwrap(), WIDE);
    session.keys("b^n  ").shows("2/1");
    session.keys("R").shows("read again").shows("2/1");
    fs::write(&file.path, [&plan[..], b"\n"].concat()).unwrap();
    session.keys("R").shows("nothing moved").shows("2/1");
    let written_anew = String::from_utf8(plan)
        .unwrap()
        .replace("\"change\":", "\"change\" :");
    fs::write(&file.path, written_anew).unwrap();
    session
        .keys("R")
        .shows("the review begins anew")
        .shows("0/1");
}

#[test]
fn after_a_reload_the_page_says_what_moved_and_n_goes_through_it() {
    let file = Rewritten::new();
    let mut of_file = names("r", 4);
    file.write(&of_file);
    let mut session = Session::open(file.path.to_str().unwrap(), WIDE);
    session.keys("b").hides("since it was read before");
    session.keys("R").shows("read again · nothing moved");
    session.hides("since it was read before");
    // The last one needs another one, too.
    of_file.remove(2);
    of_file.push("added".to_owned());
    file.write(&of_file);
    session
        .keys("R")
        .shows("read again · 1 new, 1 gone, 1 differ · n go through them")
        .shows("since it was read before: 1 new, 1 gone, 1 differ");
    session
        .keys("1n")
        .shows("[1/2] is:fresh")
        .shows("value-of-r003");
    session
        .keys("n")
        .shows("[2/2] is:fresh")
        .shows("value-of-added");
    session
        .keys("fis:fresh<Enter>")
        .shows("filtered to 2 resources");
}
