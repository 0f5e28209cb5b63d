//! The three lines around the panes: the file, the selected path and the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::format::table;
use crate::load;
use crate::render::plain;
use crate::stack::{Action, Agreement, Header, Kind};
use crate::tui::app::App;
use crate::tui::command::{Command, View};
use crate::tui::keymap::{self, BINDINGS, Scope};
use crate::tui::overlays::Overlay;
use crate::tui::panes::changes::Topic;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::{Pen, width_of};
use crate::tui::widgets::text::{count, fit, plural, width};

/// The top line: the file, the amount read and the views.
pub(super) fn title(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let mut pen = Pen::new(buffer, &app.theme, area, 0);
    pen.put(" ", Role::Text);
    let name = file_name(app);
    let damage = damage(app, pen.room());
    let tabs = tabs(app);
    // A review needs room for its counts.
    let wanted = if app.window.view == View::Changes {
        100
    } else {
        30
    };
    // Damage is always shown.
    let needed = damage.as_ref().map_or(0, |it| width(&name) + width(it) + 4);
    if width_of(&tabs) + wanted.max(needed) < pen.room() {
        pen.put_right(&tabs);
    } else if let Some(short) = short_tabs(app, pen.room().saturating_sub(needed)) {
        pen.put_right(&short);
    }
    let stack = app.session.stack();
    match &damage {
        None => pen.put(&name, Role::Title),
        Some(damage) => {
            let room = pen.room().saturating_sub(width(damage) + 3);
            pen.put(&fit(&name, room), Role::Title);
            pen.put(" · ", Role::Dim).put(damage, Role::Danger)
        }
    };
    let mut parts = Vec::new();
    if app.window.view == View::Changes && app.changes.list.counts().next().is_some() {
        review(app, &mut pen);
        if app.session.loading.is_none() || app.session.is_live() {
            return;
        }
    } else if app.session.document.is_some() {
        if damage.is_none() {
            parts.push((plural(stack.len(), "resource"), Role::Text));
        }
        if stack.counts.secrets > 0 {
            let n = count(stack.counts.secrets);
            let plural = if stack.counts.secrets == 1 { "" } else { "s" };
            parts.push((format!("{n} secret{plural} masked"), Role::Text));
        }
    }
    if let Some(loading) = app.session.loading {
        let text = if app.session.is_live() {
            live(app)
        } else {
            progress(loading)
        };
        parts.insert(0, (text, Role::Badge));
    } else {
        if !app.session.progress.is_empty() {
            parts.push((app.session.progress.words(), Role::Text));
        }
        parts.push(("READ-ONLY".to_owned(), Role::Dim));
    }
    if app.session.document.is_some() {
        // The kind of file comes first, but gives way to the amount of its contents.
        let needed: usize = parts.iter().map(|(text, _)| text.chars().count() + 3).sum();
        let mut room = pen.room().saturating_sub(needed);
        let kind = kind_of(&stack.header).into_iter().filter(|(text, _)| {
            let fits = text.chars().count() + 3 <= room;
            room = room.saturating_sub(if fits { text.chars().count() + 3 } else { 0 });
            fits
        });
        let kind: Vec<_> = kind.collect();
        let at = usize::from(app.session.loading.is_some());
        parts.splice(at..at, kind);
    }
    for (text, role) in parts {
        if pen.room() < text.chars().count() + 3 {
            break;
        }
        pen.put(" · ", Role::Dim).put(&text, role);
    }
    app.theme.lay_bar(buffer, area);
}

/// The damage of the file in at most about `room` cells: `⚠ cut off at line 6606 · 203 resources read`.
fn damage(app: &App, room: usize) -> Option<String> {
    /// Cells kept for the name beside the damage.
    const NAME: usize = 12;
    let damage = app.session.stack().damage.as_ref()?;
    let short = format!("⚠ {}", shown(&damage.title));
    let n_read = plural(app.session.stack().len(), "resource");
    let long = format!("{short} · {n_read} read");
    Some(if width(&long) + NAME < room {
        long
    } else {
        short
    })
}

