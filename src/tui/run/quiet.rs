//! A terminal that is told nothing it knows already.
//!
//! ratatui compares cells, so that only those that changed are sent; but it also resets colors and hides the cursor at every
//! frame. Over a slow line a frame without news should cost nothing.

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

/// A backend that leaves out what changes nothing.
#[derive(Debug)]
pub(super) struct Quiet<B> {
    inner: B,
    /// Whether the cursor is shown, where that is known.
    is_shown: Option<bool>,
    /// Where the cursor stands, where that is known.
    position: Option<Position>,
}

impl<B> Quiet<B> {
    /// A terminal of which nothing is known.
    pub(super) fn new(inner: B) -> Self {
        Self {
            inner,
            is_shown: None,
            position: None,
        }
    }

    /// After somebody else had the terminal: nothing is known any more.
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
        // A terminal that is gone has no cursor. ratatui asks for it in a `drop` and would print the error to a standard error that is
        // gone with the terminal.
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

        /// What is sent to show `text` on the last line, with the cursor behind it if `has_cursor`.
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
