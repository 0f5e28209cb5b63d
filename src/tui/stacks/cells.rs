//! The cells of a row: what each column says about a stack, or about all stacks below a heading.

use super::{Contents, StackRow, Totals};
use crate::format::table;
use crate::load::folder::Role as FileRole;
use crate::render::plain;
use crate::stack::{Action, Verb};
use crate::text::counted;
use crate::tui::changes::Topic;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::width_of;
use crate::tui::widgets::text::{count, fit, plural};

/// A column beside the names, in the order of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// The tool and the kind of the file.
    Kind,
    /// The version of the tool.
    Version,
    /// The number of resources, the changes of a plan, or damage.
    Facts,
    /// Drift and pending operations.
    Pending,
    /// The number of problems.
    Problems,
    /// The time of the last change.
    Changed,
    /// The size of the file.
    Size,
}

/// Number of columns.
pub(super) const N_COLUMNS: usize = 7;

impl Column {
    /// All columns in the order of the screen.
    pub const ALL: [Self; N_COLUMNS] = [
        Self::Kind,
        Self::Version,
        Self::Facts,
        Self::Pending,
        Self::Problems,
        Self::Changed,
        Self::Size,
    ];

    /// All columns, the most important one first: a narrow screen has only the first of them.
    pub const BY_NEED: [Self; N_COLUMNS] = [
        Self::Facts,
        Self::Kind,
        Self::Changed,
        Self::Problems,
        Self::Pending,
        Self::Size,
        Self::Version,
    ];

    /// Its heading, and the maximum width of its cells.
    const LOOKS: [(&'static str, usize); N_COLUMNS] = [
        ("kind", 26),
        ("version", 13),
        ("resources", 26),
        ("drift, pending", 22),
        ("problems", 26),
        ("last change", 13),
        ("size", 9),
    ];

    /// Its heading.
    pub fn title(self) -> &'static str {
        Self::LOOKS[self as usize].0
    }

    /// Maximum width of its cells.
    pub fn max_width(self) -> usize {
        Self::LOOKS[self as usize].1
    }

    /// True if its cells end at the same place.
    pub fn is_right(self) -> bool {
        matches!(self, Self::Changed | Self::Size)
    }
}

/// The cells of a row, by column.
pub type Cells = [Vec<Span>; N_COLUMNS];

/// The cells of a member, at a time in seconds since 1970.
pub fn cells(row: &StackRow, now: u64) -> Cells {
    let totals = Totals::of(row);
    let mut cells = totals.cells(now);
    let version = row.summary().map(|summary| shown(&summary.tool_version));
    cells[Column::Kind as usize] = text(kind(row), Role::Text);
    cells[Column::Version as usize] = text(version.unwrap_or_default(), Role::Dim);
    cells[Column::Facts as usize] = facts(row);
    cells[Column::Problems as usize] = n_problems(totals.n_problems);
    cells
}

impl Totals {
    /// The cells of a heading.
    pub fn cells(&self, now: u64) -> Cells {
        Column::ALL.map(|column| match column {
            Column::Kind => text(plural_of(self.n_stacks, "stack"), Role::Dim),
            Column::Version => Vec::new(),
            Column::Facts => text(plural_of(self.n_resources, "resource"), Role::Text),
            Column::Pending => {
                let numbers = [(self.n_drifted, "drifted"), (self.n_pending, "pending")];
                text(counted(numbers).join(" · "), Role::Update)
            }
            Column::Problems if self.n_broken > 0 => {
                text(format!("⚠ {} broken", count(self.n_broken)), Role::Danger)
            }
            Column::Problems => n_problems(self.n_problems),
            Column::Changed => {
                let ago = |at| plain::ago(now.saturating_sub(at));
                text(self.changed.map(ago).unwrap_or_default(), Role::Dim)
            }
            Column::Size => text(plain::size(self.bytes), Role::Number),
        })
    }
}

/// A number with its noun.
pub fn plural_of(n: u64, noun: &str) -> String {
    plural(usize::try_from(n).unwrap_or(usize::MAX), noun)
}