/// The counts of a review: a box for each action (checked if it is listed) with its number, and the number of reviewed changes.
fn review(app: &App, pen: &mut Pen<'_>) {
    if app.session.is_live() && app.session.loading.is_some() {
        // Nothing can be prevented any more, so the progress of the run matters more.
        pen.put_right(&[Span::new(format!("{}  ", live(app)), Role::Badge)]);
    } else {
        let (reviewed, all) = app.changes.list.progress(&app.session.reviewed);
        let text = format!("reviewed {reviewed}/{all}  ");
        pen.put_right(&[Span::new(text, Role::Text)]);
    }
    pen.put(" ·", Role::Dim);
    for (topic, number, is_listed) in app.changes.list.totals() {
        let is_unchanged = topic == Topic::Change(Action::Noop);
        if is_unchanged && !app.changes.list.show_unchanged {
            continue;
        }
        let number = count(number as u64);
        let mut text = format!("{}{number}", topic.sign());
        if is_unchanged || topic.is_group() {
            text = format!("{text} {}", topic.name(app.session.stack()));
        }
        if pen.room() < text.chars().count() + 5 {
            pen.put(" …", Role::Dim);
            break;
        }
        let sign = match is_listed {
            Some(true) => " [x]",
            Some(false) => " [ ]",
            // These are listed under the other action of the resource.
            None => " + ",
        };
        pen.put(sign, Role::Dim);
        pen.put(&text, topic.role());
    }
    let agreement = app.session.stack().counts.agreement;
    for words in agreement.into_iter().flat_map(Agreement::words) {
        if pen.room() < words.chars().count() + 3 {
            break;
        }
        pen.put(" · ", Role::Dim).put(&words, Role::Dim);
    }
}

/// `▓▓▓░░░░░░░ 38 % · 152 MB of 400 MB · Esc stop`, or `reading 152 MB · Esc stop` if the total is not known.
fn progress(loading: crate::tui::session::Loading) -> String {
    match (loading.percent(), loading.total) {
        (Some(percent), Some(total)) => {
            let filled = usize::try_from(percent / 10).unwrap_or(10).min(10);
            let bar = "▓".repeat(filled) + &"░".repeat(10 - filled);
            let read = plain::size(loading.bytes);
            format!(
                "{bar} {percent} % · {read} of {} · Esc stop",
                plain::size(total)
            )
        }
        _ => format!("reading {} · Esc stop", plain::size(loading.bytes)),
    }
}

/// `live · 12 done, 2 running · Esc stop`.
fn live(app: &App) -> String {
    let progress = app.session.progress.words();
    let dot = if progress.is_empty() { "" } else { " · " };
    format!("live{dot}{progress} · Esc stop")
}

fn file_name(app: &App) -> String {
    let header = &app.session.stack().header;
    let is_pulumi = app.session.document.is_some() && header.kind.is_pulumi();
    if is_pulumi && !header.stack.is_empty() {
        let project = if header.project.is_empty() {
            String::new()
        } else {
            format!("{}/", header.project)
        };
        return shown(&format!("{project}{}", header.stack));
    }
    if let Some(timeline) = &app.updates.timeline {
        let place = &timeline.history.place;
        let project = place.project.as_ref();
        let project = project.map_or_else(String::new, |it| format!("{it}/"));
        return shown(&format!("{project}{}", place.stack));
    }
    let name = load::name(&app.session.input);
    let name = match app.session.input.sole_origin() {
        Some(load::Origin::Path(path) | load::Origin::Folder(path)) => path
            .file_name()
            .map_or(name, |name| name.to_string_lossy().into_owned()),
        _ => name,
    };
    shown(&name)
}

fn kind_of(header: &Header) -> Vec<(String, Role)> {
    let tool = if header.tool_version.is_empty() {
        header.tool.name().to_owned()
    } else {
        format!("{} {}", header.tool.name(), header.tool_version)
    };
    let kind = table::of(header).map_or("", |format| format.noun);
    let version = match (header.format_version.as_str(), header.kind) {
        ("", _) => kind.to_owned(),
        (version, Kind::PulumiState | Kind::TerraformState) => format!("{kind} v{version}"),
        (version, _) => format!("{kind} {version}"),
    };
    vec![(shown(&tool), Role::Text), (shown(&version), Role::Text)]
}

fn tabs(app: &App) -> Vec<Span> {
    let mut spans = Vec::new();
    for (number, view) in (1..).zip(View::ALL) {
        let name = format!("{number} {}", view.short_name());
        if number > 1 {
            spans.push(Span::new(" ", Role::Text));
        }
        if view == app.window.view {
            spans.push(Span::new(format!("[{name}]"), Role::Focus));
        } else {
            spans.push(Span::new(name, Role::Text));
        }
    }
    spans
}

fn short_tabs(app: &App, room: usize) -> Option<Vec<Span>> {
    let number = View::ALL.iter().position(|view| *view == app.window.view)? + 1;
    let text = format!("[{number} {}]", app.window.view.short_name());
    let wanted = if app.session.stack().damage.is_some() {
        width(&text) + 1
    } else {
        30
    };
    (room >= wanted).then(|| vec![Span::new(text, Role::Focus)])
}

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
