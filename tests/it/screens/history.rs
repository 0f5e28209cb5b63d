//! Folders: choosing a file, the history of a stack, and the time at which a value changed.

use std::path::{Path, PathBuf};

use stacklens::load::Input;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

fn backend() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/backend")
}

fn dev() -> Session {
    Session::open("backend/.pulumi/stacks/shop/dev.json", WIDE)
}

#[test]
fn a_backend_lists_its_stacks_and_opens_one() {
    let mut session = Session::open_input(Input::folder(backend()), WIDE);
    session
        .shows("blog/dev")
        .shows("shop/dev")
        .shows("shop/prod");
    session.shows("previous copy").shows("3 stacks");
    session.keys("/shop/prod<Enter><Enter>");
    session.shows("shop/prod").shows("orders");
    // Back to the list, on the file that is open.
    session.keys("gf");
    assert!(session.cursor_line().contains("shop/prod"));
    session.keys("<Esc>").shows("blog/dev");
    session.keys("<Esc>").hides("blog/dev");
}

#[test]
fn the_list_stays_until_something_is_open() {
    let mut session = Session::open_input(Input::folder(backend()), WIDE);
    for key in ["<Esc>", "gf", "1", "b", "3", "x", "D", "gh", "go"] {
        session
            .keys(key)
            .shows("nothing is open: open a stack first");
        session.shows("shop/prod");
    }
    session.keys("[").shows("no stack before this one");
    let nowhere = backend().join("nowhere");
    let mut session = Session::open_input(Input::folder(nowhere), (80, 24));
    session.shows("no such file").keys("<Enter><Esc>");
}

#[test]
fn two_files_that_are_marked_are_compared_the_older_one_first() {
    let folder = tempfile::tempdir().unwrap();
    let stacks = folder.path().join(".pulumi/stacks/shop");
    std::fs::create_dir_all(&stacks).unwrap();
    for file in ["dev.json.bak", "dev.json"] {
        let from = backend().join(".pulumi/stacks/shop").join(file);
        std::fs::copy(from, stacks.join(file)).unwrap();
    }
    let mut session = Session::open_input(Input::folder(folder.path().to_owned()), WIDE);
    session.keys("<Space>").shows("●");
    session
        .keys("<Space>")
        .shows("Enter compare .pulumi/stacks/shop/dev.json.bak → shop/dev");
    session.keys("<Enter>").shows("[b Brief]").shows("jobs");
    session.keys("2").shows("[2 Changes");
    // The copy had the queue, the state does not.
    session.shows("- jobs").shows("~ orders");
    session.keys("jj").shows("100 → 200");
}

#[test]
fn workspaces_and_backups_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let state = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/tfstate/shop.tfstate");
    for file in [
        "terraform.tfstate.d/blue/terraform.tfstate",
        "terraform.tfstate.d/green/terraform.tfstate",
        "terraform.tfstate.backup",
        "next.tfplan",
    ] {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(&state, path).unwrap();
    }
    let mut session = Session::open_input(Input::folder(folder.path().to_owned()), WIDE);
    session
        .shows("blue")
        .shows("green")
        .shows("terraform.tfstate.backup  previous copy");
    // The contents decide, not the name.
    session.shows("next").shows("terraform state");
    session
        .keys("/green<Enter><Enter>")
        .shows("[1 Resources")
        .keys("gf");
    assert!(session.cursor_line().contains("green"));
}

