//! The lines of the brief's rows.
//!
//! Values come first: a change whose old and new value do not fit beside each other takes a line for each. Notes give way.

mod narrow;

use std::collections::BTreeSet;

use super::{Form, Listed, Row};
use crate::change::difference;
use crate::load::brief::page::{Detail, Entry, Part};
use crate::pulumi::urn::display_type;
use crate::render::lines;
use crate::stack::{Action, Agreement, ChangeId, Changes, ResourceId, Stack};
use crate::tui::changes::words;
use crate::tui::outline::{RowLine, Strip};
use crate::tui::rows::{Span, shown};
use crate::tui::since::Since;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::elide::{both_elided, elided, elided_from};
use crate::tui::widgets::names::{common_len, cut_name, cut_path, cut_type, least_path};
use crate::tui::widgets::pen::{cut, text_of, width_of};
use crate::tui::widgets::text::{count, fit_middle, padded, plural, width, wrap_words};
use crate::value::{KNOWN_AFTER_APPLY, LIKELY_SECRET, SECRET};

/// Cells before a name: the mark, the fold sign, the sign of the action, a blank.
const LEAD: usize = 5;

/// Cells between two columns.
const GAP: usize = 2;

/// Minimum number of cells of the column of types.
const MIN_TYPE: usize = 10;

/// Minimum number of cells of the name of a place beside a sentence about it.
const MIN_PLACE: usize = 12;

/// Minimum number of cells of a place without its middle, beside its values.
const MIN_SHORT_PLACE: usize = 30;

/// Minimum number of cells that stay around the parts of a text that differ, if both texts are on one line.
const LEAST_AROUND: usize = 16;

/// Number of cells of the bar of the review.
const BAR: usize = 15;

/// Cells of a line that is searched.
const MAX_LINE: usize = 2000;

/// The word before a change that many resources have.
const COMMON: &str = "common: ";

/// The sign of an entry whose changes are all reviewed.
pub const REVIEWED: &str = "✓";

/// The lines of a row.
pub type Lines = Vec<Vec<Span>>;

/// The widths on this screen.
#[derive(Clone, Copy)]
struct Widths {
    /// Cells of a line, without the cursor.
    room: usize,
    /// Cells of the column of names.
    names: usize,
    /// Cells of the column of types.
    ty: usize,
}

impl Widths {
    fn new(listed: &Listed, room: usize) -> Self {
        let [names, ty] = listed.widths;
        // A few cells of a type say nothing.
        let ty = match room / 5 {
            0..MIN_TYPE => 0,
            most => ty.min(most),
        };
        Self {
            room,
            names: names.min((room * 13 / 20).saturating_sub(ty)),
            ty,
        }
    }
}

/// The page on a screen of some width, from which its rows are drawn.
pub struct Drawing<'a> {
    listed: &'a Listed,
    stack: &'a Stack,
    reviewed: &'a BTreeSet<ChangeId>,
    /// The changes of the file since it was read before.
    since: Option<&'a Since>,
    widths: Widths,
    /// False if the parts of the bar need patterns.
    has_color: bool,
    /// Number of changes that are reviewed, and of those to review.
    progress: [usize; 2],
}

/// The signs in front of a row.
#[derive(Clone, Copy, Default)]
struct Marks {
    /// `None` if the row does not fold.
    is_open: Option<bool>,
    is_reviewed: bool,
    /// Number of cells that the cost takes at the right.
    cost: usize,
}

/// The lines of each row that a search finds, as one text, with nothing cut.
pub(super) fn texts(listed: &Listed, stack: &Stack) -> Vec<String> {
    let drawing = Drawing {
        listed,
        stack,
        reviewed: &BTreeSet::new(),
        since: None,
        widths: Widths::new(listed, MAX_LINE),
        has_color: false,
        progress: [0, 0],
    };
    let text = |(block, offset)| {
        let row = listed.row_of_block(block, offset);
        let lines = drawing.lines_of(row, Marks::default());
        let lines = lines.iter().map(|line| {
            let spans = line.iter().map(|span| &*span.text);
            spans.collect::<String>().trim().to_owned()
        });
        lines.collect::<Vec<_>>().join(" ")
    };
    listed.searched().map(text).collect()
}

