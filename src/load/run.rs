//! One run of loading: reading and scanning under one lock, indexing on workers, reporting in the order of the file.

mod glance;
mod prior;
mod reading;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::BuildHasher;
use std::io::{self, Read};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use hashbrown::DefaultHashBuilder;

use reading::{Outcome, Piece, Reading};

use super::Document;
use super::collect::{Collector, bounded};
use super::merged::Merged;
use super::prepare::{Json, Prepared};
use super::repeated::{self, Hiding};
use super::subject::Subject;
use super::workers::{joined, n_workers};
use super::{Cycles, LoadError, LoadEvent, Summary, damage, registry};
use crate::format::envelope::Envelope;
use crate::format::log_secrets::LogSecrets;
use crate::format::{self, Context, Format, Site, Source};
use crate::index::hash::Hasher;
use crate::index::indexer::{Findings, Indexer};
use crate::index::scan::{Element, ScanError};
use crate::json::tape::Tape;
use crate::stack::{Damage, Header, Kind, Note, Output, Severity, Tool};
use crate::text::plural;
use crate::value::Value;

/// Number of bytes that are read at once.
const PIECE: usize = 1 << 18;

/// Number of bytes that are read first: small, so the first rows appear early.
pub(super) const HEAD: usize = 1 << 16;

/// Minimum time between two reports of progress.
pub(super) const TICK: Duration = Duration::from_millis(33);

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Indexes the elements of a piece into rows.
fn index(
    format: &Format,
    context: &Context,
    digest: Option<&DefaultHashBuilder>,
    piece: &Piece,
    indexer: &mut Indexer,
) -> Findings {
    for element in &piece.elements {
        let site = Site { element, context };
        format.index(site, &piece.text(element), indexer);
    }
    let mut findings = indexer.take();
    if let Some(digest) = digest {
        // 0 means that there is no hash.
        let hash = |bytes: &[u8]| digest.hash_one(bytes).max(1);
        let bytes = findings.rows.iter().map(|row| piece.bytes(row.span));
        findings.digests = bytes.map(|bytes| bytes.map_or(0, hash)).collect();
    }
    findings
}

/// Reports the findings from time to time.
pub(super) struct Reporter<'s> {
    pub(super) sink: &'s mut dyn FnMut(LoadEvent),
    pub(super) collector: Collector,
    pub(super) last: Option<Instant>,
    pub(super) n_read: u64,
    /// True if resources were reported. The first ones do not wait.
    pub(super) has_resources: bool,
    /// The beginning of what replaces a glance, which stays until there are resources in its place.
    pub(super) replacing: Option<LoadEvent>,
}

impl Reporter<'_> {
    /// Reports the news, unless that was done a moment ago; with `now` in any case.
    pub(super) fn report(&mut self, n_read: u64, now: bool) {
        self.n_read = n_read;
        let is_first = !self.has_resources && self.collector.n_records() > 0;
        if self.replacing.is_some() && !is_first {
            return;
        }
        if now || is_first || self.last.is_none_or(|last| last.elapsed() >= TICK) {
            self.last = Some(Instant::now());
            self.has_resources |= is_first;
            self.replace();
            let batch = Box::new(self.collector.take());
            (self.sink)(LoadEvent::Indexed {
                batch,
                bytes: n_read,
            });
        }
    }

    /// Ends a glance.
    fn replace(&mut self) {
        if let Some(opened) = self.replacing.take() {
            (self.sink)(opened);
        }
    }
}

/// The rest of a pipe.
pub(super) type Stream = Box<dyn Read + Send>;

/// Recognizes a document that may follow another one, by its bytes.
pub(super) type Follows<'a> = dyn Fn(Stream) -> Option<Prepared> + 'a;

