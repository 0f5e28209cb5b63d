//! Commands that copy.

use std::sync::Arc;

use super::App;
use crate::change::pairs::{Evidence, Pair, Shift, ShiftKind};
use crate::format::{ReadError, table};
use crate::render::copy::{Form, Location, NoCopy, OutputSubject, Subject};
use crate::render::{mend, plain};
use crate::stack::{Action, Resource, ResourceId, Section, Stack};
use crate::tui::any_job::Takes;
use crate::tui::command::{Command, CopyCommand, View};
use crate::tui::effect::Effect;
use crate::tui::event::Route;
use crate::tui::jobs::copy::{CopiedLines, CopyMany, Locate};
use crate::tui::keymap::{Scope, key_in, key_of};
use crate::tui::overlays::question::{Asks, Question};
use crate::tui::overlays::yank::YankPopup;
use crate::tui::rows::{Part, Spot, label, shown};
use crate::tui::widgets::text::{count, plural};
use crate::value::{Payload, Value};

/// The location in the file of the resource that was last copied from.
#[derive(Clone, Debug, Default)]
pub(super) struct Located {
    id: Option<ResourceId>,
    /// True if the answer has come.
    is_known: bool,
    /// `None` if the resource was not found in the file.
    location: Option<Arc<Location>>,
    /// The form to copy as soon as the location is known.
    then: Option<Form>,
}

/// Maximum size of a resource in the file, in bytes, whose forms are previewed.
const MAX_PREVIEWED: u64 = 4 << 20;

/// Copies that wait for an answer.
#[derive(Debug, Default)]
pub(super) struct Copying {
    pub(super) located: Located,
    /// A resource that is being read, and the form of it to copy.
    awaited: Option<(ResourceId, Form)>,
}

impl App {
    pub(super) fn copy_command(&mut self, command: CopyCommand) {
        match command {
            CopyCommand::Choose => self.open_yank(),
            CopyCommand::Form(form) => self.copy_form(form),
            CopyCommand::Secret => self.ask_copy_secret(),
            // `c` copies the most likely form: the path of a value, the name of a resource.
            CopyCommand::Path if self.spot().is_some() => self.copy_form(Form::Path),
            CopyCommand::Path => self.copy_form(Form::Identity),
        }
    }

    fn open_yank(&mut self) {
        let Some(title) = self.copy_title() else {
            self.say_error("nothing to copy here; select a resource or a value");
            return;
        };
        self.locate();
        if let Some(id) = self.copy_id()
            && self.resource_at_hand(id).is_none()
        {
            // The popup is made anew when it is read.
            _ = self.resource(id);
        }
        let mut popup = YankPopup::new(
            title,
            |form| self.form_name(form),
            |form| self.preview(form),
        );
        popup.has_secret = self.is_on_secret();
        self.overlays.push(popup);
        self.ask(Effect::Route);
    }

    fn copy_title(&self) -> Option<String> {
        if self.copies_marks() {
            return Some(plural(self.session.marks.len(), "marked resource"));
        }
        let id = self.copy_id();
        let name = id.map(|id| shown(self.session.stack().short_name(id)));
        let path = self.spot().map(|(_, spot)| shown(&spot.path.to_string()));
        if let (None, None, Some(shift)) = (&name, &path, self.shift()) {
            let n = shift.pairs.len();
            return Some(plural(n, "resource under another name"));
        }
        match (name, path) {
            (Some(name), Some(path)) => Some(format!("{name} · {path}")),
            (name, path) => name.or(path),
        }
    }

    /// The spot of the value to copy, as a property of `resource`.
    fn copy_spot(&self, resource: &Resource) -> Option<Spot> {
        let (id, spot) = self.spot()?;
        // A preview that does not compute the outputs of the stack shows their old values.
        let is_old = id.is_none() && spot.value(resource).is_none();
        let part = match spot.part {
            Part::Outputs if is_old => Part::Before(Section::Outputs),
            part => part,
        };
        Some(Spot { part, ..spot })
    }

    /// The resource to copy from.
    fn copy_id(&self) -> Option<ResourceId> {
        match self.spot() {
            // An output in Pulumi is a property of the stack.
            Some((None, _)) if self.session.is_pulumi() => self.stack_resource(),
            Some((id, _)) => id,
            None => self.selected(),
        }
    }

    /// True if the marked resources are copied, not the item under the cursor.
    fn copies_marks(&self) -> bool {
        !self.session.marks.is_empty() && self.window.view != View::Outputs
    }

