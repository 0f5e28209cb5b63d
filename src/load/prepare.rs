//! Preparing: from a path or a pipe to JSON that can be scanned.
//!
//! The format of a file comes from its bytes: compression from magic numbers, encodings from byte order marks, formats from
//! keys.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use zeroize::Zeroizing;

use super::byte_source::{ByteStream, Held};
use super::identity::FileSource;
use super::keys;
use super::memory::{self, Piped};
use super::{Input, Limits, LoadError, Origin, name, run, schemas};
use crate::format::event_log::Language;
use crate::format::table::Translated;
use crate::format::{self, Format, Guess};
use crate::stack::{Note, Severity};

/// A file whose format is known.
pub(super) struct Prepared {
    pub(super) format: &'static Format,
    pub(super) body: Body,
    pub(super) notes: Vec<Note>,
}

/// The readable contents of a file.
pub(super) enum Body {
    /// One JSON document.
    Json(Json),
    /// A log, which may still go on.
    Log(Log),
}

/// A JSON document that is read piece by piece.
pub(super) struct Json {
    pub(super) stream: ByteStream,
    /// The first bytes of the stream.
    pub(super) head: Vec<u8>,
    /// Index in them at which the JSON begins.
    pub(super) start: usize,
    /// The facts about a translated file beside its document.
    pub(super) translated: Translated,
}

/// A log that is read as it comes.
pub(super) struct Log {
    pub(super) events: &'static Language,
    pub(super) reader: Box<dyn Read + Send>,
    /// The bytes that were read already.
    pub(super) head: Vec<u8>,
}

/// The place where bytes are, so that they can be read again.
enum Backing {
    File(FileSource),
    Bytes(Held),
    /// A stream that can be read only once.
    Stream,
}

struct Raw {
    reader: Box<dyn Read + Send>,
    origin: Backing,
    head: Vec<u8>,
    at_end: bool,
}

/// Maximum number of wrappings (a compressed file in a compressed file) that are removed.
const MAX_LAYERS: usize = 3;

/// Maximum growth of a file when it is unpacked, as a factor, beyond [`FREE`] bytes.
const MAX_RATIO: u64 = 200;

/// Number of bytes that any compressed file may unpack to.
const FREE: u64 = 64 << 20;

/// Default maximum for the unpacked size of so many packed bytes. States and plans shrink to a twentieth, seldom to a
/// hundredth.
pub(super) fn most(n_packed: u64) -> u64 {
    FREE.saturating_add(n_packed.saturating_mul(MAX_RATIO))
}

/// Finds out the format of `input`.
pub(super) fn prepare(input: &Input, limits: Limits) -> Result<Prepared, LoadError> {
    prepare_raw(input, open(input, limits)?, limits)
}

/// Finds out the format of the bytes from `reader`; `input` names them.
pub(super) fn prepare_stream(
    input: &Input,
    reader: Box<dyn Read + Send>,
    limits: Limits,
) -> Result<Prepared, LoadError> {
    prepare_raw(input, Raw::new(reader, Backing::Stream), limits)
}

/// All bytes of a small file, unpacked.
pub(super) fn read_whole(input: &Input, limits: Limits) -> Result<Vec<u8>, LoadError> {
    let io = |source| LoadError::reading(&name(input), source);
    let (mut raw, _) = unwrapped(open(input, limits)?, limits).map_err(io)?;
    raw.read_all(limits).map_err(io)
}

/// Reads the first bytes of a file, unpacked if it is compressed. Also returns the names of the compressions.
fn unwrapped(mut raw: Raw, limits: Limits) -> io::Result<(Raw, Vec<&'static str>)> {
    let mut packings = Vec::new();
    raw.read_some()?;
    while packings.len() < MAX_LAYERS
        && let Some((packing, unpacked)) = unpack(&mut raw, limits)?
    {
        raw = unpacked;
        raw.read_some()?;
        packings.push(packing);
    }
    Ok((raw, packings))
}

