//! A terminal backend that sends no redundant bytes.
//!
//! ratatui compares cells and sends only those that changed. But it also resets colors and hides the cursor at every frame. Over
//! a slow line, a frame without changes should cost nothing.

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

/// A backend that leaves out commands without effect.
#[derive(Debug)]
pub(super) struct Quiet<B> {
    inner: B,
    /// True if the cursor is shown; `None` if unknown.
    is_shown: Option<bool>,
    /// Position of the cursor; `None` if unknown.
    position: Option<Position>,
}

impl<B> Quiet<B> {
    /// Wraps a terminal in an unknown state.
    pub(super) fn new(inner: B) -> Self {
        Self {
            inner,
            is_shown: None,
            position: None,
        }
    }

    /// Forgets the state of the terminal, after another program had it.
    pub(super) fn forget(&mut self) {
        self.is_shown = None;
        self.position = None;
    }
}

impl<B: Backend> Backend for Quiet<B> {
    type Error = B::Error;

    fn draw<'a, I>(&mut self, content: I) -> Result<(), Self::Error>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut content = content.peekable();
        if content.peek().is_none() {
            return Ok(());
        }
        self.position = None;
        self.inner.draw(content)
    }

    fn append_lines(&mut self, n: u16) -> Result<(), Self::Error> {
        self.position = None;
        self.inner.append_lines(n)
    }

    fn hide_cursor(&mut self) -> Result<(), Self::Error> {
        if self.is_shown.replace(false) == Some(false) {
            return Ok(());
        }
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> Result<(), Self::Error> {
        if self.is_shown.replace(true) == Some(true) {
            return Ok(());
        }
        // A closed terminal has no cursor. ratatui shows the cursor in a `drop` and would print the error to a standard error
        // that is closed too.
        let _ = self.inner.show_cursor();
        Ok(())
    }

    fn get_cursor_position(&mut self) -> Result<Position, Self::Error> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> Result<(), Self::Error> {
        let position = position.into();
        if self.position.replace(position) == Some(position) {
            return Ok(());
        }
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> Result<(), Self::Error> {
        self.position = None;
        self.inner.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> Result<(), Self::Error> {
        self.position = None;
        self.inner.clear_region(clear_type)
    }

    fn size(&self) -> Result<Size, Self::Error> {
        self.inner.size()
    }

    fn window_size(&mut self) -> Result<WindowSize, Self::Error> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::{self, Write};
    use std::rc::Rc;

    use ratatui::backend::CrosstermBackend;
    use ratatui::layout::Rect;
    use ratatui::{Terminal, TerminalOptions, Viewport};

    use super::*;

    #[derive(Clone, Default)]
    struct Line(Rc<RefCell<Vec<u8>>>);

    impl Write for Line {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Session {
        line: Line,
        terminal: Terminal<Quiet<CrosstermBackend<Line>>>,
    }

    impl Session {
        fn new() -> Self {
            let line = Line::default();
            let options = TerminalOptions {
                viewport: Viewport::Fixed(Rect::new(0, 0, 200, 50)),
            };
            let backend = Quiet::new(CrosstermBackend::new(line.clone()));
            let terminal = Terminal::with_options(backend, options).unwrap();
            Self { line, terminal }
        }

        /// Returns the bytes sent to show `text` on the last line, with the cursor after it if `has_cursor`.
        fn sent(&mut self, text: &str, has_cursor: bool) -> Vec<u8> {
            self.line.0.borrow_mut().clear();
            self.terminal
                .draw(|frame| {
                    let buffer = frame.buffer_mut();
                    buffer.set_string(0, 0, "a first line", ratatui::style::Style::default());
                    buffer.set_string(0, 49, text, ratatui::style::Style::default());
                    if has_cursor {
                        frame.set_cursor_position((5, 49));
                    }
                })
                .unwrap();
            self.line.0.borrow().clone()
        }
    }

    #[test]
    fn a_frame_without_news_sends_nothing() {
        for has_cursor in [false, true] {
            let mut session = Session::new();
            assert!(!session.sent("row 1", has_cursor).is_empty());
            assert_eq!(session.sent("row 1", has_cursor), b"");
        }
    }

    #[test]
    fn only_changed_cells_are_sent() {
        let mut session = Session::new();
        session.sent("row 1", false);
        let sent = String::from_utf8(session.sent("row 2", false)).unwrap();
        assert!(sent.starts_with("\u{1b}[50;5H2"), "{sent:?}");
        assert!(!sent.contains("row"), "{sent:?}");
    }

    #[test]
    fn the_cursor_comes_and_goes() {
        let mut session = Session::new();
        session.sent("row 1", false);
        let shown = session.sent("row 1", true);
        assert_eq!(shown, b"\x1b[?25h\x1b[50;6H");
        assert_eq!(session.sent("row 1", false), b"\x1b[?25l");
    }

    #[test]
    fn after_another_had_the_terminal_everything_is_said_again() {
        let mut session = Session::new();
        session.sent("row 1", false);
        session.terminal.backend_mut().forget();
        assert_eq!(session.sent("row 1", false), b"\x1b[?25l");
    }
}
