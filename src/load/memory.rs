//! The memory of this process: how much it may hold, and what happens when it holds more.
//!
//! Limits on what is unpacked do not bound what is held: an empty element of two bytes becomes a record of two hundred. So what is
//! held is measured, by a thread that looks rarely while there is room. What was opened decides how much that may be
//! (`expect`): a small file that needs gigabytes is a bomb.
//!
//! Measured on Linux alone. Elsewhere the limits on sizes stand by themselves.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::{Input, Limits};

/// How much any file may make the process hold.
const FREE: u64 = 512 << 20;

/// How much more it may hold for every byte of the file.
const EACH: u64 = 64;

/// How much is never too much for a file that large itself.
const USUAL: u64 = 4 << 30;

/// What all that was opened so far may hold, in bytes.
static ALLOWED: AtomicU64 = AtomicU64::new(FREE);

/// Lets the process hold what `input` may need.
pub(super) fn expect(input: &Input, limits: Limits) {
    let sizes = input.paths().into_iter().map(|path| {
        let metadata = fs::metadata(path).ok();
        // Nobody knows how much a pipe gives.
        metadata.map_or(USUAL, |it| if it.is_file() { it.len() } else { USUAL })
    });
    let size = match input.file() {
        Input::Stdin => USUAL,
        _ => sizes.fold(0, u64::saturating_add),
    };
    let named = if limits.any_ratio {
        limits.max_bytes.saturating_mul(3)
    } else {
        0
    };
    let usual = FREE
        .saturating_add(size.saturating_mul(EACH))
        .min(USUAL.max(size));
    ALLOWED.fetch_max(usual.max(named), Ordering::Relaxed);
}

/// Calls `exceeded` with what to tell the person, once, when the process holds more than it may.
pub fn watch(exceeded: impl FnOnce(&str) + Send + 'static) {
    if held().is_none() {
        return;
    }
    let given = given();
    let look = move || {
        loop {
            let allowed = ALLOWED.load(Ordering::Relaxed);
            let Some((_, held)) = held() else { return };
            let Some(room) = allowed.min(given).checked_sub(held) else {
                let size = format!("{} MiB", allowed.min(given) >> 20);
                exceeded(&if given < allowed {
                    format!(
                        "this needs more than {size} of memory, which is what is left of the limits of this machine"
                    )
                } else {
                    format!(
                        "this needs more than {size} of memory, far more than its size; --max-size allows more"
                    )
                });
                return;
            };
            // No process takes more than eight bytes in a nanosecond.
            let wait = Duration::from_nanos(room / 8);
            thread::sleep(wait.clamp(Duration::from_millis(2), Duration::from_millis(500)));
        }
    };
    // Without a thread there is no watch; files open all the same.
    _ = thread::Builder::new().name("memory".to_owned()).spawn(look);
}

/// The sizes of the address space and of what is held of it, in bytes.
fn held() -> Option<(u64, u64)> {
    /// `statm` counts pages. Larger ones exist; with those the watch is late, not early.
    const PAGE: u64 = 4096;
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = text.split_ascii_whitespace().map(str::parse::<u64>);
    let (space, held) = (pages.next()?.ok()?, pages.next()?.ok()?);
    Some((space * PAGE, held * PAGE))
}

/// How much the machine gives this process, less what one more step of a growing list may take at once.
fn given() -> u64 {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let line = |file: &str, start: &str| {
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(start))?;
        line.split_ascii_whitespace().next().and_then(number)
    };
    let memory = line("/proc/meminfo", "MemTotal:").map(|kib| kib * 1024 / 4 * 3);
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group
        .and_then(|text| number(&text))
        .map(|bytes| bytes / 4 * 3);
    // A list that grows is copied to one of twice its size.
    let space = line("/proc/self/limits", "Max address space");
    let space = space.map(|bytes| bytes.saturating_sub(held().map_or(0, |(space, _)| space)) / 3);
    let given = [memory, group, space].into_iter().flatten().min();
    given.unwrap_or(u64::MAX)
}
