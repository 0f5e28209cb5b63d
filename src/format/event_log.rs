//! Event logs: JSON documents in sequence, with other text between them, folded into one element for each step.
//!
//! A log is passed in pieces as they arrive, cut anywhere; [`EventLog::take_news`] returns the news since the last call. A step
//! is an object that grows with each event about it: it starts, gets messages, ends. Its number never changes, so that a person
//! who looks at a step keeps looking at the same one.
//!
//! # Laws
//!
//! However the bytes are cut into pieces, and however often news is taken, the steps, notes and head at the end are the same.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, RandomState};

use super::fields::text;
use super::log_secrets::{HIDDEN, LogSecrets};
use crate::change::secret_texts::Filter;
use crate::index::objects::{Object, Objects};
use crate::json::{self, Numbers};
use crate::stack::{Flags, Note, Severity};
use crate::text::{count, plural, seconds};
use crate::value::{Array, Map, Number, Payload, Value};

/// The time of an event in seconds since 1970: `@timestamp` of Terraform, `timestamp` of Pulumi.
fn time(event: &Map) -> Option<u64> {
    let number = event.get("timestamp").and_then(Value::as_number);
    let number = number.and_then(Number::to_i64);
    let number = number.and_then(|it| u64::try_from(it).ok());
    number.or_else(|| seconds(text(event, "@timestamp")))
}

/// The properties in which one kind of log differs from another.
pub(crate) struct Language {
    /// The way to read numbers.
    pub(super) numbers: Numbers,
    /// The key of the list of events in logs that hold all of them in one object.
    pub(super) wrapper: &'static str,
    /// The key for the number of events.
    pub(super) count: &'static str,
    /// Takes one event.
    pub(super) event: fn(&mut Fold, &Map),
}

/// The key in a step whose id repeats a secret of the log.
pub(super) const SECRET_ID: &str = "id repeats a secret";

/// Maximum number of notes of a log.
const MAX_NOTES: usize = 2_000;

/// The progress of the work on a step, under `status`.
pub(super) mod status {
    pub(in crate::modules::format) const PLANNED: &str = "planned";
    /// It is under way.
    pub(in crate::modules::format) const STARTED: &str = "started";
    pub(in crate::modules::format) const DONE: &str = "done";
    pub(in crate::modules::format) const FAILED: &str = "failed";
    /// It was under way when the log ended.
    pub(in crate::modules::format) const UNFINISHED: &str = "unfinished";
}

/// True if a step is under way.
fn is_running(step: &Map) -> bool {
    text(step, "status") == status::STARTED
}

/// The flags for the progress of the work on a step.
pub(super) fn progress(step: &Map) -> Flags {
    match text(step, "status") {
        status::STARTED => Flags::RUNNING,
        status::DONE => Flags::DONE,
        status::FAILED => Flags::FAILED,
        status::UNFINISHED => Flags::PENDING_OPERATION,
        _ => Flags::NONE,
    }
}

/// The result of the events so far.
#[derive(Default)]
pub(super) struct Fold {
    steps: Vec<LoggedStep>,
    /// The steps of each resource, in order.
    of: HashMap<String, Vec<usize>>,
    /// The steps by the objects that they work on.
    objects: Objects,
    hasher: RandomState,
    /// Messages about resources without a step so far.
    waiting: HashMap<String, Messages>,
    changed: BTreeSet<usize>,
    notes: Vec<Note>,
    n_notes: usize,
    secrets: LogSecrets,
    head: Map,
    is_head_new: bool,
    /// The times of the first and of the last event, in seconds since 1970.
    clock: Option<[u64; 2]>,
    /// The steps that began, each with its time.
    started: Vec<(usize, u64)>,
}

#[derive(Default)]
struct LoggedStep {
    fields: Map,
    messages: Messages,
}

/// Maximum number of messages that are listed beside one step; further ones are counted.
const MAX_MESSAGES: usize = 100;

/// The messages about a resource.
#[derive(Default)]
struct Messages {
    listed: Vec<Value>,
    n_more: usize,
}

