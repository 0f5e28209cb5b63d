//! The history of a stack: the states of the past, and the changes of a value.
//!
//! A self-managed Pulumi backend keeps the state after each update, with a record. Of a Terraform state the other files of its lineage
//! in the same folder, archive or prefix of a bucket are the history, in the order of their serials.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/backend/diy` (files and names), `sdk/go/common/apitype/history.go` (records).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::fleet::Place;
use super::folder;
use super::{Input, Limits, LoadError, Origin, load_within, name, prepare};
use crate::json::{self, Numbers};
use crate::path::Segment;
use crate::stack::{Masks, Section, descend};
use crate::value::{Map, Payload, Sealed, Value};

/// The updates of a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// The name of the stack.
    pub name: String,
    /// Its kind.
    pub kind: HistoryKind,
    /// Its updates, the oldest first.
    pub updates: Vec<Update>,
}

/// The kind of a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HistoryKind {
    /// The updates that a Pulumi backend recorded.
    Updates,
    /// The versions of a Terraform state that were kept.
    Versions,
}

impl HistoryKind {
    /// The noun for one of its states.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Updates => "update",
            Self::Versions => "version",
        }
    }
}

/// An update of a stack, or a version of its state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    /// The time in nanoseconds since 1970; `None` if it is not known.
    pub nanos: Option<u64>,
    /// The state after it, if it was kept.
    pub state: Option<Origin>,
    source: RecordSource,
}

/// The origin of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
enum RecordSource {
    /// A file beside the state.
    File(PathBuf),
    /// The state itself.
    Known(Record),
}

/// The record of an update.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Record {
    /// The operation: `update`, `refresh`, `destroy`, `import`…
    pub kind: String,
    /// The serial of a Terraform state.
    pub serial: Option<u64>,
    /// Start time in seconds since 1970.
    pub start: Option<u64>,
    /// Duration in seconds.
    pub seconds: Option<u64>,
    /// The person's message; often the first line of a commit. Of a Terraform state, its tool's version and its file.
    pub message: String,
    /// The result: `succeeded`, `failed`, `in-progress`, `not-started`.
    pub result: String,
    /// Number of resources for each operation, in the order of the file.
    pub changes: Vec<(String, u64)>,
}

/// A value whose history is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The URN of its resource.
    pub urn: String,
    /// The section, inputs or outputs.
    pub section: Section,
    /// Its path; the empty one is the whole section.
    pub path: Vec<Segment>,
}

/// An update that changed a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// Its index among the updates of the history.
    pub index: usize,
    /// The value before; `None` if it was not there.
    pub before: Option<Value>,
    /// The value afterwards; `None` if it was removed.
    pub after: Option<Value>,
    /// True if nothing older was kept: the value may be as old as this or older.
    pub is_oldest: bool,
    /// True if only ciphertext differs. Encrypting the same text again gives another ciphertext, so without the key it is not
    /// known if the value changed.
    pub is_ciphertext: bool,
}

/// The progress of the search through a history.
#[derive(Clone, PartialEq, Debug)]
pub struct Traced {
    /// Number of states read so far.
    pub n_read: usize,
    /// Number of all states.
    pub n_all: usize,
    /// Number of states that could not be read and were skipped.
    pub n_unreadable: usize,
    /// The change found with the last of them.
    pub found: Option<Moment>,
}

/// The history of the stack that a file belongs to; `None` if no history was kept.
///
/// # Errors
///
/// If a bucket does not tell.
pub fn history(place: &Place, limits: Limits) -> io::Result<Option<History>> {
    let of_backend = match place {
        Place::File(file) => of_backend(file),
        Place::Entry { .. } | Place::Object(_) | Place::Stdin => None,
    };
    match of_backend {
        Some(history) => Ok(Some(history)),
        None => of_versions(place, limits),
    }
}

