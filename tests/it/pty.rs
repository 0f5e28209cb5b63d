//! The real program in a real (pseudo) terminal: it opens, moves, resizes, quits, and restores the terminal in every case.

#![cfg(unix)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Time limit for a text to appear on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

const LEAVES_SCREEN: &str = "\u{1b}[?1049l";

fn cells(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(name)
}

struct Terminal {
    screen: vt100::Parser,
    raw: Vec<u8>,
    output: Receiver<Vec<u8>>,
    input: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
}

impl Terminal {
    fn open(command: CommandBuilder) -> Self {
        let size = PtySize {
            rows: 30,
            cols: 110,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            screen: vt100::Parser::new(cells(30), cells(110), 0),
            raw: Vec::new(),
            output,
            input: pair.master.take_writer().unwrap(),
            master: pair.master,
            child,
        }
    }

    fn explore(arguments: &[&str]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stacklens"));
        command.args(arguments);
        Self::open(prepared(command))
    }

    fn keys(&mut self, keys: &str) -> &mut Self {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
        self
    }

    fn take_in(&mut self, patience: Duration) -> bool {
        match self.output.recv_timeout(patience) {
            Ok(bytes) => {
                self.screen.process(&bytes);
                self.raw.extend(bytes);
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    /// Waits until the screen contains `text`.
    #[track_caller]
    fn until(&mut self, text: &str) -> &mut Self {
        let end = Instant::now() + PATIENCE;
        while !self.screen.screen().contents().contains(text) {
            assert!(
                Instant::now() < end && self.take_in(Duration::from_millis(100)),
                "`{text}` never came:\n{}",
                self.screen.screen().contents()
            );
        }
        self
    }

    /// Waits until the program has ended and all of its output is read.
    #[track_caller]
    fn until_end(&mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        loop {
            let is_open = self.take_in(Duration::from_millis(50));
            if let Some(status) = self.child.try_wait().unwrap() {
                while is_open
                    && self
                        .output
                        .recv_timeout(Duration::from_millis(200))
                        .is_ok_and(|bytes| {
                            self.screen.process(&bytes);
                            self.raw.extend(bytes);
                            true
                        })
                {}
                return status.exit_code();
            }
            assert!(Instant::now() < end, "it never ended");
        }
    }

    /// Fails unless the terminal was restored: alternate screen left, cursor shown, mouse released.
    #[track_caller]
    fn is_given_back(&self) {
        let raw = String::from_utf8_lossy(&self.raw);
        assert!(raw.contains(LEAVES_SCREEN), "{raw}");
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen());
        assert!(!screen.hide_cursor());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(!screen.bracketed_paste());
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
    }
}

/// The command in a folder and with a separate terminal, whatever runs the tests.
fn prepared(mut command: CommandBuilder) -> CommandBuilder {
    command.cwd(env!("CARGO_MANIFEST_DIR"));
    command.env("TERM", "xterm-256color");
    command.env("COLORTERM", "truecolor");
    for name in crate::own_variables() {
        command.env_remove(name);
    }
    if command.get_env("STACKLENS_CONFIG").is_none() {
        command.env("STACKLENS_CONFIG", crate::NO_SETTINGS);
    }
    command
}

fn state() -> String {
    fixture("pulumi-state/shop.json").display().to_string()
}

#[test]
fn it_opens_moves_resizes_and_quits() {
    let mut terminal = Terminal::explore(&[&state()]);
    terminal.until("shop-prod").until("? help");
    terminal
        .keys("guorders-db\r")
        .until("aws:rds:Instance · orders-db");
    let size = PtySize {
        rows: 3,
        cols: 10,
        pixel_width: 0,
        pixel_height: 0,
    };
    terminal.master.resize(size).unwrap();
    terminal.keys("jjkk");
    let size = PtySize {
        rows: 30,
        cols: 110,
        ..size
    };
    terminal.master.resize(size).unwrap();
    // The contents of the screen are lost, as in many terminals, so everything must be drawn again.
    terminal.screen = vt100::Parser::new(cells(30), cells(110), 0);
    terminal
        .until("aws:rds:Instance · orders-db")
        .keys("m")
        .until("mouse on");
    terminal.keys("q");
    assert_eq!(terminal.until_end(), 0);
    terminal.is_given_back();
}

/// The texts that the terminal was asked to put into the clipboard, in order.
fn clipboard(raw: &[u8]) -> Vec<String> {
    let raw = String::from_utf8_lossy(raw);
    let sequences = raw.split("\u{1b}]52;c;").skip(1);
    sequences
        .map(|rest| {
            let encoded = rest.split('\u{7}').next().unwrap();
            let bytes = base64::engine::general_purpose::STANDARD.decode(encoded);
            String::from_utf8(bytes.expect("base64")).unwrap()
        })
        .collect()
}

#[test]
fn from_a_search_over_a_dependency_to_the_clipboard() {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stacklens"));
    command.arg(state());
    // Without a display, the terminal is used.
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "TMUX", "STY"] {
        command.env_remove(name);
    }
    // Over SSH the terminal is asked in any case, so that a clipboard of this machine changes nothing.
    command.env("SSH_TTY", "/dev/pts/0");
    let mut terminal = Terminal::open(prepared(command));
    terminal.until("shop-prod").keys("/@tags.Name name:^vpc$");
    terminal.until("shop-vpc").keys("\r");
    terminal.until("[1/2]").until("aws:ec2:Vpc · vpc");
    terminal
        .keys("y")
        .until("Copy ·")
        .until("via OSC 52")
        .until("tags.Name");
    terminal
        .keys("p")
        .until("copied path tags.Name, 9 chars, via OSC 52");
    assert_eq!(clipboard(&terminal.raw), ["tags.Name"]);
    terminal.keys("yj").until("copied jq");
    let filter = clipboard(&terminal.raw).pop().unwrap();
    assert!(
        filter.ends_with("Vpc::vpc\") | .inputs.tags.Name"),
        "{filter}"
    );
    // Dependents: into the right column, and on to the first one there.
    terminal.keys("u").until("used by").keys("\r");
    terminal
        .until("depends on (")
        .keys("yu")
        .until("copied URN");
    let urn = clipboard(&terminal.raw).pop().unwrap();
    assert!(urn.starts_with("urn:pulumi:prod::shop::"), "{urn}");
    assert!(!urn.ends_with("Vpc::vpc"), "{urn}");
    // A secret is not copied unasked.
    let n = clipboard(&terminal.raw).len();
    terminal
        .keys("1/@password name:^orders$")
        .until("[secret]")
        .keys("\r");
    terminal
        .until("x reveal")
        .keys("yy")
        .until("the value is secret");
    assert_eq!(clipboard(&terminal.raw).len(), n);
    terminal.keys("q");
    assert_eq!(terminal.until_end(), 0);
    terminal.is_given_back();
}

/// Copies with a clipboard server that accepts connections and never answers, as over a dead connection.
#[track_caller]
fn a_silent_clipboard_server_does_not_block_copying(variables: &[(&str, &str)]) {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stacklens"));
    command.arg(state());
    for name in [
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "TMUX",
        "STY",
        "SSH_TTY",
        "SSH_CONNECTION",
        "SSH_CLIENT",
    ] {
        command.env_remove(name);
    }
    for (name, value) in variables {
        command.env(name, value);
    }
    let mut terminal = Terminal::open(prepared(command));
    terminal.until("shop-prod").keys("yu");
    terminal.until("via OSC 52 (the clipboard server does not answer)");
    assert_eq!(clipboard(&terminal.raw).len(), 1);
    // The program does not wait for it again.
    for _ in 0..50 {
        terminal.keys("jkc");
    }
    terminal.keys("q");
    assert_eq!(terminal.until_end(), 0);
    assert!(clipboard(&terminal.raw).len() > 1);
    terminal.is_given_back();
}

#[cfg(target_os = "linux")]
#[test]
fn a_display_that_does_not_answer_freezes_nothing() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    let number = 20_000 + std::process::id() % 20_000;
    let name = format!("/tmp/.X11-unix/X{number}");
    let address = SocketAddr::from_abstract_name(name).unwrap();
    let _silent = UnixListener::bind_addr(&address).unwrap();
    a_silent_clipboard_server_does_not_block_copying(&[("DISPLAY", &format!(":{number}"))]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_wayland_that_does_not_answer_freezes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let _silent = std::os::unix::net::UnixListener::bind(folder.path().join("silent")).unwrap();
    a_silent_clipboard_server_does_not_block_copying(&[
        ("XDG_RUNTIME_DIR", folder.path().to_str().unwrap()),
        ("WAYLAND_DISPLAY", "silent"),
    ]);
}

#[test]
fn a_display_on_the_network_is_not_connected_to() {
    let port = 6000 + 3000 + u16::try_from(std::process::id() % 1000).unwrap();
    let server = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    server.set_nonblocking(true).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stacklens"));
    command.arg(state());
    for name in ["WAYLAND_DISPLAY", "TMUX", "STY"] {
        command.env_remove(name);
    }
    command.env("DISPLAY", format!("127.0.0.1:{}", port - 6000));
    let mut terminal = Terminal::open(prepared(command));
    terminal.until("shop-prod").keys("yu");
    if cfg!(target_os = "linux") {
        terminal
            .until("via OSC 52 (DISPLAY is a network connection, so its clipboard is not used)");
    }
    terminal.keys("q");
    assert_eq!(terminal.until_end(), 0);
    let error = server.accept().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
}

/// A state of 600 resources, each of which depends on the one before it: more than the first batch contains.
fn chain() -> String {
    let urn = |index: usize| format!("urn:pulumi:s::p::k:m:T::link{index:03}");
    let resources: Vec<_> = (0..600)
        .map(|index: usize| {
            let needed = index.checked_sub(1).map(|before| format!("\"{}\"", urn(before)));
            format!(
                r#"{{"urn":"{}","custom":true,"type":"k:m:T","id":"{index}","outputs":{{"text":"{}"}},"dependencies":[{}]}}"#,
                urn(index),
                "x".repeat(200),
                needed.unwrap_or_default()
            )
        })
        .collect();
    format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{}]}}}}"#,
        resources.join(",")
    )
}

