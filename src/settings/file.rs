//! The configuration file: TOML, a line for each setting, and a table of keys.
//!
//! ```toml
//! theme = "nord"
//! context = 2
//! rules = ["rules"]              # relative to the folder of this file
//!
//! [keys]
//! quit = ["Q", "^c"]
//! source = "g s"
//! ```

use std::ops::Range;
use std::path::Path;

use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Form, Name, Origin, SETTINGS, Setting, Settings, Value};
use crate::json::is_json;
use crate::text::or_nearest;
use crate::tui::keymap::rebind::{RebindError, Rebinding, commands, rebound};

/// The tables of mutes, which the review reads.
const MUTE: &str = "mute";

/// The table of keys.
pub(super) const KEYS: &str = "keys";

/// The configuration file is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}:{line}: {message}")]
pub struct FileError {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The expected text, and the text that was found.
    pub message: String,
}

/// The text of a file with its name, for errors.
struct Text<'t> {
    name: String,
    text: &'t str,
}

impl Text<'_> {
    fn line(&self, at: &Range<usize>) -> usize {
        let before = self.text.get(..at.start);
        1 + before.map_or(0, |before| before.matches('\n').count())
    }

    fn error(&self, at: &Range<usize>, message: String) -> FileError {
        self.error_in(self.line(at), message)
    }

    fn error_in(&self, line: usize, message: String) -> FileError {
        FileError {
            file: self.name.clone(),
            line,
            message,
        }
    }
}

impl Settings {
    /// Reads the text of the configuration file `file`.
    ///
    /// # Errors
    ///
    /// The first line that is wrong.
    pub fn read_file(&mut self, file: &Path, text: &str) -> Result<(), FileError> {
        let name = file.display().to_string();
        let text = Text { name, text };
        let table = DeTable::parse(text.text).map_err(|source| {
            let at = source.span().unwrap_or_default();
            let message = if is_json(text.text) {
                "this is JSON, expected TOML; `stacklens config --init` prints some"
            } else {
                source.message()
            };
            text.error(&at, message.to_owned())
        })?;
        self.file = Some(file.to_owned());
        let folder = file.parent().unwrap_or(Path::new(""));
        for (key, value) in in_order(table.get_ref()) {
            if key.get_ref() == KEYS {
                self.keys = keys(&text, value)?;
                continue;
            }
            if key.get_ref() == MUTE {
                continue;
            }
            let setting = SETTINGS.iter().find(|it| it.key == key.get_ref());
            let setting = setting.ok_or_else(|| text.error(&key.span(), unknown(key.get_ref())))?;
            if let (Name::Secrets, DeValue::Table(table)) = (setting.name, value.get_ref()) {
                self.read_secrets(&text, table, folder)?;
                continue;
            }
            let value = read(&text, setting, value, folder)?;
            self.give(setting.name, value, Origin::File(text.line(&key.span())));
        }
        self.bind(&text)
    }

    /// Reads the table `[secrets]`.
    fn read_secrets(
        &mut self,
        text: &Text<'_>,
        table: &DeTable<'_>,
        folder: &Path,
    ) -> Result<(), FileError> {
        for (key, value) in in_order(table) {
            let wrong = || {
                let found = found(value.get_ref());
                let message = format!(
                    "`{}`: expected a text or a list of texts, found {found}",
                    key.get_ref()
                );
                text.error(&value.span(), message)
            };
            let list = strings(value.get_ref()).ok_or_else(wrong)?;
            match &**key.get_ref() {
                "allow" => self.allow.extend(list.iter().map(ToString::to_string)),
                "files" => {
                    let files = list.iter().map(|it| folder.join(it)).collect();
                    let line = text.line(&key.span());
                    self.give(Name::Secrets, Value::Files(files), Origin::File(line));
                }
                other => {
                    let meant = or_nearest(other, ["allow", "files"]);
                    let message = format!("`secrets` has no setting `{other}`{meant}");
                    return Err(text.error(&key.span(), message));
                }
            }
        }
        Ok(())
    }

    /// Makes the table of keys.
    fn bind(&mut self, text: &Text<'_>) -> Result<(), FileError> {
        if self.keys.is_empty() {
            return Ok(());
        }
        let changes: Vec<Rebinding> = self.keys.iter().map(|(it, _)| it.clone()).collect();
        let table = rebound(&changes).map_err(|(index, error)| {
            let mut message = format!("{KEYS}: {error}");
            if let RebindError::UnknownCommand(name) = &error {
                message += &or_nearest(name, commands().map(|it| it.name));
            }
            text.error_in(self.keys[index].1, message)
        })?;
        self.table = Some(table);
        Ok(())
    }
}

