//! The terminal: taken at the start and restored at the end, on a panic, on a signal, and while suspended.

use std::io::{self, BufWriter, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use crossterm::cursor::Show;
use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Rect, Size};

use super::background::{self, Heard, Listener};
use super::work::is_worker;
use crate::tui::event::Event;

/// Size of the output buffer in bytes: nearly always enough for a whole frame.
const FRAME: usize = 64 * 1024;

/// The terminal to draw on.
pub(super) type Canvas = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

/// The terminal while the program controls it.
pub(super) struct Screen {
    /// Never dropped: [`give_back`] shows the cursor, and a drop would report the error of a closed terminal to a standard error
    /// that is closed too.
    terminal: ManuallyDrop<Canvas>,
    has_mouse: bool,
    /// True if the color of the background matters.
    has_color: bool,
    is_open: bool,
}

impl Screen {
    /// Takes control of the terminal. From here on a panic restores it before the panic is reported.
    pub(super) fn open(has_color: bool) -> io::Result<Self> {
        IS_TAKEN.store(true, Ordering::Relaxed);
        enable_raw_mode()?;
        Self::take(has_color).inspect_err(|_| give_back())
    }

    fn take(has_color: bool) -> io::Result<Self> {
        // A terminal without an alternate screen would keep old text in the cells that are blank.
        execute!(stdout(), EnterAlternateScreen, Clear(ClearType::All))?;
        ask_background(has_color)?;
        let writer = BufWriter::with_capacity(FRAME, stdout());
        let terminal = Terminal::new(CrosstermBackend::new(writer))?;
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A panic in a worker is reported by an event, and the screen stays.
            if !is_worker() {
                give_back();
                report(info);
            }
        }));
        execute!(stdout(), EnableBracketedPaste)?;
        Ok(Self {
            terminal: ManuallyDrop::new(terminal),
            has_mouse: false,
            has_color,
            is_open: true,
        })
    }

    pub(super) fn terminal(&mut self) -> &mut Canvas {
        &mut self.terminal
    }

    pub(super) fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }

    /// Turns mouse capture on, or leaves the mouse to the terminal.
    pub(super) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.has_mouse = on;
        if on {
            execute!(stdout(), EnableMouseCapture)
        } else {
            execute!(stdout(), DisableMouseCapture)
        }
    }

    /// Restores the terminal.
    pub(super) fn close(&mut self) {
        if self.is_open {
            self.is_open = false;
            background::settle();
            give_back();
            IS_TAKEN.store(false, Ordering::Relaxed);
        }
    }

    /// Restores the terminal and stops the process. Takes control again when it is brought to the foreground.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        background::settle();
        give_back();
        stop()?;
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
        ask_background(self.has_color)?;
        if self.has_mouse {
            execute!(stdout(), EnableMouseCapture)?;
        }
        self.clear()
    }

    /// Clears the screen, so that every cell is drawn again. Does not ask the terminal for its cursor position: some do not
    /// answer.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        let Size { width, height } = self.terminal.size()?;
        self.terminal.resize(Rect::new(0, 0, width, height))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.close();
    }
}

/// Asks for the color of the background, if it matters.
fn ask_background(has_color: bool) -> io::Result<()> {
    if !has_color {
        return Ok(());
    }
    let term = std::env::var("TERM").ok();
    background::ask(term.as_deref(), &mut stdout())
}

/// True while the program controls the terminal.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Restores the terminal if the explorer has it. Called by a thread that is about to end the program.
pub fn give_back_if_taken() {
    if IS_TAKEN.load(Ordering::Relaxed) {
        give_back();
    }
}

/// Undoes all changes to the terminal. Errors are ignored: a closed terminal has nothing to undo, and there is nowhere to report
/// to.
fn give_back() {
    let _ = execute!(
        stdout(),
        DisableMouseCapture,
        DisableBracketedPaste,
        Show,
        LeaveAlternateScreen
    );
    let _ = disable_raw_mode();
}

/// True for the error of a closed terminal.
pub(super) fn is_gone(error: &io::Error) -> bool {
    // `EIO` has no `ErrorKind`.
    const EIO: i32 = 5;
    error.kind() == io::ErrorKind::BrokenPipe || cfg!(unix) && error.raw_os_error() == Some(EIO)
}

#[cfg(unix)]
fn stop() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)
}

#[cfg(not(unix))]
fn stop() -> io::Result<()> {
    Ok(())
}

/// Sends the events of the keyboard and the mouse, and the color of the background. crossterm reads from the terminal itself if
/// standard input is a pipe.
pub(super) fn listen(events: &Sender<Event>) {
    let events = events.clone();
    thread::spawn(move || {
        let mut listener = Listener::default();
        while let Ok(heard) = hear(&mut listener) {
            for event in heard {
                if events.send(event).is_err() {
                    return;
                }
            }
        }
        // Without a keyboard the program cannot be used.
        let _ = events.send(Event::Terminate);
    });
}

/// Waits for an event. Returns the events that are complete with it.
fn hear(listener: &mut Listener) -> io::Result<Vec<Event>> {
    if listener.is_holding() && !event::poll(background::PATIENCE)? {
        return Ok(listener.release().into_iter().filter_map(known).collect());
    }
    Ok(match listener.hear(event::read()?) {
        Heard::Events(events) => events.into_iter().filter_map(known).collect(),
        Heard::Background(color) => vec![Event::Background(color)],
        Heard::Held => Vec::new(),
    })
}

/// The event as the explorer takes it; `None` if it has no use for it.
fn known(event: event::Event) -> Option<Event> {
    Some(match event {
        event::Event::Key(key) => Event::Key(key),
        event::Event::Mouse(mouse) => Event::Mouse(mouse),
        event::Event::Paste(text) => Event::Paste(text),
        // On Unix the signal reports a new size: crossterm loses resizes that come together with a key.
        event::Event::Resize(..) if cfg!(unix) => return None,
        event::Event::Resize(width, height) => Event::Resize(width, height),
        event::Event::FocusGained | event::Event::FocusLost => return None,
    })
}

/// Turns signals into events: those that end or suspend a program, so that the terminal is restored first, and the one that
/// reports a new size.
#[cfg(unix)]
pub(super) fn listen_to_signals(events: &Sender<Event>) -> io::Result<()> {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH])?;
    let events = events.clone();
    thread::spawn(move || {
        for signal in signals.forever() {
            let event = match signal {
                SIGTSTP => Event::Key(KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL)),
                SIGWINCH => match crossterm::terminal::size() {
                    Ok((width, height)) => Event::Resize(width, height),
                    Err(_) => continue,
                },
                SIGHUP | SIGINT | SIGTERM => Event::Terminate,
                _ => continue,
            };
            if events.send(event).is_err() {
                return;
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn listen_to_signals(_events: &Sender<Event>) -> io::Result<()> {
    Ok(())
}
