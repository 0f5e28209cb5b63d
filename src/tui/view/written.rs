//! Marks what the last search found, wherever it is written in the panes: in names, types, values and differences.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use crate::search::Query;
use crate::tui::theme::{Role, Theme};

/// Marks the places in `area` where `query` is written. What a line break or an ellipsis cuts is not marked.
pub(super) fn mark(query: &Query, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let style = theme.style(Role::Match);
    let area = area.intersection(buffer.area);
    for y in area.rows().map(|row| row.y) {
        let (mut text, mut columns) = (String::new(), Vec::new());
        for x in area.left()..area.right() {
            let symbol = buffer[(x, y)].symbol();
            text.push_str(symbol);
            columns.resize(text.len(), x);
        }
        for place in query.written_in(&text) {
            for x in columns[place.start]..=columns[place.end - 1] {
                let cell = &mut buffer[(x, y)];
                // The cursor and the lines of a difference keep their colors.
                if cell.bg == Color::Reset {
                    cell.set_style(style);
                } else {
                    cell.modifier |= style.add_modifier;
                }
            }
        }
    }
}