#[test]
fn the_dependency_view_survives_a_reload() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.json");
    std::fs::write(&path, chain()).unwrap();
    let mut terminal = Terminal::explore(&[path.to_str().unwrap()]);
    terminal.until("link000").until("600").keys("G4");
    terminal.until("depends on (").keys("duDU");
    terminal.until(", transitive");
    for _ in 0..20 {
        terminal.keys("R").until("read again").keys("DU");
        terminal.until(", transitive");
    }
    terminal.keys("1").until("[1 Resources").keys("q");
    assert_eq!(terminal.until_end(), 0);
    terminal.is_given_back();
}

#[test]
fn the_keyboard_works_while_standard_input_is_a_pipe() {
    let mut command = CommandBuilder::new("sh");
    let program = env!("CARGO_BIN_EXE_stacklens");
    command.args(["-c", &format!("cat '{}' | '{program}' -", state())]);
    let mut terminal = Terminal::open(prepared(command));
    terminal.until("shop-prod");
    terminal
        .keys("guorders-db\r")
        .until("aws:rds:Instance · orders-db");
    terminal.keys("q");
    assert_eq!(terminal.until_end(), 0);
    terminal.is_given_back();
}

/// Waits until the output contains these bytes.
#[track_caller]
fn until_raw(terminal: &mut Terminal, text: &str) {
    let end = Instant::now() + PATIENCE;
    while !String::from_utf8_lossy(&terminal.raw).contains(text) {
        let is_open = terminal.take_in(Duration::from_millis(100));
        assert!(Instant::now() < end && is_open, "{text:?} never came");
    }
}

