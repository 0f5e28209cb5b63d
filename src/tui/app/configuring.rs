//! The source of the selected item, from the configuration in a plan file.

use std::sync::Arc;

use super::App;
use crate::change::configuration::Configuration;
use crate::path::{Path, Segment};
use crate::stack::Kind;
use crate::terraform::address::{ObjectName, config_address};
use crate::tree::Node;
use crate::tui::any_job::Takes;
use crate::tui::command::View;
use crate::tui::jobs::configure::Configure;
use crate::tui::overlays::source::{SourceView, Wanted};
use crate::tui::popup::Stage;
use crate::tui::session::Requested;

impl App {
    /// Opens the source of the selected item.
    pub(super) fn open_source(&mut self) {
        let Some(document) = self.session.document.clone() else {
            return;
        };
        if document.stack.sources.files.is_empty() {
            self.say_error(match document.stack.header.kind {
                Kind::TerraformPlan => {
                    "a plan in JSON carries no source text; open the plan file that it was printed from"
                }
                Kind::TerraformPlanBinary => "this plan file carries no configuration",
                _ => {
                    "this file carries no configuration; the plan files of Terraform and OpenTofu do"
                }
            });
            return;
        }
        let wanted = self.wanted_source();
        self.overlays.push(SourceView::new(wanted));
        match &self.session.configuration {
            Requested::Known(configuration) => self.show_source(Arc::clone(configuration)),
            Requested::Yes | Requested::No => self.configure(),
        }
    }

    fn show_source(&mut self, configuration: Arc<Configuration>) {
        let stage = Stage::new(self.areas().body);
        let source = self.source_overlay();
        if let Some(files) = source.and_then(|source| source.take(configuration, stage)) {
            self.overlays.push(files);
        }
    }

    /// Requests the configuration that the plan file carries, once.
    pub(super) fn configure(&mut self) {
        if let Some(document) = self.session.document.clone()
            && matches!(self.session.configuration, Requested::No)
        {
            self.session.configuration = Requested::Yes;
            self.start(Configure(document));
        }
    }

    /// The address and path of the selected item in the configuration.
    fn wanted_source(&self) -> Wanted {
        let spot = self.spot().map(|(_, spot)| spot);
        let path = spot.map(|spot| spot.path).unwrap_or_default();
        if self.window.view == View::Outputs || self.tree_shows(Node::Outputs) {
            let Some((Segment::Key(name), rest)) = path.0.split_first() else {
                return Wanted::default();
            };
            return Wanted {
                address: format!("output.{name}"),
                path: Path(rest.to_vec()),
            };
        }
        if let Some(id) = self.selected() {
            let name = ObjectName::parse(self.session.stack().name(id));
            return Wanted {
                address: name.config_address().into_owned(),
                path,
            };
        }
        match self.views.resources.tree.node() {
            Some(Node::Group(group)) if self.window.view == View::Resources => Wanted {
                address: config_address(&self.session.stack().tables.group(group).path)
                    .into_owned(),
                path: Path::root(),
            },
            _ => Wanted::default(),
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
        self.session.configuration = Requested::Known(Arc::clone(&configuration));
        self.show_source(configuration);
    }

    fn lose(&mut self) {
        self.session.configuration = Requested::No;
    }
}
