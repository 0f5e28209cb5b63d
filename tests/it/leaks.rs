//! No secret leaves the program unasked: a table of the places that can hold one, by the printing commands and the views of the
//! explorer.
//!
//! A place is a file that contains one canary, somewhere that has to be masked. No command in any format, and no view with any
//! form of copy, may output a piece of it: unchanged, reversed, in base64, in hexadecimal, or escaped for JSON. To add a place,
//! add a row to [`terraform`] or [`pulumi`].

mod placements;
mod pulumi;
mod terraform;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};
use stacklens::load::Input;
use stacklens::load::schemas::NAMES;

use crate::cli::command;
use crate::dataset;
use crate::screens::harness::Session;

/// The secret. No other text of the files shares eight consecutive characters with it.
const CANARY: &str = "zq7CANARYxw93SECRETkp5";

/// A regular expression for the secret, without such a piece of it.
const PATTERN: &str = "zq7[C]ANAR[Y]xw9[3]SECR[E]Tkp5";

/// A piece of this many characters is a leak.
const PIECE: usize = 8;

/// Maximum number of rows of a pane that are opened one by one.
const MAX_ROWS: usize = 5;

/// A file that contains a canary.
struct Place {
    name: &'static str,
    /// The name of the file.
    file: &'static str,
    bytes: Vec<u8>,
    /// The same stack at another time, with another value and no masks, to compare with; for a plan also the state after it.
    other: Option<Vec<u8>>,
    /// Location of the schemas of the provider.
    schemas: Schemas,
    /// True if only the comparison of both files knows that the value is secret.
    is_of_both: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Schemas {
    None,
    /// Next to the file.
    Beside,
    /// In another folder; the person names them.
    Named,
}

impl Place {
    fn new(name: &'static str, file: &'static str, document: &Json) -> Self {
        Self {
            name,
            file,
            bytes: document.to_string().into_bytes(),
            other: None,
            schemas: Schemas::None,
            is_of_both: false,
        }
    }

    fn with_other(mut self, other: &Json) -> Self {
        self.other = Some(other.to_string().into_bytes());
        self
    }

    fn with_schemas(mut self, schemas: Schemas) -> Self {
        self.schemas = schemas;
        self
    }

    fn of_both(mut self) -> Self {
        self.is_of_both = true;
        self
    }
}

/// All forms that count as the canary.
struct Watch(AhoCorasick);

impl Watch {
    fn new() -> Self {
        let mut pieces = BTreeSet::new();
        let mut add = |text: &str, length: usize| {
            let chars: Vec<char> = text.chars().collect();
            pieces.extend(chars.windows(length).map(String::from_iter));
        };
        add(CANARY, PIECE);
        add(&CANARY.chars().rev().collect::<String>(), PIECE);
        for before in ["", "a", "ab"] {
            // The characters at the ends depend on the text around.
            let encoded = STANDARD.encode(format!("{before}{CANARY}"));
            let encoded = encoded.trim_end_matches('=');
            add(&encoded[4..encoded.len() - 3], PIECE);
        }
        let spelled = |one: fn(u8) -> String| CANARY.bytes().map(one).collect::<Vec<_>>().concat();
        let hexadecimal = spelled(|byte| format!("{byte:02x}"));
        add(&hexadecimal, 2 * PIECE);
        add(&hexadecimal.to_uppercase(), 2 * PIECE);
        let escaped = spelled(|byte| format!("\\u{byte:04x}"));
        add(&escaped, 6 * PIECE);
        Self(AhoCorasick::new(pieces).unwrap())
    }

    /// Fails if a piece of the canary is in `text`.
    #[track_caller]
    fn look(&self, text: &str, place: &str, what: &dyn Fn() -> String) {
        if let Some(found) = self.0.find(text) {
            let piece = &text[found.range()];
            panic!("{place}: {}: `{piece}` in\n{text}", what());
        }
    }
}

#[test]
fn pieces_of_the_canary_are_noticed() {
    let watch = Watch::new();
    let is_noticed = |text: &str| watch.0.is_match(text);
    assert!(is_noticed(&format!("pw={CANARY}")));
    assert!(is_noticed(&CANARY[3..12]));
    assert!(is_noticed(&STANDARD.encode(format!("user:{CANARY}"))));
    assert!(is_noticed(&STANDARD.encode(format!("me:{CANARY}@host"))));
    assert!(!is_noticed(PATTERN) && !is_noticed("[secret]"));
}

/// A place written to the disk.
struct Laid<'p> {
    place: &'p Place,
    _folder: tempfile::TempDir,
    file: String,
    other: Option<String>,
    schemas: Option<PathBuf>,
}