/// A changed resource in a line, without what changes.
pub fn change(
    stack: &Stack,
    reviewed: &BTreeSet<ChangeId>,
    id: ResourceId,
    room: usize,
) -> Vec<Span> {
    let is_reviewed = reviewed.contains(&ChangeId::Resource(id));
    let action = stack.record(id).action.unwrap_or(Action::Noop);
    let own = (action.sign(), "", Role::from(action));
    let (sign, _, role) = words::action(stack, id).unwrap_or(own);
    let name = stack.spoken_name(id);
    let mut line = vec![
        Span::new(if is_reviewed { REVIEWED } else { " " }, Role::Good),
        Span::new("  ", Role::Text),
        Span::new(format!("{sign} "), role),
        Span::new(
            cut_name(&shown(name), room.saturating_sub(LEAD)),
            Role::Text,
        ),
    ];
    let ty = shown(&display_type(stack.ty(id)));
    let is_new = !ty.is_empty() && !name.contains(&ty);
    if is_new && width_of(&line) + GAP + width(&ty) <= room {
        line.push(Span::new(format!("  {ty}"), Role::Type));
    }
    line
}

/// The number of changes in words: `21 changes   2 delete   17 update`.
pub fn counts(stack: &Stack, changes: &Changes) -> Vec<Span> {
    let mut spans = vec![Span::new(stack.total(changes), Role::Title)];
    for (action, n, word) in stack.in_words(&changes.resources) {
        let n = count(n as u64);
        spans.push(Span::new("   ", Role::Text));
        spans.push(Span::new(format!("{n} {word}"), Role::from(action)));
    }
    let agreement = stack.counts.agreement.map(Agreement::words);
    for words in agreement.into_iter().flatten() {
        spans.push(Span::new(format!("   {words}"), Role::Dim));
    }
    spans
}

impl<'a> Drawing<'a> {
    /// The page on lines of `room` cells.
    pub fn new(
        listed: &'a Listed,
        (stack, reviewed): (&'a Stack, &'a BTreeSet<ChangeId>),
        since: Option<&'a Since>,
        progress: [usize; 2],
        theme: &Theme,
        room: usize,
    ) -> Self {
        Self {
            listed,
            stack,
            reviewed,
            since,
            widths: Widths::new(listed, room),
            has_color: theme.has_color(),
            progress,
        }
    }

    /// The lines of a row. A blank line above a title does not belong to the row.
    pub fn lines(&self, row: usize) -> Vec<RowLine> {
        let is_head = matches!(self.listed.row(row), Some(Row::Head));
        let lines = self.make_lines(row).into_iter().enumerate();
        let lines = lines.map(|(at, spans)| match (at, is_head) {
            (0, _) if spans.is_empty() => RowLine::Above(Strip::default()),
            // The bar of the actions keeps its colors.
            (1.., true) => RowLine::Painted(spans.into()),
            _ => spans.into(),
        });
        lines.collect()
    }

    fn make_lines(&self, at: usize) -> Lines {
        let listed = self.listed;
        let Some(row) = listed.row(at) else {
            return Vec::new();
        };
        let marks = Marks {
            is_open: listed.is_open(at),
            is_reviewed: listed.is_reviewed(listed.block_of(at)),
            cost: 0,
        };
        let entry = match (listed.form, row) {
            (Form::Narrow, _) => return self.narrow(row, marks),
            (Form::Wide, Row::Entry(entry)) => entry,
            (Form::Wide, _) => return self.lines_of(row, marks),
        };
        // The difference that the entry makes to the cost.
        let cost = entry.cost.as_ref();
        let cost = cost.map(|cost| Span::new(cost.a_month(), Role::Text));
        let marks = Marks {
            cost: cost.as_ref().map_or(0, |it| width(&it.text) + GAP),
            ..marks
        };
        let mut lines = self.lines_of(row, marks);
        if let Some(cost) = cost {
            self.add_at_right(&mut lines, cost);
        }
        if let Some(words) = listed.like_reviewed(listed.block_of(at), entry) {
            let indent = blanks(LEAD + GAP);
            let words = fit_middle(&words, self.room_below());
            lines.push(vec![Span::new(indent + &words, Role::Dim)]);
        }
        lines
    }

