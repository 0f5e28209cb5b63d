//! Logs of runs: steps that arrive and change while the run goes on.
//!
//! A thread reads, so that a silent pipe blocks nothing: news is reported within a [`TICK`], and a stop takes effect. A file is
//! read the same way; it only ends sooner.

use std::io::{self, Read};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use super::Document;
use super::collect::Collector;
use super::prepare::Log;
use super::run::{Ending, Reporter, TICK};
use super::subject::Subject;
use super::{Limits, LoadError, LoadEvent, damage};
use crate::format::envelope::Envelope;
use crate::format::event_log::EventLog;
use crate::format::{self, Context, Format, Site, Source, SourceError};
use crate::index::hash::Hasher;
use crate::index::indexer::Indexer;
use crate::index::scan::Element;
use crate::json::tape::Tape;
use crate::stack::{Header, Note, ResourceId, Severity, Span};
use crate::value::Map;

/// Number of bytes that are read at once.
const PIECE: usize = 1 << 16;

/// Maximum number of waiting pieces; a faster reader waits.
const MAX_PIECES: usize = 16;

/// Maximum time until a stop takes effect while nothing arrives.
const PATIENCE: Duration = Duration::from_millis(100);

/// The treatment of the rest when reading is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// It is read and thrown away, so that the program at the other end of the pipe can go on.
    Drained,
    /// It is not read.
    Left,
}

/// Reads and reports, until the end or until it is stopped.
pub(super) fn run(
    subject: Subject<'_>,
    log: Log,
    rest: Rest,
    limits: Limits,
    sink: &mut dyn FnMut(LoadEvent),
) -> Result<(), LoadError> {
    let Subject {
        file,
        format,
        context,
        header,
        notes,
        cancel,
        ..
    } = subject;
    let Log {
        events,
        reader,
        head,
    } = log;
    let hasher = Hasher::random();
    let collector = Collector::of_log(format.kind, hasher);
    let steps = Arc::new(Steps::default());
    let mut run = Run {
        format,
        context,
        log: EventLog::new(events),
        head: Map::default(),
        header,
        is_open: false,
        indexer: collector.indexer(),
        n_failures: 0,
        linked: (0, 0),
        steps: Arc::clone(&steps),
        reporter: Reporter {
            sink,
            collector,
            last: None,
            n_read: head.len() as u64,
            has_resources: false,
            replacing: None,
        },
    };
    run.log.push(&head);
    let pieces = read_on_thread(reader, rest);
    let mut is_new = true;
    let ending = loop {
        if cancel.load(Ordering::Relaxed) {
            break Outcome::Stopped;
        }
        let since = run.reporter.last.map_or(TICK, |last| last.elapsed());
        if is_new && since >= TICK {
            run.report();
            is_new = false;
        }
        let wait = if is_new {
            TICK.saturating_sub(since)
        } else {
            PATIENCE
        };
        match pieces.recv_timeout(wait) {
            Ok(Ok(piece)) => {
                run.log.push(&piece);
                run.reporter.n_read += piece.len() as u64;
                is_new = true;
                if let Err(error) = limits.whole().check(run.reporter.n_read) {
                    break Outcome::Broken(error);
                }
            }
            Ok(Err(error)) => break Outcome::Broken(error),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break Outcome::Ended,
        }
    };
    run.finish(file, notes, ending)
}

/// The way in which reading ended.
enum Outcome {
    Ended,
    Stopped,
    Broken(io::Error),
}

/// The pieces that `reader` gives, read on a thread that ends with the reader or when the receiver is dropped. `rest`
/// decides about the remaining bytes.
fn read_on_thread(mut reader: Box<dyn Read + Send>, rest: Rest) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, pieces) = mpsc::sync_channel(MAX_PIECES);
    thread::spawn(move || {
        let mut buffer = vec![0; PIECE];
        loop {
            let piece = match reader.read(&mut buffer) {
                Ok(0) => return,
                Ok(n_read) => Ok(buffer[..n_read].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let is_broken = piece.is_err();
            if sender.send(piece).is_err() {
                if rest == Rest::Drained {
                    let _ = io::copy(&mut reader, &mut io::sink());
                }
                return;
            }
            if is_broken {
                return;
            }
        }
    });
    pieces
}

/// A log while it is read.
struct Run<'s> {
    format: &'static Format,
    context: Context,
    log: EventLog,
    /// The facts about the log as a whole so far.
    head: Map,
    header: Header,
    /// True once `Opened` was reported.
    is_open: bool,
    indexer: Indexer,
    /// Number of errors that the run reported.
    n_failures: usize,
    /// The numbers of errors and of records when the dependencies were last resolved.
    linked: (usize, u32),
    steps: Arc<Steps>,
    reporter: Reporter<'s>,
}

