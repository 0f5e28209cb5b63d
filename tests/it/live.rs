//! Logs of runs that arrive in pieces: the progress reports, and the final result, which does not depend on the cuts.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use proptest::prelude::*;
use stacklens::load::{self, Document, Input, Limits, LoadEvent};
use stacklens::stack::{Action, Flags, Kind, PathId, Severity, Stack};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(name)
}

const LOGS: [&str; 3] = [
    "pulumi-events/web-up.jsonl",
    "tf-ui-json/web-apply.jsonl",
    "pulumi-events/shop-replace.jsonl",
];

/// A pipe that gives the next piece once the result of the previous one was reported.
struct Pipe {
    pieces: std::vec::IntoIter<Vec<u8>>,
    told: Receiver<()>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A piece without a whole event gives nothing to report.
        let _ = self.told.recv_timeout(Duration::from_millis(60));
        let piece = self.pieces.next().unwrap_or_default();
        buffer[..piece.len()].copy_from_slice(&piece);
        Ok(piece.len())
    }
}

/// The result of `look` on the stack at each report, and the whole document at the end.
fn follow<T>(pieces: Vec<Vec<u8>>, mut look: impl FnMut(&Stack) -> T) -> (Vec<T>, Document) {
    let (tell, told): (Sender<()>, _) = mpsc::channel();
    let pieces = pieces.into_iter();
    let pipe = Box::new(Pipe { pieces, told });
    let mut document: Option<Document> = None;
    let mut seen = Vec::new();
    let mut sink = |event| match (event, &mut document) {
        (
            LoadEvent::Opened {
                document: begun, ..
            },
            document,
        ) => *document = Some(*begun),
        (LoadEvent::Indexed { batch, .. }, Some(document)) => {
            document.stack.extend(*batch);
            seen.push(look(&document.stack));
            let _ = tell.send(());
        }
        (LoadEvent::Finished(summary), Some(document)) => {
            load::settle(&mut document.stack, *summary);
        }
        (LoadEvent::Indexed { .. } | LoadEvent::Finished(_), None) => panic!("never opened"),
    };
    let cancel = AtomicBool::new(false);
    load::stream_from(&Input::stdin(), pipe, Limits::default(), &cancel, &mut sink).unwrap();
    (seen, document.unwrap())
}

/// Everything that a person can see of a stack, as text.
fn seen(document: &Document) -> String {
    use std::fmt::Write as _;
    let stack = &document.stack;
    let mut text = format!(
        "{:?}\n{:?}\n{:?}\n",
        stack.header, stack.counts, stack.outputs
    );
    for note in stack.notes.iter() {
        writeln!(text, "{note:?}").unwrap();
    }
    for id in stack.ids() {
        let record = stack.record(id);
        writeln!(
            text,
            "{} {} {:?} {:?} {:?} {} {:?}",
            stack.urn(id),
            stack.provider_id(id),
            record.flags,
            record.action,
            record.parent,
            stack.provider(id),
            stack.graph.depends_on(id),
        )
        .unwrap();
        let shape = stack.tables.shape(record.shape);
        let mut paths: Vec<_> = shape.map(|path| spelled(stack, path)).collect();
        paths.sort();
        writeln!(text, "{paths:?}\n{:?}", document.resource(id).unwrap()).unwrap();
    }
    text
}

fn spelled(stack: &Stack, path: PathId) -> String {
    let node = &stack.tables.paths[path.0 as usize];
    let above = node
        .parent
        .map_or_else(String::new, |it| spelled(stack, it));
    format!("{above}/{:?}{:?}", node.section, node.segment)
}

