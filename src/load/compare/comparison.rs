//! The thread that joins the events of both files.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

use super::arrivals::Arrivals;
use super::compared::{Compared, Fate, Halves};
use super::judge::{Case, Verdict};
use super::waiting::{Waiting, is_resource};
use super::{JoinMessage, Pair, WhichFile};
use crate::load::run::TICK;
use crate::load::{Document, LoadError, LoadEvent, Summary, settle};
use crate::stack::{Action, Amendment, Batch, Damage, Flags, Note, ResourceId, Severity};

/// Number of pairs that are judged before the verdicts are reported.
const SLICE: usize = 64;

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

/// The state of the thread that joins two files. Arrays have one entry for each [`WhichFile`].
pub(super) struct Comparison<'s> {
    to_judges: Sender<Case>,
    sink: &'s mut dyn FnMut(LoadEvent),
    arrivals: Arrivals,
    allow_damaged: bool,
    /// True if the new file has to wait for the end of the old one; `None` until both are open.
    in_turn: Option<bool>,
    /// The old file, until the new one begins.
    old: Option<Document>,
    old_end: Option<OldEnd>,
    both: Option<Arc<Compared>>,
    summary: Option<Box<Summary>>,
    waiting: Waiting,
    /// By resource: the hash of its bytes, 0 if it has no hash.
    digests: [Vec<u64>; 2],
    /// Pairs that have to be judged.
    pairs: Vec<Pair>,
    /// Number of pairs that the judges have.
    n_judged: usize,
    /// Resources that changed after they were compared.
    again: [BTreeSet<ResourceId>; 2],
    /// True if equal bytes were taken to mean the same in both files.
    trusts: bool,
    /// New facts about resources that were reported before.
    amendments: Vec<Amendment>,
    totals: [Option<u64>; 2],
    n_read: [u64; 2],
    /// Number of bytes read at the last report; `last` is its time.
    n_told: u64,
    last: Instant,
}

impl<'s> Comparison<'s> {
    /// A comparison of two files with these names, before anything is known about them.
    pub(super) fn new(
        names: [String; 2],
        allow_damaged: bool,
        to_judges: Sender<Case>,
        sink: &'s mut dyn FnMut(LoadEvent),
    ) -> Self {
        Self {
            to_judges,
            sink,
            arrivals: Arrivals::new(names),
            allow_damaged,
            in_turn: None,
            old: None,
            old_end: None,
            both: None,
            summary: None,
            waiting: Waiting::default(),
            digests: Default::default(),
            pairs: Vec::new(),
            n_judged: 0,
            again: Default::default(),
            trusts: false,
            amendments: Vec::new(),
            totals: [None; 2],
            n_read: [0; 2],
            n_told: 0,
            last: Instant::now(),
        }
    }

