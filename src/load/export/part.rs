//! Parts in the making.

use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::fleet::n_workers;
use super::folder::{Folder, Temporary};
use super::table_file::TableWriter;
use super::{BUFFERED, ExportError};
use crate::dataset::{Buffer, Rows, Table};

/// The sizes of parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Number of bytes of rows that a part keeps in memory.
    pub(super) rows: usize,
    /// Number of bytes in files at which a part is closed.
    pub(super) part: usize,
    /// Number of versions at which a part is closed, so that a run that is stopped does not lose more.
    pub(super) versions: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            rows: BUFFERED / n_workers(),
            part: 64 << 20,
            versions: 1000,
        }
    }
}

/// Rows, of which those that do not fit into memory are in files.
pub(super) struct Part<'f> {
    folder: &'f Folder,
    sizes: Sizes,
    /// The rows in memory.
    pub(super) rows: Rows,
    /// The files, by the position of the table.
    files: [Option<(Temporary, TableWriter)>; Table::COUNT],
}

/// A part to which no rows are added any more.
pub(super) struct Closed {
    /// Its number among the open parts.
    pub(super) number: u64,
    /// The tool of its stacks.
    pub(super) tool: &'static str,
    /// Number of versions in it.
    pub(super) n_versions: usize,
    /// Its files.
    pub(super) files: Vec<(Table, Temporary)>,
}

/// The part that took the rows of a version.
pub(super) struct Added {
    /// Its number.
    pub(super) number: u64,
    /// The part, if this version was its last.
    pub(super) closed: Option<Closed>,
}

/// A part that takes rows.
struct Open<'f> {
    number: u64,
    tool: &'static str,
    n_versions: usize,
    part: Part<'f>,
}

/// The parts that take rows.
pub(super) struct Parts<'f> {
    folder: &'f Folder,
    sizes: Sizes,
    open: Mutex<Vec<Open<'f>>>,
    next: AtomicU64,
}

impl<'f> Part<'f> {
    /// No rows yet of this version.
    fn new(folder: &'f Folder, sizes: Sizes, version: &str) -> Self {
        Self {
            folder,
            sizes,
            rows: Rows::new(version),
            files: Default::default(),
        }
    }

    /// Writes rows to files, the largest table first, until few enough are in memory.
    pub(super) fn relieve(&mut self) -> Result<(), ExportError> {
        while self.rows.n_bytes() > self.sizes.rows {
            let buffers = self.rows.buffers_mut();
            let largest = (0..Table::COUNT).max_by_key(|slot| buffers[*slot].n_bytes());
            self.spill(largest.expect("there are tables"))?;
        }
        Ok(())
    }

    fn spill(&mut self, slot: usize) -> Result<(), ExportError> {
        let table = Table::ALL[slot];
        let buffer = mem::replace(&mut self.rows.buffers_mut()[slot], Buffer::new(table));
        if buffer.is_empty() {
            return Ok(());
        }
        if self.files[slot].is_none() {
            let file = self.folder.temporary(table)?;
            let writer = TableWriter::create(file.path(), table);
            let writer = writer.map_err(|error| ExportError::io(file.path(), error))?;
            self.files[slot] = Some((file, writer));
        }
        let (file, writer) = self.files[slot].as_mut().expect("it was opened");
        let written = writer.write(buffer);
        written.map_err(|error| ExportError::io(file.path(), error))
    }

    fn is_spilled(&self) -> bool {
        self.files.iter().any(Option::is_some)
    }

    fn n_written(&self) -> usize {
        self.files
            .iter()
            .flatten()
            .map(|(_, writer)| writer.n_bytes())
            .sum()
    }

    /// Writes the rest.
    fn finish(mut self) -> Result<Vec<(Table, Temporary)>, ExportError> {
        for slot in 0..Table::COUNT {
            self.spill(slot)?;
        }
        let mut files = Vec::new();
        for (table, file) in Table::ALL.into_iter().zip(self.files) {
            if let Some((file, writer)) = file {
                let closed = writer.close();
                closed.map_err(|error| ExportError::io(file.path(), error))?;
                files.push((table, file));
            }
        }
        Ok(files)
    }
}

impl Open<'_> {
    fn close(self) -> Result<Closed, ExportError> {
        Ok(Closed {
            number: self.number,
            tool: self.tool,
            n_versions: self.n_versions,
            files: self.part.finish()?,
        })
    }
}

impl<'f> Parts<'f> {
    pub(super) fn new(folder: &'f Folder, sizes: Sizes) -> Self {
        Self {
            folder,
            sizes,
            open: Mutex::default(),
            next: AtomicU64::new(0),
        }
    }

    /// A part for the rows of a version.
    pub(super) fn of_version(&self, version: &str) -> Part<'f> {
        Part::new(self.folder, self.sizes, version)
    }

    /// Adds the rows of a version. A version with rows in files is a part of its own.
    pub(super) fn add(&self, tool: &'static str, rows: Part<'f>) -> Result<Added, ExportError> {
        if rows.is_spilled() {
            let open = Open {
                n_versions: 1,
                part: rows,
                ..self.begin(tool)
            };
            return Ok(Added {
                number: open.number,
                closed: Some(open.close()?),
            });
        }
        let mut open = self.take(tool).unwrap_or_else(|| self.begin(tool));
        open.part.rows.append(&rows.rows);
        open.n_versions += 1;
        drop(rows);
        open.part.relieve()?;
        let number = open.number;
        let closed =
            if open.part.n_written() > self.sizes.part || open.n_versions >= self.sizes.versions {
                Some(open.close()?)
            } else {
                self.lock().push(open);
                None
            };
        Ok(Added { number, closed })
    }

    /// Closes all parts.
    pub(super) fn finish(&self) -> Result<Vec<Closed>, ExportError> {
        let open = mem::take(&mut *self.lock());
        open.into_iter().map(Open::close).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Open<'f>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A part that no other worker adds to meanwhile.
    fn take(&self, tool: &'static str) -> Option<Open<'f>> {
        let mut open = self.lock();
        let at = open.iter().position(|it| it.tool == tool)?;
        Some(open.swap_remove(at))
    }

    fn begin(&self, tool: &'static str) -> Open<'f> {
        Open {
            number: self.next.fetch_add(1, Ordering::Relaxed),
            tool,
            n_versions: 0,
            part: Part::new(self.folder, self.sizes, ""),
        }
    }
}
