//! The mouse: what is under the pointer answers.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::App;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::header;
use crate::tui::overlays::Outcome;
use crate::tui::overlays::menu::MenuPopup;
use crate::tui::overlays::popup::{Clicked, Popup};
use crate::tui::overlays::trace::Trace;
use crate::tui::popup::Stage;
use crate::tui::widgets::cursor::Scroll;
use crate::tui::widgets::scrollbar::Bar;

/// Lines that one step of the wheel scrolls.
const WHEEL: isize = 3;

/// A thing that moves with the pointer while the button is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grip {
    /// The border between the panes.
    Splitter,
    /// The scrollbar of a part of the view.
    Scrollbar(usize),
    /// The scrollbar of the topmost overlay.
    Overlay,
}

impl App {
    /// Uses the mouse from the start.
    pub(super) fn capture_mouse(&mut self) {
        self.window.mouse = true;
        self.ask(Effect::Mouse(true));
    }

    pub(super) fn toggle_mouse(&mut self) {
        self.window.mouse = !self.window.mouse;
        self.window.grip = None;
        self.ask(Effect::Mouse(self.window.mouse));
        self.say(if self.window.mouse {
            "mouse on: click selects, again opens, wheel scrolls, borders move · Shift+drag marks text as before"
        } else {
            "mouse off"
        });
    }

    pub(super) fn mouse_event(&mut self, mouse: MouseEvent) {
        if !self.window.mouse {
            return;
        }
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollDown => self.wheel(at, WHEEL),
            MouseEventKind::ScrollUp => self.wheel(at, -WHEEL),
            MouseEventKind::Down(MouseButton::Left) => {
                self.forget_overlays_to_come();
                self.press(at);
            }
            MouseEventKind::Drag(MouseButton::Left) => self.pull(at),
            MouseEventKind::Up(MouseButton::Left) => self.window.grip = None,
            _ => return,
        }
        self.follow();
    }

    /// Scrolls what is under the pointer. The focus stays.
    fn wheel(&mut self, at: Position, delta: isize) {
        if let Some(overlay) = self.overlays.top() {
            if overlay.area(self.stage()).contains(at) {
                self.with_overlay(|overlay, stage| overlay.scroll(Scroll::By(delta), stage));
            }
        } else if let Some(part) = self.part_at(at) {
            self.scroll_pane(part, Scroll::By(delta));
        }
    }

    fn part_at(&self, at: Position) -> Option<usize> {
        self.views.of(self.window.view).part_at(at, &self.ctx())
    }

    /// Lets the topmost overlay do something, and does what it asks for. The panes show what the search bar selects.
    pub(super) fn with_overlay(&mut self, act: impl FnOnce(&mut dyn Popup, Stage) -> Outcome) {
        let stage = self.stage();
        let Some(overlay) = self.overlays.top_mut() else {
            return;
        };
        let outcome = act(overlay, stage);
        self.apply(outcome);
    }

    fn press(&mut self, at: Position) {
        self.message = None;
        self.session.touched = true;
        self.window.grip = None;
        if !self.overlays.is_empty() {
            return self.press_in_overlay(at);
        }
        if let Some(command) = header::command_at(self, self.areas().title, at) {
            self.obey_in_panes(command);
            return;
        }
        self.window.grip = self.grip_at(at);
        if self.window.grip.is_some() {
            self.pull(at);
            return;
        }
        let panes = self.areas().panes;
        let Some(pane) = panes.iter().position(|pane| pane.outer.contains(at)) else {
            return;
        };
        let was_focused = self.window.focus == pane;
        self.window.focus = pane;
        if panes[pane].inner.contains(at) {
            self.click(at, was_focused);
        }
    }

    fn press_in_overlay(&mut self, at: Position) {
        let stage = self.stage();
        let Some(overlay) = self.overlays.top() else {
            return;
        };
        let bar = overlay.bar(stage).filter(Bar::is_shown);
        if bar.is_some_and(|bar| bar.area.contains(at)) {
            self.window.grip = Some(Grip::Overlay);
            return self.pull(at);
        }
        match overlay.clicked(at, stage) {
            Clicked::Outside => self.dismiss(),
            Clicked::Row(row) => self.with_overlay(|overlay, stage| overlay.point_at(row, stage)),
            Clicked::Chosen(row, command) => {
                self.with_overlay(|overlay, stage| overlay.point_at(row, stage));
                self.obey_in_overlay(command);
            }
            Clicked::Nothing => {}
        }
    }

    /// Closes the topmost overlay, or goes back one step in it.
    fn dismiss(&mut self) {
        // The first command stops the search for changes of a value, the second closes its list.
        if let Some(trace) = self.overlays.top_as_mut::<MenuPopup<Trace>>() {
            trace.menu.stop();
        }
        self.obey_in_overlay(Command::Cancel);
    }

    /// The thing at a position that the button can hold.
    fn grip_at(&self, at: Position) -> Option<Grip> {
        let is_at = |bar: &Bar| bar.is_shown() && bar.area.contains(at);
        let areas = self.areas();
        let part = self.part_at(at);
        let bar = part.and_then(|part| self.scrollbar(part));
        if let (Some(part), true) = (part, bar.is_some_and(|bar| is_at(&bar))) {
            return Some(Grip::Scrollbar(part));
        }
        let [left, right] = areas.panes;
        let has_border = !left.outer.is_empty() && !right.outer.is_empty();
        let is_border = at.x + 1 == left.outer.right() || at.x == right.outer.x;
        let is_between = left.outer.union(right.outer).contains(at);
        (has_border && is_between && is_border && left.boxed).then_some(Grip::Splitter)
    }

    /// Moves what the button holds to a position.
    fn pull(&mut self, at: Position) {
        match self.window.grip {
            Some(Grip::Splitter) => {
                let [left, right] = self.areas().panes.map(|pane| pane.outer);
                let columns = u32::from(at.x.saturating_sub(left.x)) + 1;
                let all = u32::from((left.width + right.width).max(1));
                let percent = (columns * 100).div_ceil(all);
                self.set_split(u16::try_from(percent).unwrap_or(u16::MAX));
            }
            Some(Grip::Scrollbar(part)) => {
                if let Some(bar) = self.scrollbar(part) {
                    self.scroll_pane(part, Scroll::To(bar.top_at(at.y)));
                }
            }
            Some(Grip::Overlay) => {
                self.with_overlay(|overlay, stage| overlay.pull(at.y, stage));
            }
            None => {}
        }
    }

    /// Sets the width of the left pane, in percent.
    pub(super) fn set_split(&mut self, split: u16) {
        let split = split.clamp(20, 80);
        self.window.splits[self.window.view as usize] = Some(split);
        self.fit();
    }
}
