//! The folder of a dataset.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::output;
use super::{ExportError, FORM, read};
use crate::dataset::Table;
use crate::text::Limit;

/// The file that says that a folder is a dataset.
const MARKER: &str = "_stacklens.json";

/// The limit of that file.
const LIMIT: Limit = Limit {
    bytes: 1 << 16,
    advice: "a line that names a dataset is expected",
};

/// The folder of parts that are not finished.
const PARTS: &str = "_parts";

/// The start of the marker; the number of the form follows.
const OPENING: &str = "{\"dataset\": \"stacklens\", \"form\": ";

/// The newest version of a stack in the dataset.
pub(super) struct Newest {
    pub(super) version: String,
    pub(super) number: i64,
}

/// The folder of a dataset, which no other export may write into meanwhile.
pub(super) struct Folder {
    path: PathBuf,
    /// The newest version of each stack.
    pub(super) newest: HashMap<String, Newest>,
    /// All versions.
    pub(super) versions: HashSet<String>,
    n_files: AtomicU64,
    /// The marker, locked.
    _lock: File,
}

/// A file that is removed unless it is moved to its place.
pub(super) struct Temporary {
    path: PathBuf,
}

impl Temporary {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // If it is not removed now, the next export does it. A file that was moved is not there any more.
        _ = fs::remove_file(&self.path);
    }
}

impl Folder {
    /// Opens the dataset in a folder, or makes one. Removes what a run that was stopped left.
    pub(super) fn open(path: &Path) -> Result<Self, ExportError> {
        let marker = path.join(MARKER);
        fs::create_dir_all(path).map_err(|error| ExportError::io(path, error))?;
        match File::open(&marker).and_then(|file| LIMIT.read_text(file)) {
            Ok(text) => check_form(path, &text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => begin(path, &marker)?,
            Err(error) => return Err(ExportError::io(&marker, error)),
        }
        let lock = File::open(&marker).map_err(|error| ExportError::io(&marker, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let folder = path.display().to_string();
                return Err(ExportError::Busy { folder });
            }
            Err(TryLockError::Error(error)) => return Err(ExportError::io(&marker, error)),
        }
        let mut folder = Self {
            path: path.to_path_buf(),
            newest: HashMap::new(),
            versions: HashSet::new(),
            n_files: AtomicU64::new(0),
            _lock: lock,
        };
        folder.clean()?;
        folder.learn()?;
        Ok(folder)
    }

    /// Removes files of parts whose stacks have no rows.
    fn clean(&self) -> Result<(), ExportError> {
        let parts = self.path.join(PARTS);
        match fs::remove_dir_all(&parts) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(ExportError::io(&parts, error));
            }
            Ok(()) | Err(_) => {}
        }
        let known: HashSet<(OsString, OsString)> = self
            .files(Table::Stacks)?
            .iter()
            .filter_map(|file| place(file))
            .collect();
        let others = Table::ALL.into_iter().filter(|it| *it != Table::Stacks);
        for table in others {
            for file in self.files(table)? {
                if place(&file).is_some_and(|place| !known.contains(&place)) {
                    fs::remove_file(&file).map_err(|error| ExportError::io(&file, error))?;
                }
            }
        }
        Ok(())
    }

    /// Reads which versions there are.
    fn learn(&mut self) -> Result<(), ExportError> {
        for file in self.files(Table::Stacks)? {
            let names = ["stack_id", "version_id", "number"];
            let take = &mut |row: &super::table_file::Fields| {
                let (Some(stack), Some(version), Some(number)) =
                    (row.text(0), row.text(1), row.long(2))
                else {
                    return;
                };
                self.versions.insert(version.clone());
                let newest = self.newest.entry(stack).or_insert_with(|| Newest {
                    version: String::new(),
                    number: 0,
                });
                if number > newest.number {
                    *newest = Newest { version, number };
                }
            };
            read(&file, Table::Stacks, &names, take)
                .map_err(|error| ExportError::io(&file, error))?;
        }
        Ok(())
    }

    /// The files of a table.
    fn files(&self, table: Table) -> Result<Vec<PathBuf>, ExportError> {
        let mut files = Vec::new();
        for folder in entries(&self.path.join(table.name()))? {
            if folder.is_dir() {
                files.extend(entries(&folder)?);
            }
        }
        files.retain(|file| file.extension().is_some_and(|end| end == "parquet"));
        Ok(files)
    }

    /// The place of a new file, which is not finished.
    pub(super) fn temporary(&self, table: Table) -> Result<Temporary, ExportError> {
        let parts = self.path.join(PARTS);
        fs::create_dir_all(&parts).map_err(|error| ExportError::io(&parts, error))?;
        let number = self.n_files.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}.parquet", table.name());
        Ok(Temporary {
            path: parts.join(name),
        })
    }

    /// Moves a finished file to its place. Returns its size.
    pub(super) fn keep(
        &self,
        file: &Temporary,
        table: Table,
        tool: &str,
        part: &str,
    ) -> Result<u64, ExportError> {
        let folder = self.path.join(table.name()).join(format!("tool={tool}"));
        let place = folder.join(format!("part-{part}.parquet"));
        let moved = fs::create_dir_all(&folder).and_then(|()| fs::rename(&file.path, &place));
        let size = moved.and_then(|()| Ok(fs::metadata(&place)?.len()));
        size.map_err(|error| ExportError::io(&place, error))
    }

    /// Removes the folder of parts that are not finished, which is empty now.
    pub(super) fn tidy(&self) {
        // If something is in it, the next export removes it.
        _ = fs::remove_dir(self.path.join(PARTS));
    }
}

/// The folder of the tool and the name of a file.
fn place(file: &Path) -> Option<(OsString, OsString)> {
    let tool = file.parent()?.file_name()?;
    Some((tool.to_owned(), file.file_name()?.to_owned()))
}

/// The entries of a folder; none if there is no such folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, ExportError> {
    let path = |entry: io::Result<fs::DirEntry>| Ok(entry?.path());
    let listed = fs::read_dir(folder).and_then(|entries| entries.map(path).collect());
    match listed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed.map_err(|error| ExportError::io(folder, error)),
    }
}

/// Makes an empty folder a dataset.
fn begin(path: &Path, marker: &Path) -> Result<(), ExportError> {
    if let Some(found) = entries(path)?.first() {
        let name = found.file_name().unwrap_or_default();
        return Err(ExportError::Foreign {
            folder: path.display().to_string(),
            found: name.to_string_lossy().into_owned(),
        });
    }
    let written = output::write(marker, |out| writeln!(out, "{OPENING}{FORM}}}"));
    written.map_err(|error| ExportError::io(marker, error))
}

fn check_form(path: &Path, text: &str) -> Result<(), ExportError> {
    let number = text
        .trim()
        .strip_prefix(OPENING)
        .and_then(|it| it.strip_suffix('}'));
    if number == Some(&FORM.to_string()) {
        return Ok(());
    }
    Err(ExportError::Form {
        folder: path.display().to_string(),
        found: number.unwrap_or("unknown").to_owned(),
    })
}