impl<'p> Laid<'p> {
    fn new(place: &'p Place) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, bytes).unwrap();
            path
        };
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let file = text(&write(place.file, &place.bytes));
        let other = place.other.as_ref();
        let other = other.map(|bytes| text(&write(&format!("other/{}", place.file), bytes)));
        let schemas = terraform::schemas().to_string();
        let schemas = match place.schemas {
            Schemas::None => None,
            Schemas::Beside => {
                write("providers.json", schemas.as_bytes());
                None
            }
            Schemas::Named => Some(write("elsewhere/named.json", schemas.as_bytes())),
        };
        Self {
            place,
            _folder: folder,
            file,
            other,
            schemas,
        }
    }

    /// Runs a command and checks its output. Returns its exit code and output.
    fn run(&self, args: &[&str], watch: &Watch) -> (i32, String) {
        let mut args = args.to_vec();
        let schemas = self.schemas.as_ref().map(|path| path.to_str().unwrap());
        if let Some(schemas) = schemas {
            args.extend(["--schema", schemas]);
        }
        let run = command(&args);
        for text in [&run.out, &run.err] {
            watch.look(text, self.place.name, &|| format!("{args:?}"));
        }
        (run.code, run.out)
    }

    fn commands(&self, watch: &Watch) {
        let file = self.file.as_str();
        for args in [
            &["info", file][..],
            &["info", file, "--json"],
            &["ls", file],
            &["ls", file, "is:secret"],
            &["ls", file, CANARY],
            &["find", file, "**"],
            &["find", file, "**", "--json"],
            &["find", file, "type:*"],
            &["graph", file],
            &["graph", file, "--format", "mermaid"],
            &["diff", file],
            &["diff", file, "--json"],
            &["diff", file, "--markdown"],
            &["diff", file, "--format", "terraform"],
            &["diff", file, file],
            // All forms have the texts of one page.
            &["brief", file, "--html", "-"],
            &["check", file],
            &["check", file, "--json"],
            &[file],
        ] {
            self.run(args, watch);
        }
        for query in [
            format!("={CANARY}"),
            format!("=~{PATTERN}"),
            format!("={}", &CANARY[..9]),
        ] {
            for verb in ["find", "ls"] {
                let (code, out) = self.run(&[verb, file, &query], watch);
                assert_ne!(
                    code, 0,
                    "{}: `{verb} {query}` found\n{out}",
                    self.place.name
                );
            }
        }
        for name in self.names(watch) {
            let name = name.as_str();
            for rest in [
                &[][..],
                &["--json"],
                &["root"],
                &["root", "--json"],
                &["--of", "before"],
                &["--of", "before", "--json"],
                &["--of", "before.inputs"],
                &["--of", "after", "--json"],
                &["--of", "after.inputs"],
                &["pw"],
                &["pw", "--of", "before"],
                &["nowhere"],
                &["nowhere.at.all"],
                &["pw.nowhere"],
                &["box.nowhere"],
                &["list[99]"],
                &["list[0]"],
                &["box"],
                &["*"],
            ] {
                self.run(&[&["get", file, name], rest].concat(), watch);
            }
            self.run(&["deps", file, name], watch);
            self.run(
                &["deps", file, name, "--reverse", "--transitive", "--json"],
                watch,
            );
        }
        self.run(&["get", file, "nobody"], watch);
        self.run(&["deps", file, "nobody"], watch);
        self.export(watch);
        let (_, info) = self.run(&["info", file, "--json"], watch);
        assert!(info.contains("\"kind\""), "{}: {info}", self.place.name);
    }

    /// Exports the file, and checks all that is in the dataset.
    fn export(&self, watch: &Watch) {
        let folder = tempfile::tempdir().unwrap();
        let dataset = folder.path().join("dataset");
        let to = dataset.to_str().unwrap();
        let (code, out) = self.run(&["export", &self.file, "--to", to], watch);
        assert!(code == 0 || code == 65, "{}: {out}", self.place.name);
        let everything = dataset::everything(&dataset);
        assert!(everything.len() > 1000, "{}: {out}", self.place.name);
        watch.look(&everything, self.place.name, &|| "export".to_owned());
    }

    /// The resources and paths that `get` accepts.
    fn names(&self, watch: &Watch) -> Vec<String> {
        let (_, listed) = self.run(&["ls", &self.file, "--json"], watch);
        let listed: Vec<Json> = serde_json::from_str(&listed).unwrap();
        let name = |row: &Json| {
            let name = row.get("address").unwrap_or(&row["urn"]);
            name.as_str().unwrap().to_owned()
        };
        let mut names: Vec<_> = listed.iter().map(name).collect();
        names.extend(["output.pw", "output.box"].map(str::to_owned));
        names
    }

    /// Checks all comparisons of both files.
    fn comparisons(&self, watch: &Watch) {
        let Some(other) = &self.other else { return };
        let (one, other) = (self.file.as_str(), other.as_str());
        for (old, new) in [(one, other), (other, one)] {
            for args in [
                &["diff", old, new][..],
                &["diff", old, new, "--json"],
                &["diff", old, new, "--markdown"],
                &["brief", old, new, "--html", "-"],
                &[old, new],
                &["check", old, "--state", new],
                &["check", old, "--state", new, "--json"],
            ] {
                self.run(args, watch);
            }
        }
        // The commands compare both ways, with the same resources. The views mask their input, whichever side is older.
        let pair = Input::pair(self.input(one), self.input(other));
        explore(pair, self.place.name, watch);
    }

    fn input(&self, file: &str) -> Input {
        let input = Input::path(file);
        match &self.schemas {
            Some(schemas) => input.with_schemas(schemas),
            None => input,
        }
    }
}

