//! What is wrong with planned and actual values.

use serde_json::{Value as Json, json};
use stacklens::objchange::{self, Counts, Error, Semantics, Violation, ViolationKind as Kind};

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

/// The order has no meaning, the number of each has.
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
        && [
            "sensitive",
            "mode",
            "key",
            "index",
            "planned",
            "config",
            "actual",
        ]
        .iter()
        .all(|detail| {
            // A number that only a range is known of is in no case.
            let said = |json: &Json| json.get(detail).filter(|it| !it.is_null()).cloned();
            said(want) == said(&details)
        })
}

fn details(of: &Violation) -> Json {
    let mut details = match &of.kind {
        Kind::NullBlockCollection(nesting) => json!({"mode": nesting.name()}),
        Kind::BlockCountMismatch { planned, config } => {
            json!({"planned": planned, "config": config})
        }
        Kind::CountMismatch { planned, config } => json!({"planned": planned, "config": config}),
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
