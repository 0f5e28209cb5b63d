//! Copying: the selected resources or the selected value, in the forms of [`Form`].

use std::collections::HashMap;

use super::{Cancel, Job, Topic};
use crate::format::{locate, table};
use crate::load::Document;
use crate::render::copy::{Form, Location, MadeOf, NoCopy, OutputSubject, Subject};
use crate::render::{mend, plain};
use crate::stack::{Kind, Resource, ResourceId, Section, Stack};
use crate::tui::command::{Command, CopyCommand};
use crate::tui::copy::{Selection, name_of};
use crate::tui::keymap::{Scope, key_in, key_of};
use crate::tui::rows::{Part, Spot, shown};
use crate::tui::widgets::text::{count, fit_middle, plural};

/// The largest resource whose values the menu previews, in bytes. Values of a larger one are made when they are copied.
const MAX_PREVIEWED: u64 = 4 << 20;

/// Maximum number of cells of a copied name in the message about it.
const MAX_NAMED: usize = 60;

/// Copies a selection in one form.
pub struct CopyForm {
    /// The file.
    pub document: Document,
    /// The things to copy.
    pub selection: Selection,
    /// The form.
    pub form: Form,
}

/// The texts of a selection.
pub struct CopiedTexts {
    /// Their form.
    pub form: Form,
    /// The name of the selection, escaped.
    pub title: String,
    /// One text for each resource that has the form.
    pub texts: Vec<String>,
    /// Number of the other resources.
    pub n_missing: usize,
    /// The reason of the first of those.
    pub why_not: Option<String>,
}

impl Job for CopyForm {
    type Answer = CopiedTexts;

    const TOPIC: Topic = Topic::named("copying");

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self {
            document,
            selection,
            form,
        } = &self;
        let (mut texts, mut n_missing, mut why_not) = (Vec::new(), 0, None);
        let mut add = |text: Result<String, String>| match text {
            Ok(text) => texts.push(text),
            Err(why) => {
                n_missing += 1;
                why_not.get_or_insert(why);
            }
        };
        if let Some(text) = selection.unread(&document.stack, *form) {
            add(text);
        } else {
            let locations = locations(document, &selection.ids, *form, cancel);
            for id in &selection.ids {
                if cancel.is_cancelled() {
                    return;
                }
                let resource = document
                    .resource_with_position(*id)
                    .map_err(|error| error.to_string());
                add(resource.and_then(|resource| {
                    let location = locations.get(id);
                    selection.of_resource(&document.stack, *id, &resource, location, *form)
                }));
            }
        }
        say(CopiedTexts {
            form: *form,
            title: self.selection.title,
            texts,
            n_missing,
            why_not,
        });
    }
}

impl CopiedTexts {
    /// The text for the clipboard with its name.
    ///
    /// # Errors
    ///
    /// If no resource has the form.
    pub fn joined(mut self, kind: Kind) -> Result<(String, String), String> {
        let name = name_of(self.form, kind);
        let missing = match self.n_missing {
            0 => String::new(),
            n => format!(" ({} more have none)", count(n as u64)),
        };
        match &mut self.texts[..] {
            [] => {
                let why = self.why_not.unwrap_or_default();
                Err(format!("{name} not copied: {}", shown(&why)))
            }
            [only] if self.n_missing == 0 => {
                let is_name = matches!(self.form.made_of(), MadeOf::Names | MadeOf::Location);
                let what = if is_name && !only.contains('\n') {
                    format!("{name} {}", fit_middle(&shown(only), MAX_NAMED))
                } else {
                    format!("{name} of {}", self.title)
                };
                Ok((what, std::mem::take(only)))
            }
            texts => {
                let n = plural(texts.len(), "resource");
                let text = texts.join(self.form.separator());
                Ok((format!("{name} of {n}{missing}"), text))
            }
        }
    }
}

/// Previews all forms of a selection.
pub struct PreviewForms {
    /// The file.
    pub document: Document,
    /// The things to copy.
    pub selection: Selection,
}

/// A form as text, or the reason why there is no text.
pub type FormText = (Form, Result<String, String>);

impl Job for PreviewForms {
    type Answer = Vec<FormText>;

    const TOPIC: Topic = Topic::named("previewing copies");