#[test]
fn a_light_background_chooses_the_light_theme_and_no_key_is_lost() {
    const ANSWERS: [&str; 2] = [
        "\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\",
        "\u{1b}]11;rgb:ff/ff/ff\u{7}",
    ];
    for answer in ANSWERS {
        let mut terminal = Terminal::explore(&[&state()]);
        until_raw(&mut terminal, "\u{1b}]11;?");
        // The dark theme is drawn without an answer.
        until_raw(&mut terminal, "38;2;138;180;248");
        terminal.until("subnet-a").keys(&format!("jj{answer}jj"));
        until_raw(&mut terminal, "38;2;11;87;208");
        let on_fifth_row = |terminal: &Terminal| {
            let screen = terminal.screen.screen().contents();
            screen
                .lines()
                .nth(6)
                .is_some_and(|line| line.starts_with("│▶"))
        };
        let end = Instant::now() + PATIENCE;
        while !on_fifth_row(&terminal) {
            assert!(
                Instant::now() < end,
                "{}",
                terminal.screen.screen().contents()
            );
            terminal.take_in(Duration::from_millis(50));
        }
        terminal.keys("q");
        assert_eq!(terminal.until_end(), 0);
        terminal.is_given_back();
    }
}

#[test]
fn a_theme_that_does_not_exist_is_refused_with_all_names() {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stacklens"));
    command.arg(state());
    let mut command = prepared(command);
    command.env("STACKLENS_THEME", "drak");
    let mut terminal = Terminal::open(command);
    terminal.until("STACKLENS_THEME: expected one of `auto`, `dark`, `light`, `sixteen`");
    assert_eq!(terminal.until_end(), 64);
}