/// Loads and reports. Returns the document after this one, if `follows` recognizes it.
pub(super) fn run(
    mut subject: Subject<'_>,
    json: Json,
    digest: Option<&DefaultHashBuilder>,
    follows: &Follows<'_>,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<Option<Prepared>, LoadError> {
    let format = subject.format;
    let Json {
        stream,
        head,
        start,
        translated,
    } = json;
    subject.translated = translated;
    let hasher = Hasher::random();
    let (file, total) = (stream.source(), stream.total());
    let steps = (format.kind == Kind::PulumiPreview).then(|| Arc::new(Merged::new(file.clone())));
    let source = steps.clone().map_or(file, |steps| steps as Arc<dyn Source>);
    // The bytes of the first step are only a part of a change.
    let digest = digest.filter(|_| steps.is_none());
    let mut reading = Reading::new(stream, head, format.outline, start);
    let mut first = Vec::new();
    first.extend(reading.next(0));
    // A small file is read whole before anything is reported.
    while total.is_some_and(|total| total <= 2 * HEAD as u64) && reading.outcome.is_none() {
        first.extend(reading.next(HEAD));
    }
    let early = early_header(format, &subject.header, &reading)
        .map_err(|message| LoadError::unreadable(&subject.file, message))?;
    let mut collector = Collector::new(format.kind, hasher);
    let mut indexer = collector.indexer();
    let n_read = first.last().map_or(0, |piece| piece.n_read);
    for piece in &first {
        collector.add(
            0,
            index(format, &subject.context, digest, piece, &mut indexer),
        );
    }
    let error = reading.outcome.as_ref().and_then(|it| it.error.as_ref());
    if let Some(error) = error.filter(|_| collector.n_records() == 0) {
        return Err(nothing_before(subject.file, error, &*source));
    }
    let opened = || LoadEvent::Opened {
        document: Box::new(Document::new(early.clone(), source.clone())),
        total,
    };
    sink(opened());
    let has_no_change = format.kind == Kind::TerraformPlan && collector.n_records() == 0;
    let unread = total.filter(|_| has_no_change && reading.outcome.is_none());
    let guess = unread.and_then(|total| guessed(&subject, &*source, total, hasher));
    let replacing = guess.map(|mut guess| {
        let batch = Box::new(guess.take());
        let bytes = n_read;
        sink(LoadEvent::Indexed { batch, bytes });
        opened()
    });
    let mut reporter = Reporter {
        sink,
        collector,
        last: None,
        n_read,
        has_resources: false,
        replacing,
    };
    reporter.report(n_read, true);
    if reading.outcome.is_none() {
        reading = index_on_workers(&subject, digest, reading, &mut indexer, &mut reporter);
    }
    if let Some(steps) = steps {
        merge(&subject, &steps, &mut indexer, &mut reporter.collector);
    }
    // The end needs the memory of both.
    drop((indexer, first));
    report_end(subject, reading, source, follows, reporter)
}

/// The first changes of a plan at a glance.
fn guessed(
    subject: &Subject<'_>,
    source: &dyn Source,
    total: u64,
    hasher: Hasher,
) -> Option<Collector> {
    let format = subject.format;
    let piece = glance::changes(source, total, format.outline)?;
    let mut guess = Collector::new(format.kind, hasher);
    let findings = index(format, &subject.context, None, &piece, &mut guess.indexer());
    guess.add(0, findings);
    (guess.n_records() > 0).then_some(guess)
}

/// Reports the end of a document. Returns the one after it.
fn report_end(
    subject: Subject<'_>,
    mut reading: Reading,
    source: Arc<dyn Source>,
    follows: &Follows<'_>,
    mut reporter: Reporter<'_>,
) -> Result<Option<Prepared>, LoadError> {
    let outcome = reading.outcome.take();
    let stopped = outcome.is_none();
    let is_whole = outcome.as_ref().is_some_and(Outcome::is_whole);
    let trailing = if is_whole {
        // The findings are reported before the end of a pipe arrives.
        let n_read = reporter.n_read;
        reporter.report(n_read, true);
        trailing(reading, follows, &*source)
    } else {
        Ok(None)
    };
    let (next, damaged) = match trailing {
        Ok(next) => (next, None),
        Err(damage) => (None, Some(damage)),
    };
    let mut envelope = Envelope::new(subject.header);
    envelope.of_translated(subject.translated);
    let ending = Ending {
        file: subject.file,
        format: subject.format,
        notes: subject.notes,
        source,
        stopped,
    };
    ending.finish(outcome, damaged, envelope, reporter)?;
    Ok(next)
}

