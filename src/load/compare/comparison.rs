//! The thread that joins the events of both files.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::compared::{Compared, Fate, Halves};
use super::judge::{self, Verdict};
use super::{Pair, WhichFile};
use crate::load::run::TICK;
use crate::load::workers::joined;
use crate::load::{Document, LoadError, LoadEvent, Summary, settle};
use crate::stack::{
    Action, Amendment, Batch, Damage, Flags, Kind, Note, ResourceId, Severity, Stack,
};

/// Number of threads that compare resources whose bytes differ.
const N_JUDGES: usize = 2;

/// Number of pairs that are judged before the verdicts are reported.
const SLICE: usize = 64;

/// A file that a thread reads.
pub(super) struct Reading<'t> {
    pub(super) name: String,
    pub(super) events: Receiver<LoadEvent>,
    pub(super) thread: ScopedJoinHandle<'t, Result<(), LoadError>>,
}

impl Reading<'_> {
    /// The reason why the file, which ended, was not opened.
    fn failure(self) -> LoadError {
        let nothing = || LoadError::unreadable(&self.name, "nothing to read".to_owned());
        joined(self.thread).err().unwrap_or_else(nothing)
    }
}

/// The state of the thread that joins two files. Arrays have one entry for each [`WhichFile`].
pub(super) struct Comparison<'s> {
    cancel: &'s AtomicBool,
    stop: &'s AtomicBool,
    allow_damaged: bool,
    sink: &'s mut dyn FnMut(LoadEvent),
    totals: [Option<u64>; 2],
    n_read: [u64; 2],
    /// By resource: the hash of its bytes, 0 if it has no hash.
    digests: [Vec<u64>; 2],
    /// New facts about resources that were reported before.
    amendments: Vec<Amendment>,
    /// Number of bytes read at the last report.
    n_told: u64,
    /// The time of the last report; `None` until both files are open.
    last: Option<Instant>,
}

impl<'s> Comparison<'s> {
    /// A comparison before anything is known about the files. Sets `stop` when `cancel` is set.
    pub(super) fn new(
        cancel: &'s AtomicBool,
        stop: &'s AtomicBool,
        allow_damaged: bool,
        sink: &'s mut dyn FnMut(LoadEvent),
    ) -> Self {
        Self {
            cancel,
            stop,
            allow_damaged,
            sink,
            totals: [None; 2],
            n_read: [0; 2],
            digests: Default::default(),
            amendments: Vec::new(),
            n_told: 0,
            last: None,
        }
    }

    /// Takes the events of both files, first those of the new one, until everything is compared.
    ///
    /// # Errors
    ///
    /// If one of the files cannot be shown at all, or the two are not of one tool.
    pub(super) fn run(mut self, old: Reading<'_>, new: Reading<'_>) -> Result<(), LoadError> {
        let Some(before) = self.opened(&old, WhichFile::Old) else {
            return Err(old.failure());
        };
        let Some(after) = self.opened(&new, WhichFile::New) else {
            return Err(new.failure());
        };
        check_kinds(
            [&old.name, &new.name],
            [&before, &after].map(|it| it.stack.header.kind),
        )?;
        let (both, summary) = self.take_new(&before, after, &new.events);
        let names = [old.name, new.name];
        let new_end = joined(new.thread);
        if new_end.is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
        let old_end = self.take_old(&both, &old.events);
        joined(old.thread)?;
        new_end?;
        let Some(summary) = summary else {
            return Ok(());
        };
        let (pairs, alone) = self.join(&both, old_end.is_whole());
        self.judge(&both, &pairs);
        self.finish(&names, &both, alone, old_end, summary)
    }