/// The entries of a table in the order of the file.
fn in_order<'t, 'i>(
    table: &'t DeTable<'i>,
) -> Vec<(
    &'t Spanned<std::borrow::Cow<'i, str>>,
    &'t Spanned<DeValue<'i>>,
)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn unknown(key: &str) -> String {
    let keys = SETTINGS.iter().map(|it| it.key).chain([KEYS]);
    format!("no setting is called `{key}`{}", or_nearest(key, keys))
}

/// The value of a setting.
fn read(
    text: &Text<'_>,
    setting: &Setting,
    value: &Spanned<DeValue<'_>>,
    folder: &Path,
) -> Result<Value, FileError> {
    let (form, found_value) = (setting.form, value.get_ref());
    let known = match (form, found_value) {
        // `true` and `false` are no words here.
        (Form::Level(words), DeValue::String(word)) if !words.contains(&&**word) => None,
        (Form::Word(_) | Form::Level(_), DeValue::String(word)) => form.parse(word),
        (Form::Level(_) | Form::Switch, DeValue::Boolean(on)) => form.parse(&on.to_string()),
        (Form::Number(_), DeValue::Integer(number)) => form.parse(&number.to_string()),
        (Form::Files, value) => strings(value).map(|files| {
            let files = files.iter().map(|it| folder.join(it));
            Value::Files(files.collect())
        }),
        _ => None,
    };
    known.ok_or_else(|| {
        let (key, expected, found) = (setting.key, form.expected(), found(found_value));
        let meant = found_value.as_str();
        let meant = meant.map_or_else(String::new, |word| or_nearest(word, form.words()));
        let message = format!("`{key}`: expected {expected}, found {found}{meant}");
        text.error(&value.span(), message)
    })
}

