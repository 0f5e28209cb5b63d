//! The mouse: what is under the pointer answers.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::App;
use crate::tui::effect::Effect;
use crate::tui::header;
use crate::tui::widgets::scrollbar::Bar;

/// Rows that one step of the wheel scrolls.
const WHEEL: isize = 3;

/// A thing that moves with the pointer while the button is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grip {
    /// The border between the panes.
    Splitter,
    /// The scrollbar of a pane.
    Scrollbar(usize),
}

impl App {
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
        if let (true, Some(pane)) = (self.overlays.is_empty(), self.pane_at(at)) {
            self.scroll_pane(pane, delta);
        }
    }

    fn pane_at(&self, at: Position) -> Option<usize> {
        let panes = self.areas().panes;
        panes.iter().position(|pane| pane.outer.contains(at))
    }

    fn press(&mut self, at: Position) {
        self.message = None;
        self.session.touched = true;
        self.window.grip = None;
        if !self.overlays.is_empty() {
            return;
        }
        if let Some(command) = header::command_at(self, self.areas().title, at) {
            self.obey_in_panes(command);
            return;
        }
        let Some(pane) = self.pane_at(at) else {
            return;
        };
        self.window.grip = self.grip_at(at, pane);
        if self.window.grip.is_some() {
            self.pull(at);
            return;
        }
        let was_focused = self.window.focus == pane;
        self.window.focus = pane;
        if self.areas().panes[pane].inner.contains(at) {
            self.click(at, was_focused);
        }
    }

    /// The thing at a position that the button can hold.
    fn grip_at(&self, at: Position, pane: usize) -> Option<Grip> {
        let bar = self.scrollbar(pane).filter(Bar::is_shown);
        if bar.is_some_and(|bar| bar.area.contains(at)) {
            return Some(Grip::Scrollbar(pane));
        }
        let [left, right] = self.areas().panes;
        let has_border = left.boxed && right.boxed;
        let is_border = at.x + 1 == left.outer.right() || at.x == right.outer.x;
        (has_border && is_border).then_some(Grip::Splitter)
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
            Some(Grip::Scrollbar(pane)) => {
                if let Some(bar) = self.scrollbar(pane) {
                    let rows = |row: usize| isize::try_from(row).unwrap_or(isize::MAX);
                    self.scroll_pane(pane, rows(bar.top_at(at.y)) - rows(bar.top));
                }
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
