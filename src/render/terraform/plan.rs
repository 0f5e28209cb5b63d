//! A whole plan.

use std::collections::HashMap;
use std::sync::Arc;

use super::mode::{Mode, field};
use super::node::{Style, node};
use super::page::{rule, wrapped};
use super::planned::{Actions, Cause, Planned, change, put_off};
use super::{Invoked, Product, configured, invoked, quote, safe};
use crate::change::difference::{Action, Diff, describe_output};
use crate::path::{Path, Segment};
use crate::render::remarks::deferred as deferred_reason;
use crate::stack::{Flags, Invocation, Resource, Stack, Timing, Trigger};
use crate::terraform::address::{Address, ObjectName};
use crate::terraform::schema::{Block, SchemaKind, Schemas};
use crate::value::{Array, Payload, Value};

/// The content of a plan. Resources are in the order in which Terraform lists them.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Plan {
    /// Changes of resources.
    pub changes: Vec<Planned>,
    /// Drift of resources, narrowed to the paths that matter for this plan.
    pub drift: Vec<Planned>,
    /// Changes deferred to a later plan, each with the reason in the words of the file.
    pub deferred: Vec<(Planned, String)>,
    /// Number of actions of providers that are invoked.
    pub n_invoked: usize,
    /// The actions that the person asked for; the rest are with the changes that trigger them.
    pub asked: Vec<Invoked>,
    /// The outputs, each with its difference.
    pub outputs: Vec<(Arc<str>, Diff)>,
    /// The mode of the plan.
    pub mode: Mode,
    /// True if planning failed half way.
    pub is_errored: bool,
    /// True if the plan can be applied.
    pub is_applyable: bool,
    /// The product whose wording is used.
    pub product: Product,
}

impl Plan {
    /// The plan that `stack` is the index of, with all of its `resources`. Its mode comes from [`Mode::of`].
    pub fn of(
        stack: &Stack,
        resources: impl IntoIterator<Item = Resource>,
        schemas: &Schemas,
        mode: Mode,
        product: Product,
    ) -> Self {
        let flag = |name: &str| field(stack, name).and_then(Value::as_bool);
        let list = |name: &str| field(stack, name).and_then(Value::as_array);
        let relevant = list("relevant_attributes");
        let relevant = Relevant::new(relevant.map(Array::as_slice).unwrap_or_default());
        let mut plan = Self {
            mode,
            is_errored: flag("errored") == Some(true),
            is_applyable: flag("applyable") != Some(false),
            product,
            ..Self::default()
        };
        for resource in resources {
            let block = schema_of(&resource, schemas).or_else(|| configured_of(stack, &resource));
            let is_deferred = resource.flags.contains(Flags::DEFERRED);
            let is_drift = resource.flags.contains(Flags::DRIFT_ENTRY) && !is_deferred;
            let is_narrowed = is_drift && mode != Mode::RefreshOnly;
            let paths = is_narrowed.then(|| relevant.of(&resource));
            if paths.is_some_and(<[Path]>::is_empty) {
                continue;
            }
            let planned = Planned::of(&resource, block.as_ref(), paths);
            if is_deferred {
                let reason = deferred_reason(&resource).unwrap_or_default().to_owned();
                plan.deferred.extend(planned.map(|it| (it, reason)));
            } else if is_drift {
                plan.drift.extend(planned);
            } else {
                plan.changes.extend(planned);
            }
        }
        plan.take_invocations(stack, schemas);
        in_order(&mut plan.changes);
        in_order(&mut plan.drift);
        let changed = stack
            .outputs
            .iter()
            .filter(|output| output.action.is_some());
        plan.outputs = changed
            .map(|output| {
                // An output that did not exist before has the same mask as after.
                let nothing = || Value::default().with_secret(output.value.is_secret());
                let before = output.before.clone().unwrap_or_else(nothing);
                (output.name.clone(), describe_output(&before, &output.value))
            })
            .collect();
        plan
    }

    /// True if the mode shows in the text or is written in the file. The text of a plan without changes depends on the mode, and
    /// the JSON of a plan does not give it.
    pub fn says_mode(&self, stack: &Stack) -> bool {
        // Unchanged resources are listed only of a usual plan.
        let has_changes = !self.changes.is_empty() || self.n_invoked > 0;
        has_changes || self.mode != Mode::Normal || field(stack, "mode").is_some()
    }

