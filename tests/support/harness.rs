//! Sends keys to the app, performs its effects and draws the screen.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};
use stacklens::load::{self, Input, LoadEvent};
use stacklens::search::SearchResult;
use stacklens::stack::Kind;
use stacklens::tui::any_job::{Answer, AnyJob};
use stacklens::tui::app::App;
use stacklens::tui::effect::Effect;
use stacklens::tui::event::{Event, Route};
use stacklens::tui::jobs::load::Load;
use stacklens::tui::jobs::search::{Found, Search};
use stacklens::tui::jobs::verify::HashAsset;
use stacklens::tui::jobs::{Cancel, Job, Ticket};
use stacklens::tui::preferences::Preferences;
use stacklens::tui::theme::{Background, Depth, Palette, Theme};
use stacklens::tui::view::view;

use super::keys::{self, Pressed};
use super::stacks::{self, Plan};

/// Maximum number of effects that one event leads to.
const MAX_EFFECTS: usize = 20_000;

/// The time that `<wait>` lets pass: longer than a secret is shown.
const LONG: Duration = Duration::from_secs(31);

/// Time limit for a loader on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A session: a app, and the requests it made that a test may want to see.
pub(crate) struct Session {
    pub(crate) app: App,
    /// Texts that were copied.
    pub(crate) copied: Vec<String>,
    /// The time that has passed for the clocks.
    now: Duration,
    /// Running timers: the time when each runs out, and its number.
    clocks: Vec<(Duration, u64)>,
    /// True if the app asked to quit.
    pub(crate) has_quit: bool,
    size: (u16, u16),
    /// The flag that stops the last reading of a file.
    loading: Cancel,
    /// Loader events that are held back, if they are.
    held: Option<VecDeque<Event>>,
    /// Answers that are held back until the test releases them, if they are.
    late: Option<Vec<Event>>,
    /// Effects that [`Session::settle`] will perform, while a bench measures the app alone.
    undone: Option<Vec<Effect>>,
    /// The generated stack that is loaded instead of a file.
    pub(crate) made: Option<(Plan, Kind)>,
    /// An open pipe, instead of files.
    live: Option<Live>,
    /// True if verifying goes on until the test supplies the result.
    pub(crate) holds_verifying: bool,
    /// The flag of the running verification.
    pub(crate) verifying: Option<Cancel>,
}

/// A pipe whose contents a test feeds.
struct Live {
    feed: Sender<Vec<u8>>,
    events: Receiver<LoadEvent>,
    n_fed: u64,
    stop: Ticket,
}

/// The reading end of a pipe, for a loader.
struct Fed(Receiver<Vec<u8>>);

impl Read for Fed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let piece = self.0.recv().unwrap_or_default();
        buffer[..piece.len()].copy_from_slice(&piece);
        Ok(piece.len())
    }
}

impl Live {
    fn open() -> Self {
        let (feed, pieces) = mpsc::channel();
        let (tell, events) = mpsc::channel();
        let stop = Ticket::default();
        let cancel = stop.flag();
        std::thread::spawn(move || {
            let mut sink = |event| drop(tell.send(event));
            let (pipe, limits) = (Box::new(Fed(pieces)), load::Limits::default());
            load::stream_from(&Input::stdin(), pipe, limits, cancel.flag(), &mut sink).unwrap();
        });
        Self {
            feed,
            events,
            n_fed: 0,
            stop,
        }
    }
}