    /// Adds a text at the right end of the first line, or of one below it that has room.
    fn add_at_right(&self, lines: &mut Lines, span: Span) {
        let room = self.widths.room.saturating_sub(width(&span.text));
        let fits = |line: &Vec<Span>| width_of(line) + GAP <= room;
        if lines.first().is_none_or(|line| !fits(line)) {
            lines.insert(1.min(lines.len()), Vec::new());
        }
        if let Some(line) = lines.iter_mut().take(2).find(|line| fits(line)) {
            line.push(Span::new(blanks(room - width_of(line)), Role::Text));
            line.push(span);
        }
    }

    fn lines_of(&self, row: Row<'_>, marks: Marks) -> Lines {
        match row {
            Row::Head => self.head(),
            Row::Title(part) => {
                let sign = Span::fold(marks.is_open != Some(false), Role::Dim);
                vec![Vec::new(), title(sign, part)]
            }
            Row::Entry(entry) => self.placed(self.entry(entry, marks), entry),
            Row::Detail(entry, at) => {
                let below = entry.below();
                // The place and the note of the line above are not said again.
                let above = at.checked_sub(1).map(|at| &below[at]);
                let is_same = above.is_some_and(|it| it.heading() == below[at].heading());
                self.detail(ChangeLine::new(&below[at]), is_same)
            }
            Row::Along(entry) => self.along(entry),
            Row::More(entry) => remark(LEAD + GAP, plural(entry.n_more, "more change")),
            Row::Member(entry, at) => {
                let room = self.widths.room.saturating_sub(GAP);
                let name = change(self.stack, self.reviewed, entry.ids[at], room);
                let own = entry.own.get(at).map_or(&[][..], Vec::as_slice);
                with_values(indented(GAP, name), own, room)
            }
            Row::Rest(part) => {
                let n = count(part.n_without_entry() as u64);
                remark(LEAD, format!("{n} more"))
            }
            Row::Remarks => {
                let remarks = self.listed.page.remarks.iter();
                let lines = remarks.flat_map(|it| below(0, it, self.widths.room, Role::Dim));
                [Vec::new()].into_iter().chain(lines).collect()
            }
        }
    }

