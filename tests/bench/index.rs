//! Indexing a file, from its path to the last batch, and the first screen of it, for each of the big formats.
//!
//! Budgets: for each GB 0.6 s indented and 0.8 s compact on two free cores; the first screen 5 ms, as fast for a large file as
//! for a small one.

#[path = "../support/lib.rs"]
mod support;

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use divan::Bencher;
use divan::counter::BytesCount;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use stacklens::load::{self, Input, LoadEvent};
use stacklens::tui::app::App;
use stacklens::tui::event::Event;
use stacklens::tui::jobs::load::Load;
use stacklens::tui::any_job::Answer;
use stacklens::tui::jobs::Cancel;
use stacklens::tui::preferences::Preferences;
use stacklens::tui::view::view;
use support::stacks::Random;
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// About 1 kB of properties, some of them optional.
fn properties(random: &mut Random) -> String {
    let mut text = String::from("{");
    for (number, key) in KEYS.iter().enumerate() {
        if number % 3 == 2 && random.below(2) == 0 {
            continue;
        }
        let serial = random.0;
        let _ = match number % 4 {
            0 => write!(
                text,
                r#""{key}":"{:08x}-{serial:016x}","#,
                random.below(1 << 30)
            ),
            1 => write!(text, r#""{key}":{},"#, random.below(65536)),
            2 => write!(
                text,
                r#""{key}":{{"Name":"{serial:x}","team":"{}"}},"#,
                random.pick(&KEYS)
            ),
            _ => write!(
                text,
                r#""{key}":[{{"from":{},"cidr":["10.{}.0.0/16"],"self":false}}],"#,
                random.below(1024),
                random.below(256)
            ),
        };
    }
    let _ = write!(text, r#""id":"i-{:016x}"}}"#, random.0);
    text
}

const KEYS: [&str; 16] = [
    "arn",
    "port",
    "tags",
    "ingress",
    "availability_zone",
    "cpu_core_count",
    "tags_all",
    "egress",
    "endpoint",
    "allocated_storage",
    "timeouts",
    "ebs_block_device",
    "kms_key_id",
    "iops",
    "metadata",
    "rules",
];

const TYPES: [&str; 5] = ["instance", "bucket", "role", "function", "queue"];

fn pulumi(random: &mut Random, number: u32) -> String {
    let (ty, needed) = (random.pick(&TYPES), random.below(number + 1));
    let properties = properties(random);
    format!(
        r#"{{"urn":"urn:pulumi:prod::net::aws:m/x:{ty}::r{number}","custom":true,"id":"i-{number}","type":"aws:m/x:{ty}",
        "inputs":{properties},"outputs":{properties},"dependencies":["urn:pulumi:prod::net::aws:m/x:queue::r{needed}"]}}"#
    )
}

fn state(random: &mut Random, number: u32) -> String {
    let (ty, needed) = (random.pick(&TYPES), random.below(number + 1));
    let properties = properties(random);
    format!(
        r#"{{"module":"module.m{}","mode":"managed","type":"aws_{ty}","name":"r{number}",
        "provider":"provider[\"registry.terraform.io/hashicorp/aws\"]",
        "instances":[{{"schema_version":0,"attributes":{properties},"sensitive_attributes":[],
        "dependencies":["module.m1.aws_queue.r{needed}"]}}]}}"#,
        number % 50
    )
}

fn shown(random: &mut Random, number: u32) -> String {
    let (ty, needed) = (random.pick(&TYPES), random.below(number + 1));
    let properties = properties(random);
    format!(
        r#"{{"address":"aws_{ty}.r{number}","mode":"managed","type":"aws_{ty}","name":"r{number}",
        "provider_name":"registry.terraform.io/hashicorp/aws","schema_version":0,"values":{properties},
        "sensitive_values":{{}},"depends_on":["aws_queue.r{needed}"]}}"#
    )
}

