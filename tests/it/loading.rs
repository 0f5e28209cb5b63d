//! Loading files that are compressed, truncated, garbled, or changed while they are read.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use stacklens::format::{ReadError, SourceError};
use stacklens::load::{self, Document, Input, Limits, LoadError, LoadEvent};
use stacklens::stack::{Action, Flags, Kind, ResourceId, Severity};

/// A deployment of `n` buckets, each depending on the one before.
fn deployment(n: usize) -> String {
    let resources: Vec<String> = (0..n)
        .map(|index| {
            let before = index.checked_sub(1).map_or(String::new(), |before| {
                format!(r#","dependencies":["urn:pulumi:dev::web::aws:s3/bucket:Bucket::b{before}"]"#)
            });
            format!(
                r#"{{"urn":"urn:pulumi:dev::web::aws:s3/bucket:Bucket::b{index}","type":"aws:s3/bucket:Bucket","custom":true,
                "id":"b-{index}","outputs":{{"arn":"arn:{index}","tags":{{"n":{index}}}}}{before}}}"#
            )
        })
        .collect();
    format!(
        r#"{{"version":3,"deployment":{{"manifest":{{"version":"v3.1.0"}},"resources":[{}]}}}}"#,
        resources.join(",\n")
    )
}

fn bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Input {
    Input::bytes(name, bytes.into())
}

fn open(contents: impl Into<Vec<u8>>) -> Document {
    load::load(&bytes("test", contents)).unwrap()
}

