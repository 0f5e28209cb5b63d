//! Random work for any length of time: keys pressed in the explorer on changed files, and all printing commands on them.
//!
//! A round is determined by its number: the files, their changes, and everything done with them. A failure names the round, and
//! `STACKLENS_ROUND=NUMBER` runs only that one. `STACKLENS_SECONDS=3600` runs new rounds for an hour; without it there are a few
//! rounds, always the same.

mod commands;
mod keys;

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use stacklens::load::{self, Input, Limits};

use crate::fuzz::package::mutate::Mutator;
use crate::fuzz::package::seeds;
use crate::screens::monkey::{Dice, Texts};

/// A round that takes longer than this hangs, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A run ends after this number of failures.
const MAX_FAILED: usize = 20;

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {text}")),
    )
}

/// Runs `round` for `n` rounds, or as the environment says.
fn rounds(name: &'static str, n: u64, round: fn(u64)) {
    if let Some(only) = variable("STACKLENS_ROUND") {
        return round(only);
    }
    let seconds = variable("STACKLENS_SECONDS").map(Duration::from_secs);
    // The rounds of a long run are numbered by its time, so that two runs do not repeat each other.
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let first = seconds.map_or(1, |_| now * 1_000_000);
    let start = Instant::now();
    let current = watch(name);
    let mut failed = Vec::new();
    let mut number = first;
    while seconds.map_or(number < first + n, |it| start.elapsed() < it) {
        *current.lock().unwrap() = Some((number, Instant::now()));
        if catch_unwind(|| round(number)).is_err() {
            println!("{name}: round {number} failed");
            failed.push(number);
            if failed.len() == MAX_FAILED {
                break;
            }
        }
        number += 1;
    }
    *current.lock().unwrap() = None;
    println!(
        "{name}: {} rounds from {first}, {} failed",
        number - first,
        failed.len()
    );
    assert!(
        failed.is_empty(),
        "{name}: STACKLENS_ROUND is one of {failed:?}"
    );
}

type Current = Arc<Mutex<Option<(u64, Instant)>>>;

/// Ends the tests when a round hangs, and prints the round. No test can continue after that.
fn watch(name: &'static str) -> Current {
    let current = Current::default();
    let watched = Arc::downgrade(&current);
    std::thread::spawn(move || {
        while let Some(current) = watched.upgrade() {
            let round = *current.lock().unwrap();
            if let Some((number, start)) = round
                && start.elapsed() > PATIENCE
            {
                eprintln!("{name}: round {number} hangs");
                std::process::exit(1);
            }
            drop(current);
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    current
}

/// The files of a round: versions of one or several files, none of which may show `secrets`.
struct Files {
    versions: Vec<Vec<u8>>,
    secrets: BTreeSet<String>,
}

impl Files {
    /// `n` files: seeds unchanged, truncated, or changed in other ways. Most derive from one seed.
    fn pick(dice: &mut Dice, n: usize) -> Self {
        static SEEDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
        let seeds = SEEDS.get_or_init(|| seeds::of("read"));
        let mut any = || seeds[dice.roll(seeds.len())].clone();
        // Some changes splice in pieces of the other seeds.
        let chosen = [any(), any(), any()];
        let number = dice.roll(1 << 30) as u64;
        let mut mutator = Mutator::new(chosen.to_vec(), number);
        let mut found: Vec<Texts> = chosen.iter().map(|seed| texts(seed)).collect();
        let mut versions: Vec<Vec<u8>> = Vec::new();
        for _ in 0..n {
            let seed = [0, 0, 0, 1][dice.roll(4)];
            let whole = &chosen[seed];
            let is_cut = dice.roll(4) == 0;
            let version = match dice.roll(3) {
                _ if is_cut => whole[..dice.roll(whole.len() + 1)].to_vec(),
                0 => whole.clone(),
                _ => mutator.next_of(seed),
            };
            // A secret of a file is secret in each part of it. Other changes may remove a mask, or move the text to another
            // place.
            if !is_cut {
                found.push(texts(&version));
            }
            versions.push(version);
        }
        let clear: String = found.iter().map(|texts| texts.clear.as_str()).collect();
        let secrets = found.into_iter().flat_map(|texts| texts.secret);
        let secrets: BTreeSet<String> = secrets.filter(|it| !clear.contains(it)).collect();
        Self { versions, secrets }
    }

    /// Fails if `text` contains one of the secrets, or characters that move the cursor of a terminal.
    #[track_caller]
    fn check(&self, text: &str, what: &dyn Fn() -> String) {
        for secret in &self.secrets {
            assert!(
                !text.contains(secret.as_str()),
                "the secret {secret} after {}:\n{text}",
                what()
            );
        }
        let control = text
            .chars()
            .find(|char| crate::fuzz::package::targets::commands::is_control(*char));
        assert!(
            control.is_none(),
            "{control:?} raw after {}:\n{text}",
            what()
        );
    }
}

/// The strings of a file; empty if it cannot be read.
fn texts(bytes: &[u8]) -> Texts {
    let input = Input::bytes("file", bytes);
    let document = load::load_limited(&input, Limits::default());
    document
        .map(|document| Texts::of(&document))
        .unwrap_or_default()
}

#[test]
fn rounds_have_secrets_to_look_for() {
    let mut rounds = (1..=20).map(|number| Files::pick(&mut Dice::new(number), 2));
    let has_secret = rounds.find(|files| !files.secrets.is_empty());
    let files = has_secret.expect("some seeds have secrets");
    let told = || files.check(files.secrets.first().unwrap(), &String::new);
    assert!(catch_unwind(std::panic::AssertUnwindSafe(told)).is_err());
}