fn change(random: &mut Random, number: u32) -> String {
    let ty = random.pick(&TYPES);
    let (before, after) = (properties(random), properties(random));
    format!(
        r#"{{"address":"aws_{ty}.r{number}","mode":"managed","type":"aws_{ty}","name":"r{number}",
        "provider_name":"registry.terraform.io/hashicorp/aws","change":{{"actions":["update"],"before":{before},"after":{after},
        "after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
    )
}

/// The text before the elements, the function that makes an element, and the text after them.
type Kind = (&'static str, fn(&mut Random, u32) -> String, &'static str);

fn kind(name: &str) -> Kind {
    match name {
        "pulumi" => (
            r#"{"version":3,"deployment":{"manifest":{},"resources":["#,
            pulumi,
            "]}}",
        ),
        "tfstate" => (
            r#"{"version":4,"terraform_version":"1.9.8","serial":1,"resources":["#,
            state,
            "]}",
        ),
        "tfshow" => (
            r#"{"format_version":"1.0","values":{"root_module":{"resources":["#,
            shown,
            "]}}}",
        ),
        _ => (
            r#"{"format_version":"1.2","planned_values":{},"resource_changes":["#,
            change,
            "]}",
        ),
    }
}

/// A file of one of the kinds in one of the layouts, of at least so many bytes.
struct File {
    _folder: TempDir,
    input: Input,
    n_bytes: usize,
}

impl File {
    fn new(name: &str, at_least: usize) -> io::Result<Self> {
        let (kind_name, layout) = name.split_once(' ').unwrap_or((name, "compact"));
        let (head, element, tail) = kind(kind_name);
        let mut random = Random(42);
        let mut text = String::from(head);
        for number in 0_u32.. {
            let element = element(&mut random, number);
            match layout {
                "indented" => {
                    let value: serde_json::Value = serde_json::from_str(&element)?;
                    text.push_str(
                        &serde_json::to_string_pretty(&value)?.replace('\n', "\n        "),
                    );
                }
                _ => text.extend(element.lines().map(str::trim_start)),
            }
            if text.len() >= at_least {
                break;
            }
            text.push(',');
        }
        text.push_str(tail);
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("made.json");
        fs::write(&path, &text)?;
        Ok(Self {
            _folder: folder,
            input: Input::path(path),
            n_bytes: text.len(),
        })
    }
}

/// Budget: 0.6 s for each GB indented, 0.8 s compact.
#[divan::bench(
    args = ["pulumi indented", "pulumi compact", "tfstate indented", "tfstate compact", "tfshow compact", "tfplan compact"],
    sample_count = 10,
    sample_size = 1
)]
fn index_64_mb(bencher: Bencher<'_, '_>, name: &str) {
    let Ok(file) = File::new(name, 64 << 20) else {
        return;
    };
    bencher
        .counter(BytesCount::new(file.n_bytes))
        .bench_local(|| load::load(&file.input).is_ok());
}

/// The events up to the first resources, and the screen that they make.
fn first_screen(file: &File) -> bool {
    let cancel = AtomicBool::new(false);
    let mut events = Vec::new();
    let _ = load::stream_within(
        &file.input,
        load::Limits::default(),
        &cancel,
        &mut |event| {
            let is_first = matches!(event, LoadEvent::Indexed { .. });
            if !cancel.load(Ordering::Relaxed) {
                events.push(event);
            }
            cancel.fetch_or(is_first, Ordering::Relaxed);
        },
    );
    let (mut app, _) = App::new(file.input.clone(), &Preferences::default(), 120, 40);
    for event in events {
        let answer = Answer::<Load>(Ok(event));
        app.update(Event::Answer(Cancel::default(), Box::new(answer)));
    }
    let options = TerminalOptions {
        viewport: Viewport::Fixed(Rect::new(0, 0, 120, 40)),
    };
    let Ok(mut terminal) = Terminal::with_options(CrosstermBackend::new(io::sink()), options)
    else {
        return false;
    };
    terminal.draw(|frame| view(&app, frame)).is_ok()
}

/// Budget: 5 ms, whatever the size.
#[divan::bench(
    args = ["pulumi", "tfstate", "tfshow", "tfplan"],
    consts = [4_096, 67_108_864],
    sample_count = 30,
    sample_size = 1
)]
fn first_screen_of<const N_BYTES: usize>(bencher: Bencher<'_, '_>, name: &str) {
    let Ok(file) = File::new(name, N_BYTES) else {
        return;
    };
    bencher.bench_local(|| first_screen(&file));
}