fn text(text: String, role: Role) -> Vec<Span> {
    if text.is_empty() {
        Vec::new()
    } else {
        vec![Span::new(text, role)]
    }
}

/// The kind of a file: by its contents if it was read, and otherwise by its name.
fn kind(row: &StackRow) -> String {
    if let Some(summary) = row.summary() {
        return format!("{} {}", summary.tool.name(), table::noun(summary.kind));
    }
    let by_name = match row.member.role {
        FileRole::State | FileRole::Errored | FileRole::Backup | FileRole::History => "state",
        FileRole::Plan => "plan",
        FileRole::Other => "",
    };
    by_name.to_owned()
}

fn facts(row: &StackRow) -> Vec<Span> {
    let summary = match &row.contents {
        Contents::Unread => return text("…".to_owned(), Role::Dim),
        Contents::Locked => return text("encrypted".to_owned(), Role::Badge),
        Contents::Failed(_) => return text("⚠ does not open".to_owned(), Role::Danger),
        Contents::Left => return text("not read".to_owned(), Role::Dim),
        Contents::Read(summary) => summary,
    };
    if let Some(damage) = &summary.damage {
        return text(format!("⚠ {}", shown(damage)), Role::Danger);
    }
    if !summary.kind.has_changes() {
        return text(plural_of(summary.n_resources, "resource"), Role::Text);
    }
    let sign = |(action, n): &(Action, usize)| {
        let text = format!("{}{} ", action.sign().trim(), count(*n as u64));
        Span::new(text, Topic::Change(*action).role())
    };
    if summary.changes.n_resources() > 0 {
        return summary.changes.resources.iter().map(sign).collect();
    }
    match summary.changes.beside_resources(Verb::Change) {
        Some(others) => text(others, Role::Update),
        None => text("no changes".to_owned(), Role::Good),
    }
}

fn n_problems(n: u64) -> Vec<Span> {
    if n == 0 {
        return Vec::new();
    }
    text(plural_of(n, "problem"), Role::Danger)
}

/// The words after the name of a file that is not simply the state of a stack.
pub fn badges(row: &StackRow) -> Vec<Span> {
    let (text, role) = match row.member.role {
        FileRole::Errored => ("  could not be written to its backend", Role::Danger),
        FileRole::Backup => ("  previous copy", Role::Dim),
        FileRole::History if row.member.version.is_some() => ("", Role::Dim),
        FileRole::History => ("  after an earlier update", Role::Dim),
        FileRole::State if row.is_in_use => ("  in use", Role::Good),
        FileRole::State | FileRole::Plan | FileRole::Other => ("", Role::Dim),
    };
    let mut badges = vec![Span::new(text, role)];
    if let Some(version) = &row.member.version {
        let words = match (row.member.role, version.rival()) {
            (FileRole::Backup, _) => String::new(),
            (FileRole::History, _) => format!("  {}", version.words()),
            (_, None) => format!("  {}", plural(version.n_all, "version")),
            (_, Some(_)) => format!("  serial {} differs", version.recorded.serial),
        };
        badges.push(Span::new(words, Role::Dim));
    }
    if let Some(twin) = &row.member.twin {
        badges.push(Span::new(format!("  same as {}", shown(twin)), Role::Dim));
    }
    badges
}

/// The spans of a cell in exactly `room` cells. Those that do not fit are dropped, with `…` in their place.
pub fn padded(mut spans: Vec<Span>, column: Column, room: usize) -> Vec<Span> {
    let mut is_cut = false;
    while width_of(&spans) + usize::from(is_cut) > room && spans.len() > 1 {
        spans.pop();
        is_cut = true;
    }
    if is_cut {
        spans.push(Span::new("…", Role::Dim));
    }
    if let [only] = &mut spans[..] {
        only.text = fit(&only.text, room);
    }
    let fill = Span::new(
        " ".repeat(room.saturating_sub(width_of(&spans))),
        Role::Text,
    );
    if column.is_right() {
        spans.insert(0, fill);
    } else {
        spans.push(fill);
    }
    spans
}
