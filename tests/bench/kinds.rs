//! The delays of a person who looks at one value: its type, its decoded form, its hash, its plaintext.

use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::BytesCount;
use stacklens::change::decode::{Decoder, packing};
use stacklens::pulumi::asset::{self, NoFiles};
use stacklens::pulumi::passphrase;
use stacklens::types::Type;
use stacklens::value::{Archive, Asset, Map, Member, Text, Value};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// A cluster's worth of nodes: 10,000 objects alike but for a few.
fn nodes() -> Value {
    let node = |n: u32| {
        Value::from(Map::from_iter([
            ("name", Value::from(format!("node-{n}"))),
            ("ready", Value::from(!n.is_multiple_of(7))),
            ("cpu", Value::from(f64::from(n % 64))),
            (
                "tags",
                Value::from(vec![Value::from("a"), Value::from("b")]),
            ),
            (
                "extra",
                if n.is_multiple_of(3) {
                    Value::NULL
                } else {
                    Value::from("x")
                },
            ),
        ]))
    };
    Value::from((0..10_000).map(node).collect::<Vec<_>>())
}

/// Budget: 20 ms, so that the type line follows the cursor.
#[divan::bench]
fn infer_type(bencher: Bencher<'_, '_>) {
    let value = nodes();
    bencher.bench(|| Type::infer(black_box(&value)));
}

/// Budget: 20 ms.
#[divan::bench]
fn check_type(bencher: Bencher<'_, '_>) {
    let value = nodes();
    let ty = Type::infer(&value);
    bencher.bench(|| ty.check(black_box(&value)));
}

/// Budget: 20 microseconds: it runs for every string on a row.
#[divan::bench]
fn packing_of_a_long_text(bencher: Bencher<'_, '_>) {
    let text = "{\"Version\": \"2012-10-17\", \"Statement\": []}".repeat(10_000);
    let value = Value::from(text);
    bencher.bench(|| packing(black_box(&value)));
}

/// Budget: 50 ms for a megabyte.
#[divan::bench]
fn decode_yaml(bencher: Bencher<'_, '_>) {
    let text = "- name: node\n  cpu: 4\n  tags: [a, b]\n".repeat(27_000);
    let value = Value::from(text.as_str());
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| Decoder::Yaml.decode(black_box(&value)));
}

/// Budget: 200 ms for 64 MiB.
#[divan::bench]
fn hash_archive(bencher: Bencher<'_, '_>) {
    let asset = Asset {
        text: Some(Text::from(vec![7; 1 << 20])),
        ..Asset::default()
    };
    let member = Member::Asset(Arc::new(asset));
    let assets = (0..64).map(|n| (Arc::from(format!("dir/file-{n}")), member.clone()));
    let archive = Archive {
        assets: Some(assets.collect()),
        ..Archive::default()
    };
    bencher
        .counter(BytesCount::new(64usize << 20))
        .bench(|| asset::hash_archive(black_box(&archive), &NoFiles, &mut asset::unwatched));
}

/// Budget: two seconds, in the background: the iterations are those of the provider.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn derive_passphrase_key() -> stacklens::secrets::Key {
    passphrase::derive(black_box(b"correct horse"), b"saltsalt")
}
