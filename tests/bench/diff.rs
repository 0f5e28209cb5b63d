//! Differences, described and laid out in lines as the explorer lays them out at first.
//!
//! Budget: a list of 100,000 elements shows in under 100 ms; one of 10,000 in 1 ms with up to 100 edits, in 60 ms at worst.

use divan::Bencher;
use stacklens::change::difference::{Context, describe};
use stacklens::render::lines::{Options, lines};
use stacklens::value::{Map, Value};

fn main() {
    divan::main();
}

const SIZES: [u32; 3] = [1_000, 10_000, 100_000];

/// Rules of a firewall, as long lists hold in practice.
fn rules(numbers: impl Iterator<Item = u32>) -> Value {
    let rule = |number: u32| {
        Value::from(Map::from_iter([
            (
                "cidr",
                Value::from(format!("10.{}.{}.0/24", number / 256 % 256, number % 256)),
            ),
            ("port", Value::from(f64::from(number))),
        ]))
    };
    Value::from(numbers.map(rule).collect::<Vec<_>>())
}

/// The delay after a change is selected in the explorer.
fn shown(bencher: Bencher<'_, '_>, before: &Value, after: &Value) {
    bencher.bench_local(|| {
        let diff = describe(before, after, Context::default());
        let options = Options {
            most: Options::SCREENFUL,
            ..Options::default()
        };
        lines(&diff, options)
    });
}

/// One element is gone from the middle, one is new at the end.
#[divan::bench(args = SIZES, sample_count = 5)]
fn list_with_two_changes(bencher: Bencher<'_, '_>, n: u32) {
    let after = (0..n).filter(|number| *number != n / 2).chain([n, n + 1]);
    shown(bencher, &rules(0..n), &rules(after));
}

/// A hundred elements are gone, far from each other, and a hundred are new elsewhere.
#[divan::bench(args = SIZES, sample_count = 5)]
fn list_with_two_hundred_changes(bencher: Bencher<'_, '_>, n: u32) {
    let step = n / 100;
    let after = (0..n).flat_map(|number| match number % step {
        0 => [None, None],
        3 => [Some(number), Some(n + number)],
        _ => [Some(number), None],
    });
    shown(bencher, &rules(0..n), &rules(after.flatten()));
}

/// One element has another port.
#[divan::bench(args = SIZES, sample_count = 5)]
fn list_with_one_element_changed(bencher: Bencher<'_, '_>, n: u32) {
    let after = (0..n).map(|number| if number == n / 2 { n } else { number });
    shown(bencher, &rules(0..n), &rules(after));
}

/// Every tenth element is gone, and all others are in reverse order.
#[divan::bench(args = SIZES, sample_count = 5)]
fn list_reversed(bencher: Bencher<'_, '_>, n: u32) {
    let after = (0..n).rev().filter(|number| number % 10 != 0);
    shown(bencher, &rules(0..n), &rules(after));
}

/// Nothing in common.
#[divan::bench(args = SIZES, sample_count = 5)]
fn list_replaced(bencher: Bencher<'_, '_>, n: u32) {
    shown(bencher, &rules(0..n), &rules(n..=(2 * n)));
}

/// Nothing in common, and every line laid out, as `stacklens diff` prints it. No budget: all lines are asked for.
#[divan::bench(args = SIZES, sample_count = 5)]
fn list_replaced_in_full(bencher: Bencher<'_, '_>, n: u32) {
    let (before, after) = (rules(0..n), rules(n..=(2 * n)));
    bencher.bench_local(|| {
        let diff = describe(&before, &after, Context::default());
        lines(&diff, Options::default())
    });
}

/// A document of many lines with some of few kinds, as generated files are.
#[divan::bench(args = SIZES, sample_count = 5)]
fn text_of_few_lines_often_repeated(bencher: Bencher<'_, '_>, n: u32) {
    let text = |factor: u32| {
        let line = |number: u32| format!("line {}\n", number.wrapping_mul(factor) % 97 % 13);
        (0..n + factor % 2).map(line).collect::<String>()
    };
    shown(
        bencher,
        &Value::from(text(7_919)),
        &Value::from(text(104_730)),
    );
}

/// A document in a string with one change.
#[divan::bench(args = SIZES, sample_count = 5)]
fn json_in_a_string(bencher: Bencher<'_, '_>, n: u32) {
    let text = |changed: u32| {
        let entry = |number: u32| {
            format!(
                "{{\"Sid\":\"s{number}\",\"n\":{}}}",
                u32::from(number == changed)
            )
        };
        let entries: Vec<String> = (0..n).map(entry).collect();
        Value::from(format!("{{\"Statement\":[{}]}}", entries.join(",")))
    };
    shown(bencher, &text(0), &text(n / 2));
}
