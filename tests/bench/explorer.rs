//! The explorer at a million resources, without a terminal: what a key costs before drawing, and what a frame costs.
//!
//! Budgets: a key 100 µs, whatever the number of rows; opening all 10 ms; taking in a batch while loading 1 ms; a frame 1 ms at
//! 200x50 and 2 ms at 400x120.

mod made;

use std::cell::RefCell;
use std::io;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use divan::Bencher;
use made::{Bytes, MILLION, Plan};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use stacklens::load::{Input, LoadEvent};
use stacklens::objchange::why::why;
use stacklens::stack::Kind;
use stacklens::tree::Tree;
use stacklens::tui::answer;
use stacklens::tui::effect::Effect;
use stacklens::tui::event::Event;
use stacklens::tui::model::Model;
use stacklens::tui::theme::Theme;
use stacklens::tui::view::view;

fn main() {
    divan::main();
}

/// A model, and what it asked for that was not done yet.
struct Session {
    model: Model,
    waiting: Vec<Effect>,
    plan: Plan,
    kind: Kind,
}

impl Session {
    fn new(plan: Plan, kind: Kind, (width, height): (u16, u16)) -> Self {
        let (model, waiting) = Model::new(Input::Stdin, Theme::default(), width, height);
        let mut session = Self {
            model,
            waiting,
            plan,
            kind,
        };
        session.settle();
        session
    }

    /// A million resources, of which all are open that can be.
    fn of_a_million(size: (u16, u16)) -> Self {
        let mut session = Self::new(Plan::deep(MILLION), Kind::PulumiState, size);
        session.keys("zR");
        session.settle();
        session
    }

    /// A hundred thousand changes.
    fn of_changes(size: (u16, u16)) -> Self {
        let plan = Plan {
            changes: true,
            ..Plan::deep(100_000)
        };
        Self::new(plan, Kind::PulumiPreview, size)
    }

    /// What keys cost: the model's part of it.
    fn keys(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let (name, len) = match rest.find('>') {
                Some(end) if first == '<' => (&rest[1..end], end + 1),
                _ => (&rest[..first.len_utf8()], first.len_utf8()),
            };
            rest = &rest[len..];
            self.event(Event::Key(key(name)));
        }
    }

    fn event(&mut self, event: Event) {
        self.waiting.extend(self.model.update(event));
    }

    /// What workers do.
    fn settle(&mut self) {
        while let Some(effect) = self.waiting.pop() {
            for event in self.answers(effect) {
                self.event(event);
            }
        }
    }

    fn answers(&self, effect: Effect) -> Vec<Event> {
        match effect {
            Effect::Load { ticket, .. } => self
                .loading()
                .map(|event| Event::Load { ticket, event })
                .collect(),
            Effect::Arrange {
                ticket,
                stack,
                request,
            } => {
                let tree = Box::new(Tree::new(&stack, request));
                vec![Event::Arranged { ticket, tree }]
            }
            Effect::Read {
                ticket,
                document,
                id,
            } => {
                let resource = document.resource(id).map(Arc::new);
                vec![Event::Read {
                    ticket,
                    id,
                    resource,
                }]
            }
            Effect::Explain {
                ticket,
                document,
                id,
            } => {
                let mut read = |id| document.resource(id).ok().map(Arc::new);
                let steps = why(&document.stack, id, &mut read);
                vec![Event::Explained { ticket, id, steps }]
            }
            Effect::Search(wanted) => {
                let mut events = Vec::new();
                answer::search(wanted, &|| false, &mut |event| events.push(event));
                events
            }
            _ => Vec::new(),
        }
    }

    fn loading(&self) -> impl Iterator<Item = LoadEvent> {
        let opened = LoadEvent::Opened {
            header: made::header(self.kind),
            source: Arc::new(Bytes::new()),
            total: None,
        };
        let batches = made::batches(self.plan).into_iter();
        let indexed = batches.map(|batch| LoadEvent::Indexed {
            batch: Box::new(batch),
            bytes: 0,
        });
        let summary = made::summary(self.plan, self.kind);
        std::iter::once(opened)
            .chain(indexed)
            .chain([LoadEvent::Finished(Box::new(summary))])
    }
}

