//! Values that the rules produce.

use serde_json::Value as Json;
use stacklens::terraform::cty::Typed;
use stacklens::terraform::objchange::{self, Error, Semantics};

use super::read;

/// Checks the results of the current rules and, if the case has them, those of 0.13.
fn check(case: &Json, made: impl Fn(Semantics) -> Result<Typed, Error>) -> Result<(), String> {
    let got = made(Semantics::Current).map_err(|error| error.to_string())?;
    read::expect_same(&got, &read::value(case, "want"))?;
    let Some(want) = read::want_of_0_13(case, "want") else {
        return Ok(());
    };
    let got = made(Semantics::V0_13).map_err(|error| error.to_string())?;
    read::expect_same(&got, &read::typed(want)).map_err(|why| format!("0.13: {why}"))
}

pub(super) fn proposed_new(case: &Json) -> Result<(), String> {
    let schema = read::schema(case);
    let [prior, config] = ["prior", "config"].map(|key| read::value(case, key));
    check(case, |semantics| {
        objchange::proposed_new(&schema, &prior, &config, semantics)
    })
}

pub(super) fn planned_data(case: &Json) -> Result<(), String> {
    let schema = read::schema(case);
    let config = read::value(case, "config");
    check(case, |semantics| {
        objchange::planned_data_resource_object(&schema, &config, semantics)
    })
}

pub(super) fn computed_blocks(case: &Json) -> Result<(), String> {
    let schema = read::schema(case);
    let value = read::value(case, "value");
    check(case, |_| {
        objchange::prepare_computed_blocks(&schema, &value)
    })
}

pub(super) fn normalize(case: &Json) -> Result<(), String> {
    let schema = read::schema(case);
    let input = read::value(case, "input");
    check(case, |semantics| {
        objchange::normalize_object_from_legacy_sdk(&schema, &input, semantics)
    })
}