/// The bytes cut at these places.
fn cut(bytes: &[u8], places: &[prop::sample::Index]) -> Vec<Vec<u8>> {
    let mut ends: Vec<_> = places
        .iter()
        .map(|place| place.index(bytes.len()))
        .collect();
    ends.push(bytes.len());
    ends.sort_unstable();
    let mut start = 0;
    let pieces = ends.into_iter().map(|end| {
        let piece = bytes[start..end].to_vec();
        start = end;
        piece
    });
    pieces.filter(|piece| !piece.is_empty()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn however_a_log_comes_the_end_is_the_same(places in prop::collection::vec(any::<prop::sample::Index>(), 1..8)) {
        for log in LOGS {
            let bytes = std::fs::read(fixture(log)).unwrap();
            let whole = load::load(&Input::bytes("stdin", &*bytes)).unwrap();
            let (_, live) = follow(cut(&bytes, &places), |_| ());
            prop_assert_eq!(seen(&live), seen(&whole));
        }
    }
}

/// The state of each resource, every time that it changes.
fn progress(log: &str) -> Vec<BTreeMap<String, &'static str>> {
    let bytes = std::fs::read(fixture(log)).unwrap();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let (mut seen, _) = follow(lines.map(<[u8]>::to_vec).collect(), |stack| {
        let word = |flags: Flags| match flags {
            flags if flags.contains(Flags::RUNNING) => "running",
            flags if flags.contains(Flags::DONE) => "done",
            flags if flags.contains(Flags::FAILED) => "failed",
            _ => "planned",
        };
        let ids = stack.ids();
        ids.map(|id| (stack.name(id).to_owned(), word(stack.record(id).flags)))
            .collect::<BTreeMap<_, _>>()
    });
    seen.dedup();
    seen
}

#[track_caller]
fn goes_through(seen: &[BTreeMap<String, &'static str>], name: &str, want: &[&str]) {
    let mut words: Vec<_> = seen.iter().filter_map(|it| it.get(name).copied()).collect();
    words.dedup();
    assert_eq!(words, want, "{name}");
}

#[test]
fn steps_of_pulumi_change_while_events_come() {
    let seen = progress(LOGS[0]);
    goes_through(&seen, "main", &["running", "done"]);
    goes_through(&seen, "orders", &["running", "failed"]);
    goes_through(&seen, "web-dev", &["running", "done"]);
    assert!(seen[0].len() < seen[seen.len() - 1].len(), "rows appear");
}

#[test]
fn steps_of_terraform_change_while_lines_come() {
    let seen = progress(LOGS[1]);
    goes_through(&seen, "aws_vpc.main", &["planned", "running", "done"]);
    goes_through(
        &seen,
        "aws_db_instance.orders",
        &["planned", "running", "failed"],
    );
    goes_through(
        &seen,
        "module.net.aws_subnet.a[1]",
        &["planned", "running", "done"],
    );
}

#[test]
fn messages_belong_to_their_resource() {
    for (log, resource, said) in [
        (LOGS[0], "orders", "storage of 20 GiB is less than before"),
        // This event came before the step that it belongs to.
        (
            LOGS[0],
            "assets",
            "policy s3-versioning of house (warning): buckets must be versioned",
        ),
        (
            LOGS[1],
            "aws_db_instance.orders",
            "storage of 20 GiB is less than before",
        ),
    ] {
        let document = load::load(&Input::path(fixture(log))).unwrap();
        let id = document.stack.find(resource)[0];
        let notes = document.stack.notes.iter();
        let about: Vec<_> = notes.filter(|it| it.message.contains(said)).collect();
        assert_eq!(about.len(), 1, "{said}");
        assert_eq!(about[0].resource, Some(id));
        let fields = document.resource(id).unwrap().fields;
        let (_, messages) = fields.iter().find(|(key, _)| &**key == "messages").unwrap();
        assert!(messages.to_string().contains(said), "{messages}");
    }
}

#[test]
fn the_events_of_an_update_follow_its_preview() {
    let preview = r#"{
    "steps": [
        {
            "op": "create",
            "urn": "urn:pulumi:dev::web::aws:ec2/vpc:Vpc::main",
            "newState": {"urn": "urn:pulumi:dev::web::aws:ec2/vpc:Vpc::main", "type": "aws:ec2/vpc:Vpc", "custom": true}
        }
    ],
    "changeSummary": {"create": 1}
}
"#;
    let events = std::fs::read(fixture(LOGS[0])).unwrap();
    let pieces = vec![preview.as_bytes().to_vec(), events.clone()];
    let (kinds, live) = follow(pieces, |stack| stack.header.kind);
    assert_eq!(kinds.first(), Some(&Kind::PulumiPreview));
    assert_eq!(live.stack.header.kind, Kind::PulumiEvents);
    // The same in one piece, and the same as without the preview. Lines are counted from the end of the preview.
    let (_, at_once) = follow(vec![[preview.as_bytes(), &events].concat()], |_| ());
    let (_, alone) = follow(vec![events], |_| ());
    let alone = seen(&alone).replace("line 1", "line 2");
    assert!(seen(&live) == alone && seen(&at_once) == alone, "{alone}");
    let (_, preview) = follow(vec![preview.as_bytes().to_vec()], |_| ());
    assert_eq!(preview.stack.header.kind, Kind::PulumiPreview);
}