impl Messages {
    fn add(&mut self, message: &str) {
        if self.listed.len() < MAX_MESSAGES {
            self.listed.push(message.into());
        } else {
            self.n_more += 1;
        }
    }

    /// The messages as a list, with a count of those that are not in it.
    fn list(&self) -> Vec<Value> {
        let n_more = Some(self.n_more).filter(|n| *n > 0);
        let more =
            n_more.map(|n| Value::from(format!("not listed: {}", plural(n, "more message"))));
        self.listed.iter().cloned().chain(more).collect()
    }
}

impl Fold {
    /// Adds a step of a resource, the last one of it for now. Earlier messages about the resource belong to it.
    pub(super) fn start(&mut self, resource: &str, fields: Map) {
        let index = self.add(fields);
        self.of.entry(resource.to_owned()).or_default().push(index);
        if let Some(messages) = self.waiting.remove(resource) {
            self.steps[index].messages = messages;
        }
    }

    /// Adds a step that later events do not refer to.
    pub(super) fn add(&mut self, fields: Map) -> usize {
        self.changed.insert(self.steps.len());
        self.steps.push(LoggedStep {
            fields,
            messages: Messages::default(),
        });
        self.steps.len() - 1
    }

    /// The step that collects everything that happens to one object: the existing one, or a new one without fields. `id` is ""
    /// if the log does not give it.
    pub(super) fn of_object(&mut self, resource: &str, id: &str, is_copy: bool) -> usize {
        let object = Object {
            urn: self.hasher.hash_one(resource),
            id: (!id.is_empty()).then(|| self.hasher.hash_one(id)),
            is_copy,
        };
        let next = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        let index = self.objects.change_of(object, next);
        if index == next {
            self.start(resource, Map::default());
        }
        index as usize
    }

    /// True for the one step that is counted for a resource: the first that asks.
    pub(super) fn is_counted(&mut self, resource: &str, index: usize) -> bool {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let urn = self.hasher.hash_one(resource);
        self.objects.is_counted(urn, index)
    }

    /// The last step of a resource.
    pub(super) fn last(&self, resource: &str) -> Option<usize> {
        self.of.get(resource)?.last().copied()
    }

    pub(super) fn fields(&self, index: usize) -> Option<&Map> {
        self.steps.get(index).map(|step| &step.fields)
    }

    /// True if a step has this status.
    pub(super) fn is(&self, index: usize, status: &str) -> bool {
        let step = self.steps.get(index);
        step.is_some_and(|step| text(&step.fields, "status") == status)
    }

    pub(super) fn change(&mut self, index: usize, change: impl FnOnce(Map) -> Map) {
        if let Some(step) = self.steps.get_mut(index) {
            let was_running = is_running(&step.fields);
            step.fields = change(std::mem::take(&mut step.fields));
            let has_started = is_running(&step.fields) && !was_running;
            self.changed.insert(index);
            if has_started {
                self.note_start(index);
            }
        }
    }

    /// Changes the running steps for which `wants` is true.
    pub(super) fn change_running(
        &mut self,
        wants: impl Fn(&Map) -> bool,
        change: impl Fn(Map) -> Map,
    ) {
        for index in 0..self.steps.len() {
            let fields = &self.steps[index].fields;
            if is_running(fields) && wants(fields) {
                self.change(index, &change);
            }
        }
    }

    /// Records the time at which a step began.
    fn note_start(&mut self, index: usize) {
        if let Some([_, now]) = self.clock {
            self.started.push((index, now));
        }
    }

    /// Records the secrets of a value in the log, so that no later note repeats one.
    pub(super) fn keep_secret(&mut self, value: &Value) {
        self.secrets.take(value);
    }

