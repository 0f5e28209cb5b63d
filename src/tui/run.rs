//! The loop and all contact with the outside: the terminal, threads, the clock, signals and the clipboard.

mod background;
pub mod clipboard;
mod desktop;
mod recorder;
mod terminal;
mod watch;
mod work;

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use color_eyre::eyre::{Result, WrapErr};

use self::clipboard::Surroundings;
use self::desktop::Desktop;
use self::recorder::Recorder;
use self::terminal::Screen;
pub use self::terminal::give_back_if_taken as give_back;
use self::watch::Report;
use self::work::Workers;
use super::app::App;
use super::effect::Effect;
use super::event::Event;
use super::jobs::Frame;
use super::jobs::load::Load;
use super::preferences::Preferences;
use super::view::view;
use crate::load::{Input, LoadEvent};

/// Minimum time between two frames for events from the background: 30 frames a second.
const FRAME: Duration = Duration::from_millis(34);

/// An event this soon after an act of the person may be the answer, and is drawn at once.
const ANSWER: Duration = Duration::from_millis(150);

/// Maximum time for which events are processed before the screen is drawn.
const DRAIN: Duration = Duration::from_millis(20);

/// Opens the explorer on `input` until the person quits.
///
/// # Errors
///
/// If the terminal cannot be used. The terminal is restored in any case.
pub fn run(input: Input, preferences: &Preferences) -> Result<()> {
    let mut screen =
        Screen::open(preferences.theme.has_color()).wrap_err("the terminal cannot be used")?;
    let result = explore(&mut screen, input, preferences);
    screen.close();
    match result {
        // A person who closes the terminal wants to quit.
        Err(error) if error.chain().any(is_hangup) => Ok(()),
        result => result,
    }
}

fn is_hangup(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref().is_some_and(terminal::is_gone)
}

fn explore(screen: &mut Screen, input: Input, preferences: &Preferences) -> Result<()> {
    let (events, inbox) = mpsc::channel();
    terminal::listen(&events);
    terminal::listen_to_signals(&events).wrap_err("listening to signals")?;
    let size = screen.size()?;
    let (mut app, effects) = App::new(input, preferences, size.width, size.height);
    let report = if preferences.watch {
        Report::Settled
    } else {
        Report::AtOnce
    };
    let mut world = World {
        workers: Workers::new(events.clone(), report),
        surroundings: Surroundings::new(preferences.clipboard, |name| std::env::var(name).ok()),
        desktop: Desktop::default(),
        recorder: Recorder::default(),
        events,
    };
    let mut turns = Turns::new();
    let mut waiting = effects;
    loop {
        let mut quits = false;
        for effect in waiting.drain(..) {
            quits |= world.perform(effect, screen)?;
        }
        if quits {
            return Ok(());
        }
        if turns.patience().is_some_and(|patience| patience.is_zero()) {
            screen
                .terminal()
                .draw(|frame| view(&app, frame))
                .wrap_err("drawing")?;
            turns.drawn();
        }
        waiting = turns.take_in(&mut app, &inbox)?;
    }
}

/// The timing of frames: at once for anything the person waits for, such as the first resources, and 30 times a second for all
/// other events.
struct Turns {
    /// The time of the last frame, or of the start.
    drawn: Instant,
    /// The time of the person's last act.
    acted: Option<Instant>,
    /// True if an event came since the screen was drawn.
    is_new: bool,
    is_urgent: bool,
    /// True if resources of the file that is being read have come.
    has_resources: bool,
}

impl Turns {
    /// The first frame waits for the first resources, but not for long.
    fn new() -> Self {
        Self {
            drawn: Instant::now(),
            acted: None,
            is_new: true,
            is_urgent: false,
            has_resources: false,
        }
    }

    fn drawn(&mut self) {
        self.drawn = Instant::now();
        self.is_new = false;
        self.is_urgent = false;
    }

    /// Time until the next frame is due; `None` if nothing changed.
    fn patience(&self) -> Option<Duration> {
        self.is_new.then(|| {
            if self.is_urgent {
                Duration::ZERO
            } else {
                FRAME.saturating_sub(self.drawn.elapsed())
            }
        })
    }

