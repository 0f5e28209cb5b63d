//! Draws the app. Reads everything and changes nothing.

mod continuations;
mod lines;
mod run;
mod timeline;
mod written;

use ratatui::Frame;

use super::app::App;
use super::header;

/// Draws the whole screen.
pub fn view(app: &App, frame: &mut Frame<'_>) {
    if frame.area().is_empty() {
        return;
    }
    let (areas, buffer) = (app.areas(), frame.buffer_mut());
    header::draw(app, areas.title, buffer);
    timeline::timeline(app, areas.timeline, buffer);
    run::run(app, areas.run, buffer);
    let ctx = app.ctx();
    app.views.view(app.window.view, &ctx, areas.panes, buffer);
    if let Some(query) = app.marked_query() {
        for pane in areas.panes {
            written::mark(query, &app.theme, pane.outer, buffer);
        }
    }
    // A stage has the selected row, which takes as long to find as its pane to draw.
    if !app.overlays.is_empty() {
        for (overlay, stage) in app.overlays.iter().zip(app.stages()) {
            overlay.view(&app.theme, stage, buffer);
        }
    }
    continuations::popup(app, buffer);
    lines::path(app, areas.path, buffer);
    lines::hint(app, areas.hint, buffer);
    app.theme.lay_ground(buffer);
}