    fn take_invocations(&mut self, stack: &Stack, schemas: &Schemas) {
        let is_now = |it: &&Invocation| it.deferred.is_none();
        let of = |it: &Invocation| Invoked::of(it, schemas);
        let all = stack.invocations.iter().filter(is_now);
        self.n_invoked = all.clone().count();
        self.asked = all
            .filter(|it| matches!(it.trigger, Trigger::Asked { .. }))
            .map(of)
            .collect();
        for planned in &mut self.changes {
            let own = stack.invocations_of(&planned.address);
            let on = |side: Timing| {
                let own = own.iter().filter(is_now);
                own.filter(|it| it.side() == Some(side)).map(of).collect()
            };
            planned.invoked_before = on(Timing::Before);
            planned.invoked_after = on(Timing::After);
        }
    }

    /// True if the plan changes nothing.
    fn is_empty(&self) -> bool {
        let is_idle = |planned: &Planned| !planned.diff.is_change() && !planned.is_moved();
        self.changes.iter().all(is_idle) && self.outputs.iter().all(|(_, diff)| !diff.is_change())
    }
}

/// Sorts as Terraform does; resources whose address does not parse come last. A plan file has its resources in another order.
fn in_order(planned: &mut Vec<Planned>) {
    let mut keyed: Vec<(Option<Address>, Planned)> = std::mem::take(planned)
        .into_iter()
        .map(|planned| (Address::parse(&planned.address).ok(), planned))
        .collect();
    keyed.sort_by(|(one, a), (other, b)| match (one, other) {
        (Some(one), Some(other)) => one.cmp(other).then_with(|| a.deposed.cmp(&b.deposed)),
        (one, other) => one.is_none().cmp(&other.is_none()),
    });
    planned.extend(keyed.into_iter().map(|(_, planned)| planned));
}

fn schema_of(resource: &Resource, schemas: &Schemas) -> Option<Block> {
    let kind = SchemaKind::of_mode(resource.mode.name())?;
    let schema = schemas.find(resource.provider.as_deref()?, kind, &resource.ty)?;
    Some(schema.ok()?.block)
}

/// The block types that the configuration in the plan implies, for a resource without a schema.
fn configured_of(stack: &Stack, resource: &Resource) -> Option<Block> {
    let address = ObjectName::parse(resource.address.as_deref()?).config_address();
    let expressions = stack.expressions.get(&*address)?;
    let states = [&resource.before, &resource.after];
    let values = states.map(|state| state.as_ref().and_then(|state| state.outputs.as_ref()));
    let values: Vec<&Value> = values.into_iter().flatten().collect();
    Some(configured::blocks_of(expressions, &values))
}

/// The paths that are relevant to the plan, by the address of their resource.
struct Relevant<'v>(HashMap<&'v str, Vec<Path>>);

impl<'v> Relevant<'v> {
    fn new(attributes: &'v [Value]) -> Self {
        let mut paths: HashMap<&str, Vec<Path>> = HashMap::new();
        for attribute in attributes {
            let address = attribute.get("resource").and_then(Value::as_str);
            if let (Some(address), Some(steps)) = (address, attribute.get("attribute")) {
                paths.entry(address).or_default().push(path(steps));
            }
        }
        Self(paths)
    }

    fn of(&self, resource: &Resource) -> &[Path] {
        // A deposed object has the attributes of its resource.
        let own = resource.address.as_deref();
        own.and_then(|own| self.0.get(ObjectName::parse(own).address))
            .map_or(&[], Vec::as_slice)
    }
}

/// A path in the JSON of a plan: strings for keys, numbers for elements.
fn path(steps: &Value) -> Path {
    let step = |step: &Value| match step.payload() {
        Payload::Number(number) => Segment::Index(number.to_string().parse().unwrap_or(usize::MAX)),
        _ => Segment::from(step.as_str().unwrap_or_default()),
    };
    Path(steps.as_array().into_iter().flatten().map(step).collect())
}

/// The actions of the listed changes, for counting, and the number of imports.
#[derive(Default)]
struct Counts {
    actions: Vec<Actions>,
    imports: usize,
}

impl Counts {
    fn of(&self, wanted: &[Actions]) -> usize {
        self.actions
            .iter()
            .filter(|actions| wanted.contains(actions))
            .count()
    }
}

