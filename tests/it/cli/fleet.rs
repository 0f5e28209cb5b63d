//! Commands on many stacks: files, folders, archives and lists.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json as value};

use super::schema::Schema;
use super::{AFTER, BEFORE, Run, SHOP, command, program, root};
use crate::encrypted::{Lock, STATE, envelope};

/// A folder with three stacks of Terraform, one of Pulumi, a backup, a twin, a broken file and a file that is none.
struct Made(tempfile::TempDir);

/// A state of Terraform with an instance whose password is marked as sensitive.
fn state(lineage: &str, ami: &str) -> String {
    value!({
        "version": 4, "terraform_version": "1.9.0", "serial": 3, "lineage": lineage,
        "outputs": {"ami": {"value": ami, "type": "string"}},
        "resources": [{
            "mode": "managed", "type": "aws_instance", "name": "web",
            "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
            "instances": [{
                "schema_version": 1,
                "attributes": {"ami": ami, "id": format!("i-{lineage}"), "password": "hunter2-secret"},
                "sensitive_attributes": [[{"type": "get_attr", "value": "password"}]],
            }],
        }],
    })
    .to_string()
}

impl Made {
    fn new() -> Self {
        let made = Self(tempfile::tempdir().unwrap());
        made.write("one.tfstate", &state("1", "ami-0abc"));
        made.write("one.tfstate.backup", &state("1", "ami-0abc"));
        made.write("two/terraform.tfstate", &state("2", "ami-0def"));
        made.write("three.json", &state("3", "ami-0abc"));
        made.write("zwin.json", &state("3", "ami-0abc"));
        made.write(
            "broken.tfstate",
            "{\"version\":4,\"terraform_version\":\"1.9.0\",",
        );
        made.write("notes.md", "ami-0abc\n");
        let shop = fs::read_to_string(root().join(SHOP)).unwrap();
        made.write(".pulumi/stacks/shop/prod.json", &shop);
        made
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn path(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    fn at(&self, name: &str) -> String {
        let path: PathBuf = self.0.path().join(name);
        path.to_str().unwrap().to_owned()
    }

    /// Adds a file so that nothing is broken.
    fn mended(self) -> Self {
        fs::remove_file(self.0.path().join("broken.tfstate")).unwrap();
        self
    }
}

/// The objects of a command that prints one a line.
#[track_caller]
fn lines(run: &Run) -> Vec<Value> {
    let lines = run.out.lines();
    let lines = lines.map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{run:?}")));
    lines.collect()
}

/// Checks lines against the published schema.
#[track_caller]
fn check_schema(name: &str, lines: &[Value]) {
    let schema = Schema::of(name);
    assert!(!lines.is_empty());
    for line in lines {
        schema.check(line, name);
    }
}

#[test]
fn find_says_the_stack_of_each_hit() {
    let made = Made::new();
    let run = command(&["find", made.path(), "=ami-0abc"]);
    assert_eq!(
        run.out,
        "one  output.ami        outputs      \"ami-0abc\"\n\
         one  aws_instance.web  outputs.ami  \"ami-0abc\"\n\
         three  output.ami        outputs      \"ami-0abc\"\n\
         three  aws_instance.web  outputs.ami  \"ami-0abc\"\n"
    );
    // The broken file may hold one too.
    assert_eq!(run.code, 65, "{run:?}");
    assert!(run.err.contains("broken.tfstate: "), "{run:?}");
    for told in [
        "1 of 7 stacks could not be read whole",
        "1 backup left out; --all asks them too",
        "1 twin left out: zwin (a copy of three)",
    ] {
        assert!(run.err.contains(told), "{told}: {run:?}");
    }
    let made = made.mended();
    assert_eq!(command(&["find", made.path(), "=ami-0abc"]).code, 0);
    assert_eq!(command(&["find", made.path(), "=ami-0xyz"]).code, 1);
    let all = command(&["find", made.path(), "=ami-0abc", "--all"]);
    assert!(all.out.contains("one.tfstate.backup  "), "{all:?}");
    assert!(all.out.contains("zwin  "), "{all:?}");
    assert!(!all.err.contains("left out"), "{all:?}");
}

#[test]
fn several_files_and_a_list_are_many_stacks() {
    let made = Made::new();
    let (one, two) = (made.at("one.tfstate"), made.at("two/terraform.tfstate"));
    let want = "one  output.ami        outputs      \"ami-0abc\"\n\
                one  aws_instance.web  outputs.ami  \"ami-0abc\"\n";
    let run = command(&["find", &one, &two, "=ami-0abc"]);
    assert_eq!((run.code, run.out.as_str()), (0, want), "{run:?}");
    made.write("list", &format!("{two}\n\n{one}\r\n"));
    let run = command(&["find", "--from", &made.at("list"), "=ami-0abc"]);
    assert_eq!((run.code, run.out.as_str()), (0, want), "{run:?}");
    let run = command(&["find", "--from", &made.at("nothing"), "=ami-0abc"]);
    assert_eq!(run.code, 74, "{run:?}");
    // A word that is no path is the query, even if a file has its name.
    let run = program(made.0.path(), &["find", "one.tfstate", "two"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(command(&["find", &one]).code, 64);
}

#[test]
fn one_file_has_the_answer_that_it_always_had() {
    let made = Made::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("terraform.tfstate");
    fs::copy(made.0.path().join("one.tfstate"), &file).unwrap();
    for args in [&["info"][..], &["ls"], &["ls", "--json"], &["check"]] {
        let of_file = command(&[args, &[file.to_str().unwrap()]].concat());
        let of_folder = command(&[args, &[folder.path().to_str().unwrap()]].concat());
        assert_eq!(of_file.out, of_folder.out);
        let is_list = of_file.out.starts_with('[');
        assert_eq!(is_list, args.contains(&"--json"), "{of_file:?}");
    }
}

#[test]
fn ls_lists_the_resources_of_each_stack() {
    let made = Made::new().mended();
    let run = command(&["ls", made.path(), "type:aws_instance"]);
    assert_eq!(run.code, 0, "{run:?}");
    let names: Vec<_> = run
        .out
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(names, ["one", "three", "two"]);
    let all = command(&["ls", made.path()]);
    assert!(
        all.out.contains("shop/prod  urn:pulumi:prod::shop::"),
        "{all:?}"
    );
    assert_eq!(command(&["ls", made.path(), "type:nothing"]).code, 1);
}

#[test]
fn words_that_no_name_has_are_not_scattered_letters() {
    let made = Made::new().mended();
    // The letters of `aiw` are in `aws_instance.web` in this order.
    let run = command(&["find", made.path(), "aiw"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{run:?}");
    assert!(
        command(&["find", made.path(), "ami-0def"])
            .out
            .starts_with("two  ")
    );
}

#[test]
fn json_is_one_object_a_line() {
    let made = Made::new();
    for (args, schema) in [
        (&["find", "=ami-0abc"][..], "find-lines"),
        (&["ls"], "ls-lines"),
        (&["info"], "info-lines"),
        (&["check"], "check-lines"),
    ] {
        let args = [&args[..1], &[made.path()], &args[1..], &["--json"]].concat();
        let run = command(&args);
        assert_eq!(run.code, 65, "{run:?}");
        let lines = lines(&run);
        check_schema(schema, &lines);
        for line in &lines {
            let file = Path::new(line["file"].as_str().unwrap());
            assert!(file.starts_with(made.path()), "{line}");
        }
    }
    let run = command(&["find", made.path(), "=ami-0abc", "--json"]);
    assert_eq!(
        lines(&run)[1],
        value!({"stack": "one", "file": made.at("one.tfstate"), "urn": "urn:pulumi:default::one::aws:managed:aws_instance::aws_instance.web",
            "address": "aws_instance.web", "section": "outputs", "path": "ami", "value": "ami-0abc"})
    );
}

#[test]
fn info_is_a_table_of_stacks() {
    let made = Made::new();
    let run = command(&["info", made.path()]);
    assert_eq!(run.code, 65, "{run:?}");
    let rows: Vec<_> = run.out.lines().collect();
    assert_eq!(rows.len(), 9, "{run:?}");
    assert!(
        rows[0].starts_with("stack  ") && rows[0].ends_with("state"),
        "{run:?}"
    );
    let row = |name: &str| {
        let mut rows = rows.iter();
        let found = rows.find(|row| row.starts_with(&format!("{name} ")));
        found.unwrap_or_else(|| panic!("{name}: {run:?}"))
    };
    assert!(
        row("one").contains("tfstate         terraform 1.9.0"),
        "{run:?}"
    );
    assert!(row("one.tfstate.backup").ends_with("  backup"), "{run:?}");
    assert!(row("zwin").ends_with("  copy of three"), "{run:?}");
    assert!(row("broken").contains("broken.tfstate: "), "{run:?}");
    assert!(row("shop/prod").contains("pulumi-state"), "{run:?}");
    let last = rows[rows.len() - 1];
    assert!(last.starts_with("4 stacks: "), "{last}");
    assert!(
        last.ends_with("1 backup · 1 twin · 1 not read whole"),
        "{last}"
    );
}

#[test]
fn check_lists_the_findings_of_each_stack() {
    let made = Made::new().mended();
    made.write(
        "clear.tfstate",
        &state("9", "ami-1").replace("\"sensitive_attributes\"", "\"others\""),
    );
    let run = command(&["check", made.path()]);
    let last = run.out.lines().last().unwrap();
    assert!(last.starts_with("5 stacks: "), "{run:?}");
    let mut rows = run.out.lines();
    let says = "info     aws_instance.web password: secret by its name, and in clear text";
    let is_it = |line: &str| line.starts_with("clear ") && line.contains(says);
    assert!(rows.any(is_it), "{run:?}");
    let run = command(&["check", made.path(), "--state", BEFORE]);
    assert_eq!(run.code, 64, "{run:?}");
}

#[test]
fn secrets_are_masked_in_every_stack() {
    let made = Made::new().mended();
    for args in [
        &["find", made.path(), "password"][..],
        &["find", made.path(), "=hunter2-secret"],
        &["find", made.path(), "=hunter2"],
        &["find", made.path(), "**.password", "--json"],
        &["ls", made.path(), "--json"],
        &["info", made.path(), "--json"],
        &["check", made.path()],
    ] {
        let run = command(args);
        assert!(!run.out.contains("hunter2"), "{run:?}");
        assert!(!run.err.contains("hunter2"), "{run:?}");
    }
    let run = command(&["find", made.path(), "password"]);
    assert!(run.out.contains("[secret]"), "{run:?}");
    assert_eq!(command(&["find", made.path(), "=hunter2-secret"]).code, 1);
}

#[test]
fn schemas_beside_a_state_mask_it_in_a_fleet_too() {
    let made = Made::new().mended();
    let open = state("7", "ami-7").replace("hunter2-secret", "swordfish-9");
    let mut open: Value = serde_json::from_str(&open).unwrap();
    open["resources"][0]["instances"][0]["sensitive_attributes"] = value!([]);
    made.write("x/open.tfstate", &open.to_string());
    let schemas = value!({"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/aws": {"resource_schemas": {
        "aws_instance": {"version": 1, "block": {"attributes": {"ami": {"type": "string"}, "id": {"type": "string"},
            "password": {"type": "string", "sensitive": true}}}}}}}});
    made.write("x/schemas.json", &schemas.to_string());
    let run = command(&["find", made.path(), "password"]);
    assert!(
        run.out.contains("x/open  ") && !run.out.contains("swordfish"),
        "{run:?}"
    );
    let run = command(&["find", made.path(), "=swordfish-9"]);
    assert_eq!(run.code, 1, "{run:?}");
}

#[test]
fn an_encrypted_state_says_so() {
    let made = Made::new().mended();
    let outside = r#""serial":1,"lineage":"x","#;
    let locked = envelope(STATE.as_bytes(), Lock::Passphrase("open sesame"), outside);
    made.write("locked.tfstate", std::str::from_utf8(&locked).unwrap());
    let run = command(&["find", made.path(), "=ami-0abc"]);
    assert_eq!(run.code, 65, "{run:?}");
    assert!(run.err.contains("locked.tfstate: "), "{run:?}");
    assert!(run.err.contains("encrypted"), "{run:?}");
}

#[test]
fn hostile_names_do_not_reach_the_terminal() {
    let made = Made::new();
    made.write("a\u{1b}[2J\u{202e}.tfstate", &state("5", "ami-5\u{1b}[31m"));
    made.write("b\u{1b}]0;x\u{7}.tfstate", "no state");
    for args in [
        &["find", made.path(), "=ami-5"][..],
        &["find", made.path(), "=ami-5", "--json"],
        &["ls", made.path()],
        &["info", made.path()],
        &["check", made.path()],
    ] {
        let run = command(args);
        for text in [&run.out, &run.err] {
            let is_hostile = |char: char| char.is_control() && char != '\n' || char == '\u{202e}';
            assert!(!text.contains(is_hostile), "{args:?}: {run:?}");
        }
    }
}

/// The second stack is a pipe that nobody has written to: its answer cannot be known yet.
#[cfg(unix)]
#[test]
fn the_first_hit_is_printed_before_the_last_stack_is_read() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::{Command, Stdio};
    let made = Made::new();
    let pipe = made.at("two.fifo");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut child = crate::built()
        .args(["find", &made.at("one.tfstate"), &pipe, "=ami-0abc"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert!(line.starts_with("one  output.ami "), "{line}");
    fs::write(&pipe, state("9", "ami-0abc")).unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert!(
        rest.contains("two.fifo  aws_instance.web  outputs.ami"),
        "{rest}"
    );
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn archives_are_many_stacks() {
    let made = Made::new();
    let folder = tempfile::tempdir().unwrap();
    let mut tar = tar::Builder::new(Vec::new());
    for name in ["one.tfstate", "three.json", "broken.tfstate"] {
        tar.append_path_with_name(made.at(name), format!("states/{name}"))
            .unwrap();
    }
    let path = folder.path().join("states.tar.zst");
    fs::write(
        &path,
        zstd::encode_all(&tar.into_inner().unwrap()[..], 1).unwrap(),
    )
    .unwrap();
    let path = path.to_str().unwrap();
    let run = command(&["find", path, "=ami-0abc", "--json"]);
    assert_eq!(run.code, 65, "{run:?}");
    let lines = lines(&run);
    let stacks: Vec<_> = lines
        .iter()
        .map(|line| line["stack"].as_str().unwrap())
        .collect();
    assert_eq!(
        stacks,
        ["states/one", "states/one", "states/three", "states/three"]
    );
    assert_eq!(lines[0]["file"], format!("{path}!/states/one.tfstate"));
    // An archive that is found in a folder is not opened.
    let run = command(&["find", folder.path().to_str().unwrap(), "=ami-0abc"]);
    assert_eq!(run.code, 65, "{run:?}");
    assert!(run.err.contains("no state and no plan is there"), "{run:?}");
}

/// The fast path that rules out files by their bytes gives the answers of the slow one, which parses all.
#[test]
fn what_is_ruled_out_by_its_bytes_holds_no_hit() {
    let corpus = root().join("tests/corpus");
    let corpus = corpus.to_str().unwrap();
    let demo = root().join("assets/demo.json");
    for text in [
        "10.0",
        "db",
        "prod",
        "orders",
        "443",
        "true",
        "us-east-1",
        "1e21",
        "a",
        "é",
        "&",
        "arn:aws",
    ] {
        let fast = command(&["find", corpus, demo.to_str().unwrap(), &format!("={text}")]);
        // An alternative without a text rules out nothing; this one finds nothing.
        let slow = command(&[
            "find",
            corpus,
            demo.to_str().unwrap(),
            &format!("={text}"),
            "|",
            "type:no-such-type",
        ]);
        assert_eq!(fast.out, slow.out, "{text}");
    }
}

#[test]
fn comparing_still_takes_two_files() {
    let run = command(&[BEFORE, AFTER]);
    assert_eq!(run.out, command(&["diff", BEFORE, AFTER]).out);
}

#[test]
fn older_versions_of_a_state_do_not_count() {
    let made = Made(tempfile::tempdir().unwrap());
    for (serial, ami) in [(1, "ami-0abc"), (2, "ami-0abc"), (10, "ami-0def")] {
        let text = state("a", ami).replace("\"serial\":3", &format!("\"serial\":{serial}"));
        made.write(&format!("v{serial}.tfstate"), &text);
    }
    let run = command(&["ls", made.path()]);
    assert_eq!(run.out.lines().count(), 1, "{run:?}");
    assert!(run.out.starts_with("v10"), "{run:?}");
    let told = "2 older versions left out: v1.tfstate, v2.tfstate; --all asks them too";
    assert!(run.err.contains(told), "{run:?}");
    let all = command(&["ls", made.path(), "--all"]);
    assert_eq!(all.out.lines().count(), 3, "{all:?}");
    // A person who names files wants these.
    let [one, two] = ["v1.tfstate", "v2.tfstate"].map(|name| format!("{}/{name}", made.path()));
    assert_eq!(command(&["ls", &one, &two]).out.lines().count(), 2);
    let info = command(&["info", made.path()]).out;
    assert!(info.contains("history, serial 2"), "{info}");
    assert!(
        info.contains("1 stack: ") && info.contains("2 older versions"),
        "{info}"
    );
}
