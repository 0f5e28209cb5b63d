//! The views: each owns its state, obeys commands, and draws itself. The explorer lends it everything else ([`Ctx`]) and does what
//! it asks for ([`Outcome`]).

pub mod resources;

use super::command::Command;
use super::keymap;
use super::layout::Pane;
use super::overlays::Outcome;
use super::panes;
use super::rows::{Leads, Row};
use super::session::Session;
use super::theme::Theme;

/// Everything that a view may see besides its own state.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    /// The open file, and the choices that all views share.
    pub session: &'a Session,
    /// The colors and styles of the screen.
    pub theme: &'a Theme,
    /// The place of the view on the screen, and the keys that it gets.
    pub screen: Screen,
}

/// The place of a view on the screen, and the keys that it gets.
#[derive(Clone, Copy)]
pub struct Screen {
    /// The panes of the view. A pane that is not on the screen has the area that it would have there.
    pub panes: [Pane; 2],
    /// True if both panes are on the screen.
    pub shows_both: bool,
    /// Index of the pane that gets the keys: 0 or 1.
    pub focus: usize,
    /// True while an overlay has the keys.
    pub is_covered: bool,
    /// The count typed before the command.
    pub count: Option<usize>,
}

impl<'a> Ctx<'a> {
    /// The number of rows that a pane has room for.
    pub fn height(&self, pane: usize) -> usize {
        usize::from(self.screen.panes[pane.min(1)].inner.height)
    }

    /// The part that a pane may see.
    pub fn of_pane(&self, pane: usize) -> panes::Ctx<'a> {
        panes::Ctx {
            session: self.session,
            theme: self.theme,
            focused: self.screen.focus == pane && !self.screen.is_covered,
        }
    }
}

/// Follows a row of values: to a resource, or into a long text.
pub fn follow(row: &Row) -> Outcome {
    match &row.leads {
        Leads::Nowhere if row.secret => {
            let key = keymap::key_of(Command::Reveal);
            Outcome::Say(format!("{key} reveal this value"))
        }
        Leads::Nowhere => Outcome::Say("nothing to open here".to_owned()),
        Leads::Resource(target) => Outcome::Follow(target.clone()),
        Leads::Text => Outcome::OpenText,
    }
}