#[track_caller]
fn refused(contents: impl Into<Vec<u8>>) -> String {
    match load::load(&bytes("test", contents)) {
        Ok(_) => panic!("it was read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_large_file_keeps_its_order_and_its_links() {
    let n = 20_000;
    let document = open(deployment(n));
    assert_eq!(document.stack.len(), n);
    for id in document.stack.ids() {
        let name = format!("b{}", id.0);
        assert_eq!(document.stack.name(id), name);
        assert_eq!(
            document.stack.graph.depends_on(id).len(),
            usize::from(id.0 > 0)
        );
        if id.0 % 997 == 0 {
            assert_eq!(document.resource(id).unwrap().name, name);
        }
    }
}

#[test]
fn the_first_resources_are_reported_before_the_end() {
    let (mut first, mut n_batches) = (None, 0);
    let cancel = AtomicBool::new(false);
    load::stream_within(
        &bytes("test", deployment(20_000)),
        Limits::default(),
        &cancel,
        &mut |event| {
            if let LoadEvent::Indexed { batch, bytes } = event {
                first.get_or_insert((batch.chunk.n_records(), bytes));
                n_batches += 1;
            }
        },
    )
    .unwrap();
    let (n_first, n_bytes) = first.unwrap();
    assert!(n_first > 10, "{n_first} resources at first");
    assert!(n_bytes < 1 << 20, "{n_bytes} bytes read at first");
    assert!(n_batches > 1);
}

#[test]
fn the_first_changes_after_a_long_part_are_reported_at_once() {
    let planned = r#"{"address":"aws_s3_bucket.b","values":{"bucket":"b"}},"#.repeat(4_000);
    let change = r#"{"address":"aws_s3_bucket.b","mode":"managed","type":"aws_s3_bucket","name":"b",
        "change":{"actions":["create"],"before":null,"after":{"bucket":"b"},"after_unknown":{}}},"#;
    let changes = change.repeat(20_000);
    let plan = format!(
        r#"{{"format_version":"1.2","planned_values":{{"root_module":{{"resources":[{}]}}}},"resource_changes":[{}]}}"#,
        planned.trim_end_matches(','),
        changes.trim_end_matches(','),
    );
    let mut first = None;
    let cancel = AtomicBool::new(false);
    let input = bytes("plan.json", plan);
    load::stream_within(&input, Limits::default(), &cancel, &mut |event| {
        if let LoadEvent::Indexed { batch, .. } = event {
            let n_records = batch.chunk.n_records();
            first = first.or((n_records > 0).then_some(n_records));
        }
    })
    .unwrap();
    // One piece of the file, however long the part before it took.
    let most = (1 << 18) / change.len() + 1;
    assert!(first.is_some_and(|n| n <= most), "{first:?}, {most}");
}

/// What is reported of a large plan: by batch, if it begins anew with it, and the number of its changes.
fn reported(plan: String) -> Vec<(bool, usize)> {
    let mut reported = Vec::new();
    let mut is_new = false;
    let cancel = AtomicBool::new(false);
    load::stream_within(
        &bytes("plan.json", plan),
        Limits::default(),
        &cancel,
        &mut |event| match event {
            LoadEvent::Opened { .. } => is_new = true,
            LoadEvent::Indexed { batch, .. } => {
                reported.push((std::mem::take(&mut is_new), batch.chunk.n_records()));
            }
            LoadEvent::Finished(_) => {}
        },
    )
    .unwrap();
    reported
}

#[test]
fn the_first_changes_of_a_large_plan_do_not_wait_for_what_is_before_them() {
    let planned = r#"{"address":"aws_s3_bucket.b","values":{"bucket":"b"}},"#.repeat(60_000);
    let planned = planned.trim_end_matches(',');
    let change = |name: usize| {
        format!(
            r#"{{"address":"aws_s3_bucket.b{name}","mode":"managed","type":"aws_s3_bucket","name":"b{name}",
        "change":{{"actions":["create"],"before":null,"after":{{"bucket":"b"}},"after_unknown":{{}}}}}}"#
        )
    };
    let changes: Vec<String> = (0..9_000).map(change).collect();
    let changes = changes.join(",");
    for (drift, n_glances) in [("", 1), ("\"resource_drift\": [],", 1)] {
        let plan = format!(
            r#"{{"format_version":"1.2","planned_values":{{"root_module":{{"resources":[{planned}]}}}},{drift}"resource_changes" : [{changes}],"prior_state":{{"values":{{"root_module":{{"resources":[{planned}]}}}}}}}}"#
        );
        let batches = reported(plan.clone());
        let (first, second) = (batches[0], batches[1]);
        assert!(first.0 && first.1 > 100, "{batches:?}");
        // The changes in the order of the file replace the guess at once.
        assert!(second.0 && second.1 > 0, "{batches:?}");
        assert_eq!(batches.iter().filter(|it| it.0).count(), 1 + n_glances);
        let n_changes: usize = batches[1..].iter().map(|it| it.1).sum();
        assert_eq!(n_changes, 9_000);
        let document = open(plan);
        assert_eq!(document.stack.len(), 9_000);
        for id in document.stack.ids().filter(|id| id.0 % 997 == 0) {
            assert_eq!(document.stack.name(id), format!("aws_s3_bucket.b{}", id.0));
            assert!(document.resource(id).is_ok());
        }
    }
}

#[test]
fn a_plan_in_a_value_is_replaced_by_the_plan() {
    let change = r#"{"address":"x_y.fake","mode":"managed","type":"x_y","name":"fake","change":{"actions":["delete"],"before":{},"after":null,"after_unknown":{}}},"#;
    let fakes = change.repeat(20_000);
    let fakes = fakes.trim_end_matches(',');
    let real = change.replace("fake", "real");
    let plan = format!(
        r#"{{"format_version":"1.2","planned_values":{{"root_module":{{"resources":[{{"address":"x_y.real","values":{{"resource_changes":[{fakes}]}}}}]}}}},"resource_changes":[{}]}}"#,
        real.trim_end_matches(','),
    );
    let document = open(plan.clone());
    let names: Vec<String> = document
        .stack
        .ids()
        .map(|id| document.stack.name(id).to_string())
        .collect();
    assert_eq!(names, ["x_y.real"]);
    let batches = reported(plan);
    assert!(batches.len() > 1, "{batches:?}");
    assert_eq!(batches[1..].iter().map(|it| it.1).sum::<usize>(), 1);
}

