//! The two lines below the panes: the selected path and the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::app::App;
use crate::tui::command::{Command, CopyCommand, FoldCommand, Motion, Panes, ReviewCommand, View};
use crate::tui::keymap;
use crate::tui::overlays::popup::Popup;
use crate::tui::rows::{Opening, Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::width;

/// The path line: the selected value and the keys that copy it.
pub(super) fn path(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let mut pen = Pen::new(buffer, &app.theme, area, 0);
    pen.skip(1);
    if let Some(line) = app.views.of(app.window.view).path_line(pen.room()) {
        return line.draw(&mut pen);
    }
    // An overlay has its own keys.
    let copies = app.overlays.is_empty();
    if let Some((id, spot)) = app.spot() {
        let mut right = Vec::new();
        if let Some(revealed) = &app.session.revealed {
            let seconds = revealed.seconds_left;
            right.push(Span::new(format!("hidden in {seconds} s "), Role::Danger));
        } else if let Some(ty) = app.type_of(id, &spot) {
            right.push(Span::new(format!("{} ", shown(&ty)), Role::Badge));
        }
        if copies {
            let dot = if right.is_empty() { "" } else { "· " };
            let key = keymap::key_of(Command::Copy(CopyCommand::Path));
            right.push(Span::new(format!("{dot}{key} copy path "), Role::Dim));
        }
        pen.put_right(&right);
        pen.put(&shown(&spot.path.to_string()), Role::Key);
        if let Some(inside) = &spot.inside {
            pen.put(" › inside ", Role::Dim);
            pen.put(&shown(&inside.to_string()), Role::Key);
        }
        let of = match id {
            Some(id) => app.session.stack().short_name(id),
            None => "stack",
        };
        if !spot.path.0.is_empty() {
            pen.put("     ", Role::Text);
        }
        pen.put(&format!("{} {}", shown(of), spot.part.name()), Role::Dim);
    } else if let Some(id) = app.selected() {
        let what = if app.session.is_pulumi() {
            "URN"
        } else {
            "address"
        };
        if copies {
            let key = keymap::key_of(Command::Copy(CopyCommand::Path));
            pen.put_right(&[Span::new(format!("{key} copy {what} "), Role::Dim)]);
        }
        pen.put(&shown(&app.session.stack().identity(id)), Role::Key);
    }
}

/// The last line: a message, otherwise the keys that can be pressed.
pub(super) fn hint(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let mut pen = Pen::new(buffer, &app.theme, area, 0);
    pen.skip(1);
    if let Some(message) = &app.message {
        pen.put(&message.text, message.role);
        return;
    }
    let back = keymap::key_of(Command::Cancel);
    if !app.pressed().is_empty() {
        pen.put(&format!("{}…", app.pressed().concat()), Role::Hint);
        pen.put("  ", Role::Text);
        hint_item(&mut pen, &back, "back");
        return;
    }
    if let Some(count) = app.count() {
        pen.put(&count.to_string(), Role::Hint);
        let key = |motion| keymap::key_of(Command::Move(motion));
        let motions = [Motion::Down, Motion::Up, Motion::HalfDown, Motion::HalfUp];
        let motions = motions.map(key).join(" ");
        let rows = [Motion::Top, Motion::Bottom].map(key).join(" ");
        let text = format!("  times: {motions} · {rows} go to that row · {back} back");
        pen.put(&text, Role::Text);
        return;
    }
    if app.overlays.is_empty() {
        pane_hints(app, &mut pen);
    }
    let accept_word = app.overlays.top().and_then(Popup::accept_word);
    let mut hinted: Vec<&str> = Vec::new();
    for scope in app.scopes() {
        for binding in keymap::bindings().iter().filter(|it| it.scope == scope) {
            // The first scope that binds a key decides what the key does.
            let is_taken = binding.keys.iter().any(|key| hinted.contains(key));
            hinted.extend(binding.keys);
            if binding.hint.is_empty() || is_taken {
                continue;
            }
            let is_obeyed = match app.overlays.top() {
                Some(overlay) => overlay.obeys(binding.command),
                None => app.is_possible(binding.command),
            };
            // The help has its own place at the right.
            if binding.command == Command::Help || !is_obeyed {
                continue;
            }
            let key = keymap::spelled(binding.keys.first().copied().unwrap_or_default());
            let is_brief = app.window.view == View::Brief;
            let hint = match binding.command {
                Command::Review(ReviewCommand::NextChange) if is_brief => {
                    app.views.changes.stories.next_word()
                }
                Command::Reveal if app.opening() == Some(Opening::Passphrase) => "open",
                Command::Accept => accept_word.unwrap_or(binding.hint),
                _ => binding.hint,
            };
            hint_item(&mut pen, &key, hint);
        }
    }
}

/// Writes the keys that lead from pane to pane, and the one for help at the right.
fn pane_hints(app: &App, pen: &mut Pen<'_>) {
    let mut right = Vec::new();
    let panes = app.areas().panes;
    let is_alone = panes[1 - app.window.focus.min(1)].outer.is_empty();
    let enter = keymap::key_of(Command::Fold(FoldCommand::Activate));
    match (app.window.view.row().panes, app.window.focus) {
        (Panes::Two(_), 0) if is_alone && !app.lists_rows() => {}
        (Panes::Two([_, other]), 0) if is_alone => hint_item(pen, &enter, other),
        (Panes::Two(_), _) if is_alone => {
            hint_item(pen, &keymap::key_of(Command::Cancel), "back");
        }
        (Panes::Two(names), focus) => {
            let other = names[1 - focus.min(1)];
            right.push(Span::new(keymap::key_of(Command::NextPane), Role::Hint));
            right.push(Span::new(format!(" {other}  "), Role::Text));
        }
        // The rows lead to what they are about.
        (Panes::One, _) => {
            if let Some(word) = enter_word(app) {
                hint_item(pen, &enter, word);
            }
        }
        (Panes::Columns, _) => {}
    }
    right.push(Span::new(keymap::key_of(Command::Help), Role::Hint));
    right.push(Span::new(" help ", Role::Text));
    pen.put_right(&right);
}

/// The word for Enter on the selected row of a view with one pane. `None` if it does nothing there.
fn enter_word(app: &App) -> Option<&'static str> {
    match app.window.view {
        View::Brief => app.views.changes.stories.enter_word(),
        View::Outputs | View::Problems => app.selected().map(|_| "go there"),
        View::Stacks => Some(app.views.stacks.enter_word()),
        // They have more panes.
        View::Resources | View::Changes | View::Deps => None,
    }
}

/// Writes a key with its word, if both fit.
fn hint_item(pen: &mut Pen<'_>, key: &str, word: &str) {
    if width(key) + width(word) + 3 <= pen.room() {
        pen.put(key, Role::Hint)
            .put(&format!(" {word}  "), Role::Text);
    }
}