    /// The next message; `None` if nobody sends any more. Reports progress meanwhile.
    fn next<T>(&mut self, told: &Receiver<T>) -> Option<T> {
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                self.stop.store(true, Ordering::Relaxed);
            }
            let has_news =
                !self.amendments.is_empty() || self.n_told != self.n_read.iter().sum::<u64>();
            if has_news && self.last.is_some_and(|last| last.elapsed() >= TICK) {
                self.tell(Batch::default());
            }
            match told.recv_timeout(TICK) {
                Ok(message) => return Some(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn tell(&mut self, mut batch: Batch) {
        batch.amendments.append(&mut self.amendments);
        self.n_told = self.n_read.iter().sum::<u64>();
        self.last = Some(Instant::now());
        (self.sink)(LoadEvent::Indexed {
            batch: Box::new(batch),
            bytes: self.n_told,
        });
    }

    /// The document of a file before its first batch; `None` if it is not opened.
    fn opened(&mut self, reading: &Reading<'_>, side: WhichFile) -> Option<Document> {
        match self.next(&reading.events)? {
            LoadEvent::Opened { document, total } => {
                self.totals[side as usize] = total;
                Some(*document)
            }
            LoadEvent::Indexed { .. } | LoadEvent::Finished(_) => None,
        }
    }

    /// Reports the resources of the new file without actions. A file may begin twice: a preview, then the log after it.
    fn take_new(
        &mut self,
        before: &Document,
        after: Document,
        events: &Receiver<LoadEvent>,
    ) -> (Arc<Compared>, Option<Box<Summary>>) {
        let (mut both, mut summary) = (self.begin(before, after), None);
        while let Some(event) = self.next(events) {
            match event {
                LoadEvent::Opened { document, total } => {
                    self.totals[1] = total;
                    both = self.begin(before, *document);
                }
                LoadEvent::Indexed { mut batch, bytes } => {
                    self.note(WhichFile::New, &batch, bytes);
                    // Both files together have a graph of their own.
                    batch.graph = None;
                    both.halves_mut().new.stack.extend((*batch).clone());
                    let renewed = batch.renewed.iter_mut().map(|renewed| &mut renewed.record);
                    for record in batch.chunk.records.iter_mut().chain(renewed) {
                        if !record.flags.contains(Flags::DRIFT_ENTRY) {
                            record.action = None;
                            // A refresh of Pulumi is compared like any other change.
                            record.flags = record.flags.without(Flags::DRIFT_ONLY);
                        }
                    }
                    self.tell(*batch);
                }
                LoadEvent::Finished(it) => {
                    // An audit compares the plan with this half alone.
                    let stack = &mut both.halves_mut().new.stack;
                    stack.header = it.header.clone();
                    stack.outputs = Arc::new(it.outputs.clone());
                    stack.damage.clone_from(&it.damage);
                    summary = Some(it);
                }
            }
        }
        (both, summary)
    }

    fn begin(&mut self, before: &Document, after: Document) -> Arc<Compared> {
        let header = after.stack.header.clone();
        let both = Arc::new(Compared::new(before.clone(), after));
        self.digests[1].clear();
        self.last = Some(Instant::now());
        let total = self.totals[0].zip(self.totals[1]);
        (self.sink)(LoadEvent::Opened {
            document: Box::new(Document::of_two(header, Arc::clone(&both))),
            total: total.map(|(one, other)| one + other),
        });
        both
    }

    fn take_old(&mut self, both: &Compared, events: &Receiver<LoadEvent>) -> OldEnd {
        let mut end = OldEnd {
            stopped: true,
            damage: None,
        };
        while let Some(event) = self.next(events) {
            match event {
                LoadEvent::Opened { document, .. } => {
                    self.digests[0].clear();
                    both.halves_mut().old = *document;
                }
                LoadEvent::Indexed { batch, bytes } => {
                    self.note(WhichFile::Old, &batch, bytes);
                    both.halves_mut().old.stack.extend(*batch);
                }
                LoadEvent::Finished(summary) => {
                    end.stopped = summary.stopped;
                    end.damage.clone_from(&summary.damage);
                    settle(&mut both.halves_mut().old.stack, *summary);
                }
            }
        }
        end
    }

    /// Notes the digests of a batch. Resources that it changes have none: their bytes say no longer what they are.
    fn note(&mut self, side: WhichFile, batch: &Batch, n_read: u64) {
        self.n_read[side as usize] = n_read;
        let digests = &mut self.digests[side as usize];
        let wanted = digests.len() + batch.chunk.n_records();
        digests.extend_from_slice(&batch.digests);
        digests.resize(wanted, 0);
        for renewed in &batch.renewed {
            if let Some(digest) = digests.get_mut(renewed.resource.index()) {
                *digest = 0;
            }
        }
    }

    /// Pairs the resources of both files. Returns the pairs that have to be judged, and the resources that only the old file
    /// has. A resource of the new file alone is new if the old file is whole.
    fn join(&mut self, both: &Compared, is_whole: bool) -> (Vec<Pair>, Vec<ResourceId>) {
        let halves = both.halves();
        let (mut pairs, mut fates) = (Vec::new(), Vec::new());
        let mut waiting = Waiting::new(&halves.old.stack);
        for new in resources(&halves.new.stack) {
            let old = waiting.take(&halves, new);
            let action = match old.map(|old| Pair { old, new }) {
                None => is_whole.then(|| halves.alone(new)),
                Some(pair) if self.is_written_alike(&halves, pair) => Some(Action::Noop),
                Some(pair) => {
                    pairs.push(pair);
                    None
                }
            };
            fates.push((new, Fate::new(old, action)));
            self.amend(new, action, Flags::NONE);
        }
        let alone = waiting.rest(&halves.old.stack);
        drop(halves);
        let mut halves = both.halves_mut();
        for (id, fate) in fates {
            halves.set_fate(id, fate);
        }
        (pairs, alone)
    }

    /// True if the hashes and records of two resources are the same.
    fn is_written_alike(&self, halves: &Halves, pair: Pair) -> bool {
        let digest = |side: WhichFile, id: ResourceId| {
            let digest = self.digests[side as usize].get(id.index()).copied();
            digest.filter(|digest| *digest != 0)
        };
        let one = digest(WhichFile::Old, pair.old);
        one.is_some() && one == digest(WhichFile::New, pair.new) && halves.is_like(pair)
    }

    /// Reports the action of a resource that was reported before.
    fn amend(&mut self, resource: ResourceId, action: Option<Action>, flags: Flags) {
        if action.is_some() {
            self.amendments.push(Amendment {
                resource,
                parent: None,
                flags,
                action,
            });
        }
    }

    /// Judges the pairs, several at a time.
    fn judge(&mut self, both: &Compared, pairs: &[Pair]) {
        let cases = Mutex::new(pairs.chunks(SLICE));
        let (tell, told) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..N_JUDGES {
                let (tell, cases, stop) = (tell.clone(), &cases, self.stop);
                scope.spawn(move || judge::work(both, cases, &tell, stop));
            }
            drop(tell);
            while let Some(verdicts) = self.next(&told) {
                self.take_verdicts(both, verdicts);
            }
        });
    }