/// The history of a stack in a Pulumi backend.
fn of_backend(file: &Path) -> Option<History> {
    let place = folder::place(file)?;
    let recorded = folder::history(&place.backend, place.project.as_deref(), &place.stack);
    let updates = recorded.into_iter().rev().map(|update| Update {
        nanos: Some(update.nanos),
        state: update.checkpoint.map(Origin::Path),
        source: RecordSource::File(update.record),
    });
    let history = History {
        name: match place.project {
            Some(project) => format!("{project}/{}", place.stack),
            None => place.stack,
        },
        kind: HistoryKind::Updates,
        updates: updates.collect(),
    };
    (!history.updates.is_empty()).then_some(history)
}

/// The versions of a Terraform state.
fn of_versions(place: &Place, limits: Limits) -> io::Result<Option<History>> {
    let updates = place.versions(limits)?.into_iter().map(|past| {
        let version = past.version;
        let mut words = Vec::new();
        if !version.recorded.tool_version.is_empty() {
            words.push(format!("by {}", version.recorded.tool_version));
        }
        words.push(past.file);
        words.extend(
            version
                .rival()
                .map(|other| format!("other contents than {other}")),
        );
        Update {
            nanos: version.modified.and_then(nanos),
            state: past.origin,
            source: RecordSource::Known(Record {
                serial: Some(version.recorded.serial),
                message: words.join(" · "),
                ..Record::default()
            }),
        }
    });
    let history = History {
        name: place.to_string(),
        kind: HistoryKind::Versions,
        updates: updates.collect(),
    };
    Ok((!history.updates.is_empty()).then_some(history))
}

fn nanos(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

impl History {
    /// The change of an update: the state before it and the one after it, to be compared, with the options of `like`. Before the
    /// first update there is an empty stack. `None` if one of the two was not kept.
    pub fn step(&self, index: usize, like: &Input) -> Option<Input> {
        let update = self.updates.get(index)?;
        let before = self.updates[..index]
            .iter()
            .rev()
            .find_map(|update| update.state.clone());
        Some(Input {
            origin: update.state.clone()?,
            older: Some(before.or_else(|| update.nothing_before())?),
            ..like.clone()
        })
    }

    /// The reason why a step has no difference.
    pub fn gap(&self, index: usize) -> &'static str {
        let is_kept = self.updates.get(index).is_some_and(|it| it.state.is_some());
        match self.kind {
            HistoryKind::Updates => "the state after this update is not stored: nothing to compare",
            HistoryKind::Versions if is_kept => "no older version is here: nothing to compare",
            HistoryKind::Versions => "this archive has too much to compare this version",
        }
    }

    /// Searches the updates up to number `from` for changes of a value, newest first. Ends early if `cancel` is set. `like` has the
    /// options of the states.
    ///
    /// Secrets are compared as they are stored; a secret that may only have been encrypted again is reported as such.
    pub fn trace(
        &self,
        from: usize,
        subject: &Subject,
        like: &Input,
        cancel: &AtomicBool,
        tell: &mut dyn FnMut(Traced),
    ) {
        let kept: Vec<usize> = (0..self.updates.len())
            .rev()
            .filter(|index| *index <= from && self.updates[*index].state.is_some())
            .collect();
        let mut newer: Option<Version> = None;
        let (mut n_read, mut n_unreadable) = (0, 0);
        for index in &kept {
            let Some(origin) = self.updates[*index].state.clone() else {
                continue;
            };
            let input = Input {
                origin,
                older: None,
                ..like.clone()
            };
            let value = value_in(&input, subject, cancel);
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            n_read += 1;
            let mut found = None;
            match value {
                Ok(value) => {
                    let mask = newer.as_ref().and_then(|newer| newer.shown.as_ref());
                    let older = Version {
                        index: *index,
                        shown: masked_like(value.as_ref(), mask),
                        value,
                    };
                    found = newer
                        .take()
                        .filter(|newer| newer.value != older.value)
                        .map(|newer| newer.moment(Some(&older)));
                    newer = Some(older);
                }
                Err(_) => n_unreadable += 1,
            }
            tell(Traced {
                n_read,
                n_all: kept.len(),
                n_unreadable,
                found,
            });
        }
        if let Some(oldest) = newer.filter(|oldest| oldest.value.is_some()) {
            tell(Traced {
                n_read,
                n_all: kept.len(),
                n_unreadable,
                found: Some(oldest.moment(None)),
            });
        }
    }
}

