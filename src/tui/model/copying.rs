//! Commands that copy.

use std::sync::Arc;

use super::Model;
use crate::render::copy::{Form, Location, NoCopy, Subject};
use crate::search::Place;
use crate::stack::{Resource, ResourceId, When};
use crate::tui::command::{Command, View};
use crate::tui::effect::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::question::{Asks, Question};
use crate::tui::overlays::yank::YankPopup;
use crate::tui::rows::{Spot, label, shown};
use crate::tui::widgets::text::plural;
use crate::value::{Payload, Value};

/// Where in the file the resource is that was last copied from.
#[derive(Clone, Debug, Default)]
pub(super) struct Located {
    id: Option<ResourceId>,
    /// Of the request under way.
    ticket: u64,
    /// Whether the answer has come.
    is_known: bool,
    /// `None` if there is no way into the file.
    location: Option<Arc<Location>>,
    /// What is to be copied as soon as it is known.
    then: Option<Form>,
}

impl Model {
    pub(super) fn copy_command(&mut self, command: Command) {
        match command {
            Command::Yank => self.open_yank(),
            Command::Copy(form) => self.copy_form(form),
            Command::CopySecret => self.ask_copy_secret(),
            // `c` copies the obvious: the path of a value, the name of a resource.
            _ if self.spot().is_some() => self.copy_form(Form::Path),
            _ => self.copy_form(Form::Identity),
        }
    }

    fn open_yank(&mut self) {
        let Some(title) = self.copy_title() else {
            self.say_error("nothing to copy here; select a resource or a value");
            return;
        };
        self.locate();
        let popup = YankPopup::new(title, |form| self.give(form));
        self.overlays.push(Overlay::Yank(popup));
    }

    fn copy_title(&self) -> Option<String> {
        if self.marks.len() > 1 {
            return Some(plural(self.marks.len(), "marked resource"));
        }
        let id = self.copy_id();
        let name = id.map(|id| shown(self.stack().short_name(id)));
        let path = self.spot().map(|(_, spot)| shown(&spot.path.to_string()));
        match (name, path) {
            (Some(name), Some(path)) => Some(format!("{name} · {path}")),
            (name, path) => name.or(path),
        }
    }

    /// The resource that is copied from.
    fn copy_id(&self) -> Option<ResourceId> {
        match self.spot() {
            Some((id, _)) => id,
            None => self.selected(),
        }
    }

    pub(super) fn obey_in_yank(&mut self, command: Command) {
        let Some(Overlay::Yank(popup)) = self.overlays.last_mut() else {
            return;
        };
        match command {
            Command::Down => popup.step(1),
            Command::Up => popup.step(-1),
            Command::Accept => {
                if let Some(form) = popup.chosen() {
                    self.overlays.pop();
                    self.copy_form(form);
                }
            }
            Command::Copy(form) => {
                self.overlays.pop();
                self.copy_form(form);
            }
            Command::CopySecret => {
                self.overlays.pop();
                self.ask_copy_secret();
            }
            _ => {}
        }
    }

    fn copy_form(&mut self, form: Form) {
        if form.needs_location() && self.marks.len() <= 1 && self.copy_id().is_some() {
            self.locate();
            if !self.located.is_known {
                self.located.then = Some(form);
                self.say("looking for the place in the file…");
                return;
            }
        }
        match self.give(form) {
            Ok(text) => {
                let n = text.lines().count();
                let what = if self.marks.len() > 1 {
                    format!("{} of {}", form.name(), plural(n, "resource"))
                } else {
                    self.form_name(form).to_owned()
                };
                self.copy(&what, text);
            }
            Err(why) => self.say_error(format!("{} not copied: {why}", self.form_name(form))),
        }
    }

