//! The table of formats.
//!
//! A [`Format`] is a row: the kind of a file, its title, its marks, and the functions that index and read it. A format's file
//! holds its row, and [`FORMATS`] lists the rows. Nothing else has to know a format by name, except for its
//! [`Kind`], by which the stack remembers its format.
//!
//! To add a format, follow the table in `CONTRIBUTING.md`: it names the modules that ask for a kind.

use std::fmt;

use super::envelope::Envelope;
use super::keys::{Fit, Keys};
use super::{Oddities, ReadError, Site, Target, event_log, pulumi, terraform};
use crate::index::indexer::Indexer;
use crate::index::scan::Outline;
use crate::index::walk::Odd;
use crate::json::tape::{Cursor, Taped};
use crate::render::copy::Written;
use crate::stack::{Header, Kind, Resource, Sources};
use crate::value::Map;

/// All formats. The recognizer tries them in this order, so a format comes before those whose marks it has as well.
pub const FORMATS: &[Format] = &[
    terraform::old_state::FORMAT,
    pulumi::plan::FORMAT,
    pulumi::preview::FORMAT,
    pulumi::deployment::FORMAT,
    terraform::plan::FORMAT,
    terraform::provider_schemas::FORMAT,
    terraform::ui::FORMAT,
    pulumi::events::FORMAT,
    terraform::state::FORMAT,
    terraform::show::FORMAT,
    terraform::binary::FORMAT,
];

/// All formats in the order of lists for people: by kind, then by title.
pub fn listed() -> Vec<&'static Format> {
    let mut formats: Vec<_> = FORMATS.iter().collect();
    formats.sort_by_key(|format| (format.kind, format.title));
    formats
}

/// The format of a file that was read.
pub fn of(header: &Header) -> Option<&'static Format> {
    let is_of = |format: &&Format| {
        let versions = format.versions;
        format.kind == header.kind
            && (versions.is_empty() || versions.contains(&&*header.format_version))
    };
    FORMATS.iter().find(is_of)
}

/// The noun for files of a kind.
pub(crate) fn noun(kind: Kind) -> &'static str {
    let format = FORMATS.iter().find(|format| format.kind == kind);
    format.map_or("", |format| format.noun)
}

/// The format of a file that is not JSON, by its first bytes.
pub(crate) fn of_magic(head: &[u8]) -> Option<&'static Format> {
    let has_magic =
        |format: &&Format| matches!(format.marks, Marks::Magic(magic) if head.starts_with(magic));
    FORMATS.iter().find(has_magic)
}

/// The marks that identify a file of a format.
#[derive(Clone, Copy)]
pub(super) enum Marks {
    /// The keys of a JSON document.
    Keys(fn(&Keys) -> Option<Fit>),
    /// The first bytes.
    Magic(&'static [u8]),
}

/// One file format: the parts in which it differs from the other formats.
pub struct Format {
    /// The kind of file.
    pub kind: Kind,
    /// The usual name of such a file.
    pub title: &'static str,
    /// The sources of such files, in Markdown.
    pub from: &'static str,
    /// The noun for such a file in a status line.
    pub(crate) noun: &'static str,
    /// The format versions of such files; empty if the kind alone identifies the format.
    pub(super) versions: &'static [&'static str],
    /// The marks that identify such a file.
    pub(super) marks: Marks,
    /// Finds the elements.
    pub(crate) outline: Outline,
    /// Adds the rows of an element, given with its bytes. Reads the element whole: right in every case.
    pub(super) index: fn(Site<'_>, &[u8], &mut Indexer),
    /// Adds the same rows from the element's tape, for elements in which nothing is odd: see [`crate::index::walk`].
    pub(super) walk: Option<Walk>,
    /// Builds a whole resource from its bytes.
    pub(super) resource: fn(&Target<'_>, &[u8], &mut Oddities) -> Result<Resource, ReadError>,
    /// Reads the parts outside of the elements.
    pub(super) envelope: fn(&Map, &mut Envelope),
    /// Translates the bytes of the file into the JSON document that is read, if that is not the file itself. Such files are
    /// small. The error says what the file looks like.
    pub(crate) translate: Option<Translate>,
    /// Turns the events of a log into steps, if the file is a log. Its elements are the steps, and there is no outline.
    pub(crate) events: Option<&'static event_log::Language>,
    /// The places of values in the file, for jq paths and JSON pointers. `None` if the file is translated before it is read.
    pub(crate) written: Option<Written>,
}

/// See [`Format`].
type Walk = fn(Site<'_>, &mut Cursor<'_>, &mut Indexer) -> Result<(), Odd>;

/// Walks all of an element.
pub(super) fn walk_element(
    walk: Walk,
    site: Site<'_>,
    text: &Taped<'_>,
    indexer: &mut Indexer,
) -> Result<(), Odd> {
    let mut cursor = text.cursor()?;
    walk(site, &mut cursor, indexer)?;
    cursor.is_done().then_some(()).ok_or(Odd)
}

/// See [`Format`]. Besides the bytes it gets the schemas of the providers, if they are known, and the limit in bytes on what may be
/// unpacked.
type Translate = fn(&[u8], Option<&[u8]>, u64) -> Result<Translated, String>;

/// A file that was translated into a JSON document.
#[derive(Default)]
pub(crate) struct Translated {
    pub(crate) document: Vec<u8>,
    /// The configuration files in it.
    pub(crate) sources: Sources,
    /// The parts that could not be decoded.
    pub(crate) lost: Vec<Lost>,
}

/// A part of a file that could not be decoded.
pub(crate) struct Lost {
    pub(crate) place: String,
    /// A message, which may repeat a secret.
    pub(crate) message: String,
}

impl Format {
    /// Adds the rows of an element, given with its bytes and their tape.
    pub(crate) fn index(&self, site: Site<'_>, text: &Taped<'_>, indexer: &mut Indexer) {
        if let Some(walk) = self.walk
            && walk_element(walk, site, text, indexer).is_ok()
        {
            return;
        }
        indexer.abandon();
        (self.index)(site, text.bytes(), indexer);
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title)
    }
}