    /// The message, unless it repeats a secret.
    fn shown<'m>(&mut self, message: &'m str) -> &'m str {
        if self.secrets.are_in(message) {
            HIDDEN
        } else {
            message
        }
    }

    /// Hides the messages and ids that repeat a secret that the log gave after them.
    fn hide(&mut self) {
        if self.secrets.is_empty() {
            return;
        }
        for (index, step) in self.steps.iter_mut().enumerate() {
            for message in &mut step.messages.listed {
                let text = message.as_str().unwrap_or_default();
                if text != HIDDEN && self.secrets.are_in(text) {
                    *message = HIDDEN.into();
                    self.changed.insert(index);
                }
            }
            let importing = step.fields.get("importing");
            let importing = importing.and_then(|importing| importing.get("id"));
            let ids = [step.fields.get("id"), importing];
            let mut repeats = |id: &Value| id.as_str().is_some_and(|id| self.secrets.are_in(id));
            let is_repeated = ids.into_iter().flatten().any(&mut repeats);
            if is_repeated {
                let fields = std::mem::take(&mut step.fields);
                step.fields = fields.set(SECRET_ID, true.into());
                self.changed.insert(index);
            }
        }
    }

    /// Adds a message about a resource: beside its step, and to the notes. `resource` is "" for a message that names no
    /// resource.
    pub(super) fn say(&mut self, resource: &str, severity: &str, message: &str) {
        let message = message.trim();
        if message.is_empty() {
            return;
        }
        let message = self.shown(message);
        match self.last(resource) {
            Some(index) => {
                self.steps[index].messages.add(message);
                self.changed.insert(index);
            }
            None if resource.is_empty() => {}
            None => {
                let waiting = self.waiting.entry(resource.to_owned()).or_default();
                waiting.add(message);
            }
        }
        self.note(severity, resource, message);
    }

    pub(super) fn note(&mut self, severity: &str, place: &str, message: &str) {
        self.n_notes += 1;
        if self.n_notes > MAX_NOTES {
            return;
        }
        let message = self.shown(message);
        self.notes.push(Note::new(
            match severity {
                // An error in the log is not an error of the file.
                "error" => Severity::Failure,
                "warning" | "warn" => Severity::Warning,
                _ => Severity::Info,
            },
            place,
            message,
        ));
    }

    /// Sets a fact about the log as a whole.
    pub(super) fn tell(&mut self, key: &'static str, value: Value) {
        self.head = std::mem::take(&mut self.head).set(key, value);
        self.is_head_new = true;
    }

    /// Adds to a list of facts about the log as a whole.
    pub(super) fn tell_more(&mut self, key: &'static str, value: Value) {
        let (head, listed) = std::mem::take(&mut self.head).take(key);
        self.head = head;
        let listed = match listed.map(Value::into_payload) {
            Some(Payload::Array(listed)) => listed,
            _ => Array::default(),
        };
        self.tell(key, Value::from(listed.append([value])));
    }
}

/// The news of a log.
pub(crate) struct News {
    /// Steps that are new or changed, ascending by number, each as JSON.
    pub(crate) steps: Vec<(usize, Vec<u8>)>,
    pub(crate) notes: Vec<Note>,
    /// The facts about the log as a whole, if there are more than before.
    pub(crate) head: Option<Map>,
    /// The times of the first and of the last event, in seconds since 1970.
    pub(crate) clock: Option<[u64; 2]>,
    /// The steps that began, each with its time.
    pub(crate) started: Vec<(usize, u64)>,
}

/// Lines that begin like an event and are not JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BrokenLine {
    /// The first of them, from 1.
    pub(crate) line: usize,
    /// Number of such lines.
    pub(crate) count: usize,
    /// True if the log ends within the first of them.
    pub(crate) is_cut: bool,
}

/// The layout of the events in the log.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing was read yet.
    Unknown,
    /// One event per line.
    Lines,
    /// All events in one document over many lines.
    Document,
}

/// A log that is read piece by piece.
pub(crate) struct EventLog {
    language: &'static Language,
    fold: Fold,
    form: Form,
    /// The beginning of a line whose end has not arrived yet, or the whole text of a document.
    partial: Vec<u8>,
    n_lines: usize,
    n_events: usize,
    /// Number of lines that are not JSON; `first_other` is the first of them.
    n_other: usize,
    first_other: usize,
    broken: Option<BrokenLine>,
}

