//! Remarks on the change of a resource as a whole, in addition to its reasons and its properties.

use crate::stack::{Flags, Resource, why_deferred};

/// The move, the import and the deferral of a resource, in words. Texts of the file are not escaped.
pub fn remarks(resource: &Resource) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(change) = &resource.change {
        if let Some(previous) = &change.previous_address {
            remarks.push(format!("moved from {previous}"));
        }
        if let Some(id) = &change.importing {
            remarks.push(format!("imported from {id}"));
        }
    }
    if let Some(reason) = deferred(resource) {
        let words = why_deferred(reason).unwrap_or("for an unknown reason");
        remarks.push(format!("put off: {words}"));
    }
    remarks
}

/// The reason for putting a change off to a later plan, in the words of the file; `None` if it is not put off.
pub fn deferred(resource: &Resource) -> Option<&str> {
    if !resource.flags.contains(Flags::DEFERRED) {
        return None;
    }
    let reason = resource.fields.iter().find(|(key, _)| &**key == "reason");
    let reason = reason.and_then(|(_, reason)| reason.as_str());
    Some(reason.unwrap_or_default())
}
