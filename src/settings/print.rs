//! The settings as text: the effective values, and a commented default file.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::file::KEYS;
use super::{Given, Name, Origin, SETTINGS, Setting, Settings, Value, n_commands};
use crate::json::write_string;
use crate::text::escaped;
use crate::tui::keymap::Scope;
use crate::tui::keymap::rebind::commands;

/// The version of the JSON that [`effective_json`] returns.
const VERSION: u32 = 1;

/// Width of the column before the origins.
const COLUMN: usize = 32;

/// The effective values as a configuration file, with the origin of each. `place` is the file that would be read.
pub fn effective(settings: &Settings, place: Option<&Path>) -> String {
    let mut out = match (settings.file(), place) {
        (Some(file), _) => format!("# {}\n", shown(file)),
        (None, Some(place)) => format!("# no file at {}\n", shown(place)),
        (None, None) => "# no file\n".to_owned(),
    };
    for setting in &SETTINGS {
        let given = settings.given(setting.name);
        let line = match (setting.name, settings.allowed()) {
            (Name::Secrets, allowed @ [_, ..]) => {
                let allowed: Vec<String> = allowed.iter().map(|it| quoted(it)).collect();
                let files = text(&given.value);
                format!(
                    "{} = {{ files = {files}, allow = [{}] }}",
                    setting.key,
                    allowed.join(", ")
                )
            }
            _ => format!("{} = {}", setting.key, text(&given.value)),
        };
        row(&mut out, &line, &origin(settings, setting, given));
    }
    let mut n_rebound = 0;
    for (rebinding, line) in settings.rebound() {
        if n_rebound == 0 {
            _ = writeln!(out, "\n[{KEYS}]");
        }
        n_rebound += 1;
        row(
            &mut out,
            &bound(&rebinding.name, &rebinding.keys),
            &in_file(settings, line),
        );
    }
    let rest = n_commands() - n_rebound;
    _ = writeln!(
        out,
        "\n# {rest} commands have their default keys; `stacklens config --init` lists them"
    );
    out
}

fn row(out: &mut String, line: &str, origin: &str) {
    _ = writeln!(out, "{line:COLUMN$}  # {origin}");
}

/// The effective values as JSON.
pub fn effective_json(settings: &Settings, place: Option<&Path>) -> serde_json::Value {
    let path = |path: Option<&Path>| path.map(|it| it.display().to_string());
    let values = SETTINGS.iter().map(|setting| {
        let given = settings.given(setting.name);
        json!({
            "name": setting.key,
            "value": as_json(&given.value),
            "from": origin(settings, setting, given),
        })
    });
    let keys = settings.rebound().map(|(rebinding, line)| {
        let from = in_file(settings, line);
        json!({ "command": rebinding.name, "keys": rebinding.keys, "from": from })
    });
    json!({
        "version": VERSION,
        "file": path(settings.file()),
        "place": path(place),
        "settings": values.collect::<Vec<_>>(),
        "keys": keys.collect::<Vec<_>>(),
    })
}

/// The origin of a value in words.
fn origin(settings: &Settings, setting: &Setting, given: &Given) -> String {
    match given.origin {
        Origin::Default => "default".to_owned(),
        Origin::File(line) => in_file(settings, line),
        Origin::Variable => setting.variable(),
        Origin::Option => setting.option.to_owned(),
    }
}

fn in_file(settings: &Settings, line: usize) -> String {
    let name = settings.file().and_then(Path::file_name);
    let name = name.map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    format!("{}:{line}", escaped(&name))
}

/// The text as a string of TOML. A string of JSON is one.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    _ = write_string(&mut out, text);
    out
}

fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

impl Setting {
    /// The line of the file with the default: `context = 0`.
    pub fn assigned(&self) -> String {
        format!("{} = {}", self.key, text(&(self.default)()))
    }
}

