//! Matched letters of a hit.

use super::Search;
use crate::search::fuzzy::Fuzzy;
use crate::search::rank::Candidate;
use crate::search::word::Match;
use crate::search::{Anchor, At, Hit};
use crate::text::join_ranges;

impl Candidate {
    /// The hit, with the letters that its alternatives matched.
    pub(super) fn describe(self, alternatives: &[Search<'_>]) -> Hit {
        let mut hit = Hit {
            resource: self.resource,
            at: self.path.map_or(At::Resource, At::Indexed),
            score: self.score,
            alternatives: self.alternatives,
            name: Vec::new(),
            ty: Vec::new(),
            path: Vec::new(),
        };
        for search in alternatives {
            let path = self.path.map_or("", |path| search.index.path_text(path));
            if self.alternatives & search.bit != 0 {
                search.mark(&mut hit, path);
            }
        }
        hit
    }
}

impl Search<'_> {
    /// Adds the letters of the name, the type and `path` that matched.
    pub(in crate::modules::search) fn mark(&self, hit: &mut Hit, path: &str) {
        let stack = self.index.stack();
        let (name, ty) = (stack.name(hit.resource), stack.ty(hit.resource));
        for word in &self.words {
            let fields = [name, ty, path].into_iter().enumerate();
            let fields = fields.filter(|(field, text)| *field < 2 || !text.is_empty());
            let mut written = false;
            for (field, text) in fields.clone() {
                if let Some(found) = word.find(text) {
                    written = true;
                    field_of(hit, field).push(found);
                }
            }
            // Scattered letters count only if the word is nowhere as written. Finding the best of them is slow.
            if written || word.anchor() != Anchor::Fuzzy {
                continue;
            }
            let mut scattered: Option<(i64, usize, Vec<Match>)> = None;
            for (field, text) in fields {
                if let Some((score, letters)) = self.matcher.scatter(text, word.text())
                    && scattered.as_ref().is_none_or(|(best, ..)| *best < score)
                {
                    scattered = Some((score, field, ranges(text, &letters)));
                }
            }
            if let Some((score, field, letters)) = scattered {
                hit.score += score;
                field_of(hit, field).extend(letters);
            }
        }
        for field in 0..3 {
            join_ranges(field_of(hit, field));
        }
    }
}

fn field_of(hit: &mut Hit, field: usize) -> &mut Vec<Match> {
    match field {
        0 => &mut hit.name,
        1 => &mut hit.ty,
        _ => &mut hit.path,
    }
}

/// The byte ranges of the characters at positions `letters`, one range for each run.
fn ranges(text: &str, letters: &[usize]) -> Vec<Match> {
    let mut letters = letters.iter().copied().peekable();
    let mut found = Vec::new();
    for (position, (at, char)) in text.char_indices().enumerate() {
        if letters.next_if_eq(&position).is_some() {
            found.push(at..at + char.len_utf8());
        }
    }
    found
}