    /// The change of identity at the cursor, or that the two marked resources are.
    fn shift(&self) -> Option<Shift> {
        let stack = self.session.stack();
        if !self.copies_marks() {
            let id = self.copy_id();
            return self.views.brief.shift(id).cloned();
        }
        let marks: Vec<ResourceId> = self.session.marks.iter().copied().collect();
        let [one, other] = marks[..] else {
            return None;
        };
        let is_gone = |id| {
            matches!(
                stack.record(id).action,
                Some(Action::Delete | Action::Forget)
            )
        };
        let is_new = |id| stack.record(id).action == Some(Action::Create);
        let mut orders = [(one, other), (other, one)].into_iter();
        let (gone, new) = orders.find(|(gone, new)| is_gone(*gone) && is_new(*new))?;
        (stack.ty(gone) == stack.ty(new)).then(|| Shift {
            kind: ShiftKind::Renamed,
            pairs: vec![Pair {
                gone,
                new,
                evidence: Evidence::Name,
            }],
            moves: vec![(stack.identity(gone), stack.identity(new))],
            alarm: None,
        })
    }

    /// The text that mends a change of identity.
    fn give_mend(&self, mend: Mend) -> Result<String, String> {
        let shift = self.shift().ok_or_else(|| NoCopy::NoPair.to_string())?;
        let text = mend(self.session.stack(), &shift).filter(|text| !text.is_empty());
        text.map(|text| text.trim_end().to_owned())
            .ok_or_else(|| "no such text keeps these".to_owned())
    }

    pub(super) fn copy_form(&mut self, form: Form) {
        if let Some(mend) = mend_of(form) {
            match self.give_mend(mend) {
                Ok(text) => self.copy(self.form_name(form), text),
                Err(why) => self.say_error(format!("{} not copied: {why}", self.form_name(form))),
            }
            return;
        }
        if self.copies_marks() && form != Form::Hunk {
            self.copy_marked(form);
            return;
        }
        if let Some(id) = self.copy_id() {
            if self.resource(id).is_none() && self.resource_at_hand(id).is_none() {
                self.copying.awaited = Some((id, form));
                self.say("reading the resource…");
                return;
            }
            if form.holds_values() && form != Form::Hunk && self.is_large(id) {
                let resource = self.resource_at_hand(id);
                let spot = resource.and_then(|resource| self.copy_spot(resource));
                return self.copy_of(vec![id], form, spot);
            }
            if form.needs_location() {
                self.locate();
                if !self.copying.located.is_known {
                    self.copying.located.then = Some(form);
                    self.say("looking for the place in the file…");
                    return;
                }
            }
        }
        match self.give(form) {
            Ok(text) => self.copy(self.form_name(form), text),
            Err(why) => self.say_error(format!("{} not copied: {why}", self.form_name(form))),
        }
    }

    /// Copies the form that waited for this resource to be read, if the cursor is still there.
    pub(super) fn copy_awaited(
        &mut self,
        id: ResourceId,
        resource: &Result<Arc<Resource>, ReadError>,
    ) {
        self.refresh_yank();
        let Some((_, form)) = self.copying.awaited.take_if(|(wanted, _)| *wanted == id) else {
            return;
        };
        match resource {
            Err(error) => {
                let (name, error) = (self.form_name(form), shown(&error.to_string()));
                self.say_error(format!("{name} not copied: {error}"));
            }
            Ok(_) if self.copy_id() == Some(id) => self.copy_form(form),
            Ok(_) => {}
        }
    }

    fn refresh_yank(&mut self) {
        if self.overlays.top_as::<YankPopup>().is_none() {
            return;
        }
        if let Some(mut popup) = self.overlays.take::<YankPopup>() {
            popup.refresh(|form| self.preview(form));
            self.overlays.open(popup);
        }
    }

    /// Copies all marked resources in one form, one per line. With the cursor on a property, copies this property of each.
    fn copy_marked(&mut self, form: Form) {
        let spot = self.spot().map(|(_, spot)| spot);
        // The only path of a resource is its name.
        let form = match (form, &spot) {
            (Form::Path, None) => Form::Identity,
            (form, _) => form,
        };
        self.copy_of(self.session.marks.iter().copied().collect(), form, spot);
    }

