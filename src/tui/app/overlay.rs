//! Commands and typing while an overlay covers the panes, and Esc without an overlay.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use super::App;
use super::history::NamedIn;
use crate::tui::command::{Command, FoldCommand, Motion};
use crate::tui::effect::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::choose::{Choose, Style};
use crate::tui::overlays::question::Asks;
use crate::tui::overlays::text::TextView;
use crate::tui::overlays::type_in::Purpose;

impl App {
    pub(super) fn open_choose(&mut self, style: Style) {
        self.overlays.push(Overlay::Choose(Choose::new(style)));
    }

    /// Types a key that is not a command, if there is a text input.
    pub(super) fn type_key(&mut self, key: KeyEvent) {
        match self.overlays.last_mut() {
            Some(Overlay::Choose(choose)) => {
                if choose.prompt.key(key) {
                    choose.narrow();
                }
            }
            Some(Overlay::TypeIn(type_in)) => {
                if type_in.prompt.key(key) {
                    type_in.complaint.clear();
                }
            }
            Some(Overlay::Unlock(unlock)) => unlock.key(key),
            Some(Overlay::Search(bar)) => {
                if bar.prompt.key(key) {
                    self.typed_in_bar();
                }
            }
            Some(Overlay::Source(_)) => self.type_in_source(key),
            Some(
                Overlay::Actions(_)
                | Overlay::Themes(_)
                | Overlay::Text(_)
                | Overlay::Question(_)
                | Overlay::Decode(_)
                | Overlay::Verify(_)
                | Overlay::Files(_)
                | Overlay::Trace(_)
                | Overlay::Yank(_),
            )
            | None => {}
        }
    }

    pub(super) fn insert(overlay: &mut Overlay, text: &str) {
        match overlay {
            Overlay::Choose(choose) => {
                choose.prompt.insert(text);
                choose.narrow();
            }
            Overlay::TypeIn(type_in) => type_in.prompt.insert(text.trim()),
            Overlay::Search(bar) => bar.prompt.insert(text.trim()),
            Overlay::Unlock(unlock) => unlock.insert(text),
            Overlay::Source(source) => source.insert(text),
            Overlay::Actions(_)
            | Overlay::Themes(_)
            | Overlay::Text(_)
            | Overlay::Question(_)
            | Overlay::Decode(_)
            | Overlay::Verify(_)
            | Overlay::Files(_)
            | Overlay::Trace(_)
            | Overlay::Yank(_) => {}
        }
    }

    pub(super) fn obey_in_overlay(&mut self, command: Command) {
        if matches!(self.overlays.last(), Some(Overlay::Decode(_))) {
            self.obey_in_decode(command);
            return;
        }
        if matches!(self.overlays.last(), Some(Overlay::Search(_))) {
            self.obey_in_search(command);
            return;
        }
        match self.overlays.last() {
            Some(Overlay::Files(_)) => {
                self.obey_in_files(command);
                return;
            }
            Some(Overlay::Trace(_)) => {
                self.obey_in_trace(command);
                return;
            }
            Some(Overlay::Source(_)) => {
                self.obey_in_source(command);
                return;
            }
            Some(Overlay::Themes(_)) => {
                self.obey_in_themes(command);
                return;
            }
            _ => {}
        }
        if command == Command::Cancel {
            match self.overlays.pop() {
                Some(Overlay::Verify(verify)) => verify.stop.cancel(),
                // The unlocked value is shown nowhere else on the screen.
                Some(Overlay::Text(text)) if text.secret && self.reveals_unlocked() => {
                    self.hide();
                }
                _ => {}
            }
            return;
        }
        if matches!(self.overlays.last(), Some(Overlay::Yank(_))) {
            self.obey_in_yank(command);
            return;
        }
        let body = self.areas().body;
        match self.overlays.last_mut() {
            Some(Overlay::Choose(choose)) => match command {
                Command::Move(Motion::Down) => choose.step(1, body),
                Command::Move(Motion::Up) => choose.step(-1, body),
                Command::Move(Motion::PageDown) => choose.step(10, body),
                Command::Move(Motion::PageUp) => choose.step(-10, body),
                Command::Complete => choose.complete(),
                Command::Accept => self.run_chosen(),
                _ => {}
            },
            Some(Overlay::Actions(actions)) => match command {
                Command::Move(Motion::Down) => actions.step(1),
                Command::Move(Motion::Up) => actions.step(-1),
                Command::Accept => self.toggle_topic(),
                _ => {}
            },
            Some(Overlay::Text(text)) => {
                obey_in_text(text, command, body);
                if command == Command::Accept
                    && let Some(target) = text.target()
                {
                    self.overlays.clear();
                    self.go_to(target);
                }
            }
            Some(Overlay::Question(_)) if command == Command::Accept => {
                if let Some(Overlay::Question(question)) = self.overlays.pop() {
                    match question.asks {
                        Asks::Reveal(secret) => self.reveal(secret),
                        Asks::Quit => self.ask(Effect::Quit),
                        Asks::CopySecret { id, spot } => self.copy_secret(id, &spot),
                    }
                }
            }
            Some(Overlay::TypeIn(_)) if command == Command::Accept => self.accept_typed(),
            Some(Overlay::Unlock(_)) if command == Command::Accept => self.accept_passphrase(),
            Some(
                Overlay::Question(_)
                | Overlay::TypeIn(_)
                | Overlay::Search(_)
                | Overlay::Unlock(_)
                | Overlay::Verify(_)
                | Overlay::Files(_)
                | Overlay::Trace(_)
                | Overlay::Source(_)
                | Overlay::Decode(_)
                | Overlay::Themes(_)
                | Overlay::Yank(_),
            )
            | None => {}
        }
    }

