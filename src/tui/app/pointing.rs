//! The mouse.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::App;
use crate::tui::effect::Effect;

impl App {
    pub(super) fn toggle_mouse(&mut self) {
        self.window.mouse = !self.window.mouse;
        self.ask(Effect::Mouse(self.window.mouse));
        self.say(if self.window.mouse {
            "mouse on: click selects, wheel scrolls, Shift+drag marks text as before"
        } else {
            "mouse off"
        });
    }

    pub(super) fn mouse_event(&mut self, mouse: MouseEvent) {
        let position = ratatui::layout::Position::new(mouse.column, mouse.row);
        let areas = self.areas();
        let pane = areas
            .panes
            .iter()
            .position(|pane| pane.outer.contains(position));
        match mouse.kind {
            MouseEventKind::ScrollDown => self.scroll_pane(pane.unwrap_or(self.window.focus), 3),
            MouseEventKind::ScrollUp => self.scroll_pane(pane.unwrap_or(self.window.focus), -3),
            MouseEventKind::Down(MouseButton::Left) if self.overlays.is_empty() => {
                if let Some(pane) = pane {
                    let was_focused = self.window.focus == pane;
                    self.window.focus = pane;
                    let inner = areas.panes[pane].inner;
                    if inner.contains(position) {
                        self.click(usize::from(mouse.row - inner.y), was_focused);
                    }
                }
            }
            _ => return,
        }
        self.follow();
    }
}