/// The value that was found, for a message.
fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("`{text}`"),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Boolean(on) => on.to_string(),
        DeValue::Float(_) => "a fraction".to_owned(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// A string, or a list of strings.
fn strings<'v>(value: &'v DeValue<'_>) -> Option<Vec<&'v str>> {
    match value {
        DeValue::Array(items) => items.iter().map(|item| item.get_ref().as_str()).collect(),
        one => Some(vec![one.as_str()?]),
    }
}

/// The table of keys, with the lines.
fn keys(
    text: &Text<'_>,
    value: &Spanned<DeValue<'_>>,
) -> Result<Vec<(Rebinding, usize)>, FileError> {
    let wrong = |at: &Range<usize>, expected: &str, value: &DeValue<'_>| {
        let found = found(value);
        text.error(at, format!("{KEYS}: expected {expected}, found {found}"))
    };
    let DeValue::Table(table) = value.get_ref() else {
        let expected = "a table of commands and their keys";
        return Err(wrong(&value.span(), expected, value.get_ref()));
    };
    let mut keys = Vec::new();
    for (name, value) in in_order(table) {
        let strings = strings(value.get_ref());
        let strings = strings
            .ok_or_else(|| wrong(&value.span(), "a key or a list of keys", value.get_ref()))?;
        let rebinding = Rebinding {
            name: name.get_ref().to_string(),
            keys: strings.into_iter().map(str::to_owned).collect(),
        };
        keys.push((rebinding, text.line(&name.span())));
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Name;
    use crate::tui::command::View;
    use crate::tui::preferences::ClipboardChoice;

    fn settings(text: &str) -> Result<Settings, FileError> {
        let mut settings = Settings::default();
        settings.read_file(Path::new("/etc/it/config.toml"), text)?;
        Ok(settings)
    }

    fn error(text: &str) -> String {
        settings(text).unwrap_err().to_string()
    }

    #[test]
    fn every_setting_is_read() {
        let text = "theme = \"nord\"\ncolor = \"never\"\nfirst_view = \"problems\"\ncontext = 3\nclipboard = \"terminal\"\n\
                    mouse = true\nwatch = true\nmask_likely = false\nsearch_history = 0\nsecrets = \"s.toml\"\nrules = [\"rules\", \"/a.toml\"]\npolicy = \"p\"\n";
        let settings = settings(text).unwrap();
        for (index, setting) in SETTINGS.iter().enumerate() {
            let given = settings.given(setting.name);
            assert_eq!(given.origin, Origin::File(index + 1), "{}", setting.key);
            assert_ne!(given.value, (setting.default)(), "{}", setting.key);
        }
        assert_eq!(settings.theme().unwrap().name(), "nord");
        let rules = ["/etc/it/rules", "/a.toml"].map(std::path::PathBuf::from);
        assert_eq!(settings.rules(), rules);
        let preferences = settings.preferences(|_| None);
        assert!(!preferences.theme.has_color());
        assert_eq!(preferences.first_view, Some(View::Problems));
        assert_eq!((preferences.context, preferences.n_queries), (3, 0));
        assert!(preferences.mouse && preferences.watch);
        assert_eq!(preferences.clipboard, ClipboardChoice::Terminal);
    }

    #[test]
    fn errors_name_the_line_and_the_nearest_word() {
        let cases = [
            (
                "\nthme = \"nord\"\n",
                "2: no setting is called `thme`; `theme` is alike",
            ),
            ("zzz = 1\n", "1: no setting is called `zzz`"),
            ("mouse = 1\n", "1: `mouse`: expected true or false, found 1"),
            (
                "context = 5000\n",
                "1: `context`: expected a number from 0 to 99, found 5000",
            ),
            (
                "context = -1\n",
                "1: `context`: expected a number from 0 to 99, found -1",
            ),
            (
                "clipboard = \"sistem\"\n",
                "1: `clipboard`: expected one of `auto`, `system`, `terminal`, found `sistem`; `system` is alike",
            ),
            (
                "rules = 1\n",
                "1: `rules`: expected a path or a list of paths, found 1",
            ),
            (
                "keys = 1\n",
                "1: keys: expected a table of commands and their keys, found 1",
            ),
            (
                "[keys]\n\nquit = 1\n",
                "3: keys: expected a key or a list of keys, found 1",
            ),
            (
                "[keys]\nqiut = \"Q\"\n",
                "2: keys: no command is called `qiut`; `quit` is alike",
            ),
            (
                "[keys]\nwrap = \"W\"\nquit = \"z\"\n",
                "3: keys: `z`, the key of `quit`, begins `za`, the keys of `fold-toggle`",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(error(text), format!("/etc/it/config.toml:{message}"));
        }
        assert!(error("mouse = true\nmouse = false\n").starts_with("/etc/it/config.toml:2: "));
        assert!(error("mouse = \n").starts_with("/etc/it/config.toml:1: "));
    }

    #[test]
    fn later_origins_win_and_lists_are_joined() {
        let mut settings = settings("theme = \"nord\"\nmouse = true\nrules = \"a\"\n").unwrap();
        let variable = |name: &str| match name {
            "STACKLENS_THEME" => Some("light".to_owned()),
            "STACKLENS_MOUSE" => Some(String::new()),
            "STACKLENS_RULES" => Some("b".to_owned()),
            _ => None,
        };
        settings.read_variables(variable).unwrap();
        settings.take_option(Name::Theme, Value::Word("dark"));
        let given = |name| settings.given(name).clone();
        assert_eq!(given(Name::Theme).value, Value::Word("dark"));
        assert_eq!(given(Name::Theme).origin, Origin::Option);
        assert_eq!(given(Name::Mouse).origin, Origin::File(2));
        let files = ["/etc/it/a", "b"].map(std::path::PathBuf::from);
        assert_eq!(settings.rules(), files);
    }

    #[test]
    fn a_wrong_variable_is_an_error() {
        let mut settings = Settings::default();
        let error = settings
            .read_variables(|name| (name == "STACKLENS_CONTEXT").then(|| "many\u{1b}".to_owned()));
        assert_eq!(
            error.unwrap_err().to_string(),
            "STACKLENS_CONTEXT: expected a number from 0 to 99, found `many␛`"
        );
    }

    #[test]
    fn a_mistyped_variable_is_an_error() {
        fn check(name: &str) -> Result<(), String> {
            Settings::check_variables([name]).map_err(|it| it.to_string())
        }
        for (name, meant) in [
            ("STACKLENS_THEEM", "STACKLENS_THEME"),
            ("STACKLENS_MASKLIKELY", "STACKLENS_MASK_LIKELY"),
            ("STACKLENS_MASK_LIKLEY", "STACKLENS_MASK_LIKELY"),
            ("STACKLENS_COLORS", "STACKLENS_COLOR"),
        ] {
            let want = format!("unknown setting {name}, did you mean {meant}?");
            assert_eq!(check(name), Err(want));
        }
        for setting in &SETTINGS {
            assert_eq!(check(&setting.variable()), Ok(()));
        }
    }

    #[test]
    fn variables_of_other_programs_pass() {
        let keys = [
            "CONFIG",
            "LOG",
            "COMPLETE",
            "PANIC",
            "CORPUS",
            "PLANS",
            "HOME",
            "VERSION",
            "URL",
            "CACHE",
            "PATH",
            "MODE",
            "MODULE",
            "FILES",
            "THME",
            "POLICY_URL",
            "",
        ];
        let names = keys.map(|key| format!("STACKLENS_{key}"));
        let names = names.iter().map(|name| &**name).chain(["THEEM"]);
        assert_eq!(Settings::check_variables(names), Ok(()));
    }
}