    /// Processes messages until both files have ended and everything is compared; sets `stop` when `cancel` is set.
    ///
    /// # Errors
    ///
    /// If one of the files cannot be shown at all, or the two are not of one tool.
    pub(super) fn run(
        mut self,
        told: &Receiver<JoinMessage>,
        cancel: &AtomicBool,
        stop: &AtomicBool,
    ) -> Result<(), LoadError> {
        loop {
            match told.recv_timeout(TICK) {
                Ok(JoinMessage::Read(side, event)) => self.arrivals.add(side, event),
                Ok(JoinMessage::Ended(side, outcome)) => self.arrivals.end(side, outcome),
                Ok(JoinMessage::Judged(both, verdicts)) => self.take_verdicts(&both, verdicts),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(JoinMessage::Broken) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if cancel.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
            if let Some(error) = self.arrivals.failure() {
                return Err(error);
            }
            self.proceed()?;
            self.tell_now_and_then();
            if self.is_settled() {
                return self.finish();
            }
        }
    }

    /// Processes the events that were read.
    fn proceed(&mut self) -> Result<(), LoadError> {
        if self.in_turn.is_none() {
            self.in_turn = self.arrivals.is_in_turn()?;
        }
        let Some(in_turn) = self.in_turn else {
            return Ok(());
        };
        while let Some(event) = self.arrivals.next(WhichFile::Old) {
            self.take_old(event);
        }
        if !in_turn || self.arrivals.has_ended(WhichFile::Old) {
            while let Some(event) = self.arrivals.next(WhichFile::New) {
                self.take_new(event);
            }
        }
        self.send_pairs();
        Ok(())
    }

    fn take_old(&mut self, event: LoadEvent) {
        match event {
            LoadEvent::Opened { document, total } => {
                self.totals[0] = total;
                self.old_end = None;
                self.digests[0].clear();
                self.old = Some(*document);
            }
            LoadEvent::Indexed { batch, bytes } => {
                self.note(WhichFile::Old, &batch, bytes);
                let Some(both) = self.both.clone() else {
                    if let Some(old) = &mut self.old {
                        old.stack.extend(*batch);
                    }
                    return;
                };
                let from = both.halves().old.stack.len();
                both.halves_mut().old.stack.extend(*batch);
                for (id, fate) in self.join(&both, WhichFile::Old, from) {
                    self.amend(id, fate.action);
                }
            }
            LoadEvent::Finished(summary) => {
                self.old_end = Some(OldEnd {
                    stopped: summary.stopped,
                    damage: summary.damage.clone(),
                });
                match (&self.both, &mut self.old) {
                    (Some(both), _) => settle(&mut both.halves_mut().old.stack, *summary),
                    (None, Some(old)) => settle(&mut old.stack, *summary),
                    (None, None) => {}
                }
                self.create();
            }
        }
    }

    fn take_new(&mut self, event: LoadEvent) {
        match (event, self.both.clone()) {
            (LoadEvent::Opened { document, total }, _) => {
                self.totals[1] = total;
                self.begin(*document);
            }
            (LoadEvent::Indexed { mut batch, bytes }, Some(both)) => {
                self.note(WhichFile::New, &batch, bytes);
                // Both files together have a graph of their own.
                batch.graph = None;
                let from = both.halves().new.stack.len();
                both.halves_mut().new.stack.extend((*batch).clone());
                for (id, fate) in self.join(&both, WhichFile::New, from) {
                    batch.chunk.records[id.index() - from].action = fate.action;
                }
                let halves = both.halves();
                for renewed in &mut batch.renewed {
                    if let Some(fate) = halves.fate(renewed.resource) {
                        renewed.record.action = fate.action;
                    }
                }
                drop(halves);
                // A refresh of Pulumi is compared like any other change.
                let renewed = batch.renewed.iter_mut().map(|renewed| &mut renewed.record);
                for record in batch.chunk.records.iter_mut().chain(renewed) {
                    if !record.flags.contains(Flags::DRIFT_ENTRY) {
                        record.flags = record.flags.without(Flags::DRIFT_ONLY);
                    }
                }
                self.tell(*batch);
            }
            (LoadEvent::Finished(summary), Some(both)) => {
                let mut halves = both.halves_mut();
                // An audit compares the plan with this half alone.
                let stack = &mut halves.new.stack;
                stack.header = summary.header.clone();
                stack.outputs = Arc::new(summary.outputs.clone());
                stack.damage.clone_from(&summary.damage);
                drop(halves);
                self.summary = Some(summary);
            }
            (LoadEvent::Indexed { .. } | LoadEvent::Finished(_), None) => {}
        }
    }

    /// Begins the new file. A file may begin twice: a preview, then the log after it.
    fn begin(&mut self, new: Document) {
        let earlier = self.both.take();
        let earlier = earlier.map(|both| both.halves().old.clone());
        let Some(old) = earlier.or_else(|| self.old.take()) else {
            return;
        };
        let header = new.stack.header.clone();
        let both = Arc::new(Compared::new(old, new));
        self.both = Some(Arc::clone(&both));
        self.waiting = Waiting::default();
        self.digests[1].clear();
        self.pairs.clear();
        self.amendments.clear();
        self.last = Instant::now();
        self.join(&both, WhichFile::Old, 0);
        let total = self.totals[0].zip(self.totals[1]);
        (self.sink)(LoadEvent::Opened {
            document: Box::new(Document::of_two(header, both)),
            total: total.map(|(one, other)| one + other),
        });
    }

    /// Notes the digests of a batch, and the earlier resources that it changes.
    fn note(&mut self, side: WhichFile, batch: &Batch, n_read: u64) {
        self.n_read[side as usize] = n_read;
        let digests = &mut self.digests[side as usize];
        let wanted = digests.len() + batch.chunk.n_records();
        digests.extend_from_slice(&batch.digests);
        digests.resize(wanted, 0);
        let amended = batch.amendments.iter();
        let amended = amended.filter(|amendment| amendment.flags != Flags::NONE);
        let amended = amended.map(|amendment| amendment.resource);
        let renewed = batch.renewed.iter().map(|renewed| renewed.resource);
        self.again[side as usize].extend(amended.chain(renewed));
    }

    /// Pairs the resources of one file from `from` on with the waiting ones of the other file. Returns the fates of resources
    /// of the new file, ascending if they are new.
    fn join(&mut self, both: &Compared, side: WhichFile, from: usize) -> Vec<(ResourceId, Fate)> {
        let mut fates = Vec::new();
        let halves = both.halves();
        let stack = halves.stack(side);
        let has_all = self.old_end.as_ref().is_some_and(OldEnd::is_whole);
        for id in stack.ids().skip(from) {
            if !is_resource(stack, id) {
                continue;
            }
            let (old, new) = match (side, self.waiting.meet(&halves, side, id)) {
                (WhichFile::Old, Some(new)) => (id, new),
                (WhichFile::New, Some(old)) => (old, id),
                (WhichFile::Old, None) => continue,
                (WhichFile::New, None) => {
                    let action = has_all.then(|| halves.alone(id));
                    fates.push((id, Fate::new(None, action)));
                    continue;
                }
            };
            let pair = Pair { old, new };
            let is_same = self.is_written_alike(&halves, pair);
            if is_same {
                self.trusts = true;
            } else {
                self.pairs.push(pair);
            }
            let fate = Fate::new(Some(old), is_same.then_some(Action::Noop));
            fates.push((new, fate));
        }
        drop(halves);
        let mut halves = both.halves_mut();
        for (id, fate) in &fates {
            halves.set_fate(*id, *fate);
        }
        fates
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
    fn amend(&mut self, resource: ResourceId, action: Option<Action>) {
        if action.is_some() {
            self.amendments.push(Amendment {
                resource,
                parent: None,
                flags: Flags::NONE,
                action,
            });
        }
    }

    /// Settles the waiting resources of the new file, which the old one does not have, if the old one is whole.
    fn create(&mut self) {
        let Some(both) = self.both.clone() else {
            return;
        };
        if !self.old_end.as_ref().is_some_and(OldEnd::is_whole) {
            return;
        }
        let created = self.waiting.rest(WhichFile::New);
        let mut halves = both.halves_mut();
        for id in created {
            let fate = Fate::new(None, Some(halves.alone(id)));
            halves.set_fate(id, fate);
            self.amend(id, fate.action);
        }
    }

    fn take_verdicts(&mut self, judged: &Arc<Compared>, verdicts: Vec<Verdict>) {
        self.n_judged -= verdicts.len();
        // The new file may have begun once more.
        let Some(both) = self.both.clone().filter(|it| Arc::ptr_eq(it, judged)) else {
            return;
        };
        let mut halves = both.halves_mut();
        for (id, verdict) in verdicts {
            if let (Some(fate), Some((action, tally))) = (halves.fate(id), verdict) {
                let action = Some(action);
                let fate = Fate {
                    action,
                    tally,
                    ..fate
                };
                let not_done = fate.before.is_some_and(|old| halves.is_not_done(old));
                halves.set_fate(id, fate);
                self.amend(id, action);
                let last = self.amendments.last_mut().filter(|_| not_done);
                if let Some(amendment) = last {
                    amendment.flags = Flags::NOT_DONE;
                }
            }
        }
    }

    /// Sends the judges the pairs that have to be judged. If there are none, sends those that have to be judged again.
    fn send_pairs(&mut self) {
        let Some(both) = self.both.clone() else {
            return;
        };
        let is_idle = self.pairs.is_empty() && self.n_judged == 0;
        if is_idle && self.again.iter().any(|again| !again.is_empty()) {
            let [old, new] = std::mem::take(&mut self.again);
            self.judge_again(&both, |pair| {
                old.contains(&pair.old) || new.contains(&pair.new)
            });
        }
        self.n_judged += self.pairs.len();
        for pairs in self.pairs.chunks(SLICE) {
            let (both, pairs) = (Arc::clone(&both), pairs.to_vec());
            // The judges run as long as there may be cases.
            drop(self.to_judges.send(Case { both, pairs }));
        }
        self.pairs.clear();
    }

    fn judge_again(&mut self, both: &Compared, is_wanted: impl Fn(Pair) -> bool) {
        let halves = both.halves();
        let pairs = halves.fates().filter_map(|(new, fate)| {
            let pair = Pair {
                old: fate.before?,
                new,
            };
            is_wanted(pair).then_some(pair)
        });
        self.pairs.extend(pairs);
    }

    fn tell_now_and_then(&mut self) {
        let has_news =
            !self.amendments.is_empty() || self.n_told != self.n_read.iter().sum::<u64>();
        if self.both.is_some() && has_news && self.last.elapsed() >= TICK {
            self.tell(Batch::default());
        }
    }

    fn tell(&mut self, mut batch: Batch) {
        batch.amendments.append(&mut self.amendments);
        self.n_told = self.n_read.iter().sum::<u64>();
        self.last = Instant::now();
        (self.sink)(LoadEvent::Indexed {
            batch: Box::new(batch),
            bytes: self.n_told,
        });
    }

    /// True if everything is known.
    fn is_settled(&mut self) -> bool {
        let is_over = [WhichFile::Old, WhichFile::New].map(|side| self.arrivals.has_ended(side));
        let is_over = is_over == [true; 2] && self.summary.is_some();
        let Some(both) = self.both.clone().filter(|_| is_over && self.n_judged == 0) else {
            return false;
        };
        // The end of a file may give another format version than expected.
        if std::mem::take(&mut self.trusts) && !both.halves().has_like_headers() {
            self.judge_again(&both, |_| true);
            self.send_pairs();
        }
        self.n_judged == 0
    }

    fn finish(&mut self) -> Result<(), LoadError> {
        let (Some(both), Some(mut summary)) = (self.both.clone(), self.summary.take()) else {
            return Ok(());
        };
        let old_end = self.old_end.take();
        summary.stopped |= old_end.as_ref().is_none_or(|end| end.stopped);
        let damages = [old_end.and_then(|end| end.damage), summary.damage.take()];
        let is_whole = [0, 1].map(|side| damages[side].is_none());
        summary.damage = self.damage_of_both(damages)?;
        let mut halves = both.halves_mut();
        let n_open = halves.fates().filter(|it| it.1.action.is_none()).count();
        let (mut gone, mut n_planned) = (Vec::new(), 0);
        if summary.stopped {
            summary.notes.extend(stopped_note(n_open));
        } else {
            let rest = self.waiting.rest(WhichFile::Old).into_iter();
            let (alone, planned): (Vec<_>, Vec<_>) =
                rest.partition(|id| !halves.may_be_alone(WhichFile::Old, *id));
            let is_planned = |id: &&ResourceId| halves.is_planned_gone(WhichFile::Old, **id);
            (gone, n_planned) = (alone, planned.iter().filter(is_planned).count());
            if !is_whole[0] {
                let name = self.arrivals.name(WhichFile::Old);
                let notes = missing_note(name, n_open, "new");
                summary.notes.extend(notes);
            }
            if !is_whole[1] {
                let name = self.arrivals.name(WhichFile::New);
                let notes = missing_note(name, gone.len(), "deleted");
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
    fn damage_of_both(&self, damages: [Option<Damage>; 2]) -> Result<Option<Damage>, LoadError> {
        let mut both: Option<Damage> = None;
        for (side, damage) in [WhichFile::Old, WhichFile::New].into_iter().zip(damages) {
            let Some(damage) = damage else { continue };
            let file = self.arrivals.name(side);
            if !self.allow_damaged {
                return Err(LoadError::Damaged {
                    file: file.to_owned(),
                    message: damage.message,
                });
            }
            let message = format!("{file}: {}", damage.message);
            let word = if side == WhichFile::Old { "old" } else { "new" };
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
