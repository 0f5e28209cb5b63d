//! The clipboard: the system's if there is one, and the terminal's own through an escape sequence (OSC 52).
//!
//! On X11 and Wayland the text lives in the process that offers it, so one connection is kept for the whole session. Over SSH
//! the system's clipboard, if any, is that of the remote machine. So OSC 52 is always sent first: a system
//! clipboard that seems to work without a display may silently lose the text.
//!
//! # Source
//!
//! OSC 52: xterm's control sequences, "Manipulate Selection Data". tmux and GNU screen: their manuals, on passing sequences through.

use std::io::{self, Write};

use crate::tui::event::Route;
use crate::tui::preferences::ClipboardChoice;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Maximum size of a sequence in bytes of base64. Some terminals cut or drop more.
pub const MAX_ENCODED: usize = 74_994;

/// Maximum size of a piece that GNU screen passes through at once, in bytes, without the bytes around it.
const SCREEN_PIECE: usize = 250;

/// The clipboard of the desktop.
const NEAR: &str = "the system clipboard";

/// The clipboard of the machine at the other end of SSH.
const FAR: &str = "the remote system's clipboard";

/// The advice when the person does not want OSC 52.
const UNWANTED_OSC: &str =
    "the setting `clipboard` forbids OSC 52: print it with `stacklens get` instead";

/// The advice when no route is open.
const NO_OSC: &str = "this terminal has no OSC 52: print it with `stacklens get` instead";

/// The program between this one and the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Multiplexer {
    /// Nothing.
    None,
    /// tmux.
    Tmux,
    /// GNU screen.
    Screen,
}

/// The facts from the environment that decide the route to the person's clipboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surroundings {
    /// True if the session came over SSH.
    pub ssh: bool,
    /// tmux or screen, if any.
    pub multiplexer: Multiplexer,
    /// True if the display is reached over the network, as with `ssh -X`.
    pub far_display: bool,
    /// True if the terminal may understand OSC 52. The Linux console and dumb terminals do not.
    pub osc: bool,
    /// The person's choice.
    pub choice: ClipboardChoice,
}

impl Surroundings {
    /// Reads the environment through `variable`.
    pub fn new(choice: ClipboardChoice, variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let term = variable("TERM").unwrap_or_default();
        let multiplexer = if set("TMUX") {
            Multiplexer::Tmux
        } else if set("STY") {
            Multiplexer::Screen
        } else {
            Multiplexer::None
        };
        Self {
            ssh: set("SSH_TTY") || set("SSH_CONNECTION") || set("SSH_CLIENT"),
            multiplexer,
            far_display: cfg!(all(unix, not(target_os = "macos")))
                && variable("DISPLAY").is_some_and(|display| is_far(&display)),
            osc: choice != ClipboardChoice::System
                && (multiplexer != Multiplexer::None || !matches!(&*term, "dumb" | "linux")),
            choice,
        }
    }

    /// The name of the route through the terminal. Adds the reason for not using the system's clipboard, unless it is obvious.
    fn osc_route(self, system: &Result<(), NoClipboard>) -> String {
        let osc = self.osc_name();
        match system {
            Err(why @ (NoClipboard::Far | NoClipboard::Silent)) => format!("{osc} ({why})"),
            Ok(()) | Err(NoClipboard::None(_) | NoClipboard::Unwanted) => osc.to_owned(),
        }
    }

    /// Returns the answer of the system's clipboard to `ask`. Never connects to a display over the network: this program is
    /// offline.
    fn system(self, ask: impl FnOnce() -> Result<(), NoClipboard>) -> Result<(), NoClipboard> {
        if self.choice == ClipboardChoice::Terminal {
            return Err(NoClipboard::Unwanted);
        }
        if self.far_display {
            return Err(NoClipboard::Far);
        }
        ask()
    }

    /// The reason that the terminal is not asked, if it is not.
    fn may_osc(self) -> Result<(), String> {
        if self.osc {
            return Ok(());
        }
        Err(self.no_osc().to_owned())
    }