    fn take_verdicts(&mut self, both: &Compared, verdicts: Vec<Verdict>) {
        let mut halves = both.halves_mut();
        for (pair, action, tally) in verdicts {
            let action = Some(action);
            let fate = Fate::new(Some(pair.old), action);
            halves.set_fate(pair.new, Fate { tally, ..fate });
            let not_done = halves.is_not_done(pair.old);
            let flags = Flags::NONE.with(Flags::NOT_DONE, not_done);
            self.amend(pair.new, action, flags);
        }
    }

    fn finish(
        mut self,
        names: &[String; 2],
        both: &Compared,
        alone: Vec<ResourceId>,
        old_end: OldEnd,
        mut summary: Box<Summary>,
    ) -> Result<(), LoadError> {
        summary.stopped |= old_end.stopped;
        let damages = [old_end.damage, summary.damage.take()];
        let is_whole = [0, 1].map(|side| damages[side].is_none());
        summary.damage = self.damage_of_both(names, damages)?;
        let mut halves = both.halves_mut();
        let n_open = halves.fates().filter(|it| it.1.action.is_none()).count();
        let (mut gone, mut n_planned) = (Vec::new(), 0);
        if summary.stopped {
            summary.notes.extend(stopped_note(n_open));
        } else {
            let (planned, others): (Vec<_>, Vec<_>) = alone
                .into_iter()
                .partition(|id| halves.may_be_alone(WhichFile::Old, *id));
            let is_planned = |id: &&ResourceId| halves.is_planned_gone(WhichFile::Old, **id);
            (gone, n_planned) = (others, planned.iter().filter(is_planned).count());
            if !is_whole[0] {
                summary.notes.extend(missing_note(&names[0], n_open, "new"));
            }
            if !is_whole[1] {
                let notes = missing_note(&names[1], gone.len(), "deleted");
                summary.notes.extend(notes);
                gone.clear();
            }
        }
        let batch = halves.finish(gone, n_planned, is_whole, &mut summary);
        drop(halves);
        self.tell(batch);
        (self.sink)(LoadEvent::Finished(summary));
        Ok(())
    }

    /// Damage to either file, with its name; an error if damaged files are not to be compared.
    fn damage_of_both(
        &self,
        names: &[String; 2],
        damages: [Option<Damage>; 2],
    ) -> Result<Option<Damage>, LoadError> {
        let mut both: Option<Damage> = None;
        for ((file, word), damage) in names.iter().zip(["old", "new"]).zip(damages) {
            let Some(damage) = damage else { continue };
            if !self.allow_damaged {
                return Err(LoadError::Damaged {
                    file: file.clone(),
                    message: damage.message,
                });
            }
            let message = format!("{file}: {}", damage.message);
            let title = format!("{word} file {}", damage.title);
            both = Some(match both {
                None => Damage { title, message },
                Some(first) => Damage {
                    title: format!("{}, {title}", first.title),
                    message: format!("{}; {message}", first.message),
                },
            });
        }
        Ok(both)
    }
}