#[test]
fn a_run_is_followed_while_it_goes_on() {
    let log = fixture("pulumi-events/web-up.jsonl");
    let fifo = tempfile::tempdir().unwrap();
    let fifo = fifo.path().join("log");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let program = env!("CARGO_BIN_EXE_stacklens");
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", &format!("cat '{}' | '{program}' -", fifo.display())]);
    let mut terminal = Terminal::open(prepared(command));
    let mut pipe = std::fs::File::create(&fifo).unwrap();
    let text = std::fs::read_to_string(log).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    pipe.write_all(lines[..9].concat().as_bytes()).unwrap();
    terminal.until("live · 2 running");
    // Keys work while the pipe is silent.
    terminal.keys("2").until("+ main   aws:ec2:Vpc");
    // A piece that ends inside an event.
    let (first, second) = text[lines[..9].concat().len()..].split_at(1000);
    pipe.write_all(first.as_bytes()).unwrap();
    terminal.until("created");
    pipe.write_all(second.as_bytes()).unwrap();
    terminal.until("failed");
    drop(pipe);
    terminal.until("planned 5 · done 4 · failed 1");
    terminal.keys("q");
    assert_eq!(terminal.until_end(), 0);
    terminal.is_given_back();
}

#[test]
fn a_signal_ends_it_and_gives_the_terminal_back() {
    let mut terminal = Terminal::explore(&[&state()]);
    terminal.until("shop-prod");
    let id = terminal.child.process_id().unwrap().to_string();
    let status = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status()
        .unwrap();
    assert!(status.success());
    terminal.until_end();
    terminal.is_given_back();
}

