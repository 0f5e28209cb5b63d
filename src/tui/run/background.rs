//! Asks the terminal for the color of its background, and finds the answer among the keys.
//!
//! The query is OSC 11, written before the first frame; nothing waits for the answer. It comes as input:
//! `ESC ] 11 ; rgb:1e1e/1e1e/1e1e` and then BEL or `ESC \`. crossterm has no such event and reports the bytes as keys: Alt+`]`,
//! then `1`, `1`, `;` and so on. [`Listener`] holds back what may be the start of an answer. It drops a whole answer and returns
//! everything else in its order, so no key is lost, whether or not the terminal answers, and however late.
//!
//! The crate terminal-colorsaurus asks too, but it reads the terminal itself and drops what it does not know: keys that were
//! typed ahead would be lost. It also blocks until the answer or a time limit.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::tui::theme::Rgb;

/// The query. It ends in BEL, and so do the answers of terminals that do not end theirs correctly otherwise.
const QUERY: &[u8] = b"\x1b]11;?\x07";

/// Maximum time between two bytes of an answer. The rest of an answer is nearly always there.
pub(super) const PATIENCE: Duration = Duration::from_millis(50);

/// Maximum length of an answer, in keys.
const MAX_LEN: usize = 40;

/// Time after the query during which a single Esc may be the first byte of an answer.
const WINDOW: Duration = Duration::from_secs(2);

/// Time after the query during which quitting waits for the answer, which would otherwise go to the shell.
const BEFORE_END: Duration = Duration::from_millis(150);

/// The time of the query, until the answer is there.
static ASKED: Mutex<Option<Instant>> = Mutex::new(None);

fn set_asked(time: Option<Instant>) {
    *ASKED.lock().unwrap_or_else(PoisonError::into_inner) = time;
}

/// True if the terminal was asked less than `window` ago and has not answered.
fn is_asked(window: Duration) -> bool {
    let asked = *ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    asked.is_some_and(|time| time.elapsed() < window)
}

/// Waits for the answer to a query of this moment, so that it does not go to the shell. Called before the terminal is given back.
pub(super) fn settle() {
    while is_asked(BEFORE_END) {
        thread::sleep(Duration::from_millis(2));
    }
}

/// Asks for the background, if the terminal can be asked.
pub(super) fn ask(term: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    if !answers(term) {
        return Ok(());
    }
    set_asked(Some(Instant::now()));
    out.write_all(QUERY)?;
    out.flush()
}

/// True unless the terminal is known not to answer. Some of these print the query.
fn answers(term: Option<&str>) -> bool {
    let Some(term) = term.filter(|_| cfg!(unix)) else {
        return false;
    };
    let silent = ["dumb", "linux", "eterm", "Eterm", "cons25"];
    silent.iter().all(|other| !term.starts_with(other))
}

/// Separates the answer from the keys.
#[derive(Default)]
pub(super) struct Listener {
    /// Events that may be the start of an answer.
    held: Vec<Event>,
    /// The text of these.
    text: String,
}

/// The result of filtering an event.
#[derive(PartialEq, Debug)]
pub(super) enum Heard {
    /// Not part of an answer; pass these on.
    Events(Vec<Event>),
    /// Nothing yet: the event may be a part of an answer.
    Held,
    /// The answer.
    Background(Rgb),
}

impl Listener {
    /// True while events are held back.
    pub(super) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Takes an event.
    pub(super) fn hear(&mut self, event: Event) -> Heard {
        self.hear_while(event, is_asked(WINDOW))
    }

    fn hear_while(&mut self, event: Event, is_asked: bool) -> Heard {
        let piece = match &event {
            Event::Key(key) => bytes(*key),
            _ => None,
        };
        if let Some(piece) = &piece {
            self.text.push_str(piece);
        }
        // Without a query a single Esc is the key.
        let is_start = piece.is_some() && is_start(&self.text) && (is_asked || self.text != "\x1b");
        if !is_start {
            let mut events = self.release();
            // The event may be the start of the answer itself.
            if !events.is_empty() && piece.is_some_and(|piece| piece.starts_with('\x1b')) {
                if let Heard::Events(more) = self.hear_while(event, is_asked) {
                    events.extend(more);
                }
            } else {
                events.push(event);
            }
            return Heard::Events(events);
        }
        let is_end = self.text.ends_with('\x07') || self.text.ends_with("\x1b\\");
        self.held.push(event);
        if !is_end {
            return Heard::Held;
        }
        match color(&self.text) {
            Some(color) => {
                self.release();
                set_asked(None);
                Heard::Background(color)
            }
            None => Heard::Events(self.release()),
        }
    }

    /// Gives up: returns the events that were held back.
    pub(super) fn release(&mut self) -> Vec<Event> {
        self.text.clear();
        std::mem::take(&mut self.held)
    }
}

/// The bytes that crossterm made this key from; `None` if no answer contains them.
fn bytes(key: KeyEvent) -> Option<String> {
    if key.kind != KeyEventKind::Press {
        return None;
    }
    let modifiers = key.modifiers - KeyModifiers::SHIFT;
    match (key.code, modifiers) {
        (KeyCode::Esc, KeyModifiers::NONE) => Some("\x1b".to_owned()),
        (KeyCode::Char('g'), KeyModifiers::CONTROL) => Some("\x07".to_owned()),
        (KeyCode::Char(char), KeyModifiers::NONE) => Some(char.to_string()),
        (KeyCode::Char(char @ (']' | '\\')), KeyModifiers::ALT) => Some(format!("\x1b{char}")),
        _ => None,
    }
}

