//! The reasons that a command fails.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use super::args::{about_option, nearest_command};
use super::paint::Paint;
use super::{Console, EXIT_DATA, EXIT_IO, EXIT_NO, EXIT_USAGE, Next};
use crate::format::{ReadError, SourceError};
use crate::load::LoadError;
use crate::load::cost::CostError;
use crate::load::export::ExportError;
use crate::load::record::RecordError;
use crate::load::rules::RulesError;
use crate::settings::{FileError, VariableError};
use crate::text::{escaped, or_nearest};
use crate::tui::theme::Role;

/// The reason that a command fails. The message is one line: what is wrong, where, and what was expected.
#[derive(thiserror::Error, Debug)]
pub enum Failure {
    /// The arguments are invalid.
    #[error("{0}")]
    Usage(String),
    /// The answer is no.
    #[error("{message}")]
    No {
        /// The message.
        message: String,
        /// Suggestions, one per line.
        detail: Vec<String>,
    },
    /// The file cannot be shown at all.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// One resource cannot be read.
    #[error("{file}: {source}")]
    Read {
        /// The file.
        file: String,
        /// The error.
        #[source]
        source: ReadError,
    },
    /// The configuration file is wrong.
    #[error(transparent)]
    Config(#[from] FileError),
    /// A variable of a setting is wrong.
    #[error(transparent)]
    Variable(#[from] VariableError),
    /// A file of rules or a policy cannot be used.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The record of a review cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of costs cannot be used.
    #[error(transparent)]
    Cost(#[from] CostError),
    /// A file that the person named cannot be written.
    #[error("{file}: cannot be written: {source}")]
    File {
        /// The file.
        file: String,
        /// The error.
        #[source]
        source: io::Error,
    },
    /// The dataset cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The output cannot be written.
    #[error("writing the output: {0}")]
    Output(#[source] io::Error),
}

impl Failure {
    /// The answer no, without details.
    pub fn no(message: impl Into<String>) -> Self {
        Self::No {
            message: message.into(),
            detail: Vec::new(),
        }
    }

    /// The answer no for a name that does not exist, with the one that is like it, and all names.
    pub fn unknown(message: &str, name: &str, names: Vec<String>) -> Self {
        let near = or_nearest(name, names.iter().map(String::as_str));
        Self::No {
            message: format!("{message}{near}"),
            detail: names,
        }
    }

    /// Invalid arguments.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// A file that cannot be written.
    pub fn file(file: &Path, source: io::Error) -> Self {
        Self::File {
            file: file.display().to_string(),
            source,
        }
    }

    /// The reason in a word, for the log, and the exit code.
    pub(super) fn why(&self) -> (&'static str, u8) {
        // A file that is too big exists and is readable, but the limits refuse it.
        let of_io = |error: &io::Error| match error.kind() {
            io::ErrorKind::FileTooLarge => EXIT_DATA,
            _ => EXIT_IO,
        };
        match self {
            Self::Usage(_) => ("usage", EXIT_USAGE),
            Self::No { .. } => ("no", EXIT_NO),
            Self::Load(error) | Self::Rules(RulesError::Load(error)) => match error {
                LoadError::Io { source, .. } => (error.why(), of_io(source)),
                LoadError::Unlike { .. } | LoadError::Incomparable { .. } => {
                    (error.why(), EXIT_USAGE)
                }
                LoadError::Locked { .. }
                | LoadError::Damaged { .. }
                | LoadError::Unreadable { .. } => (error.why(), EXIT_DATA),
            },
            Self::Read {
                source: ReadError::Source(SourceError::Io { .. }),
                ..
            } => ("read", EXIT_IO),
            Self::Read { .. } => ("read", EXIT_DATA),
            Self::Config(_) => ("configuration", EXIT_USAGE),
            Self::Variable(_) => ("variable", EXIT_USAGE),
            Self::Rules(RulesError::Parse(_)) => ("rules", EXIT_DATA),
            Self::Rules(RulesError::Policy(_)) => ("policy", EXIT_DATA),
            Self::Record(RecordError::Io(error)) => ("record", of_io(&error.source)),
            Self::Record(RecordError::Parse { .. } | RecordError::OtherPlan { .. }) => {
                ("record", EXIT_DATA)
            }
            Self::Cost(CostError::Io(error)) => ("cost", of_io(&error.source)),
            Self::Cost(CostError::Parse { .. }) => ("cost", EXIT_DATA),
            Self::File { .. } => ("write", EXIT_IO),
            Self::Export(ExportError::Foreign { .. } | ExportError::Form { .. }) => {
                ("export", EXIT_USAGE)
            }
            Self::Export(ExportError::Busy { .. } | ExportError::Io(_)) => ("export", EXIT_IO),
            Self::Output(_) => ("output", EXIT_IO),
        }
    }

    fn detail(&self) -> Vec<&str> {
        match self {
            Self::No { detail, .. } => detail.iter().map(String::as_str).collect(),
            Self::Load(LoadError::Unreadable { detail, .. })
            | Self::Rules(RulesError::Load(LoadError::Unreadable { detail, .. })) => {
                detail.lines().collect()
            }
            Self::Usage(_) => vec!["`stacklens --help` lists commands and options"],
            _ => Vec::new(),
        }
    }

    /// Prints the failure on standard error and returns the exit code. A closed pipe (`| head`) is not a failure.
    pub(super) fn report(&self, err: &mut dyn Write, paint: &Paint) -> u8 {
        if let Self::Output(error) = self
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            return 0;
        }
        let program = paint.role(Role::Danger, "stacklens:");
        let mut text = format!("{program} {}\n", escaped(&self.to_string()));
        for line in self.detail() {
            text.extend(["  ", &escaped(line), "\n"]);
        }
        // There is nowhere to report an error of this write.
        _ = err.write_all(text.as_bytes());
        self.why().1
    }
}

impl From<io::Error> for Failure {
    /// Commands write only to the console. Files are read by [`crate::load`], which has its own errors.
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Prints clap's message about these words: help and version are successful output, anything else is a usage error.
pub(super) fn usage(
    error: &clap::Error,
    words: &[OsString],
    console: &mut Console<'_>,
) -> Result<Next, Failure> {
    use clap::error::{ContextKind, ErrorKind};
    let is_asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let rendered = error.render().to_string();
    if is_asked {
        console.out.write_all(rendered.as_bytes())?;
        return Ok(Next::Exit(0));
    }
    let program = console.error_paint().role(Role::Danger, "stacklens:") + " ";
    let lines = rendered.lines().map(str::trim_start);
    // No word of this program begins with a dash.
    let is_wanted = |line: &&str| !line.is_empty() && !line.starts_with("tip: to pass '-");
    let mut lines: Vec<String> = lines.filter(is_wanted).map(str::to_owned).collect();
    let word = error.get(ContextKind::InvalidSubcommand);
    let near = word.and_then(|word| nearest_command(&word.to_string()));
    lines.extend(near.map(|name| format!("the command `{name}` is alike")));
    if error.kind() == ErrorKind::UnknownArgument
        && error.get(ContextKind::SuggestedArg).is_none()
        && let Some(option) = error.get(ContextKind::InvalidArg)
        && let Some(line) = about_option(&option.to_string(), words)
    {
        lines.insert(1.min(lines.len()), line);
    }
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let line = line.strip_prefix("error: ").unwrap_or(line);
        text.push_str(if index == 0 { &program } else { "  " });
        text.extend([&*escaped(line), "\n"]);
    }
    _ = console.err.write_all(text.as_bytes());
    Ok(Next::Exit(EXIT_USAGE))
}