    /// Reads resources in the background, and copies them in one form.
    fn copy_of(&mut self, ids: Vec<ResourceId>, form: Form, spot: Option<Spot>) {
        let Some(document) = self.session.document.clone() else {
            return;
        };
        let spot = spot.map(|spot| Spot {
            inside: spot.inside.filter(|inside| !inside.0.is_empty()),
            ..spot
        });
        self.say(format!("reading {}…", plural(ids.len(), "resource")));
        self.start(CopyMany {
            document,
            ids,
            form,
            spot,
        });
    }

    pub(super) fn routed(&mut self, route: Result<Route, String>) {
        if let Some(popup) = self.overlays.top_as_mut::<YankPopup>() {
            popup.set_route(route);
        }
    }

    fn form_name(&self, form: Form) -> &'static str {
        match form {
            Form::Identity if self.session.is_pulumi() => "URN",
            Form::Identity => "address",
            form => form.name(),
        }
    }

    /// The preview of a form. Those of a large resource would take as long as copying them all.
    fn preview(&self, form: Form) -> Result<String, String> {
        let id = self.copy_id().filter(|_| form.holds_values());
        if let Some(id) = id.filter(|id| self.is_large(*id)) {
            let size = plain::size(self.session.stack().record(id).span.len.into());
            return Err(format!("made when it is copied: the resource takes {size}"));
        }
        self.give(form)
    }

    /// True for a resource whose values take so long to print that a job does it.
    fn is_large(&self, id: ResourceId) -> bool {
        u64::from(self.session.stack().record(id).span.len) > MAX_PREVIEWED
    }

    /// Text to copy in this form, for the item under the cursor. For marked resources, a preview of it.
    fn give(&self, form: Form) -> Result<String, String> {
        if let Some(mend) = mend_of(form) {
            return self.give_mend(mend);
        }
        if self.copies_marks() && form != Form::Hunk {
            return self.preview_marked(form);
        }
        match self.copy_id() {
            Some(id) => {
                let resource = self.resource_at_hand(id);
                let resource = resource.ok_or("the resource is being read; try again")?;
                let place = self
                    .copy_spot(resource)
                    .and_then(|spot| spot.place(resource));
                // A row of a string that contains a document is about the string.
                let inside = self.spot().and_then(|(_, spot)| spot.inside);
                let inside = inside.filter(|inside| !inside.0.is_empty());
                let hunk = (self.window.view == View::Changes)
                    .then(|| self.views.changes.difference.hunk())
                    .flatten();
                let is_located =
                    self.copying.located.id == Some(id) && self.copying.located.is_known;
                if form.needs_location() && !is_located {
                    return Err("…".to_owned());
                }
                let subject = Subject {
                    stack: self.session.stack(),
                    id,
                    resource,
                    place: place.as_ref(),
                    revealed: false,
                    location: self
                        .copying
                        .located
                        .location
                        .as_deref()
                        .filter(|_| is_located),
                    inside: inside.as_ref(),
                    hunk: hunk.as_deref(),
                };
                subject.copy(form).map_err(reason)
            }
            None => self.give_output(form).map_err(reason),
        }
    }

    fn resource_at_hand(&self, id: ResourceId) -> Option<&Arc<Resource>> {
        self.session.resources.get(id).or_else(|| {
            self.views
                .resources
                .detail
                .read()
                .filter(|_| self.views.resources.detail.id() == Some(id))
        })
    }

    /// An output of the stack in this form.
    fn give_output(&self, form: Form) -> Result<String, NoCopy> {
        let (_, spot) = self.spot().ok_or(NoCopy::NoProperty)?;
        let value = self.value_at(None, &spot);
        OutputSubject {
            stack: self.session.stack(),
            before: spot.part.starts_closed(),
            path: &spot.path,
            inside: spot.inside.as_ref().filter(|inside| !inside.0.is_empty()),
            value: value.as_ref(),
            written: table::of(&self.session.stack().header).and_then(|format| format.written),
        }
        .copy(form)
    }

    /// The first line that would be copied of the marked resources, as far as the index has it.
    fn preview_marked(&self, form: Form) -> Result<String, String> {
        let stack = self.session.stack();
        let first = self
            .session
            .marks
            .first()
            .copied()
            .ok_or("nothing is marked")?;
        let text = match form {
            Form::Identity => stack.identity(first),
            Form::Urn => stack.urn(first),
            Form::Id => stack.provider_id(first).to_owned(),
            _ => return Err("one per line, read when it is copied".to_owned()),
        };
        let more = match self.session.marks.len() - 1 {
            0 => String::new(),
            n => format!(" … {} more", count(n as u64)),
        };
        Ok(text + &more)
    }

    /// Requests the location of the resource in the file, unless it is known.
    fn locate(&mut self) {
        let Some(id) = self.copy_id() else { return };
        if self.copying.located.id == Some(id) {
            return;
        }
        let Some(document) = self.session.document.clone() else {
            return;
        };
        self.copying.located = Located {
            id: Some(id),
            ..Located::default()
        };
        self.start(Locate(document, id));
    }

    pub(super) fn ask_copy_secret(&mut self) {
        let target = self.spot();
        let value = target
            .as_ref()
            .and_then(|(id, spot)| self.value_at(*id, spot));
        let (Some((id, spot)), Some(value)) = (target, value) else {
            self.say_error("select a [secret] value first");
            return;
        };
        if !value.is_masked() {
            self.copy_form(Form::Value);
            return;
        }
        if matches!(value.payload(), Payload::Sealed(_)) {
            self.say_error("the file holds only the ciphertext of this secret");
            return;
        }
        let name = spot.path.0.last().map_or_else(String::new, label);
        self.overlays.push(Question {
            asks: Asks::CopySecret { id, spot },
            title: "Copy a secret?".to_owned(),
            lines: vec![
                format!("Put {name} into the clipboard without showing it?"),
                "Other programs can read the clipboard.".to_owned(),
            ],
        });
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

    /// Requests that `text` be put on the clipboard.
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

impl Takes<Locate> for App {
    fn take(&mut self, location: Option<Arc<Location>>) {
        self.copying.located.is_known = true;
        self.copying.located.location = location;
        if let Some(form) = self.copying.located.then.take() {
            if self.copy_id() == self.copying.located.id {
                self.copy_form(form);
            }
            return;
        }
        self.refresh_yank();
    }
}

impl Takes<CopyMany> for App {
    fn take(&mut self, read: CopiedLines) {
        let CopiedLines {
            form,
            mut lines,
            n_missing,
            why_not,
        } = read;
        let name = self.form_name(form);
        if lines.is_empty() {
            let why = why_not.unwrap_or_default();
            self.say_error(format!("{name} not copied: {}", shown(&why)));
            return;
        }
        let missing = match n_missing {
            0 => String::new(),
            n => format!(" ({} more have none)", count(n as u64)),
        };
        match &mut lines[..] {
            [only] if n_missing == 0 => self.copy(name, std::mem::take(only)),
            lines => {
                let n = plural(lines.len(), "resource");
                let text = lines.join(form.separator());
                self.copy(&format!("{name} of {n}{missing}"), text);
            }
        }
    }
}

/// Prints the text that mends a change of identity.
type Mend = fn(&Stack, &Shift) -> Option<String>;

/// The printer of a form that mends a change of identity; `None` for the other forms.
fn mend_of(form: Form) -> Option<Mend> {
    match form {
        Form::Moved => Some(mend::for_program),
        Form::StateMove => Some(mend::for_shell),
        Form::Value
        | Form::Path
        | Form::Identity
        | Form::Urn
        | Form::Id
        | Form::Key
        | Form::Jq
        | Form::Pointer
        | Form::Wire
        | Form::Resource
        | Form::Target
        | Form::Import
        | Form::Hunk
        | Form::Markdown => None,
    }
}

/// A value as plain text. An error if it is secret, encrypted or not known yet.
fn plain_text(value: &Value) -> Result<String, NoCopy> {
    match value.payload() {
        _ if value.is_secret() => Err(NoCopy::Secret),
        Payload::Sealed(_) => Err(NoCopy::Sealed),
        Payload::Computed(_) => Err(NoCopy::Unknown),
        Payload::String(text) => Ok(text.to_str_lossy().into_owned()),
        _ => Ok(crate::json::to_pretty(value)),
    }
}

/// The reason why nothing is copied, with the keys that show or copy a secret.
fn reason(why: NoCopy) -> String {
    if why != NoCopy::Secret {
        return why.to_string();
    }
    let reveal = key_of(Command::Reveal);
    let copy = key_of(Command::Copy(CopyCommand::Choose))
        + &key_in(Scope::Yank, Command::Copy(CopyCommand::Secret));
    format!("{why} · {reveal} reveal · {copy} copy unseen")
}