#[test]
fn loading_can_be_stopped() {
    let cancel = AtomicBool::new(false);
    let (mut n_resources, mut stopped) = (0, false);
    load::stream_within(
        &bytes("test", deployment(50_000)),
        Limits::default(),
        &cancel,
        &mut |event| {
            match event {
                LoadEvent::Indexed { batch, .. } => n_resources += batch.chunk.n_records(),
                LoadEvent::Finished(summary) => stopped = summary.stopped,
                LoadEvent::Opened { .. } => {}
            }
            cancel.store(true, Ordering::Relaxed);
        },
    )
    .unwrap();
    assert!(stopped);
    assert!(n_resources < 50_000);
}

#[test]
fn compressed_files_and_other_encodings_are_read() {
    let text = deployment(3);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
    let mut utf16 = vec![0xff, 0xfe];
    utf16.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let bom = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    let noisy = format!("Refreshing state...\n[done]\n{text}").into_bytes();
    for contents in [gzip.finish().unwrap(), zstd, utf16, bom, noisy] {
        let document = open(contents);
        assert_eq!(document.stack.header.kind, Kind::PulumiState);
        assert_eq!(document.stack.len(), 3);
        for id in document.stack.ids() {
            document.resource(id).unwrap();
        }
    }
}

#[test]
fn a_bomb_is_refused() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(br#"{"version":3,"deployment":{"resources":[],"x":""#)
        .unwrap();
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..4 {
        gzip.write_all(&spaces).unwrap();
    }
    let input = bytes("bomb", gzip.finish().unwrap());
    let limits = Limits::up_to(1 << 20);
    let outcome = load::stream_within(&input, limits, &AtomicBool::new(false), &mut |_| {});
    let message = match outcome {
        Ok(()) => panic!("it was read"),
        Err(LoadError::Io { source, .. }) => source.to_string(),
        Err(error) => error.to_string(),
    };
    assert!(message.contains("--max-size"), "{message}");
}

#[test]
fn resources_before_the_damage_are_shown() {
    let text = deployment(10);
    let cut = open(&text.as_bytes()[..text.len() - 60]);
    assert_eq!(cut.stack.len(), 9);
    let damage = cut.stack.damage.as_ref().unwrap().message.as_str();
    assert!(damage.contains("cut off at line 20"), "{damage}");
    let conflict = text.replace("\"id\":\"b-5\"", "\"id\":\"b-5\"\n=======\n");
    let broken = open(conflict);
    assert_eq!(broken.stack.len(), 10);
    let flagged: Vec<_> = broken
        .stack
        .ids()
        .filter(|id| broken.stack.record(*id).flags.contains(Flags::BROKEN))
        .collect();
    assert_eq!(flagged.len(), 1);
    let note = broken
        .stack
        .notes
        .iter()
        .find(|note| note.resource == Some(flagged[0]));
    assert_eq!(note.unwrap().severity, Severity::Error);
    assert!(broken.resource(flagged[0]).is_err());
}

#[test]
fn files_of_other_tools_are_named() {
    for (contents, word) in [
        ("<!DOCTYPE html><html>", "HTML"),
        (
            "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            "git-lfs",
        ),
        (
            "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>",
            "AccessDenied",
        ),
        (
            "{\n<<<<<<< HEAD\n\"version\": 4\n",
            "merge conflict at line 2",
        ),
        ("", "empty"),
        ("{\"a\": 1}", "another kind"),
        ("{}\n{}\n", "JSON of another kind (without any key)"),
        ("[1, 2]", "JSON of another kind (without any key)"),
        ("12 monkeys", "not JSON"),
        (
            "{\"version\": 9, \"terraform_version\": \"9\", \"resources\": []}",
            "version 9",
        ),
        (
            "{\"format_version\": \"2.0\", \"resource_changes\": []}",
            "2.0",
        ),
        ("PK\x03\x04 nothing", "zip"),
    ] {
        let message = refused(contents);
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_file_that_changed_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    std::fs::write(&path, deployment(5)).unwrap();
    let document = load::load(&Input::path(path.clone())).unwrap();
    let id = document.stack.ids().next().unwrap();
    document.resource(id).unwrap();
    std::fs::write(&path, deployment(6)).unwrap();
    let error = document.resource(id).unwrap_err();
    assert!(
        matches!(error, ReadError::Source(SourceError::Changed { .. })),
        "{error}"
    );
}

#[test]
fn many_different_keys_fold() {
    let labels: Vec<String> = (0..5_000).map(|index| format!("\"l{index}\":1")).collect();
    let text = format!(
        r#"{{"version":3,"deployment":{{"resources":[{{"urn":"urn:pulumi:dev::web::a:b:C::c","type":"a:b:C",
        "custom":true,"outputs":{{"labels":{{{}}}}}}}]}}}}"#,
        labels.join(",")
    );
    let document = open(text);
    assert!(document.stack.tables.paths.len() < 1_100);
    let folds = document
        .stack
        .tables
        .paths
        .iter()
        .filter(|path| path.segment.is_none() && path.parent.is_some());
    let folds: Vec<_> = folds.collect();
    assert_eq!(folds.len(), 1, "{folds:?}");
}