impl EventLog {
    /// An empty log.
    pub(crate) fn new(language: &'static Language) -> Self {
        Self {
            language,
            fold: Fold::default(),
            form: Form::Unknown,
            partial: Vec::new(),
            n_lines: 0,
            n_events: 0,
            n_other: 0,
            first_other: 0,
            broken: None,
        }
    }

    /// Number of lines so far.
    pub(crate) fn n_lines(&self) -> usize {
        self.n_lines
    }

    /// Lines that are only a part of an event. A log may end after any line: its run may still go on.
    pub(crate) fn broken(&self) -> Option<BrokenLine> {
        self.broken
    }

    /// Number of events so far.
    pub(crate) fn n_events(&self) -> usize {
        self.n_events
    }

    /// Takes the next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while self.form != Form::Document
            && let Some(end) = memchr::memchr(b'\n', rest)
        {
            let (line, after) = rest.split_at(end + 1);
            rest = after;
            if self.partial.is_empty() {
                self.line(line);
            } else {
                self.partial.extend_from_slice(line);
                let line = std::mem::take(&mut self.partial);
                self.line(&line);
            }
        }
        self.partial.extend_from_slice(rest);
    }

    /// Takes the end of the log.
    pub(crate) fn end(&mut self) {
        let rest = std::mem::take(&mut self.partial);
        if self.form == Form::Document {
            self.form = Form::Lines;
            // Text after the documents, or text that only began like one.
            let rest = self.documents(&rest);
            let is_cut = is_unfinished(rest);
            for line in rest.split_inclusive(|byte| *byte == b'\n') {
                self.line(line);
            }
            if is_cut {
                self.cut();
            }
        } else if !rest.is_empty() {
            let is_cut = is_cut(&rest, self.language.numbers);
            self.line(&rest);
            if is_cut {
                self.cut();
            }
            // A lone `{` does not open a document if nothing follows.
            if self.form == Form::Document {
                self.partial.clear();
                self.other();
            }
        }
        self.unfinished();
        if self.fold.n_notes > MAX_NOTES {
            let n = self.fold.n_notes - MAX_NOTES;
            let n = plural(n, "more message");
            self.add_note("the log", format!("left out: {n}"));
        }
        if self.n_other > 0 {
            let lines = if self.n_other == 1 {
                "1 line is not JSON and was skipped".to_owned()
            } else {
                format!("{} lines are not JSON and were skipped", self.n_other)
            };
            self.add_note(&format!("line {}", self.first_other), lines);
        }
    }

    /// The secrets of the log, at its end. The steps that repeat one are changed to hide it.
    pub(crate) fn take_secrets(&mut self) -> LogSecrets {
        self.fold.hide();
        std::mem::take(&mut self.fold.secrets)
    }

    /// Takes the news since the last call.
    pub(crate) fn take_news(&mut self) -> News {
        let changed = std::mem::take(&mut self.fold.changed);
        let steps = changed.into_iter().map(|index| {
            let step = &self.fold.steps[index];
            let mut fields = step.fields.clone();
            let messages = step.messages.list();
            if !messages.is_empty() {
                fields = fields.set("messages", Value::from(messages));
            }
            (index, json::to_compact(&fields.into()).into_bytes())
        });
        News {
            steps: steps.collect(),
            notes: std::mem::take(&mut self.fold.notes),
            head: std::mem::take(&mut self.fold.is_head_new).then(|| self.head()),
            clock: self.fold.clock,
            started: std::mem::take(&mut self.fold.started),
        }
    }

    /// The facts about the log as a whole.
    pub(crate) fn head(&self) -> Map {
        let n = Value::from(f64::from(u32::try_from(self.n_events).unwrap_or(u32::MAX)));
        self.fold.head.clone().set(self.language.count, n)
    }

    fn line(&mut self, line: &[u8]) {
        let bare = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let bare = bare.trim_ascii();
        if self.form == Form::Unknown && !bare.is_empty() {
            self.form = if opens_document(bare) {
                Form::Document
            } else {
                Form::Lines
            };
        }
        if self.form == Form::Document {
            self.partial = line.to_vec();
            return;
        }
        self.n_lines += 1;
        if bare.is_empty() {
            return;
        }
        // CI systems put a time in front of each line.
        let start = memchr::memchr(b'{', bare).unwrap_or(0);
        let start = if bare.starts_with(b"[{") { 0 } else { start };
        if let Ok(parsed) = json::parse(&bare[start..], self.language.numbers) {
            self.remark(&parsed.notes);
            self.document(&parsed.value);
            return;
        }
        self.other();
        if bare.starts_with(b"{\"") {
            let line = self.n_lines;
            let broken = self.broken.get_or_insert(BrokenLine {
                line,
                count: 0,
                is_cut: false,
            });
            broken.count += 1;
        }
    }

    /// The log ends within an event, in the last line.
    fn cut(&mut self) {
        self.broken = Some(BrokenLine {
            line: self.n_lines.max(1),
            count: 1,
            is_cut: true,
        });
    }

    /// Takes the documents that `bytes` begins with, each over any number of lines. Returns the text after them.
    fn documents<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        loop {
            let Ok(range) = json::Reader::new(rest).skip_value() else {
                return rest;
            };
            let (document, after) = rest.split_at(range.end);
            match json::parse(document, self.language.numbers) {
                Ok(parsed) if matches!(document.get(range.start), Some(b'{' | b'[')) => {
                    self.remark(&parsed.notes);
                    self.document(&parsed.value);
                }
                _ => return rest,
            }
            self.n_lines += memchr::memchr_iter(b'\n', document).count();
            rest = after;
        }
    }

    /// A document: an event, or several in a list that may have a wrapper around it.
    fn document(&mut self, value: &Value) {
        let wrapped = value.get(self.language.wrapper).unwrap_or(value);
        if let Some(items) = wrapped.as_array() {
            for event in items.iter().filter_map(Value::as_map) {
                self.event(event);
            }
        } else if let Some(event) = value.as_map() {
            self.event(event);
        } else {
            self.other();
        }
    }

    /// Notes the oddities of the JSON document that ends in the current line.
    fn remark(&mut self, oddities: &[json::Note]) {
        if let Some(first) = oddities.first() {
            let place = format!("line {}", self.n_lines.max(1));
            self.fold.note("warning", &place, &first.kind.to_string());
        }
    }

    fn event(&mut self, event: &Map) {
        self.n_events += 1;
        if let Some(now) = time(event) {
            let [first, last] = self.fold.clock.unwrap_or([now, now]);
            self.fold.clock = Some([first, last.max(now)]);
        }
        (self.language.event)(&mut self.fold, event);
    }

    fn other(&mut self) {
        self.n_other += 1;
        if self.n_other == 1 {
            self.first_other = self.n_lines.max(1);
        }
    }

    /// Marks the steps that were under way at the end of the log: they will never be finished.
    fn unfinished(&mut self) {
        let mut n_unfinished = 0;
        for index in 0..self.fold.steps.len() {
            if self.fold.is(index, status::STARTED) {
                n_unfinished += 1;
                self.fold
                    .change(index, |step| step.set("status", status::UNFINISHED.into()));
            }
        }
        if n_unfinished > 0 {
            let what = if n_unfinished == 1 {
                "1 operation was under way when the log ended".to_owned()
            } else {
                format!(
                    "{} operations were under way when the log ended",
                    count(n_unfinished)
                )
            };
            self.add_note("the end of the log", what);
        }
    }

    fn add_note(&mut self, place: &str, message: String) {
        self.fold
            .notes
            .push(Note::new(Severity::Warning, place, message));
    }
}

