//! The explorer at a million resources, without a terminal: the cost of a key before drawing, and the cost of a frame.
//!
//! Budgets: a key 100 µs, whatever the number of rows, and 5 ms on a page or a ripple; opening all 10 ms; taking in a batch while loading 1 ms; a frame 1 ms at
//! 200x50 and 2 ms at 400x120.

#[path = "../support/lib.rs"]
mod support;

use std::cell::RefCell;
use std::io;

use divan::Bencher;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use stacklens::stack::Kind;
use stacklens::tui::view::view;
use stacklens::tui::jobs::Cancel;
use support::harness::{Session, loaded};
use support::stacks::{self, MILLION, Plan};

fn main() {
    divan::main();
}

/// A million resources, with every node open.
fn of_a_million(size: (u16, u16)) -> Session {
    let mut session = Session::open_made(Plan::deep(MILLION), Kind::PulumiState, size);
    session.keys("zR").settle();
    session
}

/// A hundred thousand changes.
fn of_changes(size: (u16, u16)) -> Session {
    let plan = Plan {
        changes: true,
        ..Plan::deep(100_000)
    };
    Session::open_made(plan, Kind::PulumiPreview, size)
}

/// Measures `keys`, each time after `before` and the results of the workers.
fn press(bencher: Bencher<'_, '_>, session: Session, before: &str, keys: &str) {
    let session = RefCell::new(session);
    bencher
        .with_inputs(|| {
            let mut session = session.borrow_mut();
            session.settle().keys(before).settle();
        })
        .bench_local_values(|()| {
            session.borrow_mut().keys(keys);
        });
}

/// Budget: 100 µs. The keys before the blank restore the state in which the keys after it are pressed.
#[divan::bench(
    args = ["gg G", "G gg", "gg <PgDn>", "G <PgUp>", "gg 500000G", "ggzo zc", "ggzc zo", "ggj J", "G H", "gg +", "gg t", "gg s", "gg /"],
    sample_count = 30,
    sample_size = 1
)]
fn key_at_a_million(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(bencher, of_a_million((200, 50)), before, keys);
}

/// Budget: 10 ms.
#[divan::bench(args = ["zM zR", "zR zM", "zM z3", "ggzc zO"], sample_count = 10, sample_size = 1)]
fn fold_all_of_a_million(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(bencher, of_a_million((200, 50)), before, keys);
}

/// Budget: 100 µs for each key.
#[divan::bench(args = ["1 2", "2gg G", "2G gg", "2gg n", "2gg <C-n>", "2gg ."], sample_count = 30, sample_size = 1)]
fn key_among_100_000_changes(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(bencher, of_changes((200, 50)), before, keys);
}

/// Budget: 5 ms for each key.
#[divan::bench(args = ["bzMgg G", "bzRgg G", "bzRG gg", "bzMgg n", "bzRgg J", "bgg zR", "bzR zM", "bzMgg /", "bzMgg/ x"], sample_count = 30, sample_size = 1)]
fn key_in_the_brief_of_100_000_changes(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(
        bencher,
        of_changes((200, 50)),
        &format!("<Esc>{before}"),
        keys,
    );
}

/// Budget: 5 ms for each key. The explorer shows a ripple while its job runs, so the time of the job does not count.
#[divan::bench(args = ["1ggj gi", "1gggi j", "1gggi G", "1gggi i"], sample_count = 30, sample_size = 1)]
fn key_in_a_ripple_of_100_000_changes(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(
        bencher,
        of_changes((200, 50)),
        &format!("<Esc>{before}"),
        keys,
    );
}

/// A state whose only value has 100 MB.
fn of_a_long_text() -> Session {
    let text = format!("{}\\n", "a line of a long text. ".repeat(10)).repeat(434_000);
    let state = format!(
        r#"{{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{{}},"resources":[{{"mode":"managed","type":"acme_text",
        "name":"a","provider":"provider[\"example.com/acme/acme\"]","instances":[{{"schema_version":0,"attributes":{{"text":"{text}"}}}}]}}]}}"#
    );
    let mut session = Session::open_bytes("text.tfstate", state.as_bytes(), (200, 50));
    session.keys("<Tab>").alone();
    session
}

/// Budget: 20 ms to close, most of which the system takes to free the memory; 5 ms to copy, which a job does.
#[divan::bench(args = ["o <Esc>", " yy"], sample_count = 10, sample_size = 1)]
fn key_at_a_value_of_100_mb(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(bencher, of_a_long_text(), before, keys);
}

/// Budget: 5 ms. The hits of a search in the brief are found once.
#[divan::bench(args = ["bzR/change<Enter> n", "bzR/change<Enter> N"], sample_count = 10, sample_size = 1)]
fn next_hit_in_the_brief_of_100_000_changes(bencher: Bencher<'_, '_>, keys: &str) {
    let (before, keys) = keys.split_once(' ').unwrap_or(("", keys));
    press(
        bencher,
        of_changes((200, 50)),
        &format!("<Esc><Esc>{before}"),
        keys,
    );
}

/// Budget: 1 ms for each of the batches of 4096 resources.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn take_in_245_batches(bencher: Bencher<'_, '_>) {
    bencher
        .with_inputs(|| {
            let session = Session::open_made(Plan::flat(0), Kind::PulumiState, (200, 50));
            (
                session,
                stacks::loading(Plan::deep(MILLION), Kind::PulumiState),
            )
        })
        .bench_local_values(|(mut session, events)| {
            for event in events {
                session.event(loaded(&Cancel::default(), event));
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
            session.keys(keys[*turn % 2]).settle();
            *turn += 1;
        })
        .bench_local_values(|()| {
            let (session, terminal, _) = &mut *state.borrow_mut();
            terminal
                .draw(|frame| view(&session.app, frame))
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
    frame(bencher, of_a_million(size), size, ["G", "gg"]);
}

/// Each row has a mark, so every cell of the scrollbar asks for a mark among its rows.
#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_a_million_changes_in_the_tree(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let plan = Plan {
        changes: true,
        ..Plan::deep(MILLION)
    };
    let mut session = Session::open_made(plan, Kind::PulumiPreview, size);
    session.keys("1zR").settle();
    frame(bencher, session, size, ["G", "gg"]);
}

#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_changes(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let mut session = of_changes(size);
    session.keys("2");
    frame(bencher, session, size, ["G", "gg"]);
}

#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_dependencies(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let mut session = of_changes(size);
    session.keys("1ggu");
    frame(bencher, session, size, ["G", "gg"]);
}

#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_hits(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let mut session = of_a_million(size);
    session.keys("/orders");
    frame(bencher, session, size, ["<C-n>", "<C-p>"]);
}

#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_a_brief(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let mut session = of_changes(size);
    session.keys("b");
    frame(bencher, session, size, ["G", "gg"]);
}

/// Every group is open, so the page has a row for each change.
#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_an_open_brief(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let mut session = of_changes(size);
    session.keys("bzR");
    frame(bencher, session, size, ["G", "gg"]);
}

#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_of_a_ripple(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    let mut session = of_changes(size);
    session.keys("1gggi");
    frame(bencher, session, size, ["G", "gg"]);
}

/// Nothing happened.
#[divan::bench(args = sizes(), sample_count = 50, sample_size = 1)]
fn frame_without_news(bencher: Bencher<'_, '_>, text: &str) {
    let size = size(text);
    frame(bencher, of_a_million(size), size, ["", ""]);
}
