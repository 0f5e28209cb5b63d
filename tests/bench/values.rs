//! The cost of reading, showing and searching values. The numbers in the comments are for one resource or a thousand, on a
//! two-core machine of 2024.

use divan::{Bencher, black_box};
use stacklens::json::{self, Numbers, Reader};
use stacklens::path::Path;
use stacklens::pulumi::diff::{self, Options};
use stacklens::pulumi::wire::{self, SecretKey, Secrets};
use stacklens::value::Value;

fn main() {
    divan::main();
}

/// The properties of a resource of middling size, about 2 KB of JSON.
fn resource(index: usize) -> String {
    let tags = (0..12).map(|tag| format!(r#""tag{tag}":"value {tag} of {index}""#));
    let rules = (0..8).map(|rule| {
        format!(r#"{{"fromPort":{rule},"toPort":{rule},"cidrBlocks":["10.{rule}.0.0/16"],"self":false,"description":null}}"#)
    });
    format!(
        r#"{{"id":"res-{index}","arn":"arn:aws:rds:eu-west-1:123456789012:db:res-{index}","size":{index},"ratio":0.25,
        "password":{{"{sig}":"{secret}","plaintext":"\"hunter{index}\""}},"tags":{{{tags}}},"rules":[{rules}]}}"#,
        sig = wire::SIGNATURE,
        secret = wire::SECRET,
        tags = tags.collect::<Vec<_>>().join(","),
        rules = rules.collect::<Vec<_>>().join(","),
    )
}

fn state(index: usize) -> Value {
    json::parse(resource(index).as_bytes(), Numbers::Double)
        .expect("this is JSON")
        .value
}

fn value(index: usize) -> Value {
    wire::decode_state(&state(index), None).expect("this is well formed")
}

/// Budget: 300 MB/s; this is the checking walk, which readers use inside an element.
#[divan::bench]
fn skip(bencher: Bencher<'_, '_>) {
    let text = (0..1000).map(resource).collect::<Vec<_>>().join(",");
    let text = format!("[{text}]");
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| Reader::new(black_box(text.as_bytes())).skip_value());
}

/// Budget: 100 MB/s; a detail pane parses one resource.
#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    let text = resource(7);
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| json::parse(black_box(text.as_bytes()), Numbers::Double));
}

/// Budget: 100 µs.
#[divan::bench]
fn decode_state(bencher: Bencher<'_, '_>) {
    let state = state(7);
    bencher.bench(|| wire::decode_state(black_box(&state), None));
}

/// Budget: 100 µs.
#[divan::bench]
fn decode_wire(bencher: Bencher<'_, '_>) {
    let form = wire::encode(&value(7), SecretKey::Value);
    bencher.bench(|| wire::decode(black_box(&form)));
}

/// Budget: 100 µs.
#[divan::bench]
fn encode_state(bencher: Bencher<'_, '_>) {
    let value = value(7);
    bencher.bench(|| wire::encode_state(black_box(&value), Secrets::Show));
}

/// Budget: 1 µs.
#[divan::bench]
fn path_get(bencher: Bencher<'_, '_>) {
    let value = value(7);
    let path = Path::parse("rules[3].cidrBlocks[0]").expect("this is a path");
    bencher.bench(|| black_box(&path).get(black_box(&value)).is_some());
}

/// Budget: 100 µs.
#[divan::bench]
fn difference(bencher: Bencher<'_, '_>) {
    let (old, new) = (value(7), value(8));
    bencher.bench(|| diff::values(black_box(&old), black_box(&new), Options::default()));
}
