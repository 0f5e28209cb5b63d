//! The tar stream by which an archive is hashed.
//!
//! # Source
//!
//! POSIX.1-2001 `pax` for the format; Go's `archive/tar` for the choice among its features, which decides the bytes.

use std::collections::HashSet;
use std::io::{Read, Write};

use super::members::{self, MAX_NAME};
use super::{AccessError, Files, Progress, Watch, name};
use crate::value::Archive;

const BLOCK: usize = 512;
const NAME_SIZE: usize = 100;
const PREFIX_SIZE: usize = 155;
/// The largest size that eleven octal digits hold.
const MAX_OCTAL_SIZE: u64 = 0o777_7777_7777;

/// Writes the tar stream of `archive`: its members in order, the first of those that share a name.
pub fn write_tar(
    archive: &Archive,
    files: &dyn Files,
    out: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<(), AccessError> {
    let mut watch = Watch::new(progress);
    let mut seen = HashSet::new();
    members::walk(archive, files, 0, &mut |name, size, bytes| {
        if seen.insert(name.to_owned()) {
            member(name, size, bytes, out, &mut watch)?;
        }
        Ok(())
    })?;
    put(out, &[0; 2 * BLOCK])
}

/// Only a sink of the caller can fail.
fn put(out: &mut dyn Write, bytes: &[u8]) -> Result<(), AccessError> {
    out.write_all(bytes).map_err(|source| AccessError::Io {
        path: String::new(),
        source,
    })
}

fn member(
    name: &str,
    size: u64,
    bytes: &mut dyn Read,
    out: &mut dyn Write,
    watch: &mut Watch<'_>,
) -> Result<(), AccessError> {
    let is_folder = name.ends_with('/');
    if is_folder && size > 0 {
        return Err(AccessError::Name(name.to_owned()));
    }
    headers(name, size, is_folder, out)?;
    // One byte more than the stated size is enough to detect a wrong size.
    let n_copied = watch.copy(name, &mut bytes.take(size + 1), out)?;
    if n_copied != size {
        return Err(AccessError::Size {
            name: name.to_owned(),
            expected: size,
        });
    }
    pad(size, out)
}

fn pad(size: u64, out: &mut dyn Write) -> Result<(), AccessError> {
    let over = usize::try_from(size % BLOCK as u64).expect("less than a block");
    put(out, &[0; BLOCK][..(BLOCK - over) % BLOCK])
}

fn headers(name: &str, size: u64, is_folder: bool, out: &mut dyn Write) -> Result<(), AccessError> {
    let kind = if is_folder { b'5' } else { b'0' };
    let is_long = name.len() > NAME_SIZE;
    let split = split(name);
    let fits = if is_long {
        split.is_some()
    } else {
        is_ascii(name)
    };
    if fits && size <= MAX_OCTAL_SIZE {
        let (prefix, short) = split.unwrap_or(("", name));
        let mut header = Header::new(kind, short);
        header.numbers(0o600, size);
        header.owners();
        header.string(345..345 + PREFIX_SIZE, prefix);
        return put(out, &header.finish());
    }
    if name.contains('\0') {
        return Err(AccessError::Name(name.to_owned()));
    }
    let mut records = String::new();
    if !fits {
        records.push_str(&record("path", name));
    }
    if size > MAX_OCTAL_SIZE {
        records.push_str(&record("size", &size.to_string()));
    }
    if records.len() as u64 > MAX_NAME {
        return Err(AccessError::Name(name.chars().take(40).collect()));
    }
    extended(name, &records, out)?;
    let mut header = Header::new(kind, &ascii(name));
    // A size that does not fit is in the record.
    header.numbers(0o600, if size > MAX_OCTAL_SIZE { 0 } else { size });
    header.owners();
    put(out, &header.finish())
}

/// Writes the extended header: an entry with the records that the next header cannot hold.
fn extended(name: &str, records: &str, out: &mut dyn Write) -> Result<(), AccessError> {
    let (folder, file) = match name.rfind('/') {
        Some(at) => name.split_at(at + 1),
        None => ("", name),
    };
    let own = ascii(&name::join(&name::join(folder, "PaxHeaders.0"), file));
    let cut = own[..own.len().min(NAME_SIZE)].trim_end_matches('/');
    let mut header = Header::new(b'x', cut);
    header.numbers(0, records.len() as u64);
    put(out, &header.finish())?;
    put(out, records.as_bytes())?;
    pad(records.len() as u64, out)
}

/// `LENGTH KEY=VALUE\n`, where the length includes its own digits.
fn record(key: &str, value: &str) -> String {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + rest.to_string().len();
    if length.to_string().len() > rest.to_string().len() {
        length = rest + length.to_string().len();
    }
    format!("{length} {key}={value}\n")
}

/// A long name as prefix and name, cut at the last `/` that leaves the prefix short enough.
fn split(name: &str) -> Option<(&str, &str)> {
    if name.len() <= NAME_SIZE || !is_ascii(name) {
        return None;
    }
    let end = if name.len() > PREFIX_SIZE + 1 {
        PREFIX_SIZE + 1
    } else {
        name.len() - usize::from(name.ends_with('/'))
    };
    let at = name[..end].rfind('/')?;
    let (prefix, rest) = (&name[..at], &name[at + 1..]);
    let fits = at > 0 && !rest.is_empty() && rest.len() <= NAME_SIZE && at <= PREFIX_SIZE;
    fits.then_some((prefix, rest))
}

fn is_ascii(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii() && byte != 0)
}

fn ascii(text: &str) -> String {
    text.chars()
        .filter(|char| char.is_ascii() && *char != '\0')
        .collect()
}

struct Header([u8; BLOCK]);

impl Header {
    fn new(kind: u8, name: &str) -> Self {
        let mut header = Self([0; BLOCK]);
        header.string(0..NAME_SIZE, name);
        header.0[156] = kind;
        header.0[257..265].copy_from_slice(b"ustar\x0000");
        header
    }

    /// Writes as much of `text` as fits. Cut text does not end in a slash: some readers take that for a folder.
    fn string(&mut self, field: std::ops::Range<usize>, text: &str) {
        let field = &mut self.0[field];
        let n = text.len().min(field.len());
        field[..n].copy_from_slice(&text.as_bytes()[..n]);
        if text.len() > n && field[n - 1] == b'/' {
            let kept = text[..n - 1].trim_end_matches('/').len();
            field[kept] = 0;
        }
    }

    /// Mode, size, and zero for owner, group and time.
    fn numbers(&mut self, mode: u64, size: u64) {
        self.octal(100..108, mode);
        self.octal(108..116, 0);
        self.octal(116..124, 0);
        self.octal(124..136, size);
        self.octal(136..148, 0);
    }

    /// Device numbers; the names of owner and group stay empty.
    fn owners(&mut self) {
        self.octal(329..337, 0);
        self.octal(337..345, 0);
    }

    /// Writes `number` with leading zeros, and a NUL at the end.
    fn octal(&mut self, field: std::ops::Range<usize>, number: u64) {
        let width = field.len() - 1;
        let digits = format!("{number:0width$o}");
        self.0[field.start..field.end - 1].copy_from_slice(digits.as_bytes());
        self.0[field.end - 1] = 0;
    }

    /// The block with its checksum: the sum of its bytes, with the checksum field counted as spaces.
    fn finish(mut self) -> [u8; BLOCK] {
        self.0[148..156].fill(b' ');
        let sum = self.0.iter().map(|byte| u64::from(*byte)).sum();
        self.octal(148..155, sum);
        self.0
    }
}