fn prepare_raw(input: &Input, raw: Raw, limits: Limits) -> Result<Prepared, LoadError> {
    let file = name(input);
    let io = |source| LoadError::reading(&file, source);
    let (mut raw, packings) = unwrapped(raw, limits).map_err(io)?;
    let packings = packings.into_iter();
    let mut notes: Vec<Note> = packings
        .map(|it| note(format!("unpacked from {it}")))
        .collect();
    if let Some(format) = format::of_magic(&raw.head) {
        return translated(input, format, raw, notes, limits);
    }
    if raw.head.starts_with(b"\xff\xfe") || raw.head.starts_with(b"\xfe\xff") {
        let bytes = raw.read_all(limits).map_err(io)?;
        notes.push(note("read as UTF-16".to_owned()));
        raw = Raw::of_bytes(from_utf16(&bytes).into());
        raw.read_some().map_err(io)?;
    }
    if let Some(line) = format::merge_conflict(&raw.head) {
        let message = format!("a merge conflict at line {line}: resolve it first");
        return Err(LoadError::unreadable(&file, message));
    }
    let n_notes = notes.len();
    let (format, start) = match guess(&mut raw, &mut notes).map_err(io)? {
        Ok(found) => found,
        Err(what) => return with_key(input, raw, &what, notes, limits),
    };
    if let Some(events) = format.events {
        // Lines that are not events are reported with their number.
        notes.truncate(n_notes);
        let (reader, head) = (raw.reader, raw.head);
        return Ok(Prepared {
            format,
            body: Body::Log(Log {
                events,
                reader,
                head,
            }),
            notes,
        });
    }
    if format.translate.is_some() {
        return translated(input, format, raw, notes, limits);
    }
    let Raw {
        reader,
        origin,
        head,
        ..
    } = raw;
    let stream = match origin {
        Backing::File(source) => ByteStream::of_file(reader, source),
        Backing::Bytes(bytes) => ByteStream::of_bytes(bytes, head.len()),
        Backing::Stream => ByteStream::of_stream(reader, &head),
    };
    Ok(Prepared {
        format,
        body: Body::Json(Json {
            stream,
            head,
            start,
            translated: Translated::default(),
        }),
        notes,
    })
}

/// Prepares a file once more as one that OpenTofu encrypted; `what` describes it without decryption.
fn with_key(
    input: &Input,
    mut raw: Raw,
    what: &str,
    mut notes: Vec<Note>,
    limits: Limits,
) -> Result<Prepared, LoadError> {
    let file = name(input);
    // The key comes before the data, and only a file with the key is read as a whole.
    let is_encrypted = memchr::memmem::find(&raw.head, b"\"encrypted_data\"").is_some();
    let opened = if is_encrypted {
        let bytes = raw
            .read_all(limits)
            .map_err(|source| LoadError::reading(&file, source))?;
        decrypted(input, &bytes)?
    } else {
        None
    };
    let Some(plaintext) = opened else {
        return Err(LoadError::unreadable(&file, format!("this is {what}")));
    };
    notes.push(note("decrypted with the given key".to_owned()));
    let raw = Raw::of_bytes(Held::Wiped(Arc::new(plaintext)));
    let mut prepared = prepare_raw(input, raw, limits)?;
    prepared.notes.splice(0..0, notes);
    Ok(prepared)
}