    fn no_osc(self) -> &'static str {
        match self.choice {
            ClipboardChoice::System => UNWANTED_OSC,
            ClipboardChoice::Auto | ClipboardChoice::Terminal => NO_OSC,
        }
    }

    fn osc_name(self) -> &'static str {
        match self.multiplexer {
            Multiplexer::None => "OSC 52",
            // Unless configured to, tmux silently drops clipboard requests of programs.
            Multiplexer::Tmux => "OSC 52 through tmux, if its set-clipboard is on",
            Multiplexer::Screen => "OSC 52 through screen",
        }
    }
}

/// True for a display that is not reached through a socket of this machine.
///
/// # Source
///
/// x11rb-protocol 0.13, `parse_display`.
fn is_far(display: &str) -> bool {
    if display.is_empty() || display.starts_with('/') || display.starts_with("unix:") {
        return false;
    }
    let (protocol, rest) = match display.rsplit_once('/') {
        Some((protocol, rest)) => (Some(protocol), rest),
        None => (None, display),
    };
    let host = rest.rsplit_once(':').map_or("", |(host, _)| host);
    match protocol {
        Some(protocol) => protocol != "unix",
        None => !matches!(host, "" | "unix"),
    }
}

/// The reason that the system's clipboard did not take a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoClipboard {
    /// There is none. The text is the system's error.
    #[error("no system clipboard ({0})")]
    None(String),
    /// The person chose the terminal's.
    #[error("the setting `clipboard` forbids the system clipboard")]
    Unwanted,
    /// The display is on the network.
    #[error("DISPLAY is a network connection, so its clipboard is not used")]
    Far,
    /// The server does not answer.
    #[error("the clipboard server does not answer")]
    Silent,
}

/// The system's clipboard, or a stand-in.
pub trait System {
    /// Puts `text` on the clipboard.
    ///
    /// # Errors
    ///
    /// If there is no clipboard.
    fn set(&mut self, text: &str) -> Result<(), NoClipboard>;

    /// Checks that there is a clipboard, as far as possible without putting something there.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn open(&mut self) -> Result<(), NoClipboard>;
}

/// The route that [`copy`] would take now.
///
/// # Errors
///
/// If no route is open. The text says what to do.
pub fn route(surroundings: Surroundings, system: &mut impl System) -> Result<Route, String> {
    let mut max_bytes = None;
    let by_terminal = || {
        max_bytes = Some(MAX_ENCODED / 4 * 3);
        surroundings.may_osc()
    };
    let name = by_each(surroundings, || system.open(), by_terminal);
    let name = name.map_err(|_| surroundings.no_osc().to_owned())?;
    let max_bytes = max_bytes.filter(|_| surroundings.osc);
    Ok(Route { name, max_bytes })
}

/// Puts `text` on the clipboard that the person sees. Returns the name of the route.
///
/// # Errors
///
/// If no route is open. The text says what to do.
pub fn copy(
    text: &str,
    surroundings: Surroundings,
    system: &mut impl System,
    terminal: &mut impl Write,
) -> Result<String, String> {
    let by_terminal = || through_terminal(text, surroundings, terminal);
    by_each(surroundings, || system.set(text), by_terminal)
}

/// Tries the ways to the person's clipboard: over SSH the terminal and then the system too, otherwise the terminal only if the system
/// has no clipboard. Returns the name of the route.
fn by_each(
    surroundings: Surroundings,
    by_system: impl FnOnce() -> Result<(), NoClipboard>,
    mut by_terminal: impl FnMut() -> Result<(), String>,
) -> Result<String, String> {
    let sent = surroundings.ssh.then(&mut by_terminal);
    let by_system = surroundings.system(by_system);
    let osc = surroundings.osc_route(&by_system);
    match (sent, by_system) {
        (Some(Ok(())), Ok(())) => Ok(format!("{osc} and {FAR}")),
        (Some(Ok(())), Err(_)) => Ok(osc),
        (Some(Err(_)), Ok(())) => Ok(FAR.to_owned()),
        (Some(Err(why)), Err(_)) => Err(why),
        (None, Ok(())) => Ok(NEAR.to_owned()),
        (None, Err(error)) => by_terminal()
            .map(|()| osc)
            .map_err(|why| format!("{error}, and {why}")),
    }
}

