//! Invocations of actions: what providers are told to do beside the changes of resources.
//!
//! # Source
//!
//! Terraform 1.14 and later: `action` blocks, `lifecycle { action_trigger { … } }`, `plan -invoke`.

use std::cmp::Ordering;

use crate::value::Value;

/// An action that a plan invokes, or puts off.
#[derive(Clone, PartialEq, Debug)]
pub struct Invocation {
    /// The address of the action (`action.aws_lambda_invoke.warm`), with its module and key.
    pub address: String,
    /// Its type.
    pub ty: String,
    /// Its name, without module and key.
    pub name: String,
    /// The full name of the provider.
    pub provider: String,
    /// What it is configured with; `None` if it takes nothing.
    pub config: Option<Config>,
    /// What sets it off.
    pub trigger: Trigger,
    /// Why it is put off to a later plan, in the words of the file; `None` if it is not.
    pub deferred: Option<String>,
}

/// What an action is configured with, masked.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// All of it.
    pub value: Value,
    /// It without what is not known until apply, which is left out of objects and null in lists.
    pub known: Value,
}

/// What sets an action off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// A change of a resource.
    Lifecycle {
        /// The address of the resource.
        resource: String,
        /// When, in the words of the file (`BeforeCreate`).
        event: String,
        /// Which trigger of the resource, and which action of that trigger; both from 0.
        place: (u64, u64),
        /// What happens if it fails, in the words of the file (`ActionOnFailureHalt`).
        on_failure: String,
    },
    /// The person who made the plan asked for it.
    Asked {
        /// The address of the resource that it is called from, if there is one.
        caller: Option<String>,
    },
    /// The file does not say.
    Unknown,
}

/// On which side of a change an action is invoked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Before it.
    Before,
    /// After it.
    After,
}

impl Invocation {
    /// The resource whose change sets it off.
    pub fn resource(&self) -> Option<&str> {
        match &self.trigger {
            Trigger::Lifecycle { resource, .. } => Some(resource),
            Trigger::Asked { .. } | Trigger::Unknown => None,
        }
    }

    /// On which side of that change; `None` if there is none, or the event is not known here.
    pub fn side(&self) -> Option<Side> {
        let Trigger::Lifecycle { event, .. } = &self.trigger else {
            return None;
        };
        match event.as_str() {
            "BeforeCreate" | "BeforeUpdate" | "BeforeDestroy" => Some(Side::Before),
            "AfterCreate" | "AfterUpdate" | "AfterDestroy" => Some(Side::After),
            _ => None,
        }
    }

    /// When it is invoked, in plain words: `before create`, `as asked for`.
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
            Trigger::Asked { caller: None } => "as asked for".to_owned(),
            Trigger::Asked {
                caller: Some(caller),
            } => format!("as asked for, called from {caller}"),
            Trigger::Unknown => "the file does not say when".to_owned(),
        };
        if let Some(reason) = &self.deferred {
            words.push_str(", put off: ");
            words.push_str(why_deferred(reason).unwrap_or("for an unknown reason"));
        }
        words
    }

    /// What happens if it fails, in plain words, where that is not the usual: the run ends.
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

    /// The order in which invocations are kept: those of no resource first as they come, then by resource, and within one in the
    /// order in which they are invoked. A stable sort leaves equals as they are.
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

/// Why something is put off to a later plan, in plain words, from those of the file.
/// `None` if the reason is not known here.
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