#[test]
fn a_replacement_that_no_plan_announced_is_one_step() {
    let hook = |ty: &str, action: &str| {
        format!(
            r#"{{"@level":"info","@message":"m","type":"{ty}","hook":{{"resource":{{"addr":"a.b","resource_type":"a"}},"action":"{action}"}}}}"#
        )
    };
    let lines = [
        hook("apply_start", "delete"),
        hook("apply_complete", "delete"),
        hook("apply_start", "create"),
        hook("apply_errored", "create"),
    ];
    let (_, document) = follow(vec![(lines.join("\n") + "\n").into_bytes()], |_| ());
    let record = *document.stack.record(document.stack.find("a.b")[0]);
    assert_eq!(document.stack.len(), 1);
    assert_eq!(record.action, Some(Action::Replace));
    assert!(record.flags.contains(Flags::FAILED));
}

#[test]
fn unfinished_operations_are_noted_at_the_end() {
    let bytes = std::fs::read(fixture(LOGS[1])).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let until = text.find("apply_progress").unwrap();
    let until = text[..until].rfind('\n').unwrap() + 1;
    let (_, document) = follow(vec![text.as_bytes()[..until].to_vec()], |_| ());
    let unfinished = document.stack.find("aws_vpc.main")[0];
    assert!(
        document
            .stack
            .record(unfinished)
            .flags
            .contains(Flags::PENDING_OPERATION)
    );
    let notes: Vec<_> = document
        .stack
        .notes
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    assert!(
        notes.contains(&"1 operation was under way when the log ended"),
        "{notes:?}"
    );
    assert!(
        document
            .stack
            .notes
            .iter()
            .all(|it| it.severity != Severity::Error)
    );
}

#[test]
fn a_pipe_is_emptied_when_nobody_looks_on_any_more() {
    struct Endless(Sender<()>, usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let event = b"{\"sequence\":0,\"timestamp\":0,\"preludeEvent\":{\"config\":{}}}\n";
            self.1 += 1;
            if self.1 > 100 {
                let _ = self.0.send(());
                return Ok(0);
            }
            buffer[..event.len()].copy_from_slice(event);
            Ok(event.len())
        }
    }
    let (at_end, ended) = mpsc::channel();
    let cancel = AtomicBool::new(true);
    let pipe = Box::new(Endless(at_end, 0));
    let limits = Limits::default();
    load::stream_from(&Input::stdin(), pipe, limits, &cancel, &mut |_| {}).unwrap();
    ended.recv_timeout(Duration::from_secs(30)).unwrap();
}

#[test]
fn a_silent_pipe_can_be_left() {
    struct Silent(bool, Receiver<()>);
    impl Read for Silent {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let event = b"{\"sequence\":0,\"timestamp\":0,\"preludeEvent\":{\"config\":{}}}\n";
            if std::mem::take(&mut self.0) {
                buffer[..event.len()].copy_from_slice(event);
                return Ok(event.len());
            }
            // No one ever sends.
            let _ = self.1.recv();
            Ok(0)
        }
    }
    let (keep, never) = mpsc::channel();
    let cancel = AtomicBool::new(false);
    let mut stopped = false;
    let pipe = Box::new(Silent(true, never));
    load::stream_from(
        &Input::stdin(),
        pipe,
        Limits::default(),
        &cancel,
        &mut |event| {
            cancel.store(true, Ordering::Relaxed);
            if let LoadEvent::Finished(summary) = event {
                stopped = summary.stopped;
            }
        },
    )
    .unwrap();
    assert!(stopped);
    drop(keep);
}
