//! The header: the file and its state at the left, the views and the key of the help at the right.
//!
//! The views and the help are always there. On a narrow screen they shrink, and then the name of the file is cut. Damage and
//! failures come directly after the name.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::format::table;
use crate::load::timeline::HistoryKind;
use crate::load::{self, Origin};
use crate::render::plain;
use crate::stack::{Agreement, Header, Kind};
use crate::tui::app::App;
use crate::tui::command::{Command, View};
use crate::tui::keymap;
use crate::tui::rows::{Span, shown};
use crate::tui::session::{Loading, Progress};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::text::{count, fit, fit_middle, plural, tenths, width};

/// Number of cells that the name of the file gets while the tabs can still shrink.
const NAME: usize = 20;
/// Minimum screen width for tabs with full names.
const FULL_FROM: u16 = 100;

/// Draws the header.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let mut pen = Pen::new(buffer, &app.theme, area, 0);
    let states = states(app);
    let first = first_width(&states);
    let (spans, _): (Vec<_>, Vec<_>) = tabs(app, area.width, first).into_iter().unzip();
    pen.put_right(&spans);
    pen.skip(1);
    // A blank more stays free before the tabs.
    let mut room = pen.room().saturating_sub(1);
    // On the smallest screens only the state is left.
    let name = name(app, room.saturating_sub(first));
    let mut dot = "";
    if width(&name) > 1 || states.is_empty() {
        pen.put(&name, Role::Title);
        room = room.saturating_sub(width(&name));
        dot = " · ";
    }
    let n_states = states.len();
    for (at, mut state) in states.into_iter().chain(facts(app)).enumerate() {
        // The first state is worth more than the blank.
        let spare = usize::from(at == 0 && n_states > 0);
        let left = room.saturating_sub(width(dot)) + spare;
        if spare > 0 {
            state.text = fit(&state.text, left);
        }
        if width(&state.text) > left {
            continue;
        }
        pen.put(dot, Role::Dim).put(&state.text, state.role);
        room = left.saturating_sub(width(&state.text) + spare);
        dot = " · ";
    }
    app.theme.lay_bar(buffer, area);
}

/// The command of a cell, if it is a tab of the header or the help.
pub fn command_at(app: &App, area: Rect, at: Position) -> Option<Command> {
    if !area.contains(at) {
        return None;
    }
    let tabs = tabs(app, area.width, first_width(&states(app)));
    let mut end = usize::from(area.right());
    // The last tab ends at the right end of the line.
    let from_the_right = tabs.into_iter().rev().find(|(span, _)| {
        end = end.saturating_sub(width(&span.text));
        end <= usize::from(at.x)
    });
    from_the_right.and_then(|(_, command)| command)
}

/// The room that the first state takes, with the blanks around it.
fn first_width(states: &[Span]) -> usize {
    states.first().map_or(0, |it| width(&it.text) + 3)
}

/// The tabs in the longest form that fits in a line beside the name and `first` cells of state. Each span comes with the command
/// that a click on it runs.
fn tabs(app: &App, room: u16, first: usize) -> Vec<(Span, Option<Command>)> {
    let name = first + width(&name(app, NAME)) + 2;
    let n_wanted = 1 + usize::from(app.is_watching());
    let wanted = facts(app).into_iter().take(n_wanted);
    let kind: usize = wanted.map(|fact| width(&fact.text) + 3).sum();
    let mut tabs = Vec::new();
    for form in [Form::Wide, Form::Full, Form::Named, Form::Short] {
        tabs = all_tabs(app, form);
        let taken: usize = tabs.iter().map(|(span, _)| width(&span.text)).sum();
        // The kind of the file, and that it is watched, are worth more than blanks.
        let wanted = if form == Form::Wide {
            name + kind
        } else {
            name
        };
        let is_full = matches!(form, Form::Wide | Form::Full);
        if taken + wanted <= usize::from(room) && (room >= FULL_FROM || !is_full) {
            break;
        }
    }
    tabs
}

/// The length of the tabs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Like `Full`, with two blanks between the tabs.
    Wide,
    /// `1 Resources [2 Changes 21] 3 Outputs`.
    Full,
    /// `1 [2 Changes 21] 3 gf Stacks`.
    Named,
    /// `1 [2•] 3`.
    Short,
}

