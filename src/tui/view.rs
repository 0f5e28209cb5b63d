//! Draws the app. Reads everything and changes nothing.

mod continuations;
mod lines;
mod run;
mod timeline;

use ratatui::Frame;
use ratatui::buffer::Buffer;

use super::app::App;
use super::command::View;
use super::header;
use super::layout::Areas;

/// Draws the whole screen.
pub fn view(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    draw(app, &Areas { ..app.areas() }, frame.buffer_mut(), area);
}

fn draw(app: &App, areas: &Areas, buffer: &mut Buffer, screen: ratatui::layout::Rect) {
    if screen.is_empty() {
        return;
    }
    header::draw(app, areas.title, buffer);
    timeline::timeline(app, areas.timeline, buffer);
    run::run(app, areas.run, buffer);
    body(app, areas, buffer);
    for overlay in &app.overlays {
        overlay.view(&app.theme, areas.body, buffer);
    }
    continuations::popup(app, areas.body, buffer);
    lines::path(app, areas.path, buffer);
    lines::hint(app, areas.hint, buffer);
    app.theme.lay_ground(buffer);
}

fn body(app: &App, areas: &Areas, buffer: &mut Buffer) {
    let [left, right] = areas.panes;
    let first = app.ctx(app.window.focus == 0);
    match app.window.view {
        View::Resources => app
            .resources
            .view(&app.resources_ctx(), areas.panes, buffer),
        View::Outputs => app.outputs.view(first, left, buffer),
        View::Problems => {
            app.problems
                .view(first, app.session.failure.as_deref(), left, buffer);
        }
        View::Changes => {
            if !left.outer.is_empty() {
                app.changes.list.view(first, left, buffer);
            }
            if !right.outer.is_empty() {
                let second = app.ctx(app.window.focus == 1);
                app.changes.difference.view(second, right, buffer);
            }
        }
        View::Deps => app.deps.view(first, left, buffer),
    }
}
