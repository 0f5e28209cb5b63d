//! Export: writes the stacks of a fleet into a dataset of Parquet files, for engines that query more than one machine holds.
//!
//! [`run`] asks the members like any command on many stacks. `docs/dataset.md` describes the tables for those who query them.
//!
//! # How it is written
//!
//! A *part* is a file of the same name in the folder of each table, with the rows of some versions of stacks. A worker makes the rows of a
//! version, adds them to an open part, and closes the part once it is large. Everything is written below `_parts`, and a part moves to its
//! place when all of its stacks are known: the table `stacks` last.
//!
//! # Laws
//!
//! 1. **A version counts once its stack has a row.** A run that is stopped leaves parts without one. The next run removes them.
//! 2. **A version is written once.** Its id depends on the place and the contents of the file. A stack gets a row when its newest version
//!    differs from the file, so a second export of the same fleet writes nothing.
//! 3. **Nothing is written outside of the folder**, and nothing into a folder that holds something else.
//! 4. **Memory is bounded.** A worker holds one resource and a megabyte of the file, and at most two times [`BUFFERED`] bytes of rows for all workers together, whatever
//!    the size of the stacks; a large stack is written row group by row group.
//! 5. **A member that cannot be read costs its own rows alone.** Its error is a row of `stacks`.

mod commits;
mod folder;

mod part;
mod reading;
mod stack_row;
mod table_file;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::fleet::{Answer, Base, Ended, Fleet, Member};
use super::{FileError, LoadError};
use crate::change::rules::Rules;
use commits::Commits;
pub use commits::Written;
use folder::Folder;
use part::Sizes;
use reading::{Reader, Reading};
use stack_row::StackRow;
pub use table_file::read;

/// The number of the form of the dataset. It changes when a column goes away or means something else, not when one is added.
pub const FORM: u32 = 1;

/// Number of bytes of rows that wait to be written, for all workers together.
pub const BUFFERED: usize = 32 << 20;

/// The reason why a fleet cannot be exported.
#[derive(thiserror::Error, Debug)]
pub enum ExportError {
    /// The folder holds something else.
    #[error(
        "{folder}: it holds something else (`{found}`), expected a new or empty folder, or one that `stacklens export` made"
    )]
    Foreign {
        /// The folder.
        folder: String,
        /// One of its entries.
        found: String,
    },
    /// Another version of the program made the dataset.
    #[error("{folder}: a dataset of form {found}, expected form {FORM}; export into a new folder")]
    Form {
        /// The folder.
        folder: String,
        /// The form, as the dataset says it.
        found: String,
    },
    /// Another export writes into the folder.
    #[error("{folder}: another export writes into it")]
    Busy {
        /// The folder.
        folder: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
}

impl ExportError {
    fn io(file: &Path, source: io::Error) -> Self {
        FileError::at(file)(source).into()
    }
}

/// The outcome for a member.
#[derive(Debug)]
pub enum Exported {
    /// It has a new version.
    New,
    /// Its newest version is in the dataset already.
    Same,
    /// It was read in part: a new version, with the damage.
    Partial(String),
    /// It cannot be read.
    Failed(LoadError),
    /// It is an older copy, and those are not asked.
    Left,
}

/// Writes what is new of `fleet` into the dataset in the folder `to`, and calls `tell` with the outcome of each member.
///
/// # Errors
///
/// If the folder cannot be used, or a file in it not written. Finished files stay.
pub fn run(
    fleet: &Fleet,
    to: &Path,
    rules: &Rules,
    tell: &mut dyn FnMut(&Member, &Exported),
) -> Result<(Ended, Written), ExportError> {
    run_with(Sizes::default(), fleet, to, rules, tell)
}

/// Like [`run`], with parts of these sizes.
fn run_with(
    sizes: Sizes,
    fleet: &Fleet,
    to: &Path,
    rules: &Rules,
    tell: &mut dyn FnMut(&Member, &Exported),
) -> Result<(Ended, Written), ExportError> {
    let folder = Folder::open(to)?;
    let base = Base::of(&fleet.roots);
    let reader = Reader::new(&folder, &base, rules, sizes);
    let mut commits = Commits::new(&folder);
    let mut outcome = Ok(());
    let work = |opened: &super::fleet::Opened<'_>| reader.read(opened);
    let ended = fleet.ask(&AtomicBool::new(false), &work, &mut |member, answer| {
        let taken = match answer {
            Answer::Left => Ok(Exported::Left),
            Answer::Failed(error) => failed(&reader, &mut commits, &member, error),
            Answer::Done(Err(error)) => Err(error),
            Answer::Done(Ok(reading)) => done(&mut commits, &member, reading),
        };
        match taken {
            Ok(exported) => {
                tell(&member, &exported);
                ControlFlow::Continue(())
            }
            Err(error) => {
                outcome = Err(error);
                ControlFlow::Break(())
            }
        }
    });
    outcome?;
    for closed in reader.finish()? {
        commits.close(closed)?;
    }
    Ok((ended, commits.finish()))
}

/// Takes the row of a member that was read.
fn done(
    commits: &mut Commits<'_>,
    member: &Member,
    reading: Reading,
) -> Result<Exported, ExportError> {
    let (version, part) = match reading {
        Reading::Same => return Ok(Exported::Same),
        Reading::New(version, part) => (version, part),
    };
    let damage = version.damage();
    commits.take(StackRow::new(member, *version), part)?;
    Ok(damage.map_or(Exported::New, Exported::Partial))
}

/// Takes the error of a member.
fn failed(
    reader: &Reader<'_>,
    commits: &mut Commits<'_>,
    member: &Member,
    error: LoadError,
) -> Result<Exported, ExportError> {
    if let Some((version, part)) = reader.failed(&member.place, &error)? {
        commits.take(StackRow::new(member, version), part)?;
    }
    Ok(Exported::Failed(error))
}

#[cfg(test)]
mod tests;
