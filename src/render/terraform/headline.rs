//! The comment above a resource: its action and the reason.

use super::Product;
use super::planned::{Actions, Cause, Planned};
use crate::json;
use crate::stack::why_deferred;
use crate::value::{Payload, Value};

/// The comment lines above a resource, each with its line end.
pub(super) fn headline(planned: &Planned, cause: Cause, product: Product) -> String {
    let mut lines = vec![what(planned, cause, product)];
    lines.extend(why(planned));
    let is_kept = matches!(planned.actions, Actions::Forget | Actions::CreateThenForget)
        && product == Product::Terraform;
    if planned.deposed.is_some()
        && matches!(
            planned.actions,
            Actions::Delete | Actions::Forget | Actions::ForgetThenCreate
        )
    {
        lines.push("(left over from a partially-failed replacement of this instance)".to_owned());
    }
    if is_kept {
        lines.push("(destroy = false is set in the configuration)".to_owned());
    }
    let n_own = lines.len();
    if let (true, false, Some(previous)) = (
        planned.is_moved(),
        planned.actions == Actions::Noop,
        &planned.previous_address,
    ) {
        lines.push(format!("(moved from {previous})"));
    }
    lines.extend(imported(planned, product));
    // The lines about the move and the import keep the wider margin.
    let narrow = if is_kept { n_own } else { 0 };
    let line = |(index, line): (usize, String)| {
        let margin = if index < narrow { " # " } else { "  # " };
        format!("{margin}{line}\n")
    };
    lines.into_iter().enumerate().map(line).collect()
}

/// The comment lines above a resource whose change is deferred.
///
/// # Source
///
/// hashicorp/terraform 1.17, `jsonformat.renderHumanDeferredDiff`.
pub(super) fn put_off(planned: &Planned, reason: &str) -> String {
    let because = match why_deferred(reason) {
        Some(words) => format!("because {words}"),
        None => "for an unknown reason".to_owned(),
    };
    format!("  # {} was deferred\n  # ({because})\n", planned.address)
}

fn what(planned: &Planned, cause: Cause, product: Product) -> String {
    let mut address = planned.address.clone();
    if let Some(deposed) = &planned.deposed {
        address = format!("{address} (deposed object {deposed})");
    }
    match (planned.actions, cause) {
        (Actions::Create, _) => format!("{address} will be created"),
        (Actions::Read, _) => format!("{address} will be read during apply"),
        (Actions::Update, Cause::Proposed) => format!("{address} will be updated in-place"),
        (Actions::Update, Cause::Drift) => format!("{address} has changed"),
        (Actions::Delete, Cause::Proposed) => format!("{address} will be destroyed"),
        (Actions::Delete, Cause::Drift) => format!("{address} has been deleted"),
        (Actions::CreateThenForget, _) if product == Product::Terraform => {
            format!("{address} must be replaced, but the existing object will not be destroyed")
        }
        (Actions::DeleteThenCreate | Actions::CreateThenDelete | Actions::CreateThenForget, _) => {
            replaced(planned, &address, product)
        }
        (Actions::ForgetThenCreate, _) => format!(
            "{} - older instance will not be destroyed (lifecycle.destroy = false)",
            replaced(planned, &address, product)
        ),
        (Actions::Forget, _) => match product {
            Product::Terraform if planned.deposed.is_some() => {
                format!("{address} will be removed from Terraform state, but will not be destroyed")
            }
            Product::Terraform => format!(
                "{address} will no longer be managed by Terraform, but will not be destroyed"
            ),
            Product::OpenTofu => format!(
                "{address} will be removed from the OpenTofu state but will not be destroyed{}",
                why_forgotten(planned)
            ),
        },
        (Actions::Noop, _) => match &planned.previous_address {
            Some(previous) if planned.is_moved() => format!("{previous} has moved to {address}"),
            _ if planned.has_generated_config => {
                format!("{address} will be imported\n  # (config will be generated)")
            }
            _ => format!("{address} will be imported"),
        },
        (Actions::Other, _) => format!("{address} has actions that are not known here"),
    }
}