    /// The sentence about an entry. `None` if it only says what the sign says.
    fn sentence<'e>(&self, entry: &'e Entry) -> Option<&'e str> {
        let first = entry.action.zip(entry.ids.first());
        let word = first.map_or("", |(action, id)| self.stack.word_of(*id, action));
        Some(&*entry.says).filter(|says| !says.is_empty() && *says != word)
    }

    /// The counts, and the bar of the actions with the progress of the review.
    fn head(&self) -> Lines {
        let room = self.widths.room;
        let [_, n_to_review] = self.progress;
        let page = &self.listed.page;
        let mut first = match &*page.summary {
            "" => counts(self.stack, &page.changes),
            summary => vec![Span::new(summary, Role::Title)],
        };
        if !page.along.is_empty() {
            first.push(Span::new(format!("   {}", page.along), Role::Dim));
        }
        let mut lines = match (page.n_changes(), n_to_review) {
            (0, _) => vec![first],
            (_, 0) => vec![first, self.bar(room)],
            (_, _) => self.with_review(first),
        };
        let cost = page.cost.iter();
        lines.extend(cost.flat_map(|it| below(0, &it.to_string(), room, Role::Text)));
        lines.extend(page.common.iter().map(|detail| {
            let line = on_one_line(detail).into_iter().flatten();
            let line = [Span::new(COMMON, Role::Dim)].into_iter().chain(line);
            elided(&line.collect::<Vec<_>>(), room)
        }));
        let since = self.since.map(Since::words).unwrap_or_default();
        if !since.is_empty() {
            let words = [
                Span::new("since it was read before: ", Role::Dim),
                Span::new(since, Role::Good),
            ];
            lines.push(elided(&words, room));
        }
        lines
    }

    /// The counts and the bar of the actions, with the progress of the review in one of both lines.
    fn with_review(&self, mut first: Vec<Span>) -> Lines {
        let room = self.widths.room;
        let [n_reviewed, n_to_review] = self.progress;
        let filled = (n_reviewed * BAR / n_to_review).min(BAR);
        let [done, all] = [n_reviewed, n_to_review].map(|n| count(n as u64));
        let alike = match self.listed.n_left_alike {
            0 => String::new(),
            n => format!(" · {} alike", count(n as u64)),
        };
        let review = [
            Span::new("reviewed ", Role::Dim),
            Span::new("█".repeat(filled), Role::Good),
            Span::new("░".repeat(BAR - filled), Role::Dim),
            Span::new(format!(" {done}/{all}"), Role::Text),
            Span::new(alike, Role::Dim),
        ];
        let taken = width_of(&review) + GAP;
        if width_of(&first) + taken <= room {
            let gap = room - width_of(&first) - width_of(&review);
            first.push(Span::new(blanks(gap), Role::Text));
            first.extend(review);
            return vec![first, self.bar(room)];
        }
        let mut second = self.bar(room.saturating_sub(taken));
        second.push(Span::new(blanks(GAP), Role::Text));
        second.extend(review);
        vec![first, second]
    }

    /// The shares of the actions as parts of a line. Without color each has a pattern.
    fn bar(&self, room: usize) -> Vec<Span> {
        let counts = &self.listed.page.changes.resources;
        let total: usize = counts.iter().map(|(_, n)| n).sum();
        let (mut sum, mut end) = (0, 0);
        let mut spans = Vec::new();
        for (action, n) in counts {
            sum += n;
            // Each action has at least one cell.
            let next = (sum * room / total.max(1)).max(end + 1).min(room);
            let pattern = match action {
                _ if self.has_color => "▄",
                Action::Delete => "█",
                Action::Replace => "▓",
                Action::Update => "▒",
                Action::Create => "░",
                Action::Read
                | Action::Import
                | Action::Move
                | Action::Forget
                | Action::Defer
                | Action::Noop => "·",
            };
            let text = pattern.repeat(next.saturating_sub(end));
            spans.push(Span::new(text, Role::from(*action)));
            end = next;
        }
        spans
    }

    /// The signs, the name and the type of an entry, in columns or without any.
    fn subject(&self, entry: &Entry, marks: Marks, has_columns: bool) -> Vec<Span> {
        let Widths { names, ty, .. } = self.widths;
        let mark = if marks.is_reviewed { REVIEWED } else { " " };
        let sign = entry.action.map_or(" ", Action::sign);
        let fold = match marks.is_open {
            Some(is_open) => Span::fold(is_open, Role::Dim),
            None => Span::new("  ", Role::Dim),
        };
        let has_type = ty > 0 && entry.shows_type();
        // A name takes the column of types if that is empty.
        let names = if ty == 0 || has_type {
            names
        } else {
            names + GAP + ty
        };
        let in_column = |text: String, cells| padded(&text, if has_columns { cells } else { 0 });
        let name = entry.share().unwrap_or_else(|| names_in(entry, names));
        let mut line = vec![
            Span::new(mark, Role::Good),
            fold,
            Span::new(
                format!("{sign} "),
                entry.action.map_or(Role::Text, Role::from),
            ),
            Span::new(in_column(name, names), Role::Text),
        ];
        if has_type {
            let text = in_column(cut_type(&display_type(&entry.ty), ty), ty);
            line.push(Span::new(format!("  {text}"), Role::Type));
        }
        line
    }

    /// The first line of an entry, with its only change if there is one. A line that has too little room beside the columns does without them.
    fn entry<'e>(&self, entry: &'e Entry, marks: Marks) -> Lines {
        let room = self.widths.room.saturating_sub(marks.cost);
        let forms = [true, false].map(|has_columns| self.subject(entry, marks, has_columns));
        let is_word = self.sentence(entry).is_none();
        let says = (!entry.says.is_empty()).then(|| {
            let role = entry
                .action
                .filter(|_| is_word)
                .map_or(Role::Text, Role::from);
            Span::new(format!("  {}", entry.says), role)
        });
        let whole = forms.each_ref().map(|it| [it, says.as_slice()].concat());
        let only = entry.inlined().map(ChangeLine::new);
        let beside = |laid: fn(&ChangeLine<'e>, usize) -> Option<Vec<Span>>| {
            // The sign says the same as the word, so the word gives way.
            let without_word = forms.iter().filter(|_| is_word);
            whole.iter().chain(without_word).find_map(|form| {
                let change = laid(only.as_ref()?, room.checked_sub(width_of(form) + GAP)?)?;
                let gap = Span::new(blanks(GAP), Role::Text);
                Some([form.as_slice(), &[gap], &change].concat())
            })
        };
        let fits_below = || only.as_ref()?.whole(self.room_below());
        let cut = || beside(ChangeLine::cut).filter(|_| fits_below().is_none());
        if let Some(line) = beside(ChangeLine::whole).or_else(cut) {
            return vec![line];
        }
        let mut lines = Vec::new();
        if let Some(line) = whole.into_iter().find(|it| width_of(it) <= room) {
            lines.push(line);
        } else {
            // A long sentence goes below the name.
            lines.extend(forms.into_iter().take(1));
            lines.extend(below(LEAD + GAP, &entry.says, room, Role::Text));
        }
        lines.extend(only.into_iter().flat_map(|it| self.detail(it, false)));
        lines
    }

    /// The lines of an entry with the line that declares its resources: in the first one if that has room, else below.
    fn placed(&self, mut lines: Lines, entry: &Entry) -> Lines {
        let Some(position) = entry.declared_at() else {
            return lines;
        };
        let room = self.widths.room;
        let has_words = !entry.says.is_empty() || entry.inlined().is_some();
        let separator = if has_words { " · " } else { "  " };
        let beside = Span::new(format!("{separator}{position}"), Role::Dim);
        let is_free = |line: &&mut Vec<Span>| width_of(line) + width(&beside.text) <= room;
        if let Some(first) = lines.first_mut().filter(is_free) {
            first.push(beside);
        } else {
            let position = vec![Span::new(position, Role::Dim)];
            lines.push(cut(&indented(LEAD + GAP, position), room));
        }
        lines
    }

    /// Resources that come along, in a line if that has room.
    fn along(&self, entry: &Entry) -> Lines {
        let indent = LEAD + GAP;
        let [mut line, rest] = along_line(entry, self.room_below() / 2);
        if width_of(&line) + width_of(&rest) <= self.widths.room {
            line.extend(rest);
            return vec![line];
        }
        let room = self.widths.room.saturating_sub(indent + GAP);
        vec![line, indented(indent + GAP, cut(&rest[1..], room))]
    }

    /// Number of cells for a change below its entry.
    fn room_below(&self) -> usize {
        self.widths.room.saturating_sub(LEAD + GAP)
    }

    /// A change below its entry. If it goes on with the line above, its place and its note were said there.
    fn detail(&self, line: ChangeLine<'_>, goes_on: bool) -> Lines {
        let indent = LEAD + GAP;
        let (whole, room) = (self.widths.room, self.room_below());
        let detail = line.detail;
        if detail.is_words() {
            let role = detail.level.map_or(Role::Dim, |_| Role::Text);
            return below(indent, &detail.note, whole, role);
        }
        let line = if goes_on { line.bare() } else { line };
        if let Some(spans) = line.cut(room) {
            return vec![indented(indent, spans)];
        }
        // A note that has no room beside the values stands below them.
        let note = line.note;
        let line = line.bare();
        let has_values = line.before.is_some() || line.after.is_some();
        if let Some(spans) = line.cut(room).filter(|_| has_values) {
            let note = below(indent + GAP, note, whole, Role::Dim);
            return [vec![indented(indent, spans)], note].concat();
        }
        let role = Role::from(detail.action);
        let sign = Span::new(format!("{} ", detail.action.sign()), role);
        let ChangeLine { before, after, .. } = line;
        let note_room = room.saturating_sub(2 + width(&detail.place) + GAP);
        let place_room = room.saturating_sub(2);
        let beside_note = place_room.saturating_sub(width(note) + GAP);
        // A sentence about a place is never cut: the name of the place is.
        let is_sentence = !note.is_empty() && !has_values;
        let (place_room, has_note) = if is_sentence && beside_note >= MIN_PLACE {
            (beside_note, true)
        } else {
            (place_room, width(note) <= note_room)
        };
        let place = Span::new(cut_path(&detail.place, place_room), Role::Key);
        let mut first = vec![sign, place];
        if !note.is_empty() && has_note {
            first.push(Span::new(format!("  {note}"), Role::Dim));
        }
        let deeper = indent + GAP;
        let room = whole.saturating_sub(deeper + 2);
        let mut lines = Vec::new();
        let has_heading = !detail.place.is_empty() || !note.is_empty();
        if has_heading && !goes_on {
            lines.push(indented(indent, first));
        }
        // A fact is no change: its values have no signs.
        let is_fact = detail.action == difference::Action::Same;
        let sign_of = |sign| if is_fact { "  " } else { sign };
        for (sign, role, value) in [
            (sign_of("- "), Role::Delete, before),
            (sign_of("+ "), Role::Create, after),
        ] {
            if let Some(value) = value {
                let mut spans = vec![Span::new(sign, role)];
                spans.extend(elided(&value, room));
                lines.push(indented(deeper, spans));
            }
        }
        if is_sentence && !has_note {
            lines.extend(below(deeper, note, whole.saturating_sub(2), Role::Dim));
        }
        lines
    }
}

