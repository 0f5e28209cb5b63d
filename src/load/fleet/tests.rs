use std::fs;
use std::io::Write as _;
use std::sync::Mutex;

use super::*;

/// A state of Terraform with one resource.
fn state(lineage: &str, serial: u32, ami: &str) -> String {
    format!(
        r#"{{"version":4,"terraform_version":"1.9.0","serial":{serial},"lineage":"{lineage}","outputs":{{}},"resources":[
        {{"mode":"managed","type":"aws_instance","name":"web","provider":"provider[\"registry.terraform.io/hashicorp/aws\"]",
        "instances":[{{"schema_version":1,"attributes":{{"ami":"{ami}","id":"i-{lineage}"}}}}]}}]}}"#
    )
}

struct Made(tempfile::TempDir);

impl Made {
    fn new(files: &[(&str, &str)]) -> Self {
        let made = Self(tempfile::tempdir().unwrap());
        for (name, contents) in files {
            made.write(name, contents.as_bytes());
        }
        made
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn fleet(places: impl IntoIterator<Item = PathBuf>, copies: Copies) -> Fleet {
    Fleet {
        roots: Roots::new(places),
        like: Input::path("-"),
        copies,
    }
}

/// A line for each answer.
fn told(fleet: &Fleet) -> (Vec<String>, Ended) {
    let mut told = Vec::new();
    let ended = fleet.ask(
        &AtomicBool::new(false),
        &|opened| opened.ask(|document| document.stack.len()),
        &mut |member, answer| {
            let name = &member.name;
            let twin = member.twin.map(|it| format!(" = {it}")).unwrap_or_default();
            told.push(match answer {
                Answer::Done(n) => format!("{name}: {n}{twin}"),
                Answer::Left => format!("{name}: left"),
                Answer::Failed(error) => format!("{name}: {error}"),
            });
            ControlFlow::Continue(())
        },
    );
    (told, ended)
}

#[track_caller]
fn check(fleet: &Fleet, want: &[&str]) -> Ended {
    let (told, ended) = told(fleet);
    assert_eq!(told, want);
    ended
}

#[test]
fn members_come_in_the_order_of_names_and_what_is_no_state_is_none() {
    let made = Made::new(&[
        ("b/terraform.tfstate", &state("b", 1, "ami-1")),
        ("a.json", &state("a", 1, "ami-1")),
        ("a.json.bak", &state("a", 0, "ami-1")),
        ("b/terraform.tfstate.backup", &state("b", 0, "ami-1")),
        ("package.json", r#"{"name": "x"}"#),
        ("notes.md", "# notes\n\n{braces}\n"),
        ("empty.txt", ""),
        ("c/.terraform/terraform.tfstate", "{}"),
        (
            "c/schemas.json",
            r#"{"format_version":"1.0","provider_schemas":{}}"#,
        ),
    ]);
    let all = fleet([made.0.path().to_path_buf()], Copies::Leave);
    let ended = check(
        &all,
        &[
            "a: 1",
            "a.json.bak: left",
            "b: 1",
            "b/terraform.tfstate.backup: left",
        ],
    );
    assert_eq!(ended.n_others, 4);
    let all = fleet([made.0.path().to_path_buf()], Copies::Ask);
    check(
        &all,
        &[
            "a: 1",
            "a.json.bak: 1",
            "b: 1",
            "b/terraform.tfstate.backup: 1",
        ],
    );
}

#[test]
fn an_error_is_one_members() {
    let made = Made::new(&[
        ("a.tfstate", "no state"),
        ("b.tfstate", &state("b", 1, "ami-1")),
        (
            "c.json",
            r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"#,
        ),
        ("d.tfstate", ""),
    ]);
    let places = ["a.tfstate", "b.tfstate", "c.json", "d.tfstate", "gone.json"];
    let (told, _) = told(&fleet(places.map(|name| made.at(name)), Copies::Ask));
    assert_eq!(told.len(), 5);
    assert!(told[0].contains("text that is not JSON"), "{told:?}");
    assert_eq!(told[1], "b: 1");
    assert!(told[2].contains("c.json"), "{told:?}");
    assert!(told[3].contains("an empty file"), "{told:?}");
    assert!(told[4].starts_with("gone: "), "{told:?}");
}

#[test]
fn a_file_that_vanishes_after_the_list_is_an_error_of_its_own() {
    let names: Vec<String> = (0..3 * WINDOW).map(|n| format!("{n:04}.tfstate")).collect();
    let made = Made::new(&[]);
    for name in &names {
        made.write(name, state(name, 1, "ami-1").as_bytes());
    }
    let last = made.at(&names[names.len() - 1]);
    let all = fleet(names.iter().map(|name| made.at(name)), Copies::Ask);
    let mut failed = Vec::new();
    all.ask(
        &AtomicBool::new(false),
        &|opened| opened.ask(|_| ()),
        &mut |member, answer| {
            if member.number == 0 {
                fs::remove_file(&last).unwrap();
            }
            if let Answer::Failed(error) = answer {
                failed.push((member.number, error.to_string()));
            }
            ControlFlow::Continue(())
        },
    );
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].0, names.len() - 1);
}

#[test]
fn a_panic_ends_one_answer() {
    let made = Made::new(&[
        ("a.tfstate", &state("a", 1, "ami-1")),
        ("b.tfstate", &state("b", 1, "ami-1")),
    ]);
    let all = fleet([made.0.path().to_path_buf()], Copies::Ask);
    let mut answers = Vec::new();
    all.ask(
        &AtomicBool::new(false),
        &|opened| {
            assert!(
                !opened.place().to_string().ends_with("a.tfstate"),
                "on purpose"
            );
            opened.ask(|_| ())
        },
        &mut |_, answer| {
            answers.push(matches!(answer, Answer::Done(())));
            ControlFlow::Continue(())
        },
    );
    assert_eq!(answers, [false, true]);
}

#[test]
fn a_break_ends_the_work() {
    let made = Made::new(&[]);
    for n in 0..4 * WINDOW {
        made.write(
            &format!("{n:04}.tfstate"),
            state(&n.to_string(), 1, "a").as_bytes(),
        );
    }
    let all = fleet([made.0.path().to_path_buf()], Copies::Ask);
    let (cancel, n_asked) = (AtomicBool::new(false), Mutex::new(0));
    let mut n_taken = 0;
    let ended = all.ask(
        &cancel,
        &|opened| {
            *n_asked.lock().unwrap() += 1;
            opened.ask(|_| ())
        },
        &mut |_, _| {
            n_taken += 1;
            ControlFlow::Break(())
        },
    );
    assert_eq!(n_taken, 1);
    assert!(ended.is_cancelled && cancel.load(Ordering::Relaxed));
    assert!(*n_asked.lock().unwrap() <= WINDOW + 1);
}

#[test]
fn twins_are_told_by_contents_and_by_version() {
    let first = state("a", 7, "ami-1");
    let spaced = first.replace(',', ", ");
    let edited = first.replace("\"resources\":[", "\"resources\":[],\"others\":[");
    let show =
        r#"{"format_version":"1.0","terraform_version":"1.9.0","values":{"root_module":{}}}"#;
    let made = Made::new(&[
        ("1.json", &first),
        ("2.json", &spaced),
        ("3.json", &edited),
        ("7/4.json", &state("a", 8, "ami-1")),
        ("5.json", show),
        ("6.json", show),
        ("1.json.bak", &first),
    ]);
    let all = fleet([made.0.path().to_path_buf()], Copies::Ask);
    check(
        &all,
        &[
            "1: 1",
            "1.json.bak: 1",
            "2: 1 = 1",
            "3: 0",
            "5: 0",
            "6: 0 = 5",
            "7/4: 1",
        ],
    );
}

#[cfg(unix)]
#[test]
fn links_below_a_root_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = Made::new(&[("secret.tfstate", &state("x", 1, "ami-1"))]);
    let made = Made::new(&[("in/a.tfstate", &state("a", 1, "ami-1"))]);
    symlink(made.0.path(), made.at("in/loop")).unwrap();
    symlink("self", made.at("in/self")).unwrap();
    symlink(made.at("in/a.tfstate"), made.at("in/b.tfstate")).unwrap();
    symlink(outside.at("secret.tfstate"), made.at("in/out.tfstate")).unwrap();
    symlink(outside.0.path(), made.at("in/outside")).unwrap();
    let ended = check(
        &fleet([made.0.path().to_path_buf()], Copies::Ask),
        &["in/a: 1"],
    );
    assert_eq!(ended.n_links, 2);
    // A link that the person names is followed.
    check(
        &fleet([made.at("in/out.tfstate")], Copies::Ask),
        &["out: 1"],
    );
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_listed_is_an_answer() {
    use std::os::unix::fs::PermissionsExt as _;
    let made = Made::new(&[
        ("a.tfstate", &state("a", 1, "ami-1")),
        ("closed/b.tfstate", &state("b", 1, "ami-1")),
    ]);
    let closed = made.at("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o0)).unwrap();
    // The superuser lists every folder.
    let is_closed = fs::read_dir(&closed).is_err();
    let (told, _) = told(&fleet([made.0.path().to_path_buf()], Copies::Ask));
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(told.len(), 2);
    assert_eq!(told[0], "a: 1");
    if is_closed {
        assert!(told[1].contains("ermission denied"), "{told:?}");
    } else {
        assert_eq!(told[1], "closed/b: 1");
    }
}

#[test]
fn a_root_that_is_not_there_is_an_answer() {
    let (told, _) = told(&fleet(["/there/is/no/such".into()], Copies::Ask));
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("/there/is/no/such"), "{told:?}");
}

fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mtime(1_700_000_000);
        // The library refuses `..` in a name.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        tar.append(&header, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

#[test]
fn the_states_in_archives_are_members() {
    let (a, b) = (state("a", 1, "ami-1"), state("b", 1, "ami-1"));
    let entries: [(&str, &[u8]); 4] = [
        (".pulumi/stacks/net/prod.json", a.as_bytes()),
        ("../../escape.tfstate", b.as_bytes()),
        ("notes.txt", b"nothing"),
        ("broken.tfstate", b"nothing"),
    ];
    let made = Made::new(&[]);
    made.write("a.tar", &tar(&entries));
    made.write("b.tgz", &gzip(&tar(&entries)));
    made.write(
        "c.tar.zst",
        &zstd::encode_all(&tar(&entries)[..], 1).unwrap(),
    );
    made.write("d.zip", &zip(&entries));
    for name in ["a.tar", "b.tgz", "c.tar.zst", "d.zip"] {
        let all = fleet([made.at(name)], Copies::Ask);
        let (told, ended) = told(&all);
        assert_eq!(told[..2], ["net/prod: 1", "../../escape: 1"], "{name}");
        assert!(told[2].starts_with("broken: "), "{told:?}");
        assert!(
            told[2].contains(&format!("{name}!/broken.tfstate")),
            "{told:?}"
        );
        assert_eq!(ended.n_others, 1);
        // An entry is read again by its place.
        let place = Place::Entry {
            archive: Archive::File(made.at(name)),
            name: "../../escape.tfstate".to_owned(),
        };
        let input = place.input(&all.like).unwrap();
        let document = crate::load::load(&input).unwrap();
        assert_eq!(document.stack.len(), 1);
    }
    assert!(
        !made
            .0
            .path()
            .parent()
            .unwrap()
            .join("escape.tfstate")
            .exists()
    );
    // Archives that are only found are not opened.
    let ended = check(&fleet([made.0.path().to_path_buf()], Copies::Ask), &[]);
    assert_eq!(ended.archives.len(), 4);
}

#[test]
fn an_archive_that_is_cut_off_or_unpacks_to_too_much_is_an_answer() {
    let made = Made::new(&[]);
    let a = state("a", 1, "ami-1");
    let whole = gzip(&tar(&[
        ("a.json", a.as_bytes()),
        ("b.json", &vec![b' '; 100_000]),
    ]));
    made.write("cut.tar.gz", &whole[..whole.len() - 50]);
    let (cut, _) = told(&fleet([made.at("cut.tar.gz")], Copies::Ask));
    assert_eq!(cut.len(), 2, "{cut:?}");
    assert_eq!(cut[0], "a: 1");
    // 80 MB of spaces after the first key.
    let mut bomb = br#"{"version":4,"terraform_version":"1.9.0","resources":["#.to_vec();
    bomb.resize(80 << 20, b' ');
    made.write(
        "bomb.zip",
        &zip(&[("bomb.tfstate", &bomb), ("a.tfstate", a.as_bytes())]),
    );
    made.write(
        "bomb.tar.zst",
        &zstd::encode_all(&tar(&[("bomb.tfstate", &bomb)])[..], 1).unwrap(),
    );
    let (zipped, _) = told(&fleet([made.at("bomb.zip")], Copies::Ask));
    assert!(zipped[0].contains("--max-size allows more"), "{zipped:?}");
    assert_eq!(zipped[1], "a: 1");
    let (taped, _) = told(&fleet([made.at("bomb.tar.zst")], Copies::Ask));
    assert!(taped[0].contains("--max-size allows more"), "{taped:?}");
}

#[test]
fn a_list_names_the_roots() {
    let made = Made::new(&[
        ("a.tfstate", &state("a", 1, "ami-1")),
        ("b/c.tfstate", &state("c", 1, "ami-1")),
    ]);
    let lines = [made.at("b/c.tfstate"), made.at("a.tfstate")].map(|it| it.display().to_string());
    made.write(
        "list",
        format!("{}\r\n\n{}\n", lines[0], lines[1]).as_bytes(),
    );
    let mut roots = Roots::default();
    roots.add_list(&made.at("list")).unwrap();
    let all = Fleet {
        roots,
        like: Input::path("-"),
        copies: Copies::Ask,
    };
    check(&all, &["b/c: 1", "a: 1"]);
    assert!(Roots::default().add_list(&made.at("nothing")).is_err());
}

#[test]
fn a_folder_with_one_clear_state_is_one_file() {
    let made = Made::new(&[
        ("terraform.tfstate", &state("a", 1, "ami-1")),
        ("terraform.tfstate.backup", &state("a", 0, "ami-1")),
        ("modules/x/main.tf", "resource {}"),
    ]);
    let roots = || Roots::new([made.0.path().to_path_buf()]);
    assert_eq!(roots().sole(), Some(made.at("terraform.tfstate")));
    made.write("deep/er/terraform.tfstate", b"{}");
    assert_eq!(roots().sole(), None);
    assert_eq!(Roots::new([made.at("x.zip")]).sole(), None);
    assert_eq!(Roots::new(["-".into()]).sole(), Some("-".into()));
}