/// The reason why OpenTofu forgets a resource, in a separate line that is not a comment.
fn why_forgotten(planned: &Planned) -> &'static str {
    match planned.reason.as_deref() {
        Some("forgot_because_lifecycle_destroy_in_state") => {
            " \n (because lifecycle.destroy = false was configured before this resource was removed from the configuration)"
        }
        Some("forgot_because_lifecycle_destroy_in_config") => {
            " \n (because lifecycle.destroy = false is set in the configuration)"
        }
        _ => "",
    }
}

fn replaced(planned: &Planned, address: &str, product: Product) -> String {
    match (planned.reason.as_deref(), product) {
        (Some("replace_because_tainted"), Product::Terraform) => {
            format!("{address} is tainted, so must be replaced")
        }
        (Some("replace_because_tainted"), Product::OpenTofu) => {
            format!("{address} is tainted, so it must be replaced")
        }
        (Some("replace_by_request"), _) => format!("{address} will be replaced, as requested"),
        (Some("replace_by_triggers"), _) => {
            format!("{address} will be replaced due to changes in replace_triggered_by")
        }
        _ => format!("{address} must be replaced"),
    }
}

/// The reason, if the action is one that has a reason line.
fn why(planned: &Planned) -> Option<String> {
    let reason = planned.reason.as_deref()?;
    let index = || {
        planned
            .index
            .as_ref()
            .map_or_else(|| "null".to_owned(), json::to_compact)
    };
    let text = match (planned.actions, reason) {
        (Actions::Read, "read_because_config_unknown") => {
            "config refers to values not yet known".to_owned()
        }
        (Actions::Read, "read_because_dependency_pending") => {
            "depends on a resource or a module with changes pending".to_owned()
        }
        (Actions::Read, "read_because_check_nested") => {
            "config will be reloaded to verify a check block".to_owned()
        }
        (Actions::Delete, "delete_because_no_resource_config") => {
            format!(
                "because {}.{} is not in configuration",
                planned.ty, planned.name
            )
        }
        (Actions::Delete, "delete_because_no_move_target") => format!(
            "because {} was moved to {}, which is not in configuration",
            planned.previous_address.as_deref().unwrap_or_default(),
            planned.address
        ),
        (Actions::Delete, "delete_because_no_module") => format!(
            "because {} is not in configuration",
            planned.module_address.as_deref().unwrap_or_default()
        ),
        (Actions::Delete, "delete_because_wrong_repetition") => {
            match planned.index.as_ref().map(Value::payload) {
                None => "because resource uses count or for_each",
                Some(Payload::Number(_)) => "because resource does not use count",
                Some(_) => "because resource does not use for_each",
            }
            .to_owned()
        }
        (Actions::Delete, "delete_because_count_index") => {
            format!("because index [{}] is out of range for count", index())
        }
        (Actions::Delete, "delete_because_each_key") => {
            format!("because key [{}] is not in for_each map", index())
        }
        (Actions::Delete, "delete_because_enabled_false") => "because enabled is false".to_owned(),
        _ => return None,
    };
    Some(format!("({text})"))
}

fn imported(planned: &Planned, product: Product) -> Vec<String> {
    let Some(importing) = &planned.importing else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    // For Terraform, a plain import is the headline itself.
    let is_headline = planned.actions == Actions::Noop && !planned.is_moved();
    if !is_headline || product == Product::OpenTofu {
        lines.push(match (&importing.id, &importing.identity) {
            (Some(id), _) => format!("(imported from \"{id}\")"),
            (None, Some(identity)) if product == Product::OpenTofu => {
                let indented = json::to_pretty(identity).replace('\n', "\n  # ");
                format!("imported using resource identity: {indented}")
            }
            (None, _) => "(will be imported first)".to_owned(),
        });
    }
    if matches!(
        planned.actions,
        Actions::CreateThenDelete | Actions::DeleteThenCreate
    ) {
        lines.push("Warning: this will destroy the imported resource".to_owned());
    }
    lines
}