fn all_tabs(app: &App, form: Form) -> Vec<(Span, Option<Command>)> {
    let gap = if form == Form::Wide { "  " } else { " " };
    let mut spans = Vec::new();
    // Without a file there is nothing in the views.
    let has_tab = |view: &View| !app.lists_only() && app.views.of(*view).has_tab();
    let views = View::ALL.into_iter().filter(has_tab);
    for view in views {
        if !spans.is_empty() {
            spans.push((Span::new(gap, Role::Text), None));
        }
        spans.push((tab(app, view, form), Some(Command::View(view))));
    }
    let help = keymap::key_of(Command::Help);
    let word = if form == Form::Short { "" } else { " help " };
    let gap = match form {
        Form::Wide => "   ",
        Form::Full | Form::Named => "  ",
        Form::Short => " ",
    };
    spans.push((Span::new(gap, Role::Text), None));
    spans.push((Span::new(help, Role::Hint), Some(Command::Help)));
    spans.push((Span::new(word, Role::Text), Some(Command::Help)));
    spans
}

fn tab(app: &App, view: View, form: Form) -> Span {
    let key = keymap::key_of(Command::View(view));
    let number = app.views.of(view).number();
    let is_open = view == app.window.view;
    let has_errors = app.views.of(view).has_errors();
    let is_named = match form {
        Form::Wide | Form::Full => true,
        // Its key is no number in a row of numbers.
        Form::Named => is_open || view == View::Stacks,
        Form::Short => false,
    };
    let text = match (number, is_named) {
        (0, true) => format!("{key} {}", view.name()),
        (_, true) => format!("{key} {} {}", view.name(), count(number as u64)),
        (0, false) => key,
        (_, false) => key + if has_errors { "!" } else { "•" },
    };
    let text = if is_open { format!("[{text}]") } else { text };
    let role = match (has_errors, is_open) {
        (true, _) => Role::Danger,
        (false, true) => Role::Focus,
        (false, false) => Role::Text,
    };
    Span::new(text, role)
}

/// The state of the file that must not be overlooked, the most important part first: damage, progress, failures. Above the list of
/// stacks it would seem to be theirs.
fn states(app: &App) -> Vec<Span> {
    if app.window.view == View::Stacks {
        return Vec::new();
    }
    let session = &app.session;
    let stack = session.stack();
    let mut states = Vec::new();
    if let Some(damage) = stack.damage_title() {
        let n_broken = stack.counts.broken.map_or(0, |broken| broken.n);
        let n_read = usize::try_from(n_broken).map_or(0, |n| stack.len().saturating_sub(n));
        let n_read = plural(n_read, "resource");
        let text = format!("⚠ {} · {n_read} read", shown(&damage));
        states.push(Span::new(text, Role::Danger));
    }
    let run = session.progress;
    if run.failed > 0 {
        states.push(Span::new(
            format!("⚠ {} failed", count(run.failed as u64)),
            Role::Danger,
        ));
    } else if run.errors > 0 {
        let errors = plural(run.errors, "error");
        states.push(Span::new(format!("⚠ failed: {errors}"), Role::Danger));
    }
    match session.loading {
        Some(_) if session.is_live() => {
            let words = others(run);
            let dot = if words.is_empty() { "" } else { " · " };
            let stop = keymap::key_of(Command::Cancel);
            let text = format!("live{dot}{words} · {stop} stop");
            states.push(Span::new(text, Role::Badge));
        }
        Some(loading) => states.push(Span::new(progress(loading), Role::Badge)),
        None => {}
    }
    states
}

/// The steps of a run that have not failed, in words.
fn others(run: Progress) -> String {
    Progress { failed: 0, ..run }.words()
}

/// The kind of the file and its totals, the most important part first. Above the list of stacks: which one is open.
fn facts(app: &App) -> Vec<Span> {
    if app.session.document.is_none() {
        return Vec::new();
    }
    if app.window.view == View::Stacks {
        let open = format!("{} is open", file_name(app, NAME));
        return vec![Span::new(open, Role::Dim)];
    }
    let stack = app.session.stack();
    let mut facts = vec![Span::new(kind(&stack.header), Role::Text)];
    if app.is_watching() {
        facts.push(Span::new("watched", Role::Badge));
    }
    let run = others(app.session.progress);
    if app.session.loading.is_none() && !run.is_empty() {
        facts.push(Span::new(run, Role::Text));
    }
    for words in stack
        .counts
        .agreement
        .into_iter()
        .flat_map(Agreement::words)
    {
        facts.push(Span::new(words, Role::Text));
    }
    if stack.damage_title().is_none() {
        facts.push(Span::new(plural(stack.len(), "resource"), Role::Dim));
    }
    if stack.counts.secrets > 0 {
        let n = usize::try_from(stack.counts.secrets).unwrap_or(usize::MAX);
        let n = plural(n, "secret");
        facts.push(Span::new(format!("{n} masked"), Role::Dim));
    }
    facts
}

