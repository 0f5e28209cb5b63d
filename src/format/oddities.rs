//! Oddities in the JSON of a file, as notes: a key given twice, half of a surrogate pair, numbers that no type can hold.

use super::MAX_REMARKS;
use crate::index::indexer::Indexer;
use crate::json::{self, NoteKind, Numbers};
use crate::stack::{Note, Severity};

/// Adds notes on the oddities in the JSON of the next resource, whose text begins at byte `start` of the file.
pub(super) fn remark(indexer: &mut Indexer, oddities: &[json::Note], start: u64) {
    let mut noted: Vec<NoteKind> = Vec::new();
    for oddity in oddities {
        if noted.contains(&oddity.kind) {
            continue;
        }
        noted.push(oddity.kind);
        let alike = oddities.iter().filter(|other| other.kind == oddity.kind);
        let more = match alike.count() {
            1 => String::new(),
            n => format!(", and {} more times", n - 1),
        };
        let at = start + oddity.offset as u64;
        let note = Note::new(
            Severity::Warning,
            "",
            format!("{} (at byte {at}{more})", oddity.kind),
        );
        indexer.note(note, true);
    }
}

/// Notes on the oddities of a JSON document that is translated as a whole.
pub(crate) fn of_document(document: &[u8]) -> Vec<Note> {
    let Ok(parsed) = json::parse(document, Numbers::Exact) else {
        return Vec::new();
    };
    let note = |oddity: json::Note| {
        Note::new(
            Severity::Warning,
            format!("byte {}", oddity.offset),
            oddity.kind.to_string(),
        )
    };
    parsed
        .notes
        .into_iter()
        .take(MAX_REMARKS)
        .map(note)
        .collect()
}
