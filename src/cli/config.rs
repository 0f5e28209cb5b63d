//! The settings of a run, and `config`, which prints them.

use std::io;
use std::path::{Path, PathBuf};

use super::args::{Args, Command, ConfigArgs};
use super::{Console, Failure};
use crate::json;
use crate::load::{LoadError, configuration_file};
use crate::log::{Field, Level, log};
use crate::settings::{Name, SETTINGS, Settings, Value, commented, effective, effective_json};

/// The variable that names the configuration file.
const VARIABLE: &str = "STACKLENS_CONFIG";

/// Reads the settings: the configuration file, then the variables, then the options.
pub(super) fn read(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    if let Some(file) = named(args, console) {
        console.config = Some(file);
    }
    let mut settings = Settings::default();
    if !needs_settings(args) {
        return Ok(());
    }
    if let Some(file) = &console.config {
        match configuration_file::text(file)? {
            Some(text) => {
                log(Level::Info, "settings", &[("file", Field::File(file))]);
                settings.read_file(file, &text)?;
            }
            None if named(args, console).is_some() => return Err(missing(file)),
            None => {}
        }
    }
    Settings::check_variables(console.variables.iter().map(|name| &**name))?;
    settings.read_variables(console.variable)?;
    for (name, value) in options(args) {
        settings.take_option(name, value);
    }
    console.settings = settings;
    Ok(())
}

/// The file that the person names.
fn named(args: &Args, console: &Console<'_>) -> Option<PathBuf> {
    let variable = || (console.variable)(VARIABLE).filter(|file| !file.is_empty());
    args.config
        .clone()
        .or_else(|| variable().map(PathBuf::from))
}

fn missing(file: &Path) -> Failure {
    let message = "no such file; `stacklens config --init` prints one to start from";
    LoadError::io(file, io::Error::new(io::ErrorKind::NotFound, message)).into()
}

/// False for the commands that help to write a configuration file, or that no setting changes: they work with a broken one.
fn needs_settings(args: &Args) -> bool {
    !matches!(
        &args.command,
        Some(
            Command::Config(ConfigArgs { init: true, .. })
                | Command::Completions(_)
                | Command::Man(_)
                | Command::Schema(_)
        )
    )
}

/// The settings that the options give.
fn options(args: &Args) -> Vec<(Name, Value)> {
    let word = |name: Name, word: &str| {
        let value = SETTINGS[name as usize].form.parse(word);
        value.map(|value| (name, value))
    };
    let files = |name: Name, files: &[PathBuf]| {
        (!files.is_empty()).then(|| (name, Value::Files(files.to_vec())))
    };
    let review = args.review();
    let rules = if let Some(Command::Rules(rules)) = &args.command {
        &rules.rules
    } else {
        &review.rules
    };
    let theme = args.theme.and_then(|it| word(Name::Theme, it.name()));
    let color = args.color.as_deref().and_then(|it| word(Name::Color, it));
    let level = args.mask_likely.as_deref();
    let mask_likely = level.and_then(|it| word(Name::MaskLikely, it));
    let secrets = files(Name::Secrets, &args.secrets);
    let watch = args.watch.then_some((Name::Watch, Value::Switch(true)));
    let rules = files(Name::Rules, rules);
    let policies = files(Name::Policy, &review.policy);
    let given = [theme, color, watch, mask_likely, secrets, rules, policies];
    given.into_iter().flatten().collect()
}

/// `stacklens config`.
pub(super) fn run(args: &ConfigArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let place = console.config.as_deref();
    if args.json {
        let settings = effective_json(&console.settings, place);
        return console.answer(0, |out| json::write_pretty(out, &settings));
    }
    let text = if args.init {
        commented(place)
    } else {
        effective(&console.settings, place)
    };
    console.print(0, &text)
}
