//! Secrets in clear text: the values of a file that are secret by their form or by their name, and that the file does not mark.

use super::Progress;
use crate::change::audit::Finding;
use crate::format::ReadError;
use crate::likely::ClearText;
use crate::load::Document;
use crate::load::ahead::Ahead;
use crate::path::{self, Segment};
use crate::stack::{Resource, ResourceId, Severity, Stack};
use crate::terraform::cty;

/// Passes a finding for each secret in clear text to `sink`, in the order of the file, then those of the outputs. Ends early if
/// `progress` returns false.
pub(super) fn run(
    document: &Document,
    progress: &mut dyn FnMut(Progress) -> bool,
    sink: &mut dyn FnMut(Finding),
) -> Result<(), ReadError> {
    let stack = &document.stack;
    let total = stack.len();
    let ahead = Ahead::new(&*document.source, stack, stack.ids());
    for (done, id) in stack.ids().enumerate() {
        if !progress(Progress { done, total }) {
            return Ok(());
        }
        match document.resource_from(id, &ahead) {
            Ok(resource) => of_resource(stack, id, &resource)
                .into_iter()
                .for_each(&mut *sink),
            Err(error @ ReadError::Source(_)) => return Err(error),
            // It has a finding already.
            Err(ReadError::Unexpected { .. }) => {}
        }
    }
    of_outputs(stack).for_each(sink);
    Ok(())
}

/// The findings for the secrets in clear text of a resource. An entry that is listed for its drift has none.
pub fn of_resource(stack: &Stack, id: ResourceId, resource: &Resource) -> Vec<Finding> {
    if stack.record(id).flags.is_drift() {
        return Vec::new();
    }
    let texts = texts_of(stack, resource);
    texts
        .iter()
        .map(|text| finding(&stack.identity(id), text))
        .collect()
}

/// The findings for the secrets in clear text of the outputs of a stack.
pub fn of_outputs(stack: &Stack) -> impl Iterator<Item = Finding> + '_ {
    stack.outputs.iter().flat_map(|output| {
        let path = path::Path(vec![Segment::Key(output.name.clone())]);
        let texts = stack.header.masking.clear_texts("", &output.value, &path);
        texts.into_iter().map(|text| finding("output", &text))
    })
}

/// The texts in clear of a resource, each place once: Pulumi has many among the inputs and among the outputs.
fn texts_of(stack: &Stack, resource: &Resource) -> Vec<ClearText> {
    let mut found: Vec<ClearText> = Vec::new();
    let masking = &stack.header.masking;
    let state = resource.current();
    let sets = state
        .into_iter()
        .flat_map(|state| [&state.outputs, &state.inputs]);
    for value in sets.flatten() {
        for text in masking.clear_texts(&resource.ty, value, &path::Path::root()) {
            if found.iter().all(|known| known.path != text.path) {
                found.push(text);
            }
        }
    }
    found
}

/// A form without doubt is a warning. A name or a notation is worth a word: it may be that of something else.
fn finding(resource: &str, text: &ClearText) -> Finding {
    let (severity, kind, sentence) = match &text.form {
        Some((says, id)) => (
            if text.is_sure {
                Severity::Warning
            } else {
                Severity::Info
            },
            "likely_secret",
            format!("{says} in clear text: the file does not mark it as secret  ({id})"),
        ),
        None => (
            Severity::Info,
            "secret_name",
            "secret by its name, and in clear text: the file does not mark it".to_owned(),
        ),
    };
    Finding {
        resource: resource.to_owned(),
        path: typed(&text.path),
        severity,
        kind,
        sentence,
    }
}

fn typed(path: &path::Path) -> cty::Path {
    let segments = path.0.iter().map(|segment| match segment {
        Segment::Key(key) => cty::Segment::Attribute(key.clone()),
        Segment::Index(index) => cty::Segment::Index(*index),
    });
    cty::Path(segments.collect())
}