impl Run<'_> {
    /// Reports the news.
    fn report(&mut self) {
        if self.log.n_events() == 0 {
            self.reporter.last = Some(Instant::now());
            return;
        }
        self.take_in();
        self.link();
        let n_read = self.reporter.n_read;
        self.reporter.report(n_read, true);
    }

    /// Resolves the dependencies so far, once something failed: they say what the failure holds up. Without news, the last graph
    /// stays.
    fn link(&mut self) {
        let known = (self.n_failures, self.reporter.collector.n_records());
        if self.n_failures > 0 && self.linked != known {
            self.linked = known;
            self.reporter.collector.tell_graph();
        }
    }

    /// Puts the news into the next batch.
    fn take_in(&mut self) {
        let news = self.log.take_news();
        let collector = &mut self.reporter.collector;
        let knew_stack = collector.any_urn().is_some();
        for (number, bytes) in news.steps {
            let span = self.steps.put(number, bytes.clone());
            let element = Element::at(span);
            let (format, indexer) = (self.format, &mut self.indexer);
            let site = Site {
                element: &element,
                context: &self.context,
            };
            format.index(site, &Tape::default().read(&bytes), indexer);
            let findings = indexer.take();
            if number < collector.n_records() as usize {
                let id = ResourceId(u32::try_from(number).unwrap_or(u32::MAX));
                collector.renew(id, findings);
            } else {
                collector.add(0, findings);
            }
        }
        for note in news.notes {
            self.n_failures += usize::from(note.severity == Severity::Failure);
            collector.note(note);
        }
        collector.times(news.clock, news.started);
        let is_stack_new = collector.any_urn().is_some() && !knew_stack;
        let is_head_new = news.head.is_some();
        self.head = news.head.unwrap_or_else(|| std::mem::take(&mut self.head));
        if is_stack_new || is_head_new || !self.is_open {
            let header = self.header_so_far();
            if self.is_open {
                self.reporter.collector.header(header);
            } else {
                self.is_open = true;
                (self.reporter.sink)(LoadEvent::Opened {
                    document: Box::new(Document::new(header, self.steps.clone())),
                    total: None,
                });
            }
        }
    }

    fn header_so_far(&self) -> Header {
        let mut envelope = Envelope::new(self.header.clone());
        format::envelope_of_log(self.format, &self.head, &mut envelope);
        if self.format.kind.is_pulumi() {
            self.reporter.collector.name_stack(&mut envelope.header);
        }
        envelope.header
    }

    fn finish(mut self, file: String, notes: Vec<Note>, outcome: Outcome) -> Result<(), LoadError> {
        // If the person stopped it, the log goes on, and so do the operations under way.
        if !matches!(outcome, Outcome::Stopped) {
            self.log.end();
        }
        let of_lines = || self.log.broken().as_ref().map(damage::of_lines);
        let (stopped, damaged) = match outcome {
            Outcome::Ended => (false, of_lines()),
            Outcome::Stopped => (true, None),
            Outcome::Broken(source) if self.log.n_events() == 0 => {
                return Err(LoadError::reading(&file, source));
            }
            Outcome::Broken(source) => {
                let line = self.log.n_lines().max(1) as u64;
                (false, Some(damage::of_io(&source, line)))
            }
        };
        if self.log.n_events() == 0 && !stopped {
            let message = "this log contains no JSON".to_owned();
            return Err(LoadError::unreadable(&file, message));
        }
        let secrets = self.log.take_secrets();
        self.take_in();
        let mut envelope = Envelope::new(self.header.clone());
        format::envelope_of_log(self.format, &self.log.head(), &mut envelope);
        let ending = Ending {
            file,
            format: self.format,
            notes,
            source: self.steps,
            stopped,
        };
        ending.report(envelope, damaged, self.reporter, secrets);
        Ok(())
    }
}

/// The current steps, each in a separate place. Never on a disk, because they may hold secrets.
///
/// A [`Span`] begins at the number of the step times [`SPAN_STRIDE`]; it means the whole step, whatever its length was.
#[derive(Default)]
struct Steps {
    steps: RwLock<Vec<Arc<[u8]>>>,
}

/// The distance between the offsets of two steps.
const SPAN_STRIDE: u64 = 1 << 32;

impl Steps {
    fn put(&self, number: usize, bytes: Vec<u8>) -> Span {
        let span = Span {
            offset: number as u64 * SPAN_STRIDE,
            len: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        };
        let mut steps = self.steps.write().unwrap_or_else(PoisonError::into_inner);
        if steps.len() <= number {
            steps.resize(number + 1, Arc::default());
        }
        steps[number] = bytes.into();
        span
    }
}

impl Source for Steps {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        bytes.clear();
        let steps = self.steps.read().unwrap_or_else(PoisonError::into_inner);
        let number = usize::try_from(span.offset / SPAN_STRIDE).unwrap_or(usize::MAX);
        let step = steps
            .get(number)
            .filter(|_| span.offset.is_multiple_of(SPAN_STRIDE));
        let step = step.ok_or_else(|| SourceError::Io {
            file: "the log".to_owned(),
            message: "nothing stands there".to_owned(),
        })?;
        bytes.extend_from_slice(step);
        Ok(())
    }
}