/// The line of the file that gives a command its keys: `quit = ["Q", "^c"]`.
pub fn bound(command: &str, keys: &[impl AsRef<str>]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| quoted(key.as_ref())).collect();
    format!("{command} = [{}]", keys.join(", "))
}

/// The value in TOML.
fn text(value: &Value) -> String {
    match value {
        Value::Word(word) => quoted(word),
        Value::Switch(on) => on.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Files(files) => {
            let files = files.iter().map(|it| quoted(&it.display().to_string()));
            format!("[{}]", files.collect::<Vec<_>>().join(", "))
        }
    }
}

fn as_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Word(word) => json!(word),
        Value::Switch(on) => json!(on),
        Value::Number(number) => json!(number),
        Value::Files(files) => {
            let files = files.iter().map(|it| it.display().to_string());
            files.collect()
        }
    }
}

/// A configuration file that changes nothing: every line is a comment with a default.
pub fn commented(place: Option<&Path>) -> String {
    let mut out = String::from(
        "# Settings of stacklens. Each line shows a default; remove the # in front of a line to change it.\n",
    );
    if let Some(place) = place {
        _ = writeln!(out, "# The place of this file: {}", shown(place));
    }
    out.push_str("# Variables such as STACKLENS_THEME, and options, win over this file.\n");
    for setting in &SETTINGS {
        _ = writeln!(out, "\n# {}:\n# {}.", setting.help, setting.form.expected());
        _ = writeln!(out, "#{}", setting.assigned());
    }
    _ = writeln!(
        out,
        "\n# Keys by the name of the command; the keys of a sequence are separated by blanks, ^d is Ctrl+D.\n#[{KEYS}]"
    );
    for binding in commands() {
        let line = format!("#{}", bound(binding.name, binding.keys));
        let place = match binding.scope {
            Scope::Yank => "copy ",
            _ => "",
        };
        let help = match binding.help {
            "" => String::new(),
            help => format!("  # {place}{help}"),
        };
        _ = writeln!(out, "{line:COLUMN$}{help}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commented file with all of its lines in force.
    fn uncommented() -> String {
        let text = commented(None);
        let line = |line: &str| match line.strip_prefix('#') {
            Some(rest) if !rest.starts_with(' ') => format!("{rest}\n"),
            _ => format!("{line}\n"),
        };
        text.lines().map(line).collect()
    }

    #[test]
    fn the_commented_file_has_the_defaults_and_all_commands() {
        let place = Path::new("config.toml");
        let mut settings = Settings::default();
        settings.read_file(place, &commented(Some(place))).unwrap();
        assert_eq!(
            settings.given(crate::settings::Name::Theme).origin,
            Origin::Default
        );
        let mut settings = Settings::default();
        settings.read_file(place, &uncommented()).unwrap();
        for setting in &SETTINGS {
            let given = settings.given(setting.name);
            assert_eq!(given.value, (setting.default)(), "{}", setting.key);
            assert!(matches!(given.origin, Origin::File(_)), "{}", setting.key);
        }
        assert_eq!(settings.rebound().count(), n_commands());
    }

    #[test]
    fn the_effective_values_are_a_file_with_the_same_values() {
        let place = Path::new("config.toml");
        let mut settings = Settings::default();
        let text = "theme = \"nord\"\nrules = [\"a\\\"b\\\\c\"]\n[keys]\nquit = \"Q\"\n";
        settings.read_file(place, text).unwrap();
        let printed = effective(&settings, Some(place));
        let mut again = Settings::default();
        again.read_file(place, &printed).unwrap();
        assert_eq!(again.theme(), settings.theme());
        assert_eq!(again.rules(), settings.rules());
        let keys = |settings: &Settings| -> Vec<_> {
            settings.rebound().map(|(it, _)| it.clone()).collect()
        };
        assert_eq!(keys(&again), keys(&settings));
        assert!(printed.contains("# config.toml:1\n"), "{printed}");
        assert!(printed.contains("# config.toml:4\n"), "{printed}");
        assert!(printed.contains("# default\n"), "{printed}");
    }
}
