//! The memory of this process: a limit on its size, and the action when the process exceeds it.
//!
//! Limits on the unpacked size do not bound the memory: an empty element of two bytes becomes a record of two hundred. So a
//! thread measures the memory, rarely while there is room. The opened files decide the limit (`expect`): a small file that
//! needs gigabytes is a bomb.
//!
//! Measured on Linux alone. Elsewhere there are only the limits on sizes.

use std::fs;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::{Input, Limits};

/// Number of bytes that any file may make the process hold.
const FREE: u64 = 512 << 20;

/// Number of further bytes for every byte of the file.
const EACH: u64 = 64;

/// Upper bound in bytes, except for files that are larger themselves.
const USUAL: u64 = 4 << 30;

/// Number of bytes that all files opened so far may make the process hold.
static ALLOWED: AtomicU64 = AtomicU64::new(FREE);

/// Raises the limit to the bytes that `input` may need. A pipe raises it as it is read: see [`Piped`].
pub(super) fn expect(input: &Input, limits: Limits) {
    let paths = input.paths().into_iter();
    let files = paths.filter_map(|path| fs::metadata(path).ok().filter(fs::Metadata::is_file));
    let size = files.fold(0, |sum: u64, file| sum.saturating_add(file.len()));
    let named = if limits.any_ratio {
        limits.max_bytes.saturating_mul(3)
    } else {
        0
    };
    ALLOWED.fetch_max(usual(size).max(named), Ordering::Relaxed);
}

/// Raises the limit to what files of this total size may need.
pub(super) fn expect_bytes(size: u64) {
    ALLOWED.fetch_max(usual(size), Ordering::Relaxed);
}

/// The limit for files of this total size.
fn usual(size: u64) -> u64 {
    FREE.saturating_add(size.saturating_mul(EACH))
        .min(USUAL.max(size))
}

/// A pipe. Its size is not known, so the limit grows with the bytes that it brings.
pub(super) struct Piped<R> {
    inner: R,
    n_read: u64,
}

impl<R> Piped<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, n_read: 0 }
    }
}

impl<R: Read> Read for Piped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.inner.read(buffer)?;
        self.n_read += n_read as u64;
        ALLOWED.fetch_max(usual(self.n_read), Ordering::Relaxed);
        Ok(n_read)
    }
}

/// Calls `exceeded` with a message for the person, once, when the process holds more than it may.
pub fn watch(exceeded: impl FnOnce(&str) + Send + 'static) {
    if held().is_none() {
        return;
    }
    let look = move || {
        let given = given();
        loop {
            let allowed = ALLOWED.load(Ordering::Relaxed);
            let Some(held) = held() else { return };
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
            // No process allocates more than eight bytes in a nanosecond.
            let wait = Duration::from_nanos(room / 8);
            thread::sleep(wait.clamp(Duration::from_millis(2), Duration::from_millis(500)));
        }
    };
    // Without a thread memory is not watched.
    _ = thread::Builder::new().name("memory".to_owned()).spawn(look);
}

/// The resident part of this process, in bytes.
fn held() -> Option<u64> {
    /// `statm` counts pages. Larger pages exist; with those the limit triggers later.
    const PAGE: u64 = 4096;
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let n_pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(n_pages * PAGE)
}

/// Number of bytes that the machine gives this process, less the most that the next step of a growing list may take.
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
    // A growing list is copied to one of twice its size, beside code, stacks and the gigabyte that the allocator reserves.
    let space = line("/proc/self/limits", "Max address space").map(|bytes| bytes / 6);
    let given = [memory, group, space].into_iter().flatten().min();
    given.unwrap_or(u64::MAX)
}