/// Goes through all views of a file. Copies everything that can be copied and opens everything that can be opened.
fn explore(input: Input, place: &str, watch: &Watch) {
    let mut session = Session::open_input(input, (80, 24));
    let mut walk = Walk {
        session: &mut session,
        place,
        watch,
        trail: String::new(),
    };
    walk.keys("<wait>");
    for view in ["1", "2", "3"] {
        walk.keys(view);
        walk.pane();
        walk.keys("<Tab>");
        walk.pane();
        walk.keys("<Tab>");
    }
    for keys in ["4", "d", "5", "<wait>jjj", "<Enter>"] {
        walk.keys(keys);
    }
    walk.close();
    walk.keys("1gg");
    walk.keys(&format!("/=~{PATTERN}<wait>"));
    walk.keys("<Enter><Esc>");
    walk.keys("1gg2ggr");
    walk.close();
    walk.keys(".|w");
    walk.keys("S");
    walk.keys("<wait>jjjj");
    walk.close();
}

struct Walk<'w> {
    session: &'w mut Session,
    place: &'w str,
    watch: &'w Watch,
    trail: String,
}

impl Walk<'_> {
    /// Presses keys, and checks the screen and the copied texts. Returns the screen.
    fn keys(&mut self, keys: &str) -> String {
        self.session.keys(keys);
        self.trail.push_str(keys);
        let copied = std::mem::take(&mut self.session.copied);
        let trail = || format!("the keys {}", self.trail);
        let screen = self.session.text();
        for text in copied.iter().chain([&screen]) {
            self.watch.look(text, self.place, &trail);
        }
        screen
    }

    /// Closes the overlays above the view.
    fn leave(&mut self) {
        while !self.session.app.overlays.is_empty() {
            self.session.keys("<Esc>");
            self.trail.push_str("<Esc>");
        }
    }

    /// Closes the overlays above the view.
    fn close(&mut self) {
        while !self.session.app.overlays.is_empty() {
            self.keys("<Esc>");
        }
    }

    /// Checks all rows of the focused pane.
    fn pane(&mut self) {
        let mut last = self.keys("zRgg");
        for _ in 0..MAX_ROWS {
            // The popup shows a preview of each form.
            self.keys("y");
            for copy in ["y", "p", "i", "k", "j", "P", "r", "d", "m"] {
                self.session.keys(copy);
                self.trail.push_str(copy);
                self.leave();
                self.session.keys("y");
            }
            self.session.keys("<Esc>");
            self.session.keys("c");
            self.trail.push('c');
            for open in ["o", "e", "T"] {
                self.session.keys(open);
                self.trail.push_str(open);
                if !self.session.app.overlays.is_empty() {
                    self.keys("<wait>");
                    self.leave();
                }
            }
            let next = self.keys("j");
            if next == last {
                break;
            }
            last = next;
        }
    }
}

/// Checks places. Returns their number.
fn check(places: &[Place]) {
    let watch = Watch::new();
    for place in places {
        let text = place
            .bytes
            .windows(CANARY.len())
            .any(|part| part == CANARY.as_bytes());
        let is_there =
            text || place.other.is_some() && place.is_of_both || !place.bytes.starts_with(b"{");
        assert!(is_there, "{}: no canary", place.name);
        let laid = Laid::new(place);
        if !place.is_of_both {
            laid.commands(&watch);
            explore(laid.input(&laid.file), place.name, &watch);
        }
        laid.comparisons(&watch);
    }
}

#[test]
fn no_place_of_a_state_leaks() {
    check(&terraform::states());
}

#[test]
fn no_place_of_a_plan_leaks() {
    check(&terraform::plans());
}

#[test]
fn no_mask_that_is_not_understood_leaks() {
    check(&terraform::odd_masks());
}

#[test]
fn no_place_of_a_plan_file_or_a_log_leaks() {
    check(&terraform::others());
}

#[test]
fn no_text_that_is_secret_by_its_form_leaks() {
    check(&terraform::likely());
    check(&pulumi::likely());
}