fn key(name: &str) -> KeyEvent {
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Tab" => KeyCode::Tab,
        "Esc" => KeyCode::Esc,
        "PgDn" => KeyCode::PageDown,
        "PgUp" => KeyCode::PageUp,
        name if name.starts_with("C-") => {
            let char = name.chars().nth(2).unwrap_or('c');
            return KeyEvent::new(KeyCode::Char(char), KeyModifiers::CONTROL);
        }
        name => KeyCode::Char(name.chars().next().unwrap_or('?')),
    };
    KeyEvent::from(code)
}

/// Measures `keys`, each time after `before` and what workers make of it.
fn press(bencher: Bencher<'_, '_>, session: Session, before: &str, keys: &str) {
    let session = RefCell::new(session);
    bencher
        .with_inputs(|| {
            let mut session = session.borrow_mut();
            session.settle();
            session.keys(before);
            session.settle();
        })
        .bench_local_values(|()| session.borrow_mut().keys(keys));
}

/// Budget: 100 µs. The keys before the blank bring back the state that the keys behind it are pressed in.
#[divan::bench(
    args = ["gg G", "G gg", "gg <PgDn>", "G <PgUp>", "gg 500000G", "ggzo zc", "ggzc zo", "ggj J", "G H", "gg +", "gg t", "gg s", "gg /"],
    sample_count = 30,
    sample_size = 1
)]
fn key_at_a_million(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(bencher, Session::of_a_million((200, 50)), before, keys);
}

/// Budget: 10 ms.
#[divan::bench(args = ["zM zR", "zR zM", "zM z3", "ggzc zO"], sample_count = 10, sample_size = 1)]
fn fold_all_of_a_million(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(bencher, Session::of_a_million((200, 50)), before, keys);
}

/// Budget: 100 µs for each key.
#[divan::bench(args = ["1 2", "2gg G", "2G gg", "2gg n", "2gg <C-n>", "2gg ."], sample_count = 30, sample_size = 1)]
fn key_among_100_000_changes(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(bencher, Session::of_changes((200, 50)), before, keys);
}

/// Budget: 1 ms for each of the batches of 4096 resources.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn take_in_245_batches(bencher: Bencher<'_, '_>) {
    bencher
        .with_inputs(|| {
            let mut session = Session::new(Plan::flat(0), Kind::PulumiState, (200, 50));
            session.plan = Plan::deep(MILLION);
            session
        })
        .bench_local_values(|mut session| {
            for event in session.loading().collect::<Vec<_>>() {
                // The ticket of the first loading.
                session.event(Event::Load { ticket: 1, event });
            }
            session
        });
}

/// Budget: 1 ms at 200x50, 2 ms at 400x120: drawing, comparing with the screen before, and writing what differs, after `keys`.
fn frame(bencher: Bencher<'_, '_>, mut session: Session, size: (u16, u16), keys: [&str; 2]) {
    let options = TerminalOptions {
        viewport: Viewport::Fixed(Rect::new(0, 0, size.0, size.1)),
    };
    let backend = CrosstermBackend::new(io::sink());
    let Ok(terminal) = Terminal::with_options(backend, options) else {
        return;
    };
    session.settle();
    let state = RefCell::new((session, terminal, 0));
    bencher
        .with_inputs(|| {
            let (session, _, turn) = &mut *state.borrow_mut();
            session.keys(keys[*turn % 2]);
            session.settle();
            *turn += 1;
        })
        .bench_local_values(|()| {
            let (session, terminal, _) = &mut *state.borrow_mut();
            terminal
                .draw(|frame| view(&session.model, frame))
                .map(|frame| frame.count)
                .is_ok()
        });
}

const SIZES: [(u16, u16); 2] = [(200, 50), (400, 120)];

fn sizes() -> impl Iterator<Item = String> {
    SIZES
        .iter()
        .map(|(width, height)| format!("{width}x{height}"))
}

fn size(text: &str) -> (u16, u16) {
    let numbers = text.split_once('x');
    numbers
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)))
        .unwrap_or(SIZES[0])
}

#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_a_million(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    frame(bencher, Session::of_a_million(size), size, ["G", "gg"]);
}

#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_changes(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let mut session = Session::of_changes(size);
    session.keys("2");
    frame(bencher, session, size, ["G", "gg"]);
}

#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_dependencies(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let mut session = Session::of_changes(size);
    session.keys("ggu");
    frame(bencher, session, size, ["G", "gg"]);
}

#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_hits(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let mut session = Session::of_a_million(size);
    session.keys("/orders");
    frame(bencher, session, size, ["<C-n>", "<C-p>"]);
}

/// Nothing happened.
#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_without_news(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    frame(bencher, Session::of_a_million(size), size, ["", ""]);
}