    /// Sleeps until an event comes or it is time to draw, then processes the events that have come since.
    fn take_in(&mut self, app: &mut App, inbox: &Receiver<Event>) -> Result<Vec<Effect>> {
        let first = match self.patience() {
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(patience) => inbox.recv_timeout(patience),
        };
        let mut event = match first {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => return Ok(Vec::new()),
            Err(error) => return Err(error).wrap_err("all sources of events ended"),
        };
        let started = Instant::now();
        loop {
            self.note(&event);
            let effects = app.update(event);
            // Effects start without delay.
            if !effects.is_empty() || started.elapsed() >= DRAIN {
                return Ok(effects);
            }
            match inbox.try_recv() {
                Ok(next) => event = next,
                Err(_) => return Ok(effects),
            }
        }
    }

    fn note(&mut self, event: &Event) {
        self.is_new = true;
        if is_act(event) {
            self.acted = Some(Instant::now());
        }
        let is_first = self.brings_first_resources(event);
        self.is_urgent |= is_first
            || match frame(event) {
                Frame::Now => true,
                Frame::Soon => self.acted.is_some_and(|acted| acted.elapsed() < ANSWER),
                Frame::Due => false,
            };
    }

    /// True for the first resources of a file, for the end of a file without any, and for a file that cannot be read.
    fn brings_first_resources(&mut self, event: &Event) -> bool {
        let Event::Answer(_, answer) = event else {
            return false;
        };
        let has_resources = match answer.of::<Load>() {
            None => return false,
            Some(Err(_)) => return true,
            Some(Ok(LoadEvent::Opened { .. })) => false,
            Some(Ok(LoadEvent::Indexed { batch, .. })) => {
                self.has_resources || batch.chunk.n_records() > 0
            }
            Some(Ok(LoadEvent::Finished(_))) => true,
        };
        let is_first = has_resources && !self.has_resources;
        self.has_resources = has_resources;
        is_first
    }
}

/// The time of the frame that shows an event.
fn frame(event: &Event) -> Frame {
    match event {
        Event::Answer(_, answer) => answer.topic().frame,
        Event::Background(_) | Event::Routed(_) => Frame::Soon,
        Event::Key(_)
        | Event::Mouse(_)
        | Event::Paste(_)
        | Event::Resize(..)
        | Event::Woke(_)
        | Event::Copied { .. }
        | Event::NotRecorded(_)
        | Event::Crashed { .. }
        | Event::FileChanged
        | Event::Terminate => Frame::Now,
    }
}

/// True if the event is an act of the person.
fn is_act(event: &Event) -> bool {
    matches!(event, Event::Key(_) | Event::Mouse(_) | Event::Paste(_))
}

struct World {
    workers: Workers,
    surroundings: Surroundings,
    desktop: Desktop,
    recorder: Recorder,
    events: Sender<Event>,
}

impl World {
    /// Performs an effect. True if the program is to end.
    fn perform(&mut self, effect: Effect, screen: &mut Screen) -> Result<bool> {
        match effect {
            Effect::Quit => {
                // The only way to test that a panic restores the terminal.
                assert!(
                    std::env::var_os("STACKLENS_PANIC").is_none(),
                    "asked to panic by STACKLENS_PANIC"
                );
                return Ok(true);
            }
            Effect::Suspend => {
                screen.suspend().wrap_err("suspending")?;
                // A stopped program is not notified of a new size.
                let size = screen.size()?;
                self.send(Event::Resize(size.width, size.height));
            }
            Effect::Redraw => screen.clear().wrap_err("clearing the screen")?,
            Effect::Mouse(on) => screen.set_mouse(on).wrap_err("switching the mouse")?,
            Effect::Copy { what, text } => self.copy(what, &text),
            Effect::Record(recorded) => self.recorder.write(recorded, &self.events),
            Effect::Start(cancel, job) => self.workers.start(cancel, job),
            Effect::Watch(paths) => self.workers.watch(paths),
            Effect::Wake(timer, after) => self.workers.wake(timer, after),
            Effect::Route => {
                let route = clipboard::route(self.surroundings, &mut self.desktop);
                self.send(Event::Routed(route));
            }
        }
        Ok(false)
    }

    fn copy(&mut self, what: String, text: &str) {
        let result = clipboard::copy(
            text,
            self.surroundings,
            &mut self.desktop,
            &mut io::stdout(),
        );
        let n_chars = text.chars().count();
        self.send(Event::Copied {
            what,
            n_chars,
            result,
        });
    }

    fn send(&self, event: Event) {
        // The receiver lives as long as the loop that calls this.
        let _ = self.events.send(event);
    }
}