    fn run_chosen(&mut self) {
        let Some(Overlay::Choose(choose)) = self.overlays.last() else {
            return;
        };
        let typed = choose.prompt.text().trim().to_owned();
        let chosen = choose.chosen();
        let is_palette = choose.style == Style::Palette;
        self.overlays.pop();
        if is_palette && self.run_typed(&typed) {
            return;
        }
        match chosen {
            Some((_, "")) => self.say("this key works only where it is listed for"),
            Some((command, _)) => self.obey_in_panes(command),
            None => self.say_error(format!(
                "no command is called {}; : lists them",
                crate::tui::rows::shown(&typed)
            )),
        }
    }

    /// Runs a command that only the palette knows. False for any other text.
    fn run_typed(&mut self, typed: &str) -> bool {
        let (name, rest) = typed.split_once(' ').unwrap_or((typed, ""));
        match (name, rest.trim()) {
            ("q" | "quit", _) => self.quit(),
            ("theme", "") => self.open_themes(),
            ("theme", name) => self.choose_theme(name),
            _ => return false,
        }
        true
    }

    fn accept_typed(&mut self) {
        let Some(Overlay::TypeIn(type_in)) = self.overlays.last() else {
            return;
        };
        let typed = type_in.prompt.text().trim().to_owned();
        match type_in.purpose {
            Purpose::Goto if typed.is_empty() => {
                self.overlays.pop();
            }
            Purpose::Goto => self.go_to_named(typed, NamedIn::Prompt),
        }
    }

    /// Handles Esc: ends one thing at a time, never the program.
    pub(super) fn cancel(&mut self) {
        if self.session.loading.is_some() {
            self.stop_loading();
        } else if self.session.revealed.is_some() {
            self.hide();
        } else if self.window.focus > 0 {
            self.window.focus = 0;
        } else if self.resources.tree.filter.take().is_some() {
            self.arrange(self.resources.tree.node());
            self.say("filter cleared");
        } else if !self.session.marks.is_empty() {
            self.session.marks.clear();
            self.say("marks cleared");
        } else if self.updates.timeline.is_some() {
            self.leave_timeline();
        }
    }
}

fn obey_in_text(text: &mut TextView, command: Command, body: Rect) {
    let len = text.lines.len();
    let page = isize::try_from(text.n_shown(body)).unwrap_or(isize::MAX);
    // If lines wrap over several rows, the last line must be able to scroll to the top to be seen whole.
    let height = if text.wrap { 1 } else { TextView::height(body) };
    let has_targets = text.target().is_some() || text.lines.iter().any(|it| it.target.is_some());
    match command {
        Command::Move(Motion::Down) if has_targets => text.cursor.step(1, len, height),
        Command::Move(Motion::Up) if has_targets => text.cursor.step(-1, len, height),
        Command::Move(Motion::Down) => text.cursor.scroll(1, len, height),
        Command::Move(Motion::Up) => text.cursor.scroll(-1, len, height),
        Command::Move(Motion::PageDown) => text.cursor.scroll(page, len, height),
        Command::Move(Motion::PageUp) => text.cursor.scroll(-page, len, height),
        Command::Move(Motion::Top) => text.cursor.go(0, len, height),
        Command::Move(Motion::Bottom) => text.cursor.go(len, len, height),
        Command::Wrap => {
            text.wrap = !text.wrap;
            text.left = 0;
            // The lines on the screen may take more rows now.
            if text.cursor.row >= text.cursor.top + text.n_shown(body) {
                text.cursor.go(text.cursor.row, len, 1);
            }
        }
        Command::Fold(FoldCommand::Expand) => text.left += 8,
        Command::Fold(FoldCommand::Collapse) => text.left = text.left.saturating_sub(8),
        _ => {}
    }
}