impl Session {
    /// Opens a fixture of `tests/corpus` on a screen of this size.
    pub(crate) fn open(fixture: &str, size: (u16, u16)) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/corpus")
            .join(fixture);
        Self::open_input(Input::path(path), size)
    }

    /// Opens a file at any path.
    pub(crate) fn open_path(path: PathBuf, size: (u16, u16)) -> Self {
        Self::open_input(Input::path(path), size)
    }

    /// Opens bytes in memory.
    pub(crate) fn open_bytes(name: &str, bytes: &[u8], size: (u16, u16)) -> Self {
        let name = name.to_owned();
        Self::open_input(Input::bytes(name, bytes), size)
    }

    /// Opens a fixture whose contents arrive with [`Session::deliver`].
    pub(crate) fn open_held(fixture: &str, size: (u16, u16)) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/corpus")
            .join(fixture);
        Self::start(
            Input::path(path),
            &Preferences::default(),
            size,
            Some(VecDeque::new()),
        )
    }

    /// Delivers the next `n` pieces of the file.
    pub(crate) fn deliver(&mut self, n: usize) {
        for _ in 0..n {
            let Some(event) = self.held.as_mut().and_then(VecDeque::pop_front) else {
                return;
            };
            self.event(event);
        }
    }

    /// Holds back from now on: the file arrives with [`Session::deliver`], and every answer with [`Session::answer`].
    pub(crate) fn hold(&mut self) -> &mut Self {
        self.held = Some(VecDeque::new());
        self.late = Some(Vec::new());
        self
    }

    /// Number of answers that are held back.
    pub(crate) fn n_late(&self) -> usize {
        self.late.as_ref().map_or(0, Vec::len)
    }

    /// Delivers the answer number `at` of those held back.
    pub(crate) fn answer(&mut self, at: usize) -> &mut Self {
        if let Some(late) = &mut self.late {
            let event = late.remove(at);
            self.event(event);
        }
        self
    }

    /// Delivers the first hit of the search whose answer is held back as number `at`. Its whole answer stays held back.
    pub(crate) fn answer_first_hit(&mut self, at: usize) -> &mut Self {
        let late = self.late.as_ref().and_then(|late| late.get(at));
        let Some(Event::Answer(cancel, answer)) = late else {
            panic!("no job has an answer of number {at}");
        };
        let Found { index, found, .. } = answer.of::<Search>().expect("an answer of a search");
        let first = SearchResult {
            hits: found.hits[..1].to_vec(),
            resources: vec![found.hits[0].resource],
            total: 1,
            outputs: Vec::new(),
            ..SearchResult::clone(found)
        };
        let answer = Answer::<Search>(Found {
            index: Arc::clone(index),
            found: Arc::new(first),
            values: vec![None],
            done: false,
        });
        let event = Event::Answer(cancel.clone(), Box::new(answer));
        self.event(event);
        self
    }

    /// Drops all answers that are held back: they never come.
    pub(crate) fn lose(&mut self) -> &mut Self {
        self.late = self.late.take().map(|_| Vec::new());
        self.held = self.held.take().map(|_| VecDeque::new());
        self
    }

    /// Delivers everything that is held back.
    pub(crate) fn settle(&mut self) -> &mut Self {
        if let Some(undone) = &mut self.undone {
            let effects = std::mem::take(undone);
            self.perform(effects);
        }
        while self.n_late() > 0 || self.held.as_ref().is_some_and(|held| !held.is_empty()) {
            self.deliver(usize::MAX);
            while self.n_late() > 0 {
                self.answer(0);
            }
        }
        self
    }

    pub(crate) fn open_input(input: Input, size: (u16, u16)) -> Self {
        Self::start(input, &Preferences::default(), size, None)
    }

    /// Opens a file for a person with preferences.
    pub(crate) fn open_as(input: Input, preferences: &Preferences, size: (u16, u16)) -> Self {
        Self::start(input, preferences, size, None)
    }

    /// Opens a generated stack. From now on [`Session::event`] runs the app alone, and [`Session::settle`] performs its
    /// effects.
    pub(crate) fn open_made(plan: Plan, kind: Kind, size: (u16, u16)) -> Self {
        let (app, effects) = App::new(Input::stdin(), &Preferences::default(), size.0, size.1);
        let mut session = Self {
            undone: Some(effects),
            made: Some((plan, kind)),
            ..Self::of(app, size, None)
        };
        session.settle();
        session
    }

    /// Runs the app alone from now on. [`Session::settle`] performs its effects.
    pub(crate) fn alone(&mut self) {
        self.undone = Some(Vec::new());
    }

    /// Opens a pipe, to be fed with [`Session::feed`].
    pub(crate) fn open_pipe(size: (u16, u16)) -> Self {
        let (app, effects) = App::new(Input::stdin(), &Preferences::default(), size.0, size.1);
        let mut session = Self {
            live: Some(Live::open()),
            ..Self::of(app, size, None)
        };
        session.perform(effects);
        session
    }

    /// Writes into the pipe, and waits until all of it is reported.
    pub(crate) fn feed(&mut self, text: &str) -> &mut Self {
        let live = self.live.as_mut().unwrap();
        live.n_fed += text.len() as u64;
        live.feed.send(text.as_bytes().to_vec()).unwrap();
        loop {
            let live = self.live.as_ref().unwrap();
            let event = live.events.recv_timeout(PATIENCE).unwrap();
            let is_last = matches!(event, LoadEvent::Indexed { bytes, .. } if bytes == live.n_fed);
            self.event(loaded(&self.loading, event));
            if is_last {
                return self;
            }
        }
    }

    /// Lets the loader notice that it was stopped, while the pipe stays open.
    pub(crate) fn cut(&mut self) -> &mut Self {
        assert!(self.has_stopped());
        let live = self.live.take().unwrap();
        live.stop.stop();
        for event in live.events {
            self.event(loaded(&self.loading, event));
        }
        self
    }

    /// True if the app asked to stop loading.
    pub(crate) fn has_stopped(&self) -> bool {
        self.loading.is_cancelled()
    }

    /// Closes the pipe.
    pub(crate) fn end(&mut self) -> &mut Self {
        let live = self.live.take().unwrap();
        drop(live.feed);
        for event in live.events {
            self.event(loaded(&self.loading, event));
        }
        self
    }

    fn start(
        input: Input,
        preferences: &Preferences,
        size: (u16, u16),
        held: Option<VecDeque<Event>>,
    ) -> Self {
        let (app, effects) = App::new(input, preferences, size.0, size.1);
        let mut session = Self::of(app, size, held);
        session.perform(effects);
        session
    }

    fn of(app: App, size: (u16, u16), held: Option<VecDeque<Event>>) -> Self {
        Self {
            app,
            copied: Vec::new(),
            now: Duration::ZERO,
            clocks: Vec::new(),
            has_quit: false,
            loading: Cancel::default(),
            held,
            late: None,
            holds_verifying: false,
            verifying: None,
            undone: None,
            made: None,
            live: None,
            size,
        }
    }

    /// Presses keys as [`keys::read`] reads them.
    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
        for pressed in keys::read(keys) {
            match pressed {
                Pressed::Key(key) => self.event(Event::Key(key)),
                Pressed::Wait => {
                    self.pass(LONG);
                }
            }
        }
        self
    }

    /// Lets this time pass: timers that run out in it send their events, one after the other.
    pub(crate) fn pass(&mut self, time: Duration) -> &mut Self {
        let until = self.now + time;
        while let Some(next) = self.clocks.iter().min().copied().filter(|it| it.0 <= until) {
            self.clocks.retain(|clock| *clock != next);
            self.now = next.0;
            self.event(Event::Woke(next.1));
        }
        self.now = until;
        self
    }

    /// Presses keys in the notation of the key table: `g p`, `^d`, `Enter`.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        for token in keys.split(' ') {
            self.event(Event::Key(keys::key(token)));
        }
        self
    }

    /// Sends an event to the app and performs its effects.
    pub(crate) fn event(&mut self, event: Event) {
        let effects = self.app.update(event);
        match &mut self.undone {
            Some(undone) => undone.extend(effects),
            None => self.perform(effects),
        }
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.size = (width, height);
        self.event(Event::Resize(width, height));
        self
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = VecDeque::from(effects);
        let mut n_performed = 0;
        while let Some(effect) = waiting.pop_front() {
            n_performed += 1;
            assert!(
                n_performed < MAX_EFFECTS,
                "answers lead to requests without end"
            );
            let events = self.answers(effect);
            if let Some(late) = &mut self.late {
                late.extend(events);
                continue;
            }
            for event in events {
                waiting.extend(self.app.update(event));
            }
        }
    }

    fn answers(&mut self, effect: Effect) -> Vec<Event> {
        match effect {
            Effect::Record(recorded) => match recorded.save() {
                Ok(()) => Vec::new(),
                Err(error) => vec![Event::NotRecorded(error.to_string())],
            },
            Effect::Start(cancel, job) => self.run(&cancel, job),
            Effect::Route => vec![Event::Routed(Ok(Route {
                name: "the test clipboard".to_owned(),
                max_bytes: Some(60_000),
            }))],
            Effect::Wake(timer, after) => {
                self.clocks.push((self.now + after, timer));
                Vec::new()
            }
            Effect::Copy { what, text } => {
                let n_chars = text.chars().count();
                self.copied.push(text);
                vec![Event::Copied {
                    what,
                    n_chars,
                    result: Ok("the test clipboard".to_owned()),
                }]
            }
            Effect::Quit => {
                self.has_quit = true;
                Vec::new()
            }
            Effect::Redraw | Effect::Watch(_) | Effect::Mouse(_) | Effect::Suspend => Vec::new(),
        }
    }

    fn run(&mut self, cancel: &Cancel, job: Box<dyn AnyJob>) -> Vec<Event> {
        let is_load = job.topic() == Load::TOPIC;
        if is_load {
            self.loading = cancel.clone();
        }
        if self.live.is_some() && is_load {
            return Vec::new();
        }
        if let Some((plan, kind)) = self.made.filter(|_| is_load) {
            let events = stacks::loading(plan, kind).into_iter();
            return events.map(|event| loaded(cancel, event)).collect();
        }
        if job.topic() == HashAsset::TOPIC {
            self.verifying = Some(cancel.clone());
            if self.holds_verifying {
                return Vec::new();
            }
        }
        let mut events = Vec::new();
        job.run(cancel, &mut |answer| {
            events.push(Event::Answer(cancel.clone(), answer));
        });
        match &mut self.held {
            Some(held) if is_load => {
                held.extend(events);
                Vec::new()
            }
            _ => events,
        }
    }

    fn draw(&self) -> Terminal<TestBackend> {
        let mut terminal = Terminal::new(TestBackend::new(self.size.0, self.size.1)).unwrap();
        terminal.draw(|frame| view(&self.app, frame)).unwrap();
        terminal
    }

    /// The screen as text, without spaces at the ends of lines.
    pub(crate) fn text(&self) -> String {
        let terminal = self.draw();
        let buffer = terminal.backend().buffer();
        let mut text = String::new();
        for y in 0..buffer.area.height {
            let mut line = String::new();
            let mut skip = 0;
            for x in 0..buffer.area.width {
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                let symbol = buffer[(x, y)].symbol();
                skip = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
                line.push_str(symbol);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The cells of the screen.
    pub(crate) fn cells(&mut self, depth: Depth, palette: Palette) -> Buffer {
        self.app.theme = Theme::new(depth, Some(palette), Background::Unknown);
        self.buffer()
    }

    /// The cells of the screen in the theme of the app.
    pub(crate) fn buffer(&self) -> Buffer {
        self.draw().backend().buffer().clone()
    }

    /// The runs of the screen with a style: the text and the style of each.
    pub(crate) fn styled(&mut self, depth: Depth, palette: Palette) -> Vec<(String, Style)> {
        let buffer = self.cells(depth, palette);
        let mut runs: Vec<(String, Style)> = Vec::new();
        for y in 0..buffer.area.height {
            let mut last = None;
            for x in 0..buffer.area.width {
                let cell = &buffer[(x, y)];
                let style = cell.style();
                let is_plain = cell.fg == ratatui::style::Color::Reset
                    && cell.bg == ratatui::style::Color::Reset
                    && cell.modifier == Modifier::empty();
                if is_plain {
                    last = None;
                } else if last == Some(style) {
                    if let Some((text, _)) = runs.last_mut() {
                        text.push_str(cell.symbol());
                    }
                } else {
                    runs.push((cell.symbol().to_owned(), style));
                    last = Some(style);
                }
            }
        }
        runs
    }

    /// The style of the run that contains `text`.
    #[track_caller]
    pub(crate) fn style_of(&mut self, text: &str, depth: Depth, palette: Palette) -> Style {
        let runs = self.styled(depth, palette);
        let found = runs.iter().find(|(run, _)| run.contains(text));
        found
            .unwrap_or_else(|| panic!("{text} is plain or absent"))
            .1
    }

    /// Fails unless the screen shows this text.
    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) -> &mut Self {
        let screen = self.text();
        assert!(screen.contains(text), "no `{text}` on\n{screen}");
        self
    }

    /// Fails if the screen shows this text.
    #[track_caller]
    pub(crate) fn hides(&mut self, text: &str) -> &mut Self {
        let screen = self.text();
        assert!(!screen.contains(text), "`{text}` on\n{screen}");
        self
    }

    /// The right part of the screen, on the line of its cursor.
    pub(crate) fn cursor_line_of_focus(&self) -> String {
        let screen = self.text();
        let cursors = screen
            .lines()
            .filter_map(|line| line.rfind("││▶").map(|at| &line[at..]));
        cursors.collect()
    }

    /// The screen line with the cursor of the left pane; else the first line with a cursor.
    #[track_caller]
    pub(crate) fn cursor_line(&self) -> String {
        let screen = self.text();
        let is_left = |line: &&str| line.trim_start_matches('│').starts_with('▶');
        let left = screen.lines().find(is_left);
        let line = left.or_else(|| screen.lines().find(|line| line.contains('▶')));
        line.unwrap_or_else(|| panic!("no cursor on\n{screen}"))
            .to_owned()
    }
}

/// The screen of 80×24 after these keys.
pub(crate) fn screen(fixture: &str, keys: &str) -> String {
    Session::open(fixture, (80, 24)).keys(keys).text()
}

/// The event of a file that is being read.
pub(crate) fn loaded(cancel: &Cancel, event: LoadEvent) -> Event {
    Event::Answer(cancel.clone(), Box::new(Answer::<Load>(Ok(event))))
}
