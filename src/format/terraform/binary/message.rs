//! The protobuf messages of a plan file: the fields that are read, with their tags.

use std::collections::HashMap;

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Plan {
    #[prost(uint64, tag = "1")]
    pub(super) version: u64,
    #[prost(map = "string, message", tag = "2")]
    pub(super) variables: HashMap<String, DynamicValue>,
    #[prost(message, repeated, tag = "3")]
    pub(super) resource_changes: Vec<ResourceChange>,
    #[prost(message, repeated, tag = "4")]
    pub(super) output_changes: Vec<OutputChange>,
    #[prost(message, optional, tag = "13")]
    pub(super) backend: Option<Backend>,
    #[prost(string, tag = "14")]
    pub(super) terraform_version: String,
    /// Encoded [`RelevantAttribute`] messages. In plans before Terraform 1.2 this tag meant the hashes of providers.
    #[prost(bytes = "vec", repeated, tag = "15")]
    pub(super) relevant_attributes: Vec<Vec<u8>>,
    #[prost(int32, tag = "17")]
    pub(super) ui_mode: i32,
    #[prost(message, repeated, tag = "18")]
    pub(super) resource_drift: Vec<ResourceChange>,
    #[prost(message, repeated, tag = "19")]
    pub(super) check_results: Vec<CheckResults>,
    #[prost(bool, tag = "20")]
    pub(super) errored: bool,
    #[prost(string, tag = "21")]
    pub(super) timestamp: String,
    #[prost(bool, tag = "25")]
    pub(super) applyable: bool,
    #[prost(bool, tag = "26")]
    pub(super) complete: bool,
    #[prost(message, repeated, tag = "27")]
    pub(super) deferred_changes: Vec<DeferredChange>,
    #[prost(message, repeated, tag = "30")]
    pub(super) action_invocations: Vec<Invocation>,
    #[prost(message, repeated, tag = "31")]
    pub(super) deferred_action_invocations: Vec<DeferredInvocation>,
}

/// The trigger is one of the last two fields.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Invocation {
    #[prost(string, tag = "1")]
    pub(super) addr: String,
    #[prost(string, tag = "2")]
    pub(super) provider: String,
    #[prost(message, optional, tag = "4")]
    pub(super) config: Option<DynamicValue>,
    #[prost(message, repeated, tag = "5")]
    pub(super) sensitive_paths: Vec<Path>,
    #[prost(message, optional, tag = "6")]
    pub(super) lifecycle: Option<LifecycleTrigger>,
    #[prost(message, optional, tag = "7")]
    pub(super) asked: Option<AskedTrigger>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct LifecycleTrigger {
    #[prost(string, tag = "1")]
    pub(super) resource: String,
    #[prost(int32, tag = "2")]
    pub(super) event: i32,
    #[prost(int64, tag = "3")]
    pub(super) block_index: i64,
    #[prost(int64, tag = "4")]
    pub(super) list_index: i64,
    #[prost(int32, tag = "5")]
    pub(super) on_failure: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct AskedTrigger {
    #[prost(string, tag = "1")]
    pub(super) caller: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct DeferredInvocation {
    #[prost(message, optional, tag = "1")]
    pub(super) deferred: Option<Deferred>,
    #[prost(message, optional, tag = "2")]
    pub(super) invocation: Option<Invocation>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct DynamicValue {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) msgpack: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Backend {
    #[prost(string, tag = "1")]
    pub(super) kind: String,
    #[prost(string, tag = "3")]
    pub(super) workspace: String,
}

/// Plans before Terraform 0.15 use fields 1 to 6, because they have no address.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ResourceChange {
    #[prost(string, tag = "1")]
    pub(super) module_path: String,
    #[prost(int32, tag = "2")]
    pub(super) mode: i32,
    #[prost(string, tag = "3")]
    pub(super) kind: String,
    #[prost(string, tag = "4")]
    pub(super) name: String,
    #[prost(oneof = "instance_key::Key", tags = "5, 6")]
    pub(super) instance_key: Option<instance_key::Key>,
    #[prost(string, tag = "7")]
    pub(super) deposed_key: String,
    #[prost(string, tag = "8")]
    pub(super) provider: String,
    #[prost(message, optional, tag = "9")]
    pub(super) change: Option<Change>,
    #[prost(message, repeated, tag = "11")]
    pub(super) required_replace: Vec<Path>,
    #[prost(int32, tag = "12")]
    pub(super) action_reason: i32,
    #[prost(string, tag = "13")]
    pub(super) addr: String,
    #[prost(string, tag = "14")]
    pub(super) prev_run_addr: String,
}

pub(super) mod instance_key {
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub(in super::super) enum Key {
        #[prost(string, tag = "5")]
        Text(String),
        #[prost(int64, tag = "6")]
        Number(i64),
    }
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Change {
    #[prost(int32, tag = "1")]
    pub(super) action: i32,
    #[prost(message, repeated, tag = "2")]
    pub(super) values: Vec<DynamicValue>,
    #[prost(message, repeated, tag = "3")]
    pub(super) before_sensitive_paths: Vec<Path>,
    #[prost(message, repeated, tag = "4")]
    pub(super) after_sensitive_paths: Vec<Path>,
    #[prost(message, optional, tag = "5")]
    pub(super) importing: Option<Importing>,
    #[prost(string, tag = "6")]
    pub(super) generated_config: String,
    #[prost(message, optional, tag = "7")]
    pub(super) before_identity: Option<DynamicValue>,
    #[prost(message, optional, tag = "8")]
    pub(super) after_identity: Option<DynamicValue>,
}

/// Field 2 is a bool in Terraform and a message in OpenTofu; it is not read here.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Importing {
    #[prost(string, tag = "1")]
    pub(super) id: String,
    #[prost(message, optional, tag = "3")]
    pub(super) identity: Option<DynamicValue>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Path {
    #[prost(message, repeated, tag = "1")]
    pub(super) steps: Vec<PathStep>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct PathStep {
    #[prost(oneof = "step::Selector", tags = "1, 2")]
    pub(super) selector: Option<step::Selector>,
}

pub(super) mod step {
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub(in super::super) enum Selector {
        #[prost(string, tag = "1")]
        AttributeName(String),
        #[prost(message, tag = "2")]
        ElementKey(super::DynamicValue),
    }
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct OutputChange {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) change: Option<Change>,
    #[prost(bool, tag = "3")]
    pub(super) sensitive: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct DeferredChange {
    #[prost(message, optional, tag = "1")]
    pub(super) deferred: Option<Deferred>,
    #[prost(message, optional, tag = "2")]
    pub(super) change: Option<ResourceChange>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Deferred {
    #[prost(int32, tag = "1")]
    pub(super) reason: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct RelevantAttribute {
    #[prost(string, tag = "1")]
    pub(super) resource: String,
    #[prost(message, optional, tag = "2")]
    pub(super) attr: Option<Path>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct CheckResults {
    #[prost(int32, tag = "1")]
    pub(super) kind: i32,
    #[prost(string, tag = "2")]
    pub(super) config_addr: String,
    #[prost(int32, tag = "3")]
    pub(super) status: i32,
    #[prost(message, repeated, tag = "4")]
    pub(super) objects: Vec<CheckedObject>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct CheckedObject {
    #[prost(string, tag = "1")]
    pub(super) object_addr: String,
    #[prost(int32, tag = "2")]
    pub(super) status: i32,
    #[prost(string, repeated, tag = "3")]
    pub(super) failure_messages: Vec<String>,
}