/// A value in one of the states.
struct Version {
    index: usize,
    value: Option<Value>,
    /// The value in the form that may be shown: everything that is secret in a later state is masked in this one too.
    shown: Option<Value>,
}

impl Version {
    /// The update that turned the `older` value into this one.
    fn moment(self, older: Option<&Self>) -> Moment {
        let before = older.and_then(|older| older.shown.clone());
        Moment {
            index: self.index,
            is_oldest: older.is_none(),
            is_ciphertext: older.is_some_and(|older| {
                self.value.as_ref().map(blurred) == older.value.as_ref().map(blurred)
            }),
            after: masked_like(self.shown.as_ref(), before.as_ref()),
            before,
        }
    }
}

/// Reads the record of an update.
///
/// # Errors
///
/// If the file cannot be read or is not a record.
pub fn record(update: &Update) -> Result<Record, LoadError> {
    /// Records are a few kilobytes.
    const LIMITS: Limits = Limits {
        allow_damaged: false,
        max_bytes: 64 << 20,
        advice: "a record of an update is expected",
        any_ratio: false,
    };
    let input = match &update.source {
        RecordSource::File(path) => Input::path(path),
        RecordSource::Known(record) => return Ok(record.clone()),
    };
    let bytes = prepare::read_whole(&input, LIMITS)?;
    let unreadable = |message| LoadError::unreadable(&name(&input), message);
    let parsed = json::parse(&bytes, Numbers::Exact).map_err(|err| unreadable(err.to_string()))?;
    let Some(record) = parsed.value.as_map() else {
        return Err(unreadable("expected the record of an update".to_owned()));
    };
    Ok(of_record(record))
}