/// A note on resources that only the whole file has, if the other one is cut off.
fn missing_note(damaged: &str, n_missing: usize, fate: &str) -> Option<Note> {
    let of = if n_missing == 1 {
        "resource is"
    } else {
        "resources are"
    };
    (n_missing > 0).then(|| {
        let missing = format!("{n_missing} {of} only in the other file and not listed as {fate}");
        let message = format!("{damaged} is incomplete: {missing}");
        Note::new(Severity::Warning, "the comparison", message)
    })
}

/// A note on resources whose action is not known because the comparison was stopped.
fn stopped_note(n_open: usize) -> Option<Note> {
    (n_open > 0).then(|| {
        let what = "of the resources were not compared and are listed without a change";
        let message = format!("it was stopped; {n_open} {what}");
        Note::new(Severity::Warning, "the comparison", message)
    })
}

/// The end of the old file.
struct OldEnd {
    stopped: bool,
    damage: Option<Damage>,
}

impl OldEnd {
    /// True if every resource of the old file is known.
    fn is_whole(&self) -> bool {
        !self.stopped && self.damage.is_none()
    }
}

/// An error if the two files are not of one tool, or if one of them has no values.
fn check_kinds(names: [&String; 2], kinds: [Kind; 2]) -> Result<(), LoadError> {
    let [one, other] = kinds;
    if one.is_pulumi() != other.is_pulumi() {
        return Err(LoadError::Unlike { one, other });
    }
    for (file, [kind, beside]) in names.into_iter().zip([[one, other], [other, one]]) {
        // Two logs are compared by their actions.
        let lacks_values = kind == Kind::ProviderSchemas
            || kind == Kind::TerraformUi && beside != Kind::TerraformUi;
        if lacks_values {
            let file = file.clone();
            return Err(LoadError::Incomparable { file, kind });
        }
    }
    Ok(())
}

/// The resources that take part in pairing. Drift entries do not: a plan lists them in addition to the resource itself.
fn resources(stack: &Stack) -> impl DoubleEndedIterator<Item = ResourceId> + use<'_> {
    let is_resource = |id: &ResourceId| !stack.record(*id).flags.contains(Flags::DRIFT_ENTRY);
    stack.ids().filter(is_resource)
}

/// The key that two paired resources share: the name that a person uses, and true for an old copy.
///
/// The address for Terraform, since a URN made from it has the name of the file in it.
fn key(stack: &Stack, id: ResourceId) -> (&str, &str, bool) {
    let record = stack.record(id);
    let prefix = match stack.address(id) {
        Some(_) => "",
        None => stack.tables.prefix(record.prefix).text(),
    };
    let is_old_copy = record.flags.contains(Flags::PENDING_DELETE);
    (prefix, stack.name(id), is_old_copy)
}

/// The resources of the old file that have no counterpart yet.
struct Waiting {
    hasher: DefaultHashBuilder,
    /// The first one with each key.
    first: HashTable<ResourceId>,
    /// By resource: the next one with the same key, and whether it has a counterpart.
    next: Vec<Option<ResourceId>>,
    is_taken: Vec<bool>,
}

impl Waiting {
    fn new(old: &Stack) -> Self {
        let mut waiting = Self {
            hasher: DefaultHashBuilder::default(),
            first: HashTable::with_capacity(old.len()),
            next: vec![None; old.len()],
            is_taken: vec![false; old.len()],
        };
        let hash = |id: ResourceId| waiting.hasher.hash_one(key(old, id));
        for id in resources(old).rev() {
            let is_same = |other: &ResourceId| key(old, *other) == key(old, id);
            match waiting.first.entry(hash(id), is_same, |id| hash(*id)) {
                Entry::Vacant(entry) => drop(entry.insert(id)),
                Entry::Occupied(mut entry) => {
                    waiting.next[id.index()] = Some(std::mem::replace(entry.get_mut(), id));
                }
            }
        }
        waiting
    }

    /// Removes and returns the first resource that waits for `new`.
    fn take(&mut self, halves: &Halves, new: ResourceId) -> Option<ResourceId> {
        let own = key(&halves.new.stack, new);
        let is_own = |old: &ResourceId| key(&halves.old.stack, *old) == own;
        let mut entry = self
            .first
            .find_entry(self.hasher.hash_one(own), is_own)
            .ok()?;
        let found = *entry.get();
        self.is_taken[found.index()] = true;
        match self.next[found.index()] {
            Some(next) => *entry.get_mut() = next,
            None => drop(entry.remove()),
        }
        Some(found)
    }

    /// The remaining resources, in the order of the file.
    fn rest(&self, old: &Stack) -> Vec<ResourceId> {
        resources(old)
            .filter(|id| !self.is_taken[id.index()])
            .collect()
    }
}
