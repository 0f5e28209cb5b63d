//! Commands that change nothing. Each one says so in one line, whatever has the keys.
//!
//! A view or an overlay answers [`Outcome::Nothing`] to a command that it does not have, or that finds everything as it wants it.
//! Commands that lead elsewhere are compared with the place before them.

use ratatui::layout::Rect;

use super::App;
use crate::stack::graph::Direction;
use crate::tui::command::{Command, FoldCommand, Motion, View};
use crate::tui::keymap;
use crate::tui::overlays::Outcome;
use crate::tui::session::Visited;
use crate::tui::widgets::cursor::Cursor;

/// Everything that a command can change, except the contents of a view or an overlay.
#[derive(PartialEq)]
pub(super) struct Seen {
    place: Visited,
    cursors: [Cursor; 2],
    deps: (Direction, bool),
    zoomed: bool,
    splits: [Option<u16>; View::ALL.len()],
    count: Option<usize>,
    is_revealed: bool,
    n_overlays: usize,
    /// The selected row of the topmost overlay.
    overlay_row: Option<usize>,
    /// The rows of that overlay on the screen.
    overlay_rows: Vec<(Rect, usize)>,
    n_effects: usize,
    has_message: bool,
}

impl App {
    pub(super) fn seen(&self) -> Seen {
        let deps = &self.views.deps;
        let overlay = self.overlays.top();
        let overlay = overlay.map(|overlay| (overlay, self.stage()));
        Seen {
            place: self.stop(),
            cursors: self.views.of(self.window.view).cursors(),
            deps: (deps.direction(), deps.shows_all()),
            zoomed: self.window.zoomed,
            splits: self.window.splits,
            count: self.count(),
            is_revealed: self.session.revealed.is_some(),
            n_overlays: self.overlays.len(),
            overlay_row: overlay.and_then(|(overlay, stage)| overlay.selected(stage)),
            overlay_rows: overlay.map_or_else(Vec::new, |(overlay, stage)| overlay.rows(stage)),
            n_effects: self.effects.len(),
            has_message: self.message.is_some(),
        }
    }

    /// Does what a view or an overlay asks for after a command, or says that the command changes nothing.
    pub(super) fn obeyed(&mut self, command: Command, outcome: Outcome) {
        match outcome {
            // A difference has rows of two values, which lead nowhere of themselves.
            Outcome::Nothing if self.enters_text(command) => self.open_text(),
            Outcome::Nothing => self.say_nothing(command),
            outcome => self.apply(outcome),
        }
    }

    /// Says that a command changes nothing here.
    pub(super) fn say_nothing(&mut self, command: Command) {
        let text = match command {
            // The cursor is where the person wants it.
            Command::Move(Motion::Top | Motion::Bottom) => return,
            Command::Move(motion) => no_motion(motion).to_owned(),
            Command::Fold(fold) => no_fold(fold).to_owned(),
            Command::List(_) if self.window.view == View::Brief => not_here(View::Changes),
            Command::List(_) | Command::Section => not_here(View::Resources),
            Command::Review(_) => not_here(View::Changes),
            Command::Side(_) if self.window.view == View::Deps => "this is that side".to_owned(),
            Command::Side(_) => not_here(View::Deps),
            Command::NextPane | Command::PrevPane => "this view has one pane".to_owned(),
            Command::Zoom | Command::Narrower | Command::Wider if !self.shows_both_panes() => {
                "one pane is on the screen".to_owned()
            }
            Command::Zoom | Command::Narrower | Command::Wider => {
                "the border is at its end".to_owned()
            }
            Command::Unzoom => "no pane is zoomed".to_owned(),
            Command::View(view) => format!("this is the {} view", view.name()),
            Command::Go(_) => "this is that place".to_owned(),
            Command::Deps(_) | Command::OtherDirection => {
                "nothing further in this direction".to_owned()
            }
            Command::Cancel => "nothing to leave here".to_owned(),
            Command::Complete => "nothing to complete".to_owned(),
            Command::Accept => "nothing to go to here".to_owned(),
            Command::Search(_)
            | Command::Updates(_)
            | Command::Mark(_)
            | Command::Copy(_)
            | Command::InSource(_)
            | Command::Count
            | Command::Source
            | Command::Text
            | Command::Types
            | Command::Verify
            | Command::Reveal
            | Command::HideAll
            | Command::Unlock
            | Command::Wrap
            | Command::Mouse
            | Command::Muted
            | Command::Themes
            | Command::Reload
            | Command::Palette
            | Command::Help
            | Command::Suspend
            | Command::Quit => {
                let help = keymap::key_of(Command::Help);
                format!("nothing to do here · {help} help")
            }
        };
        self.say(text);
    }
}

/// The view that has a command.
fn not_here(view: View) -> String {
    let key = keymap::key_of(Command::View(view));
    let name = view.name().to_lowercase();
    format!("not in this view; {key} shows the {name}")
}

fn no_motion(motion: Motion) -> &'static str {
    match motion {
        Motion::Down | Motion::HalfDown | Motion::PageDown | Motion::Bottom => "no row below",
        Motion::Up | Motion::HalfUp | Motion::PageUp | Motion::Top => "no row above",
        Motion::NextSibling => "no sibling below",
        Motion::PrevSibling => "no sibling above",
        Motion::ParentRow => "no row around this one",
        Motion::ScrollDown | Motion::ScrollUp => "nothing further to scroll to",
    }
}

fn no_fold(fold: FoldCommand) -> &'static str {
    match fold {
        FoldCommand::Expand
        | FoldCommand::Activate
        | FoldCommand::Toggle
        | FoldCommand::Open
        | FoldCommand::OpenBelow => "nothing to open here",
        FoldCommand::Collapse | FoldCommand::Close => "nothing to close here",
        FoldCommand::OpenAll => "nothing to open in this view",
        FoldCommand::CloseAll => "nothing to close in this view",
        FoldCommand::Level(_) => "nothing to fold in this view",
    }
}
