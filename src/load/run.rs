//! One run of loading: reading and scanning under one lock, indexing on workers, telling in the order of the file.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use hashbrown::DefaultHashBuilder;

use super::collect::Collector;
use super::feed::Feed;
use super::prepare::Json;
use super::subject::Subject;
use super::{LoadError, LoadEvent, Summary, damage};
use crate::format::envelope::Envelope;
use crate::format::scan::{Element, ScanError, Scanner};
use crate::format::sheet::{Findings, Hasher, Sheet};
use crate::format::{self, Context, Format, Source};
use crate::stack::{Header, Note, Severity};

/// How many bytes are read at once.
const PIECE: usize = 1 << 18;

/// How many bytes are read first, so that there is something to look at soon.
pub(super) const HEAD: usize = 1 << 16;

/// How often progress is told at most.
pub(super) const TICK: Duration = Duration::from_millis(33);

/// How many workers index beside the one that collects.
const N_WORKERS: usize = 2;

/// A stretch of the file whose elements have been found.
struct Piece {
    number: usize,
    /// A buffer that is never cleared; what is behind `len` is of an earlier piece.
    bytes: Vec<u8>,
    len: usize,
    base: u64,
    elements: Vec<Element>,
    /// How much of the file has been read by now.
    n_read: u64,
}

/// What the workers take turns with.
struct Reading {
    feed: Feed,
    scanner: Option<Scanner>,
    /// Bytes that are needed again, and where they begin.
    carried: Vec<u8>,
    base: u64,
    next_number: usize,
    /// How many elements the last piece had.
    n_elements: usize,
    /// Buffers to use again.
    spare: Vec<Vec<u8>>,
    outcome: Option<Outcome>,
    /// What was read behind the end of the JSON text.
    behind: Vec<u8>,
}

/// How reading ended.
struct Outcome {
    rest: Vec<u8>,
    error: Option<ScanError>,
    io: Option<io::Error>,
    /// Whether something stands behind the end of the JSON text.
    trailing: bool,
    /// A key on the way to the elements that is given twice.
    repeated: Option<Arc<str>>,
}

