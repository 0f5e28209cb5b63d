//! The settings: one table, which the parser of the file, `stacklens config`, the manual page and the documentation read.
//!
//! A value comes from the default, the file, a variable or an option of the command line; the later one wins. Lists of files are
//! joined in that order instead, because a later rule replaces an earlier one with the same id. Keys come from the file alone.
//!
//! Nothing here reads a file or the environment: [`Settings::read_file`] takes the text, [`Settings::read_variables`] a function.

mod color;
mod file;
mod print;
mod table;

use std::path::{Path, PathBuf};

pub use self::color::When;
pub use self::file::FileError;
pub use self::print::{bound, commented, effective, effective_json};
use self::table::{CLIPBOARDS, VIEWS};
pub use self::table::{Form, Name, SETTINGS, Setting};
use crate::likely::MaskLikely;
use crate::text::{escaped, misspelled, or_nearest};
use crate::tui::command::View;
use crate::tui::keymap::rebind::Rebinding;
use crate::tui::keymap::{BINDINGS, Binding};
use crate::tui::preferences::{ClipboardChoice, Preferences};
use crate::tui::theme::{Palette, Theme};

/// The value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// One of the words of its [`Form`].
    Word(&'static str),
    /// On or off.
    Switch(bool),
    /// A number.
    Number(usize),
    /// Files and folders.
    Files(Vec<PathBuf>),
}

/// The origin of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The program.
    Default,
    /// The line of the file, counted from 1.
    File(usize),
    /// The variable of the setting.
    Variable,
    /// The option of the setting.
    Option,
}

/// A value with its origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The value.
    pub value: Value,
    /// The origin; the last one for joined lists.
    pub origin: Origin,
}

/// A variable of the settings is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariableError {
    /// It has no value of its setting.
    #[error("{variable}: expected {expected}, found `{}`{meant}", escaped(.found))]
    Value {
        /// The variable.
        variable: String,
        /// The values of its setting.
        expected: String,
        /// Its text.
        found: String,
        /// The value that is like it, as the end of the message.
        meant: String,
    },
    /// It misspells the name of one.
    #[error("unknown setting {}, did you mean {meant}?", escaped(.variable))]
    Unknown {
        /// The variable.
        variable: String,
        /// The variable of that name.
        meant: String,
    },
}

/// The beginning of the names of all variables of this program.
const PREFIX: &str = "STACKLENS_";

/// The values of all settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// One for each row of [`SETTINGS`].
    values: Vec<Given>,
    /// The file that was read.
    file: Option<PathBuf>,
    /// The person's keys, with their lines.
    keys: Vec<(Rebinding, usize)>,
    /// The paths and types that are no secrets.
    allow: Vec<String>,
    /// The table of keys, if the person has some.
    table: Option<Vec<Binding>>,
}

impl Default for Settings {
    fn default() -> Self {
        let default = |setting: &Setting| Given {
            value: (setting.default)(),
            origin: Origin::Default,
        };
        Self {
            values: SETTINGS.iter().map(default).collect(),
            file: None,
            keys: Vec::new(),
            allow: Vec::new(),
            table: None,
        }
    }
}