#[test]
fn which_keys_fold_does_not_depend_on_who_reads_them() {
    let mut text = r#"{"version":3,"deployment":{"resources":["#.to_owned();
    for index in 0..6_000 {
        // Every third map turns out to be a secret after some of its keys were read.
        let labels = if index % 3 == 0 {
            format!(
                r#""s{index}":1,"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":1"#
            )
        } else {
            format!(r#""l{}":1,"m{index}":2"#, index % 700)
        };
        let padding = "x".repeat(200);
        write!(
            text,
            r#"{}{{"urn":"urn:pulumi:dev::web::a:b:C::c{index}","type":"a:b:C","custom":true,"outputs":{{"p":"{padding}","labels":{{{labels}}}}}}}"#,
            if index == 0 { "" } else { "," },
        )
        .unwrap();
    }
    text.push_str("]}}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    std::fs::write(&path, text).unwrap();
    let tables = || {
        let document = load::load(&Input::path(path.clone())).unwrap();
        let shapes = document.stack.ids().map(|id| {
            let shape = document.stack.record(id).shape;
            document.stack.tables.shape(shape).collect::<Vec<_>>()
        });
        (
            shapes.collect::<Vec<_>>(),
            document.stack.tables.paths.clone(),
        )
    };
    let (shapes, paths) = tables();
    assert!(
        paths.len() > 1_000 && paths.len() < 1_100,
        "{}",
        paths.len()
    );
    for _ in 0..5 {
        assert!(tables() == (shapes.clone(), paths.clone()));
    }
}

fn pair(old: impl Into<Vec<u8>>, new: impl Into<Vec<u8>>) -> Input {
    Input::pair(bytes("old", old), bytes("new", new))
}

#[test]
fn two_files_are_compared_while_the_new_one_is_read() {
    let old = deployment(20_000);
    let new = old
        .replace("arn:7\"", "arn:other\"")
        .replace("::b11\"", "::c11\"")
        .replace("\"id\":\"b-19999\"", "\"id\":\"other\"");
    let input = pair(old, new);
    let (mut first, mut n_batches) = (None, 0);
    load::stream_within(
        &input,
        Limits::default(),
        &AtomicBool::new(false),
        &mut |event| {
            if let LoadEvent::Indexed { batch, .. } = event
                && batch.chunk.n_records() > 0
            {
                first.get_or_insert(batch.chunk.n_records());
                n_batches += 1;
            }
        },
    )
    .unwrap();
    assert!((10..10_000).contains(&first.unwrap()), "{first:?} at first");
    assert!(n_batches > 1);

    let document = load::load(&input).unwrap();
    let stack = &document.stack;
    let changed: Vec<_> = stack
        .ids()
        .filter(|id| stack.record(*id).action != Some(Action::Noop))
        .map(|id| (id.0, stack.name(id).to_owned(), stack.record(id).action))
        .collect();
    let change = |id: u32, name: &str, action| (id, name.to_owned(), Some(action));
    assert_eq!(
        changed,
        [
            change(7, "b7", Action::Update),
            change(11, "c11", Action::Create),
            change(19_999, "b19999", Action::Update),
            change(20_000, "b11", Action::Delete),
        ]
    );
    let counts = &stack.counts.changes;
    let count = |action: &str| counts.iter().find(|(name, _)| name == action).unwrap().1;
    assert_eq!(
        (count("update"), count("create"), count("delete")),
        (2, 1, 1)
    );
    for (id, before, after) in [(7, true, true), (11, false, true), (20_000, true, false)] {
        let resource = document.resource(ResourceId(id)).unwrap();
        assert_eq!(resource.before.is_some(), before, "{id}");
        assert_eq!(resource.after.is_some(), after, "{id}");
    }
}

#[test]
fn pending_operations_in_only_one_file_differ() {
    let old = deployment(3);
    let operation = r#""pending_operations":[{"resource":{"urn":"urn:pulumi:dev::web::aws:s3/bucket:Bucket::b1","type":"aws:s3/bucket:Bucket"},"type":"updating"}],"#;
    let at = old.rfind("]}}").unwrap() + 1;
    let new = format!(
        "{},{}{}",
        &old[..at],
        operation.trim_end_matches(','),
        &old[at..]
    );
    let document = load::load(&pair(old, new)).unwrap();
    let action = |id| document.stack.record(ResourceId(id)).action;
    assert_eq!(action(0), Some(Action::Noop));
    assert_eq!(action(1), Some(Action::Update));
    let resource = document.resource(ResourceId(1)).unwrap();
    assert_eq!(resource.change.unwrap().action, Action::Update);
}

#[test]
fn a_comparison_that_is_stopped_says_nothing_is_gone() {
    // The second half of the old file is gone, and the new file has equally many new resources.
    let old = deployment(50_000);
    let at = old.find("::b25000\",\"type").unwrap();
    let new = format!("{}{}", &old[..at], old[at..].replace("::b", "::c"));
    let told = |stops: bool| {
        let cancel = AtomicBool::new(false);
        let (mut stack, mut summary) = (None, None);
        load::stream_within(
            &pair(old.clone(), new.clone()),
            Limits::default(),
            &cancel,
            &mut |event| match event {
                LoadEvent::Opened { document, .. } => stack = Some(document.stack),
                LoadEvent::Indexed { batch, .. } => {
                    stack.as_mut().unwrap().extend(*batch);
                    cancel.store(stops, Ordering::Relaxed);
                }
                LoadEvent::Finished(it) => summary = Some(it),
            },
        )
        .unwrap();
        let stack = stack.unwrap();
        let actions: Vec<_> = stack.ids().map(|id| stack.record(id).action).collect();
        (actions, summary.unwrap())
    };
    let n_deleted = |summary: &load::Summary| {
        let changes = &summary.counts.changes;
        changes.iter().find(|it| it.0 == "delete").map(|it| it.1)
    };
    let count_of = |actions: &[Option<Action>], action: Action| {
        actions.iter().filter(|it| **it == Some(action)).count()
    };
    let (actions, summary) = told(false);
    assert_eq!(actions.len(), 75_000);
    assert_eq!(count_of(&actions, Action::Delete), 25_000);
    assert_eq!(n_deleted(&summary), Some(25_000));
    let (actions, summary) = told(true);
    assert!(summary.stopped);
    assert!(actions.len() < 50_000, "{}", actions.len());
    assert_eq!(count_of(&actions, Action::Delete), 0);
    assert_eq!(n_deleted(&summary), None);
}

#[test]
fn a_comparison_that_is_stopped_knows_nothing_of_what_it_did_not_compare() {
    let cancel = AtomicBool::new(false);
    let (mut n_told, mut n_known, mut summary) = (0, 0, None);
    let files = pair(deployment(50_000), deployment(100));
    load::stream_within(
        &files,
        Limits::default(),
        &cancel,
        &mut |event| match event {
            LoadEvent::Opened { .. } => cancel.store(true, Ordering::Relaxed),
            LoadEvent::Indexed { batch, .. } => {
                let records = batch.chunk.n_records();
                n_told += records;
                n_known += batch
                    .amendments
                    .iter()
                    .filter(|it| it.action.is_some())
                    .count();
            }
            LoadEvent::Finished(it) => summary = Some(it),
        },
    )
    .unwrap();
    let summary = summary.unwrap();
    assert!(summary.stopped);
    let n_deleted = summary.counts.changes.iter().find(|it| it.0 == "delete");
    assert_eq!(n_deleted, None);
    assert!(n_told <= 100 && n_known <= n_told);
}

/// A deployment of these resources: the name, a flag for waiting for deletion, and the contents.
fn deployment_of(resources: &[(u8, bool, u8)]) -> String {
    let resources: Vec<_> = resources
        .iter()
        .map(|(name, is_old, content)| {
            format!(
                r#"{{"urn":"urn:pulumi:dev::web::a:b:C::r{name}","custom":true,"delete":{is_old},"type":"a:b:C","outputs":{{"n":{content}}}}}"#
            )
        })
        .collect();
    let resources = resources.join(",");
    format!(r#"{{"version":3,"deployment":{{"resources":[{resources}]}}}}"#)
}

/// The action of each resource, found by brute force: first for the new file in its order, then for the resources that are gone.
fn compared_by_hand(old: &[(u8, bool, u8)], new: &[(u8, bool, u8)]) -> Vec<Action> {
    let mut is_taken = vec![false; old.len()];
    let mut actions = Vec::new();
    for (name, is_old, content) in new {
        let same = |(at, it): &(usize, &(u8, bool, u8))| {
            !is_taken[*at] && (it.0, it.1) == (*name, *is_old)
        };
        let found = old.iter().enumerate().find(same);
        actions.push(match found {
            None => Action::Create,
            Some((_, before)) if before.2 == *content => Action::Noop,
            Some(_) => Action::Update,
        });
        if let Some((at, _)) = found {
            is_taken[at] = true;
        }
    }
    let n_gone = is_taken.iter().filter(|is_taken| !**is_taken).count();
    actions.resize(new.len() + n_gone, Action::Delete);
    actions
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn files_are_compared_as_one_would_by_hand(
        old in proptest::collection::vec((0..6_u8, any::<bool>(), 0..2_u8), 0..12),
        new in proptest::collection::vec((0..6_u8, any::<bool>(), 0..2_u8), 0..12),
        length in 0..4000_usize,
    ) {
        // Spaces in between make one file arrive later than the other.
        let blanks = " ".repeat(length * 100);
        let old_text = deployment_of(&old).replacen("\"resources\":[", &format!("\"resources\":[{blanks}"), 1);
        let document = load::load(&pair(old_text, deployment_of(&new))).unwrap();
        let actions: Vec<_> = document.stack.ids().map(|id| document.stack.record(id).action.unwrap()).collect();
        prop_assert_eq!(&actions, &compared_by_hand(&old, &new));
        for (id, action) in document.stack.ids().zip(actions) {
            let resource = document.resource(id).unwrap();
            prop_assert_eq!(resource.change.map(|change| change.action), Some(action));
            prop_assert_eq!(resource.before.is_some(), action != Action::Create);
            prop_assert_eq!(resource.after.is_some(), action != Action::Delete);
        }
    }
}

#[test]
fn another_provider_is_a_difference_though_the_instance_is_the_same() {
    let old = r#"{"version":4,"terraform_version":"1.9.0","resources":[{"mode":"managed","type":"t","name":"a",
        "provider":"provider[\"registry.terraform.io/x/t\"]","instances":[{"schema_version":0,"attributes":{"id":"1"}}]}]}"#;
    let document = load::load(&pair(old, old.replace("x/t", "y/t"))).unwrap();
    assert_eq!(
        document.stack.record(ResourceId(0)).action,
        Some(Action::Update)
    );
}

#[test]
fn files_of_two_tools_are_not_compared() {
    let state = r#"{"version":4,"terraform_version":"1.9.0","resources":[]}"#;
    let outcome = load::load(&pair(deployment(1), state));
    assert!(
        outcome
            .err()
            .unwrap()
            .to_string()
            .contains("two files of one tool")
    );
}
