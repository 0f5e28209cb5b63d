//! The rows of the page beside a difference, which has all values: a row takes one line. An entry has a second one, with the sentence
//! about it or the property that decides.

use super::{
    COMMON, ChangeLine, Drawing, GAP, LEAD, Lines, Marks, REVIEWED, Widths, along_line, blanks,
    indented,
};
use crate::change::difference;
use crate::load::brief::page::{Detail, Entry, FORCES};
use crate::pulumi::urn::display_type;
use crate::stack::ChangeId;
use crate::tui::brief::Row;
use crate::tui::rows::Span;
use crate::tui::theme::Role;
use crate::tui::widgets::names::{cut_path, cut_type};
use crate::tui::widgets::pen::{cut, width_of};
use crate::tui::widgets::text::{fit, width};

/// Minimum number of cells of a type beside a name.
const LEAST_TYPE: usize = 14;

impl Drawing<'_> {
    /// The lines of a row beside the difference.
    pub(super) fn narrow(&self, row: Row<'_>, marks: Marks) -> Lines {
        let room = self.widths.room;
        match row {
            Row::Head => {
                let left = room.saturating_sub(width(COMMON));
                let common = self.listed.page.common.iter().map(|detail| {
                    let line = ChangeLine::new(detail).in_one(left);
                    [vec![Span::new(COMMON, Role::Dim)], line].concat()
                });
                common.collect()
            }
            Row::Entry(entry) => self.with_reason(self.narrow_subject(entry, marks), entry),
            Row::Along(along) => vec![cut(&along_line(along, room / 2).concat(), room)],
            Row::Detail(entry, at) => {
                let detail = &entry.below()[at];
                let is_reviewed = detail.id.is_some_and(|id| self.reviewed.contains(&id));
                let mark = if is_reviewed { REVIEWED } else { " " };
                let mark = vec![Span::new(mark, Role::Good)];
                let line = ChangeLine::new(detail).in_one(self.room_below());
                vec![[mark, indented(LEAD + GAP - 1, line)].concat()]
            }
            Row::Title(_) => {
                let lines = self.lines_of(row, marks).into_iter();
                lines.skip(1).map(|line| cut(&line, room)).collect()
            }
            Row::Member(..) | Row::Rest(_) | Row::More(..) | Row::Remarks => {
                self.lines_of(row, marks)
            }
        }
    }

    /// The signs, the name and the type of an entry: the type has room for its last words beside any name.
    fn narrow_subject(&self, entry: &Entry, marks: Marks) -> Vec<Span> {
        let room = self.widths.room.saturating_sub(LEAD);
        let ty = Some(display_type(&entry.ty)).filter(|_| entry.shows_type());
        let least = ty.as_ref().map_or(0, |ty| GAP + width(ty).min(LEAST_TYPE));
        let widths = Widths {
            room,
            names: room.saturating_sub(least),
            ty: 0,
        };
        let mut line = Self { widths, ..*self }.subject(entry, marks, false);
        if let Some(ty) = ty {
            let left = self.widths.room.saturating_sub(width_of(&line) + GAP);
            line.push(Span::new(format!("  {}", cut_type(&ty, left)), Role::Type));
        }
        line
    }

    /// The first line of an entry with the sentence about it, and the property that decides. One of them is beside the name if it has
    /// room there. A sentence below leaves the property what is left.
    fn with_reason(&self, mut first: Vec<Span>, entry: &Entry) -> Lines {
        let sentence = self.sentence(entry);
        let deciding = deciding(entry).map(ChangeLine::new);
        let beside = self.widths.room.saturating_sub(width_of(&first) + GAP);
        let below = self.room_below();
        let more = others(entry);
        let with_more = |mut line: Vec<Span>| {
            line.extend(more.clone());
            line
        };
        let taken = more.as_ref().map_or(0, |it| width(&it.text));
        let has_room = |text: &str| width(text) <= beside;
        let gap = Span::new(blanks(GAP), Role::Text);
        let rest = match (sentence, deciding) {
            (Some(sentence), deciding) if has_room(sentence) => {
                first.extend([gap, Span::new(sentence, Role::Text)]);
                deciding.map(|it| with_more(it.in_one(below.saturating_sub(taken))))
            }
            (Some(sentence), deciding) => {
                // The reason for a replacement is never left out.
                let place = deciding.as_ref().map_or("", |it| &it.detail.place);
                let is_reason = deciding.as_ref().is_some_and(|it| forces(it.detail));
                let place = cut_path(place, below / 3);
                let room = below.saturating_sub(width(&place) + 3);
                let is_shown = !place.is_empty() && (is_reason || width(sentence) <= room);
                let line = if is_shown {
                    vec![
                        Span::new(fit(sentence, room), Role::Text),
                        Span::new(" · ", Role::Dim),
                        Span::new(place, Role::Key),
                    ]
                } else {
                    vec![Span::new(fit(sentence, below), Role::Text)]
                };
                Some(line)
            }
            (None, Some(deciding)) => match deciding.whole(beside.saturating_sub(taken)) {
                Some(change) => {
                    first.push(gap);
                    first.extend(with_more(change));
                    None
                }
                None => Some(with_more(deciding.in_one(below.saturating_sub(taken)))),
            },
            (None, None) => None,
        };
        let rest = rest.map(|rest| indented(LEAD + GAP, rest));
        [first].into_iter().chain(rest).collect()
    }
}

/// The changes of an entry, each a property.
fn changes(entry: &Entry) -> impl Iterator<Item = &Detail> + Clone {
    let is_change = |it: &&Detail| !it.is_words() && it.action != difference::Action::Same;
    entry.details.iter().filter(is_change)
}

/// The number of changes beside the one that decides, `  +2`. `None` if there are no others. Outputs have rows of their own.
fn others(entry: &Entry) -> Option<Span> {
    let is_output = |it: &&Detail| matches!(it.id, Some(ChangeId::Output(_)));
    let n = changes(entry).filter(|it| !is_output(it)).count() + entry.n_more;
    (n > 1).then(|| Span::new(format!("  +{}", n - 1), Role::Dim))
}

/// The property that decides: one that forces a replacement, else one whose value becomes another one, else the first one.
fn deciding(entry: &Entry) -> Option<&Detail> {
    let becomes = |detail: &&Detail| detail.before.is_some() && detail.after.is_some();
    let mut all = changes(entry);
    let forces = all.clone().find(|detail| forces(detail));
    forces
        .or_else(|| all.clone().find(becomes))
        .or_else(|| all.next())
}

/// True if a change is the reason for a replacement.
fn forces(detail: &Detail) -> bool {
    detail.note.contains(FORCES)
}
