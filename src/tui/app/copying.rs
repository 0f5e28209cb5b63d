//! Commands that copy.

use super::App;
use crate::change::pairs::{Evidence, Pair, Shift, ShiftKind};
use crate::render::copy::{Form, MadeOf, NoCopy};
use crate::stack::{Action, ResourceId};
use crate::tui::any_job::Takes;
use crate::tui::command::{CopyCommand, View};
use crate::tui::effect::Effect;
use crate::tui::event::Route;
use crate::tui::jobs::copy::{CopiedTexts, CopyForm, FormText, PreviewForms, Selection};
use crate::tui::overlays::ask::{Ask, Asks};
use crate::tui::overlays::menu::MenuPopup;
use crate::tui::overlays::yank::YankPopup;
use crate::tui::rows::{Opening, Spot, label, shown};
use crate::tui::widgets::text::{count, fit_middle, plural};
use crate::value::{Payload, Value};

/// Maximum number of cells of a copied name in the message about it.
const MAX_NAMED: usize = 60;

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
        let Some(document) = self.session.document.clone() else {
            return;
        };
        let selection = self.copy_selection();
        let has_secret = self.opening() == Some(Opening::Reveal);
        let popup = YankPopup::new(title, |form| self.form_name(form), has_secret);
        self.overlays.push(MenuPopup::new(popup));
        self.start(PreviewForms {
            document,
            selection,
        });
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
            return self.views.changes.stories.shift(id).cloned();
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

    /// The marked resources, else the item under the cursor. With the cursor on a property, this property of each.
    fn copy_selection(&self) -> Selection {
        let (of, spot) = self.spot().unzip();
        let is_output = of == Some(None);
        let output = spot.as_ref().filter(|_| is_output);
        let output = output.and_then(|spot| self.value_at(None, spot));
        let in_changes = self.window.view == View::Changes;
        Selection {
            title: self.copy_title().unwrap_or_default(),
            ids: if self.copies_marks() {
                self.session.marks.iter().copied().collect()
            } else {
                self.copy_id().into_iter().collect()
            },
            // A row of a string that contains a document is about the string.
            spot: spot.map(|spot| Spot {
                inside: spot.inner().cloned(),
                ..spot
            }),
            is_output,
            output,
            hunk: self.views.changes.difference.hunk().filter(|_| in_changes),
            shift: self.shift(),
        }
    }

    pub(super) fn copy_form(&mut self, form: Form) {
        let Some(document) = self.session.document.clone() else {
            return;
        };
        let selection = self.copy_selection();
        if !selection.ids.is_empty() {
            let n = plural(selection.ids.len(), "resource");
            self.say(format!("reading {n}…"));
        }
        self.start(CopyForm {
            document,
            form: match (form, &selection.spot) {
                // The only path of marked resources is their name.
                (Form::Path, None) if self.copies_marks() => Form::Identity,
                (form, _) => form,
            },
            selection,
        });
    }

    pub(super) fn routed(&mut self, route: Result<Route, String>) {
        if let Some(popup) = self.overlays.top_as_mut::<MenuPopup<YankPopup>>() {
            popup.menu.set_route(route);
        }
    }

    fn form_name(&self, form: Form) -> &'static str {
        match form {
            Form::Identity if self.session.is_pulumi() => "URN",
            Form::Identity => "address",
            Form::Clearing if self.session.is_pulumi() => "unprotect",
            Form::Clearing => "untaint",
            form => form.name(),
        }
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
        let lines = vec![
            format!("Put {name} into the clipboard without showing it?"),
            "Other programs can read the clipboard.".to_owned(),
        ];
        let asks = Asks::CopySecret { id, spot };
        self.overlays
            .push(Ask::confirm(asks, "Copy a secret?", lines));
    }

    pub(super) fn copy_secret(&mut self, id: Option<ResourceId>, spot: &Spot) {
        let text = self
            .value_at(id, spot)
            .ok_or(NoCopy::NoValue)
            .and_then(|value| plain_text(&value.reveal()));
        match text {
            Ok(text) => self.copy(&format!("secret value of {}", spot.label()), text),
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
            Ok(route) => {
                // The reason for another way than usual needs the room of the name.
                let kind = what.split(' ').next().unwrap_or(what);
                let what = if route.contains('(') { kind } else { what };
                let n_chars = plural(n_chars, "char");
                self.say(format!("copied {what}, {n_chars}, via {route}"));
            }
            Err(message) => self.say_error(format!("{what} not copied: {message}")),
        }
    }
}

impl Takes<PreviewForms> for App {
    fn take(&mut self, forms: Vec<FormText>) {
        if let Some(popup) = self.overlays.get_mut::<MenuPopup<YankPopup>>() {
            popup.menu.take(forms);
        }
    }
}

impl Takes<CopyForm> for App {
    fn take(&mut self, copied: CopiedTexts) {
        self.session.tickets.forget::<CopyForm>();
        self.copy_texts(copied);
        if self.session.quits {
            self.ask(Effect::Quit);
        }
    }
}

impl App {
    fn copy_texts(&mut self, copied: CopiedTexts) {
        let CopiedTexts {
            form,
            title,
            mut texts,
            n_missing,
            why_not,
        } = copied;
        let name = self.form_name(form);
        if texts.is_empty() {
            let why = why_not.unwrap_or_default();
            self.say_error(format!("{name} not copied: {}", shown(&why)));
            return;
        }
        let missing = match n_missing {
            0 => String::new(),
            n => format!(" ({} more have none)", count(n as u64)),
        };
        match &mut texts[..] {
            [only] if n_missing == 0 => {
                let is_name = matches!(form.made_of(), MadeOf::Names | MadeOf::Location);
                let what = if is_name && !only.contains('\n') {
                    format!("{name} {}", fit_middle(&shown(only), MAX_NAMED))
                } else {
                    format!("{name} of {title}")
                };
                self.copy(&what, std::mem::take(only));
            }
            texts => {
                let n = plural(texts.len(), "resource");
                let text = texts.join(form.separator());
                self.copy(&format!("{name} of {n}{missing}"), text);
            }
        }
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
