//! Commands that copy.

use super::App;
use crate::render::copy::{Form, NoCopy, text_of};
use crate::stack::ResourceId;
use crate::tui::any_job::Takes;
use crate::tui::command::CopyCommand;
use crate::tui::copy::Selection;
use crate::tui::effect::Effect;
use crate::tui::event::Route;
use crate::tui::jobs::copy::{CopiedTexts, CopyForm, FormText, PreviewForms};
use crate::tui::overlays::ask::Ask;
use crate::tui::overlays::menu::MenuPopup;
use crate::tui::overlays::yank::YankPopup;
use crate::tui::rows::Spot;
use crate::tui::widgets::text::plural;
use crate::value::Payload;

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
        let selection = Selection::of(&self.views, &self.ctx());
        if selection.title.is_empty() {
            self.say_error("nothing to copy here; select a resource or a value");
            return;
        }
        let Some(document) = self.session.document.clone() else {
            return;
        };
        let (title, kind) = (selection.title.clone(), document.stack.header.kind);
        let popup = YankPopup::new(title, kind, self.opening().as_ref());
        self.overlays.push(MenuPopup::new(popup));
        self.start(PreviewForms {
            document,
            selection,
        });
        self.ask(Effect::Route);
    }

    fn copy_form(&mut self, form: Form) {
        let Some(document) = self.session.document.clone() else {
            return;
        };
        let selection = Selection::of(&self.views, &self.ctx());
        if !selection.ids.is_empty() {
            let n = plural(selection.ids.len(), "resource");
            self.say(format!("reading {n}…"));
        }
        self.start(CopyForm {
            document,
            form: match (form, &selection.spot) {
                // The only path of marked resources is their name.
                (Form::Path, None) if selection.is_marked => Form::Identity,
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

    fn ask_copy_secret(&mut self) {
        let target = self.spot();
        let value = target
            .as_ref()
            .and_then(|(id, spot)| self.value_at(*id, spot));
        match (target, value) {
            (Some(_), Some(value)) if !value.is_masked() => self.copy_form(Form::Value),
            (Some(_), Some(value)) if matches!(value.payload(), Payload::Sealed(_)) => {
                self.say_error("the file holds only the ciphertext of this secret");
            }
            (Some((id, spot)), Some(_)) => self.overlays.push(Ask::copy_secret(id, spot)),
            (None, _) | (_, None) => self.say_error("select a [secret] value first"),
        }
    }

    pub(super) fn copy_secret(&mut self, id: Option<ResourceId>, spot: &Spot) {
        let value = self.value_at(id, spot).ok_or(NoCopy::NoValue);
        match value.and_then(|value| text_of(&value.reveal())) {
            Ok(text) => self.copy(format!("secret value of {}", spot.label()), text),
            Err(why) => self.say_error(why.to_string()),
        }
    }

    /// Requests that `text` be put on the clipboard.
    pub(super) fn copy(&mut self, what: impl Into<String>, text: String) {
        let what = what.into();
        self.ask(Effect::Copy { what, text });
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
        match copied.joined(self.session.stack().header.kind) {
            Ok((what, text)) => self.copy(what, text),
            Err(why) => self.say_error(why),
        }
        if self.session.quits {
            self.ask(Effect::Quit);
        }
    }
}