/// `pulumi preview`, `terraform state v4`.
fn kind(header: &Header) -> String {
    let noun = table::of(header).map_or("", |format| format.noun);
    let version = match (header.format_version.as_str(), header.kind) {
        ("", _) => String::new(),
        (version, Kind::PulumiState | Kind::TerraformState) => format!(" v{version}"),
        (_, _) => String::new(),
    };
    shown(&format!("{} {noun}{version}", header.tool.name()))
}

/// `▓▓▓░░░░░░░ 38 % · 152 MB of 400 MB · Esc stop`, or `reading 152 MB · Esc stop` if the total is not known.
fn progress(loading: Loading) -> String {
    let stop = keymap::key_of(Command::Cancel);
    let read = plain::size(loading.bytes);
    match (loading.percent(), loading.total) {
        (Some(percent), Some(total)) => {
            let bar = tenths(percent, 100);
            format!(
                "{bar} {percent} % · {read} of {} · {stop} stop",
                plain::size(total)
            )
        }
        _ => format!("reading {read} · {stop} stop"),
    }
}

/// The name of what the view in front is about, in at most `room` cells: the places of stacks, or the file.
fn name(app: &App, room: usize) -> String {
    let roots = app.views.stacks.roots();
    let Some(roots) = roots.filter(|_| app.window.view == View::Stacks) else {
        return file_name(app, room);
    };
    let name = match &roots.places[..] {
        [only] => last_of(&load::remote::Address::public(only), 1),
        places => plural(places.len(), "place"),
    };
    fit_middle(&format!("stacks in {}", shown(&name)), room)
}

/// The name of what is open, in at most `room` cells: the stack, the file, or `old.tfstate → new.tfstate`.
fn file_name(app: &App, room: usize) -> String {
    let input = &app.session.input;
    // The line of the history says which updates are compared. Their files have no names that a person knows.
    let timeline = app.timeline.as_ref();
    if let Some(older) = input.older.as_ref().filter(|_| timeline.is_none()) {
        return fit_pair(origin_names(older, &input.origin), room);
    }
    let stack_name = |project: &str, stack: &str| match project {
        "" => stack.to_owned(),
        project => format!("{project}/{stack}"),
    };
    let header = &app.session.stack().header;
    let is_pulumi = app.session.document.is_some() && header.kind.is_pulumi();
    let name = if is_pulumi && !header.stack.is_empty() {
        stack_name(&header.project, &header.stack)
    } else if let Some(timeline) = timeline.filter(|it| it.history.kind == HistoryKind::Updates) {
        timeline.history.name.clone()
    } else if let Some(among) = &app.session.among {
        among.name.clone()
    } else {
        workspace_and_file(&input.origin)
    };
    fit_middle(&shown(&name), room)
}

/// The names of two files that are compared. Equal names get the folder in which they differ.
fn origin_names(older: &Origin, newer: &Origin) -> [String; 2] {
    let names = |n| [older, newer].map(|origin| shown(&last_parts(origin, n)));
    let differs = |pair: &[String; 2]| pair[0] != pair[1];
    (1..=8).map(names).find(differs).unwrap_or_else(|| names(1))
}

/// The name of a file, with the folder of its workspace if it has one: `green/terraform.tfstate`.
fn workspace_and_file(origin: &Origin) -> String {
    let parts = last_parts(origin, 3);
    let of_workspace = parts.strip_prefix("terraform.tfstate.d/");
    of_workspace.map_or_else(|| last_parts(origin, 1), str::to_owned)
}

/// The last `n` parts of the path of an origin, or its name.
fn last_parts(origin: &Origin, n: usize) -> String {
    match origin {
        Origin::Path(path) => last_of(path, n),
        Origin::Object(address) => last_of(address.path(), n),
        Origin::Roots(_) | Origin::Stdin | Origin::Bytes { .. } => load::name(&load::Input {
            origin: origin.clone(),
            ..load::Input::stdin()
        }),
    }
}

fn last_of(path: &std::path::Path, n: usize) -> String {
    let parts: Vec<_> = path
        .components()
        .map(std::path::Component::as_os_str)
        .collect();
    let kept = &parts[parts.len().saturating_sub(n)..];
    let kept: Vec<_> = kept.iter().map(|it| it.to_string_lossy()).collect();
    kept.join("/")
}

/// `old → new`; both sides get the same room if they must be shortened.
fn fit_pair([old, new]: [String; 2], room: usize) -> String {
    const ARROW: &str = " → ";
    let room = room.saturating_sub(width(ARROW));
    let half = room / 2;
    let [old_room, new_room] = match (width(&old) <= half, width(&new) <= half) {
        (true, _) => [half, room - width(&old)],
        (false, true) => [room - width(&new), half],
        (false, false) => [half, half],
    };
    format!(
        "{}{ARROW}{}",
        fit_middle(&old, old_room),
        fit_middle(&new, new_room)
    )
}
