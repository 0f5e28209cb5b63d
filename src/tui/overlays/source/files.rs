//! The files of a configuration, to choose one.

use std::sync::Arc;

use super::super::Outcome;
use super::super::menu::{Menu, MenuPopup};
use crate::change::configuration::{Configuration, Listing};
use crate::tui::keymap::Scope;
use crate::tui::outline::Strip;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::text::{plural, width};

/// Maximum width of the paths, in cells.
const MAX_PATH: usize = 60;

/// The files to choose from.
#[derive(Debug)]
pub struct SourceFiles {
    configuration: Arc<Configuration>,
    /// True if a file is shown below, to go back to.
    has_file: bool,
    /// Width of the column of paths with the blanks after it, in cells.
    path_width: usize,
}

impl SourceFiles {
    /// The files of a configuration, of which one may be shown.
    pub(super) fn popup(configuration: Arc<Configuration>, file: Option<usize>) -> MenuPopup<Self> {
        let widths = configuration.files.iter();
        let widths = widths.map(|file| width(&shown(&file.path)));
        let files = Self {
            path_width: widths.max().unwrap_or(0).min(MAX_PATH) + 2,
            has_file: file.is_some(),
            configuration,
        };
        MenuPopup::at(file.unwrap_or(0), files)
    }

    fn files(&self) -> &[Listing] {
        &self.configuration.files
    }
}

impl Menu for SourceFiles {
    const SCOPES: &'static [Scope] = &[Scope::SourceFiles, Scope::List];
    const MIN_WIDTH: usize = MAX_PATH;

    fn labels(&self) -> Labels {
        Labels::of("configuration", plural(self.n_rows(), "file"))
    }

    fn n_rows(&self) -> usize {
        self.files().len()
    }

    fn line(&self, row: usize, _room: usize) -> Strip {
        let file = &self.files()[row];
        let path = shown(&file.path);
        let module = match &*file.module {
            "" => "the root module".to_owned(),
            module => shown(module),
        };
        let gap = " ".repeat(self.path_width.saturating_sub(width(&path)));
        let lines = plural(file.n_lines(), "line");
        Strip::from(vec![
            Span::new(path, Role::Title),
            Span::new(gap + &module, Role::Dim),
        ])
        .ending(vec![Span::new(lines, Role::Dim)])
    }

    fn choose(&mut self, row: usize) -> Outcome {
        Outcome::ShowFile(row)
    }

    fn back(&mut self) -> Outcome {
        if self.has_file {
            return Outcome::Close;
        }
        Outcome::All(vec![Outcome::Close, Outcome::Close])
    }

    fn stays(&self) -> bool {
        false
    }
}