    /// Says the forms that need the location of the resource last: to find it may take long.
    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self {
            document,
            selection,
        } = &self;
        let (stack, ids) = (&document.stack, &selection.ids);
        let first = ids
            .first()
            .map(|id| (*id, document.resource_with_position(*id)));
        let more = match ids.len() {
            0 | 1 => String::new(),
            n => format!(" … {} more", count(n as u64 - 1)),
        };
        let forms = Form::ALL.map(|(form, _)| form).into_iter();
        let (located, others): (Vec<_>, Vec<_>) =
            forms.partition(|form| form.made_of() == MadeOf::Location);
        for forms in [others, located] {
            let locations = locations(document, &ids[..ids.len().min(1)], forms[0], cancel);
            let text = |form: Form| match (selection.unread(stack, form), &first) {
                (Some(text), _) => text,
                (None, None) => Err(reason(NoCopy::NoProperty)),
                (None, Some((_, Err(error)))) => Err(shown(&error.to_string())),
                (None, Some((id, Ok(resource)))) => {
                    let size = stack.record(*id).span.len.into();
                    if form.made_of() == MadeOf::Values && size > MAX_PREVIEWED {
                        let size = plain::size(size);
                        return Err(format!("made when it is copied: the resource takes {size}"));
                    }
                    let text = selection.of_resource(stack, *id, resource, locations.get(id), form);
                    text.map(|text| text + &more)
                }
            };
            say(forms.into_iter().map(|form| (form, text(form))).collect());
        }
    }
}

impl Selection {
    /// A form that is made without reading a resource. `None` for any other.
    fn unread(&self, stack: &Stack, form: Form) -> Option<Result<String, String>> {
        match form.made_of() {
            MadeOf::Pair => Some(self.mend(stack, form)),
            MadeOf::Screen => Some(self.hunk.clone().ok_or_else(|| reason(NoCopy::NoHunk))),
            MadeOf::Names | MadeOf::Values | MadeOf::Location => self
                .ids
                .is_empty()
                .then(|| self.of_output(stack, form).map_err(reason)),
        }
    }

    /// The text that makes the two names of a resource one thing.
    fn mend(&self, stack: &Stack, form: Form) -> Result<String, String> {
        let shift = self.shift.as_ref().ok_or_else(|| reason(NoCopy::NoPair))?;
        let mend = if form == Form::StateMove {
            mend::for_shell
        } else {
            mend::for_program
        };
        let text = mend(stack, shift).filter(|text| !text.is_empty());
        text.map(|text| text.trim_end().to_owned())
            .ok_or_else(|| "no such text keeps these".to_owned())
    }

    /// A form of an output that is no property of a resource.
    fn of_output(&self, stack: &Stack, form: Form) -> Result<String, NoCopy> {
        let spot = self.spot.as_ref().ok_or(NoCopy::NoProperty)?;
        OutputSubject {
            stack,
            before: spot.part.starts_closed(),
            path: &spot.path,
            inside: spot.inner(),
            value: self.output.as_ref(),
            written: table::of(&stack.header).and_then(|format| format.written),
        }
        .copy(form)
    }

    /// A form of one resource. It takes one line if there are more resources.
    fn of_resource(
        &self,
        stack: &Stack,
        id: ResourceId,
        resource: &Resource,
        location: Option<&Location>,
        form: Form,
    ) -> Result<String, String> {
        let spot = self
            .spot
            .as_ref()
            .map(|spot| self.end_of_change(spot, resource));
        let place = spot.as_ref().and_then(|spot| spot.place(resource));
        let subject = Subject {
            stack,
            id,
            resource,
            place: place.as_ref(),
            revealed: false,
            location,
            inside: spot.as_ref().and_then(Spot::inner),
        };
        match self.ids[..] {
            [_] => subject.copy(form).map_err(reason),
            _ => subject.copy_line(form).map_err(|why| why.to_string()),
        }
    }

    /// The spot of the value in a resource: the value before the change for an output that will be gone.
    fn end_of_change(&self, spot: &Spot, resource: &Resource) -> Spot {
        let is_gone = self.is_output && spot.value(resource).is_none();
        let part = match spot.part {
            Part::Outputs if is_gone => Part::Before(Section::Outputs),
            part => part,
        };
        Spot {
            part,
            ..spot.clone()
        }
    }
}

/// The locations of the resources in the file, if the form needs them.
fn locations(
    document: &Document,
    ids: &[ResourceId],
    form: Form,
    cancel: &Cancel,
) -> HashMap<ResourceId, Location> {
    if form.made_of() != MadeOf::Location {
        return HashMap::new();
    }
    let (stack, source) = (&document.stack, &*document.source);
    let found = locate::locations(stack, ids, source, &|| cancel.is_cancelled());
    let found = found.unwrap_or_default().into_iter();
    found
        .filter_map(|(id, location)| Some((id, location?)))
        .collect()
}

/// The reason why a form was not copied. For a secret it says what to do instead.
fn reason(why: NoCopy) -> String {
    if why != NoCopy::Secret {
        return why.to_string();
    }
    let reveal = key_of(Command::Reveal);
    let copy = key_of(Command::Copy(CopyCommand::Choose))
        + &key_in(Scope::Yank, Command::Copy(CopyCommand::Secret));
    format!("{why} · {reveal} reveal · {copy} copy unseen")
}