/// Opens the explorer in a terminal, plays `keys`, closes the terminal at once, and returns the exit status of the program.
#[track_caller]
fn closed_after(keys: &str) -> portable_pty::ExitStatus {
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stacklens"));
    command.arg(state());
    let mut child = pair.slave.spawn_command(prepared(command)).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut screen = vt100::Parser::new(cells(24), cells(80), 0);
    while !screen.screen().contents().contains("shop-prod") {
        let mut bytes = [0; 4096];
        let n = reader.read(&mut bytes).unwrap();
        screen.process(&bytes[..n]);
    }
    let mut writer = pair.master.take_writer().unwrap();
    writer.write_all(keys.as_bytes()).unwrap();
    drop((reader, writer, pair.master));
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > end {
            let _ = child.kill();
            panic!("it outlived its terminal");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn closing_the_terminal_ends_it() {
    for keys in ["", "j", "jjjjjjjj", "l4duDU", "/db", "m", "R"] {
        let status = closed_after(keys);
        assert_eq!((status.signal(), status.exit_code()), (None, 0), "{keys}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_core_file_is_written() {
    let mut terminal = Terminal::explore(&[&state()]);
    terminal.until("shop-prod");
    let id = terminal.child.process_id().unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{id}/limits")).unwrap();
    let core = limits
        .lines()
        .find(|it| it.starts_with("Max core"))
        .unwrap();
    let words: Vec<&str> = core.split_whitespace().collect();
    assert_eq!(words[4..6], ["0", "0"], "{core}");
    terminal.keys("q");
    assert_eq!(terminal.until_end(), 0);
}

#[test]
fn a_panic_gives_the_terminal_back_and_says_what_happened() {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stacklens"));
    command.arg(state());
    command.env("STACKLENS_PANIC", "1");
    let mut terminal = Terminal::open(prepared(command));
    terminal.until("shop-prod").keys("q");
    assert_ne!(terminal.until_end(), 0);
    terminal.is_given_back();
    let raw = String::from_utf8_lossy(&terminal.raw);
    let after = raw.split(LEAVES_SCREEN).nth(1).unwrap_or_default();
    assert!(after.contains("asked to panic"), "{after}");
}

/// Memory is measured on Linux only.
#[cfg(target_os = "linux")]
#[test]
fn the_end_of_memory_gives_the_terminal_back_and_says_what_happened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dense.tfplan");
    std::fs::write(&path, crate::bombs::dense()).unwrap();
    let mut command = CommandBuilder::new("sh");
    let program = env!("CARGO_BIN_EXE_stacklens");
    let limited = format!("ulimit -v 1572864; exec '{program}' '{}'", path.display());
    command.args(["-c", &limited]);
    let mut terminal = Terminal::open(prepared(command));
    terminal.until("dense.tfplan");
    assert!(terminal.screen.screen().alternate_screen());
    assert_eq!(terminal.until_end(), 65);
    terminal.is_given_back();
    let raw = String::from_utf8_lossy(&terminal.raw);
    let after = raw.split(LEAVES_SCREEN).nth(1).unwrap_or_default();
    assert!(after.contains("of memory"), "{after}");
}

#[test]
fn it_can_be_suspended_and_brought_back() {
    let mut terminal = Terminal::explore(&[&state()]);
    terminal.until("shop-prod").keys("\u{1a}");
    let end = Instant::now() + PATIENCE;
    while !String::from_utf8_lossy(&terminal.raw).contains(LEAVES_SCREEN) {
        assert!(Instant::now() < end, "the terminal was never given back");
        terminal.take_in(Duration::from_millis(50));
    }
    terminal.is_given_back();
    let id = terminal.child.process_id().unwrap().to_string();
    // It stops itself right after restoring the terminal. A wake-up before it has stopped would be lost.
    while Instant::now() < end && !is_stopped(&id) {
        terminal.take_in(Duration::from_millis(20));
    }
    std::process::Command::new("kill")
        .args(["-CONT", &id])
        .status()
        .unwrap();
    terminal.until("shop-prod").keys("q");
    assert_eq!(terminal.until_end(), 0);
    terminal.is_given_back();
}

/// True if the process is stopped by a signal, or if that cannot be found out.
fn is_stopped(id: &str) -> bool {
    let Ok(output) = std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", id])
        .output()
    else {
        thread::sleep(Duration::from_millis(500));
        return true;
    };
    String::from_utf8_lossy(&output.stdout)
        .trim_start()
        .starts_with('T')
}

#[test]
fn a_rebound_key_works_and_hints_and_help_follow() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    let text = "[keys]\nquit = \"Q\"\nhelp = \"!\"\ntypes = \"g y\"\n";
    std::fs::write(&config, text).unwrap();
    let mut terminal = Terminal::explore(&["--config", config.to_str().unwrap(), &state()]);
    terminal.until("shop-prod").until("! help");
    terminal.keys("q").until("q is not a key here · ! help");
    terminal.keys("g").until("the type of the value").keys("g");
    terminal.keys("!").until("type to search").keys("quit");
    terminal.until("1 key").until("Q").keys("\u{1b}");
    // A key right after Esc would be one with Alt.
    terminal.until("c copy URN").keys("Q");
    assert_eq!(terminal.until_end(), 0);
    terminal.is_given_back();
}

#[test]
fn a_watched_file_that_somebody_writes_is_read_again_once_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let text = std::fs::read_to_string(state()).unwrap();
    std::fs::write(&path, &text).unwrap();
    let mut terminal = Terminal::explore(&["--watch", path.to_str().unwrap()]);
    terminal.until("shop-prod").until("watched");
    let renamed = text.replace("shop-prod", "mart-prod");
    let (first, second) = renamed.split_at(renamed.len() / 2);
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(first.as_bytes()).unwrap();
    // Less than the time between two checks.
    std::thread::sleep(Duration::from_millis(300));
    file.write_all(second.as_bytes()).unwrap();
    drop(file);
    terminal
        .until("mart-prod")
        .until("the file changed: read again");
    assert!(!terminal.screen.screen().contents().contains("cut off"));
    let raw = String::from_utf8_lossy(&terminal.raw).into_owned();
    assert!(!raw.contains("cut off"), "{raw}");
    terminal.keys("q");
    assert_eq!(terminal.until_end(), 0);
}