/// A folder with a state, a plan, a damaged state, an encrypted one, and files that are nothing of the kind.
fn mixed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let state = std::fs::read(own.join("tfstate/shop.tfstate")).unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    put("terraform.tfstate", &state);
    let other = String::from_utf8_lossy(&state).replace("\"lineage\": \"", "\"lineage\": \"cut-");
    put("cut.tfstate", &other.as_bytes()[..other.len() / 2]);
    put("broken.tfstate", b"not JSON at all");
    put("locked.tfstate", br#"{"meta":{"key_provider.pbkdf2.a":"e30="},"encrypted_data":"AAAA","encryption_version":"v0"}"#);
    put(
        "release.txt",
        &std::fs::read(own.join("tfplan-json/shop.json")).unwrap(),
    );
    put("package.json", br#"{"name":"x"}"#);
    folder
}

#[test]
fn a_folder_says_what_each_file_contains() {
    for size in [WIDE, (80, 24)] {
        let folder = mixed();
        let mut session = Session::open_input(Input::folder(folder.path().to_owned()), size);
        session.shows("5 stacks").hides("package.json");
        let text = session.text();
        let line = |name: &str| {
            let is_of = |line: &&str| {
                let row = line.trim_start_matches(['│', '▶', ' ']);
                row.starts_with(name)
            };
            text.lines().find(is_of).unwrap()
        };
        assert!(line("terraform ").contains("8 resources"));
        assert!(line("cut ").contains("⚠ cut off"));
        assert!(line("broken ").contains("⚠ this is"));
        assert!(line("locked ").contains("encrypted"));
        let plan = line("release.txt");
        assert!(
            plan.contains("terraform plan") && plan.contains('+'),
            "{plan}"
        );
        // The plan records its time.
        assert!(plan.contains(" ago"), "{plan}");
    }
}

#[test]
fn files_of_two_tools_are_not_compared_and_back_leads_to_the_folder() {
    let folder = mixed();
    let pulumi = backend().join(".pulumi/stacks/shop/dev.json");
    std::fs::copy(pulumi, folder.path().join("dev.json")).unwrap();
    let mut session = Session::open_input(Input::folder(folder.path().to_owned()), WIDE);
    session.keys("/dev.json<Enter><Space><Esc>/terraform.tfstate<Enter><Space>");
    session.shows("Enter compare").keys("<Enter>");
    session
        .shows("cannot be compared")
        .shows("terraform.tfstate");
    session.keys("<Space><Enter>").shows("[1 Resources");
    session.keys("[").shows("/ terraform.tfstate");
    assert!(session.cursor_line().contains("terraform"));
}

#[test]
fn a_file_that_does_not_open_names_the_keys_that_lead_on() {
    let folder = mixed();
    let mut session = Session::open_path(folder.path().join("broken.tfstate"), WIDE);
    session.shows("R try again · gf files in this folder · q quit");
    session.keys("gf").shows("5 stacks");
}

#[test]
fn the_selected_file_of_a_folder_says_why_it_does_not_open() {
    let folder = mixed();
    let mut session = Session::open_input(Input::folder(folder.path().to_owned()), WIDE);
    session
        .keys("/broken<Enter>")
        .shows("0 hits in 0 of 5 stacks");
    session.shows("broken.tfstate: this is").keys("<Esc>");
    session.shows("5 stacks").shows("locked");
    session.keys("/nothing like it").shows("nothing found");
    session
        .keys("<Esc>")
        .shows("5 stacks")
        .keys("<Esc>")
        .shows("nothing is open");
}

#[test]
fn the_history_is_stepped_through_as_differences() {
    let mut session = dev();
    session.keys("gh").shows("update 5 of 5").shows("[●]");
    session.shows("update · succeeded · 61 s · 1 delete, 1 update · more storage, again");
    session
        .shows("[2 Changes")
        .shows("- jobs")
        .shows("~ orders");
    // The state after a failed update was not kept.
    session.keys("<Left>").shows("update 4 of 5").shows("[✗]");
    session.shows("the state after this update is not stored");
    session
        .hides("jobs")
        .hides("open a plan")
        .hides("checkpoint");
    session
        .keys("<Left>")
        .shows("update 3 of 5")
        .shows("refresh · succeeded");
    session
        .shows("~ orders")
        .hides("jobs")
        .shows("\"b\" → \"c\"");
    session
        .keys("((")
        .shows("update 1 of 5")
        .shows("first version");
    session.shows("+ main").shows("+ orders");
    session.keys("<Left>").shows("the oldest stored update");
    session
        .keys("<Right>")
        .shows("update 2 of 5")
        .shows("+ jobs");
    session
        .keys("<Esc>")
        .shows("the history is closed")
        .hides("update 2 of 5");
    session.shows("[1 Resources").shows("shop-dev");
}

#[test]
fn the_newest_update_has_none_behind_it() {
    let mut session = dev();
    session.keys("gh<Right>").shows("this is the newest update");
    session.keys("gh").shows("the history is closed");
}

#[test]
fn a_file_outside_of_a_backend_has_no_history() {
    let mut session = Session::open("pulumi-state/shop.json", WIDE);
    session.keys("gh").shows("no history").hides("update 1");
    session
        .keys("gl")
        .shows("no history: the file")
        .keys("<Esc>");
    session.hides("no history: the file");
}

#[test]
fn a_value_tells_when_it_last_changed() {
    let mut session = dev();
    session.keys("guorders<Enter><Tab>");
    session.keys("gl").shows("Last changed · orders outputs");
    session
        .shows("2025-10-14 00:00 UTC")
        .shows("update 5")
        .shows("more storage, again");
    session.shows("100 → 200").shows("4 states");
    session.shows("in the oldest stored state");
    // To the update that changed the value.
    session.keys("<Enter>").shows("update 5 of 5");
    assert!(session.cursor_line().contains("~ orders"));
    session.shows("100 → 200");
    // While stepping on, the resource stays selected wherever it changes.
    session
        .keys("((")
        .shows("update 3 of 5")
        .shows("\"b\" → \"c\"");
    session.keys("(").shows("update 2 of 5");
    assert!(session.cursor_line().contains("~ orders"));
    session.keys("<Esc><Esc>").shows("[1 Resources");
}

#[test]
fn secrets_of_the_past_stay_masked() {
    let mut session = dev();
    session.keys("guorders<Enter><Tab>/@password<Enter>gl");
    session
        .shows("[secret]  ciphertext changed (value may be the same)")
        .hides("v1:")
        .hides("c2Vj");
    session
        .keys("<Enter>")
        .shows("[secret] → [secret]")
        .hides("v1:");
}

#[test]
fn the_timeline_fits_a_common_screen() {
    let mut session = Session::open("backend/.pulumi/stacks/shop/dev.json", (80, 24));
    session
        .keys("gh")
        .shows("update 5 of 5")
        .shows("[●]")
        .shows("- jobs");
    session
        .resize(40, 10)
        .keys("<Left><Left>")
        .hides("update 3");
    session
        .shows("orders")
        .resize(120, 40)
        .shows("update 3 of 5");
}

#[test]
fn changes_of_the_history_did_happen() {
    let mut session = dev();
    session.keys("gh").hides("differs").hides("only in");
    session.shows("- jobs · was deleted").shows("deleted");
    session.keys("j").shows("was updated").shows("updated");
    // The first update created the whole stack.
    session.keys("<Left><Left><Left><Left>");
    session.shows("update 1 of 5").shows("was created");
    session.hides("only in new").hides("will be");
    // A comparison of two files says nothing about what happened.
    session.keys("gh").hides("was created");
}

/// A Terraform state of the lineage `lineage` with a database of this size.
fn version(lineage: &str, serial: u32, size: u32) -> String {
    format!(
        r#"{{"version": 4, "terraform_version": "1.9.{serial}", "serial": {serial}, "lineage": "{lineage}", "outputs": {{}}, "resources": [
        {{"mode": "managed", "type": "aws_db_instance", "name": "main", "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
        "instances": [{{"schema_version": 2, "attributes": {{"id": "db-1", "allocated_storage": {size}, "password": "hunter{size}"}},
        "sensitive_attributes": [[{{"type": "get_attr", "value": "password"}}]]}}]}}]}}"#
    )
}