#[test]
fn no_place_of_pulumi_leaks() {
    check(&pulumi::places());
}

/// Schemas next to a file mask it under each of their names. Files with similar names are ignored.
#[test]
fn schemas_beside_a_state_are_found_by_their_names() {
    let place = terraform::states()
        .into_iter()
        .find(|place| place.name == "state: schema beside")
        .unwrap();
    let get = |folder: &Path| {
        let file = folder.join(place.file);
        fs::write(&file, &place.bytes).unwrap();
        let run = command(&["get", file.to_str().unwrap(), "vault_item.a", "hidden"]);
        run.out.trim().to_owned()
    };
    let own = Path::new(place.file).with_extension("schemas.json");
    let own = own.to_str().unwrap();
    for name in NAMES.into_iter().chain([own]) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, r#"{"format_version": "1.0", "$schema": "x"}"#).unwrap();
        assert_eq!(get(folder.path()), CANARY, "{name}");
        fs::write(&file, terraform::schemas().to_string()).unwrap();
        assert_eq!(get(folder.path()), "[secret]", "{name}");
    }
}

/// A file of schemas that cannot be read whole masks what it can, and is never passed over in silence.
#[test]
fn damaged_schemas_beside_a_plan_mask_what_they_can_and_are_reported() {
    let places = terraform::states().into_iter().chain(terraform::plans());
    let places =
        places.filter(|place| ["state: schema beside", "plan: schema after"].contains(&place.name));
    let watch = Watch::new();
    let schemas = terraform::schemas().to_string();
    let end = |text: &str| schemas.find(text).unwrap() + text.len();
    let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(schemas.encode_utf16());
        units.flat_map(bytes).collect()
    };
    let data = end("\"data_source_schemas\"");
    let resources = end("\"resource_schemas\"");
    // The canary is in a managed resource. Keys of maps are sorted.
    let cut =
        schemas[..resources].to_owned() + &schemas[resources..][..schemas.len() - resources - 20];
    let early = schemas[..data + 30].to_owned();
    for place in places {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(place.file);
        fs::write(&file, &place.bytes).unwrap();
        let file = file.to_str().unwrap();
        for (what, bytes, masks, note) in [
            ("whole", schemas.clone().into_bytes(), true, ""),
            ("little UTF-16", utf16(u16::to_le_bytes), true, ""),
            ("big UTF-16", utf16(u16::to_be_bytes), true, ""),
            (
                "trailing data",
                format!("{schemas} x").into_bytes(),
                true,
                "in part",
            ),
            (
                "cut off at the end",
                cut.clone().into_bytes(),
                true,
                "in part",
            ),
            (
                "cut off at the start",
                early.clone().into_bytes(),
                false,
                "in part",
            ),
            (
                "broken at the start",
                format!("{{{schemas}").into_bytes(),
                false,
                "not",
            ),
        ] {
            fs::write(folder.path().join("providers.json"), bytes).unwrap();
            for args in [
                &["get", file, "vault_item.a"][..],
                &["find", file, "**"],
                &["diff", file, "--json"],
                &["info", file],
            ] {
                if args[0] == "diff" && place.file.ends_with("tfstate") {
                    continue;
                }
                let run = command(args);
                if masks {
                    watch.look(&run.out, place.name, &|| format!("{what}: {args:?}"));
                }
                let told = format!("providers.json was {note} read");
                assert_eq!(
                    run.err.contains(&told),
                    !note.is_empty(),
                    "{what}: {args:?}: {}",
                    run.err
                );
                assert_eq!(
                    run.err.is_empty(),
                    note.is_empty(),
                    "{what}: {args:?}: {}",
                    run.err
                );
            }
            let info = command(&["info", file]).out;
            assert_eq!(
                info.contains("would mask"),
                !note.is_empty(),
                "{what}: {info}"
            );
        }
        // More than any schema has.
        let huge = fs::File::create(folder.path().join("providers.json")).unwrap();
        huge.set_len(300 << 20).unwrap();
        std::io::Write::write_all(&mut &huge, schemas.as_bytes()).unwrap();
        let run = command(&["info", file]);
        assert!(
            run.err.contains(
                "providers.json was not read: more than 256 MiB; --schema reads it anyway"
            ),
            "{}",
            run.err
        );
    }
}

/// The name of a place is printed when it fails.
#[test]
fn places_have_names_of_their_own() {
    let mut names = BTreeSet::new();
    let all = [
        terraform::states(),
        terraform::plans(),
        terraform::odd_masks(),
        terraform::others(),
        pulumi::places(),
        terraform::likely(),
        pulumi::likely(),
    ];
    for place in all.iter().flatten() {
        assert!(names.insert(place.name), "{} is there twice", place.name);
    }
    assert!(names.len() > 60, "{}", names.len());
    assert!(json!(CANARY).is_string());
}