/// A line of dim words after so many blanks.
fn remark(indent: usize, words: String) -> Lines {
    vec![indented(indent, vec![Span::new(words, Role::Dim)])]
}

/// Resources that come along, with names of so many cells, and what changes.
fn along_line(entry: &Entry, names: usize) -> [Vec<Span>; 2] {
    let indent = LEAD + GAP;
    let role = entry.action.map_or(Role::Text, Role::from);
    let sign = entry.action.map_or(" ", Action::sign);
    let name = entry.share().unwrap_or_else(|| names_in(entry, names));
    let mut line = vec![
        Span::new(blanks(indent), Role::Text),
        Span::new(format!("{sign} "), role),
        Span::new(name, Role::Text),
    ];
    if entry.shows_type() {
        line.push(Span::new(
            format!("  {}", display_type(&entry.ty)),
            Role::Type,
        ));
    }
    // The changes first: a line that is too long loses its end.
    let (changes, remarks): (Vec<&Detail>, Vec<&Detail>) =
        entry.details.iter().partition(|it| !it.is_words());
    let details = changes.into_iter().chain(remarks).filter_map(on_one_line);
    let says = vec![Span::new(entry.says.clone(), Role::Text)];
    let says = Some(says).filter(|_| !entry.says.is_empty());
    let mut rest: Vec<Span> = Vec::new();
    for spans in says.into_iter().chain(details) {
        let gap = if rest.is_empty() { "  " } else { " · " };
        rest.push(Span::new(gap, Role::Dim));
        rest.extend(spans);
    }
    [line, rest]
}

