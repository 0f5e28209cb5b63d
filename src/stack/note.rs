//! Notes: what a file says about itself, and what is wrong with it.

use super::ResourceId;
use crate::text::escaped;

/// The severity of a note, or of a finding of the audit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Information only.
    Info,
    /// Something is odd, but nothing is missing.
    Warning,
    /// The run that the file records reported an error. The file itself is whole.
    Failure,
    /// Part of the file could not be read.
    Error,
}

impl Severity {
    /// Number of severities.
    pub const COUNT: usize = 4;

    /// The name, on screens and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Failure | Self::Error => "error",
        }
    }

    /// The name of a group of messages.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warnings",
            Self::Failure => "errors of the run",
            Self::Error => "errors",
        }
    }
}

/// The thing that a note is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// The file, or a part of it.
    File,
    /// A check that failed.
    Check,
    /// An error that the program or a provider reported while the file was made.
    Run,
    /// A run that ended too early.
    Incomplete,
    /// A state that the engine found broken.
    Integrity,
}

impl About {
    /// The beginning of a note that quotes a text of the file.
    pub fn opening(self) -> &'static str {
        match self {
            Self::File | Self::Incomplete => "",
            Self::Check => "a check failed: ",
            Self::Run => "the run reported an error: ",
            Self::Integrity => "the engine found a broken state: ",
        }
    }
}

/// A message about the file for the person. Trouble in one part is a note, not a failure of the whole file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The severity.
    pub severity: Severity,
    /// The thing that it is about.
    pub about: About,
    /// The place: a URN, an address, a JSON path, or a byte offset in words.
    pub place: String,
    /// The message, in plain words. It never contains a secret.
    pub message: String,
    /// The resource that the note is about, if there is one.
    pub resource: Option<ResourceId>,
}

impl Note {
    /// A note about the file.
    pub fn new(severity: Severity, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity,
            about: About::File,
            place: place.into(),
            message: message.into(),
            resource: None,
        }
    }

    /// The same note about a resource.
    #[must_use]
    pub fn of(self, id: ResourceId) -> Self {
        Self {
            resource: Some(id),
            ..self
        }
    }

    /// The message without the words before a text of the file.
    pub fn quoted(&self) -> &str {
        let rest = self.message.strip_prefix(self.about.opening());
        rest.unwrap_or(&self.message)
    }

    /// The words that notes of one kind share, escaped: names, paths and numbers of the message become `…`.
    pub fn kind(&self) -> String {
        let is_name = |word: &str| {
            let inner = word.trim_end_matches([',', ';', ':', '.']);
            inner.contains([':', '/', '.', '"', '\'', '`', '[', '_'])
                || inner.contains(char::is_numeric)
        };
        let words = self.message.split_whitespace();
        let words: Vec<&str> = words
            .map(|word| match (is_name(word), word.ends_with(',')) {
                (true, true) => "…,",
                (true, false) => "…",
                (false, _) => word,
            })
            .collect();
        escaped(&words.join(" "))
    }
}
