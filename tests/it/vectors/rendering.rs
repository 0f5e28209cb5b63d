//! The rendering of plans.

use stacklens::json::to_compact;
use stacklens::render::terraform::Mode;
use stacklens::schema::Schemas;
use stacklens::value::Value;

use super::{ExactRunner, Runner};
use crate::plans::{in_hand, text_of};

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[];

/// The files whose numbers must keep their digits.
pub(super) const EXACT_RUNNERS: &[(&str, ExactRunner)] = &[("plan_render", plan_render)];

/// One resource of a plan, as `show` writes the plan.
fn plan_render(case: &Value) -> Result<(), String> {
    let field = |name: &str| case.get(name).ok_or(format!("no {name}"));
    let change = to_compact(field("resource_change")?);
    let document = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.17.0","resource_changes":[{change}]}}"#
    );
    let schemas = Schemas::new(field("provider_schemas")?);
    let want = field("want_text")?.as_str().ok_or("want_text is no text")?;
    let got = text_of(&in_hand(&document), &schemas, Mode::Normal);
    if got == want {
        Ok(())
    } else {
        Err(format!("expected\n{want}\ngot\n{got}"))
    }
}
