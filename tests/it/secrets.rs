//! Secrets that no file marks: the places and near misses in `tests/secrets`, through the library and through the commands.

mod commands;
mod table;

use stacklens::json::{Numbers, parse};
use stacklens::likely::Masking;
use stacklens::value::Value;

use table::{Near, Place, near, places};

fn value(json: &serde_json::Value) -> Value {
    let text = json.to_string();
    parse(text.as_bytes(), Numbers::Exact).unwrap().value
}

/// The value as the program shows it.
fn shown(place: &Place) -> String {
    let value = value(&place.value);
    let masked = Masking::default().masked(&place.name, &value);
    masked.unwrap_or(value).to_string()
}

#[test]
fn the_tables_of_secrets_are_large_enough() {
    assert!(places().len() >= 600, "{} places", places().len());
    assert!(near().len() >= 250, "{} near misses", near().len());
}

#[test]
fn secrets_of_the_table_are_masked() {
    let all = places();
    let is_shown = |place: &&Place| {
        let text = shown(place);
        place.secrets.iter().any(|it| text.contains(it.as_str()))
    };
    let leaks = all.iter().filter(is_shown);
    let leaks: Vec<String> = leaks
        .map(|place| format!("{}: {} = {}", place.kind, place.name, shown(place)))
        .collect();
    assert!(
        leaks.is_empty(),
        "{} of {} are shown:\n{}",
        leaks.len(),
        all.len(),
        leaks.join("\n")
    );
}

#[test]
fn the_rest_of_a_text_of_the_table_stays_readable() {
    for place in places() {
        let is_text = !matches!(
            place.kind.as_str(),
            "names" | "beside" | "packed" | "webhooks"
        );
        let (shown, readable) = (shown(&place), place.rest());
        assert!(
            !is_text || shown.contains(&readable),
            "{}: {readable} is not in {shown}",
            place.kind
        );
    }
}

#[test]
fn near_misses_of_the_table_stay_readable() {
    let all = near();
    let masked = all.iter().filter_map(|Near { kind, name, value }| {
        let masked = Masking::default().masked(name, &self::value(value))?;
        Some(format!("{kind}: {name} = {value} → {masked}"))
    });
    let masked: Vec<String> = masked.collect();
    assert!(
        masked.is_empty(),
        "{} of {}:\n{}",
        masked.len(),
        all.len(),
        masked.join("\n")
    );
}