    fn form_name(&self, form: Form) -> &'static str {
        match form {
            Form::Identity if self.is_pulumi() => "URN",
            Form::Identity => "address",
            form => form.name(),
        }
    }

    /// What a form gives for what the cursor is on, or for all that is marked, one per line.
    fn give(&self, form: Form) -> Result<String, String> {
        if self.marks.len() > 1 {
            return self.give_marked(form);
        }
        match self.copy_id() {
            Some(id) => {
                let resource = self.resource_at_hand(id);
                let resource = resource.ok_or("the resource is being read; try again")?;
                let place = self.spot().and_then(|(_, spot)| place_of(&spot, resource));
                // The row of a string that holds a document is about the string.
                let inside = self.spot().and_then(|(_, spot)| spot.inside);
                let inside = inside.filter(|inside| !inside.0.is_empty());
                let hunk = (self.view == View::Changes)
                    .then(|| self.difference.hunk())
                    .flatten();
                let is_located = self.located.id == Some(id) && self.located.is_known;
                if form.needs_location() && !is_located {
                    return Err("…".to_owned());
                }
                let subject = Subject {
                    stack: self.stack(),
                    id,
                    resource,
                    place: place.as_ref(),
                    revealed: false,
                    location: self.located.location.as_deref().filter(|_| is_located),
                    inside: inside.as_ref(),
                    hunk: hunk.as_deref(),
                };
                subject.copy(form).map_err(|why| why.to_string())
            }
            None => self.give_output(form).map_err(|why| why.to_string()),
        }
    }

    fn resource_at_hand(&self, id: ResourceId) -> Option<&Arc<Resource>> {
        self.kept(id)
            .or_else(|| self.detail.read().filter(|_| self.detail.id() == Some(id)))
    }

    /// A form of an output of the stack.
    fn give_output(&self, form: Form) -> Result<String, NoCopy> {
        let (_, spot) = self.spot().ok_or(NoCopy::NoProperty)?;
        match form {
            Form::Path => Ok(spot.path.to_tolerant()),
            Form::Key => Ok(spot.path.0.last().map_or_else(String::new, label)),
            Form::Value => {
                let value = self.value_at(None, &spot).ok_or(NoCopy::NoValue)?;
                plain_text(&value)
            }
            _ => Err(NoCopy::NotInFile),
        }
    }

    /// A form that needs no more than the index, for each marked resource.
    fn give_marked(&self, form: Form) -> Result<String, String> {
        let stack = self.stack();
        let lines = self.marks.iter().filter_map(|id| {
            let name = stack.name(*id);
            let base = name.split_once(" (deposed ").map_or(name, |(base, _)| base);
            match form {
                Form::Identity => Some(stack.identity(*id)),
                Form::Key => Some(name.to_owned()),
                Form::Id => Some(stack.provider_id(*id).to_owned()).filter(|id| !id.is_empty()),
                Form::Target if self.is_pulumi() => {
                    let urn = crate::render::copy::shell(&stack.urn(*id));
                    Some(format!("--target {urn}"))
                }
                Form::Target => Some(format!("-target={}", crate::render::copy::shell(base))),
                Form::Markdown => {
                    Some(format!("- `{}` (`{}`)", stack.identity(*id), stack.ty(*id)))
                }
                _ => None,
            }
        });
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            return Err("not for several resources; yu, yi, yk, yt and ym are".to_owned());
        }
        Ok(lines.join("\n"))
    }

    /// Asks where in the file the resource is, if that is not known.
    fn locate(&mut self) {
        let Some(id) = self.copy_id() else { return };
        if self.located.id == Some(id) {
            return;
        }
        let Some(document) = self.document.clone() else {
            return;
        };
        let ticket = self.ticket();
        self.located = Located {
            id: Some(id),
            ticket,
            ..Located::default()
        };
        self.ask(Effect::Locate {
            ticket,
            document,
            id,
        });
    }

    pub(super) fn located(&mut self, ticket: u64, location: Option<Arc<Location>>) {
        if ticket != self.located.ticket {
            return;
        }
        self.located.is_known = true;
        self.located.location = location;
        if let Some(form) = self.located.then.take() {
            if self.copy_id() == self.located.id {
                self.copy_form(form);
            }
            return;
        }
        if let Some(Overlay::Yank(mut popup)) =
            self.overlays.pop_if(|it| matches!(it, Overlay::Yank(_)))
        {
            popup.refresh(|form| self.give(form));
            self.overlays.push(Overlay::Yank(popup));
        }
    }

    fn ask_copy_secret(&mut self) {
        let target = self.spot();
        let value = target
            .as_ref()
            .and_then(|(id, spot)| self.value_at(*id, spot));
        let (Some((id, spot)), Some(value)) = (target, value) else {
            self.say_error("select a [secret] value first");
            return;
        };
        if !value.is_secret() {
            self.copy_form(Form::Value);
            return;
        }
        if matches!(value.payload(), Payload::Sealed(_)) {
            self.say_error("the file holds only the ciphertext of this secret");
            return;
        }
        let name = spot.path.0.last().map_or_else(String::new, label);
        self.overlays.push(Overlay::Question(Question {
            asks: Asks::CopySecret { id, spot },
            title: "Copy a secret?".to_owned(),
            lines: vec![
                format!("Put {name} into the clipboard without showing it?"),
                "Other programs can read the clipboard.".to_owned(),
            ],
        }));
    }

    pub(super) fn copy_secret(&mut self, id: Option<ResourceId>, spot: &Spot) {
        let text = self
            .value_at(id, spot)
            .ok_or(NoCopy::NoValue)
            .and_then(|value| plain_text(&value.reveal()));
        match text {
            Ok(text) => self.copy("secret value", text),
            Err(why) => self.say_error(why.to_string()),
        }
    }

    /// Asks for `text` to be put into the clipboard.
    pub fn copy(&mut self, what: &str, text: String) {
        self.ask(Effect::Copy {
            what: what.to_owned(),
            text,
        });
    }

    pub(super) fn copied(&mut self, what: &str, n_chars: usize, result: Result<String, String>) {
        match result {
            Ok(route) => self.say(format!(
                "copied {what}, {}, via {route}",
                plural(n_chars, "char")
            )),
            Err(message) => self.say_error(format!("{what} not copied: {message}")),
        }
    }
}

/// A value as a text of its own.
fn plain_text(value: &Value) -> Result<String, NoCopy> {
    match value.payload() {
        _ if value.is_secret() => Err(NoCopy::Secret),
        Payload::Sealed(_) => Err(NoCopy::Sealed),
        Payload::Computed(_) => Err(NoCopy::Unknown),
        Payload::String(text) => Ok(text.to_str_lossy().into_owned()),
        _ => Ok(crate::json::to_pretty(value)),
    }
}

/// The place of a value that is in a section.
fn place_of(spot: &Spot, resource: &Resource) -> Option<Place> {
    let place = spot.part.place(resource)?;
    Some(Place {
        before: place.when == When::Before,
        section: place.section,
        path: spot.path.clone(),
    })
}