impl Settings {
    /// Reads the variables of the settings. An empty one counts as unset.
    ///
    /// # Errors
    ///
    /// If one has no value of its setting.
    pub fn read_variables(
        &mut self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<(), VariableError> {
        for setting in &SETTINGS {
            let name = setting.variable();
            let Some(text) = variable(&name).filter(|text| !text.is_empty()) else {
                continue;
            };
            let value = setting
                .form
                .parse(&text)
                .ok_or_else(|| VariableError::Value {
                    variable: name,
                    expected: setting.form.expected(),
                    meant: or_nearest(&text, setting.form.words()),
                    found: text,
                })?;
            self.give(setting.name, value, Origin::Variable);
        }
        Ok(())
    }

    /// Checks the names of the variables of the environment. A name that does not misspell a setting belongs to another program.
    ///
    /// # Errors
    ///
    /// If one misspells the name of a setting.
    pub fn check_variables<'n>(
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<(), VariableError> {
        for name in names {
            let Some(key) = name.strip_prefix(PREFIX).map(str::to_lowercase) else {
                continue;
            };
            if let Some(meant) = misspelled(&key, SETTINGS.iter().map(|it| it.key)) {
                return Err(VariableError::Unknown {
                    variable: name.to_owned(),
                    meant: format!("{PREFIX}{}", meant.to_uppercase()),
                });
            }
        }
        Ok(())
    }

    /// Takes the value of an option of the command line.
    pub fn take_option(&mut self, name: Name, value: Value) {
        self.give(name, value, Origin::Option);
    }

    fn give(&mut self, name: Name, value: Value, origin: Origin) {
        let given = &mut self.values[name as usize];
        match (&mut given.value, value) {
            (Value::Files(files), Value::Files(more)) => files.extend(more),
            (old, new) => *old = new,
        }
        given.origin = origin;
    }

    /// The value of a setting, with its origin.
    pub fn given(&self, name: Name) -> &Given {
        &self.values[name as usize]
    }

    fn word(&self, name: Name) -> &'static str {
        match self.given(name).value {
            Value::Word(word) => word,
            Value::Switch(_) | Value::Number(_) | Value::Files(_) => "",
        }
    }

    fn switch(&self, name: Name) -> bool {
        self.given(name).value == Value::Switch(true)
    }

    fn number(&self, name: Name) -> usize {
        match self.given(name).value {
            Value::Number(number) => number,
            Value::Word(_) | Value::Switch(_) | Value::Files(_) => 0,
        }
    }

    fn files(&self, name: Name) -> &[PathBuf] {
        match &self.given(name).value {
            Value::Files(files) => files,
            Value::Word(_) | Value::Switch(_) | Value::Number(_) => &[],
        }
    }

    /// The files and folders of rules.
    pub fn rules(&self) -> &[PathBuf] {
        self.files(Name::Rules)
    }

    /// The files and folders of policies.
    pub fn policies(&self) -> &[PathBuf] {
        self.files(Name::Policy)
    }

    /// The file that was read.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The theme; `None` if the background decides.
    pub fn theme(&self) -> Option<Palette> {
        Palette::named(self.word(Name::Theme)).ok()
    }

    /// When to color.
    pub fn color(&self) -> When {
        When::named(self.word(Name::Color))
    }

    /// The secrets that are masked although the file does not mark them.
    pub fn mask_likely(&self) -> MaskLikely {
        match self.word(Name::MaskLikely) {
            "off" => MaskLikely::Off,
            "forms" => MaskLikely::Forms,
            _ => MaskLikely::Names,
        }
    }

    /// The files with names of secrets.
    pub fn secrets(&self) -> &[PathBuf] {
        self.files(Name::Secrets)
    }

    /// The paths and types that are no secrets.
    pub fn allowed(&self) -> &[String] {
        &self.allow
    }

    /// The table of keys, if the person has some of their own.
    pub fn keys(&self) -> Option<&[Binding]> {
        self.table.as_deref()
    }

    /// The person's keys, each with its command and its line.
    pub fn rebound(&self) -> impl Iterator<Item = (&Rebinding, usize)> {
        self.keys.iter().map(|(rebinding, line)| (rebinding, *line))
    }

    /// The choices for the explorer on the terminal that the variables describe.
    pub fn preferences(&self, variable: impl Fn(&str) -> Option<String>) -> Preferences {
        let first_view = self.word(Name::FirstView);
        let clipboard = self.word(Name::Clipboard);
        let view = VIEWS.iter().find(|(name, _)| *name == first_view);
        let choice = CLIPBOARDS.iter().find(|(name, _)| *name == clipboard);
        Preferences {
            theme: Theme::from_env(
                self.theme(),
                self.color().colors(true, &variable),
                &variable,
            ),
            first_view: view.and_then(|(_, view): &(_, Option<View>)| *view),
            context: self.number(Name::Context),
            clipboard: choice.map_or(ClipboardChoice::Auto, |(_, choice)| *choice),
            mouse: self.switch(Name::Mouse),
            watch: self.switch(Name::Watch),
            n_queries: self.number(Name::SearchHistory),
        }
    }
}

/// Number of commands that can have other keys.
fn n_commands() -> usize {
    BINDINGS.iter().filter(|it| !it.name.is_empty()).count()
}
