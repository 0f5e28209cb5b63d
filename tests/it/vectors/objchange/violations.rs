//! Violations in planned and actual values.

use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};
use stacklens::terraform::objchange::{
    self, Counts, Error, Semantics, Violation, ViolationKind as Kind,
};

use super::read;

fn check(
    case: &Json,
    found: impl Fn(Semantics) -> Result<Vec<Violation>, Error>,
) -> Result<(), String> {
    let got = found(Semantics::Current).map_err(|error| error.to_string())?;
    expect(&got, &case["want_errors"])?;
    let Some(want) = read::want_of_0_13(case, "want_errors") else {
        return Ok(());
    };
    let got = found(Semantics::V0_13).map_err(|error| error.to_string())?;
    expect(&got, want).map_err(|why| format!("0.13: {why}"))
}

/// The order of violations is ignored, but their number counts.
fn expect(got: &[Violation], want: &Json) -> Result<(), String> {
    let mut left: Vec<&Violation> = got.iter().collect();
    for want in want.as_array().expect("errors") {
        let Some(at) = left.iter().position(|got| is_same(got, want)) else {
            return Err(format!("expected {want} among {got:?}"));
        };
        let found = left.remove(at);
        if found.to_string().is_empty() {
            return Err(format!("nothing to say of {want}"));
        }
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err(format!("did not expect {left:?}"))
    }
}

fn is_same(got: &Violation, want: &Json) -> bool {
    let details = details(got);
    want["kind"] == got.kind.name()
        && read::is_same_path(&got.path, &want["path"])
        && ["sensitive", "mode", "key", "index"].iter().all(|detail| {
            let said = |json: &Json| json.get(detail).filter(|it| !it.is_null()).cloned();
            said(want) == said(&details)
        })
        && ["planned", "config", "actual"]
            .iter()
            .all(|detail| count(want.get(detail)) == count(details.get(detail)))
}

/// The least and the greatest number in the text of a case: one number, or all numbers in the text of a range. A number greater
/// than a Go `int` is no limit.
fn count(said: Option<&Json>) -> Option<[f64; 2]> {
    let text = said.filter(|said| !said.is_null())?.to_string();
    let is_number = |part: &str| part.contains(|letter: char| letter.is_ascii_digit());
    let parts = text.split(|letter: char| !letter.is_ascii_digit() && !"+.e-".contains(letter));
    let numbers: Vec<f64> = parts
        .map(|part| part.trim_matches(|letter: char| !letter.is_ascii_digit()))
        .filter(|part| is_number(part))
        .filter_map(|part| part.parse().ok())
        .collect();
    let [least, most] = [f64::min, f64::max].map(|pick| numbers.iter().copied().reduce(pick));
    let most = most.map(|most| if most < 9e18 { most } else { f64::INFINITY });
    Some([least?, most?])
}

fn details(of: &Violation) -> Json {
    let mut details = match &of.kind {
        Kind::NullBlockCollection(nesting) => json!({"mode": nesting.name()}),
        Kind::BlockCountMismatch { planned, config } => {
            json!({"planned": planned, "config": config})
        }
        Kind::CountMismatch { planned, config } => {
            let ends = |of: &RangeInclusive<usize>| [*of.start(), *of.end()];
            json!({"planned": ends(planned), "config": ends(config)})
        }
        Kind::BlockCountChanged(Counts { planned, actual })
        | Kind::BlockSetGrew(Counts { planned, actual })
        | Kind::SetGrew(Counts { planned, actual }) => {
            json!({"planned": planned, "actual": actual})
        }
        Kind::BlockKeyNotInConfig(key)
        | Kind::BlockKeyNotInPlan(key)
        | Kind::MapKeyNotInConfig(key)
        | Kind::MapKeyNotInPlan(key)
        | Kind::BlockKeyVanished(key)
        | Kind::BlockKeyAppeared(key) => json!({"key": **key}),
        Kind::ElementVanished(index) | Kind::ElementAppeared(index) => json!({"index": index}),
        _ => json!({}),
    };
    if of.is_sensitive {
        details["sensitive"] = json!(true);
    }
    details
}

pub(super) fn plan_valid(case: &Json) -> Result<(), String> {
    let schema = read::schema(case);
    let [prior, config, planned] = ["prior", "config", "planned"].map(|key| read::value(case, key));
    check(case, |semantics| {
        objchange::assert_plan_valid(&schema, &prior, &config, &planned, semantics)
    })
}

pub(super) fn object_compatible(case: &Json) -> Result<(), String> {
    let schema = read::schema(case);
    let [planned, actual] = ["planned", "actual"].map(|key| read::value(case, key));
    check(case, |semantics| {
        objchange::assert_object_compatible(&schema, &planned, &actual, semantics)
    })
}

pub(super) fn value_compatible(case: &Json) -> Result<(), String> {
    let [planned, actual] = ["planned", "actual"].map(|key| read::value(case, key));
    let got = objchange::assert_value_compatible(&planned, &actual, Semantics::Current);
    expect(&got, &case["want_errors"])
}