impl Reading {
    /// Reads `length` bytes more (0: none, for what was read already) and finds the elements in them; `None` at the end.
    fn next(&mut self, length: usize) -> Option<Piece> {
        let mut scanner = self.scanner.take()?;
        let mut buffer = self.spare.pop().unwrap_or_default();
        let carried = self.carried.len();
        // A long value is carried along: reading more each time keeps the copying in proportion.
        let room = if length == 0 { 0 } else { length.max(carried) };
        if buffer.len() < carried + room {
            buffer.resize(carried + room, 0);
        }
        buffer[..carried].copy_from_slice(&self.carried);
        self.carried.clear();
        let (n_new, outcome) = match room {
            0 => (0, Ok(())),
            room => self.feed.read(&mut buffer[carried..carried + room]),
        };
        let at_end = outcome.is_err() || room > 0 && n_new == 0;
        let len = carried + n_new;
        let bytes = &buffer[..len];
        let base = self.base;
        let mut elements = Vec::with_capacity(self.n_elements);
        let needed = scanner.feed(bytes, base, &mut elements);
        let n_read = base + bytes.len() as u64;
        if at_end || scanner.is_done() {
            let behind = usize::try_from(scanner.offset().saturating_sub(base)).unwrap_or(0);
            if !scanner.has_failed() {
                self.behind = bytes.get(behind..).unwrap_or_default().to_vec();
            }
            let trailing = !self.behind.iter().all(u8::is_ascii_whitespace);
            let repeated = scanner.repeated();
            let (rest, error) = scanner.finish(bytes, base, &mut elements);
            self.outcome = Some(Outcome {
                rest,
                error,
                io: outcome.err(),
                trailing,
                repeated,
            });
        } else {
            let keep = usize::try_from(needed.saturating_sub(base)).unwrap_or(bytes.len());
            self.carried
                .extend_from_slice(bytes.get(keep..).unwrap_or_default());
            self.base = base + keep.min(bytes.len()) as u64;
            self.scanner = Some(scanner);
        }
        self.next_number += 1;
        self.n_elements = elements.len();
        Some(Piece {
            number: self.next_number - 1,
            bytes: buffer,
            len,
            base,
            elements,
            n_read,
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes rows of the elements of a piece.
fn index(
    format: &Format,
    context: &Context,
    digest: Option<&DefaultHashBuilder>,
    piece: &Piece,
    sheet: &mut Sheet,
) -> Findings {
    let bytes = &piece.bytes[..piece.len];
    let range =
        |offset: u64| usize::try_from(offset.wrapping_sub(piece.base)).unwrap_or(usize::MAX);
    for element in &piece.elements {
        if let Some(bytes) = bytes.get(range(element.start)..range(element.end)) {
            format.index(element, bytes, context, sheet);
        }
    }
    let mut findings = sheet.take();
    if let Some(digest) = digest {
        let spans = findings.rows.iter().map(|row| row.span);
        let hashes = spans.map(|span| {
            let start = range(span.offset);
            let bytes = bytes.get(start..start.saturating_add(span.len as usize));
            // 0 means that there is none.
            bytes.map_or(0, |bytes| digest.hash_one(bytes).max(1))
        });
        findings.digests = hashes.collect();
    }
    findings
}

/// Tells what was found, now and then.
pub(super) struct Teller<'s> {
    pub(super) sink: &'s mut dyn FnMut(LoadEvent),
    pub(super) collector: Collector,
    pub(super) last: Option<Instant>,
    pub(super) n_read: u64,
}

impl Teller<'_> {
    /// Tells what is new, if that was not done a moment ago, or if it is to be done `now`.
    pub(super) fn tell(&mut self, n_read: u64, now: bool) {
        self.n_read = n_read;
        if now || self.last.is_none_or(|last| last.elapsed() >= TICK) {
            self.last = Some(Instant::now());
            let batch = Box::new(self.collector.take());
            (self.sink)(LoadEvent::Indexed {
                batch,
                bytes: n_read,
            });
        }
    }
}

/// What is still to be read of a pipe.
pub(super) type Stream = Box<dyn Read + Send>;

/// Loads and tells. Returns what comes behind the document, if that comes from a pipe and reading was not stopped.
pub(super) fn run(
    subject: Subject<'_>,
    json: Json,
    digest: Option<&DefaultHashBuilder>,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<Option<Stream>, LoadError> {
    let format = subject.format;
    let Json { feed, head, start } = json;
    let hasher = Hasher::new(RandomState::new().hash_one(0));
    let (source, total) = (feed.source(), feed.total());
    let mut reading = Reading {
        scanner: Some(Scanner::new(format.outline, start as u64)),
        carried: head,
        feed,
        base: 0,
        next_number: 0,
        n_elements: 0,
        spare: Vec::new(),
        outcome: None,
        behind: Vec::new(),
    };
    let mut sheet = Sheet::new(hasher);
    let mut first = Vec::new();
    first.extend(reading.next(0));
    // What is small is read whole before anything is told.
    while total.is_some_and(|total| total <= 2 * HEAD as u64) && reading.outcome.is_none() {
        first.extend(reading.next(HEAD));
    }
    let early = early_header(format, &subject.header, &reading)
        .map_err(|message| LoadError::unreadable(&subject.file, message))?;
    let mut collector = Collector::new(format.kind, hasher, N_WORKERS + 1);
    let n_read = first.last().map_or(0, |piece| piece.n_read);
    for piece in &first {
        collector.add(
            0,
            index(format, &subject.context, digest, piece, &mut sheet),
        );
    }
    if collector.n_records() == 0
        && let Some(error) = reading
            .outcome
            .as_ref()
            .and_then(|outcome| outcome.error.as_ref())
    {
        let (message, detail) = damage::describe(error, &*source);
        return Err(LoadError::Unreadable {
            file: subject.file,
            message,
            detail,
        });
    }
    sink(LoadEvent::Opened {
        header: early,
        source: source.clone(),
        total,
    });
    let mut teller = Teller {
        sink,
        collector,
        last: None,
        n_read,
    };
    teller.tell(n_read, true);
    if reading.outcome.is_none() {
        reading = index_on_workers(&subject, digest, reading, &mut teller);
    }
    let outcome = reading.outcome.take();
    let stopped = outcome.is_none();
    let ending = Ending {
        file: subject.file,
        format,
        header: subject.header,
        notes: subject.notes,
        source,
        stopped,
    };
    ending.finish(outcome, teller)?;
    let stream = reading.feed.into_stream().filter(|_| !stopped);
    Ok(stream.map(|rest| Box::new(io::Cursor::new(reading.behind).chain(rest)) as Stream))
}

/// What the header says as far as the first bytes tell; an error if the file is refused.
fn early_header(format: &Format, header: &Header, reading: &Reading) -> Result<Header, String> {
    let rest = match (&reading.scanner, &reading.outcome) {
        (Some(scanner), _) => scanner.rest_so_far(),
        (None, Some(outcome)) => outcome.rest.clone(),
        (None, None) => Vec::new(),
    };
    let mut envelope = Envelope::new(header.clone());
    format::envelope(format, &rest, &mut envelope);
    match envelope.refused {
        Some(why) => Err(why),
        None => Ok(envelope.header),
    }
}

/// Reads the rest of the file; without an outcome if it was stopped.
fn index_on_workers(
    subject: &Subject<'_>,
    digest: Option<&DefaultHashBuilder>,
    reading: Reading,
    teller: &mut Teller<'_>,
) -> Reading {
    let (format, context, cancel) = (subject.format, &subject.context, subject.cancel);
    let (first_number, hasher) = (reading.next_number, teller.collector.hasher());
    let reading = Mutex::new(reading);
    let (to_collector, from_workers) = mpsc::sync_channel::<(usize, usize, Findings, u64)>(16);
    std::thread::scope(|scope| {
        for worker in 1..=N_WORKERS {
            let (reading, to_collector) = (&reading, to_collector.clone());
            scope.spawn(move || {
                let mut sheet = Sheet::new(hasher);
                while !cancel.load(Ordering::Relaxed) {
                    let Some(piece) = lock(reading).next(PIECE) else {
                        return;
                    };
                    let findings = index(format, context, digest, &piece, &mut sheet);
                    let message = (piece.number, worker, findings, piece.n_read);
                    if to_collector.send(message).is_err() {
                        return;
                    }
                    lock(reading).spare.push(piece.bytes);
                }
            });
        }
        drop(to_collector);
        let mut next = first_number;
        let mut early = BTreeMap::new();
        for (number, worker, findings, n_read) in from_workers {
            early.insert(number, (worker, findings, n_read));
            while let Some((worker, findings, n_read)) = early.remove(&next) {
                teller.collector.add(worker, findings);
                teller.tell(n_read, false);
                next += 1;
            }
        }
    });
    reading.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What is left to do when all is read.
pub(super) struct Ending {
    pub(super) file: String,
    pub(super) format: &'static Format,
    pub(super) header: Header,
    pub(super) notes: Vec<Note>,
    pub(super) source: Arc<dyn Source>,
    pub(super) stopped: bool,
}

impl Ending {
    fn finish(mut self, outcome: Option<Outcome>, teller: Teller<'_>) -> Result<(), LoadError> {
        let mut envelope = Envelope::new(self.header.clone());
        let mut damaged = None;
        if let Some(outcome) = outcome {
            format::envelope(self.format, &outcome.rest, &mut envelope);
            if let Some(why) = envelope.refused {
                return Err(LoadError::unreadable(&self.file, why));
            }
            if let Some(source) = outcome.io {
                if teller.collector.n_records() == 0 {
                    return Err(LoadError::Io {
                        file: self.file,
                        source,
                    });
                }
                damaged = Some(format!("reading stopped: {source}"));
            } else if let Some(error) = &outcome.error {
                let (message, detail) = damage::describe(error, &*self.source);
                if teller.collector.n_records() == 0 {
                    return Err(LoadError::Unreadable {
                        file: self.file,
                        message,
                        detail,
                    });
                }
                damaged = Some(format!("{message}; what stands before it is shown"));
            }
            if let Some(key) = &outcome.repeated {
                let message = format!("`{key}` is given twice; what both hold is listed");
                self.notes
                    .push(plain_note(Severity::Warning, "the file", &message));
            }
            if outcome.trailing {
                self.notes.push(plain_note(
                    Severity::Warning,
                    "the end of the file",
                    "something stands behind the JSON document; it is not read",
                ));
            }
        }
        self.tell(envelope, damaged, teller);
        Ok(())
    }

    /// Tells the last resources, and what is known only now.
    pub(super) fn tell(
        mut self,
        mut envelope: Envelope,
        damaged: Option<String>,
        mut teller: Teller<'_>,
    ) {
        if let Some(message) = &damaged {
            self.notes
                .push(plain_note(Severity::Error, "the file", message));
        }
        let (graph, notes) = teller.collector.graph(&envelope.references);
        self.notes.extend(notes);
        if !self.stopped {
            self.notes.extend(teller.collector.integrity(&*self.source));
        }
        self.notes.extend(teller.collector.left_out());
        self.notes.append(&mut envelope.notes);
        for note in &mut self.notes {
            note.resource = note.resource.or_else(|| teller.collector.find(&note.place));
        }
        let batch = Box::new(teller.collector.take());
        let mut counts = teller.collector.counts().clone();
        counts.changes.retain(|(_, count)| *count > 0);
        (teller.sink)(LoadEvent::Indexed {
            batch,
            bytes: teller.n_read,
        });
        let mut summary = Summary {
            header: envelope.header,
            outputs: envelope.outputs,
            notes: std::mem::take(&mut self.notes),
            counts,
            graph,
            references: Arc::new(envelope.references.into_iter().collect()),
            expressions: Arc::new(envelope.expressions.into_iter().collect()),
            invocations: envelope.invocations,
            sensitive: Arc::new(envelope.sensitive.into_iter().collect()),
            sources: Arc::new(envelope.sources),
            damage: damaged,
            stopped: self.stopped,
        };
        self.look_at_root(&teller.collector, &mut summary);
        (teller.sink)(LoadEvent::Finished(Box::new(summary)));
    }

    /// What Pulumi's files tell of the stack in one of its resources only: its name, its project, its outputs.
    fn look_at_root(&self, collector: &Collector, summary: &mut Summary) {
        if !self.format.kind.is_pulumi() {
            return;
        }
        collector.name_stack(&mut summary.header);
        let Some(span) = collector.root() else { return };
        let root = self
            .source
            .read(span)
            .ok()
            .and_then(|bytes| format::pulumi_resource(self.format, &bytes));
        if let Some(root) = root {
            summary.outputs = format::outputs_of(&root);
        }
    }
}

fn plain_note(severity: Severity, place: &str, message: &str) -> Note {
    Note {
        severity,
        place: place.to_owned(),
        message: message.to_owned(),
        resource: None,
    }
}
