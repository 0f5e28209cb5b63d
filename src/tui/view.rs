//! Draws the model. Reads everything and changes nothing.

mod lines;
mod timeline;

use ratatui::Frame;
use ratatui::buffer::Buffer;

use super::command::View;
use super::layout::Areas;
use super::model::Model;

/// Draws the whole screen.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    let area = frame.area();
    draw(model, &Areas { ..model.areas() }, frame.buffer_mut(), area);
}

fn draw(model: &Model, areas: &Areas, buffer: &mut Buffer, screen: ratatui::layout::Rect) {
    if screen.is_empty() {
        return;
    }
    lines::title(model, areas.title, buffer);
    timeline::timeline(model, areas.timeline, buffer);
    body(model, areas, buffer);
    for overlay in &model.overlays {
        overlay.view(&model.theme, areas.body, buffer);
    }
    lines::path(model, areas.path, buffer);
    lines::hint(model, areas.hint, buffer);
}

fn body(model: &Model, areas: &Areas, buffer: &mut Buffer) {
    let [left, right] = areas.panes;
    let first = model.ctx(model.focus == 0);
    match model.view {
        View::Resources => {
            if !left.outer.is_empty() {
                model.tree.view(first, left, buffer);
            }
            if !right.outer.is_empty() {
                model
                    .detail
                    .view(model.ctx(model.focus == 1), right, buffer);
            }
        }
        View::Outputs => model.outputs.view(first, left, buffer),
        View::Problems => {
            model
                .problems
                .view(first, model.failure.as_deref(), left, buffer);
        }
        View::Changes => {
            if !left.outer.is_empty() {
                model.changes.view(first, left, buffer);
            }
            if !right.outer.is_empty() {
                let second = model.ctx(model.focus == 1);
                model.difference.view(second, right, buffer);
            }
        }
        View::Deps => model.deps.view(first, left, buffer),
    }
}
