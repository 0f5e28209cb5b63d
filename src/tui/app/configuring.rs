//! The source of the selected item, from the configuration in a plan file, or from the sources next to the file.

use std::sync::Arc;

use super::App;
use crate::change::configuration::Configuration;
use crate::load::Document;
use crate::path::{Path, Segment};
use crate::stack::{Kind, Position};
use crate::terraform::address::{ObjectName, config_address};
use crate::tree::Node;
use crate::tui::any_job::Takes;
use crate::tui::command::View;
use crate::tui::jobs::configure::Configure;
use crate::tui::overlays::source::{SourcePart, SourceView};
use crate::tui::rows::shown;
use crate::tui::session::Requested;

impl App {
    /// Opens the source of the selected item.
    pub(super) fn open_source(&mut self) {
        let Some(document) = self.session.document.clone() else {
            return;
        };
        let wanted = self.wanted_source();
        self.overlays.push(SourceView::of(wanted));
        match &self.session.configuration {
            Requested::Known(configuration) => self.show_source(Arc::clone(configuration)),
            // The answer shows it.
            Requested::Yes => {}
            Requested::No => self.configure(document),
        }
    }

    fn show_source(&mut self, configuration: Arc<Configuration>) {
        if configuration.files.is_empty() {
            if self.overlays.take::<SourceView>().is_some() {
                self.say_error(self.why_no_source());
            }
            return;
        }
        let source = self.source_overlay();
        if let Some(files) = source.and_then(|source| source.take(configuration)) {
            self.overlays.push(files);
        }
    }

    /// Closes the menu of files, and shows one of them.
    pub(super) fn show_source_file(&mut self, file: usize) {
        self.overlays.pop();
        if let Some(source) = self.source_overlay() {
            source.open(file);
        }
    }

    /// Requests the sources, once. A program has many: each is read when it is asked for.
    fn configure(&mut self, document: Document) {
        if !self.session.is_pulumi() {
            self.session.configuration = Requested::Yes;
        }
        self.start(Configure(document, self.selected()));
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

    /// The reason that there is no source to show.
    fn why_no_source(&self) -> String {
        match (self.session.stack().header.kind, self.position()) {
            (Kind::TerraformPlan, _) => {
                "no configuration in this plan or next to it; open the plan file that it was printed from"
                    .to_owned()
            }
            (Kind::TerraformPlanBinary, _) => "this plan file carries no configuration".to_owned(),
            (kind, Some(position)) if kind.is_pulumi() => {
                format!("{} is not next to this file", shown(&position.file))
            }
            (kind, None) if kind.is_pulumi() => {
                "this file names no line of the program for it".to_owned()
            }
            (_, Some(_) | None) => "no configuration next to this file".to_owned(),
        }
    }

    /// The address and path of the selected item in the configuration.
    fn wanted_source(&self) -> SourcePart {
        let spot = self.spot().map(|(_, spot)| spot);
        let path = spot.map(|spot| spot.path).unwrap_or_default();
        if self.window.view == View::Outputs || self.tree_shows(Node::Outputs) {
            let Some((Segment::Key(name), rest)) = path.0.split_first() else {
                return SourcePart::default();
            };
            return SourcePart {
                address: format!("output.{name}"),
                path: Path(rest.to_vec()),
            };
        }
        if let Some(id) = self.selected() {
            if self.session.is_pulumi() {
                return SourcePart {
                    address: self.session.stack().identity(id),
                    path,
                };
            }
            let name = ObjectName::parse(self.session.stack().name(id));
            return SourcePart {
                address: name.config_address().into_owned(),
                path,
            };
        }
        match self.views.resources.tree.node() {
            Some(Node::Group(group)) if self.window.view == View::Resources => SourcePart {
                address: config_address(&self.session.stack().tables.group(group).path)
                    .into_owned(),
                path: Path::root(),
            },
            _ => SourcePart::default(),
        }
    }

    fn tree_shows(&self, node: Node) -> bool {
        self.window.view == View::Resources && self.views.resources.tree.node() == Some(node)
    }

    fn source_overlay(&mut self) -> Option<&mut SourceView> {
        self.overlays.get_mut()
    }

    /// Shows or hides the masked text on the selected line of the source.
    pub(super) fn set_source_revealed(&mut self, is_revealed: bool) {
        if let Some(source) = self.source_overlay() {
            source.set_revealed(is_revealed);
        }
    }

    /// True if a source shows masked text.
    pub(super) fn shows_source(&self) -> bool {
        let source = self.overlays.get::<SourceView>();
        source.is_some_and(SourceView::is_revealed)
    }
}

impl Takes<Configure> for App {
    fn take(&mut self, configuration: Arc<Configuration>) {
        if !self.session.is_pulumi() {
            self.session.configuration = Requested::Known(Arc::clone(&configuration));
        }
        self.show_source(configuration);
    }

    fn lose(&mut self) {
        self.session.configuration = Requested::No;
    }
}
