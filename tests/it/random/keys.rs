//! Random keys in the explorer on changed files, while the files are rewritten.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use stacklens::load::Input;
use stacklens::tui::event::Event;
use stacklens::tui::keymap::BINDINGS;

use super::{Files, rounds};
use crate::screens::harness::Session;
use crate::screens::monkey::{Dice, Keys, play};

const STEPS: usize = 120;

/// Number of versions of the files in a round.
const N_VERSIONS: usize = 3;

const SIZES: [(u16, u16); 7] = [
    (120, 40),
    (80, 24),
    (20, 5),
    (40, 10),
    (200, 60),
    (10, 3),
    (1, 1),
];

/// Pasted texts, into a prompt or at any other time.
const PASTED: &[&str] = &[
    "root.tags[*].a",
    "type:aws:* !is:secret",
    "=~^a.*(",
    "\u{1b}[2J\u{202e}\r\n\t\0",
    "module.a[\"x\"].aws_instance.web[0]",
    "urn:pulumi:prod::shop::aws:s3/bucket:Bucket::logs",
    "👩‍👩‍👧 é \u{0301}",
    "",
];

const MOUSE: [MouseEventKind; 5] = [
    MouseEventKind::Down(MouseButton::Left),
    MouseEventKind::Down(MouseButton::Right),
    MouseEventKind::Drag(MouseButton::Left),
    MouseEventKind::ScrollDown,
    MouseEventKind::ScrollUp,
];

struct Round {
    dice: Dice,
    files: Files,
    session: Session,
    keys: Keys,
    size: (u16, u16),
    played: String,
}

#[test]
fn any_keys_on_any_file_that_changes() {
    rounds("random keys", 20, |number| {
        let mut dice = Dice::new(number);
        let files = Files::pick(&mut dice, N_VERSIONS);
        let folder = tempfile::tempdir().unwrap();
        let paths = ["one", "other"].map(|name| folder.path().join(name));
        for (path, version) in paths.iter().zip(&files.versions) {
            fs::write(path, version).unwrap();
        }
        let [one, other] = paths.clone().map(Input::path);
        let input = match dice.roll(3) {
            0 => Input::pair(one, other),
            _ => one,
        };
        let size = SIZES[dice.roll(3)];
        let mut session = Session::open_input(input, size);
        if dice.roll(3) == 0 {
            session.hold();
        }
        let keys = [Keys::Masked, Keys::Masked, Keys::All][dice.roll(3)];
        let played = String::new();
        let mut round = Round {
            dice,
            files,
            session,
            keys,
            size,
            played,
        };
        for _ in 0..STEPS {
            let path = &paths[round.dice.roll(2)];
            round.step(path);
            round.check();
        }
        round.end();
    });
}

impl Round {
    /// Takes one random step.
    fn step(&mut self, path: &Path) {
        match self.dice.roll(24) {
            0 => self.rewrite(path),
            1 => {
                self.size = SIZES[self.dice.roll(SIZES.len())];
                let _ = write!(self.played, " {:?}", self.size);
                self.session.resize(self.size.0, self.size.1);
            }
            2 => {
                let text = PASTED[self.dice.roll(PASTED.len())];
                let _ = write!(self.played, " paste({text:?})");
                self.session.event(Event::Paste(text.to_owned()));
            }
            3 => self.point(),
            4 => {
                self.played += " <wait>";
                self.session.keys("<wait>");
            }
            5 => self.stray(),
            6 | 7 if self.session.n_late() > 0 => {
                let at = self.dice.roll(self.session.n_late());
                let _ = write!(self.played, " answer({at})");
                self.session.answer(at);
            }
            8 => {
                self.played += " deliver";
                self.session.deliver(1);
            }
            9 => {
                self.played += " settle";
                self.session.settle();
            }
            _ => drop(play(
                &mut self.session,
                self.keys,
                &mut self.dice,
                &mut self.played,
            )),
        }
    }

    /// Replaces a file by another version, or deletes it. The explorer may notice and read it again.
    fn rewrite(&mut self, path: &Path) {
        let version = self.dice.roll(N_VERSIONS + 1);
        let _ = write!(self.played, " rewrite({version})");
        match self.files.versions.get(version) {
            Some(bytes) => fs::write(path, bytes).unwrap(),
            // The file may be gone already.
            None => drop(fs::remove_file(path)),
        }
        if self.dice.roll(2) == 0 {
            self.played += " noticed";
            self.session.event(Event::FileChanged);
        }
        if self.dice.roll(4) > 0 {
            self.played += " <Esc>R";
            self.session.keys("<Esc>R");
        }
    }

    fn point(&mut self) {
        let kind = MOUSE[self.dice.roll(MOUSE.len())];
        // A terminal may report a position that no longer exists.
        let mut roll = |sides: u16| u16::try_from(self.dice.roll(usize::from(sides) + 2)).unwrap();
        let (column, row) = (roll(self.size.0), roll(self.size.1));
        let _ = write!(self.played, " {kind:?}({column}, {row})");
        let modifiers = KeyModifiers::NONE;
        self.session.event(Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers,
        }));
    }

    /// Presses a key of the table in a place where it has another meaning, or none.
    fn stray(&mut self) {
        if self.keys == Keys::Masked {
            return;
        }
        let binding = &BINDINGS[self.dice.roll(BINDINGS.len())];
        let keys = binding.keys[self.dice.roll(binding.keys.len())];
        let _ = write!(self.played, " stray({keys})");
        self.session.press(keys);
    }

    #[track_caller]
    fn check(&self) {
        let text = self.session.text();
        if self.keys == Keys::Masked {
            self.files.check(&text, &|| self.played.clone());
            for copied in &self.session.copied {
                for secret in &self.files.secrets {
                    assert!(
                        !copied.contains(secret.as_str()),
                        "copied {copied} after {}",
                        self.played
                    );
                }
            }
        }
    }

    /// Nothing stays revealed after the person hides everything, whatever was done before.
    fn end(mut self) {
        self.session.settle();
        for _ in 0..12 {
            self.session.keys("<Esc>").settle();
        }
        self.session.keys("X").settle().resize(120, 40);
        self.played += " <Esc>…X";
        self.files
            .check(&self.session.text(), &|| self.played.clone());
    }
}
