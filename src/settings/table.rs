//! The table of settings.

use std::path::PathBuf;

use super::color::When;
use super::{PREFIX, Value};
use crate::tui::command::View;
use crate::tui::preferences::{ClipboardChoice, MAX_CONTEXT, N_QUERIES};
use crate::tui::theme::Palette;

/// The word of a setting that the program decides.
pub(super) const AUTO: &str = "auto";

/// Maximum number of remembered queries.
const MAX_QUERIES: usize = 1_000;

/// The words of `first_view`.
pub(super) const VIEWS: [(&str, Option<View>); 6] = [
    (AUTO, None),
    ("brief", Some(View::Brief)),
    ("resources", Some(View::Resources)),
    ("changes", Some(View::Changes)),
    ("outputs", Some(View::Outputs)),
    ("problems", Some(View::Problems)),
];

/// The words of `clipboard`.
pub(super) const CLIPBOARDS: [(&str, ClipboardChoice); 3] = [
    (AUTO, ClipboardChoice::Auto),
    ("system", ClipboardChoice::System),
    ("terminal", ClipboardChoice::Terminal),
];

/// The values of `mask_likely`.
pub(super) const LEVELS: [&str; 3] = ["names", "forms", "off"];

/// A setting. The order is that of [`SETTINGS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Name {
    /// The theme.
    Theme,
    /// When to color.
    Color,
    /// The view that a file opens on.
    FirstView,
    /// Unchanged neighbors around a change.
    Context,
    /// The way to the clipboard.
    Clipboard,
    /// Mouse capture from the start.
    Mouse,
    /// Reading the file again when it changes.
    Watch,
    /// Masks on values that are secret by their name or form.
    MaskLikely,
    /// Remembered queries.
    SearchHistory,
    /// Files of names of secrets.
    Secrets,
    /// Files of rules.
    Rules,
    /// Policies.
    Policy,
}

/// The values that a setting can have.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// One of these words, or `true` for the first one and `false` for the last.
    Level(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
    /// A number up to this one.
    Number(usize),
    /// A file or a folder, or a list of them.
    Files,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The setting.
    pub name: Name,
    /// Its key in the file.
    pub key: &'static str,
    /// Its option of the command line; "" if it has none.
    pub option: &'static str,
    /// Its values.
    pub form: Form,
    /// The default.
    pub default: fn() -> Value,
    /// A description.
    pub help: &'static str,
}

