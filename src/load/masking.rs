//! Likely secrets outside of the resources of a file: in outputs, fields of the header, notes, actions and defaults of variables. Those in resources are
//! masked where a resource is read.

use std::sync::Arc;

use super::LoadEvent;
use crate::likely::Masking;
use crate::path::{Path, Segment};
use crate::stack::{Header, Invocation, Note, Output};
use crate::value::Value;

/// Masks the likely secrets in an event.
pub(super) fn mask(event: &mut LoadEvent, masking: &Masking) {
    if masking.is_off() {
        return;
    }
    match event {
        LoadEvent::Opened { document, .. } => mask_header(&mut document.stack.header, masking),
        LoadEvent::Indexed { batch, .. } => {
            batch.notes.iter_mut().for_each(|it| mask_note(it, masking));
            let headers = batch.header.iter_mut();
            headers.for_each(|it| mask_header(it, masking));
        }
        LoadEvent::Finished(summary) => {
            mask_header(&mut summary.header, masking);
            let outputs = summary.outputs.iter_mut();
            outputs.for_each(|it| mask_output(it, masking));
            summary
                .notes
                .iter_mut()
                .for_each(|it| mask_note(it, masking));
            let invocations = summary.invocations.iter_mut();
            invocations.for_each(|it| mask_invocation(it, masking));
            let is_shown = |name: &str, default: &Value| masking.masked(name, default).is_none();
            Arc::make_mut(&mut summary.expressions).retain_defaults(is_shown);
        }
    }
}

fn mask_value(name: &str, value: &mut Value, masking: &Masking) {
    let path = Path(vec![Segment::Key(name.into())]);
    if let Some(masked) = masking.masked_at(&path, name, value) {
        *value = masked;
    }
}

fn mask_header(header: &mut Header, masking: &Masking) {
    for (name, value) in &mut header.fields {
        mask_value(name, value, masking);
    }
}

fn mask_output(output: &mut Output, masking: &Masking) {
    mask_value(&output.name, &mut output.value, masking);
    if let Some(before) = &mut output.before {
        mask_value(&output.name, before, masking);
    }
    if output.value.has_secrets() || output.before.as_ref().is_some_and(Value::has_secrets) {
        *output = output.clone().with_mirrored_masks();
    }
}

fn mask_note(note: &mut Note, masking: &Masking) {
    if let Some(redacted) = masking.redacted(&note.message) {
        note.message = redacted;
    }
}

fn mask_invocation(invocation: &mut Invocation, masking: &Masking) {
    if let Some(config) = &mut invocation.config {
        for value in [&mut config.value, &mut config.known] {
            mask_value("config", value, masking);
        }
    }
}
