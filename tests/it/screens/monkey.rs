//! Any keys on any fixture: nothing panics, nothing draws outside of the screen, and no secret is shown that was not asked for.

use std::fs;
use std::path::{Path, PathBuf};

use stacklens::load::{self, Document, Input};
use stacklens::stack::Section;
use stacklens::value::{Payload, Value};

use super::harness::Session;

/// All keys but those that reveal (`x`) and end (`q`), with waits so that digits are views too.
pub(super) const KEYS: &[&str] = &[
    "j", "k", "j", "k", "l", "h", "<Enter>", "<Esc>", "<Tab>", "G", "gg", "J", "K", "H", "za",
    "zo", "zc", "zO", "zR", "zM", "z2", "<C-d>", "<C-u>", "<C-f>", "<C-b>", "<C-e>", "<C-y>",
    "1<wait>", "2<wait>", "3<wait>", "4<wait>", "5<wait>", "3", "+", "_", "<lt>", ">", "s", "t",
    "i", ".", "w", "o", "m", "R", "?", ":", "n", "N", "*", "#", "gp", "gP", "go", "gs", "gu", "d",
    "u", "D", "U", "gi", "[", "]", "{", "}", "|", "a", "r", "<Space>", "<C-n>", "<C-a>", "c", "f",
    "/", "db", "<BS>",
];

const SIZES: [(u16, u16); 5] = [(120, 40), (80, 24), (40, 10), (10, 3), (200, 60)];

/// Our own fixtures, and those of the folder that `STACKLENS_CORPUS` names.
fn fixtures() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let other = std::env::var_os("STACKLENS_CORPUS").map(PathBuf::from);
    let mut files = Vec::new();
    for root in std::iter::once(own).chain(other) {
        for folder in fs::read_dir(root).unwrap() {
            let folder = folder.unwrap().path();
            if folder.is_dir() {
                let entries = fs::read_dir(folder).unwrap();
                files.extend(entries.map(|entry| entry.unwrap().path()));
            }
        }
    }
    files.retain(|file| file.is_file());
    files.sort();
    files
}

/// The texts of secret strings that are long enough not to occur by chance, and not also written elsewhere in the clear.
fn secrets(document: &Document) -> Vec<String> {
    let (mut secret, mut clear) = (Vec::new(), String::new());
    let mut visit = |value: &Value| {
        let mut waiting = vec![(value.clone(), false)];
        while let Some((value, below_secret)) = waiting.pop() {
            let is_secret = below_secret || value.is_secret();
            match value.payload() {
                Payload::Map(map) => {
                    waiting.extend(map.values().map(|value| (value.clone(), is_secret)));
                }
                Payload::Array(array) => {
                    waiting.extend(array.iter().map(|value| (value.clone(), is_secret)));
                }
                Payload::String(text) if is_secret => secret.push(text.to_str_lossy().into_owned()),
                Payload::String(text) => clear.push_str(&text.to_str_lossy()),
                _ => {}
            }
        }
    };
    for id in document.stack.ids() {
        let Ok(resource) = document.resource(id) else {
            continue;
        };
        for state in [&resource.before, &resource.after].into_iter().flatten() {
            for section in [Section::Inputs, Section::Outputs] {
                state.section(section).into_iter().for_each(&mut visit);
            }
        }
        resource.fields.iter().for_each(|(_, value)| visit(value));
    }
    for output in document.stack.outputs.iter() {
        visit(&output.value);
        output.before.iter().for_each(&mut visit);
    }
    for id in document.stack.ids() {
        clear.push_str(&document.stack.identity(id));
    }
    secret.retain(|text| text.len() >= 8 && !text.contains('\n') && !clear.contains(text.as_str()));
    secret
}

/// A sequence that looks random and is the same every time (xorshift).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (sides as u64)).unwrap()
    }
}

#[test]
fn any_keys_on_any_fixture() {
    let mut n_secrets = 0;
    for (seed, file) in (1_u64..).zip(fixtures()) {
        let secrets = load::load(&Input::Path(file.clone()))
            .map(|document| secrets(&document))
            .unwrap_or_default();
        n_secrets += secrets.len();
        let mut dice = Dice::new(seed);
        let mut session = Session::open_path(file.clone(), SIZES[0]);
        let mut played = String::new();
        for step in 0..250 {
            let keys = KEYS[dice.roll(KEYS.len())];
            played.push_str(keys);
            session.keys(keys);
            if step % 50 == 49 {
                let (width, height) = SIZES[dice.roll(SIZES.len())];
                session.resize(width, height);
            }
            if step % 3 == 0 {
                let text = session.text();
                for secret in &secrets {
                    assert!(
                        !text.contains(secret.as_str()),
                        "a secret of {} after {played}\n{text}",
                        file.display()
                    );
                }
            }
        }
        assert!(!session.has_quit, "{played}");
    }
    assert!(n_secrets > 10, "the fixtures have secrets to look for");
}