/// All settings, in the order of [`Name`].
pub const SETTINGS: [Setting; 12] = [
    Setting {
        name: Name::Theme,
        key: "theme",
        option: "--theme",
        form: Form::Word(|| {
            [AUTO]
                .into_iter()
                .chain(Palette::ALL.map(Palette::name))
                .collect()
        }),
        default: || Value::Word(AUTO),
        help: "Theme; `auto` is dark or light, as the background of the terminal",
    },
    Setting {
        name: Name::Color,
        key: "color",
        option: "--color",
        form: Form::Word(|| When::ALL.map(When::name).to_vec()),
        default: || Value::Word(AUTO),
        help: "Colors; `auto` uses them where a terminal reads the output, unless NO_COLOR or CLICOLOR says otherwise",
    },
    Setting {
        name: Name::FirstView,
        key: "first_view",
        option: "",
        form: Form::Word(|| VIEWS.iter().map(|(name, _)| *name).collect()),
        default: || Value::Word(AUTO),
        help: "View that a file opens on; `auto` is the brief of a plan, and the resources of a state",
    },
    Setting {
        name: Name::Context,
        key: "context",
        option: "",
        form: Form::Number(MAX_CONTEXT),
        default: || Value::Number(0),
        help: "Number of unchanged values around each change, in the view of changes",
    },
    Setting {
        name: Name::Clipboard,
        key: "clipboard",
        option: "",
        form: Form::Word(|| CLIPBOARDS.iter().map(|(name, _)| *name).collect()),
        default: || Value::Word(AUTO),
        help: "Clipboard: the `system`'s, or the `terminal`'s by OSC 52; `auto` is the system's if there is one, and both over SSH",
    },
    Setting {
        name: Name::Mouse,
        key: "mouse",
        option: "",
        form: Form::Switch,
        default: || Value::Switch(false),
        help: "Use the mouse from the start",
    },
    Setting {
        name: Name::Watch,
        key: "watch",
        option: "--watch",
        form: Form::Switch,
        default: || Value::Switch(false),
        help: "Read the file again when it changes, and keep the place",
    },
    Setting {
        name: Name::MaskLikely,
        key: "mask_likely",
        option: "--mask-likely",
        form: Form::Level(&LEVELS),
        default: || Value::Word(LEVELS[0]),
        help: "Mask secrets that the file does not mark: by `names` and possible values, by `forms` that leave no doubt, or not at all",
    },
    Setting {
        name: Name::SearchHistory,
        key: "search_history",
        option: "",
        form: Form::Number(MAX_QUERIES),
        default: || Value::Number(N_QUERIES),
        help: "Number of queries that the search bar remembers, in memory only",
    },
    Setting {
        name: Name::Secrets,
        key: "secrets",
        option: "--secrets",
        form: Form::Files,
        default: || Value::Files(Vec::new()),
        help: "Files with more names and forms of secrets; as a table `[secrets]` with `files`, and `allow` for paths and types that are none",
    },
    Setting {
        name: Name::Rules,
        key: "rules",
        option: "--rules",
        form: Form::Files,
        default: || Value::Files(Vec::new()),
        help: "Files of rules for the review, or folders of them; a later rule replaces one with the same id",
    },
    Setting {
        name: Name::Policy,
        key: "policy",
        option: "--policy",
        form: Form::Files,
        default: || Value::Files(Vec::new()),
        help: "Policies in Rego for the review, or folders of them",
    },
];

impl Setting {
    /// The variable of the setting: `STACKLENS_THEME`.
    pub fn variable(&self) -> String {
        format!("{PREFIX}{}", self.key.to_uppercase())
    }
}

impl Form {
    /// A description of the values, as in `expected true or false`.
    pub fn expected(self) -> String {
        match self {
            Self::Word(_) | Self::Level(_) => {
                let words = self.words();
                let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("one of {}", words.join(", "))
            }
            Self::Switch => "true or false".to_owned(),
            Self::Number(max) => format!("a number from 0 to {max}"),
            Self::Files => "a path or a list of paths".to_owned(),
        }
    }

    /// The words that are values; none for other forms.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            Self::Word(words) => words(),
            Self::Level(words) => words.to_vec(),
            Self::Switch | Self::Number(_) | Self::Files => Vec::new(),
        }
    }

    /// The value in the text of a variable; `None` if it is no value of this form. Paths are separated as in PATH.
    pub fn parse(self, text: &str) -> Option<Value> {
        match self {
            Self::Level(words) => {
                let word = match text {
                    "true" | "1" => words.first(),
                    "false" | "0" => words.last(),
                    _ => words.iter().find(|word| **word == text),
                };
                word.map(|word| Value::Word(word))
            }
            Self::Word(words) => {
                let word = words().into_iter().find(|word| *word == text);
                word.map(Value::Word)
            }
            Self::Switch => match text {
                "true" | "1" => Some(Value::Switch(true)),
                "false" | "0" => Some(Value::Switch(false)),
                _ => None,
            },
            Self::Number(max) => {
                let number = text.parse().ok().filter(|number| *number <= max);
                number.map(Value::Number)
            }
            Self::Files => {
                let separator = if cfg!(windows) { ';' } else { ':' };
                let files = text.split(separator).filter(|file| !file.is_empty());
                Some(Value::Files(files.map(PathBuf::from).collect()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_order_of_the_names() {
        for (index, setting) in SETTINGS.iter().enumerate() {
            assert_eq!(setting.name as usize, index, "{}", setting.key);
        }
    }
}
