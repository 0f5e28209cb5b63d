//! The rendering of plans.

use stacklens::render::terraform::{Mode, Plan, Product, plan};
use stacklens::schema::Schemas;
use stacklens::value::{Map, Value};

use super::{ExactRunner, Runner};

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[];

/// The files whose numbers must keep their digits.
pub(super) const EXACT_RUNNERS: &[(&str, ExactRunner)] = &[("plan_render", plan_render)];

/// One resource of a plan, as `show` writes the plan.
fn plan_render(case: &Value) -> Result<(), String> {
    let field = |name: &str| case.get(name).ok_or(format!("no {name}"));
    let changes = Value::from(vec![field("resource_change")?.clone()]);
    let document = Value::from(Map::from_iter([("resource_changes", changes)]));
    let schemas = Schemas::new(field("provider_schemas")?);
    let read = Plan::read(&document, &schemas, Mode::Normal, Product::Terraform);
    let want = field("want_text")?.as_str().ok_or("want_text is no text")?;
    let got = plan(&read);
    if got == want {
        Ok(())
    } else {
        Err(format!("expected\n{want}\ngot\n{got}"))
    }
}