/// The text of a plan.
pub fn plan(plan: &Plan) -> String {
    let shown: Vec<&Planned> = plan
        .changes
        .iter()
        .filter(|change| change.is_shown())
        .collect();
    let actions = shown.iter().map(|change| change.actions);
    let counts = Counts {
        // A plain move or import is not counted.
        actions: actions
            .filter(|actions| *actions != Actions::Noop)
            .collect(),
        imports: shown
            .iter()
            .filter(|change| change.importing.is_some())
            .count(),
    };
    let outputs = outputs(&plan.outputs);
    let mut out = String::new();
    let has_drift = drift(&mut out, plan);
    let is_idle = shown.is_empty() && outputs.is_empty() && plan.n_invoked == 0;
    if is_idle && nothing(&mut out, plan, has_drift) {
        return safe(out);
    }
    if has_drift {
        rule(&mut out);
    }
    if deferred(&mut out, plan) {
        rule(&mut out);
    }
    if !counts.actions.is_empty() {
        legend(&mut out, plan.product, &counts);
    }
    let product = plan.product.name();
    if !shown.is_empty() || plan.n_invoked > 0 {
        if plan.is_errored {
            put!(
                out,
                "\n{product} planned the following actions, but then encountered a problem:\n"
            );
        } else {
            put!(out, "\n{product} will perform the following actions:\n");
        }
        for planned in &shown {
            if let Some(text) = change(planned, Cause::Proposed, plan.product) {
                put!(out, "\n{text}\n");
            }
        }
        out.push_str(&summary(&counts, plan));
    }
    if !plan.asked.is_empty() {
        put!(
            out,
            "\n{product} will invoke the following action(s):\n\n{}\n",
            invoked::asked(&plan.asked)
        );
    }
    if !outputs.is_empty() {
        put!(out, "\nChanges to Outputs:\n{outputs}\n");
        if counts.actions.is_empty() {
            wrapped(
                &mut out,
                &format!(
                    "\nYou can apply this plan to save these new output values to the {product} state, without changing any \
                     real infrastructure."
                ),
            );
        }
    }
    safe(out)
}

/// Adds the drift. Returns true if there is any.
fn drift(out: &mut String, plan: &Plan) -> bool {
    let is_shown = |drift: &&Planned| plan.mode == Mode::RefreshOnly || drift.diff.is_change();
    let drifts: Vec<&Planned> = plan.drift.iter().filter(is_shown).collect();
    if drifts.is_empty() || plan.is_empty() && plan.mode != Mode::RefreshOnly {
        return false;
    }
    let (product, command) = (plan.product.name(), plan.product.command());
    put!(out, "\nNote: Objects have changed outside of {product}\n\n");
    wrapped(
        out,
        &format!(
            "{product} detected the following changes made outside of {product} since the last \"{command} apply\" which may have \
             affected this plan:"
        ),
    );
    for drift in drifts {
        if let Some(text) = change(drift, Cause::Drift, plan.product) {
            put!(out, "\n{text}\n");
        }
    }
    let rest = if plan.mode == Mode::RefreshOnly {
        format!(
            "\n\nThis is a refresh-only plan, so {product} will not take any actions to undo these. If you were expecting these \
             changes then you can apply this plan to record the updated values in the {product} state without changing any remote \
             objects."
        )
    } else {
        "\n\nUnless you have made equivalent changes to your configuration, or ignored the relevant attributes using \
         ignore_changes, the following plan may include actions to undo or respond to these changes."
            .to_owned()
    };
    wrapped(out, &rest);
    true
}

/// Adds the deferred changes. Returns true if there are any.
fn deferred(out: &mut String, plan: &Plan) -> bool {
    if plan.deferred.is_empty() {
        return false;
    }
    out.push_str(
        "\nNote: This is a partial plan, parts can only be known in the next plan / apply cycle.\n\n",
    );
    for (planned, reason) in &plan.deferred {
        if let Some(text) = put_off(planned, reason, plan.product) {
            put!(out, "\n{text}\n");
        }
    }
    true
}