/// True if an answer may start with this text, or be it.
fn is_start(text: &str) -> bool {
    const HEAD: &str = "\x1b]11;";
    let Some(rest) = text.strip_prefix(HEAD) else {
        return HEAD.starts_with(text);
    };
    let end = rest.find(['\x07', '\x1b']).unwrap_or(rest.len());
    let (color, end) = rest.split_at(end);
    let is_color = |char: char| char.is_ascii_hexdigit() || "rgba:/#".contains(char);
    let is_end = ["", "\x07", "\x1b", "\x1b\\"].contains(&end);
    color.len() <= MAX_LEN && color.chars().all(is_color) && is_end
}

/// The color of a whole answer: `rgb:RRRR/GGGG/BBBB` with one to four digits each, `rgba:` with one more, or `#RRGGBB`.
fn color(answer: &str) -> Option<Rgb> {
    let text = answer.strip_prefix("\x1b]11;")?;
    let text = text.trim_end_matches(['\x07', '\\', '\x1b']);
    if text.starts_with('#') {
        return Rgb::parse(text);
    }
    let digits = text
        .strip_prefix("rgba:")
        .or_else(|| text.strip_prefix("rgb:"))?;
    let mut channels = digits.split('/').map(|digits| {
        let n_digits = u32::try_from(digits.len()).ok().filter(|n| *n <= 4)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        let most = 16_u32.pow(n_digits) - 1;
        u8::try_from((value * 255 + most / 2) / most).ok()
    });
    let mut next = || channels.next().flatten();
    Some(Rgb(next()?, next()?, next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    fn plain(text: &str) -> Vec<Event> {
        let char = |char| key(KeyCode::Char(char), KeyModifiers::NONE);
        text.chars().map(char).collect()
    }

    fn alt(char: char) -> Event {
        key(KeyCode::Char(char), KeyModifiers::ALT)
    }

    /// The keys that come through, and the background.
    fn heard(events: Vec<Event>) -> (Vec<Event>, Option<Rgb>) {
        let (mut listener, mut through, mut background) = (Listener::default(), Vec::new(), None);
        for event in events {
            match listener.hear_while(event, true) {
                Heard::Events(events) => through.extend(events),
                Heard::Held => {}
                Heard::Background(color) => background = Some(color),
            }
        }
        through.extend(listener.release());
        (through, background)
    }

    #[test]
    fn the_answer_is_taken_out_of_the_keys() {
        let ends = [
            vec![key(KeyCode::Char('g'), KeyModifiers::CONTROL)],
            vec![alt('\\')],
            vec![key(KeyCode::Esc, KeyModifiers::NONE), plain("\\").remove(0)],
        ];
        for end in ends {
            for start in [
                vec![alt(']')],
                vec![key(KeyCode::Esc, KeyModifiers::NONE), plain("]").remove(0)],
            ] {
                let mut events = plain("jj");
                events.extend(start);
                events.extend(plain("11;rgb:fdfd/f6f6/e3e3"));
                events.extend(end.clone());
                events.extend(plain("kq"));
                assert_eq!(heard(events), (plain("jjkq"), Some(Rgb(0xfd, 0xf6, 0xe3))));
            }
        }
    }

    #[test]
    fn nothing_else_is_lost_or_moved() {
        let esc = || key(KeyCode::Esc, KeyModifiers::NONE);
        for events in [
            plain("11;rgb:0/0/0"),
            vec![alt(']'), esc()],
            vec![esc(), esc(), plain("j").remove(0)],
            [vec![alt(']')], plain("11;rgb:q")].concat(),
            [vec![alt(']')], plain("11;rgb:1/2"), vec![alt('\\')]].concat(),
            [
                vec![alt(']')],
                plain("11"),
                vec![Event::FocusGained, alt(']')],
            ]
            .concat(),
            [vec![esc()], plain("/orders"), vec![esc()]].concat(),
        ] {
            assert_eq!(heard(events.clone()), (events, None));
        }
    }

    #[test]
    fn an_answer_may_follow_a_broken_one() {
        let end = key(KeyCode::Char('g'), KeyModifiers::CONTROL);
        let broken = [vec![alt(']')], plain("11;")].concat();
        let whole = [vec![alt(']')], plain("11;rgb:0/0/0"), vec![end]].concat();
        let (through, background) = heard([broken.clone(), whole].concat());
        assert_eq!((through, background), (broken, Some(Rgb::BLACK)));
    }

    #[test]
    fn without_a_query_escape_is_not_held() {
        let mut listener = Listener::default();
        let esc = key(KeyCode::Esc, KeyModifiers::NONE);
        assert_eq!(
            listener.hear_while(esc.clone(), false),
            Heard::Events(vec![esc])
        );
    }

    #[test]
    fn colors_have_one_to_four_digits() {
        let color = |text: &str| color(&format!("\x1b]11;{text}\x07"));
        assert_eq!(color("rgb:1/8/f"), Some(Rgb(0x11, 0x88, 0xff)));
        assert_eq!(color("rgb:28/2c/34"), Some(Rgb(0x28, 0x2c, 0x34)));
        assert_eq!(color("rgba:ffff/ffff/ffff/0000"), Some(Rgb::WHITE));
        assert_eq!(color("#1e1e1e"), Some(Rgb(0x1e, 0x1e, 0x1e)));
        for wrong in ["", "rgb:", "rgb:1/2", "rgb:/1/2", "rgb:12345/0/0"] {
            assert_eq!(color(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_terminals_that_can_answer_are_asked() {
        for term in ["xterm-256color", "tmux-256color", "screen", "foot"] {
            assert_eq!(answers(Some(term)), cfg!(unix), "{term}");
        }
        for term in ["dumb", "linux", "eterm-color"] {
            assert!(!answers(Some(term)), "{term}");
        }
        assert!(!answers(None));
    }
}
