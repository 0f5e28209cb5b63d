//! The frame of a pane: a box with a title if there is room, otherwise a line with the title.

use ratatui::buffer::Buffer;
use ratatui::symbols::line;

use super::pen::Pen;
use super::text::{fit, width};
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

/// Draws the frame.
pub fn draw(pane: Pane, labels: &Labels, theme: &Theme, buffer: &mut Buffer) {
    let outer = pane.outer.intersection(buffer.area);
    if outer.is_empty() || pane.inner == pane.outer {
        return;
    }
    let role = if labels.focused {
        Role::Focus
    } else {
        Role::Border
    };
    let inside = usize::from(outer.width).saturating_sub(2);
    if !pane.boxed {
        let status = labelled(&labels.status, inside / 2);
        let title = labelled(&labels.title, inside.saturating_sub(width(&status) + 2));
        let fill = usize::from(outer.width).saturating_sub(width(&title) + width(&status) + 2);
        let mut pen = Pen::new(buffer, theme, outer, 0);
        pen.put(line::HORIZONTAL, role)
            .put(&title, title_role(labels));
        pen.put(&line::HORIZONTAL.repeat(fill), role);
        pen.put(&status, Role::Dim).put(line::HORIZONTAL, role);
        return;
    }
    let title = labelled(&labels.title, inside);
    let fill = inside.saturating_sub(width(&title));
    let mut pen = Pen::new(buffer, theme, outer, 0);
    pen.put(line::TOP_LEFT, role)
        .put(&title, title_role(labels));
    pen.put(&line::HORIZONTAL.repeat(fill), role)
        .put(line::TOP_RIGHT, role);
    for row in 1..outer.height.saturating_sub(1) {
        Pen::new(buffer, theme, outer, row).put(line::VERTICAL, role);
        let mut pen = Pen::new(buffer, theme, outer, row);
        pen.skip(inside + 1).put(line::VERTICAL, role);
    }
    let status = labelled(&labels.status, inside);
    let fill = inside.saturating_sub(width(&status));
    let mut pen = Pen::new(buffer, theme, outer, outer.height - 1);
    pen.put(line::BOTTOM_LEFT, role)
        .put(&line::HORIZONTAL.repeat(fill), role);
    pen.put(&status, Role::Dim).put(line::BOTTOM_RIGHT, role);
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
        format!(" {} ", fit(text, room - 2))
    }
}
