//! Parts that wait until all of their stacks are known.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use super::ExportError;
use super::folder::{Folder, Temporary};
use super::part::{Added, Closed};
use super::stack_row::StackRow;
use super::table_file::TableWriter;
use crate::dataset::{Buffer, Table};
use crate::text::hex;

/// Number of digits of the name of a part.
const DIGITS: usize = 16;

/// The files that an export wrote.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Written {
    /// Number of files.
    pub n_files: u64,
    /// Their size in bytes.
    pub n_bytes: u64,
}

/// A part, as far as it is known.
#[derive(Default)]
struct Waiting {
    rows: Vec<StackRow>,
    closed: Option<Closed>,
}

/// Moves parts to their place.
pub(super) struct Commits<'f> {
    folder: &'f Folder,
    waiting: HashMap<u64, Waiting>,
    written: Written,
}

impl<'f> Commits<'f> {
    pub(super) fn new(folder: &'f Folder) -> Self {
        Self {
            folder,
            waiting: HashMap::new(),
            written: Written::default(),
        }
    }

    /// Takes the row of a stack whose other rows are in a part.
    pub(super) fn take(&mut self, row: StackRow, added: Added) -> Result<(), ExportError> {
        let Added { number, closed } = added;
        self.waiting.entry(number).or_default().rows.push(row);
        match closed {
            Some(closed) => self.close(closed),
            None => self.try_commit(number),
        }
    }

    /// Takes a part that is closed.
    pub(super) fn close(&mut self, closed: Closed) -> Result<(), ExportError> {
        let number = closed.number;
        self.waiting.entry(number).or_default().closed = Some(closed);
        self.try_commit(number)
    }

    /// Moves a part to its place if all of its stacks are known.
    fn try_commit(&mut self, number: u64) -> Result<(), ExportError> {
        let is_whole = |it: &Waiting| {
            it.closed
                .as_ref()
                .is_some_and(|closed| closed.n_versions == it.rows.len())
        };
        if !self.waiting.get(&number).is_some_and(is_whole) {
            return Ok(());
        }
        match self.waiting.remove(&number) {
            Some(Waiting {
                rows,
                closed: Some(closed),
            }) => self.commit(closed.tool, &rows, &closed.files),
            Some(_) | None => Ok(()),
        }
    }

    /// The files of all parts, which are at their place now.
    pub(super) fn finish(self) -> Written {
        self.folder.tidy();
        self.written
    }

    fn commit(
        &mut self,
        tool: &str,
        rows: &[StackRow],
        files: &[(Table, Temporary)],
    ) -> Result<(), ExportError> {
        let part = name(rows);
        for (table, file) in files {
            self.keep(file, *table, tool, &part)?;
        }
        let file = self.folder.temporary(Table::Stacks)?;
        write(&file, rows)?;
        self.keep(&file, Table::Stacks, tool, &part)
    }

    fn keep(
        &mut self,
        file: &Temporary,
        table: Table,
        tool: &str,
        part: &str,
    ) -> Result<(), ExportError> {
        self.written.n_bytes += self.folder.keep(file, table, tool, part)?;
        self.written.n_files += 1;
        Ok(())
    }
}

fn write(file: &Temporary, rows: &[StackRow]) -> Result<(), ExportError> {
    let mut buffer = Buffer::new(Table::Stacks);
    for row in rows {
        row.add_to(&mut buffer);
    }
    let written = TableWriter::create(file.path(), Table::Stacks).and_then(|mut writer| {
        writer.write(buffer)?;
        writer.close()
    });
    written.map_err(|error| ExportError::io(file.path(), error))
}

/// The name of a part: a hash of its versions, so that no two have the same.
fn name(rows: &[StackRow]) -> String {
    let mut hasher = Sha256::new();
    for row in rows {
        hasher.update(row.key());
    }
    let mut name = hex(&hasher.finalize());
    name.truncate(DIGITS);
    name
}
