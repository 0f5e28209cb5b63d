//! Invocations of actions: calls to providers that are not changes of resources.
//!
//! # Source
//!
//! Terraform 1.14 and later: `action` blocks, `lifecycle { action_trigger { … } }`, `plan -invoke`.

use std::cmp::Ordering;

use crate::value::Value;

/// An action that a plan invokes or defers.
#[derive(Clone, PartialEq, Debug)]
pub struct Invocation {
    /// The address of the action (`action.aws_lambda_invoke.warm`), with its module and key.
    pub address: String,
    /// The type of the action.
    pub ty: String,
    /// The name of the action, without module and key.
    pub name: String,
    /// The full name of the provider.
    pub provider: String,
    /// The configuration of the action; `None` if it takes none.
    pub config: Option<Config>,
    /// The trigger of the invocation.
    pub trigger: Trigger,
    /// The reason for deferring it to a later plan, in the words of the file; `None` if it is not deferred.
    pub deferred: Option<String>,
}

/// The configuration of an action, masked.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The whole configuration.
    pub value: Value,
    /// The configuration without values known only after apply: they are left out of objects and null in lists.
    pub known: Value,
}

/// The trigger of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// A change of a resource.
    Lifecycle {
        /// The address of the resource.
        resource: String,
        /// The event, in the words of the file (`BeforeCreate`).
        event: String,
        /// Index of the trigger in the resource, and index of the action in that trigger; both from 0.
        place: (u64, u64),
        /// The behavior on failure, in the words of the file (`ActionOnFailureHalt`).
        on_failure: String,
    },
    /// The person who made the plan asked for it.
    Asked {
        /// The address of the resource that it is called from, if any.
        caller: Option<String>,
    },
    /// The file does not name the trigger.
    Unknown,
}

/// The side of a change on which an action is invoked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// Before the change.
    Before,
    /// After the change.
    After,
}

impl Invocation {
    /// The address of the resource whose change triggers the action.
    pub fn resource(&self) -> Option<&str> {
        match &self.trigger {
            Trigger::Lifecycle { resource, .. } => Some(resource),
            Trigger::Asked { .. } | Trigger::Unknown => None,
        }
    }

    /// The side of that change; `None` if there is no change, or if the event is unknown.
    pub fn side(&self) -> Option<Timing> {
        let Trigger::Lifecycle { event, .. } = &self.trigger else {
            return None;
        };
        match event.as_str() {
            "BeforeCreate" | "BeforeUpdate" | "BeforeDestroy" => Some(Timing::Before),
            "AfterCreate" | "AfterUpdate" | "AfterDestroy" => Some(Timing::After),
            _ => None,
        }
    }

    /// The time of the invocation in plain words: `before create`, `as asked for`.
    pub fn when(&self) -> String {
        let mut words = match &self.trigger {
            Trigger::Lifecycle { event, .. } => match event.as_str() {
                "BeforeCreate" => "before create",
                "AfterCreate" => "after create",
                "BeforeUpdate" => "before update",
                "AfterUpdate" => "after update",
                "BeforeDestroy" => "before destroy",
                "AfterDestroy" => "after destroy",
                other => other,
            }
            .to_owned(),
            Trigger::Asked { caller: None } => "as requested".to_owned(),
            Trigger::Asked {
                caller: Some(caller),
            } => format!("as requested, called from {caller}"),
            Trigger::Unknown => "the file does not say when".to_owned(),
        };
        if let Some(reason) = &self.deferred {
            words.push_str(", deferred: ");
            words.push_str(why_deferred(reason).unwrap_or("for an unknown reason"));
        }
        words
    }

    /// The behavior on failure in plain words; `None` for the usual one, which ends the run.
    pub fn on_failure(&self) -> Option<&'static str> {
        let Trigger::Lifecycle { on_failure, .. } = &self.trigger else {
            return None;
        };
        match on_failure.as_str() {
            "ActionOnFailureTaint" => Some("if it fails, the resource is tainted"),
            "ActionOnFailureContinue" => Some("if it fails, the run goes on"),
            _ => None,
        }
    }

    /// The order in which invocations are stored: first those without a resource, as they come; then by resource, and within one
    /// in the order of invocation. Needs a stable sort, which keeps equal ones in order.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let key = |it: &Self| match &it.trigger {
            Trigger::Lifecycle { place, .. } => Some(*place),
            Trigger::Asked { .. } | Trigger::Unknown => None,
        };
        self.resource()
            .cmp(&other.resource())
            .then_with(|| key(self).cmp(&key(other)))
    }
}

/// The reason for deferring something to a later plan, in plain words, from the words of the file. `None` if the reason is
/// unknown.
pub fn why_deferred(reason: &str) -> Option<&'static str> {
    Some(match reason {
        "instance_count_unknown" => "the number of resource instances is unknown",
        "resource_config_unknown" => "the resource configuration is unknown",
        "provider_config_unknown" => "the provider configuration is unknown",
        "deferred_prereq" => "a prerequisite for this resource is deferred",
        "absent_prereq" => "a prerequisite for this resource has not yet been created",
        _ => return None,
    })
}
