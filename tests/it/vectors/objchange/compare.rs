//! Equality, subsequences and actions.

use serde_json::{Value as Json, json};
use stacklens::terraform::cty::{Typed, View};
use stacklens::terraform::objchange::{self, BasicAction};

use super::read;

pub(super) fn value_equal(case: &Json) -> Result<(), String> {
    let [x, y] = ["x", "y"].map(|key| read::value(case, key));
    let got = objchange::value_equal(x.view(), y.view());
    if json!(got) == case["want"] {
        Ok(())
    } else {
        Err(format!("expected {}, got {got}", case["want"]))
    }
}

pub(super) fn longest_common_subsequence(case: &Json) -> Result<(), String> {
    let [xs, ys, want] = ["xs", "ys", "want"].map(|key| read::values(case, key));
    let [x_views, y_views] =
        [&xs, &ys].map(|values| values.iter().map(Typed::view).collect::<Vec<View<'_>>>());
    let pairs = objchange::longest_common_subsequence(&x_views, &y_views);
    if pairs.len() != want.len() {
        return Err(format!("expected {} values, got {pairs:?}", want.len()));
    }
    for ((x, y), want) in pairs.iter().zip(&want) {
        for got in [&xs[*x], &ys[*y]] {
            if !objchange::value_equal(got.view(), want.view()) {
                return Err(format!("expected {want:?}, got {got:?}"));
            }
        }
    }
    Ok(())
}

pub(super) fn action_for_change(case: &Json) -> Result<(), String> {
    let [before, after] = ["before", "after"].map(|key| read::value(case, key));
    let got = match objchange::action_for_change(before.view(), after.view()) {
        BasicAction::NoOp => "no-op",
        BasicAction::Create => "create",
        BasicAction::Update => "update",
        BasicAction::Delete => "delete",
    };
    if case["want"] == got {
        Ok(())
    } else {
        Err(format!("expected {}, got {got}", case["want"]))
    }
}
