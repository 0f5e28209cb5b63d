//! The popup with the keys that continue a sequence, such as `g` or `z`. Its place is the bottom, beside the line of hints.

use ratatui::buffer::Buffer;

use crate::tui::app::App;
use crate::tui::keymap::{self, Binding};
use crate::tui::overlays::framed;
use crate::tui::theme::Role;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::width;

/// Draws the popup, if a sequence has begun.
pub(super) fn popup(app: &App, buffer: &mut Buffer) {
    if app.pressed().is_empty() {
        return;
    }
    let mut rows: Vec<(String, &Binding)> = Vec::new();
    for (rest, binding) in keymap::continuations(&app.scopes(), app.pressed()) {
        // The first scope that binds a key decides what the key does.
        if rows.iter().all(|(key, _)| *key != rest) {
            rows.push((rest, binding));
        }
    }
    let pressed = app.pressed().concat();
    let texts = rows.iter().map(|(_, binding)| width(binding.help));
    // The frame, a blank at each side, the keys and the gap after them.
    let wanted = texts.max().unwrap_or(0) + width(&pressed) + 9;
    let area = app.stage().bottom(wanted, rows.len() + 2);
    let labels = Labels::of(format!("{pressed}…"), "");
    let inner = framed(area, &labels, &app.theme, buffer);
    for (line, (rest, binding)) in (0..inner.height).zip(&rows) {
        let mut pen = Pen::new(buffer, &app.theme, inner, line);
        pen.skip(1);
        pen.put(&format!("{pressed}{rest:<3} "), Role::Hint);
        pen.put(binding.help, Role::Text);
    }
}