/// Adds the text for a plan that changes nothing. Returns true if that is the whole text.
fn nothing(out: &mut String, plan: &Plan, has_drift: bool) -> bool {
    let (product, command) = (plan.product.name(), plan.product.command());
    let is_partial = plan.is_errored || !plan.deferred.is_empty();
    if has_drift && (is_partial || plan.mode != Mode::RefreshOnly) {
        rule(out);
    }
    if plan.is_errored {
        put!(
            out,
            "\nPlanning failed. {product} encountered an error while generating this plan.\n\n"
        );
        return false;
    }
    if !plan.deferred.is_empty() {
        out.push_str(
            "\nNo current changes. This plan requires another plan to be applied first.\n\n",
        );
        return false;
    }
    match plan.mode {
        Mode::RefreshOnly if has_drift => {}
        Mode::RefreshOnly => {
            out.push_str("\nNo changes. Your infrastructure still matches the configuration.\n\n");
            let text = format!(
                "{product} has checked that the real remote objects still match the result of your most recent changes, and found \
                 no differences."
            );
            wrapped(out, &text);
        }
        Mode::Destroy => {
            out.push_str("\nNo changes. No objects need to be destroyed.\n\n");
            let text = format!(
                "Either you have not created any objects yet or the existing objects were already deleted outside of {product}."
            );
            wrapped(out, &text);
        }
        Mode::Normal => {
            out.push_str("\nNo changes. Your infrastructure matches the configuration.\n");
            let text = if has_drift && plan.is_applyable {
                "\nYour configuration already matches the changes detected above, so applying this plan will only update the \
                 state to include the changes detected above and won't change any real infrastructure."
                    .to_owned()
            } else if has_drift {
                format!(
                    "\nYour configuration already matches the changes detected above. If you'd like to update the {product} state \
                     to match, create and apply a refresh-only plan:\n  {command} apply -refresh-only"
                )
            } else {
                format!(
                    "\n{product} has compared your real infrastructure against your configuration and found no differences, so no \
                     changes are needed."
                )
            };
            wrapped(out, &text);
            return has_drift;
        }
    }
    has_drift && plan.mode == Mode::RefreshOnly
}

fn legend(out: &mut String, product: Product, counts: &Counts) {
    wrapped(
        out,
        &format!(
            "\n{} used the selected providers to generate the following execution plan. Resource actions are indicated with the \
             following symbols:",
            product.name()
        ),
    );
    let update = match product {
        Product::Terraform => "  ~ update in-place",
        Product::OpenTofu => "  ~ update in-place (current -> planned)",
    };
    let legend = [
        (Actions::Create, "  + create"),
        (Actions::Update, update),
        (Actions::Delete, "  - destroy"),
        (
            Actions::DeleteThenCreate,
            "-/+ destroy and then create replacement",
        ),
        (
            Actions::CreateThenDelete,
            "+/- create replacement and then destroy",
        ),
        (Actions::Read, " <= read (data resources)"),
        (
            Actions::ForgetThenCreate,
            "./+ forget and then create replacement",
        ),
    ];
    for (actions, line) in legend {
        if counts.of(&[actions]) > 0 {
            put!(out, "{line}\n");
        }
    }
    if product == Product::OpenTofu && counts.of(&[Actions::Forget]) > 0 {
        out.push_str("  . forget\n");
    }
}

fn summary(counts: &Counts, plan: &Plan) -> String {
    let product = plan.product;
    let replaced = [Actions::DeleteThenCreate, Actions::CreateThenDelete];
    let added = [
        Actions::Create,
        Actions::CreateThenForget,
        Actions::ForgetThenCreate,
    ];
    let imports = match counts.imports {
        0 => String::new(),
        n_imports => format!("{n_imports} to import, "),
    };
    let forgotten = match counts.of(&[Actions::Forget, Actions::ForgetThenCreate]) {
        n_forgotten if n_forgotten > 0 && product == Product::OpenTofu => {
            format!(", {n_forgotten} to forget")
        }
        _ => String::new(),
    };
    let invoked = match plan.n_invoked {
        0 => String::new(),
        n_invoked => format!(" Actions: {n_invoked} to invoke."),
    };
    format!(
        "\nPlan: {imports}{} to add, {} to change, {} to destroy{forgotten}.{invoked}\n",
        counts.of(&added) + counts.of(&replaced),
        counts.of(&[Actions::Update]),
        counts.of(&[Actions::Delete]) + counts.of(&replaced),
    )
}

/// The changed outputs, separated by line ends.
fn outputs(outputs: &[(Arc<str>, Diff)]) -> String {
    let mut outputs: Vec<_> = outputs
        .iter()
        .map(|(key, diff)| (key, quote::name(key), diff))
        .collect();
    outputs.sort_unstable_by_key(|(key, ..)| *key);
    let width = outputs
        .iter()
        .map(|(_, name, _)| name.len())
        .max()
        .unwrap_or_default();
    let changed = outputs.iter().filter(|(.., diff)| diff.is_change());
    let line = |(_, name, diff): &(&Arc<str>, String, &Diff)| {
        let sign = match diff.action {
            Action::Create => "  +",
            Action::Delete => "  -",
            Action::Update | Action::Same => "  ~",
        };
        let padding = " ".repeat(width.saturating_sub(name.chars().count()));
        format!(
            "{sign} {name}{padding} = {}",
            node(diff, 0, Style::default())
        )
    };
    changed.map(line).collect::<Vec<_>>().join("\n")
}