/// The name of a member with the values that are its own: beside it, or each on a line below.
fn with_values(name: Vec<Span>, own: &[Detail], room: usize) -> Lines {
    if let [one] = own
        && let Some(left) = room.checked_sub(width_of(&name) + GAP)
        && let Some(values) = ChangeLine::new(one).whole(left)
    {
        return vec![[name, vec![Span::new(blanks(GAP), Role::Text)], values].concat()];
    }
    let indent = LEAD + 2 * GAP;
    let line = |detail| ChangeLine::new(detail).in_one(room.saturating_sub(indent));
    let below = own.iter().map(|it| indented(indent, line(it)));
    std::iter::once(name).chain(below).collect()
}

/// A line after some blanks.
fn indented(indent: usize, spans: Vec<Span>) -> Vec<Span> {
    let blanks = Span::new(blanks(indent), Role::Text);
    [blanks].into_iter().chain(spans).collect()
}

/// A text on lines of `room` cells, each after some blanks.
fn below(indent: usize, text: &str, room: usize, role: Role) -> Lines {
    let lines = wrap_words(text, room.saturating_sub(indent)).into_iter();
    let lines = lines.map(|line| indented(indent, vec![Span::new(line, role)]));
    lines.collect()
}

/// A change or a remark with nothing cut. `None` if it is too long for that.
fn on_one_line(detail: &Detail) -> Option<Vec<Span>> {
    if detail.is_words() {
        return Some(vec![Span::new(detail.note.clone(), Role::Dim)]);
    }
    ChangeLine::new(detail).whole(MAX_LINE)
}

