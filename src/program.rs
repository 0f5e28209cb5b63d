//! The program: arguments, then a printing command or the explorer.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::cli::{self, Console, Next};
use crate::load::Input;
use crate::log::{Field, Level, log};
use crate::tui::{self, preferences::Preferences};

/// Runs the program on the arguments of the process.
pub fn main() -> ExitCode {
    forbid_core_files();
    report_panics();
    end_before_memory_does();
    cli::completions::answer();
    let variable = |name: &str| std::env::var(name).ok();
    let (next, settings) = {
        // `cli::run` reports its own write errors.
        let mut out = BufWriter::new(io::stdout().lock());
        let mut err = io::stderr();
        let mut console = Console {
            is_terminal: io::stdout().is_terminal(),
            is_error_terminal: io::stderr().is_terminal(),
            variable: &variable,
            variables: std::env::vars_os()
                .filter_map(|(name, _)| name.into_string().ok())
                .collect(),
            config: configuration_file(),
            ..Console::new(&mut out, &mut err)
        };
        let next = cli::run(std::env::args_os(), &mut console);
        (next, console.settings)
    };
    match next {
        Next::Exit(code) => {
            let fields = [("code", Field::Number(code.into()))];
            log(Level::Info, "ended", &fields);
            ExitCode::from(code)
        }
        Next::Explore(input) => {
            if let Some(keys) = settings.keys() {
                tui::keymap::install(keys.to_vec());
            }
            let preferences = settings.preferences(variable);
            explore(input, &preferences)
        }
    }
}

/// The place of the configuration file on this platform; `None` if the person has no home.
fn configuration_file() -> Option<PathBuf> {
    use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
    let folders = choose_native_strategy().ok()?;
    // On macOS etcetera has the folder of property lists for settings, which this program has none of.
    let folder = if cfg!(target_os = "macos") {
        folders.data_dir()
    } else {
        folders.config_dir()
    };
    Some(folder.join("stacklens").join("config.toml"))
}

/// Disables core files: one would contain the secrets of the file being read.
#[cfg(unix)]
fn forbid_core_files() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    // Lowering a limit is always allowed.
    _ = setrlimit(Resource::Core, none);
}

#[cfg(not(unix))]
fn forbid_core_files() {}

/// Reports a panic on standard error. Write errors are ignored: the terminal may be gone, and a panic in the panic hook would
/// abort.
fn report_panics() {
    let (panics, errors) = color_eyre::config::HookBuilder::default().into_hooks();
    // Fails only if a hook is already installed, and nothing installs one.
    _ = errors.install();
    std::panic::set_hook(Box::new(move |info| {
        // The message may have a text of the file.
        log(Level::Error, "panicked", &[]);
        _ = writeln!(io::stderr(), "{}", panics.panic_report(info));
    }));
}

/// Exits with an error message before the system would kill the program for lack of memory. Restores the terminal first.
fn end_before_memory_does() {
    crate::load::memory::watch(|why| {
        tui::run::give_back();
        _ = writeln!(io::stderr(), "stacklens: {why}");
        std::process::exit(cli::EXIT_DATA.into());
    });
}

fn explore(input: Input, preferences: &Preferences) -> ExitCode {
    match tui::run(input, preferences) {
        Ok(()) => {
            log(Level::Info, "ended", &[("code", Field::Number(0))]);
            ExitCode::SUCCESS
        }
        Err(error) => {
            // Nothing can be done if standard error is closed too.
            _ = writeln!(io::stderr(), "{error:?}");
            ExitCode::from(cli::EXIT_IO)
        }
    }
}
