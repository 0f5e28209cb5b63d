//! Why a command ends without doing what was asked.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Console, EXIT_DATA, EXIT_IO, EXIT_NO, EXIT_USAGE, Next};
use crate::format::{ReadError, SourceError};
use crate::load::LoadError;
use crate::value::escape_into;

/// Why a command ends without doing what was asked. The message is one line: what, where, what was expected.
#[derive(thiserror::Error, Debug)]
pub enum Failure {
    /// The arguments make no sense.
    #[error("{message}")]
    Usage {
        /// The line.
        message: String,
    },
    /// The answer is no.
    #[error("{message}")]
    No {
        /// The line.
        message: String,
        /// What could help, a line each.
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
        /// Why not.
        #[source]
        source: ReadError,
    },
    /// What was asked for cannot be printed.
    #[error("writing the output: {0}")]
    Output(#[source] io::Error),
}

impl Failure {
    /// The answer no, without further words.
    pub fn no(message: impl Into<String>) -> Self {
        Self::No {
            message: message.into(),
            detail: Vec::new(),
        }
    }

    /// Arguments that make no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage {
            message: message.into(),
        }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage { .. } | Self::Load(LoadError::Unlike { .. }) => EXIT_USAGE,
            Self::No { .. } => EXIT_NO,
            // What is too big is there and can be read, but is not let in.
            Self::Load(LoadError::Io { source, .. })
                if source.kind() == io::ErrorKind::FileTooLarge =>
            {
                EXIT_DATA
            }
            Self::Load(LoadError::Io { .. })
            | Self::Read {
                source: ReadError::Source(SourceError::Io { .. }),
                ..
            }
            | Self::Output(_) => EXIT_IO,
            Self::Load(_) | Self::Read { .. } => EXIT_DATA,
        }
    }

    fn detail(&self) -> Vec<&str> {
        match self {
            Self::No { detail, .. } => detail.iter().map(String::as_str).collect(),
            Self::Load(LoadError::Unreadable { detail, .. }) => detail.lines().collect(),
            Self::Usage { .. } => vec!["`stacklens --help` tells what there is"],
            _ => Vec::new(),
        }
    }

    /// Tells the person, and returns the exit code. A reader that went away (`| head`) is no failure.
    pub fn report(&self, err: &mut dyn Write) -> u8 {
        if let Self::Output(error) = self
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            return 0;
        }
        let mut text = String::from("stacklens: ");
        // A string takes everything.
        _ = escape_into(&mut text, &self.to_string());
        text.push('\n');
        for line in self.detail() {
            text.push_str("  ");
            _ = escape_into(&mut text, line);
            text.push('\n');
        }
        // There is no one left to tell if this fails.
        _ = err.write_all(text.as_bytes());
        self.code()
    }
}

impl From<io::Error> for Failure {
    /// Commands write to nothing but the console: files are read by [`crate::load`], which has errors of its own.
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// The exit code of a command that printed its answer. A reader that went away does not change the answer.
pub(super) fn answered(code: u8, printed: Result<(), Failure>) -> Result<u8, Failure> {
    match printed {
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(code),
        printed => printed.map(|()| code),
    }
}

/// What clap has to say: help and version go to the output and are fine, the rest is wrong usage.
pub(super) fn usage(error: &clap::Error, console: &mut Console<'_>) -> Result<Next, Failure> {
    use clap::error::ErrorKind;
    let is_asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let rendered = error.render().to_string();
    if is_asked {
        console.out.write_all(rendered.as_bytes())?;
        return Ok(Next::Exit(0));
    }
    let mut text = String::new();
    for (index, line) in rendered.lines().filter(|line| !line.is_empty()).enumerate() {
        let line = line.strip_prefix("error: ").unwrap_or(line);
        text.push_str(if index == 0 { "stacklens: " } else { "  " });
        _ = escape_into(&mut text, line.trim_start());
        _ = writeln!(text);
    }
    _ = console.err.write_all(text.as_bytes());
    Ok(Next::Exit(EXIT_USAGE))
}