/// The title of a section: `LOOK AT THESE FIRST  3 · 12 changes`.
fn title(sign: Span, part: &Part) -> Vec<Span> {
    let role = part.title.level().map_or(Role::Title, Role::from);
    vec![
        sign,
        Span::new(part.title.heading(), role),
        Span::new(format!("  {}", part.counts()), Role::Dim),
    ]
}

/// A change as one line: `~ replicas  3 → 5  forces replacement`. Its values are compared once, however it is laid out.
#[derive(Clone)]
pub struct ChangeLine<'d> {
    detail: &'d Detail,
    note: &'d str,
    before: Option<Vec<Span>>,
    after: Option<Vec<Span>>,
}

impl<'d> ChangeLine<'d> {
    /// The line of a change.
    pub fn new(detail: &'d Detail) -> Self {
        let (before, after) = values(detail);
        Self {
            detail,
            note: &detail.note,
            before,
            after,
        }
    }

    /// The line without its note.
    fn bare(self) -> Self {
        Self { note: "", ..self }
    }

    fn sides(&self) -> [&[Span]; 2] {
        [&self.before, &self.after].map(|side| side.as_deref().unwrap_or_default())
    }

    /// The line with another form of its place and its values.
    fn with(&self, place: &str, [before, after]: [&[Span]; 2]) -> Vec<Span> {
        let action = self.detail.action;
        let mut line = vec![Span::new(format!("{} ", action.sign()), Role::from(action))];
        if !place.is_empty() {
            line.push(Span::new(place, Role::Key));
            line.push(Span::new("  ", Role::Text));
        }
        line.extend_from_slice(before);
        let becomes = action == difference::Action::Update || self.before.is_some();
        if becomes && self.after.is_some() {
            line.push(Span::new(" → ", Role::Dim));
        }
        line.extend_from_slice(after);
        if !self.note.is_empty() {
            let has_value = self.before.is_some() || self.after.is_some();
            let gap = if has_value { "  " } else { "" };
            line.push(Span::new(format!("{gap}{}", self.note), Role::Dim));
        }
        line
    }

    /// The line with nothing cut. `None` if there is too little room for that.
    pub fn whole(&self, room: usize) -> Option<Vec<Span>> {
        let line = self.with(&self.detail.place, self.sides());
        (width_of(&line) <= room).then_some(line)
    }