/// The error for a file that is broken before its first resource.
fn nothing_before(file: String, error: &ScanError, source: &dyn Source) -> LoadError {
    let (damage, advice) = damage::of_scan(error, source);
    LoadError::Unreadable {
        file,
        message: damage.message,
        detail: advice.to_owned(),
    }
}

/// Reads on to the first byte after the document that is not white space, where another document may follow. The end of a
/// compressed file has its checksum.
fn trailing(
    reading: Reading,
    follows: &Follows<'_>,
    source: &dyn Source,
) -> Result<Option<Prepared>, Damage> {
    let end = reading.end;
    let (mut offset, mut n_lines) = (end, 0);
    // Counting the lines of the document reads all of it again.
    let line = |n_lines: u64| damage::line_of(end, source) + n_lines;
    let mut piece = reading.trailing;
    let mut rest = reading.stream.into_stream();
    loop {
        let first = piece.iter().position(|byte| !byte.is_ascii_whitespace());
        let blank = &piece[..first.unwrap_or(piece.len())];
        offset += blank.len() as u64;
        n_lines += memchr::memchr_iter(b'\n', blank).count() as u64;
        if let Some(at) = first {
            let first = piece[at];
            // Lines are counted from the end of the document.
            let lines = io::repeat(b'\n').take(n_lines);
            let rest = lines.chain(io::Cursor::new(piece.split_off(at)).chain(rest));
            let damage = || damage::trailing(line(n_lines), offset, first);
            return follows(Box::new(rest)).map(Some).ok_or_else(damage);
        }
        piece = vec![0; HEAD];
        match rest.read(&mut piece) {
            Ok(0) => return Ok(None),
            Ok(n_read) => piece.truncate(n_read),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => piece.clear(),
            Err(error) => return Err(damage::of_io(&error, line(n_lines))),
        }
    }
}

/// Reads the steps of each change of a preview as one element. If a step cannot be read again, the record of the first step
/// stays.
fn merge(subject: &Subject<'_>, steps: &Merged, indexer: &mut Indexer, collector: &mut Collector) {
    for change in collector.take_merged() {
        let resource = change.resource;
        let span = steps.add(change);
        let Ok(bytes) = steps.read(span) else {
            continue;
        };
        let element = Element::at(span);
        let mut tape = Tape::default();
        let text = tape.read(&bytes);
        let site = Site {
            element: &element,
            context: &subject.context,
        };
        subject.format.index(site, &text, indexer);
        collector.merge(resource, indexer.take());
    }
}

/// The header as far as the first bytes give it; an error if the file is refused.
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

