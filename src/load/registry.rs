//! Finds the registry of a plan's providers if the list of changes does not name them.

use crate::format::{Source, is_of_opentofu};
use crate::stack::Span;

/// Number of bytes that are read at once.
const STRIDE: usize = 1 << 20;

/// Number of bytes that are read again with the next ones: more than a key and the beginning of its value.
const OVERLAP: u64 = 256;

/// The key for the name of a provider.
const KEY: &[u8] = b"\"provider_name\"";

/// True if a `provider_name` in the first `len` bytes of a JSON file, possibly in the prior state, is in OpenTofu's registry.
pub(super) fn names_opentofu(source: &dyn Source, len: u64) -> bool {
    let mut bytes = Vec::new();
    let starts = (0..len).step_by(STRIDE);
    starts.into_iter().any(|offset| {
        let n_wanted = (len - offset).min(STRIDE as u64 + OVERLAP);
        let span = Span {
            offset,
            len: u32::try_from(n_wanted).unwrap_or(u32::MAX),
        };
        let is_read = source.read_into(span, &mut bytes).is_ok();
        let mut names = memchr::memmem::find_iter(&bytes, KEY);
        is_read && names.any(|at| is_opentofu(&bytes[at + KEY.len()..]))
    })
}

/// True if the text after a key is the name of such a provider.
fn is_opentofu(behind: &[u8]) -> bool {
    let value = behind.trim_ascii_start().strip_prefix(b":");
    let text = value.and_then(|value| value.trim_ascii_start().strip_prefix(b"\""));
    let head = text.map(|text| &text[..text.len().min(64)]);
    head.is_some_and(|head| is_of_opentofu(&String::from_utf8_lossy(head)))
}
