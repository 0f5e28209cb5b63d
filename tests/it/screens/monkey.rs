//! Random keys on any fixture: nothing panics, nothing is drawn outside the screen, and no secret is shown unasked.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use stacklens::load::{self, Document, Input};
use stacklens::stack::Section;
use stacklens::tui::command::Command;
use stacklens::tui::keymap::{BINDINGS, Binding, Scope};
use stacklens::value::{Payload, Value};

use super::harness::Session;

/// Characters for text prompts, digits that are counts or views, and pauses. The keys of the table come between them.
const TYPED: &[&str] = &[
    "d", "b", "é", ".", "*", "=", "1", "3", "7", "<BS>", "<wait>",
];

/// The keys that may be pressed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keys {
    /// All keys except those that reveal, answer yes to a question, or quit.
    Masked,
    /// All keys except those that quit.
    All,
}

/// Keys of the table that are active and may be pressed.
fn bindings(session: &Session, keys: Keys) -> Vec<&'static Binding> {
    let scopes = session.app.scopes();
    let may = |binding: &&Binding| {
        let reveals = binding.command == Command::Reveal
            || (binding.scope, binding.command) == (Scope::Question, Command::Accept);
        let is_pressed = binding.command != Command::Quit && (keys == Keys::All || !reveals);
        scopes.contains(&binding.scope) && is_pressed
    };
    BINDINGS.iter().filter(may).collect()
}

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

/// The strings of a document.
#[derive(Default)]
pub(crate) struct Texts {
    /// Secret strings that are long enough not to occur by chance.
    pub(crate) secret: Vec<String>,
    /// All other strings, and keys and names.
    pub(crate) clear: String,
}

impl Texts {
    pub(crate) fn of(document: &Document) -> Self {
        let mut texts = Self::default();
        for id in document.stack.ids() {
            texts.clear.push_str(&document.stack.identity(id));
            let Ok(resource) = document.resource(id) else {
                continue;
            };
            for state in [&resource.before, &resource.after].into_iter().flatten() {
                for section in [Section::Inputs, Section::Outputs] {
                    let value = state.section(section).into_iter();
                    value.for_each(|value| texts.add(value, false));
                }
            }
            let fields = resource.fields.iter();
            fields.for_each(|(_, value)| texts.add(value, false));
            // A changed file may have a text of a secret as a name, an id or a reason.
            resource.id.iter().for_each(|id| texts.add(id, false));
            let words = (&resource.ty, &resource.provider, &resource.parent);
            let told = (&resource.edges, &resource.change);
            let words = format!("{words:?} {told:?}");
            texts.clear.push_str(&words.replace("\\\"", "\""));
        }
        for output in document.stack.outputs.iter() {
            texts.add(&output.value, false);
            output.before.iter().for_each(|it| texts.add(it, false));
        }
        let fields = document.stack.header.fields.iter();
        fields.for_each(|(_, value)| texts.add(value, false));
        // A changed file may have the text of a secret among its other words. `Debug` does not show secrets.
        let words = (&document.stack.header, &document.stack.counts);
        let _ = write!(texts.clear, "{words:?}");
        texts
    }

    fn add(&mut self, value: &Value, is_below_secret: bool) {
        let is_secret = is_below_secret || value.is_secret();
        match value.payload() {
            Payload::Map(map) => {
                for (key, value) in map.iter().filter(|_| !is_secret) {
                    self.clear.push_str(key);
                    self.add(value, is_secret);
                }
                let hidden = map.values().filter(|_| is_secret);
                hidden.for_each(|value| self.add(value, is_secret));
            }
            Payload::Array(array) => array.iter().for_each(|it| self.add(it, is_secret)),
            Payload::String(text) if is_secret => {
                let text = text.to_str_lossy();
                // Engines write `[secret]` in the place of one.
                let is_written = text == "[secret]";
                if text.len() >= 8 && !text.contains('\n') && !is_written {
                    self.secret.push(text.into_owned());
                }
            }
            Payload::String(text) => self.clear.push_str(&text.to_str_lossy()),
            // Assets, archives and references. `Display` does not show secrets.
            _ if !is_secret => self.clear.push_str(&stacklens::json::to_compact(value)),
            _ => {}
        }
    }
}

/// The texts of secret strings that do not also occur unmasked.
fn secrets(document: &Document) -> Vec<String> {
    let Texts { mut secret, clear } = Texts::of(document);
    secret.retain(|text| !clear.contains(text.as_str()));
    secret
}

/// A pseudo-random sequence that is the same every time (xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (sides as u64)).unwrap()
    }
}

/// Presses a random active key and adds it to `played`. Returns the row of the table, if the key has one.
pub(crate) fn play(
    session: &mut Session,
    keys: Keys,
    dice: &mut Dice,
    played: &mut String,
) -> Option<(Scope, &'static str)> {
    if !session.app.pressed().is_empty() || dice.roll(5) == 0 {
        let typed = TYPED[dice.roll(TYPED.len())];
        let _ = write!(played, " {typed}");
        session.keys(typed);
        return None;
    }
    let bindings = bindings(session, keys);
    let binding = bindings[dice.roll(bindings.len())];
    let keys = binding.keys[dice.roll(binding.keys.len())];
    let _ = write!(played, " {keys}");
    session.press(keys);
    // The key may have chosen the quit command in a list of commands.
    session.has_quit &= (binding.scope, binding.command) != (Scope::Prompt, Command::Accept);
    Some((binding.scope, binding.keys[0]))
}

#[test]
fn any_keys_on_any_fixture() {
    let mut n_secrets = 0;
    let mut pressed = HashSet::new();
    for (seed, file) in (1_u64..).zip(fixtures()) {
        let secrets = load::load(&Input::path(file.clone()))
            .map(|document| secrets(&document))
            .unwrap_or_default();
        n_secrets += secrets.len();
        let mut dice = Dice::new(seed);
        let mut session = Session::open_path(file.clone(), SIZES[0]);
        let mut played = String::new();
        for step in 0..400 {
            pressed.extend(play(&mut session, Keys::Masked, &mut dice, &mut played));
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
    let missed = BINDINGS.iter().filter(|binding| {
        let is_wanted = matches!(binding.scope, Scope::Main | Scope::Changes);
        let ends = matches!(binding.command, Command::Reveal | Command::Quit);
        is_wanted && !ends && !pressed.contains(&(binding.scope, binding.keys[0]))
    });
    let missed: Vec<_> = missed.map(|binding| binding.keys[0]).collect();
    assert!(missed.is_empty(), "never pressed: {missed:?}");
}