/// Reads the rest of the file. If it was stopped, the reading has no outcome.
fn index_on_workers(
    subject: &Subject<'_>,
    digest: Option<&DefaultHashBuilder>,
    reading: Reading,
    indexer: &mut Indexer,
    reporter: &mut Reporter<'_>,
) -> Reading {
    let (format, context, cancel) = (subject.format, &subject.context, subject.cancel);
    let n_workers = n_workers();
    reporter.collector.expect(n_workers);
    // A worker blocked on a pipe cannot see results found by the other workers: with a pipe this thread only collects.
    let takes_part = reading.stream.total().is_some();
    let mut order = Order {
        next: reading.next_number,
        early: BTreeMap::new(),
    };
    let reading = Mutex::new(reading);
    let work = |worker: usize, indexer: &mut Indexer| {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let piece = lock(&reading).next(PIECE)?;
        let findings = index(format, context, digest, &piece, indexer);
        let message = (piece.number, worker, findings, piece.n_read);
        lock(&reading).give_back(piece);
        Some(message)
    };
    let (to_collector, from_workers) = mpsc::sync_channel::<Message>(16);
    std::thread::scope(|scope| {
        for worker in 1..=n_workers - usize::from(takes_part) {
            let (work, to_collector) = (&work, to_collector.clone());
            let mut own = reporter.collector.indexer();
            scope.spawn(move || {
                while let Some(message) = work(worker, &mut own) {
                    if to_collector.send(message).is_err() {
                        return;
                    }
                }
            });
        }
        drop(to_collector);
        if takes_part {
            while let Some(message) = work(0, indexer) {
                order.take(message, reporter);
                for message in from_workers.try_iter() {
                    order.take(message, reporter);
                }
            }
        }
        for message in from_workers {
            order.take(message, reporter);
        }
    });
    reading.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The number of a piece, its worker, its findings, and the number of bytes of the file that had been read.
type Message = (usize, usize, Findings, u64);

/// Puts the findings of workers in the order of the file.
struct Order {
    next: usize,
    early: BTreeMap<usize, (usize, Findings, u64)>,
}

impl Order {
    /// Reports the findings of a worker, once all earlier ones were reported.
    fn take(&mut self, (number, worker, findings, n_read): Message, reporter: &mut Reporter<'_>) {
        self.early.insert(number, (worker, findings, n_read));
        while let Some((worker, findings, n_read)) = self.early.remove(&self.next) {
            reporter.collector.add(worker, findings);
            reporter.report(n_read, false);
            self.next += 1;
        }
    }
}

/// The work at the end of the file.
pub(super) struct Ending {
    pub(super) file: String,
    pub(super) format: &'static Format,
    pub(super) notes: Vec<Note>,
    pub(super) source: Arc<dyn Source>,
    pub(super) stopped: bool,
}

impl Ending {
    fn finish(
        mut self,
        outcome: Option<Outcome>,
        mut damaged: Option<Damage>,
        mut envelope: Envelope,
        reporter: Reporter<'_>,
    ) -> Result<(), LoadError> {
        if let Some(outcome) = outcome {
            format::envelope(self.format, &outcome.rest, &mut envelope);
            if let Some(why) = envelope.refused {
                return Err(LoadError::unreadable(&self.file, why));
            }
            let n_records = reporter.collector.n_records();
            if let Some(source) = outcome.io {
                if n_records == 0 {
                    return Err(LoadError::reading(&self.file, source));
                }
                let end = outcome.error.map_or(0, |error| error.offset);
                let line = damage::line_of(end, &*self.source);
                damaged = Some(damage::of_io(&source, line));
            } else if let Some(error) = &outcome.error {
                if n_records == 0 {
                    return Err(nothing_before(self.file, error, &*self.source));
                }
                damaged = Some(damage::of_scan(error, &*self.source).0);
            }
            if let Some(key) = &outcome.repeated {
                let message = format!("`{key}` occurs twice; both are shown");
                self.notes
                    .push(Note::new(Severity::Warning, "the file", message));
            }
        }
        self.report(envelope, damaged, reporter, LogSecrets::default());
        Ok(())
    }

    /// Reports the last resources, and the facts that are known only now.
    pub(super) fn report(
        mut self,
        mut envelope: Envelope,
        mut damaged: Option<Damage>,
        mut reporter: Reporter<'_>,
        secrets: LogSecrets,
    ) {
        if let Some(damage) = &mut damaged {
            let read = plural(reporter.collector.n_records() as usize, "resource");
            // Writing to a string never fails.
            _ = write!(damage.message, "; {read} read");
        }
        if self.is_of_opentofu(&envelope.header, &reporter) {
            envelope.header.tool = Tool::OpenTofu;
        }
        if !self.stopped {
            prior::read(&mut reporter.collector, &*self.source);
        }
        reporter.collector.close();
        let hiding = Hiding::of(&envelope, &mut reporter.collector);
        let references = std::mem::take(&mut envelope.references);
        let source = &*self.source;
        let (repeating, graph, notes, cycles) = std::thread::scope(|scope| {
            let hidden = hiding.as_ref().map(|hiding| {
                let envelope = &mut envelope;
                scope.spawn(move || repeated::hide(envelope, hiding, source))
            });
            reporter.collector.settle_drift();
            let (graph, notes) = reporter.collector.graph(&references);
            let cycles = Cycles::of(&graph, self.format.kind);
            let repeating = hidden.map(joined).unwrap_or_default();
            (repeating, graph, notes, cycles)
        });
        drop(hiding);
        self.notes.extend(notes);
        self.note_problems(&mut reporter.collector, damaged.as_ref());
        let notes = std::mem::take(&mut envelope.notes);
        self.notes.extend(bounded(notes, "the file"));
        for note in &mut self.notes {
            let place = || reporter.collector.find(&note.place);
            note.resource = note.resource.or_else(place);
        }
        reporter.replace();
        let batch = Box::new(reporter.collector.take());
        let mut counts = reporter.collector.counts();
        // The elements of other formats are not pieces of the file.
        let is_text = self.format.translate.is_none() && self.format.events.is_none();
        if let Some(broken) = counts.broken.as_mut().filter(|_| is_text) {
            broken.line = Some(damage::line_of(broken.offset, &*self.source));
        }
        (reporter.sink)(LoadEvent::Indexed {
            batch,
            bytes: reporter.n_read,
        });
        // The outputs of Pulumi are properties of a resource, and counted there.
        if !self.format.kind.is_pulumi() {
            counts.secrets += envelope.outputs.iter().map(Output::n_secrets).sum::<u64>();
        }
        let mut summary = Summary {
            header: envelope.header,
            outputs: envelope.outputs,
            notes: std::mem::take(&mut self.notes),
            counts,
            graph,
            cycles,
            references: Arc::new(references.into_iter().collect()),
            expressions: Arc::new(envelope.expressions),
            module_calls: Arc::new(envelope.module_calls.into_iter().collect()),
            invocations: envelope.invocations,
            sensitive: Arc::new(envelope.sensitive.into_iter().collect()),
            repeating: Arc::new(repeating),
            secrets,
            sources: Arc::new(envelope.sources),
            damage: damaged,
            stopped: self.stopped,
        };
        self.look_at_root(&reporter.collector, &mut summary);
        (reporter.sink)(LoadEvent::Finished(Box::new(summary)));
    }

    /// True if the file is of OpenTofu although it has the form of Terraform. A state or a plan does not say which of the two tools
    /// wrote it; the registry of its providers does.
    fn is_of_opentofu(&self, header: &Header, reporter: &Reporter<'_>) -> bool {
        let is_locked = || {
            header.dependency_locks().any(|lock| {
                let provider = lock.get("provider").and_then(Value::as_str);
                provider.is_some_and(format::is_of_opentofu)
            })
        };
        let is_in_prior_state = || {
            let is_plan = self.format.kind == Kind::TerraformPlan;
            is_plan
                && !reporter.collector.has_providers()
                && registry::names_opentofu(&*self.source, reporter.n_read)
        };
        header.tool == Tool::Terraform
            && (reporter.collector.has_opentofu() || is_locked() || is_in_prior_state())
    }

    /// Adds notes on the broken rules of a state, and on all that was left out.
    fn note_problems(&mut self, collector: &mut Collector, damaged: Option<&Damage>) {
        if !self.stopped {
            self.notes.extend(collector.integrity(&*self.source));
        }
        // The missing parts of a cut file are not dangling references.
        if !self.stopped && damaged.is_none() {
            let notes = collector.dangling(self.format, &*self.source);
            self.notes.extend(notes);
        }
        self.notes.extend(collector.left_out());
    }

    /// Fills in the facts that Pulumi's files have in the root resource only: the name, project and outputs of the stack.
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