    /// The line in one. The note gives way first, then both values and the start of the place.
    pub fn in_one(self, room: usize) -> Vec<Span> {
        if self.detail.is_words() {
            return cut(&[Span::new(self.note, Role::Dim)], room);
        }
        if let Some(line) = self.cut(room) {
            return line;
        }
        let line = self.bare();
        if let Some(line) = line.cut(room) {
            return line;
        }
        let (place, [before, after]) = (&*line.detail.place, line.sides());
        let of_values = width_of(before) + width_of(after);
        let for_place = room.saturating_sub(of_values + 2 + GAP + 3);
        let place = cut_path(place, for_place.max(least_path(place).min(room / 2)));
        // The signs in front of the place and between the values, and the blanks.
        let left = room.saturating_sub(width(&place) + 2 + GAP + 3);
        let [before, after] = both_elided([before, after], left, 1).unwrap_or_else(|| {
            let [wanted, other] = [before, after].map(width_of);
            let share = (left / 2).max(left.saturating_sub(other));
            // Both show the place from which on they differ.
            let at = common_len(&text_of(before), &text_of(after));
            let shorten = if wanted == 0 || other == 0 {
                |side: &[Span], _, room| elided(side, room)
            } else {
                elided_from
            };
            let before = shorten(before, at, wanted.min(share));
            let after = shorten(after, at, left.saturating_sub(width_of(&before)));
            [before, after]
        });
        cut(&line.with(&place, [&before, &after]), room)
    }

    /// The line in its room. A long place loses its start; two long texts are cut to the parts that differ, with something around them. `None` if
    /// there is too little room for that, too.
    pub fn cut(&self, room: usize) -> Option<Vec<Span>> {
        let (place, sides) = (&*self.detail.place, self.sides());
        let line = self.with(place, sides);
        let Some(too_wide @ 1..) = width_of(&line).checked_sub(room) else {
            return Some(line);
        };
        // The end of a path says which property it is.
        let cells = width(place).saturating_sub(too_wide);
        let short_place = (cells >= MIN_SHORT_PLACE).then(|| cut_path(place, cells));
        if let Some(place) = short_place {
            return Some(self.with(&place, sides));
        }
        let of_sides: usize = sides.into_iter().map(width_of).sum();
        let room = of_sides.checked_sub(too_wide)?;
        let [before, after] = both_elided(sides, room, LEAST_AROUND)?;
        Some(self.with(place, [&before, &after]))
    }
}

/// The value before and after, with the parts that differ marked.
fn values(detail: &Detail) -> (Option<Vec<Span>>, Option<Vec<Span>>) {
    let role = |text: &String| match text.as_str() {
        SECRET | LIKELY_SECRET => Role::Secret,
        KNOWN_AFTER_APPLY => Role::Unknown,
        _ => Role::Text,
    };
    let plain = |text: &String| vec![Span::new(text, role(text))];
    match (&detail.before, &detail.after) {
        (Some(before), Some(after)) if [before, after].map(role) == [Role::Text; 2] => {
            let (before, after) = lines::words(before, after);
            let [before, after] = [before, after].map(|it| it.iter().map(Span::from).collect());
            (Some(before), Some(after))
        }
        (before, after) => (before.as_ref().map(plain), after.as_ref().map(plain)),
    }
}

/// The names that fit, and the number of the other resources: `a, b, 3 more`. The first name is cut.
fn names_in(entry: &Entry, room: usize) -> String {
    let more = |n: usize| {
        let more = entry.more_than(n);
        more.map_or_else(String::new, |more| format!(", {more}"))
    };
    let Some((first, rest)) = entry.names.split_first() else {
        return String::new();
    };
    let mut text = first.text.clone();
    let left = room.saturating_sub(width(&more(1)));
    let mut fitting = format!("{}{}", cut_name(&text, left), more(1));
    for (at, name) in rest.iter().enumerate() {
        if width(&text) > room {
            break;
        }
        text = format!("{text}, {}", name.text);
        let whole = format!("{text}{}", more(at + 2));
        if width(&whole) <= room {
            fitting = whole;
        }
    }
    fitting
}

fn blanks(n: usize) -> String {
    " ".repeat(n)
}
