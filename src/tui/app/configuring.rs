//! The source of the selected item, from the configuration in a plan file, or from the sources next to the file.

use std::sync::Arc;

use super::App;
use crate::change::configuration::Configuration;
use crate::stack::Position;
use crate::tree::Node;
use crate::tui::any_job::Takes;
use crate::tui::command::View;
use crate::tui::jobs::configure::Configure;
use crate::tui::overlays::source::{self, SourcePart, SourceView};

impl App {
    /// Opens the source of the selected item.
    pub(super) fn open_source(&mut self) {
        let Some(document) = self.session.document.clone() else {
            return;
        };
        let wanted = self.wanted_source();
        self.overlays.push(SourceView::of(wanted));
        match self.session.configuration.clone() {
            Some(configuration) => self.show_source(configuration),
            // The answer shows it.
            None => self.start(Configure(document, self.selected())),
        }
    }

    fn show_source(&mut self, configuration: Arc<Configuration>) {
        if configuration.files.is_empty() {
            if self.overlays.take::<SourceView>().is_some() {
                let kind = self.session.stack().header.kind;
                self.say_error(source::why_none(kind, self.position()));
            }
            return;
        }
        let source = self.overlays.get_mut::<SourceView>();
        if let Some(files) = source.and_then(|source| source.take(configuration)) {
            self.overlays.push(files);
        }
    }

    /// Closes the menu of files, and shows one of them.
    pub(super) fn show_source_file(&mut self, file: usize) {
        self.overlays.pop();
        if let Some(source) = self.overlays.get_mut::<SourceView>() {
            source.open(file);
        }
    }

    /// True if the file that declares the selected resource is next to the open one.
    pub(super) fn is_declared_nearby(&self) -> bool {
        let document = self.session.document.as_ref();
        let position = self.position();
        document.is_some_and(|it| position.is_some_and(|position| it.nearby.has(position)))
    }

    /// The line that declares the selected resource, if that was read.
    fn position(&self) -> Option<&Position> {
        let read = self.session.resources.get(self.selected()?)?;
        read.position.as_ref()
    }

    /// The selected item in the configuration.
    fn wanted_source(&self) -> SourcePart {
        let stack = self.session.stack();
        let path = self.spot().map(|(_, spot)| spot.path).unwrap_or_default();
        let node = self.views.resources.tree.node();
        let node = node.filter(|_| self.window.view == View::Resources);
        match (node, self.selected()) {
            (Some(Node::Outputs), _) => SourcePart::of_output(&path),
            (_, Some(id)) => SourcePart::of_resource(stack, id, path),
            (Some(Node::Group(group)), None) => SourcePart::of_module(stack, group),
            (_, None) if self.window.view == View::Outputs => SourcePart::of_output(&path),
            (Some(_) | None, None) => SourcePart::default(),
        }
    }
}

impl Takes<Configure> for App {
    fn take(&mut self, configuration: Arc<Configuration>) {
        // A program has many sources: each is read when it is asked for.
        if !self.session.is_pulumi() {
            self.session.configuration = Some(Arc::clone(&configuration));
        }
        self.show_source(configuration);
    }
}