/// A folder with these files.
fn made(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn a_state_and_its_backup_are_a_history() {
    let folder = made(&[
        ("terraform.tfstate", version("a", 7, 200)),
        ("terraform.tfstate.backup", version("a", 6, 100)),
        (
            "terraform.tfstate.d/blue/terraform.tfstate",
            version("b", 3, 1),
        ),
    ]);
    let mut session = Session::open_path(folder.path().join("terraform.tfstate"), WIDE);
    session.keys("gh").shows("version 2 of 2").shows("serial 7");
    session
        .shows("by 1.9.7 · terraform.tfstate")
        .shows("100 → 200");
    session.shows("[secret]").hides("hunter");
    session.keys("<Right>").shows("this is the newest version");
    // Serial 6 was not the first one: what it changed is not known.
    session
        .keys("<Left>")
        .shows("version 1 of 2")
        .shows("serial 6");
    session.shows("no older version is here: nothing to compare");
    session.keys("<Esc>").shows("the history is closed");
    session
        .keys("<Tab>/@allocated_storage<Enter>gl")
        .shows("serial 7")
        .shows("100 → 200");
    session.shows("2 states").keys("<Esc>/@password<Enter>gl");
    session.shows("[secret] → [secret]").hides("hunter");
    // The workspace has a lineage of its own.
    let blue = "terraform.tfstate.d/blue/terraform.tfstate";
    let mut session = Session::open_path(folder.path().join(blue), WIDE);
    session.keys("gh").shows("no history");
}

#[test]
fn states_of_one_lineage_are_one_row_with_versions() {
    let folder = made(&[
        ("v1.tfstate", version("a", 1, 100)),
        ("v2.tfstate", version("a", 2, 200)),
        ("v3.json", version("a", 3, 300)),
        ("other.tfstate", version("b", 9, 1)),
    ]);
    let mut session = Session::open_input(Input::folder(folder.path().to_owned()), WIDE);
    session.shows("2 stacks · 2 older versions");
    session.shows("v3  3 versions").hides("v2.tfstate");
    session.keys("/v3<Enter>").keys("<Esc>");
    session
        .keys("zR")
        .shows("v1.tfstate  serial 1")
        .shows("v2.tfstate  serial 2");
    session.keys("/v3<Enter><Enter>").shows("[1 Resources");
    session
        .keys("gh")
        .shows("version 3 of 3")
        .shows("200 → 300");
    session.keys("((").shows("version 1 of 3").shows("+ main");
}

#[test]
fn versions_with_the_same_serial_say_so() {
    let folder = made(&[
        ("a.tfstate", version("a", 4, 100)),
        ("b.tfstate", version("a", 4, 200)),
        ("c.tfstate", version("a", 4, 200)),
        ("old.tfstate", version("a", 3, 50)),
    ]);
    let mut session = Session::open_input(Input::folder(folder.path().to_owned()), WIDE);
    session.shows("2 stacks · 1 older version · 1 twin");
    session
        .shows("a  serial 4 differs")
        .shows("b  serial 4 differs")
        .shows("c  3 versions  same as b");
    session.keys("/a.tfstate<Enter><Enter>gh").shows("of 3");
    session.shows("other contents than a.tfstate");
}

#[test]
fn the_versions_in_an_archive_are_a_history() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("states.tar");
    let mut archive = tar::Builder::new(std::fs::File::create(&path).unwrap());
    for (name, text) in [
        ("old/v1.tfstate", version("a", 1, 100)),
        ("old/v2.tfstate", version("a", 2, 200)),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mtime(1_760_000_000);
        archive
            .append_data(&mut header, name, text.as_bytes())
            .unwrap();
    }
    archive.finish().unwrap();
    let mut session = Session::open_input(Input::folder(path), WIDE);
    session
        .shows("1 stack · 1 older version")
        .shows("old/v2  2 versions");
    session.keys("<Enter>").shows("[1 Resources").keys("gh");
    session
        .shows("version 2 of 2")
        .shows("100 → 200")
        .shows("2025-10-09");
    session
        .keys("<Esc><Tab>/@allocated_storage<Enter>gl")
        .shows("serial 2")
        .shows("100 → 200");
}
