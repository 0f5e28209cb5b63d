//! The two lines below the panes: the selected path and the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::app::App;
use crate::tui::command::{Command, View};
use crate::tui::keymap::{self, BINDINGS, Scope};
use crate::tui::overlays::Overlay;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::Pen;

/// The path line: the selected value and the keys that copy it.
pub(super) fn path(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let mut pen = Pen::new(buffer, &app.theme, area, 0);
    pen.skip(1);
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
            right.push(Span::new(format!("{dot}c copy path "), Role::Dim));
        }
        pen.put_right(&right);
        let mut path = spot.path.to_string();
        if !path.starts_with('[') && !path.is_empty() {
            path.insert(0, '.');
        }
        pen.put(&shown(&format!("root{path}")), Role::Key);
        if let Some(inside) = &spot.inside {
            let inside = inside.to_string();
            let dot = if inside.starts_with('[') || inside.is_empty() {
                ""
            } else {
                "."
            };
            pen.put(" › inside ", Role::Dim);
            pen.put(&shown(&format!("root{dot}{inside}")), Role::Key);
        }
        let of = match id {
            Some(id) => app.session.stack().short_name(id),
            None => "stack",
        };
        pen.put("     ", Role::Text);
        pen.put(&format!("{} {}", shown(of), spot.part.name()), Role::Dim);
    } else if let Some(id) = app.selected() {
        let what = if app.session.is_pulumi() {
            "URN"
        } else {
            "address"
        };
        if copies {
            pen.put_right(&[Span::new(format!("c copy {what} "), Role::Dim)]);
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
    if !app.pressed().is_empty() {
        pen.put(&app.pressed().concat(), Role::Hint)
            .put("  ", Role::Text);
        for (rest, binding) in keymap::continuations(app.scopes(), app.pressed()) {
            let cost = rest.len() + binding.name.len() + 3;
            if cost > pen.room() {
                break;
            }
            pen.put(&rest, Role::Hint);
            pen.put(&format!(" {}  ", binding.name), Role::Text);
        }
        return;
    }
    if let Some(count) = app.count() {
        pen.put(&count.to_string(), Role::Hint);
        pen.put(
            "  times: j k ^d ^u J K · gg G go to that row · Esc back",
            Role::Text,
        );
        return;
    }
    if app.overlays.is_empty()
        && app.areas().panes[1 - app.window.focus.min(1)]
            .outer
            .is_empty()
    {
        match (app.window.view, app.window.focus) {
            (View::Resources, 0) => hint_item(&mut pen, "Enter", "details"),
            (View::Resources | View::Changes, 1) => hint_item(&mut pen, "Esc", "back"),
            (View::Changes, _) => hint_item(&mut pen, "Enter", "difference"),
            _ => {}
        }
    } else if app.overlays.is_empty() && app.window.view.has_two_panes() {
        let other = match (app.window.view, app.window.focus) {
            (View::Resources, 0) => "Tab → details ",
            (View::Resources, _) => "Tab → tree ",
            (_, 0) => "Tab → difference ",
            _ => "Tab → list ",
        };
        pen.put_right(&[Span::new(other, Role::Dim)]);
    }
    if let Some(Overlay::Text(text)) = app.overlays.last()
        && text.target().is_some()
    {
        hint_item(&mut pen, "Enter", "go there");
    }
    let scopes: &[Scope] = app.scopes();
    let mut hinted: Vec<&str> = Vec::new();
    for scope in scopes {
        for binding in BINDINGS.iter().filter(|it| it.scope == *scope) {
            // The first scope that binds a key decides what the key does.
            let is_taken = binding.keys.iter().any(|key| hinted.contains(key));
            hinted.extend(binding.keys);
            // Most files have no sources. The key is offered only if there are some.
            let is_absent =
                binding.command == Command::Source && app.session.stack().sources.files.is_empty();
            if binding.hint.is_empty() || is_taken || is_absent {
                continue;
            }
            let key = keymap::spelled(binding.keys.first().copied().unwrap_or_default());
            hint_item(&mut pen, &key, binding.hint);
        }
    }
}

/// Writes a key with its word, if both fit.
fn hint_item(pen: &mut Pen<'_>, key: &str, word: &str) {
    if key.chars().count() + word.chars().count() + 3 <= pen.room() {
        pen.put(key, Role::Hint)
            .put(&format!(" {word}  "), Role::Text);
    }
}
