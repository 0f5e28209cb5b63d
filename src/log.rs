//! The log of what the program does, for a person who looks for a fault in it: one line of JSON for each event.
//!
//! # Law
//!
//! No line has a text of a file. A [`Field`] is a word of this program, a number, or the path of a file that the person named; there
//! is no way to log another text.
//!
//! The program installs at most one log. Without one, [`log`] does nothing.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::OnceLock;

use crate::json::write_string;

/// The weight of an event. A log has its level and the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// The program cannot do what it was asked for.
    Error,
    /// A part of it could not be done.
    Warn,
    /// A step, such as a file that was read.
    Info,
    /// Everything, such as each job of the explorer.
    Debug,
}

impl Level {
    /// All levels, the most important one first.
    pub const ALL: [Self; 4] = [Self::Error, Self::Warn, Self::Info, Self::Debug];

    /// The word of `--log-level`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }

    /// The level with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// A detail of an event.
#[derive(Clone, Copy, Debug)]
pub enum Field<'a> {
    /// A word of this program.
    Word(&'static str),
    /// A number.
    Number(u64),
    /// A file that the person named.
    File(&'a Path),
}

/// Takes the lines, without the line break, and adds the time.
type Sink = Box<dyn Fn(&str) + Send + Sync>;

static LOG: OnceLock<(Level, Sink)> = OnceLock::new();

/// Logs events up to `level` into `sink` from now on, in all threads. A second call does nothing.
pub fn install(level: Level, sink: Sink) {
    _ = LOG.set((level, sink));
}

/// Logs an event.
pub fn log(level: Level, event: &'static str, fields: &[(&'static str, Field<'_>)]) {
    if let Some((most, sink)) = LOG.get()
        && level <= *most
    {
        sink(&line(level, event, fields));
    }
}

/// The members of a line: `"level":"info","event":"indexed","resources":41`.
fn line(level: Level, event: &'static str, fields: &[(&'static str, Field<'_>)]) -> String {
    let mut line = format!(r#""level":"{}","event":"{event}""#, level.name());
    for (name, field) in fields {
        // Writing to a string cannot fail.
        _ = write!(line, r#","{name}":"#);
        _ = match field {
            Field::Word(word) => write_string(&mut line, word),
            Field::Number(number) => write!(line, "{number}"),
            Field::File(path) => write_string(&mut line, &path.to_string_lossy()),
        };
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_json_and_safe_to_print() {
        let file = Path::new("a\"b\u{1b}[2J\u{202e}.json");
        let fields = [
            ("file", Field::File(file)),
            ("resources", Field::Number(41)),
            ("kind", Field::Word("tfstate")),
        ];
        let line = line(Level::Info, "indexed", &fields);
        assert!(!line.contains(['\u{1b}', '\u{202e}']), "{line}");
        let json: serde_json::Value = serde_json::from_str(&format!("{{{line}}}")).unwrap();
        assert_eq!(json["file"], file.to_str().unwrap());
        assert_eq!(json["resources"], 41);
        assert_eq!(json["kind"], "tfstate");
        assert_eq!(json["level"], "info");
    }

    #[test]
    fn levels_are_ordered_and_have_names() {
        for pair in Level::ALL.windows(2) {
            assert!(pair[0] < pair[1]);
        }
        assert_eq!(Level::named("warn"), Some(Level::Warn));
        assert_eq!(Level::named("loud"), None);
    }
}
