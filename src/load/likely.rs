//! Likely secrets outside of the resources of a file: in outputs, fields of the header, notes and actions. Those in resources are
//! masked where a resource is read.

use super::LoadEvent;
use crate::change::likely_secrets::{find, masked};
use crate::format::log_secrets::HIDDEN;
use crate::stack::{Header, Invocation, Note, Output};
use crate::value::Value;

/// Masks the likely secrets in an event.
pub(super) fn mask(event: &mut LoadEvent) {
    match event {
        LoadEvent::Opened { document, .. } => mask_header(&mut document.stack.header),
        LoadEvent::Indexed { batch, .. } => {
            batch.notes.iter_mut().for_each(mask_note);
            batch.header.iter_mut().for_each(|it| mask_header(it));
        }
        LoadEvent::Finished(summary) => {
            mask_header(&mut summary.header);
            summary.outputs.iter_mut().for_each(mask_output);
            summary.notes.iter_mut().for_each(mask_note);
            summary.invocations.iter_mut().for_each(mask_invocation);
        }
    }
}

fn mask_value(value: &mut Value) {
    if let Some(masked) = masked(value) {
        *value = masked;
    }
}

fn mask_header(header: &mut Header) {
    header
        .fields
        .iter_mut()
        .for_each(|(_, value)| mask_value(value));
}

fn mask_output(output: &mut Output) {
    mask_value(&mut output.value);
    output.before.iter_mut().for_each(mask_value);
    if output.value.has_secrets() || output.before.as_ref().is_some_and(Value::has_secrets) {
        *output = output.clone().with_mirrored_masks();
    }
}

fn mask_note(note: &mut Note) {
    if find(&note.message).is_some() {
        HIDDEN.clone_into(&mut note.message);
    }
}

fn mask_invocation(invocation: &mut Invocation) {
    if let Some(config) = &mut invocation.config {
        mask_value(&mut config.value);
        mask_value(&mut config.known);
    }
}