fn of_record(record: &Map) -> Record {
    let text = |key: &str| {
        let text = record.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let whole = |value: &Value| value.as_number()?.to_string().parse::<u64>().ok();
    let time = |key: &str| record.get(key).and_then(whole).filter(|time| *time > 0);
    let (start, end) = (time("startTime"), time("endTime"));
    let changes = record.get("resourceChanges").and_then(Value::as_map);
    Record {
        kind: text("kind"),
        serial: None,
        start,
        seconds: end
            .zip(start)
            .and_then(|(end, start)| end.checked_sub(start)),
        message: text("message"),
        result: text("result"),
        changes: changes
            .into_iter()
            .flatten()
            .filter_map(|(op, number)| Some((op.to_string(), whole(number)?)))
            .collect(),
    }
}

impl Update {
    /// The stack before the first update, in which nothing was deployed. `None` if earlier versions existed.
    fn nothing_before(&self) -> Option<Origin> {
        let bytes = match &self.source {
            RecordSource::File(_) => &br#"{"version":3,"deployment":{"resources":[]}}"#[..],
            RecordSource::Known(record) if record.serial.is_some_and(|serial| serial > 1) => {
                return None;
            }
            RecordSource::Known(_) => {
                &br#"{"version":4,"serial":0,"outputs":{},"resources":[]}"#[..]
            }
        };
        Some(Origin::Bytes {
            name: "nothing".to_owned(),
            bytes: bytes.into(),
        })
    }
}

/// A value with everything masked that is secret in `other`, the same value at another time.
fn masked_like(value: Option<&Value>, other: Option<&Value>) -> Option<Value> {
    Some(match other {
        Some(other) => value?.masked_like(other),
        None => value?.clone(),
    })
}

/// The value with all ciphertexts made equal.
fn blurred(value: &Value) -> Value {
    if matches!(value.payload(), Payload::Sealed(_)) {
        return value
            .clone()
            .with_payload(Payload::Sealed(Sealed::Redacted));
    }
    value.with_parts(|_, it| blurred(it))
}

/// The value in a state, if it exists.
fn value_in(
    input: &Input,
    subject: &Subject,
    cancel: &AtomicBool,
) -> Result<Option<Value>, LoadError> {
    let document = load_within(input, input.limits, cancel)?;
    let Ok(choice) = document.stack.choose(&subject.urn) else {
        return Ok(None);
    };
    let resource = document
        .resource(choice.id)
        .map_err(|error| LoadError::unreadable(&name(input), error.to_string()))?;
    let section = resource
        .current()
        .and_then(|state| state.section(subject.section));
    Ok(section.and_then(|top| {
        descend(
            top,
            None,
            &crate::path::Path(subject.path.clone()),
            Masks::Keep,
        )
        .ok()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> History {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/backend/.pulumi");
        let file = folder.join("stacks/shop/dev.json");
        super::history(&Place::File(file), Limits::default())
            .unwrap()
            .unwrap()
    }

    fn like() -> Input {
        Input::path("-")
    }

    #[test]
    fn records_are_read_compressed_or_not() {
        let history = history();
        let records: Vec<_> = history
            .updates
            .iter()
            .map(|it| record(it).unwrap())
            .collect();
        let told: Vec<_> = records
            .iter()
            .map(|it| (it.kind.as_str(), it.result.as_str(), it.message.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                ("update", "succeeded", "first version"),
                ("update", "succeeded", "a queue for jobs"),
                ("refresh", "succeeded", ""),
                ("update", "failed", "more storage"),
                ("update", "succeeded", "more storage, again"),
            ]
        );
        assert_eq!(records[0].seconds, Some(42));
        assert_eq!(records[0].changes, [("create".to_owned(), 4)]);
    }

    #[track_caller]
    fn check(from: usize, section: Section, path: &[&str], want: &[(usize, &str, &str)]) {
        let subject = Subject {
            urn: "urn:pulumi:dev::shop::aws:rds/instance:Instance::orders".to_owned(),
            section,
            path: path.iter().map(|key| Segment::from(*key)).collect(),
        };
        let mut found = Vec::new();
        history().trace(
            from,
            &subject,
            &like(),
            &AtomicBool::new(false),
            &mut |it| {
                found.extend(it.found);
            },
        );
        let text = |value: &Option<Value>| {
            value
                .as_ref()
                .map_or_else(|| "-".to_owned(), ToString::to_string)
        };
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.index, text(&it.before), text(&it.after)))
            .collect();
        let found: Vec<_> = found.iter().map(|(i, b, a)| (*i, &**b, &**a)).collect();
        assert_eq!(found, want);
    }

    #[test]
    fn a_value_is_traced_through_the_states_newest_first() {
        let path = ["allocatedStorage"];
        check(
            usize::MAX,
            Section::Outputs,
            &path,
            &[(4, "100", "200"), (0, "-", "100")],
        );
        check(1, Section::Outputs, &path, &[(0, "-", "100")]);
        // The value in the second state was not there before.
        let path = ["tags", "team"];
        check(
            usize::MAX,
            Section::Inputs,
            &path,
            &[(2, "\"b\"", "\"c\""), (1, "-", "\"b\"")],
        );
        check(usize::MAX, Section::Inputs, &["nowhere"], &[]);
    }

    #[test]
    fn secrets_stay_masked() {
        let path = ["password"];
        check(
            usize::MAX,
            Section::Inputs,
            &path,
            &[(4, "[secret]", "[secret]"), (0, "-", "[secret]")],
        );
    }

    #[test]
    fn a_secret_of_one_state_is_masked_in_the_adjacent_states() {
        use crate::pulumi::wire::{SECRET, SIGNATURE};
        let folder = tempfile::tempdir().unwrap();
        let history = folder.path().join(".pulumi/history/p/s");
        let stacks = folder.path().join(".pulumi/stacks/p");
        for folder in [&history, &stacks] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let secret = format!(r#"{{"{SIGNATURE}": "{SECRET}", "plaintext": "\"hidden-3\""}}"#);
        let values = [r#""open-1""#, r#""hidden-2""#, &secret, r#""hidden-4""#];
        for (number, value) in (1..).zip(values) {
            let state = format!(
                r#"{{"version": 3, "checkpoint": {{"stack": "organization/p/s", "latest": {{"resources": [
                {{"urn": "urn:pulumi:s::p::a:b:C::n", "type": "a:b:C", "custom": true, "inputs": {{"a": {value}}}}}]}}}}}}"#
            );
            std::fs::write(history.join(format!("s-{number}.checkpoint.json")), &state).unwrap();
            let record = r#"{"kind": "update", "result": "succeeded"}"#;
            std::fs::write(history.join(format!("s-{number}.history.json")), record).unwrap();
            std::fs::write(stacks.join("s.json"), &state).unwrap();
        }
        let subject = Subject {
            urn: "urn:pulumi:s::p::a:b:C::n".to_owned(),
            section: Section::Inputs,
            path: vec![Segment::from("a")],
        };
        let mut found = Vec::new();
        let history = super::history(&Place::File(stacks.join("s.json")), Limits::default())
            .unwrap()
            .unwrap();
        history.trace(
            usize::MAX,
            &subject,
            &like(),
            &AtomicBool::new(false),
            &mut |it| {
                found.extend(it.found);
            },
        );
        let told = found.iter().map(|it| (it.index, it.before.is_some()));
        assert_eq!(
            told.collect::<Vec<_>>(),
            [(3, true), (2, true), (1, true), (0, false)]
        );
        let shown = |value: &Option<Value>| value.as_ref().is_none_or(Value::is_secret);
        assert!(found.iter().all(|it| shown(&it.before) && shown(&it.after)));
    }

    #[test]
    fn a_new_ciphertext_is_distinct_from_a_new_value() {
        let sealed = |text: &str| {
            let text = Sealed::Ciphertext(text.into());
            Value::new(Payload::Sealed(text))
        };
        let with = |secret: Value, other: &str| {
            Value::from(vec![
                Map::from_iter([("a", secret), ("b", other.into())]).into(),
            ])
        };
        let one = with(sealed("v1:x"), "1");
        assert_ne!(one, with(sealed("v1:y"), "1"));
        assert_eq!(blurred(&one), blurred(&with(sealed("v1:y"), "1")));
        assert_ne!(blurred(&one), blurred(&with(sealed("v1:y"), "2")));
        assert_ne!(blurred(&one), blurred(&with("x".into(), "1")));
        assert_ne!(
            blurred(&one),
            blurred(&with(Value::from("x").with_secret(true), "1"))
        );
        let mut found = Vec::new();
        let subject = |key: &str| Subject {
            urn: "urn:pulumi:dev::shop::aws:rds/instance:Instance::orders".to_owned(),
            section: Section::Inputs,
            path: vec![Segment::from(key)],
        };
        for key in ["password", "allocatedStorage"] {
            history().trace(
                usize::MAX,
                &subject(key),
                &like(),
                &AtomicBool::new(false),
                &mut |it| {
                    found.extend(it.found.map(|it| (key, it.index, it.is_ciphertext)));
                },
            );
        }
        assert_eq!(
            found,
            [
                ("password", 4, true),
                ("password", 0, false),
                ("allocatedStorage", 4, false),
                ("allocatedStorage", 0, false)
            ]
        );
    }

    #[test]
    fn a_step_compares_with_the_state_before() {
        let history = history();
        let names: Vec<_> = (0..6)
            .map(|index| history.step(index, &like()).map(|input| name(&input)))
            .collect();
        assert!(names[0].as_ref().unwrap().starts_with("nothing → "));
        assert!(names[1].as_ref().unwrap().contains("dev-1760000000"));
        // The state after the failed update was not kept.
        assert_eq!(names[3], None);
        assert!(names[4].as_ref().unwrap().contains("dev-1760200000"));
        assert_eq!(names[5], None);
    }
}