/// Decrypts a file of OpenTofu with the known keys; `None` if it is not encrypted.
fn decrypted(input: &Input, bytes: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>, LoadError> {
    keys::decrypt(input.keys.as_deref(), bytes).map_err(|source| LoadError::Locked {
        file: name(input),
        source,
        wants: keys::wants(bytes),
        input: Box::new(Input {
            origin: match &input.origin {
                // The bytes of a pipe cannot be read again.
                Origin::Stdin => Origin::Bytes {
                    name: "stdin".to_owned(),
                    bytes: Arc::from(bytes),
                },
                origin => origin.clone(),
            },
            keys: None,
            ..input.clone()
        }),
    })
}

fn note(message: String) -> Note {
    Note::new(Severity::Info, "the file", message)
}

/// Prepares a file that is read as another JSON document.
fn translated(
    input: &Input,
    format: &'static Format,
    mut raw: Raw,
    mut notes: Vec<Note>,
    limits: Limits,
) -> Result<Prepared, LoadError> {
    let file = name(input);
    let Some(translate) = format.translate else {
        return Err(LoadError::unreadable(&file, "nothing to read".to_owned()));
    };
    let bytes = raw.read_all(limits);
    let bytes = bytes.map_err(|source| LoadError::reading(&file, source))?;
    // JSON itself distinguishes numbers and strings.
    let is_json = format::of_magic(&bytes).is_none();
    let schemas = if is_json {
        None
    } else {
        schemas::bytes(input)?
    };
    if let Some(found) = &schemas {
        notes.push(note(format!(
            "numbers and strings are distinguished by {found}"
        )));
    }
    let schemas = schemas.as_ref().map(|found| found.contents.as_slice());
    let max = if limits.any_ratio {
        limits.max_bytes
    } else {
        most(bytes.len() as u64).min(limits.max_bytes)
    };
    let mut translated = translate(&bytes, schemas, max)
        .map_err(|what| LoadError::unreadable(&file, format!("this is {what}")))?;
    notes.extend(format::oddities::of_document(&bytes));
    let json = std::mem::take(&mut translated.document);
    let body = Body::Json(Json {
        stream: ByteStream::of_bytes(json.into(), 0),
        head: Vec::new(),
        start: 0,
        translated,
    });
    Ok(Prepared {
        format,
        body,
        notes,
    })
}

/// The format, and the index at which its text begins; the error describes the file if it is something else. A pipe is read on
/// until that is clear.
fn guess(
    raw: &mut Raw,
    notes: &mut Vec<Note>,
) -> io::Result<Result<(&'static Format, usize), String>> {
    loop {
        let bom = if raw.head.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        let what = match format::sniff(&raw.head[bom..]) {
            Guess::Format(format) => return Ok(Ok((format, bom))),
            Guess::Other(what) => what,
        };
        if let Some((format, start)) = behind_text(&raw.head) {
            let line = memchr::memchr_iter(b'\n', &raw.head[..start]).count() + 1;
            notes.push(note(format!(
                "skipped the text before the JSON, which begins at line {line}"
            )));
            return Ok(Ok((format, start)));
        }
        if raw.at_end || raw.head.len() >= run::HEAD {
            return Ok(Err(what));
        }
        raw.read_some()?;
    }
}

/// A line that begins a file of some format, after text of another kind.
fn behind_text(head: &[u8]) -> Option<(&'static Format, usize)> {
    const MAX_TRIES: usize = 50;
    memchr::memchr_iter(b'\n', head)
        .map(|newline| newline + 1)
        .filter(|start| head.get(*start) == Some(&b'{'))
        .take(MAX_TRIES)
        .find_map(|start| match format::sniff(&head[start..]) {
            Guess::Format(format) => Some((format, start)),
            Guess::Other(_) => None,
        })
}

fn open(input: &Input, limits: Limits) -> Result<Raw, LoadError> {
    let io = |source| LoadError::Io {
        file: name(input),
        source,
    };
    if input.older.is_some() {
        let message = "these are two files, expected one".to_owned();
        return Err(LoadError::unreadable(&name(input), message));
    }
    match &input.origin {
        Origin::Path(path) => {
            let file = File::open(path).map_err(io)?;
            let metadata = file.metadata().map_err(io)?;
            if metadata.is_dir() {
                let message = "this is a folder, not a file".to_owned();
                return Err(LoadError::unreadable(&name(input), message));
            }
            if !metadata.is_file() {
                return Ok(Raw::new(Box::new(Piped::new(file)), Backing::Stream));
            }
            let origin = Backing::File(FileSource::new(path, &file).map_err(io)?);
            Ok(Raw::new(Box::new(file), origin))
        }
        Origin::Object(address) => {
            let bytes = address.read(limits.whole()).map_err(io)?;
            memory::expect_bytes(bytes.len() as u64);
            Ok(Raw::of_bytes(Held::Plain(bytes.into())))
        }
        Origin::Roots(_) => {
            let message = "these are places with many stacks, not a file".to_owned();
            Err(LoadError::unreadable(&name(input), message))
        }
        Origin::Stdin => Ok(Raw::new(Box::new(Piped::new(io::stdin())), Backing::Stream)),
        Origin::Bytes { bytes, .. } => Ok(Raw::of_bytes(Held::Plain(bytes.clone()))),
    }
}

impl Raw {
    fn new(reader: Box<dyn Read + Send>, origin: Backing) -> Self {
        Self {
            reader,
            origin,
            head: Vec::new(),
            at_end: false,
        }
    }

    fn of_bytes(bytes: Held) -> Self {
        Self::new(Box::new(Cursor::new(bytes.clone())), Backing::Bytes(bytes))
    }

    /// Reads the bytes that are available at once, at most up to the size of a head.
    fn read_some(&mut self) -> io::Result<()> {
        let mut piece = vec![0; run::HEAD];
        let n_read = loop {
            match self.reader.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        let length = n_read.as_ref().copied().unwrap_or(0);
        self.head.extend_from_slice(&piece[..length]);
        self.at_end = length == 0;
        n_read.map(|_| ())
    }

    /// Everything, the head included.
    fn read_all(&mut self, limits: Limits) -> io::Result<Vec<u8>> {
        let mut bytes = std::mem::take(&mut self.head);
        limits.whole().read_to(&mut self.reader, &mut bytes)?;
        Ok(bytes)
    }
}

/// The contents of a compressed file, and the name of the compression.
fn unpack(raw: &mut Raw, limits: Limits) -> io::Result<Option<(&'static str, Raw)>> {
    let packing = match raw.head.as_slice() {
        [0x1f, 0x8b, ..] => "gzip",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "zstd",
        _ => return Ok(None),
    };
    let n_packed = Arc::new(AtomicU64::new(0));
    let reader = std::mem::replace(&mut raw.reader, Box::new(io::empty()));
    let packed = Counted {
        inner: Cursor::new(std::mem::take(&mut raw.head)).chain(reader),
        n_read: n_packed.clone(),
    };
    let reader: Box<dyn Read + Send> = if packing == "gzip" {
        Box::new(flate2::read::MultiGzDecoder::new(packed))
    } else {
        Box::new(zstd::stream::read::Decoder::new(packed)?)
    };
    let limited = Limited {
        inner: reader,
        n_packed,
        n_unpacked: 0,
        limits,
    };
    Ok(Some((
        packing,
        Raw::new(Box::new(limited), Backing::Stream),
    )))
}

/// The bytes of a stream that may be packed, unpacked as they are read. Of the limits, only the ratio counts.
pub(super) fn unpacking(
    reader: Box<dyn Read + Send>,
    limits: Limits,
) -> io::Result<Box<dyn Read + Send>> {
    let limits = Limits {
        max_bytes: u64::MAX,
        ..limits
    };
    let mut raw = Raw::new(reader, Backing::Stream);
    raw.read_some()?;
    if let Some((_, unpacked)) = unpack(&mut raw, limits)? {
        return Ok(unpacked.reader);
    }
    Ok(Box::new(Cursor::new(raw.head).chain(raw.reader)))
}

/// A reader that counts the bytes read.
struct Counted<R> {
    inner: R,
    n_read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.inner.read(buffer)?;
        self.n_read.fetch_add(n_read as u64, Ordering::Relaxed);
        Ok(n_read)
    }
}

/// The output of a decompressor, up to a limit.
struct Limited {
    inner: Box<dyn Read + Send>,
    n_packed: Arc<AtomicU64>,
    n_unpacked: u64,
    limits: Limits,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.inner.read(buffer).map_err(of_decompressor)?;
        self.n_unpacked += n_read as u64;
        self.limits.whole().check(self.n_unpacked)?;
        let n_packed = self.n_packed.load(Ordering::Relaxed);
        if !self.limits.any_ratio && self.n_unpacked > most(n_packed) {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "it unpacks to more than two hundred times its size; --max-size allows more",
            ));
        }
        Ok(n_read)
    }
}

/// Maps an error that a decompressor reports about its input to one about the contents; keeps system errors.
fn of_decompressor(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::Other if error.raw_os_error().is_none() => {
            io::Error::new(io::ErrorKind::InvalidData, error)
        }
        _ => error,
    }
}

/// The text in UTF-8, if a byte order mark says that it is in UTF-16.
pub(super) fn utf8(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        from_utf16(&bytes)
    } else {
        bytes
    }
}

/// The text of UTF-16 with a byte order mark, in UTF-8 without.
fn from_utf16(bytes: &[u8]) -> Vec<u8> {
    let little = bytes.starts_with(b"\xff\xfe");
    let units = bytes[2..].chunks_exact(2).map(|pair| {
        let pair = [pair[0], pair[1]];
        if little {
            u16::from_le_bytes(pair)
        } else {
            u16::from_be_bytes(pair)
        }
    });
    char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect::<String>()
        .into_bytes()
}