fn through_terminal(
    text: &str,
    surroundings: Surroundings,
    terminal: &mut impl Write,
) -> Result<(), String> {
    surroundings.may_osc()?;
    let sequence = sequence(text, surroundings.multiplexer).ok_or_else(|| {
        format!(
            "{} bytes are too many for OSC 52 ({MAX_ENCODED} in base64): print it with `stacklens get` instead",
            text.len()
        )
    })?;
    write_all(terminal, &sequence).map_err(|error| format!("the terminal refused: {error}"))
}

fn write_all(terminal: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    terminal.write_all(bytes)?;
    terminal.flush()
}

/// The bytes that ask the terminal to take `text`; `None` if it is too long.
///
/// tmux gets it twice: passed through, for when `allow-passthrough` is on, and plain, for when `set-clipboard` is on.
pub fn sequence(text: &str, multiplexer: Multiplexer) -> Option<Vec<u8>> {
    let encoded = STANDARD.encode(text);
    if encoded.len() > MAX_ENCODED {
        return None;
    }
    let plain = format!("\x1b]52;c;{encoded}\x07");
    Some(match multiplexer {
        Multiplexer::None => plain.into_bytes(),
        Multiplexer::Tmux => {
            let doubled = plain.replace('\x1b', "\x1b\x1b");
            format!("\x1bPtmux;{doubled}\x1b\\{plain}").into_bytes()
        }
        Multiplexer::Screen => plain
            .as_bytes()
            .chunks(SCREEN_PIECE)
            .flat_map(|piece| [b"\x1bP".as_slice(), piece, b"\x1b\\"].concat())
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fake(Result<(), NoClipboard>);

    impl System for Fake {
        fn set(&mut self, _text: &str) -> Result<(), NoClipboard> {
            self.0.clone()
        }

        fn open(&mut self) -> Result<(), NoClipboard> {
            self.0.clone()
        }
    }

    fn surroundings(variables: &[(&str, &str)]) -> Surroundings {
        Surroundings::new(ClipboardChoice::Auto, |name| {
            let found = variables.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[track_caller]
    fn check(
        variables: &[(&str, &str)],
        system: bool,
        text: &str,
        want: Result<&str, &str>,
    ) -> Vec<u8> {
        let none = NoClipboard::None("no display".to_owned());
        check_with(variables, system.then_some(()).ok_or(none), text, want)
    }

    #[track_caller]
    fn check_with(
        variables: &[(&str, &str)],
        system: Result<(), NoClipboard>,
        text: &str,
        want: Result<&str, &str>,
    ) -> Vec<u8> {
        let mut system = Fake(system);
        let mut out = Vec::new();
        let announced = route(surroundings(variables), &mut system);
        let got = copy(text, surroundings(variables), &mut system, &mut out);
        // The announced route is the one taken, unless the text is too long.
        match (&announced, &got) {
            (Ok(route), Ok(got)) => assert_eq!(route.name, *got),
            (Ok(route), Err(_)) => assert!(route.max_bytes.is_some_and(|max| text.len() > max)),
            (Err(why), got) => assert!(got.as_ref().is_err_and(|it| it.contains(why)), "{why}"),
        }
        match (&got, want) {
            (Ok(route), Ok(want)) => assert_eq!(route, want),
            (Err(why), Err(want)) => assert!(why.contains(want), "{why}"),
            _ => panic!("{got:?} instead of {want:?}"),
        }
        out
    }

    #[test]
    fn at_home_the_system_is_enough() {
        let out = check(&[("TERM", "xterm")], true, "x", Ok("the system clipboard"));
        assert_eq!(out, b"");
    }

    #[test]
    fn without_a_display_the_terminal_is_asked() {
        let out = check(&[("TERM", "xterm")], false, "path", Ok("OSC 52"));
        assert_eq!(out, b"\x1b]52;c;cGF0aA==\x07");
    }

    #[test]
    fn over_ssh_the_terminal_is_always_asked() {
        let ssh = [("SSH_TTY", "/dev/pts/1")];
        assert!(!check(&ssh, false, "x", Ok("OSC 52")).is_empty());
        let both = "OSC 52 and the remote system's clipboard";
        assert!(!check(&ssh, true, "x", Ok(both)).is_empty());
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn a_display_on_the_network_is_not_connected_to() {
        let osc = "OSC 52 (DISPLAY is a network connection, so its clipboard is not used)";
        for far in [
            "localhost:10.0",
            "far.example.com:0",
            "10.0.0.1:0",
            "[::1]:0",
            "tcp/a:0",
            "a/unix:0",
        ] {
            // The clipboard would answer if it were asked.
            let out = check(&[("DISPLAY", far)], true, "x", Ok(osc));
            assert!(!out.is_empty());
            let ssh = [("DISPLAY", far), ("SSH_TTY", "/dev/pts/1")];
            check(&ssh, true, "x", Ok(osc));
            let console = [("DISPLAY", far), ("TERM", "linux")];
            check(&console, true, "x", Err("network connection"));
        }
        for near in [
            ":0",
            ":1.0",
            "unix:0",
            "unix/x:0",
            "unix:/tmp/s",
            "/tmp/org.x:0",
            "",
        ] {
            check(&[("DISPLAY", near)], true, "x", Ok("the system clipboard"));
        }
    }

    #[test]
    fn the_setting_closes_one_of_the_ways() {
        let copied = |choice, system: Result<(), NoClipboard>, ssh: &[(&str, &str)]| {
            let surroundings = Surroundings::new(choice, |name| {
                let mut found = ssh.iter().filter(|(other, _)| *other == name);
                found.next().map(|(_, value)| (*value).to_owned())
            });
            let mut out = Vec::new();
            let way = copy("x", surroundings, &mut Fake(system), &mut out);
            (way, !out.is_empty())
        };
        let none = || Err(NoClipboard::None("no display".to_owned()));
        let ssh = [("SSH_TTY", "/dev/pts/1")];
        let (system, terminal) = (ClipboardChoice::System, ClipboardChoice::Terminal);
        assert_eq!(
            copied(terminal, Ok(()), &[]),
            (Ok("OSC 52".to_owned()), true)
        );
        assert_eq!(
            copied(terminal, Ok(()), &ssh),
            (Ok("OSC 52".to_owned()), true)
        );
        assert_eq!(copied(system, Ok(()), &ssh), (Ok(FAR.to_owned()), false));
        let (way, sent) = copied(system, none(), &[]);
        let why = way.unwrap_err();
        assert!(
            !sent && why.contains("no display") && why.contains("forbids OSC 52"),
            "{why}"
        );
        let console = [("TERM", "linux")];
        let why = copied(terminal, Ok(()), &console).0.unwrap_err();
        assert!(why.contains("forbids the system clipboard"), "{why}");
    }

    #[test]
    fn a_server_that_does_not_answer_is_said() {
        let osc = "OSC 52 (the clipboard server does not answer)";
        assert!(!check_with(&[], Err(NoClipboard::Silent), "x", Ok(osc)).is_empty());
    }

    #[test]
    fn tmux_and_screen_let_it_through() {
        let out = check(
            &[("TMUX", "/tmp/x")],
            false,
            "x",
            Ok("OSC 52 through tmux, if its set-clipboard is on"),
        );
        assert!(out.starts_with(b"\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\"));
        let long = "x".repeat(1000);
        let out = check(
            &[("STY", "1.pts")],
            false,
            &long,
            Ok("OSC 52 through screen"),
        );
        let text = String::from_utf8(out).unwrap();
        let pieces: Vec<&str> = text.split_terminator("\x1b\\").collect();
        assert!(pieces.len() > 5 && pieces.iter().all(|piece| piece.starts_with("\x1bP")));
        let joined: String = pieces.iter().map(|piece| &piece[2..]).collect();
        assert_eq!(
            joined.into_bytes(),
            sequence(&long, Multiplexer::None).unwrap()
        );
    }

    #[test]
    fn what_cannot_work_says_so() {
        let long = "x".repeat(MAX_ENCODED / 4 * 3 + 3);
        assert_eq!(check(&[], false, &long, Err("too many for OSC 52")), b"");
        assert_eq!(
            check(&[("TERM", "linux")], false, "x", Err("no display")),
            b""
        );
        let fits = "x".repeat(MAX_ENCODED / 4 * 3);
        check(&[], false, &fits, Ok("OSC 52"));
    }
}
