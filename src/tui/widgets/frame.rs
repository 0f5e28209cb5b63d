//! The frame of a pane: a box with a title if there is room, otherwise a line with the title. Without color the focused pane has
//! a heavy frame.

use ratatui::buffer::Buffer;
use ratatui::symbols::line;

use super::pen::Pen;
use super::text::{fit_counts, width};
use crate::tui::layout::Pane;
use crate::tui::theme::{Role, Theme};

/// The texts in the frame of a pane.
#[derive(Clone, Default, Debug)]
pub struct Labels {
    /// Text at the top left.
    pub title: String,
    /// Text at the bottom right, or at the top right if there is no bottom line.
    pub status: String,
    /// True if the pane has the keyboard focus.
    pub focused: bool,
}

impl Labels {
    /// The texts of a pane or popup with the keyboard focus.
    pub fn of(title: impl Into<String>, status: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            status: status.into(),
            focused: true,
        }
    }
}

/// Draws the frame.
pub fn draw(pane: Pane, labels: &Labels, theme: &Theme, buffer: &mut Buffer) {
    let outer = pane.outer.intersection(buffer.area);
    let has_title = pane.boxed || pane.inner.y > pane.outer.y;
    if outer.is_empty() || !has_title {
        return;
    }
    let role = if labels.focused {
        Role::Focus
    } else {
        Role::Border
    };
    // Without color only the line tells which pane has the focus.
    let line = if labels.focused && !theme.has_color() {
        line::THICK
    } else {
        line::NORMAL
    };
    let inside = usize::from(outer.width).saturating_sub(2);
    let mut edge = |at: u16, ends: [&str; 2], title: &str, status: &str| {
        let fill = inside.saturating_sub(width(title) + width(status));
        let mut pen = Pen::new(buffer, theme, outer, at);
        pen.put(ends[0], role).put(title, title_role(labels));
        pen.put(&line.horizontal.repeat(fill), role);
        pen.put(status, Role::Dim).put(ends[1], role);
    };
    if !pane.boxed {
        let status = labelled(&labels.status, inside - inside * 2 / 5);
        let title = labelled(&labels.title, inside.saturating_sub(width(&status) + 2));
        edge(0, [line.horizontal; 2], &title, &status);
        return;
    }
    let [title, status] = [&labels.title, &labels.status].map(|text| labelled(text, inside));
    let last = outer.height - 1;
    edge(0, [line.top_left, line.top_right], &title, "");
    edge(last, [line.bottom_left, line.bottom_right], "", &status);
    for row in 1..last {
        Pen::new(buffer, theme, outer, row).put(line.vertical, role);
        let mut pen = Pen::new(buffer, theme, outer, row);
        pen.skip(inside + 1).put(line.vertical, role);
    }
}

fn title_role(labels: &Labels) -> Role {
    if labels.focused {
        Role::Focus
    } else {
        Role::Title
    }
}

/// The text with a blank on both sides. Empty if there is no text or no room.
fn labelled(text: &str, room: usize) -> String {
    if text.is_empty() || room < 4 {
        String::new()
    } else {
        format!(" {} ", fit_counts(text, room - 2))
    }
}
