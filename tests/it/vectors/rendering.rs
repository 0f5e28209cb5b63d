//! The rendering of plans.

use stacklens::json::to_compact;
use stacklens::render::terraform::Mode;
use stacklens::terraform::schema::Schemas;
use stacklens::value::Value;

use super::{ExactRunner, Runner};
use crate::plans::{in_hand, text_of};

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[];

/// The files whose numbers must keep their digits.
pub(super) const EXACT_RUNNERS: &[(&str, ExactRunner)] = &[("plan_render", plan_render)];

/// One resource of a plan (`resource_change`), or a whole `plan`, as `show` writes it, with the `mode` of the plan.
fn plan_render(case: &Value) -> Result<(), String> {
    let field = |name: &str| case.get(name).ok_or(format!("no {name}"));
    let body = match case.get("plan") {
        Some(plan) => to_compact(plan).trim_start_matches('{').to_owned(),
        None => format!(
            r#""resource_changes":[{}]}}"#,
            to_compact(field("resource_change")?)
        ),
    };
    let comma = if body == "}" { "" } else { "," };
    let document = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.17.0","planned_values":{{}}{comma}{body}"#
    );
    let mode = match case.get("mode").and_then(Value::as_str) {
        None | Some("normal") => Mode::Normal,
        Some("destroy") => Mode::Destroy,
        Some("refresh-only") => Mode::RefreshOnly,
        Some(other) => return Err(format!("mode {other}")),
    };
    let schemas = Schemas::new(field("provider_schemas")?);
    let want = field("want_text")?.as_str().ok_or("want_text is no text")?;
    let got = text_of(&in_hand(&document), &schemas, mode);
    if got == want {
        Ok(())
    } else {
        Err(format!("expected\n{want}\ngot\n{got}"))
    }
}