/// True if this first line begins a document that goes on in the next one.
fn opens_document(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'{' | b'[')) && matches!(line.last(), Some(b'{' | b'[' | b','))
}

/// True if this last line, which has no end, is only the beginning of an event. Also true if zero bytes take the place of the
/// rest.
fn is_cut(line: &[u8], numbers: Numbers) -> bool {
    let bare = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let bare = bare.trim_ascii();
    let start = memchr::memchr2(b'{', b'[', bare).unwrap_or(bare.len());
    let text = &bare[start..];
    let begins_event =
        matches!(text, b"{" | b"[") || text.starts_with(b"{\"") || text.starts_with(b"[{");
    bare.ends_with(b"\0") || begins_event && json::parse(text, numbers).is_err()
}

/// True if this begins like a document that does not end.
fn is_unfinished(rest: &[u8]) -> bool {
    let bare = rest.trim_ascii();
    let ends_early = |error: json::ParseError| error.offset == bare.len();
    bare.ends_with(b"\0")
        || matches!(bare.first(), Some(b'{' | b'['))
            && json::Reader::new(bare).skip_value().is_err_and(ends_early)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANGUAGE: Language = Language {
        numbers: Numbers::Exact,
        wrapper: "all",
        count: "n",
        event: |fold, event| {
            let name = text(event, "name");
            match text(event, "do") {
                "start" => fold.start(name, event.clone()),
                word => fold.say(name, "warning", word),
            }
        },
    };

    /// The steps at the end, and the notes, of a log that comes in pieces of this size.
    fn read(log: &str, size: usize) -> (Vec<String>, Vec<String>) {
        let mut events = EventLog::new(&LANGUAGE);
        let (mut steps, mut notes) = (Vec::new(), Vec::new());
        let mut take = |events: &mut EventLog| {
            let news = events.take_news();
            for (index, step) in news.steps {
                steps.resize(steps.len().max(index + 1), String::new());
                steps[index] = String::from_utf8(step).unwrap();
            }
            notes.extend(news.notes.into_iter().map(|note| note.message));
        };
        for piece in log.as_bytes().chunks(size) {
            events.push(piece);
            take(&mut events);
        }
        events.end();
        take(&mut events);
        (steps, notes)
    }

    #[track_caller]
    fn check(log: &str, want: &[&str], notes: &[&str]) {
        for size in [1, 2, 7, 1 << 20] {
            let (steps, said) = read(log, size);
            assert_eq!(steps, want, "in pieces of {size}");
            assert_eq!(said, notes, "in pieces of {size}");
        }
    }

    #[test]
    fn messages_find_their_step_whichever_comes_first() {
        check(
            "{\"do\":\"early\",\"name\":\"a\"}\n{\"do\":\"start\",\"name\":\"a\"}\n{\"do\":\"late\",\"name\":\"a\"}",
            &[r#"{"do":"start","name":"a","messages":["early","late"]}"#],
            &["early", "late"],
        );
    }

    #[test]
    fn lines_that_are_not_json_are_counted() {
        check(
            "Updating\n12:00:01 {\"do\":\"start\"}\n\n{\"do\":\n[1\n",
            &[r#"{"do":"start"}"#],
            &["3 lines are not JSON and were skipped"],
        );
    }

    #[test]
    fn events_may_be_in_one_document() {
        for log in [
            "\u{feff}{\"all\":[{\"do\":\"start\"}]}",
            "{\n  \"all\": [\n    {\"do\": \"start\"}\n  ]\n}\n",
            "[\n{\"do\":\"start\"}\n]",
            "[{\"do\":\"start\"}]",
        ] {
            check(log, &[r#"{"do":"start"}"#], &[]);
        }
    }

    #[test]
    fn documents_may_follow_each_other_over_many_lines() {
        check(
            "{\n  \"do\": \"start\"\n}\n{\n  \"do\": \"start\"\n}\n{\"do\":\"start\"}\nThe end.\n",
            &[r#"{"do":"start"}"#; 3],
            &["1 line is not JSON and was skipped"],
        );
    }

    #[test]
    fn a_text_that_only_begins_like_a_document_is_read_as_lines() {
        check(
            "[\n{\"do\":\"start\"}\n",
            &[r#"{"do":"start"}"#],
            &["1 line is not JSON and was skipped"],
        );
        check("{", &[], &["1 line is not JSON and was skipped"]);
    }
}
